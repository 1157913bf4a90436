//! Marks of HTML around a result that somebody put on a page or into a message: `<pre>`, `<span class="...">`, `&gt;`.

/// Elements that stand around text. What begins with another one is a document of its own.
const ELEMENTS: [&str; 30] = [
    "a",
    "article",
    "b",
    "blockquote",
    "br",
    "code",
    "details",
    "div",
    "em",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "li",
    "ol",
    "p",
    "pre",
    "section",
    "small",
    "span",
    "strong",
    "summary",
    "tt",
    "u",
    "ul",
];

/// A tag is no longer.
const LONGEST_TAG: usize = 2_000;

/// Entities of what the tools print.
const ENTITIES: [(&str, &str); 7] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&amp;", "&"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&#x27;", "'"),
    ("&nbsp;", " "),
];

/// Does a text begin with such an element?
pub(super) fn begin(start: &str) -> bool {
    !start.starts_with("</") && length(start).is_some()
}

/// Bytes of the tag that a text begins with.
fn length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('<')?;
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric())?;
    let known = ELEMENTS.iter().any(|element| element.eq_ignore_ascii_case(&name[..end]));
    if !known || !name[end..].starts_with(|c: char| c == '>' || c == '/' || c.is_whitespace()) {
        return None;
    }
    let close = inner.find(['>', '<']).filter(|at| *at < LONGEST_TAG)?;
    inner[close..].starts_with('>').then_some(close + 2)
}

/// The text without its tags; its lines stay where they are.
pub(super) fn without(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(length) = length(rest) {
            out.extend(rest[..length].chars().filter(|c| *c == '\n'));
            rest = &rest[length..];
        } else if let Some((entity, plain)) = ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity)) {
            out.push_str(plain);
            rest = &rest[entity.len()..];
        } else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}
