//! Makes the graphs in the attributes of a node: bodies that pass their inputs on, as the node's operator requires.

use fastrand::Rng;
use shape_core::data_type::DataType;
use shape_core::node::AttributeKind;
use shape_core::registry::Registry;
use shape_core::rule::{DimsRule, OutputRule};
use shape_core::schema::{ParameterOption, Schema, SubgraphKind};
use shape_core::types::Type;

use super::change;
use super::draft::{Argument, Draft, Input, allowed};
use super::fill;
use super::value::{Declared, Tensor, Value, type_proto};
use crate::file::proto::{GraphProto, NodeProto, TensorProto, ValueInfoProto};

/// The largest number of iterations.
const ITERATIONS: i64 = 3;

/// The operator that returns its input, such as Identity, found by its rule, in the version of an opset.
pub(super) fn passing(registry: &Registry, opset: u32) -> Option<&'static Schema> {
    let passes = |of: &OutputRule| matches!(of.dims, Some(DimsRule::Call(call)) if of.output == 0 && call.rule.name() == "identity");
    let found = registry
        .operators()
        .flatten()
        .find(|schema| schema.domain == "ai.onnx" && schema.attributes.is_empty() && schema.rules.iter().any(passes));
    registry.resolve("", found?.name, opset).ok()
}

/// Gives a node with graphs the bodies that fit its inputs, and the outputs that follow from them. Other nodes stay as
/// they are.
pub(super) fn complete(draft: &mut Draft, rng: &mut Rng, passing: &'static Schema) {
    let bodies = Bodies { passing };
    match draft.schema.subgraphs {
        Some(SubgraphKind::Branch) => bodies.branches(draft, rng),
        Some(SubgraphKind::Loop) => bodies.repeated(draft, rng),
        Some(SubgraphKind::Scan) => bodies.scan(draft, rng, 0),
        Some(SubgraphKind::BatchedScan) => bodies.scan(draft, rng, 1),
        Some(SubgraphKind::Map) => bodies.map(draft, rng),
        None => {}
    }
}

/// A value that a body has, and what is known of it.
type Named = (String, Value);

struct Bodies {
    passing: &'static Schema,
}

impl Bodies {
    /// A graph that passes some of its values on, each as the output of a node.
    fn graph(&self, name: &str, inputs: &[Named], constants: Vec<TensorProto>, passed: &[Named]) -> Argument {
        let info = |(name, value): &Named| ValueInfoProto {
            name: name.clone(),
            r#type: Some(type_proto(value.ty(), value.dims().map(sizes).as_deref())),
            ..ValueInfoProto::default()
        };
        let output = |index: usize| format!("{name}_out_{index}");
        let node = |(index, (from, _)): (usize, &Named)| NodeProto {
            op_type: self.passing.name.to_owned(),
            input: vec![from.clone()],
            output: vec![output(index)],
            ..NodeProto::default()
        };
        let outputs: Vec<Named> =
            passed.iter().enumerate().map(|(index, (_, value))| (output(index), computed(value))).collect();
        let graph = GraphProto {
            name: name.to_owned(),
            node: passed.iter().enumerate().map(node).collect(),
            input: inputs.iter().map(info).collect(),
            output: outputs.iter().map(info).collect(),
            initializer: constants,
            ..GraphProto::default()
        };
        Argument::Graph(Box::new(graph), outputs.into_iter().map(|(_, value)| value).collect())
    }

