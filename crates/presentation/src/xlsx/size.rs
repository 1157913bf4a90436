//! The workbook of a sizing: change a penalty, a disk or a percentile and the counts follow.
//!
//! *Size* holds the inputs and what each redundancy needs; *Intervals* every interval with its hardware
//! IOPS under the redundancy chosen, and the share of the time that lies at or below it; *Needs* what
//! each interval needs under each redundancy, and *Percentiles* the percentile over all of them, both
//! by formulas, so that every count is that of the page; *Queue* how long requests wait at a device of many
//! servers, by its busy share; *Histogram*, *Busiest* and *Remarks* the rest.

mod needs;
mod queue;

use super::sheet::{Formats, Sheet, column_of};
use crate::number;
use rust_xlsxwriter::{
    Chart, ChartType, DataValidation, DataValidationRule, DocProperties, ExcelDateTime, Format, Workbook,
    XlsxError,
};
use spindle_planning::sizing::{
    Cause, Derived, IntervalRow, MOST_SERVERS, MOST_UTILISATION, Sizing, USUAL_UTILISATION,
};

/// Intervals beyond which their sheet is cut, and beyond which nothing is computed by formulas that
/// look at every interval.
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
/// Below what is computed, so that the inputs above keep their places.
const WRITE_ALONE: u32 = 18;
const SERVERS: u32 = 19;
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
    if live {
        needs::needs(&mut book, s, &formats, shown)?;
        if s.disk.servers_by_rate && by_formula(s) {
            queue::queue(&mut book, s, &formats)?;
        }
        needs::percentiles(&mut book, s, &formats, shown)?;
    }
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
    for column in 1..22 {
        sheet.set_column_width(column, 13)?;
    }
    let mut sheet = Sheet::new(sheet, formats);
    let name = if s.databases.is_empty() { "Load as stated".to_owned() } else { s.databases.join(", ") };
    sheet.text(0, 0, &format!("{name}: storage needed"), &formats.title)?;
    sheet.plain(1, 0, &format!("As run: {}", s.answer))?;
    sheet.text(
        2,
        0,
        if live {
            "Yellow cells are inputs: change them and every count below follows; the sentence above stays that of the run. An empty cell is not known."
        } else {
            "Too many intervals for formulas that look at each: these are the figures as computed, and none follows another. An empty cell is not known."
        },
        &formats.note,
    )?;
    let d = &s.disk;
    let most = if s.latency_target_us.is_some() { MOST_UTILISATION } else { USUAL_UTILISATION };
    let inputs: [(u32, &str, Option<f64>); 11] = [
        (PERCENTILE, "Percentile of the time (%)", Some(s.percentile)),
        (IOPS, "IOPS of one disk", Some(d.iops)),
        (ALONE, "Small read alone (ms)", Some(d.read_latency_us / 1e3)),
        (TARGET, "Latency to keep (ms); empty: twice a request alone", s.latency_target_us.map(|t| t / 1e3)),
        (MOST_BUSY, "Busy share at most; typed over, it is yours", Some(most)),
        (MBPS, "MB/s of one disk", d.mbps),
        (DISK_GIB, "Capacity of one disk (GiB)", d.capacity_bytes.map(|b| b / GIB)),
        (NEED_GIB, "Usable capacity needed (GiB)", s.capacity_bytes.map(|b| b / GIB)),
        // A volume of a cloud is in no cell.
        (PER_CELL, "Disks of a cell", Some(s.disks_per_cell).filter(|_| !d.is_volume)),
        (GROWTH, "Growth a year (%)", Some(growth_pct(s))),
        (WRITE_ALONE, "Small write alone (ms)", Some(d.write_latency_us / 1e3)),
    ];
    let by_formula = by_formula(s);
    let fixed = |row: u32| !live || !by_formula && [ALONE, TARGET, MOST_BUSY, WRITE_ALONE].contains(&row);
    for (row, label, value) in inputs {
        sheet.plain(row, 0, label)?;
        if fixed(row) {
            sheet.number(row, 1, value)?;
        } else if row == MOST_BUSY {
            let formula = format!("=IF($B${}=\"\",{USUAL_UTILISATION},{MOST_UTILISATION})", TARGET + 1);
            sheet.input_formula(row, 1, &formula, most)?;
        } else if let Some((formula, value)) = follows(s, row).zip(value) {
            sheet.input_formula(row, 1, formula, value)?;
        } else {
            sheet.input(row, 1, value)?;
        }
        if let Some(rule) = allowed(row).filter(|_| !fixed(row)) {
            sheet.sheet.add_data_validation(row, 1, row, 1, &rule)?;
        }
    }
    if live && !by_formula {
        let note = "not an input: a curve has no formula; run again for another";
        sheet.text(TARGET, 2, note, &formats.note)?;
    }
    if live && let Some((row, note)) = derived_note(s) {
        sheet.text(row, 2, note, &formats.note)?;
    }
    sheet.plain(SERVERS, 0, "Requests that one works on at once")?;
    let servers = f64::from(d.servers);
    if live && by_formula && d.servers_by_rate {
        let formula = format!("=MIN({MOST_SERVERS},MAX(1,ROUND($B${}*$B${}/1000,0)))", IOPS + 1, ALONE + 1);
        sheet.formula(SERVERS, 1, &formula, Some(servers))?;
    } else {
        sheet.number(SERVERS, 1, Some(servers).filter(|_| by_formula))?;
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
    sheet.plain(PER_CELL, 2, "IOPS, MB/s of it:")?;
    let of_cell = |value: Option<f64>| value.filter(|_| !d.is_volume);
    let iops = "=IF($B$14=\"\",\"\",$B$14*$B$7)";
    computed(&mut sheet, live, PER_CELL, 3, iops, of_cell(Some(s.cell_iops)))?;
    let mbps = "=IF(OR($B$11=\"\",$B$14=\"\"),\"\",$B$14*$B$11)";
    computed(&mut sheet, live, PER_CELL, 4, mbps, of_cell(s.cell_mbps))?;
    if let Some(apart) = &s.apart {
        // Of databases never measured together those that ask most are counted: which, another percentile
        // may decide otherwise.
        let note = format!(
            "of {}, chosen at {} %: at another percentile another may ask most; run again with --percentile",
            apart.largest, s.percentile
        );
        sheet.text(PERCENTILE, 2, &note, &formats.note)?;
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
    let chosen = format!("INDEX($F${}:$F${last},MATCH($B$6,$A${}:$A${last},0))", TABLE + 1, TABLE + 1);
    computed(&mut sheet, live, 17, 1, &format!("={chosen}"), at.hardware_iops)?;
    sheet.plain(17, 2, "under the redundancy above, over every interval that is counted")?;
    redundancies(&mut sheet, s, shown, live)?;
    growth(&mut sheet, s, last + 2, live)?;

    let mut chart = Chart::new(ChartType::Column);
    let named = |first: u32, c1: u16, end: u32| ("Size", first, c1, end, c1);
    chart.add_series().set_name("bare division").set_categories(named(TABLE, 0, last - 1)).set_values(named(
        TABLE,
        7,
        last - 1,
    ));
    chart.add_series().set_name("as planned").set_categories(named(TABLE, 0, last - 1)).set_values(named(
        TABLE,
        15,
        last - 1,
    ));
    chart.title().set_name("How many disks does each redundancy need?");
    chart.y_axis().set_name("disks");
    sheet.sheet.insert_chart(3, 6, &chart)?;
    sheet.sheet.set_freeze_panes(0, 1)?;
    Ok(())
}

/// The formula of an input that follows from another, since nobody gave it.
fn follows(s: &Sizing, row: u32) -> Option<&'static str> {
    match (s.disk.derived, row) {
        (Derived::Latency, ALONE) => Some("=1000/$B$7"),
        (Derived::Latency, WRITE_ALONE) => Some("=$B$8"),
        (Derived::Rate, IOPS) => Some("=1000/$B$8"),
        // One latency is that of both.
        (Derived::Rate, WRITE_ALONE) if s.disk.write_latency_us == s.disk.read_latency_us => Some("=$B$8"),
        _ => None,
    }
}

