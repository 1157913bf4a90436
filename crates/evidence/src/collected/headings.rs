//! Headings of lists that people made themselves: which list it is, what each column holds, and in
//! what unit. A wrong unit is worse than none: a size without one is refused.

use super::table::Column;

/// What a list is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Headings {
    /// Section of a spool file with the same rows.
    pub(super) section: &'static str,
    pub(super) columns: Vec<Column>,
}

/// Names of columns as in the contract, with what people call them.
const NAMES: &[(&str, &[&str])] = &[
    ("CON", &["CON_NAME", "PDB", "PDB_NAME", "CONTAINER", "CONTAINER_NAME"]),
    ("OWNER", &["SCHEMA", "SEGMENT_OWNER"]),
    ("SEGMENT_NAME", &["SEGMENT"]),
    ("PARTITION_NAME", &["PARTITION"]),
    ("SEGMENT_TYPE", &["SEG_TYPE"]),
    ("SEGMENT_SUBTYPE", &[]),
    ("TABLESPACE_NAME", &["TABLESPACE", "TS_NAME"]),
    ("BUFFER_POOL", &[]),
    ("FILE_NAME", &["FILENAME", "DATAFILE"]),
    ("FILE_ID", &["FILE#"]),
    ("AUTOEXTENSIBLE", &["AUTOEXT"]),
    ("OBJECT_NAME", &["OBJECT"]),
    ("SUBOBJECT_NAME", &[]),
    ("OBJECT_TYPE", &[]),
    ("BUFFERS", &["COUNT(*)", "NUM_BUFFERS", "CACHED_BLOCKS", "NUMBER_OF_BLOCKS", "BLOCKS_IN_CACHE"]),
    ("INST_ID", &[]),
    ("SQL_ID", &[]),
    ("OLD_HASH_VALUE", &[]),
    ("PLAN_HASH_VALUE", &[]),
    ("EXECUTIONS", &[]),
    ("ID", &[]),
    ("PARENT_ID", &[]),
    ("DEPTH", &[]),
    ("OPERATION", &[]),
    ("OPTIONS", &[]),
    ("OBJECT_OWNER", &[]),
    ("CARDINALITY", &[]),
    ("COST", &[]),
    ("IO_COST", &[]),
    ("TEMP_SPACE", &[]),
    ("PARTITION_START", &[]),
    ("PARTITION_STOP", &[]),
];

/// Which list has these headings; `Ok(None)` where none, the reason where a size has no unit. `widths`
/// are those of the columns where the client clips headings to them.
pub(super) fn recognise(headings: &[String], widths: Option<&[usize]>) -> Result<Option<Headings>, String> {
    let mut columns: Vec<Column> = Vec::new();
    let mut without_unit: Option<&str> = None;
    for (at, heading) in headings.iter().enumerate() {
        let upper = heading.trim().to_uppercase();
        let key = upper.replace(' ', "_");
        let clipped = widths.and_then(|w| w.get(at)).is_some_and(|w| *w == upper.chars().count());
        let mut column = Column { name: String::new(), factor: 1.0 };
        if let Some(name) = name_of(&key, clipped) {
            column.name = name.to_owned();
        } else {
            match size_of(&upper) {
                Some(Size { factor: Some(factor), is_most }) => {
                    column.name = if is_most { "MAXBYTES" } else { "BYTES" }.to_owned();
                    column.factor = factor;
                }
                Some(_) => without_unit = without_unit.or(Some(heading)),
                None => {}
            }
        }
        // The first column of a name counts; of sizes, the one in bytes.
        if let Some(known) = columns.iter_mut().find(|c| !column.name.is_empty() && c.name == column.name) {
            if column.factor < known.factor {
                known.name.clear();
            } else {
                column.name.clear();
            }
        }
        columns.push(column);
    }
    let has = |name: &str| columns.iter().any(|c| c.name == name);
    let section = if has("OPERATION") && has("ID") && (has("SQL_ID") || has("PLAN_HASH_VALUE")) {
        "plans"
    } else if has("SEGMENT_NAME") {
        "segments"
    } else if has("FILE_NAME") && has("TABLESPACE_NAME") {
        "data_files"
    } else if has("OBJECT_NAME") && has("BUFFERS") {
        "cache"
    } else {
        return Ok(None);
    };
    if !has("BYTES")
        && matches!(section, "segments" | "data_files")
        && let Some(heading) = without_unit
    {
        return Err(format!(
            "the column `{}` holds sizes, and its heading does not say in what unit; call it BYTES, KB, MB or GB",
            heading.trim()
        ));
    }
    Ok(Some(Headings { section, columns }))
}

fn name_of(key: &str, clipped: bool) -> Option<&'static str> {
    let exact = NAMES.iter().find(|(name, others)| *name == key || others.contains(&key));
    if let Some((name, _)) = exact {
        return Some(name);
    }
    // Headings over texts are clipped to the width of the column.
    let mut longer = NAMES.iter().filter(|(name, _)| clipped && key.len() >= 5 && name.starts_with(key));
    let first = longer.next()?;
    longer.next().is_none().then_some(first.0)
}

