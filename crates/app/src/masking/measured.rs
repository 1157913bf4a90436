//! Masking a result of a storage measurement: devices, hosts, jobs and what messages quote.

use super::{MASKED, Masker, Sort, unquoted};
use spindle_facts::IoResult;
use spindle_workload::{Job, Measured, Sources, Trace};

impl Masker {
    /// Masks a result in place. Numbers stay as they are.
    pub(crate) fn measured(&mut self, measured: &mut Measured) {
        if !measured.command.is_empty() {
            MASKED.clone_into(&mut measured.command);
        }
        for point in &mut measured.points {
            let environment = &mut point.result.environment;
            self.host(&mut environment.host);
            for device in &mut environment.devices {
                device.path = self.path(&device.path);
                device.model = device.model.take().map(|_| MASKED.to_owned());
            }
            if let Some(kernel) = &mut environment.kernel {
                self.text(kernel);
            }
            self.phase(&mut point.parameters.phase);
            if let Some(job) = &mut point.result.job {
                self.job(job);
            }
            for stream in &mut point.result.streams {
                stream.name = self.stream_name(&stream.name);
                stream.errors.iter_mut().for_each(|error| MASKED.clone_into(error));
            }
        }
        let idle = std::mem::take(&mut measured.idle);
        measured.idle = idle.into_iter().map(|(name, n)| (self.stream_name(&name), n)).collect();
        for point in &mut measured.points {
            for warning in &mut point.result.warnings {
                *warning = self.names.in_sentence(&unquoted(warning));
            }
        }
        for text in
            measured.warnings.iter_mut().chain([&mut measured.verdict]).chain(&mut measured.incomplete)
        {
            *text = self.names.in_sentence(&unquoted(text));
        }
        if let Some(log) = &mut measured.log {
            log.mix_source = self.names.in_sentence(&unquoted(&log.mix_source));
        }
        if let Some(curve) = &mut measured.curve {
            curve.source = curve.source.take().map(|_| MASKED.to_owned());
        }
    }

    pub(super) fn io_result(&mut self, row: &mut IoResult) {
        row.stream = self.stream_name(&row.stream);
        self.phase(&mut row.phase);
        row.errors = row.errors.take().map(|_| MASKED.to_owned());
    }

    fn job(&mut self, job: &mut Job) {
        job.name = self.names.of(Sort::Name, &job.name);
        for stream in &mut job.streams {
            stream.name = self.stream_name(&stream.name);
            if let Some(trace) = &mut stream.trace {
                self.trace(trace);
            }
        }
    }

    /// Files, disks and what damaged lines hold; a hash would tell who has the same file.
    fn trace(&mut self, trace: &mut Trace) {
        trace.file = self.path(&trace.file);
        trace.sha256 = None;
        if let Sources::One(name) = &mut trace.sources {
            *name = self.names.of(Sort::Name, name);
        }
        if let Some(found) = &mut trace.found {
            MASKED.clone_into(&mut found.sha256);
            for source in &mut found.sources {
                source.name = self.names.of(Sort::Name, &source.name);
            }
            for line in &mut found.damaged_lines {
                MASKED.clone_into(&mut line.why);
            }
        }
    }

    /// `NAME`, `NAME, read`, or `NAME: redo, write` of what SLOB says.
    fn stream_name(&mut self, name: &str) -> String {
        const OPERATIONS: [&str; 5] = ["read", "write", "trim", "mix", "sync"];
        const KINDS: [&str; 3] = ["redo", "direct path", "parallel"];
        let split = |text: &'_ str, mark: &str, known: &[&str]| match text.rsplit_once(mark) {
            Some((name, end)) if known.contains(&end) => (name.len(), format!("{mark}{end}")),
            _ => (text.len(), String::new()),
        };
        let (length, operation) = split(name, ", ", &OPERATIONS);
        let name = &name[..length];
        let (length, kind) = split(name, ": ", &KINDS);
        format!("{}{kind}{operation}", self.names.of(Sort::Name, &name[..length]))
    }

    /// Times stay, and the words of ours.
    fn phase(&self, phase: &mut Option<String>) {
        const OURS: [&str; 4] = ["since boot", "average", "small", "large"];
        if let Some(text) = phase
            && text.contains(char::is_alphabetic)
            && !OURS.contains(&text.as_str())
            && !is_time(text)
        {
            self.text(text);
        }
    }
}

/// Digits and marks, with `T`, `AM` or `PM`.
fn is_time(text: &str) -> bool {
    let bare = text.replace("AM", "").replace("PM", "").replace('T', "");
    !bare.contains(char::is_alphabetic)
}