/// What is said of such an input, and where.
fn derived_note(s: &Sizing) -> Option<(u32, &'static str)> {
    match s.disk.derived {
        Derived::Latency => {
            Some((ALONE, "one request after the other, from the IOPS; typed over, it is yours"))
        }
        Derived::Rate => Some((ALONE, "the IOPS follow from it: one request after the other")),
        Derived::Nothing => None,
    }
}

fn growth_pct(s: &Sizing) -> f64 {
    // 1.2 is 1.1999...: what was typed has no more digits than these.
    s.growth.get(1).map_or(0.0, |y| (1e11 * (y.factor - 1.0)).round() / 1e9)
}

/// Is the disk a queue, which formulas can say? A curve is none: its busy share is written as computed.
fn by_formula(s: &Sizing) -> bool {
    s.disk.curve.is_none()
}

/// A formula with its result, or the result alone.
fn computed(
    sheet: &mut Sheet<'_>,
    live: bool,
    row: u32,
    column: u16,
    formula: &str,
    value: Option<f64>,
) -> Result<(), XlsxError> {
    if live { sheet.formula(row, column, formula, value) } else { sheet.number(row, column, value) }
}

const HEADINGS: [&str; 22] = [
    "Redundancy",
    "Write penalty",
    "Raw for usable capacity",
    "Reads/s of the interval at the percentile",
    "Writes/s of that interval",
    "Hardware IOPS",
    "Hardware MB/s at its percentile",
    "Disks, bare division",
    "Request of that interval alone (ms)",
    "Busy share that keeps its latency",
    "Disks for IOPS",
    "Disks for MB/s",
    "Disks for capacity",
    "At least",
    "In steps of",
    "Disks",
    "Cells",
    "Penalty of bytes",
    "Disks for IOPS and MB/s, before rounding",
    "Cells for IOPS",
    "Cells for MB/s",
    "Cells, bare division",
];

