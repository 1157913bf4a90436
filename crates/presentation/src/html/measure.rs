//! The page of a measurement: what was found, the runs, how latencies are spread, how the rate went, and
//! everything that is needed to repeat it.

use super::table::{Cell, Table};
use super::{LIMIT, RESERVE, SCRIPT, STYLE, empty, measure_forms, push_warnings, section};
use crate::chart::{Band, Bar, Bars, Bucket, Dot, Frontier, Histogram, Scatter, Step, put};
use crate::escape::{clip, push_html, push_prose};
use crate::forms;
use crate::measured;
use crate::number;
use spindle_workload::{Calibration, Measured, Setting, StreamResult, job_file_text};

/// Where the rows are that a table has no room for.
const REST: &str = "in <code>spindle measure --json</code>";
/// Distributions shown.
const MOST_PICTURES: usize = 8;
/// Buckets of a distribution: so many to the doubling.
const BUCKETS: i32 = 8;

/// Makes a part.
type Render = fn(&Measured) -> String;

/// The page.
#[must_use]
pub fn measure(m: &Measured) -> String {
    let mut out = String::with_capacity(80_000);
    out.push_str("<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content=\"width=device-width,initial-scale=1\"><meta name=color-scheme content=\"light dark\"><title>");
    push_html(&mut out, &clip(&measured::title(m), 200));
    put!(out, " - Spindle</title><style>{STYLE}</style></head><body><main>");
    first(&mut out, m);
    let parts: [(&str, Render); 9] = [
        ("what was found", found),
        ("what each host did", hosts),
        ("what follows for databases", calibration),
        ("the grid", grids),
        ("the load against latency", load),
        ("the runs", runs),
        ("latencies", latencies),
        ("the rate over time", over_time),
        ("how to repeat it", repeat),
    ];
    for (what, render) in parts {
        let html = render(m);
        if out.len() + html.len() + RESERVE <= LIMIT {
            out.push_str(&html);
        } else {
            put!(out, "<p class=empty>Left out to keep the page under 400 KB: {what}; it is {REST}.</p>");
        }
    }
    out.push_str("<footer>Rates are a second; MB is 10<sup>6</sup> bytes, KiB, MiB and GiB are powers of 1,024. Intervals hold the true value in 95 of 100 runs, as far as the storage does not change. Percentiles are of all requests of a run. \"-\" is not known, never zero.</footer></main>");
    put!(out, "<script>{SCRIPT}</script></body></html>");
    out
}

/// What was measured, where and how, and what was found.
fn first(out: &mut String, m: &Measured) {
    out.push_str("<header><h1>");
    push_html(out, &clip(&measured::title(m), 200));
    out.push_str("</h1><p>");
    push_html(out, &clip(&measured::place(m), 400));
    out.push_str("</p></header>");
    if let Some(why) = &m.incomplete {
        out.push_str("<ul class=warn><li>Ended early: ");
        push_prose(out, &clip(why.trim_end_matches('.'), 400));
        out.push_str(". What follows is what was measured until then.</li></ul>");
    }
    out.push_str("<p class=answer>");
    push_prose(out, &clip(&m.verdict, 1200));
    put!(out, "</p><p class=q>{} {}</p>", measured::limited(m), measured::counted_from(m));
    push_warnings(out, &m.all_warnings(), REST);
    out.push_str("<nav class=nv>");
    let own = !forms::listings(m).is_empty();
    if own || m.points.len() > 1 {
        put!(out, "<a href=\"#load\">{}</a> ", if own { "Found" } else { "By load" });
    }
    if m.points.iter().any(|p| p.result.hosts.is_some()) {
        out.push_str("<a href=\"#hosts\">Hosts</a> ");
    }
    out.push_str("<a href=\"#runs\">Runs</a> <a href=\"#latency\">Latency</a> <a href=\"#time\">Over time</a> <a href=\"#repeat\">Repeat it</a></nav>");
}

/// The tables of a form, and their pictures.
fn found(m: &Measured) -> String {
    let listings = forms::listings(m);
    if listings.is_empty() {
        return String::new();
    }
    let mut out = section("", "load", "What was found");
    for picture in measure_forms::pictures(m) {
        out.push_str(&picture);
    }
    listed(&mut out, &listings);
    out.push_str("<p class=q>In brackets: bounds that hold the true value in 95 of 100 runs, where a run was long enough for them.</p></section>");
    out
}

