//! What can be written in a file, and what is kept at hand for it: keys table by table, devices with their figures.

use super::Look;
use super::wrap::{fit, wrap};
use crate::escape::terminal as safe;
use spindle_workload::{ListedModel, ListedTable};

/// Columns of a key, and of its value.
const KEY: usize = 20;
const VALUE: usize = 22;

/// Tables with their keys, as lines that end with a line feed: each key with whether it has to be there, what may stand there, and
/// what it means.
#[must_use]
pub fn keys(tables: &[ListedTable], look: Look) -> String {
    let columns = look.columns();
    let mut lines: Vec<String> = Vec::new();
    for (n, table) in tables.iter().enumerate() {
        if n > 0 {
            lines.push(String::new());
        }
        lines.extend(wrap(&safe(&table.heading), columns).iter().map(|l| look.bold(l)));
        if let Some(note) = &table.note {
            lines.extend(wrap(&safe(note), columns).iter().map(|l| look.dim(l)));
        }
        for key in &table.keys {
            let text = format!("{} ({}; {}): {}", key.name, key.needed, key.takes, key.means);
            let wrapped = wrap(&safe(&text), columns - 4);
            lines.extend(
                wrapped.iter().enumerate().map(|(n, l)| format!("{}{l}", if n == 0 { "  " } else { "    " })),
            );
        }
    }
    joined(lines)
}

/// Devices with their figures, as lines that end with a line feed: of several a line each, of one every figure with its origin.
#[must_use]
pub fn models(models: &[ListedModel], look: Look) -> String {
    let columns = look.columns();
    let mut lines: Vec<String> = Vec::new();
    for (n, model) in models.iter().enumerate() {
        if n > 0 {
            lines.push(String::new());
        }
        let head = format!("{} ({})", model.name, model.kind);
        lines.extend(wrap(&safe(&head), columns).iter().map(|l| look.bold(l)));
        lines.extend(wrap(&safe(&model.about), columns).iter().map(|l| look.dim(l)));
        for (key, value, origin) in &model.figures {
            let room = columns.saturating_sub(2 + KEY + VALUE).max(10);
            let origin = wrap(&safe(origin), room);
            for (n, part) in origin.iter().enumerate() {
                let (key, value) = if n == 0 { (safe(key), safe(value)) } else { Default::default() };
                lines.push(format!("  {}{}{part}", fit(&key, KEY), fit(&value, VALUE)));
            }
        }
    }
    joined(lines)
}

fn joined(lines: Vec<String>) -> String {
    let mut out = String::new();
    for line in lines {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use spindle_workload::{ListedKey, Needed};

    #[test]
    fn a_key_is_told_with_its_bounds_and_nothing_is_wider_than_the_screen() {
        let key = ListedKey {
            name: "rpm".to_owned(),
            needed: Needed::Always,
            takes: "1,000 rpm to 100,000 rpm".to_owned(),
            means: "turns a minute, such as rpm = \"7200 rpm\"".to_owned(),
        };
        let table = ListedTable {
            heading: "[device.NAME]".to_owned(),
            note: None,
            called: "a disk".to_owned(),
            words: Vec::new(),
            keys: vec![key],
        };
        let text = keys(&[table], Look { width: 40, colour: false });
        assert!(
            text.starts_with("[device.NAME]\n  rpm (required; 1,000 rpm to 100,000\n    rpm): "),
            "{text}"
        );
        assert!(text.lines().all(|l| l.len() <= 40), "{text}");
    }

    #[test]
    fn a_figure_has_its_origin_beside_it() {
        let model = ListedModel {
            name: "d".to_owned(),
            kind: "hard_disk".to_owned(),
            about: "a disk".to_owned(),
            figures: vec![("rpm".to_owned(), "7200 rpm".to_owned(), "data sheet".to_owned())],
        };
        let text = models(&[model], Look { width: 80, colour: false });
        let line = text.lines().last().unwrap_or_default();
        assert_eq!(line.split_whitespace().collect::<Vec<_>>(), ["rpm", "7200", "rpm", "data", "sheet"]);
    }
}
