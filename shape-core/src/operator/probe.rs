//! What a derive asks of a type that is written out: whether it implements a trait.
//!
//! A constant or function of a type comes before that of a trait, so that `Probe::<O>::RULES` is the one of the type where
//! its conditions hold, and that of the trait where they do not. It does not work for a type parameter.

use core::marker::PhantomData;

use super::traits::{Infer, Operator, infer_whole};
use crate::node::{Field, NodeAttribute};
use crate::problem::Problem;
use crate::rule::{OutputRule, Rule};
use crate::schema::Attribute;

/// What gives the outputs of an operator, for its schema to carry it.
#[derive(Debug)]
pub struct Probe<O>(PhantomData<O>);

/// The answer for a type without [`Infer`].
pub trait NoRule {
    /// There is nothing.
    const RULES: &'static [OutputRule] = &[];
}

impl<O> NoRule for Probe<O> {}

impl<O: Operator> Probe<O>
where
    for<'a> O::Of<'a>: Infer,
{
    /// Its own.
    pub const RULES: &'static [OutputRule] = &[OutputRule::whole(Rule::new(
        "Infer",
        true,
        infer_whole::<O, u64>,
        #[cfg(feature = "alloc")]
        infer_whole::<O, crate::symbolic::Dim>,
    ))];
}

/// Whether a type is that of a field. One that is not does not compile where its values are asked for, and need not be
/// told again where it is read.
#[derive(Debug)]
pub struct Of<'a, T>(PhantomData<&'a T>);

/// The functions of a type that is not.
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
    /// As there.
    pub fn required(attribute: &'static Attribute, given: &[NodeAttribute<'a>]) -> Result<T, Problem<'a>> {
        super::field::required(attribute, given)
    }

    /// [`super::field::optional`]
    ///
    /// # Errors
    /// As there.
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
