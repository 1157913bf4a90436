//! HTML reports as mail programs, wikis, editors and printers change them: empty paragraphs, page marks, captions,
//! cells over columns, ends of tables left out. All names and figures are invented.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::{Report, SectionStatus};

fn read(page: &str) -> Vec<Report> {
    spindle_evidence::read("page", page.as_bytes()).reports
}

fn one(page: &str) -> Report {
    let mut reports = read(page);
    assert_eq!(reports.len(), 1, "{page}");
    reports.remove(0)
}

/// A page of a title, and of sections with what stands between their titles and tables.
fn page(between: &str) -> String {
    let sections = [TIMES, EVENTS, HISTOGRAM, PARAMETERS].map(|(title, table)| {
        format!("<h3 class=\"awr\">{title}</h3>\n{between}<table border=\"0\">{table}</table>\n")
    });
    format!("<html><body>{HEAD}{}</body></html>", sections.concat())
}

const HEAD: &str = "<h1>WORKLOAD REPOSITORY report for</h1>\n<table><tr><th>DB Name</th><th>DB Id</th>\
    <th>Instance</th><th>Inst num</th><th>Startup Time</th><th>Release</th><th>RAC</th></tr>\
    <tr><td>TILL</td><td>2629620001</td><td>till</td><td>1</td><td>22-Jan-19 16:49</td><td>11.2.0.4.0</td>\
    <td>NO</td></tr></table>\n<table><tr><th></th><th>Snap Id</th><th>Snap Time</th><th>Sessions</th>\
    <th>Cursors/Session</th></tr><tr><td>Begin Snap:</td><td>310</td><td>23-Jan-19 15:00:56</td><td>52</td>\
    <td>1.8</td></tr><tr><td>End Snap:</td><td>311</td><td>23-Jan-19 16:00:56</td><td>65</td><td>1.9</td></tr>\
    <tr><td>Elapsed:</td><td></td><td>60.00 (mins)</td><td></td><td></td></tr></table>\n";

const TIMES: (&str, &str) = (
    "Time Model Statistics",
    "<tr><th>Statistic Name</th><th>Time (s)</th><th>% of DB Time</th></tr>\n\
    <tr><td>DB time</td><td>6,000</td><td>100.00</td></tr>\n\
    <tr><td>DB CPU</td><td>3,000</td><td>50.00</td></tr>\n",
);

const EVENTS: (&str, &str) = (
    "Foreground Wait Events",
    "<tr><th>Event</th><th>Waits</th><th>%Time -outs</th><th>Total Wait Time (s)</th><th>Avg wait (ms)</th>\
    <th>Waits /txn</th><th>% DB time</th></tr>\n\
    <tr><td>db file sequential read</td><td>100,000</td><td>0</td><td>1,000</td><td>10</td><td>1.0</td><td>16.7</td></tr>\n\
    <tr><td>log file sync</td><td>10,000</td><td>0</td><td>100</td><td>10</td><td>1.0</td><td>1.7</td></tr>\n\
    <tr><td>direct path read</td><td>50,000</td><td>0</td><td>500</td><td>10</td><td>1.0</td><td>8.3</td></tr>\n",
);

const HISTOGRAM: (&str, &str) = (
    "Wait Event Histogram",
    "<tr><th>Event</th><th>Total Waits</th><th>&lt;1ms</th><th>&lt;2ms</th><th>&lt;4ms</th><th>&lt;8ms</th>\
    <th>&lt;16ms</th><th>&lt;32ms</th><th>&lt;=1s</th><th>&gt;1s</th></tr>\n\
    <tr><td>log file sync</td><td>1000</td><td>50.0</td><td></td><td></td><td></td><td></td><td></td>\
    <td>40.0</td><td>10.0</td></tr>\n",
);

const PARAMETERS: (&str, &str) = (
    "init.ora Parameters",
    "<tr><th>Parameter Name</th><th>Begin value</th><th>End value (if different)</th></tr>\n\
    <tr><td>db_block_size</td><td>8192</td><td></td></tr>\n<tr><td>db_name</td><td>till</td><td></td></tr>\n\
    <tr><td>processes</td><td>300</td><td></td></tr>\n<tr><td>undo_tablespace</td><td>UNDO</td><td></td></tr>\n",
);

type Rows =
    (Vec<(String, Option<f64>)>, Vec<(String, Option<f64>)>, Vec<(f64, Option<f64>)>, Vec<(String, String)>);

/// What the four sections hold.
fn rows(report: &Report) -> Rows {
    let tables = &report.tables;
    (
        tables.time_model.iter().map(|t| (t.statistic.to_string(), t.time_s)).collect(),
        tables.wait_event.iter().map(|e| (e.event.to_string(), e.time_s)).collect(),
        tables.wait_histogram.iter().flat_map(|h| &h.buckets).map(|b| (b.low_us, Some(b.waits))).collect(),
        tables.parameter.iter().map(|p| (p.name.to_string(), format!("{:?}", p.begin_value))).collect(),
    )
}

fn plain() -> Rows {
    let plain = rows(&one(&page("")));
    assert_eq!((plain.0.len(), plain.1.len(), plain.3.len()), (2, 3, 4));
    let filled: Vec<_> = plain.2.iter().filter_map(|b| b.1.filter(|waits| *waits > 0.0)).collect();
    assert_eq!(filled, [500.0, 400.0, 100.0]);
    plain
}

/// An empty paragraph of Word, or a field to search a table by, was the title of the table below it.
#[test]
fn words_between_a_title_and_its_table_are_no_title() {
    let plain = plain();
    let between = [
        "<p>&nbsp;</p>\n",
        "<p class=MsoNormal><o:p>&nbsp;</o:p></p>\n",
        "<p>\u{a0}</p>\n",
        "<label>Search:<input></label>",
        "<p>Exported by J. Doe</p>",
    ];
    for between in between {
        assert_eq!(rows(&one(&page(between))), plain, "{between}");
    }
}

/// The rest of a table behind the end of a printed page was lost, or all of it called unknown.
#[test]
fn tables_that_go_on_behind_a_page_end_are_whole() {
    let plain = plain();
    let marks = [
        "</table><table>",
        "</table>\n<p>Page 3 of 40</p><hr>\n<table>",
        "</table>\n<p>&nbsp;</p>\n<table>",
        "</table>\n<div>till, printed 24-Jan-19, page 3</div>\n<table>",
    ];
    for mark in marks {
        let cut = |title: &str, row: &str, page: &str| {
            let at = page.find(title).unwrap();
            let at = at + page[at..].find(row).unwrap();
            format!("{}{mark}{}", &page[..at], &page[at..])
        };
        let parted = cut("Foreground Wait Events", "<tr><td>direct path read", &page(""));
        assert_eq!(rows(&one(&parted)), plain, "{mark}");
    }
    // Nothing stands between, so no number needs to tell.
    let parted = page("").replace("<tr><td>processes", "</table><table><tr><td>processes");
    assert_eq!(rows(&one(&parted)), plain);
    // The headings again.
    let (_, table) = EVENTS;
    let head = &table[..table.find("</tr>").unwrap() + 5];
    for title in ["<p>Page 3</p>", "<p>&nbsp;</p>", "<h3>Foreground Wait Events (continued)</h3>"] {
        let again = format!("</table>{title}<table>{head}<tr><td>direct path read");
        let parted = page("").replace("<tr><td>direct path read", &again);
        assert_eq!(rows(&one(&parted)), plain, "{title}");
    }
}

/// Spacer columns of editors halved the shares of histograms: each bucket stood there twice.
#[test]
fn cells_that_all_span_two_columns_are_one_cell_each() {
    let plain = plain();
    let wide = page("").replace("<td>", "<td colspan=\"2\">").replace("<th>", "<th colspan=\"2\">");
    let report = one(&wide);
    assert_eq!(rows(&report), plain);
    assert_eq!(report.identity.db_name.as_deref(), Some("TILL"));
}

