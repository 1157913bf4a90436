declare
  c_owner  constant varchar2(128) := @OWNER@;
  c_name   constant varchar2(128) := @NAME@;
  c_part   constant varchar2(128) := @PART@;
  c_target constant varchar2(128) := @TARGET@;
  l_table  varchar2(128);
  l_column varchar2(4000);
  l_piece  varchar2(128);
  l_from   varchar2(128);
  l_secure varchar2(3);
  l_partitioned varchar2(3);
  l_assm   varchar2(10);
  l_why    varchar2(500);
  l_bytes  number;
  l_moved  boolean := false;
  refused  exception;
  type t_marks is table of number index by varchar2(400);
  l_unusable t_marks;
@SHARED@begin
  begin
    select table_name, column_name, tablespace_name, securefile, partitioned
      into l_table, l_column, l_from, l_secure, l_partitioned
      from dba_lobs where owner = c_owner and segment_name = c_name;
    if c_part is not null then
      select partition_name, tablespace_name into l_piece, l_from from dba_lob_partitions
       where table_owner = c_owner and lob_name = c_name and lob_partition_name = c_part and composite = 'NO';
    elsif l_partitioned = 'YES' then
      l_why := 'is partitioned: its partitions move one by one';
      raise refused;
    end if;
  exception
    when no_data_found then
      l_why := 'is not there as a LOB; reports clip long names';
      raise refused;
  end;
  if instr(l_column, '"') > 0 then l_why := 'belongs to an attribute of an object: move it by hand'; raise refused; end if;
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
    select max(segment_space_management) into l_assm from dba_tablespaces where tablespace_name = c_target;
    if l_secure = 'YES' and l_assm <> 'AUTO' then
      l_why := 'is a SecureFile and needs automatic segment space management (ORA-43853)';
      raise refused;
    end if;
    -- Room before anything is touched: the LOB in its new place, the table once more in its own, and there or
    -- elsewhere the largest index of those that are rebuilt after it.
    select nvl(sum(bytes), 0) into l_bytes from dba_segments
     where owner = c_owner and segment_name = c_name and (c_part is null or partition_name = c_part);
    if not has_quota(c_owner, c_target, l_bytes) then
      l_why := 'needs quota (ORA-01536): alter user "' || c_owner || '" quota unlimited on "' || c_target || '"';
      raise refused;
    end if;
    if room_in(c_target) < l_bytes then
      raise_application_error(-20005, c_target || ' has no room for ' || round(l_bytes / 1048576) || ' MB');
    end if;
    for t in (select tablespace_name, sum(bytes) bytes from dba_segments
               where owner = c_owner and segment_name = l_table
                 and (l_piece is null or partition_name = l_piece) group by tablespace_name) loop
      if room_in(t.tablespace_name) < t.bytes then
        raise_application_error(-20005, t.tablespace_name || ' has no room for the table once more, '
          || round(t.bytes / 1048576) || ' MB');
      end if;
    end loop;
    for t in (select tablespace_name, max(bytes) bytes from dba_segments
               where (owner, segment_name) in (select owner, index_name from dba_indexes
                       where table_owner = c_owner and table_name = l_table and index_type <> 'LOB')
               group by tablespace_name) loop
      if room_in(t.tablespace_name) < t.bytes then
        raise_application_error(-20005, t.tablespace_name || ' has no room to rebuild an index of '
          || round(t.bytes / 1048576) || ' MB; nothing was moved');
      end if;
    end loop;
    for i in c_unusable(l_table) loop
      l_unusable(i.owner || '.' || i.index_name || '.' || i.part) := 1;
    end loop;
    l_moved := true;
    -- The table is written anew in its own tablespace and takes no changes meanwhile; its indexes
    -- become unusable and are rebuilt at once. The kind of LOB is named so that no parameter converts it.
    execute immediate 'alter table "' || c_owner || '"."' || l_table || '" move '
      || case when l_piece is not null then 'partition "' || l_piece || '" ' end
      || 'lob ("' || l_column || '") store as ' || case l_secure when 'YES' then 'securefile' else 'basicfile' end
      || ' (tablespace "' || c_target || '")' || case when l_piece is not null then ' update indexes' end;
    for i in c_unusable(l_table) loop
      if not l_unusable.exists(i.owner || '.' || i.index_name || '.' || i.part) then
        rebuild(i.owner, i.index_name, i.part, i.depth, null);
      end if;
    end loop;
    dbms_output.put_line('from ' || l_from || '; column ' || l_column || ' of ' || l_table);
  end if;
  tell_unusable(l_table);
exception
  when refused then
    dbms_output.put_line('SKIPPED: it ' || l_why);
end;
/
