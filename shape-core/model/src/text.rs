//! Dimensions and elements as text, and texts that are short enough to read.

use std::borrow::Cow;
use std::fmt::Write as _;

use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Symbols};

/// Dimensions as text: `[batch, 3, ?]`. A longer list than any real tensor has is shortened to its length, to keep
/// messages readable.
pub(crate) fn dims_text(dims: &[Dim], symbols: &Symbols) -> String {
    list(dims, "dimensions", |dim| dim.display(symbols).to_string())
}

/// Elements as text, shortened in the same way.
pub(crate) fn elements_text(elements: &[Scalar<Dim>], symbols: &Symbols) -> String {
    list(elements, "elements", |element| element.display(symbols).to_string())
}

fn list<T>(items: &[T], what: &str, text: impl Fn(&T) -> String) -> String {
    const MAX_SHOWN: usize = 32;
    if items.len() > MAX_SHOWN {
        return format!("{} {what}", items.len());
    }
    format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(", "))
}

/// The first few texts as one: `a, b and 7 more`.
pub(crate) fn first_few<T: AsRef<str>>(texts: impl ExactSizeIterator<Item = T>) -> String {
    const MAX_SHOWN: usize = 8;
    let more = texts.len().saturating_sub(MAX_SHOWN);
    let mut all = String::new();
    for (index, text) in texts.take(MAX_SHOWN).enumerate() {
        all.push_str(if index > 0 { ", " } else { "" });
        all.push_str(&shortened(text.as_ref()));
    }
    if more > 0 { format!("{all} and {more} more") } else { all }
}

/// A text of a message without names that are too long to read, and at most a page of it.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    /// Names that exporters make have up to some hundred letters.
    const MAX_WORD: usize = 300;
    const MAX_TEXT: usize = 4_000;
    if text.len() <= MAX_WORD {
        return Cow::Borrowed(text);
    }
    let mut short = String::with_capacity(text.len().min(MAX_TEXT));
    let mut left = text;
    while !left.is_empty() && short.len() < MAX_TEXT {
        let end = left.find(char::is_whitespace).unwrap_or(left.len());
        let (word, rest) = left.split_at(end);
        cut(&mut short, word, MAX_WORD);
        let space = rest.chars().next();
        short.extend(space);
        left = rest.get(space.map_or(0, char::len_utf8)..).unwrap_or_default();
    }
    if !left.is_empty() {
        _ = write!(short, "... ({} bytes more)", left.len());
    }
    if short == text { Cow::Borrowed(text) } else { Cow::Owned(short) }
}

/// Adds a word; of a long one, its beginning, and how long it is.
fn cut(to: &mut String, word: &str, most: usize) {
    const SHOWN: usize = 80;
    if word.len() <= most {
        to.push_str(word);
    } else {
        _ = write!(to, "{}... ({} bytes)", beginning(word, SHOWN), word.len());
    }
}

/// At most so many bytes of a text, and whole letters.
fn beginning(text: &str, bytes: usize) -> &str {
    (0..=bytes.min(text.len())).rev().find_map(|end| text.get(..end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_few_of_many() {
        let of = |count: usize| first_few((0..count).map(|index| index.to_string()));
        assert_eq!([0, 1, 8].map(of), ["", "0", "0, 1, 2, 3, 4, 5, 6, 7"]);
        assert_eq!(of(10), "0, 1, 2, 3, 4, 5, 6, 7 and 2 more");
        assert!(first_few(["a".repeat(400)].iter()).len() < 200);
    }

    #[test]
    fn a_long_word_is_cut_between_letters() {
        for (word, shown) in [("a".repeat(301), 80), ("é".repeat(151), 40), (format!("a{}", "é".repeat(150)), 40)] {
            let beginning: String = word.chars().take(shown).collect();
            assert_eq!(shortened(&word), format!("{beginning}... ({} bytes)", word.len()));
            assert_eq!(shortened(&format!("a {word}\n b")), format!("a {beginning}... ({} bytes)\n b", word.len()));
        }
    }

    #[test]
    fn a_text_that_can_be_read_stays() {
        for text in
            [String::new(), "a".repeat(300), "é".repeat(150), format!("{} b", "a".repeat(300)), "a ".repeat(2000)]
        {
            assert!(matches!(shortened(&text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn a_long_text_ends_after_a_page() {
        assert_eq!(shortened(&"a\u{3000}".repeat(1001)), format!("{}... (4 bytes more)", "a\u{3000}".repeat(1000)));
    }
}
