//! Why another version of an operator cannot express a node.

use alloc::string::{String, ToString as _};
use core::fmt;

use super::draft::Step;
use super::node::Value;
use crate::code::Code;
use crate::problem::Problem;
use crate::schema::{Attribute, FormalParameter, Schema};

/// Why a node cannot be converted.
///
/// Its `Display` is the sentence of a finding; [`Refusal::code`] its code, [`Refusal::expected`] and
/// [`Refusal::found`] the two sides of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    code: Code,
    /// The part of the node that it is about.
    subject: String,
    is_of_original: bool,
    message: String,
    expected: String,
    found: String,
    help: String,
}

/// Why the other version of a step cannot express a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Incompatibility<'v> {
    /// The node is invalid before the conversion.
    Wrong(&'v Problem<'v>),
    /// A node that a rewrite makes is invalid.
    WrongAfter { schema: &'static Schema, problem: &'v Problem<'v> },
    /// An attribute that the other version does not have, with another value than the one at which it could be dropped.
    AttributeLost { name: &'v str, value: &'v Value<'v>, expected: Option<&'v Value<'v>> },
    /// An attribute whose kind or value the other version does not allow.
    AttributeChanged(&'v Problem<'v>),
    /// An absent attribute that has a default in the other version.
    AttributeDefault { attribute: &'static Attribute },
    /// An absent attribute that the other version requires.
    AttributeMissing { attribute: &'static Attribute },
    /// An attribute that is an input in the other version, with a value that the tensor cannot hold.
    NoConstant { name: &'v str, value: &'v Value<'v> },
    /// An input that is an attribute in the other version, and is computed when the model runs.
    NotConstant { name: &'v str, attribute: &'static Attribute },
    /// Axes that may be negative, where the other version takes none that are.
    NegativeAxes { name: &'v str, of: &'v str },
    /// An input that the other version does not have.
    InputLost { name: &'v str },
    /// An absent input that the other version requires.
    InputMissing { formal: &'static FormalParameter },
    /// An output that the other version does not have at its index.
    OutputLost { name: &'v str },
    /// An absent output that the other version requires.
    OutputMissing { formal: &'static FormalParameter },
    /// A type that the other version does not allow.
    Type(&'v Problem<'static>),
    /// The descriptor says that the other version cannot express it.
    Decided { why: &'static str },
    /// A rewrite needs a value that is not known.
    NotKnown { operator: &'static str, part: &'v str },
    /// A rewrite needs an operator that is not known.
    NoOperator { operator: &'static str },
    /// The meaning of the two versions differs.
    Meaning { newer: &'static Schema },
    /// The node becomes these nodes, where one of the newest version is wanted.
    OtherNodes { nodes: &'v str },
    /// The operator is newer than the opset.
    TooNew { schema: &'static Schema, opset: u32 },
    /// The operator is deprecated at the opset.
    Deprecated { schema: &'static Schema, opset: u32 },
}

/// Where a conversion fails: at a step, or for want of a version.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Step(Step),
    Version(&'static Schema),
}

impl Place {
    fn from(self) -> &'static Schema {
        match self {
            Self::Step(step) => step.from,
            Self::Version(schema) => schema,
        }
    }

    fn to(self) -> &'static Schema {
        match self {
            Self::Step(step) => step.to,
            Self::Version(schema) => schema,
        }
    }
}

/// A version by its name: `Reshape-14`.
pub(super) struct Version(pub(super) &'static Schema);

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{}", self.0.name, self.0.since_version)
    }
}

impl Incompatibility<'_> {
    fn code(&self) -> Code {
        match self {
            Self::Wrong(problem) => problem.code(),
            Self::AttributeLost { .. }
            | Self::AttributeChanged(_)
            | Self::AttributeDefault { .. }
            | Self::AttributeMissing { .. }
            | Self::NoConstant { .. } => Code::ConversionAttribute,
            Self::NotConstant { .. }
            | Self::InputLost { .. }
            | Self::InputMissing { .. }
            | Self::NegativeAxes { .. } => Code::ConversionInput,
            Self::OutputLost { .. } | Self::OutputMissing { .. } => Code::ConversionOutput,
            Self::Type(_) => Code::ConversionType,
            Self::Meaning { .. }
            | Self::Decided { .. }
            | Self::NotKnown { .. }
            | Self::WrongAfter { .. }
            | Self::OtherNodes { .. } => Code::ConversionMeaning,
            Self::NoOperator { .. } => Code::ConversionUnknown,
            Self::TooNew { .. } => Code::OperatorTooNew,
            Self::Deprecated { .. } => Code::OperatorDeprecated,
        }
    }

    /// The part of the node that it is about.
    fn subject(&self) -> String {
        match self {
            Self::Wrong(problem) | Self::AttributeChanged(problem) | Self::WrongAfter { problem, .. } => {
                match problem {
                    Problem::AttributeType { name, .. } => (*name).to_string(),
                    Problem::AttributeValue { attribute, .. } => attribute.name.to_string(),
                    problem => problem.to_string(),
                }
            }
            Self::Type(
                Problem::TypeNotAllowed { parameter, index, .. } | Problem::TypeMismatch { parameter, index, .. },
            ) => alloc::format!("{} {index}", parameter.name),
            Self::Type(problem) => problem.to_string(),
            Self::AttributeLost { name, .. }
            | Self::NoConstant { name, .. }
            | Self::NotConstant { name, .. }
            | Self::NegativeAxes { name, .. }
            | Self::InputLost { name }
            | Self::OutputLost { name } => (*name).to_string(),
            Self::AttributeDefault { attribute } | Self::AttributeMissing { attribute } => attribute.name.to_string(),
            Self::InputMissing { formal } | Self::OutputMissing { formal } => formal.name.to_string(),
            Self::Meaning { newer } => newer.since_version.to_string(),
            Self::Decided { why } => (*why).to_string(),
            Self::NotKnown { part, .. } => (*part).to_string(),
            Self::NoOperator { operator } => (*operator).to_string(),
            Self::OtherNodes { nodes } => (*nodes).to_string(),
            Self::TooNew { schema, .. } | Self::Deprecated { schema, .. } => schema.name.to_string(),
        }
    }

    fn message(&self, place: Place) -> String {
        let (from, to) = (Version(place.from()), Version(place.to()));
        match self {
            Self::Wrong(problem) => problem.to_string(),
            Self::WrongAfter { schema, problem } => {
                alloc::format!("{from} becomes {}, where {problem}", Version(schema))
            }
            Self::AttributeLost { name, .. } => alloc::format!("{to} has no attribute `{name}`"),
            Self::AttributeChanged(problem) => alloc::format!("at {to}, {problem}"),
            Self::AttributeDefault { attribute } => alloc::format!(
                "the attribute `{}` is missing; {to} would use its default, which {from} does not have",
                attribute.name
            ),
            Self::AttributeMissing { attribute } => {
                alloc::format!("the attribute `{}` is missing; {to} requires it", attribute.name)
            }
            Self::NoConstant { name, .. } => {
                alloc::format!("the attribute `{name}` is an input in {to}, and cannot be written as a constant")
            }
            Self::NotConstant { name, .. } => {
                alloc::format!("the input `{name}` is an attribute in {to}, and cannot be written as one")
            }
            Self::NegativeAxes { name, of } => alloc::format!(
                "{to} takes no negative axes, and those of `{name}` cannot be counted from the front of `{of}`"
            ),
            Self::InputLost { name } => alloc::format!("{to} has no input `{name}`"),
            Self::InputMissing { formal } => {
                alloc::format!("the input `{}` is missing; {to} requires it", formal.name)
            }
            Self::OutputLost { name } => alloc::format!("{to} has no output `{name}` at its position"),
            Self::OutputMissing { formal } => {
                alloc::format!("the output `{}` is missing; {to} requires it", formal.name)
            }
            Self::Type(problem) => alloc::format!("at {to}, {problem}"),
            Self::Decided { why } => (*why).to_string(),
            Self::NotKnown { operator, part } => {
                alloc::format!("{from} becomes {operator}, and what that needs is not known: {part}")
            }
            Self::NoOperator { operator } => {
                alloc::format!("{from} becomes {operator}, which has no descriptor")
            }
            Self::OtherNodes { nodes } => alloc::format!("{from} becomes {nodes}, and not one {to}"),
            Self::Meaning { newer } => {
                alloc::format!("{from} and {to} have different meanings: {}", newer.semantics.unwrap_or_default())
            }
            Self::TooNew { schema, opset } => alloc::format!("{} is newer than opset {opset}", schema.name),
            Self::Deprecated { schema, .. } => {
                alloc::format!("{} is deprecated since opset {}", schema.name, schema.since_version)
            }
        }
    }

    /// What would be kept.
    fn expected(&self, place: Place) -> String {
        match self {
            Self::Wrong(problem) | Self::AttributeChanged(problem) | Self::WrongAfter { problem, .. } => {
                problem.expected().to_string()
            }
            Self::AttributeLost { name, expected: Some(expected), .. } => {
                let default = place.from().attribute(name).and_then(|attribute| attribute.default);
                match default == Some(expected.view()) {
                    true => alloc::format!("{expected}, its default, or no such attribute"),
                    false => expected.to_string(),
                }
            }
            Self::AttributeLost { expected: None, .. } => "no such attribute".to_string(),
            Self::AttributeDefault { attribute } => alloc::format!("`{}` with its value", attribute.name),
            Self::AttributeMissing { attribute } => alloc::format!("an attribute of the kind {}", attribute.kind),
            Self::NoConstant { .. } => "a value that the input can have".to_string(),
            Self::NotConstant { attribute, .. } => {
                alloc::format!("a constant that fits the kind {}, such as an initializer", attribute.kind)
            }
            Self::NegativeAxes { of, .. } => alloc::format!("axes from 0 on, or constant ones and the rank of `{of}`"),
            Self::InputLost { .. } => "no such input".to_string(),
            Self::InputMissing { formal } => alloc::format!("an input `{}`", formal.name),
            Self::OutputLost { .. } => "no such output".to_string(),
            Self::OutputMissing { formal } => alloc::format!("an output `{}`", formal.name),
            Self::Type(problem) => problem.expected().to_string(),
            Self::Decided { .. } => match place {
                Place::Step(step) => alloc::format!("what {} can express", Version(step.to)),
                Place::Version(schema) => alloc::format!("opset {} or later", schema.since_version),
            },
            Self::NotKnown { .. } => "a value that is known before the model runs".to_string(),
            Self::NoOperator { operator } => alloc::format!("a descriptor of {operator}"),
            Self::OtherNodes { .. } => alloc::format!("one {}", Version(place.to())),
            Self::Meaning { newer } => {
                let side = if newer.since_version == place.to().since_version { "before" } else { "from" };
                alloc::format!("an opset {side} {}", newer.since_version)
            }
            Self::TooNew { schema, .. } => {
                alloc::format!("opset {} of {} or later", schema.since_version, schema.domain)
            }
            Self::Deprecated { schema, .. } => {
                alloc::format!("another operator, or an older opset of {}", schema.domain)
            }
        }
    }

    /// What the node has.
    fn found(&self, place: Place) -> String {
        match self {
            Self::Wrong(problem) | Self::AttributeChanged(problem) | Self::WrongAfter { problem, .. } => {
                problem.found().to_string()
            }
            Self::AttributeLost { value, .. } | Self::NoConstant { value, .. } => value.to_string(),
            Self::NotConstant { .. } => "a value that is not constant, or that the attribute cannot hold".to_string(),
            Self::NegativeAxes { .. } => "axes that are negative, or not known".to_string(),
            Self::InputLost { name } | Self::OutputLost { name } => (*name).to_string(),
            Self::AttributeDefault { .. }
            | Self::AttributeMissing { .. }
            | Self::InputMissing { .. }
            | Self::OutputMissing { .. } => "nothing".to_string(),
            Self::Type(problem) => problem.found().to_string(),
            Self::Decided { .. } if matches!(place, Place::Version(_)) => {
                alloc::format!("a step down from {}", Version(place.from()))
            }
            Self::Decided { .. } | Self::Meaning { .. } => {
                alloc::format!("a step from {} to {}", Version(place.from()), Version(place.to()))
            }
            Self::NotKnown { part, .. } => (*part).to_string(),
            Self::NoOperator { operator } => (*operator).to_string(),
            Self::OtherNodes { nodes } => (*nodes).to_string(),
            Self::TooNew { opset, .. } | Self::Deprecated { opset, .. } => alloc::format!("opset {opset}"),
        }
    }
}

impl Refusal {
    pub(super) fn new(place: Place, reason: &Incompatibility<'_>) -> Self {
        let help = match (reason, place) {
            (Incompatibility::TooNew { .. }, _) | (_, Place::Version(_)) => String::new(),
            (Incompatibility::Deprecated { .. }, _) => "use the operator that replaces it".to_string(),
            (_, Place::Step(step)) if step.is_up() => {
                alloc::format!("a conversion up to opset {} is possible", step.to.since_version.saturating_sub(1))
            }
            (_, Place::Step(step)) => {
                alloc::format!("a conversion down to opset {} is possible", step.from.since_version)
            }
        };
        Self {
            code: reason.code(),
            subject: reason.subject(),
            is_of_original: matches!(reason, Incompatibility::Wrong(_)),
            message: reason.message(place),
            expected: reason.expected(place),
            found: reason.found(place),
            help,
        }
    }

    pub(super) fn is_about_the_same(&self, other: &Self) -> bool {
        self.code == other.code && self.subject == other.subject
    }

    /// The code of the finding.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// Whether it is an error of the node before the conversion.
    #[must_use]
    pub fn is_of_original(&self) -> bool {
        self.is_of_original
    }

    /// What to do; may be empty.
    #[must_use]
    pub fn help(&self) -> &str {
        &self.help
    }

    /// What would be kept.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What the node has.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.found
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}
