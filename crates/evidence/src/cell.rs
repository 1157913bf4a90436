//! One printed cell to a number with the bounds that rounding leaves.

/// How numbers are printed in a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Habits {
    /// `1.234,5` instead of `1,234.5`.
    pub(crate) decimal_comma: bool,
    /// `13,879` prints as `13K` (Statspack, AWR 11.1) instead of `13.9K`: suffixed values are cut,
    /// not rounded; `None` where it is unknown which.
    pub(crate) suffix_cuts: Option<bool>,
}

/// A number as printed: its value and every value that would have been printed the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Printed {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Printed {
    pub(crate) fn scaled(self, factor: f64) -> Self {
        Self { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }
}

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    /// Nothing, or `N/A`.
    Blank,
    /// `####`: wider than the column.
    Overprinted,
    /// Not of the expected form.
    Other,
    /// A number in the asked unit.
    Number(Printed),
}

impl Cell {
    #[cfg(test)]
    fn printed(self) -> Option<Printed> {
        match self {
            Self::Number(p) => Some(p),
            _ => None,
        }
    }
}

/// What suffixes mean in a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unit {
    /// `K M G T P` are powers of 1000.
    Count,
    /// `K M G T P` are powers of 1024; a number without suffix is this many bytes.
    Bytes(f64),
    /// `ns us ms s` to microseconds; a number without suffix is this many microseconds.
    Microseconds(f64),
}

/// Milliseconds, for [`Unit::Microseconds`].
pub(crate) const MS: f64 = 1_000.0;

const POWERS: [f64; 19] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18];

/// Reads a cell; see [`Unit`] for suffixes.
#[inline]
pub(crate) fn read(text: &str, unit: Unit, habits: Habits) -> Cell {
    let bytes = text.as_bytes();
    // Many numbers are small.
    if let ([digit @ b'0'..=b'9'], Unit::Count) = (bytes, unit) {
        let value = f64::from(digit - b'0');
        return Cell::Number(Printed { value, low: value, high: value });
    }
    let Some(last) = bytes.last() else { return Cell::Blank };
    if begins_a_word(text) {
        return Cell::Other;
    }
    // Most cells are plain numbers, cut clean, which no letter ends.
    if *last <= b'9'
        && let Some((digits, decimals)) = short_number(bytes, habits.decimal_comma)
    {
        return Cell::Number(plain(digits, decimals, unit));
    }
    read_other(text, unit, habits)
}

/// A cell that is a plain number, cut clean, as most are; `None` says nothing.
#[inline(always)]
pub(crate) fn plain_number(text: &str, unit: Unit, habits: Habits) -> Option<Printed> {
    let (digits, decimals) = short_number(text.as_bytes(), habits.decimal_comma)?;
    Some(plain(digits, decimals, unit))
}

/// A plain number in the asked unit.
#[inline(always)]
fn plain(digits: u32, decimals: usize, unit: Unit) -> Printed {
    let (factor, exact) = match unit {
        Unit::Count => (1.0, decimals == 0),
        Unit::Bytes(default) | Unit::Microseconds(default) => (default, false),
    };
    let value = f64::from(digits) * factor / POWERS[decimals];
    if exact {
        return Printed { value, low: value, high: value };
    }
    let half = 0.5 * factor / POWERS[decimals];
    Printed { value, low: (value - half).max(0.0), high: value + half }
}

/// The value of a cell that is a plain number, cut clean, as most are; `None` says nothing. Always inline, as
/// what it calls: a report holds thousands of them, and a call costs as much as a small number.
#[inline(always)]
pub(crate) fn plain_count(text: &str, habits: Habits) -> Option<f64> {
    match text.as_bytes() {
        [digit @ b'0'..=b'9'] => return Some(f64::from(digit - b'0')),
        // Names.
        [first, ..] if *first > b'9' => return None,
        _ => {}
    }
    let (digits, decimals) = short_number(text.as_bytes(), habits.decimal_comma)?;
    let value = f64::from(digits);
    Some(if decimals == 0 { value } else { value / POWERS[decimals] })
}

