//! The questions that the page asks of its engine, as `page/api.d.ts` describes them.

use std::collections::BTreeMap;

use serde::Deserialize;
use shape_core::Registry;
use shape_model::{Graph, ModelFile, Options};

use super::graphs::settable;

/// A question about the models that are open; a model is known by its number.
#[derive(Deserialize)]
#[serde(tag = "question", rename_all = "lowercase")]
pub(super) enum Question {
    Opened,
    Close { model: usize },
    Analyse(Sized),
    Check { model: usize },
    Info(Sized),
    Node { model: usize, graph: usize, node: usize },
    Nodes { model: usize },
    Steps(Sized),
    Why(OfValue),
    Operator { operator: String, opset: Option<u32> },
    Explain { code: String },
    Support { model: usize },
    Simplify { model: usize },
    Convert { model: usize, opset: u32 },
    Annotate(Sized),
    Compare(WithOther),
}

/// A model with sizes for its symbols and inputs.
#[derive(Deserialize)]
pub(super) struct Sized {
    pub(super) model: usize,
    #[serde(default)]
    set: BTreeMap<String, u64>,
    #[serde(default)]
    input: BTreeMap<String, Vec<u64>>,
}

/// A model and another one, both with the sizes that they have symbols for.
#[derive(Deserialize)]
pub(super) struct WithOther {
    #[serde(flatten)]
    pub(super) sized: Sized,
    pub(super) other: usize,
}

/// A value in a graph.
#[derive(Deserialize)]
pub(super) struct OfValue {
    #[serde(flatten)]
    pub(super) sized: Sized,
    pub(super) graph: usize,
    pub(super) value: String,
}

impl Sized {
    /// Whether there is no size.
    pub(super) fn is_plain(&self) -> bool {
        self.set.is_empty() && self.input.is_empty()
    }

    /// The options to analyse a model with those of these sizes that it has symbols and inputs for.
    pub(super) fn fitting(&self, file: &ModelFile, registry: &Registry) -> Options {
        let mut options = self.options(file, registry);
        let symbols = settable(file.model());
        options.symbols.retain(|(name, _)| symbols.contains(name));
        let inputs = file.model().graph().map(Graph::inputs);
        options.inputs.retain(|(name, _)| inputs.iter().any(|inputs| inputs.iter().any(|input| input.name == *name)));
        options
    }

    /// The options to analyse the model with these sizes.
    pub(super) fn options(&self, file: &ModelFile, registry: &Registry) -> Options {
        Options {
            symbols: self.set.iter().map(|(name, size)| (name.clone(), *size)).collect(),
            inputs: self.input.iter().map(|(name, dims)| (name.clone(), dims.clone())).collect(),
            registry: registry.clone(),
            ..Options::of(file)
        }
    }
}
