//! The traits behind every operator version.

use core::marker::PhantomData;

use super::gather::{MAX_ATTRIBUTES, gather};
use crate::dimension::Dimension;
use crate::facts::{Inputs, Outputs};
use crate::infer;
use crate::node::{AttributeSource, AttributeValue, NodeAttribute};
use crate::problem::Problem;
use crate::rule::{Compute, Output, RuleArguments, RuleDimension, Stop};
use crate::schema::Schema;

/// One version of an operator: a struct with a field for each attribute.
///
/// A field has the attribute's plain type if the attribute is required or has a default, and is an `Option` of it
/// otherwise. `Default` is implemented if every attribute has a default or is optional.
pub trait Operator: Sized {
    /// The facts of the version.
    const SCHEMA: &'static Schema;

    /// The same version with fields that borrow from a node; `Self` if no field borrows.
    type Of<'a>: Operator;

    /// Reads the attributes of a node.
    ///
    /// # Errors
    /// The first attribute that is missing, of another kind, or outside of the allowed values. For all that is wrong
    /// with a node at once, see [`crate::check::attributes`].
    fn read<'a>(attributes: &[NodeAttribute<'a>]) -> Result<Self::Of<'a>, Problem<'a>>;

    /// Reads the attributes of a node from any source of them.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    ///
    /// ```
    /// # #[cfg(feature = "ai-onnx")] {
    /// use shape_core::Operator;
    /// use shape_core::node::{AttributeValue, NodeAttribute};
    /// use shape_core::opset28::Gemm;
    /// let attributes = vec![NodeAttribute::new("transB", AttributeValue::Int(1))];
    /// let gemm = Gemm::read_from(&*attributes)?;
    /// assert!(gemm.trans_b() && !gemm.trans_a());
    /// # }
    /// # Ok::<(), shape_core::problem::Problem<'static>>(())
    /// ```
    fn read_from<'a>(source: impl AttributeSource<'a>) -> Result<Self::Of<'a>, Problem<'a>> {
        gather(Self::SCHEMA, source, Self::read)
    }

    /// Calls `each` with the attributes of a node that is this operator, in their order, without those that are absent.
    fn attributes<'s>(&'s self, each: &mut dyn FnMut(NodeAttribute<'s>));

    /// Infers the outputs of a node with these attributes from what is known of its inputs. Nothing is inferred for an output
    /// without a rule.
    ///
    /// # Errors
    /// The problem that a rule finds.
    fn infer_outputs<D: RuleDimension>(
        &self,
        inputs: Inputs<'_, D>,
        outputs: &mut dyn Outputs<D>,
    ) -> Result<(), Problem<'_>> {
        let (mut attributes, mut count) = ([NodeAttribute::new("", AttributeValue::Int(0)); MAX_ATTRIBUTES], 0);
        self.attributes(&mut |attribute| {
            if let Some(slot) = attributes.get_mut(count) {
                (*slot, count) = (attribute, count + 1);
            }
        });
        infer::run(Self::SCHEMA, attributes.get(..count).unwrap_or_default(), inputs, &(), outputs, &mut |_| ())
    }
}

/// Custom inference for an operator: the dimensions of its outputs, and their elements if they are known.
pub trait Infer: Operator {
    /// Infers the outputs of a node from what is known of its inputs.
    ///
    /// The function is generic over the kind of dimension; [`Dimension`] has the arithmetic.
    ///
    /// # Errors
    /// The problem that the operator's rule finds.
    fn infer<D: Dimension>(&self, inputs: Inputs<'_, D>, outputs: &mut dyn Outputs<D>) -> Result<(), Problem<'static>>;
}

/// The rule of an operator that is a Rust type: [`Operator::read`], then [`Infer::infer`].
pub(super) struct Inferred<O>(PhantomData<O>);

impl<O: Operator> Compute for Inferred<O>
where
    for<'of> O::Of<'of>: Infer,
{
    fn compute<'a, D: Dimension>(
        arguments: &RuleArguments<'_, 'a, D>,
        output: &mut Output<'_, D>,
    ) -> Result<(), Stop<'a>> {
        O::read(arguments.attributes())?.infer(arguments.inputs(), output.all()).map_err(Stop::Refused)
    }
}