fn redundancies(sheet: &mut Sheet<'_>, s: &Sizing, shown: usize, live: bool) -> Result<(), XlsxError> {
    sheet.headings(TABLE - 1, &HEADINGS)?;
    for (n, r) in s.redundancy.iter().enumerate() {
        let row = TABLE + u32::try_from(n).unwrap_or(0);
        let cell = row + 1;
        sheet.text(row, 0, &r.name, &sheet.formats.heading)?;
        let bytes_penalty = r.write_penalty;
        for (column, value) in [
            (1, r.write_penalty),
            (2, r.copies.unwrap_or(1.0)),
            (13, r.least_disks),
            (14, r.disks_in_step),
            (17, bytes_penalty),
        ] {
            if live {
                sheet.input(row, column, Some(value))?;
            } else {
                sheet.number(row, column, Some(value))?;
            }
        }
        // The interval that stands at the percentile under this redundancy.
        let of = |sheet: &str, column: &str| {
            format!(
                "=IF(F{cell}=\"\",\"\",INDEX({sheet}!{},MATCH(F{cell},Needs!{},0)))",
                needs::column_range(column, shown),
                needs::column_range(&needs::column(n, needs::IOPS), shown)
            )
        };
        let percentile = |part: usize| format!("=Percentiles!{}", needs::percentile_cell(n, part));
        computed(sheet, live, row, 3, &of("Intervals", "D"), r.read_iops)?;
        computed(sheet, live, row, 4, &of("Intervals", "E"), r.write_iops)?;
        computed(sheet, live, row, 5, &percentile(needs::IOPS), r.hardware_iops)?;
        computed(sheet, live, row, 6, &percentile(needs::MBPS), r.hardware_mbps)?;
        let bare = format!("=IF(F{cell}=\"\",\"\",ROUNDUP(F{cell}/$B$7{WHOLE},0))");
        computed(sheet, live, row, 7, &bare, r.disks_for_iops_bare)?;
        let alone = r.request_us.map(|us| us / 1e3);
        computed(sheet, live, row, 8, &of("Needs", &needs::column(n, needs::REQUEST)), alone)?;
        computed(sheet, live, row, 9, &of("Needs", &needs::column(n, needs::BUSY)), r.utilisation_limit)?;
        let up = |of: &str| format!("=IF({of}=\"\",\"\",ROUNDUP({of}{WHOLE},0))");
        let for_iops = format!("Percentiles!{}", needs::percentile_cell(n, needs::FOR_IOPS));
        computed(sheet, live, row, 10, &up(&for_iops), r.disks_for_iops)?;
        // Where no number of disks keeps the latency, none is counted for anything.
        let for_mbps =
            format!("=IF(OR(K{cell}=\"\",G{cell}=\"\",$B$11=\"\"),\"\",ROUNDUP(G{cell}/$B$11{WHOLE},0))");
        computed(sheet, live, row, 11, &for_mbps, r.disks_for_mbps)?;
        let for_capacity =
            format!("=IF(OR($B$12=\"\",$B$13=\"\"),\"\",ROUNDUP($B$13*C{cell}/$B$12{WHOLE},0))");
        computed(sheet, live, row, 12, &for_capacity, r.disks_for_capacity)?;
        let all =
            format!("=IF(S{cell}=\"\",\"\",ROUNDUP(MAX(S{cell},M{cell},N{cell})/O{cell}{WHOLE},0)*O{cell})");
        computed(sheet, live, row, 15, &all, r.disks)?;
        let cells = format!("=IF(OR(P{cell}=\"\",$B$14=\"\"),\"\",ROUNDUP(P{cell}/$B$14{WHOLE},0))");
        computed(sheet, live, row, 16, &cells, r.cells)?;
        for (column, of, value) in
            [(19, "K", r.cells_for_iops), (20, "L", r.cells_for_mbps), (21, "H", r.cells_bare)]
        {
            let cells =
                format!("=IF(OR({of}{cell}=\"\",$B$14=\"\"),\"\",ROUNDUP({of}{cell}/$B$14{WHOLE},0))");
            computed(sheet, live, row, column, &cells, value)?;
        }
        if live {
            let exact = needs::exact(s, n, shown);
            sheet.formula(row, 18, &percentile(needs::BOTH), exact)?;
        }
    }
    Ok(())
}

