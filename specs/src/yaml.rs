//! YAML text to a tree of nodes, each of which can be found again in the text.
//!
//! **Architecture Invariant.** This file alone knows `serde_yaml`; everything else works on [`Node`].
//!
//! `serde_yaml` reports a position only with an error, and stops at the first one. So the tree is built without
//! positions, each node with the number it has in reading order, and [`locate`] finds a node's position by reading the
//! text once more with a reader that fails at that number. Only mistakes and the tables that name lines pay for it.

use std::cell::Cell;
use std::fmt;

use serde::de::{self, DeserializeSeed, EnumAccess, MapAccess, SeqAccess, Visitor};

/// A place in a text: line and column, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1; 0 where no place is known.
    pub line: usize,
    /// Column in characters, from 1; 0 where no place is known.
    pub column: usize,
}

/// The number of a node in reading order; keys count as nodes.
pub type NodeId = usize;

/// A value of a YAML document.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its number in reading order.
    pub id: NodeId,
    /// What it holds.
    pub kind: Kind,
}

/// What a [`Node`] holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Nothing: `~`, `null` or an empty place.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number; wide enough for every signed and unsigned 64-bit one.
    Int(i128),
    /// A number with a point or an exponent.
    Float(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping, as the pairs that stand in the file: a key that stands there twice is here twice.
    Map(Vec<(Node, Node)>),
}

/// Why a text is not YAML that descriptors are written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where the reader stopped.
    pub position: Position,
    /// What it did not understand.
    pub message: String,
}

/// Reads one document.
///
/// # Errors
/// Bytes that are not UTF-8, text that is not YAML, several documents in one file, tags, and nesting past the limit of
/// 128 levels or aliases that multiply past a bound.
pub fn parse(bytes: &[u8]) -> Result<Node, SyntaxError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = valid.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let column = String::from_utf8_lossy(valid.get(start..).unwrap_or_default()).chars().count() + 1;
        SyntaxError { position: Position { line, column }, message: "the bytes here are not UTF-8".to_owned() }
    })?;
    read(text, None).map_err(|error| SyntaxError {
        position: position(&error),
        message: strip_position(&error.to_string()).to_owned(),
    })
}

/// The position of the node with this number in a text that [`parse`] has read; zeros for a number that it has not.
#[must_use]
pub fn locate(bytes: &[u8], id: NodeId) -> Position {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    read(text, Some(id)).err().map(|error| position(&error)).unwrap_or_default()
}

fn read(text: &str, stop_at: Option<NodeId>) -> Result<Node, serde_yaml::Error> {
    let reader = Reader { next: &Cell::new(0), stop_at };
    reader.deserialize(serde_yaml::Deserializer::from_str(text))
}

fn position(error: &serde_yaml::Error) -> Position {
    error.location().map(|location| Position { line: location.line(), column: location.column() }).unwrap_or_default()
}

/// The message without the "at line 3 column 5" that the library ends it with.
fn strip_position(message: &str) -> &str {
    message.rfind(" at line ").and_then(|at| message.get(..at)).unwrap_or(message)
}

#[derive(Clone, Copy)]
struct Reader<'c> {
    next: &'c Cell<NodeId>,
    stop_at: Option<NodeId>,
}

impl Reader<'_> {
    /// Numbers a node, or fails at the one that is looked for: the library then adds where it stands.
    fn number<E: de::Error>(self) -> Result<NodeId, E> {
        let id = self.next.get();
        self.next.set(id + 1);
        if self.stop_at == Some(id) { Err(E::custom("here")) } else { Ok(id) }
    }

    fn leaf<E: de::Error>(self, kind: Kind) -> Result<Node, E> {
        Ok(Node { id: self.number()?, kind })
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Node;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("YAML without tags")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Node, E> {
        self.leaf(Kind::Null)
    }

    fn visit_none<E: de::Error>(self) -> Result<Node, E> {
        self.leaf(Kind::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Node, E> {
        self.leaf(Kind::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Node, E> {
        self.leaf(Kind::Int(value.into()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Node, E> {
        self.leaf(Kind::Int(value.into()))
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Node, E> {
        self.leaf(Kind::Int(value))
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Node, E> {
        self.leaf(i128::try_from(value).map_or_else(|_| Kind::Text(value.to_string()), Kind::Int))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Node, E> {
        self.leaf(Kind::Float(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Node, E> {
        self.leaf(Kind::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let id = self.number()?;
        let mut list = Vec::new();
        while let Some(node) = access.next_element_seed(self)? {
            list.push(node);
        }
        Ok(Node { id, kind: Kind::List(list) })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let id = self.number()?;
        let mut pairs = Vec::new();
        while let Some(key) = access.next_key_seed(self)? {
            pairs.push((key, access.next_value_seed(self)?));
        }
        Ok(Node { id, kind: Kind::Map(pairs) })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Node, A::Error> {
        Err(de::Error::custom("a tag (`!name`) has no meaning in a descriptor"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_found_where_it_stands() {
        let text = "a: 1\nlist:\n  - x\n  - { n: [2, -3], é: { k: ~ } }\n";
        let root = parse(text.as_bytes()).unwrap();
        let mut found = Vec::new();
        walk(&root, &mut |node| {
            let Position { line, column } = locate(text.as_bytes(), node.id);
            let rest: String = text.lines().nth(line - 1).unwrap().chars().skip(column - 1).collect();
            found.push(format!("{line}:{column} {}", rest.split([',', '}', ']']).next().unwrap()));
        });
        assert_eq!(
            found,
            [
                "1:1 a: 1",
                "1:1 a: 1",
                "1:4 1",
                "2:1 list:",
                "3:3 - x",
                "3:5 x",
                "4:5 { n: [2",
                "4:7 n: [2",
                "4:10 [2",
                "4:11 2",
                "4:14 -3",
                "4:19 é: { k: ~ ",
                "4:22 { k: ~ ",
                "4:24 k: ~ ",
                "4:27 ~ ",
            ]
        );
    }

    fn walk(node: &Node, see: &mut dyn FnMut(&Node)) {
        see(node);
        match &node.kind {
            Kind::List(list) => list.iter().for_each(|node| walk(node, see)),
            Kind::Map(pairs) => pairs.iter().for_each(|(key, value)| {
                walk(key, see);
                walk(value, see);
            }),
            _ => {}
        }
    }
}
