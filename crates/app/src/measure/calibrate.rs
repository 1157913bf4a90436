//! `calibrate`: what `DBMS_RESOURCE_MANAGER.CALIBRATE_IO` finds, and what follows for those who plan queries.
//!
//! Small random reads first, more and more of them as long as they keep the latency, then large random
//! reads. Before both, one small and one large read at a time: what a request costs alone, of which the
//! planners' figures are made.

use super::supervise::Runner;
use super::sweep::{Each, Load, add, begin, failures, knee, ms, number, stream, sum, whole};
use spindle_workload::{Calibration, Form, Measured, Parameters, Pattern, Setting};

/// Large reads, as CALIBRATE_IO has them.
const LARGE: u32 = 1 << 20;
/// A step up that brings less than this brings nothing.
const GAIN: f64 = 1.03;
/// Rates that differ by less are alike.
const ALIKE: f64 = 0.99;
/// Share of random reads that PostgreSQL expects in memory, by which its default of 4 stands for a device
/// on which a random read costs 40 sequential ones. Source: its documentation of `random_page_cost`.
const POSTGRES_CACHED: f64 = 0.9;
/// Most that PostgreSQL takes for `effective_io_concurrency`.
const POSTGRES_MOST: f64 = 1_000.0;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct CalibrateOrder {
    /// Disks behind the files: load rises in steps of so many requests.
    pub num_disks: u32,
    /// A small read may take so long on average, microseconds.
    pub max_latency_us: f64,
    /// Bytes of a small read: a block of the database.
    pub size: u32,
    /// Requests under way on each target at most.
    pub most_depth: u32,
    /// Each run.
    pub each: Each,
}

/// Calibrates.
///
/// # Errors
/// In a sentence, where nothing can be run.
pub fn calibrate(runner: &mut dyn Runner, order: &CalibrateOrder) -> Result<Measured, String> {
    let mut measured = begin(Form::Calibrate);
    let targets = u32::try_from(runner.bytes().len().max(1)).unwrap_or(1);
    let mut step = |measured: &mut Measured, phase: &str, bytes: u32, depth: u32| {
        let concurrency = f64::from(depth) * f64::from(targets);
        let stream = stream(phase, 100.0, bytes, Pattern::Random, depth);
        let job = order.each.job(format!("{phase}, {} under way", number(concurrency)), vec![stream]);
        let parameters = Parameters {
            phase: Some(phase.to_owned()),
            concurrency: Some(concurrency),
            ..Parameters::default()
        };
        add(measured, runner, parameters, &job)
    };
    let per_target = order.num_disks.div_ceil(targets).max(1);
    let mut on = step(&mut measured, SMALL, order.size, 1)?;
    // Small reads, in steps of one a disk, growing with the load.
    let mut depth = if per_target > 1 { per_target } else { 2 };
    let (mut flat, mut before) = (0, 0.0);
    let mut levelled = false;
    while on && depth <= order.most_depth {
        on = step(&mut measured, SMALL, order.size, depth)?;
        let Some(last) = measured.points.last().map(|p| sum(&p.result, |_| true)) else { break };
        flat = if last.iops < before * GAIN { flat + 1 } else { 0 };
        before = f64::max(before, last.iops);
        // More load only waits longer; but the knee has to be passed for what follows from it.
        if flat >= 2 || (flat >= 1 && last.mean_us.is_none_or(|us| us > order.max_latency_us)) {
            levelled = true;
            break;
        }
        depth += (depth / 2).max(per_target).div_ceil(per_target) * per_target;
    }
    if on {
        on = step(&mut measured, LARGE_READS, LARGE, 1)?;
    }
    let mut depth = if per_target > 1 { per_target } else { 2 };
    let (mut flat, mut before) = (0, 0.0);
    while on && depth <= order.most_depth && flat < 2 {
        on = step(&mut measured, LARGE_READS, LARGE, depth)?;
        let mbps = measured.points.last().map_or(0.0, |p| sum(&p.result, |_| true).mbps);
        flat = if mbps < before * GAIN { flat + 1 } else { 0 };
        before = f64::max(before, mbps);
        depth *= 2;
    }
    conclude(&mut measured, order, levelled);
    Ok(measured)
}

const SMALL: &str = "small reads";
const LARGE_READS: &str = "large reads";

fn loads(measured: &Measured, phase: &str) -> Vec<Load> {
    whole(&measured.points)
        .filter(|p| p.parameters.phase.as_deref() == Some(phase))
        .filter_map(|p| Some(Load { concurrency: p.parameters.concurrency?, sum: sum(&p.result, |_| true) }))
        .collect()
}

