//! Writes the model of a single node.

use std::collections::HashSet;

use fastrand::Rng;
use shape_core::opset::canonical_domain;
use shape_core::registry::Registry;
use shape_core::schema::{FormalParameter, Schema};

use super::case::{Case, Expected, expected, may_be_constant};
use super::draft::Draft;
use super::judge::Inferred;
use super::search::Found;
use super::value::{Declared, Value, type_proto};
use super::wanted::bindings;
use crate::file::proto::{GraphProto, ModelProto, NodeProto, OperatorSetIdProto, ValueInfoProto};

/// The first IR version in which an initializer need not be an input too.
const FIRST_IR: u32 = 4;

/// How a model declares the dimensions of its inputs and outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declaration {
    /// All of them, as they are.
    Exact,
    /// Some as symbols, equal ones where sizes are equal.
    Symbols,
    /// Some not at all.
    Unknown,
    /// No ranks.
    NoRank,
}

impl Declaration {
    pub(super) fn draw(rng: &mut Rng) -> Self {
        match rng.u8(0..10) {
            0..5 => Self::Exact,
            5..8 => Self::Symbols,
            8 => Self::Unknown,
            _ => Self::NoRank,
        }
    }

    /// The dimensions as they are declared; `None` for no rank.
    pub(super) fn of(self, rng: &mut Rng, dims: &[u64]) -> Option<Vec<Declared>> {
        let mut one = |dim: &u64| match self {
            Self::Symbols if rng.bool() => Declared::Symbol(format!("d{dim}")),
            Self::Unknown if rng.bool() => Declared::Unknown,
            _ => Declared::Size(*dim),
        };
        (self != Self::NoRank).then(|| dims.iter().map(&mut one).collect())
    }
}

/// The IR version of a model that imports an opset.
pub(super) fn ir_version(registry: &Registry, domain: &str, opset: u32) -> u32 {
    let knows = |release: &&shape_core::opset::Release| release.newest(domain).is_some_and(|newest| newest >= opset);
    let release = registry.releases().iter().find(knows).or_else(|| registry.releases().last());
    release.map_or(FIRST_IR, |release| release.ir.max(FIRST_IR))
}

