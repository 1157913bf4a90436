//! The kernel's table of mounts, line by line, and which of them emulated devices of ours are.
//!
//! It opens nothing: who asks reads `/proc/PID/mountinfo` and hands over its bytes. Names in it are bytes, not
//! text, and blanks in them are written as octal numbers.

/// What stands as the source of the mount of an emulated device, before the run that serves it.
pub const EMULATION: &str = "spindle-emulate-";

/// One mount.
///
/// Shape: one a line. Missing: a line that lacks a field is no mount. Source: `proc_pid_mountinfo(5)`:
/// `36 35 98:0 /root /mnt rw,noatime master:1 - ext3 /dev/root rw`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// Major and minor number of the device, as written: `98:0`.
    pub number: String,
    /// Where it is mounted.
    pub at: Vec<u8>,
    /// The kind of file system: `ext4`, `fuse`.
    pub kind: Vec<u8>,
    /// A device, or what the file system calls itself.
    pub source: Vec<u8>,
}

impl Mount {
    /// A line of the table.
    #[must_use]
    pub fn of(line: &[u8]) -> Option<Self> {
        let mut fields = line.split(|b| *b == b' ');
        let number = String::from_utf8(fields.nth(2)?.to_vec()).ok()?;
        let at = unescaped(fields.nth(1)?);
        // Any number of optional fields ends at a dash.
        let mut behind = fields.skip_while(|field| *field != b"-").skip(1);
        let kind = unescaped(behind.next()?);
        let source = unescaped(behind.next()?);
        Some(Self { number, at, kind, source })
    }

    /// Is it an emulated device of ours?
    #[must_use]
    pub fn is_emulation(&self) -> bool {
        self.kind.starts_with(b"fuse") && self.source.starts_with(EMULATION.as_bytes())
    }
}

/// All mounts of a table, in its order: of several at one place the last one is on top.
pub fn mounts(table: &[u8]) -> impl Iterator<Item = Mount> {
    table.split(|b| *b == b'\n').filter_map(Mount::of)
}

/// A field as it was before the kernel wrote it: `\040` and the like are bytes that would end it.
#[must_use]
pub fn unescaped(field: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&first, after)) = rest.split_first() {
        let octal = after.get(..3).filter(|o| first == b'\\' && o.iter().all(|b| (b'0'..=b'7').contains(b)));
        if let Some(octal) = octal {
            plain.push(octal.iter().fold(0_u8, |n, b| n.wrapping_mul(8).wrapping_add(b - b'0')));
            rest = &after[3..];
        } else {
            plain.push(first);
            rest = after;
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{Mount, mounts, unescaped};

    #[test]
    fn blanks_in_names_are_told_from_those_between_fields() {
        assert_eq!(unescaped(br"/mnt/my\040disk\134"), br"/mnt/my disk\");
        assert_eq!(unescaped(br"\04"), br"\04");
    }

    #[test]
    fn a_line_with_many_or_no_options_tells_where() {
        let table: &[u8] =
            br"36 35 98:0 / /mnt\040a rw,noatime master:1 shared:2 - ext3 none rw,errors=continue
36 35 0:42 / /b rw - btrfs none rw

37 35 0:43 / /c rw - ext4";
        let found: Vec<(String, Vec<u8>)> = mounts(table).map(|m| (m.number, m.at)).collect();
        assert_eq!(found, [("98:0".to_owned(), b"/mnt a".to_vec()), ("0:42".to_owned(), b"/b".to_vec())]);
    }

    #[test]
    fn an_emulation_is_known_by_its_kind_and_its_source() {
        let is = |kind: &str, source: &str| {
            let line = format!("36 35 0:42 / /disk rw - {kind} {source} rw");
            Mount::of(line.as_bytes()).is_some_and(|m| m.is_emulation())
        };
        assert!(is("fuse", "spindle-emulate-7") && is("fuse.spindle", "spindle-emulate-7"));
        assert!(!is("fuse", "sshfs") && !is("ext4", "spindle-emulate-7"));
    }
}