/// What follows from the runs. Where small reads were still more with each step, the last step is no knee.
fn conclude(measured: &mut Measured, order: &CalibrateOrder, levelled: bool) {
    let (small, large) = (loads(measured, SMALL), loads(measured, LARGE_READS));
    let kept = |l: &&Load| l.sum.mean_us.is_some_and(|us| us <= order.max_latency_us);
    let most = small.iter().filter(kept).map(|l| l.sum.iops).fold(0.0, f64::max);
    // Of rates that are alike the one with the least load: the others only wait longer.
    let best = small.iter().filter(kept).find(|l| l.sum.iops > 0.0 && l.sum.iops >= most * ALIKE);
    let widest = large.iter().filter(|l| l.sum.ios > 0).max_by(|a, b| a.sum.mbps.total_cmp(&b.sum.mbps));
    let alone = |loads: &[Load]| loads.first().and_then(|l| l.sum.mean_us);
    let knee = knee(&small).filter(|_| levelled);
    let found = Calibration {
        num_disks: Some(order.num_disks),
        max_latency_us: Some(order.max_latency_us),
        max_iops: best.map(|l| l.sum.iops),
        max_iops_interval: best.and_then(|l| l.sum.interval),
        actual_latency_us: best.and_then(|l| l.sum.mean_us),
        small_depth: best.map(|l| l.concurrency as u32),
        max_mbps: widest.map(|l| l.sum.mbps),
        large_depth: widest.map(|l| l.concurrency as u32),
        oracle: oracle(order.size, alone(&small), alone(&large)),
        postgres: postgres(
            order.size,
            alone(&small),
            alone(&large),
            knee.map(|k| k.concurrency).ok_or_else(|| not_found(&small)),
        ),
    };
    let more =
        best.zip(small.last()).filter(|(best, last)| !levelled && best.concurrency >= last.concurrency);
    let more = more.map_or_else(String::new, |(best, _)| {
        format!(
            " That is where it ended, at {} under way, and not where the storage does: more load may bring more.",
            number(best.concurrency)
        )
    });
    measured.verdict = match (found.max_iops, found.actual_latency_us) {
        (Some(iops), Some(us)) => format!(
            "{} small reads a second at {} each, within the {} asked for{}.{more}",
            number(iops.round()),
            ms(us),
            ms(order.max_latency_us),
            found
                .max_mbps
                .map_or_else(String::new, |m| format!("; {} MB/s of large reads", number(m.round())))
        ),
        _ => {
            let least = small.iter().filter_map(|l| l.sum.mean_us).fold(f64::INFINITY, f64::min);
            let took = if least.is_finite() {
                format!("; the least that was seen is {}", ms(least))
            } else {
                String::new()
            };
            format!("No load kept {} a read{took}. Ask for more (--max-latency).", ms(order.max_latency_us))
        }
    };
    measured.verdict.push_str(&failures(&measured.points));
    measured.knee = knee;
    measured.calibration = Some(found);
}

/// A setting with its value, or with why there is none.
fn setting(name: &str, value: Result<(f64, String), String>, line: impl Fn(&str) -> String) -> Setting {
    match value {
        Ok((value, how)) => {
            let shown = number(value).replace(',', "");
            // What is written down is what is shown.
            let value = shown.parse().ok();
            Setting { name: name.to_owned(), value, line: line(&shown), how }
        }
        Err(how) => Setting { name: name.to_owned(), value: None, line: String::new(), how },
    }
}

