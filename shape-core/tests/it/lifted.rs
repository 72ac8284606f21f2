//! A survey: each version of each operator is read from the nodes of its examples, and lifted to the newest version.
//!
//! It comes out as a node that the check of the newest version accepts and that can be read, or it is refused for a reason
//! that `refused.txt` lists, for people to review.

use std::collections::BTreeMap;
use std::path::Path;

use crate::changed::{leak, rows};
use shape_core::check;
use shape_core::code::Severity;
use shape_core::convert::{Attribute, Constant, Input, Known, Node, Output, Refusal, lifted};
use shape_core::data_type::DataType;
use shape_core::elements::Scalar;
use shape_core::example::{Argument, Entry, Example, Expectation, Graph, Held, Place, Texts, Value};
use shape_core::node::{AttributeKind, AttributeValue, NodeAttribute};
use shape_core::operator::{ReadError, ReadNode};
use shape_core::operators::{ai_onnx, ai_onnx_ml, ai_onnx_preview, ai_onnx_preview_training};
use shape_core::problem::Problem;
use shape_core::schema::{self, FormalParameter, ParameterType, Schema, arity};
use shape_core::symbolic::Dim;
use shape_core::types::Type;

/// Reads a node as an operator of its domain, at an opset.
fn read<'a>(schema: &Schema, opset: u32, attributes: &[NodeAttribute<'a>]) -> Result<&'static Schema, ReadError<'a>> {
    macro_rules! read_as {
        ($($domain:ident)*) => { $(
            if $domain::OPERATORS.iter().any(|versions| versions[0].domain == schema.domain) {
                let any = $domain::AnyOperator::read_node(schema.domain, schema.name, opset, attributes)?;
                return Ok(any.schema());
            }
        )* };
    }
    read_as!(ai_onnx ai_onnx_ml ai_onnx_preview ai_onnx_preview_training);
    unreachable!("{}", schema.domain)
}

fn table(schema: &Schema) -> &'static [&'static [&'static Schema]] {
    let domains =
        [ai_onnx::OPERATORS, ai_onnx_ml::OPERATORS, ai_onnx_preview::OPERATORS, ai_onnx_preview_training::OPERATORS];
    domains.into_iter().find(|operators| operators[0][0].domain == schema.domain).unwrap()
}

/// What an example says of its inputs and outputs.
#[derive(Default)]
struct Facts {
    dims: Vec<Option<Vec<Dim>>>,
    constants: Vec<Option<Constant>>,
}

impl Facts {
    fn of(texts: &mut Texts, values: &[Option<Value>]) -> Self {
        let mut facts = Self::default();
        for value in values {
            let dims = value.and_then(|value| texts.dims(value.dims?));
            let elements: Option<Vec<Scalar<Dim>>> = value.and_then(|value| texts.elements(&value));
            let is_list = dims.as_ref().is_some_and(|dims| dims.len() < 2);
            let constant = value.zip(elements).filter(|_| is_list).and_then(|(value, elements)| {
                let is_scalar = dims.as_ref().is_some_and(Vec::is_empty);
                Constant::of_scalars(value.ty.element()?, is_scalar, elements.into_iter())
            });
            facts.dims.push(dims);
            facts.constants.push(constant);
        }
        facts
    }

    fn known(&self, index: usize, ty: Type) -> Known<'_> {
        Known { ty: Some(ty), dims: self.dims[index].as_deref(), constant: self.constants[index].as_ref() }
    }
}

/// The newest version of a node; or why it is refused.
fn newest(versions: &'static [&'static Schema], from: &'static Schema, example: &Example) -> Result<(), String> {
    let to = *versions.last().unwrap();
    let mut texts = Texts::default();
    let held: Vec<Held> = example.attributes.iter().map(|(_, argument)| Held::of(argument)).collect();
    let attributes: Vec<NodeAttribute<'_>> = (example.attributes.iter().zip(&held))
        .map(|((name, argument), held)| NodeAttribute::new(name, held.view(argument)))
        .collect();
    let read_as = read(from, from.since_version, &attributes).map_err(|error| format!("not read: {error}"))?;
    assert!(core::ptr::eq(read_as, from), "{}-{} is read as another version", from.name, from.since_version);
    let Expectation::Outputs(outputs) = example.expect else { unreachable!("an error") };
    let (of_inputs, of_outputs) = (Facts::of(&mut texts, example.inputs), Facts::of(&mut texts, outputs));
    let node = Node {
        attributes: attributes.iter().map(|given| Attribute::given(given.name, given.value)).collect(),
        inputs: (example.inputs.iter().enumerate())
            .map(|(index, value)| match value {
                Some(value) => Input::Given { index, known: of_inputs.known(index, value.ty) },
                None => Input::Absent,
            })
            .collect(),
        outputs: (outputs.iter().enumerate())
            .map(|(index, value)| match value {
                Some(value) => {
                    let known = Known { constant: None, ..of_outputs.known(index, value.ty) };
                    Output::Given { index, known }
                }
                None => Output::Absent,
            })
            .collect(),
    };
    let lifted = lifted(table(from), from, to, node)
        .map_err(|refusals| refusals.iter().map(Refusal::to_string).collect::<Vec<_>>().join("; "))?;
    // What came out is right by the newest version, which is not the code that made it.
    let attributes: Vec<NodeAttribute<'_>> = lifted.attributes.iter().map(Attribute::view).collect();
    let present: Vec<bool> = lifted.inputs.iter().map(|input| *input != Input::Absent).collect();
    let inputs: Vec<Option<Type>> = lifted.inputs.iter().map(Input::ty).collect();
    let outputs = lifted.outputs.iter().map(|output| match output {
        Output::Given { known, .. } => known.ty,
        _ => None,
    });
    let outputs: Vec<Option<Type>> = outputs.collect();
    let mut problems = Vec::new();
    let mut report = |problem: Problem<'_>| {
        if problem.code().severity() == Severity::Error {
            problems.push(problem.to_string());
        }
    };
    check::attributes(to, &attributes, &mut report);
    check::counts(to, &present, outputs.len(), &mut |problem| report(problem));
    check::exclusive(to, &attributes, &present, &mut |problem| report(problem));
    check::types(to, &inputs, &outputs, &mut |problem| report(problem));
    assert!(problems.is_empty(), "{}-{}, {}: {problems:?}", from.name, from.since_version, example.name);
    let read_as = read(to, to.since_version, &attributes).map_err(|error| format!("lifted, but not read: {error}"))?;
    assert!(core::ptr::eq(read_as, to));
    Ok(())
}

