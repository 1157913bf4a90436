//! Runs a scenario and prints its figures: `cargo run --release -p spindle-io-simulate --example scenario -- FILE [KEY=VALUES...]`.
#![allow(clippy::print_stdout)]

use spindle_io_simulate::scenario::Scenario;

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("name a scenario")?;
    let sweeps: Vec<(String, String)> =
        arguments.filter_map(|a| a.split_once('=').map(|(k, v)| (k.to_owned(), v.to_owned()))).collect();
    let text = std::fs::read_to_string(&file).map_err(|e| format!("`{file}`: {e}"))?;
    let scenario = Scenario::read(&text, &file, &sweeps, None).map_err(|e| e.to_string())?;
    let mut runs = Vec::new();
    for point in 0..scenario.points() {
        runs.push(Some(scenario.run(point)?));
    }
    let found = scenario.found(&runs);
    for (n, point) in found.points.iter().enumerate() {
        println!("{}", scenario.point_name(n));
        for (figure, value) in found.figures.iter().zip(&point.values) {
            let shown = value.map_or("-".to_owned(), |v| format!("{:.4}", figure.unit.shown(v)));
            println!("    {:30} {shown} {}", figure.name, figure.unit.name());
        }
    }
    for row in &found.published {
        let shown = |v: Option<f64>| {
            v.map_or("-".to_owned(), |v| format!("{:.4}", found.figures[row.figure].unit.shown(v)))
        };
        println!(
            "{:28} {:40} {:>12} {:>12} {:>8} {:?} {:?}",
            found.figures[row.figure].name,
            row.at,
            shown(row.published),
            shown(row.simulated),
            row.difference_pct.map_or("-".to_owned(), |d| format!("{d:+.2}%")),
            row.holds(),
            row.fitted
        );
    }
    Ok(())
}
