//! The constants that a model holds.

use std::collections::{BTreeMap, HashSet};

use super::size::{elements, is_constant};
use crate::analysis::Analysis;
use crate::file::Model;
use crate::file::proto::TensorProto;
use crate::graph::graphs;
use crate::usage::Usage;
use shape_core::data_type::DataType;
use shape_core::registry::Registry;

/// The initializers of a model and the constants that nodes give, in all graphs and in the bodies of functions. Of a sparse
/// tensor, these are its stored elements and their indices. What else is in the attributes of nodes is not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameters {
    /// The constants of each element type, most elements first.
    pub types: Vec<ParametersOfType>,
    /// How many tensors are not in `types`, since their type or number of elements is not known, or makes a sum too
    /// large.
    pub unknown: usize,
}

/// The constants of one element type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParametersOfType {
    /// The element type.
    pub ty: DataType,
    /// How many tensors there are.
    pub tensors: usize,
    /// How many elements they have.
    pub elements: u64,
    /// How many bytes these take, those in other files included; `None` for strings.
    pub bytes: Option<u64>,
}

impl Parameters {
    /// The number of tensors, elements and bytes of all types; `None` for a sum past `u64::MAX`, and for bytes if there are
    /// strings.
    ///
    /// ```
    /// use shape_core::Registry;
    /// use shape_model::{ModelFile, Options, analyse};
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let model = ModelFile::open(path)?;
    /// let analysis = analyse(model.model(), &Options::of(&model))?;
    /// let parameters = analysis.parameters(model.model(), Registry::builtin());
    /// let (tensors, elements, bytes) = parameters.total();
    /// assert_eq!((tensors, elements, bytes, parameters.unknown), (14, Some(16_646), Some(66_608), 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn total(&self) -> (usize, Option<u64>, Option<u64>) {
        let sum = |of: &dyn Fn(&ParametersOfType) -> Option<u64>| {
            self.types.iter().try_fold(0_u64, |sum, ty| sum.checked_add(of(ty)?))
        };
        let tensors = self.types.iter().map(|ty| ty.tensors).sum();
        (tensors, sum(&|ty| Some(ty.elements)), sum(&|ty| ty.bytes))
    }

    /// Adds a tensor, or counts it as unknown.
    fn add(&mut self, types: &mut BTreeMap<DataType, ParametersOfType>, tensor: Option<(DataType, u64)>) {
        let sum = tensor.and_then(|(ty, count)| {
            let of = types.get(&ty);
            let elements = of.map_or(0, |of| of.elements).checked_add(count)?;
            let bytes = match ty.bits() {
                Some(_) => Some(of.and_then(|of| of.bytes).unwrap_or(0).checked_add(ty.bytes(count)?)?),
                None => None,
            };
            let tensors = of.map_or(0, |of| of.tensors) + 1;
            Some(ParametersOfType { ty, tensors, elements, bytes })
        });
        match sum {
            Some(sum) => _ = types.insert(sum.ty, sum),
            None => self.unknown += 1,
        }
    }
}

impl<'m> Analysis<'m> {
    /// The constants that the model holds. Elements in other files are counted without being read.
    ///
    /// `model` is the analysed model, `registry` that of its [`Options`](crate::Options); see [`Parameters::total`].
    #[must_use]
    pub fn parameters(&self, model: &'m Model, registry: &Registry) -> Parameters {
        let usage = Usage::of(self, model, registry);
        let mut parameters = Parameters::default();
        let mut types = BTreeMap::new();
        let mut seen = HashSet::new();
        for graph in graphs(&self.graphs, model) {
            if let Some(proto) = graph.proto.filter(|proto| seen.insert(proto.index())) {
                for tensor in proto.initializers() {
                    parameters.add(&mut types, stored(tensor));
                }
                for tensor in proto.sparse_initializers() {
                    for part in [&tensor.values, &tensor.indices] {
                        parameters.add(&mut types, part.as_ref().and_then(stored));
                    }
                }
            }
            for (index, node) in graph.nodes.iter().enumerate() {
                if !is_constant(&usage.node(&graph, index, node), node) {
                    continue;
                }
                for name in node.outputs().iter().filter(|name| !name.is_empty()) {
                    let value = usage.scopes.value(graph.id, name);
                    let count = value.and_then(elements).and_then(|count| count.value(&|_| None));
                    let ty = value.and_then(|value| value.ty.as_ref().ok()?.element());
                    parameters.add(&mut types, ty.zip(count));
                }
            }
        }
        parameters.types = types.into_values().collect();
        parameters.types.sort_by_key(|of| std::cmp::Reverse(of.elements));
        parameters
    }
}

/// The type and the number of elements of a tensor, as it says.
fn stored(tensor: &TensorProto) -> Option<(DataType, u64)> {
    Some((tensor.element_type().ok()?, tensor.count().ok()?))
}
