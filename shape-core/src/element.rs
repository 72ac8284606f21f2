//! Element types as Rust types, so that a type that an operator version does not allow does not compile.

use crate::data_type::DataType;

/// A Rust type for an element type of tensors.
///
/// Sealed: there is one for each [`DataType`]. Types that Rust has stand for themselves; the others are wrappers of
/// their bits, and the packed ones, which have no address of their own, are only names.
pub trait Element: sealed::Sealed + Copy + 'static {
    /// Its element type.
    const DATA_TYPE: DataType;

    /// The value in little-endian bytes; `None` for another number of them, and for types that have no value.
    fn from_le_bytes(bytes: &[u8]) -> Option<Self>;
}

mod sealed {
    /// Keeps the traits of this module, and the generated ones of the type sets, to the types of this module.
    pub trait Sealed {}
}

macro_rules! native {
    ($($variant:ident = $ty:ty),* $(,)?) => { $(
        impl sealed::Sealed for $ty {}

        impl Element for $ty {
            const DATA_TYPE: DataType = DataType::$variant;

            fn from_le_bytes(bytes: &[u8]) -> Option<Self> {
                bytes.try_into().ok().map(<$ty>::from_le_bytes)
            }
        }
    )* };
}
native! {
    Float = f32, Double = f64, Int8 = i8, Int16 = i16, Int32 = i32, Int64 = i64, Uint8 = u8, Uint16 = u16,
    Uint32 = u32, Uint64 = u64,
}

macro_rules! wrapped {
    ($($variant:ident($bits:ty)),* $(,)?) => { $(
        #[doc = concat!("The bits of one element of [`DataType::", stringify!($variant), "`].")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $variant(pub $bits);

        impl sealed::Sealed for $variant {}

        impl Element for $variant {
            const DATA_TYPE: DataType = DataType::$variant;

            fn from_le_bytes(bytes: &[u8]) -> Option<Self> {
                bytes.try_into().ok().map(|bytes| Self(<$bits>::from_le_bytes(bytes)))
            }
        }
    )* };
}
wrapped! {
    Float16(u16), Bfloat16(u16), Float8e4m3fn(u8), Float8e4m3fnuz(u8), Float8e5m2(u8), Float8e5m2fnuz(u8),
    Float8e8m0(u8), Complex64(u64), Complex128(u128),
}

macro_rules! named {
    ($($variant:ident),* $(,)?) => { $(
        #[doc = concat!("The name of [`DataType::", stringify!($variant), "`], whose elements have no address.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $variant;

        impl sealed::Sealed for $variant {}

        impl Element for $variant {
            const DATA_TYPE: DataType = DataType::$variant;

            fn from_le_bytes(_: &[u8]) -> Option<Self> {
                None
            }
        }
    )* };
}
named! { String, Uint4, Int4, Float4e2m1, Uint2, Int2, Float6e2m3, Float6e3m2 }

impl sealed::Sealed for bool {}

impl Element for bool {
    const DATA_TYPE: DataType = DataType::Bool;

    fn from_le_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [byte] => Some(*byte != 0),
            _ => None,
        }
    }
}

/// Each element type by the name of its [`DataType`].
pub mod of {
    pub use super::{
        Bfloat16, Complex64, Complex128, Float4e2m1, Float6e2m3, Float6e3m2, Float8e4m3fn, Float8e4m3fnuz, Float8e5m2,
        Float8e5m2fnuz, Float8e8m0, Float16, Int2, Int4, String, Uint2, Uint4,
    };

    macro_rules! native {
        ($($name:ident = $ty:ident),*) => { $(
            #[doc = concat!("[`DataType::", stringify!($name), "`](crate::DataType)")]
            pub type $name = ::core::primitive::$ty;
        )* };
    }
    native! {
        Bool = bool, Double = f64, Float = f32, Int8 = i8, Int16 = i16, Int32 = i32, Int64 = i64, Uint8 = u8,
        Uint16 = u16, Uint32 = u32, Uint64 = u64
    }
}

/// Implements the trait of a type set for its element types.
#[doc(hidden)]
#[macro_export]
macro_rules! allow {
    ($marker:ident<$since:literal>: $($element:ident)*) => {
        $(impl $marker<$since> for $crate::element::of::$element {})*
    };
}
