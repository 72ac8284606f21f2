//! Lowers the rules of outputs. Names of attributes and inputs become indices in the tables of the version.
//!
//! A name that the version does not have was reported as an error, and whatever uses it is left out here.

use super::constant::Constant;
use super::part::Part;
use super::requirement::alternatives_of;
use super::terms::{expression, term};
use super::value::attribute_value;
use crate::operator::Version;
use crate::relation::Relation;
use crate::rules::{Alternative, Amount, Argument, Call, Condition, DimsRule, Is, OutputRule, TypeOf, TypeSource};

pub(super) fn output_rule<'d>(version: &Version, rule: &'d OutputRule) -> Option<Constant<'d>> {
    let output = version.outputs.iter().position(|output| output.name == rule.output)?;
    let dims = rule.dims.as_ref().map(|dims| dims_rule(version, dims));
    let types = rule.types.iter().filter_map(|source| type_source(version, source));
    let fields = [
        ("output", Constant::index(output)),
        ("types", Constant::list(types)),
        ("dims", Constant::option(dims)),
        ("elements", Constant::option(rule.elements.as_ref().map(|call| self::call(version, call)))),
        ("multiply_adds", Constant::list(rule.multiply_adds.iter().filter_map(|of| amount(version, of)))),
    ];
    Some(Constant::named_fields("OutputRule", None, fields))
}

fn dims_rule<'d>(version: &Version, dims: &'d DimsRule) -> Constant<'d> {
    match dims {
        DimsRule::Call(call) => Constant::variant("DimsRule", "Call", [self::call(version, call)]),
        DimsRule::Terms(terms) => {
            let terms = Constant::list(terms.0.iter().filter_map(|of| term(version, of)));
            Constant::variant("DimsRule", "Terms", [terms])
        }
        DimsRule::Alternatives(alternatives) => {
            let alternatives = alternatives.iter().filter_map(|Alternative { dims, condition, text }| {
                let condition = self::condition(version, condition.as_ref())?;
                let dims = dims_rule(version, dims);
                let fields = [("text", Constant::Text(text)), ("condition", condition), ("dims", dims)];
                Some(Constant::named_fields("Alternative", None, fields))
            });
            Constant::variant("DimsRule", "Alternatives", [Constant::list(alternatives)])
        }
    }
}

fn amount<'d>(version: &Version, Amount { number, condition, text }: &'d Amount) -> Option<Constant<'d>> {
    let condition = self::condition(version, condition.as_ref())?;
    let fields = [("text", Constant::Text(text)), ("condition", condition), ("number", expression(version, number)?)];
    Some(Constant::named_fields("Amount", None, fields))
}

fn condition<'d>(version: &Version, condition: Option<&'d Relation>) -> Option<Constant<'d>> {
    match condition {
        Some(condition) => alternatives_of(version, condition),
        // One group without a claim, which holds.
        None => Some(Constant::list([Constant::list([])])),
    }
}

fn call<'d>(version: &Version, call: &'d Call) -> Constant<'d> {
    let rule = match call.is_custom() {
        true => Constant::CustomRule(call),
        false => Constant::Named { of: "Rule", name: &call.rule },
    };
    let arguments = call.arguments.iter().map(|argument| match argument {
        Argument::Int(number) => Constant::variant("Argument", "Int", [Constant::Int(*number)]),
        Argument::Named(name) => match Part::of(version, name) {
            Some(Part::Input(index)) => Constant::variant("Argument", "Input", [index]),
            Some(Part::Attribute(index)) => Constant::variant("Argument", "Attribute", [index]),
            None => Constant::variant("Argument", "Absent", []),
        },
        Argument::ChannelsLast(name) => match Part::of(version, name) {
            Some(Part::Input(index)) => Constant::variant("Argument", "ChannelsLast", [index]),
            _ => Constant::variant("Argument", "Absent", []),
        },
        Argument::Every(name, step) => match Part::of(version, name) {
            Some(Part::Input(index)) => Constant::variant("Argument", "Every", [index, Constant::index(*step)]),
            _ => Constant::variant("Argument", "Absent", []),
        },
        Argument::Absent => Constant::variant("Argument", "Absent", []),
    });
    Constant::named_fields("Call", None, [("rule", rule), ("arguments", Constant::list(arguments))])
}

fn type_source<'d>(version: &Version, source: &'d TypeSource) -> Option<Constant<'d>> {
    let condition = match &source.condition {
        None => None,
        Some(Condition { name, is }) => Some(match (Part::of(version, name)?, is) {
            (Part::Input(index), Some(Is::Type(ty))) => {
                Constant::variant("Condition", "InputOf", [index, Constant::Type(ty)])
            }
            (Part::Attribute(index), Some(Is::Value(value))) => {
                let kind = version.attributes.iter().find(|attribute| attribute.name == *name)?.kind;
                Constant::variant("Condition", "AttributeIs", [index, attribute_value(kind, value)?])
            }
            (_, Some(_)) => return None,
            (Part::Input(index), None) => Constant::variant("Condition", "Input", [index]),
            (Part::Attribute(index), None) => Constant::variant("Condition", "Attribute", [index]),
        }),
    };
    let of = type_of(version, &source.of)?;
    Some(Constant::named_fields("TypeSource", None, [("of", of), ("condition", Constant::option(condition))]))
}

fn type_of<'d>(version: &Version, of: &'d TypeOf) -> Option<Constant<'d>> {
    let (name, of) = match of {
        TypeOf::Type(ty) => return Some(Constant::variant("TypeOf", "Type", [Constant::Type(ty)])),
        TypeOf::Named { name, from } => {
            return Some(match Part::of(version, name)? {
                Part::Input(index) => Constant::variant("TypeOf", "Input", [index]),
                Part::Attribute(index) => {
                    let fields = [("index", index), ("from", Constant::index(*from))];
                    Constant::named_fields("TypeOf", Some("Attribute"), fields)
                }
            });
        }
        TypeOf::Updated { groups, name } => {
            let Part::Input(input) = Part::of(version, name)? else { return None };
            let fields = [("input", input), ("groups", Constant::index(*groups))];
            return Some(Constant::named_fields("TypeOf", Some("Updated"), fields));
        }
        TypeOf::Sequence(of) => ("Sequence", of),
        TypeOf::Optional(of) => (stringify!(Optional), of),
        TypeOf::Element(of) => ("Element", of),
        TypeOf::Value(of) => ("Value", of),
    };
    Some(Constant::variant("TypeOf", name, [Constant::reference(type_of(version, of)?)]))
}