/// Is a cell a name at first sight? Nothing that is said of numbers begins with another letter than `N/A` and
/// `null` do.
#[inline]
pub(crate) fn begins_a_word(text: &str) -> bool {
    text.as_bytes().first().is_some_and(|first| BEGINS_A_WORD[usize::from(*first)])
}

/// Every letter but the first ones of `N/A` and `null`.
const BEGINS_A_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0_u8;
    while b < 128 {
        table[b as usize] = b.is_ascii_alphabetic() && !matches!(b, b'N' | b'n');
        b += 1;
    }
    table
};

/// A cell that is no plain number, or not cut clean.
#[inline(never)]
pub(crate) fn read_other(text: &str, unit: Unit, habits: Habits) -> Cell {
    // As half of all these cells are.
    if text == "N/A" {
        return Cell::Blank;
    }
    match text.as_bytes().last() {
        Some(b'0'..=b'9' | b'.' | b',') => {
            if let Some((digits, decimals)) = longer_number(text.as_bytes(), habits.decimal_comma) {
                return Cell::Number(plain(digits, decimals, unit));
            }
        }
        Some(b'A'..=b'Z' | b'a'..=b'z') => {
            if let Some(printed) = small_suffixed(text, unit, habits) {
                return Cell::Number(printed);
            }
        }
        _ => {}
    }
    let text = text.trim_ascii();
    if text.is_empty() {
        return Cell::Blank;
    }
    if begins_a_word(text) {
        return Cell::Other;
    }
    match read_odd(text, unit, habits) {
        Cell::Other => match without_group_marks(text) {
            Some(digits) => read_odd(&digits, unit, habits),
            None => Cell::Other,
        },
        known => known,
    }
}

/// A number of up to nine digits right before a suffix of one letter or two, as `12.5M` and `9.77ms`.
fn small_suffixed(text: &str, unit: Unit, habits: Habits) -> Option<Printed> {
    let behind = match text.as_bytes() {
        [.., b'0'..=b'9', last] if last.is_ascii_alphabetic() => 1,
        [.., b'0'..=b'9', a, b] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => 2,
        _ => return None,
    };
    let (number, suffix) = text.split_at(text.len() - behind);
    let (mantissa, decimals) = small_number(number.as_bytes(), habits.decimal_comma)?;
    let number = Decimal {
        mantissa: u64::from(mantissa),
        decimals: u8::try_from(decimals).ok()?,
        negative: false,
        dropped: 0,
        rounded: false,
    };
    in_unit(number, suffix, unit, habits)
}

/// A number whose thousands are parted by blanks that do not break or by apostrophes, as spreadsheets of some
/// countries write them, without these; `None` of all else.
pub(crate) fn without_group_marks(text: &str) -> Option<String> {
    // Hardly any text holds one, of which all but one are no ASCII.
    if text.is_ascii() && memchr::memchr(b'\'', text.as_bytes()).is_none() {
        return None;
    }
    let is_mark = |c: char| matches!(c, '\'' | '\u{2019}' | '\u{a0}' | '\u{2007}' | '\u{2009}' | '\u{202f}');
    let mark = text.chars().find(|c| is_mark(*c))?;
    let (sign, number) = text.strip_prefix('-').map_or(("", text), |number| ("-", number));
    let mut groups = number.split(mark);
    let first = groups.next().filter(|first| (1..=3).contains(&first.len()))?;
    let mut digits = format!("{sign}{first}");
    let mut whole = first.bytes().all(|b| b.is_ascii_digit());
    for group in groups {
        // Only behind the last one may more stand.
        let (three, behind) = group.split_at_checked(3)?;
        if !whole
            || !three.bytes().all(|b| b.is_ascii_digit())
            || behind.starts_with(|c: char| c.is_ascii_digit())
        {
            return None;
        }
        whole = behind.is_empty();
        digits.push_str(group);
    }
    Some(digits)
}