/// Years of growth under the redundancy chosen, from its row of the table: load and capacity grow, so
/// the disks before rounding do.
fn growth(sheet: &mut Sheet<'_>, s: &Sizing, from: u32, live: bool) -> Result<(), XlsxError> {
    let years = match s.growth.len() {
        0 => 3,
        n => u32::try_from(n - 1).unwrap_or(0).min(50),
    };
    sheet.headings(from, &["Year", "Times", "Hardware IOPS", "Disks, bare division", "Disks", "Cells"])?;
    let last = TABLE + u32::try_from(s.redundancy.len()).unwrap_or(0);
    let of = |column: &str| {
        format!("INDEX(${column}${0}:${column}${last},MATCH($B$6,$A${0}:$A${last},0))", TABLE + 1)
    };
    let now = &s.redundancy[primary(s)];
    for year in 0..=years {
        let row = from + 1 + year;
        let cell = row + 1;
        let then = s.growth.get(usize::try_from(year).unwrap_or(0));
        let factor = (1.0 + growth_pct(s) / 100.0).powi(i32::try_from(year).unwrap_or(0));
        sheet.number(row, 0, Some(f64::from(year)))?;
        computed(sheet, live, row, 1, &format!("=(1+$B$15/100)^A{cell}"), Some(factor))?;
        let hardware = format!("=IF({0}=\"\",\"\",{0}*B{cell})", of("F"));
        let or_now =
            |then: Option<Option<f64>>, now: Option<f64>| if s.growth.is_empty() { now } else { then? };
        let value = or_now(then.map(|y| y.hardware_iops), now.hardware_iops);
        computed(sheet, live, row, 2, &hardware, value)?;
        let bare = format!("=IF(C{cell}=\"\",\"\",ROUNDUP(C{cell}/$B$7{WHOLE},0))");
        let value = or_now(then.map(|y| y.disks_bare), now.disks_for_iops_bare);
        computed(sheet, live, row, 3, &bare, value)?;
        let capacity = format!("IF(OR($B$12=\"\",$B$13=\"\"),0,$B$13*{}*B{cell}/$B$12)", of("C"));
        let (exact, least, step) = (of("S"), of("N"), of("O"));
        let disks = format!(
            "=IF({exact}=\"\",\"\",ROUNDUP(MAX({exact}*B{cell},{capacity},{least})/{step}{WHOLE},0)*{step})"
        );
        computed(sheet, live, row, 4, &disks, or_now(then.map(|y| y.disks), now.disks))?;
        let cells = format!("=IF(OR(E{cell}=\"\",$B$14=\"\"),\"\",ROUNDUP(E{cell}/$B$14{WHOLE},0))");
        computed(sheet, live, row, 5, &cells, or_now(then.map(|y| y.cells), now.cells))?;
    }
    Ok(())
}

/// What may be typed into an input: a percentile, a share, or more than nought; empty where nothing is known.
fn allowed(row: u32) -> Option<DataValidation> {
    let (rule, what) = match row {
        PERCENTILE => {
            (DataValidationRule::Between(0.001, 100.0), "A percentile is more than 0 and at most 100.")
        }
        MOST_BUSY => {
            (DataValidationRule::Between(0.001, 0.999), "A busy share is more than 0 and less than 1.")
        }
        GROWTH => return None,
        _ => (DataValidationRule::GreaterThan(0.0), "More than 0, or empty where it is not known."),
    };
    let rule = DataValidation::new().allow_decimal_number(rule);
    // Texts of Excel are short; these are.
    rule.set_error_message(what).ok()
}

