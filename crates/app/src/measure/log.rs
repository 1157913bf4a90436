//! `log`: what a log writer does for those who commit, and what reads of the same storage do to it.

use super::supervise::Runner;
use super::sweep::{Each, add, begin, ms, number, stream};
use spindle_workload::{
    Arrivals, COMMIT, Extent, Figure, Flush, Form, LogFound, LogReads, LogStep, Measured, Parameters,
    Pattern, Region, RunResult, Size, Stream, StreamResult, Times,
};

/// The log is this large, where nothing else is said, or half of the file.
const LOG_BYTES: u64 = 1 << 30;
/// A latency that grows by less than this part of it is not worth a word.
const WORTH_A_WORD: f64 = 1.1;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct LogOrder {
    /// Numbers of committers, a run each.
    pub committers: Vec<u32>,
    /// Mean pause of a committer between two commits, microseconds.
    pub think_us: f64,
    /// Redo of a commit, and where these sizes come from; of `None` those that are usual.
    pub mix: Option<Vec<Size>>,
    /// When a write is done.
    pub flush: Flush,
    /// The log goes round in so many bytes.
    pub log_bytes: Option<u64>,
    /// Random reads under way beside it.
    pub reads_depth: Option<u32>,
    /// Bytes of each.
    pub read_bytes: u32,
    /// Each run.
    pub each: Each,
}

/// Redo of a commit where nothing else is said.
///
/// Redo size per transaction as 76 AWR and Statspack reports print that people put on the web, at their
/// tenth, first quarter, half and third quarter: 1.9, 5.4, 20 and 56 KB, each standing for those around it.
/// What lies above are loads in bulk, which do not wait for each commit.
fn usual_mix() -> Vec<Size> {
    [(1_900, 2.0), (5_400, 3.0), (20_000, 3.0), (56_000, 2.0)]
        .map(|(bytes, weight)| Size { bytes, weight })
        .to_vec()
}

const USUAL: &str = "redo per transaction in 76 published AWR and Statspack reports: 10 % below 1.9 KB, a quarter \
                     below 5.4 KB, half below 20 KB, three quarters below 56 KB; loads in bulk above are left out";

const LOG: &str = "log";
const READS: &str = "reads";
const ALONE: &str = "log alone";
const READS_ALONE: &str = "reads alone";
const BESIDE: &str = "log beside reads";

/// Measures a log.
///
/// # Errors
/// In a sentence, where nothing can be run.
pub fn log(runner: &mut dyn Runner, order: &LogOrder) -> Result<Measured, String> {
    let [bytes] = *runner.bytes() else {
        return Err("a log is measured on one file or device".to_owned());
    };
    let log_bytes = order.log_bytes.unwrap_or(LOG_BYTES.min(bytes / 2));
    if log_bytes >= bytes && order.reads_depth.is_some() {
        return Err(format!("a log of {log_bytes} bytes leaves nothing of {bytes} bytes to read"));
    }
    let mix = order.mix.clone().unwrap_or_else(usual_mix);
    let writer = |committers: u32| Stream {
        name: LOG.to_owned(),
        read_pct: 0.0,
        pattern: Pattern::Sequential,
        sizes: mix.clone(),
        region: Region { from: Extent::Bytes(0), length: Some(Extent::Bytes(log_bytes)) },
        arrivals: Arrivals::Commits { committers, think_us: order.think_us },
        flush: order.flush,
        trace: None,
    };
    let reader = |depth: u32| Stream {
        region: Region { from: Extent::Bytes(log_bytes), length: None },
        ..stream(READS, 100.0, order.read_bytes, Pattern::Random, depth)
    };
    let mut measured = begin(Form::Log);
    let mut step = |measured: &mut Measured, phase: &str, committers: Option<u32>, depth: Option<u32>| {
        let streams = committers.map(writer).into_iter().chain(depth.map(reader)).collect();
        let parameters = Parameters { phase: Some(phase.to_owned()), committers, ..Parameters::default() };
        let name = committers.map_or(phase.to_owned(), |n| format!("{phase}, {n} committers"));
        add(measured, runner, parameters, &order.each.job(name, streams))
    };
    let mut on = true;
    if let Some(depth) = order.reads_depth {
        on = step(&mut measured, READS_ALONE, None, Some(depth))?;
    }
    for committers in &order.committers {
        if on {
            on = step(&mut measured, ALONE, Some(*committers), None)?;
        }
    }
    for committers in order.committers.iter().filter(|_| order.reads_depth.is_some()) {
        if on {
            on = step(&mut measured, BESIDE, Some(*committers), order.reads_depth)?;
        }
    }
    let found = LogFound {
        flush: order.flush,
        mix_source: if order.mix.is_some() { "as given" } else { USUAL }.to_owned(),
        mix,
        think_us: order.think_us,
        log_bytes,
        steps: measured.points.iter().filter_map(|p| row(&p.parameters, &p.result, order)).collect(),
        reads: measured.points.iter().filter_map(|p| reads(&p.parameters, &p.result, order)).collect(),
    };
    measured.verdict = verdict(&found);
    measured.log = Some(found);
    Ok(measured)
}

