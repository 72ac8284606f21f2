//! Takes a case apart, so that it can be made smaller. The parts become a case again only if it is still valid, or
//! still has its one error.

use std::collections::{HashMap, HashSet};

use shape_core::code::Severity;
use shape_core::elements::Scalar;
use shape_core::registry::Registry;
use shape_core::symbolic::Dim;

use super::case::{Case, expected};
use super::findings::says;
use super::judge::Inferred;
use super::model::{self, Declaration};
use super::value::{Declared, Tensor, Value, type_proto};
use crate::analysis::{Analysis, analyse};
use crate::file::Model;
use crate::file::proto::{
    AttributeProto, Dimension, DimensionValue, GraphProto, ModelProto, NodeProto, TensorType, TypeProto, TypeValue,
    ValueInfoProto,
};
use crate::options::Options;

/// A value that no node computes: an input or an initializer.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) name: String,
    pub(super) value: Value,
    /// The declaration of an input; `None` for an initializer.
    pub(super) info: Option<ValueInfoProto>,
}

/// A case with its inputs and initializers in one list.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// The case, with neither inputs nor initializers.
    pub(super) case: Case,
    pub(super) values: Vec<Held>,
}

impl Parts {
    /// The parts of a case; `None` for one with other initializers than a generator writes.
    pub(super) fn of(case: &Case) -> Option<Self> {
        let mut case = Case { types: Vec::new(), choices: Vec::new(), ..case.clone() };
        let graph = case.model.graph.as_mut()?;
        let mut values = Vec::new();
        for proto in std::mem::take(&mut graph.initializer) {
            let value = Value::Tensor(Tensor::of_proto(&proto)?);
            values.push(Held { name: proto.name, value, info: None });
        }
        let infos = std::mem::take(&mut graph.input);
        for ((name, value), info) in std::mem::take(&mut case.inputs).into_iter().zip(infos) {
            values.push(Held { name, value, info: Some(info) });
        }
        Some(Self { case, values })
    }

    pub(super) fn graph(&self) -> Option<&GraphProto> {
        self.case.model.graph.as_ref()
    }

    pub(super) fn node(&mut self, index: usize) -> Option<&mut NodeProto> {
        self.case.model.graph.as_mut()?.node.get_mut(index)
    }

