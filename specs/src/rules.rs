//! The rules of outputs, for their types if the inputs leave them open, their dimensions and their elements.
//!
//! A type variable gives an output the type of an input. Without one, a short text in the descriptor says which
//! attribute, subgraph or part of an input's type determines it: `dtype`, `seq(dtype)`, `tensor(int64) if value_int`.

use std::fmt;

use crate::document::Literal;
use crate::names::is_identifier;
use crate::relation::Relation;
use crate::tables::{Tables, Type};
use crate::terms::{Expression, Terms};
use crate::tokens::Wrong;

/// The rules for an output.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputRule {
    /// The output.
    pub output: String,
    /// The sources of the type; the first one that determines a type is used.
    pub types: Vec<TypeSource>,
    /// The rule for the dimensions, and for the elements if it computes them too.
    pub dims: Option<DimsRule>,
    /// The rule for the elements.
    pub elements: Option<Call>,
    /// How many multiply-adds it takes in all; the first amount whose condition holds. Empty if a rule says it, or nothing.
    pub multiply_adds: Vec<Amount>,
}

/// An amount, and the condition under which it applies.
#[derive(Clone, Debug, PartialEq)]
pub struct Amount {
    /// The number.
    pub number: Expression,
    /// The condition; `None` if it always holds.
    pub condition: Option<Relation>,
    /// The condition as it is written; empty if there is none.
    pub text: String,
}

/// The rule for the dimensions of an output.
#[derive(Clone, Debug, PartialEq)]
pub enum DimsRule {
    /// A rule.
    Call(Call),
    /// The dimensions one by one.
    Terms(Terms),
    /// Several, of which the first one whose condition holds decides.
    Alternatives(Vec<Alternative>),
}

/// A rule for dimensions, and the condition under which it applies.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// The rule; it is not [`DimsRule::Alternatives`] again.
    pub dims: DimsRule,
    /// The condition; `None` if it always holds.
    pub condition: Option<Relation>,
    /// The condition as it is written; empty if there is none.
    pub text: String,
}

/// A call of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The rule: its name in `rules.yaml`, or the path of a function in the crate that the descriptor is compiled into.
    pub rule: String,
    /// The arguments, in the order of its parameters.
    pub arguments: Vec<Argument>,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// An attribute or input, by its name.
    Named(String),
    /// `nhwc(X)`: an input whose channels are its last axis; the rule sees them as axis 1, after the batch, and its
    /// output gets them as the last axis again.
    ChannelsLast(String),
    /// `inputs[::3]`: every third value of a variadic input, from its first value on.
    Every(String, usize),
    /// A number.
    Int(i64),
    /// An argument that is left out.
    Absent,
}

impl Argument {
    /// The attribute or input in it, if there is one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) | Self::ChannelsLast(name) | Self::Every(name, _) => Some(name),
            Self::Int(_) | Self::Absent => None,
        }
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => formatter.write_str(name),
            Self::ChannelsLast(name) => write!(formatter, "{NHWC}({name})"),
            Self::Every(name, step) => write!(formatter, "{name}[::{step}]"),
            Self::Int(number) => write!(formatter, "{number}"),
            Self::Absent => formatter.write_str("_"),
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}(", self.rule)?;
        for (index, argument) in self.arguments.iter().enumerate() {
            write!(formatter, "{}{argument}", if index == 0 { "" } else { ", " })?;
        }
        formatter.write_str(")")
    }
}

impl fmt::Display for DimsRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(call) => write!(formatter, "{call}"),
            Self::Terms(terms) => write!(formatter, "{terms}"),
            Self::Alternatives(alternatives) => {
                for (index, alternative) in alternatives.iter().enumerate() {
                    write!(formatter, "{}{alternative}", if index == 0 { "" } else { ", else " })?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Alternative {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dims, text, .. } = self;
        write!(formatter, "{dims}{}{text}", if text.is_empty() { "" } else { IF })
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, text, .. } = self;
        write!(formatter, "{number}{}{text}", if text.is_empty() { "" } else { IF })
    }
}

impl Amount {
    /// Reads `size(A)*N`, or `2*size(query)*total if given(key)`.
    ///
    /// # Errors
    /// The message and the help, if the text is neither.
    ///
    /// ```
    /// use shape_specs::rules::Amount;
    /// let amount = Amount::parse("size(A)*N if given(B)").unwrap();
    /// assert_eq!((amount.number.to_string(), amount.text), ("size(A)*N".to_owned(), "given(B)".to_owned()));
    /// ```
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let (number, condition) = conditional(text)?;
        let text = condition.as_ref().map(Relation::to_string).unwrap_or_default();
        Ok(Self { number: Expression::parse(number)?, condition, text })
    }
}

/// What stands before a condition, and the condition.
fn conditional(text: &str) -> Result<(&str, Option<Relation>), Wrong> {
    match text.split_once(IF) {
        None => Ok((text, None)),
        Some((of, condition)) => Ok((of, Some(Relation::parse(condition)?))),
    }
}

