//! Reads the types of [`crate::document`] from the tree of nodes, through serde, and finds all errors at once.
//!
//! serde stops at the first error. So `read` records the error, leaves out the node that caused it and starts again,
//! until the rest can be read.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

use serde::de::value::{SeqDeserializer, StrDeserializer};
use serde::de::{self, DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};
use shape_yaml::{Kind, Node, NodeId};

use crate::error::{Code, DocumentError, NOWHERE};
use crate::names::{is_slip, suggest};

/// The maximum number of structural errors; a file with more is not a descriptor.
const LIMIT: usize = 32;

/// The result of [`read`].
pub(crate) struct Read<T> {
    /// The value, as far as it could be read.
    pub(crate) value: Option<T>,
    pub(crate) errors: Vec<DocumentError>,
    pub(crate) left_out: LeftOut,
}

/// What could not be read. A name in it is not missing, it is only part of an erroneous node; so errors about the rest
/// must not depend on anything in here.
#[derive(Default)]
pub(crate) struct LeftOut {
    texts: HashSet<String>,
    parents: HashSet<NodeId>,
    above: HashSet<NodeId>,
    fields: HashSet<(NodeId, String)>,
    lists: HashSet<(NodeId, String)>,
}

impl LeftOut {
    /// The same, and these words, wherever they were.
    pub(crate) fn and_words(mut self, words: impl IntoIterator<Item = String>) -> Self {
        self.texts.extend(words);
        self
    }

    /// Whether the text or number occurs in what was left out.
    pub(crate) fn mentions(&self, text: &str) -> bool {
        self.texts.contains(text)
    }

    /// Whether anything in this node was left out.
    pub(crate) fn within(&self, node: NodeId) -> bool {
        self.above.contains(&node)
    }

    /// Whether a direct entry of this list or mapping was left out.
    pub(crate) fn entry_of(&self, node: NodeId) -> bool {
        self.parents.contains(&node)
    }

    /// Whether part of this field of a mapping was left out, or a whole field that may have been meant for it.
    pub(crate) fn field(&self, mapping: NodeId, name: &str) -> bool {
        [name, ""].iter().any(|name| self.fields.contains(&(mapping, (*name).to_owned())))
    }

    /// The same for a field that holds a list: whether the whole list or one of its entries was left out.
    pub(crate) fn list(&self, mapping: NodeId, name: &str) -> bool {
        [name, ""].iter().any(|name| self.lists.contains(&(mapping, (*name).to_owned())))
    }

    /// Collects from a node; returns whether anything in it was left out.
    fn collect(&mut self, node: &Node, skip: &HashSet<NodeId>, inside: bool) -> bool {
        let skipped = skip.contains(&node.id);
        let inside = inside || skipped;
        let mut left_out = false;
        match &node.kind {
            Kind::Text(text) if inside => {
                self.texts.insert(text.clone());
            }
            Kind::Int(number) if inside => {
                self.texts.insert(number.to_string());
            }
            Kind::List(list) => {
                for entry in list {
                    left_out |= self.collect(entry, skip, inside);
                    self.note_parent(node, skip.contains(&entry.id));
                }
            }
            Kind::Map(pairs) => {
                for (key, value) in pairs {
                    let whole = skip.contains(&key.id);
                    if self.collect(value, skip, inside || whole) || whole {
                        left_out = true;
                        let name = match &key.kind {
                            Kind::Text(text) if !whole => text.clone(),
                            _ => String::new(),
                        };
                        if whole || skip.contains(&value.id) || self.parents.contains(&value.id) {
                            self.lists.insert((node.id, name.clone()));
                        }
                        self.fields.insert((node.id, name));
                    }
                    self.note_parent(node, whole || skip.contains(&value.id));
                }
            }
            _ => {}
        }
        if left_out {
            self.above.insert(node.id);
        }
        left_out || skipped
    }

    fn note_parent(&mut self, node: &Node, skipped: bool) {
        if skipped {
            self.parents.insert(node.id);
        }
    }
}

