//! The formal inputs and outputs of a version.

use crate::types::Type;

/// A formal input or output of an operator version.
#[derive(Clone, Copy, Debug)]
pub struct FormalParameter {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub ty: ParameterType,
    /// How many values it takes.
    pub option: ParameterOption,
    /// Whether the values of a variadic one share a type.
    pub homogeneous: bool,
    /// The minimum number of values of a variadic one; 1 for every other.
    pub min_arity: u32,
    /// One sentence.
    pub doc: &'static str,
}

impl FormalParameter {
    /// Whether it takes any number of values.
    #[must_use]
    pub const fn is_variadic(&self) -> bool {
        matches!(self.option, ParameterOption::Variadic)
    }

    /// Whether a node must give each value of this formal input: it is a single one, or variadic with values of one
    /// type. The values that a node hands to its graphs are no such list: each of them may be one that is left out.
    #[must_use]
    pub const fn needs_value(&self) -> bool {
        match self.option {
            ParameterOption::Single => true,
            ParameterOption::Optional => false,
            ParameterOption::Variadic => self.homogeneous,
        }
    }

    /// A single parameter without a name; tables list only what differs from it.
    #[doc(hidden)]
    pub const PLAIN: Self = Self {
        name: "",
        ty: ParameterType::Variable(0),
        option: ParameterOption::Single,
        homogeneous: true,
        min_arity: 1,
        doc: "",
    };
}

/// The type of a formal parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// The type variable at this index of [`Schema::types`](crate::Schema::types).
    Variable(usize),
    /// A type that is fixed.
    Fixed(Type),
}

/// How many values a formal parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterOption {
    /// One.
    Single,
    /// One or none.
    Optional,
    /// Any number, at least its minimum arity.
    Variadic,
}

/// How many values formal parameters take: the minimum, and the maximum if there is one.
#[must_use]
pub fn arity(parameters: &[FormalParameter]) -> (usize, Option<usize>) {
    let mut min = 0;
    let mut max = Some(parameters.len());
    for (index, parameter) in parameters.iter().enumerate() {
        match parameter.option {
            ParameterOption::Single => min = index + 1,
            ParameterOption::Optional => {}
            ParameterOption::Variadic => {
                max = None;
                // Everything before it must be present, if only as an empty name; so too in the reference.
                min = index + parameter.min_arity as usize;
            }
        }
    }
    (min, max)
}

/// The formal parameter at an index; a variadic one covers its index and all later ones.
pub(crate) fn at(parameters: &'static [FormalParameter], index: usize) -> Option<&'static FormalParameter> {
    parameters.get(index).or_else(|| parameters.last().filter(|last| last.is_variadic()))
}
