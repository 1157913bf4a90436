//! Characters in names that act instead of being shown.

/// Controls, characters that reverse the direction of writing (they make `drop` read as `pord`), those
/// without any width, and those that end a line. Source: Unicode, categories Cc, Zl, Zp and the
/// `Bidi_Control` property; of Cf what has no use in names.
#[must_use]
pub fn acts(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}