/// Intervals that statistics count.
fn counted(_: &Sizing) -> impl Fn(&IntervalRow) -> bool {
    |i| i.counted && i.hardware_iops.is_some()
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
    for (heading, column) in MORE.iter().zip(FIRST_MORE..) {
        sheet.text(0, column, heading, &formats.heading)?;
    }
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
            // A load as stated is an input too.
            if s.reports == 0 && live && value.is_some() {
                sheet.input(row, column_of(3 + column), value)?;
            } else {
                sheet.number(row, column_of(3 + column), value)?;
            }
        }
        sheet.number(row, 8, Some(f64::from(i.instances)))?;
        more(&mut sheet, row, i, penalty)?;
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
        sheet.sheet.insert_chart(1, 22, &chart)?;
    }
    if shown < s.intervals.len() {
        let text = format!("{} more intervals are in spindle size --json", s.intervals.len() - shown);
        sheet.text(last + 1, 0, &text, &formats.note)?;
    }
    Ok(())
}

/// What else is known of an interval, behind the columns that formulas name.
const FIRST_MORE: u16 = 13;
const MORE: [&str; 8] = [
    "Small reads/s",
    "Large reads/s",
    "Small writes/s",
    "Large writes/s",
    "Redo MB/s",
    "Most hardware IOPS by, as run",
    "of all (%)",
    "MB/s are the least",
];

fn more(sheet: &mut Sheet<'_>, row: u32, i: &IntervalRow, penalty: f64) -> Result<(), XlsxError> {
    let m = &i.measures;
    let known =
        [m.small_read_iops, m.large_read_iops, m.small_write_iops, m.large_write_iops, m.redo_write_mbps];
    for (value, column) in known.into_iter().zip(FIRST_MORE..) {
        sheet.number(row, column, value)?;
    }
    // Temp files are part of the others.
    let on_disks = i.by_cause.iter().filter(|(cause, _)| **cause != Cause::Temp).map(|(cause, load)| {
        (cause.name(), load.read_iops.unwrap_or(0.0) + penalty * load.write_iops.unwrap_or(0.0))
    });
    let most = on_disks.filter(|(_, iops)| *iops > 0.0).reduce(|a, b| if b.1 > a.1 { b } else { a });
    if let Some((name, iops)) = most {
        sheet.plain(row, FIRST_MORE + 5, name)?;
        let share = i.hardware_iops.filter(|all| *all > 0.0).map(|all| 100.0 * iops / all);
        sheet.number(row, FIRST_MORE + 6, share.filter(|share| *share <= 100.5))?;
    }
    if i.mbps_is_least {
        sheet.plain(row, FIRST_MORE + 7, "known in part")?;
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
            "Of the reads of its instance, in its unit (%)",
            "Waited for I/O (s)",
            "Of what the disks do (%)",
        ],
    )?;
    let mut row = 1;
    for d in &s.drill {
        let when = d.interval.begin_time.as_deref().map(number::time).unwrap_or_default();
        for c in &d.causes {
            sheet.plain(row, 0, &when)?;
            sheet.plain(row, 1, "function")?;
            sheet.plain(row, 2, c.name)?;
            sheet.number(row, 4, c.load.read_iops)?;
            sheet.number(row, 5, c.load.write_iops)?;
            sheet.plain(row, 6, "requests")?;
            sheet.number(row, 11, c.share_pct)?;
            row += 1;
        }
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
                sheet.number(row, 10, r.io_wait_s)?;
                row += 1;
            }
        }
    }
    Ok(())
}

fn remarks(book: &mut Workbook, s: &Sizing, formats: &Formats) -> Result<(), XlsxError> {
    let sheet = book.add_worksheet().set_name("Remarks")?;
    for (column, width) in [(0, 12), (1, 20), (2, 10), (3, 18), (4, 18), (5, 110)] {
        sheet.set_column_width(column, width)?;
    }
    sheet.set_freeze_panes(1, 0)?;
    let mut sheet = Sheet::new(sheet, formats);
    sheet.headings(0, &["Kind", "Database", "Instance", "From", "To", "What"])?;
    let wrapped: &Format = &formats.wrapped;
    let mut row = 0;
    for warning in &s.warnings {
        row += 1;
        sheet.plain(row, 0, "warning")?;
        sheet.text(row, 5, warning, wrapped)?;
    }
    let when = |t: &Option<String>| t.as_deref().map(number::time).unwrap_or_default();
    for gap in s.gaps.iter().take(MOST_INTERVALS) {
        row += 1;
        sheet.plain(row, 0, gap.kind)?;
        sheet.plain(row, 1, gap.database.as_deref().unwrap_or(""))?;
        sheet.number(row, 2, gap.instance_number.map(f64::from))?;
        sheet.plain(row, 3, &when(&gap.begin_time))?;
        sheet.plain(row, 4, &when(&gap.end_time))?;
        sheet.text(row, 5, &gap.message, wrapped)?;
    }
    Ok(())
}
