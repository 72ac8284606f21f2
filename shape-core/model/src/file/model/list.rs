//! Lists of parts of a model, such as the nodes of a graph: each part is a view of its record, made when it is asked for.

use std::fmt;
use std::slice;

use super::arrays::Model;
use super::names::Name;
use super::record::Lazy;
use crate::file::proto::{SparseTensorProto, TensorProto, TypeProto, ValueInfoProto};

/// A part of a model, as a view of its record.
pub trait Item<'m>: Sized {
    /// What the model keeps of it.
    #[doc(hidden)]
    type Record: 'm;

    /// The view.
    #[doc(hidden)]
    fn view(model: &'m Model, record: &'m Self::Record) -> Self;
}

/// A list of parts of a model, such as the nodes of a graph.
///
/// ```
/// use shape_model::ModelFile;
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let model = ModelFile::open(path)?;
/// let nodes = model.model().graph().unwrap().nodes();
/// assert_eq!(nodes.iter().count(), nodes.len());
/// assert!(nodes.get(nodes.len()).is_none());
/// # Ok::<(), shape_model::file::ModelError>(())
/// ```
pub struct List<'m, T: Item<'m>> {
    pub(super) model: &'m Model,
    pub(super) records: &'m [T::Record],
}

impl<'m, T: Item<'m>> List<'m, T> {
    pub(super) fn new(model: &'m Model, records: &'m [T::Record]) -> Self {
        Self { model, records }
    }

    /// The model that the parts are of.
    #[must_use]
    pub fn model(self) -> &'m Model {
        self.model
    }

    /// The number of parts.
    #[must_use]
    pub fn len(self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.records.is_empty()
    }

    /// The part with an index.
    #[must_use]
    pub fn get(self, index: usize) -> Option<T> {
        self.records.get(index).map(|record| T::view(self.model, record))
    }

    /// The first part.
    #[must_use]
    pub fn first(self) -> Option<T> {
        self.get(0)
    }

    /// The last part.
    #[must_use]
    pub fn last(self) -> Option<T> {
        self.records.last().map(|record| T::view(self.model, record))
    }

    /// The parts, in the order of the file.
    #[must_use]
    pub fn iter(self) -> Iter<'m, T> {
        Iter { model: self.model, records: self.records.iter() }
    }
}

impl<'m, T: Item<'m>> Clone for List<'m, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'m, T: Item<'m>> Copy for List<'m, T> {}

impl<'m, T: Item<'m> + fmt::Debug> fmt::Debug for List<'m, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'m, T: Item<'m> + PartialEq> PartialEq for List<'m, T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<'m, T: Item<'m>> IntoIterator for List<'m, T> {
    type Item = T;
    type IntoIter = Iter<'m, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The parts of a [`List`].
pub struct Iter<'m, T: Item<'m>> {
    model: &'m Model,
    records: slice::Iter<'m, T::Record>,
}

impl<'m, T: Item<'m>> Clone for Iter<'m, T> {
    fn clone(&self) -> Self {
        Self { model: self.model, records: self.records.clone() }
    }
}

impl<'m, T: Item<'m>> Iterator for Iter<'m, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.records.next().map(|record| T::view(self.model, record))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.records.size_hint()
    }
}

impl<'m, T: Item<'m>> DoubleEndedIterator for Iter<'m, T> {
    fn next_back(&mut self) -> Option<T> {
        self.records.next_back().map(|record| T::view(self.model, record))
    }
}

impl<'m, T: Item<'m>> ExactSizeIterator for Iter<'m, T> {}

impl<'m, T: Item<'m> + fmt::Debug> fmt::Debug for Iter<'m, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

macro_rules! lazy_items {
    ($($message:ident),*) => {$(
        impl<'m> Item<'m> for &'m $message {
            type Record = Lazy<$message>;

            fn view(model: &'m Model, record: &'m Lazy<$message>) -> Self {
                record.get(&model.store)
            }
        }

        impl<'m> List<'m, &'m $message> {
            /// The names of the entries. They are not decoded for this.
            pub fn names(self) -> impl ExactSizeIterator<Item = Name> + DoubleEndedIterator + Clone + use<'m> {
                self.records.iter().map(|record| record.name)
            }
        }
    )*};
}

lazy_items!(ValueInfoProto, TensorProto, SparseTensorProto, TypeProto);

impl<'m> Item<'m> for &'m str {
    type Record = Name;

    fn view(model: &'m Model, name: &'m Name) -> Self {
        model.text(*name)
    }
}

impl<'m> List<'m, &'m str> {
    /// The names as numbers.
    #[must_use]
    pub fn names(self) -> &'m [Name] {
        self.records
    }
}
