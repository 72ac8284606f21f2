//! The record that a model keeps of each of its parts: indices and offsets, no text.

use std::ops::Range;
use std::sync::OnceLock;

use bytes::Bytes;

use super::names::Name;
use crate::file::cursor::{Cursor, DecodeError, Read as _, WireType};
use crate::file::store::{Span, Store};
use crate::file::wire::Message;

/// A part of a flat array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slice {
    start: u32,
    len: u32,
}

impl Slice {
    const EMPTY: Self = Self { start: 0, len: 0 };

    pub(super) fn new(start: u32, len: u32) -> Self {
        Self { start, len }
    }

    pub(super) fn len(self) -> u32 {
        self.len
    }

    /// The entries of `all`.
    pub(super) fn of<T>(self, all: &[T]) -> &[T] {
        all.get(self.range()).unwrap_or_default()
    }

    pub(super) fn range(self) -> Range<usize> {
        let start = self.start as usize;
        start..start + self.len as usize
    }

    /// The place of the last `len` of `all` entries; `None` if that are more than any model has.
    pub(super) fn last(len: usize, all: usize) -> Option<Self> {
        Some(Self { start: u32::try_from(all - len).ok()?, len: u32::try_from(len).ok()? })
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct NodeRecord {
    /// Where the length prefix of the message is.
    pub(super) start: usize,
    /// Where the name is. Few programs read it, so that it is none of the names.
    pub(super) name_start: usize,
    pub(super) name_len: u32,
    /// The index of an operator.
    pub(super) operator: u32,
    /// Names of values: the inputs, and behind them the outputs.
    pub(super) values: u32,
    pub(super) inputs: u32,
    pub(super) outputs: u32,
    pub(super) attributes: Slice,
    pub(super) place: NodePlace,
}

/// The function that a node is in, even if it is in a graph of a node there, and whether the node has fields that are not
/// in its record.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodePlace(u32);

impl NodePlace {
    const MORE: u32 = 1 << 31;

    /// In a function with an index; `None` if that is more than any model has.
    pub(super) fn in_function(index: usize) -> Option<Self> {
        u32::try_from(index + 1).ok().filter(|number| *number < Self::MORE).map(Self)
    }

    pub(super) fn function(self) -> Option<usize> {
        (self.0 & !Self::MORE).checked_sub(1).map(|index| index as usize)
    }

    pub(super) fn with_more(self, more: bool) -> Self {
        if more { Self(self.0 | Self::MORE) } else { self }
    }

    pub(super) fn has_more(self) -> bool {
        self.0 >= Self::MORE
    }
}

/// The domain, the name and the overload of an operator.
pub(super) type OperatorNames = [Name; 3];

#[derive(Clone, Copy, Debug, Default)]
pub struct AttributeRecord {
    pub(super) name: Name,
    /// The attribute of the function around it that has the value.
    pub(super) reference: Name,
    /// `type`: the number of the kind.
    pub(super) kind: Option<i32>,
    /// One for each kind of value that is set.
    pub(super) values: Slice,
}

/// A value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Payload {
    Float(f32),
    Int(i64),
    /// The index of a span.
    String(u32),
    Tensor(u32),
    Graph(u32),
    SparseTensor(u32),
    Type(u32),
    Floats(Slice),
    Ints(Slice),
    /// The index of a list.
    Strings(u32),
    Tensors(Slice),
    Graphs(Slice),
    SparseTensors(Slice),
    Types(Slice),
}

/// A graph. What views of it in attributes are made of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GraphRecord {
    pub(super) id: u32,
    pub(super) name: Name,
    pub(super) nodes: Slice,
    pub(super) inputs: Slice,
    pub(super) outputs: Slice,
    pub(super) value_info: Slice,
    pub(super) initializers: Slice,
    pub(super) sparse_initializers: Slice,
    pub(super) has_more: bool,
    pub(super) span: Span,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct FunctionRecord {
    pub(super) name: Name,
    pub(super) domain: Name,
    pub(super) overload: Name,
    pub(super) inputs: Slice,
    pub(super) outputs: Slice,
    /// The names of the attributes without a default.
    pub(super) attributes: Slice,
    pub(super) defaults: Slice,
    pub(super) nodes: Slice,
    pub(super) value_info: Slice,
    pub(super) opset_import: Slice,
    pub(super) span: Span,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct TrainingRecord {
    pub(super) initialization: Option<u32>,
    pub(super) algorithm: Option<u32>,
    pub(super) span: Span,
}

/// A message that is decoded when it is asked for, and kept then.
#[derive(Clone, Debug)]
pub struct Lazy<T> {
    pub(super) name: Name,
    pub(super) span: Span,
    decoded: OnceLock<Box<T>>,
}

impl GraphRecord {
    /// A graph without anything.
    pub(super) const EMPTY: Self = Self {
        id: u32::MAX,
        name: Name::EMPTY,
        nodes: Slice::EMPTY,
        inputs: Slice::EMPTY,
        outputs: Slice::EMPTY,
        value_info: Slice::EMPTY,
        initializers: Slice::EMPTY,
        sparse_initializers: Slice::EMPTY,
        has_more: false,
        span: Span { start: 0, len: 0 },
    };
}

impl<T: Message> Lazy<T> {
    pub(super) fn new(name: Name, span: Span) -> Self {
        Self { name, span, decoded: OnceLock::new() }
    }

    pub(super) fn get(&self, store: &Store) -> &T {
        self.decoded.get_or_init(|| Box::new(decode(store, self.span)))
    }
}

/// Decodes a message that was checked when the model was read.
pub(super) fn decode<T: Message>(store: &Store, span: Span) -> T {
    let mut message = T::default();
    // Only a file that somebody changes while it is open has an error here; see `ModelFile::open`.
    drop(fields(store, span, |tag, wire_type, cursor| message.merge_field(tag, wire_type, cursor)));
    message
}

/// Decodes a message from its length prefix on.
pub(super) fn decode_at<T: Message>(store: &Store, start: usize) -> T {
    let mut message = T::default();
    let mut cursor = Cursor::new(store, start, store.len(), usize::MAX);
    drop(message.merge(WireType::LengthDelimited, &mut cursor));
    message
}

/// Calls `field` for each field of a message.
pub(super) fn fields(
    store: &Store,
    Span { start, len }: Span,
    mut field: impl FnMut(u32, WireType, &mut Cursor<'_>) -> Result<(), DecodeError>,
) -> Result<(), DecodeError> {
    Cursor::new(store, start, start + len, usize::MAX).fields(|cursor, tag, wire_type| field(tag, wire_type, cursor))
}

/// A list of strings of an attribute, as views of the file.
pub(super) type Strings = Vec<Bytes>;
