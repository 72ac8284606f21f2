//! The Rust types that an attribute's value can have.

#[cfg(feature = "alloc")]
use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::attribute::{AttributeKind, AttributeValue};
use super::held::{
    GraphView, GraphsView, SparseTensorView, SparseTensorsView, TensorsView, TypeProtoView, TypeProtosView,
};
use super::strings::StringsView;
use super::tensor::TensorView;

/// A Rust type that an attribute's field can have.
///
/// Implemented for numbers and views; with the feature `alloc` also for `String` and `Vec`, which copy; and by
/// `#[derive(AttributeEnum)]` for an enum, for a STRING with a closed set of values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the type of an attribute's field",
    note = "an enum that stands for the values of a STRING derives `shape_core::AttributeEnum`",
    note = "a `String` or `Vec` needs onnxspec-core's feature `alloc`"
)]
pub trait Field<'a>: Sized {
    /// The kind of attribute that it is read from.
    const KIND: AttributeKind;

    /// All values of a closed set; empty for other types.
    const VALUES: &'static [AttributeValue<'static>] = &[];

    /// The value, if it is of that kind.
    fn from_value(value: AttributeValue<'a>) -> Option<Self>;

    /// The field as the value of an attribute.
    fn to_value(&self) -> AttributeValue<'_>;
}

/// A [`Field`] with a placeholder value, for a struct that could not be read; it is never returned.
pub trait Blank<'a>: Field<'a> {
    /// The value.
    const BLANK: Self;
}

macro_rules! fields {
    ($($ty:ty = $kind:ident, $blank:expr;)*) => { $(
        impl<'a> Field<'a> for $ty {
            const KIND: AttributeKind = AttributeKind::$kind;

            fn from_value(value: AttributeValue<'a>) -> Option<Self> {
                match value {
                    AttributeValue::$kind(value) => Some(value),
                    _ => None,
                }
            }

            fn to_value(&self) -> AttributeValue<'_> {
                AttributeValue::$kind(*self)
            }
        }

        impl<'a> Blank<'a> for $ty {
            const BLANK: Self = $blank;
        }
    )* };
}
fields!(
    i64 = Int, 0;
    f32 = Float, 0.0;
    &'a [u8] = String, &[];
    &'a [i64] = Ints, &[];
    &'a [f32] = Floats, &[];
    StringsView<'a> = Strings, StringsView::new(&[]);
    TensorView<'a> = Tensor, TensorView::EMPTY;
    GraphView<'a> = Graph, GraphView::new(&());
    SparseTensorView<'a> = SparseTensor, SparseTensorView::new(&());
    TypeProtoView<'a> = TypeProto, TypeProtoView::new(&());
    TensorsView<'a> = Tensors, TensorsView::new(&());
    GraphsView<'a> = Graphs, GraphsView::new(&());
    SparseTensorsView<'a> = SparseTensors, SparseTensorsView::new(&());
    TypeProtosView<'a> = TypeProtos, TypeProtosView::new(&());
);

impl<'a> Field<'a> for &'a str {
    const KIND: AttributeKind = AttributeKind::String;

    fn from_value(value: AttributeValue<'a>) -> Option<Self> {
        core::str::from_utf8(<&[u8]>::from_value(value)?).ok()
    }

    fn to_value(&self) -> AttributeValue<'_> {
        AttributeValue::String(self.as_bytes())
    }
}

#[cfg(feature = "alloc")]
macro_rules! owned {
    ($($ty:ty = $kind:ident($view:ty, $value:ident => $own:expr, $this:ident => $borrow:expr);)*) => { $(
        impl<'a> Field<'a> for $ty {
            const KIND: AttributeKind = AttributeKind::$kind;

            fn from_value(value: AttributeValue<'a>) -> Option<Self> {
                let $value = <$view>::from_value(value)?;
                $own
            }

            fn to_value(&self) -> AttributeValue<'_> {
                let $this = self;
                AttributeValue::$kind($borrow)
            }
        }
    )* };
}
#[cfg(feature = "alloc")]
owned! {
    String = String(&str, value => Some(value.to_owned()), this => this.as_bytes());
    Vec<u8> = String(&[u8], value => Some(value.to_vec()), this => this);
    Vec<i64> = Ints(&[i64], value => Some(value.to_vec()), this => this);
    Vec<f32> = Floats(&[f32], value => Some(value.to_vec()), this => this);
    Vec<String> = Strings(
        StringsView<'_>,
        value => value.iter().map(|text| Some(core::str::from_utf8(text).ok()?.to_owned())).collect(),
        this => this.into()
    );
}

/// An enum for a STRING attribute with a closed set of values: each variant with its text.
#[doc(hidden)]
#[macro_export]
macro_rules! closed {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),* }) => {
        $(#[$doc])*
        #[derive(
            ::core::clone::Clone,
            ::core::marker::Copy,
            ::core::fmt::Debug,
            ::core::cmp::PartialEq,
            ::core::cmp::Eq,
            ::core::hash::Hash,
        )]
        pub enum $name {
            $($(#[$variant_doc])* $variant),*
        }

        impl<'a> $crate::node::Field<'a> for $name {
            const KIND: $crate::node::AttributeKind = $crate::node::AttributeKind::String;
            const VALUES: &'static [$crate::node::AttributeValue<'static>] =
                &[$($crate::node::AttributeValue::String($text)),*];

            #[inline]
            fn from_value(value: $crate::node::AttributeValue<'a>) -> ::core::option::Option<Self> {
                match value {
                    $($crate::node::AttributeValue::String($text) => ::core::option::Option::Some(Self::$variant),)*
                    _ => ::core::option::Option::None,
                }
            }

            #[inline]
            fn to_value(&self) -> $crate::node::AttributeValue<'_> {
                $crate::node::AttributeValue::String(match self {
                    $(Self::$variant => $text,)*
                })
            }
        }

        impl<'a> $crate::node::Blank<'a> for $name {
            const BLANK: Self = [$(Self::$variant),*][0];
        }
    };
}