/// Reads a value from a tree, and collects all structural errors.
pub(crate) fn read<T: DeserializeOwned>(root: &Node) -> Read<T> {
    let mut errors = Vec::new();
    let mut skip = HashSet::new();
    // Missing fields are treated as empty for now, so that the other errors are found as well.
    let mut absent: Vec<(NodeId, &'static str)> = Vec::new();
    let value = loop {
        match T::deserialize(NodeReader { node: root, skip: &skip, absent: &absent }) {
            Ok(value) if absent.iter().all(|(at, _)| *at == root.id) => break Some(value),
            Ok(_) => {
                // A mapping with a missing field is left out; except for the root, since otherwise nothing could be
                // checked.
                skip.extend(absent.iter().map(|(at, _)| *at).filter(|at| *at != root.id));
                absent.retain(|(at, _)| *at == root.id);
            }
            Err(Error { at, code, message, help, follows, missing, .. }) => {
                let at = at.unwrap_or(root.id);
                if !follows {
                    errors.push(DocumentError { at, code: code.name(), message, help });
                }
                if errors.len() >= LIMIT {
                    let message = format!("more than {LIMIT} errors of form, the rest is not looked at");
                    errors.push(DocumentError::new(at, Code::TooManyErrors, message).help("mend those above first"));
                    break None;
                }
                match missing {
                    Some(field) if !absent.contains(&(at, field)) => absent.push((at, field)),
                    _ if at == root.id || !skip.insert(at) => break None,
                    _ => {}
                }
            }
        }
    };
    let mut left_out = LeftOut::default();
    left_out.collect(root, &skip, false);
    Read { value, errors, left_out }
}

/// A value together with the node that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The node, for [`shape_yaml::locate`].
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
    code: Code,
    message: String,
    help: Option<String>,
    /// What is expected, if the node that was found is not part of the message yet.
    expected: Option<&'static str>,
    /// The field that is missing.
    missing: Option<&'static str>,
    /// Whether it is only a consequence of an error that was already reported.
    follows: bool,
}

impl Error {
    fn new(code: Code, message: String) -> Self {
        Self { at: None, code, message, help: None, expected: None, missing: None, follows: false }
    }

    fn expected(what: &'static str) -> Self {
        Self { expected: Some(what), ..Self::new(Code::WrongForm, format!("expected {what}")) }
    }

    fn at(mut self, id: NodeId) -> Self {
        self.at.get_or_insert(id);
        self
    }

    /// The same, with the node that was found.
    fn found(mut self, node: &Node) -> Self {
        if let Some(expected) = self.expected.take() {
            let (found, scalar) = match &node.kind {
                Kind::Null => ("nothing".to_owned(), None),
                Kind::Bool(value) => (format!("`{value}`"), Some(value.to_string())),
                Kind::Int(value) => (format!("the number `{value}`"), Some(value.to_string())),
                Kind::Float(value) => (format!("the number `{value:?}`"), Some(format!("{value:?}"))),
                Kind::Text(value) if value.chars().count() > 40 => ("a text".to_owned(), None),
                Kind::Text(value) => (format!("the text `{value}`"), None),
                Kind::List(_) => ("a list".to_owned(), None),
                Kind::Map(_) => ("a mapping".to_owned(), None),
            };
            self.message = format!("{}, found {found}", self.message);
            self.help = match (expected, scalar) {
                (TEXT | TEXTS, Some(scalar)) => Some(format!("put it in quotes: `\"{scalar}\"`")),
                (LIST, _) => Some("write `[a, b]`, or each entry on a line of its own after `- `".to_owned()),
                (MAPPING, _) => Some("write `field: value`, or `{ field: value, field: value }`".to_owned()),
                _ => self.help,
            };
        }
        self.at(node.id)
    }
}

/// The description of a `Literal` in messages.
pub(crate) const LITERAL: &str = "a number, a text, `true`, `false` or a list of them";
/// The description of the dimensions of an example's value in messages.
pub(crate) const DIMS: &str = "a list of dimensions, or `\"?\"` for an unknown rank";

/// The description of a rule for dimensions, or an amount, in messages.
pub(crate) const TEXTS: &str = "a text or a list of texts";

const TEXT: &str = "a text";
const LIST: &str = "a list";
const MAPPING: &str = "a mapping";

