//! `Copy` for types that borrow dimensions.

// The derives would require `D: Copy`, although all these types only hold references to dimensions.
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
