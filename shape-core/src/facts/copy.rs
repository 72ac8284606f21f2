//! `Copy` for what borrows dimensions.

// Derived, these would ask that the dimension be `Copy`, which lies behind a reference in all of them.
macro_rules! copy {
    ($($name:ident),*) => { $(
        impl<D: $crate::dimension::Dimension> Clone for $name<'_, D> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<D: $crate::dimension::Dimension> Copy for $name<'_, D> {}
    )* };
}
pub(crate) use copy;
