//! `spindle size`: how much storage does this workload need?

use super::Reading;
use crate::output::{Failure, Page, WorkbookFile, refuse_same};
use crate::shell::{Exit, Shell};
use spindle_planning::sizing::{
    Disk, Measures, Redundancy, SizeOptions, Sizing, mb_beyond_belief, redundancies,
};
use spindle_planning::{parse_bytes, parse_latency, profiles};
use spindle_presentation::{html, terminal, xlsx};
use std::path::PathBuf;

/// How much storage does this workload need: IOPS, MB/s, latency, disks, cells?
///
/// Instances and databases are added at the same time. Disks come from what the load asks of them
/// under each redundancy, at a busy share that keeps the latency.
#[derive(clap::Args)]
#[command(mut_arg("paths", |a| a.required(false).required_unless_present("workload").conflicts_with("workload")))]
#[command(after_help = "Examples:
  spindle size awr/ --disk disk_15k,600GB --latency-target 10ms --capacity 20T
  spindle size week*.zip --redundancy high --growth 20%/year --years 3 --html size.html --xlsx size.xlsx
  spindle size awr/ --disk sas=180IOPS,160MB/s,600GB --disk nvme_mixed_use --disk aws_gp3
  spindle size --workload read=5000,write=5000 --disk 180IOPS --racks")]
pub(crate) struct Size {
    #[command(flatten)]
    reading: Reading,
    /// Size this load instead of reports: read=IOPS,write=IOPS[,redo=IOPS][,read_mbps=N][,write_mbps=N].
    #[arg(long, value_name = "LOAD")]
    workload: Option<String>,
    /// Share of the time in which the load is not higher.
    #[arg(long, value_name = "PERCENT", default_value = "99", value_parser = percentile, allow_hyphen_values = true)]
    percentile: f64,
    /// Redundancy to size for: external, normal, high, raid10, raid5, raid6, or NAME=PENALTY[:COPIES] (raw bytes
    /// for one of data); may be given several times, the first is drawn and drilled [default: normal, of cloud volumes external; beside all
    /// others].
    #[arg(long, value_name = "NAME")]
    redundancy: Vec<String>,
    /// A disk, flash device or cloud volume: [NAME=]PROFILE or numbers with units (180IOPS, 5.3ms,
    /// 160MB/s, 600GB); several to compare. `spindle place --profiles` lists profiles
    /// [default: disk_15k, or the device of --curve].
    #[arg(long, value_name = "DISK", allow_hyphen_values = true)]
    disk: Vec<String>,
    /// Mean latency to keep, such as 10ms [default: twice that of a request alone, at most 70 % busy].
    #[arg(long, value_name = "LATENCY", value_parser = parse_latency, allow_hyphen_values = true)]
    latency_target: Option<f64>,
    /// Latency by load of one disk, measured or simulated: a curve as JSON, or results over a rising load of
    /// fio, Orion, CALIBRATE_IO or `spindle measure --json`; may be given several times. Its rate and latency
    /// stand for those of the first --disk.
    #[arg(long, value_name = "FILE")]
    curve: Vec<PathBuf>,
    /// Usable capacity that is needed, such as 20T (T, TiB: 2^40 bytes; TB: 10^12; of disks too).
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, allow_hyphen_values = true)]
    capacity: Option<f64>,
    /// Disks of a storage cell [default: 12].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    disks_per_cell: Option<u16>,
    /// Compare with Exadata racks, by their maker's own figure, also where no report is of Exadata.
    #[arg(long)]
    racks: bool,
    /// Growth of load and capacity, such as 20%/year.
    #[arg(long, value_name = "PERCENT", value_parser = growth, allow_hyphen_values = true)]
    growth: Option<f64>,
    /// Years of growth.
    #[arg(long, value_name = "N", default_value = "3", requires = "growth", value_parser = clap::value_parser!(u32).range(1..=50))]
    years: u32,
    /// Busiest intervals to drill into.
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u16).range(1..=1000))]
    top: u16,
    /// Also write one self-contained page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Also write a workbook with live formulas: inputs are yellow, the counts follow.
    #[arg(long, value_name = "FILE")]
    xlsx: Option<PathBuf>,
}

