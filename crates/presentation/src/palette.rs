//! One colour a wait class, the same in every chart, on the page and in the terminal.
//!
//! The hues are those of Okabe and Ito and of Tol, which people with the common kinds of colour
//! blindness can tell apart; what is next to what is also told by a gap, a letter and a name.

/// How a class is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hue {
    /// CSS class; the style sheet holds the colour for light and dark.
    pub css: &'static str,
    /// Letter that fills the bar in the terminal.
    pub letter: char,
    /// Colour of the 256 that terminals have.
    pub ansi: u8,
}

/// What is not explained: no class, so no hue.
pub const UNEXPLAINED: Hue = Hue { css: "k-un", letter: '.', ansi: 245 };
/// CPU.
pub const CPU: Hue = Hue { css: "k-cpu", letter: '#', ansi: 36 };

/// Hue of a wait class, or of `DB CPU`.
#[must_use]
pub fn of(wait_class: &str) -> Hue {
    match wait_class {
        "DB CPU" | "CPU" => CPU,
        "User I/O" => Hue { css: "k-uio", letter: 'U', ansi: 32 },
        "System I/O" => Hue { css: "k-sio", letter: 'S', ansi: 117 },
        "Commit" => Hue { css: "k-com", letter: 'M', ansi: 214 },
        "Concurrency" => Hue { css: "k-con", letter: 'C', ansi: 166 },
        "Application" => Hue { css: "k-app", letter: 'A', ansi: 175 },
        "Configuration" => Hue { css: "k-cfg", letter: 'F', ansi: 185 },
        "Cluster" => Hue { css: "k-clu", letter: 'R', ansi: 61 },
        "Network" => Hue { css: "k-net", letter: 'N', ansi: 100 },
        "Administrative" => Hue { css: "k-adm", letter: 'D', ansi: 89 },
        "Scheduler" => Hue { css: "k-sch", letter: 'H', ansi: 73 },
        "Queueing" => Hue { css: "k-que", letter: 'Q', ansi: 137 },
        "Unknown" => Hue { css: "k-oth", letter: '?', ansi: 102 },
        _ => Hue { css: "k-oth", letter: 'O', ansi: 102 },
    }
}
