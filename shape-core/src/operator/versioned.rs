//! What the generated structs and enums share: each trait method is one call of a function here.
//!
//! This keeps the build fast, since hundreds of versions have many function bodies: generated code lists the fields of a struct
//! only twice, to read them and to list them as attributes, and everything else uses the listed attributes.

use core::fmt;
use core::slice::Iter;

use super::field::{optional, required};
use super::traits::Operator;
use crate::node::{AttributeValue, Blank, Field, NodeAttribute};
use crate::problem::Problem;
use crate::schema::{Attribute, Schema};

/// A field of a generated struct: plain, or an `Option` where its attribute may be absent.
pub trait Slot<'a>: Sized {
    /// Its value after a failure.
    const BLANK: Self;

    /// Reads the attribute.
    ///
    /// # Errors
    /// Those of [`required`] and [`optional`].
    fn read(attribute: &'static Attribute, given: &[NodeAttribute<'a>]) -> Result<Self, Problem<'a>>;
}

impl<'a, T: Blank<'a>> Slot<'a> for T {
    const BLANK: Self = T::BLANK;

    fn read(attribute: &'static Attribute, given: &[NodeAttribute<'a>]) -> Result<Self, Problem<'a>> {
        required(attribute, given)
    }
}

impl<'a, T: Field<'a>> Slot<'a> for Option<T> {
    const BLANK: Self = None;

    fn read(attribute: &'static Attribute, given: &[NodeAttribute<'a>]) -> Result<Self, Problem<'a>> {
        optional(attribute, given)
    }
}

/// Reads the fields of a struct, one after the other in the order of its schema.
#[derive(Debug)]
pub struct Reader<'g, 'a> {
    attributes: Iter<'static, Attribute>,
    given: &'g [NodeAttribute<'a>],
    problem: Option<Problem<'a>>,
}

impl<'g, 'a> Reader<'g, 'a> {
    /// Reads all fields of a node with these attributes.
    ///
    /// # Errors
    /// What was wrong with the first field that could not be read.
    pub(super) fn read<T>(
        schema: &'static Schema,
        given: &'g [NodeAttribute<'a>],
        read: impl FnOnce(&mut Self) -> T,
    ) -> Result<T, Problem<'a>> {
        let mut reader = Self::new(schema, given);
        let found = read(&mut reader);
        reader.problem.map_or(Ok(found), Err)
    }

    fn new(schema: &'static Schema, given: &'g [NodeAttribute<'a>]) -> Self {
        Self { attributes: schema.attributes.iter(), given, problem: crate::check::names(schema, given).err() }
    }

    /// The next field.
    pub fn field<T: Slot<'a>>(&mut self) -> T {
        match self.attributes.next().map(|attribute| T::read(attribute, self.given)) {
            Some(Ok(value)) => value,
            Some(Err(problem)) => {
                self.problem.get_or_insert(problem);
                T::BLANK
            }
            None => T::BLANK,
        }
    }
}

/// A field that can be listed as an attribute.
pub trait Held {
    /// Its value, if it has one.
    fn attribute_value(&self) -> Option<AttributeValue<'_>>;
}

impl<'a, T: Field<'a>> Held for T {
    fn attribute_value(&self) -> Option<AttributeValue<'_>> {
        Some(self.to_value())
    }
}

impl<'a, T: Field<'a>> Held for Option<T> {
    fn attribute_value(&self) -> Option<AttributeValue<'_>> {
        self.as_ref().map(T::to_value)
    }
}

/// Lists the fields of a struct as attributes, one after the other in the order of its schema.
pub struct Lister<'l, 's> {
    attributes: Iter<'static, Attribute>,
    each: &'l mut dyn FnMut(NodeAttribute<'s>),
}

impl<'s> Lister<'_, 's> {
    /// The next field.
    pub fn field<T: Held>(&mut self, field: &'s T) {
        if let (Some(attribute), Some(value)) = (self.attributes.next(), field.attribute_value()) {
            (self.each)(NodeAttribute::new(attribute.name, value));
        }
    }
}

/// What each generated struct implements, so that it becomes an [`Operator`].
pub trait Fields: Sized {
    /// The facts of the version.
    const SCHEMA: &'static Schema;

