//! What each interval needs under each redundancy, and the percentile by time over all of them.
//!
//! A percentile is found by halving: from a bound that less than so much of the time lies at or below,
//! it goes up by halves of what is left as long as that stays so; the next value seen above is the
//! percentile. A few dozen formulas a column do, where a share for each interval would look at every
//! interval for each.

use super::super::sheet::{Formats, Sheet, column_of};
use super::{SERVERS, TABLE, WRITE_ALONE, by_formula, counted, queue};
use crate::number;
use rust_xlsxwriter::{Workbook, XlsxError};
use spindle_planning::sizing::{IntervalRow, Mix, Sizing};

/// Columns of a redundancy in *Needs*.
pub(super) const IOPS: usize = 0;
pub(super) const MBPS: usize = 1;
pub(super) const REQUEST: usize = 2;
const WAIT: usize = 3;
pub(super) const BUSY: usize = 4;
pub(super) const FOR_IOPS: usize = 5;
pub(super) const BOTH: usize = 6;
const PARTS: usize = 7;
/// Those that have a percentile.
const RANKED: [usize; 4] = [IOPS, MBPS, FOR_IOPS, BOTH];
/// Halvings: the bound is then within a hundred-thousand-millionth of the highest.
const STEPS: u32 = 36;
/// Rows of *Percentiles*, from 0.
const HIGHEST: u32 = 1;
const START: u32 = 2;
const FOUND: u32 = START + STEPS + 1;

/// `AB` for 27.
fn letters(mut column: usize) -> String {
    let mut out = Vec::new();
    loop {
        out.push(b'A' + u8::try_from(column % 26).unwrap_or(0));
        if column < 26 {
            break;
        }
        column = column / 26 - 1;
    }
    out.reverse();
    String::from_utf8(out).unwrap_or_default()
}

/// The column of a part of a redundancy in *Needs*.
pub(super) fn column(redundancy: usize, part: usize) -> String {
    letters(1 + redundancy * PARTS + part)
}

/// The rows of the intervals in a column.
pub(super) fn column_range(column: &str, shown: usize) -> String {
    format!("${column}$2:${column}${}", shown + 1)
}

fn ranked_column(redundancy: usize, part: usize) -> usize {
    1 + redundancy * RANKED.len() + RANKED.iter().position(|p| *p == part).unwrap_or(0)
}

/// The cell of *Percentiles* that holds the percentile of a part.
pub(super) fn percentile_cell(redundancy: usize, part: usize) -> String {
    format!("${}${}", letters(ranked_column(redundancy, part)), FOUND + 1)
}

/// Are the bytes of an interval printed by no report, where those of others are? They are no less than nothing.
fn no_less_than_nothing(s: &Sizing, i: &IntervalRow) -> bool {
    let w = &s.workload;
    let known = w.max.read_mbps.is_some() || w.max.write_mbps.is_some();
    known && !i.bytes_doubted
}

/// What an interval needs, part by part.
fn of_interval(s: &Sizing, n: usize, i: &IntervalRow) -> [Option<f64>; PARTS] {
    let (r, d) = (&s.redundancy[n], &s.disk);
    let (Some(read), Some(write)) = (i.measures.read_iops, i.measures.write_iops) else {
        return [None; PARTS];
    };
    let hardware = read + r.write_penalty * write;
    let bytes_penalty = r.write_penalty;
    // Bytes of only reads or only writes are the least that the disks move.
    let (bytes_read, bytes_written) = (i.measures.read_mbps, i.measures.write_mbps);
    let mbps = bytes_read
        .or(bytes_written)
        .map(|_| bytes_read.unwrap_or(0.0) + bytes_penalty * bytes_written.unwrap_or(0.0))
        .or_else(|| no_less_than_nothing(s, i).then_some(0.0));
    let mix = Mix::of(hardware, read, mbps);
    let request = d.service_us(mix) / 1e3;
    let busy = d.utilisation_for(s.latency_target_us, mix);
    let slower = if by_formula(s) && d.servers == 1 { d.read_latency_us / 1e3 / request } else { 1.0 };
    let for_iops = busy.map(|busy| hardware / (d.iops * slower * busy));
    let for_mbps = mbps.zip(d.mbps).map_or(0.0, |(need, one)| need / one);
    let alone = Some(request).filter(|_| by_formula(s));
    let wait = alone
        .map(|alone| s.latency_target_us.map_or(2.0 * alone, |us| us / 1e3) - alone)
        .filter(|wait| *wait > 0.0);
    [Some(hardware), mbps, alone, wait, busy, for_iops, for_iops.map(|f| f.max(for_mbps))]
}

