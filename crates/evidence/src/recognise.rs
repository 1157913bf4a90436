//! What a text is, from its content alone.

use crate::layout::statement_text;
use crate::layout::text_sections::Line;
use crate::oracle::ratios::holds_ratios;
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
    if !matches!(
        text.as_bytes(),
        [b'W', b'O', ..]
            | [b'S', b'T' | b't', ..]
            | [b'A', b'S' | b'D', ..]
            | [b'D', b'E', ..]
            | [b'~', b'~', ..]
    ) {
        return None;
    }
    // Most heads begin with another letter.
    let begins = |words: &str| words.as_bytes().first() == text.as_bytes().first() && text.starts_with(words);
    HEADS.iter().find(|(words, _)| begins(words)).map(|(_, kind)| *kind)
}

/// Words of a line, single blanks between, that one of the two alone prints: titles, headings and
/// remarks.
const OF_AWR: &[&str] = &[
    "Time Model Statistics",
    "Operating System Statistics",
    "Service Statistics",
    "Service Wait Class Stats",
    "Foreground Wait Class",
    "Timed Foreground Events",
    "Foreground Events by Total Wait Time",
    "Wait Classes by Total Wait Time",
    "SQL ordered by Elapsed Time",
    "SQL ordered by CPU Time",
    "SQL ordered by User I/O Wait Time",
    "Captured SQL account for",
    "Instance Activity Stats - Absolute",
    "IOStat by F",
    "IO Profile Read+Write",
    "Wait Event Histogram Detail",
    "Wait Event Histogram (up to",
    "Time (s) (ms) Time Wait Class",
    "(ms) time Wait Class",
    "Statistic Name Time (s)",
    "(s) (ms) %DB time",
    "waits % DB",
    "Waits % DB",
    "Waits % bg",
    "%DBtime",
    "%CPU %IO SQL Id",
    "Segments by Physical Read Requests",
    "Segments by DB Blocks Changes",
    "PGA Aggr Summary",
    "Buffer Wait Statistics",
    "Enqueue Activity",
];
const OF_STATSPACK: &[&str] = &[
    "Time Model System Stats",
    "OS Statistics",
    "Instance Efficiency Indicators",
    "Wait Events (fg and bg)",
    "Time (s) Call Time",
    "Time (s) Ela Time",
    "Time (cs) Wt Time",
    "wait Waits Call",
    "%Tim Total Wait",
    "SQL ordered by Elapsed time",
    "SQL reported below exceeded",
    "Captured SQL accounts for",
    ") Hash Value",
    "Parses Hash Value",
    "Reads Hash Value",
    "Gets Hash Value",
    "CPU Elapsd",
    "IO Stat by Function",
    "File Read Histogram",
    "Mx Rd Bkt",
    "Rd Rd Av",
    "Buffer wait Statistics",
    "Enqueue activity",
    "Latch Sleep breakdown",
    "% dbtime",
    // Of the time model: AWR prints the same above events.
    "Time (s) % DB time",
    "Rollback Segment",
    "Curs/Sess Comment",
    "Cache Sizes (end)",
];

/// Titles of sections that reports of sampled activity alone have: AWR prints some of their others.
const OF_ASH: &[&str] = &[
    "Top User Events",
    "Top Background Events",
    "Top Cluster Events",
    "Top Service/Module",
    "Top Client IDs",
    "Top SQL Command Types",
    "Top Phases of Execution",
    "Top Sessions running PQs",
    "Top DB Files",
];

/// Words that reports of sampled activity do not print: those of two snapshots do.
const NOT_OF_ASH: &[&str] = &["Snaps:", "Snap Id", "Begin Snap", "Load Profile", "Timed Events", "Waits"];

/// Most lines of pieces without a head that are searched for what tells their kind.
const MOST_PIECES: usize = 20_000;

