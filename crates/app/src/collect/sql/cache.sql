-- columns: con #inst_id owner object_name subobject_name object_type #buffers #dirty #flash_buffers #copies
-- Blocks in the buffer cache and in the flash cache, by object. This instance only: on RAC run the script
-- in each instance.
-- DANGER: it walks every buffer header. Takes seconds for 10 GiB of 8 KiB blocks; minutes for 500 GiB,
-- and weighs on the instance. Do not run it with caches over 100 GiB without asking whoever runs the database.
-- OBJD is DATA_OBJECT_ID; tables of a cluster count as the cluster; after a transport between databases
-- two objects may share it. Buffers in persistent memory (pmem words, 23ai) are not counted.
-- 11.2 does not document the words for flash cache buffers: none found there is empty, not 0.
select {con:g} as con, g.inst_id as inst_id, g.owner as owner, g.object_name as object_name,
  g.subobject_name as subobject_name, g.object_type as object_type, g.buffers as buffers, g.dirty as dirty,
  {old:nullif(}g.flash_buffers{old:, 0)} as flash_buffers, g.copies as copies
from (
  select {root:b.con_id as con_id,} n.instance_number as inst_id, o.owner as owner,
    case
      when o.object_name is not null then o.object_name
      when b.objd = 4294967295 then '(undo)'
      when b.objd >= 4254950912 then '(temporary)'
      else '(not in the dictionary)'
    end as object_name,
    o.subobject_name as subobject_name, o.object_type as object_type,
    sum(case when b.status in ('cr', 'pi') or b.status like 'flash%' or b.status like 'pmem%'
      then 0 else b.buffers end) as buffers,
    sum(case when b.dirty = 'Y' then b.buffers else 0 end) as dirty,
    sum(case when b.status like 'flash%' then b.buffers else 0 end) as flash_buffers,
    sum(case when b.status in ('cr', 'pi') then b.buffers else 0 end) as copies
  from (
    select {root:v.con_id as con_id,} v.objd as objd, v.status as status, v.dirty as dirty,
      count(*) as buffers
    from v$bh v
    where v.status not in ('free', 'flashfree', 'pmemfree')
    group by {root:v.con_id,} v.objd, v.status, v.dirty
  ) b
  cross join v$instance n
  left join (
    select {root:y.con_id as con_id,} y.data_object_id as data_object_id, y.owner as owner,
      y.object_name as object_name, y.subobject_name as subobject_name, y.object_type as object_type,
      row_number() over (partition by {root:y.con_id,} y.data_object_id
        order by decode(y.object_type, 'CLUSTER', 0, 1), y.object_id) as place
    from {d}_objects y
    where y.data_object_id is not null
  ) o on o.data_object_id = b.objd and o.place = 1 {root:and o.con_id = b.con_id}
  group by {root:b.con_id,} n.instance_number, o.owner,
    case
      when o.object_name is not null then o.object_name
      when b.objd = 4294967295 then '(undo)'
      when b.objd >= 4254950912 then '(temporary)'
      else '(not in the dictionary)'
    end,
    o.subobject_name, o.object_type
) g
order by g.buffers desc