pub(super) fn needs(
    book: &mut Workbook,
    s: &Sizing,
    formats: &Formats,
    shown: usize,
) -> Result<(), XlsxError> {
    let sheet = book.add_worksheet().set_name("Needs")?;
    sheet.set_column_width(0, 18)?;
    sheet.set_freeze_panes(1, 1)?;
    let mut sheet = Sheet::new(sheet, formats);
    let parts = [
        "hardware IOPS",
        "hardware MB/s",
        "request alone (ms)",
        "it may wait (ms)",
        "busy share that keeps the latency",
        "disks for IOPS",
        "disks for IOPS and MB/s",
    ];
    let mut headings = vec!["Begin".to_owned()];
    for r in &s.redundancy {
        headings.extend(parts.iter().map(|p| format!("{}: {p}", r.name)));
    }
    sheet.headings(0, &headings.iter().map(String::as_str).collect::<Vec<_>>())?;
    let by_formula = by_formula(s);
    let is_counted = counted(s);
    for (at, i) in s.intervals.iter().take(shown).enumerate().filter(|(_, i)| is_counted(i)) {
        let row = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let c = row + 1;
        sheet.plain(row, 0, &i.begin_time.as_deref().map(number::time).unwrap_or_default())?;
        for n in 0..s.redundancy.len() {
            let values = of_interval(s, n, i);
            let t = TABLE + 1 + u32::try_from(n).unwrap_or(0);
            let [iops, mbps, request, wait, busy, for_iops] =
                [IOPS, MBPS, REQUEST, WAIT, BUSY, FOR_IOPS].map(|part| format!("{}{c}", column(n, part)));
            let place = |part: usize| column_of(1 + n * PARTS + part);
            let formula = format!("=Intervals!D{c}+Size!$B${t}*Intervals!E{c}");
            sheet.formula(row, place(IOPS), &formula, values[IOPS])?;
            let unknown = if no_less_than_nothing(s, i) { "0" } else { "\"\"" };
            let formula = format!(
                "=IF(COUNT(Intervals!G{c}:H{c})=0,{unknown},SUM(Intervals!G{c}:G{c})+Size!$R${t}*SUM(Intervals!H{c}:H{c}))"
            );
            sheet.formula(row, place(MBPS), &formula, values[MBPS])?;
            if by_formula {
                // Reads and writes as mixed, and what they move beyond 8 KiB: many servers have the bandwidth
                // together.
                let (write, servers) = (WRITE_ALONE + 1, SERVERS + 1);
                let formula = format!(
                    "=IF({iops}=0,Size!$B$8,Size!$B$8+(1-Intervals!D{c}/{iops})*(Size!$B${write}-Size!$B$8)+IF(OR(Size!$B${servers}>1,{mbps}=\"\",Size!$B$11=\"\"),0,MAX(0,{mbps}*1000000/{iops}-8192)/(Size!$B$11*1000)))"
                );
                sheet.formula(row, place(REQUEST), &formula, values[REQUEST])?;
                let target = format!("IF(Size!$B$9=\"\",2*{request},Size!$B$9)");
                let formula = format!("=IF({target}<={request},\"\",{target}-{request})");
                sheet.formula(row, place(WAIT), &formula, values[WAIT])?;
                // M/M/1, with what the disk can do of these requests.
                let odds = format!("({wait}*Size!$B$7*Size!$B$8/{request}/1000)");
                let one = format!("MIN(Size!$B$10,{odds}/(1+{odds}))");
                let busy = if s.disk.servers_by_rate {
                    format!("IF(Size!$B${servers}=1,{one},{})", queue::busy_share(&wait))
                } else {
                    one
                };
                let formula = format!("=IF({wait}=\"\",\"\",{busy})");
                sheet.formula(row, place(BUSY), &formula, values[BUSY])?;
            } else {
                sheet.number(row, place(REQUEST), values[REQUEST])?;
                sheet.number(row, place(BUSY), values[BUSY])?;
            }
            let slower = if by_formula {
                format!("*IF(Size!$B${}>1,1,Size!$B$8/{request})", SERVERS + 1)
            } else {
                String::new()
            };
            let formula = format!("=IF({busy}=\"\",\"\",{iops}/(Size!$B$7{slower}*{busy}))");
            sheet.formula(row, place(FOR_IOPS), &formula, values[FOR_IOPS])?;
            let formula = format!(
                "=IF({for_iops}=\"\",\"\",MAX({for_iops},IF(OR({mbps}=\"\",Size!$B$11=\"\"),0,{mbps}/Size!$B$11)))"
            );
            sheet.formula(row, place(BOTH), &formula, values[BOTH])?;
        }
    }
    Ok(())
}

/// A part of every counted interval, with its hours.
fn known(s: &Sizing, n: usize, part: usize, shown: usize) -> (Vec<(f64, f64)>, bool) {
    let is_counted = counted(s);
    let rows: Vec<&IntervalRow> = s.intervals.iter().take(shown).filter(|i| is_counted(i)).collect();
    let found: Vec<(f64, f64)> =
        rows.iter().filter_map(|i| Some((of_interval(s, n, i)[part]?, i.seconds / 3600.0))).collect();
    let all = found.len() == rows.len();
    (found, all)
}

/// Is what an interval lacks of a part more than there is, and not unknown? No number of disks keeps its
/// latency then: it stands above every other, and the percentile may leave it out.
fn is_never(part: usize) -> bool {
    part == FOR_IOPS || part == BOTH
}

