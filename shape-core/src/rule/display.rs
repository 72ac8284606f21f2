//! Terms as they are written in a descriptor.

use core::fmt;

use super::term::Term;
use crate::dimension::Operation;
use crate::signature::{Attribute, Expression, FormalParameter};

/// The terms as they are written in the version's descriptor.
#[must_use]
pub fn display_terms(
    terms: &'static [Term],
    attributes: &'static [Attribute],
    inputs: &'static [FormalParameter],
) -> impl fmt::Display {
    Display { terms, attributes, inputs }
}

struct Display {
    terms: &'static [Term],
    attributes: &'static [Attribute],
    inputs: &'static [FormalParameter],
}

impl Display {
    fn input(&self, place: usize) -> &'static str {
        self.inputs.get(place).map_or("?", |input| input.name)
    }

    fn attribute(&self, place: usize) -> &'static str {
        self.attributes.get(place).map_or("?", |attribute| attribute.name)
    }

    fn stretch(&self, formatter: &mut fmt::Formatter<'_>, of: &str, from: i64, to: Option<i64>) -> fmt::Result {
        match (from, to) {
            (0, None) => write!(formatter, "...{of}"),
            (0, Some(to)) => write!(formatter, "...{of}[:{to}]"),
            (from, None) => write!(formatter, "...{of}[{from}:]"),
            (from, Some(to)) => write!(formatter, "...{of}[{from}:{to}]"),
        }
    }

    fn fold(&self, formatter: &mut fmt::Formatter<'_>, operation: Operation, of: &str) -> fmt::Result {
        write!(formatter, "{}({of})", if operation == Operation::Max { "max" } else { "min" })
    }

    /// An expression, in parentheses if it is a sum next to an operator of higher precedence.
    fn expression(&self, formatter: &mut fmt::Formatter<'_>, of: &Expression, closer: bool) -> fmt::Result {
        match of {
            Expression::Int(number) => write!(formatter, "{number}"),
            Expression::Attribute(place) => formatter.write_str(self.attribute(*place)),
            Expression::Entry(place, index) => write!(formatter, "{}[{index}]", self.attribute(*place)),
            Expression::Length(lists) => {
                formatter.write_str("len(")?;
                for (index, place) in lists.iter().enumerate() {
                    write!(formatter, "{}{}", if index == 0 { "" } else { ", " }, self.attribute(*place))?;
                }
                formatter.write_str(")")
            }
            Expression::Element(place) => formatter.write_str(self.input(*place)),
            Expression::Axis(place, index) => write!(formatter, "{}[{index}]", self.input(*place)),
            Expression::Rank(place) => write!(formatter, "rank({})", self.input(*place)),
            Expression::Size(place) => write!(formatter, "size({})", self.input(*place)),
            Expression::AxisAt(place, axis) => {
                write!(formatter, "{}[{}]", self.input(*place), self.attribute(*axis))
            }
            Expression::FoldEntries(operation, place) => self.fold(formatter, *operation, self.attribute(*place)),
            Expression::FoldElements(operation, place) => self.fold(formatter, *operation, self.input(*place)),
            Expression::Type(place) => write!(formatter, "type({})", self.input(*place)),
            Expression::AttributeType(place) => write!(formatter, "type({})", self.attribute(*place)),
            Expression::ElementType(ty) => formatter.write_str(ty.name()),
            Expression::Operation(operation, left, right) => {
                let (sign, binds) = match operation {
                    Operation::Add => (" + ", false),
                    Operation::Sub => (" - ", false),
                    Operation::Mul => ("*", true),
                    Operation::FloorDiv => ("//", true),
                    Operation::Mod => (" % ", true),
                    Operation::Min | Operation::Max => {
                        formatter.write_str(if *operation == Operation::Min { "min(" } else { "max(" })?;
                        self.expression(formatter, left, false)?;
                        formatter.write_str(", ")?;
                        self.expression(formatter, right, false)?;
                        return formatter.write_str(")");
                    }
                };
                formatter.write_str(if closer { "(" } else { "" })?;
                self.expression(formatter, left, binds && is_sum(left))?;
                formatter.write_str(sign)?;
                self.expression(formatter, right, matches!(right, Expression::Operation(..)))?;
                formatter.write_str(if closer { ")" } else { "" })
            }
        }
    }
}

const fn is_sum(of: &Expression) -> bool {
    matches!(of, Expression::Operation(Operation::Add | Operation::Sub, ..))
}

impl fmt::Display for Display {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[")?;
        for (index, term) in self.terms.iter().enumerate() {
            formatter.write_str(if index == 0 { "" } else { ", " })?;
            match *term {
                Term::Data => formatter.write_str("?")?,
                Term::Dim(expression) => self.expression(formatter, &expression, false)?,
                Term::Axes { input, from, to } => self.stretch(formatter, self.input(input), from, to)?,
                Term::Entries { attribute, from, to } => {
                    self.stretch(formatter, self.attribute(attribute), from, to)?;
                }
            }
        }
        formatter.write_str("]")
    }
}
