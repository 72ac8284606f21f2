//! Relations: `X[1] % group == 0`, `-rank(X) <= axis < rank(X)`, `mode is not linear or rank(X) == 4`.
//!
//! All small texts in a descriptor are in one language, whose grammar is:
//!
//! ```text
//! relation   = claims { "or" claims }
//! claims     = claim { "and" claim }
//! claim      = sum compared sum { compared sum }
//!            | name "is" [ "not" ] word
//!            | "type" "(" name ")" "is" [ "not" ] word
//!            | [ "not" ] question "(" [ name { "," name } ] ")"
//! compared   = "==" | "!=" | "<" | "<=" | ">" | ">="
//! question   = "given", and in an adapter the words of QUESTIONS
//!
//! sum        = product { ( "+" | "-" ) product }
//! product    = factor { ( "*" | "//" | "%" ) factor }
//! factor     = number | name | "-" factor | "(" sum ")" | name "[" ( integer | name ) "]"
//!            | "rank" "(" name ")" | "size" "(" name ")" | "type" "(" name ")" | "len" "(" name { "," name } ")"
//!            | ( "min" | "max" ) "(" ( name | sum "," sum ) ")"
//!            | ( "inputs" | "outputs" ) "(" ")" | value
//! value      = number with a point | "'" text "'" | "[" [ sum { "," sum } ] "]" | maker "(" sum { "," sum } ")"
//! maker      = the words of terms::MAKERS
//!
//! dimensions = "[" [ term { "," term } ] "]"
//! term       = sum | "?" | "..." name [ "[" [ integer ] ":" [ integer ] "]" ]
//! ```
//!
//! A field of a descriptor has one of these: `dims` are dimensions, `that` is a relation, `when` and `unless` are
//! relations, and `formula` and what stands in a new node are sums. Two things are for adapters alone:
//!
//! - The questions `constant`, `same`, `suffix` and `agree`, `inputs()` and `outputs()`. A relation says what holds of a
//!   node whatever is known of it, and where it does not, a finding shows the numbers in it; an adapter asks what is
//!   known before it acts on it, and compares what both versions do.
//! - Values that are no numbers: texts and lists. A relation and a dimension are of whole numbers. An adapter writes
//!   the attributes and inputs of new nodes, which may be anything.
//!
//! The same text may be unknown of a node, if it names an absent attribute or input, or what is not known before the
//! model runs. Such a relation refuses nothing, and such an action is not done.

use std::fmt;

use crate::terms::{Expression, listed, shown};
use crate::tokens::{Notation, Reader, Wrong};

/// A relation: it holds if all claims of at least one alternative hold.
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
    /// `type(X) is float`, `type(X) is not float`: whether an input, or what is in an attribute, has an element type.
    Type {
        /// The input or attribute.
        name: String,
        /// The element type, by its name in ONNX.
        ty: String,
        /// Whether it has it.
        is: bool,
    },
    /// `same(A, B)`, `not constant(X)`: a question that only adapters may ask.
    Asked {
        /// The question.
        question: Question,
        /// The inputs and outputs that it is about.
        of: Vec<String>,
        /// Whether the answer is yes.
        is: bool,
    },
}

/// A question about a node that only adapters may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "QUESTIONS says what each is")]
pub enum Question {
    Constant,
    Same,
    Suffix,
    Agree,
}

/// The questions that only adapters may ask: how each is written, and its meaning.
pub const QUESTIONS: &[(&str, Question, &str)] = &[
    ("constant(X)", Question::Constant, "whether the elements of an input are known before the model runs"),
    (
        "same(X, Y)",
        Question::Same,
        "whether two inputs or outputs, and all values of variadic ones, have the same dimensions",
    ),
    ("suffix(X, Y)", Question::Suffix, "whether the dimensions of `X` are the last ones of `Y`"),
    ("agree()", Question::Agree, "whether the rules of both versions give the outputs the same dimensions"),
];

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
    (
        "a < b, a <= b, a > b, a >= b",
        "their order; `0 <= a < b` compares each with the one before it; a side may be a FLOAT attribute",
    ),
    ("mode is linear, mode is not linear", "the value of a STRING attribute"),
    ("type(X) is float, type(X) is not float", "the element type of an input, or of what is in an attribute"),
    (
        "given(X), not given(X)",
        "whether the node has the attribute, input or output; one with a default has another value, and a name that a \
         required input and an output share is the output",
    ),
    ("a and b, a or b", "both, or one of them; `and` binds closer"),
];

const NOTATION: Notation = Notation {
    conditions: false,
    values: false,
    name: "an attribute or input",
    help: "a relation compares numbers that are written as in `dims`: `X[1] % group == 0`, `-rank(X) <= axis < \
           rank(X)`; or is `mode is linear`, `type(X) is float`, `given(X)`; joined by `and` and `or`",
};

