//! A database drawn at random whose every wait is known, and the report that it would print.

use spindle_facts::{
    Collected, CollectedSegment, Identity, InstanceStat, IoActivity, Kind, Layout, Report, SegmentStat, Side,
    TablespaceIo, TimeModelRow, WaitEvent,
};
use spindle_planning::Tier;
use spindle_test_support::{Release, Style, render};

/// Kinds of read: single-block, multi-block, direct.
pub(crate) const KINDS: usize = 3;
const BLOCK: f64 = 8192.0;
const ELAPSED_S: f64 = 3600.0;
/// Rows of a ranking at most.
const LISTED: usize = 5;

/// Numbers at random, the same for the same seed.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Evenly by its logarithm.
    fn log(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }
}

/// A tablespace: what a request of each kind takes, microseconds.
#[derive(Clone, Debug)]
struct Space {
    name: String,
    us: [f64; KINDS],
}

/// An object: requests by kind, and its storage against the rest of its tablespace.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) name: String,
    object_type: &'static str,
    pub(crate) space: usize,
    requests: [f64; KINDS],
    pace: f64,
    scans: f64,
}

/// All of it.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    spaces: Vec<Space>,
    pub(crate) objects: Vec<Object>,
    /// Blocks of a request by kind.
    blocks: [f64; KINDS],
    /// Times that a direct request is longer than what sessions wait for it, and share of them that is waited for.
    behind: f64,
    waited_for: f64,
    /// Share of the reads into the cache that background processes make.
    background: f64,
    pub(crate) release: Release,
    pub(crate) layout: Layout,
    /// Share of what a request gets shorter that its wait does, between in proportion and in full.
    shortens: f64,
    pub(crate) tier: Tier,
}

const RELEASES: [Release; 4] = [Release::V11_1, Release::V11_2_0_3, Release::V11_2_0_4, Release::V19];

impl Database {
    pub(crate) fn drawn(seed: u64) -> Self {
        let mut draw = Draw::new(seed);
        let d = &mut draw;
        let multi = d.log(2.0, 100.0).round();
        let release = RELEASES[d.below(RELEASES.len())];
        let direct = if release < Release::V11_2_0_3 { 128.0 } else { d.log(4.0, 128.0).round() };
        let longer = [1.0, d.log(1.0, 8.0), d.log(0.5, 10.0)];
        let spaces: Vec<Space> = (0..1 + d.below(4))
            .map(|n| {
                let us = d.log(300.0, 15_000.0);
                let us = std::array::from_fn(|kind| {
                    let unlike = if kind == 0 { 1.0 } else { d.log(1.0 / 1.4, 1.4) };
                    us * longer[kind] * unlike
                });
                Space { name: format!("DATA{n}"), us }
            })
            .collect();
        let mut objects = Vec::new();
        for space in 0..spaces.len() {
            // Some tablespaces are read one way only.
            let only = d.chance(0.2).then(|| d.below(KINDS));
            for _ in 0..1 + d.below(8) {
                objects.push(Object::drawn(d, objects.len(), space, [1.0, multi, direct], only));
            }
        }
        let behind = d.between(1.0, 3.9);
        Self {
            spaces,
            objects,
            blocks: [1.0, multi, direct],
            behind,
            waited_for: d.between(1.0 / behind, 1.0),
            background: if d.chance(0.5) { d.between(0.0, 0.1) } else { 0.0 },
            release,
            layout: if d.chance(0.5) { Layout::Html } else { Layout::Text },
            shortens: d.unit(),
            tier: Tier {
                name: "fast".into(),
                capacity_bytes: 1e15,
                read_latency_us: d.log(50.0, 2_000.0),
                write_latency_us: 100.0,
                mbps: Some(d.log(200.0, 5_000.0)),
                iops_cap: None,
                price: None,
                endurance_bytes: None,
                profile: None,
            },
        }
    }