/// Nine tables of ten were lost, or stood in the section before.
#[test]
fn captions_are_titles() {
    let plain = plain();
    for (open, close) in [
        ("<caption>", "</caption>\n"),
        ("<caption><b>", "</b></caption>"),
        ("<caption><h3 class=\"awr\">", "</h3></caption>"),
        ("<caption>\n  ", "\n<br>Ordered by something, with units as they are</caption>"),
        ("<caption>", "<ul><li>Ordered by something</li><li>Idle events last</li></ul></caption>"),
        ("<caption><p>Table 5</p><p><i>", "</i></p></caption>"),
        ("<tr><th>", "</th></tr>"),
    ] {
        let captioned =
            page("").replace("<h3 class=\"awr\">", "").replace("</h3>\n<table border=\"0\">", close);
        let mut parts = String::new();
        for (index, part) in captioned.split("</table>\n").enumerate() {
            // Head and snapshots have no title.
            let titled = ["Time Model", "Foreground", "Wait Event Hist", "init.ora"]
                .iter()
                .any(|t| part.starts_with(t));
            if index > 0 {
                parts += "</table>\n";
            }
            if titled {
                parts += &format!("<table>{open}");
            }
            parts += part;
        }
        assert_eq!(rows(&one(&parts)), plain, "{parts}");
    }
}

/// Parameters of other containers were those of the one that is reported: a link above stood for the title.
#[test]
fn a_caption_is_a_title_behind_that_of_another_table() {
    let caption = |title: &str, row: &str| {
        format!(
            "<table><caption>{title}</caption><tr><th>Parameter Name</th><th>Begin value</th>\
             <th>End value (if different)</th><th>Container Name</th></tr>{row}</table>\n<a href=\"#top\">Back to Top</a>\n"
        )
    };
    let own = caption(
        "Parameters modified by this container",
        "<tr><td>open_cursors</td><td>300</td><td></td><td>SHOP</td></tr>",
    );
    let others = caption(
        "Parameters modified by other containers",
        "<tr><td>open_cursors</td><td>1500</td><td></td><td>STORE</td></tr>",
    );
    let report = one(&page("").replace("</body>", &format!("{own}{others}</body>")));
    let found = report.tables.parameter.iter().filter(|p| p.name == "open_cursors");
    let found: Vec<(Option<&str>, &str)> =
        found.map(|p| (p.container.as_deref(), report.section_title(p.section))).collect();
    let [(Some("SHOP"), own), (Some("STORE"), others)] = found.as_slice() else { panic!("{found:?}") };
    assert!(own.ends_with("this container") && others.ends_with("other containers"), "{found:?}");
}

/// Rows of the section below stood in the one above.
#[test]
fn titles_end_tables_whose_end_was_left_out() {
    let plain = plain();
    let open = page("").replace("<h3 class=\"awr\">", "<p>").replace("</h3>", "</p>");
    assert_eq!(rows(&one(&open)), plain);
    let open = open.replacen("</table>\n<p>Foreground", "<p>Foreground", 1);
    assert_eq!(rows(&one(&open)), plain);
}

/// With a decimal comma a quarter of an hour was two hours and a half.
#[test]
fn elapsed_minutes_have_decimal_commas() {
    let page = "<html><body><h1>ASH Report For TILL/till</h1><table><tr><td>Analysis Begin Time:</td>\
        <td>23-Jan-19 15:00:56</td></tr><tr><td>Analysis End Time:</td><td>23-Jan-19 15:15:56</td></tr>\
        <tr><td>Elapsed Time:</td><td>15,0 (mins)</td></tr><tr><td>Sample Count:</td><td>1,200</td></tr></table>\
        <h3>Top User Events</h3><table><tr><th>Event</th><th>Event Class</th><th>% Event</th>\
        <th>Avg Active Sessions</th></tr><tr><td>db file sequential read</td><td>User I/O</td><td>60,10</td>\
        <td>0,80</td></tr></table></body></html>";
    assert_eq!(one(page).identity.elapsed_s, Some(900.0));
    assert_eq!(one(&page.replace("15,0 (", "15.0 (")).identity.elapsed_s, Some(900.0));
}

/// A row that only sets widths was a parameter of two values; so was one without a name.
#[test]
fn rows_of_blank_cells_are_no_rows() {
    let plain = plain();
    let blank = "<tr><td width=90></td><td width=90>&nbsp;</td><td width=90></td></tr>";
    let page = page("").replace("UNDO</td><td></td></tr>\n", &format!("UNDO</td><td></td></tr>\n{blank}"));
    assert_eq!(rows(&one(&page)), plain);
    let many = page.replace("<tr><td>processes", &format!("{blank}<tr><td>processes"));
    assert_eq!(rows(&one(&many)), plain);
}

/// Copied from a browser, the parameters ended at the first without a value, which was the title of the next.
#[test]
fn a_parameter_without_a_value_does_not_end_the_copy_of_a_table() {
    let copy = "WORKLOAD REPOSITORY report for\n\nDB Name\tDB Id\tInstance\tInst num\tStartup Time\tRelease\tRAC\n\
        TILL\t2629620001\ttill\t1\t22-Jan-19 16:49\t11.2.0.4.0\tNO\n\ninit.ora Parameters\n\
        Parameter Name\tBegin value\tEnd value (if different)\n\
        db_block_size\t8192\t\u{a0} \ndb_domain\t\u{a0} \t\u{a0} \nfal_server\t\u{a0} \t\u{a0} \n\
        db_name\ttill\t\u{a0} \nprocesses\t300\t\u{a0} \n\nBack to Top\n";
    let report = one(copy);
    let names: Vec<&str> = report.tables.parameter.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["db_block_size", "db_domain", "fal_server", "db_name", "processes"]);
    assert!(report.tables.parameter[1].begin_value.is_none());
}

/// The buckets of a page with this histogram, by upper bound, in waits; and its notes.
fn buckets(title: &str, release: &str, table: &str) -> (Vec<(Option<f64>, f64)>, Vec<String>) {
    let (_, first) = HISTOGRAM;
    let page =
        page("").replace("<h3 class=\"awr\">Wait Event Histogram<", &format!("<h3 class=\"awr\">{title}<"));
    let report = one(&page.replace("11.2.0.4.0", release).replace(first, table));
    let histograms = &report.tables.wait_histogram;
    let found = histograms.iter().flat_map(|h| &h.buckets).filter(|b| b.waits > 0.0);
    (found.map(|b| (b.high_us, b.waits)).collect(), report.notes.iter().map(|n| n.message.clone()).collect())
}

/// Shares stood under the bounds of their neighbours where somebody had moved columns.
#[test]
fn buckets_of_a_histogram_are_read_by_their_headings() {
    let (_, table) = HISTOGRAM;
    let (plain, _) = buckets("Wait Event Histogram", "11.2.0.4.0", table);
    assert_eq!(plain, [(Some(1_000.0), 500.0), (Some(1_024_000.0), 400.0), (None, 100.0)]);
    let moved = |from: usize, to: usize| -> String {
        let rows = table.split_inclusive("</tr>").map(|row| {
            let kind = if row.contains("<th>") { "th" } else { "td" };
            let cells: Vec<&str> = row.split(&format!("<{kind}>")).skip(1).collect();
            let mut cells: Vec<&str> = cells.iter().map(|c| c.split("</").next().unwrap()).collect();
            if cells.is_empty() {
                return String::new();
            }
            let cell = cells.remove(from);
            cells.insert(to, cell);
            let cells: String = cells.iter().map(|c| format!("<{kind}>{c}</{kind}>")).collect();
            format!("<tr>{cells}</tr>\n")
        });
        rows.collect()
    };
    for (from, to) in [(2, 3), (8, 2), (9, 2), (1, 9), (1, 4), (9, 0)] {
        let moved = moved(from, to);
        assert_ne!(moved, table);
        assert_eq!(buckets("Wait Event Histogram", "11.2.0.4.0", &moved).0, plain, "{moved}");
    }
    // Two alike: which is which cannot be told.
    let (found, notes) = buckets("Wait Event Histogram", "11.2.0.4.0", &table.replace("&lt;2ms", "&lt;4ms"));
    assert!(found.is_empty(), "{found:?}");
    assert!(notes.iter().any(|n| n.contains("do not ascend")), "{notes:?}");
}

