//! Who, where and when: the header block, which moves between releases.

use super::context::Context;
use super::time;
use crate::cell::split_spoken;
use crate::grid::{Grid, fold};
use crate::layout::text_sections::Line;
use memchr::memmem;
use spindle_facts::{Identity, Note, Report, Scope};

/// What the heading line and the page title tell.
pub(crate) fn from_head(identity: &mut Identity, head: &str, page_title: &str) {
    if head.contains("PDB report") || head.contains("PDB Report") {
        identity.scope = Scope::Container;
    } else if head.contains("(RAC)") {
        identity.scope = Scope::Database;
        identity.rac = Some(true);
    }
    // `AWR Report for DB: X, Inst: Y, Snaps: a-b`
    let after = |label: &str| {
        let at = page_title.find(label)? + label.len();
        let rest = page_title[at..].trim_start();
        let end = rest.find(',').unwrap_or(rest.len());
        Some(rest[..end].trim().to_owned()).filter(|t| !t.is_empty())
    };
    identity.db_name = after("DB:");
    identity.instance = after("Inst:");
    if let Some((begin, end)) = after("Snaps:").as_deref().and_then(|s| s.split_once('-')) {
        identity.begin_snap = begin.trim().parse().ok();
        identity.end_snap = end.trim().parse().ok();
    }
}

/// What stands behind a text title: `DB/Inst: ORCL/orcl1  Snaps: 2-3`,
/// `for DB: ORAKIC  Instance: orakic  Snaps: 3 -4`.
pub(crate) fn from_trailer(identity: &mut Identity, trailer: &str) {
    if trailer.is_empty() || (identity.db_name.is_some() && identity.end_snap.is_some()) {
        return;
    }
    let word = |label: &str| {
        let at = trailer.find(label)? + label.len();
        trailer[at..].split_whitespace().next().map(str::to_owned)
    };
    if let Some(pair) = word("DB/Inst:")
        && let Some((db, instance)) = pair.split_once('/')
    {
        identity.db_name.get_or_insert_with(|| db.to_owned());
        identity.instance.get_or_insert_with(|| instance.to_owned());
    }
    if let (Some(db), Some(instance)) = (word("for DB:"), word("Instance:")) {
        identity.db_name.get_or_insert(db);
        identity.instance.get_or_insert(instance);
    }
    if let Some(at) = trailer.find("Snaps:") {
        let mut ends = trailer[at + 6..].split('-').map(str::trim);
        if let (Some(begin), Some(end)) = (ends.next(), ends.next())
            && let (Ok(begin), Ok(end)) =
                (begin.parse::<u64>(), end.split_whitespace().next().unwrap_or("").parse::<u64>())
        {
            identity.begin_snap.get_or_insert(begin);
            // Long titles are cut at the width of the page, inside the number: another title has all of it.
            if end >= begin {
                identity.end_snap.get_or_insert(end);
            }
        }
    }
}

/// Database, instance and snapshots as printed behind a title.
#[derive(Clone, Copy)]
pub(crate) struct Printed<'t> {
    db: &'t str,
    instance: &'t str,
    /// `None` where the section is of the last snapshot alone.
    begin: Option<u64>,
    /// The last digits may be cut off.
    end: &'t str,
}

