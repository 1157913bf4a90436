declare
  c_old constant varchar2(128) := @TABLESPACE@;
  c_new constant varchar2(128) := @NEW@;
  c_to  constant varchar2(1024) := @DESTINATION@;
  l_big     varchar2(3);
  l_group   varchar2(128);
  l_default varchar2(128);
  l_done    number;
  l_need    number;
  l_room    number;
  l_moved   number := 0;
begin
  select max(bigfile) into l_big from dba_tablespaces where tablespace_name = c_old and contents = 'TEMPORARY';
  if l_big is null then
    raise_application_error(-20006, c_old || ' is no temporary tablespace here');
  end if;
  select max(group_name) into l_group from dba_tablespace_groups where tablespace_name = c_old;
  if l_group is not null then
    dbms_output.put_line('SKIPPED: ' || c_old || ' is in the temporary tablespace group ' || l_group
      || ', whose sessions use all of its tablespaces: make new ones on the tier by hand and exchange them in the group');
  else
    -- Files that an earlier run did not come to are still to be made.
    select count(*) into l_done from dba_temp_files where tablespace_name = c_new;
    select nvl(sum(bytes), 0) into l_need
      from (select bytes, row_number() over (order by file_id) n from dba_temp_files where tablespace_name = c_old)
     where n > l_done;
    if substr(c_to, 1, 1) = '+' and l_need > 0 then
      select max(usable_file_mb) * 1048576 into l_room from v$asm_diskgroup where '+' || name = upper(rtrim(c_to, '/'));
      if l_room is null then
        raise_application_error(-20003, 'there is no disk group ' || c_to);
      end if;
      if l_room < l_need then
        raise_application_error(-20005, c_to || ' has no room for ' || round(l_need / 1048576)
          || ' MB of temp; nothing was changed');
      end if;
    elsif l_need > 0 then
      dbms_output.put_line(c_to || ': ' || round(l_need / 1048576) || ' MB needed, room not seen from here: look before');
    end if;
    for f in (select o.bytes, o.autoextensible, o.increment_by * t.block_size more_bytes, o.maxbytes most_bytes,
                     row_number() over (order by o.file_id) n
                from dba_temp_files o, dba_tablespaces t
               where o.tablespace_name = c_old and t.tablespace_name = c_old order by o.file_id) loop
      if f.n > l_done then
        execute immediate case when l_done = 0 and l_big = 'YES'
                                 then 'create bigfile temporary tablespace "' || c_new || '" tempfile '
                               when l_done = 0 then 'create smallfile temporary tablespace "' || c_new || '" tempfile '
                               else 'alter tablespace "' || c_new || '" add tempfile ' end
          || '''' || replace(case when substr(c_to, 1, 1) = '+' then c_to
               else rtrim(c_to, '/') || '/' || lower(c_new) || '_' || f.n || '.dbf' end, '''', '''''')
          || ''' size ' || f.bytes
          || case when f.autoextensible = 'YES' then ' autoextend on next ' || f.more_bytes || ' maxsize ' || f.most_bytes
                  else ' autoextend off' end;
        l_done := f.n;
      end if;
      if f.autoextensible = 'YES' then
        dbms_output.put_line('file ' || f.n || ' may grow from ' || round(f.bytes / 1048576) || ' to '
          || round(f.most_bytes / 1048576) || ' MB, as the old one: see that the tier has that room, or limit it');
      end if;
    end loop;
    if l_done = 0 then
      raise_application_error(-20006, c_old || ' has no temp files here');
    end if;
    select max(property_value) into l_default from database_properties
     where property_name = 'DEFAULT_TEMP_TABLESPACE';
    if l_default = c_old then
      execute immediate 'alter database default temporary tablespace "' || c_new || '"';
      l_moved := 1;
    end if;
    -- Users that were given the old one by name.
    for u in (select username from dba_users where temporary_tablespace = c_old order by username) loop
      execute immediate 'alter user "' || u.username || '" temporary tablespace "' || c_new || '"';
      l_moved := 1;
    end loop;
    select max(property_value) into l_default from database_properties
     where property_name = 'DEFAULT_TEMP_TABLESPACE';
    if l_moved = 1 or l_default = c_new then
      dbms_output.put_line('new sessions that sorted in ' || c_old || ' sort in ' || c_new || '; ' || c_old || ' is kept');
    else
      dbms_output.put_line('SKIPPED: neither the default nor a user sorts in ' || c_old || '; the default is ' || l_default);
    end if;
  end if;
end;
/
