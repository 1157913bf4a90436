  cursor c_unusable(p_table varchar2) is
    select i.owner, i.index_name, cast(null as varchar2(128)) part, 0 depth, i.uniqueness
      from dba_indexes i
     where i.table_owner = c_owner and i.table_name = p_table and i.status = 'UNUSABLE'
    union all
    select i.owner, i.index_name, p.partition_name, 1, i.uniqueness
      from dba_indexes i, dba_ind_partitions p
     where i.table_owner = c_owner and i.table_name = p_table
       and p.index_owner = i.owner and p.index_name = i.index_name and p.status = 'UNUSABLE'
    union all
    select i.owner, i.index_name, p.subpartition_name, 2, i.uniqueness
      from dba_indexes i, dba_ind_subpartitions p
     where i.table_owner = c_owner and i.table_name = p_table
       and p.index_owner = i.owner and p.index_name = i.index_name and p.status = 'UNUSABLE'
    order by 5 desc;
  -- Free now, and what files may grow by.
  function room_in(p_tablespace varchar2) return number is
    l_bytes number;
  begin
    select nvl((select sum(bytes) from dba_free_space where tablespace_name = p_tablespace), 0)
         + nvl((select sum(greatest(maxbytes - bytes, 0)) from dba_data_files
                 where tablespace_name = p_tablespace and autoextensible = 'YES'), 0)
      into l_bytes from dual;
    return l_bytes;
  end;
  function has_quota(p_owner varchar2, p_tablespace varchar2, p_bytes number) return boolean is
    l_rows number;
  begin
    select count(*) into l_rows from (
      select null from dba_ts_quotas where username = p_owner and tablespace_name = p_tablespace
         and (max_bytes = -1 or max_bytes - bytes >= p_bytes)
      union all
      select null from dba_sys_privs where grantee = p_owner and privilege = 'UNLIMITED TABLESPACE');
    return l_rows > 0;
  end;
  -- Would what lies encrypted lie in clear?
  function in_clear(p_from varchar2, p_to varchar2) return boolean is
    l_from_secure varchar2(3);
    l_to_secure   varchar2(3);
  begin
    select max(encrypted) into l_from_secure from dba_tablespaces where tablespace_name = p_from;
    select max(encrypted) into l_to_secure from dba_tablespaces where tablespace_name = p_to;
    return l_from_secure = 'YES' and nvl(l_to_secure, 'NO') <> 'YES';
  end;
  -- Blocks of another size are read into another cache (db_nK_cache_size), which may be small or missing.
  function other_block(p_from varchar2, p_to varchar2) return boolean is
    l_from_block number;
    l_to_block   number;
  begin
    select max(block_size) into l_from_block from dba_tablespaces where tablespace_name = p_from;
    select max(block_size) into l_to_block from dba_tablespaces where tablespace_name = p_to;
    return l_from_block <> l_to_block;
  end;
  -- An index that is not rebuilt keeps nobody from rebuilding the next; the end of the block says so.
  procedure rebuild(p_owner varchar2, p_index varchar2, p_part varchar2, p_depth number, p_tablespace varchar2) is
  begin
    execute immediate 'alter index "' || p_owner || '"."' || p_index || '" rebuild'
      || case p_depth when 1 then ' partition "' || p_part || '"'
                      when 2 then ' subpartition "' || p_part || '"' end
      || case when p_tablespace is not null then ' tablespace "' || p_tablespace || '"' end;
  exception
    when others then
      dbms_output.put_line('NOT REBUILT: ' || p_owner || '.' || p_index || ' ' || p_part || ': ' || sqlerrm);
  end;
  -- What is unusable now, with the statement that mends it; what was so before is told apart.
  procedure tell_unusable(p_table varchar2) is
    l_new number := 0;
  begin
    for i in c_unusable(p_table) loop
      if l_unusable.exists(i.owner || '.' || i.index_name || '.' || i.part) then
        dbms_output.put_line('unusable before, left so: ' || i.owner || '.' || i.index_name || ' ' || i.part);
      else
        l_new := l_new + 1;
        dbms_output.put_line('UNUSABLE: alter index "' || i.owner || '"."' || i.index_name || '" rebuild'
          || case i.depth when 1 then ' partition "' || i.part || '"'
                          when 2 then ' subpartition "' || i.part || '"' end || ';');
      end if;
    end loop;
    if l_new > 0 and l_moved then
      raise_application_error(-20010, l_new || ' indexes are UNUSABLE: run the statements above first');
    end if;
  end;
