declare
  c_old constant varchar2(1024) := @FILE@;
  l_now varchar2(1024);
begin
  select file_name into l_now from dba_data_files where file_id = @FILE_ID@;
  if l_now = c_old then
    dbms_output.put_line('already there: ' || l_now);
  else
    execute immediate 'alter database move datafile @FILE_ID@ to ''' || replace(@DESTINATION@, '''', '''''') || '''';
  end if;
end;
/