    /// The struct with fields that borrow from a node.
    type Of<'of>: Fields;

    /// Reads the fields, in the order of the schema.
    fn read<'of>(reader: &mut Reader<'_, 'of>) -> Self::Of<'of>;

    /// Lists the fields, in the same order.
    fn list<'s>(&'s self, lister: &mut Lister<'_, 's>);
}

#[diagnostic::do_not_recommend]
impl<F: Fields> Operator for F {
    const SCHEMA: &'static Schema = F::SCHEMA;
    type Of<'of> = F::Of<'of>;

    fn read<'of>(attributes: &[NodeAttribute<'of>]) -> Result<F::Of<'of>, Problem<'of>> {
        Reader::read(F::SCHEMA, attributes, F::read)
    }

    fn attributes<'s>(&'s self, each: &mut dyn FnMut(NodeAttribute<'s>)) {
        self.list(&mut Lister { attributes: F::SCHEMA.attributes.iter(), each });
    }
}

/// A generated struct whose fields have their defaults.
#[must_use]
pub fn default<'of, F: Fields>() -> F::Of<'of> {
    F::read(&mut Reader::new(F::SCHEMA, &[]))
}

/// Any version of an operator, as a trait object.
pub trait Version {
    /// Its facts.
    fn schema(&self) -> &'static Schema;

    /// Calls `each` with its attributes.
    fn attributes<'s>(&'s self, each: &mut dyn FnMut(NodeAttribute<'s>));
}

impl<O: Operator> Version for O {
    fn schema(&self) -> &'static Schema {
        O::SCHEMA
    }

    fn attributes<'s>(&'s self, each: &mut dyn FnMut(NodeAttribute<'s>)) {
        Operator::attributes(self, each);
    }
}

/// Reads a generated struct.
pub fn read<'a, F: Fields<Of<'a> = F>>(reader: &mut Reader<'_, 'a>) -> F {
    F::read(reader)
}

/// Writes a version as `Shape { start: 1 }`, with the attributes that it has.
///
/// # Errors
/// Those of the formatter.
pub fn debug(version: &dyn Version, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut text = formatter.debug_struct(version.schema().name);
    version.attributes(&mut |attribute| {
        text.field(attribute.name, &format_args!("{}", attribute.value));
    });
    text.finish()
}

/// Whether two are the same version with the same attributes.
#[must_use]
pub fn same(left: &dyn Version, right: &dyn Version) -> bool {
    let (mut same, mut more) = (core::ptr::eq(left.schema(), right.schema()), 0_usize);
    right.attributes(&mut |_| more += 1);
    left.attributes(&mut |one| {
        let mut found = false;
        right.attributes(&mut |other| found |= other == one);
        same &= found;
        more = more.wrapping_sub(1);
    });
    same && more == 0
}