    /// Two tablespaces: all direct reads are those of one table in the first, and the second is read into the cache in
    /// every way.
    pub(crate) fn with_direct_reads_in_one_tablespace() -> Self {
        let mut made = Self::drawn(0);
        made.release = Release::V11_2_0_3;
        made.blocks = [1.0, 8.0, 16.0];
        (made.behind, made.waited_for, made.background, made.shortens) = (1.0, 1.0, 0.0, 1.0);
        (made.tier.read_latency_us, made.tier.mbps) = (500.0, Some(1_000.0));
        let us = [5_000.0, 9_000.0, 10_000.0];
        made.spaces = ["SCANS", "MIXED"].map(|name| Space { name: name.into(), us }).into();
        let object = |number: usize, space: usize, requests: [f64; KINDS]| Object {
            name: format!("OBJECT_{number}"),
            object_type: "TABLE",
            space,
            requests,
            pace: 1.0,
            scans: 0.0,
        };
        made.objects = vec![object(0, 0, [0.0, 0.0, 50_000.0])];
        made.objects.extend((1..12).map(|n| object(n, 1, [40_000.0, 10_000.0 + 900.0 * n as f64, 0.0])));
        made
    }

    fn request_s(&self, object: &Object, kind: usize) -> f64 {
        self.spaces[object.space].us[kind] * object.pace / 1e6
    }