impl<'t> Printed<'t> {
    /// Of `DB/Inst: ORCL/orcl1  Snaps: 2-3`, `for DB: ORCL  Instance: orcl1  Snaps: 2 -3` or, where names were taken
    /// out, `Snaps: 2-3`; advisories and limits have `Snap: 3`, or `End Snap: 3`. `None` where not all of it stands
    /// there.
    pub(crate) fn of(trailer: &'t str) -> Option<Self> {
        let (db, instance) = if let Some(behind) = trailer.strip_prefix("DB/Inst:") {
            behind.split_ascii_whitespace().next()?.split_once('/')?
        } else if let Some(behind) = trailer.strip_prefix("for DB:") {
            let mut words = behind.split_ascii_whitespace();
            (words.next()?, words.by_ref().skip_while(|word| *word != "Instance:").nth(1)?)
        } else if trailer.starts_with("Snaps:") {
            ("", "")
        } else {
            return None;
        };
        let bytes = trailer.as_bytes();
        let ends = |label: &[u8]| memchr::memchr_iter(b':', bytes).find(|at| bytes[..*at].ends_with(label));
        let first = |text: &'t str| text.split_ascii_whitespace().next().unwrap_or("");
        if let Some(at) = ends(b"Snaps") {
            let (begin, end) = trailer[at + 1..].split_once('-')?;
            return Some(Self { db, instance, begin: Some(begin.trim().parse().ok()?), end: first(end) });
        }
        let end = first(&trailer[ends(b"Snap")? + 1..]);
        let number = !end.is_empty() && end.bytes().all(|b| b.is_ascii_digit());
        number.then_some(Self { db, instance, begin: None, end })
    }

    /// The number of the first snapshot.
    pub(crate) fn begin(&self) -> Option<u64> {
        self.begin
    }

    /// Is it of another report than what is known so far?
    pub(crate) fn contradicts(&self, known: &Identity) -> bool {
        // Long names are cut off.
        let other = |printed: &str, known: Option<&str>| {
            known.is_some_and(|known| {
                let length = known.len().min(printed.len());
                !known.as_bytes()[..length].eq_ignore_ascii_case(&printed.as_bytes()[..length])
            })
        };
        let ends = |known: u64| {
            // Nearly always whole, and digits alone.
            let whole = self.end.starts_with(|c| matches!(c, '1'..='9')) && self.end.parse() == Ok(known);
            whole || known.to_string().starts_with(self.end)
        };
        known.begin_snap.zip(self.begin).is_some_and(|(known, own)| known != own)
            || known.end_snap.is_some_and(|end| !ends(end))
            || other(self.db, known.db_name.as_deref()) && other(self.instance, known.instance.as_deref())
    }
}

/// The number of the snapshot that a report begins with.
pub(crate) fn begin_snapshot(text: &str) -> Option<u64> {
    let at = memmem::find(text.as_bytes(), b"Begin Snap:")?;
    text[at + 11..].split_ascii_whitespace().next()?.replace(',', "").parse().ok()
}

/// Is it the row of a snapshot, as the head of a report has it?
pub(crate) fn is_snapshot(text: &str) -> bool {
    let text = text.trim_ascii_start();
    text.starts_with("Begin Snap:") || text.starts_with("End Snap:")
}

/// The time from the first snapshot to the last, minutes, and half a unit of its last digit.
pub(crate) fn elapsed_minutes(text: &str) -> Option<(f64, f64)> {
    minutes_after(text, "Elapsed:")
}

/// DB time, minutes, and half a unit of its last digit.
pub(crate) fn db_minutes(text: &str) -> Option<(f64, f64)> {
    DB_TIMES.iter().find_map(|label| minutes_after(text, label))
}

/// How heads of reports call DB time.
const DB_TIMES: [&str; 2] = ["DB Time:", "DB time:"];