/// Tables of a form.
fn listed(out: &mut String, listings: &[forms::Listing]) {
    for listing in listings {
        let mut headings = vec![listing.what.to_owned()];
        headings.extend(listing.columns.iter().map(|h| format!(">{h}")));
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        let mut table = Table::new(&listing.title, &headings, 120);
        for (n, (name, cells)) in listing.rows.iter().enumerate() {
            // Short names stay in one line on a narrow page.
            let name = if name.chars().count() < 26 { name.replace(' ', "\u{a0}") } else { name.clone() };
            let mut row = vec![Cell::Text(&name)];
            row.extend(cells.iter().map(|c| Cell::Number(c.long.clone())));
            table.row(if listing.marked == Some(n) { "tot" } else { "" }, &row);
        }
        table.finish_with(out, REST);
        for note in &listing.notes {
            out.push_str("<p class=q>");
            push_prose(out, &clip(note, 1200));
            out.push_str("</p>");
        }
    }
}

/// What each host did.
fn hosts(m: &Measured) -> String {
    let listings = forms::hosts::listings(m);
    if listings.is_empty() {
        return String::new();
    }
    let mut out = section("", "hosts", "What each host did");
    listed(&mut out, &listings);
    out.push_str("</section>");
    out
}

/// Rate by load, and latency by rate.
fn load(m: &Measured) -> String {
    if m.points.len() < 2 || m.matrix.is_some() || !forms::listings(m).is_empty() {
        return String::new();
    }
    let mut out = section("", "load", "By load");
    let phases: Vec<Option<&str>> =
        if m.calibration.is_some() { vec![Some("small reads"), Some("large reads")] } else { vec![None] };
    for phase in phases {
        let points: Vec<_> = m
            .points
            .iter()
            .filter(|p| phase.is_none() || p.parameters.phase.as_deref() == phase)
            .filter_map(|p| Some((p, p.parameters.concurrency?)))
            .collect();
        let total = |of: fn(&StreamResult) -> Option<f64>, streams: &[StreamResult]| -> f64 {
            streams.iter().filter_map(of).sum()
        };
        let large = phase == Some("large reads");
        let rate = if large { |s: &StreamResult| s.mbps } else { |s: &StreamResult| s.iops };
        let unit = if large { "MB/s" } else { "requests a second" };
        let steps: Vec<Step> = points
            .iter()
            .map(|(p, n)| {
                let mid = total(rate, &p.result.streams);
                let share = |low: bool| {
                    let bound = |s: &StreamResult| {
                        let i = s.interval?;
                        Some(if low { i.iops_low } else { i.iops_high } / s.iops.filter(|v| *v > 0.0)?)
                    };
                    match p.result.streams.as_slice() {
                        [one] => bound(one).unwrap_or(1.0),
                        _ => 1.0,
                    }
                };
                Step {
                    x: *n,
                    y: (mid * share(true), mid, mid * share(false)),
                    hover: format!("{} under way: {} {unit}", number::plain(*n), number::measure(mid)),
                }
            })
            .collect();
        let question = match phase {
            Some(phase) => format!("From how many under way do more {phase} bring no more?"),
            None => "From how many under way does more load bring no more?".to_owned(),
        };
        let knee = m.knee.filter(|_| !large).and_then(|k| {
            let at = steps.iter().position(|s| s.x == k.concurrency)?;
            Some((at, format!("knee: {}", number::plain(k.concurrency))))
        });
        let chart = Frontier {
            question: &question,
            x_unit: "requests under way",
            y_unit: unit,
            steps: &steps,
            knee,
            marks: &[],
            joined: true,
        };
        out.extend(chart.render());
        if large {
            continue;
        }
        let names: Vec<String> = points.iter().map(|(_, n)| number::plain(*n)).collect();
        let dots: Vec<Dot<'_>> = points
            .iter()
            .zip(&names)
            .filter_map(|((p, _), name)| {
                let ios: f64 = p.result.streams.iter().filter_map(|s| s.ios).map(|n| n as f64).sum();
                let mean = |s: &StreamResult| s.latency_us.mean.zip(s.ios).map(|(us, ios)| us * ios as f64);
                let us = total(mean, &p.result.streams) / ios;
                let x = total(rate, &p.result.streams);
                let hover = format!("{name} under way: {} {unit}, {} ms", number::measure(x), number::ms(us));
                (ios > 0.0).then_some(Dot { name, x, y: us / 1e3, hover })
            })
            .collect();
        let chart = Scatter {
            question: "What does a request take at which rate? (numbers: requests under way)",
            x_unit: "requests a second, logarithmic",
            y_unit: "mean ms, logarithmic",
            css: "k-uio",
            dots: &dots,
            bar: None,
        };
        out.extend(chart.render());
    }
    if let Some(knee) = m.knee {
        out.push_str("<p>");
        let between = match knee.interval {
            Some((low, high)) if low < high => {
                format!(
                    ", by the intervals of the rates between {} and {}",
                    number::plain(low),
                    number::plain(high)
                )
            }
            Some(_) => ", sure by the intervals of the rates".to_owned(),
            None => ", without an interval: the runs were too short for one".to_owned(),
        };
        push_html(
            &mut out,
            &format!(
                "The knee is the least load that brings 95 % of the highest rate: {} under way{between}; {} requests a second at \
                 {} ms, of at most {}.",
                number::plain(knee.concurrency),
                number::measure(knee.iops),
                number::ms(knee.latency_us),
                number::measure(knee.highest_iops)
            ),
        );
        out.push_str("</p>");
    }
    out.push_str("</section>");
    out
}

