//! Printed times, in whatever language, to ISO 8601 without zone.

use jiff::civil::DateTime;

/// Month abbreviations and names by number, as NLS prints them; folded, without dots.
const MONTHS: [&[&str]; 12] = [
    &[
        "jan", "januar", "january", "janv", "janvier", "ene", "enero", "gen", "gennaio", "янв", "oca", "sty",
        "led", "1月",
    ],
    &[
        "feb", "februar", "february", "fev", "fév", "févr", "février", "fevr", "fevrier", "febrero",
        "febbraio", "фев", "şub", "sub", "lut", "úno", "uno", "2月",
    ],
    &["mar", "mrz", "mär", "märz", "maerz", "march", "mars", "marzo", "marco", "mrt", "maart", "мар", "3月"],
    &["apr", "april", "avr", "avril", "abr", "abril", "aprile", "апр", "nis", "kwi", "dub", "4月"],
    &["may", "mai", "mayo", "maj", "mag", "maggio", "maio", "mei", "май", "kve", "5月"],
    &["jun", "juni", "june", "juin", "junio", "giu", "giugno", "junho", "июн", "haz", "cze", "6月"],
    &[
        "jul", "juli", "july", "juil", "juillet", "julio", "lug", "luglio", "julho", "июл", "tem", "lip",
        "7月",
    ],
    &[
        "aug", "august", "aou", "aout", "ago", "agosto", "août", "aoû", "авг", "ağu", "agu", "sie", "srp",
        "8月",
    ],
    &[
        "sep",
        "sept",
        "september",
        "septembre",
        "septiembre",
        "set",
        "settembre",
        "сен",
        "eyl",
        "wrz",
        "zář",
        "9月",
    ],
    &[
        "oct", "okt", "october", "oktober", "octobre", "octubre", "ott", "ottobre", "out", "окт", "eki",
        "paz", "10月",
    ],
    &["nov", "november", "novembre", "noviembre", "ноя", "kas", "lis", "11月"],
    &[
        "dec",
        "dez",
        "december",
        "dezember",
        "decembre",
        "déc",
        "décembre",
        "dic",
        "diciembre",
        "dicembre",
        "дек",
        "ara",
        "gru",
        "12月",
    ],
];

/// A printed date and time; `None` where it is none.
///
/// Understands `13-Mar-18 17:03:33`, `13-Mär -18 17:03`, `2018-03-13 17:03:33`, `13.03.18 17:03`,
/// `23-Apr-14 18:30:05 (Wed)`, with seconds, fractions and AM/PM or without. Of numbers between slashes or
/// dashes some countries write the day first, some the month: `02/12/14` is no date that is known.
pub(crate) fn parse(text: &str) -> Option<DateTime> {
    let mut words = text.split_whitespace().filter(|w| !w.starts_with('('));
    let mut date = words.next()?.to_owned();
    let mut time = words.next();
    // Some languages pad the month: `13-Mai -18`.
    while let Some(word) = time
        && !word.contains(':')
        && date.len() < 14
    {
        date.push_str(word);
        time = words.next();
    }
    let parts: Vec<&str> = date.split(['-', '/', '.', ' ']).filter(|p| !p.is_empty()).collect();
    let [first, second, third] = parts.as_slice() else {
        return None;
    };
    let (day, month, year) = if first.len() == 4 && first.bytes().all(|b| b.is_ascii_digit()) {
        (third.parse().ok()?, month(second)?, first.parse().ok()?)
    } else {
        let year: i16 = third.parse().ok()?;
        let (day, month) = match (first.parse::<i8>(), second.parse::<i8>()) {
            // `23-02-04` may begin with the year.
            (Ok(first), Ok(_)) if first > 12 && third.len() == 2 && !date.contains('.') => return None,
            (Ok(first), Ok(second)) if !date.contains('.') => day_and_month(first, second)?,
            (day, _) => (day.ok()?, month(second)?),
        };
        (day, month, if year < 100 { century(year) } else { year })
    };
    let (mut hour, mut minute, mut second) = (0_i8, 0_i8, 0_i8);
    if let Some(time) = time {
        let mut clock = time.split([':', '.']);
        hour = clock.next()?.parse().ok()?;
        minute = clock.next()?.parse().ok()?;
        second = clock.next().and_then(|s| s.parse().ok()).unwrap_or(0);
        match words.next().map(str::to_ascii_uppercase).as_deref() {
            Some("PM") if hour < 12 => hour += 12,
            Some("AM") if hour == 12 => hour = 0,
            _ => {}
        }
    }
    // No database was reported on in another century: words that are no date came together.
    if !(1970..2100).contains(&year) {
        return None;
    }
    DateTime::new(year, month, day, hour, minute, second, 0).ok()
}

