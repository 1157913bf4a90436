//! fio's `--output-format=json` and `json+`, 2.x and 3.x.
//!
//! One document a call of fio; several calls may have written to one file, and messages stand between and in
//! them (fio prints errors to where its results go). 2.x has `lat`, `clat` in microseconds and `io_bytes` in
//! KiB, 3.x `lat_ns`, `clat_ns` and bytes.
//!
//! Traps: `clat` leaves the submission out, and the percentiles are of `clat` unless `--lat_percentiles=1`
//! was given; the options of a job lack those of `[global]`; jobs of one `groupid` ran at the same time;
//! with `group_reporting` one entry stands for all of `numjobs`; a part that did nothing is printed as zeros; `mixed`
//! beside reads and writes (`--unified_rw_reporting=both`) is their sum; `fdatasync` is counted with its latencies alone; a job
//! that took less than a millisecond has rates of 0, which are none.

use super::build::{Build, count, stream};
use super::fio_top;
use super::json::{self, Json};
use super::words;
use super::{StorageReading, StorageResult};
use spindle_facts::{Kind, Layout, Note, SectionStatus};
use spindle_workload::{DeviceFacts, ENDED_BY_ERROR, LatencyFrom, Parameters, StreamResult, histogram_of};

/// Does a document of fio stand there?
pub(super) fn is_it(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), NAME).is_some()
}

/// The key that names the program.
const NAME: &[u8] = b"\"fio version\"";

/// Reads every document in a text.
pub(super) fn read(source: &str, text: &str) -> StorageReading {
    let mut reading = StorageReading::default();
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut counted = (0, 1_u32);
    let mut broken = None;
    let mut last: Option<Said> = None;
    while let Some(found) = memchr::memmem::find(bytes.get(at..).unwrap_or_default(), NAME) {
        let named = at + found;
        // The name comes first, unless another program wrote the document again.
        let first_of_a_line = (bytes.get(at) == Some(&b'{'))
            .then_some(at)
            .or_else(|| memchr::memmem::find(&bytes[at..named], b"\n{").map(|n| at + n + 1));
        let just_before = memchr::memrchr(b'{', &bytes[at..named]).map(|n| at + n);
        let mut starts: Vec<usize> = [first_of_a_line, just_before].into_iter().flatten().collect();
        starts.dedup();
        at = named + NAME.len();
        for start in starts {
            counted.1 = if start >= counted.0 {
                counted.1.saturating_add(line_ends(&bytes[counted.0..start]))
            } else {
                counted.1.saturating_sub(line_ends(&bytes[start..counted.0]))
            };
            counted.0 = start;
            let document = json::parse(text, start, counted.1);
            if document.root.get("fio version").is_none() {
                continue;
            }
            if let Some(line) = document.broken {
                broken.get_or_insert(line);
            } else {
                at = document.end.max(at);
            }
            let said = Said::of(&document.root);
            let follows = said.as_ref().zip(last.as_ref()).is_some_and(|(now, before)| now.follows(before));
            let mut found = result(source, &document);
            if let (true, Some(found)) = (follows, &mut found) {
                reading.results.pop();
                found.report.notes.push(Note {
                    line: Some(1),
                    section: None,
                    message: "fio told how far it was while it ran (--status-interval)".to_owned(),
                    effect: "each report counts from the beginning, so the last one alone is read".to_owned(),
                });
            }
            reading.results.extend(found);
            last = said.map(|said| Said { is_status: follows, ..said });
            break;
        }
    }
    reading.refused = match (broken, reading.results.is_empty()) {
        (Some(line), true) => Some(format!(
            "line {line}: the JSON of fio ends there or is broken by a message, and no job stands whole before it; run fio \
             with --output=FILE, which keeps messages out"
        )),
        (Some(line), false) => Some(format!(
            "line {line}: the JSON of fio ends there or is broken by a message; jobs before it were read, those behind it \
             were not; run fio with --output=FILE, which keeps messages out"
        )),
        (None, true) => Some("its JSON names fio and holds no job that did any I/O".to_owned()),
        (None, false) => None,
    };
    reading
}

