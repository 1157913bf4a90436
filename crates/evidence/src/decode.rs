//! Bytes to text: UTF-8, UTF-16 with or without a mark, else Latin-1 (Windows-1252).

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// Decodes without ever failing; borrows where the bytes are UTF-8 already.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(rest) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        return utf8_or_latin1(rest);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xFF\xFE") {
        return UTF_16LE.decode_without_bom_handling(rest).0;
    }
    if let Some(rest) = bytes.strip_prefix(b"\xFE\xFF") {
        return UTF_16BE.decode_without_bom_handling(rest).0;
    }
    // UTF-16 without a mark: every second byte of the beginning is zero.
    let head = &bytes[..bytes.len().min(256)];
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|b| **b == 0).count();
    if head.len() >= 8 {
        if zeros(1) * 2 > head.len() * 8 / 10 {
            return UTF_16LE.decode_without_bom_handling(bytes).0;
        }
        if zeros(0) * 2 > head.len() * 8 / 10 {
            return UTF_16BE.decode_without_bom_handling(bytes).0;
        }
    }
    utf8_or_latin1(bytes)
}

fn utf8_or_latin1(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        // A file cut inside its last letter: the letters before it say that it is UTF-8.
        Err(cut) if cut.error_len().is_none() && !bytes[..cut.valid_up_to()].is_ascii() => {
            String::from_utf8_lossy(bytes)
        }
        // A stray byte in an otherwise valid UTF-8 report must not turn the rest into mojibake, but
        // mixed files are rare and Latin-1 ones common: the share of valid sequences decides.
        Err(_) => {
            let lossy = String::from_utf8_lossy(bytes);
            let replaced = lossy.matches('\u{FFFD}').count();
            let multibyte = lossy.chars().filter(|c| !c.is_ascii()).count() - replaced;
            if multibyte > replaced {
                lossy.into_owned().into()
            } else {
                let text = WINDOWS_1252.decode_without_bom_handling(bytes).0;
                // A converter that writes Latin-1 and leaves non-breaking blanks as they were.
                if text.contains("Â\u{a0}") { text.replace("Â\u{a0}", "\u{a0}").into() } else { text }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn every_encoding_gives_the_same_text() {
        let text = "Größe 12,5 DB Name\n";
        let utf16: Vec<u16> = text.encode_utf16().collect();
        let le: Vec<u8> = utf16.iter().flat_map(|u| u.to_le_bytes()).collect();
        let be: Vec<u8> = utf16.iter().flat_map(|u| u.to_be_bytes()).collect();
        assert_eq!(decode(text.as_bytes()), text);
        assert_eq!(decode(&[b"\xEF\xBB\xBF", text.as_bytes()].concat()), text);
        assert_eq!(decode(&[b"\xFF\xFE", le.as_slice()].concat()), text);
        assert_eq!(decode(&[b"\xFE\xFF", be.as_slice()].concat()), text);
        assert_eq!(decode(&le), text);
        assert_eq!(decode(&be), text);
        assert_eq!(decode(b"Gr\xF6\xDFe 12,5 DB Name\n"), text);
    }

    #[test]
    fn one_broken_byte_leaves_the_other_letters_alone() {
        let mut bytes = "Größe, naïve, café, über ".as_bytes().to_vec();
        bytes.push(0xFF);
        assert!(decode(&bytes).starts_with("Größe, naïve, café, über"));
    }

    #[test]
    fn a_file_cut_inside_a_letter_was_read_as_latin_1() {
        let text = "naïve €";
        for kept in text.len() - 2..text.len() {
            assert_eq!(decode(&text.as_bytes()[..kept]), "naïve \u{FFFD}");
        }
        assert_eq!(decode(b"caf\xE9"), "café");
    }

    #[test]
    fn blanks_of_two_encodings_in_one_text() {
        assert_eq!(decode(b"DB CPU \xC2\xA0 caf\xE9 \xE9"), "DB CPU \u{a0} caf\u{e9} \u{e9}");
    }
}