/// The database's row below its headings, word by word: names that were changed before a report was
/// passed on are no more as long as they were, and the row stands beside its columns.
pub(crate) fn from_words(identity: &mut Identity, lines: &[Line<'_>]) {
    const HEADINGS: [&str; 3] =
        ["dbnamedbidinstanceinstnum", "databasedbidinstanceinstnum", "dbnamedbidinstanceinst#"];
    let is_head = |l: &&Line<'_>| {
        l.first == b'D' && {
            let folded = fold(l.text);
            HEADINGS.iter().any(|h| folded.starts_with(h))
        }
    };
    let Some(at) = lines.iter().position(|l| is_head(&l)) else { return };
    let headings = fold(lines[at].text);
    let mut below = lines[at + 1..].iter();
    let (Some(ruler), Some(row)) = (below.next(), below.next()) else { return };
    if !ruler.marks.is_ruler() || row.is_blank() {
        return;
    }
    let mut words = row.text.split_ascii_whitespace();
    let (Some(db), Some(id), Some(instance), Some(number)) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return;
    };
    let (Ok(id), Ok(number)) = (id.parse(), number.parse()) else { return };
    let rest: Vec<&str> = words.collect();
    let is_release = |w: &&&str| {
        w.bytes().filter(|b| *b == b'.').count() >= 3 && w.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    };
    let release = rest.iter().position(|w| is_release(&w));
    identity.db_name.get_or_insert_with(|| db.to_owned());
    identity.db_id.get_or_insert(id);
    identity.instance.get_or_insert_with(|| instance.to_owned());
    identity.instance_number.get_or_insert(number);
    if let Some(release) = release {
        identity.version.get_or_insert_with(|| rest[release].to_owned());
        if headings.contains("startuptime")
            && let Some(start) = time::parse(&rest[..release].join(" "))
        {
            identity.startup_time.get_or_insert_with(|| start.to_string());
        }
        if let Some(flag) = rest.get(release + 1) {
            identity.rac = identity.rac.or(yes(Some((*flag).to_owned())));
        }
        if headings.ends_with("host")
            && let Some(host) = rest.get(release + 2)
        {
            identity.host.get_or_insert_with(|| (*host).to_owned());
        }
    }
}

/// Labelled lines: snapshots, elapsed, DB time, and errors that the report prints inside itself.
pub(crate) fn from_line(report: &mut Report, text: &str, number: u32) {
    if memchr::memchr(b':', text.as_bytes()).is_none() {
        return;
    }
    // Few lines with a label hold either letter.
    let may_span = memchr::memchr2(b'w', b'V', text.as_bytes()).is_some();
    if may_span && (text.contains("span an instance shutdown") || text.contains("RESULTS ARE INVALID")) {
        report.identity.spans_restart = true;
        report.notes.push(Note {
            line: Some(number),
            section: None,
            message: "the snapshots span an instance shutdown".to_owned(),
            effect:
                "totals and times are not those of one interval: nothing computed from them can be trusted"
                    .to_owned(),
        });
    }
    let labels = label_ends(text.as_bytes());
    let identity = &mut report.identity;
    if labels.snapshot {
        if let Some(at) = memmem::find(text.as_bytes(), b"Begin Snap:") {
            snapshot(
                &text[at + 11..],
                &mut identity.begin_snap,
                &mut identity.begin_time,
                &mut identity.begin_sessions,
            );
        } else if let Some(at) = memmem::find(text.as_bytes(), b"End Snap:") {
            let Identity { end_snap, end_time, end_sessions, .. } = identity;
            snapshot(&text[at + 9..], end_snap, end_time, end_sessions);
        }
        if let Some(date) = text.split_ascii_whitespace().find(|word| time::is_uncertain(word)) {
            let message =
                format!("which number of the date {date} is the day, and which the month, cannot be told");
            if report.notes.iter().all(|note| note.message != message) {
                let effect = "the time of the snapshot is unknown".to_owned();
                report.notes.push(Note { line: Some(number), section: None, message, effect });
            }
        }
    }
    if labels.time {
        times(identity, text);
    }
    if labels.size {
        for label in ["Std Block Size:", "db_block_size:"] {
            if let Some(at) = text.find(label) {
                block_size(identity, text[at + label.len()..].trim());
            }
        }
    }
    if labels.name {
        host_line(identity, text);
    }
    if labels.cpus {
        host_cpus(identity, text);
    }
    if memchr::memchr(b'|', text.as_bytes()).is_some() {
        parted_line(identity, text);
    }
}

/// Which labels a line may hold, by how they end.
#[derive(Default)]
struct LabelEnds {
    snapshot: bool,
    time: bool,
    size: bool,
    name: bool,
    cpus: bool,
}

