//! What the load needs: by redundancy, against racks, on other devices, over years.

use super::super::section;
use super::super::table::{Cell, Table};
use super::{REST, at_least, digits, whole};
use crate::chart::put;
use crate::escape::{clip, push_html, push_prose};
use crate::number;
use spindle_planning::sizing::{DataCount, RedoCount, Sizing, bare_of_these};

pub(super) fn redundancy(s: &Sizing) -> String {
    let mut out = section("", "need", "What each redundancy needs");
    // Columns that nobody asked for, or that nothing is known of, take no room.
    let stripes = s.redundancy.iter().any(|r| r.hardware_iops_full_stripe.is_some());
    let capacity = s.capacity_bytes.is_some();
    let mut headings = vec!["Redundancy", ">Write penalty", ">Hardware IOPS"];
    headings.extend(stripes.then_some(">at least, full stripes"));
    headings.extend([">Hardware MB/s", ">Bare disks", ">Bare cells", ">for IOPS", ">for MB/s"]);
    headings.extend(capacity.then_some(">for capacity"));
    headings.extend([
        ">Disks",
        ">Cells",
        ">for IOPS",
        ">for MB/s",
        ">Busy (%)",
        ">Alone (ms)",
        ">Latency (ms)",
    ]);
    let mut table = Table::new(
        "Hardware IOPS are reads and so many times the writes, of the interval at the percentile. Bare disks divide them by the rating of one disk, which is of small requests; disks keep the latency, the MB/s and the capacity. Alone is the time of one hardware request of that interval, reads and writes as mixed, without any waiting.",
        &headings,
        40,
    );
    for r in &s.redundancy {
        let chosen = r.name == s.sized_for;
        let both = |whole: Option<f64>, exact: Option<f64>| {
            Cell::Number(match (whole, exact) {
                (Some(whole), Some(exact)) => {
                    format!("{} ({})", number::fixed(whole, 0), number::fixed(exact, 1))
                }
                _ => number::UNKNOWN.to_owned(),
            })
        };
        let mut cells = vec![
            Cell::Hover(r.name.clone(), r.what.clone()),
            Cell::Number(number::plain(r.write_penalty)),
            Cell::Number(whole(r.hardware_iops)),
        ];
        cells.extend(stripes.then(|| Cell::Number(whole(r.hardware_iops_full_stripe))));
        cells.extend([
            at_least(r.hardware_mbps, r.hardware_mbps_is_least, number::measure),
            both(r.disks_for_iops_bare, r.disks_for_iops_bare_exact),
            both(r.cells_bare, r.cells_bare_exact),
            Cell::Number(whole(r.disks_for_iops)),
            Cell::Number(whole(r.disks_for_mbps)),
        ]);
        cells.extend(capacity.then(|| Cell::Number(whole(r.disks_for_capacity))));
        cells.extend([
            at_least(r.disks, r.disks_are_least, digits),
            Cell::Number(whole(r.cells)),
            Cell::Number(whole(r.cells_for_iops)),
            Cell::Number(whole(r.cells_for_mbps)),
            Cell::known(r.utilisation.map(|u| 100.0 * u), |v| number::fixed(v, 0)),
            Cell::known(r.request_us, number::ms),
            Cell::known(r.latency_us, number::ms),
        ]);
        table.row(if chosen { "now" } else { "" }, &cells);
    }
    table.finish_with(&mut out, REST);
    if !s.disk.is_volume {
        put!(
            out,
            "<p>A cell of {} such disks does {} small requests a second, bare, and {} MB/s.</p>",
            number::plain(s.disks_per_cell),
            number::fixed(s.cell_iops, 0),
            whole(s.cell_mbps)
        );
    }
    if let Some(r) = s.redundancy.iter().find(|r| r.name == s.sized_for) {
        if let Some((one, disks)) = bare_of_these(s, r) {
            put!(
                out,
                "<p>Of the requests of that interval, as mixed and as large, one disk does {} a second, not the {} of its rating: the bare division by that is {} disks.</p>",
                number::fixed(one, 0),
                number::fixed(s.disk.iops, 0),
                number::fixed(disks, 0)
            );
        }
        if r.hardware_mbps_is_least && r.hardware_mbps.is_some() {
            out.push_str("<p>MB/s are the least they can be: not all bytes are known.</p>");
        }
    }
    flash(&mut out, s);
    let mix = &s.write_mix;
    if mix.write_iops.is_some() && (mix.redo_write_iops.is_some() || mix.data_write_iops.is_some()) {
        let shown = |v: Option<f64>| number::or_unknown(v, number::measure);
        let data = match mix.data_counted_as {
            Some(DataCount::DatabaseWriter) => "database writer (DBWR)",
            Some(DataCount::Functions) => "database writer (DBWR) and direct writes",
            Some(DataCount::ListedFiles) => "the files listed",
            _ => "data and temp files (DBWR and direct)",
        };
        // By file type the part of the database writer stands beside it.
        let of_dbwr = mix.dbwr_write_iops.filter(|_| mix.data_counted_as != Some(DataCount::DatabaseWriter));
        let of_dbwr = of_dbwr.map_or_else(String::new, |v| format!(" (DBWR alone {})", number::measure(v)));
        put!(
            out,
            "<p>Writes at the percentile: {} a second, of them redo (LGWR) {}{}, {data} {}{of_dbwr}, other {}. ",
            shown(mix.write_iops),
            if mix.redo_counted_as == Some(RedoCount::RedoWrites) { "at least " } else { "" },
            shown(mix.redo_write_iops),
            shown(mix.data_write_iops),
            shown(mix.other_write_iops)
        );
        if let Some(without) = mix.hardware_iops_without_redo {
            let most = if mix.redo_counted_as == Some(RedoCount::RedoWrites) { "at most " } else { "" };
            put!(
                out,
                "With redo on devices of its own the disks do {most}{} IOPS. ",
                number::fixed(without, 0)
            );
        }
        if let Some([least, most]) = mix.hardware_iops_behind_cache {
            put!(
                out,
                "Behind a write-back cache it is {} (every write absorbed) to {} (none). ",
                number::fixed(least, 0),
                number::fixed(most, 0)
            );
        }
        push_prose(&mut out, &mix.because);
        out.push_str("</p>");
    }
    out.push_str("</section>");
    out
}

