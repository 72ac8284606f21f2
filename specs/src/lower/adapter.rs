//! Lowers the actions of adapters.

use std::fmt::Debug;

use super::constant::Constant;
use super::requirement::{element_type, equal};
use crate::adapter::{Action, Deed, NewNode};
use crate::relation::{Claim, Relation};
use crate::terms::{Expression, Operation};

pub(super) fn action(action: &Action) -> Constant<'_> {
    let Action { way, when, unless, deed } = action;
    let fields = [
        ("way", Constant::option(way.map(|way| Constant::unit("Way", way)))),
        ("when", Constant::option(when.as_ref().map(condition))),
        ("unless", Constant::option(unless.as_ref().map(condition))),
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

/// A function of formulas, by the name that it has in `onnxspec-core`.
#[derive(Debug)]
enum Function {
    Rank,
    Size,
    Entry,
    Len,
    Min,
    Max,
    Type,
    Given,
    Inputs,
    Outputs,
    And,
    Or,
    Not,
}

fn condition(relation: &Relation) -> Constant<'_> {
    let alternatives = relation.0.iter().map(|claims| joined(Function::And, claims.iter().flat_map(claim).collect()));
    joined(Function::Or, alternatives.collect())
}

/// One alone, or all of them.
fn joined<'d>(function: Function, mut formulas: Vec<Constant<'d>>) -> Constant<'d> {
    match formulas.pop() {
        Some(only) if formulas.is_empty() => only,
        last => call(function, formulas.into_iter().chain(last)),
    }
}

/// A claim; a chain of comparisons as one for each.
fn claim(claim: &Claim) -> Vec<Constant<'_>> {
    let (asked, is) = match claim {
        Claim::Compare(first, rest) => {
            let pairs = std::iter::once(first).chain(rest.iter().map(|(_, to)| to)).zip(rest);
            let pairs = pairs.map(|(from, (comparison, to))| (formula(from), comparison, formula(to)));
            return pairs.map(|(from, by, to)| compared(from, Constant::unit("Comparison", by), to)).collect();
        }
        Claim::Word { name: of, word, is } => {
            return vec![compared(name(of), equal(*is), text(word))];
        }
        Claim::Type { name: of, ty, is } => {
            return vec![compared(call(Function::Type, [name(of)]), equal(*is), element_type("Formula", ty))];
        }
        Claim::Given { name: of, is } => (call(Function::Given, [name(of)]), is),
        Claim::Asked { question, of, is } => (call(question, of.iter().map(|of| name(of))), is),
    };
    vec![if *is { asked } else { call(Function::Not, [asked]) }]
}

fn compared<'d>(left: Constant<'d>, comparison: Constant<'d>, right: Constant<'d>) -> Constant<'d> {
    let [left, right] = [left, right].map(Constant::reference);
    Constant::variant("Formula", "Compare", [left, comparison, right])
}

/// A call of a function, which has its name in `onnxspec-core`.
fn call<'d>(function: impl Debug, arguments: impl IntoIterator<Item = Constant<'d>>) -> Constant<'d> {
    Constant::variant("Formula", "Call", [Constant::unit("Function", function), Constant::list(arguments)])
}

fn name(name: &str) -> Constant<'_> {
    Constant::variant("Formula", "Name", [Constant::Text(name)])
}

fn text(text: &str) -> Constant<'_> {
    Constant::variant("Formula", "Text", [Constant::Bytes(text.as_bytes())])
}

fn formula(of: &Expression) -> Constant<'_> {
    let value = |variant, value| Constant::variant("Formula", variant, [value]);
    let int = |number| value("Int", Constant::Int(number));
    match of {
        Expression::Number(number) => int(*number),
        #[expect(clippy::cast_possible_truncation, reason = "attributes have 32 bits")]
        Expression::Float(number) => value("Float", Constant::Float(*number as f32)),
        Expression::Text(of) => text(of),
        Expression::Name(of) => name(of),
        Expression::List(items) => value("List", Constant::list(items.iter().map(formula))),
        Expression::Made(maker, items) => call(maker, items.iter().map(formula)),
        Expression::Entry(of, entry) => call(Function::Entry, [name(of), int(*entry)]),
        Expression::AxisAt(of, axis) => call(Function::Entry, [name(of), name(axis)]),
        Expression::Length(lists) => call(Function::Len, lists.iter().map(|list| name(list))),
        Expression::Inputs => call(Function::Inputs, []),
        Expression::Outputs => call(Function::Outputs, []),
        Expression::Rank(of) => call(Function::Rank, [name(of)]),
        Expression::Size(of) => call(Function::Size, [name(of)]),
        Expression::Type(of) => call(Function::Type, [name(of)]),
        Expression::Fold(Operation::Max, of) => call(Function::Max, [name(of)]),
        Expression::Fold(_, of) => call(Function::Min, [name(of)]),
        Expression::Operation(operation, left, right) => {
            let [left, right] = [left, right].map(|side| Constant::reference(formula(side)));
            Constant::variant("Formula", "Operation", [Constant::unit("Operation", operation), left, right])
        }
    }
}