fn runs(m: &Measured) -> String {
    let mut out = section("", "runs", if m.points.len() > 1 { "Runs" } else { "Streams" });
    let rows = measured::rows(m);
    let read = measured::is_read(m);
    let first = if m.points.len() > 1 { "Load" } else { "Stream" };
    let headings: [&str; 11] = [
        first,
        ">Requests",
        ">Seconds",
        if read { ">ms a read" } else { ">+/- %" },
        ">IOPS",
        ">MB/s",
        ">mean ms",
        ">p50 ms",
        ">p99 ms",
        ">p99.9 ms",
        ">max ms",
    ];
    let mut table = Table::new("", &headings, 150);
    for row in &rows {
        let own = if read { row.per_read_us.map(|us| us / 1e3) } else { measured::half_pct(row) };
        table.row(
            "",
            &[
                Cell::Text(&row.name),
                Cell::known(row.ios, number::count),
                Cell::known(row.elapsed_s, number::measure),
                Cell::known(own, number::measure),
                Cell::known(row.iops, number::measure),
                Cell::known(row.mbps, number::measure),
                Cell::known(row.mean_us, number::ms),
                Cell::known(row.p50_us, number::ms),
                Cell::known(row.p99_us, number::ms),
                Cell::known(row.p999_us, number::ms),
                Cell::known(row.max_us, number::ms),
            ],
        );
    }
    if let Some(all) = measured::all_readers(m) {
        let unknown = || Cell::Number(String::new());
        let mut cells = vec![
            Cell::Text("all"),
            Cell::known(all.reads.map(|n| n as f64), number::count),
            Cell::known(all.seconds, number::measure),
            Cell::known(all.per_read_us().map(|us| us / 1e3), number::measure),
        ];
        cells.extend((0..7).map(|_| unknown()));
        table.row("tot", &cells);
    }
    table.finish_with(&mut out, REST);
    if !read {
        out.push_str("<p class=q>+/- %: half of the 95 % interval of the rate. \"-\": the run was too short to have one; so with percentiles that no request, or one alone, lies beyond.</p>");
    }
    out.push_str("</section>");
    out
}

