//! HTML reports as mail programs, wikis, editors and printers change them: empty paragraphs, page marks, captions,
//! cells over columns, ends of tables left out. All names and figures are invented.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use spindle_facts::Report;

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
    for (open, close) in
        [("<caption>", "</caption>\n"), ("<caption><b>", "</b></caption>"), ("<tr><th>", "</th></tr>")]
    {
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