/// Bounds without a unit were microseconds, a thousandth of what was printed.
#[test]
fn bounds_without_a_unit_have_the_one_of_title_or_release() {
    let (_, table) = HISTOGRAM;
    let bare = |table: &str| table.replace("ms</th>", "</th>").replace("1s</th>", "1</th>");
    let (plain, _) = buckets("Wait Event Histogram", "11.2.0.4.0", table);
    assert_eq!(buckets("Wait Event Histogram", "11.2.0.4.0", &bare(table)).0, plain);
    // 12.2 prints no such buckets.
    for release in ["19.0.0.0.0", "&nbsp;"] {
        let (found, notes) = buckets("Wait Event Histogram", release, &bare(table));
        assert!(found.is_empty(), "{found:?}");
        assert!(notes.iter().any(|n| n.contains("under `<1` is unknown")), "{notes:?}");
    }
    let range = table
        .replace("&lt;1ms", "&lt;512us")
        .replace("&lt;2ms", "&lt;1ms")
        .replace("&lt;4ms", "&lt;2ms")
        .replace("&lt;8ms", "&lt;4ms")
        .replace("&lt;16ms", "&lt;8ms")
        .replace("&lt;32ms", "&lt;16ms")
        .replace("&lt;=1s", "&lt;32ms")
        .replace("&gt;1s", "&gt;=32ms");
    let (plain, _) = buckets("Wait Event Histogram (up to 32 ms)", "19.0.0.0.0", &range);
    assert_eq!(plain, [(Some(512.0), 500.0), (Some(32_768.0), 400.0), (None, 100.0)]);
    let bare = range.replace("us</th>", "</th>").replace("ms</th>", "</th>");
    assert_eq!(buckets("Wait Event Histogram (up to 32 ms)", "19.0.0.0.0", &bare).0, plain);
    assert!(buckets("Wait Event Histogram", "19.0.0.0.0", &bare).0.is_empty());
}

/// A report that a spreadsheet saved as one table without headings was not read, and nothing was said.
#[test]
fn a_page_that_a_spreadsheet_saved_is_read() {
    let (_, events) = EVENTS;
    let cells = |row: &str| {
        let cells: String = row.split('|').map(|cell| format!("<td><font>{cell}</font></td>")).collect();
        let blank = "<td><br></td>".repeat(10 - row.split('|').count());
        format!("<tr>{cells}{blank}</tr>\n")
    };
    let of = |table: &str| -> String {
        let plain = table.replace("</th><th>", "|").replace("</td><td>", "|").replace("</th>", "");
        let rows = plain.split("</tr>").map(|row| row.rsplit('>').next().unwrap_or("").to_owned());
        let rows: Vec<String> = rows.collect();
        rows.iter().filter(|row| !row.is_empty()).map(|row| cells(row.trim())).collect()
    };
    assert!(of(events).contains("<td><font>Event</font></td>"));
    let section = |(title, table): (&str, &str)| {
        let table = table.replace("</td></tr>", "</tr>").replace("</th></tr>", "</tr>");
        format!("{}{}{}", cells(title), cells("<br>"), of(&table))
    };
    let head = [
        "WORKLOAD REPOSITORY report for",
        "DB Name|DB Id|Instance|Inst num|Startup Time|Release|RAC",
        "TILL|2629620001|till|1|22-Jan-19 16:49|11.2.0.4.0|NO",
    ];
    let head: String = head.iter().map(|row| cells(row)).collect();
    let page = format!(
        "<html><body><table>{head}{}{}{}</table></body></html>",
        section(TIMES),
        section(EVENTS),
        section(PARAMETERS)
    );
    let report = one(&page);
    let (times, events, _, parameters) = rows(&report);
    let wanted = plain();
    assert_eq!((times, events, parameters), (wanted.0, wanted.1, wanted.3), "{page}");
    assert_eq!(report.identity.db_name.as_deref(), Some("TILL"));
}

/// Operations were lost, or lost their depth, where an editor had ended lines in cells or made headings of them.
#[test]
fn plans_in_cells_of_editors_keep_their_rows_and_depths() {
    let rows = [
        ("0", "  SELECT STATEMENT", ""),
        ("1", "&#160;&#160;   SORT AGGREGATE", "1"),
        ("2", "&#160;&#160;&#160;&#160;    TABLE ACCESS FULL", "470M"),
    ];
    let plan = |cell: &dyn Fn(&str) -> String| -> Vec<_> {
        let rows = rows.map(|(id, operation, count)| {
            let name = if id == "2" { "TILLS" } else { "&#160;" };
            format!("<tr>{}{}{}{}</tr>\n", cell(id), cell(operation), cell(name), cell(count))
        });
        let page = format!(
            "<html><body><h1>WORKLOAD REPOSITORY SQL Report</h1>\n<table><tr><th>DB Name</th><th>DB Id</th>\
             <th>Instance</th><th>Inst num</th><th>Startup Time</th><th>Release</th><th>RAC</th></tr><tr><td>TILL</td>\
             <td>2629620001</td><td>till</td><td>1</td><td>22-Jan-19 16:49</td><td>11.2.0.4.0</td><td>NO</td></tr>\
             </table>\n<h3>SQL ID: 7ws837zynp1zv</h3>\n<table><tr><th>#</th><th>Plan Hash Value</th>\
             <th>Total Elapsed Time(ms)</th><th>Executions</th></tr><tr><td>1</td><td>1755470101</td><td>635,664</td>\
             <td>1</td></tr></table>\n<h3>\nExecution Plan\n</h3>\n<table><tr><th> Id </th><th> Operation </th>\
             <th> Name </th><th> Rows </th></tr>\n{}</table></body></html>",
            rows.concat()
        );
        let report = one(&page);
        let rows = report.tables.plan_row.iter();
        rows.map(|r| (r.id, r.depth, r.operation.clone(), r.options.clone(), r.object.clone(), r.cardinality))
            .collect()
    };
    let plain = plan(&|text| format!("<td>{text}</td>"));
    let depths: Vec<_> = plain.iter().map(|r| r.1).collect();
    assert_eq!(depths, [Some(0), Some(1), Some(2)]);
    assert_eq!((plain[2].4.as_deref(), plain[2].5), (Some("TILLS"), Some(470e6)));
    let forms: [&dyn Fn(&str) -> String; 6] = [
        &|text| format!("<th>{text}</th>"),
        &|text| format!("<td>\n      {text}\n    </td>"),
        &|text| format!("<td><p>{text}</p></td>"),
        &|text| format!("<td><p class=MsoNormal><span>{text}<o:p></o:p></span></p></td>"),
        &|text| format!("<td>{}</td>", text.replace("TABLE ACCESS ", "TABLE\n  ACCESS ")),
        &|text| {
            if text.starts_with(' ') { format!("<td>{text}</td>") } else { format!("<td>\n {text}</td>") }
        },
    ];
    for (at, form) in forms.iter().enumerate() {
        assert_eq!(plan(form), plain, "{at}");
    }
}

/// A report cut off within a tag took the head of the report behind it with it.
#[test]
fn a_page_cut_off_before_another_is_a_report_of_its_own() {
    let (plain, other) = (page(""), page("").replace("TILL", "SHOP"));
    let bodies = [other.as_str(), &other[other.find("<h1").unwrap()..]];
    let row = plain.find("<td>direct path read").unwrap();
    for cut in row..row + 60 {
        for body in bodies {
            let reports = read(&format!("{}{body}", &plain[..cut]));
            let names: Vec<_> = reports.iter().map(|r| r.identity.db_name.as_deref()).collect();
            assert_eq!(names, [Some("TILL"), Some("SHOP")], "{}", &plain[..cut]);
            assert_eq!(rows(&reports[1]), rows(&one(&other)));
            // Nothing of the row that was cut.
            assert_eq!(reports[0].tables.wait_event.len(), 2, "{}", &plain[..cut]);
        }
    }
}

/// Dashes in the place of nothing were names, and cost histograms their rows.
#[test]
fn a_dash_is_a_blank_cell() {
    let plain = plain();
    for dash in ["-", "\u{2013}", "&ndash;", "&mdash;", "&#8211;", " - "] {
        let page = page("").replace("<td></td>", &format!("<td>{dash}</td>"));
        assert_eq!(rows(&one(&page)), plain, "{dash}");
    }
}

const TABLESPACES: (&str, &str) = (
    "Tablespace IO Stats",
    "<tr><th>Tablespace</th><th>Reads</th><th>Av Rds/s</th><th>Av Rd(ms)</th><th>Av Blks/Rd</th><th>Writes</th>\
     <th>Writes avg/s</th><th>Buffer Waits</th><th>Av Buf Wt(ms)</th></tr>\n\
     <tr><td>USERS</td><td>9,000</td><td>3</td><td>4.0</td><td>1.0</td><td>500</td><td>0</td><td>0</td><td>0.0</td></tr>\n\
     <tr><td>TOTAL</td><td>1,000</td><td>0</td><td>5.0</td><td>1.0</td><td>200</td><td>0</td><td>0</td><td>0.0</td></tr>\n\
     <tr><td>UNDO</td><td>700</td><td>0</td><td>5.0</td><td>1.0</td><td>300</td><td>0</td><td>0</td><td>0.0</td></tr>\n",
);

