//! A list of strings, as a view of its storage.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
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
    Stored(&'a dyn StringStorage),
}

/// A list of strings that is not stored as slices.
pub trait StringStorage: Sync {
    /// How many strings there are.
    fn count(&self) -> usize;

    /// The string at an index below [`count`](StringStorage::count).
    fn string(&self, index: usize) -> Option<&[u8]>;
}

#[cfg(feature = "alloc")]
impl<T: AsRef<[u8]> + Sync> StringStorage for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn string(&self, index: usize) -> Option<&[u8]> {
        self.get(index).map(AsRef::as_ref)
    }
}

impl<'a> StringsView<'a> {
    /// A view of slices.
    #[must_use]
    pub const fn new(strings: &'a [&'a [u8]]) -> Self {
        Self(Kept::Slices(strings))
    }

    /// The number of strings.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.0 {
            Kept::Slices(strings) => strings.len(),
            Kept::Stored(strings) => strings.count(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The string at an index below [`StringsView::len`].
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&'a [u8]> {
        match self.0 {
            Kept::Slices(strings) => strings.get(index).copied(),
            Kept::Stored(strings) => strings.string(index),
        }
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &'a [u8]> + Clone + use<'a> {
        let strings = *self;
        (0..strings.len()).filter_map(move |index| strings.get(index))
    }
}

impl<'a, S: StringStorage> From<&'a S> for StringsView<'a> {
    fn from(strings: &'a S) -> Self {
        Self(Kept::Stored(strings))
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
