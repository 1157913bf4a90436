//! I/O profile: each number with the account that it came from, and which accounts agree.

use super::table::{Cell, Table};
use super::{empty, section};
use crate::chart::put;
use crate::escape::{push_html, push_prose};
use crate::{Subject, head, number};
use spindle_diagnosis::{Account, IoFigure};
use spindle_facts::IoActivity;

/// Name, unit, value, how it is shown.
type Figure<'a> = (&'a str, &'a str, &'a Option<IoFigure>, fn(f64) -> String);

pub(super) fn render(subject: Subject<'_>, prefix: &str) -> String {
    let mut out = section(prefix, "io", "I/O profile");
    let io = &subject.diagnosis.io_profile;
    // Whose requests: old releases and damaged reports tell those of data and temp files alone.
    let of = |figure: &Option<IoFigure>, all: &'static str, data: &'static str| {
        if figure.as_ref().is_some_and(IoFigure::is_of_data_files) { data } else { all }
    };
    let reads = of(&io.read_iops, "Reads, all processes", "Reads of data and temp files");
    let read = of(&io.read_mbps, "Read, all processes", "Read from data and temp files");
    let written = of(&io.write_mbps, "Written, redo included", "Written to data and temp files, no redo");
    let writes = of(&io.write_iops, "Writes, redo included", "Writes to data and temp files, no redo");
    let figures: [Figure<'_>; 10] = [
        (reads, "requests/s", &io.read_iops, number::measure),
        (writes, "requests/s", &io.write_iops, number::measure),
        ("Redo writes", "requests/s", &io.redo_write_iops, number::measure),
        (read, "MB/s", &io.read_mbps, number::measure),
        (written, "MB/s", &io.write_mbps, number::measure),
        ("Redo written", "MB/s", &io.redo_write_mbps, number::measure),
        ("Single-block share of reads", "%", &io.small_read_share_pct, number::percent),
        ("Single-block read, mean", "ms", &io.single_block_read_us, number::ms),
        ("Multi-block read, mean", "ms", &io.multi_block_read_us, number::ms),
        ("Log write, mean", "ms", &io.log_write_us, number::ms),
    ];
    if figures.iter().all(|f| f.2.is_none()) {
        let why = head::no_profile(subject.report);
        empty(&mut out, &format!("There is no profile: {why}."));
    } else {
        let mut table = Table::new(
            "How much I/O, how large, how fast?",
            &["Quantity", ">Value", "Unit", "Read from", "Line"],
            20,
        );
        for (name, unit, figure, show) in figures {
            match figure {
                Some(f) => table.row(
                    "",
                    &[
                        Cell::Text(name),
                        Cell::Number(match head::coarse(f, show) {
                            Some(range) => format!("{} ({range})", show(f.value)),
                            None => head::figure(Some(f), show),
                        }),
                        Cell::Text(unit),
                        Cell::Text(&f.account),
                        Cell::Place(&f.account, f.line),
                    ],
                ),
                None => table.row(
                    "",
                    &[
                        Cell::Text(name),
                        Cell::Number(number::UNKNOWN.into()),
                        Cell::Text(unit),
                        Cell::Text("in no section that was read"),
                        Cell::Text(""),
                    ],
                ),
            }
        }
        let value = |f: &Option<IoFigure>| f.as_ref().map(|f| f.value);
        for (name, mbps, iops) in [
            ("Mean read size", &io.read_mbps, &io.read_iops),
            ("Mean write size", &io.write_mbps, &io.write_iops),
        ] {
            let data = |f: &Option<IoFigure>| f.as_ref().map(IoFigure::is_of_data_files);
            // Bytes of some files over requests of all of them are no size.
            if data(mbps) == data(iops)
                && let (Some(mbps), Some(iops)) = (value(mbps), value(iops).filter(|v| *v > 0.0))
            {
                table.row(
                    "",
                    &[
                        Cell::Text(name),
                        Cell::Number(number::measure(mbps * 1e6 / iops / 1024.0)),
                        Cell::Text("KiB"),
                        Cell::Text("MB/s over requests/s, both above"),
                        Cell::Text(""),
                    ],
                );
            }
        }
        table.finish(&mut out);
        if subject.report.identity.scope == spindle_facts::Scope::Container {
            out.push_str(
                "<p>Of a pluggable database alone: writes and redo of the container's processes are in none of it.</p>",
            );
        }
    }
    accounts(&mut out, subject);
    functions(&mut out, subject);
    commit(&mut out, subject);
    out.push_str("</section>");
    out
}

