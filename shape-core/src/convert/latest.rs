//! Converts a node of any version to the newest version of its operator.

use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use super::conversion::{convert, wrong};
use super::draft::Step;
use super::incompatibility::{Incompatibility, Place, Refusal, Version as VersionName};
use super::node::{Attribute, Converted, Input, Known, Node, Output};
use crate::node::NodeAttribute;
use crate::operator::{AnyVersion, Operator};
use crate::problem::Problem;
use crate::schema::Schema;

/// A node that was converted to the newest version of its operator, whose struct is `O`.
///
/// What was an attribute and is an input now is a constant among the [`inputs`](Self::inputs).
///
/// ```
/// # #[cfg(feature = "ai-onnx")] {
/// use shape_core::convert::{Input, Known, Numbers};
/// use shape_core::node::{AttributeValue, NodeAttribute};
/// use shape_core::operators::ai_onnx::squeeze::Squeeze;
/// let attributes = [NodeAttribute::new("axes", AttributeValue::Ints(&[0, 2]))];
/// let old = Squeeze::read(11, &attributes)?;
/// let latest = old.latest(&[Some(Known::default())], 1).unwrap();
/// let [Input::Given { index: 0, .. }, Input::Constant { name: "axes", value }] = latest.inputs() else { unreachable!() };
/// assert_eq!(value.numbers, Numbers::Ints(vec![0, 2]));
/// # }
/// # Ok::<(), shape_core::operator::ReadError<'static>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Latest<'a, O> {
    node: Node<'a>,
    operator: PhantomData<fn() -> O>,
}

/// A node of the newest version, or every reason why that version cannot express it.
pub type Lifted<'a, O> = Result<Latest<'a, O>, Vec<Refusal>>;

impl<'a, O: Operator> Latest<'a, O> {
    /// Lifts a version; `latest` of the enum over the versions of an operator calls it.
    ///
    /// # Errors
    /// Why the newest version cannot express it.
    #[doc(hidden)]
    pub fn of<'v, T: AnyVersion<'v, Newest = O>>(
        operator: &'a T,
        inputs: &[Option<Known<'a>>],
        outputs: usize,
    ) -> Lifted<'a, O> {
        let version = operator.version();
        let mut attributes = Vec::new();
        version.attributes(&mut |attribute| attributes.push(Attribute::given(attribute.name, attribute.value)));
        let given = |(index, known): (usize, &Option<Known<'a>>)| {
            known.map_or(Input::Absent, |known| Input::Given { index, known })
        };
        let node = Node {
            attributes,
            inputs: inputs.iter().enumerate().map(given).collect(),
            outputs: (0..outputs).map(|index| Output::Given { index, known: Known::default() }).collect(),
        };
        Self::of_node::<T>(version.schema(), node)
    }

    /// Lifts a node of a version of the operator `T`, with what is known of it.
    ///
    /// # Errors
    /// What is wrong with the node, or why the newest version cannot express it.
    ///
    /// ```
    /// # #[cfg(feature = "ai-onnx")] {
    /// use shape_core::Registry;
    /// use shape_core::convert::{Attribute, Input, Known, Latest, Node, Output};
    /// use shape_core::node::AttributeValue;
    /// use shape_core::operators::ai_onnx::top_k::TopK;
    /// let known = Known::default();
    /// let node = Node {
    ///     attributes: vec![Attribute::given("k", AttributeValue::Int(5))],
    ///     inputs: vec![Input::Given { index: 0, known }],
    ///     outputs: vec![Output::Given { index: 0, known }, Output::Given { index: 1, known }],
    /// };
    /// let from = Registry::builtin().resolve("", "TopK", 9).unwrap();
    /// let latest = Latest::of_node::<TopK>(from, node).unwrap();
    /// assert_eq!((latest.operator().unwrap().axis, latest.inputs().len()), (-1, 2));
    /// # }
    /// ```
    pub fn of_node<'v, T: AnyVersion<'v, Newest = O>>(from: &'static Schema, node: Node<'a>) -> Lifted<'a, O> {
        lifted(T::OPERATORS, from, O::SCHEMA, node).map(|node| Self { node, operator: PhantomData })
    }

    /// The struct of the newest version.
    ///
    /// # Errors
    /// An attribute is a tensor that the conversion made, which no field can borrow.
    pub fn operator(&self) -> Result<O::Of<'_>, Problem<'_>> {
        let attributes: Vec<NodeAttribute<'_>> = self.node.attributes.iter().map(Attribute::view).collect();
        O::read(&attributes)
    }

    /// Its inputs: those of the node by their indices there, and new constants.
    #[must_use]
    pub fn inputs(&self) -> &[Input<'a>] {
        &self.node.inputs
    }

    /// Its outputs: those of the node by their indices there.
    #[must_use]
    pub fn outputs(&self) -> &[Output<'a>] {
        &self.node.outputs
    }
}

/// The node as one of another version, if it is still one node. [`Latest`] is what to call; this is for tests of all
/// versions.
///
/// # Errors
/// The node is none of the version that it comes from, or what it means cannot be said by one node of the other.
pub fn lifted<'a>(
    operators: &'static [&'static [&'static Schema]],
    from: &'static Schema,
    to: &'static Schema,
    node: Node<'a>,
) -> Result<Node<'a>, Vec<Refusal>> {
    if core::ptr::eq(from, to) {
        // Nothing is converted, and so nothing was checked.
        let mut refusals = Vec::new();
        wrong(from, &node, &mut refusals);
        return if refusals.is_empty() { Ok(node) } else { Err(refusals) };
    }
    let named = |name: &str| {
        let of = |versions: &&&'static [&'static Schema]| {
            versions.first().is_some_and(|first| (first.domain, first.name) == (from.domain, name))
        };
        operators.iter().find(of).copied().unwrap_or_default()
    };
    let mut converted = convert(&named, from, to.since_version, node)?;
    if let [Converted { schema, .. }] = *converted
        && core::ptr::eq(schema, to)
        && let Some(Converted { node, .. }) = converted.pop()
    {
        return Ok(node);
    }
    let nodes: Vec<String> = converted.iter().map(|of| VersionName(of.schema).to_string()).collect();
    let reason = Incompatibility::OtherNodes { nodes: &nodes.join(" and ") };
    Err(vec![Refusal::new(Place::Step(Step { from, to }), &reason)])
}
