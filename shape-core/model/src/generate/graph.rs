//! Models of many nodes: each reads what earlier ones computed, where types and dimensions fit.

use fastrand::Rng;
use shape_core::data_type::DataType;
use shape_core::opset::canonical_domain;
use shape_core::registry::Registry;
use shape_core::rule::Expression;
use shape_core::schema::{Claim, Schema};
use shape_core::types::Type;

use super::body;
use super::case::{Case, may_be_constant, tensor};
use super::change;
use super::draft::{Draft, Input};
use super::generator::GenerateOptions;
use super::judge::Inferred;
use super::model::{self, Declaration, Writer};
use super::search::{Around, Found, search};
use super::value::{Tensor, Value};
use super::wanted::Wanted;
use crate::file::proto::{FunctionProto, NodeProto, OperatorSetIdProto};

/// How many changes are tried for a node before another operator is taken.
const BUDGET: usize = 300;
/// How many operators are tried for each node.
const OPERATORS: usize = 12;
/// How many values are looked at for an input.
const CANDIDATES: usize = 6;
/// The opset that functions of a model came with.
const FUNCTIONS: u32 = 16;
/// The domain of the functions of a model.
const LOCAL: &str = "local";

/// A value of the graph.
struct Known {
    name: String,
    value: Value,
    inferred: Inferred,
    /// Whether a node computes it.
    computed: bool,
    read: bool,
}

/// A random model of about this many nodes of `ai.onnx`, each of which reads outputs of earlier nodes where they fit;
/// with bodies, sequences and functions of its own. Its opset is that of the options, or the newest. The same seed
/// gives the same model. `None` if the options name no operator of that opset.
///
/// ```
/// use shape_core::Registry;
/// use shape_model::ModelFile;
/// use shape_model::generate::{GenerateOptions, graph};
/// let options = GenerateOptions { seed: 7, opset: Some(21), ..GenerateOptions::default() };
/// let case = graph(Registry::builtin(), &options, 30).unwrap();
/// let file = ModelFile::from_bytes(case.model_bytes())?;
/// assert!(file.model().graph().unwrap().nodes().len() > 20);
/// # Ok::<(), shape_model::file::ModelError>(())
/// ```
#[must_use]
pub fn graph(registry: &Registry, options: &GenerateOptions, nodes: usize) -> Option<Case> {
    let opset = options.opset.or_else(|| registry.newest_opset(""))?;
    let schemas = schemas(registry, options, opset);
    let mut rng = Rng::with_seed(options.seed);
    let declaration = match Declaration::draw(&mut rng) {
        Declaration::NoRank => Declaration::Exact,
        other => other,
    };
    let mut graph = Graph {
        writer: Writer::new("graph", declaration),
        values: Vec::new(),
        passing: body::passing(registry, opset),
        opset,
        wanted: options.wanted.as_ref(),
    };
    for _ in 0..nodes {
        for _ in 0..OPERATORS {
            let schema = *rng.choice(&schemas)?;
            if let Some(found) = graph.find(schema, &mut rng)
                && graph.push(&found, &mut rng).is_some()
            {
                break;
            }
        }
    }
    graph.finish(registry, &mut rng, format!("graph_{opset}_{}", options.seed))
}

struct Graph<'o> {
    writer: Writer,
    values: Vec<Known>,
    passing: Option<&'static Schema>,
    opset: u32,
    wanted: Option<&'o Wanted>,
}

