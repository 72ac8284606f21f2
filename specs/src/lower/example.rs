//! Writes the examples of an operator as one text, for the runner of onnxspec-core.
//!
//! A text costs the compiler nothing, where thousands of constants take it longer than all else in a build of tests.
//! `shape_core::example::read` has the grammar.

use std::fmt::{Display, Write as _};

use shape_yaml::Position;

use super::constant::Constant;
use super::value::{kind_of, value};
use crate::operator::{Argument, Entry, Example, Expectation, Graph, Operator, Tensor};

/// The examples of an operator, a line for each. `place` says for a position what stands in the text.
///
/// It leaves out an example with an attribute value that attributes cannot have, which was reported as an error.
#[must_use]
pub fn examples(operator: &Operator, place: &mut dyn FnMut(Position) -> Position) -> String {
    let mut all = String::new();
    for example in &operator.examples {
        let mut line = Line { text: String::new(), place };
        if line.example(example).is_some() {
            line.text.pop();
            all.push_str(&line.text);
            all.push('\n');
        }
    }
    all
}

/// The line of an example.
struct Line<'p> {
    text: String,
    place: &'p mut dyn FnMut(Position) -> Position,
}

impl Line<'_> {
    /// A number or a keyword; texts with other characters are written by [`Self::text`].
    fn word(&mut self, word: impl Display) {
        // Writing to a string does not fail.
        let _ = write!(self.text, "{word} ");
    }

    fn nothing(&mut self) {
        self.word("-");
    }

    /// A text: as it is where it is one word, and otherwise behind its length.
    fn text(&mut self, text: &str) {
        let is_word = !text.is_empty() && text != "-" && text.chars().all(|c| c != ':' && c.is_ascii_graphic());
        if is_word { self.word(text) } else { self.word(format_args!("{}:{text}", text.len())) }
    }

    fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        self.word(items.len());
        for of in items {
            item(self, of);
        }
    }

    fn example(&mut self, example: &Example) -> Option<()> {
        let Example { name, position, since, until, release, inputs, attributes, expect, source: _ } = example;
        self.text(name);
        self.place(*position);
        self.word(since);
        match until {
            Some(until) => self.word(until),
            None => self.nothing(),
        }
        match release {
            Some(release) => self.word(release),
            None => self.nothing(),
        }
        self.optional(inputs);
        self.word(attributes.len());
        for (name, argument) in attributes {
            self.text(name);
            self.argument(argument)?;
        }
        match expect {
            Expectation::Outputs(outputs) => {
                self.word("outputs");
                self.optional(outputs);
            }
            Expectation::Error(code) => {
                self.word("error");
                self.text(code);
            }
        }
        Some(())
    }

    fn place(&mut self, position: Position) {
        let Position { line, column } = (self.place)(position);
        self.word(line);
        self.word(column);
    }

    fn optional(&mut self, tensors: &[Option<Tensor>]) {
        self.list(tensors, |line, tensor| match tensor {
            Some(tensor) => line.tensor(tensor),
            None => line.nothing(),
        });
    }

    fn tensor(&mut self, tensor: &Tensor) {
        let Tensor { ty, position, dims, values, unchecked } = tensor;
        self.text(&ty.word());
        self.place(*position);
        self.entries(dims.as_deref());
        self.entries(values.as_deref());
        match unchecked {
            Some(why) => self.text(why),
            None => self.nothing(),
        }
    }

    fn entries(&mut self, entries: Option<&[Entry]>) {
        let Some(entries) = entries else { return self.nothing() };
        self.list(entries, |line, Entry { text, position }| {
            line.text(text);
            line.place(*position);
        });
    }

    fn argument(&mut self, argument: &Argument) -> Option<()> {
        match argument {
            Argument::Value(literal) => {
                let kind = kind_of(literal)?;
                self.word(format_args!("{kind:?}"));
                self.value(&value(kind, literal)?);
            }
            Argument::Tensor(of) => {
                self.word("Tensor");
                self.tensor(of);
            }
            Argument::Type(ty) => {
                self.word("TypeProto");
                self.text(&ty.word());
            }
            Argument::Graph(Graph { inputs, outputs }) => {
                self.word("Graph");
                self.list(inputs, Self::tensor);
                self.list(outputs, Self::tensor);
            }
        }
        Some(())
    }

    /// The value of an attribute, whose kind stands before it.
    fn value(&mut self, value: &Constant<'_>) {
        match value {
            Constant::Int(number) => self.word(number),
            Constant::Float(number) => self.word(format_args!("{number:?}")),
            Constant::Bytes(bytes) => self.text(&String::from_utf8_lossy(bytes)),
            Constant::List(values) => self.list(values, Self::value),
            Constant::Variant { fields, .. } => fields.iter().for_each(|field| self.value(field)),
            _ => {}
        }
    }
}
