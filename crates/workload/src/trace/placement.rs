//! Where requests of a trace lie on a target: within its region, on whole blocks, at the place that was chosen.

use super::{Beyond, Sources, Trace, Traced};
use crate::job::Request;
use std::ops::Range;

/// Sources that lie one behind the other begin on whole multiples of this.
const APART: u64 = 1 << 20;

/// Where requests of a trace lie on one target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// First byte of each source that lies here, by name.
    bases: Vec<(String, u64)>,
    region: Range<u64>,
    /// Bytes that the trace needs, whole blocks.
    needs: u64,
    align: u64,
    beyond: Beyond,
    reads_only: bool,
}

/// A request at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// As it is made.
    pub request: Request,
    /// It did not lie on whole blocks, and covers those that it touched.
    pub rounded: bool,
    /// It does not lie where the trace has it.
    pub moved: bool,
}

impl Trace {
    /// Where its requests lie on a target: the number `target` of `targets`, of which `region` is used, in whole
    /// blocks of `align` bytes.
    ///
    /// # Errors
    /// A sentence, where its sources go nowhere, or beyond the end and that is not to be.
    pub fn placement(
        &self,
        target: usize,
        targets: usize,
        region: Range<u64>,
        align: u64,
    ) -> Result<Placement, String> {
        if let Some(objection) = self.objection(targets) {
            return Err(objection);
        }
        let found = self.found.as_ref().ok_or("its trace was not read")?;
        let mut bases = Vec::new();
        let mut needs = 0;
        let mut furthest = None;
        match &self.sources {
            Sources::Each => {
                let which = if found.sources.len() > 1 { target } else { 0 };
                let source = found.sources.get(which).ok_or("its trace has no source")?;
                bases.push((source.name.clone(), 0));
                needs = source.end_bytes;
                furthest = Some(source);
            }
            Sources::One(name) => {
                bases.push((name.clone(), 0));
                furthest = found.sources.iter().find(|s| s.name == *name);
                needs = furthest.map_or(0, |s| s.end_bytes);
            }
            Sources::Joined => {
                for source in &found.sources {
                    bases.push((source.name.clone(), needs));
                    let end = source.end_bytes.checked_next_multiple_of(APART.max(align));
                    needs = end.and_then(|end| end.checked_add(needs)).ok_or("its trace is too long")?;
                    furthest = Some(source);
                }
            }
        }
        let align = align.max(1);
        let needs = needs.next_multiple_of(align);
        let length = region.end - region.start;
        let largest = u64::from(found.largest_bytes).next_multiple_of(align) + align;
        if needs > length && self.beyond == Beyond::Refuse {
            let line = furthest.map_or(0, |source| source.end_line);
            let at = if line > 0 { format!(" (line {line} reaches furthest)") } else { String::new() };
            return Err(format!(
                "the trace `{}` reaches to byte {needs} and the region has {length}{at}: nothing is run. Make room, or choose \
                 what is done about addresses beyond: beyond = \"wrap\" (begin again) or \"scale\" (all closer together)",
                self.file
            ));
        }
        if length < largest.min(needs) {
            return Err(format!(
                "the region of {length} bytes is smaller than a request of the trace `{}`, of {} bytes",
                self.file, found.largest_bytes
            ));
        }
        Ok(Placement { bases, region, needs, align, beyond: self.beyond, reads_only: self.reads_only })
    }

    /// The bytes that the largest of its requests needs in memory on blocks of `align` bytes.
    #[must_use]
    pub fn most_bytes(&self, align: u64) -> u64 {
        let largest = self.found.as_ref().map_or(1, |f| u64::from(f.largest_bytes));
        let align = align.max(1);
        // It may begin and end within a block.
        largest.next_multiple_of(align) + if align > 1 { align } else { 0 }
    }
}

impl Placement {
    /// The request at its place; `None` where it goes elsewhere or nowhere.
    #[must_use]
    pub fn place(&self, traced: &Traced, source: &str) -> Option<Placed> {
        if self.reads_only && traced.operation == crate::job::Operation::Write {
            return None;
        }
        let base = self.bases.iter().find(|(name, _)| name == source)?.1;
        let (start, bytes) = (base + traced.offset, u64::from(traced.bytes));
        let length = self.region.end - self.region.start;
        let whole = |at: u64| at / self.align * self.align;
        let rounded = !start.is_multiple_of(self.align) || !bytes.is_multiple_of(self.align);
        let (mut at, mut moved) = (whole(start), false);
        let size = (start + bytes).next_multiple_of(self.align) - at;
        if self.needs > length {
            match self.beyond {
                Beyond::Wrap => at %= length,
                Beyond::Scale => {
                    let scaled = u128::from(at) * u128::from(length) / u128::from(self.needs);
                    // No more than the address before.
                    at = whole(u64::try_from(scaled).unwrap_or(at));
                }
                Beyond::Refuse => {}
            }
            at = at.min(length.checked_sub(size)?);
            moved = at != whole(start);
        }
        let bytes = u32::try_from(size).ok()?;
        let request = Request { operation: traced.operation, offset: self.region.start + at, bytes };
        Some(Placed { request, rounded, moved })
    }
}
