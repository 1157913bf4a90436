//! Text that comes from outside, made harmless for where it is shown.
//!
//! A report holds SQL, module and file names that others wrote: `<script>`, quotes and terminal
//! escape sequences are data, never markup.

use spindle_facts::hidden::acts;

/// Text safe between tags and inside double-quoted attributes.
#[must_use]
pub fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    push_html(&mut out, text);
    out
}

/// [`html`], appended.
pub fn push_html(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if acts(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
}

/// Prose of ours, which may quote names: escaped, `name` between backticks set as code.
pub fn push_prose(out: &mut String, text: &str) {
    let parts: Vec<&str> = text.split('`').collect();
    // An odd backtick at the end opens nothing.
    let paired = parts.len() - usize::from(parts.len().is_multiple_of(2));
    for (i, part) in parts.iter().enumerate() {
        let code = i % 2 == 1 && i < paired;
        out.push_str(if code { "<code>" } else { "" });
        if i == paired {
            out.push('`');
        }
        push_html(out, part);
        out.push_str(if code { "</code>" } else { "" });
    }
}

/// Text safe in a terminal: one line, characters that act (controls, changes of direction) as `\u{202e}`.
#[must_use]
pub fn terminal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            c if acts(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// At most `limit` characters; what is cut is marked.
#[must_use]
pub fn clip(text: &str, limit: usize) -> std::borrow::Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => text.into(),
        Some((at, _)) => format!("{}...", &text[..at]).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_shown_not_obeyed() {
        assert_eq!(
            html("</td><script>alert('1')</script>\" onload=x &amp;"),
            "&lt;/td&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot; onload=x &amp;amp;"
        );
        assert_eq!(html("a\u{0}b\u{202e}c\nd"), "a\\u{0}b\\u{202e}c\nd");
        assert_eq!(terminal("a\u{1b}[2Jb\u{61c}c"), "a\\u{1b}[2Jb\\u{61c}c");
    }

    #[test]
    fn names_in_prose_are_code() {
        let prose = |text: &str| {
            let mut out = String::new();
            push_prose(&mut out, text);
            out
        };
        assert_eq!(prose("wait for `a<b`, then `c`"), "wait for <code>a&lt;b</code>, then <code>c</code>");
        assert_eq!(prose("an odd ` one"), "an odd ` one");
        assert_eq!(prose("`a` and ` odd"), "<code>a</code> and ` odd");
        assert_eq!(prose(""), "");
    }

    #[test]
    fn a_terminal_is_not_driven_by_a_module_name() {
        assert_eq!(terminal("x\u{1b}[2Jy\nz"), "x\\u{1b}[2Jy z");
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(clip("abcdef", 3), "abc...");
        assert_eq!(clip("äöü", 3), "äöü");
    }
}
