//! The same answer in a terminal: one screen, plain characters, colour only where asked for.

mod compare;
mod compare_results;
mod listed;
mod measure;
mod named;
mod place;
mod series;
mod simulate;
mod size;
mod summary;
mod tables;
mod trend;
mod wrap;

pub use compare::compare;
pub use compare_results::compare_results;
pub use listed::{keys, models};
pub use measure::measure;
pub use place::{place, profiles};
pub use series::{line_per_report, series_summary};
pub use simulate::simulate;
pub use size::size;
pub use summary::summary;
pub use tables::{facts_tables, sections};
pub use trend::trend;

/// How the terminal looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Columns; below 40 is taken as 40.
    pub width: usize,
    /// May colour be used? (Not when piped.)
    pub colour: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { width: 80, colour: false }
    }
}

impl Look {
    /// Columns that lines are laid out for.
    fn columns(self) -> usize {
        self.width.clamp(40, 160)
    }

    /// Text in an ANSI style, or as it is.
    fn styled(self, style: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn bold(self, text: &str) -> String {
        self.styled("1", text)
    }

    fn dim(self, text: &str) -> String {
        self.styled("2", text)
    }
}
