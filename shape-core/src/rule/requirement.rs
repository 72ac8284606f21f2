//! Whether a node meets the relations of its version.

use super::arguments::RuleArguments;
use super::numbers::size;
use crate::code::Severity;
use crate::data_type::DataType;
use crate::dimension::Dimension;
use crate::elements::{Elements, Scalar};
use crate::facts::{Fact, Implied, Outputs, UnknownCause};
use crate::node::AttributeValue;
use crate::problem::Problem;
use crate::signature::{
    Attribute, Claim, Comparison, Expression, MAX_SHOWN, Operand, OperandValue, Part, Requirement, counted,
};

/// The first relation of such a severity that a node does not meet, whatever its symbols are. What is not known refuses
/// nothing.
///
/// `output` says whether the node has an output.
pub(crate) fn broken<D: Dimension>(
    requires: &'static [Requirement],
    is_of: fn(Severity) -> bool,
    arguments: &RuleArguments<'_, '_, D>,
    output: &dyn Fn(usize) -> bool,
) -> Option<Problem<'static>> {
    let node = Node { arguments, output };
    let mut asked = requires.iter().filter(|requirement| is_of(requirement.code.severity()));
    let requirement = asked.find(|requirement| node.meets(requirement) == Some(false))?;
    let mut found = [None; MAX_SHOWN];
    for (found, (_, operand)) in found.iter_mut().zip(requirement.operands) {
        *found = node.operand(operand);
    }
    Some(Problem::Requirement { requirement, found })
}

/// The axis of an input with which a node would meet a relation, where an attribute names another one.
#[derive(Clone, Copy, Debug)]
pub struct FittingAxis {
    /// The axis.
    pub axis: usize,
    /// Its size, which another one should equal.
    pub size: u64,
    /// The attribute.
    pub attribute: &'static Attribute,
    /// What it is: the value that the node gives, or the default.
    pub value: i64,
}

/// The one axis that an attribute would have to name for a node to meet a relation: people take the default for another.
pub(crate) fn fitting<D: Dimension>(
    requirement: &Requirement,
    arguments: &RuleArguments<'_, '_, D>,
) -> Option<FittingAxis> {
    Node { arguments, output: &|_| true }.fitting(requirement)
}

/// Tells what follows where a node meets the relations of its version: the dimensions that a relation says to be equal, if it
/// leaves no choice.
pub(crate) fn implied<D: Dimension>(
    requires: &'static [Requirement],
    arguments: &RuleArguments<'_, '_, D>,
    outputs: &mut dyn Outputs<D>,
) {
    // Where all sizes are numbers, nothing is left to follow.
    let is_number = |fact: &Fact<'_, D>| {
        let elements = match fact.elements {
            Some(Elements::Scalars(scalars) | Elements::Target(scalars)) => scalars,
            _ => &[],
        };
        fact.dims.is_some_and(|dims| dims.iter().all(|dim| dim.known().is_some()))
            && elements.iter().all(|element| element.dim().is_none())
    };
    if arguments.inputs.0.iter().flatten().all(is_number) {
        return;
    }
    for requirement in requires.iter().filter(|requirement| requirement.code.severity() == Severity::Error) {
        let node = Node { arguments, output: &|output| outputs.given(output) };
        let mut open = requirement.alternatives.iter().filter(|claims| node.all(claims) != Some(false));
        let (Some(claims), None) = (open.next(), open.next()) else { continue };
        for claim in *claims {
            if let Claim::Compare(left, Comparison::Equal, right) = claim
                && let Some((left, right)) = left.known(arguments).zip(right.known(arguments))
                && let (Some(left), Some(right)) = (size(left), size(right))
            {
                outputs.implies(Implied::Equal(&left, &right));
            }
        }
    }
}

/// The first of several alternatives whose condition holds; `None` if none does.
///
/// # Errors
/// Why it is not known which one that is.
pub(crate) fn chosen<T, D: Dimension>(
    alternatives: &'static [T],
    condition: fn(&T) -> &'static [&'static [Claim]],
    arguments: &RuleArguments<'_, '_, D>,
    output: &dyn Fn(usize) -> bool,
) -> Result<Option<&'static T>, UnknownCause> {
    let node = Node { arguments, output };
    for alternative in alternatives {
        let condition = condition(alternative);
        match node.one_of(condition) {
            Some(true) => return Ok(Some(alternative)),
            Some(false) => {}
            None => {
                let mut cause = UnknownCause::Condition;
                let mut blame = |input: usize| {
                    let has_dims = arguments.given_input(input).is_none_or(|input| input.fact.dims.is_some());
                    if !has_dims && cause == UnknownCause::Condition {
                        cause = UnknownCause::Dims(input);
                    }
                };
                condition.iter().copied().flatten().for_each(|claim| claim.each_input(&mut blame));
                return Err(cause);
            }
        }
    }
    Ok(None)
}