impl Alternative {
    /// Reads `same(X)`, or `same(X) if rank(X) == 3`.
    ///
    /// # Errors
    /// The message and the help, if the text is neither.
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let (dims, condition) = conditional(text)?;
        let text = condition.as_ref().map(Relation::to_string).unwrap_or_default();
        Ok(Self { dims: DimsRule::parse(dims)?, condition, text })
    }
}

/// What stands between a rule and its condition.
const IF: &str = " if ";

/// The word for an input whose channels are last.
const NHWC: &str = "nhwc";

impl DimsRule {
    /// Reads `reduce(data, axes, keepdims)`, or `[X[0], ...shape]`.
    ///
    /// # Errors
    /// The message and the help, if the text is neither.
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        if text.trim_start().starts_with('[') {
            return Terms::parse(text).map(Self::Terms);
        }
        Call::parse(text).map(Self::Call)
    }

    /// The calls of rules in it.
    #[must_use]
    pub fn calls(&self) -> Vec<&Call> {
        match self {
            Self::Call(call) => vec![call],
            Self::Terms(_) => Vec::new(),
            Self::Alternatives(alternatives) => alternatives.iter().flat_map(|of| of.dims.calls()).collect(),
        }
    }
}

impl Call {
    /// Whether the rule is a function of the crate that the descriptor is compiled into, not of onnxspec-core.
    #[must_use]
    pub fn is_custom(&self) -> bool {
        self.rule.contains("::")
    }

    /// Reads `reduce(data, axes, keepdims)`.
    ///
    /// # Errors
    /// The message and the help, if the text is not a call.
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let wrong = || {
            let help = "write the name of a rule and what it is given: `reduce(data, axes, keepdims)`".to_owned();
            (format!("`{text}` calls no rule"), Some(help))
        };
        let (rule, arguments) =
            text.trim().strip_suffix(')').and_then(|text| text.split_once('(')).ok_or_else(wrong)?;
        let arguments = arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty());
        let arguments = arguments.map(|argument| {
            Ok(match argument {
                "_" => Argument::Absent,
                number if number.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
                    Argument::Int(number.parse().map_err(|_| wrong())?)
                }
                named => {
                    let nhwc = named.strip_prefix(NHWC).and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
                    let every = named.strip_suffix(']').and_then(|rest| rest.split_once("[::"));
                    let name = |text: &str| name(text).map_err(|_| wrong());
                    match (nhwc, every) {
                        (Some(of), _) => Argument::ChannelsLast(name(of)?),
                        (None, Some((of, step))) => {
                            let step = step.parse().ok().filter(|step| *step > 1).ok_or_else(wrong)?;
                            Argument::Every(name(of)?, step)
                        }
                        (None, None) => Argument::Named(name(named)?),
                    }
                }
            })
        });
        let rule = rule.trim();
        if !rule.split("::").all(is_identifier) {
            return Err(wrong());
        }
        Ok(Self { rule: rule.to_owned(), arguments: arguments.collect::<Result<_, _>>()? })
    }
}

/// A possible source of a type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeSource {
    /// The type.
    pub of: TypeOf,
    /// The condition under which it is used.
    pub condition: Option<Condition>,
}

/// A type, or something that has one.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeOf {
    /// The type itself.
    Type(Type),
    /// An attribute or input, by its name. An INT or STRING attribute names an element type, for a tensor of it; a
    /// tensor stands for its own type; a graph stands for those of its outputs, beginning with `from`.
    Named {
        /// The name.
        name: String,
        /// The index of the first output that is used, if the attribute is a graph.
        from: usize,
    },
    /// `seq(...)` of it.
    Sequence(Box<TypeOf>),
    /// `optional(...)` of it.
    Optional(Box<TypeOf>),
    /// The type of a sequence's elements.
    Element(Box<TypeOf>),
    /// The type of an optional's or a map's values; any other type stands for itself.
    Value(Box<TypeOf>),
    /// An element of a variadic input that consists of `groups` groups of the same length. The second group contains
    /// gradients; the values that they update are the first group and those after the second, one for each output.
    Updated {
        /// The number of groups.
        groups: usize,
        /// The input.
        name: String,
    },
}

impl TypeOf {
    /// The attribute or input in it, if there is one, and the index of the first output that is used of a graph.
    #[must_use]
    pub fn named(&self) -> Option<(&str, usize)> {
        match self {
            Self::Type(_) => None,
            Self::Named { name, from } => Some((name, *from)),
            Self::Updated { name, .. } => Some((name, 0)),
            Self::Sequence(of) | Self::Optional(of) | Self::Element(of) | Self::Value(of) => of.named(),
        }
    }
}

/// The condition that a node has an attribute or input, and optionally its type or value.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Its name.
    pub name: String,
    /// The required type or value, if there is one.
    pub is: Option<Is>,
}

/// What an attribute or input must be.
#[derive(Clone, Debug, PartialEq)]
pub enum Is {
    /// An input of this type.
    Type(Type),
    /// An attribute with this value, possibly by default.
    Value(Literal),
}

impl fmt::Display for Is {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(ty) => write!(formatter, "{ty}"),
            Self::Value(Literal::Text(text)) => formatter.write_str(text),
            Self::Value(value) => write!(formatter, "{value}"),
        }
    }
}