/// What tells whether a document is of the same run as the one before, as `--status-interval` prints them.
struct Said {
    at_ms: f64,
    jobs: Vec<JobSoFar>,
    /// It is known to be of the same run as the one before.
    is_status: bool,
}

/// What a job has done until then.
struct JobSoFar {
    name: String,
    runtime_ms: f64,
    ios: f64,
}

impl Said {
    fn of(root: &Json) -> Option<Self> {
        let at_ms = root.number_at("timestamp_ms")?;
        let so_far = |job: &Json| {
            let parts = || ["read", "write", "trim", "mixed"].iter().filter_map(|name| job.get(name));
            JobSoFar {
                name: job.text_at("jobname").unwrap_or_default().to_owned(),
                runtime_ms: parts().filter_map(|p| p.number_at("runtime")).fold(0.0, f64::max),
                ios: parts().filter_map(|p| p.number_at("total_ios")).sum(),
            }
        };
        Some(Self { at_ms, jobs: root.get("jobs")?.items().iter().map(so_far).collect(), is_status: false })
    }

    /// Its jobs have run longer by the time that has passed, side by side or one behind the other, and none has done
    /// less. Two hosts that ran the same side by side end at nearly the same time with the same runtime, and one call
    /// after another begins anew.
    fn follows(&self, before: &Self) -> bool {
        /// Ends of two hosts that are nearer than this tell nothing.
        const LEAST_MS: f64 = 20.0;
        /// What may lie between the end of the jobs and the report on it.
        const LATE_MS: f64 = 75.0;
        let passed = self.at_ms - before.at_ms;
        let jobs = || self.jobs.iter().zip(&before.jobs);
        let longer = || jobs().map(|(now, then)| now.runtime_ms - then.runtime_ms);
        let room = (passed / 4.0).clamp(10.0, 250.0);
        // Its last report comes some 50 ms after its jobs have ended, however near the one before is.
        let late = if before.is_status { passed } else { room.max(LATE_MS.min(passed / 2.0)) };
        passed > if before.is_status { 0.0 } else { LEAST_MS }
            && before.jobs.iter().any(|then| then.runtime_ms > 0.0)
            && self.jobs.len() == before.jobs.len()
            && jobs().all(|(now, then)| now.name == then.name && now.ios >= then.ios)
            && longer().all(|more| more >= 0.0 && more < passed + room)
            && longer().sum::<f64>() > passed - late
    }
}

fn line_ends(bytes: &[u8]) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', bytes).count()).unwrap_or(u32::MAX)
}

/// A job as fio lists it.
struct Job<'a> {
    json: &'a Json,
    name: &'a str,
    group: f64,
    /// Its own options before those of all jobs; `None` where fio did not print any.
    options: Option<(Option<&'a Json>, Option<&'a Json>)>,
}

impl<'a> Job<'a> {
    fn option(&self, names: &[&str]) -> Option<&'a str> {
        let (own, global) = self.options?;
        [own, global].into_iter().flatten().find_map(|from| names.iter().find_map(|name| from.text_at(name)))
    }

    fn has_option(&self, name: &str) -> bool {
        self.options.is_some_and(|(own, global)| {
            [own, global].into_iter().flatten().any(|from| from.get(name).is_some())
        })
    }
}