/// What a visitor of serde or of this crate expects, in the words of this project.
fn words(expected: &dyn de::Expected) -> &'static str {
    match &*expected.to_string() {
        "a string" => TEXT,
        "a sequence" => LIST,
        "a boolean" => "`true` or `false`",
        "u8" => "a whole number from 0 to 255",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" => "a whole number, not below 0",
        "i64" => "a whole number",
        "field identifier" => "the name of a field",
        LITERAL => LITERAL,
        DIMS => DIMS,
        TEXTS => TEXTS,
        _ => "something else",
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<M: fmt::Display>(message: M) -> Self {
        Self::new(Code::WrongForm, message.to_string())
    }

    fn invalid_type(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::expected(words(expected))
    }

    fn invalid_value(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::expected(words(expected))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let help = suggest(field, expected.iter().copied());
        Self { help, ..Self::new(Code::UnknownField, format!("there is no field `{field}` here")) }
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let help = suggest(variant, expected.iter().copied());
        Self {
            help,
            ..Self::new(Code::UnknownWord, format!("`{variant}` is not one of the words that may stand here"))
        }
    }

    fn missing_field(field: &'static str) -> Self {
        let message = format!("the field `{field}` is missing here");
        Self { missing: Some(field), ..Self::new(Code::MissingField, message) }
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new(Code::DuplicateField, format!("the field `{field}` stands here twice"))
    }
}

#[derive(Clone, Copy)]
struct NodeReader<'n> {
    node: &'n Node,
    skip: &'n HashSet<NodeId>,
    absent: &'n [(NodeId, &'static str)],
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
        let pairs_reader =
            Pairs { pairs: pairs.iter(), absent: self.absent.iter(), value: None, key: &key, reader: self };
        visitor.visit_map(pairs_reader).map_err(|mut error| {
            if error.at.is_none()
                && let Some(missing) = error.missing
            {
                error.follows = pairs.iter().any(|(key, value)| match &key.kind {
                    Kind::Text(name) if self.skip.contains(&value.id) => name == missing,
                    Kind::Text(name) if self.skip.contains(&key.id) => is_slip(name, missing),
                    _ => false,
                });
            }
            let at = if error.code == Code::DuplicateField { key.get() } else { self.node.id };
            error.at(at)
        })
    }
}

impl<'de> Deserializer<'de> for NodeReader<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.visit(visitor).map_err(|error| error.found(self.node))
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
        // A derived visitor would also accept a list with the fields in order.
        if matches!(self.node.kind, Kind::Map(_)) {
            return self.deserialize_any(visitor);
        }
        Err(Error::expected(MAPPING).found(self.node))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let read = match &self.node.kind {
            Kind::Text(text) => {
                let word: StrDeserializer<'_, Error> = text.as_str().into_deserializer();
                visitor.visit_enum(word)
            }
            _ => Err(Error { help: suggest("", words.iter().copied()), ..Error::expected("a word") }),
        };
        read.map_err(|error| error.found(self.node))
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
    absent: std::slice::Iter<'n, (NodeId, &'static str)>,
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
            None => {
                let absent = self.absent.find(|(at, _)| *at == self.reader.node.id);
                absent
                    .map(|(_, name)| seed.deserialize(IntoDeserializer::<Error>::into_deserializer(*name)))
                    .transpose()
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        match self.value.take() {
            Some(value) => seed.deserialize(self.reader.child(value)),
            None => seed.deserialize(Absent),
        }
    }
}

/// A placeholder for something that the file is missing: empty, and without a position.
struct Absent;

macro_rules! zero {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.visit_u64(0)
        })*
    };
}

impl<'de> Deserializer<'de> for Absent {
    type Error = Error;

    zero!(deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64);

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str("")
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(SeqDeserializer::new(std::iter::empty::<u8>()))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == SPANNED {
            visitor.visit_seq(Span { id: Some(NOWHERE), reader: Some(self) })
        } else {
            // A mapping with required fields cannot be empty. The missing field was already reported.
            Err(Error { follows: true, ..Error::expected(MAPPING) })
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let word: StrDeserializer<'_, Error> = words.first().copied().unwrap_or_default().into_deserializer();
        visitor.visit_enum(word)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct tuple
        tuple_struct map identifier ignored_any
    }
}

struct Span<R> {
    id: Option<NodeId>,
    reader: Option<R>,
}

impl<'de, R: Deserializer<'de, Error = Error>> SeqAccess<'de> for Span<R> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if let Some(id) = self.id.take() {
            return seed.deserialize(id.into_deserializer()).map(Some);
        }
        self.reader.take().map(|reader| seed.deserialize(reader)).transpose()
    }
}