    /// Requests of all objects, of those of a tablespace, by kind.
    fn requests<'a>(objects: impl Iterator<Item = &'a Object>) -> [f64; KINDS] {
        objects.fold([0.0; KINDS], |sum, o| std::array::from_fn(|k| sum[k] + o.requests[k]))
    }

    /// Seconds that the requests of an object take, by kind.
    fn seconds(&self, object: &Object) -> [f64; KINDS] {
        std::array::from_fn(|k| object.requests[k] * self.request_s(object, k))
    }

    /// Seconds that sessions wait for an object today, by kind.
    pub(crate) fn waits_s(&self, object: &Object) -> [f64; KINDS] {
        let [single, multi, direct] = self.seconds(object);
        let own = 1.0 - self.background;
        [single * own, multi * own, direct / self.behind]
    }

    /// Seconds that sessions would wait less, below zero where it takes longer.
    pub(crate) fn saves_s(&self, object: &Object) -> f64 {
        let now = self.waits_s(object);
        let own = [1.0 - self.background, 1.0 - self.background, 1.0];
        (0..KINDS)
            .map(|k| {
                let requests = object.requests[k] * own[k];
                let service_s = (self.tier.read_latency_us
                    + self.blocks[k] * BLOCK / self.tier.mbps.unwrap_or(1e3))
                    / 1e6;
                let old_s = self.request_s(object, k);
                if k < 2 {
                    return now[k] - requests * service_s;
                }
                let wait_s = if requests > 0.0 { now[k] / requests } else { 0.0 };
                let in_proportion = wait_s * service_s / old_s;
                let in_full = (wait_s + service_s - old_s).max(0.0);
                let then_s = in_proportion + self.shortens * (in_full - in_proportion);
                now[k] - requests * then_s
            })
            .sum()
    }

    fn blocks_of(&self, object: &Object) -> [f64; KINDS] {
        std::array::from_fn(|k| object.requests[k] * self.blocks[k])
    }

    /// The report as it is printed.
    pub(crate) fn printed(&self) -> String {
        render(&self.report(), &Style::new(self.release, self.layout))
    }

    fn report(&self) -> Report {
        let mut report = Report::new(identity(self.release, self.layout));
        let mut all_s = [0.0; KINDS];
        for object in &self.objects {
            let waits = self.waits_s(object);
            let behind = self.seconds(object);
            all_s[0] += behind[0];
            all_s[1] += behind[1];
            all_s[2] += waits[2];
        }
        let all = Self::requests(self.objects.iter());
        let own = 1.0 - self.background;
        let waits_s = all_s[0] * own + all_s[1] * own + all_s[2];
        let cpu_s = 0.3 * waits_s + 200.0;
        let db_time_s = cpu_s + 1.05 * waits_s;
        report.identity.db_time_s = Some(db_time_s);
        let tables = &mut report.tables;
        for (statistic, time_s) in [("DB time", db_time_s), ("DB CPU", cpu_s)] {
            tables.time_model.push(TimeModelRow {
                line: 0,
                section: 0,
                instance_number: None,
                statistic: statistic.into(),
                time_s: Some(time_s),
                time_s_low: None,
                time_s_high: None,
                share_db_time_pct: None,
            });
        }
        let mut add = |event: &str, side: Side, waits: f64, time_s: f64| {
            if waits.round() > 0.0 {
                tables.wait_event.push(wait(event, side, waits.round(), time_s));
            }
        };
        for (event, kind) in [("db file sequential read", 0), ("db file scattered read", 1)] {
            add(event, Side::Foreground, all[kind] * own, all_s[kind] * own);
            add(event, Side::Background, all[kind] * self.background, all_s[kind] * self.background);
        }
        add("direct path read", Side::Foreground, all[2] * self.waited_for, all_s[2]);

        let blocks: [f64; KINDS] = std::array::from_fn(|k| all[k] * self.blocks[k]);
        for (name, total) in [
            ("physical read IO requests", all.iter().sum::<f64>()),
            ("physical reads", blocks.iter().sum()),
            ("physical reads cache", blocks[0] + blocks[1]),
            ("physical reads direct", blocks[2]),
            ("physical reads direct temporary tablespace", 0.0),
        ] {
            tables.instance_stat.push(stat(name, total));
        }
        for (function, requests, bytes) in [
            ("Buffer Cache Reads", all[0] + all[1], BLOCK * (blocks[0] + blocks[1])),
            ("Direct Reads", all[2], BLOCK * blocks[2]),
        ] {
            tables.io_function.push(activity(function, None, requests, bytes));
            tables.io_function_filetype.push(activity(function, None, requests, bytes));
            tables.io_function_filetype.push(activity(function, Some("Data File"), requests, bytes));
        }
        for (number, space) in self.spaces.iter().enumerate() {
            let within = || self.objects.iter().filter(|o| o.space == number);
            let requests = Self::requests(within());
            let reads: f64 = requests.iter().sum();
            let seconds: f64 = within().flat_map(|o| self.seconds(o)).sum();
            let single_s: f64 = within().map(|o| self.seconds(o)[0]).sum();
            let blocks: f64 = within().flat_map(|o| self.blocks_of(o)).sum();
            tables.tablespace_io.push(TablespaceIo {
                tablespace: space.name.clone(),
                reads: Some(reads),
                reads_per_s: Some(reads / ELAPSED_S),
                avg_read_us: Some(1e6 * seconds / reads),
                blocks_per_read: Some(blocks / reads),
                one_block_reads_per_s: Some(requests[0] / ELAPSED_S),
                one_block_avg_us: Some(if requests[0] > 0.0 { 1e6 * single_s / requests[0] } else { 0.0 }),
                writes: Some(0.0),
                writes_per_s: Some(0.0),
                buffer_waits: Some(0.0),
                avg_buffer_wait_us: Some(0.0),
                ..TablespaceIo::default()
            });
        }
        self.rank(&mut report);
        report
    }

    fn rank(&self, report: &mut Report) {
        type Ranking<'r> = (&'static str, &'r dyn Fn(&Object) -> f64, Release);
        let rankings: [Ranking<'_>; 4] = [
            ("physical_reads", &|o| self.blocks_of(o).iter().sum(), Release::V10_2),
            ("physical_read_requests", &|o| o.requests.iter().sum(), Release::V11_2_0_3),
            ("direct_reads", &|o| self.blocks_of(o)[2], Release::V11_1),
            ("table_scans", &|o| o.scans, Release::V11_1),
        ];
        for (ranked_by, value, _) in rankings.iter().filter(|(.., since)| self.release >= *since) {
            let total: f64 = self.objects.iter().map(value).sum();
            let mut listed: Vec<&Object> = self.objects.iter().filter(|o| value(o).round() > 0.0).collect();
            listed.sort_by(|a, b| value(b).total_cmp(&value(a)));
            listed.truncate(LISTED);
            let captured: f64 = listed.iter().map(|o| value(o)).sum();
            for object in listed {
                report.tables.segment_stat.push(SegmentStat {
                    ranked_by,
                    owner: Some("APP".into()),
                    tablespace: Some(self.spaces[object.space].name.as_str().into()),
                    object: Some(object.name.as_str().into()),
                    object_type: Some(object.object_type.into()),
                    object_number: Some(1),
                    value: Some(value(object)),
                    share_pct: Some(100.0 * value(object) / total),
                    captured_pct: Some(100.0 * captured / total),
                    section_total: Some(total),
                    ..SegmentStat::default()
                });
            }
        }
    }

    /// Sizes of everything: no candidate is left out for want of one.
    pub(crate) fn sizes(&self) -> (Collected, Vec<(String, f64)>) {
        let mut collected = Collected { source: "segments.txt".into(), ..Collected::default() };
        collected.origin.db_name = Some("DRAWN".into());
        collected.origin.db_id = Some(7);
        collected.segments = self
            .objects
            .iter()
            .map(|o| CollectedSegment {
                line: 1,
                owner: Some("APP".into()),
                segment: o.name.clone(),
                segment_type: Some(o.object_type.into()),
                tablespace: Some(self.spaces[o.space].name.clone()),
                bytes: Some(1e9),
                ..CollectedSegment::default()
            })
            .collect();
        (collected, self.spaces.iter().map(|s| (s.name.clone(), 1e11)).collect())
    }

    pub(crate) fn space(&self, object: &Object) -> &str {
        &self.spaces[object.space].name
    }
}