/// Streams with the name of their run, those that are shown: first, around the knee, last.
fn chosen(m: &Measured) -> Vec<(String, &StreamResult)> {
    let all: Vec<(String, &StreamResult)> = m
        .points
        .iter()
        .flat_map(|p| {
            let load = measured::load(p);
            p.result.streams.iter().map(move |s| {
                let name = match (load.is_empty(), p.result.streams.len()) {
                    (true, _) => s.name.clone(),
                    (false, 1) => load.clone(),
                    (false, _) => format!("{load}: {}", s.name),
                };
                (name, s)
            })
        })
        .filter(|(_, s)| s.ios != Some(0))
        .collect();
    if all.len() <= MOST_PICTURES {
        return all;
    }
    let last = all.len() - 1;
    let mut picks: Vec<usize> = (0..MOST_PICTURES).map(|n| n * last / (MOST_PICTURES - 1)).collect();
    picks.dedup();
    picks.into_iter().map(|n| (all[n].0.clone(), all[n].1)).collect()
}

/// A distribution in buckets that grow by the same factor.
fn buckets(stream: &StreamResult) -> Vec<Bucket> {
    let Some(histogram) = stream.latencies() else { return Vec::new() };
    let mut out: Vec<(i32, f64)> = Vec::new();
    for value in histogram.iter_recorded() {
        let us = value.value_iterated_to() as f64 / 1e3;
        let index = (us.max(1e-3).log2() * f64::from(BUCKETS)).floor() as i32;
        match out.last_mut() {
            Some(last) if last.0 == index => last.1 += value.count_at_value() as f64,
            _ => out.push((index, value.count_at_value() as f64)),
        }
    }
    let bound = |index: i32| 2_f64.powf(f64::from(index) / f64::from(BUCKETS)) / 1e3;
    out.into_iter()
        .map(|(index, waits)| Bucket { low_ms: bound(index), high_ms: Some(bound(index + 1)), waits })
        .collect()
}

pub(super) fn latencies(m: &Measured) -> String {
    let mut out = section("", "latency", "Latency");
    let shown = chosen(m);
    let mut any = false;
    out.push_str("<div class=cards>");
    for (name, stream) in &shown {
        let buckets = buckets(stream);
        let l = &stream.latency_us;
        let band = |name: &'static str, key: &str, value: Option<f64>| {
            let value = value? / 1e3;
            let (low, high) = l.intervals.get(key).map_or((value, value), |(a, b)| (a / 1e3, b / 1e3));
            let text = if low < high {
                format!("{} ms ({}-{})", number::measure(value), number::measure(low), number::measure(high))
            } else {
                format!("{} ms", number::measure(value))
            };
            Some(Band { name, low_ms: low, high_ms: high, text })
        };
        let bands: Vec<Band> = [
            band("p50", "p50", l.p50),
            band("p99", "p99", l.p99.filter(|_| measured::enough(stream, measured::ENOUGH_FOR_P99))),
            band("p99.9", "p999", l.p999.filter(|_| measured::enough(stream, measured::ENOUGH_FOR_P999))),
        ]
        .into_iter()
        .flatten()
        .collect();
        let question = format!("How long do requests take? {name}");
        let picture = Histogram {
            question: &question,
            css: "k-uio",
            buckets: &buckets,
            bands: &bands,
            average_ms: l.mean.map(|us| us / 1e3),
            bar_ms: None,
            of: "requests",
            x_unit: "latency, ms (logarithmic)",
        };
        if let Some(picture) = picture.render() {
            any = true;
            out.push_str("<div class=card>");
            out.push_str(&picture);
            let total: f64 = buckets.iter().map(|b| b.waits).sum();
            out.push_str("<details><summary>Table</summary>");
            let mut table = Table::new("", &[">from ms", ">to ms", ">Requests", ">%"], 60);
            for bucket in &buckets {
                table.row(
                    "",
                    &[
                        Cell::Number(number::measure(bucket.low_ms)),
                        Cell::known(bucket.high_ms, number::measure),
                        Cell::Number(number::count(bucket.waits)),
                        Cell::Number(number::percent(100.0 * bucket.waits / total)),
                    ],
                );
            }
            table.finish_with(&mut out, REST);
            out.push_str("</details></div>");
        }
    }
    out.push_str("</div>");
    if !any {
        empty(
            &mut out,
            "No distribution is known: no request was answered, or the run never said what it found.",
        );
    }
    let all: usize = m.points.iter().map(|p| p.result.streams.len()).sum();
    if all > shown.len() {
        put!(out, "<p class=q>{} of {all} distributions; all of them are {REST}.</p>", shown.len());
    }
    out.push_str("</section>");
    out
}

