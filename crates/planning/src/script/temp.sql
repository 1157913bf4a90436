declare
  c_old constant varchar2(128) := @TABLESPACE@;
  c_new constant varchar2(128) := @NEW@;
  c_to  constant varchar2(1024) := @DESTINATION@;
  l_count   number;
  l_default varchar2(128);
  l_done    number := 0;
begin
  select count(*) into l_count from dba_tablespaces where tablespace_name = c_new;
  if l_count > 0 then
    dbms_output.put_line(c_new || ' is there already');
  else
    for f in (select bytes, row_number() over (order by file_id) n from dba_temp_files
               where tablespace_name = c_old order by file_id) loop
      execute immediate case when l_done = 0 then 'create temporary tablespace "' || c_new || '" tempfile '
                             else 'alter tablespace "' || c_new || '" add tempfile ' end
        || '''' || replace(case when substr(c_to, 1, 1) = '+' then c_to
             else rtrim(c_to, '/') || '/' || lower(c_new) || '_' || f.n || '.dbf' end, '''', '''''')
        || ''' size ' || f.bytes;
      l_done := l_done + 1;
    end loop;
    if l_done = 0 then
      raise_application_error(-20006, c_old || ' has no temp files here');
    end if;
  end if;
  select max(property_value) into l_default from database_properties
   where property_name = 'DEFAULT_TEMP_TABLESPACE';
  if l_default = c_old then
    execute immediate 'alter database default temporary tablespace "' || c_new || '"';
  end if;
  -- Users that were given the old one by name.
  for u in (select username from dba_users where temporary_tablespace = c_old order by username) loop
    execute immediate 'alter user "' || u.username || '" temporary tablespace "' || c_new || '"';
  end loop;
  dbms_output.put_line('new sessions sort in ' || c_new || '; ' || c_old || ' is kept');
end;
/
