//! From the tree of nodes to the types of [`crate::document`], through serde, without stopping at the first mistake.
//!
//! A serde visitor gives up at its first error. [`read`] notes the error, leaves the node that caused it out and starts
//! again, until what is left fits; so all mistakes are told, and the rest of the file can still be looked at.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

use crate::error::{Mistake, nearest};
use crate::yaml::{Kind, Node, NodeId};

/// Past this many mistakes of form a file is something else than a descriptor.
const LIMIT: usize = 64;

/// What [`read`] made of a tree.
pub(crate) struct Read<T> {
    /// The value, as far as it could be read; absent where nothing could.
    pub(crate) value: Option<T>,
    pub(crate) mistakes: Vec<Mistake>,
    /// The texts in what was left out: a name among them is not missing, it was only written with a mistake beside it.
    pub(crate) left_out: HashSet<String>,
}

/// Reads a value out of a tree, and all mistakes of form.
pub(crate) fn read<T: DeserializeOwned>(root: &Node) -> Read<T> {
    let mut mistakes = Vec::new();
    let mut skip = HashSet::new();
    let value = loop {
        match T::deserialize(NodeReader { node: root, skip: &skip }) {
            Ok(value) => break Some(value),
            Err(Error { at, code, message, help, follows }) => {
                let at = at.unwrap_or(root.id);
                if !follows {
                    mistakes.push(Mistake { at, code, message, help });
                }
                if at == root.id || !skip.insert(at) || mistakes.len() >= LIMIT {
                    break None;
                }
            }
        }
    };
    let mut left_out = HashSet::new();
    collect_texts(root, &skip, false, &mut left_out);
    Read { value, mistakes, left_out }
}

fn collect_texts(node: &Node, skip: &HashSet<NodeId>, inside: bool, texts: &mut HashSet<String>) {
    let inside = inside || skip.contains(&node.id);
    match &node.kind {
        Kind::Text(text) if inside => {
            texts.insert(text.clone());
        }
        Kind::List(list) => list.iter().for_each(|node| collect_texts(node, skip, inside, texts)),
        Kind::Map(pairs) => {
            for (key, value) in pairs {
                collect_texts(value, skip, inside || skip.contains(&key.id), texts);
            }
        }
        _ => {}
    }
}

/// A value together with the node that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The node, for [`crate::yaml::locate`].
    pub at: NodeId,
}

impl<T> std::ops::Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

const SPANNED: &str = "$Spanned";

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pair<T>(std::marker::PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Pair<T> {
            type Value = Spanned<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a node of a descriptor")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Spanned<T>, A::Error> {
                let missing = || de::Error::custom("a value with a position is read from a descriptor alone");
                let at = access.next_element()?.ok_or_else(missing)?;
                let value = access.next_element()?.ok_or_else(missing)?;
                Ok(Spanned { value, at })
            }
        }

        deserializer.deserialize_struct(SPANNED, &["at", "value"], Pair(std::marker::PhantomData))
    }
}

#[derive(Debug)]
struct Error {
    at: Option<NodeId>,
    code: &'static str,
    message: String,
    help: Option<String>,
    /// Whether it is only the trace of a mistake that has been told.
    follows: bool,
}

impl Error {
    fn new(code: &'static str, message: String) -> Self {
        Self { at: None, code, message, help: None, follows: false }
    }

    fn at(mut self, id: NodeId) -> Self {
        self.at.get_or_insert(id);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

const MISSING: &str = "missing-field";
const DUPLICATE: &str = "duplicate-field";

impl de::Error for Error {
    fn custom<M: fmt::Display>(message: M) -> Self {
        Self::new("wrong-form", message.to_string())
    }

    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new("wrong-form", format!("expected {expected}, found {found}"))
    }

    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new("wrong-form", format!("expected {expected}, found {found}"))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let help = nearest(field, expected.iter().copied());
        Self { help, ..Self::new("unknown-field", format!("there is no field `{field}` here")) }
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let help = nearest(variant, expected.iter().copied());
        Self { help, ..Self::new("unknown-word", format!("`{variant}` is not one of the words that may stand here")) }
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(MISSING, format!("the field `{field}` is missing here"))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new(DUPLICATE, format!("the field `{field}` stands here twice"))
    }
}

#[derive(Clone, Copy)]
struct NodeReader<'n> {
    node: &'n Node,
    skip: &'n HashSet<NodeId>,
}

impl<'n> NodeReader<'n> {
    fn child(self, node: &'n Node) -> Self {
        Self { node, ..self }
    }