fn over_time(m: &Measured) -> String {
    let mut out = section("", "time", "Over time");
    let mut any = false;
    out.push_str("<div class=cards>");
    for (name, stream) in chosen(m) {
        let Some(course) = stream.course.as_ref().filter(|c| !c.iops.is_empty() && c.slice_s > 0.0) else {
            continue;
        };
        let unit = if course.slice_s < 0.5 { (1e3, "ms") } else { (1.0, "seconds") };
        // Slices that are too many for the width are put together.
        let group = course.iops.len().div_ceil(64).max(1);
        let bars: Vec<Bar> = course
            .iops
            .chunks(group)
            .enumerate()
            .map(|(n, chunk)| {
                let mean = chunk.iter().sum::<f64>() / chunk.len() as f64;
                let low = (n * group) as f64 * course.slice_s * unit.0;
                let high = low + chunk.len() as f64 * course.slice_s * unit.0;
                let hover = format!(
                    "{} to {} {}: {} requests a second",
                    number::measure(low),
                    number::measure(high),
                    unit.1,
                    number::measure(mean)
                );
                Bar { low, high, share_pct: mean, hover }
            })
            .collect();
        let question = format!("Did the rate stay the same? {name}");
        let chart = Bars {
            question: &question,
            x_unit: &format!("{} since counting began", unit.1),
            y_unit: "requests a second",
            bars: &bars,
            mark: None,
        };
        if let Some(chart) = chart.render() {
            any = true;
            out.push_str("<div class=card>");
            out.push_str(&chart);
            let said = match course.steady {
                Some(true) => "Steady, as far as this run shows.".to_owned(),
                Some(false) => "Not steady.".to_owned(),
                None => "Too short to say whether it is steady.".to_owned(),
            };
            let steps: Vec<String> = course
                .steps
                .iter()
                .take(4)
                .map(|s| {
                    format!(
                        " At {} s from {} to {} a second.",
                        number::measure(s.at_s),
                        number::measure(s.before_iops),
                        number::measure(s.after_iops)
                    )
                })
                .collect();
            put!(out, "<p class=q>{said}{}</p></div>", steps.concat());
        }
    }
    out.push_str("</div>");
    if !any {
        empty(&mut out, "The runs were too short to show how the rate went.");
    }
    out.push_str("</section>");
    out
}

fn settings(out: &mut String, title: &str, settings: &[Setting]) {
    put!(out, "<h3>{title}</h3>");
    let lines: Vec<&str> = settings.iter().map(|s| s.line.as_str()).filter(|l| !l.is_empty()).collect();
    if !lines.is_empty() {
        out.push_str("<pre>");
        push_html(out, &lines.join("\n"));
        out.push_str("</pre>");
    }
    let mut table = Table::new("", &["Setting", ">Value", "How it follows"], 20);
    for setting in settings {
        table.row(
            "",
            &[
                Cell::Text(&setting.name),
                Cell::known(setting.value, number::plain),
                Cell::Prose(&setting.how),
            ],
        );
    }
    table.finish_with(out, REST);
}

fn calibration(m: &Measured) -> String {
    let Some(found) = &m.calibration else { return String::new() };
    let Calibration { oracle, postgres, .. } = found;
    let mut out = section("", "calibrated", "As CALIBRATE_IO has it, and what follows for databases");
    let mut table = Table::new("", &["", ">Value", ""], 10);
    let interval = found.max_iops_interval.map_or_else(String::new, |(low, high)| {
        format!("95 % between {} and {}; ", number::measure(low), number::measure(high))
    });
    let whole = |v: Option<f64>| number::or_unknown(v.map(f64::round), |v| number::fixed(v, 0));
    let small = format!("{interval}{} under way", found.small_depth.map_or(0, |d| d));
    let large =
        format!("10^6 bytes a second, random reads of 1 MiB, {} under way", found.large_depth.unwrap_or(0));
    let asked =
        format!("ms; asked for at most {}", number::or_unknown(found.max_latency_us, number::ms_plain));
    for (name, value, text) in [
        ("max_iops", whole(found.max_iops), small.as_str()),
        ("max_mbps", whole(found.max_mbps), large.as_str()),
        ("actual_latency", number::or_unknown(found.actual_latency_us, number::ms), asked.as_str()),
        (
            "num_physical_disks",
            number::or_unknown(found.num_disks.map(f64::from), number::count),
            "as given: steps of the load",
        ),
    ] {
        table.row("", &[Cell::Text(name), Cell::Number(value), Cell::Text(text)]);
    }
    table.finish_with(&mut out, REST);
    settings(&mut out, "Oracle: system statistics", oracle);
    settings(&mut out, "PostgreSQL", postgres);
    out.push_str("<p class=q>SREADTIM, MREADTIM and MBRC are statistics with workload, IOSEEKTIM and IOTFRSPEED those without; a database uses one kind. Test plans before either goes into production: every plan may change.</p></section>");
    out
}