fn label_ends(line: &[u8]) -> LabelEnds {
    let mut ends = LabelEnds::default();
    for at in memchr::memchr_iter(b':', line) {
        match line.get(..at).unwrap_or_default() {
            [.., b' ', b'S', b'n', b'a', b'p'] => ends.snapshot = true,
            [.., b'E', b'l', b'a', b'p', b's', b'e', b'd']
            | [.., b'D', b'B', b' ', b'T' | b't', b'i', b'm', b'e'] => ends.time = true,
            [.., b' ', b'S', b'i', b'z', b'e'] | [.., b'_', b's', b'i', b'z', b'e'] => ends.size = true,
            [.., b'N', b'a', b'm', b'e'] => ends.name = true,
            [.., b'(', b'C', b'P', b'U', b's'] => ends.cpus = true,
            _ => {}
        }
    }
    ends
}

/// What the title of a section says of the host: `Host CPU (CPUs:   24 Cores:   12 Sockets:    2)`, in Statspack
/// `Host CPU  (CPUs: 24  Cores: 12  Sockets: 2)`.
fn host_cpus(identity: &mut Identity, text: &str) {
    let said = text.trim_start().strip_prefix("Host CPU").map(str::trim_start);
    let Some(said) = said.and_then(|said| said.strip_prefix('(')) else { return };
    let mut words = said.split([' ', ':', ')']).filter(|word| !word.is_empty());
    while let Some(label) = words.next() {
        let known = match label {
            "CPUs" => &mut identity.cpus,
            "Cores" => &mut identity.cores,
            "Sockets" => &mut identity.sockets,
            _ => return,
        };
        let count = words.next().and_then(|word| word.parse::<u32>().ok()).filter(|count| *count > 0);
        *known = known.or(count.map(f64::from));
    }
}

/// Elapsed and DB time in minutes, as the header's lines print them.
fn times(identity: &mut Identity, text: &str) {
    if let Some((minutes, _)) = elapsed_minutes(text) {
        identity.elapsed_s.get_or_insert(minutes * 60.0);
    }
    if let Some((minutes, half)) = db_minutes(text) {
        identity.db_time_s.get_or_insert(minutes * 60.0);
        identity.db_time_s_low.get_or_insert(((minutes - half) * 60.0).max(0.0));
        identity.db_time_s_high.get_or_insert((minutes + half) * 60.0);
    }
}

/// DB CPU as the header prints it in minutes, and half a unit of its last digit.
pub(crate) fn cpu_minutes(text: &str) -> Option<(f64, f64)> {
    minutes_after(text, "DB CPU:")
}

/// The host as Statspack of 10.2 prints it: `Host  Name:   db01   Num CPUs:    8   Phys Memory (MB):   32,768`.
fn host_line(identity: &mut Identity, text: &str) {
    let after = |label: &str| Some(text[text.find(label)? + label.len()..].trim_start());
    let (Some(name), Some(cpus)) = (after("Name:"), after("Num CPUs:")) else {
        return;
    };
    if !text.trim_start().starts_with("Host") {
        return;
    }
    let number = |text: &str| -> Option<f64> {
        let digits: String =
            text.split_whitespace().next()?.chars().filter(|c| !matches!(c, ',' | '.')).collect();
        digits.parse().ok()
    };
    let end = name.find("Num CPUs:").unwrap_or(name.len());
    let name = name[..end].trim();
    if identity.host.is_none() && !name.is_empty() {
        identity.host = Some(name.to_owned());
    }
    identity.cpus = identity.cpus.or(number(cpus));
    let memory = after("Phys Memory (MB):").and_then(number);
    identity.memory_bytes = identity.memory_bytes.or(memory.map(|mb| mb * 1_048_576.0));
}

/// `8K`, `8192`.
fn block_size(identity: &mut Identity, text: &str) {
    let word = text.split_whitespace().next().unwrap_or("");
    let bytes = match word.strip_suffix(['K', 'k']) {
        Some(kilo) => kilo.trim().parse::<u64>().ok().map(|k| k * 1024),
        None => word.replace(',', "").parse().ok(),
    };
    if identity.block_size_bytes.is_none() {
        identity.block_size_bytes = bytes.filter(|b| b.is_power_of_two() && (512..=65_536).contains(b));
    }
}