/// System statistics, with and without workload.
fn oracle(block: u32, small_us: Option<f64>, large_us: Option<f64>) -> Vec<Setting> {
    let blocks = f64::from(LARGE) / f64::from(block);
    let missing = || "one of the phases did not run".to_owned();
    // A request is a seek and a transfer: two sizes give both.
    let parts = small_us.zip(large_us).ok_or_else(missing).and_then(|(small, large)| {
        let bytes = f64::from(LARGE) - f64::from(block);
        if large <= small * 1.005 {
            return Err(format!(
                "a large read takes no longer ({}) than a small one ({}), so how long bytes take is not seen",
                ms(large),
                ms(small)
            ));
        }
        // Bytes a millisecond.
        let speed = bytes / (large - small) * 1e3;
        Ok((speed, small / 1e3 - f64::from(block) / speed))
    });
    let ms_of = |us: Option<f64>, what: &str| {
        us.map(|us| (us / 1e3, format!("ms; mean of one {what} at a time"))).ok_or_else(missing)
    };
    let line = |name: &'static str| {
        move |value: &str| format!("exec dbms_stats.set_system_stats('{name}', {value})")
    };
    let block_kib = number(f64::from(block) / 1024.0);
    vec![
        setting("SREADTIM", ms_of(small_us, &format!("random read of {block_kib} KiB")), line("SREADTIM")),
        setting(
            "MREADTIM",
            match small_us.zip(large_us) {
                // The optimizer puts workload statistics aside where this is not so.
                Some((small, large)) if large <= small => Err(format!(
                    "a read of 1 MiB takes {}, no longer than a single block: the optimizer would not use it",
                    ms(large)
                )),
                _ => ms_of(large_us, "random read of 1 MiB"),
            },
            line("MREADTIM"),
        ),
        setting(
            "MBRC",
            Ok((blocks, format!("blocks of {block_kib} KiB in 1 MiB, the read that MREADTIM is of"))),
            line("MBRC"),
        ),
        setting(
            "IOSEEKTIM",
            parts.clone().and_then(|(speed, seek)| {
                if seek < 0.0 {
                    return Err("the transfer alone would take longer than a small read does".to_owned());
                }
                Ok((seek, format!("ms; SREADTIM less the {block_kib} KiB at IOTFRSPEED ({})", number(speed))))
            }),
            line("IOSEEKTIM"),
        ),
        setting(
            "IOTFRSPEED",
            parts.map(|(speed, _)| {
                (
                    speed.round(),
                    "bytes a ms; the bytes that the large read has more, over the time that it takes longer"
                        .to_owned(),
                )
            }),
            line("IOTFRSPEED"),
        ),
    ]
}

/// Why there is no knee of small reads.
fn not_found(small: &[Load]) -> String {
    match small.last() {
        Some(last) => format!("no knee was found up to {} small reads under way", number(last.concurrency)),
        None => "no knee was found".to_owned(),
    }
}

