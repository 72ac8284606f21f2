//! A list of strings, wherever it is kept.

#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt;

/// STRINGS: strings of bytes, which ONNX means to be UTF-8.
///
/// ```
/// use shape_core::node::StringsView;
/// let names = StringsView::new(&[b"one", b"three"]);
/// assert_eq!((names.len(), names.get(1)), (2, Some(&b"three"[..])));
/// assert!(names.iter().eq([&b"one"[..], b"three"]));
/// ```
#[derive(Clone, Copy)]
pub struct StringsView<'a>(Kept<'a>);

#[derive(Clone, Copy)]
enum Kept<'a> {
    Slices(&'a [&'a [u8]]),
    #[cfg(feature = "alloc")]
    Strings(&'a [String]),
    #[cfg(feature = "model")]
    Bytes(&'a [crate::model::Bytes]),
}

impl<'a> StringsView<'a> {
    /// A view of slices.
    #[must_use]
    pub const fn new(strings: &'a [&'a [u8]]) -> Self {
        Self(Kept::Slices(strings))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.0 {
            Kept::Slices(strings) => strings.len(),
            #[cfg(feature = "alloc")]
            Kept::Strings(strings) => strings.len(),
            #[cfg(feature = "model")]
            Kept::Bytes(strings) => strings.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The string at a place below [`StringsView::len`].
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&'a [u8]> {
        match self.0 {
            Kept::Slices(strings) => strings.get(index).copied(),
            #[cfg(feature = "alloc")]
            Kept::Strings(strings) => strings.get(index).map(String::as_bytes),
            #[cfg(feature = "model")]
            Kept::Bytes(strings) => strings.get(index).map(|string| &**string),
        }
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &'a [u8]> + Clone + use<'a> {
        let strings = *self;
        (0..strings.len()).filter_map(move |index| strings.get(index))
    }
}

#[cfg(feature = "alloc")]
impl<'a> From<&'a [String]> for StringsView<'a> {
    fn from(strings: &'a [String]) -> Self {
        Self(Kept::Strings(strings))
    }
}

#[cfg(feature = "model")]
impl<'a> From<&'a [crate::model::Bytes]> for StringsView<'a> {
    fn from(strings: &'a [crate::model::Bytes]) -> Self {
        Self(Kept::Bytes(strings))
    }
}

impl PartialEq for StringsView<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for StringsView<'_> {}

impl fmt::Debug for StringsView<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl fmt::Display for StringsView<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[")?;
        for (index, string) in self.iter().enumerate() {
            write!(formatter, "{}\"{}\"", if index == 0 { "" } else { ", " }, string.escape_ascii())?;
        }
        formatter.write_str("]")
    }
}

#[cfg(all(test, feature = "model"))]
mod tests {
    use super::*;

    #[test]
    fn the_same_wherever_they_are_kept() {
        let slices = StringsView::new(&[b"a\"", b""]);
        let strings = ["a\"".to_owned(), String::new()];
        let bytes = strings.clone().map(crate::model::Bytes::from);
        for view in [StringsView::from(&strings[..]), StringsView::from(&bytes[..])] {
            assert_eq!(view, slices);
            assert_eq!((view.len(), view.get(0), view.get(2)), (2, Some(&b"a\""[..]), None));
            assert_eq!(view.to_string(), r#"["a\"", ""]"#);
        }
        assert!(StringsView::new(&[]).is_empty());
    }
}
