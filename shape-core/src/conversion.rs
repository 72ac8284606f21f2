//! What the generated conversions between the structs of neighbouring versions share.
//!
//! Upward they are `From`, if the next version has every field. Downward they are `TryFrom`, which fails if a field has a
//! value that the older version cannot express; they are `From` if both have the same fields, so that nothing can fail.
//! `shape_core::convert` converts whole nodes, with their types and inputs.

use core::fmt;

use crate::schema::{Attribute, Schema};

/// The fields that the version before does not have, and that are not at their defaults.
#[derive(Clone, Copy, Debug)]
pub struct LostAttributes {
    schema: &'static Schema,
    /// Bit n is set for the attribute at index n of the schema.
    attributes: u128,
}

impl LostAttributes {
    /// No lost fields of this version.
    #[must_use]
    pub const fn nothing(schema: &'static Schema) -> Self {
        Self { schema, attributes: 0 }
    }

    /// The version that has the fields.
    #[must_use]
    pub const fn schema(&self) -> &'static Schema {
        self.schema
    }

    /// The attributes that are lost.
    pub fn attributes(&self) -> impl Iterator<Item = &'static Attribute> + use<> {
        let lost = self.attributes;
        let bit = move |index: usize| u32::try_from(index).ok().and_then(|index| lost.checked_shr(index));
        let attributes = self.schema.attributes.iter().enumerate();
        attributes
            .filter(move |(index, _)| bit(*index).is_some_and(|bits| bits & 1 == 1))
            .map(|(_, attribute)| attribute)
    }

    /// Records the field of the attribute at an index, unless it is at the default.
    #[doc(hidden)]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a default in the generated code takes the field's type by value"
    )]
    pub fn unless_at<T: PartialEq>(&mut self, index: u32, field: T, default: T) {
        if field != default {
            self.attributes |= 1_u128.checked_shl(index).unwrap_or_default();
        }
    }

    /// The value, if nothing is lost.
    #[doc(hidden)]
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.attributes == 0 { Ok(value) } else { Err(self) }
    }
}

impl fmt::Display for LostAttributes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the version before {}-{} cannot hold ", self.schema.name, self.schema.since_version)?;
        for (index, attribute) in self.attributes().enumerate() {
            write!(formatter, "{}`{}`", if index == 0 { "" } else { ", " }, attribute.name)?;
        }
        Ok(())
    }
}

impl core::error::Error for LostAttributes {}

/// Implements the conversion of one struct into another: the fields that both have, those that only the new one has with
/// their values, and downward, those that only the old one has with their defaults. `same` converts in both directions
/// between structs with the same fields.
#[doc(hidden)]
#[macro_export]
macro_rules! conversion {
    (same [$($generics:tt)*] $old:ty, $new:ty, $schema:ident, { $($kept:ident),* }) => {
        $crate::conversion! { up [$($generics)*] $old, $new, { $($kept),* } {} }
        $crate::conversion! { up [$($generics)*] $new, $old, { $($kept),* } {} }
    };
    (up [$($generics:tt)*] $from:ty, $to:ty, { $($kept:ident),* } { $($new:ident: $value:expr),* }) => {
        impl $($generics)* ::core::convert::From<$from> for $to {
            #[inline]
            fn from(before: $from) -> Self {
                let _ = &before;
                Self { $($kept: before.$kept,)* $($new: $value,)* }
            }
        }
    };
    (
        down [$($generics:tt)*] $from:ty, $to:ty, $schema:ident,
        { $($kept:ident),* } { $($new:ident: $value:expr),* } { $($index:literal $lost:ident: $default:expr),* }
    ) => {
        impl $($generics)* ::core::convert::TryFrom<$from> for $to {
            type Error = $crate::conversion::LostAttributes;

            #[allow(unused_mut)]
            #[inline]
            fn try_from(after: $from) -> ::core::result::Result<Self, Self::Error> {
                let _ = &after;
                let mut lost = $crate::conversion::LostAttributes::nothing(&$schema);
                $(lost.unless_at($index, after.$lost, $default);)*
                lost.or(Self { $($kept: after.$kept,)* $($new: $value,)* })
            }
        }
    };
}