fn result(source: &str, document: &json::Document) -> Option<StorageResult> {
    let root = &document.root;
    let mut build = Build::new(source, Kind::Fio, Layout::Text);
    let named = root.text_at("fio version").filter(|v| v.starts_with("fio-") && v.len() < 40);
    let version = named.unwrap_or("fio");
    build.environment.program = Some(version.to_owned());
    build.identity().version = Some(version.to_owned());
    for (line, words) in &document.messages {
        build.note(
            Some(*line),
            format!("a message stands among the JSON: `{words}`"),
            "it is passed over; a number that it cut is taken as unknown",
        );
    }
    if document.message_count > document.messages.len() {
        build.note(None, format!("{} messages in all", document.message_count), "they are passed over");
    }
    for (line, key) in &document.twice {
        build.note(
            Some(*line),
            format!("`{key}` stands twice with different values"),
            "it is taken as unknown",
        );
    }
    let global = root.get("global options");
    let entries = root.get("jobs").or_else(|| root.get("client_stats"));
    let mut jobs: Vec<Job<'_>> = Vec::new();
    // Of a document that breaks among its jobs, the last one is not whole.
    let among_jobs = document.broken.is_some()
        && root.pairs().last().is_none_or(|(key, _)| matches!(key.as_str(), "jobs" | "client_stats"));
    let entries = entries.map_or(&[][..], Json::items);
    let whole = entries.len().saturating_sub(usize::from(among_jobs));
    for json in &entries[..whole] {
        let name = json.text_at("jobname").unwrap_or("job");
        // The sum over clients, whose jobs stand beside it; where they do not, it is what there is.
        if name == "All clients" && whole > 1 {
            build.section(name, json.line, SectionStatus::Unknown, 0);
            continue;
        }
        if build.environment.host.is_none() {
            build.environment.host = json.text_at("hostname").map(str::to_owned);
        }
        let own = json.get("job options");
        // Of the sum over clients each has its own.
        let known = own.is_some() || global.is_some() && name != "All clients";
        let options = known.then_some((own, global));
        jobs.push(Job { json, name, group: json.number_at("groupid").unwrap_or(0.0), options });
    }
    devices(&mut build, &jobs);
    let mut from = 0;
    while from < jobs.len() {
        let length = jobs[from..].iter().take_while(|job| job.group == jobs[from].group).count();
        group(&mut build, &jobs[from..from + length]);
        from += length;
    }
    if jobs.iter().any(|job| job.has_option("new_group")) {
        build.warnings.push(
            "jobs with new_group may have run at the same time as those of another group: figures of one group are not those \
             of the device alone"
                .to_owned(),
        );
    }
    for (key, value) in root.pairs() {
        if key == "disk_util" {
            build.section("disk_util", value.line, SectionStatus::Unknown, value.items().len());
        }
    }
    (!build.is_empty()).then(|| build.finish())
}

