//! Operators of one's own where it is hardest: without `std` and without a prelude, beside items that are called as those
//! of the prelude are, with onnxspec-core by another name, and under lints that forgive nothing.

#![no_std]
#![no_implicit_prelude]
#![deny(warnings, missing_docs, unsafe_code)]

#[cfg(test)]
extern crate std;

/// Defines what careless code would take for something else.
macro_rules! mislead {
    () => {
        #[allow(dead_code, non_camel_case_types)]
        mod misleading {
            pub struct Option;
            pub struct Result;
            pub struct Some;
            pub struct None;
            pub struct Ok;
            pub struct Err;
            pub struct String;
            pub struct Vec;
            pub struct Box;
            pub trait Clone {}
            pub trait Copy {}
            pub trait Default {}
            pub trait Into {}
            pub trait FnMut {}
            pub struct i64;
            pub struct f32;
            pub struct u8;
            pub struct u32;
            pub struct usize;
            pub struct bool;
            pub struct str;
            pub mod core {}
            pub mod std {}
            pub mod shape_core {}
        }
        #[allow(unused_imports)]
        use misleading::*;
    };
}

/// From YAML.
pub mod described {
    mislead!();

    ::renamed::operators!("Odd.yaml", "Option.yaml");
}

/// From structs.
pub mod derived {
    use ::core::primitive::{f32 as float, i64 as int};

    mislead!();

    /// Has the names that are hard to have.
    #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq, ::renamed::Operator)]
    #[operator(
        crate = ::renamed,
        domain = "com.acme",
        name = "Hard",
        since_version = 1,
        types(T: [float, string], Self: [bool]),
        inputs(r#type: T, self: Option<Self>, r#match: Variadic<T>),
        outputs(value: T)
    )]
    pub struct Hard1<'a> {
        /// The attribute `type`.
        #[attribute(default = Type::r#Match)]
        pub r#type: Type,
        /// The attribute `self`.
        #[attribute(rename = "self")]
        pub this: ::core::option::Option<::core::primitive::i64>,
        /// The attribute `value`.
        #[attribute(default = 0.5)]
        pub value: ::core::primitive::f32,
        /// The attribute `match`.
        #[attribute(default = "a")]
        pub r#match: &'a ::core::primitive::str,
        /// The attribute `attributes`.
        pub attributes: ::core::option::Option<::renamed::node::StringsView<'a>>,
        /// The attribute `tell`.
        #[attribute(default = [1])]
        pub tell: &'a [::core::primitive::i64],
    }

    /// Has nothing, and a rule.
    #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq, ::renamed::Operator)]
    #[operator(crate = ::renamed, domain = "com.acme", name = "Hard", since_version = 2)]
    #[operator(types(T: [float]), inputs(data: T), outputs(shape: tensor(int64)), rules(shape = "shape(data)"))]
    #[operator(requires(that = "rank(data) > 0", code = "rank-mismatch", doc = "it has no axes"), adapter())]
    #[operator(examples(
        matrix(inputs = [(type = float, dims = [N, 3])], outputs = [(values = [N, 3])]),
        scalar(inputs = [(type = float, dims = [])], error = "rank-mismatch"),
    ))]
    pub struct Hard2;

    /// Has a rule of its own.
    #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq, ::renamed::Operator)]
    #[operator(crate = ::renamed, domain = "com.acme", name = "Hard", since_version = 3)]
    pub struct Hard3 {}

    impl ::renamed::Infer for Hard3 {
        fn infer<D: ::renamed::Dimension>(
            &self,
            _: ::renamed::facts::Inputs<'_, D>,
            _: &mut dyn ::renamed::facts::Outputs<D>,
        ) -> ::core::result::Result<(), ::renamed::problem::Problem<'static>> {
            ::core::result::Result::Ok(())
        }
    }

    /// All of them.
    #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq, ::renamed::OperatorVersions)]
    #[operator(crate = ::renamed)]
    pub enum Hard<'a> {
        /// The first.
        V1(Hard1<'a>),
        /// The second.
        V2(Hard2),
        /// The third.
        V3(Hard3),
    }

    /// Those that borrow nothing.
    #[derive(::renamed::OperatorVersions)]
    #[operator(crate = ::renamed)]
    pub enum Harder {
        /// The second.
        V2(Hard2),
        /// The third.
        V3(Hard3),
    }

    /// Texts that are hard to have.
    #[derive(
        ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq, ::renamed::AttributeEnum,
    )]
    #[attribute(crate = ::renamed, rename_all = "snake_case")]
    pub enum Type {
        /// `match`
        r#Match,
        /// `some`
        Some,
        /// `""`
        #[attribute(rename = "")]
        None,
    }

    /// What has another name still has its type.
    pub const NUMBERS: (int, float) = (0, 0.0);
}

/// The rules of the operators.
pub mod rules {
    use ::core::option::Option;
    use ::core::primitive::{f32, i64, u8};
    use ::core::result::Result::Ok;

    /// Gives a scalar, whatever it is given.
    ///
    /// # Errors
    /// None.
    pub fn r#type<D: ::renamed::Dimension>(
        _: Option<i64>,
        _: ::renamed::facts::Input<'_, D>,
        _: Option<&[i64]>,
        _: &[u8],
        _: f32,
        _: Option<::renamed::node::StringsView<'_>>,
        _: Option<::renamed::node::TensorView<'_>>,
        output: &mut ::renamed::rule::Output<'_, D>,
    ) -> ::renamed::rule::Done {
        output.dims(::renamed::Dims::Known(&[]));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ::renamed::node::{AttributeValue, NodeAttribute};
    use ::renamed::{Operator, Registry};
    use ::std::assert_eq;
    use ::std::prelude::v1::*;

    use super::derived::{Hard1, Hard2, Hard3, Type};
    use super::described::odd::{self, Odd1, Odd4};

    #[test]
    fn they_are_what_they_are_where_it_is_easy() {
        let given = [
            NodeAttribute::new("type", AttributeValue::String(b"some")),
            NodeAttribute::new("self", AttributeValue::Int(3)),
        ];
        let read = Hard1::read(&given).unwrap();
        let expected =
            Hard1 { r#type: Type::Some, this: Some(3), value: 0.5, r#match: "a", attributes: None, tell: &[1] };
        assert_eq!(read, expected);
        assert_eq!(Hard1::read(&[]).unwrap().r#type, Type::Match);
        let rules = [Hard1::SCHEMA, Hard2::SCHEMA, Hard3::SCHEMA].map(|schema| schema.rules.len());
        assert_eq!(rules, [0, 1, 1]);
        let odd = Odd1::read(&[NodeAttribute::new("type", AttributeValue::String(b"b"))]).unwrap();
        assert_eq!((odd.r#type, odd.self_, odd.value, odd.r#match), (odd::Type::B, None, 0.5, None));
        assert_eq!(Odd4::read(&[]).unwrap().schema, 1);
    }

    #[test]
    fn a_table_without_allocating() {
        static TABLE: &[&[&::renamed::Schema]] =
            &[&[Hard1::SCHEMA, Hard2::SCHEMA, Hard3::SCHEMA], super::described::OPERATORS[0]];
        static REGISTRY: Registry = Registry::of(TABLE);
        let since = |name, opset| REGISTRY.resolve("com.acme", name, opset).map(|schema| schema.since_version).ok();
        assert_eq!((since("Hard", 2), since("Hard", 9), since("Odd", 3)), (Some(2), Some(3), Some(2)));
    }
}
