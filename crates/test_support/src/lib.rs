//! Prints facts as the reports that Oracle would print: any release, text or HTML.
//!
//! [`render`] is the inverse of reading: with it, `facts -> report -> facts` is a property test,
//! and the complete reports in `examples/` are made of facts ([`cases`]) instead of by hand.
//! Nothing here reads a report.

mod block;
mod carriers;
pub mod cases;
mod collected;
mod compare;
mod compare_period;
mod compare_periods_read;
mod corpus;
mod custom;
pub mod generate;
mod history_spool;
mod html;
mod miner;
mod numbers;
mod page;
mod rac_compare;
mod rac_global;
mod rac_late;
mod sections;
mod sqlplus;
mod style;
mod temporary;
mod unprinted;

pub use carriers::{Carrier, shop_hours};
pub use collected::{Cell, SpoolSection, render_collected, render_collected_part, render_spool};
pub use compare::{Table, differences};
pub use compare_period::{headings_compared, render_compared};
pub use compare_periods_read::compared_differences;
pub use corpus::{corpus, skipped, validation};
pub use custom::Custom;
pub use page::{Headings, headings, render, render_customised};
pub use rac_compare::rac_differences;
pub use rac_global::{headings_rac, render_rac};
pub use sections::histogram::histogram_bounds_us;
pub use sqlplus::{MoveScript, check_move_script};
pub use style::{ENGLISH_MONTHS, MONTHS, Release, Style};
pub use temporary::{roomy_folder, temporary_folder};
