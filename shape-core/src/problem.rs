//! What can be wrong with a node, and the message for it.

use core::fmt;

use crate::code::Code;
use crate::node::{AttributeKind, AttributeValue};
use crate::signature::{
    Attribute, Exclusive, FormalParameter, MAX_SHOWN, OperandValue, ParameterType, Requirement, TypeConstraint,
};
use crate::types::Type;

/// Something that is wrong with a node.
///
/// Its `Display` is the sentence of a finding; [`Problem::code`] its code; [`Problem::expected`] and
/// [`Problem::found`] the two sides of it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Problem<'a> {
    /// An attribute that the version does not have.
    AttributeUnknown {
        /// The attribute's name.
        name: &'a str,
        /// The operator's name.
        operator: &'static str,
        /// The opset that introduced the version.
        since_version: u32,
        /// The attributes that it has.
        attributes: &'static [Attribute],
    },
    /// An attribute of another kind.
    AttributeType {
        /// The attribute's name.
        name: &'a str,
        /// The kind that it must have.
        expected: AttributeKind,
        /// The kind that it has.
        found: AttributeKind,
    },
    /// An attribute that appears twice.
    AttributeDuplicate {
        /// The attribute's name.
        name: &'a str,
    },
    /// An attribute without a value.
    AttributeNoValue {
        /// The attribute's name.
        name: &'a str,
        /// Its kind.
        kind: AttributeKind,
    },
    /// An attribute with neither a kind nor a value.
    AttributeNoKind {
        /// The attribute's name.
        name: &'a str,
    },
    /// A required attribute that is missing.
    AttributeMissing {
        /// The attribute.
        attribute: &'static Attribute,
    },
    /// A value outside of the allowed ones.
    AttributeValue {
        /// The attribute.
        attribute: &'static Attribute,
        /// The value found.
        found: AttributeValue<'a>,
    },
    /// An attribute that names an element type which ONNX does not have.
    NoElementType {
        /// The attribute.
        attribute: &'static Attribute,
        /// The value found.
        found: AttributeValue<'a>,
    },
    /// More than one attribute or input of those that exclude each other, or none if one is required.
    Exclusive {
        /// The constraint.
        exclusive: &'static Exclusive,
        /// The first two that are present.
        given: [Option<&'static str>; 2],
    },
    /// Too few or too many inputs or outputs.
    Count {
        /// Which of the two.
        side: Side,
        /// The minimum.
        min: usize,
        /// The maximum, if there is one.
        max: Option<usize>,
        /// The number found.
        found: usize,
    },
    /// An empty name for a required input.
    InputMissing {
        /// The formal input.
        parameter: &'static FormalParameter,
        /// Its index.
        index: usize,
    },
    /// A type that the version does not allow for an input or output.
    TypeNotAllowed {
        /// Input or output.
        side: Side,
        /// The index.
        index: usize,
        /// The formal parameter.
        parameter: &'static FormalParameter,
        /// The type variable, if the parameter's type is one.
        constraint: Option<&'static TypeConstraint>,
        /// The type found.
        found: Type,
    },
    /// A type variable that is bound to two types.
    TypeMismatch {
        /// Input or output.
        side: Side,
        /// The index.
        index: usize,
        /// The formal parameter.
        parameter: &'static FormalParameter,
        /// The type variable.
        constraint: &'static TypeConstraint,
        /// The type that it is already bound to.
        bound: Type,
        /// The type found.
        found: Type,
    },
    /// A relation of the version that the node does not meet.
    Requirement {
        /// The relation.
        requirement: &'static Requirement,
        /// The values of its operands, as far as they are known, in their order.
        found: [Option<OperandValue>; MAX_SHOWN],
    },
    /// A problem that the operator's rule found.
    Refused {
        /// The code of the finding.
        code: Code,
        /// What is wrong, in a sentence.
        message: &'static str,
        /// What is expected.
        expected: Detail,
        /// What is found.
        found: Detail,
    },
}

/// The expected or the found side of [`Problem::Refused`], for display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Text.
    Text(&'static str),
    /// A number of things: `24 elements`.
    Counted(u64, &'static str),
    /// A number.
    Int(i64),
    /// A size.
    Size(u64),
    /// An entry of a list: `-2 at entry 1`.
    Entry {
        /// Its index, from 0.
        index: usize,
        /// Its value.
        value: i64,
    },
}

impl fmt::Display for Detail {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => formatter.write_str(text),
            Self::Counted(count, what) => write!(formatter, "{count} {what}"),
            Self::Int(number) => write!(formatter, "{number}"),
            Self::Size(size) => write!(formatter, "{size}"),
            Self::Entry { index, value } => write!(formatter, "{value} at entry {index}"),
        }
    }
}

/// Inputs or outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The inputs of a node.
    Input,
    /// The outputs of a node.
    Output,
}

impl fmt::Display for Side {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Input => "input",
            Self::Output => "output",
        })
    }
}

