//! Lowers dimensions that a descriptor lists one by one.

use super::constant::Constant;
use super::part::Part;
use crate::operator::Version;
use crate::terms::{Expression, Term};

pub(super) fn term<'d>(version: &Version, term: &Term) -> Option<Constant<'d>> {
    Some(match term {
        Term::Data => Constant::variant("Term", "Data", []),
        Term::Dim(of) => Constant::variant("Term", "Dim", [expression(version, of)?]),
        Term::Stretch { of, from, to } => {
            let (variant, field, index) = match Part::of(version, of)? {
                Part::Input(index) => ("Axes", "input", index),
                Part::Attribute(index) => ("Entries", "attribute", index),
            };
            let to = Constant::option(to.map(Constant::Int));
            Constant::named_fields("Term", Some(variant), [(field, index), ("from", Constant::Int(*from)), ("to", to)])
        }
    })
}

pub(super) fn expression<'d>(version: &Version, of: &Expression) -> Option<Constant<'d>> {
    let variant = |name: &'static str, fields| Some(Constant::Variant { of: "Expression", name: name.into(), fields });
    let part = |name: &str| Part::of(version, name);
    match of {
        Expression::Number(number) => variant("Int", vec![Constant::Int(*number)]),
        Expression::Name(name) => match part(name)? {
            Part::Input(index) => variant("Element", vec![index]),
            Part::Attribute(index) => variant("Attribute", vec![index]),
        },
        Expression::Entry(name, entry) => match part(name)? {
            Part::Input(index) => variant("Axis", vec![index, Constant::Int(*entry)]),
            Part::Attribute(index) => variant("Entry", vec![index, Constant::Int(*entry)]),
        },
        Expression::Length(lists) => {
            let lists = lists.iter().filter_map(|name| part(name).map(Part::index));
            variant("Length", vec![Constant::list(lists)])
        }
        Expression::Rank(name) => variant("Rank", vec![part(name)?.index()]),
        Expression::Size(name) => variant(stringify!(Size), vec![part(name)?.index()]),
        Expression::AxisAt(name, axis) => variant("AxisAt", vec![part(name)?.index(), part(axis)?.index()]),
        Expression::Fold(operation, name) => {
            let (name, index) = match part(name)? {
                Part::Input(index) => ("FoldElements", index),
                Part::Attribute(index) => ("FoldEntries", index),
            };
            variant(name, vec![Constant::unit("Operation", operation), index])
        }
        Expression::Type(name) => match part(name)? {
            Part::Input(index) => variant("Type", vec![index]),
            Part::Attribute(index) => variant("AttributeType", vec![index]),
        },
        // These are for adapters alone, which have formulas.
        Expression::Inputs
        | Expression::Outputs
        | Expression::Float(_)
        | Expression::Text(_)
        | Expression::List(_)
        | Expression::Made(..) => None,
        Expression::Operation(operation, left, right) => {
            let [left, right] = [expression(version, left)?, expression(version, right)?].map(Constant::reference);
            variant("Operation", vec![Constant::unit("Operation", operation), left, right])
        }
    }
}