fn named<'a>(result: &'a RunResult, name: &str) -> Option<&'a StreamResult> {
    result.streams.iter().find(|s| s.name == name)
}

fn row(of: &Parameters, result: &RunResult, order: &LogOrder) -> Option<LogStep> {
    let committers = of.committers?;
    let writes = named(result, LOG)?;
    let commits = result.streams.iter().find(|s| s.operation == COMMIT)?;
    let beside = of.phase.as_deref() == Some(BESIDE);
    let (write_rate, commit_rate) = (Figure::rate(writes), Figure::rate(commits));
    Some(LogStep {
        committers,
        reads_depth: order.reads_depth.filter(|_| beside).unwrap_or(0),
        writes_per_s: write_rate,
        commits_per_s: commit_rate,
        commits_per_write: commit_rate.zip(write_rate).and_then(|(c, w)| c.over(w)),
        write_us: Times::of(writes),
        commit_us: Times::of(commits),
        redo_mbps: Figure::mbps(commits),
        written_mbps: Figure::mbps(writes),
    })
}

fn reads(of: &Parameters, result: &RunResult, order: &LogOrder) -> Option<LogReads> {
    let reads = named(result, READS)?;
    Some(LogReads {
        committers: of.committers.unwrap_or(0),
        depth: order.reads_depth?,
        reads_per_s: Figure::rate(reads),
        read_us: Times::of(reads),
    })
}

