//! Constant expressions of the types of onnxspec-core.

use std::borrow::Cow;
use std::fmt;

use crate::operator::Version;
use crate::rules::Call;
use crate::tables::Type;

/// A constant expression of onnxspec-core's types.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant<'d> {
    /// `true`
    Bool(bool),
    /// An integer of any of Rust's types.
    Int(i64),
    /// A 32-bit floating-point number.
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
    /// `Of::Name`, `Of::Name(fields)`: a variant of an enum, or the result of a function with this name.
    Variant {
        /// The type.
        of: &'static str,
        /// The variant.
        name: Cow<'static, str>,
        /// Its fields.
        fields: Vec<Self>,
    },
    /// An item of onnxspec-core by its name in descriptors: a rule, a code, an element type.
    Named {
        /// The type.
        of: &'static str,
        /// The name in descriptors.
        name: &'d str,
    },
    /// A `Type`.
    Type(&'d Type),
    /// A `TypeSet`.
    TypeSet(&'d [Type]),
    /// A rule in the crate that the descriptor is compiled into. Not available at run time.
    CustomRule(&'d Call),
    /// `&SCHEMA`
    Schema(SchemaName),
    /// An expression of the caller, by its index in the list that is passed to the printer.
    Code(usize),
}

/// A struct, or a variant with named fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Struct<'d> {
    /// The type.
    pub of: &'static str,
    /// The variant of an enum.
    pub variant: Option<&'static str>,
    /// The explicit fields.
    pub fields: Fields<'d>,
    /// The source of the other fields.
    pub rest: Option<Rest>,
}

/// The fields of a struct by their names.
pub type Fields<'d> = Vec<(&'static str, Constant<'d>)>;

/// The source of the fields that a [`Struct`] leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// The associated constant of its type with this name: `PLAIN`.
    Constant(&'static str),
    /// A schema of the same operator.
    Schema(SchemaName),
}

/// Which schema of an operator it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemaName {
    /// The opset of the version.
    pub since: u32,
    /// For the version as earlier releases have it, its index among these.
    pub earlier: Option<usize>,
}

impl SchemaName {
    /// That of a version in its newest release.
    #[must_use]
    pub fn newest(version: &Version) -> Self {
        Self { since: version.since, earlier: None }
    }
}

impl<'d> Struct<'d> {
    /// Sets the value of a field.
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

    /// A count or an index; the size of texts is limited, so none exceeds 63 bits.
    pub(super) fn index(number: usize) -> Self {
        Self::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// A variant without fields of an enum that has the same names in onnxspec-core.
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
