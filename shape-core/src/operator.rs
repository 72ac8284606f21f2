//! The trait behind every operator version, and the rule that a schema carries.

use core::fmt;

use crate::check::Problem;
use crate::dims::{Dimension, Inputs, Outputs};
use crate::node::{AttributeKind, AttributeValue, NodeAttribute};
use crate::schema::{Attribute, Schema};

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

    /// What can be said of a node's outputs, given what is known of its inputs; nothing for an operator without a rule.
    ///
    /// # Errors
    /// What the operator's rule refuses.
    fn infer<D: Dimension>(&self, inputs: Inputs<'_, D>, outputs: &mut dyn Outputs<D>) -> Result<(), Problem<'static>> {
        let _ = (inputs, outputs);
        Ok(())
    }
}

type Run<D> = for<'a> fn(&[NodeAttribute<'a>], Inputs<'_, D>, &mut dyn Outputs<D>) -> Result<(), Problem<'a>>;

/// [`Operator::read`] and [`Operator::infer`] of a version behind function pointers, so that a table can hold them.
#[derive(Clone, Copy)]
pub struct Rule {
    concrete: Run<u64>,
    #[cfg(feature = "alloc")]
    symbolic: Run<crate::symbolic::Dim>,
}

impl Rule {
    /// The rule of a version.
    #[must_use]
    pub const fn of<O: Operator>() -> Self {
        Self {
            concrete: run::<O, u64>,
            #[cfg(feature = "alloc")]
            symbolic: run::<O, crate::symbolic::Dim>,
        }
    }

    /// What can be said of the outputs of a node whose inputs have known dimensions.
    ///
    /// # Errors
    /// The first attribute that cannot be read, or what the operator's rule refuses.
    pub fn infer<'a>(
        &self,
        attributes: &[NodeAttribute<'a>],
        inputs: Inputs<'_, u64>,
        outputs: &mut dyn Outputs<u64>,
    ) -> Result<(), Problem<'a>> {
        (self.concrete)(attributes, inputs, outputs)
    }

    /// What can be said of the outputs of a node whose inputs may have symbolic and unknown dimensions.
    ///
    /// # Errors
    /// The first attribute that cannot be read, or what the operator's rule refuses.
    #[cfg(feature = "alloc")]
    pub fn infer_symbolic<'a>(
        &self,
        attributes: &[NodeAttribute<'a>],
        inputs: Inputs<'_, crate::symbolic::Dim>,
        outputs: &mut dyn Outputs<crate::symbolic::Dim>,
    ) -> Result<(), Problem<'a>> {
        (self.symbolic)(attributes, inputs, outputs)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Rule")
    }
}

fn run<'a, O: Operator, D: Dimension>(
    attributes: &[NodeAttribute<'a>],
    inputs: Inputs<'_, D>,
    outputs: &mut dyn Outputs<D>,
) -> Result<(), Problem<'a>> {
    O::read(attributes)?.infer(inputs, outputs)
}

/// A Rust type that an attribute's field can have.
pub trait Field<'a>: Sized {
    /// The kind of attribute that it is read from.
    const KIND: AttributeKind;

    /// The value, if it is of that kind.
    fn from_value(value: AttributeValue<'a>) -> Option<Self>;
}

macro_rules! fields {
    ($($ty:ty = $kind:ident),*) => { $(
        impl<'a> Field<'a> for $ty {
            const KIND: AttributeKind = AttributeKind::$kind;

            fn from_value(value: AttributeValue<'a>) -> Option<Self> {
                match value {
                    AttributeValue::$kind(value) => Some(value),
                    _ => None,
                }
            }
        }
    )* };
}
fields!(i64 = Int, f32 = Float, &'a [u8] = String, &'a [i64] = Ints, &'a [f32] = Floats);

/// The value of an attribute that may be absent and has no default.
///
/// # Errors
/// It is of another kind, or outside of the allowed values.
pub fn optional<'a, T: Field<'a>>(
    attribute: &'static Attribute,
    given: &[NodeAttribute<'a>],
) -> Result<Option<T>, Problem<'a>> {
    let Some(found) = given.iter().find(|given| given.name == attribute.name) else { return Ok(None) };
    crate::check::value(attribute, found)?;
    let wrong = Problem::AttributeType { name: found.name, expected: T::KIND, found: found.value.kind() };
    T::from_value(found.value).map(Some).ok_or(wrong)
}

/// The value of an attribute that is required or has a default.
///
/// # Errors
/// It is missing, of another kind, or outside of the allowed values.
pub fn required<'a, T: Field<'a>>(
    attribute: &'static Attribute,
    given: &[NodeAttribute<'a>],
) -> Result<T, Problem<'a>> {
    optional(attribute, given)?
        .or_else(|| attribute.default.and_then(T::from_value))
        .ok_or(Problem::AttributeMissing { attribute })
}
