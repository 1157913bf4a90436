declare
  c_target constant varchar2(128) := @TARGET@;
  c_needed constant number := @BYTES@;
  l_contents varchar2(30);
  l_status   varchar2(30);
  l_room     number;
  -- What is there already of what is to move: a second run finds it.
  procedure own(p_owner varchar2, p_name varchar2, p_part varchar2, p_indexes varchar2) is
    l_bytes number;
  begin
    select nvl(sum(bytes), 0) into l_bytes from dba_segments s
     where s.tablespace_name = c_target
       and (s.owner = p_owner and s.segment_name = p_name and (p_part is null or s.partition_name = p_part)
            or p_indexes = 'YES' and (s.owner, s.segment_name) in (select i.owner, i.index_name from dba_indexes i
                where i.table_owner = p_owner and i.table_name = p_name));
    l_room := l_room + l_bytes;
  end;
begin
  begin
    select contents, status into l_contents, l_status from dba_tablespaces where tablespace_name = c_target;
  exception
    when no_data_found then
      raise_application_error(-20003, 'there is no tablespace ' || c_target);
  end;
  if l_contents <> 'PERMANENT' or l_status <> 'ONLINE' then
    raise_application_error(-20004, c_target || ' is ' || l_contents || ', ' || l_status);
  end if;
  -- Free now, and what files may grow by.
  select nvl((select sum(bytes) from dba_free_space where tablespace_name = c_target), 0)
       + nvl((select sum(greatest(maxbytes - bytes, 0)) from dba_data_files
               where tablespace_name = c_target and autoextensible = 'YES'), 0)
    into l_room from dual;
@OWN@  if l_room < c_needed then
    raise_application_error(-20005, c_target || ' has room for ' || round(l_room / 1048576)
      || ' MB; ' || round(c_needed / 1048576) || ' MB are needed');
  end if;
  dbms_output.put_line(c_target || ': room for ' || round(l_room / 1048576) || ' MB, needed '
    || round(c_needed / 1048576) || ' MB');
end;
/
