//! The trait behind every operator version, and what its rules say of a node.

mod field;
#[doc(hidden)]
pub mod probe;
mod versioned;

use crate::check::Problem;
use crate::dims::{Dimension, Inputs, Outputs, Subgraphs};
use crate::node::{AttributeValue, NodeAttribute};
use crate::rules::{Output, RuleArguments, RuleDimension, Stop};
use crate::schema::Schema;

#[doc(hidden)]
pub use field::Blank;
pub use field::{Field, optional, required, tell};
#[doc(hidden)]
pub use versioned::{Reader, Slot, Told, Version, debug, read_as, same, tell_all};

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

    /// Tells the attributes of a node that is this operator, one after the other, without those that are absent.
    fn attributes<'s>(&'s self, tell: &mut dyn FnMut(NodeAttribute<'s>));

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
        crate::rules::run(Self::SCHEMA, attributes.get(..count).unwrap_or_default(), inputs, &(), outputs)
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

impl Schema {
    /// What can be said of the outputs of a node whose inputs have known dimensions; nothing of an output without a rule.
    ///
    /// # Errors
    /// The first attribute that cannot be read, or what a rule refuses.
    pub fn infer<'a>(
        &'static self,
        attributes: &[NodeAttribute<'a>],
        inputs: Inputs<'_, u64>,
        outputs: &mut dyn Outputs<u64>,
    ) -> Result<(), Problem<'a>> {
        self.check_values(attributes)?;
        crate::rules::run(self, attributes, inputs, &(), outputs)
    }

    /// What can be said of the outputs of a node whose inputs may have symbolic and unknown dimensions; nothing of an
    /// output without a rule.
    ///
    /// # Errors
    /// The first attribute that cannot be read, or what a rule refuses.
    #[cfg(feature = "alloc")]
    pub fn infer_symbolic<'a>(
        &'static self,
        attributes: &[NodeAttribute<'a>],
        inputs: Inputs<'_, crate::symbolic::Dim>,
        outputs: &mut dyn Outputs<crate::symbolic::Dim>,
    ) -> Result<(), Problem<'a>> {
        self.check_values(attributes)?;
        crate::rules::run(self, attributes, inputs, &(), outputs)
    }

    /// What the rules say of the outputs of a node, whose attributes are taken for checked, with what is known of the graphs
    /// in them; nothing of an output without a rule.
    ///
    /// # Errors
    /// What a rule refuses.
    pub fn run_rules<'a, D: RuleDimension>(
        &'static self,
        attributes: &[NodeAttribute<'a>],
        inputs: Inputs<'_, D>,
        graphs: &dyn Subgraphs<D>,
        outputs: &mut dyn Outputs<D>,
    ) -> Result<(), Problem<'a>> {
        crate::rules::run(self, attributes, inputs, graphs, outputs)
    }

    fn check_values<'a>(&'static self, attributes: &[NodeAttribute<'a>]) -> Result<(), Problem<'a>> {
        for given in attributes {
            if let Some(attribute) = self.attribute(given.name) {
                crate::check::value(attribute, given)?;
            }
        }
        Ok(())
    }

    /// Whether something is known of the outputs but their types.
    #[must_use]
    pub fn infers(&self) -> bool {
        self.rules.iter().any(|rule| rule.dims.is_some() || rule.elements.is_some())
    }

    /// Whether rules give the elements of all its outputs, so that a node can be run by them.
    #[must_use]
    pub fn computes(&self) -> bool {
        let computed = |output: usize| self.rules.iter().any(|rule| rule.output == output && rule.gives_elements());
        !self.outputs.is_empty() && (0..self.outputs.len()).all(computed)
    }
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
