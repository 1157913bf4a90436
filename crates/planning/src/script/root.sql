begin
  -- 0 without containers, 1 in the root.
  if sys_context('userenv', 'con_id') > '1' then
    raise_application_error(-20008, 'connect to CDB$ROOT: this is ' || sys_context('userenv', 'con_name'));
  end if;
end;
/
