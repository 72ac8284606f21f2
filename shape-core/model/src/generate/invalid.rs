//! Models that are wrong in one way: a valid node with one change, whose finding is known.

use fastrand::Rng;
use shape_core::code::{Code, Severity};
use shape_core::node::AttributeKind;
use shape_core::registry::Registry;
use shape_core::schema::{ParameterOption, Schema, arity};

use super::case::Case;
use super::change;
use super::judge::judge;
use super::model::{Constants, Declaration, Written, of_node};
use super::search::{Around, Found};
use crate::check::check;
use crate::file::Message as _;
use crate::file::ModelFile;
use crate::file::proto::{AttributeProto, ModelProto, NodeProto};
use crate::options::Options;

/// How often another change is tried.
const TRIES: usize = 60;

/// A change to the node of a model that is wrong whatever the operator.
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
    /// One input too many, or one too few.
    Inputs,
    /// One output too many.
    Outputs,
    /// An empty name for a required input.
    NoInput,
}

const SPOILS: [Spoil; 7] =
    [Spoil::Unknown, Spoil::Twice, Spoil::Kind, Spoil::Missing, Spoil::Inputs, Spoil::Outputs, Spoil::NoInput];

impl Spoil {
    /// The code of the finding, if the change is possible.
    fn apply(self, schema: &Schema, node: &mut NodeProto, rng: &mut Rng) -> Option<Code> {
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
        }
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
        if only(registry, &model, code) {
            let schema = Some(found.draft.schema);
            return Some(Case { name, schema, opset, model, inputs, outputs: Vec::new(), code: Some(code) });
        }
    }
    None
}

/// A valid model whose node is changed as no schema allows.
fn spoiled(registry: &Registry, rng: &mut Rng, opset: u32, found: &Found) -> Option<(Written, Code)> {
    let how = (Declaration::Exact, Constants::Some);
    let mut written = of_node(registry, rng, (&found.draft, &found.outputs), opset, how)?;
    let spoil = *rng.choice(&SPOILS)?;
    let node = written.model.graph.as_mut()?.node.first_mut()?;
    let code = spoil.apply(found.draft.schema, node, rng)?;
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
    change::random(&mut draft, rng);
    (around.complete)(&mut draft, rng);
    let code = judge(&draft).err()?.code?;
    draft.outputs.clone_from(&found.draft.outputs);
    // What is refused for its elements is refused where they are known.
    let how = (Declaration::Exact, if rng.bool() { Constants::All } else { Constants::Some });
    let mut written = of_node(registry, rng, (&draft, &found.outputs), opset, how)?;
    for output in &mut written.model.graph.as_mut()?.output {
        if let Some(ty) = &mut output.r#type
            && let Some(crate::file::proto::TypeValue::TensorType(tensor)) = &mut ty.value
        {
            tensor.shape = None;
        }
    }
    Some((written, code))
}

/// Whether a model has this error and no other.
fn only(registry: &Registry, model: &ModelProto, code: Code) -> bool {
    let Ok(file) = ModelFile::from_bytes(model.encode_to_vec().into()) else { return false };
    let options = Options { registry: registry.clone(), ..Options::of(&file) };
    let Ok(findings) = check(file.model(), &options) else { return false };
    let mut errors = findings.iter().filter(|finding| finding.code.severity() == Severity::Error);
    errors.next().is_some_and(|finding| finding.code == code) && errors.next().is_none()
}
