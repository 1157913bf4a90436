//! Shows how a report is read: its sections with status and rows, its tables with counts, its notes.
//! The first thing to run on a strange report: `cargo run -p spindle-evidence --example show_tables -- FILE [TABLE]`.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: show_tables FILE [TABLE]");
        std::process::exit(2);
    };
    let table = arguments.next();
    let bytes = std::fs::read(&file).unwrap();
    let reading = spindle_evidence::read(&file, &bytes);
    for report in &reading.reports {
        let json = serde_json::to_value(report).unwrap();
        if let Some(table) = &table {
            for row in json["tables"][table.as_str()].as_array().unwrap() {
                println!("{row}");
            }
            continue;
        }
        println!("{:?}", report.identity);
        for s in &report.sections {
            println!("{:6} {:10} {:5} {}", s.line, format!("{:?}", s.status), s.rows, s.title);
        }
        for (name, rows) in json["tables"].as_object().unwrap() {
            println!("{name} {}", rows.as_array().map_or(0, Vec::len));
        }
        for n in &report.notes {
            println!("note {n:?}");
        }
    }
    if let Some(why) = reading.refused {
        println!("refused: {why}");
    }
}
