//! A test of the tests: an example in which one thing was changed must fail.
//!
//! Every number, type and code that an example expects is changed, one after the other; a change that no version of the
//! operator contradicts is an example that proves nothing. What is changed of inputs and attributes may be without
//! effect, since no rule reads it: `unread.txt` lists what that is, by operator.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use shape_core::code::Code;
use shape_core::coverage::Types;
use shape_core::example::{Argument, Entry, Example, Expectation, Graph, Value, check, read};
use shape_core::node::AttributeValue;
use shape_core::{DataType, Schema, Type};

use crate::descriptors as o;

/// The file, the versions and the examples of an operator.
pub(super) type Row = (&'static str, &'static [&'static Schema], Vec<Example>);

/// The same with the text of the examples.
type Written = (&'static str, &'static [&'static Schema], &'static str);

fn read_all(domains: &[&'static [Written]]) -> Vec<Row> {
    let read = |(file, versions, text): &Written| (*file, *versions, read(text, &[]).unwrap());
    domains.iter().copied().flatten().map(read).collect()
}

/// The examples of the operators that ONNX has.
pub(super) fn rows() -> Vec<Row> {
    read_all(&[
        o::ai_onnx::descriptor_examples::ALL,
        o::ai_onnx_ml::descriptor_examples::ALL,
        o::ai_onnx_preview::descriptor_examples::ALL,
        o::ai_onnx_preview_training::descriptor_examples::ALL,
    ])
}

/// The examples of those that onnxruntime has on its own.
#[cfg(feature = "onnxruntime")]
fn rows_of_onnxruntime() -> Vec<Row> {
    read_all(&[
        o::com_microsoft::descriptor_examples::ALL,
        o::com_microsoft_nchwc::descriptor_examples::ALL,
        o::com_ms_internal_nhwc::descriptor_examples::ALL,
        o::onnxruntime::descriptor_examples::ALL,
    ])
}

pub(super) fn leak<T>(items: Vec<T>) -> &'static [T] {
    Box::leak(items.into_boxed_slice())
}

/// The list with one of its items changed.
fn with<T: Copy>(items: &[T], index: usize, item: T) -> &'static [T] {
    let mut items = items.to_vec();
    items[index] = item;
    leak(items)
}

/// Another dimension or element.
fn other(entry: Entry) -> Entry {
    let text = match entry.text {
        "?" => "1",
        "true" => "false",
        "false" => "true",
        text => match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(number), _) => leak_text(number.wrapping_add(1).to_string()),
            // Doubled, it is another one in a type of few bits too.
            (_, Ok(number)) if number.is_finite() && number.abs() > 1000.0 => leak_text(format!("{:?}", 2.0 * number)),
            (_, Ok(number)) if number.is_finite() => leak_text(format!("{:?}", number + 1.0)),
            _ => "another_symbol",
        },
    };
    Entry { text, ..entry }
}

