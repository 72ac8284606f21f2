//! What is known of a tensor whose element type is known to the compiler.

use core::marker::PhantomData;

use super::input::Fact;
use crate::dimension::Dimension;
use crate::element::Element;
use crate::types::Type;

/// What is known of a tensor whose element type is known to the compiler.
///
/// The generated `infer_typed` of an operator version takes its inputs in this form, bounded by the trait of the type
/// set that the version allows.
#[derive(Debug)]
pub struct Typed<'a, E, D: Dimension = u64> {
    /// Its dimensions; `None` where not even its rank is known.
    pub dims: Option<&'a [D]>,
    element: PhantomData<E>,
}

impl<E, D: Dimension> Clone for Typed<'_, E, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E, D: Dimension> Copy for Typed<'_, E, D> {}

impl<'a, E: Element, D: Dimension> Typed<'a, E, D> {
    /// A tensor of these dimensions.
    #[must_use]
    pub const fn new(dims: &'a [D]) -> Self {
        Self { dims: Some(dims), element: PhantomData }
    }

    /// The same, with the element type as a value.
    #[must_use]
    pub fn fact(self) -> Fact<'a, D> {
        Fact { ty: Some(Type::tensor(E::DATA_TYPE)), dims: self.dims, elements: None }
    }
}