/// `4912 13-Mar-18 17:03:33   50   1.0`
fn snapshot(text: &str, id: &mut Option<u64>, at: &mut Option<String>, sessions: &mut Option<f64>) {
    let mut words = text.split_whitespace();
    let Some(number) = words.next().and_then(|w| w.replace(',', "").parse().ok()) else {
        return;
    };
    // People put a dash between the two.
    let between = |w: &&str| !matches!(*w, "-" | "--" | "\u{2013}" | "\u{2014}" | "@" | "at");
    let words: Vec<&str> = words.filter(between).collect();
    // Of two numbers before the time, either may be the snapshot's.
    if let [second, rest @ ..] = words.as_slice()
        && second.bytes().all(|b| b.is_ascii_digit())
        && (2..=3).any(|take| rest.get(..take).is_some_and(|t| time::parse(&t.join(" ")).is_some()))
    {
        return;
    }
    *id = Some(number);
    // A month of another language may be padded: two or three words make date and time. Two of three
    // are a day without its time.
    let padded = words.get(1).is_some_and(|w| !w.contains(':'));
    for take in if padded { [3, 2] } else { [2, 3] } {
        let Some(candidate) = words.get(..take) else {
            continue;
        };
        // A day whose time was cut off is no midnight.
        let clock = |w: &&str| w.starts_with(|c: char| c.is_ascii_digit()) && w.contains([':', '.']);
        if !candidate.iter().skip(1).any(clock) {
            continue;
        }
        // `05:00:13 PM`: the half of the day stands behind it.
        let half = words.get(take).filter(|w| ["am", "pm"].iter().any(|half| w.eq_ignore_ascii_case(half)));
        let taken = take + usize::from(half.is_some());
        if let Some(time) = time::parse(&words[..taken].join(" ")) {
            *at = Some(time.to_string());
            *sessions = words.get(taken).and_then(|w| whole(w));
            return;
        }
    }
}

/// A whole number, with or without marks between thousands. Where the sessions are blank, cursors per
/// session (`1.8`, `1,8`) stand next.
fn whole(word: &str) -> Option<f64> {
    let mut groups = word.split([',', '.']);
    let first = groups.next()?;
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let all = groups.clone().all(|g| g.len() == 3 && digits(g));
    (digits(first) && all).then(|| word.replace([',', '.'], "").parse().ok()).flatten()
}

/// The number of minutes behind a label, and half a unit of its last digit.
fn minutes_after(text: &str, label: &str) -> Option<(f64, f64)> {
    let at = memmem::find(text.as_bytes(), label.as_bytes())? + label.len();
    let rest = text[at..].trim_start();
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ',')).unwrap_or(rest.len());
    let (number, unit) = rest.split_at(end);
    // `(mins)`, or as people write it.
    let unit = unit.trim_ascii_start();
    let written = || matches!(unit.split(' ').next(), Some("min" | "mins" | "minutes"));
    if !unit.starts_with("(min") && !written() {
        return None;
    }
    minutes(number)
}

/// Minutes as the heads of reports print them, and half their last place: they have one or two decimals.
pub(crate) fn minutes(number: &str) -> Option<(f64, f64)> {
    let is_number = number.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','));
    if !is_number || !number.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    // `1,040.18` or `15,40`: the mark before one or two last digits is the decimal point.
    let point =
        number.rfind([',', '.']).filter(|p| number.len() - p - 1 != 3 || number[*p..].starts_with('.'));
    let (whole, fraction) = point.map_or((number, ""), |p| (&number[..p], &number[p + 1..]));
    let digits: String = whole.chars().filter(char::is_ascii_digit).collect();
    let value: f64 = format!("{digits}.{fraction}0").parse().ok()?;
    let places = i32::try_from(fraction.len()).unwrap_or(0);
    Some((value, 0.5 * 10_f64.powi(-places)))
}

/// Labels of times in minutes, which `(mins)` stands behind.
const TIMES: [&str; 3] = ["Elapsed", "DB Time", "DB time"];