struct Node<'n, 'a, D: Dimension> {
    arguments: &'n RuleArguments<'n, 'a, D>,
    output: &'n dyn Fn(usize) -> bool,
}

impl<D: Dimension> Node<'_, '_, D> {
    /// `None` if it is not known.
    fn meets(&self, requirement: &Requirement) -> Option<bool> {
        self.one_of(requirement.alternatives)
    }

    /// Whether all claims of one of these groups hold.
    fn one_of(&self, groups: &[&[Claim]]) -> Option<bool> {
        let none = |claims: &&[Claim]| self.all(claims).map(|holds| !holds);
        groups.iter().map(none).fold(Some(true), and).map(|none| !none)
    }

    fn fitting(&self, requirement: &Requirement) -> Option<FittingAxis> {
        let (input, index) = requirement.alternatives.iter().copied().flatten().find_map(|claim| match claim {
            Claim::Compare(Expression::AxisAt(input, axis), Comparison::Equal, _)
            | Claim::Compare(_, Comparison::Equal, Expression::AxisAt(input, axis)) => Some((*input, *axis)),
            _ => None,
        })?;
        let attribute = counted(self.arguments.declared, index)?;
        let AttributeValue::Int(value) = self.arguments.attribute(index)? else { return None };
        let dims = self.arguments.given_input(input)?.fact.dims?;
        let mut fitting = (0..dims.len()).filter(|axis| {
            let supposed = i64::try_from(*axis).ok().map(|axis| (index, axis));
            let arguments = RuleArguments { supposed, ..*self.arguments };
            Node { arguments: &arguments, ..*self }.meets(requirement) == Some(true)
        });
        let (axis, None) = (fitting.next()?, fitting.next()) else { return None };
        Some(FittingAxis { axis, size: dims.get(axis)?.known()?, attribute, value })
    }

    fn all(&self, claims: &[Claim]) -> Option<bool> {
        claims.iter().map(|claim| self.claim(claim)).fold(Some(true), and)
    }

    fn claim(&self, claim: &Claim) -> Option<bool> {
        match claim {
            Claim::Compare(left, comparison, right) => self.compare(left, *comparison, right),
            Claim::Given(part, is) => self.given(*part).map(|given| given == *is),
            Claim::Word(attribute, word, is) => match self.arguments.attribute(*attribute)? {
                AttributeValue::String(found) => Some((found == *word) == *is),
                _ => None,
            },
        }
    }

    fn compare(&self, left: &Expression, comparison: Comparison, right: &Expression) -> Option<bool> {
        let (left, right) = (left.known(self.arguments)?, right.known(self.arguments)?);
        let holds = left.compared(&right, |order| comparison.holds(order));
        if let Scalar::Bool(holds) = holds { Some(holds) } else { None }
    }

    fn given(&self, part: Part) -> Option<bool> {
        match part {
            Part::Attribute(index) => {
                let attribute = counted(self.arguments.declared, index)?;
                match self.arguments.attribute(index) {
                    // The value that the caller of a function passes is not known here.
                    Some(AttributeValue::Other(_)) => None,
                    value => Some(value.is_some() && value != attribute.default),
                }
            }
            Part::Input(index) => Some(self.arguments.given_input(index).is_some()),
            Part::Output(index) => Some((self.output)(index)),
        }
    }

    fn operand(&self, operand: &Operand) -> Option<OperandValue> {
        match operand {
            Operand::Given(part) => self.given(*part).map(OperandValue::Given),
            Operand::Number(of) => match (of, of.known(self.arguments)?) {
                (Expression::Type(_) | Expression::AttributeType(_), Scalar::Int(number)) => {
                    DataType::from_number(i32::try_from(number).ok()?).map(OperandValue::Type)
                }
                (_, Scalar::Int(number)) => Some(OperandValue::Number(number)),
                _ => None,
            },
        }
    }
}

/// Both, if that is known.
fn and(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}