/// A declaration of a value.
pub(super) fn info(name: &str, value: &Value, dims: Option<&[Declared]>) -> ValueInfoProto {
    ValueInfoProto { name: name.to_owned(), r#type: Some(type_proto(value.ty(), dims)), ..ValueInfoProto::default() }
}

/// A declaration of an output.
pub(super) fn output_info(output: &Expected, declaration: Declaration) -> ValueInfoProto {
    let declared = |dim: &Option<u64>| dim.map_or(Declared::Unknown, Declared::Size);
    let dims: Option<Vec<Declared>> = output.dims.as_ref().map(|dims| dims.iter().map(declared).collect());
    let dims = dims.filter(|_| declaration == Declaration::Exact && output.ty.element().is_some());
    ValueInfoProto {
        name: output.name.clone(),
        r#type: Some(type_proto(output.ty, dims.as_deref())),
        ..ValueInfoProto::default()
    }
}

/// The domain as models write it.
pub(super) fn written(domain: &str) -> String {
    if canonical_domain(domain) == "ai.onnx" { String::new() } else { domain.to_owned() }
}

/// The opset of `ai.onnx` of a model with a node of a version.
pub(super) fn body_opset(registry: &Registry, schema: &Schema, opset: u32) -> u32 {
    let newest = registry.newest_opset("").unwrap_or(1);
    if canonical_domain(schema.domain) == "ai.onnx" { opset } else { newest.min(BESIDE) }
}

/// The opset of `ai.onnx` beside another domain: one that most tools know.
const BESIDE: u32 = 21;

/// The opsets that a model imports.
pub(super) fn imports(registry: &Registry, schema: &Schema, opset: u32) -> Vec<OperatorSetIdProto> {
    let import = |domain: &str, opset: u32| OperatorSetIdProto { domain: written(domain), version: Some(opset.into()) };
    let mut imports = vec![import(schema.domain, opset)];
    // Bodies have operators of ai.onnx.
    if canonical_domain(schema.domain) != "ai.onnx" {
        imports.push(import("", body_opset(registry, schema, opset)));
    }
    imports
}

/// The name of the value of a formal parameter.
fn name(formal: Option<&FormalParameter>, index: usize) -> String {
    match formal {
        Some(formal) if formal.is_variadic() => format!("{}_{index}", formal.name),
        Some(formal) => formal.name.to_owned(),
        None => format!("value_{index}"),
    }
}

/// The node of a draft, with the names of its inputs and outputs.
pub(super) fn node(draft: &Draft, inputs: Vec<String>, outputs: Vec<String>) -> NodeProto {
    let given = draft.schema.attributes.iter().zip(&draft.attributes);
    NodeProto {
        op_type: draft.schema.name.to_owned(),
        domain: written(draft.schema.domain),
        input: inputs,
        output: outputs,
        attribute: given.filter_map(|(attribute, value)| Some(value.as_ref()?.to_proto(attribute.name))).collect(),
        ..NodeProto::default()
    }
}

/// A model that is being written.
pub(super) struct Writer {
    pub(super) graph: GraphProto,
    names: HashSet<String>,
    pub(super) declaration: Declaration,
    pub(super) inputs: Vec<(String, Value)>,
    pub(super) outputs: Vec<Expected>,
}

impl Writer {
    pub(super) fn new(name: &str, declaration: Declaration) -> Self {
        Self {
            graph: GraphProto { name: name.to_owned(), ..GraphProto::default() },
            names: HashSet::new(),
            declaration,
            inputs: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// A name that no other value has.
    pub(super) fn fresh(&mut self, name: &str) -> String {
        let mut fresh = name.to_owned();
        let mut count = 1;
        while !self.names.insert(fresh.clone()) {
            count += 1;
            fresh = format!("{name}_v{count}");
        }
        fresh
    }

    /// Adds a value that no node computes: an initializer, or an input with data.
    pub(super) fn add(&mut self, rng: &mut Rng, name: &str, value: &Value, constant: bool) -> String {
        let name = self.fresh(name);
        match value {
            Value::Tensor(tensor) if constant => self.graph.initializer.push(tensor.to_proto(&name)),
            value => {
                let dims = value.dims().and_then(|dims| self.declaration.of(rng, dims));
                let tensor = value.ty().element().is_some();
                self.graph.input.push(info(&name, value, dims.as_deref().filter(|_| tensor)));
                self.inputs.push((name.clone(), value.clone()));
            }
        }
        name
    }

    /// Makes a value an output; `None` if its type is not known, which a model must declare.
    pub(super) fn output(&mut self, name: &str, inferred: &Inferred) -> Option<()> {
        let output = expected(name, inferred)?;
        self.graph.output.push(output_info(&output, self.declaration));
        self.outputs.push(output);
        Some(())
    }

    /// The model.
    pub(super) fn finish(self, registry: &Registry, domain: &str, imports: Vec<OperatorSetIdProto>) -> Written {
        let opset = imports.first().and_then(|import| import.version).and_then(|version| u32::try_from(version).ok());
        let model = ModelProto {
            ir_version: Some(ir_version(registry, domain, opset.unwrap_or(1)).into()),
            producer_name: "shape generate".to_owned(),
            opset_import: imports,
            graph: Some(self.graph),
            ..ModelProto::default()
        };
        Written { model, inputs: self.inputs, outputs: self.outputs }
    }
}

/// A model, its inputs, and what is expected of its outputs.
pub(super) struct Written {
    pub(super) model: ModelProto,
    pub(super) inputs: Vec<(String, Value)>,
    pub(super) outputs: Vec<Expected>,
}

/// Which inputs of a node are initializers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Constants {
    Some,
    All,
}

/// A model of one node. `types` are what is known of its outputs; `None` if the type of one is not known.
pub(super) fn of_node(
    registry: &Registry,
    rng: &mut Rng,
    (draft, outputs): (&Draft, &[Inferred]),
    opset: u32,
    (declaration, constants): (Declaration, Constants),
) -> Option<Written> {
    let mut writer = Writer::new(draft.schema.name, declaration);
    let mut inputs = Vec::new();
    for (index, input) in draft.inputs.iter().enumerate() {
        inputs.push(match input {
            Some(input) => {
                let constant = constants == Constants::All || may_be_constant(&input.value, rng);
                writer.add(rng, &name(draft.formal(index), index), &input.value, constant)
            }
            None => String::new(),
        });
    }
    let mut names = Vec::new();
    for (index, given) in draft.outputs.iter().enumerate() {
        if !given {
            names.push(String::new());
            continue;
        }
        let name = writer.fresh(&name(draft.schema.output(index), index));
        writer.output(&name, outputs.get(index)?)?;
        names.push(name);
    }
    writer.graph.node.push(node(draft, inputs, names));
    Some(writer.finish(registry, draft.schema.domain, imports(registry, draft.schema, opset)))
}

/// The case of a valid node; `None` if the type of an output is not known.
pub(super) fn case(
    registry: &Registry,
    rng: &mut Rng,
    name: String,
    opset: u32,
    found: &Found,
    (declaration, choices): (Declaration, Vec<String>),
) -> Option<Case> {
    let how = (declaration, Constants::Some);
    let Written { model, inputs, outputs } = of_node(registry, rng, (&found.draft, &found.outputs), opset, how)?;
    let (schema, types) = (Some(found.draft.schema), bindings(found));
    Some(Case { name, schema, opset, model, inputs, outputs, code: None, types, choices })
}