/// Reads that storage cells answered without a disk, and writes that their flash took.
fn flash(out: &mut String, s: &Sizing) {
    let Some(f) = &s.flash else { return };
    put!(
        out,
        "<p>All of this is what the database asks. In the cells {} answered {} of the {} reads a second of that interval ({} %, ",
        f.by,
        number::measure(f.flash_read_iops),
        number::measure(f.read_iops),
        number::percent(f.flash_share_pct)
    );
    push_prose(out, &f.account);
    put!(
        out,
        "); {} reads/s and {} MB/s of reads were left for disks",
        number::measure(f.disk_read_iops),
        number::or_unknown(f.disk_read_mbps, number::measure)
    );
    let Some((taken, all)) = f.flash_write_iops.zip(f.write_iops) else {
        put!(
            out,
            ": with the writes {} hardware IOPS, {} disks behind as much flash.</p>",
            whole(f.hardware_iops),
            whole(f.disks)
        );
        return;
    };
    put!(
        out,
        ". Of {} writes a second flash took {} ({} %, physical write requests optimized): {} writes/s and {} MB/s of writes went to disks at once. Behind as much flash that is {} hardware IOPS, {} disks, and what is destaged: {} hardware IOPS and {} disks at most, if every write that flash took were destaged by itself.",
        number::measure(all),
        number::measure(taken),
        number::or_unknown(f.flash_write_share_pct, number::percent),
        number::or_unknown(f.disk_write_iops, number::measure),
        number::or_unknown(f.disk_write_mbps, number::measure),
        whole(f.hardware_iops),
        whole(f.disks),
        whole(f.hardware_iops_all_destaged),
        whole(f.disks_all_destaged)
    );
    if let Some((over, all)) = f.cell_overwrite_iops.zip(f.cell_write_iops) {
        put!(
            out,
            " Of {} writes a second into flash, as the cells count them, {} overwrote what was there and need not be destaged each.",
            number::measure(all),
            number::measure(over)
        );
    }
    out.push_str("</p>");
}

