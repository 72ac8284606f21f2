//! The traits behind every operator version.

use crate::dimension::Dimension;
use crate::facts::{Inputs, Outputs};
use crate::infer;
use crate::node::{AttributeValue, NodeAttribute};
use crate::problem::Problem;
use crate::rule::{Output, RuleArguments, RuleDimension, Stop};
use crate::schema::Schema;

/// One version of an operator: a struct with a field for each attribute.
///
/// A field is of the attribute's plain type where the attribute is required or has a default, and an `Option` of it
/// otherwise. `Default` gives the defaults, where every attribute has one or is optional.
pub trait Operator: Sized {
    /// The facts of the version.
    const SCHEMA: &'static Schema;

    /// The same version with fields that borrow from a node; `Self` where no field borrows.
    type Of<'a>: Operator;

    /// Reads the attributes of a node.
    ///
    /// # Errors
    /// The first attribute that is missing, of another kind, or outside of the allowed values. For all that is wrong
    /// with a node at once, see [`crate::check::attributes`].
    fn read<'a>(attributes: &[NodeAttribute<'a>]) -> Result<Self::Of<'a>, Problem<'a>>;

    /// Calls `each` with the attributes of a node that is this operator, in their order, without those that are absent.
    fn attributes<'s>(&'s self, each: &mut dyn FnMut(NodeAttribute<'s>));

    /// What the rules of the version say of the outputs of a node that is this operator, given what is known of its
    /// inputs; nothing of an output without a rule.
    ///
    /// # Errors
    /// What a rule refuses.
    fn infer_outputs<D: RuleDimension>(
        &self,
        inputs: Inputs<'_, D>,
        outputs: &mut dyn Outputs<D>,
    ) -> Result<(), Problem<'_>> {
        let (mut attributes, mut count) = ([NodeAttribute::new("", AttributeValue::Int(0)); MAX_ATTRIBUTES], 0);
        self.attributes(&mut |attribute| {
            if let Some(place) = attributes.get_mut(count) {
                (*place, count) = (attribute, count + 1);
            }
        });
        infer::run(Self::SCHEMA, attributes.get(..count).unwrap_or_default(), inputs, &(), outputs)
    }
}

/// As many attributes as a version may have; a descriptor with more is refused when it is compiled.
const MAX_ATTRIBUTES: usize = 64;

/// An operator of which more is known than the types: what its outputs are.
pub trait Infer: Operator {
    /// What can be said of a node's outputs, given what is known of its inputs.
    ///
    /// It is written once for every kind of dimension: [`Dimension`] has the arithmetic.
    ///
    /// # Errors
    /// What the operator's rule refuses.
    fn infer<D: Dimension>(&self, inputs: Inputs<'_, D>, outputs: &mut dyn Outputs<D>) -> Result<(), Problem<'static>>;
}

/// The rule of an operator that is a Rust type: [`Operator::read`], then [`Infer::infer`].
#[doc(hidden)]
pub fn infer_whole<'a, O: Operator, D: Dimension>(
    arguments: &RuleArguments<'_, 'a, D>,
    output: &mut Output<'_, D>,
) -> Result<(), Stop<'a>>
where
    for<'of> O::Of<'of>: Infer,
{
    O::read(arguments.attributes())?.infer(arguments.inputs(), output.all()).map_err(Stop::Refused)
}