impl<'a> Problem<'a> {
    /// A tensor whose rank the rule does not accept.
    pub(crate) const fn rank(message: &'static str, expected: Detail, found: usize) -> Self {
        let found = Detail::Counted(found as u64, "dimensions");
        Self::Refused { code: Code::RankMismatch, message, expected, found }
    }

    /// The code of the finding.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::AttributeUnknown { .. } => Code::AttributeUnknown,
            Self::AttributeType { .. } => Code::AttributeType,
            Self::AttributeDuplicate { .. } => Code::AttributeDuplicate,
            Self::AttributeNoValue { .. } => Code::AttributeNoValue,
            Self::AttributeNoKind { .. } => Code::FieldMissing,
            Self::AttributeMissing { .. } => Code::AttributeMissing,
            Self::AttributeValue { .. } | Self::NoElementType { .. } => Code::AttributeValue,
            Self::Exclusive { .. } => Code::ArgumentsExclusive,
            Self::Count { side: Side::Input, .. } => Code::InputCount,
            Self::Count { side: Side::Output, .. } => Code::OutputCount,
            Self::InputMissing { .. } => Code::InputMissing,
            Self::TypeNotAllowed { .. } => Code::TypeNotAllowed,
            Self::TypeMismatch { .. } => Code::TypeMismatch,
            Self::Requirement { requirement, .. } => requirement.code,
            Self::Refused { code, .. } => *code,
        }
    }

    /// What the schema requires, for display.
    #[must_use]
    pub fn expected(&self) -> impl fmt::Display + use<'a> {
        Expected(*self)
    }

    /// What the node has, for display.
    #[must_use]
    pub fn found(&self) -> impl fmt::Display + use<'a> {
        Found(*self)
    }
}

/// A message lists at most this many types; [`Problem::expected`] lists all.
const MAX_LISTED_TYPES: usize = 4;

impl fmt::Display for Problem<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AttributeUnknown { name, operator, since_version, .. } => {
                write!(formatter, "{operator}-{since_version} has no attribute `{name}`")
            }
            Self::AttributeType { name, expected, found } => {
                write!(formatter, "the attribute `{name}` has the kind {found}; it must be {expected}")
            }
            Self::AttributeDuplicate { name } => write!(formatter, "the attribute `{name}` appears twice"),
            Self::AttributeNoValue { name, kind } => {
                write!(formatter, "the attribute `{name}` has the kind {kind}, but no value of that kind")
            }
            Self::AttributeNoKind { name } => {
                write!(formatter, "the attribute `{name}` has neither a kind nor a value")
            }
            Self::AttributeMissing { attribute } => {
                write!(formatter, "the required attribute `{}` is missing", attribute.name)
            }
            Self::AttributeValue { attribute, found } => {
                write!(formatter, "the attribute `{}` is {found}; allowed: {}", attribute.name, self.expected())
            }
            Self::NoElementType { attribute, found } => {
                write!(formatter, "the attribute `{}` is {found}, which is not an element type", attribute.name)
            }
            Self::Exclusive { exclusive, given: [None, _] } => {
                formatter.write_str("one of these is required: ")?;
                list(formatter, exclusive.of)
            }
            Self::Exclusive { given, .. } => {
                formatter.write_str("only one of these may be given: ")?;
                list(formatter, given.iter().flatten())
            }
            Self::Count { side, found, .. } => {
                let s = if *found == 1 { "" } else { "s" };
                write!(formatter, "the node has {found} {side}{s}; allowed: {}", self.expected())
            }
            Self::InputMissing { parameter, index } => {
                write!(formatter, "the required input {index} (`{}`) has an empty name", parameter.name)
            }
            Self::TypeNotAllowed { side, index, parameter, constraint, found } => {
                write!(formatter, "{side} {index} (`{}`) is {found}; ", parameter.name)?;
                match constraint {
                    Some(constraint) if constraint.allow.len() > MAX_LISTED_TYPES => {
                        write!(formatter, "{} other types are allowed", constraint.allow.len())
                    }
                    _ => write!(formatter, "allowed: {}", self.expected()),
                }
            }
            Self::TypeMismatch { side, index, parameter, constraint, bound, found } => write!(
                formatter,
                "{side} {index} (`{}`) is {found}, but the type variable {} is {bound} already",
                parameter.name, constraint.name
            ),
            Self::Requirement { requirement, .. } => formatter.write_str(requirement.doc),
            Self::Refused { message, .. } => formatter.write_str(message),
        }
    }
}

/// What a schema requires; see [`Problem::expected`].
struct Expected<'a>(Problem<'a>);

