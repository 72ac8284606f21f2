//! Lowers the relations that a node must meet.

use super::constant::Constant;
use super::part::Part;
use super::terms::expression;
use crate::document::ParameterOption;
use crate::operator::{Operand, Requirement, Version};
use crate::relation::{Claim, Comparison, Relation};
use crate::terms::Expression;

pub(super) fn requirement<'d>(version: &Version, requirement: &'d Requirement) -> Option<Constant<'d>> {
    let Requirement { that, text, operands, code, doc, position: _ } = requirement;
    let operands = operands.iter().map(|(text, operand)| {
        let operand = match operand {
            Operand::Number(of) => Constant::variant("Operand", "Number", [expression(version, of)?]),
            Operand::Given(name) => Constant::variant("Operand", "Given", [place(version, name)?]),
        };
        Some(Constant::Tuple(vec![Constant::Text(text), operand]))
    });
    let fields = [
        ("text", Constant::Text(text)),
        ("alternatives", alternatives_of(version, that)?),
        ("operands", Constant::list(operands.collect::<Option<Vec<_>>>()?)),
        ("code", Constant::Named { of: "Code", name: code }),
        ("doc", Constant::Text(doc)),
    ];
    Some(Constant::named_fields("Requirement", None, fields))
}

/// The groups of claims of a relation.
pub(super) fn alternatives_of<'d>(version: &Version, relation: &'d Relation) -> Option<Constant<'d>> {
    let alternatives = relation.0.iter().map(|claims| {
        let claims: Option<Vec<Vec<Constant<'d>>>> = claims.iter().map(|of| claim(version, of)).collect();
        Some(Constant::list(claims?.into_iter().flatten()))
    });
    Some(Constant::list(alternatives.collect::<Option<Vec<_>>>()?))
}

/// A claim; a chain of comparisons as one for each.
fn claim<'d>(version: &Version, claim: &'d Claim) -> Option<Vec<Constant<'d>>> {
    match claim {
        Claim::Compare(first, rest) => {
            let comparisons = std::iter::once(first).chain(rest.iter().map(|(_, to)| to)).zip(rest);
            let comparison = |(from, (comparison, to)): (_, &_)| {
                let [from, to] = [expression(version, from)?, expression(version, to)?];
                Some(Constant::variant("Claim", "Compare", [from, Constant::unit("Comparison", comparison), to]))
            };
            comparisons.map(comparison).collect()
        }
        Claim::Given { name, is } => {
            Some(vec![Constant::variant("Claim", "Given", [place(version, name)?, Constant::Bool(*is)])])
        }
        Claim::Type { name, ty, is } => {
            let found = expression(version, &Expression::Type(name.clone()))?;
            Some(vec![Constant::variant("Claim", "Compare", [found, equal(*is), element_type("Expression", ty)])])
        }
        // A relation does not ask what adapters do.
        Claim::Asked { .. } => None,
        Claim::Word { name, word, is } => {
            let Part::Attribute(index) = Part::of(version, name)? else { return None };
            let word = Constant::Bytes(word.as_bytes());
            Some(vec![Constant::variant("Claim", "Word", [index, word, Constant::Bool(*is)])])
        }
    }
}

/// `is` or `is not`, as a comparison.
pub(super) fn equal<'d>(is: bool) -> Constant<'d> {
    Constant::unit("Comparison", if is { Comparison::Equal } else { Comparison::NotEqual })
}

/// The element type that a word names.
pub(super) fn element_type<'d>(of: &'static str, ty: &'d str) -> Constant<'d> {
    Constant::variant(of, "ElementType", [Constant::Named { of: "DataType", name: ty }])
}

/// An attribute, input or output by its index.
fn place<'d>(version: &Version, name: &str) -> Option<Constant<'d>> {
    let output = version.outputs.iter().position(|output| output.name == name).map(Constant::index);
    // Each node gives a required input, so that nobody asks for it.
    let is_required = version.inputs.iter().any(|input| input.name == name && input.option == ParameterOption::Single);
    let (variant, index) = match (Part::of(version, name), output) {
        (Some(Part::Attribute(index)), _) => ("Attribute", index),
        (Some(Part::Input(_)), Some(index)) if is_required => ("Output", index),
        (Some(Part::Input(index)), _) => ("Input", index),
        (None, output) => ("Output", output?),
    };
    Some(Constant::variant("Part", variant, [index]))
}