impl Graph<'_> {
    /// A node of a version that reads values of the graph, some of them new.
    fn find(&self, schema: &'static Schema, rng: &mut Rng) -> Option<Found> {
        let complete = |draft: &mut Draft, rng: &mut Rng| {
            self.bind(draft, rng);
            if let Some(passing) = self.passing {
                body::complete(draft, rng, passing);
            }
        };
        // A node that reads nothing of the others is only for want of one that does.
        let alone = self.values.is_empty() || rng.u8(0..8) == 0;
        let wanted = |found: &Found| {
            (alone || found.draft.inputs.iter().flatten().any(|input| self.is_computed(input)))
                && !is_left_to_chance(found)
                && self.wanted.is_none_or(|wanted| wanted.accepts(self.opset, found))
        };
        search(schema, rng, &[], &[], BUDGET, &Around { complete: &complete, wanted: &wanted })
    }

    fn is_computed(&self, input: &Input) -> bool {
        input.from.and_then(|at| self.values.get(at)).is_some_and(|known| known.computed)
    }

    /// Lets inputs read values of the graph, or have values of their own again.
    fn bind(&self, draft: &mut Draft, rng: &mut Rng) {
        if self.values.is_empty() || rng.u8(0..3) == 0 {
            return;
        }
        self.take_type(draft, rng);
        for index in 0..draft.inputs.len() {
            let Some(Some(input)) = draft.inputs.get(index) else { continue };
            let bound = input.from.is_some();
            let (chance, ty, dims) = (rng.u8(0..8), input.value.ty(), input.value.dims().map(<[u64]>::to_vec));
            let new = if bound && chance == 0 {
                dims.and_then(|dims| change::value(rng, ty, &dims)).map(Input::own)
            } else if !bound && chance < 5 {
                self.candidate(draft, rng, index)
            } else {
                None
            };
            if let (Some(new), Some(slot)) = (new, draft.inputs.get_mut(index)) {
                *slot = Some(new);
            }
        }
    }

    /// Gives a node that reads nothing of the graph yet the type of a value that it could read then.
    fn take_type(&self, draft: &mut Draft, rng: &mut Rng) {
        if draft.inputs.is_empty() || draft.inputs.iter().flatten().any(|input| input.from.is_some()) {
            return;
        }
        let index = rng.usize(..draft.inputs.len());
        let Some(ty) = rng.choice(&self.values).map(|known| known.value.ty()) else { return };
        if draft.allowed(index).contains(&ty) {
            match draft.shared(index) {
                Some(variable) => change::set_variable(draft, rng, variable, ty),
                None => change::set_type(draft, rng, index, ty),
            };
        }
    }

    /// A value of the graph that an input may read: of several, one that is computed and has the rank of the input.
    fn candidate(&self, draft: &Draft, rng: &mut Rng, index: usize) -> Option<Input> {
        let rank = draft.value(index).and_then(|value| value.dims()).map(<[u64]>::len);
        let drawn: Vec<usize> = (0..CANDIDATES).map(|_| rng.usize(..self.values.len())).collect();
        let readable = drawn.into_iter().filter_map(|at| self.readable(draft, index, at));
        readable.max_by_key(|input| (self.is_computed(input), input.value.dims().map(<[u64]>::len) == rank))
    }

    /// A value of the graph, if an input may read it.
    fn readable(&self, draft: &Draft, index: usize, at: usize) -> Option<Input> {
        let known = self.values.get(at)?;
        let ty = known.value.ty();
        let shared = draft.shared(index).and_then(|variable| {
            let other = (0..draft.inputs.len()).find(|other| *other != index && draft.shared(*other) == Some(variable));
            draft.value(other?).map(Value::ty)
        });
        let allowed = draft.allowed(index);
        let fits = shared.map_or_else(|| allowed.contains(&ty), |shared| shared == ty);
        let known_elements = !matches!(known.value, Value::Computed(..));
        // What only a run shows would be left to chance.
        let fits = fits && known.value.dims().is_some();
        (fits && (known_elements || !reads_elements(draft.schema, index, &allowed)))
            .then(|| Input { value: known.value.clone(), from: Some(at) })
    }

    /// Adds a node, its own inputs and its outputs; `None`, and no change, if the type of an output is not known.
    fn push(&mut self, found: &Found, rng: &mut Rng) -> Option<()> {
        let draft = &found.draft;
        if found.outputs.iter().zip(&draft.outputs).any(|(output, given)| *given && output.ty.is_none()) {
            return None;
        }
        let mut inputs = Vec::new();
        for input in &draft.inputs {
            inputs.push(match input {
                None => String::new(),
                Some(Input { from: Some(at), .. }) => {
                    let known = self.values.get_mut(*at)?;
                    known.read = true;
                    known.name.clone()
                }
                Some(Input { value, from: None }) => {
                    let constant = may_be_constant(value, rng) || may_be_marker(value);
                    let name = self.writer.add(rng, "in", value, constant);
                    let dims = value.dims().map(|dims| dims.iter().copied().map(Some).collect());
                    let inferred = Inferred { ty: Some(value.ty()), dims, elements: None };
                    self.values.push(Known {
                        name: name.clone(),
                        value: value.clone(),
                        inferred,
                        computed: false,
                        read: true,
                    });
                    name
                }
            });
        }
        let mut outputs = Vec::new();
        for (given, inferred) in draft.outputs.iter().zip(&found.outputs) {
            if !given {
                outputs.push(String::new());
                continue;
            }
            let name = self.writer.fresh("v");
            outputs.push(name.clone());
            let Some(ty) = inferred.ty else { continue };
            let dims: Option<Vec<u64>> = inferred.dims.as_ref().and_then(|dims| dims.iter().copied().collect());
            let computed = ty.element().zip(dims.clone()).zip(inferred.elements.as_ref());
            let value = match computed.and_then(|((element, dims), elements)| tensor(element, dims, elements)) {
                Some(tensor) => Value::Tensor(tensor),
                None => Value::Computed(ty, dims.clone()),
            };
            self.values.push(Known {
                name,
                value,
                inferred: inferred.clone(),
                computed: true,
                read: dims.is_none() && ty.element().is_some(),
            });
        }
        self.writer.graph.node.push(model::node(draft, inputs, outputs));
        Some(())
    }

    /// The case; `None` if there is no node.
    fn finish(mut self, registry: &Registry, rng: &mut Rng, name: String) -> Option<Case> {
        let opset = self.opset;
        let computed: Vec<usize> =
            (0..self.values.len()).filter(|at| self.values.get(*at).is_some_and(|known| known.computed)).collect();
        for at in computed {
            let Some(known) = self.values.get(at) else { continue };
            // Values of unknown dimensions no node reads, whatever is said of them.
            let open = known.inferred.dims.as_ref().is_none_or(|dims| dims.contains(&None));
            if !known.read || open || rng.u8(0..4) == 0 {
                self.writer.output(&known.name, &known.inferred)?;
            }
        }
        if self.writer.graph.node.is_empty() {
            return None;
        }
        let mut imports = vec![OperatorSetIdProto { domain: String::new(), version: Some(opset.into()) }];
        let functions = if opset >= FUNCTIONS { self.functions(rng, opset) } else { Vec::new() };
        if !functions.is_empty() {
            imports.push(OperatorSetIdProto { domain: LOCAL.to_owned(), version: Some(1) });
        }
        let mut written = self.writer.finish(registry, "", imports);
        written.model.functions = functions;
        let model::Written { model, inputs, outputs } = written;
        let (types, choices) = Default::default();
        Some(Case { name, schema: None, opset, model, inputs, outputs, code: None, types, choices })
    }

    /// Makes functions of some nodes, which then call them.
    fn functions(&mut self, rng: &mut Rng, opset: u32) -> Vec<FunctionProto> {
        let mut functions = Vec::new();
        for node in &mut self.writer.graph.node {
            if rng.u8(0..8) != 0 || node.input.iter().chain(&node.output).any(String::is_empty) {
                continue;
            }
            let op_type = format!("Function{}", functions.len());
            let rename = |names: &[String], prefix: &str| -> Vec<String> {
                (0..names.len()).map(|index| format!("{prefix}_{index}")).collect()
            };
            let (input, output) = (rename(&node.input, "x"), rename(&node.output, "y"));
            let call = NodeProto {
                op_type: op_type.clone(),
                domain: LOCAL.to_owned(),
                input: std::mem::take(&mut node.input),
                output: std::mem::take(&mut node.output),
                ..NodeProto::default()
            };
            let body = NodeProto { input: input.clone(), output: output.clone(), ..std::mem::replace(node, call) };
            functions.push(FunctionProto {
                name: op_type,
                domain: LOCAL.to_owned(),
                input,
                output,
                node: vec![body],
                opset_import: vec![OperatorSetIdProto { domain: String::new(), version: Some(opset.into()) }],
                ..FunctionProto::default()
            });
        }
        functions
    }
}