fn leak_text(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn another_type(ty: Type) -> Type {
    let float = Type::tensor(DataType::Float);
    if ty == float { Type::tensor(DataType::Int32) } else { float }
}

/// What can be changed of a value, each with what it is called.
fn values(value: Value) -> Vec<(&'static str, Value)> {
    let mut changed = Vec::from([("type", Value { ty: another_type(value.ty), ..value })]);
    match value.dims {
        None if value.unchecked.is_none() => changed.push(("dims", Value { dims: Some(&[]), ..value })),
        None => {}
        // That elements and dimensions go together is checked where the example is read.
        Some(_) if value.elements.is_some() => {}
        Some(dims) => {
            let of = |index: usize| Value { dims: Some(with(dims, index, other(dims[index]))), ..value };
            changed.extend((0..dims.len()).map(|index| ("dims", of(index))));
        }
    }
    if let Some(elements) = value.elements {
        let of = |index: usize| Value { elements: Some(with(elements, index, other(elements[index]))), ..value };
        changed.extend((0..elements.len()).map(|index| ("elements", of(index))));
    }
    changed
}

/// What can be changed of what an example expects.
fn of_outputs(example: &Example) -> Vec<(String, Example)> {
    match example.expect {
        Expectation::Error(code) => {
            let another = if code == Code::AttributeUnknown { Code::InputCount } else { Code::AttributeUnknown };
            Vec::from([("code".to_string(), Example { expect: Expectation::Error(another), ..*example })])
        }
        Expectation::Outputs(outputs) => {
            let each = outputs.iter().enumerate().filter_map(|(index, output)| Some((index, (*output)?)));
            let changed = each.flat_map(|(index, output)| {
                // Of an output that nothing gives but its type, the dimensions are for the reader.
                let checked = move |(what, _): &(&str, Value)| output.unchecked.is_none() || *what == "type";
                values(output).into_iter().filter(checked).map(move |(what, value)| {
                    let expect = Expectation::Outputs(with(outputs, index, Some(value)));
                    (format!("output {index}: {what}"), Example { expect, ..*example })
                })
            });
            changed.collect()
        }
    }
}

/// What can be changed of what an example is given.
fn of_inputs(schema: &Schema, example: &Example) -> Vec<(String, Example)> {
    let mut changed = Vec::new();
    for (index, input) in example.inputs.iter().enumerate() {
        let Some(input) = *input else { continue };
        let name = schema.input(index).map_or("", |input| input.name);
        changed.extend(values(input).into_iter().map(|(what, value)| {
            (format!("input {name}: {what}"), Example { inputs: with(example.inputs, index, Some(value)), ..*example })
        }));
    }
    for (index, (name, argument)) in example.attributes.iter().enumerate() {
        let arguments: Vec<Argument> = match *argument {
            Argument::Value(value) => attribute(value).into_iter().map(Argument::Value).collect(),
            Argument::Tensor(value) => values(value).into_iter().map(|(_, value)| Argument::Tensor(value)).collect(),
            Argument::Type(ty) => Vec::from([Argument::Type(another_type(ty))]),
            Argument::Graph(graph) => {
                let each = graph.outputs.iter().enumerate();
                each.flat_map(|(index, output)| {
                    values(*output).into_iter().map(move |(_, value)| {
                        Argument::Graph(Graph { outputs: with(graph.outputs, index, value), ..graph })
                    })
                })
                .collect()
            }
        };
        changed.extend(arguments.into_iter().map(|argument| {
            let attributes = with(example.attributes, index, (*name, argument));
            (format!("attribute {name}"), Example { attributes, ..*example })
        }));
    }
    changed
}

fn attribute(value: AttributeValue<'static>) -> Vec<AttributeValue<'static>> {
    match value {
        AttributeValue::Int(number) => Vec::from([AttributeValue::Int(number.wrapping_add(1))]),
        AttributeValue::Float(number) => Vec::from([AttributeValue::Float(number + 1.0)]),
        AttributeValue::String(_) => Vec::from([AttributeValue::String(b"another text")]),
        AttributeValue::Ints(list) => {
            (0..list.len()).map(|index| AttributeValue::Ints(with(list, index, list[index].wrapping_add(1)))).collect()
        }
        AttributeValue::Floats(list) => {
            (0..list.len()).map(|index| AttributeValue::Floats(with(list, index, list[index] + 1.0))).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a version for which the example holds contradicts it.
fn fails(versions: &[&'static Schema], example: &Example) -> bool {
    let one = [*example];
    versions.iter().any(|schema| !check(schema, &one).is_empty())
}

#[test]
fn an_example_with_one_thing_changed_fails() -> io::Result<()> {
    each_change_is_noticed(&rows(), "unread.txt")
}

#[cfg(feature = "onnxruntime")]
#[test]
fn an_example_of_onnxruntime_with_one_thing_changed_fails() -> io::Result<()> {
    each_change_is_noticed(&rows_of_onnxruntime(), "unread_onnxruntime.txt")
}

fn each_change_is_noticed(rows: &[Row], list: &str) -> io::Result<()> {
    let mut proves_nothing = Vec::new();
    // By file and part: how many changes nothing notices, of how many.
    let mut unread: BTreeMap<&str, BTreeMap<String, (usize, usize)>> = BTreeMap::new();
    for (file, versions, examples) in rows {
        for example in examples {
            let Some(schema) = versions.iter().find(|schema| example.holds_for(schema)) else { continue };
            for (what, changed) in of_outputs(example) {
                // Nothing decides the types of what was compiled for a device.
                let is_open = what.ends_with("type") && schema.coverage().types == Types::Open;
                if !is_open && !fails(versions, &changed) {
                    proves_nothing.push(format!("{file}:{}: `{}`, {what}", example.place.line, example.name));
                }
            }
            // What makes a node wrong need not be every part of it.
            if matches!(example.expect, Expectation::Error(_)) {
                continue;
            }
            for (what, changed) in of_inputs(schema, example) {
                let (unnoticed, all) = unread.entry(*file).or_default().entry(what).or_default();
                *unnoticed += usize::from(!fails(versions, &changed));
                *all += 1;
            }
        }
    }
    assert!(
        proves_nothing.is_empty(),
        "{} changes that nothing notices:\n{}",
        proves_nothing.len(),
        proves_nothing.join("\n")
    );
    let part = |(part, (unnoticed, all)): (String, (usize, usize))| match unnoticed {
        0 => None,
        unnoticed if unnoticed == all => Some(part),
        unnoticed => Some(format!("{part} ({unnoticed} of {all})")),
    };
    let lines = unread.into_iter().filter_map(|(file, parts)| {
        let parts: Vec<String> = parts.into_iter().filter_map(part).collect();
        (!parts.is_empty()).then(|| format!("{file}: {}\n", parts.join("; ")))
    });
    let found = format!("{UNREAD}{}", lines.collect::<String>());
    shape_bless::expect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(list), &found);
    Ok(())
}

const UNREAD: &str = "\
# What a change in an example shows to be read by no rule and no check, by operator; with numbers, how many changes of it
# go unnoticed, of how many. What examples expect is not in here: every change of that is noticed.
# Written by `cargo bless unread`.
";