impl Size {
    pub(crate) fn run(self, shell: &mut Shell) -> Result<Exit, Failure> {
        let mut request = self.reading.request();
        refuse_same(("--html", self.html.as_deref()), ("--xlsx", self.xlsx.as_deref()))?;
        let page = self.html.as_ref().map(|path| Page::new(path.clone(), &request)).transpose()?;
        request.output = page.as_ref().map(|page| page.path().to_owned());
        let workbook =
            self.xlsx.as_ref().map(|path| WorkbookFile::new(path.clone(), &request)).transpose()?;
        let options = self.options()?;
        let json = self.reading.json;
        let (sized, unread) = match &self.workload {
            Some(load) => (spindle_app::size_stated(workload(load)?, &options), Vec::new()),
            None => {
                let progress = shell.progress(true);
                spindle_app::size(&request, &options, &progress)
            }
        };
        for one in &unread {
            shell.warning(&one.said());
        }
        let sizing: Sizing = sized.map_err(|refusal| Failure(format!("nothing was sized: {refusal}")))?;
        let bytes = workbook.as_ref().map(|_| xlsx::size(&sizing)).transpose().map_err(Failure)?;
        // Files first: whoever reads standard output may stop at any time, and still gets them.
        let mut notes = Vec::new();
        if let Some(page) = &page {
            page.write(&html::size(&sizing))?;
            notes.push(format!("page written to {}", page.path().display()));
        }
        if let (Some(workbook), Some(bytes)) = (&workbook, &bytes) {
            workbook.write(bytes)?;
            notes.push(format!("workbook written to {}", workbook.path().display()));
        }
        let printed = if json {
            let written = spindle_app::write_sizing(shell.out(), &sizing);
            shell.unless_closed(written)
        } else {
            shell.print(&terminal::size(&sizing, self.reading.look()))
        };
        let printed = printed.and_then(|_| shell.flush());
        for note in notes {
            shell.note(&note);
        }
        printed?;
        let lacking: Vec<&str> =
            sizing.redundancy.iter().filter(|r| r.disks.is_none()).map(|r| r.name.as_str()).collect();
        if !lacking.is_empty() {
            shell.warning(&format!(
                "no number of disks was found for {}: see the warnings in the answer.",
                lacking.join(", ")
            ));
        }
        for device in &sizing.other_disks {
            if device.disks.is_none() && device.hardware_iops.is_some() {
                shell.warning(&format!("no number of {} keeps the latency target.", device.disk.name));
            }
        }
        // Asked, and not answered.
        let every = std::iter::once(&sizing.disk).chain(sizing.other_disks.iter().map(|d| &d.disk));
        let unheld: Vec<&Disk> =
            every.filter(|d| sizing.capacity_bytes.is_some() && d.capacity_bytes.is_none()).collect();
        for disk in &unheld {
            shell.warning(&format!(
                "how many {} hold that capacity is not known: give the size of one, for example --disk {},600GB.",
                disk.name,
                disk.profile.as_deref().unwrap_or("180IOPS")
            ));
        }
        for one in &sizing.unmeasured {
            shell.warning(&format!(
                "{}: nothing measured; its load is in no figure ({}).",
                one.database, one.because
            ));
        }
        let answered =
            unread.is_empty() && lacking.is_empty() && unheld.is_empty() && sizing.unmeasured.is_empty();
        Ok(if answered { Exit::Done } else { Exit::InPart })
    }