/// The bounds that halving goes through, and what it finds.
fn halve(values: &[(f64, f64)], wanted: f64) -> (Vec<f64>, f64) {
    let highest = values.iter().map(|(v, _)| *v).fold(0.0, f64::max);
    let mut bounds = vec![-1.0];
    let mut low = -1.0;
    let mut step = highest + 2.0;
    for _ in 0..STEPS {
        step /= 2.0;
        let below: f64 = values.iter().filter(|(v, _)| *v <= low + step).map(|(_, h)| h).sum();
        if below < wanted {
            low += step;
        }
        bounds.push(low);
    }
    let found =
        values.iter().map(|(v, _)| *v).filter(|v| *v > low - step / 8.0).fold(f64::INFINITY, f64::min);
    (bounds, found)
}

fn wanted(s: &Sizing, shown: usize) -> f64 {
    let is_counted = counted(s);
    let hours: f64 =
        s.intervals.iter().take(shown).filter(|i| is_counted(i)).map(|i| i.seconds / 3600.0).sum();
    (s.percentile / 100.0 - 1e-9) * hours
}

/// Is there a percentile: values for all of the time, or for as much of it as the percentile holds?
fn reached(part: usize, values: &[(f64, f64)], all: bool, wanted: f64) -> bool {
    all || is_never(part) && values.iter().map(|(_, h)| h).sum::<f64>() >= wanted
}

/// Disks for requests and bytes at the percentile, before rounding.
pub(super) fn exact(s: &Sizing, n: usize, shown: usize) -> Option<f64> {
    let (values, all) = known(s, n, BOTH, shown);
    let wanted = wanted(s, shown);
    reached(BOTH, &values, all, wanted).then(|| halve(&values, wanted).1)
}

/// What is typed in is no percentile: nought, less, more than all, a word, nothing.
const NO_PERCENTILE: &str = "NOT(ISNUMBER(Size!$B$5)),Size!$B$5<=0,Size!$B$5>100";

pub(super) fn percentiles(
    book: &mut Workbook,
    s: &Sizing,
    formats: &Formats,
    shown: usize,
) -> Result<(), XlsxError> {
    let sheet = book.add_worksheet().set_name("Percentiles")?;
    sheet.set_column_width(0, 44)?;
    sheet.set_freeze_panes(1, 1)?;
    let mut sheet = Sheet::new(sheet, formats);
    let mut headings = vec!["The percentile over every interval, by halving".to_owned()];
    for r in &s.redundancy {
        headings.extend(
            ["hardware IOPS", "hardware MB/s", "disks for IOPS", "disks for IOPS and MB/s"]
                .map(|p| format!("{}: {p}", r.name)),
        );
    }
    sheet.headings(0, &headings.iter().map(String::as_str).collect::<Vec<_>>())?;
    sheet.plain(HIGHEST, 0, "Highest")?;
    sheet.plain(START, 0, "Less than so much of the time lies at or below")?;
    sheet.plain(FOUND, 0, "The next above it: the percentile")?;
    let hours = format!("Intervals!{}", column_range("L", shown));
    let wanted = wanted(s, shown);
    for n in 0..s.redundancy.len() {
        for part in RANKED {
            let at = ranked_column(n, part);
            let (place, name) = (column_of(at), letters(at));
            let range = |part: usize| format!("Needs!{}", column_range(&column(n, part), shown));
            let of = range(part);
            let (values, all) = known(s, n, part, shown);
            let highest = values.iter().map(|(v, _)| *v).fold(0.0, f64::max);
            sheet.formula(HIGHEST, place, &format!("=MAX(0,{of})"), Some(highest))?;
            sheet.number(START, place, Some(-1.0))?;
            let (bounds, found) = halve(&values, wanted);
            let highest = format!("{name}${}", HIGHEST + 1);
            for step in 1..=STEPS {
                let row = START + step;
                let half = format!("({highest}+2)/2^{step}");
                let formula = format!(
                    "={name}{row}+IF(SUMIF({of},\"<=\"&({name}{row}+{half}),{hours})<(Size!$B$5/100-0.000000001)*Size!$B$17,{half},0)"
                );
                let bound = bounds.get(usize::try_from(step).unwrap_or(0)).copied();
                sheet.formula(row, place, &formula, bound)?;
            }
            // An empty cell of disks is an interval in which none keeps the latency, above all others.
            let none = if is_never(part) {
                format!("SUMIF({of},\">=0\",{hours})<(Size!$B$5/100-0.000000001)*Size!$B$17,{NO_PERCENTILE}")
            } else {
                format!("COUNT({of})<COUNT({}),{NO_PERCENTILE}", range(IOPS))
            };
            let formula = format!(
                "=IF(OR({none}),\"\",_xlfn.MINIFS({of},{of},\">\"&({name}{FOUND}-({highest}+2)/2^{})))",
                STEPS + 3
            );
            let is_there = reached(part, &values, all, wanted) && found.is_finite();
            sheet.formula(FOUND, place, &formula, Some(found).filter(|_| is_there))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn columns_have_letters() {
        assert_eq!([0, 25, 26, 51, 52, 701, 702].map(letters), ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    }
}
