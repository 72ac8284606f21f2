//! Recognizes text files that were passed as models.

use std::fmt;

/// Kinds of text files that are often passed as models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextKind {
    /// The pointer that git LFS stores instead of a large file.
    LfsPointer,
    /// A web page, such as a server's error message.
    Html,
    /// Any other text.
    Plain,
}

impl TextKind {
    /// The kind of text that `bytes` are, or `None` if they are not text.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let head = bytes.get(..512).unwrap_or(bytes);
        if head.starts_with(b"version https://git-lfs") {
            return Some(Self::LfsPointer);
        }
        let text = head.trim_ascii_start();
        let begins = |tag: &[u8]| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
        if begins(b"<!doctype html") || begins(b"<html") {
            return Some(Self::Html);
        }
        let plain = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
        // The head may end within a character.
        let utf8 = match std::str::from_utf8(head) {
            Ok(_) => true,
            Err(error) => error.error_len().is_none(),
        };
        (utf8 && !head.is_empty() && head.iter().all(plain)).then_some(Self::Plain)
    }

    pub(super) fn advice(self) -> &'static str {
        match self {
            Self::LfsPointer => "fetch the model itself with `git lfs pull`",
            Self::Html => "the download failed: look at the page and fetch the model again",
            Self::Plain => "a model is a binary file, as `onnx.save` writes it",
        }
    }
}

impl fmt::Display for TextKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LfsPointer => "a git-LFS pointer",
            Self::Html => "a web page",
            Self::Plain => "text",
        })
    }
}
