//! Why another version of an operator cannot express a node.

use core::fmt;

use super::draft::Step;
use crate::code::Code;
use crate::node::{AttributeValue, NodeAttribute};
use crate::problem::Problem;
use crate::schema::{Attribute, FormalParameter, Schema};

/// Why a node cannot be converted.
///
/// Its `Display` is the sentence of a finding; [`Refusal::code`] its code, [`Refusal::expected`] and
/// [`Refusal::found`] the two sides of it.
#[derive(Clone, Copy, Debug)]
pub struct Refusal<'a> {
    /// The step that fails.
    pub step: Step,
    /// Why it fails.
    pub reason: Incompatibility<'a>,
}

/// Why the other version of a step cannot express a node.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Incompatibility<'a> {
    /// The node is invalid before the conversion.
    Wrong(Problem<'a>),
    /// An attribute that the other version does not have, with a value other than its default.
    AttributeLost {
        /// The node's attribute.
        attribute: NodeAttribute<'a>,
        /// Its default, at which it could be dropped.
        default: Option<AttributeValue<'static>>,
    },
    /// An attribute whose kind or value the other version does not allow.
    AttributeChanged(Problem<'a>),
    /// An absent attribute that has a default in the other version.
    AttributeDefault {
        /// The attribute of the other version.
        attribute: &'static Attribute,
    },
    /// An absent attribute that the other version requires.
    AttributeMissing {
        /// The attribute of the other version.
        attribute: &'static Attribute,
    },
    /// An attribute that is an input in the other version, with a value that a tensor cannot hold.
    NoConstant {
        /// The node's attribute.
        attribute: NodeAttribute<'a>,
    },
    /// An input that is an attribute in the other version, and is computed when the model runs.
    NotConstant {
        /// The attribute of the other version.
        attribute: &'static Attribute,
    },
    /// An input that the other version does not have.
    InputLost {
        /// Its name.
        name: &'static str,
    },
    /// An absent input that the other version requires.
    InputMissing {
        /// The input of the other version.
        formal: &'static FormalParameter,
    },
    /// An output that the other version does not have at its index.
    OutputLost {
        /// Its name.
        name: &'static str,
    },
    /// An absent output that the other version requires.
    OutputMissing {
        /// The output of the other version.
        formal: &'static FormalParameter,
    },
    /// A type that the other version does not allow.
    Type(Problem<'static>),
    /// The meaning of the two versions differs.
    Meaning {
        /// The newer version; its `semantics` says how.
        newer: &'static Schema,
    },
}

impl Incompatibility<'_> {
    /// The part of the node that it is about: a name, and a number if several parts share the name.
    fn subject(&self) -> (&str, usize) {
        match self {
            Self::Wrong(problem) | Self::AttributeChanged(problem) | Self::Type(problem) => match problem {
                Problem::AttributeType { name, .. } => (name, 0),
                Problem::AttributeValue { attribute, .. } => (attribute.name, 0),
                Problem::TypeNotAllowed { parameter, index, .. } | Problem::TypeMismatch { parameter, index, .. } => {
                    (parameter.name, *index)
                }
                _ => ("", 0),
            },
            Self::AttributeLost { attribute, .. } | Self::NoConstant { attribute } => (attribute.name, 0),
            Self::AttributeDefault { attribute }
            | Self::AttributeMissing { attribute }
            | Self::NotConstant { attribute } => (attribute.name, 0),
            Self::InputLost { name } | Self::OutputLost { name } => (name, 0),
            Self::InputMissing { formal } | Self::OutputMissing { formal } => (formal.name, 0),
            Self::Meaning { newer } => ("", newer.since_version as usize),
        }
    }

    pub(super) fn is_about_the_same(&self, other: &Incompatibility<'_>) -> bool {
        self.code() == other.code() && self.subject() == other.subject()
    }

    /// The code of the finding.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Wrong(problem) => problem.code(),
            Self::AttributeLost { .. }
            | Self::AttributeChanged(_)
            | Self::AttributeDefault { .. }
            | Self::AttributeMissing { .. }
            | Self::NoConstant { .. } => Code::ConversionAttribute,
            Self::NotConstant { .. } | Self::InputLost { .. } | Self::InputMissing { .. } => Code::ConversionInput,
            Self::OutputLost { .. } | Self::OutputMissing { .. } => Code::ConversionOutput,
            Self::Type(_) => Code::ConversionType,
            Self::Meaning { .. } => Code::ConversionMeaning,
        }
    }
}

impl<'a> Refusal<'a> {
    /// The code of the finding.
    #[must_use]
    pub fn code(&self) -> Code {
        self.reason.code()
    }

    /// What to do, for display.
    #[must_use]
    pub fn help(&self) -> impl fmt::Display + use<> {
        Help(self.step)
    }

    /// What would be kept, for display.
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

/// A version by its name: `Reshape-14`.
struct Version(&'static Schema);

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{}", self.0.name, self.0.since_version)
    }
}