fn verdict(found: &LogFound) -> String {
    let alone = || found.steps.iter().filter(|s| s.reads_depth == 0);
    let rate = |s: &LogStep| s.commits_per_s.map_or(0.0, |f| f.value);
    let Some(most) = alone().filter(|s| rate(s) > 0.0).max_by(|a, b| rate(a).total_cmp(&rate(b))) else {
        return "No commit was answered.".to_owned();
    };
    let mean = |t: &Times| t.mean.map(|f| f.value);
    let said = |us: Option<f64>| us.map_or_else(|| "not known".to_owned(), ms);
    let mut text = format!(
        "{} {} {} a second in {} each; a write of the log takes {} and carries {} of them.",
        most.committers,
        if most.committers == 1 { "committer commits" } else { "committers commit" },
        number(rate(most)),
        said(mean(&most.commit_us)),
        said(mean(&most.write_us)),
        most.commits_per_write.map_or_else(|| "some".to_owned(), |f| number(f.value)),
    );
    let beside = found.steps.iter().find(|s| s.reads_depth > 0 && s.committers == most.committers);
    if let Some(beside) = beside {
        text += &match (mean(&most.write_us), mean(&beside.write_us)) {
            (Some(before), Some(after)) if after > before * WORTH_A_WORD => format!(
                " Beside {} random reads at a time a write takes {}, {} times as long, and {} commit.",
                beside.reads_depth,
                ms(after),
                number(after / before),
                number(rate(beside))
            ),
            (Some(before), Some(after)) if before > after * WORTH_A_WORD => format!(
                " Beside {} random reads at a time a write takes {}, {} times shorter than alone: reads do not speed up \
                 writes, so something held up the writes alone (CPUs or a device that sleep between single requests, \
                 a cache that was still full, other work); measure it again.",
                beside.reads_depth,
                ms(after),
                number(before / after)
            ),
            (Some(_), Some(after)) => format!(
                " Beside {} random reads at a time a write takes {}: hardly longer.",
                beside.reads_depth,
                ms(after)
            ),
            _ => format!(" Beside {} random reads at a time no write was answered.", beside.reads_depth),
        };
    }
    let of = |committers: u32| found.reads.iter().find(|r| r.committers == committers);
    if let Some((before, after)) = of(0).zip(beside.and_then(|b| of(b.committers)))
        && let Some((a, b)) = mean(&before.read_us).zip(mean(&after.read_us))
    {
        let rate = |r: &LogReads| number(r.reads_per_s.map_or(0.0, |f| f.value));
        text += &if b > a * WORTH_A_WORD {
            format!(
                " Writes poison the reads: {} each instead of {}, {} a second instead of {}.",
                ms(b),
                ms(a),
                rate(after),
                rate(before)
            )
        } else if a > b * WORTH_A_WORD {
            format!(
                " The reads take {} each beside the writes and {} alone, where something held them up; measure it again.",
                ms(b),
                ms(a)
            )
        } else {
            format!(" The reads hardly feel it: {} each, {} alone.", ms(b), ms(a))
        };
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::test_runner::Model;
    use super::*;

    fn order(committers: &[u32], reads_depth: Option<u32>) -> LogOrder {
        LogOrder {
            committers: committers.to_vec(),
            think_us: 0.0,
            mix: None,
            flush: Flush::Dsync,
            log_bytes: None,
            reads_depth,
            read_bytes: 8_192,
            each: Each { seconds: 20.0, warm_up_s: 1.0, seed: 13 },
        }
    }

    fn value(figure: Option<Figure>) -> f64 {
        figure.unwrap().value
    }

    #[test]
    fn a_write_takes_what_the_device_takes_and_commits_follow_from_it() {
        let mut device = Model::new(2_000.0, None, None, 1);
        let measured = log(&mut device, &order(&[1, 2, 16], None)).unwrap();
        let found = measured.log.unwrap();
        assert_eq!(found.steps.len(), 3);
        for step in &found.steps {
            let n = f64::from(step.committers);
            assert!((value(step.writes_per_s) - 500.0).abs() < 0.2, "{step:?}");
            assert!((value(step.write_us.mean) - 2_000.0).abs() < 0.1, "{step:?}");
            // 1 / L alone, else N / 2 L.
            let expected = if step.committers == 1 { 500.0 } else { n * 250.0 };
            assert!((value(step.commits_per_s) - expected).abs() < 0.1 * n, "{step:?}");
            let took = if step.committers == 1 { 2_000.0 } else { 4_000.0 };
            assert!((value(step.commit_us.mean) - took).abs() < 1.0, "{step:?}");
            assert!((value(step.commits_per_write) - expected / 500.0).abs() < 0.05, "{step:?}");
            // What is written is the redo in whole blocks.
            let (redo, written) = (value(step.redo_mbps), value(step.written_mbps));
            assert!(written > redo && written - redo < 500.0 * 512.0 / 1e6, "{step:?}");
        }
        assert!(
            measured.verdict.starts_with("16 committers commit 4,000 a second in 4 ms each"),
            "{}",
            measured.verdict
        );
    }

    #[test]
    fn a_write_beside_reads_of_a_quarter_the_time_was_hardly_longer() {
        let mut device = Model::new(1_000.0, Some(500.0), None, 1);
        let mut found = log(&mut device, &order(&[4], Some(8))).unwrap().log.unwrap();
        for step in found.steps.iter_mut().filter(|step| step.reads_depth > 0) {
            step.write_us.mean = Some(Figure::new(500.0, None));
        }
        for reads in found.reads.iter_mut().filter(|reads| reads.committers > 0) {
            reads.read_us.mean = Some(Figure::new(4_000.0, None));
        }
        let said = verdict(&found);
        assert!(said.contains("takes 0.5 ms, 4 times shorter than alone"), "{said}");
        assert!(said.contains("The reads take 4 ms each beside the writes and 16 ms alone"), "{said}");
    }

    #[test]
    fn reads_and_writes_of_one_device_poison_each_other() {
        // 1 ms, and 500 a second in all: eight reads at a time take 16 ms.
        let mut device = Model::new(1_000.0, Some(500.0), None, 1);
        let measured = log(&mut device, &order(&[4], Some(8))).unwrap();
        let phases: Vec<&str> =
            measured.points.iter().filter_map(|p| p.parameters.phase.as_deref()).collect();
        assert_eq!(phases, [READS_ALONE, ALONE, BESIDE]);
        let found = measured.log.unwrap();
        let [alone, beside] = found.steps.as_slice() else { panic!("{found:?}") };
        assert_eq!((alone.reads_depth, beside.reads_depth), (0, 8));
        // Nine under way share 500 a second: 18 ms each.
        assert!((value(beside.write_us.mean) - 18_000.0).abs() < 200.0, "{beside:?}");
        assert!((value(alone.write_us.mean) - 2_000.0).abs() < 20.0, "{alone:?}");
        assert!((value(found.reads[0].read_us.mean) - 16_000.0).abs() < 200.0, "{found:?}");
        assert!((value(found.reads[1].read_us.mean) - 18_000.0).abs() < 200.0, "{found:?}");
        for words in ["Beside 8 random reads at a time a write takes 18 ms", "Writes poison the reads: 18 ms"]
        {
            assert!(measured.verdict.contains(words), "{}", measured.verdict);
        }
    }

    #[test]
    fn a_log_that_is_stopped_keeps_what_it_has() {
        let mut device = Model::new(1_000.0, None, None, 1);
        device.cut_after = Some(2);
        let measured = log(&mut device, &order(&[1, 4], Some(2))).unwrap();
        assert_eq!(measured.incomplete.as_deref(), Some("it was stopped"));
        let found = measured.log.unwrap();
        assert_eq!((found.steps.len(), found.reads.len()), (1, 1));
        let mut order = order(&[1], Some(2));
        order.log_bytes = Some(2 << 30);
        assert!(log(&mut device, &order).unwrap_err().contains("leaves nothing"));
    }
}
