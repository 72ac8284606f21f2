//! Lowers the actions of adapters.

use super::constant::Constant;
use crate::adapter::{Action, Deed, Formula, NewNode};

pub(super) fn action(action: &Action) -> Constant<'_> {
    let Action { way, when, deed } = action;
    let fields = [
        ("way", Constant::option(way.map(|way| Constant::unit("Way", way)))),
        ("when", Constant::option(when.as_ref().map(formula))),
        ("deed", self::deed(deed)),
    ];
    Constant::named_fields("Action", None, fields)
}

fn deed(deed: &Deed) -> Constant<'_> {
    match deed {
        Deed::Move { attribute, input, one, absent } => Constant::named_fields(
            "Deed",
            Some("Move"),
            [
                ("attribute", Constant::Text(attribute)),
                ("input", Constant::Text(input)),
                ("one", Constant::Bool(*one)),
                ("absent", Constant::option(absent.as_ref().map(formula))),
            ],
        ),
        Deed::Rename { old, new } => {
            let fields = [("old", Constant::Text(old)), ("new", Constant::Text(new))];
            Constant::named_fields("Deed", Some("Rename"), fields)
        }
        Deed::Respell { attribute, old, new } => {
            let fields = [("attribute", Constant::Text(attribute)), ("old", formula(old)), ("new", formula(new))];
            Constant::named_fields("Deed", Some("Respell"), fields)
        }
        Deed::Assume { name, value } => {
            let fields = [("name", Constant::Text(name)), ("value", formula(value))];
            Constant::named_fields("Deed", Some("Assume"), fields)
        }
        Deed::CountFromFront { name, of } => {
            let fields = [("name", Constant::Text(name)), ("of", Constant::Text(of))];
            Constant::named_fields("Deed", Some("CountFromFront"), fields)
        }
        Deed::Drop(names) => {
            Constant::variant("Deed", "Drop", [Constant::list(names.iter().map(|name| Constant::Text(name)))])
        }
        Deed::Through(through) => Constant::variant("Deed", "Through", [node(through)]),
        Deed::Rewrite(nodes) => Constant::variant("Deed", "Rewrite", [Constant::list(nodes.iter().map(node))]),
        Deed::Keep => Constant::variant("Deed", "Keep", []),
        Deed::Refuse { why } => Constant::named_fields("Deed", Some("Refuse"), [("why", Constant::Text(why))]),
    }
}

fn node(node: &NewNode) -> Constant<'_> {
    let NewNode { outputs, operator, attributes, inputs } = node;
    let attributes = attributes.iter().map(|(name, value)| Constant::Tuple(vec![Constant::Text(name), formula(value)]));
    let fields = [
        ("operator", Constant::Text(operator)),
        ("attributes", Constant::list(attributes)),
        ("inputs", Constant::list(inputs.iter().map(|input| Constant::option(input.as_ref().map(formula))))),
        ("outputs", Constant::list(outputs.iter().map(|output| Constant::Text(output)))),
    ];
    Constant::named_fields("NewNode", None, fields)
}

fn formula(of: &Formula) -> Constant<'_> {
    let (name, value) = match of {
        Formula::Int(number) => ("Int", Constant::Int(*number)),
        #[expect(clippy::cast_possible_truncation, reason = "attributes have 32 bits")]
        Formula::Float(number) => ("Float", Constant::Float(*number as f32)),
        Formula::Text(text) => ("Text", Constant::Bytes(text.as_bytes())),
        Formula::Name(name) => ("Name", Constant::Text(name)),
        Formula::List(formulas) => ("List", Constant::list(formulas.iter().map(formula))),
        Formula::Call(function, arguments) => {
            let arguments = Constant::list(arguments.iter().map(formula));
            return Constant::variant("Formula", "Call", [Constant::unit("Function", function), arguments]);
        }
    };
    Constant::variant("Formula", name, [value])
}
