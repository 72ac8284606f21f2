//! Lets a derive find out whether a concrete type implements a trait.
//!
//! An inherent constant or function takes precedence over that of a trait, so `Probe::<O>::RULES` is the inherent one if its
//! bounds hold, and that of the trait otherwise. This does not work for a type parameter.

use core::marker::PhantomData;

use super::traits::{Infer, Inferred, Operator};
use crate::node::{Field, NodeAttribute};
use crate::problem::Problem;
use crate::rule::{Functions, OutputRule, Rule};
use crate::schema::Attribute;

/// Looks up the rule of an operator for its schema.
#[derive(Debug)]
pub struct Probe<O>(PhantomData<O>);

/// The fallback for a type without [`Infer`].
pub trait NoRule {
    /// No rules.
    const RULES: &'static [OutputRule] = &[];
}

impl<O> NoRule for Probe<O> {}

impl<O: Operator> Probe<O>
where
    for<'a> O::Of<'a>: Infer,
{
    /// The rule that calls [`Infer`].
    pub const RULES: &'static [OutputRule] = &[OutputRule::whole(Rule::new(Self::FUNCTIONS))];
    const FUNCTIONS: &'static Functions = &Functions::new::<Inferred<O>>("Infer", true);
}

/// Looks up whether a type implements [`Field`]. One that does not fails to compile where its values are listed; this keeps
/// the compiler from reporting it again where the field is read.
#[derive(Debug)]
pub struct Of<'a, T>(PhantomData<&'a T>);

/// The fallback for a type that does not implement [`Field`].
pub trait NoField: Sized {
    /// The type.
    type Field;

    /// Is never called.
    ///
    /// # Errors
    /// Always.
    fn required<'a>(attribute: &'static Attribute, _: &[NodeAttribute<'a>]) -> Result<Self::Field, Problem<'a>> {
        Err(Problem::AttributeMissing { attribute })
    }

    /// Is never called.
    ///
    /// # Errors
    /// Always.
    fn optional<'a>(
        attribute: &'static Attribute,
        _: &[NodeAttribute<'a>],
    ) -> Result<Option<Self::Field>, Problem<'a>> {
        Err(Problem::AttributeMissing { attribute })
    }

    /// Is never called.
    fn for_each<'s>(
        _: &'static Attribute,
        _: impl IntoIterator<Item = &'s Self::Field>,
        _: &mut dyn FnMut(NodeAttribute<'s>),
    ) where
        Self::Field: 's,
    {
    }
}

impl<T> NoField for Of<'_, T> {
    type Field = T;
}

impl<'a, T: Field<'a>> Of<'a, T> {
    /// [`super::field::required`]
    ///
    /// # Errors
    /// Those of the function.
    pub fn required(attribute: &'static Attribute, given: &[NodeAttribute<'a>]) -> Result<T, Problem<'a>> {
        super::field::required(attribute, given)
    }

    /// [`super::field::optional`]
    ///
    /// # Errors
    /// Those of the function.
    pub fn optional(attribute: &'static Attribute, given: &[NodeAttribute<'a>]) -> Result<Option<T>, Problem<'a>> {
        super::field::optional(attribute, given)
    }

    /// [`super::field::for_each`]
    pub fn for_each<'s>(
        attribute: &'static Attribute,
        field: impl IntoIterator<Item = &'s T>,
        each: &mut dyn FnMut(NodeAttribute<'s>),
    ) where
        T: 's,
    {
        super::field::for_each(attribute, field, each);
    }
}
