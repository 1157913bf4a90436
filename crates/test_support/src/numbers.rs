//! Numbers as Oracle's reports print them.

use crate::block::Cell;
use crate::style::{Release, Style};
use spindle_facts::Layout;

impl Style {
    pub(crate) fn localised(&self, english: String) -> String {
        if !self.decimal_comma {
            return english;
        }
        english
            .chars()
            .map(|c| match c {
                ',' => '.',
                '.' => ',',
                c => c,
            })
            .collect()
    }

    /// `1,234.5` with the given decimals.
    pub(crate) fn grouped(&self, value: f64, decimals: usize) -> String {
        let plain = format!("{value:.decimals$}");
        let (sign, digits) = plain.strip_prefix('-').map_or(("", plain.as_str()), |d| ("-", d));
        let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(w, f)| (w, Some(f)));
        let mut out = String::from(sign);
        for (i, c) in whole.chars().enumerate() {
            if i > 0 && (whole.len() - i).is_multiple_of(3) {
                out.push(',');
            }
            out.push(c);
        }
        if let Some(f) = fraction {
            out.push('.');
            out.push_str(f);
        }
        self.localised(out)
    }

    /// Grouped number; blank where unknown.
    pub(crate) fn num(&self, value: Option<f64>, decimals: usize) -> Cell {
        value.map_or(Cell::Blank, |v| Cell::Number(self.grouped(v, decimals)))
    }

    /// As [`Self::num`]; HTML prints one digit more than text.
    pub(crate) fn fine(&self, value: Option<f64>, decimals: usize) -> Cell {
        self.num(value, decimals + usize::from(self.layout == Layout::Html))
    }

    /// Whole number with grouping.
    pub(crate) fn int(&self, value: Option<f64>) -> Cell {
        self.num(value, 0)
    }

    /// One decimal, no zero before the point: `.5`, `71.3`.
    pub(crate) fn short_pct(&self, value: Option<f64>) -> Cell {
        self.short(value, 1)
    }

    /// No zero before the point in text; HTML prints it, and one digit more.
    pub(crate) fn short(&self, value: Option<f64>, decimals: usize) -> Cell {
        if self.layout == Layout::Html {
            return self.num(value, decimals + 1);
        }
        self.bare(value, decimals)
    }

    /// No zero before the point, in any layout.
    pub(crate) fn bare(&self, value: Option<f64>, decimals: usize) -> Cell {
        value.map_or(Cell::Blank, |v| {
            let text = format!("{v:.decimals$}");
            let text =
                if v.abs() < 1.0 { text.strip_prefix('0').map_or(text.clone(), str::to_owned) } else { text };
            Cell::Number(self.localised(text))
        })
    }

    /// No grouping.
    pub(crate) fn plain(&self, value: Option<f64>, decimals: usize) -> Cell {
        value.map_or(Cell::Blank, |v| Cell::Number(self.localised(format!("{v:.decimals$}"))))
    }

    /// Blank, `.0` or `.5` shares of a wait histogram: blank is truly none.
    pub(crate) fn histogram_share(&self, waits: f64, of: f64) -> Cell {
        if waits <= 0.0 || of <= 0.0 {
            return Cell::Blank;
        }
        self.bare(Some(100.0 * waits / of), 1)
    }

    /// Counts in multiples of 1000: `9999`, `25.2K`, `1419K`, `21.5M`.
    pub(crate) fn kilo(&self, value: Option<f64>) -> Cell {
        value.map_or(Cell::Blank, |v| {
            let text = if self.release <= Release::V11_1 {
                // Old releases cut: 13,879 is 13K.
                match v {
                    v if v < 10_000.0 => format!("{v:.0}"),
                    v if v < 10_000_000.0 => format!("{:.0}K", (v / 1e3).floor()),
                    v if v < 10_000_000_000.0 => format!("{:.0}M", (v / 1e6).floor()),
                    v => format!("{:.0}G", (v / 1e9).floor()),
                }
            } else if v < 9_999.5 {
                format!("{v:.0}")
            } else if v < 999_950.0 {
                trim_zero(format!("{:.1}", v / 1e3)) + "K"
            } else if v < 9_999_500.0 {
                format!("{:.0}K", v / 1e3)
            } else if v < 999_950_000.0 {
                trim_zero(format!("{:.1}", v / 1e6)) + "M"
            } else {
                trim_zero(format!("{:.1}", v / 1e9)) + "G"
            };
            Cell::Number(self.localised(text))
        })
    }

    /// Bytes in multiples of 1024, megabytes at least: `0M`, `811M`, `65.4G`.
    pub(crate) fn data(&self, bytes: Option<f64>) -> Cell {
        value_or_blank(bytes, |b| {
            let mb = b / 1_048_576.0;
            let text = if mb < 1_023.5 {
                format!("{mb:.0}M")
            } else if mb < 1_048_524.0 {
                trim_zero(format!("{:.1}", mb / 1024.0)) + "G"
            } else {
                trim_zero(format!("{:.1}", mb / 1_048_576.0)) + "T"
            };
            self.localised(text)
        })
    }

    /// Bytes a second as a long number of megabytes, which the column cuts (11.2): `4.53108`.
    pub(crate) fn data_rate_long(&self, bytes_per_s: Option<f64>) -> Cell {
        value_or_blank(bytes_per_s, |b| {
            if b <= 0.0 {
                return "0M".to_owned();
            }
            let mb = b / 1_048_576.0;
            let digits = if mb >= 1.0 { 6 - (mb.log10().floor() as usize + 1).min(5) } else { 6 };
            let text = format!("{mb:.digits$}");
            let text = if mb < 1.0 { text.trim_start_matches('0').to_owned() } else { text };
            self.localised(text)
        })
    }

    /// Bytes a second with their suffix (11.2.0.4 and later): `32.018M`, `.041M`.
    pub(crate) fn data_rate(&self, bytes_per_s: Option<f64>) -> Cell {
        value_or_blank(bytes_per_s, |b| {
            if b <= 0.0 {
                return "0M".to_owned();
            }
            let mb = b / 1_048_576.0;
            let (scaled, suffix) = if mb < 1024.0 { (mb, 'M') } else { (mb / 1024.0, 'G') };
            let text = if scaled < 100.0 { format!("{scaled:.3}") } else { format!("{scaled:.2}") };
            let text = if scaled < 1.0 { text.trim_start_matches('0').to_owned() } else { text };
            self.localised(text) + &suffix.to_string()
        })
    }

    /// Requests a second; beyond six characters in scientific notation.
    pub(crate) fn requests_per_s(&self, value: Option<f64>) -> Cell {
        value_or_blank(value, |v| {
            let decimals = 1 + usize::from(self.layout == Layout::Html);
            if v < 9_999.95 || self.layout == Layout::Html {
                self.localised(format!("{v:.decimals$}"))
            } else {
                self.localised(scientific(v, 1))
            }
        })
    }

    /// Average wait with its unit (12.2 and later): `.00ns`, `12.34us`, `1.02ms`, `3.50s`.
    pub(crate) fn wait_with_unit(&self, us: Option<f64>) -> Cell {
        value_or_blank(us, |us| {
            let (scaled, unit) = if us < 1.0 {
                (us * 1e3, "ns")
            } else if us < 1e3 {
                (us, "us")
            } else if us < 1e6 {
                (us / 1e3, "ms")
            } else {
                (us / 1e6, "s")
            };
            let text = format!("{scaled:.2}");
            let text = if scaled < 1.0 { text.trim_start_matches('0').to_owned() } else { text };
            self.localised(text) + unit
        })
    }

    /// Average wait as the release prints it: whole milliseconds, or a number with its unit.
    pub(crate) fn avg_wait(&self, us: Option<f64>) -> Cell {
        if self.release.times_carry_units() {
            self.wait_with_unit(us)
        } else {
            let precise = self.release == Release::V12_1 && self.layout == Layout::Html;
            self.plain(us.map(|us| us / 1e3), if precise { 2 } else { 0 })
        }
    }

    /// Memory in megabytes, as cache sizes print it: `12,384M`.
    pub(crate) fn megabytes(&self, bytes: Option<f64>) -> Cell {
        value_or_blank(bytes, |b| self.grouped(b / 1_048_576.0, 0) + "M")
    }
}

fn value_or_blank(value: Option<f64>, print: impl Fn(f64) -> String) -> Cell {
    value.map_or(Cell::Blank, |v| Cell::Number(print(v)))
}

fn trim_zero(text: String) -> String {
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// `1.5E+07`.
pub(crate) fn scientific(value: f64, decimals: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{value:.decimals$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{mantissa}E{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}
