//! What stores the attributes of a node.

use super::attribute::NodeAttribute;

/// What stores the attributes of a node, such as a message of a model file: it returns each as a view.
///
/// What is read from it borrows for `'a` from what is viewed, and not from the source, which may be a handle. A crate with
/// types of its own for protobuf implements it for a reference to its node; a slice of [`NodeAttribute`] is a source too.
///
/// ```
/// use shape_core::node::{AttributeSource, AttributeValue, NodeAttribute};
///
/// /// A node as some crate keeps it.
/// struct Node {
///     ints: Vec<(String, i64)>,
///     lists: Vec<(String, Vec<i64>)>,
/// }
///
/// impl<'a> AttributeSource<'a> for &'a Node {
///     fn attributes(&self) -> impl Iterator<Item = NodeAttribute<'a>> {
///         let ints = self.ints.iter().map(|(name, value)| NodeAttribute::new(name, AttributeValue::Int(*value)));
///         ints.chain(self.lists.iter().map(|(name, list)| NodeAttribute::new(name, AttributeValue::Ints(list))))
///     }
/// }
///
/// # #[cfg(feature = "ai-onnx")] {
/// use shape_core::operators::ai_onnx::{AnyOperator, transpose::Transpose};
///
/// let node = Node { ints: Vec::new(), lists: vec![("perm".into(), vec![1, 0])] };
/// let Ok(AnyOperator::Transpose(Transpose::V13(transpose))) = AnyOperator::read("Transpose", 17, &node) else {
///     unreachable!()
/// };
/// assert_eq!(transpose.perm, Some(&[1, 0][..]));
/// # }
/// ```
pub trait AttributeSource<'a> {
    /// All attributes of the node, in any order, also those that its operator does not have: reading refuses these.
    fn attributes(&self) -> impl Iterator<Item = NodeAttribute<'a>>;

    /// The name of an attribute with neither a kind nor a value, which is none of the [`attributes`](Self::attributes). A
    /// node with one is not read, since a default may not be what its writer meant.
    fn without_kind(&self) -> Option<&'a str> {
        None
    }
}

impl<'a> AttributeSource<'a> for [NodeAttribute<'a>] {
    fn attributes(&self) -> impl Iterator<Item = NodeAttribute<'a>> {
        self.iter().copied()
    }
}

impl<'a, const COUNT: usize> AttributeSource<'a> for [NodeAttribute<'a>; COUNT] {
    fn attributes(&self) -> impl Iterator<Item = NodeAttribute<'a>> {
        self.iter().copied()
    }
}

impl<'a, S: AttributeSource<'a> + ?Sized> AttributeSource<'a> for &S {
    fn attributes(&self) -> impl Iterator<Item = NodeAttribute<'a>> {
        S::attributes(self)
    }

    fn without_kind(&self) -> Option<&'a str> {
        S::without_kind(self)
    }
}
