//! Operators from the attributes of a node, whoever keeps them.

use core::fmt;

use crate::node::{AttributeSource, AttributeValue, NodeAttribute};
use crate::opset::{canonical_domain, releases};
use crate::problem::Problem;
use crate::schema::{Missing, Schema, in_force};

/// Why a node could not be read as an operator.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ReadError<'a> {
    /// No version of the operator is in force.
    Missing(Missing),
    /// The first attribute that is missing, of another kind, or outside of the allowed values.
    Problem(Problem<'a>),
    /// The node is one of another operator than the one that it is read as.
    OtherOperator {
        /// The operator that it is read as.
        expected: &'static str,
    },
}

impl fmt::Display for ReadError<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(missing) => missing.fmt(formatter),
            Self::Problem(problem) => problem.fmt(formatter),
            Self::OtherOperator { expected } => write!(formatter, "it is no {expected}"),
        }
    }
}

impl core::error::Error for ReadError<'_> {}

/// What a node can be read as: one operator in any of its versions, such as `conv::Conv`, or any operator of a domain,
/// such as `ai_onnx::AnyOperator`.
///
/// ```
/// # #[cfg(feature = "ai-onnx")] {
/// use shape_core::node::NodeAttribute;
/// use shape_core::operator::ReadNode as _;
/// use shape_core::operators::ai_onnx::{AnyOperator, conv, relu};
/// let none: &[NodeAttribute<'_>] = &[];
/// assert!(conv::Conv::read_node("", "Conv", 22, none).is_ok());
/// assert!(relu::Relu::read_node("", "Conv", 22, none).is_err());
/// assert!(AnyOperator::read_node("ai.onnx", "Conv", 22, none).is_ok());
/// assert!(AnyOperator::read_node("com.acme", "Conv", 22, none).is_err());
/// # }
/// ```
pub trait ReadNode<'a>: Sized {
    /// Reads a node of an operator, at the version that is in force at an opset of its domain.
    ///
    /// # Errors
    /// It is another operator, no version of it is in force, or an attribute is wrong.
    fn read_node(
        domain: &str,
        op_type: &str,
        opset: u32,
        source: impl AttributeSource<'a>,
    ) -> Result<Self, ReadError<'a>>;
}

/// Refuses a node of another operator than that of these versions.
///
/// # Errors
/// The operator has another name, or is of another domain.
pub fn expect_operator(
    versions: &'static [&'static Schema],
    domain: &str,
    op_type: &str,
) -> Result<(), ReadError<'static>> {
    let first = versions.first().ok_or(ReadError::Missing(Missing::NoDescriptor))?;
    let is_this = canonical_domain(first.domain) == canonical_domain(domain) && first.name == op_type;
    if is_this { Ok(()) } else { Err(ReadError::OtherOperator { expected: first.name }) }
}

/// Refuses a node whose operator is of another domain than that of these operators.
///
/// # Errors
/// It is of another domain.
pub fn expect_domain(operators: &'static [&'static [&'static Schema]], domain: &str) -> Result<(), ReadError<'static>> {
    let first = operators.first().and_then(|versions| versions.first());
    let is_this = first.is_some_and(|first| canonical_domain(first.domain) == canonical_domain(domain));
    if is_this { Ok(()) } else { Err(ReadError::Missing(Missing::NoDescriptor)) }
}

/// The maximum number of attributes of a version; a descriptor with more is a compile error.
pub(super) const MAX_ATTRIBUTES: usize = 64;

/// Gathers the attributes that a version has, and reads them. Of several with one name it is the first, as in a slice.
pub(super) fn gather<'a, T>(
    schema: &'static Schema,
    source: impl AttributeSource<'a>,
    read: impl FnOnce(&[NodeAttribute<'a>]) -> T,
) -> T {
    let (mut attributes, mut count) = ([NodeAttribute::new("", AttributeValue::Int(0)); MAX_ATTRIBUTES], 0);
    for attribute in source.attributes() {
        let met = attributes.iter().take(count).any(|other| other.name == attribute.name);
        if !met
            && schema.attribute(attribute.name).is_some()
            && let Some(slot) = attributes.get_mut(count)
        {
            (*slot, count) = (attribute, count + 1);
        }
    }
    read(attributes.get(..count).unwrap_or_default())
}

/// Reads a node as the version of an operator that is in force at an opset. `read` gets the index of the version.
///
/// # Errors
/// No version is in force, or an attribute is wrong.
pub fn read_in_force<'a, T>(
    versions: &'static [&'static Schema],
    opset: u32,
    source: impl AttributeSource<'a>,
    read: impl FnOnce(usize, &[NodeAttribute<'a>]) -> Result<T, Problem<'a>>,
) -> Result<T, ReadError<'a>> {
    let newest = releases().last().zip(versions.first()).and_then(|(release, first)| release.newest(first.domain));
    let (version, schema) = in_force(versions, newest, opset).map_err(ReadError::Missing)?;
    gather(schema, source, |attributes| read(version, attributes)).map_err(ReadError::Problem)
}

/// Reads a node as the operator of a name. The operators are sorted by name; `read` gets the index of the operator, and
/// that of its version.
///
/// # Errors
/// No operator has the name, or those of [`read_in_force`].
pub fn read_named<'a, T>(
    operators: &'static [&'static [&'static Schema]],
    name: &str,
    opset: u32,
    source: impl AttributeSource<'a>,
    read: impl FnOnce(usize, usize, &[NodeAttribute<'a>]) -> Result<T, Problem<'a>>,
) -> Result<T, ReadError<'a>> {
    let place = operators.binary_search_by(|versions| versions.first().map_or("", |first| first.name).cmp(name));
    let missing = ReadError::Missing(Missing::NoDescriptor);
    let (place, versions) = place.ok().and_then(|place| Some((place, *operators.get(place)?))).ok_or(missing)?;
    read_in_force(versions, opset, source, |version, attributes| read(place, version, attributes))
}
