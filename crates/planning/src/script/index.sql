declare
  c_owner  constant varchar2(128) := @OWNER@;
  c_name   constant varchar2(128) := @NAME@;
  c_part   constant varchar2(128) := @PART@;
  c_target constant varchar2(128) := @TARGET@;
  l_index  varchar2(300) := '"' || c_owner || '"."' || c_name || '"';
  l_from   varchar2(128);
  l_type   varchar2(30);
  l_status varchar2(12);
  l_partitioned varchar2(3);
  l_join   varchar2(3);
  l_temporary varchar2(1);
  l_attributes varchar2(60);
  l_piece  varchar2(200);
  l_why    varchar2(500);
  l_bytes  number;
  l_room   number;
  l_count  number;
  l_secure varchar2(3);
  l_target_secure varchar2(3);
  l_block  number;
  l_target_block number;
  refused  exception;
begin
  begin
    select tablespace_name, index_type, status, partitioned, join_index, temporary,
           trim(degree) || '/' || logging || '/' || buffer_pool
      into l_from, l_type, l_status, l_partitioned, l_join, l_temporary, l_attributes
      from dba_indexes where owner = c_owner and index_name = c_name;
    if c_part is null then
      if l_partitioned = 'YES' then
        l_why := 'is partitioned (ORA-14086): its partitions move one by one';
        raise refused;
      end if;
    else
      begin
        select tablespace_name, status, ' subpartition "' || c_part || '"' into l_from, l_status, l_piece
          from dba_ind_subpartitions
         where index_owner = c_owner and index_name = c_name and subpartition_name = c_part;
      exception
        when no_data_found then
          select tablespace_name, status, ' partition "' || c_part || '"' into l_from, l_status, l_piece
            from dba_ind_partitions
           where index_owner = c_owner and index_name = c_name and partition_name = c_part;
      end;
    end if;
  exception
    when no_data_found then
      l_why := 'is not there; reports clip long names';
      raise refused;
  end;
  if l_type in ('LOB', 'IOT - TOP') then l_why := 'moves with its table or LOB (ORA-02327, ORA-28650)'; raise refused; end if;
  if l_type = 'DOMAIN' then l_why := 'is a domain index: its cartridge says where it lies'; raise refused; end if;
  if l_temporary = 'Y' then l_why := 'is temporary'; raise refused; end if;
  if l_status = 'UNUSABLE' then l_why := 'is unusable already; somebody may have wanted that'; raise refused; end if;
  if l_from = c_target then
    dbms_output.put_line('already there');
  else
    select max(encrypted), max(block_size) into l_secure, l_block
      from dba_tablespaces where tablespace_name = l_from;
    select max(encrypted), max(block_size) into l_target_secure, l_target_block
      from dba_tablespaces where tablespace_name = c_target;
    if l_block <> l_target_block then
      l_why := 'has blocks of another size than ' || c_target || ': it would be read into another cache';
      raise refused;
    end if;
    if l_secure = 'YES' and nvl(l_target_secure, 'NO') <> 'YES' then
      l_why := 'lies encrypted and ' || c_target || ' is not: it would lie there in clear';
      raise refused;
    end if;
    select nvl(sum(bytes), 0) into l_bytes from dba_segments
     where owner = c_owner and segment_name = c_name and (c_part is null or partition_name = c_part);
    select count(*) into l_count from (
      select null from dba_ts_quotas where username = c_owner and tablespace_name = c_target
         and (max_bytes = -1 or max_bytes - bytes >= l_bytes)
      union all
      select null from dba_sys_privs where grantee = c_owner and privilege = 'UNLIMITED TABLESPACE');
    if l_count = 0 then
      l_why := 'needs quota (ORA-01536): alter user "' || c_owner || '" quota unlimited on "' || c_target || '"';
      raise refused;
    end if;
    select nvl((select sum(bytes) from dba_free_space where tablespace_name = c_target), 0)
         + nvl((select sum(greatest(maxbytes - bytes, 0)) from dba_data_files
                 where tablespace_name = c_target and autoextensible = 'YES'), 0)
      into l_room from dual;
    if l_room < l_bytes then
      raise_application_error(-20005, c_target || ' has no room for ' || round(l_bytes / 1048576) || ' MB');
    end if;
    -- The old index serves until the new one is whole. Neither degree nor logging is touched.
    execute immediate 'alter index ' || l_index || ' rebuild' || l_piece || ' tablespace "' || c_target || '"'
      || case when :ee = 'TRUE' and l_join = 'NO' and l_type <> 'CLUSTER' then ' online' end;
    dbms_output.put_line('from ' || l_from || ', ' || round(l_bytes / 1048576)
      || ' MB; degree/logging/pool ' || l_attributes);
  end if;
exception
  when refused then
    dbms_output.put_line('SKIPPED: it ' || l_why);
end;
/
