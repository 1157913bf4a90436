//! Over time: several reports on one axis, gaps as gaps, the peak named.

use super::empty;
use crate::chart::{Layer, Line, Scale, Span, TimeChart, seconds_of};
use crate::overview::Overview;
use crate::{Subject, head, number, palette};
use spindle_diagnosis::IoFigure;
use std::collections::BTreeMap;

/// Intervals drawn; of more, the busiest of each stretch is drawn.
const DRAWN: usize = 400;

/// One interval with what is drawn of it.
struct Point<'a> {
    span: Span,
    subject: Subject<'a>,
}

/// The charts, one set for each instance of each database.
pub(super) fn render(subjects: &[Subject<'_>], overview: &Overview<'_>) -> String {
    let mut out = String::from("<section id=time><h2>Over time</h2>");
    let mut lanes: BTreeMap<String, Vec<Point<'_>>> = BTreeMap::new();
    let mut without_time = 0;
    for &i in &overview.in_time {
        let subject = subjects[i];
        let id = &subject.report.identity;
        let seconds = |t: &Option<String>| t.as_deref().and_then(seconds_of);
        match (seconds(&id.begin_time), seconds(&id.end_time)) {
            (Some(begin), Some(end)) if end > begin => {
                lanes.entry(head::name(id)).or_default().push(Point { span: Span { begin, end }, subject });
            }
            _ => without_time += 1,
        }
    }
    if without_time > 0 {
        empty(
            &mut out,
            &format!(
                "{without_time} of {} reports print no begin and end time and are not drawn.",
                subjects.len()
            ),
        );
    }
    let begin = lanes.values().flatten().map(|p| p.span.begin).fold(f64::INFINITY, f64::min);
    let end = lanes.values().flatten().map(|p| p.span.end).fold(f64::NEG_INFINITY, f64::max);
    if begin < end {
        let axis = Scale::Time { begin, end };
        let many = lanes.len();
        for (n, (name, points)) in lanes.into_iter().enumerate() {
            if n == 6 {
                empty(
                    &mut out,
                    &format!(
                        "{} more instances are not drawn; the table above lists their reports.",
                        many - 6
                    ),
                );
                break;
            }
            if many > 1 {
                out.push_str("<h3>");
                crate::escape::push_html(&mut out, &name);
                out.push_str("</h3>");
            }
            lane(&mut out, points, axis);
        }
    }
    out.push_str("</section>");
    out
}

/// The busiest point of each of [`DRAWN`] stretches.
fn thin(points: Vec<Point<'_>>) -> Vec<Point<'_>> {
    let each = points.len().div_ceil(DRAWN);
    let load = |p: &Point<'_>| head::average_active_sessions(&p.subject.report.identity).unwrap_or(0.0);
    let mut out: Vec<Point<'_>> = Vec::with_capacity(DRAWN);
    for (i, point) in points.into_iter().enumerate() {
        match out.last_mut() {
            Some(last) if i % each != 0 => {
                if load(&point) > load(last) {
                    *last = point;
                }
            }
            _ => out.push(point),
        }
    }
    out
}

fn lane(out: &mut String, points: Vec<Point<'_>>, axis: Scale) {
    let all = points.len();
    let points = if all > DRAWN { thin(points) } else { points };
    if points.len() < all {
        empty(out, &format!("{all} intervals: the busiest of every {} is drawn.", all.div_ceil(DRAWN)));
    }
    let spans: Vec<Span> = points.iter().map(|p| p.span).collect();
    let sessions =
        |s: f64, p: &Point<'_>| p.subject.report.identity.elapsed_s.filter(|e| *e > 0.0).map(|e| s / e);
    let names: Vec<String> = points
        .iter()
        .map(|p| {
            let id = &p.subject.report.identity;
            format!(
                "{}: {} ({})",
                head::interval(id).unwrap_or_default(),
                head::load(id).join(", "),
                id.source
            )
        })
        .collect();
    let mut classes: BTreeMap<&str, f64> = BTreeMap::new();
    for point in &points {
        for class in &point.subject.diagnosis.response_time.foreground.classes {
            *classes.entry(class.wait_class.as_str()).or_default() += class.time_s;
        }
    }
    let mut order: Vec<(&str, f64)> = classes.into_iter().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    let side = |p: &Point<'_>| p.subject.diagnosis.response_time.foreground.clone();
    let mut layers = vec![Layer {
        name: "CPU".to_owned(),
        css: palette::CPU.css,
        values: points.iter().map(|p| sessions(side(p).cpu_s?, p)).collect(),
    }];
    for (name, _) in order {
        let value = |p: &Point<'_>| {
            let side = &p.subject.diagnosis.response_time.foreground;
            sessions(side.classes.iter().find(|c| c.wait_class == name)?.time_s, p)
        };
        layers.push(Layer {
            name: name.to_owned(),
            css: palette::of(name).css,
            values: points.iter().map(value).collect(),
        });
    }
    layers.push(Layer {
        name: "not explained".to_owned(),
        css: palette::UNEXPLAINED.css,
        values: points.iter().map(|p| sessions(side(p).unexplained_s?, p)).collect(),
    });
    layers.retain(|l| l.values.iter().any(|v| v.is_some_and(|v| v > 0.0)));
    let load = |p: &Point<'_>| head::average_active_sessions(&p.subject.report.identity);
    let peak = (0..points.len())
        .filter_map(|i| Some((i, load(&points[i])?)))
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
        .map(|(i, v)| {
            let when =
                points[i].subject.report.identity.begin_time.as_deref().map(number::time).unwrap_or_default();
            (i, format!("peak {when}: {}", number::measure(v)))
        });
    let chart = |question: &'static str, y_unit: &'static str, layers, lines, peak| {
        TimeChart { question, y_unit, axis, spans: &spans, names: &names, layers, lines, peak }.render()
    };
    let figures = |pick: fn(&spindle_diagnosis::IoProfile) -> &Option<IoFigure>, factor: f64| {
        points
            .iter()
            .map(|p| pick(&p.subject.diagnosis.io_profile).as_ref().map(|f| f.value * factor))
            .collect()
    };
    let line = |name: &str, css, values| Line { name: name.to_owned(), css, values };
    let (uio, com, sio) =
        (palette::of("User I/O").css, palette::of("Commit").css, palette::of("System I/O").css);
    let pictures = [
        (
            chart(
                "When was the database busy, and with what?",
                "average active sessions",
                layers,
                vec![],
                peak,
            ),
            "No interval prints DB time by class.",
        ),
        (
            chart(
                "How many requests a second?",
                "requests/s",
                vec![],
                vec![
                    line("reads", uio, figures(|i| &i.read_iops, 1.0)),
                    line("writes, redo included", com, figures(|i| &i.write_iops, 1.0)),
                    line("redo writes", sio, figures(|i| &i.redo_write_iops, 1.0)),
                ],
                None,
            ),
            "No interval prints I/O requests.",
        ),
        (
            chart(
                "How many bytes a second?",
                "MB/s",
                vec![],
                vec![
                    line("read", uio, figures(|i| &i.read_mbps, 1.0)),
                    line("written, redo included", com, figures(|i| &i.write_mbps, 1.0)),
                ],
                None,
            ),
            "No interval prints bytes read or written.",
        ),
        (
            chart(
                "How long did I/O take?",
                "mean, ms",
                vec![],
                vec![
                    line("single-block read", uio, figures(|i| &i.single_block_read_us, 0.001)),
                    line("log write", sio, figures(|i| &i.log_write_us, 0.001)),
                ],
                None,
            ),
            "No interval prints read or log write times.",
        ),
    ];
    for (picture, why) in pictures {
        match picture {
            Some(picture) => out.push_str(&picture),
            None => empty(out, why),
        }
    }
}