fn postgres(
    block: u32,
    small_us: Option<f64>,
    large_us: Option<f64>,
    knee: Result<f64, String>,
) -> Vec<Setting> {
    let page = f64::from(8 << 10);
    let ratio = small_us.zip(large_us).map(|(small, large)| (small, large * page / f64::from(LARGE)));
    let cost = match ratio {
        None => Err("one of the phases did not run".to_owned()),
        Some(_) if block != 8 << 10 => {
            Err("its pages are 8 KiB, and small reads were of another size".to_owned())
        }
        Some((random, sequential)) => {
            let ratio = random / sequential;
            let value = (ratio * (1.0 - POSTGRES_CACHED)).max(1.0);
            Ok((
                value,
                format!(
                    "a random page takes {}, one of a large read {}: {} times as long. PostgreSQL's own 4 is for 40 times, \
                     with 90 % of random pages found in memory; so a tenth of it, and at least 1",
                    ms(random),
                    ms(sequential),
                    number(ratio)
                ),
            ))
        }
    };
    let concurrency = knee.map(|at| {
        let value = at.clamp(1.0, POSTGRES_MOST);
        (value, "requests under way from which more bring only waiting (the knee of small reads)".to_owned())
    });
    let line = |name: &'static str| move |value: &str| format!("{name} = {value}");
    vec![
        setting("random_page_cost", cost, line("random_page_cost")),
        setting("effective_io_concurrency", concurrency, line("effective_io_concurrency")),
    ]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::test_runner::Model;
    use super::*;

    fn order(max_latency_us: f64) -> CalibrateOrder {
        CalibrateOrder {
            num_disks: 1,
            max_latency_us,
            size: 8_192,
            most_depth: 256,
            each: Each { seconds: 20.0, warm_up_s: 1.0, seed: 13 },
        }
    }

    fn value(settings: &[Setting], name: &str) -> Option<f64> {
        settings.iter().find(|s| s.name == name).unwrap().value
    }

    #[test]
    fn what_was_set_is_found_within_the_latency_asked_for() {
        let mut device = Model::new(8_000.0, Some(150.0), Some(100.0), 1);
        let measured = calibrate(&mut device, &order(20_000.0)).unwrap();
        let found = measured.calibration.unwrap();
        assert!((found.max_iops.unwrap() - 150.0).abs() < 1.0, "{found:?}");
        assert!((found.actual_latency_us.unwrap() - 13_333.0).abs() < 100.0, "{found:?}");
        // 100 MB/s carry 95 reads of 1 MiB.
        assert!((found.max_mbps.unwrap() - 100.0).abs() < 1.0, "{found:?}");
        // Two at a time already take 13.3 ms.
        let measured = calibrate(&mut device, &order(10_000.0)).unwrap();
        let found = measured.calibration.unwrap();
        assert!((found.max_iops.unwrap() - 125.0).abs() < 1.0 && found.small_depth == Some(1), "{found:?}");
        let measured = calibrate(&mut device, &order(7_000.0)).unwrap();
        assert_eq!(measured.calibration.unwrap().max_iops, None);
        assert!(measured.verdict.contains("No load kept 7 ms"), "{}", measured.verdict);
    }

    #[test]
    fn the_load_at_which_it_ended_stood_as_the_knee_of_small_reads() {
        let few = CalibrateOrder { most_depth: 20, ..order(50_000.0) };
        let measured = calibrate(&mut Model::new(20_000.0, None, Some(100.0), 1), &few).unwrap();
        assert_eq!(measured.knee, None);
        let found = measured.calibration.unwrap();
        let concurrency = found.postgres.iter().find(|s| s.name == "effective_io_concurrency").unwrap();
        assert_eq!(concurrency.value, None);
        assert!(concurrency.how.contains("no knee was found up to"), "{}", concurrency.how);
        assert!(measured.verdict.contains("more load may bring more"), "{}", measured.verdict);
        // Where it levels off there is one.
        let measured = calibrate(&mut Model::new(8_000.0, Some(150.0), Some(100.0), 1), &order(20_000.0));
        let measured = measured.unwrap();
        assert!(measured.knee.is_some() && !measured.verdict.contains("may bring more"));
    }

    #[test]
    fn the_settings_follow_from_reads_of_two_sizes() {
        // As the formulas have it: a seek of 8 ms, and 100,000 bytes a millisecond.
        let settings = oracle(8_192, Some(8_081.92), Some(8_000.0 + 10_485.76));
        assert_eq!(value(&settings, "SREADTIM"), Some(8.08));
        assert_eq!(value(&settings, "MREADTIM"), Some(18.5));
        assert_eq!(value(&settings, "MBRC"), Some(128.0));
        assert_eq!(value(&settings, "IOSEEKTIM"), Some(8.0));
        assert_eq!(value(&settings, "IOTFRSPEED"), Some(100_000.0));
        assert_eq!(settings[0].line, "exec dbms_stats.set_system_stats('SREADTIM', 8.08)");
        let settings = postgres(8_192, Some(8_081.92), Some(18_485.76), Ok(2.0));
        // 18.5 ms for 128 pages: 0.144 ms each, a 56th.
        assert_eq!(value(&settings, "random_page_cost"), Some(5.6));
        assert_eq!(value(&settings, "effective_io_concurrency"), Some(2.0));
        assert_eq!(settings[1].line, "effective_io_concurrency = 2");
    }

    #[test]
    fn what_does_not_follow_is_not_invented() {
        // Without a cap on bytes a large read takes no longer than a small one.
        let settings = oracle(8_192, Some(8_000.0), Some(8_000.0));
        for name in ["MREADTIM", "IOSEEKTIM", "IOTFRSPEED"] {
            assert_eq!(value(&settings, name), None);
        }
        assert!(settings[4].how.contains("no longer"), "{}", settings[4].how);
        assert!(settings[4].line.is_empty());
        assert_eq!(value(&oracle(8_192, Some(8_000.0), None), "SREADTIM"), Some(8.0));
        assert_eq!(
            value(&postgres(16_384, Some(1.0), Some(2.0), Err(String::new())), "random_page_cost"),
            None
        );
    }

    #[test]
    fn disks_behind_one_file_set_the_steps() {
        let mut device = Model::new(8_000.0, Some(1_200.0), None, 1);
        let order = CalibrateOrder { num_disks: 8, ..order(50_000.0) };
        let measured = calibrate(&mut device, &order).unwrap();
        let depths: Vec<f64> = measured
            .points
            .iter()
            .filter(|p| p.parameters.phase.as_deref() == Some(SMALL))
            .filter_map(|p| p.parameters.concurrency)
            .collect();
        assert!(depths.iter().skip(1).all(|d| d % 8.0 == 0.0), "{depths:?}");
        assert!((measured.calibration.unwrap().max_iops.unwrap() - 1_200.0).abs() < 12.0);
    }
}
