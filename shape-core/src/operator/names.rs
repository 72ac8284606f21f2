//! The types and functions that generated schemas use.

pub use core::option::Option::{None, Some};

pub use crate::adapter::{Action, Deed, Formula, Function, NewNode, Way};
pub use crate::code::Code;
pub use crate::data_type::DataType;
pub use crate::dimension::Operation;
pub use crate::node::{AttributeKind, AttributeValue, StringsView};
pub use crate::rule::{
    Alternative, Amount, Argument, Call, Condition, DimsRule, Expression, OutputRule, Rule, Term, TypeOf, TypeSource,
};
pub use crate::runtime::{ReleaseNumber, RuntimeRelease};
pub use crate::schema::{
    Attribute, Claim, Comparison, Exclusive, FormalParameter, Operand, ParameterOption, ParameterType, Part,
    Requirement, Schema, SubgraphKind, SupportLevel, TypeConstraint,
};
pub use crate::signature::{SWITCH, attributes, parameters, tensors, words};
pub use crate::types::{Type, TypeSet};
pub use crate::{rules, type_sets};

/// A type in a list, an optional or a map.
///
/// # Panics
/// It nests too deep; the nesting of descriptors' types is limited to less.
#[must_use]
#[expect(clippy::panic, reason = "in a `static`, where it is called, this is a compile error")]
pub const fn nested(ty: Option<Type>) -> Type {
    match ty {
        Some(ty) => ty,
        None => panic!("a type that nests too deep"),
    }
}

/// A type variable.
#[must_use]
pub const fn variable(name: &'static str, allow: TypeSet, doc: &'static str) -> TypeConstraint {
    TypeConstraint::new(name, allow, doc)
}

/// The entry of a schema for an output whose dimensions a rule computes.
#[must_use]
pub const fn rule(output: usize, rule: Rule, arguments: &'static [Argument]) -> OutputRule {
    let dims = Some(DimsRule::Call(Call { rule, arguments }));
    OutputRule { output, types: &[], dims, elements: None, multiply_adds: &[] }
}