/// Whether what a node gives depends on a number that only a run shows: it may be one that it refuses, and that the check
/// knows, for the difference of a value and itself is zero whatever the value is.
fn is_left_to_chance(found: &Found) -> bool {
    let is_unknown = |output: &Inferred| output.dims.as_ref().is_none_or(|dims| dims.contains(&None));
    let is_number =
        |input: &Input| matches!(&input.value, Value::Computed(_, Some(dims)) if dims.iter().all(|dim| *dim == 1));
    found.outputs.iter().any(is_unknown) && found.draft.inputs.iter().flatten().any(is_number)
}

/// Whether an entry of a value means something else than a size where it is read as the dimensions of a tensor: what the
/// check does not know it takes for a size.
fn may_be_marker(value: &Value) -> bool {
    let entries = value.tensor().filter(|tensor| tensor.ty == DataType::Int64 && tensor.dims.len() == 1);
    entries.and_then(Tensor::ints).is_some_and(|entries| entries.iter().any(|entry| *entry < 1))
}

/// Whether a node may be refused for the elements of an input: it takes no floats, so that these are places, sizes or
/// conditions, or a relation reads them.
fn reads_elements(schema: &Schema, index: usize, allowed: &[Type]) -> bool {
    let floats =
        allowed.iter().filter_map(|ty| ty.element()).any(|ty| matches!(ty, DataType::Float | DataType::Double));
    let claims = schema.requires.iter().flat_map(|requirement| requirement.alternatives.iter().copied().flatten());
    let read = claims.into_iter().any(|claim| match claim {
        Claim::Compare(left, _, right) => reads(left, index) || reads(right, index),
        _ => false,
    });
    let all_tensors = allowed.iter().all(|ty| ty.element().is_some());
    (all_tensors && !floats) || read
}

fn reads(expression: &Expression, input: usize) -> bool {
    match expression {
        Expression::Element(of) | Expression::FoldElements(_, of) => *of == input,
        Expression::Operation(_, left, right) => reads(left, input) || reads(right, input),
        _ => false,
    }
}

/// The versions in force at an opset that graphs are made of: those of `ai.onnx` that give the same whenever they run.
fn schemas(registry: &Registry, options: &GenerateOptions, opset: u32) -> Vec<&'static Schema> {
    let names = registry.operators().filter_map(|versions| versions.first().copied());
    let of_onnx = names.filter(|schema| canonical_domain(schema.domain) == "ai.onnx");
    let in_force = of_onnx.filter_map(|schema| registry.resolve("", schema.name, opset).ok());
    let wanted = in_force.filter(|schema| options.names(registry, schema));
    wanted.filter(|schema| schema.deterministic || schema.subgraphs.is_some()).collect()
}
