//! Reads a node as an operator, from any source of its attributes.

use core::fmt;

use super::gather::gather;
use super::traits::Operator;
use super::versioned::{Reader, Version};
use crate::node::{AttributeSource, NodeAttribute};
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

/// One operator in any of its versions, such as `conv::Conv`.
///
/// With the feature `alloc`, [`Latest`](crate::convert::Latest) lifts it to the newest one.
pub trait AnyVersion<'a>: Sized {
    /// The struct of the newest version.
    type Newest: Operator;

    /// The versions of all operators that it may become in the newest opset, oldest first.
    const OPERATORS: &'static [&'static [&'static Schema]];

    /// The schemas of all versions, oldest first.
    #[doc(hidden)]
    const VERSIONS: &'static [&'static Schema];

    /// Reads the attributes of a node as the version at an index.
    ///
    /// # Errors
    /// The first attribute that is missing, of another kind, or outside of the allowed values.
    #[doc(hidden)]
    fn read_version(version: usize, attributes: &[NodeAttribute<'a>]) -> Result<Self, Problem<'a>>;

    /// The version that it is, as a trait object.
    #[doc(hidden)]
    fn version(&self) -> &dyn Version;

    /// The version that it is.
    fn schema(&self) -> &'static Schema {
        self.version().schema()
    }
}

impl<'a, T: AnyVersion<'a>> ReadNode<'a> for T {
    fn read_node(
        domain: &str,
        op_type: &str,
        opset: u32,
        source: impl AttributeSource<'a>,
    ) -> Result<Self, ReadError<'a>> {
        expect_operator(T::VERSIONS, domain, op_type)?;
        read_in_force(opset, source)
    }
}

/// The version of a node's operator that is in force at an opset, if the node can become one of the operator `T`: it is
/// one, or its operator was given up.
///
/// # Errors
/// It is another operator, or no version of it is in force.
///
/// ```
/// # #[cfg(feature = "ai-onnx")] {
/// use shape_core::operator::becomes;
/// use shape_core::operators::ai_onnx::{conv::Conv, resize::Resize};
/// assert_eq!(becomes::<Resize>("", "Resize", 17).unwrap().since_version, 13);
/// assert_eq!(becomes::<Resize>("", "Upsample", 9).unwrap().name, "Upsample");
/// assert_eq!(becomes::<Resize>("", "Conv", 17).unwrap_err().to_string(), "it is no Resize");
/// assert!(becomes::<Conv>("com.acme", "Conv", 17).is_err());
/// # }
/// ```
pub fn becomes<'a, T: AnyVersion<'a>>(
    domain: &str,
    op_type: &str,
    opset: u32,
) -> Result<&'static Schema, ReadError<'static>> {
    let wanted = T::Newest::SCHEMA;
    let other = ReadError::OtherOperator { expected: wanted.name };
    let is_this = |versions: &&&'static [&'static Schema]| {
        let is_of = |of: &&Schema| canonical_domain(of.domain) == canonical_domain(domain) && of.name == op_type;
        versions.first().is_some_and(is_of)
    };
    let versions = *T::OPERATORS.iter().find(is_this).ok_or(other)?;
    let was_given_up = versions.last().is_some_and(|last| last.deprecated);
    let is_wanted = versions.first().is_some_and(|first| (first.domain, first.name) == (wanted.domain, wanted.name));
    if !is_wanted && !was_given_up {
        return Err(other);
    }
    let newest = releases().last().and_then(|release| release.newest(wanted.domain));
    in_force(versions, newest, opset).map(|(_, schema)| schema).map_err(ReadError::Missing)
}

/// Refuses a node of another operator than that of these versions.
///
/// # Errors
/// The operator has another name, or is of another domain.
fn expect_operator(
    versions: &'static [&'static Schema],
    domain: &str,
    op_type: &str,
) -> Result<(), ReadError<'static>> {
    let first = versions.first().ok_or(ReadError::Missing(Missing::NoDescriptor))?;
    let is_this = canonical_domain(first.domain) == canonical_domain(domain) && first.name == op_type;
    if is_this { Ok(()) } else { Err(ReadError::OtherOperator { expected: first.name }) }
}

