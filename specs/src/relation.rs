//! Relations that a node must meet: `X[1] % group == 0`, `-rank(X) <= axis < rank(X)`, `mode is not linear or
//! rank(X) == 4`.
//!
//! They compare expressions of [`crate::terms`]. What names an absent attribute or input is neither true nor false, and
//! refuses nothing.

use std::fmt;

use crate::terms::{Expression, SIGNS};
use crate::tokens::{Notation, Reader, Wrong};

/// A relation: alternatives, each of them claims that hold together.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation(pub Vec<Vec<Claim>>);

/// A part of a relation, which is true or false of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// `a == b`, `a <= b < c`: numbers, each compared with the one before it.
    Compare(Expression, Vec<(Comparison, Expression)>),
    /// `given(X)`, `not given(X)`: whether a node has an attribute, an input or an output. An attribute with a default is
    /// given if it has another value.
    Given {
        /// The attribute, input or output.
        name: String,
        /// Whether the node has it.
        is: bool,
    },
    /// `mode is linear`, `mode is not linear`: whether a STRING attribute has a value.
    Word {
        /// The attribute.
        name: String,
        /// The value.
        word: String,
        /// Whether it has it.
        is: bool,
    },
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `a == b`
    Equal,
    /// `a != b`
    NotEqual,
    /// `a < b`
    Less,
    /// `a <= b`
    AtMost,
    /// `a > b`
    Greater,
    /// `a >= b`
    AtLeast,
}

impl Comparison {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Equal, "=="),
        (Self::NotEqual, "!="),
        (Self::Less, "<"),
        (Self::AtMost, "<="),
        (Self::Greater, ">"),
        (Self::AtLeast, ">="),
    ];

    /// Its sign.
    #[must_use]
    pub fn sign(self) -> &'static str {
        Self::ALL.iter().find(|(comparison, _)| *comparison == self).map_or("", |(_, sign)| sign)
    }
}

/// The forms of relations and their meaning, for the documentation.
pub const FORMS: &[(&str, &str)] = &[
    ("a == b, a != b", "the numbers are equal, or are not; each is written as in dimensions"),
    ("a < b, a <= b, a > b, a >= b", "their order; `0 <= a < b` compares each with the one before it"),
    ("mode is linear, mode is not linear", "the value of a STRING attribute"),
    (
        "given(X), not given(X)",
        "whether the node has the attribute, input or output; one with a default has another value",
    ),
    ("a and b, a or b", "both, or one of them; `and` binds closer"),
];

const NOTATION: Notation = Notation {
    signs: SIGNS,
    literals: false,
    name: "an attribute or input",
    help: "a relation compares numbers that are written as in `dims`: `X[1] % group == 0`, `-rank(X) <= axis < rank(X)`; \
           or is `mode is linear`, `given(X)`; joined by `and` and `or`",
};

impl Relation {
    /// Reads `X[1] % group == 0`.
    ///
    /// # Errors
    /// The message and the help, if the text is no relation.
    ///
    /// ```
    /// use shape_specs::relation::Relation;
    /// let relation = Relation::parse("mode is not linear or -rank(X) <= axis < rank(X) and given(B)").unwrap();
    /// assert_eq!(relation.to_string(), "mode is not linear or -rank(X) <= axis < rank(X) and given(B)");
    /// assert_eq!(Relation::parse("rank(X)").unwrap_err().0, "expected a comparison, found the end, in `rank(X)`");
    /// ```
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let mut reader = Reader::new(text, &NOTATION)?;
        let mut alternatives = Vec::new();
        loop {
            let mut claims = vec![claim(&mut reader)?];
            while reader.take("and") {
                claims.push(claim(&mut reader)?);
            }
            alternatives.push(claims);
            if !reader.take("or") {
                break;
            }
        }
        reader.end()?;
        Ok(Self(alternatives))
    }

    /// All claims, in the order of the text.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.0.iter().flatten()
    }
}

impl Claim {
    /// The expressions that it compares.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let (first, rest) = match self {
            Self::Compare(first, rest) => (Some(first), &**rest),
            Self::Given { .. } | Self::Word { .. } => (None, &[][..]),
        };
        first.into_iter().chain(rest.iter().map(|(_, expression)| expression))
    }
}

fn claim(reader: &mut Reader<'_>) -> Result<Claim, Wrong> {
    let is = !reader.take("not");
    if reader.take("given") {
        reader.expect("(")?;
        let name = reader.name()?;
        reader.expect(")")?;
        return Ok(Claim::Given { name, is });
    }
    if !is {
        return Err(reader.unexpected("`given`"));
    }
    let first = reader.sum(0)?;
    if let Expression::Name(name) = &first
        && reader.take("is")
    {
        let is = !reader.take("not");
        return Ok(Claim::Word { name: name.clone(), word: reader.name()?, is });
    }
    let mut rest = Vec::new();
    while let Some((comparison, sign)) = Comparison::ALL.iter().find(|(_, sign)| reader.peek() == Some(sign)) {
        reader.take(sign);
        rest.push((*comparison, reader.sum(0)?));
    }
    if rest.is_empty() {
        return Err(reader.unexpected("a comparison"));
    }
    Ok(Claim::Compare(first, rest))
}

impl fmt::Display for Relation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, claims) in self.0.iter().enumerate() {
            formatter.write_str(if index == 0 { "" } else { " or " })?;
            for (index, claim) in claims.iter().enumerate() {
                write!(formatter, "{}{claim}", if index == 0 { "" } else { " and " })?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compare(first, rest) => {
                write!(formatter, "{first}")?;
                rest.iter().try_for_each(|(comparison, to)| write!(formatter, " {} {to}", comparison.sign()))
            }
            Self::Given { name, is } => write!(formatter, "{}given({name})", if *is { "" } else { "not " }),
            Self::Word { name, word, is } => write!(formatter, "{name} is {}{word}", if *is { "" } else { "not " }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_are_written_as_they_are_read() {
        for text in [
            "X[1] % group == 0",
            "0 <= axis < rank(X)",
            "W[1]*group == X[1] or rank(X) != 4 and not given(B)",
            "mode is linear or mode is not cubic or given(pads)",
            "min(split) > 0",
            "a - 1 >= -b",
            "dtype == type(X)",
        ] {
            assert_eq!(Relation::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_relation() {
        for (text, message) in [
            ("", "expected an attribute or input, found the end, in ``"),
            ("a =", "`=` has no meaning in `a =`"),
            ("a == b c", "expected the end, found `c`, in `a == b c`"),
            ("not a == b", "expected `given`, found `a`, in `not a == b`"),
            ("a + 1 is linear", "expected a comparison, found `is`, in `a + 1 is linear`"),
            ("a == 1 and", "expected an attribute or input, found the end, in `a == 1 and`"),
            ("mode is 3", "expected an attribute or input, found `3`, in `mode is 3`"),
        ] {
            assert_eq!(Relation::parse(text).unwrap_err().0, message);
        }
    }
}