    /// Each branch gives constants of the types of the outputs.
    fn branches(&self, draft: &mut Draft, rng: &mut Rng) {
        let condition = fill::of_ints(DataType::Bool, Vec::new(), &[rng.i64(0..=1)]);
        if let Some(first) = draft.inputs.first_mut() {
            *first = Some(Input::own(Value::Tensor(condition)));
        }
        let types = self.passing.types.first().map(|constraint| constraint.allow);
        let passes = |ty: &Type| types.is_none_or(|types| types.contains(*ty));
        draft.outputs.fill(true);
        let of_outputs = draft.schema.outputs.first().map(|formal| allowed(draft.schema, formal)).unwrap_or_default();
        let tensors: Vec<DataType> = of_outputs.into_iter().filter(passes).filter_map(Type::element).collect();
        let types: Vec<DataType> = draft.outputs.iter().filter_map(|_| rng.choice(tensors.clone())).collect();
        let drawn: Vec<Vec<u64>> =
            types.iter().map(|_| (0..rng.usize(0..4)).map(|_| change::size(rng, draft)).collect()).collect();
        let small = |dims: Vec<u64>| if change::is_small(&dims) { dims } else { Vec::new() };
        let dims: Vec<Vec<u64>> = drawn.into_iter().map(small).collect();
        for index in graphs(draft.schema) {
            let name = draft.schema.attributes.get(index).map_or("", |attribute| attribute.name);
            let mut constants = Vec::new();
            let mut passed = Vec::new();
            for (at, (ty, dims)) in types.iter().zip(&dims).enumerate() {
                let style = fill::Style::draw(rng);
                let tensor = fill::tensor(rng, *ty, dims.clone(), style);
                let constant = format!("{name}_constant_{at}");
                constants.push(tensor.to_proto(&constant));
                passed.push((constant, Value::Tensor(tensor)));
            }
            let graph = self.graph(name, &[], constants, &passed);
            change::set_attribute(draft, index, graph);
        }
    }

    /// The carried values stay what they are, and one slice is the number of the iteration.
    fn repeated(&self, draft: &mut Draft, rng: &mut Rng) {
        let rounds = fill::of_ints(DataType::Int64, Vec::new(), &[rng.i64(0..=ITERATIONS)]);
        let condition = fill::of_ints(DataType::Bool, Vec::new(), &[1]);
        while draft.inputs.len() < 2 {
            draft.inputs.push(None);
        }
        if let [first, second, ..] = &mut *draft.inputs {
            *first = Some(Input::own(Value::Tensor(rounds)));
            if second.is_some() || draft.schema.inputs.get(1).is_some_and(|of| of.option == ParameterOption::Single) {
                *second = Some(Input::own(Value::Tensor(condition)));
            }
        }
        self.fit(draft, rng, 2);
        let carried = carried(draft, 2, "carried");
        let scalar = |ty| Value::Computed(Type::tensor(ty), Some(Vec::new()));
        let mut inputs =
            vec![("iteration".to_owned(), scalar(DataType::Int64)), ("condition".to_owned(), scalar(DataType::Bool))];
        inputs.extend(carried.clone());
        let mut passed = vec![("condition".to_owned(), scalar(DataType::Bool))];
        passed.extend(carried.clone());
        let slices = usize::from(carried.is_empty() || rng.bool());
        if slices == 1 {
            passed.push(("iteration".to_owned(), scalar(DataType::Int64)));
        }
        draft.outputs = vec![true; carried.len() + slices];
        self.set(draft, &inputs, &passed);
    }

    /// The carried values stay what they are, and each slice comes out as it went in. `batch` axes come before the slices.
    fn scan(&self, draft: &mut Draft, rng: &mut Rng, batch: usize) {
        // The batched form begins with the lengths of the sequences.
        if batch == 1
            && let Some(lengths) = draft.inputs.first_mut()
        {
            *lengths = None;
        }
        let values = draft.inputs.len().saturating_sub(batch);
        if values == 0 {
            return;
        }
        let slices = rng.usize(1..=values);
        let name = |attribute: &shape_core::schema::Attribute| attribute.name == "num_scan_inputs";
        let Some(at) = draft.schema.attributes.iter().position(name) else { return };
        change::set_attribute(draft, at, Argument::Int(i64::try_from(slices).unwrap_or(1)));
        // The axes and directions of the slices are those by default.
        for (slot, attribute) in draft.attributes.iter_mut().zip(draft.schema.attributes) {
            if attribute.kind == AttributeKind::Ints {
                *slot = None;
            }
        }
        let (length, batches) = (rng.u64(1..4), rng.u64(1..3));
        let first = draft.inputs.len() - slices;
        for index in batch..draft.inputs.len() {
            let is_slice = index >= first;
            let rank = draft.value(index).and_then(|value| value.dims()).map_or(0, <[u64]>::len);
            change::set_rank(draft, rng, index, rank.max(batch + usize::from(is_slice)).min(5));
            if batch == 1 {
                change::set_dim(draft, rng, index, 0, batches);
            }
            if is_slice {
                change::set_dim(draft, rng, index, batch, length);
            }
        }
        self.fit(draft, rng, batch);
        let inner = |(name, value): Named, cut: usize| {
            let dims = value.dims().map(|dims| dims.get(cut..).unwrap_or_default().to_vec());
            (name, Value::Computed(value.ty(), dims))
        };
        let all = carried(draft, batch, "slice");
        let states = all.len().saturating_sub(slices);
        let inputs: Vec<Named> = (all.into_iter().enumerate())
            .map(|(index, named)| inner(named, batch + usize::from(index >= states)))
            .collect();
        draft.outputs = vec![true; inputs.len()];
        self.set(draft, &inputs, &inputs);
    }