fn accounts(out: &mut String, subject: Subject<'_>) {
    let (several, single): (Vec<_>, Vec<_>) = subject.diagnosis.accounts.iter().partition(|a| a.by.len() > 1);
    if several.is_empty() {
        empty(
            out,
            "Accounts: no quantity is printed in more than one section, so none can be checked against another.",
        );
        return;
    }
    let (agree, mut differ): (Vec<_>, Vec<_>) = several.into_iter().partition(|a| a.agree);
    differ.sort_by(|a, b| b.gap_pct.unwrap_or(0.0).total_cmp(&a.gap_pct.unwrap_or(0.0)));
    out.push_str("<h3>Do the report's own accounts agree?</h3>");
    if !differ.is_empty() {
        let small = differ.iter().filter(|a| a.gap_pct.is_some_and(|g| g <= head::WORTH_SAYING_PCT)).count();
        put!(
            out,
            "<p>{} do not agree within rounding, {small} of them by no more than {} %; the widest gap first:</p>",
            differ.len(),
            head::WORTH_SAYING_PCT
        );
        account_table(out, &differ);
    }
    if !agree.is_empty() {
        put!(out, "<details><summary>{} do, within rounding</summary>", agree.len());
        account_table(out, &agree);
        out.push_str("</details>");
    }
    if !single.is_empty() {
        out.push_str("<p class=q>Printed once only, so not checked: ");
        let names: Vec<&str> = single.iter().take(30).map(|a| a.quantity.as_str()).collect();
        push_html(out, &crate::escape::clip(&names.join("; "), 1000));
        out.push_str(".</p>");
    }
}

fn account_table(out: &mut String, accounts: &[&Account]) {
    let mut table =
        Table::new("", &["Quantity", "Account", ">Value", ">Gap (%)", "Agrees", "Line", "Why this one"], 60);
    for account in accounts {
        let standard = account.by.iter().find(|v| account.used.as_ref() == Some(&v.section)).map(|v| v.value);
        for (i, by) in account.by.iter().enumerate() {
            let gap = standard.filter(|s| *s != 0.0).map(|s| 100.0 * (by.value - s) / s);
            let used = account.used.as_deref() == Some(by.section.as_str());
            let mark = match (used, by.agrees) {
                (true, _) => "used",
                (false, true) => "yes",
                (false, false) => "no",
            };
            table.row(
                if i == 0 { "grp" } else { "" },
                &[
                    Cell::Text(if i == 0 { &account.quantity } else { "" }),
                    Cell::Text(&by.section),
                    Cell::Number(number::measure(by.value)),
                    Cell::known(gap.filter(|_| !used), |g| number::fixed(g, 1)),
                    Cell::Text(mark),
                    Cell::Place(&by.section, by.line),
                    Cell::Prose(if used { &account.because } else { "" }),
                ],
            );
        }
    }
    table.finish(out);
}

