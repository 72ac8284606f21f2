//! What is known of a tensor whose element type is a Rust type.

use core::marker::PhantomData;

use super::input::Fact;
use crate::dimension::Dimension;
use crate::element::Element;
use crate::types::Type;

/// What is known of a tensor whose element type is a Rust type.
///
/// The generated `infer_typed` of an operator version takes its inputs as this type; the trait of the allowed type set
/// bounds `E`.
#[derive(Debug)]
pub struct Typed<'a, E, D: Dimension = u64> {
    /// Its dimensions; `None` if not even its rank is known.
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