fn read_odd(text: &str, unit: Unit, habits: Habits) -> Cell {
    let Some((number, rest)) = split_number(text, habits.decimal_comma) else {
        let bytes = text.as_bytes();
        if bytes.iter().all(|b| *b == b'#') {
            return Cell::Overprinted;
        }
        return match text {
            "N/A" | "n/a" | "-" | "\u{a0}" | "null" | "(null)" => Cell::Blank,
            _ => Cell::Other,
        };
    };
    let rest = rest.trim_ascii();
    // `9.77ms` among decimal commas: where its mark parts no thousands, it can be the decimal point alone.
    let (number, rest) = match (unit, rest.as_bytes()) {
        (Unit::Microseconds(_), [b'.' | b',', b'0'..=b'9', ..]) => {
            let other =
                split_number(text, !habits.decimal_comma).map(|(number, rest)| (number, rest.trim_ascii()));
            other.filter(|(_, rest)| duration(rest).is_some()).unwrap_or((number, rest))
        }
        _ => (number, rest),
    };
    in_unit(number, rest, unit, habits).map_or(Cell::Other, Cell::Number)
}

/// A number with the suffix behind it, in the asked unit; `None` where the suffix is none of that unit.
fn in_unit(number: Decimal, rest: &str, unit: Unit, habits: Habits) -> Option<Printed> {
    let (factor, suffixed) = match (unit, rest) {
        (Unit::Count, "") => (1.0, false),
        (Unit::Bytes(default), "") => (default, false),
        (Unit::Microseconds(default), "") => (default, false),
        (Unit::Count, _) => (thousands(rest, 1000.0)?, true),
        (Unit::Bytes(_), _) => (thousands(rest, 1024.0)?, true),
        (Unit::Microseconds(_), _) => (duration(rest)?, false),
    };
    // `4.8E+08` may be anything from 475 to 485 million.
    let last_digit =
        POWERS[usize::from(number.dropped.min(18))] / POWERS[usize::from(number.decimals.min(18))];
    let half = 0.5 * factor * last_digit;
    let value = number.times(factor);
    let (low, high) = if suffixed && habits.suffix_cuts != Some(false) {
        // Either way, where it is unknown which.
        let low = if habits.suffix_cuts.is_none() { (value - half).max(0.0) } else { value };
        (low, value + 2.0 * half)
    } else if number.negative {
        (value - half, value + half)
    } else {
        // `0` can stand for anything below half a unit, never for less than nothing.
        ((value - half).max(0.0), value + half)
    };
    // A whole count without suffix is exact; a scaled or fractional one is rounded.
    let exact = matches!(unit, Unit::Count) && !suffixed && !number.rounded && number.decimals == 0;
    Some(if exact { Printed { value, low: value, high: value } } else { Printed { value, low, high } })
}

fn thousands(suffix: &str, base: f64) -> Option<f64> {
    Some(match suffix {
        "B" | "b" => 1.0,
        "K" | "k" | "KB" | "k " => base,
        "M" | "m" | "MB" => base * base,
        "G" | "g" | "GB" => base * base * base,
        "T" | "t" | "TB" => base.powi(4),
        "P" | "p" | "PB" => base.powi(5),
        _ => return None,
    })
}

fn duration(suffix: &str) -> Option<f64> {
    Some(match suffix {
        "ns" => 0.001,
        "us" | "\u{b5}s" => 1.0,
        "ms" => 1_000.0,
        "cs" => 10_000.0,
        "s" | "sec" => 1_000_000.0,
        "m" | "min" | "mi" => 60_000_000.0,
        "h" | "hr" => 3_600_000_000.0,
        _ => return None,
    })
}

/// From here on a mantissa takes no more digits.
const FULL: u64 = 100_000_000_000_000_000;

/// A decimal number before scaling.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decimal {
    mantissa: u64,
    decimals: u8,
    negative: bool,
    /// Digits dropped from the right because the mantissa was full, or that an exponent stands for.
    dropped: u8,
    /// Printed with an exponent, since all digits did not fit: what follows the last digit was rounded away.
    rounded: bool,
}

impl Decimal {
    pub(crate) fn value(self) -> f64 {
        self.times(1.0)
    }

    /// The value in another unit; `32.3K` is 32,300 to the last bit, as the factor comes first.
    pub(crate) fn times(self, factor: f64) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "printed numbers have at most 18 digits")]
        let v = self.mantissa as f64 * factor / POWERS[usize::from(self.decimals.min(18))]
            * POWERS[usize::from(self.dropped.min(18))];
        if self.negative { -v } else { v }
    }
}