/// What a spreadsheet adds up below a list was one more event, and every sum doubled.
#[test]
fn sums_below_a_list_are_none_of_its_rows() {
    let (title, table) = TABLESPACES;
    let page = page("").replace(
        "<h3 class=\"awr\">init.ora",
        &format!("<h3 class=\"awr\">{title}</h3>\n<table>{table}</table>\n<h3 class=\"awr\">init.ora"),
    );
    let spaces = |report: &Report| -> Vec<_> {
        report.tables.tablespace_io.iter().map(|t| (t.tablespace.clone(), t.reads)).collect()
    };
    let plain = one(&page);
    assert_eq!(spaces(&plain).len(), 3, "TOTAL is a name here");
    assert!(plain.notes.iter().all(|n| !n.message.contains("adds up")), "{:?}", plain.notes);
    let event = "<td>500</td><td>10</td><td>1.0</td><td>8.3</td></tr>\n";
    let space = "<td>300</td><td>0</td><td>0</td><td>0.0</td></tr>\n";
    for (name, of_spaces) in
        [("Total", "Total"), ("Sum", "TOTAL"), ("GRAND TOTAL", "Grand Total"), ("Total:", "SUM")]
    {
        let sum = format!(
            "{event}<tr><td>{name}</td><td>160,000</td><td>0</td><td>1,600</td><td>10</td><td>3.0</td><td>26.7</td></tr>\n"
        );
        let spaces_sum = format!(
            "{space}<tr><td>{of_spaces}</td><td>10,700</td><td>3</td><td>14.0</td><td>3.0</td><td>1,000</td><td>0</td>\
             <td>0</td><td>0.0</td></tr>\n"
        );
        let summed = one(&page.replace(event, &sum).replace(space, &spaces_sum));
        assert_eq!(rows(&summed), rows(&plain), "{name}");
        assert_eq!(spaces(&summed), spaces(&plain), "{of_spaces}");
        let told = summed.notes.iter().filter(|n| n.message.contains("adds up the others"));
        assert_eq!(told.count(), 2, "{:?}", summed.notes);
    }
    let entries =
        "<tr><td>Showing 1 to 3 of 123 entries</td><td></td><td></td><td></td><td></td><td></td><td></td>";
    let listed = one(&page.replace(event, &format!("{event}{entries}</tr>\n")));
    assert_eq!(rows(&listed), rows(&plain));
}

/// `2K` of the PGA histogram was 2,000.
#[test]
fn bounds_of_the_pga_histogram_are_powers_of_two() {
    let table = "<h3>PGA Aggr Target Histogram</h3><table><tr><th>Low Optimal</th><th>High Optimal</th>\
        <th>Total Execs</th><th>Optimal Execs</th><th>1-Pass Execs</th><th>M-Pass Execs</th></tr>\
        <tr><td>2K</td><td>4K</td><td>2K</td><td>2K</td><td>0</td><td>0</td></tr>\
        <tr><td>1M</td><td>2M</td><td>11</td><td>11</td><td>0</td><td>0</td></tr></table></body>";
    let report = one(&page("").replace("</body>", table));
    let number = |v: &spindle_facts::Value| if let spindle_facts::Value::Number(n) = v { *n } else { -1.0 };
    let rows = report.tables.pga_aggregate.iter();
    let found: Vec<Vec<f64>> =
        rows.map(|r| r.cells.iter().take(3).map(|(_, v)| number(v)).collect()).collect();
    assert_eq!(found, [[2_048.0, 4_096.0, 2_000.0], [1_048_576.0, 2_097_152.0, 11.0]]);
}

/// Mean buffer waits of files were a tenth of what they were where the list by I/O was not the first one: the other
/// lists print centiseconds under `(ms)`.
#[test]
fn mean_buffer_waits_of_compared_periods_are_those_of_the_list_by_io() {
    let list = |by: &str, means: [&str; 2]| {
        let pair = "<th>1st</th><th>2nd</th>".repeat(3);
        format!(
            "<h3>Top File Comparison by {by}</h3>\n<table><tr><td></td><td></td><th colspan=\"2\">Reads</th>\
             <th colspan=\"2\">Buffer Waits</th><th colspan=\"2\">Avg Buf Wait Time (ms)</th></tr>\n\
             <tr><th>Tablespace</th><th>Filename</th>{pair}</tr>\n<tr><td>SHOP</td><td>/u02/shop01.dbf</td><td>5,000</td>\
             <td>7,000</td><td>300</td><td>400</td><td>{0}</td><td>{1}</td></tr>\n<tr><td>SHOP</td>\
             <td>/u02/shop02.dbf</td><td>5,000</td><td>7,000</td><td>300</td><td>400</td><td>{0}</td><td>{1}</td></tr>\n\
             </table>\n",
            means[0], means[1]
        )
    };
    let means = |lists: &[String]| -> Vec<Option<f64>> {
        let page = format!(
            "<html><body><h1>WORKLOAD REPOSITORY COMPARE PERIOD REPORT</h1>\n<table><tr><th>Snapshot Set</th>\
             <th>DB Name</th><th>DB Id</th><th>Instance</th><th>Inst num</th><th>Release</th><th>Cluster</th><th>Host</th>\
             </tr><tr><td>First (1st)</td><td>TILL</td><td>2629620001</td><td>till</td><td>1</td><td>11.2.0.3.0</td>\
             <td>NO</td><td>shop1</td></tr><tr><td>Second (2nd)</td><td>TILL</td><td>2629620001</td><td>till</td>\
             <td>1</td><td>11.2.0.3.0</td><td>NO</td><td>shop1</td></tr></table>\n{}</body></html>",
            lists.concat()
        );
        let reports = read(&page);
        assert_eq!(reports.len(), 2);
        let files = reports.iter().flat_map(|r| &r.tables.file_io);
        files.map(|f| f.io.avg_buffer_wait_us).collect()
    };
    let (by_io, by_time) = (list("IO", ["8.39", "10.30"]), list("Read Time", ["0.84", "1.03"]));
    let by_waits = list("Buffer Waits", ["0.84", "1.03"]);
    let right = [Some(8_390.0), Some(8_390.0), Some(10_300.0), Some(10_300.0)];
    assert_eq!(means(&[by_io.clone(), by_time.clone(), by_waits.clone()]), right);
    assert_eq!(means(&[by_waits.clone(), by_time.clone(), by_io]), right);
    assert_eq!(means(&[by_time, by_waits]), [None; 4]);
}

/// Three rows of a list that stood above all of it counted twice: 1,100 s of waits more.
#[test]
fn the_first_rows_of_a_list_above_all_of_it_count_once() {
    let page = page("");
    let all = format!("<h3 class=\"awr\">{}</h3>\n<table border=\"0\">{}</table>\n", EVENTS.0, EVENTS.1);
    let cut = EVENTS.1.find("<tr><td>direct path read").unwrap();
    let piece =
        format!("<h3 class=\"awr\">{}</h3>\n<table border=\"0\">{}</table>\n", EVENTS.0, &EVENTS.1[..cut]);
    let seconds = |report: &Report| -> f64 { report.tables.wait_event.iter().filter_map(|e| e.time_s).sum() };
    assert_eq!(seconds(&one(&page)), 1_600.0);
    for changed in
        [page.replace(&all, &format!("{piece}{all}")), page.replace(HEAD, &format!("{HEAD}{piece}"))]
    {
        assert_ne!(changed, page);
        let found = one(&changed);
        assert_eq!(seconds(&found), 1_600.0);
        assert!(found.notes.iter().any(|n| n.message.contains("a second time")), "{:?}", found.notes);
    }
}

/// Means and other rows that people add were events: `Average` waited for longer than any other.
#[test]
fn means_and_rows_of_dots_are_no_events() {
    let page = page("");
    let plain = one(&page);
    let event = "<tr><td>direct path read</td>";
    for name in ["Average", "Max", "Total (17 rows)", "Gesamt", "\u{5408}\u{8ba1}", "..."] {
        let figures = if name == "..." { "..." } else { "777" };
        let added = format!("<tr><td>{name}</td>{}</tr>\n{event}", format!("<td>{figures}</td>").repeat(6));
        let found = one(&page.replace(event, &added));
        assert_eq!(rows(&found), rows(&plain), "{name}");
    }
}

