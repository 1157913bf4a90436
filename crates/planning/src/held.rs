//! What the buffer cache held of an object when `spindle collect cache` looked (`V$BH`).

use crate::class::Class;
use crate::demand::{KeyKind, ObjectKey};
use crate::plan::Measured;
use crate::words;
use spindle_facts::{CachedObject, Collected};
use std::collections::{BTreeMap, HashMap};

/// Times that a cache may be larger than the reports print it: it grows and shrinks by itself.
const LARGER: f64 = 1.25;

/// Objects in the buffer cache, by name.
#[derive(Debug, Default)]
pub(crate) struct Held<'c> {
    by_name: HashMap<&'c str, Vec<(&'c CachedObject, &'c str)>>,
    /// Bytes of a block, by tablespace.
    block_bytes: HashMap<&'c str, f64>,
}

impl<'c> Held<'c> {
    /// A look that holds more blocks than the buffer cache of the reports has is not used, and that is said.
    pub(crate) fn of(collected: &'c [Collected], measured: &Measured, warnings: &mut Vec<String>) -> Self {
        let mut held = Self::default();
        for file in collected {
            let mut buffers: BTreeMap<Option<u32>, f64> = BTreeMap::new();
            for object in &file.cached {
                *buffers.entry(object.instance_number).or_default() += object.buffers.unwrap_or(0.0);
            }
            let most = buffers.into_values().fold(0.0, f64::max) * measured.block_size_bytes;
            if let Some(cache) = measured.buffer_cache_bytes.filter(|cache| most > LARGER * cache) {
                warnings.push(format!(
                    "`{}` holds {} of blocks in the buffer cache, and the reports print a cache of {}: it is of another \
                     day or database, and what it says of the cache is not used.",
                    file.source,
                    words::bytes(most),
                    words::bytes(cache)
                ));
                continue;
            }
            for object in file.cached.iter().filter(|o| o.owner.is_some()) {
                held.by_name.entry(&object.object).or_default().push((object, &file.source));
            }
            for space in &file.tablespaces {
                if let Some(bytes) = space.block_size_bytes {
                    held.block_bytes.insert(&space.tablespace, bytes as f64);
                }
            }
        }
        held
    }

    /// Bytes that one instance held of an object, the one that held most of it; `None` where no file
    /// says. The caches of a RAC database hold the same blocks, so they are not added up.
    pub(crate) fn bytes(
        &self,
        key: &ObjectKey,
        container: Option<&str>,
        tablespace: Option<&str>,
        block_bytes: f64,
    ) -> Option<f64> {
        if key.kind != KeyKind::Segment {
            return None;
        }
        let is = |o: &CachedObject| {
            (key.owner.is_none() || o.owner == key.owner)
                && Class::may_be(key.class, Class::of(o.object_type.as_deref()))
                && (key.partition.is_none() || o.subobject == key.partition)
                && match (&o.container, container) {
                    (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
                    _ => true,
                }
        };
        // Each file is one look; the same instance in two files was looked at twice.
        let mut looks: BTreeMap<(&str, Option<u32>), f64> = BTreeMap::new();
        for (object, source) in self.by_name.get(key.name.as_str())?.iter().filter(|(o, _)| is(o)) {
            *looks.entry((source, object.instance_number)).or_default() += object.buffers?;
        }
        let buffers = looks.into_values().max_by(f64::total_cmp)?;
        let block = tablespace.and_then(|t| self.block_bytes.get(t)).copied().unwrap_or(block_bytes);
        Some(buffers * block)
    }
}
