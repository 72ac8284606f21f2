//! What `shape info` tells of a model, before it becomes text or JSON.

use std::path::Path;

use shape_core::Registry;
use shape_model::info::{Activations, MultiplyAdds, OperatorNodes, Parameters};
use shape_model::{Analysis, ModelFile, Origin, Value};

/// The facts of `shape info` about a model.
pub(super) struct Info<'m> {
    pub(super) label: &'m Path,
    pub(super) file: &'m ModelFile,
    pub(super) analysis: &'m Analysis<'m>,
    pub(super) operators: Vec<OperatorNodes<'m>>,
    pub(super) parameters: Parameters,
    pub(super) costs: Costs<'m>,
    /// With the sizes that the command line gives.
    pub(super) with_sizes: Option<Costs<'m>>,
}

/// The memory and the multiply-adds that a run takes.
pub(super) struct Costs<'m> {
    pub(super) analysis: &'m Analysis<'m>,
    pub(super) activations: Activations,
    pub(super) multiply_adds: MultiplyAdds<'m>,
}

impl<'m> Costs<'m> {
    /// The memory and the multiply-adds that a run of an analysed model takes.
    pub(super) fn of(analysis: &'m Analysis<'m>, file: &'m ModelFile, registry: &Registry) -> Self {
        Self {
            analysis,
            activations: analysis.activations(file.model(), registry),
            multiply_adds: analysis.multiply_adds(file.model(), registry),
        }
    }
}

/// The inputs of the main graph that the caller gives.
pub(super) fn inputs<'a, 'm>(analysis: &'a Analysis<'m>) -> impl Iterator<Item = &'a Value<'m>> {
    let main = analysis.graphs.first().and_then(|graph| graph.proto);
    let given = move |name: &str| main.is_none_or(|graph| graph.initializer(name).is_none());
    analysis.values.iter().filter(move |value| value.graph == 0 && value.origin == Origin::Input && given(value.name))
}

/// The outputs of the main graph.
pub(super) fn outputs<'a, 'm>(analysis: &'a Analysis<'m>) -> impl Iterator<Item = &'a Value<'m>> {
    let outputs = analysis.graphs.first().into_iter().flat_map(|graph| graph.outputs.iter().flatten());
    outputs.filter_map(|index| analysis.values.get(*index as usize))
}
