declare
  c_old constant varchar2(128) := @TABLESPACE@;
  c_new constant varchar2(128) := @NEW@;
  l_default varchar2(128);
begin
  select max(property_value) into l_default from database_properties
   where property_name = 'DEFAULT_TEMP_TABLESPACE';
  if l_default = c_new then
    execute immediate 'alter database default temporary tablespace "' || c_old || '"';
  end if;
  for u in (select username from dba_users where temporary_tablespace = c_new order by username) loop
    execute immediate 'alter user "' || u.username || '" temporary tablespace "' || c_old || '"';
  end loop;
  dbms_output.put_line(c_new || ' may be dropped once v$tempseg_usage shows nobody in it');
end;
/