/// The traits of a generated struct, given its fields: `borrows` or `owns`, and `default` where no attribute is required.
#[doc(hidden)]
#[macro_export]
macro_rules! version {
    (borrows $($rest:tt)*) => {
        $crate::version! { @ ['a, const SINCE: ::core::primitive::u32] ['a, SINCE] ['of] ['of, SINCE] $($rest)* }
    };
    (owns $($rest:tt)*) => {
        $crate::version! { @ [const SINCE: ::core::primitive::u32] [SINCE] ['of] [SINCE] $($rest)* }
    };
    (@ [$($generics:tt)*] [$($own:tt)*] $life:tt $of:tt $name:ident { $($field:ident)* } default) => {
        impl<$($generics)*> ::core::default::Default for $name<$($own)*> {
            #[inline]
            fn default() -> Self {
                $crate::operator::default::<Self>()
            }
        }
        $crate::version! { @ [$($generics)*] [$($own)*] $life $of $name { $($field)* } }
    };
    (@ [$($generics:tt)*] [$($own:tt)*] [$life:lifetime] [$($of:tt)*] $name:ident { $($field:ident)* }) => {
        impl<$($generics)*> ::core::clone::Clone for $name<$($own)*> {
            #[inline]
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<$($generics)*> ::core::marker::Copy for $name<$($own)*> {}
        impl<$($generics)*> ::core::fmt::Debug for $name<$($own)*> {
            #[inline]
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::operator::debug(self, formatter)
            }
        }
        impl<$($generics)*> ::core::cmp::PartialEq for $name<$($own)*> {
            #[inline]
            fn eq(&self, other: &Self) -> ::core::primitive::bool {
                $crate::operator::same(self, other)
            }
        }
        impl<$($generics)*> $crate::operator::Fields for $name<$($own)*> {
            const SCHEMA: &'static $crate::schema::Schema = $crate::schema::version(VERSIONS, SINCE);
            type Of<$life> = $name<$($of)*>;

            #[inline]
            fn read<$life>(_reader: &mut $crate::operator::Reader<'_, $life>) -> $name<$($of)*> {
                $name { $($field: _reader.field()),* }
            }

            #[inline]
            fn list<'s>(&'s self, _lister: &mut $crate::operator::Lister<'_, 's>) {
                $(_lister.field(&self.$field);)*
            }
        }
    };
}

/// Implements the enum over the versions of an operator. It takes the enum's generics, those of `read`, the lifetime of
/// the attributes, the versions (oldest first, each with its index, `_` for the newest), the newest struct, and the
/// table of all operators.
#[doc(hidden)]
#[macro_export]
macro_rules! any_version {
    (
        [$($generics:tt)*] [$($own:tt)*] [$life:lifetime]
        $name:ident { $($index:pat => $variant:ident)* } $newest:ty, $table:path
    ) => {
        $crate::version_methods! { [$($generics)*] [$($own)*] [$life] $name [$($generics)*] $newest }
        impl<$life> $crate::operator::AnyVersion<$life> for $name $($generics)* {
            type Newest = $newest;
            const OPERATORS: &'static [&'static [&'static $crate::schema::Schema]] = $table;
            const VERSIONS: &'static [&'static $crate::schema::Schema] = VERSIONS;

            #[inline]
            fn read_version(
                version: ::core::primitive::usize,
                attributes: &[$crate::node::NodeAttribute<$life>],
            ) -> ::core::result::Result<Self, $crate::problem::Problem<$life>> {
                $crate::operator::read_fields(version, attributes)
            }

            #[inline]
            fn version(&self) -> &dyn $crate::operator::Version {
                match self {
                    $($name::$variant(version) => version,)*
                }
            }
        }
        impl<$life> $crate::operator::ReadFields<$life> for $name $($generics)* {
            #[inline]
            fn read_fields(version: ::core::primitive::usize, fields: &mut $crate::operator::Reader<'_, $life>) -> Self {
                match version {
                    $($index => $name::$variant($crate::operator::read(fields)),)*
                }
            }
        }
        $crate::any! { [$($generics)*] $name $crate::operator::AnyVersion::version }
    };
}

/// The methods of an enum over versions. It takes the enum's generics, those of `read`, the lifetime of the attributes,
/// and the arguments of the enum.
#[doc(hidden)]
#[macro_export]
macro_rules! version_methods {
    ([$($generics:tt)*] [$($own:tt)*] [$life:lifetime] $name:ident [$($arguments:tt)*] $newest:ty) => {
        #[allow(dead_code, reason = "a crate need not call all of them")]
        impl $($generics)* $name $($arguments)* {
            /// Reads a node as the version that is in force at an opset.
            ///
            /// # Errors
            /// No version is in force, or the first attribute that is missing, of another kind, or outside of the allowed
            /// values.
            #[inline]
            pub fn read $($own)* (
                opset: ::core::primitive::u32,
                source: impl $crate::node::AttributeSource<$life>,
            ) -> ::core::result::Result<Self, $crate::operator::ReadError<$life>> {
                $crate::operator::read_in_force(opset, source)
            }

            /// The facts of the version.
            #[must_use]
            #[inline]
            pub fn schema(&self) -> &'static $crate::schema::Schema {
                $crate::operator::AnyVersion::schema(self)
            }

            $crate::latest! { $newest }
        }
    };
}