/// Files and devices, and whether the page cache was in between.
fn devices(build: &mut Build, jobs: &[Job<'_>]) {
    let mut engines: Vec<&str> = Vec::new();
    for job in jobs.iter().filter(|job| job.options.is_some()) {
        let direct = match job.option(&["direct"]) {
            Some(value) => Some(value.trim() != "0"),
            None => Some(job.has_option("direct")),
        };
        let engine = job.option(&["ioengine"]);
        if let Some(engine) = engine.filter(|e| !engines.contains(e)) {
            engines.push(engine);
        }
        for path in job.option(&["filename"]).into_iter().flat_map(|paths| paths.split(':')) {
            if build.environment.devices.iter().all(|d| d.path != path) {
                build.environment.devices.push(DeviceFacts {
                    path: path.to_owned(),
                    direct,
                    ..DeviceFacts::default()
                });
            }
        }
        if direct == Some(false) && build.warnings.is_empty() {
            build.warnings.push(format!(
                "job `{}` has no direct=1: memory (the page cache) may have answered, and not the device",
                job.name
            ));
        }
    }
    build.environment.engine = (!engines.is_empty()).then(|| engines.join(", "));
}

/// Jobs that ran at the same time.
fn group(build: &mut Build, jobs: &[Job<'_>]) {
    let mut streams: Vec<(u32, StreamResult)> = Vec::new();
    for job in jobs {
        let before = streams.len();
        for (key, operation) in
            [("read", "read"), ("write", "write"), ("trim", "trim"), ("mixed", "mix"), ("sync", "sync")]
        {
            if operation == "mix" && streams.len() > before {
                continue;
            }
            if let Some(part) = job.json.get(key) {
                streams.extend(operation_of(build, job, part, operation).map(|s| (part.line, s)));
            }
        }
        let rows = streams.len() - before;
        let title = format!("job {} (group {})", job.name, job.group);
        build.section(
            title,
            job.json.line,
            if rows == 0 { SectionStatus::Absent } else { SectionStatus::Read },
            rows,
        );
        if rows > 1 {
            for (_, stream) in &mut streams[before..] {
                stream.name = format!("{}, {}", job.name, stream.operation);
            }
        }
        if let Some(number) = job.json.number_at("error").filter(|n| *n > 0.0) {
            let said = format!("{ENDED_BY_ERROR} {number} ({})", error_name(number));
            match streams.get_mut(before) {
                Some((_, stream)) => stream.errors.push(said),
                None => build.note(
                    Some(job.json.line),
                    format!("job `{}`: {said}", job.name),
                    "it has no figures",
                ),
            }
        }
    }
    if streams.is_empty() {
        return;
    }
    let line = jobs[0].json.line;
    let mut parameters = Parameters {
        block_bytes: same(jobs.iter().map(block_bytes)).flatten(),
        pattern: same(jobs.iter().map(pattern)).flatten(),
        read_pct: same(jobs.iter().map(read_pct)).flatten(),
        places: places(jobs),
        ..Parameters::default()
    };
    let depths: Option<f64> = jobs.iter().map(|job| under_way(job, jobs)).sum();
    parameters.concurrency = depths;
    parameters.offered_iops = offered(jobs);
    parameters.paced = jobs.iter().any(is_paced);
    parameters.pace = pace(jobs);
    let say = |names: [&str; 2], what: &str| {
        let said = names.iter().any(|name| jobs.iter().any(|job| job.has_option(name)));
        if said { "say".to_owned() } else { format!("name no {what}, and fio then makes") }
    };
    // Little's law: more cannot have been under way than was asked for.
    let seen: f64 = streams
        .iter()
        .filter_map(|(_, s)| {
            Some(s.iops? * s.latency_us.mean.filter(|_| s.latency_from == LatencyFrom::Submit)? / 1e6)
        })
        .sum();
    if let Some(asked) = depths.filter(|asked| seen > asked * 1.1 + 0.5) {
        build.note(
            Some(line),
            format!(
                "the options of `{}` {} {asked} requests under way, its figures {seen:.1}: they stand for several jobs",
                jobs[0].name,
                say(["iodepth", "numjobs"], "depth")
            ),
            "how many requests were under way is taken as unknown",
        );
        parameters.concurrency = None;
    }
    // The options are those of one job; requests at the end of a file may be shorter.
    let besides = uncounted(jobs);
    let other_size = |bytes: u64| {
        let mean = |s: &StreamResult| {
            let (ios, moved) = (s.ios.filter(|ios| *ios > 0)?, s.bytes?);
            let more = (moved / bytes).saturating_sub(ios);
            let ios = if moved % bytes == 0 && more <= besides { ios + more } else { ios };
            Some(moved as f64 / ios as f64)
        };
        // One that failed counts as a request and moved nothing.
        let found = streams.iter().filter(|(_, s)| s.errors.is_empty()).filter_map(|(_, s)| mean(s));
        found.map(|mean| (mean, mean / bytes as f64)).find(|(_, ratio)| !(0.9..=1.001).contains(ratio))
    };
    if let Some(asked) = parameters.block_bytes
        && let Some((seen, _)) = other_size(asked)
    {
        build.note(
            Some(line),
            format!(
                "the options of `{}` {} requests of {asked} bytes, its figures {seen:.0}: they stand for several jobs",
                jobs[0].name,
                say(["bs", "blocksize"], "size")
            ),
            "size and pattern of the requests are taken as unknown, and how many were under way",
        );
        (parameters.block_bytes, parameters.pattern, parameters.concurrency) = (None, None, None);
        (parameters.read_pct, parameters.places) = (None, None);
    }
    build.point(parameters, streams);
}

/// Requests at most whose bytes fio counts and which it does not: those under way when `ramp_time` ended (seen of
/// fio 3.33).
fn uncounted(jobs: &[Job<'_>]) -> u64 {
    let of = |job: &Job<'_>| {
        let ramps = job.option(&["ramp_time"]).is_some_and(|time| time.trim() != "0");
        let asked = |name: &str| job.option(&[name]).and_then(words::number).unwrap_or(1.0).max(1.0);
        count(ramps.then(|| asked("iodepth") * asked("numjobs"))).unwrap_or(0)
    };
    jobs.iter().map(of).fold(0, u64::saturating_add)
}

/// Reads, writes or another operation of a job; `None` where it did none.
fn operation_of(build: &mut Build, job: &Job<'_>, part: &Json, operation: &str) -> Option<StreamResult> {
    let mut ios = count(part.number_at("total_ios"));
    if operation == "sync" && ios == Some(0) {
        // fio 3.33 counts fsync there and not fdatasync, whose latencies stand there all the same.
        ios = latency(part, "lat").and_then(|(json, _)| count(json.number_at("N"))).filter(|n| *n > 0);
        ios?;
    }
    let raw_bytes = part.number_at("io_bytes");
    if ios == Some(0) || (ios.is_none() && raw_bytes.unwrap_or(0.0) == 0.0 && latency(part, "lat").is_none())
    {
        return None;
    }
    let mut out = stream(job.name, operation);
    out.ios = ios;
    out.elapsed_s = part.number_at("runtime").filter(|ms| *ms > 0.0).map(|ms| ms / 1e3);
    out.iops = part.number_at("iops").filter(|_| operation != "sync");
    let rate = part.number_at("bw_bytes").or_else(|| part.number_at("bw").map(|kib| kib * 1024.0));
    out.mbps = rate.map(|rate| rate / 1e6);
    out.bytes = bytes(part, raw_bytes, rate, out.elapsed_s);
    // Rates are divided by the time.
    if part.number_at("runtime") == Some(0.0) && operation != "sync" {
        build.note(
            Some(part.line),
            format!("`{}`: it took less than a millisecond, so fio prints its rates as 0", job.name),
            "they are taken as unknown",
        );
        (out.iops, out.mbps) = (None, None);
        let version_2 = build.environment.program.as_deref().is_some_and(|v| v.starts_with("fio-2."));
        if version_2 && part.get("io_kbytes").is_none() {
            out.bytes = count(raw_bytes.map(|kib| kib * 1024.0));
        }
    }
    if let (Some(ios), Some(iops), Some(seconds)) = (out.ios, out.iops, out.elapsed_s) {
        let counted = ios as f64;
        // Milliseconds of a short run are coarse, and short requests are counted apart.
        let slack = counted * (0.01 + 0.001 / seconds) + 2.0;
        if (iops * seconds - counted).abs() > slack {
            build.note(
                Some(part.line),
                format!("`{}`: {counted} requests in {seconds} s are not {iops} a second", job.name),
                "its rate is taken as unknown",
            );
            out.iops = None;
        }
    }
    latencies(build, job, part, &mut out);
    Some(out)
}

/// Bytes: fio 3 prints them, fio 2 KiB under the same name; the rate tells which.
fn bytes(part: &Json, raw: Option<f64>, rate: Option<f64>, seconds: Option<f64>) -> Option<u64> {
    let raw = raw?;
    if let Some(kib) = part.number_at("io_kbytes") {
        return count(Some(raw)).filter(|bytes| (*bytes as f64 / 1024.0 - kib).abs() <= 1.0);
    }
    let by_rate = rate? * seconds?;
    let near = |bytes: f64| (bytes - by_rate).abs() <= by_rate * 0.02 + 2_048.0;
    match (near(raw * 1024.0), near(raw)) {
        (true, false) => count(Some(raw * 1024.0)),
        (false, true) => count(Some(raw)),
        _ => None,
    }
}

/// A latency of fio with what makes microseconds of it; `None` where it was not taken.
fn latency<'a>(part: &'a Json, name: &str) -> Option<(&'a Json, f64)> {
    let found = part
        .get(&format!("{name}_ns"))
        .map(|json| (json, 1e-3))
        .or_else(|| part.get(name).map(|json| (json, 1.0)))?;
    found.0.number_at("mean").filter(|mean| *mean > 0.0)?;
    Some(found)
}

fn latencies(build: &mut Build, job: &Job<'_>, part: &Json, out: &mut StreamResult) {
    let (lat, clat) = (latency(part, "lat"), latency(part, "clat"));
    // An engine that does not tell fio when it submitted has latencies from another time on.
    let mean_us =
        |of: Option<(&Json, f64)>| of.and_then(|(json, to_us)| Some(json.number_at("mean")? * to_us));
    if let Some((whole, part_of_it)) =
        mean_us(lat).zip(mean_us(clat)).filter(|(lat, clat)| super::fio_text::is_longer(*clat, *lat))
    {
        build.note(
            Some(part.line),
            format!(
                "`{}`: the mean of clat is {part_of_it} us, that of lat, of which it is a part, {whole} us",
                job.name
            ),
            "the latencies are taken as unknown",
        );
        return;
    }
    let (Some((whole, to_us)), from) = (match lat {
        Some(_) => (lat, LatencyFrom::Submit),
        None => (clat, LatencyFrom::Submitted),
    }) else {
        return;
    };
    out.latency_from = from;
    out.latency_us.mean = whole.number_at("mean").map(|mean| mean * to_us);
    out.latency_us.max = whole
        .number_at("max")
        .map(|max| max * to_us)
        .filter(|max| out.latency_us.mean.is_none_or(|mean| *max >= mean));
    // Percentiles of either; they are what fio was told to keep.
    let kept = |of: Option<(&Json, f64)>| of.is_some_and(|(json, _)| json.get("percentile").is_some());
    let (of, from) = if kept(lat) { (lat, LatencyFrom::Submit) } else { (clat, LatencyFrom::Submitted) };
    let Some((of, to_us)) = of else { return };
    let mut found: Vec<(f64, f64)> = Vec::new();
    for (pct, value) in of.get("percentile").map_or(&[][..], Json::pairs) {
        // 2.x fills its list up with zeros; a latency of less than its microsecond is not known either.
        let known =
            words::number(pct).filter(|p| *p > 0.0 && *p <= 100.0).zip(value.number().filter(|v| *v > 0.0));
        found.extend(known.map(|(pct, value)| (pct, value * to_us)));
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    if found.windows(2).any(|w| w[1].1 < w[0].1) {
        build.note(
            Some(of.line),
            format!("`{}`: the percentiles do not rise", job.name),
            "they are taken as unknown",
        );
        return;
    }
    let whole_us = |name: &str| of.number_at(name).map(|value| value * to_us);
    let printed = fio_top::Printed {
        percentiles: &found,
        slack_us: 1.0,
        least_us: whole_us("min"),
        most_us: whole_us("max"),
    };
    printed.set(build, of.line, job.name, &mut out.latency_us);
    let bins: Option<Vec<(u64, u64)>> = of.get("bins").map(|bins| {
        let pair = |(ns, n): &(String, Json)| Some((ns.parse::<u64>().ok()?, count(n.number())?));
        bins.pairs().iter().filter_map(pair).collect()
    });
    if let Some(bins) = bins.filter(|bins| !bins.is_empty() && (to_us - 1e-3).abs() < 1e-9) {
        let sum = bins.iter().try_fold(0_u64, |sum, (_, n)| sum.checked_add(*n));
        if sum.is_some() && sum == out.ios && !fio_top::holds_longer(&bins, whole_us("max")) {
            out.histogram = histogram_of(&bins);
        }
    }
    if (!found.is_empty() || out.histogram.is_some()) && from != out.latency_from {
        out.percentiles_from = Some(from);
    }
}

fn same<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// Bytes a request, where all of a job's are of one size.
fn block_bytes(job: &Job<'_>) -> Option<u64> {
    job.options?;
    if ["bsrange", "blocksize_range", "bssplit", "bs_unaligned", "kb_base"]
        .iter()
        .any(|name| job.has_option(name))
    {
        return None;
    }
    match job.option(&["bs", "blocksize"]) {
        // What fio's documentation says of a job without it.
        None => Some(4_096),
        Some(text) => {
            let sizes: Vec<&str> = text.split(',').map(str::trim).filter(|t| !t.is_empty()).collect();
            let size = same(sizes.into_iter())?;
            let size = size.trim_end_matches(['b', 'B']).trim_end_matches('i');
            count(words::scaled(size, 1_024.0)).filter(|bytes| *bytes > 0)
        }
    }
}

fn pattern(job: &Job<'_>) -> Option<String> {
    job.options?;
    Some(job.option(&["rw", "readwrite"]).unwrap_or("read").to_owned())
}

/// Share of reads of a mix, percent; fio makes one of halves where nothing is said.
fn read_pct(job: &Job<'_>) -> Option<f64> {
    job.options?;
    let mixes = job
        .option(&["rw", "readwrite"])
        .is_some_and(|rw| matches!(rw.split(':').next(), Some("rw" | "readwrite" | "randrw")));
    let pct = |names: &[&str]| job.option(names).map(words::number);
    match (pct(&["rwmixread"]), pct(&["rwmixwrite"])) {
        _ if !mixes => None,
        (None, None) => Some(50.0),
        (Some(reads), None) => reads,
        (None, Some(writes)) => writes.map(|pct| 100.0 - pct),
        // The later of the two counts, and the options have lost their order.
        (Some(_), Some(_)) => None,
    }
    .filter(|pct| (0.0..=100.0).contains(pct))
}

/// Where the requests go and what they are, beside their order and one size, in the words of a job of ours where it
/// has them; empty for nothing special.
fn places(jobs: &[Job<'_>]) -> Option<Vec<String>> {
    let said: Vec<Vec<String>> = jobs.iter().map(places_of).collect::<Option<_>>()?;
    if let Some(all) = same(said.iter()) {
        return Some(all.clone());
    }
    let named = |(job, said): (&Job<'_>, &Vec<String>)| {
        said.iter().map(|one| format!("job {}: {one}", job.name)).collect::<Vec<_>>()
    };
    let mut all: Vec<String> = jobs.iter().zip(&said).flat_map(named).collect();
    all.dedup();
    Some(all)
}

fn places_of(job: &Job<'_>) -> Option<Vec<String>> {
    job.options?;
    let mut said: Vec<String> = Vec::new();
    for (name, usual) in SPECIAL {
        match job.option(&[name]) {
            Some(value) if value.trim() == usual => {}
            Some(value) => said.push(format!("{name}={value}")),
            None if job.has_option(name) => said.push(name.to_owned()),
            None => {}
        }
    }
    if let Some(sizes) = job.option(&["bs", "blocksize"]).filter(|sizes| sizes.contains(',')) {
        said.push(format!("bs={sizes}"));
    }
    if let Some(split) = job.option(&["bssplit"]) {
        said.push(sizes_by_weight(split).unwrap_or_else(|| format!("bssplit={split}")));
    }
    let rw = job.option(&["rw", "readwrite"]).unwrap_or("read");
    if !matches!(rw.split(':').next(), Some("read" | "randread")) {
        let sync = job.option(&["sync"]).or_else(|| job.has_option("sync").then_some("1"));
        match sync.map(str::trim) {
            None | Some("0" | "none") => {}
            Some("dsync") => said.push("each write with O_DSYNC".to_owned()),
            Some(_) => said.push("each write with O_SYNC".to_owned()),
        }
        for name in ["fsync", "fdatasync"] {
            match job.option(&[name]).map(str::trim) {
                None | Some("0") => {}
                Some("1") => said.push(format!("{name} after each write")),
                Some(n) => said.push(format!("{name} after every {n} writes")),
            }
        }
    }
    Some(said)
}

/// `4k/25:8k/75` as a job of ours says it; `None` for shares that are left out, or other ones for writes.
fn sizes_by_weight(split: &str) -> Option<String> {
    let one = |part: &str| {
        let (size, weight) = part.split_once('/')?;
        Some(format!("{} ({})", count(words::scaled(size, 1_024.0))?, words::number(weight)?))
    };
    let sizes: Vec<String> = split.split(':').map(one).collect::<Option<_>>()?;
    Some(format!("sizes by weight {}", sizes.join(", ")))
}

/// Options that make another load of one with the same order, size and depth, with the value that makes none.
const SPECIAL: [(&str, &str); 10] = [
    ("random_distribution", "random"),
    ("percentage_random", "100"),
    ("percentage_sequential", "0"),
    ("offset", "0"),
    ("zonemode", "none"),
    ("zonesize", "0"),
    ("zoneskip", "0"),
    ("bsrange", ""),
    ("bs_unaligned", "0"),
    ("verify", "0"),
];

/// Engines that keep one request under way, whatever is asked for.
const ONE_AT_A_TIME: [&str; 7] = ["sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice"];

/// Requests that a job keeps under way, with all its clones that its entry stands for.
fn under_way(job: &Job<'_>, group: &[Job<'_>]) -> Option<f64> {
    job.options?;
    if is_paced(job) {
        return None;
    }
    let asked = match job.option(&["iodepth"]) {
        None => 1.0,
        Some(text) => words::number(text).filter(|n| *n >= 1.0)?,
    };
    let depth = match job.option(&["ioengine"]) {
        Some(engine) if ONE_AT_A_TIME.contains(&engine) => 1.0,
        Some(_) => asked,
        // The default engine keeps one under way.
        None if asked <= 1.0 => 1.0,
        None => return None,
    };
    Some(depth * clones(job, group)?)
}

/// Options that hold a job back.
const PACING: [&str; 6] = ["rate", "rate_iops", "thinktime", "rate_process", "flow", "latency_target"];
/// Options that say how, beside these.
const HOW_PACED: [&str; 5] =
    ["thinktime_blocks", "thinktime_spin", "thinktime_iotime", "latency_window", "latency_percentile"];

/// Does fio hold the job back? What it does then is no most of the device.
fn is_paced(job: &Job<'_>) -> bool {
    PACING.iter().any(|name| job.has_option(name))
}

/// How fio holds the jobs back, as their options have it; a rate that is known as a number stands elsewhere.
fn pace(jobs: &[Job<'_>]) -> Option<String> {
    let known = offered(jobs).is_some();
    let mut said: Vec<String> = Vec::new();
    for job in jobs.iter().filter(|job| is_paced(job)) {
        for name in PACING.iter().chain(&HOW_PACED).filter(|name| !(known && **name == "rate_iops")) {
            let one = match job.option(&[name]) {
                Some(value) => format!("{name}={value}"),
                None if job.has_option(name) => (*name).to_owned(),
                None => continue,
            };
            if !said.contains(&one) {
                said.push(one);
            }
        }
    }
    (!said.is_empty()).then(|| said.join(", "))
}

/// Clones that an entry stands for.
fn clones(job: &Job<'_>, group: &[Job<'_>]) -> Option<f64> {
    let clones = job.option(&["numjobs"]).map_or(Some(1.0), words::number)?;
    let listed = group.iter().filter(|other| other.name == job.name).count() as f64;
    if listed == clones {
        Some(1.0)
    } else if listed == 1.0 {
        Some(clones)
    } else {
        None
    }
}

/// Requests a second asked for, where every job has such a rate.
fn offered(jobs: &[Job<'_>]) -> Option<f64> {
    jobs.iter()
        .map(|job| Some(rate_of(job)? * clones(job, jobs)?))
        .sum::<Option<f64>>()
        .filter(|rate| *rate > 0.0)
}

/// The rate of one clone: `READS,WRITES`, or one for each of the two; nothing before or behind a comma is no bound.
/// `1k` are 1,024 (source: what fio 3.33 does, which counts it as it does bytes).
fn rate_of(job: &Job<'_>) -> Option<f64> {
    let mut rates = job.option(&["rate_iops"])?.split(',').map(|text| words::scaled(text, 1_024.0));
    let reads = rates.next()?;
    let writes = rates.next().unwrap_or(reads);
    match job.option(&["rw", "readwrite"]).unwrap_or("read") {
        "read" | "randread" => reads,
        "write" | "randwrite" => writes,
        "rw" | "readwrite" | "randrw" => reads.zip(writes).map(|(reads, writes)| reads + writes),
        _ => None,
    }
}

/// Names of errors that devices give.
fn error_name(number: f64) -> &'static str {
    match number as u32 {
        5 => "EIO, the device failed",
        9 => "EBADF",
        12 => "ENOMEM, not enough memory",
        16 => "EBUSY",
        19 => "ENODEV, the device is gone",
        22 => "EINVAL, often a size or place that direct I/O does not take",
        27 => "EFBIG",
        28 => "ENOSPC, no space left",
        30 => "EROFS, read-only",
        84 => "EILSEQ, what was read is not what was written",
        110 => "ETIMEDOUT",
        121 => "EREMOTEIO",
        _ => "see errno",
    }
}
