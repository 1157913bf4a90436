//! What a text is, from its content alone.

use memchr::memchr_iter;
use spindle_facts::Kind;

/// Words that begin a report, as printed, with the kind they tell.
const HEADS: &[(&str, Kind)] = &[
    ("WORKLOAD REPOSITORY COMPARE PERIOD", Kind::AwrCompare),
    ("WORKLOAD REPOSITORY SQL Report", Kind::AwrSql),
    ("WORKLOAD REPOSITORY", Kind::Awr),
    ("STATSPACK report for", Kind::Statspack),
    ("StatsPack Report for", Kind::Statspack),
    ("ASH Report For", Kind::Ash),
    ("ASH Report -", Kind::Ash),
    ("ADDM Report for Task", Kind::Addm),
    ("DETAILED ADDM REPORT FOR TASK", Kind::Addm),
    ("~~BEGIN-", Kind::AwrMiner),
];

/// Can a head begin with this byte, as the first that is no blank? Almost no line does.
pub(crate) fn can_begin_head(first: u8) -> bool {
    matches!(first, b'W' | b'S' | b'A' | b'D' | b'~' | b'>' | b'|' | b'*' | b'#')
        || first.is_ascii_whitespace()
}

/// Kind of a report whose heading line this is; quote marks may stand before it.
pub(crate) fn kind_of_head(line: &str) -> Option<Kind> {
    let text = line.trim_ascii_start();
    // Almost every line of a report ends here.
    if !matches!(text.as_bytes().first(), Some(b'W' | b'S' | b'A' | b'D' | b'~' | b'>' | b'|' | b'*' | b'#'))
    {
        return None;
    }
    let quoted = text.bytes().take_while(|b| matches!(b, b'>' | b'|' | b'*' | b'#' | b' ')).count();
    let text = &text[quoted..];
    if !matches!(text.as_bytes().first(), Some(b'W' | b'S' | b'A' | b'D' | b'~')) {
        return None;
    }
    HEADS.iter().find(|(words, _)| text.starts_with(words)).map(|(_, kind)| *kind)
}

/// Is the text a page with tables?
pub(crate) fn is_html(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut cell, mut table, mut html, mut body) = (false, false, false, false);
    for at in memchr_iter(b'<', bytes) {
        let tag = &bytes[at + 1..];
        cell |= [b"td", b"TD", b"Td"].iter().any(|t| tag.starts_with(*t));
        table |= [b"table", b"TABLE", b"Table"].iter().any(|t| tag.starts_with(*t));
        html |= tag.starts_with(b"html");
        body |= tag.starts_with(b"body");
        if cell && table || html && body {
            return true;
        }
    }
    false
}

/// Does anything in the text belong to a report?
pub(crate) fn looks_like_report(head: &str) -> bool {
    const SIGNS: &[&str] = &[
        "DB/Inst",
        "Snap Id",
        "Snap Time",
        "Load Profile",
        "Wait Event",
        "Top 5 ",
        "Top 10 ",
        "db file ",
        "log file ",
        "~~BEGIN-",
        "SPINDLE|",
        "Buffer Pool",
        "IOStat",
        "Tablespace IO",
        "SQL ordered by",
        "Segments by",
        "Instance Activity",
        "DB Time",
        "DB time",
        "physical read",
    ];
    HEADS.iter().any(|(words, _)| head.contains(words)) || SIGNS.iter().any(|s| head.contains(s))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_head_wins() {
        assert_eq!(kind_of_head("WORKLOAD REPOSITORY COMPARE PERIOD REPORT"), Some(Kind::AwrCompare));
        assert_eq!(kind_of_head("WORKLOAD REPOSITORY SQL Report"), Some(Kind::AwrSql));
        assert_eq!(kind_of_head("WORKLOAD REPOSITORY PDB report (root snapshots)"), Some(Kind::Awr));
        assert_eq!(kind_of_head("nothing of the kind"), None);
    }
}
