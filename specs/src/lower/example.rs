//! Lowers an example, for the runner of shape-core.

use shape_yaml::Position;

use super::constant::Constant;
use super::value::{attribute_value, kind_of};
use crate::operator::{Argument, Entry, Example, Expectation, Graph, Tensor};

/// Lowers an example; `None` if it has an attribute value that attributes cannot have, which was reported as an error.
#[must_use]
pub fn example(example: &Example) -> Option<Constant<'_>> {
    let Example { name, position, since, until, inputs, attributes, expect, source: _ } = example;
    let attributes = attributes.iter().map(|(name, of)| {
        let of = argument(of)?;
        Some(Constant::Tuple(vec![Constant::Text(name), of]))
    });
    let expect = match expect {
        Expectation::Outputs(outputs) => Constant::variant("Expectation", "Outputs", [optional(outputs)]),
        Expectation::Error(code) => {
            Constant::variant("Expectation", "Error", [Constant::Named { of: "Code", name: code }])
        }
    };
    let fields = [
        ("name", Constant::Text(name)),
        ("place", place(*position)),
        ("since", Constant::Int((*since).into())),
        ("until", Constant::option(until.map(|until| Constant::Int(until.into())))),
        ("inputs", optional(inputs)),
        ("attributes", Constant::List(attributes.collect::<Option<_>>()?)),
        ("expect", expect),
    ];
    Some(Constant::named_fields("Example", None, fields))
}

fn optional(tensors: &[Option<Tensor>]) -> Constant<'_> {
    Constant::list(tensors.iter().map(|tensor| Constant::option(tensor.as_ref().map(self::tensor))))
}

fn argument(argument: &Argument) -> Option<Constant<'_>> {
    let (name, value) = match argument {
        Argument::Value(literal) => ("Value", attribute_value(kind_of(literal)?, literal)?),
        Argument::Tensor(of) => ("Tensor", tensor(of)),
        Argument::Type(ty) => ("Type", Constant::Type(ty)),
        Argument::Graph(Graph { inputs, outputs }) => {
            let fields = [
                ("inputs", Constant::list(inputs.iter().map(tensor))),
                ("outputs", Constant::list(outputs.iter().map(tensor))),
            ];
            ("Graph", Constant::named_fields("Graph", None, fields))
        }
    };
    Some(Constant::variant("Argument", name, [value]))
}

fn tensor(tensor: &Tensor) -> Constant<'_> {
    let Tensor { ty, position, dims, values, unchecked } = tensor;
    let fields = [
        ("ty", Constant::Type(ty)),
        ("place", place(*position)),
        ("dims", entries(dims.as_ref())),
        ("elements", entries(values.as_ref())),
        ("unchecked", Constant::text(unchecked.as_ref())),
    ];
    Constant::named_fields("Value", None, fields)
}

fn entries(entries: Option<&Vec<Entry>>) -> Constant<'_> {
    Constant::option(entries.map(|entries| Constant::list(entries.iter().map(entry))))
}

fn entry(entry: &Entry) -> Constant<'_> {
    let Entry { text, position } = entry;
    Constant::named_fields("Entry", None, [("text", Constant::Text(text)), ("place", place(*position))])
}

fn place(position: Position) -> Constant<'static> {
    let Position { line, column } = position;
    let fields = [("line", Constant::index(line)), ("column", Constant::index(column))];
    Constant::named_fields("Place", None, fields)
}