fn grids(m: &Measured) -> String {
    let Some(matrix) = &m.matrix else { return String::new() };
    let mut out = section("", "load", "The grid: small requests to the right, large ones downwards");
    out.push_str("<pre>");
    push_html(&mut out, &matrix.summary.join("\n"));
    out.push_str("</pre><p class=q>As Orion sums it up; its MB are 2<sup>20</sup> bytes, those of the tables 10<sup>6</sup>.</p>");
    for grid in measured::grids(m) {
        let mut headings = vec!["large\\small".to_owned()];
        headings.extend(grid.columns.iter().map(|n| format!(">{n}")));
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        let mut table = Table::new(grid.title, &headings, 60);
        for (large, cells) in &grid.rows {
            let name = large.to_string();
            let mut row = vec![Cell::Text(&name)];
            row.extend(cells.iter().map(|v| Cell::Number(v.map_or_else(String::new, number::measure))));
            table.row("", &row);
        }
        table.finish_with(&mut out, REST);
    }
    out.push_str("</section>");
    out
}

pub(super) fn repeat(m: &Measured) -> String {
    let mut out = section("", "repeat", "How to repeat it");
    out.push_str("<pre>");
    push_html(&mut out, &clip(&m.command, 2000));
    out.push_str("</pre>");
    if let Some(result) = measured::environment(m) {
        let e = &result.environment;
        let mut table = Table::new(
            "",
            &["Device or file", ">Bytes", "Model", "Scheduler", ">Read-ahead KiB", "Turns", "Page cache"],
            40,
        );
        let yes = |v: Option<bool>, yes: &'static str, no: &'static str| match v {
            Some(true) => yes,
            Some(false) => no,
            None => "-",
        };
        for d in &e.devices {
            table.row(
                "",
                &[
                    Cell::Text(&d.path),
                    Cell::known(d.bytes.map(|b| b as f64), number::count),
                    Cell::Text(d.model.as_deref().unwrap_or("-")),
                    Cell::Text(d.scheduler.as_deref().unwrap_or("-")),
                    Cell::known(d.read_ahead_bytes.map(|b| b as f64 / 1024.0), number::count),
                    Cell::Text(yes(d.rotational, "yes", "no")),
                    Cell::Text(yes(d.direct, "gone past", "USED")),
                ],
            );
        }
        table.finish_with(&mut out, REST);
        out.push_str("<p class=q>");
        let known = [&e.program, &e.engine, &e.host, &e.kernel];
        let words: Vec<&str> = known.into_iter().flatten().map(String::as_str).collect();
        push_html(&mut out, &words.join(" · "));
        out.push_str("</p>");
    }
    let jobs: Vec<_> =
        m.points.iter().filter_map(|p| Some((measured::load(p), p.result.job.as_ref()?))).collect();
    for (load, job) in jobs.iter().take(MOST_PICTURES) {
        out.push_str("<details><summary>The job");
        if !load.is_empty() {
            out.push_str(", ");
            push_html(&mut out, load);
        }
        out.push_str(", as a file for <code>spindle measure run</code></summary><pre>");
        push_html(&mut out, &clip(&job_file_text(job), 6000));
        out.push_str("</pre></details>");
    }
    if jobs.len() > MOST_PICTURES {
        put!(
            out,
            "<p class=q>The other {} jobs differ in the load alone; they are {REST}.</p>",
            jobs.len() - MOST_PICTURES
        );
    }
    out.push_str("</section>");
    out
}