    /// Replaces an input or initializer; a new input has the form of declaration that the old one had.
    pub(super) fn set(&mut self, index: usize, value: Value) {
        if let Some(held) = self.values.get_mut(index) {
            if let Some(info) = &mut held.info {
                let declared = declared(info.r#type.as_ref(), &value);
                info.r#type = Some(type_proto(value.ty(), declared.as_deref()));
            }
            held.value = value;
        }
    }

    /// Makes an initializer an input.
    pub(super) fn feed(&mut self, index: usize) {
        if let Some(held) = self.values.get_mut(index) {
            held.info.get_or_insert_with(|| exact(&held.name, &held.value));
        }
    }

    /// Declares each input with all of its dimensions.
    pub(super) fn declare(&mut self) {
        for Held { name, value, info } in &mut self.values {
            if let Some(info) = info {
                *info = exact(name, value);
            }
        }
    }

    /// What is known of the values of the graph with the data of the inputs; `None` if a node is refused with it.
    pub(super) fn known(&self, registry: &Registry) -> Option<HashMap<String, Inferred>> {
        let mut model = self.model(|_| true);
        model.graph.as_mut()?.output.clear();
        let model = Model::of(&model).ok()?;
        let analysis = analyse(&model, &Options { registry: registry.clone(), ..Options::default() }).ok()?;
        let refused = analysis.findings.iter().any(|finding| finding.code.severity() == Severity::Error);
        (!refused).then(|| of_analysis(&analysis))
    }

    /// The model, whose tensors are initializers where that is wanted.
    fn model(&self, constant: impl Fn(&Held) -> bool) -> ModelProto {
        let mut model = self.case.model.clone();
        if let Some(graph) = &mut model.graph {
            for held in &self.values {
                match (&held.value, &held.info) {
                    (Value::Tensor(tensor), info) if info.is_none() || constant(held) => {
                        graph.initializer.push(tensor.to_proto(&held.name));
                    }
                    // The tensors of a sequence may be all of the same dimensions.
                    (value, _) if constant(held) => {
                        graph.input.push(model::info(&held.name, value, sizes(value.dims()).as_deref()));
                    }
                    (value, info) => graph.input.push(info.clone().unwrap_or_else(|| exact(&held.name, value))),
                }
            }
        }
        model
    }

    /// The case, if it is still valid, or still has its one error.
    pub(super) fn join(mut self, registry: &Registry) -> Option<Case> {
        self.prune()?;
        if self.case.code.is_none() {
            self.outputs(registry)?;
        }
        let Self { ref case, ref values } = self;
        let model = self.model(|_| false);
        if !says(registry, &model, case.code) {
            return None;
        }
        let fed = values.iter().filter(|held| held.info.is_some());
        let inputs = fed.map(|held| (held.name.clone(), held.value.clone())).collect();
        Some(Case { model, inputs, ..self.case })
    }

    /// Takes away what nothing reads any more: values, functions, outputs that nothing computes; and makes outputs of what is
    /// computed in vain.
    fn prune(&mut self) -> Option<()> {
        let model = &mut self.case.model;
        let graph = model.graph.as_mut()?;
        if graph.node.is_empty() {
            return None;
        }
        let mut read = HashSet::new();
        reads(graph, &mut read);
        self.values.retain(|held| read.contains(&held.name));
        let computed: HashSet<&String> = graph.node.iter().flat_map(|node| &node.output).collect();
        graph.output.retain(|output| computed.contains(&output.name));
        for node in &graph.node {
            let is_output = |name: &String| graph.output.iter().any(|output| output.name == *name);
            if !node.output.iter().any(|name| read.contains(name) || is_output(name)) {
                let names = node.output.iter().filter(|name| !name.is_empty()).cloned();
                graph.output.extend(names.map(|name| ValueInfoProto { name, ..ValueInfoProto::default() }));
            }
        }
        let called = |domain: &str, name: &str| graph.node.iter().any(|of| of.domain == domain && of.op_type == name);
        model.functions.retain(|function| called(&function.domain, &function.name));
        let used: HashSet<&str> = graph.node.iter().map(|node| &*node.domain).collect();
        model.opset_import.retain(|import| import.domain.is_empty() || used.contains(&*import.domain));
        Some(())
    }

    /// Says anew what is expected of the outputs, and declares them.
    fn outputs(&mut self, registry: &Registry) -> Option<()> {
        let known = self.known(registry)?;
        let graph = self.case.model.graph.as_mut()?;
        let mut outputs = Vec::new();
        for info in &mut graph.output {
            let output = expected(&info.name, known.get(&info.name)?)?;
            let declaration = if has_rank(info.r#type.as_ref()) { Declaration::Exact } else { Declaration::NoRank };
            *info = model::output_info(&output, declaration);
            outputs.push(output);
        }
        self.case.outputs = outputs;
        (!graph.output.is_empty()).then_some(())
    }
}

/// An input with all of its dimensions.
pub(super) fn exact(name: &str, value: &Value) -> ValueInfoProto {
    let dims = value.dims().filter(|_| value.ty().element().is_some());
    model::info(name, value, sizes(dims).as_deref())
}

fn sizes(dims: Option<&[u64]>) -> Option<Vec<Declared>> {
    dims.map(|dims| dims.iter().copied().map(Declared::Size).collect())
}

fn tensor_of(ty: Option<&TypeProto>) -> Option<&TensorType> {
    match ty?.value.as_ref()? {
        TypeValue::TensorType(tensor) => Some(tensor),
        _ => None,
    }
}

/// Whether a tensor is declared with its rank, or a value is no tensor.
pub(super) fn has_rank(ty: Option<&TypeProto>) -> bool {
    tensor_of(ty).is_none_or(|tensor| tensor.shape.is_some())
}

/// The number of dimensions of a declaration that are no numbers; a missing rank counts more than any.
pub(super) fn open(info: &ValueInfoProto) -> usize {
    let Some(tensor) = tensor_of(info.r#type.as_ref()) else { return 0 };
    let is_open = |dim: &&Dimension| !matches!(dim.value, Some(DimensionValue::DimValue(_)));
    tensor.shape.as_ref().map_or(100, |shape| shape.dim.iter().filter(is_open).count())
}

/// The dimensions of a value, each declared in the way that it was: symbols are called by their sizes.
fn declared(old: Option<&TypeProto>, value: &Value) -> Option<Vec<Declared>> {
    value.ty().element()?;
    let dims = value.dims()?;
    let Some(tensor) = tensor_of(old) else { return Some(dims.iter().copied().map(Declared::Size).collect()) };
    let old = &tensor.shape.as_ref()?.dim;
    let same_rank = old.len() == dims.len();
    let one = |(axis, size): (usize, &u64)| match old.get(axis).map(|dim| &dim.value).filter(|_| same_rank) {
        Some(Some(DimensionValue::DimParam(_))) => Declared::Symbol(format!("d{size}")),
        Some(None) => Declared::Unknown,
        _ => Declared::Size(*size),
    };
    Some(dims.iter().enumerate().map(one).collect())
}

/// The names that the nodes of a graph read, in the graphs of their attributes too.
fn reads(graph: &GraphProto, read: &mut HashSet<String>) {
    for node in &graph.node {
        read.extend(node.input.iter().cloned());
        for AttributeProto { g, graphs, .. } in &node.attribute {
            g.iter().map(|graph| &**graph).chain(graphs).for_each(|graph| reads(graph, read));
        }
    }
}

/// What is known of the values of the main graph.
fn of_analysis(analysis: &Analysis<'_>) -> HashMap<String, Inferred> {
    let size = |dim: &Dim| if let Dim::Known(size) = dim { Some(*size) } else { None };
    let number = |element: &Scalar<Dim>| match element {
        Scalar::Int(number) => Some(Scalar::Int(*number)),
        Scalar::Size(dim) => size(dim).map(Scalar::Size),
        Scalar::Bool(is) => Some(Scalar::Bool(*is)),
        Scalar::Float(number) => Some(Scalar::Float(*number)),
        _ => None,
    };
    let of_graph = analysis.values.iter().filter(|value| value.graph == 0);
    let inferred = |value: &crate::value::Value<'_>| Inferred {
        ty: value.ty.as_ref().ok().copied(),
        dims: value.dims.as_ref().ok().map(|dims| dims.iter().map(size).collect()),
        elements: value.elements.as_ref().ok().and_then(|elements| elements.iter().map(number).collect()),
    };
    of_graph.map(|value| (value.name.to_owned(), inferred(value))).collect()
}
