//! Models that are wrong in one way: a valid node with one change, whose finding is known.

use fastrand::Rng;
use shape_core::code::Code;
use shape_core::data_type::DataType;
use shape_core::node::{AttributeKind, AttributeValue};
use shape_core::opset::canonical_domain;
use shape_core::registry::Registry;
use shape_core::schema::{Attribute, ParameterOption, Schema, arity};
use shape_core::types::Type;

use super::case::Case;
use super::change;
use super::draft::Argument;
use super::findings::says;
use super::judge::judge;
use super::model::{Constants, Declaration, Written, of_node};
use super::search::{Around, Found};
use crate::file::proto::{
    AttributeProto, Dimension, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto, TensorType,
    TypeValue, ValueInfoProto,
};

/// How often another change is tried.
const TRIES: usize = 60;

/// The parts of a model of one node that a change may touch.
struct Parts<'a> {
    schema: &'a Schema,
    rng: &'a mut Rng,
    node: &'a mut NodeProto,
    inputs: &'a mut [ValueInfoProto],
    outputs: &'a mut [ValueInfoProto],
    initializers: &'a mut [TensorProto],
    imports: &'a mut Vec<OperatorSetIdProto>,
}

/// A change that is wrong whatever the operator, and the code of its finding; `None` where it is not possible.
type Spoil = fn(&mut Parts<'_>) -> Option<Code>;

const SPOILS: [Spoil; 18] = [
    unknown_attribute,
    attribute_twice,
    attribute_of_another_kind,
    no_attribute,
    attribute_value,
    number_of_inputs,
    number_of_outputs,
    empty_input,
    undefined_input,
    output_named_as_an_input,
    undefined_output,
    declared_type,
    declared_rank,
    element_type,
    short_initializer,
    no_import,
    older_opset,
    unknown_operator,
];

/// A name that no generated model has.
const NOWHERE: &str = "given_by_nothing";

fn unknown_attribute(Parts { schema, node, .. }: &mut Parts<'_>) -> Option<Code> {
    if schema.other_attributes {
        return None;
    }
    let number = Some(AttributeKind::Int.number());
    let name = "not_an_attribute".to_owned();
    node.attribute.push(AttributeProto { name, r#type: number, i: Some(1), ..AttributeProto::default() });
    Some(Code::AttributeUnknown)
}

fn attribute_twice(Parts { node, rng, .. }: &mut Parts<'_>) -> Option<Code> {
    let again = rng.choice(&node.attribute)?.clone();
    node.attribute.push(again);
    Some(Code::AttributeDuplicate)
}

fn attribute_of_another_kind(Parts { node, rng, .. }: &mut Parts<'_>) -> Option<Code> {
    let attribute = rng.choice(&mut node.attribute)?;
    let is_float = attribute.r#type == Some(AttributeKind::Float.number());
    let name = attribute.name.clone();
    *attribute = AttributeProto { name, ..AttributeProto::default() };
    if is_float {
        (attribute.r#type, attribute.i) = (Some(AttributeKind::Int.number()), Some(1));
    } else {
        (attribute.r#type, attribute.f) = (Some(AttributeKind::Float.number()), Some(1.0));
    }
    Some(Code::AttributeType)
}

fn no_attribute(Parts { schema, node, rng, .. }: &mut Parts<'_>) -> Option<Code> {
    let required: Vec<&str> = schema.attributes.iter().filter(|of| of.required).map(|of| of.name).collect();
    let name = rng.choice(required)?;
    node.attribute.retain(|attribute| attribute.name != name);
    Some(Code::AttributeMissing)
}

fn attribute_value(Parts { schema, node, rng, .. }: &mut Parts<'_>) -> Option<Code> {
    let beyond = schema.attributes.iter().filter_map(|attribute| Some((attribute.name, beyond(attribute)?)));
    let (name, value) = rng.choice(beyond.collect::<Vec<_>>())?;
    node.attribute.retain(|attribute| attribute.name != name);
    node.attribute.push(value.to_proto(name));
    Some(Code::AttributeValue)
}

/// One input too many, or one too few.
fn number_of_inputs(Parts { schema, node, rng, .. }: &mut Parts<'_>) -> Option<Code> {
    let (min, max) = arity(schema.inputs);
    if rng.bool() || max.is_none() {
        (min > 0).then(|| node.input.truncate(min - 1))?;
    } else {
        let last = node.input.last()?.clone();
        node.input.resize(max? + 1, last);
    }
    Some(Code::InputCount)
}

fn number_of_outputs(Parts { schema, node, .. }: &mut Parts<'_>) -> Option<Code> {
    let (_, max) = arity(schema.outputs);
    let max = max?;
    let mut index = 0;
    node.output.resize_with(max + 1, || {
        index += 1;
        format!("one_too_many_{index}")
    });
    Some(Code::OutputCount)
}

/// An empty name for a required input.
fn empty_input(Parts { schema, node, .. }: &mut Parts<'_>) -> Option<Code> {
    let required = schema.inputs.iter().position(|of| of.option == ParameterOption::Single);
    let at = required.filter(|at| at + 1 < node.input.len())?;
    node.input.get_mut(at)?.clear();
    Some(Code::InputMissing)
}

fn undefined_input(Parts { node, rng, .. }: &mut Parts<'_>) -> Option<Code> {
    let read = rng.choice(node.input.iter_mut().filter(|name| !name.is_empty()).collect::<Vec<_>>())?;
    NOWHERE.clone_into(read);
    Some(Code::ValueUndefined)
}

fn output_named_as_an_input(Parts { node, inputs, outputs, rng, .. }: &mut Parts<'_>) -> Option<Code> {
    let (of, given) = (rng.choice(&**inputs)?.name.clone(), node.output.first_mut()?);
    for output in outputs.iter_mut().filter(|output| output.name == *given) {
        output.name.clone_from(&of);
    }
    *given = of;
    Some(Code::ValueRedefined)
}

/// An output of the graph that nothing defines.
fn undefined_output(Parts { outputs, rng, .. }: &mut Parts<'_>) -> Option<Code> {
    NOWHERE.clone_into(&mut rng.choice(&mut **outputs)?.name);
    Some(Code::OutputUndefined)
}

/// The declaration of an output with another element type.
fn declared_type(Parts { outputs, rng, .. }: &mut Parts<'_>) -> Option<Code> {
    let declared = tensor_type(rng.choice(&mut **outputs)?)?;
    let is_float = declared.elem_type == Some(DataType::Float.number().into());
    let other = if is_float { DataType::Int64 } else { DataType::Float };
    declared.elem_type = Some(other.number().into());
    Some(Code::OutputType)
}

fn declared_rank(Parts { outputs, rng, .. }: &mut Parts<'_>) -> Option<Code> {
    let declared = tensor_type(rng.choice(&mut **outputs)?)?;
    declared.shape.as_mut()?.dim.push(Dimension::default());
    Some(Code::OutputDims)
}

/// An element type that ONNX does not have.
fn element_type(Parts { inputs, rng, .. }: &mut Parts<'_>) -> Option<Code> {
    tensor_type(rng.choice(&mut **inputs)?)?.elem_type = Some(99);
    Some(Code::ElementTypeUnknown)
}

fn short_initializer(Parts { initializers, rng, .. }: &mut Parts<'_>) -> Option<Code> {
    let tensor = rng.choice(&mut **initializers)?;
    let data = tensor.raw_data.as_mut().filter(|data| !data.is_empty())?;
    data.truncate(data.len() - 1);
    Some(Code::TensorData)
}

/// No import of the domain of the node.
fn no_import(Parts { schema, imports, .. }: &mut Parts<'_>) -> Option<Code> {
    let domain = canonical_domain(schema.domain);
    imports.retain(|import| canonical_domain(&import.domain) != domain);
    Some(if imports.is_empty() { Code::OpsetMissing } else { Code::DomainNotImported })
}

/// An opset from before the operator was there.
fn older_opset(Parts { schema, imports, .. }: &mut Parts<'_>) -> Option<Code> {
    let domain = canonical_domain(schema.domain);
    let import = imports.iter_mut().find(|import| canonical_domain(&import.domain) == domain)?;
    import.version = Some(i64::from(schema.since_version.checked_sub(1).filter(|older| *older > 0)?));
    Some(Code::OperatorTooNew)
}

fn unknown_operator(Parts { node, .. }: &mut Parts<'_>) -> Option<Code> {
    node.op_type.push_str("NotThere");
    Some(Code::OperatorUnknown)
}

/// A value that an attribute cannot have: beyond a bound, or none of its words.
fn beyond(attribute: &Attribute) -> Option<Argument> {
    let (int, float) = (AttributeValue::Int, AttributeValue::Float);
    Some(match (attribute.min, attribute.max, attribute.kind) {
        (Some(AttributeValue::Int(min)), _, AttributeKind::Int) => Argument::of(int(min.checked_sub(1)?))?,
        (_, Some(AttributeValue::Int(max)), AttributeKind::Int) => Argument::of(int(max.checked_add(1)?))?,
        (Some(AttributeValue::Float(min)), _, AttributeKind::Float) => Argument::of(float(min - 1.0))?,
        (_, Some(AttributeValue::Float(max)), AttributeKind::Float) => Argument::of(float(max + 1.0))?,
        (_, _, AttributeKind::String) if !attribute.values.is_empty() => Argument::String(NOWHERE.as_bytes().to_vec()),
        (_, _, AttributeKind::Int) => {
            let allowed = attribute.values.iter().filter_map(|value| match value {
                AttributeValue::Int(number) => Some(*number),
                _ => None,
            });
            Argument::Int(allowed.max()?.checked_add(1)?)
        }
        _ => return None,
    })
}

/// The declared type of a tensor.
fn tensor_type(info: &mut ValueInfoProto) -> Option<&mut TensorType> {
    match info.r#type.as_mut()?.value.as_mut()? {
        TypeValue::TensorType(tensor) => Some(tensor),
        _ => None,
    }
}

/// A model that is wrong in one way, and its code; `None` if no change was found.
pub(super) fn case(
    registry: &Registry,
    rng: &mut Rng,
    name: String,
    opset: u32,
    found: &Found,
    around: &Around<'_>,
) -> Option<Case> {
    let of_node = rng.u8(0..3) == 0;
    for tried in 0..2 * TRIES {
        // Where one way leads nowhere, the other is taken.
        let made = if of_node == (tried < TRIES) {
            spoiled(registry, rng, opset, found)
        } else {
            changed(registry, rng, opset, found, around)
        };
        let Some((Written { model, inputs, .. }, code)) = made else { continue };
        if says(registry, &model, Some(code)) {
            let schema = Some(found.draft.schema);
            let (outputs, types, choices) = Default::default();
            return Some(Case { name, schema, opset, model, inputs, outputs, code: Some(code), types, choices });
        }
    }
    None
}

/// A valid model whose node is changed as no schema allows.
fn spoiled(registry: &Registry, rng: &mut Rng, opset: u32, found: &Found) -> Option<(Written, Code)> {
    let how = (Declaration::Exact, Constants::Some);
    let mut written = of_node(registry, rng, (&found.draft, &found.outputs), opset, how)?;
    let spoil = rng.choice(&SPOILS)?;
    let ModelProto { graph, opset_import: imports, .. } = &mut written.model;
    let GraphProto { node, input: inputs, output: outputs, initializer: initializers, .. } = graph.as_mut()?;
    let (schema, node) = (found.draft.schema, node.first_mut()?);
    let code = spoil(&mut Parts { schema, rng, node, inputs, outputs, initializers, imports })?;
    Some((written, code))
}

/// A valid node with one random change that is refused.
fn changed(
    registry: &Registry,
    rng: &mut Rng,
    opset: u32,
    found: &Found,
    around: &Around<'_>,
) -> Option<(Written, Code)> {
    let mut draft = found.draft.clone();
    // Other types are refused most of the time, other changes seldom.
    if !draft.inputs.is_empty() && rng.u8(0..40) == 0 {
        let (input, ty) = (rng.usize(..draft.inputs.len()), rng.choice(DataType::all().collect::<Vec<_>>())?);
        change::set_type(&mut draft, rng, input, Type::tensor(ty));
    } else {
        change::random(&mut draft, rng);
    }
    (around.complete)(&mut draft, rng);
    let code = judge(&draft).err()?.code?;
    draft.outputs.clone_from(&found.draft.outputs);
    // What is refused for its elements is refused where they are known.
    let how = (Declaration::Exact, if rng.bool() { Constants::All } else { Constants::Some });
    let mut written = of_node(registry, rng, (&draft, &found.outputs), opset, how)?;
    for output in &mut written.model.graph.as_mut()?.output {
        if let Some(tensor) = tensor_type(output) {
            tensor.shape = None;
        }
    }
    Some((written, code))
}