/// The kind of pieces that stand without a head, where one of the two alone prints what is there.
pub(crate) fn kind_of_pieces(lines: &[Line<'_>]) -> Kind {
    // Titles of sections that print two periods beside each other are longer than any other line.
    if lines.iter().take(MOST_PIECES).any(|l| names_two_periods(l.text)) {
        return Kind::AwrCompare;
    }
    let (mut awr, mut statspack, mut ash, mut others) = (false, false, false, false);
    let mut words = String::new();
    for line in lines.iter().take(MOST_PIECES).filter(|l| l.text.len() < HEADING_LENGTH) {
        words.clear();
        for word in line.text.split_ascii_whitespace() {
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(word);
        }
        // `Event  Waits  Time (s)  (ms)  Time`, without the class that AWR prints behind it.
        statspack |= words.ends_with("Waits Time (s) (ms) Time");
        // `... for DB: X  Instance: x  Snaps: 3 -4` of 8i to 9.2.
        statspack |= words.contains(" for DB: ") && words.contains(" Instance: ");
        awr |= OF_AWR.iter().any(|sign| words.contains(sign));
        statspack |= OF_STATSPACK.iter().any(|sign| words.contains(sign));
        // The heading of its events in one line, as copies have it, with or without bars between.
        awr |= words.contains("Waits") && words.contains("% DB time");
        ash |= OF_ASH.iter().any(|sign| words.starts_with(sign));
        others |= NOT_OF_ASH.iter().any(|sign| words.contains(sign));
    }
    match (awr, statspack) {
        (true, false) => Kind::Awr,
        (false, true) => Kind::Statspack,
        (false, false) if ash && !others => Kind::Ash,
        // Neither, or pieces of both.
        _ => Kind::Unknown,
    }
}

/// `Top Timed Events  First DB/Inst: A/a Snaps: 1-2 (...),  Second DB/Inst: A/a Snaps: 5-6 (...)`.
fn names_two_periods(line: &str) -> bool {
    const LABELS: [&str; 2] = ["First DB/Inst:", "Second DB/Inst:"];
    line.split_once(LABELS[0]).is_some_and(|(_, rest)| rest.contains(LABELS[1]))
}

/// Titles and headings that a report of a whole RAC database alone has.
const OF_ALL_INSTANCES: &[&str] = &[
    "System Statistics - Per Second",
    "System Statistics - Per Transaction",
    "Database Instances Included In Report",
];

/// Are pieces that stand without a head of a report of a whole RAC database?
pub(crate) fn are_of_all_instances(lines: &[Line<'_>]) -> bool {
    let lines = lines.iter().take(MOST_PIECES).filter(|l| matches!(l.first, b'S' | b'D'));
    lines.map(|l| l.text.trim_ascii_start()).any(|l| OF_ALL_INSTANCES.iter().any(|sign| l.starts_with(sign)))
}

/// No title or line of headings is longer.
const HEADING_LENGTH: usize = 200;

/// Tags in statements of one report at most; of a text with more no more are looked at.
const MOST_OF_STATEMENTS: u32 = 10_000;

/// Is the text a page with tables?
pub(crate) fn is_html(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut cell, mut table, mut html, mut body) = (false, false, false, false);
    // Statements of a report in text may write pages.
    let begins = text.trim_ascii_start().as_bytes().first();
    let mut of_statements = if begins == Some(&b'<') { MOST_OF_STATEMENTS } else { 0 };
    for at in memchr_iter(b'<', bytes) {
        let tag = &bytes[at + 1..];
        let is_cell = [b"td", b"TD", b"Td"].iter().any(|t| tag.starts_with(*t));
        let is_table = [b"table", b"TABLE", b"Table"].iter().any(|t| tag.starts_with(*t));
        let (is_html, is_body) = (tag.starts_with(b"html"), tag.starts_with(b"body"));
        let tells = is_cell && !cell || is_table && !table || is_html && !html || is_body && !body;
        if !tells {
            continue;
        }
        if of_statements < MOST_OF_STATEMENTS && statement_text::holds(text, at) {
            of_statements += 1;
            continue;
        }
        cell |= is_cell;
        table |= is_table;
        html |= is_html;
        body |= is_body;
        if cell && table || html && body {
            return true;
        }
    }
    false
}

/// Does a head of a report stand in the text?
pub(crate) fn has_head(text: &str) -> bool {
    HEADS.iter().any(|(words, _)| memchr::memmem::find(text.as_bytes(), words.as_bytes()).is_some())
}

/// Where the head of such a report stands, in bytes.
const TOP_BYTES: usize = 16 << 10;
/// In so many lines nearly every report in text has named itself.
const FIRST_LINES: usize = 8;

/// The database and the tool whose report this is, where it is none of Oracle: some print snapshots in its words.
pub(crate) fn of_another_database(text: &str) -> Option<&'static str> {
    const WDR: &str = "openGauss or GaussDB (WDR)";
    /// What is looked for, words that a line with it begins with, and others that stand there, too.
    const HEADS_OF_OTHERS: &[(&str, &[&str], &str, &str)] = &[
        ("PGSNAP DB Report for", &["PGSNAP"], "", "PostgreSQL (PGSNAP)"),
        ("Postgres profile report", &["Postgres"], "", "PostgreSQL (pg_profile)"),
        ("Workload Diagnosis Report", &["Workload", "WDR", "openGauss"], "", WDR),
        ("Top 10 Events by Total Wait Time", &["Top"], "Total Wait Time(us)", WDR),
        ("DB Time(us)", &["DB Time(us)"], "SQL response time P", WDR),
    ];
    // At the top of it: every report passes here.
    let most = text.len().min(TOP_BYTES);
    let top = (0..4).find_map(|less| text.get(..most.saturating_sub(less)))?;
    if top.lines().take(FIRST_LINES).any(|line| kind_of_head(line).is_some()) {
        return None;
    }
    let holds = |words: &str| memchr::memmem::find(top.as_bytes(), words.as_bytes()).is_some();
    let others = HEADS_OF_OTHERS.iter().find(|(words, begins, also, _)| {
        let is_head = |line: &str| {
            let line = behind_tags(line).trim_matches(['-', '=', '#', '*', '|', ' ', '\t']);
            line.contains(words) && begins.iter().any(|begin| line.starts_with(begin))
        };
        holds(words) && holds(also) && top.lines().any(is_head)
    })?;
    (!has_head(text)).then_some(others.3)
}