/// A service called `media` was taken for the mean of the others.
#[test]
fn a_service_may_be_called_as_a_mean_is() {
    let list = |name: &str| {
        let table = format!(
            "<h3>Service Statistics</h3><table><tr><th>Service Name</th><th>DB Time (s)</th><th>DB CPU (s)</th>\
             <th>Physical Reads (K)</th><th>Logical Reads (K)</th></tr>\
             <tr><td>till</td><td>900</td><td>500</td><td>70</td><td>800</td></tr>\
             <tr><td>{name}</td><td>300</td><td>100</td><td>20</td><td>90</td></tr></table></body>"
        );
        one(&page("").replace("</body>", &table)).tables.service.len()
    };
    assert_eq!(["media", "max", "MAX", "shop"].map(list), [2; 4]);
    assert_eq!(["Average", "Max"].map(list), [1; 2]);
}

/// Titles that stood below their tables made background waits those of the foreground, and a list by CPU one by
/// elapsed time.
#[test]
fn headings_that_deny_their_title_are_believed() {
    let page = page("").replace("% DB time", "% bg time");
    let report = one(&page);
    assert!(report.tables.wait_event.iter().all(|e| e.side == spindle_facts::Side::Background));
    assert!(report.notes.iter().any(|n| n.message.contains("disagree")), "{:?}", report.notes);

    let row = |cpu: u32, elapsed: u32, id: &str| {
        format!(
            "<tr><td>{cpu}</td><td>{elapsed}</td><td>7</td><td>{id}</td><td>select 1 from dual</td></tr>\n"
        )
    };
    let list = |elapsed: [u32; 4]| {
        let ids = ["a8f3k2m1x9c4b", "b8f3k2m1x9c4b", "c8f3k2m1x9c4b", "d8f3k2m1x9c4b"];
        let rows: String =
            [90, 80, 70, 60].into_iter().zip(elapsed).zip(ids).map(|((c, e), id)| row(c, e, id)).collect();
        format!(
            "<h3>SQL ordered by Elapsed Time</h3><table><tr><th>CPU Time (s)</th><th>Elapsed Time (s)</th>\
             <th>Executions</th><th>SQL Id</th><th>SQL Text</th></tr>\n{rows}</table></body>"
        )
    };
    let ranked = |list: &str| -> Vec<&'static str> {
        let report = one(&page.replace("</body>", list));
        report.tables.sql_stat.iter().map(|s| s.ranked_by).collect()
    };
    assert_eq!(ranked(&list([100, 900, 80, 300])), ["cpu_time"; 4]);
    // Columns may stand in another order.
    assert_eq!(ranked(&list([900, 300, 100, 80])), ["elapsed_time"; 4]);
}

/// The second period was given the first one's figures where its heading was in capitals.
#[test]
fn periods_are_told_apart_in_capitals_too() {
    let head = "<html><body><h1>WORKLOAD REPOSITORY COMPARE PERIOD REPORT</h1>\n<table><tr><th>Snapshot Set</th>\
        <th>DB Name</th><th>DB Id</th><th>Instance</th><th>Inst num</th><th>Release</th><th>Cluster</th><th>Host</th>\
        </tr><tr><td>First (1st)</td><td>TILL</td><td>2629620001</td><td>till</td><td>1</td><td>11.2.0.3.0</td>\
        <td>NO</td><td>shop1</td></tr><tr><td>Second (2nd)</td><td>TILL</td><td>2629620001</td><td>till</td>\
        <td>1</td><td>11.2.0.3.0</td><td>NO</td><td>shop1</td></tr></table>\n";
    let table = "<h3>Host Configuration Comparison</h3><table><tr><td></td><th>1ST</th><th>2ND</th><th>DIFF</th>\
        </tr><tr><td>%User Time:</td><td>6.93</td><td>8.37</td><td>1.44</td></tr>\
        <tr><td>%Idle Time:</td><td>74.79</td><td>58.14</td><td>-16.65</td></tr></table></body></html>";
    let reports = read(&format!("{head}{table}"));
    let busy: Vec<_> = reports.iter().map(|r| r.tables.host_cpu.first().and_then(|c| c.user_pct)).collect();
    assert_eq!(busy, [Some(6.93), Some(8.37)]);
}

/// A `0` that an editor put into a blank bucket was a quarter of a percent of half a million waits.
#[test]
fn nought_in_a_table_of_tenths_is_below_half_a_tenth() {
    let page = page("").replace("<td>50.0</td><td></td>", "<td>50.0</td><td>0</td>");
    let report = one(&page);
    let histogram = report.tables.wait_histogram.iter().find(|h| h.event == "log file sync").unwrap();
    let above: f64 = histogram.buckets[1].waits_high;
    assert!(above <= 1.0, "{above}");

    // Without the number of waits, shares are of nothing.
    let bare = page
        .replace("<th>Total Waits</th><th>&lt;1ms", "<th>&lt;1ms")
        .replace("<td>log file sync</td><td>1000</td>", "<td>log file sync</td>");
    let report = one(&bare);
    assert!(report.tables.wait_histogram.is_empty());
    let section = report.sections.iter().find(|s| s.title == HISTOGRAM.0).unwrap();
    assert_eq!(
        (section.status, section.rows),
        (spindle_facts::SectionStatus::Unreadable, 0),
        "{:?}",
        report.notes
    );
}

/// A row that somebody added below the functions was one more of them, with the requests of all.
#[test]
fn a_second_total_of_functions_is_none() {
    let row = |name: &str, reads: &str| {
        format!(
            "<tr><td>{name}</td><td>8M</td><td>{reads}</td><td>1M</td><td>4M</td><td>2.00</td><td>1M</td><td>10</td>\
             <td>1.00</td></tr>"
        )
    };
    let added = |name: &str| {
        let rows =
            [row("Buffer Cache Reads", "500.00"), row("Others", "80.00"), row("TOTAL:", "580.00")].concat();
        let added = if name.is_empty() { String::new() } else { row(name, "1,160.00") };
        let table = format!(
            "<h3>IOStat by Function summary</h3><table><tr><th>Function Name</th><th>Reads: Data</th>\
             <th>Reqs per sec</th><th>Data per sec</th><th>Writes: Data</th><th>Reqs per sec</th><th>Data per sec</th>\
             <th>Waits: Count</th><th>Avg Tm(ms)</th></tr>{rows}{added}</table></body>"
        );
        one(&page("").replace("</body>", &table)).tables.io_function
    };
    let plain = added("");
    assert_eq!(plain.len(), 3);
    for name in ["Total", "Totals", "Average"] {
        assert_eq!(added(name).len(), 3, "{name}");
    }
}

/// Without `(thousands)` in the headings buffers and reads were a thousandth of what they are.
#[test]
fn buffers_whose_heading_lost_its_unit_are_told_by_their_size() {
    let table = |headings: [&str; 2], sizes: [u32; 2]| {
        format!(
            "<h3>Buffer Pool Advisory</h3><table><tr><th>P</th><th>Size for Est (M)</th><th>Size Factor</th><th>{}</th>\
             <th>Est Phys Read Factor</th><th>{}</th></tr>\
             <tr><td>D</td><td>{}</td><td>0.50</td><td>9</td><td>2.00</td><td>3,000</td></tr>\
             <tr><td>D</td><td>{}</td><td>1.00</td><td>18</td><td>1.00</td><td>1,500</td></tr></table></body>",
            headings[0], headings[1], sizes[0], sizes[1]
        )
    };
    let read = |headings, sizes| {
        let report = one(&page("").replace("</body>", &table(headings, sizes)));
        report.tables.db_cache_advice.iter().map(|a| (a.buffers, a.estimated_reads)).collect::<Vec<_>>()
    };
    let printed = ["Buffers (thousands)", "Estimated Phys Reads (thousands)"];
    let right = [(Some(9_000.0), Some(3_000_000.0)), (Some(18_000.0), Some(1_500_000.0))];
    assert_eq!(read(printed, [72, 144]), right);
    let bare = ["Buffers", "Estimated Phys Reads"];
    assert_eq!(read(bare, [72, 144]), right);
    assert_eq!(read(bare, [7, 3]), [(None, None); 2]);
    // Headings without rows ended the program.
    let empty = "<h3>Buffer Pool Advisory</h3><table><tr><th>P</th><th>Size for Est (M)</th><th>Buffers</th>\
        <th>Est Phys Read Factor</th></tr></table></body>";
    assert!(one(&page("").replace("</body>", empty)).tables.db_cache_advice.is_empty());
}

