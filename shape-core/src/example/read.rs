//! Reads the text of examples that `shape_specs::lower` writes.
//!
//! ```text
//! examples   = { name place since (until | "-") (release | "-") inputs attributes ("outputs" outputs | "error" code) }
//! place      = line column, or the number of a row of the table of places and 0
//! inputs     = outputs = count { value | "-" }
//! value      = type place entries entries (text | "-"): dimensions, elements, and why it is unchecked
//! entries    = count { text place } | "-"
//! attributes = count { name argument }
//! argument   = ("Int" | "Float" | "String") word | ("Ints" | "Floats" | "Strings") count { word }
//!            | "Tensor" value | "TypeProto" type | "Graph" count { value } count { value }
//! ```
//!
//! Blanks are between words. A text that is no word stands behind the number of its bytes: `7:a\nb: c`.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::data::{Argument, Entry, Example, Expectation, Graph, Place, Value};
use crate::code::Code;
use crate::data_type::DataType;
use crate::node::{AttributeValue, StringsView};
use crate::types::Type;

/// Reads the examples in a text that generated code has; what is read lives as long as the process.
///
/// A derive does not know where its tokens stand: the places of its text are rows of a table.
///
/// # Errors
/// The text is of another form.
#[doc(hidden)]
pub fn read(text: &'static str, places: &[Place]) -> Result<Vec<Example>, Unreadable> {
    let mut reader = Reader { rest: text.trim_ascii_start(), places };
    let mut examples = Vec::new();
    while !reader.rest.is_empty() {
        examples.push(reader.example()?);
    }
    Ok(examples)
}

/// A text that is not of the form of examples.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable {
    expected: &'static str,
    /// The text from there on.
    rest: &'static str,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected, rest } = self;
        match rest.lines().next() {
            Some(line) => write!(formatter, "expected {expected}, found `{line}`"),
            None => write!(formatter, "expected {expected}, found the end"),
        }
    }
}

/// A part of the text, or what was expected in its place.
type Part<T> = Result<T, Unreadable>;

/// Reads from the front of a text.
struct Reader<'p> {
    rest: &'static str,
    places: &'p [Place],
}

