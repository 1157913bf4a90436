declare
  l_version  varchar2(30);
  l_role     varchar2(30);
  l_mode     varchar2(30);
begin
  select max(value) into :ee from v$option where parameter = 'Online Index Build';
  select version into l_version from v$instance;
  select database_role, open_mode into l_role, l_mode from v$database;
  if l_version not like '@RELEASE@.%' then
    raise_application_error(-20001, 'written for release @RELEASE@, this is ' || l_version);
  end if;
  if l_role <> 'PRIMARY' or l_mode <> 'READ WRITE' then
    raise_application_error(-20002, 'run this on the open primary; this is ' || l_role || ', ' || l_mode);
  end if;
end;
/
