//! `spindle collect`: prints the SQL*Plus scripts that gather what reports leave out.
//!
//! A script is one text: settings, header, sections, last line (`frame`). A section is a query, kept
//! in `sql/`, whose rows become tagged lines (`section`); `catalogue` lists which sections answer
//! which question under which licence. `reports` is another kind of script: it writes the reports
//! themselves. The format of what the scripts write is `docs/collected-files.md`.
//!
//! The scripts only read. Nothing here talks to a database.

mod catalogue;
mod frame;
mod order;
mod reports;
mod section;
#[cfg(test)]
mod tests;

pub use order::{CollectDocument, Licence, Order, Refused, Release, What};

/// The script for an order.
///
/// # Errors
/// Says why no script can be given, and which can.
pub fn collect_script(order: &Order) -> Result<String, Refused> {
    order.check()?;
    match order.what {
        What::Reports => reports::script(order),
        _ => Ok(frame::script(order, &catalogue::sections(order))),
    }
}