/// Header tables, told by their headings: database, instance, host, snapshots. Returns rows read.
pub(crate) fn from_table(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    let mut rows = 0;
    for row in 0..grid.len() {
        let first = grid.cell(row, Some(0)).unwrap_or("");
        let snapshot_row = ["Begin Snap", "End Snap"].iter().any(|l| first.starts_with(l))
            || TIMES.iter().any(|l| first.starts_with(l)) && grid.row(row).iter().any(|c| c.contains("min"));
        if snapshot_row {
            let mut joined = match snapshot_cells(grid, row) {
                Some(named) => named,
                None => grid.row(row).iter().map(|c| c.trim()).collect::<Vec<_>>().join(" "),
            };
            // As people type it, without the colon.
            if TIMES.contains(&first.trim()) || matches!(first.trim(), "Begin Snap" | "End Snap") {
                joined.insert(first.trim().len(), ':');
            }
            from_line(context.report, &joined, grid.row_line(row));
            let identity = &context.report.identity;
            if first.starts_with("Begin Snap") && identity.begin_snap.is_none()
                || first.starts_with("End Snap") && identity.end_snap.is_none()
            {
                // Nothing was taken of it.
                continue;
            }
            let running = grid.column(&["instances"]).and_then(|c| grid.cell(row, Some(c)));
            if let Some(n) = running.and_then(|n| n.trim().parse::<u32>().ok()).filter(|n| *n > 0) {
                let most = &mut context.report.identity.running_instances;
                *most = Some(most.map_or(n, |so_far| so_far.max(n)));
            }
            rows += 1;
        }
    }
    if rows > 0 {
        // 12.1 prints CDB in the snapshot table; PDB reports the container's name.
        return rows;
    }
    if grid.is_empty() {
        return 0;
    }
    if grid.columns.len() == 2 {
        rows = details(grid, context);
        if rows > 0 {
            return rows;
        }
    }
    let at = |keys: &[&str]| grid.column(keys);
    let is_database =
        at(&["dbid"]).is_some() && at(&["release", "instance", "instnum", "uniquename"]).is_some();
    let is_instance = at(&["instance"]).is_some() && at(&["instnum"]).is_some();
    // The instances of a whole RAC database, where the title above them was not pasted.
    if context.report.identity.scope == Scope::Database
        && [&["release"], &["beginsnaptime"], &["endsnaptime"]].iter().all(|keys| at(*keys).is_some())
    {
        return super::rac::read_instances(grid, context);
    }
    let is_host = at(&["cpus"]).is_some() && at(&["platform"]).is_some();
    let is_container = at(&["containerdbid"]).is_some() && context.report.identity.scope == Scope::Container;
    let is_block = at(&["stdblocksize"]).is_some() && at(&["begin"]).is_none();
    // An error of SQL*Plus below the ruler is no database: `   :ela     :=  ;`.
    let is_named = || {
        let named = |cell: &str| cell.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '#'));
        let cells = [at(&["dbname", "database"]), at(&["instance"])].map(|column| grid.cell(0, column));
        cells.into_iter().flatten().all(named)
    };
    if (is_database || is_instance) && is_named() {
        let name = context.text(grid, 0, at(&["dbname", "database"]));
        let instance = context.text(grid, 0, at(&["instance"]));
        let number = context.id(grid, 0, at(&["instnum", "inst#"])).and_then(|n| u32::try_from(n).ok());
        let db_id = context.id(grid, 0, at(&["dbid"]));
        let version = context.text(grid, 0, at(&["release"]));
        let startup = context.text(grid, 0, at(&["startuptime"]));
        let rac = yes(context.text(grid, 0, at(&["rac", "cluster", "ops"])));
        let cdb = yes(context.text(grid, 0, at(&["cdb"])));
        let role = context.text(grid, 0, at(&["role", "dbrole"]));
        let host = context.text(grid, 0, at(&["host", "hostname"]));
        let identity = &mut context.report.identity;
        let set = |to: &mut Option<String>, from: Option<String>| {
            if from.is_some() {
                *to = from;
            }
        };
        set(&mut identity.db_name, name);
        set(&mut identity.instance, instance);
        set(&mut identity.version, version);
        set(&mut identity.role, role);
        set(&mut identity.host, host);
        identity.instance_number = number.or(identity.instance_number);
        identity.db_id = db_id.or(identity.db_id);
        identity.rac = rac.or(identity.rac);
        identity.cdb = cdb.or(identity.cdb);
        if let Some(start) = startup.as_deref().and_then(time::parse) {
            identity.startup_time = Some(start.to_string());
        }
        rows = 1;
    }
    if is_host {
        // Statspack underlines `Host Name` as a title, which leaves the name's own column without one.
        let platform = at(&["platform"]);
        let unnamed =
            platform.and_then(|c| c.checked_sub(1)).filter(|c| grid.columns[*c].name.trim().is_empty());
        let host = context.text(grid, 0, at(&["hostname", "host"]).or(unnamed));
        let platform = context.text(grid, 0, platform);
        let cpus = context.count(grid, 0, at(&["cpus"]));
        let cores = context.count(grid, 0, at(&["cores"]));
        let sockets = context.count(grid, 0, at(&["sockets"]));
        let memory = context.count(grid, 0, at(&["memorygb", "memoryg"]));
        let identity = &mut context.report.identity;
        identity.host = host.or(identity.host.take());
        identity.platform = platform.or(identity.platform.take());
        identity.cpus = cpus.or(identity.cpus);
        identity.cores = cores.or(identity.cores);
        identity.sockets = sockets.or(identity.sockets);
        identity.memory_bytes = memory.map(|g| g * 1_073_741_824.0).or(identity.memory_bytes);
        rows = 1;
    }
    if is_container && let Some(name) = context.text(grid, 0, at(&["containername"])) {
        context.report.identity.container = Some(name);
        rows = 1;
    }
    if is_block && let Some(size) = grid.cell(0, at(&["stdblocksize"])) {
        block_size(&mut context.report.identity, size);
        rows = rows.max(1);
    }
    rows
}

