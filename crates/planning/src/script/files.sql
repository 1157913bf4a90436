declare
  c_tablespace constant varchar2(128) := @TABLESPACE@;
  c_file       constant varchar2(1024) := @FILE@;
  c_to         constant varchar2(1024) := @DESTINATION@;
  c_under      constant varchar2(1025) := rtrim(c_to, '/') || '/';
  l_new        varchar2(1024);
  l_base       varchar2(1024);
  l_same       number;
  l_con        varchar2(130);
  l_need       number;
  l_room       number;
begin
  -- Each file is copied before the old one goes.
  select nvl(sum(bytes), 0) into l_need from dba_data_files
   where tablespace_name = c_tablespace and (c_file is null or file_name = c_file)
     and instr(file_name, c_under) <> 1
     and not (substr(c_to, 1, 1) = '+' and instr(upper(file_name), upper(c_under)) = 1);
  select max(usable_file_mb) * 1048576 into l_room from v$asm_diskgroup
   where '+' || name = upper(rtrim(c_to, '/'));
  if l_room < l_need then
    raise_application_error(-20005, c_to || ' has no room for ' || round(l_need / 1048576) || ' MB');
  end if;
  if l_room is null then
    dbms_output.put_line(c_to || ': ' || round(l_need / 1048576) || ' MB needed, room not seen from here: look before');
  end if;
  -- Containers may have files of one name.
  if sys_context('userenv', 'con_id') > '1' then
    l_con := lower(sys_context('userenv', 'con_name')) || '_';
  end if;
  for f in (select file_id, file_name, bytes from dba_data_files
             where tablespace_name = c_tablespace and (c_file is null or file_name = c_file)
             order by file_id) loop
    if instr(f.file_name, c_under) = 1
       or substr(c_to, 1, 1) = '+' and instr(upper(f.file_name), upper(c_under)) = 1 then
      dbms_output.put_line('already there: ' || f.file_name);
    else
      -- A disk group names the file itself; a folder keeps its last part, with its number where another file has the same.
      l_base := regexp_substr(f.file_name, '[^/\]+$');
      select count(*) into l_same from dba_data_files o
       where o.file_id <> f.file_id and regexp_substr(o.file_name, '[^/\]+$') = l_base;
      l_new := case when substr(c_to, 1, 1) = '+' then c_to
                    else rtrim(c_to, '/') || '/' || l_con || case when l_same > 0 then f.file_id || '_' end || l_base end;
      dbms_output.put_line('file ' || f.file_id || ', ' || round(f.bytes / 1048576) || ' MB, was ' || f.file_name);
      execute immediate 'alter database move datafile ' || f.file_id || ' to '''
        || replace(l_new, '''', '''''') || '''';
    end if;
  end loop;
end;
/