    fn options(&self) -> Result<SizeOptions, Failure> {
        let profiles = profiles();
        let mut disks = self
            .disk
            .iter()
            .map(|text| Disk::parse(text, &profiles))
            .collect::<Result<Vec<_>, _>>()
            .map_err(Failure)?;
        let curve = super::curve(&self.curve, self.reading.mask)?.map(|curve| match self.reading.mask {
            // Who made it may name a host.
            true => spindle_workload::DeviceCurve { source: None, ..curve },
            false => curve,
        });
        match curve {
            Some(curve) if disks.is_empty() => disks.push(Disk::of_curve(curve)),
            Some(curve) => {
                let first = disks.remove(0);
                disks.insert(0, first.with_curve(curve));
            }
            None if disks.is_empty() => disks.push(Disk::parse(USUAL_DISK, &profiles).map_err(Failure)?),
            None => {}
        }
        let asked = self
            .redundancy
            .iter()
            .map(|text| Redundancy::parse(text))
            .collect::<Result<Vec<_>, _>>()
            .map_err(Failure)?;
        let asked_none = asked.is_empty();
        let mut redundancy = redundancies();
        let sized_for = match asked.first() {
            None => redundancy.iter().position(|r| r.name == "normal").unwrap_or(0),
            Some(_) => {
                redundancy = asked;
                0
            }
        };
        for (i, one) in redundancy.iter().enumerate() {
            if redundancy[..i].iter().any(|r| r.name == one.name) {
                return Err(Failure(format!("--redundancy {} stands twice", one.name)));
            }
        }
        Ok(SizeOptions {
            percentile: self.percentile,
            redundancy,
            sized_for,
            redundancy_asked: !asked_none,
            disks,
            latency_target_us: self.latency_target,
            capacity_bytes: self.capacity,
            disks_per_cell: self.disks_per_cell.map(f64::from),
            growth_pct: self.growth,
            years: self.years,
            racks: self.racks,
            top: usize::from(self.top),
        })
    }
}

/// What is sized where no disk is named.
const USUAL_DISK: &str = "disk_15k";

fn percentile(text: &str) -> Result<f64, String> {
    let value = text.trim().trim_end_matches('%').trim().parse::<f64>().ok();
    value
        .filter(|p| (1.0..=100.0).contains(p))
        .ok_or_else(|| "it is no number from 1 to 100; write for example 99".to_owned())
}

/// `20%/year`, `20%`, `20`.
fn growth(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let bare = text.strip_suffix("/year").unwrap_or(text).trim_end().trim_end_matches('%').trim_end();
    bare.parse::<f64>()
        .ok()
        .filter(|g| (0.0..=1000.0).contains(g))
        .ok_or_else(|| "it is no growth from 0 to 1000 %; write for example 20%/year".to_owned())
}

/// `read=5000,write=5000,redo=300,read_mbps=40,write_mbps=60`
fn workload(text: &str) -> Result<Measures, Failure> {
    let wrong = |why: String| {
        Failure(format!("--workload {text:?}: {why}; write it as --workload read=5000,write=5000"))
    };
    let mut load = Measures::default();
    for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let (name, value) = part.split_once('=').ok_or_else(|| wrong(format!("`{part}` has no =")))?;
        let number = value.trim().parse::<f64>().ok().filter(|v| (0.0..1e12).contains(v));
        let number = number.ok_or_else(|| wrong(format!("`{}` is no rate", value.trim())))?;
        let cell = match name.trim() {
            "read" => &mut load.read_iops,
            "write" => &mut load.write_iops,
            "redo" => &mut load.redo_write_iops,
            "read_mbps" => &mut load.read_mbps,
            "write_mbps" => &mut load.write_mbps,
            other => {
                return Err(wrong(format!("`{other}` is none of read, write, redo, read_mbps, write_mbps")));
            }
        };
        if cell.replace(number).is_some() {
            return Err(wrong(format!("`{}` stands twice", name.trim())));
        }
    }
    if load.read_iops.is_none() || load.write_iops.is_none() {
        return Err(wrong("it needs both read and write".to_owned()));
    }
    if load.redo_write_iops.zip(load.write_iops).is_some_and(|(redo, all)| redo > all) {
        return Err(wrong("redo is a part of write and cannot be more".to_owned()));
    }
    for (name, requests, mbps) in
        [("read", load.read_iops, load.read_mbps), ("write", load.write_iops, load.write_mbps)]
    {
        if requests == Some(0.0) && mbps.is_some_and(|m| m > 0.0) {
            return Err(wrong(format!("{name}=0 moves no bytes, and {name}_mbps has some")));
        }
        if let Some(mb) = mb_beyond_belief(requests, mbps) {
            return Err(wrong(format!(
                "{name}_mbps is {mb:.1} MB for each of the {name}s, and the database makes no request above 1 MiB"
            )));
        }
        if mbps == Some(0.0) && requests.is_some_and(|n| n > 0.0) {
            return Err(wrong(format!(
                "{name} has requests, and {name}_mbps=0 no bytes; leave it out where it is not known"
            )));
        }
    }
    Ok(load)
}
