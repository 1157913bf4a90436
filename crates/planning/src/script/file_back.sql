declare
  c_old constant varchar2(1024) := @FILE@;
  c_to  constant varchar2(1024) := @DESTINATION@;
  l_now varchar2(1024);
begin
  select file_name into l_now from dba_data_files where file_id = @FILE_ID@;
  -- A disk group gives a new name: there is where the group is.
  if l_now = c_old
     or substr(c_to, 1, 1) = '+' and instr(upper(l_now), upper(rtrim(c_to, '/')) || '/') = 1 then
    dbms_output.put_line('already there: ' || l_now);
  else
    execute immediate 'alter database move datafile @FILE_ID@ to ''' || replace(c_to, '''', '''''') || '''';
  end if;
end;
/