impl fmt::Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (Version(self.step.from), Version(self.step.to));
        match &self.reason {
            Incompatibility::Wrong(problem) => write!(f, "{problem}"),
            Incompatibility::AttributeLost { attribute, .. } => write!(f, "{to} has no attribute `{}`", attribute.name),
            Incompatibility::AttributeChanged(problem) => write!(f, "at {to}, {problem}"),
            Incompatibility::AttributeDefault { attribute } => {
                write!(
                    f,
                    "the attribute `{}` is missing; {to} would use its default, which {from} does not have",
                    attribute.name
                )
            }
            Incompatibility::AttributeMissing { attribute } => {
                write!(f, "the attribute `{}` is missing; {to} requires it", attribute.name)
            }
            Incompatibility::NoConstant { attribute } => {
                write!(f, "the attribute `{}` is an input in {to}, and cannot be written as a constant", attribute.name)
            }
            Incompatibility::NotConstant { attribute } => {
                write!(f, "the input `{}` is an attribute in {to}, and cannot be written as one", attribute.name)
            }
            Incompatibility::InputLost { name } => write!(f, "{to} has no input `{name}`"),
            Incompatibility::InputMissing { formal } => {
                write!(f, "the input `{}` is missing; {to} requires it", formal.name)
            }
            Incompatibility::OutputLost { name } => write!(f, "{to} has no output `{name}` at its position"),
            Incompatibility::OutputMissing { formal } => {
                write!(f, "the output `{}` is missing; {to} requires it", formal.name)
            }
            Incompatibility::Type(problem) => write!(f, "at {to}, {problem}"),
            Incompatibility::Meaning { newer } => {
                write!(f, "{from} and {to} have different meanings: {}", newer.semantics.unwrap_or_default())
            }
        }
    }
}

/// What to do; see [`Refusal::help`].
struct Help(Step);

impl fmt::Display for Help {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_up() {
            write!(f, "a conversion up to opset {} is possible", self.0.to.since_version.saturating_sub(1))
        } else {
            write!(f, "a conversion down to opset {} is possible", self.0.from.since_version)
        }
    }
}

/// What would be kept; see [`Refusal::expected`].
struct Expected<'a>(Refusal<'a>);

impl fmt::Display for Expected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.reason {
            Incompatibility::Wrong(problem) | Incompatibility::AttributeChanged(problem) => {
                write!(f, "{}", problem.expected())
            }
            Incompatibility::AttributeLost { default: Some(default), .. } => {
                write!(f, "{default}, its default, or no such attribute")
            }
            Incompatibility::AttributeLost { default: None, .. } => f.write_str("no such attribute"),
            Incompatibility::AttributeDefault { attribute } => write!(f, "`{}` with its value", attribute.name),
            Incompatibility::AttributeMissing { attribute } => write!(f, "an attribute of the kind {}", attribute.kind),
            Incompatibility::NoConstant { .. } => f.write_str("INT, FLOAT, INTS or FLOATS with its value"),
            Incompatibility::NotConstant { attribute } => {
                write!(f, "a constant that fits the kind {}, such as an initializer", attribute.kind)
            }
            Incompatibility::InputLost { .. } => f.write_str("no such input"),
            Incompatibility::InputMissing { formal } => write!(f, "an input `{}`", formal.name),
            Incompatibility::OutputLost { .. } => f.write_str("no such output"),
            Incompatibility::OutputMissing { formal } => write!(f, "an output `{}`", formal.name),
            Incompatibility::Type(problem) => write!(f, "{}", problem.expected()),
            Incompatibility::Meaning { newer } => {
                let side = if newer.since_version == self.0.step.to.since_version { "before" } else { "from" };
                write!(f, "an opset {side} {}", newer.since_version)
            }
        }
    }
}

/// What the node has; see [`Refusal::found`].
struct Found<'a>(Refusal<'a>);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.reason {
            Incompatibility::Wrong(problem) | Incompatibility::AttributeChanged(problem) => {
                write!(f, "{}", problem.found())
            }
            Incompatibility::AttributeLost { attribute, .. } | Incompatibility::NoConstant { attribute } => {
                write!(f, "{}", attribute.value)
            }
            Incompatibility::NotConstant { .. } => {
                f.write_str("a value that is not constant, or that the attribute cannot hold")
            }
            Incompatibility::InputLost { name } | Incompatibility::OutputLost { name } => f.write_str(name),
            Incompatibility::AttributeDefault { .. }
            | Incompatibility::AttributeMissing { .. }
            | Incompatibility::InputMissing { .. }
            | Incompatibility::OutputMissing { .. } => f.write_str("nothing"),
            Incompatibility::Type(problem) => write!(f, "{}", problem.found()),
            Incompatibility::Meaning { .. } => {
                write!(f, "a step from {} to {}", Version(self.0.step.from), Version(self.0.step.to))
            }
        }
    }
}