/// Refuses a node whose operator is of another domain than that of these operators, which are sorted by domain and name.
///
/// # Errors
/// It is of another domain.
pub fn expect_domain(
    operators: &'static [&'static [&'static Schema]],
    domain: &str,
    op_type: &str,
) -> Result<(), ReadError<'static>> {
    let is_of = |versions: &&[&Schema]| {
        versions.first().is_some_and(|first| canonical_domain(first.domain) == canonical_domain(domain))
    };
    let is_this = |versions: &&[&Schema]| is_of(versions) && versions.first().is_some_and(|of| of.name == op_type);
    let is_one =
        if of_one_domain(operators) { operators.first().is_some_and(is_of) } else { operators.iter().any(is_this) };
    if is_one { Ok(()) } else { Err(ReadError::Missing(Missing::NoDescriptor)) }
}

/// Whether operators, sorted by domain and name, are of one domain; then they are sorted by name.
fn of_one_domain(operators: &[&[&'static Schema]]) -> bool {
    let domain = |versions: &&[&'static Schema]| versions.first().map_or("", |first| first.domain);
    operators.first().map(domain) == operators.last().map(domain)
}

/// Reads a node as the version of an operator that is in force at an opset.
///
/// # Errors
/// No version is in force, or an attribute is wrong.
pub fn read_in_force<'a, T: AnyVersion<'a>>(opset: u32, source: impl AttributeSource<'a>) -> Result<T, ReadError<'a>> {
    of_versions(T::VERSIONS, opset, source, |version, _, attributes| T::read_version(version, attributes))
}

/// The same of these versions. `read` gets the index of the version, and its schema.
fn of_versions<'a, T>(
    versions: &'static [&'static Schema],
    opset: u32,
    source: impl AttributeSource<'a>,
    read: impl FnOnce(usize, &'static Schema, &[NodeAttribute<'a>]) -> Result<T, Problem<'a>>,
) -> Result<T, ReadError<'a>> {
    let newest = releases().last().zip(versions.first()).and_then(|(release, first)| release.newest(first.domain));
    let (version, schema) = in_force(versions, newest, opset).map_err(ReadError::Missing)?;
    gather(schema, source, |attributes| read(version, schema, attributes)).map_err(ReadError::Problem)
}

/// Reads the fields of the version at an index.
///
/// # Errors
/// What was wrong with the first field that could not be read.
pub fn read_fields<'a, T: ReadFields<'a>>(version: usize, attributes: &[NodeAttribute<'a>]) -> Result<T, Problem<'a>> {
    let schema = T::VERSIONS.get(version).copied().unwrap_or(&Schema::EMPTY);
    Reader::read(schema, attributes, |reader| T::read_fields(version, reader))
}

/// A generated enum over versions, whose structs are read field by field.
pub trait ReadFields<'a>: AnyVersion<'a> {
    /// Reads the version at an index.
    fn read_fields(version: usize, fields: &mut Reader<'_, 'a>) -> Self;
}

/// Reads a node as the operator of a name. The operators are sorted by domain and name, and no two have one name; `read`
/// gets the index of the operator, and that of its version.
///
/// # Errors
/// No operator has the name, or those of [`read_in_force`].
pub fn read_named<'a, T>(
    operators: &'static [&'static [&'static Schema]],
    name: &str,
    opset: u32,
    source: impl AttributeSource<'a>,
    read: impl FnOnce(usize, usize, &mut Reader<'_, 'a>) -> T,
) -> Result<T, ReadError<'a>> {
    let name_of = |versions: &&[&'static Schema]| versions.first().map_or("", |first| first.name);
    let place = if of_one_domain(operators) {
        operators.binary_search_by(|versions| name_of(versions).cmp(name)).ok()
    } else {
        operators.iter().position(|versions| name_of(versions) == name)
    };
    let missing = ReadError::Missing(Missing::NoDescriptor);
    let (place, versions) = place.and_then(|place| Some((place, *operators.get(place)?))).ok_or(missing)?;
    of_versions(versions, opset, source, |version, schema, attributes| {
        Reader::read(schema, attributes, |reader| read(place, version, reader))
    })
}
