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
  l_place  varchar2(128);
  l_lobs   varchar2(32000);
  l_degree_before varchar2(40);
  l_degree_after  varchar2(40);
  l_moved  boolean := false;
  type t_marks is table of number index by varchar2(400);
  l_unusable t_marks;
  l_need   t_marks;
  type t_places is table of varchar2(128) index by varchar2(400);
  l_index_to t_places;
  l_lob_to   t_places;
  type t_times is table of date index by varchar2(400);
  l_analyzed t_times;
  refused  exception;
  not_online exception;
  pragma exception_init(not_online, -14808);
@SHARED@begin
@FOLLOWERS@  -- What the dictionary says now decides; nothing is taken from the report but the name.
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
  select count(*) into l_count from dba_mview_logs where log_owner = c_owner and master = c_name and rowids = 'YES';
  if l_count > 0 then l_why := 'has a materialized view log by ROWID: after a move fast refresh fails until a complete one; drop ROWID from the log, or move it by hand'; raise refused; end if;
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
  -- Where each index is built anew by the move: where it is, or on the tier if it goes along.
  for i in (select owner, index_name, tablespace_name, last_analyzed, partitioned, status from dba_indexes
             where table_owner = c_owner and table_name = c_name
               and index_type not in ('LOB', 'IOT - TOP', 'DOMAIN', 'CLUSTER')) loop
    l_analyzed(i.owner || '.' || i.index_name) := i.last_analyzed;
    if c_indexes_too and i.partitioned = 'NO' and i.status = 'VALID' then
      l_index_to(i.owner || '.' || i.index_name) := c_target;
    end if;
    if l_index_to.exists(i.owner || '.' || i.index_name) then
      l_place := l_index_to(i.owner || '.' || i.index_name);
      if i.partitioned = 'YES' or in_clear(i.tablespace_name, l_place) or not has_quota(i.owner, l_place, 0) then
        dbms_output.put_line('STAYS: index ' || i.owner || '.' || i.index_name || ' in ' || i.tablespace_name
          || ' (it is partitioned, or ' || l_place || ' is not encrypted, or its owner has no quota there)');
        l_index_to.delete(i.owner || '.' || i.index_name);
      end if;
    end if;
  end loop;
  if l_from = c_target then
    dbms_output.put_line('already there');
  else
    if other_block(l_from, c_target) then
      l_why := 'has blocks of another size than ' || c_target || ': it would be read into another cache';
      raise refused;
    end if;
    if in_clear(l_from, c_target) then
      l_why := 'lies encrypted and ' || c_target || ' is not: it would lie there in clear';
      raise refused;
    end if;
    if not has_quota(c_owner, c_target, l_before) then
      l_why := 'needs quota (ORA-01536): alter user "' || c_owner || '" quota unlimited on "' || c_target || '"';
      raise refused;
    end if;
    for l in (select b.column_name, b.segment_name, b.tablespace_name, b.securefile, nvl(sum(s.bytes), 0) bytes
                from dba_lobs b
                left join dba_segments s on s.owner = b.owner and s.segment_name = b.segment_name
               where b.owner = c_owner and b.table_name = c_name
               group by b.column_name, b.segment_name, b.tablespace_name, b.securefile) loop
      if l_lob_to.exists(l.segment_name) and not c_online and instr(l.column_name, '"') = 0
         and not in_clear(l.tablespace_name, l_lob_to(l.segment_name)) then
        -- The kind of LOB is named so that no parameter converts it.
        l_lobs := l_lobs || ' lob ("' || l.column_name || '") store as '
          || case l.securefile when 'YES' then 'securefile' else 'basicfile' end
          || ' (tablespace "' || l_lob_to(l.segment_name) || '")';
        l_place := l_lob_to(l.segment_name);
        l_need(l_place) := case when l_need.exists(l_place) then l_need(l_place) else 0 end + l.bytes;
        dbms_output.put_line('LOB column ' || l.column_name || ' from ' || l.tablespace_name || ', '
          || round(l.bytes / 1048576) || ' MB');
      else
        dbms_output.put_line('STAYS: LOB column ' || l.column_name || ' in ' || l.tablespace_name || ', '
          || round(l.bytes / 1048576) || ' MB' || case when l_lob_to.exists(l.segment_name)
          then '; its own step moves it' else '; it was not chosen' end);
      end if;
    end loop;
    -- Room before anything is touched: the table and its LOBs, and for its indexes a second copy each, of
    -- all at once in an online move, of the largest where they are rebuilt one after the other.
    l_need(c_target) := case when l_need.exists(c_target) then l_need(c_target) else 0 end + l_before;
    for i in (select s.owner, s.segment_name, s.tablespace_name, sum(s.bytes) bytes from dba_segments s
               where (s.owner, s.segment_name) in (select owner, index_name from dba_indexes
                       where table_owner = c_owner and table_name = c_name
                         and index_type not in ('LOB', 'IOT - TOP', 'DOMAIN', 'CLUSTER'))
               group by s.owner, s.segment_name, s.tablespace_name) loop
      l_place := i.tablespace_name;
      if l_index_to.exists(i.owner || '.' || i.segment_name) then
        l_place := l_index_to(i.owner || '.' || i.segment_name);
      end if;
      if not l_need.exists(l_place) then
        l_need(l_place) := 0;
      end if;
      l_need(l_place) := case when c_online or l_place = c_target then l_need(l_place) + i.bytes
                              else greatest(l_need(l_place), i.bytes) end;
      -- An online move copies it where it is first.
      if c_online and l_place <> i.tablespace_name then
        l_need(i.tablespace_name) := case when l_need.exists(i.tablespace_name) then l_need(i.tablespace_name)
                                          else 0 end + i.bytes;
      end if;
    end loop;
    l_place := l_need.first;
    while l_place is not null loop
      if room_in(l_place) < l_need(l_place) then
        raise_application_error(-20005, l_place || ' has no room for ' || round(l_need(l_place) / 1048576)
          || ' MB of the table and its indexes; nothing was moved');
      end if;
      l_place := l_need.next(l_place);
    end loop;
    for i in c_unusable(c_name) loop
      l_unusable(i.owner || '.' || i.index_name || '.' || i.part) := 1;
    end loop;
    l_moved := true;
    if l_iot = 'IOT' then
      -- Secondary indexes stay usable; their guesses grow stale. An overflow segment stays where it is.
      execute immediate 'alter table ' || l_table || ' move ' || case when :ee = 'TRUE' then 'online ' end
        || 'tablespace "' || c_target || '"';
    else
      execute immediate 'alter table ' || l_table || ' move @ONLINE@tablespace "' || c_target || '"' || l_lobs;
    end if;
    -- An offline move leaves indexes unusable: they are rebuilt here and now, unique ones first (without
    -- those the table takes no changes), each where it belongs, so that none is built twice.
    for i in c_unusable(c_name) loop
      if not l_unusable.exists(i.owner || '.' || i.index_name || '.' || i.part) then
        l_place := null;
        if i.depth = 0 and l_index_to.exists(i.owner || '.' || i.index_name) then
          l_place := l_index_to(i.owner || '.' || i.index_name);
        end if;
        rebuild(i.owner, i.index_name, i.part, i.depth, l_place);
      end if;
    end loop;
  end if;
  if c_indexes_too then
    for i in (select owner, index_name, join_index, tablespace_name from dba_indexes
               where table_owner = c_owner and table_name = c_name and partitioned = 'NO'
                 and status = 'VALID' and temporary = 'N' and tablespace_name <> c_target
                 and index_type not in ('LOB', 'IOT - TOP', 'DOMAIN', 'CLUSTER')
               order by uniqueness desc) loop
      if l_index_to.exists(i.owner || '.' || i.index_name) then
        dbms_output.put_line('index ' || i.owner || '.' || i.index_name || ' from ' || i.tablespace_name);
        execute immediate 'alter index "' || i.owner || '"."' || i.index_name || '" rebuild tablespace "'
          || c_target || '"' || case when :ee = 'TRUE' and i.join_index = 'NO' then ' online' end;
      end if;
    end loop;
  end if;
  select trim(degree) || '/' || logging || '/' || buffer_pool into l_degree_after
    from dba_tables where owner = c_owner and table_name = c_name;
  select nvl(sum(bytes), 0) into l_after from dba_segments
   where owner = c_owner and segment_name = c_name;
  dbms_output.put_line('from ' || l_from || ', ' || round(l_before / 1048576) || ' MB, now '
    || round(l_after / 1048576) || ' MB; degree/logging/pool ' || l_degree_before || ', now ' || l_degree_after);
  for i in (select owner, index_name, last_analyzed from dba_indexes
             where table_owner = c_owner and table_name = c_name) loop
    if l_analyzed.exists(i.owner || '.' || i.index_name)
       and i.last_analyzed <> l_analyzed(i.owner || '.' || i.index_name) then
      dbms_output.put_line('new statistics: index ' || i.owner || '.' || i.index_name);
    end if;
  end loop;
  tell_unusable(c_name);
exception
  when refused then
    dbms_output.put_line('SKIPPED: it ' || l_why);
  when not_online then
    dbms_output.put_line('SKIPPED: it cannot move online (ORA-14808): move it by hand in a quiet hour');
end;
/