/// A column of sizes.
struct Size {
    /// Bytes of one unit; `None` where the heading does not say.
    factor: Option<f64>,
    /// How large it may become, not how large it is.
    is_most: bool,
}

fn size_of(heading: &str) -> Option<Size> {
    let words: Vec<&str> =
        heading.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let is_most = words.iter().any(|w| w.starts_with("MAX"));
    let mut factor = None;
    let mut is_size = false;
    let divided = heading.contains('/');
    for word in &words {
        let unit = match *word {
            "BYTES" | "BYTE" | "MAXBYTES" => Some(1.0),
            "KB" | "KBYTES" | "KIB" => Some(1_024.0),
            "MB" | "MBYTES" | "MIB" | "MEGS" | "MEGABYTES" => Some(1_048_576.0),
            "GB" | "GBYTES" | "GIB" | "GIGABYTES" => Some(1_073_741_824.0),
            "TB" | "TBYTES" | "TIB" => Some(1_099_511_627_776.0),
            "SIZE" | "SEGSIZE" => {
                is_size = true;
                None
            }
            "SEG" | "SEGMENT" | "FILE" | "IN" | "TOTAL" | "SUM" | "ALLOC" | "ALLOCATED" | "MAX" | "ROUND"
            | "TRUNC" | "SPACE" | "CEIL" => None,
            number if divided && number.bytes().all(|b| b.is_ascii_digit()) => None,
            // Something else is measured: free, used, next.
            _ => return None,
        };
        // `BYTES_MB`: the unit that is no byte is meant.
        factor = match (factor, unit) {
            (Some(a), Some(b)) if a > 1.0 && b > 1.0 && a != b => {
                return Some(Size { factor: None, is_most });
            }
            (Some(a), Some(b)) => Some(f64::max(a, b)),
            (a, b) => a.or(b),
        };
    }
    if divided {
        // `SUM(BYTES)/1024/1024`, `BYTES/1048576`, `BYTES/(1024*1024)`.
        let bytes_are_divided = factor == Some(1.0);
        let divisor = divisor(heading);
        return Some(Size { factor: divisor.filter(|_| bytes_are_divided), is_most });
    }
    (is_size || factor.is_some()).then_some(Size { factor, is_most })
}

/// What the heading divides by; `None` where it is no power of 1024.
fn divisor(heading: &str) -> Option<f64> {
    let (_, behind) = heading.split_once('/')?;
    // Decimals of a ROUND stand behind a comma.
    let behind = behind.split(',').next()?;
    let mut product = 1.0;
    for word in behind.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()) {
        match word {
            "1024" => product *= 1_024.0,
            "1048576" => product *= 1_048_576.0,
            "1073741824" => product *= 1_073_741_824.0,
            // `BYTES/1024/1024 MB`
            "KB" | "MB" | "GB" | "TB" => {}
            _ => return None,
        }
    }
    (product > 1.0).then_some(product)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{recognise, size_of};

    fn factor(heading: &str) -> Option<Option<f64>> {
        size_of(heading).map(|s| s.factor)
    }

    #[test]
    fn units_stand_in_headings_or_are_unknown() {
        const MB: f64 = 1_048_576.0;
        for (heading, bytes) in [
            ("BYTES", 1.0),
            ("SUM(BYTES)", 1.0),
            ("SIZE_MB", MB),
            ("SIZE (MB)", MB),
            ("SIZE_IN_GB", 1_024.0 * MB),
            ("BYTES/1024/1024", MB),
            ("SUM(BYTES)/1024/1024", MB),
            ("ROUND(SUM(BYTES)/1024/1024,2)", MB),
            ("BYTES/(1024*1024)", MB),
            ("BYTES/1048576", MB),
            ("BYTES/1024", 1_024.0),
        ] {
            assert_eq!(factor(heading), Some(Some(bytes)), "{heading}");
        }
        for heading in ["SIZE", "SEGMENT SIZE", "BYTES/1000", "SIZE_MB_GB", "BLOCKS*8/1024"] {
            assert_eq!(factor(heading).flatten(), None, "{heading}");
        }
        for heading in ["FREE_MB", "USED_BYTES", "BLOCKS", "EXTENTS", "NEXT_EXTENT"] {
            assert_eq!(factor(heading), None, "{heading}");
        }
    }

    #[test]
    fn clipped_headings_are_known_by_their_beginning() {
        let headings = ["OWNER", "SEGMENT_NA", "BYTES"].map(str::to_owned);
        let found = recognise(&headings, Some(&[30, 10, 10])).unwrap().unwrap();
        assert_eq!(found.columns[1].name, "SEGMENT_NAME");
        assert_eq!(recognise(&headings, None).unwrap(), None);
    }
}