fn functions(out: &mut String, subject: Subject<'_>) {
    let tables = &subject.report.tables;
    for (rows, question) in [
        (&tables.io_function, "Which function of the database does the I/O?"),
        (&tables.io_filetype, "Which kind of file does the I/O go to?"),
    ] {
        if rows.is_empty() {
            continue;
        }
        let mbps = |v: Option<f64>| Cell::known(v.map(|b| b / 1e6), number::plain);
        let mut rows: Vec<&IoActivity> = rows.iter().collect();
        let size = |r: &IoActivity| r.reads_per_s.unwrap_or(0.0) + r.writes_per_s.unwrap_or(0.0);
        rows.sort_by(|a, b| a.is_total.cmp(&b.is_total).then(size(b).total_cmp(&size(a))));
        let section = subject.report.section_title(rows[0].section);
        out.push_str("<details><summary>");
        push_html(out, question);
        out.push_str("</summary>");
        let mut table = Table::new(
            &format!("From \"{section}\""),
            &[
                "",
                ">Reads/s",
                ">Read MB/s",
                ">Writes/s",
                ">Written MB/s",
                ">Waits",
                ">Wait (ms)",
                ">Small read (ms)",
                ">Large read (ms)",
                "Line",
            ],
            24,
        );
        for row in rows {
            let name = row.function.as_deref().or(row.filetype.as_deref()).unwrap_or("all");
            let name =
                row.instance_number.map_or_else(|| name.to_owned(), |n| format!("{name}, instance {n}"));
            table.row(
                if row.is_total { "tot" } else { "" },
                &[
                    Cell::Text(&name),
                    Cell::known(row.reads_per_s, number::plain),
                    mbps(row.read_bytes_per_s),
                    Cell::known(row.writes_per_s, number::plain),
                    mbps(row.write_bytes_per_s),
                    Cell::known(row.waits, number::count),
                    Cell::known(row.avg_wait_us, number::ms_plain),
                    Cell::known(row.small_read_us, number::ms_plain),
                    Cell::known(row.large_read_us, number::ms_plain),
                    Cell::Place(section, row.line),
                ],
            );
        }
        table.finish(out);
        out.push_str("</details>");
    }
}

fn commit(out: &mut String, subject: Subject<'_>) {
    let commit = &subject.diagnosis.commit;
    let verdict = match commit.outcome {
        "writes_explain_it" => "They can.",
        "excess" => "Not all of it.",
        "below_model" => "The wait is shorter than commits that arrive independently would see.",
        "measured" => "The database itself measured the parts.",
        "no_commits" => "No session waited for a commit.",
        _ => "That cannot be told from this report.",
    };
    put!(out, "<h3>Commit: do the log writes explain the wait?</h3><p><b>{verdict}</b> ");
    push_prose(out, &crate::escape::clip(&sentence(&commit.because), 600));
    out.push_str("</p>");
    if commit.sync_us.is_none() && commit.write_us.is_none() {
        return;
    }
    let mut table = Table::new("", &["", ">ms"], 8);
    let bounds = &commit.bounds;
    for (name, us, bounds) in [
        ("log file sync, mean wait", commit.sync_us, bounds.sync_us),
        ("log file parallel write, mean", commit.write_us, bounds.write_us),
        (
            "commit wait as measured by the database (redo synch time)",
            commit.measured_sync_us,
            bounds.measured_sync_us,
        ),
        ("of which after the log writer was done (overhead)", commit.measured_overhead_us, None),
    ] {
        if us.is_some() {
            table.row("", &[Cell::Text(name), Cell::Number(number::mean_ms(us, bounds))]);
        }
    }
    if let Some(range) = commit.explained_us {
        let text = number::range_ms(range);
        table.row(
            "",
            &[
                Cell::Text("commit wait that the writes can explain"),
                Cell::Number(text.trim_end_matches(" ms").to_owned()),
            ],
        );
    }
    table.finish(out);
}

/// A clause as a sentence: capital letter, full stop.
fn sentence(clause: &str) -> String {
    let mut chars = clause.trim().chars();
    let Some(first) = chars.next() else { return String::new() };
    let mut out: String = first.to_uppercase().chain(chars).collect();
    if !out.ends_with(['.', '!', '?']) {
        out.push('.');
    }
    out
}