    /// Each element of the sequences comes out as it went in.
    fn map(&self, draft: &mut Draft, rng: &mut Rng) {
        let length = rng.usize(1..4);
        for input in draft.inputs.iter_mut().flatten() {
            if let Input { value: Value::Sequence(_, tensors), from: None } = input {
                let repeated: Vec<Tensor> = tensors.iter().cycle().take(length).cloned().collect();
                *tensors = repeated;
            }
        }
        let inputs: Vec<Named> = (carried(draft, 0, "element").into_iter())
            .map(|(name, value)| match value.ty().in_sequence() {
                Some(element) => (name, Value::Computed(element, value.dims().map(<[u64]>::to_vec))),
                None => (name, value),
            })
            .collect();
        let count = rng.usize(1..=inputs.len().max(1));
        draft.outputs = vec![true; count];
        self.set(draft, &inputs, inputs.get(..count).unwrap_or_default());
    }

    /// Gives inputs of a type that cannot be passed on a value of their own of one that can.
    fn fit(&self, draft: &mut Draft, rng: &mut Rng, from: usize) {
        let types = self.passing.types.first().map(|constraint| constraint.allow);
        for slot in draft.inputs.iter_mut().skip(from) {
            if let Some(Input { value, .. }) = slot
                && types.is_some_and(|types| !types.contains(value.ty()))
            {
                let dims = value.dims().map_or_else(|| vec![2], <[u64]>::to_vec);
                *slot = change::value(rng, Type::tensor(DataType::Float), &dims).map(Input::own);
            }
        }
    }

    fn set(&self, draft: &mut Draft, inputs: &[Named], passed: &[Named]) {
        if let Some(index) = graphs(draft.schema).next() {
            let graph = self.graph("body", inputs, Vec::new(), passed);
            change::set_attribute(draft, index, graph);
        }
    }
}

/// The attributes that are graphs.
fn graphs(schema: &'static Schema) -> impl Iterator<Item = usize> {
    let attributes = schema.attributes.iter().enumerate();
    attributes.filter(|(_, attribute)| attribute.kind == AttributeKind::Graph).map(|(index, _)| index)
}

/// The inputs from an index on, with names; a body has no optional ones.
fn carried(draft: &mut Draft, from: usize, name: &str) -> Vec<Named> {
    let given: Vec<bool> = draft.inputs.iter().map(Option::is_some).collect();
    if given.iter().skip(from).any(|given| !given) {
        let mut index = 0;
        draft.inputs.retain(|input| {
            index += 1;
            index <= from || input.is_some()
        });
    }
    let inputs = draft.inputs.iter().skip(from).flatten();
    inputs.enumerate().map(|(index, input)| (format!("{name}_{index}"), computed(&input.value))).collect()
}

/// What a graph knows of a value that it computes.
fn computed(value: &Value) -> Value {
    Value::Computed(value.ty(), value.dims().map(<[u64]>::to_vec))
}

fn sizes(dims: &[u64]) -> Vec<Declared> {
    dims.iter().copied().map(Declared::Size).collect()
}