impl Object {
    fn drawn(d: &mut Draw, number: usize, space: usize, blocks: [f64; KINDS], only: Option<usize>) -> Self {
        let object_type = ["TABLE", "TABLE", "INDEX", "LOB"][d.below(4)];
        let all = d.log(3e3, 3e6);
        let mut weights: [f64; KINDS] = match object_type {
            "INDEX" if d.chance(0.85) => [1.0, 0.0, 0.0],
            "LOB" => [d.unit(), 0.0, d.unit()],
            _ => std::array::from_fn(|_| if d.chance(0.4) { 0.0 } else { d.unit() }),
        };
        if let Some(only) = only {
            weights = std::array::from_fn(|k| if k == only { 1.0 } else { 0.0 });
        }
        let sum: f64 = weights.iter().sum();
        let weights = if sum > 0.0 { weights.map(|w| w / sum) } else { [1.0, 0.0, 0.0] };
        let requests: [f64; KINDS] = std::array::from_fn(|k| (all * weights[k] / blocks[k]).round());
        // Who reads nothing is nobody.
        let requests = if requests.iter().sum::<f64>() > 0.0 { requests } else { [1.0, 0.0, 0.0] };
        let scans = if object_type == "TABLE" { ((requests[1] + requests[2]) / 50.0).ceil() } else { 0.0 };
        Self {
            name: format!("OBJECT_{number}"),
            object_type,
            space,
            requests,
            pace: d.log(0.93, 1.07),
            scans,
        }
    }
}

fn identity(release: Release, layout: Layout) -> Identity {
    let mut id = Identity::unknown("drawn", Kind::Awr, layout);
    id.db_name = Some("DRAWN".into());
    id.db_id = Some(7);
    id.instance = Some("drawn1".into());
    id.instance_number = Some(1);
    id.version = Some(release.number().into());
    id.host = Some("heron-db01".into());
    id.platform = Some("Linux x86 64-bit".into());
    id.rac = Some(false);
    id.cpus = Some(8.0);
    id.begin_snap = Some(411);
    id.end_snap = Some(412);
    id.begin_time = Some("2019-03-06T07:00:00".into());
    id.end_time = Some("2019-03-06T08:00:00".into());
    id.elapsed_s = Some(ELAPSED_S);
    id.begin_sessions = Some(88.0);
    id.end_sessions = Some(91.0);
    id
}

fn wait(event: &str, side: Side, waits: f64, time_s: f64) -> WaitEvent {
    WaitEvent {
        line: 0,
        section: 0,
        instance_number: None,
        event: event.into(),
        printed_as: None,
        side,
        wait_class: Some("User I/O".into()),
        is_idle: false,
        waits: Some(waits),
        waits_low: None,
        waits_high: None,
        timeouts: None,
        timeouts_pct: Some(0.0),
        time_s: Some(time_s),
        time_s_low: None,
        time_s_high: None,
        avg_wait_us: Some(1e6 * time_s / waits),
        avg_wait_us_low: None,
        avg_wait_us_high: None,
        waits_per_txn: None,
        share_pct: None,
        share_of: None,
    }
}

fn stat(name: &str, total: f64) -> InstanceStat {
    InstanceStat {
        line: 0,
        section: 0,
        instance_number: None,
        statistic: name.into(),
        printed_as: None,
        total: Some(total.round()),
        per_second: Some(total / ELAPSED_S),
        per_transaction: Some(total / 1e3),
        begin_value: None,
        end_value: None,
    }
}

fn activity(function: &str, filetype: Option<&str>, requests: f64, bytes: f64) -> IoActivity {
    IoActivity {
        function: Some(function.into()),
        filetype: filetype.map(Into::into),
        read_bytes: Some(bytes),
        write_bytes: Some(0.0),
        reads_per_s: Some(requests / ELAPSED_S),
        read_bytes_per_s: Some(bytes / ELAPSED_S),
        writes_per_s: Some(0.0),
        write_bytes_per_s: Some(0.0),
        waits: Some(requests),
        avg_wait_us: None,
        ..IoActivity::default()
    }
}
