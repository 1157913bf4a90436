declare
  l_mode varchar2(30);
begin
  select max(open_mode) into l_mode from v$pdbs where name = sys_context('userenv', 'con_name');
  if l_mode is null or l_mode <> 'READ WRITE' then
    raise_application_error(-20002, 'open ' || sys_context('userenv', 'con_name') || ' first; it is '
      || nvl(l_mode, 'not listed'));
  end if;
end;
/