    fn list(self, nodes: &'n [Node]) -> List<'n> {
        List { nodes: nodes.iter(), reader: self }
    }

    fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &self.node.kind {
            Kind::Null => visitor.visit_unit(),
            Kind::Bool(value) => visitor.visit_bool(*value),
            Kind::Int(value) => match (i64::try_from(*value), u64::try_from(*value)) {
                (Ok(value), _) => visitor.visit_i64(value),
                (_, Ok(value)) => visitor.visit_u64(value),
                _ => visitor.visit_i128(*value),
            },
            Kind::Float(value) => visitor.visit_f64(*value),
            Kind::Text(value) => visitor.visit_str(value),
            Kind::List(nodes) => visitor.visit_seq(self.list(nodes)),
            Kind::Map(pairs) => self.visit_pairs(pairs, visitor),
        }
    }

    fn visit_pairs<'de, V: Visitor<'de>>(self, pairs: &'n [(Node, Node)], visitor: V) -> Result<V::Value, Error> {
        let key = Cell::new(self.node.id);
        let pairs_reader = Pairs { pairs: pairs.iter(), value: None, key: &key, reader: self };
        visitor.visit_map(pairs_reader).map_err(|error| {
            let left_out = |name: &str| {
                pairs.iter().any(|(key, value)| {
                    self.skip.contains(&value.id) && matches!(&key.kind, Kind::Text(text) if text == name)
                })
            };
            let follows =
                error.code == MISSING && error.message.split('`').nth(1).is_some_and(left_out) && error.at.is_none();
            let place = if error.code == DUPLICATE { key.get() } else { self.node.id };
            Error { follows: error.follows || follows, ..error.at(place) }
        })
    }
}

impl<'de> Deserializer<'de> for NodeReader<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.visit(visitor).map_err(|error| error.at(self.node.id))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.node.kind {
            Kind::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == SPANNED {
            return visitor.visit_seq(Span { id: Some(self.node.id), reader: Some(self) });
        }
        // A derived visitor would also take a list for the fields in their order.
        if matches!(self.node.kind, Kind::Map(_)) {
            return self.deserialize_any(visitor);
        }
        let found = match &self.node.kind {
            Kind::Null => "nothing".to_owned(),
            Kind::Bool(value) => format!("`{value}`"),
            Kind::Int(value) => format!("`{value}`"),
            Kind::Float(value) => format!("`{value}`"),
            Kind::Text(value) => format!("`{value}`"),
            Kind::List(_) => "a list".to_owned(),
            Kind::Map(_) => "a mapping".to_owned(),
        };
        Err(Error::new("wrong-form", format!("expected a mapping (`field: value`), found {found}")).at(self.node.id))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let read = match &self.node.kind {
            Kind::Text(text) => {
                let word: StrDeserializer<'_, Error> = text.as_str().into_deserializer();
                visitor.visit_enum(word)
            }
            _ => Err(Error::new("wrong-form", "expected a word".to_owned())),
        };
        read.map_err(|error| error.at(self.node.id))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

struct List<'n> {
    nodes: std::slice::Iter<'n, Node>,
    reader: NodeReader<'n>,
}

impl<'de> SeqAccess<'de> for List<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let skip = self.reader.skip;
        match self.nodes.find(|node| !skip.contains(&node.id)) {
            Some(node) => seed.deserialize(self.reader.child(node)).map(Some),
            None => Ok(None),
        }
    }
}

struct Pairs<'n, 'c> {
    pairs: std::slice::Iter<'n, (Node, Node)>,
    value: Option<&'n Node>,
    key: &'c Cell<NodeId>,
    reader: NodeReader<'n>,
}

impl<'de> MapAccess<'de> for Pairs<'_, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let skip = self.reader.skip;
        match self.pairs.find(|(key, value)| !skip.contains(&key.id) && !skip.contains(&value.id)) {
            Some((key, value)) => {
                self.key.set(key.id);
                self.value = Some(value);
                seed.deserialize(self.reader.child(key)).map(Some)
            }
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let value = self.value.take().ok_or_else(|| de::Error::custom("a value was asked for before its key"))?;
        seed.deserialize(self.reader.child(value))
    }
}

struct Span<'n> {
    id: Option<NodeId>,
    reader: Option<NodeReader<'n>>,
}

impl<'de> SeqAccess<'de> for Span<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if let Some(id) = self.id.take() {
            return seed.deserialize(id.into_deserializer()).map(Some);
        }
        self.reader.take().map(|reader| seed.deserialize(reader)).transpose()
    }
}