/// Digits and decimals of a number of up to nine digits with nothing around it.
fn small_number(bytes: &[u8], decimal_comma: bool) -> Option<(u32, usize)> {
    short_number(bytes, decimal_comma).or_else(|| longer_number(bytes, decimal_comma))
}

/// The same of up to eight bytes with one mark at most, as most are; `None` of all others. It calls nothing, so that
/// those who ask need to save nothing.
#[inline(always)]
fn short_number(bytes: &[u8], decimal_comma: bool) -> Option<(u32, usize)> {
    let (group, point) = if decimal_comma { (b'.', b',') } else { (b',', b'.') };
    let length = bytes.len();
    // Half of all numbers: `.0`, `7.3`.
    match *bytes {
        [mark, b @ b'0'..=b'9'] if mark == point => return Some((u32::from(b - b'0'), 1)),
        [a @ b'0'..=b'9', mark, b @ b'0'..=b'9'] if mark == point => {
            return Some((10 * u32::from(a - b'0') + u32::from(b - b'0'), 1));
        }
        _ => {}
    }
    let word = up_to_eight(bytes)?;
    // All at once, the last byte on top, with zeros before the first.
    let mut digits = from_zero(word) << (64 - 8 * length);
    let marks = no_digits(digits);
    let mut decimals = 0;
    if marks != 0 {
        if marks & (marks - 1) != 0 {
            return None;
        }
        let behind = marks.leading_zeros() as usize / 8;
        let mark = *bytes.get(length - 1 - behind)?;
        if mark == point && length > 1 {
            decimals = behind;
        } else if mark != group || behind != 3 || length == 4 {
            return None;
        }
        // What stands before the mark moves up over it.
        let before = (1 << (56 - 8 * behind)) - 1;
        digits = digits & !before << 8 | (digits & before) << 8;
    }
    // Two, four and eight digits together.
    let twos = (digits * 10 + (digits >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (twos * 100 + (twos >> 16)) & 0x0000_FFFF_0000_FFFF;
    let eight = (fours * 10_000 + (fours >> 32)) & 0xFFFF_FFFF;
    Some((u32::try_from(eight).ok()?, decimals))
}

/// Digits become 0 to 9, all other bytes more.
fn from_zero(word: u64) -> u64 {
    word ^ (ONES * 0x30)
}

/// The high bit of every byte that is no digit, where digits are 0 to 9.
fn no_digits(from_zero: u64) -> u64 {
    // They stay below 128 with 118 more.
    let low = from_zero & (ONES * 0x7F);
    ((low + ONES * 118) | from_zero) & (ONES * 0x80)
}

/// A one in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// One to eight bytes, the first lowest, with zeros above them; `None` of none or more.
#[inline]
fn up_to_eight(bytes: &[u8]) -> Option<u64> {
    let length = bytes.len();
    if length > 8 {
        return None;
    }
    Some(match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (length - 4))
        }
        // Of one to three bytes the first, the middle and the last, some of which are the same.
        _ => {
            let byte = |at: usize| bytes.get(at).map(|b| u64::from(*b) << (8 * at));
            byte(0)? | byte(length / 2)? | byte(length - 1)?
        }
    })
}