/// The method of an enum over versions that converts them to the newest; it needs `alloc`.
#[cfg(feature = "alloc")]
#[doc(hidden)]
#[macro_export]
macro_rules! latest {
    ($newest:ty) => {
        /// The same as the newest version. `inputs` is what is known of each input of the node, `None` one that is left
        /// out; `outputs` is their number.
        ///
        /// # Errors
        /// Why the newest version cannot express it.
        #[inline]
        pub fn latest<'n>(
            &'n self,
            inputs: &[::core::option::Option<$crate::convert::Known<'n>>],
            outputs: ::core::primitive::usize,
        ) -> $crate::convert::Lifted<'n, $newest> {
            $crate::convert::Latest::of(self, inputs, outputs)
        }
    };
}

#[cfg(not(feature = "alloc"))]
#[doc(hidden)]
#[macro_export]
macro_rules! latest {
    ($newest:ty) => {};
}

/// The enum over the operators of a domain. It takes the enum's generics, those of `read`, the lifetime of the
/// attributes, the table of the versions of each operator, and the operators (each with its index in that table, `_`
/// for the last).
#[doc(hidden)]
#[macro_export]
macro_rules! any_operator {
    (
        $(#[$doc:meta])*
        [$($generics:tt)*] [$($own:tt)*] [$life:lifetime] $table:ident
        { $($index:pat => $(#[$variant_doc:meta])* $variant:ident($of:ty))* }
    ) => {
        $(#[$doc])*
        // The sizes of the structs are those of their attributes.
        #[allow(clippy::large_enum_variant)]
        #[non_exhaustive]
        pub enum AnyOperator $($generics)* {
            $($(#[$variant_doc])* $variant($of)),*
        }

        impl<$life> $crate::operator::ReadNode<$life> for AnyOperator $($generics)* {
            #[inline]
            fn read_node(
                domain: &::core::primitive::str,
                op_type: &::core::primitive::str,
                opset: ::core::primitive::u32,
                source: impl $crate::node::AttributeSource<$life>,
            ) -> ::core::result::Result<Self, $crate::operator::ReadError<$life>> {
                $crate::operator::expect_domain($table, domain, op_type)?;
                Self::read(op_type, opset, source)
            }
        }

        impl $($generics)* AnyOperator $($generics)* {
            /// Reads a node as the operator of a name, at the version that is in force at an opset.
            ///
            /// # Errors
            /// The domain has no operator of the name, no version of it is in force, or the first attribute that is
            /// missing, of another kind, or outside of the allowed values.
            #[inline]
            pub fn read $($own)* (
                name: &::core::primitive::str,
                opset: ::core::primitive::u32,
                source: impl $crate::node::AttributeSource<$life>,
            ) -> ::core::result::Result<Self, $crate::operator::ReadError<$life>> {
                $crate::operator::read_named($table, name, opset, source, Self::read_version)
            }

            #[inline]
            fn read_version $($own)* (
                operator: ::core::primitive::usize,
                version: ::core::primitive::usize,
                fields: &mut $crate::operator::Reader<'_, $life>,
            ) -> Self {
                match operator {
                    $($index => AnyOperator::$variant($crate::operator::ReadFields::read_fields(version, fields)),)*
                }
            }

            /// The facts of the version.
            #[must_use]
            #[inline]
            pub fn schema(&self) -> &'static $crate::schema::Schema {
                self.version().schema()
            }

            #[inline]
            fn version(&self) -> &dyn $crate::operator::Version {
                match self {
                    $(AnyOperator::$variant(operator) => $crate::operator::AnyVersion::version(operator),)*
                }
            }
        }
        $crate::any! { [$($generics)*] AnyOperator AnyOperator::version }
    };
}

/// The traits of an enum over versions or operators.
#[doc(hidden)]
#[macro_export]
macro_rules! any {
    ([$($generics:tt)*] $name:ident $version:path) => {
        impl $($generics)* ::core::clone::Clone for $name $($generics)* {
            #[inline]
            fn clone(&self) -> Self {
                *self
            }
        }
        impl $($generics)* ::core::marker::Copy for $name $($generics)* {}
        impl $($generics)* ::core::fmt::Debug for $name $($generics)* {
            #[inline]
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::operator::debug($version(self), formatter)
            }
        }
        impl $($generics)* ::core::cmp::PartialEq for $name $($generics)* {
            #[inline]
            fn eq(&self, other: &Self) -> ::core::primitive::bool {
                $crate::operator::same($version(self), $version(other))
            }
        }
    };
}
