declare
  c_to constant varchar2(1024) := @DESTINATION@;
  c_under constant varchar2(1025) := rtrim(c_to, '/') || '/';
  l_files varchar2(4000);
  l_left  number;
  l_mode  varchar2(12);
begin
  select log_mode into l_mode from v$database;
  -- As many groups a thread as now, of the same size, block size and number of members.
  for g in (select l.group#, l.thread#, l.bytes, l.blocksize, l.members,
                   row_number() over (partition by l.thread# order by l.group#) n
              from v$log l
             where not exists (select null from v$logfile f
                                where f.group# = l.group# and instr(f.member, c_under) = 1)
               and not exists (select null from v$logfile f, v$log o
                                where f.group# = o.group# and o.thread# = l.thread#
                                  and instr(f.member, c_under) = 1)
             order by l.thread#, l.group#) loop
    l_files := null;
    for m in 1 .. g.members loop
      l_files := l_files || case when m > 1 then ', ' end || ''''
        || replace(case when substr(c_to, 1, 1) = '+' then c_to
             else rtrim(c_to, '/') || '/redo_t' || g.thread# || '_' || g.n || '_' || m || '.log' end, '''', '''''')
        || '''';
    end loop;
    execute immediate 'alter database add logfile thread ' || g.thread# || ' (' || l_files || ') size '
      || g.bytes || ' blocksize ' || g.blocksize;
  end loop;
  for turn in 1 .. 3 loop
    execute immediate case l_mode when 'NOARCHIVELOG' then 'alter system switch logfile'
                                  else 'alter system archive log current' end;
  end loop;
  execute immediate 'alter system checkpoint global';
  -- Old groups go once nobody needs them; a second run takes the rest.
  for g in (select l.group# from v$log l
             where l.status in ('INACTIVE', 'UNUSED') and (l.archived = 'YES' or l.status = 'UNUSED' or l_mode = 'NOARCHIVELOG')
               and exists (select null from v$log o, v$logfile f where o.thread# = l.thread#
                              and f.group# = o.group# and o.status = 'CURRENT'
                              and instr(f.member, c_under) = 1)
               and not exists (select null from v$logfile f
                                where f.group# = l.group# and instr(f.member, c_under) = 1)) loop
    execute immediate 'alter database drop logfile group ' || g.group#;
    dbms_output.put_line('dropped group ' || g.group# || '; its files stay on disk unless Oracle named them');
  end loop;
  select count(distinct l.group#) into l_left from v$log l
   where not exists (select null from v$logfile f
                      where f.group# = l.group# and instr(f.member, c_under) = 1);
  dbms_output.put_line(l_left || ' old groups are still needed; run this step again later');
end;
/