/// A spreadsheet wrote the numbers of a page with decimal commas and left those beside words: 520,207 waits were 520.
#[test]
fn numbers_that_a_spreadsheet_wrote_anew_are_read_by_their_column() {
    let page = page("");
    let mut swapped = String::new();
    for piece in page.split_inclusive('>') {
        let (cell, tag) = piece.split_once('<').unwrap_or((piece, ""));
        let number = cell.starts_with(|c: char| c.is_ascii_digit())
            && cell.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','));
        let other = |c: char| {
            if c == '.' {
                ','
            } else if c == ',' {
                '.'
            } else {
                c
            }
        };
        let cell: String = if number { cell.chars().map(other).collect() } else { cell.to_owned() };
        swapped.push_str(&cell);
        if !tag.is_empty() {
            swapped.push('<');
            swapped.push_str(tag);
        }
    }
    let beside =
        "<tr><td>DB Time:</td><td></td><td>100.00 (mins)</td><td></td><td></td></tr></table>\n<h3>Time";
    let changed = swapped.replacen(
        "</table>\n<h3 class=\"awr\">Time",
        &beside.replace("<h3>", "<h3 class=\"awr\">"),
        1,
    );
    assert_ne!(changed, page);
    let report = one(&changed);
    let event = &report.tables.wait_event[0];
    assert_eq!((event.waits, event.time_s), (Some(100_000.0), Some(1_000.0)), "{:?}", report.notes);
    assert_eq!(report.identity.elapsed_s, Some(3_600.0));
}

/// A report as text prints it, with what pages write in another way.
const PRINTED: &str = "WORKLOAD REPOSITORY report for\n\n\
    DB Name         DB Id    Instance     Inst Num Startup Time    Release     RAC\n\
    ------------ ----------- ------------ -------- --------------- ----------- ---\n\
    TILL          2629620001 till                1 22-Jan-19 16:49 11.2.0.4.0  NO\n\n\
    \x20             Snap Id      Snap Time      Sessions Curs/Sess\n\
    \x20           --------- ------------------- -------- ---------\n\
    Begin Snap:       310 23-Jan-19 15:00:56        52       1.8\n\
    \x20 End Snap:       311 23-Jan-19 15:30:41        65       1.9\n\
    \x20  Elapsed:               29.75 (mins)\n\
    \x20  DB Time:               60.10 (mins)\n\n\
    Load Profile              Per Second    Per Transaction   Per Exec   Per Call\n\
    ~~~~~~~~~~~~         ---------------    --------------- ---------- ----------\n\
    \x20     DB Time(s):                2.0                0.1       0.01       0.00\n\
    \x20      DB CPU(s):                1.2                0.0       0.00       0.00\n\n\
    Wait Event Histogram                     DB/Inst: TILL/till  Snaps: 310-311\n\
    -> Units for Total Waits column: K is 1000, M is 1000000, G is 1000000000\n\n\
    \x20                                                   % of Waits\n\
    \x20                                -----------------------------------------------\n\
    \x20                          Total\n\
    Event                      Waits  <1ms  <2ms  <4ms  <8ms <16ms <32ms  <=1s   >1s\n\
    -------------------------- ----- ----- ----- ----- ----- ----- ----- ----- -----\n\
    log file sync               1000  50.0                                40.0  10.0\n\
    db file sequential read      500  90.0  10.0\n\
    \x20         -------------------------------------------------------------\n\n\
    Enqueue Activity                         DB/Inst: TILL/till  Snaps: 310-311\n\
    -> only enqueues with requests are shown\n\n\
    Enqueue Type (Request Reason)\n\
    ------------------------------------------------------------------------------\n\
    \x20   Requests    Succ Gets Failed Gets       Waits  Wt Time (s) Av Wt Time(ms)\n\
    ------------ ------------ ----------- ----------- ------------ --------------\n\
    TX-Transaction\n\
    \x20      5,211        5,211           0          71            3          42.25\n\
    TO-Temp Object & \"more\"\n\
    \x20        811          811           0           2            0          12.50\n\
    \x20         -------------------------------------------------------------\n\n\
    \x20         ADDM Report for Task 'ADDM:1_1_311'\n\
    \x20         -----------------------------------\n\n\
    Analysis Period\n---------------\nAWR snapshot range from 310 to 311.\n\n\
    \x20         Findings and Recommendations\n          ----------------------------\n\n\
    Finding 1: Top SQL Statements\nImpact is 1.42 active sessions, 70.86% of total activity.\n\
    ----------------------------------------------------------\n\
    SQL statements consuming significant database time were found.\n\n\
    \x20  Recommendation 1: SQL Tuning\n\
    \x20  Estimated benefit is 1.1 active sessions, 54.69% of total activity.\n\
    \x20  --------------------------------------------------------------------\n\
    \x20  Action\n      Tune the statement <of the till> with many coins.\n\n";

/// Figures of a report, with how far its lines are behind those of the text.
fn figures(report: &Report, behind: u32) -> Vec<String> {
    let tables = &report.tables;
    let histogram = tables.wait_histogram.iter().map(|r| {
        let shares: Vec<_> = r.buckets.iter().map(|b| (b.high_us, b.share_pct)).collect();
        format!("{} {} {shares:?}", r.line - behind, r.event)
    });
    let mut found: Vec<String> = histogram.collect();
    found.extend(tables.enqueue.iter().map(|r| format!("{} {:?}", r.line - behind, r.cells)));
    found.extend(tables.load_profile.iter().map(|r| format!("{} {:?}", r.line - behind, r.metric)));
    found.extend(tables.addm_finding.iter().map(|r| format!("{} {:?}", r.line - behind, r.recommendation)));
    found
}

/// References in a report that was saved as a page were not resolved where it stood in one piece: its histograms
/// were lost, and ADDM's part was another report.
#[test]
fn a_text_report_saved_as_a_page_is_read_as_it_was_printed() {
    let plain = one(PRINTED);
    assert!(plain.tables.wait_histogram.len() == 2 && plain.tables.enqueue.len() == 2);
    let wanted = figures(&plain, 0);
    let escaped =
        PRINTED.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    for tag in ["pre", "code", "textarea"] {
        for (before, behind) in [("<html><body>\n", "</body></html>"), ("", "")] {
            let page = format!("{before}<{tag}>\n{escaped}</{tag}>{behind}\n");
            let report = one(&page);
            let lines = if before.is_empty() { 1 } else { 2 };
            assert_eq!(figures(&report, lines), wanted, "{page}");
        }
    }
}

/// A block of code that was copied out of its page, each line in tags of its own, was one section without rows.
#[test]
fn a_copied_block_of_code_is_read_without_its_page() {
    let wanted = figures(&one(PRINTED), 0);
    let escaped = PRINTED.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut block = String::from("<div class=\"highlight\"><pre><code>");
    for line in escaped.lines() {
        block.push_str("<span class=\"line\">");
        block.push_str(line);
        block.push_str("</span>\n");
    }
    block.push_str("</code></pre></div>\n");
    let words = format!("My report, the database is slow:\n{block}");
    for (text, behind) in [(block, 0), (words, 1)] {
        let report = one(&text);
        assert_eq!(figures(&report, behind), wanted, "{text}");
    }
}

/// Titles behind the numbers that an editor puts before each were those of unknown sections.
#[test]
fn numbered_titles_are_those_of_their_sections() {
    let plain = one(&page(""));
    let rows = |report: &Report| {
        let tables = &report.tables;
        (
            tables.time_model.len(),
            tables.wait_event.len(),
            tables.wait_histogram.len(),
            tables.parameter.len(),
        )
    };
    assert_eq!(rows(&plain), (2, 3, 1, 4));
    for number in ["3.2. ", "12) ", "4.1 ", "7. ", "1.2.13\u{a0}", "<span>2.4.</span> "] {
        let numbered = page("").replace("<h3 class=\"awr\">", &format!("<h3 class=\"awr\">{number}"));
        let report = one(&numbered);
        assert_eq!(rows(&report), rows(&plain), "{numbered}");
        let titles = |report: &Report| -> Vec<String> {
            report.sections.iter().map(|section| section.title.clone()).collect()
        };
        assert_eq!(titles(&report), titles(&plain), "{numbered}");
    }
}