/// The cells of a snapshot's row in the order of all releases, where their headings tell them.
fn snapshot_cells(grid: &Grid<'_>, row: usize) -> Option<String> {
    let label = grid.cell(row, Some(0)).filter(|first| first.trim_end_matches(':').ends_with("Snap"))?;
    let id = grid.cell(row, grid.column(&["snapid"]))?.trim();
    let when = grid.cell(row, grid.column(&["snaptime"]))?.trim();
    let is_id = !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit() || b == b',');
    if !is_id || time::parse(when).is_none() {
        return None;
    }
    let sessions = grid.cell(row, grid.column(&["sessions"])).unwrap_or("").trim();
    Some(format!("{} {id} {when} {sessions}", label.trim()))
}

/// What people list of a database, one label and its value a row: `DB Name | TILL`. Returns rows read.
#[cold]
fn details(grid: &Grid<'_>, context: &mut Context<'_>) -> u32 {
    /// Fewer labels may be of anything.
    const LEAST: usize = 3;
    let labels: Vec<String> =
        (0..grid.len()).map(|row| fold(grid.cell(row, Some(0)).unwrap_or(""))).collect();
    let of_database =
        |label: &str| matches!(label, "dbname" | "databasename" | "dbid" | "instance" | "release");
    let is_known = |label: &str| {
        of_database(label)
            || matches!(
                label,
                "host" | "hostname" | "platform" | "cpus" | "cores" | "sockets" | "memory" | "rac" | "cdb"
            )
    };
    if labels.iter().filter(|label| is_known(label)).count() < LEAST
        || labels.iter().filter(|label| of_database(label)).count() < 2
    {
        return 0;
    }
    let identity = &mut context.report.identity;
    let mut rows = 0;
    for (row, label) in labels.iter().enumerate() {
        let value = grid.cell(row, Some(1)).unwrap_or("").trim();
        if value.is_empty() {
            continue;
        }
        rows += u32::from(detail(identity, label, value));
    }
    rows
}