/// The same for up to twelve bytes, with any number of marks.
fn longer_number(bytes: &[u8], decimal_comma: bool) -> Option<(u32, usize)> {
    let (group, point) = if decimal_comma { (b'.', b',') } else { (b',', b'.') };
    if bytes.len() > 12 {
        return None;
    }
    let mut number = 0_u64;
    let mut rest = bytes;
    while let [digit @ b'0'..=b'9', behind @ ..] = rest {
        number = number * 10 + u64::from(digit - b'0');
        rest = behind;
    }
    let mut digits = bytes.len() - rest.len();
    // A group has three digits, and stands behind others before the point.
    while let [mark, a @ b'0'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9', behind @ ..] = rest
        && *mark == group
        && digits > 0
    {
        let three = 100 * u64::from(a - b'0') + 10 * u64::from(b - b'0') + u64::from(c - b'0');
        number = number * 1_000 + three;
        digits += 3;
        rest = behind;
    }
    let mut decimals = 0;
    if let [mark, behind @ ..] = rest {
        if *mark != point {
            return None;
        }
        for b in behind {
            let digit = b.wrapping_sub(b'0');
            if digit > 9 {
                return None;
            }
            number = number * 10 + u64::from(digit);
        }
        decimals = behind.len();
    }
    if !(1..=9).contains(&(digits + decimals)) {
        return None;
    }
    Some((u32::try_from(number).ok()?, decimals))
}

/// Splits a leading number off; `None` where the text does not start with one.
pub(crate) fn split_number(text: &str, decimal_comma: bool) -> Option<(Decimal, &str)> {
    let bytes = text.as_bytes();
    let (group, point) = if decimal_comma { (b'.', b',') } else { (b',', b'.') };
    let negative = bytes.first() == Some(&b'-');
    let mut i = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let mut d = Decimal { mantissa: 0, decimals: 0, negative, dropped: 0, rounded: false };
    let mut digits = 0_u32;
    let digit_at = |at: usize| bytes.get(at).map(|b| b.wrapping_sub(b'0')).filter(|digit| *digit < 10);
    // Before the point. Digits that a full mantissa cannot take are dropped.
    loop {
        if let Some(digit) = digit_at(i) {
            digits += 1;
            if d.mantissa < FULL {
                d.mantissa = d.mantissa * 10 + u64::from(digit);
            } else {
                d.dropped = d.dropped.saturating_add(1);
            }
        } else if !(digits > 0
            && bytes.get(i) == Some(&group)
            && (i + 1..i + 4).all(|at| digit_at(at).is_some())
            && digit_at(i + 4).is_none())
        {
            // A group separator stands before exactly three digits.
            break;
        }
        i += 1;
    }
    if bytes.get(i) == Some(&point) {
        i += 1;
        while let Some(digit) = digit_at(i) {
            digits += 1;
            if d.mantissa < FULL {
                d.mantissa = d.mantissa * 10 + u64::from(digit);
                d.decimals = d.decimals.saturating_add(1);
            }
            i += 1;
        }
    }
    if digits == 0 {
        return None;
    }
    // `1.02E+09`: SQL*Plus prints wide numbers so.
    if matches!(bytes.get(i), Some(b'E' | b'e'))
        && let rest = &text[i + 1..]
        && let Some(end) = exponent_end(rest)
        && let Ok(exponent) = rest[..end].trim_start_matches('+').parse::<i32>()
        && exponent.abs() < 300
    {
        let digits_kept = f64::from(exponent) - f64::from(d.decimals);
        if (0.0..=18.0).contains(&digits_kept) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 18")]
            let dropped = digits_kept as u8;
            return Some((Decimal { decimals: 0, dropped, rounded: true, ..d }, &rest[end..]));
        }
        if (-18.0..0.0).contains(&digits_kept) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 18")]
            let decimals = -digits_kept as u8;
            return Some((Decimal { decimals, rounded: true, ..d }, &rest[end..]));
        }
        return None;
    }
    Some((d, &text[i..]))
}

/// Splits off a number that stands in a sentence, whose marks tell alone which of them is the decimal point: such
/// numbers have groups of three digits, between commas, points, apostrophes or blanks, and never three decimals.
/// `None` where it cannot be told.
pub(crate) fn split_spoken(text: &str) -> Option<(f64, &str)> {
    let run =
        |at: usize| text.get(at..).map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    let first = run(0);
    let mut plain = text.get(..first)?.to_owned();
    let mut at = first;
    let mut group: Option<char> = None;
    let mut pointed = false;
    while let Some(mark) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let digits = run(at + mark.len_utf8());
        let blank = matches!(mark, ' ' | '\u{a0}' | '\u{202f}' | '\u{2002}'..='\u{200a}');
        // No mark that is known, and it parts the number.
        if !blank && !mark.is_ascii() && mark != '\u{2019}' && digits > 0 {
            return None;
        }
        if !(blank || matches!(mark, '.' | ',' | '\'' | '\u{2019}')) || digits == 0 || blank && digits != 3 {
            break;
        }
        // Ends of sentences stand before nothing; a second point is none.
        let can_group = digits == 3 && (1..=3).contains(&first) && !plain.starts_with('0');
        if !pointed && can_group && group.is_none_or(|group| group == mark) {
            group = Some(mark);
        } else if !pointed && matches!(mark, '.' | ',') && group != Some(mark) && (digits != 3 || first == 0)
        {
            pointed = true;
            plain.push('.');
        } else if blank {
            break;
        } else {
            return None;
        }
        at += mark.len_utf8();
        plain.push_str(text.get(at..at + digits)?);
        at += digits;
    }
    let value = plain.parse::<f64>().ok().filter(|value| value.is_finite())?;
    Some((value, text.get(at..)?))
}

