//! The workbook of a sizing: change a penalty, a disk or a percentile and the counts follow.
//!
//! *Size* holds the inputs and what each redundancy needs; *Intervals* every interval with its hardware
//! IOPS under the redundancy chosen, and the share of the time that lies at or below it, from which the
//! exact percentile comes; *Histogram*, *Busiest* and *Remarks* the rest.

use super::sheet::{Formats, Sheet, column_of};
use crate::number;
use rust_xlsxwriter::{
    Chart, ChartType, DataValidation, DocProperties, ExcelDateTime, Format, Workbook, XlsxError,
};
use spindle_planning::sizing::{IntervalRow, MOST_UTILISATION, Mix, Sizing, USUAL_UTILISATION};

/// Intervals beyond which their sheet is cut, and beyond which the share of the time, which looks at
/// every interval for each, is left out.
const MOST_INTERVALS: usize = 100_000;
const LIVE_INTERVALS: usize = 10_000;
/// Bars of the histogram.
const BARS: u32 = 20;
const GIB: f64 = 1_073_741_824.0;
/// What is whole but for its last digits is not rounded up.
const WHOLE: &str = "-0.000000001";

/// Rows of the inputs, from 0; cells are named from 1.
const PERCENTILE: u32 = 4;
const SIZED_FOR: u32 = 5;
const IOPS: u32 = 6;
const ALONE: u32 = 7;
const TARGET: u32 = 8;
const MOST_BUSY: u32 = 9;
const MBPS: u32 = 10;
const DISK_GIB: u32 = 11;
const NEED_GIB: u32 = 12;
const PER_CELL: u32 = 13;
const GROWTH: u32 = 14;
/// First row of the table of redundancies.
const TABLE: u32 = 21;

/// The workbook as bytes of an `.xlsx` file.
///
/// # Errors
/// In a sentence, where it cannot be made.
pub fn size(s: &Sizing) -> Result<Vec<u8>, String> {
    build(s).map_err(|e| format!("the workbook could not be made: {e}"))
}

fn build(s: &Sizing) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    // The same input gives the same bytes.
    book.set_properties(&DocProperties::new().set_creation_datetime(&ExcelDateTime::from_ymd(2000, 1, 1)?));
    let formats = Formats::default();
    let shown = s.intervals.len().min(MOST_INTERVALS);
    let live = s.intervals.len() <= LIVE_INTERVALS;
    main_sheet(&mut book, s, &formats, shown, live)?;
    intervals(&mut book, s, &formats, shown, live)?;
    histogram(&mut book, s, &formats, shown)?;
    busiest(&mut book, s, &formats)?;
    remarks(&mut book, s, &formats)?;
    book.save_to_buffer()
}

fn whole(value: f64) -> f64 {
    (value - 1e-9).ceil()
}

/// The place of the redundancy sized for.
fn primary(s: &Sizing) -> usize {
    s.redundancy.iter().position(|r| r.name == s.sized_for).unwrap_or(0)
}