impl fmt::Display for OutputRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, source) in self.types.iter().enumerate() {
            write!(formatter, "{}{source}", if index == 0 { "" } else { ", else " })?;
        }
        let mut said = !self.types.is_empty();
        let dims = self.dims.as_ref().map(ToString::to_string);
        let elements = self.elements.as_ref().map(ToString::to_string);
        let amounts = self.multiply_adds.iter().map(ToString::to_string).collect::<Vec<_>>();
        let multiply_adds = (!amounts.is_empty()).then(|| amounts.join(", else "));
        for (what, text) in [("dims", dims), ("elements", elements), ("multiply-adds", multiply_adds)] {
            if let Some(text) = text {
                write!(formatter, "{}{what} {text}", if said { "; " } else { "" })?;
                said = true;
            }
        }
        Ok(())
    }
}

impl fmt::Display for TypeSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.of)?;
        match &self.condition {
            None => Ok(()),
            Some(Condition { name, is: None }) => write!(formatter, " if {name}"),
            Some(Condition { name, is: Some(is) }) => write!(formatter, " if {name} is {is}"),
        }
    }
}

impl fmt::Display for TypeOf {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(ty) => write!(formatter, "{ty}"),
            Self::Named { name, from: 0 } => formatter.write_str(name),
            Self::Named { name, from } => write!(formatter, "{name}[{from}..]"),
            Self::Sequence(of) => write!(formatter, "seq({of})"),
            Self::Optional(of) => write!(formatter, "optional({of})"),
            Self::Element(of) => write!(formatter, "element({of})"),
            Self::Value(of) => write!(formatter, "value({of})"),
            Self::Updated { groups, name } => write!(formatter, "updated({groups}, {name})"),
        }
    }
}

impl TypeSource {
    /// Reads `tensor(int64) if value_int`.
    ///
    /// # Errors
    /// The message and the help, if the text is not a type source.
    pub fn parse(text: &str, tables: &Tables) -> Result<Self, Wrong> {
        let (of, condition) = match text.split_once(" if ") {
            None => (text, None),
            Some((of, condition)) => (of, Some(condition)),
        };
        let condition = condition.map(|condition| match condition.split_once(" is ") {
            None => Ok(Condition { name: name(condition)?, is: None }),
            Some((argument, is)) => {
                let is = match is.trim() {
                    ty if ty.contains('(') => Is::Type(tables.parse_type(ty)?),
                    value => Is::Value(value.parse().map_or_else(|_| Literal::Text(value.to_owned()), Literal::Int)),
                };
                Ok(Condition { name: name(argument)?, is: Some(is) })
            }
        });
        Ok(Self { of: type_of(of, tables)?, condition: condition.transpose()? })
    }
}

fn name(text: &str) -> Result<String, Wrong> {
    let text = text.trim();
    if text.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()) && text.starts_with(|c: char| !c.is_ascii_digit()) {
        return Ok(text.to_owned());
    }
    let help = "write the name of an attribute or input, a type, or `seq(...)`, `optional(...)`, `element(...)`, \
                `value(...)` or `updated(4, ...)` of one";
    Err((format!("`{text}` decides no type"), Some(help.to_owned())))
}

fn type_of(text: &str, tables: &Tables) -> Result<TypeOf, Wrong> {
    let text = text.trim();
    // A text of a million parentheses must not exhaust the stack.
    if text.matches('(').count() > 8 {
        return Err((
            format!("`{}...` nests deeper than any type of ONNX", text.chars().take(16).collect::<String>()),
            None,
        ));
    }
    if let Some((graph, from)) = text.split_once('[') {
        let from = from.strip_suffix("..]").and_then(|from| from.parse().ok());
        let help = || "the outputs of a graph but for the first are written `body[1..]`".to_owned();
        let from = from.ok_or_else(|| (format!("`{text}` decides no type"), Some(help())))?;
        return Ok(TypeOf::Named { name: name(graph)?, from });
    }
    let Some((form, inner)) = text.split_once('(').and_then(|(form, rest)| Some((form, rest.strip_suffix(')')?)))
    else {
        return Ok(TypeOf::Named { name: name(text)?, from: 0 });
    };
    let form: fn(Box<TypeOf>) -> TypeOf = match form.trim() {
        "seq" => TypeOf::Sequence,
        "optional" => TypeOf::Optional,
        "element" => TypeOf::Element,
        "value" => TypeOf::Value,
        "updated" => {
            let parts = inner.split_once(',').and_then(|(groups, of)| Some((groups.trim().parse().ok()?, of)));
            let help = || "write the number of groups and the variadic input: `updated(4, inputs)`".to_owned();
            let (groups, of) = parts.ok_or_else(|| (format!("`{text}` decides no type"), Some(help())))?;
            return Ok(TypeOf::Updated { groups, name: name(of)? });
        }
        _ => return tables.parse_type(text).map(TypeOf::Type),
    };
    match type_of(inner, tables)? {
        // A form that is part of a type belongs to that type.
        TypeOf::Type(_) => tables.parse_type(text).map(TypeOf::Type),
        of => Ok(form(Box::new(of))),
    }
}
