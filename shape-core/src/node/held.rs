//! Attribute values whose elements rules do not read: graphs, types, sparse tensors, lists of them.

use core::any::Any;
use core::fmt;

/// What has dimensions, but no elements that a rule reads: a type, or a sparse tensor.
pub trait DimsStorage: Any {
    /// The number of dimensions; `None` if it is unknown.
    fn rank(&self) -> Option<usize>;

    /// The dimension of an axis below the rank; `None` if it is unknown or a symbol.
    fn dim(&self, axis: usize) -> Option<u64>;
}

/// Nothing is known.
impl DimsStorage for () {
    fn rank(&self) -> Option<usize> {
        None
    }

    fn dim(&self, _axis: usize) -> Option<u64> {
        None
    }
}

macro_rules! views {
    ($($(#[$doc:meta])* $name:ident: $kept:literal, ($($storage:tt)+);)*) => { $(
        $(#[$doc])*
        #[doc = ""]
        #[doc = concat!("Whoever made the node says what keeps it; for one of a file that is `", $kept, "` of")]
        #[doc = "`shape_model::file::proto`. Two views are equal where they are of one thing."]
        #[derive(Clone, Copy)]
        pub struct $name<'a>(&'a (dyn $($storage)+));

        impl<'a> $name<'a> {
            /// A view of its storage.
            #[must_use]
            pub const fn new<T: $($storage)+>(kept: &'a T) -> Self {
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
    GraphView: "GraphProto", (Any + Sync);
    /// `SPARSE_TENSOR`
    SparseTensorView: "SparseTensorProto", (DimsStorage + Sync);
    /// `TYPE_PROTO`
    TypeProtoView: "TypeProto", (DimsStorage + Sync);
    /// TENSORS
    TensorsView: "Vec<TensorProto>", (Any + Sync);
    /// GRAPHS
    GraphsView: "Vec<GraphProto>", (Any + Sync);
    /// `SPARSE_TENSORS`
    SparseTensorsView: "Vec<SparseTensorProto>", (Any + Sync);
    /// `TYPE_PROTOS`
    TypeProtosView: "Vec<TypeProto>", (Any + Sync);
}

macro_rules! dims {
    ($($name:ident),*) => { $(
        impl $name<'_> {
            /// The number of dimensions; `None` if it is unknown.
            #[must_use]
            pub fn rank(&self) -> Option<usize> {
                self.0.rank()
            }

            /// The dimension of an axis below the rank; `None` if it is unknown or a symbol.
            #[must_use]
            pub fn dim(&self, axis: usize) -> Option<u64> {
                self.0.dim(axis)
            }
        }
    )* };
}

dims!(SparseTensorView, TypeProtoView);
