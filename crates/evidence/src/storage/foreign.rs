//! Output of `iostat` and `sar` of other systems than Linux, which is not read: what it is, and what to do.
//!
//! Told by headings that sysstat does not have. They count other things under similar names (`actv`, `avserv`,
//! `avwait` of a queue that Linux does not have), so they are refused and not guessed at.

const LONGEST_LINE: usize = 1_000;
/// Lines that are looked at.
const MOST_LINES: usize = 2_000;

const SOLARIS: &str = "iostat of Solaris or illumos";
const FREEBSD: &str = "iostat of FreeBSD";
const AIX: &str = "iostat of AIX";
const HPUX: &str = "iostat of HP-UX";
const HPUX_PATHS: &str = "rows of paths of disks of HP-UX (sar -L) without their headings";

/// Output of another system's iostat?
pub(super) fn is_iostat(head: &str) -> bool {
    of_iostat(head).is_some()
}

/// Output of another system's `sar -d`?
pub(super) fn is_sar(head: &str) -> bool {
    head.lines().take(MOST_LINES).any(|row| are_headings_of_sar(row) || is_path_of_hpux(row))
}

/// Why it is refused, where it is such output.
pub(super) fn refusal(text: &str) -> Option<String> {
    let what = match of_iostat(text) {
        Some(what) => what.to_owned(),
        None => of_sar(text)?.to_owned(),
    };
    Some(format!(
        "it is {what}, which is not read: its columns count other things than those of Linux, whose iostat and sar (sysstat) \
         are read; give AWR or Statspack reports of the same time, which have what the database waited for, or \
         runs of fio or `spindle measure` on that storage"
    ))
}

/// Words between blanks or commas, without the mark of a comment before them.
fn words(row: &str) -> Vec<&str> {
    if row.len() > LONGEST_LINE {
        return Vec::new();
    }
    let row = row.trim().trim_start_matches(['#', ' ']);
    row.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect()
}

fn of_iostat(text: &str) -> Option<&'static str> {
    text.lines().take(MOST_LINES).find_map(|row| {
        let words = words(row);
        let has = |name: &str| words.contains(&name);
        let has_any = |names: &[&str]| names.iter().any(|name| has(name));
        let named = words.first() == Some(&"device") || words.last() == Some(&"device");
        if named && has_any(&["r/s", "r/i"]) && has_any(&["w/s", "w/i"]) {
            return match () {
                () if has_any(&["actv", "asvc_t", "wsvc_t"]) => Some(SOLARIS),
                () if has_any(&["qlen", "ms/r", "r/i"]) => Some(FREEBSD),
                () => None,
            };
        }
        if named && has("bps") && has("sps") && has("msps") {
            return Some(HPUX);
        }
        let of_aix = has_any(&["tm_act", "%tm_act"]) && has_any(&["Kbps", "bps", "tps"])
            || has("Kbps") && has("Kb_read") && has("Kb_wrtn");
        of_aix.then_some(AIX)
    })
}

fn are_headings_of_sar(row: &str) -> bool {
    let words = words(row);
    ["device", "%busy", "r+w/s", "avserv"].iter().all(|name| words.contains(name))
}

/// `15:06:57, disk13_lunpath22, 43.74, ...`
fn is_path_of_hpux(row: &str) -> bool {
    let words = words(row);
    let name = words.get(1).and_then(|name| name.split_once("_lunpath"));
    words.len() > 5
        && name.is_some_and(|(disk, path)| disk.starts_with("disk") && path.parse::<u32>().is_ok())
}

fn of_sar(text: &str) -> Option<&'static str> {
    if !is_sar(text) {
        return None;
    }
    if !text.lines().take(MOST_LINES).any(are_headings_of_sar) {
        return Some(HPUX_PATHS);
    }
    const SYSTEMS: [(&str, &str); 4] = [
        ("SunOS ", "sar -d of Solaris"),
        ("AIX ", "sar -d of AIX"),
        ("HP-UX ", "sar -d of HP-UX"),
        ("SCO_SV ", "sar -d of SCO"),
    ];
    let first = |name: &str| text.lines().take(MOST_LINES).any(|row| row.trim_start().starts_with(name));
    let known = SYSTEMS.into_iter().find(|(name, _)| first(name));
    Some(known.map_or("sar -d of System V (Solaris, AIX, HP-UX, SCO)", |(_, what)| what))
}
