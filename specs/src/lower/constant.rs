//! Constant expressions of the types of shape-core.

use std::borrow::Cow;
use std::fmt;

use crate::rules::Call;
use crate::tables::Type;

/// A constant expression of shape-core's types.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant<'d> {
    /// `true`
    Bool(bool),
    /// A whole number of any of Rust's types.
    Int(i64),
    /// A number of 32 bits.
    Float(f32),
    /// `"text"`
    Text(&'d str),
    /// `b"text"`
    Bytes(&'d [u8]),
    /// `None`
    None,
    /// `Some(value)`
    Some(Box<Self>),
    /// `&[values]`
    List(Vec<Self>),
    /// `(values)`
    Tuple(Vec<Self>),
    /// `&value`
    Reference(Box<Self>),
    /// A struct or a variant with named fields.
    Struct(Struct<'d>),
    /// `Of::Name`, `Of::Name(fields)`: a variant of an enum, or what a function of this name returns.
    Variant {
        /// The type.
        of: &'static str,
        /// The variant.
        name: Cow<'static, str>,
        /// What is in it.
        fields: Vec<Self>,
    },
    /// What shape-core has under the name that descriptors use for it: a rule, an adapter, a code.
    Named {
        /// The type.
        of: &'static str,
        /// The name, as descriptors have it.
        name: &'d str,
    },
    /// A `Type`.
    Type(&'d Type),
    /// A `TypeSet`.
    TypeSet(&'d [Type]),
    /// A rule in the crate that the descriptor is compiled into. It cannot be read at run time.
    CustomRule(&'d Call),
    /// An expression of the caller's own, by its index among those that it gives to the printer.
    Code(usize),
}

/// A struct, or a variant with named fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Struct<'d> {
    /// The type.
    pub of: &'static str,
    /// The variant of an enum.
    pub variant: Option<&'static str>,
    /// The fields that are given here.
    pub fields: Fields<'d>,
    /// Where the other fields come from.
    pub rest: Option<Rest>,
}

/// The fields of a struct by their names.
pub type Fields<'d> = Vec<(&'static str, Constant<'d>)>;

/// Where the fields come from that a [`Struct`] does not give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// The constant of this name that its type has: `PLAIN`.
    Constant(&'static str),
    /// The schema of the version that came with this opset.
    Schema(u32),
    /// The type variable with this index of that schema.
    TypeVariable(u32, usize),
}

impl<'d> Struct<'d> {
    /// Gives a field this value.
    pub fn set(&mut self, field: &'static str, value: Constant<'d>) {
        self.fields.retain(|(name, _)| *name != field);
        self.fields.push((field, value));
    }
}

impl<'d> Constant<'d> {
    pub(super) fn list(values: impl IntoIterator<Item = Self>) -> Self {
        Self::List(values.into_iter().collect())
    }

    pub(super) fn option(value: Option<Self>) -> Self {
        value.map_or(Self::None, |value| Self::Some(Box::new(value)))
    }

    pub(super) fn text(text: Option<&'d String>) -> Self {
        Self::option(text.map(|text| Self::Text(text)))
    }

    pub(super) fn reference(value: Self) -> Self {
        Self::Reference(Box::new(value))
    }

    /// A number that counts or names an index; of a text whose size is bounded none is past 63 bits.
    pub(super) fn index(number: usize) -> Self {
        Self::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// A variant without fields of an enum that has the same names in shape-core.
    pub(super) fn unit(of: &'static str, variant: impl fmt::Debug) -> Self {
        Self::Variant { of, name: format!("{variant:?}").into(), fields: Vec::new() }
    }

    pub(super) fn variant<const N: usize>(of: &'static str, name: &'static str, fields: [Self; N]) -> Self {
        Self::Variant { of, name: name.into(), fields: fields.into() }
    }

    pub(super) fn named_fields<const N: usize>(
        of: &'static str,
        variant: Option<&'static str>,
        fields: [(&'static str, Self); N],
    ) -> Self {
        Self::Struct(Struct { of, variant, fields: fields.into(), rest: None })
    }
}
