//! Attribute values that rules pass on without reading them: graphs, types, lists of tensors.

use core::any::Any;
use core::fmt;

macro_rules! views {
    ($($(#[$doc:meta])* $name:ident: $kept:literal;)*) => { $(
        $(#[$doc])*
        #[doc = ""]
        #[doc = concat!("Whoever made the node says what keeps it; for one of a file that is `", $kept, "` of")]
        #[doc = "`shape_model::file::proto`. Two views are equal where they are of one thing."]
        #[derive(Clone, Copy)]
        pub struct $name<'a>(&'a (dyn Any + Sync));

        impl<'a> $name<'a> {
            /// A view of its storage.
            #[must_use]
            pub const fn new<T: Any + Sync>(kept: &'a T) -> Self {
                Self(kept)
            }

            /// Its storage, if it has this type.
            #[must_use]
            pub fn get<T: Any>(&self) -> Option<&'a T> {
                let kept: &dyn Any = self.0;
                kept.downcast_ref()
            }
        }

        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool {
                core::ptr::addr_eq(self.0, other.0)
            }
        }

        impl Eq for $name<'_> {}

        impl fmt::Debug for $name<'_> {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(stringify!($name))
            }
        }
    )* };
}

views! {
    /// GRAPH: the body of a loop or of a branch.
    GraphView: "GraphProto";
    /// `SPARSE_TENSOR`
    SparseTensorView: "SparseTensorProto";
    /// `TYPE_PROTO`
    TypeProtoView: "TypeProto";
    /// TENSORS
    TensorsView: "Vec<TensorProto>";
    /// GRAPHS
    GraphsView: "Vec<GraphProto>";
    /// `SPARSE_TENSORS`
    SparseTensorsView: "Vec<SparseTensorProto>";
    /// `TYPE_PROTOS`
    TypeProtosView: "Vec<TypeProto>";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_was_made_of() {
        let (one, other) = (7_u8, 7_u8);
        let view = GraphView::new(&one);
        assert_eq!((view.get::<u8>(), view.get::<i8>()), (Some(&7), None));
        assert_eq!(view, GraphView::new(&one));
        assert_ne!(view, GraphView::new(&other));
    }
}
