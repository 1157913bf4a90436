declare
  c_owner  constant varchar2(128) := @OWNER@;
  c_name   constant varchar2(128) := @NAME@;
  c_part   constant varchar2(128) := @PART@;
  c_target constant varchar2(128) := @TARGET@;
  l_table  varchar2(128);
  l_column varchar2(4000);
  l_piece  varchar2(128);
  l_from   varchar2(128);
  l_secure varchar2(3);
  l_partitioned varchar2(3);
  l_encrypted varchar2(3);
  l_target_encrypted varchar2(3);
  l_assm   varchar2(10);
  l_why    varchar2(500);
  refused  exception;
  type t_marks is table of number index by varchar2(400);
  l_unusable t_marks;
begin
  begin
    select table_name, column_name, tablespace_name, securefile, partitioned
      into l_table, l_column, l_from, l_secure, l_partitioned
      from dba_lobs where owner = c_owner and segment_name = c_name;
    if c_part is not null then
      select partition_name, tablespace_name into l_piece, l_from from dba_lob_partitions
       where table_owner = c_owner and lob_name = c_name and lob_partition_name = c_part and composite = 'NO';
    elsif l_partitioned = 'YES' then
      l_why := 'is partitioned: its partitions move one by one';
      raise refused;
    end if;
  exception
    when no_data_found then
      l_why := 'is not there as a LOB; reports clip long names';
      raise refused;
  end;
  if instr(l_column, '"') > 0 then l_why := 'belongs to an attribute of an object: move it by hand'; raise refused; end if;
  if l_from = c_target then
    dbms_output.put_line('already there');
  else
    select max(encrypted) into l_encrypted from dba_tablespaces where tablespace_name = l_from;
    select max(encrypted), max(segment_space_management) into l_target_encrypted, l_assm
      from dba_tablespaces where tablespace_name = c_target;
    if l_encrypted = 'YES' and nvl(l_target_encrypted, 'NO') <> 'YES' then
      l_why := 'lies encrypted and ' || c_target || ' is not: it would lie there in clear';
      raise refused;
    end if;
    if l_secure = 'YES' and l_assm <> 'AUTO' then
      l_why := 'is a SecureFile and needs automatic segment space management (ORA-43853)';
      raise refused;
    end if;
    for i in (select owner, index_name from dba_indexes
               where table_owner = c_owner and table_name = l_table and status = 'UNUSABLE') loop
      l_unusable(i.owner || '.' || i.index_name) := 1;
    end loop;
    -- The table is written anew in its own tablespace and takes no changes meanwhile; its indexes
    -- become unusable and are rebuilt at once. The kind of LOB is named so that no parameter converts it.
    execute immediate 'alter table "' || c_owner || '"."' || l_table || '" move '
      || case when l_piece is not null then 'partition "' || l_piece || '" ' end
      || 'lob ("' || l_column || '") store as ' || case l_secure when 'YES' then 'securefile' else 'basicfile' end
      || ' (tablespace "' || c_target || '")' || case when l_piece is not null then ' update indexes' end;
    for i in (select owner, index_name from dba_indexes
               where table_owner = c_owner and table_name = l_table and status = 'UNUSABLE'
               order by uniqueness desc) loop
      if not l_unusable.exists(i.owner || '.' || i.index_name) then
        execute immediate 'alter index "' || i.owner || '"."' || i.index_name || '" rebuild';
      end if;
    end loop;
    dbms_output.put_line('from ' || l_from || '; column ' || l_column || ' of ' || l_table);
  end if;
exception
  when refused then
    dbms_output.put_line('SKIPPED: it ' || l_why);
end;
/