/// A table whose every cell is marked up as a heading was called one that was printed without data.
#[test]
fn tables_all_of_headings_are_read_or_said_to_be_unreadable() {
    let plain = one(&page(""));
    let headings = page("").replace("<td>", "<th>").replace("</td>", "</th>");
    let report = one(&headings);
    assert_eq!(report.tables.wait_event, plain.tables.wait_event);
    assert_eq!(report.tables.time_model, plain.tables.time_model);
    assert_eq!(report.tables.wait_histogram, plain.tables.wait_histogram);
    assert_eq!(report.identity.begin_snap, Some(310));
    // Which number stands under which heading cannot be told.
    let torn = headings.replace("<th>log file sync</th><th>10,000</th>", "<th>log file sync</th>");
    let report = one(&torn);
    assert!(report.tables.wait_event.is_empty(), "{:?}", report.tables.wait_event);
    let events = report.sections.iter().find(|section| section.title == EVENTS.0);
    assert_eq!(events.map(|section| (section.status, section.lost)), Some((SectionStatus::Unreadable, 3)));
}

#[test]
fn titles_behind_a_word_of_somebodys_own_were_not_known() {
    for before in ["Table 7: ", "PROD1: ", "### ", "* "] {
        let plain = page("");
        let titled = plain.replace("<h3 class=\"awr\">", &format!("<h3 class=\"awr\">{before}"));
        let (meant, found) = (one(&plain), one(&titled));
        assert_eq!(found.tables.wait_event.len(), meant.tables.wait_event.len(), "{before}");
        assert_eq!(found.tables.time_model.len(), meant.tables.time_model.len(), "{before}");
    }
}

#[test]
fn a_list_of_statements_below_the_title_of_another_was_ranked_as_that_says() {
    let list = |headings: &str| {
        let rows: String = (1..6)
            .map(|n| {
                format!(
                    "<tr><td>{}</td><td>{n}</td><td>{}.0</td><td>2.0</td><td>{n}.5</td><td>a0b1c2d3e4f{n}g</td></tr>\n",
                    9_000 / n,
                    100 * n
                )
            })
            .collect();
        format!("<h3>SQL ordered by Gets</h3>\n<table>{headings}{rows}</table>\n")
    };
    for (first, meant) in
        [("Physical Reads", "physical_reads"), ("Buffer Gets", "buffer_gets"), ("Parse Calls", "parse_calls")]
    {
        let headings = format!(
            "<tr><th>{first}</th><th>Executions</th><th>Reads per Exec</th><th>%Total</th>\
             <th>Elapsed Time (s)</th><th>SQL Id</th></tr>\n"
        );
        let report = one(&format!("<html><body>{HEAD}{}</body></html>", list(&headings)));
        let ranked: Vec<&str> = report.tables.sql_stat.iter().map(|s| s.ranked_by).collect();
        assert_eq!(ranked, [meant; 5]);
    }
}

/// A wait of twelve minutes was one of three hours: the comma of `12:10,758` was read as that of thousands.
#[test]
fn decimals_behind_minutes_are_no_thousands() {
    let page = |comma: bool| {
        let mark = |text: &str| {
            if comma { text.replace(',', ";").replace('.', ",").replace(';', ".") } else { text.to_owned() }
        };
        let row = |event: &str, waits: &str, time: &str, share: &str| {
            let [waits, time, share] = [waits, time, share].map(mark);
            format!("<tr><td>{event}</td><td>{waits}</td><td>{time}</td><td>{share}%</td></tr>\n")
        };
        let statement = |gets: &str, cpu: &str, elapsed: &str, hash: &str| {
            let [gets, cpu, elapsed] = [gets, cpu, elapsed].map(mark);
            format!(
                "<tr><td>{gets}</td><td>1</td><td>{gets}</td><td>{share}%</td><td>{cpu}</td><td>{elapsed}</td>\
                <td>{hash}</td></tr>\n<tr><td>&nbsp;</td><td colspan=\"6\">select 1 from tills</td></tr>\n",
                share = mark("4.4")
            )
        };
        format!(
            "<html><head><title>StatsPack Report for till</title></head><body><h1>StatsPack Report for till</h1>\n\
            <table><tr><th colspan=\"2\">Common Instance Information</th></tr>\n\
            <tr><td>Hostname:</td><td>shop</td></tr><tr><td>Instance:</td><td>till</td></tr>\n\
            <tr><td>Version:</td><td>9.2.0.5.0</td></tr></table>\n\
            <table><tr><th colspan=\"6\">SnapShot Info</th></tr>\n<tr><th>&nbsp;</th><th>Snap ID</th>\
            <th>Snap Time</th><th>Sessions</th><th>Curs/Sess</th><th>Comment</th></tr>\n\
            <tr><td>Start</td><td>905</td><td>16.07.2005 11:19</td><td>9</td><td>4.22</td><td></td></tr>\n\
            <tr><td>End</td><td>906</td><td>16.07.2005 19:19</td><td>9</td><td>4.25</td><td></td></tr>\n\
            <tr><td colspan=\"6\">Elapsed:     480.25 min</td></tr></table>\n\
            <table><tr><th colspan=\"4\">Top 10 Wait Events</th></tr>\n\
            <tr><th>Event</th><th>Waits</th><th>Wait Time</th><th>Total Wt Time</th></tr>\n{}{}{}</table>\n\
            <table><tr><th colspan=\"7\">Top 5 SQL ordered by Gets</th></tr>\n\
            <tr><th>Buffer Gets</th><th>Executions</th><th>Gets per Exec</th><th>Total</th><th>CPU Time</th>\
            <th>Elapsed Time</th><th>Hash Value</th></tr>\n{}{}</table></body></html>",
            row("log file sync", "231,744", "12:10.758", "31.06"),
            row("enqueue", "1,000", "1:02:03.004", "90.06"),
            row("process startup", "11", "21.073", "0.90"),
            statement("2,925,319", "1:53.220", "2:45.174", "1686291633"),
            statement("1,469,542", "20.190", "20.654", "3324404337"),
        )
    };
    for comma in [false, true] {
        let report = one(&page(comma));
        let events: Vec<_> = report.tables.top_event.iter().map(|e| e.time_s.unwrap()).collect();
        assert_eq!(events, [730.758, 3_723.004, 21.073], "{comma}");
        let times: Vec<_> =
            report.tables.sql_stat.iter().map(|s| (s.cpu_s.unwrap(), s.elapsed_s.unwrap())).collect();
        assert_eq!(times, [(113.22, 165.174), (20.19, 20.654)], "{comma}");
    }
}

/// Sessions that stood before the time were its day: a report began in the year 4527.
#[test]
fn snapshots_are_read_under_their_headings() {
    let row = |cells: [&str; 5], tag: &str| -> String {
        let cells: String = cells.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect();
        format!("<tr>{cells}</tr>")
    };
    let plain = page("");
    let from = plain.find("<tr><th></th><th>Snap Id").unwrap();
    let to = plain.find("<tr><td>Elapsed:").unwrap();
    let with = |headings: [&str; 5], begin: [&str; 5], end: [&str; 5]| {
        let rows = [row(headings, "th"), row(begin, "td"), row(end, "td")].concat();
        one(&format!("{}{rows}{}", &plain[..from], &plain[to..])).identity
    };
    let (begin, end) = ("23-Jan-19 15:00:56", "23-Jan-19 16:00:56");
    let moved = with(
        ["", "Snap Id", "Sessions", "Snap Time", "Cursors/Session"],
        ["Begin Snap:", "310", "52", begin, "1.8"],
        ["End Snap:", "311", "65", end, "1.9"],
    );
    let added = with(
        ["", "Con ID", "Snap Id", "Snap Time", "Sessions"],
        ["Begin Snap:", "3", "310", begin, "52"],
        ["End Snap:", "3", "311", end, "65"],
    );
    for identity in [moved, added] {
        assert_eq!((identity.begin_snap, identity.end_snap), (Some(310), Some(311)));
        assert_eq!(identity.begin_time.as_deref(), Some("2019-01-23T15:00:56"));
        assert_eq!(identity.end_time.as_deref(), Some("2019-01-23T16:00:56"));
        assert_eq!((identity.begin_sessions, identity.end_sessions), (Some(52.0), Some(65.0)));
    }
    // Which of two numbers is the snapshot's, nothing tells.
    let unnamed = with(
        ["", "", "", "", ""],
        ["Begin Snap:", "3", "310", begin, "52"],
        ["End Snap:", "3", "311", end, "65"],
    );
    assert_eq!((unnamed.begin_snap, unnamed.end_snap), (None, None));
}

