declare
  type t_places is table of varchar2(1024) index by pls_integer;
  l_to    t_places;
  type t_sizes is table of number index by varchar2(1024);
  l_need  t_sizes;
  l_group varchar2(1024);
  l_files varchar2(32000);
  l_names varchar2(4000);
  l_room  number;
  l_left  number;
  l_new   number;
  l_old   number;
  l_today number;
  l_most  number;
  l_mode  varchar2(12);
  l_stamp varchar2(20) := to_char(sysdate, 'YYYYMMDDHH24MISS');
  -- Folder or disk group of a file.
  function place_of(p_file varchar2) return varchar2 is
  begin
    return case when substr(p_file, 1, 1) = '+' then regexp_substr(p_file, '^[^/]+')
                else regexp_replace(p_file, '[/\][^/\]*$') end;
  end;
  -- Lies every member of the group in one of the new places?
  function is_new(p_group number) return boolean is
    l_here boolean;
  begin
    for f in (select member from v$logfile where group# = p_group) loop
      l_here := false;
      for m in 1 .. l_to.count loop
        if instr(f.member, rtrim(l_to(m), '/') || '/') = 1
           or substr(l_to(m), 1, 1) = '+' and instr(upper(f.member), upper(rtrim(l_to(m), '/')) || '/') = 1 then
          l_here := true;
        end if;
      end loop;
      if not l_here then
        return false;
      end if;
    end loop;
    return true;
  end;
begin
@PLACES@  for m in 1 .. l_to.count loop
    if l_to(m) is null or l_to(m) = 'FILL_IN' then
      raise_application_error(-20009, 'the place of redo member ' || m || ' is not filled in at the top');
    end if;
  end loop;
  select log_mode into l_mode from v$database;
  for f in (select f.group#, l.thread#, l.bytes, f.member from v$logfile f, v$log l
             where l.group# = f.group# order by l.thread#, f.group#, f.member) loop
    dbms_output.put_line('redo was in: thread ' || f.thread# || ' group ' || f.group# || ', '
      || round(f.bytes / 1048576) || ' MB, ' || f.member);
  end loop;
  -- Members in several places survive the loss of one: that is not given up unasked.
  select nvl(max(count(*)), 0) into l_most from v$log l, v$logfile f where f.group# = l.group# group by l.group#;
  l_today := 0;
  for g in (select group# from v$log) loop
    l_names := null;
    l_left := 0;
    for f in (select member from v$logfile where group# = g.group# order by member) loop
      if instr('|' || l_names, '|' || place_of(f.member) || '|') = 0 then
        l_names := l_names || place_of(f.member) || '|';
        l_left := l_left + 1;
      end if;
    end loop;
    l_today := greatest(l_today, l_left);
  end loop;
  dbms_output.put_line(l_most || ' members a group, in ' || l_today || ' places today, in ' || l_to.count || ' then');
  if l_today > l_to.count and :redo_fewer_places <> 'YES' then
    raise_application_error(-20008, 'redo members lie in ' || l_today || ' places today and would in ' || l_to.count
      || ': name as many (--tier-files, once each), or set redo_fewer_places to YES at the top');
  end if;
  -- Room before anything is added, where it can be seen: every group that is still to come, with its members.
  for g in (select l.group#, l.thread#, l.bytes, l.members from v$log l order by l.thread#, l.group#) loop
    if not is_new(g.group#) then
      for m in 1 .. g.members loop
        l_group := l_to(mod(m - 1, l_to.count) + 1);
        l_group := case when substr(l_group, 1, 1) = '+' then upper(place_of(l_group || '/')) else rtrim(l_group, '/') end;
        l_need(l_group) := case when l_need.exists(l_group) then l_need(l_group) else 0 end + g.bytes;
      end loop;
    end if;
  end loop;
  l_group := l_need.first;
  while l_group is not null loop
    l_room := null;
    if substr(l_group, 1, 1) = '+' then
      select max(usable_file_mb) * 1048576 into l_room from v$asm_diskgroup where '+' || name = l_group;
      if l_room is null then
        raise_application_error(-20003, 'there is no disk group ' || l_group);
      end if;
      if l_room < l_need(l_group) then
        raise_application_error(-20005, l_group || ' has no room for ' || round(l_need(l_group) / 1048576)
          || ' MB of redo; nothing was changed');
      end if;
    end if;
    dbms_output.put_line(l_group || ': ' || round(l_need(l_group) / 1048576) || ' MB needed, '
      || case when l_room is null then 'room not seen from here: look before' else round(l_room / 1048576)
         || ' MB there' end);
    l_group := l_need.next(l_group);
  end loop;
  -- New groups before any old one goes: as many a thread as now, of the same size, block size and number of
  -- members, each member in the next place. A second run adds only what the first did not.
  for g in (select l.group#, l.thread#, l.bytes, l.blocksize, l.members,
                   row_number() over (partition by l.thread# order by l.group#) n
              from v$log l order by l.thread#, l.group#) loop
    if not is_new(g.group#) then
      l_new := 0;
      l_old := 0;
      for o in (select group# from v$log where thread# = g.thread#) loop
        if is_new(o.group#) then
          l_new := l_new + 1;
        elsif o.group# <= g.group# then
          l_old := l_old + 1;
        end if;
      end loop;
      if l_new < l_old then
        l_files := null;
        for m in 1 .. g.members loop
          l_group := l_to(mod(m - 1, l_to.count) + 1);
          l_files := l_files || case when m > 1 then ', ' end || ''''
            || replace(case when substr(l_group, 1, 1) = '+' then l_group
                 else rtrim(l_group, '/') || '/redo_' || l_stamp || '_t' || g.thread# || '_' || g.n || '_' || m || '.log'
               end, '''', '''''')
            || '''';
        end loop;
        execute immediate 'alter database add logfile thread ' || g.thread# || ' (' || l_files || ') size '
          || g.bytes || ' blocksize ' || g.blocksize;
      end if;
    end if;
  end loop;
  for turn in 1 .. 3 loop
    execute immediate case l_mode when 'NOARCHIVELOG' then 'alter system switch logfile'
                                  else 'alter system archive log current' end;
  end loop;
  execute immediate 'alter system checkpoint global';
  -- An old group goes only once it is INACTIVE (no crash recovery needs it) and archived, and the thread
  -- writes to a new one. What is still ACTIVE a second run takes.
  for g in (select group#, thread# from v$log
             where status in ('INACTIVE', 'UNUSED')
               and (archived = 'YES' or status = 'UNUSED' or l_mode = 'NOARCHIVELOG')
             order by thread#, group#) loop
    l_left := 0;
    for o in (select group# from v$log where thread# = g.thread# and status = 'CURRENT') loop
      if is_new(o.group#) then
        l_left := 1;
      end if;
    end loop;
    if l_left = 1 and not is_new(g.group#) then
      execute immediate 'alter database drop logfile group ' || g.group#;
      dbms_output.put_line('dropped group ' || g.group# || '; its files stay on disk unless Oracle named them');
    end if;
  end loop;
  l_left := 0;
  for g in (select group# from v$log) loop
    if not is_new(g.group#) then
      l_left := l_left + 1;
    end if;
  end loop;
  dbms_output.put_line(l_left || ' old groups are still needed; run this step again later');
end;
/