/// A node with all inputs and outputs of a version, and with no attribute, or all that have a plain value.
fn of_schema(schema: &'static Schema, with_attributes: bool) -> Example {
    const AT: Place = Place { line: 0, column: 0 };
    let value = |ty: ParameterType| {
        let ty = match ty {
            ParameterType::Fixed(ty) => ty,
            ParameterType::Variable(variable) => schema.types[variable].allow.iter().next().unwrap(),
        };
        Some(Value { ty, place: AT, dims: None, elements: None, unchecked: None })
    };
    let values = |formal: &'static [FormalParameter]| {
        let least = arity(formal).0;
        let count = if with_attributes { formal.len().max(least) } else { least };
        let of = |index: usize| value(formal.get(index).or(formal.last()).unwrap().ty);
        leak((0..count).map(of).collect())
    };
    let argument = |attribute: &schema::Attribute| {
        if let Some(value) = attribute.default.or(attribute.values.first().copied()) {
            return Some((attribute.name, Argument::Value(value)));
        }
        let scalar = Value {
            ty: Type::tensor(DataType::Float),
            place: AT,
            dims: Some(&[]),
            elements: Some(&[Entry { text: "1.0", place: AT }]),
            unchecked: None,
        };
        let value = match attribute.kind {
            AttributeKind::Int => Argument::Value(AttributeValue::Int(1)),
            AttributeKind::Float => Argument::Value(AttributeValue::Float(1.0)),
            AttributeKind::Ints => Argument::Value(AttributeValue::Ints(&[1])),
            AttributeKind::Floats => Argument::Value(AttributeValue::Floats(&[1.0])),
            AttributeKind::String => Argument::Value(AttributeValue::String(b"ij->ji")),
            AttributeKind::Tensor => Argument::Tensor(scalar),
            AttributeKind::Graph => Argument::Graph(Graph { inputs: &[], outputs: &[] }),
            AttributeKind::TypeProto => Argument::Type(scalar.ty),
            _ => return None,
        };
        Some((attribute.name, value))
    };
    let attributes = schema.attributes.iter().filter(|attribute| attribute.required || with_attributes);
    Example {
        name: if with_attributes { "all that there is" } else { "what is required" },
        place: AT,
        since: schema.since_version,
        until: None,
        release: None,
        inputs: values(schema.inputs),
        attributes: leak(attributes.filter_map(argument).collect()),
        expect: Expectation::Outputs(values(schema.outputs)),
    }
}

#[test]
fn every_version_is_lifted_or_refused_for_a_reason() {
    let mut lines: Vec<String> = Vec::new();
    let (mut versions_read, mut lifts) = (0, 0);
    for (_, versions, examples) in rows() {
        for schema in versions {
            versions_read += 1;
            let right =
                |example: &&Example| example.holds_for(schema) && matches!(example.expect, Expectation::Outputs(_));
            let made = [of_schema(schema, false), of_schema(schema, true)];
            // By reason, the nodes that are refused for it.
            let mut refused: BTreeMap<String, Vec<&str>> = BTreeMap::new();
            for example in examples.iter().filter(right).chain(&made) {
                match newest(versions, schema, example) {
                    Ok(()) => lifts += 1,
                    Err(reason) => refused.entry(reason).or_default().push(example.name),
                }
            }
            for (reason, names) in refused {
                lines.push(format!(
                    "{}::{}-{}: {reason} ({})\n",
                    schema.domain,
                    schema.name,
                    schema.since_version,
                    names.join(", ")
                ));
            }
        }
    }
    let total = format!("# {versions_read} versions, {lifts} nodes lifted; refused are:\n");
    let found = format!("{HEAD}{total}{}", lines.concat());
    shape_bless::expect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/refused.txt"), &found);
}

const HEAD: &str = "\
# The nodes of examples, by version, that cannot be read as the newest version of their operator, and why.
# Written by `cargo bless refused`.
";
