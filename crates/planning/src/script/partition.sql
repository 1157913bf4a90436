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
  l_moved  boolean := false;
  type t_marks is table of number index by varchar2(400);
  l_unusable t_marks;
  refused  exception;
  not_online exception;
  pragma exception_init(not_online, -14808);
@SHARED@begin
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
  select count(*) into l_count from dba_mview_logs where log_owner = c_owner and master = c_name and rowids = 'YES';
  if l_count > 0 then l_why := 'has a materialized view log by ROWID: after a move fast refresh fails until a complete one; drop ROWID from the log, or move it by hand'; raise refused; end if;
  if l_iot is not null then l_why := 'is of an index-organized table: move it by hand, never online'; raise refused; end if;
  if c_online and :ee <> 'TRUE' then
    l_why := 'cannot move online in this edition: move it by hand in a quiet hour';
    raise refused;
  end if;
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
    select nvl(sum(bytes), 0) into l_bytes from dba_segments
     where owner = c_owner and segment_name = c_name and partition_name = c_part;
    if not has_quota(c_owner, c_target, l_bytes) then
      l_why := 'needs quota (ORA-01536): alter user "' || c_owner || '" quota unlimited on "' || c_target || '"';
      raise refused;
    end if;
    if room_in(c_target) < l_bytes then
      raise_application_error(-20005, c_target || ' has no room for ' || round(l_bytes / 1048576) || ' MB');
    end if;
    for l in (select lob_name, column_name, tablespace_name from dba_lob_partitions
               where table_owner = c_owner and table_name = c_name and partition_name = c_part and l_word = 'partition'
              union all
              select lob_name, column_name, tablespace_name from dba_lob_subpartitions
               where table_owner = c_owner and table_name = c_name and subpartition_name = c_part
                 and l_word = 'subpartition') loop
      dbms_output.put_line('STAYS: LOB column ' || l.column_name || ' of this partition, in ' || l.tablespace_name);
    end loop;
    for i in c_unusable(c_name) loop
      l_unusable(i.owner || '.' || i.index_name || '.' || i.part) := 1;
    end loop;
    -- Its index partitions stay where they are; all indexes stay usable.
    l_moved := true;
    execute immediate 'alter table ' || l_table || ' move ' || l_word || ' "' || c_part
      || '" tablespace "' || c_target || '" update indexes@PARTITION_ONLINE@';
    for i in c_unusable(c_name) loop
      if not l_unusable.exists(i.owner || '.' || i.index_name || '.' || i.part) then
        rebuild(i.owner, i.index_name, i.part, i.depth, null);
      end if;
    end loop;
    dbms_output.put_line('from ' || l_from || ', ' || round(l_bytes / 1048576) || ' MB');
  end if;
  tell_unusable(c_name);
exception
  when refused then
    dbms_output.put_line('SKIPPED: it ' || l_why);
  when not_online then
    dbms_output.put_line('SKIPPED: it cannot move online (ORA-14808): move it by hand in a quiet hour');
end;
/
