//! Escapes texts in templates of pages, so that they contain neither markup nor invisible characters.

use std::fmt;

use askama::filters::Escaper;

use crate::render::is_visible;

/// Escapes markup, and invisible characters except line breaks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visible;

impl Escaper for Visible {
    fn write_escaped_str<W: fmt::Write>(&self, mut out: W, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some(at) = rest.find(|letter| !is_plain(letter)) {
            let (plain, from) = rest.split_at(at);
            out.write_str(plain)?;
            let mut letters = from.chars();
            if let Some(letter) = letters.next() {
                match entity(letter) {
                    Some(entity) => out.write_str(entity)?,
                    None => write!(out, "{}", letter.escape_unicode())?,
                }
            }
            rest = letters.as_str();
        }
        out.write_str(rest)
    }
}

fn is_plain(letter: char) -> bool {
    letter == '\n' || (is_visible(letter) && entity(letter).is_none())
}

fn entity(letter: char) -> Option<&'static str> {
    Some(match letter {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        '\'' => "&#39;",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_what_does_not_show_are_text() {
        let mut out = String::new();
        Visible.write_escaped_str(&mut out, "a<b>\"&'\n\u{202e}é\t").unwrap();
        assert_eq!(out, "a&lt;b&gt;&quot;&amp;&#39;\n\\u{202e}é\\u{9}");
    }
}