/// Misses of pins were those of gets where the column of these was gone, and the other way round where columns
/// changed places.
#[test]
fn misses_are_of_the_requests_before_them() {
    let misses = |headings: &[&str], cells: &[&str]| {
        let row = |cells: &[&str], tag: &str| -> String {
            cells.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect()
        };
        let table = format!(
            "<h3 class=\"awr\">Library Cache Activity</h3>\n<table border=\"0\"><tr>{}</tr>\n<tr>{}</tr></table>\n",
            row(headings, "th"),
            row(cells, "td")
        );
        let report = one(&page("").replace("</body>", &format!("{table}</body>")));
        let found = &report.tables.library_cache[0];
        assert_eq!((found.get_requests, found.namespace.as_str()), (Some(350_000.0), "SQL AREA"));
        let told = report.notes.iter().any(|n| n.message.contains("Pct Miss"));
        (found.get_miss_pct, found.pin_miss_pct, told)
    };
    let all = ["Namespace", "Get Requests", "Pct Miss", "Pin Requests", "Pct Miss", "Reloads"];
    let cells = ["SQL AREA", "350,000", "1.50", "6,100,000", "0.21", "12"];
    let order = |order: &[usize]| {
        let of = |row: [&'static str; 6]| order.iter().map(|at| row[*at]).collect::<Vec<_>>();
        misses(&of(all), &of(cells))
    };
    assert_eq!(order(&[0, 1, 2, 3, 4, 5]), (Some(1.5), Some(0.21), false));
    assert_eq!(order(&[0, 1, 3, 4, 5]), (None, Some(0.21), false));
    assert_eq!(order(&[0, 1, 2, 3, 5]), (Some(1.5), None, false));
    assert_eq!(order(&[0, 1, 2, 4, 5]), (Some(1.5), None, false));
    assert_eq!(order(&[5, 4, 3, 2, 1, 0]), (None, None, true));
    assert_eq!(order(&[0, 1, 3, 2, 4, 5]), (None, None, true));
    assert_eq!(order(&[0, 2, 3, 4, 5, 1]), (None, None, true));
}

/// A mail with sender and subject in a table above the report, and a page with a menu beside it, were two reports: one
/// of an interval without DB time and waits.
#[test]
fn tables_above_a_report_in_a_mail_were_a_report() {
    let head = "<html><head><title>AWR Report for DB: DBM11203, Inst: DBM11203, Snaps: 1822-1823</title></head><body>";
    let report = "<h1>WORKLOAD REPOSITORY report for</h1>\n<h3>Time Model Statistics</h3>\n<table border=\"1\">\
                  <tr><th>Statistic Name</th><th>Time (s)</th><th>% of DB Time</th></tr>\
                  <tr><td>DB CPU</td><td>1,701.4</td><td>26.6</td></tr>\
                  <tr><td>DB time</td><td>6,404.5</td><td></td></tr></table>\n";
    let mail = "<table><tr><td>From:</td><td>Joe</td></tr><tr><td>Subject:</td><td>slow</td></tr></table>";
    for page in [
        format!("{head}{mail}{report}</body></html>"),
        format!("{head}<table><tr><td>Menu</td><td>{report}</td></tr></table></body></html>"),
    ] {
        let found = spindle_evidence::read("mail", page.as_bytes()).reports;
        assert_eq!(found.len(), 1, "{page}");
        assert_eq!(found[0].tables.time_model.len(), 2);
    }
}

/// The mark of a note made `6,404.5` 64,051 s, what was struck out stood before what came in its place, and a key to
/// sort by, which no browser shows, before the number.
#[test]
fn marks_and_struck_out_words_ran_into_numbers() {
    let of = |cell: &str| {
        let page = format!(
            "<html><body><h1>WORKLOAD REPOSITORY report for</h1>\n<h3>Time Model Statistics</h3>\n<table border=\"1\">\
             <tr><th>Statistic Name</th><th>Time (s)</th><th>% of DB Time</th></tr>\
             <tr><td>DB CPU</td><td>{cell}</td><td>26.6</td></tr></table></body></html>"
        );
        one(&page).tables.time_model[0].time_s
    };
    assert_eq!(of("6,404.5"), Some(6_404.5));
    assert_eq!(of("6,404.5<sup>1</sup>"), None);
    for struck in [
        "<del>7,100.0</del>6,404.5",
        "<s>7,100.0</s> 6,404.5",
        "6,404.5<STRIKE>7</STRIKE>",
        "<span style=\"display:none\">0000064045</span>6,404.5",
        "<span style=\"color:red\">6,404.5</span>",
        // What does not end in the cell takes no rows with it.
        "<del>6,404.5",
        "<title>6,404.5",
    ] {
        assert_eq!(of(struck), Some(6_404.5), "{struck}");
    }
}

/// A mail program puts each line of a report into a block of its own: twice as many lines stood there, and host,
/// release and memory were lost.
#[test]
fn each_line_in_a_block_of_its_own_lost_the_host() {
    let printed = std::fs::read_to_string("../../examples/redo-on-sas.txt").unwrap();
    let lines = || printed.lines().map(|line| line.replace('&', "&amp;").replace('<', "&lt;"));
    let gmail: String = lines()
        .map(|line| if line.is_empty() { "<br>".to_owned() } else { line.replace("  ", "&nbsp; ") })
        .map(|line| format!("<div>{line}</div>"))
        .collect();
    let outlook: String = lines()
        .map(|line| if line.is_empty() { "&nbsp;".to_owned() } else { line.replace("  ", " &nbsp;") })
        .map(|line| format!("<p class=MsoNormal><span>{line}<o:p></o:p></span></p>\n\n"))
        .collect();
    let whole = one(&printed);
    for mail in [gmail, outlook] {
        let found = one(&format!("<html><body><div dir=\"ltr\"><p>see below</p>{mail}</div></body></html>"));
        let (identity, expected) = (&found.identity, &whole.identity);
        assert_eq!((&identity.host, &identity.version), (&expected.host, &expected.version));
        assert_eq!((identity.memory_bytes, identity.elapsed_s), (expected.memory_bytes, expected.elapsed_s));
        let rows = |report: &spindle_facts::Report| {
            let tables = &report.tables;
            [
                tables.wait_event.len(),
                tables.wait_histogram.len(),
                tables.instance_stat.len(),
                tables.sql_stat.len(),
            ]
        };
        assert_eq!(rows(&found), rows(&whole));
    }
}

/// `05:00:39 PM` was five in the morning.
#[test]
fn the_half_of_the_day_was_left_out() {
    let times = |begin: &str, end: &str| {
        let page = page("").replacen("</body>", "", 1);
        let table = format!(
            "<table border=\"0\"><tr><th></th><th>Snap Id</th><th>Snap Time</th><th>Sessions</th></tr>\
             <tr><td>Begin Snap:</td><td>310</td><td>{begin}</td><td>52</td></tr>\
             <tr><td>End Snap:</td><td>311</td><td>{end}</td><td>65</td></tr></table></body>"
        );
        let report = one(&page.replacen("<h3", &format!("{table}<h3"), 1));
        (report.identity.begin_time.clone(), report.identity.end_time.clone(), report.identity.begin_sessions)
    };
    let at = |time: &str| Some(format!("2014-04-23T{time}"));
    assert_eq!(
        times("23-Apr-14 11:30:10 AM", "23-Apr-14 12:30:13 PM"),
        (at("11:30:10"), at("12:30:13"), Some(52.0))
    );
    assert_eq!(
        times("23-Apr-14 05:00:39 PM", "23-Apr-14 06:00:54 pm"),
        (at("17:00:39"), at("18:00:54"), Some(52.0))
    );
    assert_eq!(times("23-Apr-14 17:00:39", "23-Apr-14 18:00:54").0, at("17:00:39"));
}

/// Histograms were left out, and modules and pools were called `Â`.
#[test]
fn blanks_that_were_encoded_twice_are_blanks() {
    let whole = page("").replace("<td></td>", "<td>&#160;</td>");
    let known = one(&whole);
    assert!(!known.tables.wait_histogram.is_empty());
    for blank in ["\u{c2}\u{a0}", "\u{c2} ", "\u{c2}", "\u{c3}\u{201a}\u{c2}\u{a0}"] {
        let report = one(&whole.replace("&#160;", blank));
        assert_eq!(rows(&report), rows(&known), "{blank:?}");
    }
    // A name may end in the letter.
    let named = one(&whole.replace("<td>till</td><td>&#160;</td>", "<td>SE\u{c2} one</td><td></td>"));
    assert!(rows(&named).3.iter().any(|(name, value)| name == "db_name" && value.contains("SE\u{c2} one")));
}