/// The hardware IOPS of an interval as the sheet rounds them.
fn rounded(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

fn main_sheet(
    book: &mut Workbook,
    s: &Sizing,
    formats: &Formats,
    shown: usize,
    live: bool,
) -> Result<(), XlsxError> {
    let sheet = book.add_worksheet().set_name("Size")?;
    sheet.set_column_width(0, 34)?;
    for column in 1..20 {
        sheet.set_column_width(column, 13)?;
    }
    let mut sheet = Sheet::new(sheet, formats);
    let name = if s.databases.is_empty() { "Load as stated".to_owned() } else { s.databases.join(", ") };
    sheet.text(0, 0, &format!("{name}: storage needed"), &formats.title)?;
    sheet.plain(1, 0, &s.answer)?;
    sheet.text(
        2,
        0,
        "Yellow cells are inputs: change them and the counts follow. An empty cell is not known.",
        &formats.note,
    )?;
    let d = &s.disk;
    let most = if s.latency_target_us.is_some() { MOST_UTILISATION } else { USUAL_UTILISATION };
    let inputs: [(u32, &str, Option<f64>); 10] = [
        (PERCENTILE, "Percentile of the time (%)", Some(s.percentile)),
        (IOPS, "IOPS of one disk", Some(d.iops)),
        (ALONE, "Small read alone (ms)", Some(d.read_latency_us / 1e3)),
        (TARGET, "Latency to keep (ms); empty: twice a request alone", s.latency_target_us.map(|t| t / 1e3)),
        (MOST_BUSY, "Busy share at most", Some(most)),
        (MBPS, "MB/s of one disk", d.mbps),
        (DISK_GIB, "Capacity of one disk (GiB)", d.capacity_bytes.map(|b| b / GIB)),
        (NEED_GIB, "Usable capacity needed (GiB)", s.capacity_bytes.map(|b| b / GIB)),
        (PER_CELL, "Disks of a cell", Some(s.disks_per_cell)),
        (GROWTH, "Growth a year (%)", Some(growth_pct(s))),
    ];
    for (row, label, value) in inputs {
        sheet.plain(row, 0, label)?;
        sheet.input(row, 1, value)?;
    }
    sheet.plain(SIZED_FOR, 0, "Redundancy of the intervals")?;
    sheet.text(SIZED_FOR, 1, &s.sized_for, &formats.input)?;
    let names: Vec<&str> = s.redundancy.iter().map(|r| r.name.as_str()).collect();
    // Excel allows 255 characters for such a list.
    if names.iter().map(|n| n.len() + 1).sum::<usize>() < 250 && names.iter().all(|n| !n.contains(',')) {
        sheet.sheet.add_data_validation(
            SIZED_FOR,
            1,
            SIZED_FOR,
            1,
            &DataValidation::new().allow_list_strings(&names)?,
        )?;
    }
    sheet.plain(IOPS, 2, &format!("{} ({})", d.name, d.origin))?;

    let last = TABLE + u32::try_from(s.redundancy.len()).unwrap_or(0);
    let penalty = format!("INDEX($B${}:$B${last},MATCH($B$6,$A${}:$A${last},0))", TABLE + 1, TABLE + 1);
    let at = &s.redundancy[primary(s)];
    sheet.plain(15, 0, "Write penalty of that redundancy")?;
    sheet.formula(15, 1, &format!("={penalty}"), Some(at.write_penalty))?;
    sheet.plain(16, 0, "Hours counted")?;
    let rows = format!("Intervals!$L$2:$L${}", shown + 1);
    let is_counted = counted(s);
    let hours: f64 =
        s.intervals.iter().take(shown).filter(|i| is_counted(i)).map(|i| i.seconds / 3600.0).sum();
    sheet.formula(16, 1, &format!("=SUM({rows})"), Some(hours))?;
    sheet.plain(17, 0, "Hardware IOPS at the percentile")?;
    if live {
        let exact = at.hardware_iops.map(rounded);
        let formula = format!(
            "=_xlfn.MINIFS(Intervals!$J$2:$J${n},Intervals!$M$2:$M${n},\">=\"&($B$5/100-0.000000001))",
            n = shown + 1
        );
        sheet.formula(17, 1, &formula, exact)?;
        sheet.plain(17, 2, "exactly, over every interval, under the redundancy above")?;
    } else {
        sheet.number(17, 1, at.hardware_iops)?;
        sheet.plain(17, 2, "as computed; too many intervals for a formula that looks at each of them")?;
    }
    redundancies(&mut sheet, s)?;
    growth(&mut sheet, s, last + 2)?;

    let mut chart = Chart::new(ChartType::Column);
    let named = |first: u32, c1: u16, end: u32| ("Size", first, c1, end, c1);
    chart.add_series().set_name("bare division").set_categories(named(TABLE, 0, last - 1)).set_values(named(
        TABLE,
        7,
        last - 1,
    ));
    chart
        .add_series()
        .set_name("at the latency to keep")
        .set_categories(named(TABLE, 0, last - 1))
        .set_values(named(TABLE, 15, last - 1));
    chart.title().set_name("How many disks does each redundancy need?");
    chart.y_axis().set_name("disks");
    sheet.sheet.insert_chart(3, 6, &chart)?;
    sheet.sheet.set_freeze_panes(0, 1)?;
    Ok(())
}

fn growth_pct(s: &Sizing) -> f64 {
    s.growth.get(1).map_or(0.0, |y| 100.0 * (y.factor - 1.0))
}

/// Time of a hardware request alone, ms, with what it moves beyond a small one.
fn request_ms(s: &Sizing, n: usize) -> Option<f64> {
    let r = &s.redundancy[n];
    Some(s.disk.service_us(mix(s, n)) / 1e3).filter(|_| r.hardware_iops.is_some())
}

fn mix(s: &Sizing, n: usize) -> Mix {
    let r = &s.redundancy[n];
    match (r.hardware_iops, r.read_iops) {
        (Some(hardware), Some(read)) => Mix::of(hardware, read, r.hardware_mbps),
        _ => Mix::default(),
    }
}

const HEADINGS: [&str; 18] = [
    "Redundancy",
    "Write penalty",
    "Raw for usable capacity",
    "Reads/s of the interval at the percentile",
    "Writes/s of that interval",
    "Hardware IOPS",
    "Hardware MB/s at its percentile",
    "Disks, bare division",
    "Request alone (ms)",
    "Busy share that keeps the latency",
    "Disks for IOPS",
    "Disks for MB/s",
    "Disks for capacity",
    "At least",
    "In steps of",
    "Disks",
    "Cells",
    "Disks over every interval, as on the page",
];

fn redundancies(sheet: &mut Sheet<'_>, s: &Sizing) -> Result<(), XlsxError> {
    sheet.headings(TABLE - 1, &HEADINGS)?;
    let d = &s.disk;
    // One server is a formula; a queue of many, or a curve, is none: its busy share is an input.
    let one_server = d.servers == 1 && d.curve.is_none();
    for (n, r) in s.redundancy.iter().enumerate() {
        let row = TABLE + u32::try_from(n).unwrap_or(0);
        let cell = row + 1;
        sheet.text(row, 0, &r.name, &sheet.formats.heading)?;
        sheet.input(row, 1, Some(r.write_penalty))?;
        sheet.input(row, 2, Some(r.copies))?;
        sheet.input(row, 3, r.read_iops)?;
        sheet.input(row, 4, r.write_iops)?;
        let hardware = r.read_iops.zip(r.write_iops).map(|(read, write)| read + r.write_penalty * write);
        sheet.formula(
            row,
            5,
            &format!("=IF(OR(D{cell}=\"\",E{cell}=\"\"),\"\",D{cell}+B{cell}*E{cell})"),
            hardware,
        )?;
        sheet.input(row, 6, r.hardware_mbps)?;
        let bare = hardware.map(|h| whole(h / d.iops));
        sheet.formula(row, 7, &format!("=IF(F{cell}=\"\",\"\",ROUNDUP(F{cell}/$B$7{WHOLE},0))"), bare)?;
        let request = request_ms(s, n);
        sheet.input(row, 8, request)?;
        let target = |request: f64| s.latency_target_us.map_or(2.0 * request, |t| t / 1e3);
        let most = if s.latency_target_us.is_some() { MOST_UTILISATION } else { USUAL_UTILISATION };
        let busy = if one_server {
            // M/M/1, with what the disk can do of these requests: its IOPS over how much longer they take.
            let odds = request.map(|r| (target(r) - r) * (d.iops * d.read_latency_us / 1e3 / r) / 1e3);
            let busy = odds.filter(|o| *o > 0.0).map(|o| (o / (1.0 + o)).min(most));
            let target = format!("IF($B$9=\"\",2*I{cell},$B$9)");
            let odds = format!("(({target}-I{cell})*$B$7*$B$8/I{cell}/1000)");
            let formula =
                format!("=IF(I{cell}=\"\",\"\",IF({target}<=I{cell},\"\",MIN($B$10,{odds}/(1+{odds}))))");
            sheet.formula(row, 9, &formula, busy)?;
            busy
        } else {
            let busy = d.utilisation_for(s.latency_target_us, mix(s, n));
            sheet.input(row, 9, busy)?;
            busy
        };
        let slower = |r: f64| if one_server { d.read_latency_us / 1e3 / r } else { 1.0 };
        let for_iops =
            hardware.zip(request).zip(busy).map(|((h, r), busy)| whole(h / (d.iops * slower(r) * busy)));
        let rate =
            if one_server { format!("($B$7*$B$8/I{cell}*J{cell})") } else { format!("($B$7*J{cell})") };
        sheet.formula(
            row,
            10,
            &format!("=IF(OR(F{cell}=\"\",J{cell}=\"\"),\"\",ROUNDUP(F{cell}/{rate}{WHOLE},0))"),
            for_iops,
        )?;
        let for_mbps = r.hardware_mbps.zip(d.mbps).map(|(need, one)| whole(need / one));
        sheet.formula(
            row,
            11,
            &format!("=IF(OR(G{cell}=\"\",$B$11=\"\"),\"\",ROUNDUP(G{cell}/$B$11{WHOLE},0))"),
            for_mbps,
        )?;
        let for_capacity = s
            .capacity_bytes
            .zip(d.capacity_bytes)
            .map(|(need, one)| whole(need / GIB * r.copies / (one / GIB)));
        sheet.formula(
            row,
            12,
            &format!("=IF(OR($B$12=\"\",$B$13=\"\"),\"\",ROUNDUP($B$13*C{cell}/$B$12{WHOLE},0))"),
            for_capacity,
        )?;
        sheet.input(row, 13, Some(r.least_disks))?;
        sheet.input(row, 14, Some(r.disks_in_step))?;
        let all = for_iops.map(|i| {
            let most = i.max(for_mbps.unwrap_or(0.0)).max(for_capacity.unwrap_or(0.0)).max(r.least_disks);
            whole(most / r.disks_in_step) * r.disks_in_step
        });
        sheet.formula(
            row,
            15,
            &format!("=IF(K{cell}=\"\",\"\",ROUNDUP(MAX(K{cell}:N{cell})/O{cell}{WHOLE},0)*O{cell})"),
            all,
        )?;
        sheet.formula(
            row,
            16,
            &format!("=IF(P{cell}=\"\",\"\",ROUNDUP(P{cell}/$B$14{WHOLE},0))"),
            all.map(|a| whole(a / s.disks_per_cell)),
        )?;
        sheet.number(row, 17, r.disks)?;
    }
    Ok(())
}

/// Years of growth under the redundancy chosen, from its row of the table.
fn growth(sheet: &mut Sheet<'_>, s: &Sizing, from: u32) -> Result<(), XlsxError> {
    let years = u32::try_from(s.growth.len().saturating_sub(1)).unwrap_or(0).clamp(3, 50);
    sheet.headings(from, &["Year", "Times", "Hardware IOPS", "Disks, bare division"])?;
    let last = TABLE + u32::try_from(s.redundancy.len()).unwrap_or(0);
    let hardware = format!("INDEX($F${}:$F${last},MATCH($B$6,$A${}:$A${last},0))", TABLE + 1, TABLE + 1);
    let now = s.redundancy[primary(s)].hardware_iops;
    for year in 0..=years {
        let row = from + 1 + year;
        let cell = row + 1;
        sheet.number(row, 0, Some(f64::from(year)))?;
        let factor = (1.0 + growth_pct(s) / 100.0).powi(i32::try_from(year).unwrap_or(0));
        sheet.formula(row, 1, &format!("=(1+$B$15/100)^A{cell}"), Some(factor))?;
        sheet.formula(row, 2, &format!("={hardware}*B{cell}"), now.map(|h| h * factor))?;
        let bare = now.map(|h| whole(h * factor / s.disk.iops));
        sheet.formula(row, 3, &format!("=ROUNDUP(C{cell}/$B$7{WHOLE},0)"), bare)?;
    }
    Ok(())
}

/// Intervals that statistics count: the complete ones, or all where none is.
fn counted(s: &Sizing) -> impl Fn(&IntervalRow) -> bool {
    let none = s.intervals.iter().all(|i| !(i.complete && i.hardware_iops.is_some()));
    move |i| i.hardware_iops.is_some() && (i.complete || none)
}

fn intervals(
    book: &mut Workbook,
    s: &Sizing,
    formats: &Formats,
    shown: usize,
    live: bool,
) -> Result<(), XlsxError> {
    let sheet = book.add_worksheet().set_name("Intervals")?;
    sheet.set_column_width(0, 18)?.set_column_width(1, 18)?;
    sheet.set_freeze_panes(1, 0)?;
    let mut sheet = Sheet::new(sheet, formats);
    let headings = [
        "Begin",
        "End",
        "Hours",
        "Reads/s",
        "Writes/s",
        "Redo writes/s",
        "Read MB/s",
        "Write MB/s",
        "Instances",
        "Hardware IOPS",
        "Disks, bare division",
        "Hours counted",
        "Share of the time at or below",
    ];
    sheet.headings(0, &headings[..if live { 13 } else { 12 }])?;
    let is_counted = counted(s);
    let penalty = s.redundancy[primary(s)].write_penalty;
    let hardware = |i: &IntervalRow| Some(rounded(i.measures.read_iops? + penalty * i.measures.write_iops?));
    // Share of the time at or below each, from values in order.
    let mut order: Vec<(f64, f64)> = s
        .intervals
        .iter()
        .take(shown)
        .filter(|i| is_counted(i))
        .filter_map(|i| Some((hardware(i)?, i.seconds / 3600.0)))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = order.iter().map(|(_, h)| h).sum();
    let mut so_far = 0.0;
    let running: Vec<f64> = order
        .iter()
        .map(|(_, h)| {
            so_far += h;
            so_far
        })
        .collect();
    for (n, i) in s.intervals.iter().take(shown).enumerate() {
        let row = u32::try_from(n + 1).unwrap_or(u32::MAX);
        let cell = row + 1;
        sheet.plain(row, 0, &i.begin_time.as_deref().map(number::time).unwrap_or_default())?;
        sheet.plain(row, 1, &i.end_time.as_deref().map(number::time).unwrap_or_default())?;
        sheet.number(row, 2, Some(i.seconds / 3600.0))?;
        let m = &i.measures;
        for (column, value) in
            [m.read_iops, m.write_iops, m.redo_write_iops, m.read_mbps, m.write_mbps].into_iter().enumerate()
        {
            sheet.number(row, column_of(3 + column), value)?;
        }
        sheet.number(row, 8, Some(f64::from(i.instances)))?;
        let counts = is_counted(i);
        let value = hardware(i).filter(|_| counts);
        if counts {
            sheet.formula(row, 9, &format!("=ROUND(D{cell}+Size!$B$16*E{cell},3)"), value)?;
            let bare = value.map(|v| whole(v / s.disk.iops));
            sheet.formula(row, 10, &format!("=ROUNDUP(J{cell}/Size!$B$7{WHOLE},0)"), bare)?;
            sheet.number(row, 11, Some(i.seconds / 3600.0))?;
            if live {
                let below = value.map(|v| order.partition_point(|(o, _)| *o <= v));
                let share = below.and_then(|b| running.get(b.checked_sub(1)?)).map(|r| r / total);
                let formula =
                    format!("=SUMIF($J$2:$J${n},\"<=\"&J{cell},$L$2:$L${n})/Size!$B$17", n = shown + 1);
                sheet.formula(row, 12, &formula, share)?;
            }
        } else {
            sheet.number(row, 11, Some(0.0))?;
        }
    }
    let last = u32::try_from(shown).unwrap_or(u32::MAX);
    if shown > 1 {
        let mut chart = Chart::new(ChartType::Line);
        chart
            .add_series()
            .set_name("hardware IOPS")
            .set_categories(("Intervals", 1, 0, last, 0))
            .set_values(("Intervals", 1, 9, last, 9));
        chart.title().set_name("When do the disks have most to do?");
        chart.y_axis().set_name("hardware IOPS");
        sheet.sheet.insert_chart(1, 14, &chart)?;
    }
    if shown < s.intervals.len() {
        let text = format!("{} more intervals are in spindle size --json", s.intervals.len() - shown);
        sheet.text(last + 1, 0, &text, &formats.note)?;
    }
    Ok(())
}

fn histogram(book: &mut Workbook, s: &Sizing, formats: &Formats, shown: usize) -> Result<(), XlsxError> {
    let sheet = book.add_worksheet().set_name("Histogram")?;
    let mut sheet = Sheet::new(sheet, formats);
    sheet.headings(0, &["Above", "Up to", "Hours", "Share of the time (%)"])?;
    let n = shown + 1;
    let penalty = s.redundancy[primary(s)].write_penalty;
    let is_counted = counted(s);
    let values: Vec<(f64, f64)> = s
        .intervals
        .iter()
        .take(shown)
        .filter(|i| is_counted(i))
        .filter_map(|i| {
            Some((rounded(i.measures.read_iops? + penalty * i.measures.write_iops?), i.seconds / 3600.0))
        })
        .collect();
    let most = values.iter().map(|(v, _)| *v).fold(0.0, f64::max);
    let hours: f64 = values.iter().map(|(_, h)| h).sum();
    let step = whole(most / f64::from(BARS)).max(1.0);
    sheet.plain(0, 5, "Step")?;
    let formula = format!("=MAX(1,ROUNDUP(MAX(Intervals!$J$2:$J${n})/{BARS}{WHOLE},0))");
    sheet.formula(0, 6, &formula, Some(step))?;
    for bar in 0..BARS {
        let row = bar + 1;
        let cell = row + 1;
        let (low, high) = (f64::from(bar) * step, f64::from(bar + 1) * step);
        sheet.formula(row, 0, &format!("={bar}*$G$1"), Some(low))?;
        sheet.formula(row, 1, &format!("={}*$G$1", bar + 1), Some(high))?;
        // The first bar holds the intervals without any request too.
        let over = if bar == 0 { ">=" } else { ">" };
        let within =
            values.iter().filter(|(v, _)| (*v > low || bar == 0) && *v <= high).map(|(_, h)| h).sum();
        let formula = format!(
            "=SUMIFS(Intervals!$L$2:$L${n},Intervals!$J$2:$J${n},\"{over}\"&A{cell},Intervals!$J$2:$J${n},\"<=\"&B{cell})"
        );
        sheet.formula(row, 2, &formula, Some(within))?;
        sheet.formula(row, 3, &format!("=100*C{cell}/Size!$B$17"), Some(100.0 * within / hours))?;
    }
    let mut chart = Chart::new(ChartType::Column);
    chart
        .add_series()
        .set_name("share of the time")
        .set_categories(("Histogram", 1, 1, BARS, 1))
        .set_values(("Histogram", 1, 3, BARS, 3));
    chart.title().set_name("In how much of the time do the disks do how many IOPS?");
    chart.x_axis().set_name("hardware IOPS, up to");
    chart.y_axis().set_name("% of the time");
    sheet.sheet.insert_chart(1, 5, &chart)?;
    Ok(())
}

fn busiest(book: &mut Workbook, s: &Sizing, formats: &Formats) -> Result<(), XlsxError> {
    let sheet = book.add_worksheet().set_name("Busiest")?;
    for (column, width) in [(0, 18), (1, 12), (2, 40), (3, 24), (7, 20)] {
        sheet.set_column_width(column, width)?;
    }
    let mut sheet = Sheet::new(sheet, formats);
    sheet.headings(
        0,
        &[
            "Interval",
            "What",
            "Name",
            "Module or type",
            "Reads/s",
            "Writes/s",
            "Unit",
            "Database",
            "Instance",
            "Of its instance (%)",
        ],
    )?;
    let mut row = 1;
    for d in &s.drill {
        let when = d.interval.begin_time.as_deref().map(number::time).unwrap_or_default();
        let lists = [("statement", &d.sql), ("segment", &d.segments)];
        for (what, list) in lists {
            for r in list {
                sheet.plain(row, 0, &when)?;
                sheet.plain(row, 1, what)?;
                sheet.plain(row, 2, &r.name)?;
                sheet.plain(row, 3, r.detail.as_deref().unwrap_or(""))?;
                sheet.number(row, 4, r.reads_per_s)?;
                sheet.number(row, 5, r.writes_per_s)?;
                sheet.plain(row, 6, r.unit)?;
                sheet.plain(row, 7, &r.database)?;
                sheet.number(row, 8, r.instance_number.map(f64::from))?;
                sheet.number(row, 9, r.share_pct)?;
                row += 1;
            }
        }
    }
    Ok(())
}

fn remarks(book: &mut Workbook, s: &Sizing, formats: &Formats) -> Result<(), XlsxError> {
    let sheet = book.add_worksheet().set_name("Remarks")?;
    sheet.set_column_width(0, 12)?.set_column_width(1, 110)?;
    let mut sheet = Sheet::new(sheet, formats);
    sheet.headings(0, &["Kind", "What"])?;
    let warnings = s.warnings.iter().map(|w| ("warning", w));
    let gaps = s.gaps.iter().map(|g| (g.kind, &g.message)).take(MOST_INTERVALS);
    let wrapped: &Format = &formats.wrapped;
    for (n, (kind, message)) in warnings.chain(gaps).enumerate() {
        let row = u32::try_from(n + 1).unwrap_or(u32::MAX);
        sheet.plain(row, 0, kind)?;
        sheet.text(row, 1, message, wrapped)?;
    }
    Ok(())
}
