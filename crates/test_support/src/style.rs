//! Which release's habits a report is printed in.

use spindle_facts::Layout;

/// A release whose layout differs from its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are the releases")]
pub enum Release {
    V8_1,
    V9_2,
    V10_1,
    V10_2,
    V11_1,
    V11_2_0_3,
    V11_2_0_4,
    V12_1,
    V12_2,
    V18,
    V19,
    V21,
    V23,
}

impl Release {
    /// Every release, oldest first.
    pub const ALL: [Self; 13] = [
        Self::V8_1,
        Self::V9_2,
        Self::V10_1,
        Self::V10_2,
        Self::V11_1,
        Self::V11_2_0_3,
        Self::V11_2_0_4,
        Self::V12_1,
        Self::V12_2,
        Self::V18,
        Self::V19,
        Self::V21,
        Self::V23,
    ];

    /// Release number as the header prints it.
    #[must_use]
    pub fn number(self) -> &'static str {
        match self {
            Self::V8_1 => "8.1.7.4.0",
            Self::V9_2 => "9.2.0.8.0",
            Self::V10_1 => "10.1.0.5.0",
            Self::V10_2 => "10.2.0.4.0",
            Self::V11_1 => "11.1.0.7.0",
            Self::V11_2_0_3 => "11.2.0.3.0",
            Self::V11_2_0_4 => "11.2.0.4.0",
            Self::V12_1 => "12.1.0.2.0",
            Self::V12_2 => "12.2.0.1.0",
            Self::V18 => "18.0.0.0.0",
            Self::V19 => "19.0.0.0.0",
            Self::V21 => "21.0.0.0.0",
            Self::V23 => "23.0.0.0.0",
        }
    }

    /// Average waits carry their unit (`1.02ms`) instead of being numbers of milliseconds.
    pub(crate) fn times_carry_units(self) -> bool {
        self >= Self::V12_2
    }
}

/// How a report is printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Release whose titles, columns and units are used.
    pub release: Release,
    /// Text or HTML.
    pub layout: Layout,
    /// Lines after which a text section starts a new page, repeating its title and headings.
    pub page_lines: usize,
    /// Decimal comma, points between thousands.
    pub decimal_comma: bool,
    /// Month names, January first.
    pub months: [&'static str; 12],
    /// Numbers that are too wide print as `####` instead of being cut.
    pub hashes: bool,
    /// Cursors per session, printed beside the snapshots.
    pub cursors_per_session: f64,
    /// Statspack up to 10.1 says that the instance restarted between the snapshots, and prints neither
    /// them nor any length of time. (AWR refuses to print such a report.)
    pub spans_restart: bool,
}

/// Month abbreviations of English reports.
pub const ENGLISH_MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Month abbreviations of the languages that reports come in, as Oracle writes them.
pub const MONTHS: [(&str, [&str; 12]); 6] = [
    ("German", ["Jan", "Feb", "Mrz", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"]),
    (
        "French",
        ["Janv.", "Févr.", "Mars", "Avr.", "Mai", "Juin", "Juil.", "Août", "Sept.", "Oct.", "Nov.", "Déc."],
    ),
    ("Spanish", ["Ene", "Feb", "Mar", "Abr", "May", "Jun", "Jul", "Ago", "Sep", "Oct", "Nov", "Dic"]),
    ("Portuguese", ["Jan", "Fev", "Mar", "Abr", "Mai", "Jun", "Jul", "Ago", "Set", "Out", "Nov", "Dez"]),
    ("Italian", ["Gen", "Feb", "Mar", "Apr", "Mag", "Giu", "Lug", "Ago", "Set", "Ott", "Nov", "Dic"]),
    ("Russian", ["Янв", "Фев", "Мар", "Апр", "Май", "Июн", "Июл", "Авг", "Сен", "Окт", "Ноя", "Дек"]),
];

impl Style {
    /// A report as Oracle prints it by default.
    #[must_use]
    pub fn new(release: Release, layout: Layout) -> Self {
        Self {
            release,
            layout,
            page_lines: 64,
            decimal_comma: false,
            months: ENGLISH_MONTHS,
            hashes: false,
            cursors_per_session: 1.8,
            spans_restart: false,
        }
    }

    /// `2013-05-14T10:00:08` as `14-May-13 10:00:08`.
    pub(crate) fn date(&self, iso: &str) -> String {
        let field = |range: std::ops::Range<usize>| iso.get(range).unwrap_or("").to_owned();
        let month: usize = field(5..7).parse().unwrap_or(1);
        format!(
            "{}-{}-{} {}",
            field(8..10),
            self.months[(month.clamp(1, 12)) - 1],
            field(2..4),
            iso.get(11..).unwrap_or("")
        )
    }
}
