//! How much of the outputs of an operator version its type constraints and rules determine.
//!
//! All of it is in the tables: where a type comes from, and which outputs have a rule for their dimensions and their
//! elements.

use alloc::vec::Vec;

use crate::rule::OutputRule;
use crate::schema::{FormalParameter, ParameterType, Schema};

/// How much of the outputs of an operator version its type constraints and rules determine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Where the types of its outputs come from.
    pub types: Types,
    /// How many of its outputs have a rule for the dimensions.
    pub dims: Share,
    /// Whether a rule computes elements of an output before the model runs, where it knows the elements that it reads.
    pub values: bool,
    /// Whether rules compute the elements of all its outputs, so that `shape test` computes its nodes.
    pub data: bool,
}

/// Where the types of the outputs of an operator version come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Types {
    /// Each follows from the type constraints.
    Constraints,
    /// A rule decides some of them, the others follow.
    Rule,
    /// Some of them are not decided.
    Open,
}

/// How many of the tensors among the outputs of an operator version have a rule for their dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// None does.
    None,
    /// Some do.
    Some,
    /// All do.
    All,
    /// No output can have one: none is a tensor, or there are no outputs.
    Pointless,
}

impl Schema {
    /// How much of the outputs of the version its type constraints and rules determine.
    ///
    /// ```
    /// # #[cfg(feature = "ai-onnx")] {
    /// use shape_core::Registry;
    /// use shape_core::coverage::{Coverage, Share, Types};
    /// let shape = Registry::builtin().resolve("", "Shape", 25).unwrap();
    /// let all = Coverage { types: Types::Constraints, dims: Share::All, values: true, data: true };
    /// assert_eq!(shape.coverage(), all);
    /// # }
    /// ```
    #[must_use]
    pub fn coverage(&'static self) -> Coverage {
        let values = self.rules.iter().any(OutputRule::gives_elements);
        Coverage { types: types(self), dims: dims(self), values, data: self.computes() }
    }
}

fn types(schema: &'static Schema) -> Types {
    let mut all = Types::Constraints;
    for (index, output) in schema.outputs.iter().enumerate() {
        let ParameterType::Variable(variable) = output.ty else { continue };
        let shared =
            schema.inputs.iter().any(|input| input.ty == output.ty && (input.homogeneous || output.is_variadic()));
        let settled = schema.types.get(variable).is_some_and(|constraint| constraint.allow.len() == 1);
        if settled || (shared && output.homogeneous) {
            continue;
        }
        match rule(schema, index) {
            Some(rule) if !rule.types.is_empty() => all = Types::Rule,
            _ => return Types::Open,
        }
    }
    all
}

fn dims(schema: &'static Schema) -> Share {
    let is_tensor = |output: &FormalParameter| match output.ty {
        ParameterType::Fixed(ty) => ty.element().is_some(),
        ParameterType::Variable(variable) => {
            schema.types.get(variable).is_none_or(|constraint| constraint.allow.iter().any(|ty| ty.element().is_some()))
        }
    };
    let tensors = schema.outputs.iter().enumerate().filter(|(_, output)| is_tensor(output));
    let has = |index: usize| rule(schema, index).is_some_and(|rule| rule.dims.is_some());
    let having: Vec<bool> = tensors.map(|(index, _)| has(index)).collect();
    if having.is_empty() {
        Share::Pointless
    } else if having.iter().all(|has| *has) {
        Share::All
    } else if having.contains(&true) {
        Share::Some
    } else {
        Share::None
    }
}

fn rule(schema: &'static Schema, output: usize) -> Option<&'static OutputRule> {
    schema.rules.iter().find(|rule| rule.output == output)
}