const CONDITION: Notation = Notation {
    conditions: true,
    values: false,
    name: "a name",
    help: "a condition is written as in `requires`: `axis == rank(X) - 1`, `mode is linear`, `type(X) is float`, \
           `given(X)`, joined by `and` and `or`; or asks `constant(X)`, `same(X, Y)`, `suffix(X, Y)` or `agree()`",
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
        Self::read(text, &NOTATION)
    }

    /// Reads the condition of an adapter's action, which may also contain each [`Question`].
    ///
    /// # Errors
    /// The message and the help, if the text is none.
    ///
    /// ```
    /// use shape_specs::relation::Relation;
    /// let condition = Relation::condition("mode is nearest and not constant(scales)").unwrap();
    /// assert_eq!(condition.to_string(), "mode is nearest and not constant(scales)");
    /// let message = Relation::parse("constant(scales)").unwrap_err().0;
    /// assert_eq!(message, "`constant` is for adapters alone, in `constant(scales)`");
    /// ```
    pub fn condition(text: &str) -> Result<Self, Wrong> {
        Self::read(text, &CONDITION)
    }

    fn read(text: &str, notation: &'static Notation) -> Result<Self, Wrong> {
        let mut reader = Reader::new(text, notation)?;
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
            _ => (None, &[][..]),
        };
        first.into_iter().chain(rest.iter().map(|(_, expression)| expression))
    }

    /// The attributes, inputs and outputs that it names, in the order of the text.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        match self {
            Self::Compare(..) => self.expressions().for_each(|expression| expression.names(&mut names)),
            Self::Given { name, .. } | Self::Word { name, .. } | Self::Type { name, .. } => names.push(name),
            Self::Asked { of, .. } => names.extend(of.iter().map(String::as_str)),
        }
        names
    }
}

fn claim(reader: &mut Reader<'_>) -> Result<Claim, Wrong> {
    let is = !reader.take("not");
    if reader.calls("given") {
        reader.skip();
        reader.expect("(")?;
        let name = reader.name()?;
        reader.expect(")")?;
        return Ok(Claim::Given { name, is });
    }
    if let Some((call, question, _)) = QUESTIONS.iter().find(|(call, ..)| reader.calls(shown(call).0)) {
        let (word, count) = shown(call);
        if !reader.notation.conditions {
            return Err(reader.wrong(&format!("`{word}` is for adapters alone")));
        }
        reader.skip();
        reader.expect("(")?;
        let mut of = Vec::new();
        for index in 0..count {
            if index > 0 {
                reader.expect(",")?;
            }
            of.push(reader.name()?);
        }
        reader.expect(")")?;
        return Ok(Claim::Asked { question: *question, of, is });
    }
    if !is {
        return Err(reader.unexpected("`given`"));
    }
    let first = reader.sum(0)?;
    if let Expression::Name(name) | Expression::Type(name) = &first
        && reader.take("is")
    {
        let (is, name) = (!reader.take("not"), name.clone());
        let word = reader.name()?;
        return Ok(match first {
            Expression::Type(_) => Claim::Type { name, ty: word, is },
            _ => Claim::Word { name, word, is },
        });
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
        let not = |is: &bool| if *is { "" } else { "not " };
        match self {
            Self::Compare(first, rest) => {
                write!(formatter, "{first}")?;
                rest.iter().try_for_each(|(comparison, to)| write!(formatter, " {} {to}", comparison.sign()))
            }
            Self::Given { name, is } => write!(formatter, "{}given({name})", not(is)),
            Self::Word { name, word, is } => write!(formatter, "{name} is {}{word}", not(is)),
            Self::Type { name, ty, is } => write!(formatter, "type({name}) is {}{ty}", not(is)),
            Self::Asked { question, of, is } => {
                let call = QUESTIONS.iter().find(|(_, known, _)| known == question).map_or("", |(call, ..)| call);
                write!(formatter, "{}{}({})", not(is), shown(call).0, listed(of))
            }
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
            "type(X) is float or type(X) is not int8",
        ] {
            assert_eq!(Relation::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn conditions_are_written_as_they_are_read() {
        for text in [
            "axis == rank(X) - 1 or not given(axis)",
            "constant(X) and not same(A, B) or suffix(A, B)",
            "not agree() and mode is nearest",
        ] {
            assert_eq!(Relation::condition(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_condition() {
        for (text, message) in [
            ("", "expected a name, found the end, in ``"),
            ("mode == 'nearest'", "expected a name, found `'nearest'`, in `mode == 'nearest'`"),
            ("mode is 'nearest'", "expected a name, found `'nearest'`, in `mode is 'nearest'`"),
            ("not(given(X))", "expected `given`, found `(`, in `not(given(X))`"),
            ("not mode is nearest", "expected `given`, found `mode`, in `not mode is nearest`"),
            ("same(A)", "expected `,`, found `)`, in `same(A)`"),
            ("same(A, B, C)", "expected `)`, found `,`, in `same(A, B, C)`"),
            ("same(A, B[0])", "expected `)`, found `[`, in `same(A, B[0])`"),
            ("agree(X)", "expected `)`, found `X`, in `agree(X)`"),
            ("constant()", "expected a name, found `)`, in `constant()`"),
            (
                "range(1, 2) == 1",
                "`range` makes a list, which only a value in an adapter may be, in `range(1, 2) == 1`",
            ),
            ("dim(X, 0) == 1", "there is no function `dim`, in `dim(X, 0) == 1`"),
        ] {
            assert_eq!(Relation::condition(text).unwrap_err().0, message);
        }
    }

    #[test]
    fn what_is_no_relation() {
        for (text, message) in [
            ("", "expected an attribute or input, found the end, in ``"),
            ("a =", "expected a comparison, found `=`, in `a =`"),
            ("same(A, B)", "`same` is for adapters alone, in `same(A, B)`"),
            ("type(X) is", "expected an attribute or input, found the end, in `type(X) is`"),
            ("rank(X) is float", "expected a comparison, found `is`, in `rank(X) is float`"),
            ("X[0 == 1", "expected `]`, found `==`, in `X[0 == 1`"),
            ("(a == 1)", "expected `)`, found `==`, in `(a == 1)`"),
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