impl Reader<'_> {
    fn expected<T>(&self, expected: &'static str) -> Part<T> {
        Err(Unreadable { expected, rest: self.rest })
    }

    /// What a function makes of the next word.
    fn word<T>(&mut self, expected: &'static str, read: impl FnOnce(&'static str) -> Option<T>) -> Part<T> {
        let (word, rest) = self.rest.split_once([' ', '\n']).unwrap_or((self.rest, ""));
        let Some(item) = read(word) else { return self.expected(expected) };
        self.rest = rest.trim_ascii_start();
        Ok(item)
    }

    fn number<T: FromStr>(&mut self) -> Part<T> {
        self.word("a number", |word| word.parse().ok())
    }

    fn text(&mut self) -> Part<&'static str> {
        let end = self.rest.find([' ', '\n', ':']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        let text = match rest.strip_prefix(':') {
            Some(rest) => word.parse().ok().and_then(|length| rest.split_at_checked(length)),
            None => Some((word, rest)).filter(|_| !word.is_empty()),
        };
        let Some((text, rest)) = text else { return self.expected("a text") };
        self.rest = rest.trim_ascii_start();
        Ok(text)
    }

    /// What a function reads, or nothing for `-`.
    fn optional<T>(&mut self, read: impl FnOnce(&mut Self) -> Part<T>) -> Part<Option<T>> {
        match self.word("", |word| (word == "-").then_some(())) {
            Ok(()) => Ok(None),
            Err(_) => read(self).map(Some),
        }
    }

    /// Each has a word at least, so that a wrong count ends with the text.
    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Part<T>) -> Part<&'static [T]> {
        let count: usize = self.number()?;
        let items: Part<Vec<T>> = (0..count).map(|_| read(self)).collect();
        items.map(|items| &*items.leak())
    }

    fn place(&mut self) -> Part<Place> {
        let before = self.rest;
        let (line, column) = (self.number()?, self.number()?);
        if column > 0 {
            return Ok(Place { line, column });
        }
        let row = usize::try_from(line).ok().and_then(|row| self.places.get(row).copied());
        row.ok_or(Unreadable { expected: "a row of the table of places", rest: before })
    }

    fn example(&mut self) -> Part<Example> {
        Ok(Example {
            name: self.text()?,
            place: self.place()?,
            since: self.number()?,
            until: self.optional(Self::number)?,
            release: self.optional(|reader| reader.word("a release", |word| word.parse().ok()))?,
            inputs: self.list(|reader| reader.optional(Self::value))?,
            attributes: self.list(|reader| Ok((reader.text()?, reader.argument()?)))?,
            expect: self.expectation()?,
        })
    }

    fn expectation(&mut self) -> Part<Expectation> {
        let before = self.rest;
        match self.word("`outputs` or `error`", Some)? {
            "outputs" => self.list(|reader| reader.optional(Self::value)).map(Expectation::Outputs),
            "error" => self.word("a code", Code::from_name).map(Expectation::Error),
            _ => Err(Unreadable { expected: "`outputs` or `error`", rest: before }),
        }
    }

    fn value(&mut self) -> Part<Value> {
        Ok(Value {
            ty: self.ty()?,
            place: self.place()?,
            dims: self.optional(|reader| reader.list(Self::entry))?,
            elements: self.optional(|reader| reader.list(Self::entry))?,
            unchecked: self.optional(Self::text)?,
        })
    }

    fn entry(&mut self) -> Part<Entry> {
        Ok(Entry { text: self.text()?, place: self.place()? })
    }

    fn argument(&mut self) -> Part<Argument> {
        let before = self.rest;
        Ok(Argument::Value(match self.word("the kind of an attribute", Some)? {
            "Int" => AttributeValue::Int(self.number()?),
            "Float" => AttributeValue::Float(self.number()?),
            "String" => AttributeValue::String(self.text()?.as_bytes()),
            "Ints" => AttributeValue::Ints(self.list(Self::number)?),
            "Floats" => AttributeValue::Floats(self.list(Self::number)?),
            "Strings" => {
                let strings = self.list(|reader| reader.text().map(str::as_bytes))?;
                AttributeValue::Strings(StringsView::new(strings))
            }
            "Tensor" => return self.value().map(Argument::Tensor),
            "TypeProto" => return self.ty().map(Argument::Type),
            "Graph" => {
                let (inputs, outputs) = (self.list(Self::value)?, self.list(Self::value)?);
                return Ok(Argument::Graph(Graph { inputs, outputs }));
            }
            _ => return Err(Unreadable { expected: "the kind of an attribute", rest: before }),
        }))
    }

    fn ty(&mut self) -> Part<Type> {
        let before = self.rest;
        ty(self.text()?, DEEPEST).ok_or(Unreadable { expected: "a type", rest: before })
    }
}

/// More forms than a [`Type`] has room for; a text of a million must not exhaust the stack.
const DEEPEST: u32 = 8;

/// The type in a text, which nests at most so deep.
fn ty(text: &str, depth: u32) -> Option<Type> {
    let Some((form, inner)) = text.split_once('(') else { return DataType::from_name(text).map(Type::tensor) };
    let (inner, within) = (inner.strip_suffix(')')?, |text| ty(text, depth.checked_sub(1)?));
    match form {
        "tensor" => DataType::from_name(inner).map(Type::tensor),
        "sparse_tensor" => DataType::from_name(inner).map(Type::sparse_tensor),
        "seq" => within(inner)?.sequence(),
        "optional" => within(inner)?.optional(),
        "map" => inner.split_once(", ").and_then(|(key, of)| within(of)?.map(DataType::from_name(key)?)),
        _ => None,
    }
}