/// What a line of a page says behind the tags that it begins with.
fn behind_tags(line: &str) -> &str {
    let mut rest = line.trim_ascii_start();
    while let Some((_, behind)) = rest.strip_prefix('<').and_then(|tag| tag.split_once('>')) {
        rest = behind.trim_ascii_start();
    }
    rest
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
    HEADS.iter().any(|(words, _)| head.contains(words))
        || SIGNS.iter().any(|s| head.contains(s))
        || holds_ratios(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of a Statspack report was called an AWR report.
    #[test]
    fn pieces_are_of_a_kind_only_where_one_alone_prints_them() {
        let kind = |text: &str| kind_of_pieces(&crate::layout::text_sections::lines(text));
        assert_eq!(kind("Event          Waits    Time (s)   (ms)   Time\n"), Kind::Statspack);
        assert_eq!(kind("Event          Waits    Time (s)   (ms)   Time Wait Class\n"), Kind::Awr);
        assert_eq!(kind("SQL ordered by Gets  DB/Inst: X/x  Snaps: 1-2\n"), Kind::Unknown);
        // The events of AWR in a note were called Statspack's, and their shares those of the call time.
        let events = "| Event | Waits | %Time -outs | Total Wait Time (s) | Avg wait (ms) | Waits /txn | % DB time |\n";
        assert_eq!(kind(events), Kind::Awr);
        assert_eq!(kind(&events.replace(" | ", "\t").replace('|', "")), Kind::Awr);
        assert_eq!(
            kind("Statistic                                       Time (s) % DB time\n"),
            Kind::Statspack
        );
        assert_eq!(kind("Enqueue activity\nEnqueue Activity\n"), Kind::Unknown, "of both");
    }

    #[test]
    fn reports_of_other_databases_are_told_by_their_heads() {
        let other = of_another_database;
        assert_eq!(other("--------- PGSNAP DB Report for: \nBegin Snap: 22\n"), Some("PostgreSQL (PGSNAP)"));
        assert_eq!(other("Begin Snap: 22\nas the PGSNAP DB Report for X says\n"), None);
        assert_eq!(other("WORKLOAD REPOSITORY report for\nPGSNAP DB Report for\n"), None);
        // One that heads its events in the words of AWR was taken for it, with IOPS of its I/O profile.
        let wdr = Some("openGauss or GaussDB (WDR)");
        assert_eq!(
            other("<html lang=\"en\"><head><title>openGauss WDR Workload Diagnosis Report</title>\n"),
            wdr
        );
        assert_eq!(other("<h1 class=\"wdr\">Workload Diagnosis Report</h1>\n"), wdr);
        assert_eq!(
            other("## Top 10 Events by Total Wait Time\n\n| Event | Waits | Total Wait Time(us) |\n"),
            wdr
        );
        assert_eq!(other("Top 10 Events by Total Wait Time\n\nEvent  Waits  Time (s)\n"), None);
        // Its load profile alone was that of an AWR report.
        let profile = "Load Profile\n| DB Time(us) | 100 | 50 |\n| SQL response time P95(us) | 150000 |\n";
        assert_eq!(other(profile), wdr);
    }

    #[test]
    fn the_longer_head_wins() {
        assert_eq!(kind_of_head("WORKLOAD REPOSITORY COMPARE PERIOD REPORT"), Some(Kind::AwrCompare));
        assert_eq!(kind_of_head("WORKLOAD REPOSITORY SQL Report"), Some(Kind::AwrSql));
        assert_eq!(kind_of_head("WORKLOAD REPOSITORY PDB report (root snapshots)"), Some(Kind::Awr));
        assert_eq!(kind_of_head("nothing of the kind"), None);
    }
}