fn exponent_end(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let start = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let end = start + bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
    (end > start).then_some(end)
}

/// Could this be the cell of a number column: a number with at most a short suffix, `#`, blank or
/// `N/A`?
pub(crate) fn looks_numeric(text: &str) -> bool {
    let bytes = text.as_bytes();
    match bytes {
        [] => return true,
        [b'0'..=b'9' | b'.' | b',', ..] if is_short(bytes) => return true,
        // Whatever stands behind it.
        [b'0'..=b'9' | b'.' | b',' | b'-' | b'+' | b'#' | b'N', ..] => {}
        [b'!'..=b'~', ..] => return false,
        _ => {}
    }
    looks_numeric_else(text)
}

/// Is it up to eight digits with one mark at most, which are a number in either habit?
#[inline(always)]
fn is_short(bytes: &[u8]) -> bool {
    let Some(word) = up_to_eight(bytes) else { return false };
    let marks = no_digits(from_zero(word) << (64 - 8 * bytes.len()));
    if marks == 0 {
        return true;
    }
    let mark = bytes.get(bytes.len() - 1 - marks.leading_zeros() as usize / 8);
    marks & (marks - 1) == 0 && matches!(mark, Some(b'.' | b',')) && bytes.len() > 1
}

/// The same where the first look does not tell.
#[inline(never)]
fn looks_numeric_else(text: &str) -> bool {
    let length = text.len();
    let text = trimmed(text);
    let bytes = text.as_bytes();
    let Some(first) = bytes.first() else {
        return true;
    };
    if !matches!(first, b'0'..=b'9' | b'.' | b',' | b'-' | b'+') {
        // Nothing else begins a number.
        return text == "N/A" || bytes.iter().all(|b| *b == b'#');
    }
    if bytes.len() < length && is_short(bytes) {
        return true;
    }
    let signed = usize::from(matches!(first, b'-' | b'+'));
    let is_digit_or_mark = |b: &&u8| matches!(b, b'0'..=b'9' | b'.' | b',');
    let end = signed + bytes[signed..].iter().take_while(is_digit_or_mark).count();
    let is_number = |text: &str| {
        let comma = split_number(text, true).is_some_and(|(_, r)| short_suffix(r));
        comma || split_number(text, false).is_some_and(|(_, r)| short_suffix(r))
    };
    match bytes.get(end) {
        None => is_grouped(bytes) || is_number(text),
        Some(b'E' | b'e') => is_number(text),
        // Only where this parts the thousands of a number, it goes on behind.
        Some(b'\'' | 0x80..) => {
            is_number(text) || without_group_marks(text).is_some_and(|digits| is_number(&digits))
        }
        // Behind a number that ends before stands more than a suffix.
        Some(_) => short_suffix(&text[end..]) && (is_short_number(&bytes[signed..end]) || is_number(text)),
    }
}

/// Are digits and marks some digits with one mark at most, which are a number in either habit?
fn is_short_number(bytes: &[u8]) -> bool {
    let digits = bytes.iter().filter(|b| b.is_ascii_digit()).count();
    digits > 0 && digits + 1 >= bytes.len()
}