impl fmt::Display for Expected<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Problem::AttributeUnknown { attributes, .. } => match attributes {
                [] => formatter.write_str("no attributes"),
                attributes => list(formatter, attributes.iter().map(|attribute| attribute.name)),
            },
            Problem::AttributeType { expected, .. } => write!(formatter, "{expected}"),
            Problem::AttributeDuplicate { .. } => formatter.write_str("one"),
            Problem::AttributeNoValue { kind, .. } => write!(formatter, "a value of the kind {kind}"),
            Problem::AttributeNoKind { .. } => formatter.write_str("a kind and a value"),
            Problem::AttributeMissing { attribute } => write!(formatter, "an attribute of the kind {}", attribute.kind),
            Problem::AttributeValue { attribute, .. } => {
                let Attribute { kind, values, min, max, .. } = attribute;
                let each = matches!(kind, AttributeKind::Ints | AttributeKind::Floats | AttributeKind::Strings);
                formatter.write_str(if each { "for each element " } else { "" })?;
                match (values, min, max) {
                    // Without a constraint on values, only a text field rejects a value: one that is not UTF-8.
                    ([], None, None) => formatter.write_str("UTF-8"),
                    ([], Some(min), Some(max)) => write!(formatter, "{min} to {max}"),
                    ([], Some(min), None) => write!(formatter, "at least {min}"),
                    ([], None, Some(max)) => write!(formatter, "at most {max}"),
                    (values, ..) => list(formatter, *values),
                }
            }
            Problem::NoElementType { .. } => formatter.write_str("an element type of ONNX"),
            Problem::Exclusive { exclusive, .. } => {
                formatter.write_str(if exclusive.required { "exactly one of " } else { "at most one of " })?;
                list(formatter, exclusive.of)
            }
            Problem::Count { min, max: None, .. } => write!(formatter, "at least {min}"),
            Problem::Count { min, max: Some(max), .. } if min == max => write!(formatter, "{min}"),
            Problem::Count { min, max: Some(max), .. } => write!(formatter, "{min} to {max}"),
            Problem::InputMissing { parameter, .. } => write!(formatter, "a value for `{}`", parameter.name),
            Problem::TypeNotAllowed { constraint: Some(constraint), .. } => write!(formatter, "{}", constraint.allow),
            Problem::TypeNotAllowed { parameter: FormalParameter { ty: ParameterType::Fixed(ty), .. }, .. } => {
                write!(formatter, "{ty}")
            }
            Problem::TypeNotAllowed { .. } => formatter.write_str("another type"),
            Problem::TypeMismatch { bound, .. } => write!(formatter, "{bound}"),
            Problem::Requirement { requirement, .. } => formatter.write_str(requirement.text),
            Problem::Refused { expected, .. } => write!(formatter, "{expected}"),
        }
    }
}

/// What a node has; see [`Problem::found`].
struct Found<'a>(Problem<'a>);

impl fmt::Display for Found<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Problem::AttributeUnknown { name, .. } => formatter.write_str(name),
            Problem::AttributeType { found, .. } => write!(formatter, "{found}"),
            Problem::AttributeDuplicate { .. } => formatter.write_str("two"),
            Problem::AttributeNoValue { .. } | Problem::AttributeNoKind { .. } | Problem::AttributeMissing { .. } => {
                formatter.write_str("nothing")
            }
            Problem::AttributeValue { found, .. } | Problem::NoElementType { found, .. } => {
                write!(formatter, "{found}")
            }
            Problem::Exclusive { given: [None, _], .. } => formatter.write_str("none of them"),
            Problem::Exclusive { given, .. } => list(formatter, given.iter().flatten()),
            Problem::Count { found, .. } => write!(formatter, "{found}"),
            Problem::InputMissing { .. } => formatter.write_str("an empty name"),
            Problem::TypeNotAllowed { found, .. } | Problem::TypeMismatch { found, .. } => write!(formatter, "{found}"),
            Problem::Requirement { requirement, found } => operands(formatter, requirement, found),
            Problem::Refused { found, .. } => write!(formatter, "{found}"),
        }
    }
}

/// `X[1] is 5, group is 2`
fn operands(
    formatter: &mut fmt::Formatter<'_>,
    requirement: &Requirement,
    found: &[Option<OperandValue>],
) -> fmt::Result {
    let known = requirement.operands.iter().zip(found).filter_map(|((text, _), found)| Some((text, (*found)?)));
    for (index, (text, found)) in known.enumerate() {
        write!(formatter, "{}{text} is ", if index == 0 { "" } else { ", " })?;
        match found {
            OperandValue::Number(number) => write!(formatter, "{number}")?,
            OperandValue::Type(ty) => formatter.write_str(ty.name())?,
            OperandValue::Given(given) => formatter.write_str(if given { "given" } else { "absent" })?,
        }
    }
    Ok(())
}

fn list<T: fmt::Display>(formatter: &mut fmt::Formatter<'_>, items: impl IntoIterator<Item = T>) -> fmt::Result {
    for (index, item) in items.into_iter().enumerate() {
        write!(formatter, "{}{item}", if index == 0 { "" } else { ", " })?;
    }
    Ok(())
}
