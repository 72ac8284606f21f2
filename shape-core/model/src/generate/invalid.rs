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
use crate::file::proto::{AttributeProto, Dimension, GraphProto, ModelProto, TensorType, TypeValue, ValueInfoProto};

/// How often another change is tried.
const TRIES: usize = 60;

/// A change to a model of one node that is wrong whatever the operator.
#[derive(Clone, Copy, Debug)]
enum Spoil {
    /// An attribute that the version does not have.
    Unknown,
    /// An attribute that occurs twice.
    Twice,
    /// An attribute of another kind.
    Kind,
    /// A required attribute that is missing.
    Missing,
    /// A value that an attribute cannot have.
    Value,
    /// One input too many, or one too few.
    Inputs,
    /// One output too many.
    Outputs,
    /// An empty name for a required input.
    NoInput,
    /// An input that nothing defines.
    Undefined,
    /// An output with the name of an input.
    Redefined,
    /// An output of the graph that nothing defines.
    NoOutput,
    /// The declaration of an output with another element type.
    OutputType,
    /// The declaration of an output with another rank.
    OutputRank,
    /// An element type that ONNX does not have.
    ElementType,
    /// An initializer with too few bytes.
    Short,
    /// No import of the domain of the node.
    NoImport,
    /// An opset from before the operator was there.
    OldOpset,
    /// An operator that the domain does not have.
    Operator,
}

const SPOILS: [Spoil; 18] = [
    Spoil::Unknown,
    Spoil::Twice,
    Spoil::Kind,
    Spoil::Missing,
    Spoil::Value,
    Spoil::Inputs,
    Spoil::Outputs,
    Spoil::NoInput,
    Spoil::Undefined,
    Spoil::Redefined,
    Spoil::NoOutput,
    Spoil::OutputType,
    Spoil::OutputRank,
    Spoil::ElementType,
    Spoil::Short,
    Spoil::NoImport,
    Spoil::OldOpset,
    Spoil::Operator,
];

/// A name that no generated model has.
const NOWHERE: &str = "given_by_nothing";

impl Spoil {
    /// The code of the finding, if the change is possible.
    fn apply(self, schema: &Schema, model: &mut ModelProto, rng: &mut Rng) -> Option<Code> {
        let ModelProto { graph, opset_import, .. } = model;
        let GraphProto { node, input, output, initializer, .. } = graph.as_mut()?;
        let node = node.first_mut()?;
        match self {
            Self::Unknown => {
                let number = Some(AttributeKind::Int.number());
                let name = "not_an_attribute".to_owned();
                node.attribute.push(AttributeProto { name, r#type: number, i: Some(1), ..AttributeProto::default() });
                Some(Code::AttributeUnknown)
            }
            Self::Twice => {
                let again = rng.choice(&node.attribute)?.clone();
                node.attribute.push(again);
                Some(Code::AttributeDuplicate)
            }
            Self::Kind => {
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
            Self::Missing => {
                let required: Vec<&str> = schema.attributes.iter().filter(|of| of.required).map(|of| of.name).collect();
                let name = rng.choice(required)?;
                node.attribute.retain(|attribute| attribute.name != name);
                Some(Code::AttributeMissing)
            }
            Self::Value => {
                let beyond =
                    schema.attributes.iter().filter_map(|attribute| Some((attribute.name, beyond(attribute)?)));
                let (name, value) = rng.choice(beyond.collect::<Vec<_>>())?;
                node.attribute.retain(|attribute| attribute.name != name);
                node.attribute.push(value.to_proto(name));
                Some(Code::AttributeValue)
            }
            Self::Inputs => {
                let (min, max) = arity(schema.inputs);
                if rng.bool() || max.is_none() {
                    (min > 0).then(|| node.input.truncate(min - 1))?;
                } else {
                    let last = node.input.last()?.clone();
                    node.input.resize(max? + 1, last);
                }
                Some(Code::InputCount)
            }
            Self::Outputs => {
                let (_, max) = arity(schema.outputs);
                let max = max?;
                let mut index = 0;
                node.output.resize_with(max + 1, || {
                    index += 1;
                    format!("one_too_many_{index}")
                });
                Some(Code::OutputCount)
            }
            Self::NoInput => {
                let required = schema.inputs.iter().position(|of| of.option == ParameterOption::Single);
                let at = required.filter(|at| at + 1 < node.input.len())?;
                node.input.get_mut(at)?.clear();
                Some(Code::InputMissing)
            }
            Self::Undefined => {
                let read = rng.choice(node.input.iter_mut().filter(|name| !name.is_empty()).collect::<Vec<_>>())?;
                NOWHERE.clone_into(read);
                Some(Code::ValueUndefined)
            }
            Self::Redefined => {
                let (of, given) = (rng.choice(&*input)?.name.clone(), node.output.first_mut()?);
                for output in output.iter_mut().filter(|output| output.name == *given) {
                    output.name.clone_from(&of);
                }
                *given = of;
                Some(Code::ValueRedefined)
            }
            Self::NoOutput => {
                NOWHERE.clone_into(&mut rng.choice(output)?.name);
                Some(Code::OutputUndefined)
            }
            Self::OutputType => {
                let declared = tensor_type(rng.choice(&mut *output)?)?;
                let is_float = declared.elem_type == Some(DataType::Float.number().into());
                let other = if is_float { DataType::Int64 } else { DataType::Float };
                declared.elem_type = Some(other.number().into());
                Some(Code::OutputType)
            }
            Self::OutputRank => {
                let declared = tensor_type(rng.choice(&mut *output)?)?;
                declared.shape.as_mut()?.dim.push(Dimension::default());
                Some(Code::OutputDims)
            }
            Self::ElementType => {
                tensor_type(rng.choice(&mut *input)?)?.elem_type = Some(99);
                Some(Code::ElementTypeUnknown)
            }
            Self::Short => {
                let tensor = rng.choice(initializer)?;
                let data = tensor.raw_data.as_mut().filter(|data| !data.is_empty())?;
                data.truncate(data.len() - 1);
                Some(Code::TensorData)
            }
            Self::NoImport => {
                let domain = canonical_domain(schema.domain);
                opset_import.retain(|import| canonical_domain(&import.domain) != domain);
                Some(if opset_import.is_empty() { Code::OpsetMissing } else { Code::DomainNotImported })
            }
            Self::OldOpset => {
                let domain = canonical_domain(schema.domain);
                let import = opset_import.iter_mut().find(|import| canonical_domain(&import.domain) == domain)?;
                import.version = Some(i64::from(schema.since_version.checked_sub(1).filter(|older| *older > 0)?));
                Some(Code::OperatorTooNew)
            }
            Self::Operator => {
                node.op_type.push_str("NotThere");
                Some(Code::OperatorUnknown)
            }
        }
    }
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
    let spoil = *rng.choice(&SPOILS)?;
    let code = spoil.apply(found.draft.schema, &mut written.model, rng)?;
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