/// Takes what a label of somebody's own list says; tells whether it is one that is known.
#[cold]
fn detail(identity: &mut Identity, label: &str, value: &str) -> bool {
    let first = value.split(' ').next().unwrap_or("");
    let text = || Some(value.to_owned());
    let number = || split_spoken(value).filter(|(number, _)| *number > 0.0);
    let only = || number().filter(|(_, unit)| unit.is_empty()).map(|(number, _)| number);
    match label {
        "dbname" | "databasename" => identity.db_name = identity.db_name.take().or_else(text),
        "dbid" => identity.db_id = identity.db_id.or(first.parse().ok()),
        "instance" => identity.instance = identity.instance.take().or_else(text),
        "release" => {
            let is_release = first.contains('.') && first.bytes().all(|b| b.is_ascii_digit() || b == b'.');
            let release = is_release.then(|| first.to_owned());
            identity.version = identity.version.take().or(release);
        }
        "host" | "hostname" => identity.host = identity.host.take().or_else(text),
        "platform" => identity.platform = identity.platform.take().or_else(text),
        "cpus" => identity.cpus = identity.cpus.or_else(only),
        "cores" => identity.cores = identity.cores.or_else(only),
        "sockets" => identity.sockets = identity.sockets.or_else(only),
        "memory" => {
            let gigabytes = number().filter(|(_, unit)| matches!(unit.trim(), "GB" | "G"));
            identity.memory_bytes = identity.memory_bytes.or(gigabytes.map(|(g, _)| g * 1_073_741_824.0));
        }
        "rac" => identity.rac = identity.rac.or(yes(text())),
        "cdb" => identity.cdb = identity.cdb.or(yes(text())),
        _ => return false,
    }
    true
}

/// What people write of a database on one line, parted by bars: `DB Name: TILL | Release: 19.11 | CPUs: 32`.
#[cold]
fn parted_line(identity: &mut Identity, text: &str) {
    let mut parts = Vec::new();
    for part in text.split('|') {
        let Some((label, value)) = part.split_once(':') else { return };
        let (label, value) = (fold(label), value.trim());
        if label.is_empty() || value.is_empty() {
            return;
        }
        parts.push((label, value));
    }
    // A single one may be of anything.
    if parts.len() < 2 {
        return;
    }
    for (label, value) in parts {
        match label.as_str() {
            "snap" | "snaps" | "snapshots" => {
                let mut ids = value.split(|c: char| !c.is_ascii_digit()).filter(|id| !id.is_empty());
                if let (Some(Ok(begin)), Some(Ok(end)), None) =
                    (ids.next().map(str::parse::<u64>), ids.next().map(str::parse::<u64>), ids.next())
                    && begin < end
                {
                    identity.begin_snap.get_or_insert(begin);
                    identity.end_snap.get_or_insert(end);
                }
            }
            "dbversion" | "version" => {
                let version = value.trim_start_matches("Oracle").trim_start_matches("Database");
                detail(identity, "release", version.trim());
            }
            label => {
                detail(identity, label, value);
            }
        }
    }
}

fn yes(text: Option<String>) -> Option<bool> {
    match text?.to_ascii_uppercase().as_str() {
        "YES" | "Y" => Some(true),
        "NO" | "N" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{minutes_after, whole};

    #[test]
    fn cursors_per_session_are_no_sessions() {
        assert_eq!((whole("88"), whole("1,088"), whole("1.088")), (Some(88.0), Some(1_088.0), Some(1_088.0)));
        assert_eq!((whole("1.8"), whole("1,8"), whole(".1"), whole("")), (None, None, None, None));
    }

    #[test]
    fn minutes_with_either_decimal_mark() {
        let value = |t| minutes_after(t, "Elapsed:").map(|m| m.0);
        assert_eq!(value("Elapsed:      15.40 (mins)"), Some(15.4));
        assert_eq!(value("Elapsed:      15,40 (mins)"), Some(15.4));
        assert_eq!(value("Elapsed:   1,040.18 (mins)"), Some(1_040.18));
        assert_eq!(value("Elapsed:       0.18 (mins) Av Act Sess: 0.8"), Some(0.18));
        assert_eq!(value("Elapsed: 12 seconds"), None);
        assert_eq!(value("Elapsed: 60.04 minutes"), Some(60.04));
        assert_eq!(value("Elapsed: 60.04 minus"), None);
    }
}
