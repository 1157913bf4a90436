declare
  c_owner  constant varchar2(128) := @OWNER@;
  c_name   constant varchar2(128) := @NAME@;
  c_target constant varchar2(128) := @TARGET@;
  c_online constant boolean := @NEEDS_ONLINE@;
  c_indexes_too constant boolean := @INDEXES_TOO@;
  l_table  varchar2(300) := '"' || c_owner || '"."' || c_name || '"';
  l_from   varchar2(128);
  l_partitioned varchar2(3);
  l_iot    varchar2(12);
  l_why    varchar2(500);
  l_count  number;
  l_before number;
  l_after  number;
  l_room   number;
  l_secure varchar2(3);
  l_target_secure varchar2(3);
  l_degree_before varchar2(40);
  l_degree_after  varchar2(40);
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
  -- What the dictionary says now decides; nothing is taken from the report but the name.
  begin
    select tablespace_name, partitioned, iot_type,
           case when cluster_name is not null then 'is in a cluster (ORA-14512): move its data files'
                when temporary = 'Y' then 'is temporary'
                when nested = 'YES' then 'is the storage of a nested table: move it by hand'
           end,
           trim(degree) || '/' || logging || '/' || buffer_pool
      into l_from, l_partitioned, l_iot, l_why, l_degree_before
      from dba_tables where owner = c_owner and table_name = c_name;
  exception
    when no_data_found then
      l_why := 'is not there; reports clip long names';
      raise refused;
  end;
  if l_why is not null then raise refused; end if;
  if l_partitioned = 'YES' then
    l_why := 'is partitioned (ORA-14511): its partitions move one by one';
    raise refused;
  end if;
  select count(*) into l_count from dba_tab_cols
   where owner = c_owner and table_name = c_name and data_type in ('LONG', 'LONG RAW');
  if l_count > 0 then l_why := 'has a LONG column (ORA-00997): convert it to a LOB, or move its data files'; raise refused; end if;
  select count(*) into l_count from dba_queue_tables where owner = c_owner and queue_table = c_name;
  if l_count > 0 then l_why := 'is a queue table'; raise refused; end if;
  select count(*) into l_count from dba_mviews where owner = c_owner and container_name = c_name;
  if l_count > 0 then l_why := 'is a materialized view: alter materialized view ... move tablespace ...'; raise refused; end if;
  select count(*) into l_count from dba_mview_logs where log_owner = c_owner and log_table = c_name;
  if l_count > 0 then l_why := 'is a materialized view log: alter materialized view log on ... move tablespace ...'; raise refused; end if;
  select count(*) into l_count from dba_external_tables where owner = c_owner and table_name = c_name;
  if l_count > 0 then l_why := 'is an external table'; raise refused; end if;
  if l_iot is not null and l_iot <> 'IOT' then l_why := 'is ' || l_iot || ' of an index-organized table'; raise refused; end if;
  if l_iot = 'IOT' then
    select count(*) into l_count from dba_lobs where owner = c_owner and table_name = c_name;
    if l_count > 0 then l_why := 'is index-organized with LOBs: no online move'; raise refused; end if;
  end if;

  select nvl(sum(bytes), 0) into l_before from dba_segments
   where owner = c_owner and (segment_name = c_name
     or segment_name in (select index_name from dba_indexes where table_owner = c_owner
        and table_name = c_name and index_type = 'IOT - TOP'));
  if l_iot = 'IOT' then
    select tablespace_name into l_from from dba_indexes
     where table_owner = c_owner and table_name = c_name and index_type = 'IOT - TOP';
  end if;
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
    select count(*) into l_count from (
      select null from dba_ts_quotas where username = c_owner and tablespace_name = c_target
         and (max_bytes = -1 or max_bytes - bytes >= l_before)
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
    if l_room < l_before then
      raise_application_error(-20005, c_target || ' has no room for ' || round(l_before / 1048576) || ' MB');
    end if;
    for i in c_unusable loop
      l_unusable(i.owner || '.' || i.index_name || '.' || i.part) := 1;
      dbms_output.put_line('unusable before, left so: ' || i.owner || '.' || i.index_name || ' ' || i.part);
    end loop;
    if l_iot = 'IOT' then
      -- Secondary indexes stay usable; their guesses grow stale. An overflow segment stays where it is.
      execute immediate 'alter table ' || l_table || ' move ' || case when :ee = 'TRUE' then 'online ' end
        || 'tablespace "' || c_target || '"';
    else
      execute immediate 'alter table ' || l_table || ' move @ONLINE@tablespace "' || c_target || '"';
    end if;
    -- An offline move leaves indexes unusable: unique ones first, at once.
    for i in c_unusable loop
      if not l_unusable.exists(i.owner || '.' || i.index_name || '.' || i.part) then
        execute immediate 'alter index "' || i.owner || '"."' || i.index_name || '" rebuild'
          || case i.depth when 1 then ' partition "' || i.part || '"'
                          when 2 then ' subpartition "' || i.part || '"' end;
      end if;
    end loop;
  end if;
  if c_indexes_too then
    for i in (select owner, index_name, join_index, tablespace_name from dba_indexes
               where table_owner = c_owner and table_name = c_name and partitioned = 'NO'
                 and status = 'VALID' and temporary = 'N' and tablespace_name <> c_target
                 and index_type not in ('LOB', 'IOT - TOP', 'DOMAIN', 'CLUSTER')
               order by uniqueness desc) loop
      dbms_output.put_line('index ' || i.owner || '.' || i.index_name || ' from ' || i.tablespace_name);
      execute immediate 'alter index "' || i.owner || '"."' || i.index_name || '" rebuild tablespace "'
        || c_target || '"' || case when :ee = 'TRUE' and i.join_index = 'NO' then ' online' end;
    end loop;
  end if;
  select trim(degree) || '/' || logging || '/' || buffer_pool into l_degree_after
    from dba_tables where owner = c_owner and table_name = c_name;
  select nvl(sum(bytes), 0) into l_after from dba_segments
   where owner = c_owner and segment_name = c_name;
  dbms_output.put_line('from ' || l_from || ', ' || round(l_before / 1048576) || ' MB, now '
    || round(l_after / 1048576) || ' MB; degree/logging/pool ' || l_degree_before || ', now ' || l_degree_after);
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
