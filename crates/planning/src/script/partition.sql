declare
  c_owner  constant varchar2(128) := @OWNER@;
  c_name   constant varchar2(128) := @NAME@;
  c_part   constant varchar2(128) := @PART@;
  c_target constant varchar2(128) := @TARGET@;
  c_online constant boolean := @NEEDS_ONLINE@;
  l_table  varchar2(300) := '"' || c_owner || '"."' || c_name || '"';
  l_from   varchar2(128);
  l_word   varchar2(20);
  l_iot    varchar2(12);
  l_why    varchar2(500);
  l_count  number;
  l_bytes  number;
  l_room   number;
  l_secure varchar2(3);
  l_target_secure varchar2(3);
  type t_marks is table of number index by varchar2(400);
  l_unusable t_marks;
  refused  exception;
  not_online exception;
  pragma exception_init(not_online, -14808);
  cursor c_unusable is
    select i.owner, i.index_name, cast(null as varchar2(128)) part, 0 depth, i.uniqueness
      from dba_indexes i
     where i.table_owner = c_owner and i.table_name = c_name and i.status = 'UNUSABLE'
    union all
    select i.owner, i.index_name, p.partition_name, 1, i.uniqueness
      from dba_indexes i, dba_ind_partitions p
     where i.table_owner = c_owner and i.table_name = c_name
       and p.index_owner = i.owner and p.index_name = i.index_name and p.status = 'UNUSABLE'
    union all
    select i.owner, i.index_name, p.subpartition_name, 2, i.uniqueness
      from dba_indexes i, dba_ind_subpartitions p
     where i.table_owner = c_owner and i.table_name = c_name
       and p.index_owner = i.owner and p.index_name = i.index_name and p.status = 'UNUSABLE'
    order by 5 desc;
begin
  -- Partition or subpartition: the dictionary knows.
  begin
    select tablespace_name, 'subpartition' into l_from, l_word from dba_tab_subpartitions
     where table_owner = c_owner and table_name = c_name and subpartition_name = c_part;
  exception
    when no_data_found then
      begin
        select tablespace_name, case composite when 'YES' then null else 'partition' end into l_from, l_word
          from dba_tab_partitions
         where table_owner = c_owner and table_name = c_name and partition_name = c_part;
      exception
        when no_data_found then
          l_why := 'is not there; reports clip long names';
          raise refused;
      end;
  end;
  if l_word is null then l_why := 'has subpartitions (ORA-14257): they move one by one'; raise refused; end if;
  select max(iot_type) into l_iot from dba_tables where owner = c_owner and table_name = c_name;
  select count(*) into l_count from dba_queue_tables where owner = c_owner and queue_table = c_name;
  if l_count > 0 then l_why := 'is a queue table'; raise refused; end if;
  if l_iot is not null then l_why := 'is of an index-organized table: move it by hand, never online'; raise refused; end if;
  if c_online and :ee <> 'TRUE' then
    l_why := 'cannot move online in this edition: move it by hand in a quiet hour';
    raise refused;
  end if;
  if l_from = c_target then
    dbms_output.put_line('already there');
  else
    select max(encrypted) into l_secure from dba_tablespaces where tablespace_name = l_from;
    select max(encrypted) into l_target_secure from dba_tablespaces where tablespace_name = c_target;
    if l_secure = 'YES' and nvl(l_target_secure, 'NO') <> 'YES' then
      l_why := 'lies encrypted and ' || c_target || ' is not: it would lie there in clear';
      raise refused;
    end if;
    select nvl(sum(bytes), 0) into l_bytes from dba_segments
     where owner = c_owner and segment_name = c_name and partition_name = c_part;
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
    for i in c_unusable loop
      l_unusable(i.owner || '.' || i.index_name || '.' || i.part) := 1;
      dbms_output.put_line('unusable before, left so: ' || i.owner || '.' || i.index_name || ' ' || i.part);
    end loop;
    execute immediate 'alter table ' || l_table || ' move ' || l_word || ' "' || c_part
      || '" tablespace "' || c_target || '" update indexes@PARTITION_ONLINE@';
    for i in c_unusable loop
      if not l_unusable.exists(i.owner || '.' || i.index_name || '.' || i.part) then
        execute immediate 'alter index "' || i.owner || '"."' || i.index_name || '" rebuild'
          || case i.depth when 1 then ' partition "' || i.part || '"'
                          when 2 then ' subpartition "' || i.part || '"' end;
      end if;
    end loop;
    dbms_output.put_line('from ' || l_from || ', ' || round(l_bytes / 1048576) || ' MB');
  end if;
  for i in c_unusable loop
    dbms_output.put_line('UNUSABLE: ' || i.owner || '.' || i.index_name || ' ' || i.part);
  end loop;
exception
  when refused then
    dbms_output.put_line('SKIPPED: it ' || l_why);
  when not_online then
    dbms_output.put_line('SKIPPED: it cannot move online (ORA-14808): move it by hand in a quiet hour');
end;
/
