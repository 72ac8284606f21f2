//! What is known of a value, as JSON.

use serde::{Serialize, Serializer};
use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Symbols};
use shape_core::types::Type;
use shape_model::{Analysis, GraphKind, Origin, Value};

/// What is known of a value.
#[derive(Serialize)]
pub(crate) struct Row<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<&'a str>,
    /// The node that computes it; null for an input.
    node: Option<OfNode<'a>>,
    #[serde(rename = "type")]
    ty: Option<String>,
    dims: Option<Vec<Number>>,
    value: Option<Vec<Number>>,
    reason: Option<String>,
    /// Left out if all of it follows from the inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    declared: Option<OfDeclaration<'a>>,
}

/// What is known only because the model declares it.
#[derive(Serialize)]
struct OfDeclaration<'a> {
    /// The axes of dimensions.
    dims: &'a [usize],
    /// The indices of elements.
    value: &'a [usize],
    /// Why it does not follow from the inputs.
    reason: Option<String>,
}

/// A node, and which of its outputs a value is.
#[derive(Serialize)]
struct OfNode<'a> {
    index: usize,
    name: &'a str,
    op_type: &'a str,
    domain: &'a str,
    output: usize,
}

impl<'a> OfNode<'a> {
    fn new(analysis: &'a Analysis<'_>, value: &'a Value<'_>) -> Option<Self> {
        let Origin::Node { index } = value.origin else { return None };
        let node = analysis.node(value)?;
        let output = node.outputs().iter().position(|name| name == value.name)?;
        Some(Self { index, name: node.name(), op_type: node.op_type(), domain: node.domain(), output })
    }
}

/// A dimension or an element.
pub(crate) enum Number {
    Known(u64),
    /// An element, which may be negative.
    Int(i64),
    Bool(bool),
    Float(f64),
    /// A symbol or an expression, as text.
    Symbolic(String),
    Unknown,
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Known(size) => serializer.serialize_u64(*size),
            Self::Int(number) => serializer.serialize_i64(*number),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Symbolic(text) => serializer.serialize_str(text),
            Self::Unknown => serializer.serialize_none(),
        }
    }
}

impl<'a> Row<'a> {
    /// Takes what the analysis knows of a value.
    pub(crate) fn new(analysis: &'a Analysis<'_>, value: &'a Value<'_>) -> Self {
        let graph = analysis.graphs.get(value.graph).filter(|graph| graph.kind != GraphKind::Main);
        let size = |dim: &Dim| Number::of_dim(dim, &analysis.symbols);
        let element = |element: &Scalar<Dim>| match element {
            Scalar::Int(number) => Number::Int(*number),
            Scalar::Size(dim) | Scalar::Expression(dim) => size(dim),
            Scalar::Bool(value) => Number::Bool(*value),
            Scalar::Float(number) => Number::Float(*number),
            Scalar::Ratio(_) => Number::Symbolic(element.display(&analysis.symbols).to_string()),
            Scalar::Unknown(_) => Number::Unknown,
        };
        Self {
            name: value.name,
            graph: graph.map(|graph| &*graph.path),
            node: OfNode::new(analysis, value),
            ty: value.ty.as_ref().ok().map(type_name),
            dims: Number::list(value.dims.as_deref().ok(), &analysis.symbols),
            value: value.elements.as_deref().ok().map(|elements| elements.iter().map(element).collect()),
            reason: analysis.unknown(value).map(|reason| analysis.explain(reason)),
            declared: value.declared.as_deref().map(|declared| OfDeclaration {
                dims: &declared.dims,
                value: &declared.elements,
                reason: declared.reason.as_ref().map(|reason| analysis.explain(reason)),
            }),
        }
    }
}

/// A type in one word where it is one of a tensor, such as `float`.
pub(crate) fn type_name(ty: &Type) -> String {
    ty.element().map_or_else(|| ty.to_string(), |element| element.name().to_owned())
}

impl Number {
    /// The dimensions as a list; `None` if not even the rank is known.
    pub(crate) fn list(dims: Option<&[Dim]>, symbols: &Symbols) -> Option<Vec<Self>> {
        dims.map(|dims| dims.iter().map(|dim| Self::of_dim(dim, symbols)).collect())
    }

    /// A dimension: a number, a text, or null.
    pub(crate) fn of_dim(dim: &Dim, symbols: &Symbols) -> Self {
        match dim {
            Dim::Known(size) => Self::Known(*size),
            Dim::Symbol(_) | Dim::Expression(_) => Self::Symbolic(dim.display(symbols).to_string()),
            Dim::Unknown(_) => Self::Unknown,
        }
    }
}
