//! What a reader of a comparison got wrong: two periods as printed, and the two as read.

use crate::compare_period::{FILETYPES, FUNCTIONS, activity, events};
use crate::rac_global::{model, stat};
use crate::style::Style;
use spindle_facts::{Layout, Period, Report};

/// What differs between the two periods and what was read of them; empty where nothing does.
#[must_use]
pub fn compared_differences(printed: &[Report; 2], read: &[Report], style: &Style) -> Vec<String> {
    let mut found = Vec::new();
    let [first, second] = read else { return vec![format!("{} periods", read.len())] };
    for (p, r, period) in [(&printed[0], first, Period::First), (&printed[1], second, Period::Second)] {
        if r.identity.period != Some(period) {
            found.push(format!("{:?} for {period:?}", r.identity.period));
        }
        let mut one = One { found: &mut found, html: style.layout == Layout::Html, period };
        one.identity(p, r);
        one.waits(p, r);
        one.statistics(p, r);
        one.io(p, r);
        one.segments(p, r);
    }
    found
}

struct One<'a> {
    found: &'a mut Vec<String>,
    html: bool,
    period: Period,
}

impl One<'_> {
    fn within(&mut self, what: &str, printed: Option<f64>, read: Option<f64>, by: f64) {
        let same = match (printed, read) {
            (Some(p), Some(r)) => (p - r).abs() <= by * 1.000_001 + p.abs() * 1e-9,
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.found.push(format!("{:?} {what}: printed {printed:?}, read {read:?}", self.period));
        }
    }

    fn equal<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, printed: &T, read: &T) {
        if printed != read {
            self.found.push(format!("{:?} {what}: printed {printed:?}, read {read:?}", self.period));
        }
    }

    /// One decimal in text, two in HTML.
    fn half(&self) -> f64 {
        if self.html { 0.005 } else { 0.05 }
    }

    fn identity(&mut self, p: &Report, r: &Report) {
        let (p, r) = (&p.identity, &r.identity);
        self.equal("db_name", &p.db_name, &r.db_name);
        self.equal("db_id", &p.db_id, &r.db_id);
        self.equal("instance", &p.instance, &r.instance);
        self.equal("instance number", &p.instance_number, &r.instance_number);
        self.equal("version", &p.version, &r.version);
        self.equal("host", &p.host, &r.host);
        self.equal("rac", &p.rac, &r.rac);
        self.equal("block size", &p.block_size_bytes, &r.block_size_bytes);
        self.equal("begin snap", &p.begin_snap, &r.begin_snap);
        self.equal("end snap", &p.end_snap, &r.end_snap);
        self.equal("begin", &p.begin_time, &r.begin_time);
        self.equal("end", &p.end_time, &r.end_time);
        self.within("elapsed", p.elapsed_s, r.elapsed_s, 3.0);
        self.within("DB time", p.db_time_s, r.db_time_s, 3.0);
        self.within("CPUs", p.cpus, r.cpus, 0.5);
        self.within("cores", p.cores, r.cores, 0.5);
    }

    fn waits(&mut self, p: &Report, r: &Report) {
        for name in ["DB time", "DB CPU", "sql execute elapsed time", "background elapsed time"] {
            self.within(name, model(p, name), model(r, name), self.half());
        }
        let printed: Vec<_> =
            events(p).into_iter().filter(|e| e.waits.is_some() && e.time_s.is_some()).collect();
        let rows = r.tables.wait_event.iter().filter(|e| printed.iter().any(|p| p.event == e.event));
        self.equal("events", &printed.len(), &rows.count());
        self.equal("all events", &printed.len(), &r.tables.wait_event.len());
        for e in &printed {
            let what = e.event.as_str();
            let Some(read) = r.tables.wait_event.iter().find(|r| r.event == e.event) else {
                self.found.push(format!("{what}: not read"));
                continue;
            };
            let inside = |low: Option<f64>, high: Option<f64>, value: f64| {
                low.zip(high).is_none_or(|(l, h)| l <= value * 1.000_001 && value <= h * 1.000_001)
            };
            self.within(&format!("{what} time"), e.time_s, read.time_s, self.half());
            if read.waits.is_some() {
                let slack = e.waits.map_or(0.0, |w| w * 1e-6);
                let within = inside(
                    read.waits_low.map(|l| l - slack),
                    read.waits_high.map(|h| h + slack),
                    e.waits.unwrap_or(0.0),
                );
                if !within {
                    self.found.push(format!(
                        "{what}: {:?} waits outside {:?}..{:?}",
                        e.waits, read.waits_low, read.waits_high
                    ));
                }
            }
            let mean = e.time_s.zip(e.waits.filter(|w| *w > 0.0)).map(|(t, w)| 1e6 * t / w);
            if let Some(mean) = mean
                && !inside(read.avg_wait_us_low, read.avg_wait_us_high, mean)
            {
                self.found.push(format!(
                    "{what}: mean {mean} outside {:?}..{:?}",
                    read.avg_wait_us_low, read.avg_wait_us_high
                ));
            }
        }
    }

    fn statistics(&mut self, p: &Report, r: &Report) {
        let half = self.half();
        for s in p.tables.instance_stat.iter().filter(|s| s.total.is_some()) {
            // Text cuts names at 30 characters; known names are completed.
            let name = &s.statistic;
            let row = r.tables.instance_stat.iter().find(|r| r.statistic == *name);
            let second = s.total.zip(p.identity.elapsed_s).map(|(t, e)| t / e);
            // A total wider than its column comes from the rate; a rate wider than its own from the total.
            let html = self.html;
            // Seconds are printed to two digits.
            let apart = p.identity.elapsed_s.map_or(0.0, |e| 0.006 / e);
            let far =
                |v: Option<f64>, widest: f64| v.filter(|v| !html && *v > widest).map_or(0.0, |v| v * apart);
            let read = row.and_then(|r| r.per_second);
            if !self.html && second.is_some_and(|v| v > 999_999_999.0) && row.is_some() && read.is_none() {
                // Both were too wide.
                self.equal(&format!("{name} unknown"), &None, &stat(r, name));
                continue;
            }
            self.within(name, stat(p, name), stat(r, name), 0.5 + far(s.total, 99_999_999_999.0));
            self.within(&format!("{name} a second"), second, read, half + far(second, 999_999_999.0));
        }
        self.equal("statistics", &p.tables.instance_stat.len(), &r.tables.instance_stat.len());
    }

    fn io(&mut self, p: &Report, r: &Report) {
        let half = self.half();
        for (by_function, columns) in [(true, FUNCTIONS), (false, FILETYPES)] {
            for (name, writes) in columns {
                for bytes in [true, false] {
                    let unit = if bytes { 1_048_576.0 } else { 1.0 };
                    let printed = activity(p, by_function, name, writes, bytes).unwrap_or(0.0);
                    let table = if by_function { &r.tables.io_function } else { &r.tables.io_filetype };
                    let row = table.iter().find(|a| {
                        let own = if by_function { a.function.as_deref() } else { a.filetype.as_deref() };
                        a.is_total == name.is_none() && own == name
                    });
                    let read = row.and_then(|a| match (writes, bytes) {
                        (false, true) => a.read_bytes_per_s,
                        (false, false) => a.reads_per_s,
                        (true, true) => a.write_bytes_per_s,
                        (true, false) => a.writes_per_s,
                    });
                    let what = format!("I/O of {name:?} written {writes} bytes {bytes}");
                    self.within(&what, Some(printed), read, half * unit);
                }
            }
        }
        let spaces = (&p.tables.tablespace_io, &r.tables.tablespace_io);
        self.equal("tablespaces", &spaces.0.len(), &spaces.1.len());
        for t in spaces.0 {
            let read = spaces.1.iter().find(|r| r.tablespace == t.tablespace).cloned();
            self.measures(&t.tablespace.to_string(), t, read.as_ref());
        }
        self.equal("files", &p.tables.file_io.len(), &r.tables.file_io.len());
        for f in &p.tables.file_io {
            let read = r.tables.file_io.iter().find(|r| r.file == f.file).cloned();
            let space = read.as_ref().map(|r| r.io.tablespace.clone());
            self.equal(&format!("tablespace of {}", f.file), &Some(f.io.tablespace.clone()), &space);
            self.measures(&f.file.to_string(), &f.io, read.as_ref().map(|r| &r.io));
        }
    }

    fn measures(
        &mut self,
        what: &str,
        p: &spindle_facts::TablespaceIo,
        r: Option<&spindle_facts::TablespaceIo>,
    ) {
        let half = self.half();
        let mut check =
            |name: &str, p: Option<f64>, of: &dyn Fn(&spindle_facts::TablespaceIo) -> Option<f64>, by| {
                self.within(&format!("{what} {name}"), p, r.and_then(of), by);
            };
        check("reads", p.reads, &|t| t.reads, 0.5);
        check("reads a second", p.reads_per_s, &|t| t.reads_per_s, half);
        check("mean read", p.avg_read_us, &|t| t.avg_read_us, half * 1e3);
        check("blocks a read", p.blocks_per_read, &|t| t.blocks_per_read, half);
        check("writes", p.writes, &|t| t.writes, 0.5);
        check("buffer waits", p.buffer_waits, &|t| t.buffer_waits, 0.5);
        check("mean buffer wait", p.avg_buffer_wait_us, &|t| t.avg_buffer_wait_us, half * 1e3);
    }

    fn segments(&mut self, p: &Report, r: &Report) {
        for by in ["logical_reads", "physical_reads"] {
            let of = |report: &Report| -> Vec<_> {
                report.tables.segment_stat.iter().filter(|s| s.ranked_by == by).cloned().collect()
            };
            let (printed, read) = (of(p), of(r));
            self.equal(&format!("segments by {by}"), &printed.len(), &read.len());
            for s in printed {
                let what = format!("{:?} {:?} by {by}", s.object, s.subobject);
                let row = read.iter().find(|r| r.object == s.object && r.subobject == s.subobject);
                self.within(&what, s.value, row.and_then(|r| r.value), 0.5);
                self.within(
                    &format!("{what} share"),
                    s.share_pct,
                    row.and_then(|r| r.share_pct),
                    self.half(),
                );
                let space = row.and_then(|r| r.tablespace.clone());
                self.equal(&format!("{what} tablespace"), &s.tablespace, &space);
            }
        }
    }
}
