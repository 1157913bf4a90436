//! Words and numbers in sentences, as the diagnosis writes them.

pub(crate) use spindle_diagnosis::words::*;

use crate::plan::Component;

/// What a DBA calls a kind of wait.
pub(crate) fn component(component: Component) -> &'static str {
    match component {
        Component::SingleBlockRead => "single-block reads",
        Component::MultiBlockRead => "multi-block reads",
        Component::DirectRead => "direct-path reads",
        Component::TempRead => "reads of temp",
        Component::TempWrite => "writes to temp",
        Component::DirectWrite => "direct-path writes",
        Component::Commit => "commits",
        Component::LogSpace => "waits for room in the redo log",
        Component::DatabaseWriter => "waits for the database writer",
        Component::ControlFile => "control file I/O",
        Component::ReadByOther => "waits for another session's read",
    }
}