/// Which of two numbers is the day, and which the month, where one alone can be.
fn day_and_month(first: i8, second: i8) -> Option<(i8, i8)> {
    match (first > 12, second > 12) {
        (false, true) => Some((second, first)),
        (true, false) => Some((first, second)),
        _ => (first == second).then_some((first, second)),
    }
}

/// Is it a date of three numbers of which it cannot be told which is what?
pub(crate) fn is_uncertain(word: &str) -> bool {
    let numbers = word.split(['-', '/']);
    let short = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    let year = |part: &str| short(part) || part.len() == 4 && part.bytes().all(|b| b.is_ascii_digit());
    let mut parts = numbers.clone();
    numbers.count() == 3
        && parts.by_ref().take(2).all(short)
        && parts.next().is_some_and(year)
        && parse(word).is_none()
}

/// Oracle's `RR`: 00-49 is this century, 50-99 the last.
fn century(year: i16) -> i16 {
    if year < 50 { 2000 + year } else { 1900 + year }
}

fn month(text: &str) -> Option<i8> {
    if let Ok(number) = text.parse::<i8>() {
        return (1..=12).contains(&number).then_some(number);
    }
    let lower = text.trim_matches('.').to_lowercase();
    let plain = |c: char| match c {
        'é' => 'e',
        'û' => 'u',
        c => c,
    };
    let folded = (!lower.is_ascii()).then(|| lower.chars().map(plain).collect::<String>());
    let is_it = |name: &&str| *name == lower || folded.as_deref() == Some(*name);
    let index = MONTHS.iter().position(|names| names.iter().any(is_it))?;
    i8::try_from(index + 1).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{is_uncertain, parse};

    #[test]
    fn a_date_of_february_was_taken_for_one_of_december() {
        for text in ["02/12/14 22:12:30", "02-12-2014 22:12", "13/14/14 10:00", "23-02-04 10:00"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert!(is_uncertain("02/12/14") && is_uncertain("2/4/2023") && is_uncertain("23-02-04"));
        assert!(!is_uncertain("02-Dec-14") && !is_uncertain("2023-02-04") && !is_uncertain("02/13/2014"));
        for text in ["13/02/2014 22:12", "02/13/14 22:12", "13.02.14 22:12", "13-02-2014 22:12"] {
            assert_eq!(parse(text).unwrap().to_string(), "2014-02-13T22:12:00", "{text}");
        }
        assert_eq!(parse("02/02/14 22:12").unwrap().to_string(), "2014-02-02T22:12:00");
        assert_eq!(parse("02.12.14 22:12").unwrap().to_string(), "2014-12-02T22:12:00");
    }

    #[test]
    fn printed_times_in_many_languages() {
        for text in [
            "13-Mar-18 17:03:33",
            "13-Mär-18 17:03:33",
            "13-Mrz -18 17:03:33",
            "13-mars-18 17:03:33",
            "2018-03-13 17:03:33",
            "13.03.2018 17:03:33",
            "13-МАР-18 17:03:33",
            "13-Mar-18 17:03:33 (Tue)",
            "13-Mar-18 05:03:33 PM",
        ] {
            assert_eq!(parse(text).unwrap().to_string(), "2018-03-13T17:03:33", "{text}");
        }
        assert_eq!(parse("13-Mar-18 17:03").unwrap().to_string(), "2018-03-13T17:03:00");
        for text in ["", "n/a", "12 of 13", "99-Mar-18 17:03", "13-Foo-18 10:00"] {
            assert!(parse(text).is_none(), "{text}");
        }
    }
}
