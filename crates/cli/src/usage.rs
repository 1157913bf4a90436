//! What is said of a command line that cannot be understood, where the parser's own words would lead astray.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// Of a value below zero the parser says that no option is called so, and how to make a file name of it.
pub(crate) fn below_zero(error: &Error, words: &[String]) -> Option<String> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else { return None };
    let is_number =
        |word: &str| word.starts_with('-') && word[1..].starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let (option, value) = words.windows(2).find_map(|pair| {
        let [option, value] = pair else { return None };
        let meant = is_number(value) && value.starts_with(unknown.as_str());
        (option.starts_with("--") && !option.contains('=') && meant).then_some((option, value))
    })?;
    Some(format!(
        "nothing was done: `{option} {value}` is below zero, and this takes no such value; give one that is not"
    ))
}

#[cfg(test)]
mod tests {
    use super::below_zero;
    use clap::{Arg, Command};

    fn said(words: &[&str]) -> Option<String> {
        let command = Command::new("x").arg(Arg::new("count").long("count")).arg(Arg::new("file"));
        let error = command.try_get_matches_from(words).err()?;
        let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        below_zero(&error, &words)
    }

    #[test]
    fn a_count_below_zero_was_to_be_written_as_a_file_name() {
        for value in ["-5", "-1s", "-.5", "-8K"] {
            let why = said(&["x", "f", "--count", value]);
            assert!(why.is_some_and(|w| w.contains(&format!("`--count {value}` is below zero"))), "{value}");
        }
        assert_eq!(
            (said(&["x", "--count", "-x"]), said(&["x", "--none"]), said(&["x", "-5"])),
            (None, None, None)
        );
    }
}