/// Is it digits with one mark at most, or in groups of three with decimals behind, as `1,234,567.8`?
fn is_grouped(bytes: &[u8]) -> bool {
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let (mut at, mut groups) = (digits(0), 0);
    let first = at;
    while at < bytes.len() {
        let run = digits(at + 1);
        let last = at + 1 + run == bytes.len();
        match bytes[at] {
            b',' if run == 3 && first > 0 => groups += 1,
            b'.' if last => return first + run > 0,
            b',' if last && groups == 0 => return first + run > 0,
            _ => return false,
        }
        at += 1 + run;
    }
    first > 0
}

/// The text without blanks around it, which most texts do not have.
pub(crate) fn trimmed(text: &str) -> &str {
    match text.as_bytes() {
        [b'!'..=b'~'] | [b'!'..=b'~', .., b'!'..=b'~'] => text,
        _ => text.trim(),
    }
}

fn short_suffix(rest: &str) -> bool {
    let rest = trimmed(rest);
    rest.len() <= 2 && rest.bytes().all(|b| b.is_ascii_alphabetic() || b == b'%')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn value(text: &str, unit: Unit) -> f64 {
        read(text, unit, Habits::default()).printed().unwrap().value
    }

    #[test]
    fn suffixes_use_the_base_of_their_column() {
        assert_eq!(value("1,234.5K", Unit::Count), 1_234_500.0);
        assert_eq!(value("12,384M", Unit::Bytes(1.0)), 12_384.0 * 1_048_576.0);
        assert_eq!(value(".801M", Unit::Bytes(1.0)), 0.801 * 1_048_576.0);
        assert_eq!(value("0M", Unit::Bytes(1.0)), 0.0);
        assert_eq!(value("109.72us", Unit::Microseconds(MS)), 109.72);
        assert_eq!(value(".00ns", Unit::Microseconds(MS)), 0.0);
        assert_eq!(value("10.35 s", Unit::Microseconds(MS)), 10_350_000.0);
        assert_eq!(value("1000.11ms", Unit::Microseconds(MS)), 1_000_110.0);
        assert_eq!(value("4.0", Unit::Microseconds(MS)), 4_000.0);
        assert_eq!(value("32.3K", Unit::Count), 32_300.0);
        assert_eq!(value(".5", Unit::Count), 0.5);
    }

    #[test]
    fn blanks_overflows_and_words_are_not_numbers() {
        for blank in ["", "  ", "N/A", "\u{a0}"] {
            assert_eq!(read(blank, Unit::Count, Habits::default()), Cell::Blank);
        }
        assert_eq!(read("######", Unit::Count, Habits::default()), Cell::Overprinted);
        assert_eq!(read("SYSTEM", Unit::Count, Habits::default()), Cell::Other);
        assert_eq!(read("12xyz", Unit::Count, Habits::default()), Cell::Other);
    }

    #[test]
    fn bounds_follow_the_last_digit() {
        let p = |t, h| read(t, Unit::Count, h).printed().unwrap();
        let rounds = Habits { decimal_comma: false, suffix_cuts: Some(false) };
        let cuts = Habits { suffix_cuts: Some(true), ..rounds };
        assert_eq!(p("13K", cuts), Printed { value: 13_000.0, low: 13_000.0, high: 14_000.0 });
        let either = Habits { suffix_cuts: None, ..rounds };
        assert_eq!(p("13K", either), Printed { value: 13_000.0, low: 12_500.0, high: 14_000.0 });
        let rounded = p("13.9K", rounds);
        assert!((rounded.low - 13_850.0).abs() < 1e-6 && (rounded.high - 13_950.0).abs() < 1e-6);
        assert_eq!(p("314,903", rounds).low, 314_903.0);
        assert_eq!(p("0.0", rounds), Printed { value: 0.0, low: 0.0, high: 0.05 });
    }

    /// Digit by digit, as one would write it down.
    fn split_plainly(text: &str, decimal_comma: bool) -> Option<(u64, u8, u8, &str)> {
        let bytes = text.as_bytes();
        let (group, point) = if decimal_comma { (b'.', b',') } else { (b',', b'.') };
        let (mut mantissa, mut decimals, mut dropped, mut digits, mut fraction) = (0, 0, 0, 0, false);
        let mut i = usize::from(text.starts_with(['-', '+']));
        while let Some(b) = bytes.get(i) {
            let three = bytes.get(i + 1..i + 4).is_some_and(|g| g.iter().all(u8::is_ascii_digit));
            if b.is_ascii_digit() {
                digits += 1;
                if mantissa < FULL {
                    mantissa = mantissa * 10 + u64::from(b - b'0');
                    decimals += u8::from(fraction);
                } else if !fraction {
                    dropped += 1;
                }
            } else if *b == point && !fraction {
                fraction = true;
            } else if !(*b == group
                && !fraction
                && digits > 0
                && three
                && !bytes.get(i + 4).is_some_and(u8::is_ascii_digit))
            {
                break;
            }
            i += 1;
        }
        (digits > 0).then(|| (mantissa, decimals, dropped, &text[i..]))
    }

    proptest::proptest! {
        #[test]
        fn numbers_split_as_digit_by_digit(
            text in "[-+]?[0-9]{0,4}([.,][0-9]{1,4}){0,6}[0-9]{0,20}[.,]?[0-9]{0,3} ?[KM%s.,]{0,3}",
            comma in proptest::bool::ANY,
        ) {
            let split = split_number(&text, comma).map(|(d, rest)| (d.mantissa, d.decimals, d.dropped, rest));
            proptest::prop_assert_eq!(split, split_plainly(&text, comma));
            if let Some((digits, decimals)) = small_number(text.as_bytes(), comma) {
                let plain = split_plainly(&text, comma).map(|(m, d, _, rest)| (m, usize::from(d), rest));
                proptest::prop_assert_eq!(plain, Some((u64::from(digits), decimals, "")));
            }
            let short = |comma| split_plainly(&text, comma).is_some_and(|s| short_suffix(s.3));
            let numeric = text.trim().is_empty() || short(true) || short(false);
            proptest::prop_assert_eq!(looks_numeric(&text), numeric);
        }
    }

    #[test]
    fn decimal_commas() {
        let h = Habits { decimal_comma: true, suffix_cuts: Some(false) };
        assert_eq!(read("1.234,5", Unit::Count, h).printed().unwrap().value, 1_234.5);
        assert_eq!(read(",05", Unit::Count, h).printed().unwrap().value, 0.05);
        assert_eq!(read("12.345.678", Unit::Count, h).printed().unwrap().value, 12_345_678.0);
    }

    /// Averages that carry a unit were unknown where they had the other decimal mark.
    #[test]
    fn a_unit_behind_the_other_decimal_mark_lost_the_average() {
        let of = |text, decimal_comma| {
            read(text, Unit::Microseconds(MS), Habits { decimal_comma, suffix_cuts: None })
                .printed()
                .map(|p| p.value)
        };
        assert_eq!(of("9.77ms", true), Some(9_770.0));
        assert_eq!(of("9,77ms", true), Some(9_770.0));
        assert_eq!(of("197,29us", false), Some(197.29));
        assert_eq!(of("1,234ms", false), Some(1_234_000.0), "three digits are a group");
        assert_eq!(of("1,2,3ms", false), None);
        assert_eq!(of("9,7", false), None, "without a unit it may be anything");
    }

    #[test]
    fn wide_numbers_in_scientific_notation() {
        assert_eq!(value("1.02E+09", Unit::Count), 1_020_000_000.0);
        assert_eq!(value("5.1E-02", Unit::Count), 0.051);
    }

    /// 480 million waits, rounded to two digits, were taken for exactly as many.
    #[test]
    fn an_exponent_leaves_the_bounds_of_its_digits() {
        let bounds = |text, unit| {
            let p = read(text, unit, Habits::default()).printed().unwrap();
            (p.low, p.value, p.high)
        };
        assert_eq!(bounds("4.8E+08", Unit::Count), (475e6, 480e6, 485e6));
        assert_eq!(bounds("5E+05", Unit::Count), (450e3, 500e3, 550e3));
        assert_eq!(bounds("1.234E+03", Unit::Count), (1_233.5, 1_234.0, 1_234.5));
        assert_eq!(bounds("7.1E+04", Unit::Microseconds(MS)), (70_500e3, 71_000e3, 71_500e3));
        assert_eq!(bounds("1234567890123456789", Unit::Count).0, 1_234_567_890_123_456_789.0);
    }
}