pub(super) fn racks(s: &Sizing) -> String {
    let fits: Vec<_> = s.racks.iter().filter(|r| r.redundancy == s.sized_for).collect();
    if fits.is_empty() {
        return String::new();
    }
    let mut out = section("", "racks", "Does a rack do?");
    let mut table = Table::new(
        "A rack's own figure of requests, as its maker gives it, and what its disks move by the profile of one, against the hardware IOPS and MB/s of the redundancy sized for, all of them on disks. Behind flash: what flash as large as that of the reports would leave of the requests, without destaging. The racks are of the years that stand beside them: a yardstick, no offer.",
        &[
            "Exadata rack",
            "sold",
            ">Cells",
            ">Disk IOPS",
            ">Needed",
            ">Spare",
            ">Disk MB/s",
            ">Needed",
            ">Spare",
            "",
            "With growth",
            ">Behind flash",
            "",
            "Where the figure of IOPS is from",
        ],
        20,
    );
    for r in fits {
        let grown = r.grown.as_ref().map_or_else(String::new, |g| {
            let verdict = match g.enough {
                Some(true) => "enough",
                Some(false) => "falls short",
                None => "of small requests only",
            };
            format!("year {}: {} IOPS, {verdict}", g.year, number::fixed(g.hardware_iops, 0))
        });
        table.row(
            "",
            &[
                Cell::Text(&r.rack),
                Cell::Text(&r.sold),
                Cell::Number(number::fixed(r.cells, 0)),
                Cell::Number(number::fixed(r.disk_iops, 0)),
                Cell::Number(number::fixed(r.hardware_iops, 0)),
                Cell::Number(number::fixed(r.spare_iops, 0)),
                Cell::Number(whole(r.disk_mbps)),
                Cell::Number(whole(r.hardware_mbps)),
                Cell::Number(whole(r.spare_mbps)),
                Cell::Text(match r.enough {
                    Some(true) => "enough",
                    Some(false) => "falls short",
                    None => "of small requests only; these are larger",
                }),
                Cell::Text(&grown),
                Cell::Number(whole(r.hardware_iops_behind_flash)),
                Cell::Text(match r.enough_behind_flash {
                    Some(true) => "enough of requests",
                    Some(false) => "falls short",
                    None => "",
                }),
                Cell::Text(&r.origin),
            ],
        );
    }
    table.finish_with(&mut out, REST);
    out.push_str("</section>");
    out
}

pub(super) fn others(s: &Sizing) -> String {
    if s.other_disks.is_empty() {
        return String::new();
    }
    let mut out = section("", "others", "The same load on other devices");
    let mut table = Table::new(
        "A volume of a cloud needs no copies of yours: its provider keeps them. Caps are those of one device.",
        &[
            "Device",
            "Redundancy",
            ">IOPS of one",
            ">Hardware IOPS",
            ">for IOPS",
            ">for MB/s",
            ">for capacity",
            ">Devices",
            "decided by",
            ">Busy (%)",
            ">Alone (ms)",
            ">Latency (ms)",
        ],
        30,
    );
    for d in &s.other_disks {
        table.row(
            "",
            &[
                Cell::Text(&d.disk.name),
                Cell::Text(&d.redundancy),
                Cell::Number(number::plain(d.disk.iops)),
                Cell::Number(whole(d.hardware_iops)),
                Cell::Number(whole(d.disks_for_iops)),
                Cell::Number(whole(d.disks_for_mbps)),
                Cell::Number(whole(d.disks_for_capacity)),
                at_least(d.disks, d.disks_are_least, digits),
                Cell::Text(d.decided_by.unwrap_or("")),
                Cell::known(d.utilisation.map(|u| 100.0 * u), |v| number::fixed(v, 0)),
                Cell::known(d.request_us, number::ms),
                Cell::known(d.latency_us, number::ms),
            ],
        );
    }
    table.finish_with(&mut out, REST);
    out.push_str("</section>");
    out
}

pub(super) fn growth(s: &Sizing) -> String {
    let mut out = section("", "growth", "Growth");
    if s.growth.is_empty() {
        super::empty(&mut out, "No growth was asked for; give for example `--growth 20%/year --years 3`.");
        out.push_str("</section>");
        return out;
    }
    put!(out, "<p>Load and capacity grow together; redundancy <b>");
    push_html(&mut out, &clip(&s.sized_for, 80));
    out.push_str("</b>.</p>");
    let mut table = Table::new(
        "",
        &[
            ">Year",
            ">Times",
            ">Reads/s",
            ">Writes/s",
            ">Hardware IOPS",
            ">Hardware MB/s",
            ">Bare disks",
            ">Disks",
            ">Cells",
        ],
        60,
    );
    for y in &s.growth {
        table.row(
            "",
            &[
                Cell::Number(y.year.to_string()),
                Cell::Number(number::measure(y.factor)),
                Cell::Number(whole(y.read_iops)),
                Cell::Number(whole(y.write_iops)),
                Cell::Number(whole(y.hardware_iops)),
                at_least(y.hardware_mbps, y.hardware_mbps_is_least, number::measure),
                Cell::Number(whole(y.disks_bare)),
                at_least(y.disks, y.disks_are_least, digits),
                Cell::Number(whole(y.cells)),
            ],
        );
    }
    table.finish_with(&mut out, REST);
    out.push_str("</section>");
    out
}
