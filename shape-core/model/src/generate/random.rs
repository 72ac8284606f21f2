//! Makes one random case from a seed, for callers such as a fuzzer that choose the seed.

use shape_core::registry::Registry;
use shape_core::schema::Schema;

use super::case::Case;
use super::generator::{GenerateOptions, Generator};
use super::graph::graph;

/// The first opset of `ai.onnx` of which graphs are drawn.
const OLDEST: u32 = 7;

/// The registry, the options and the versions that cases are made from.
#[derive(Clone, Debug)]
pub(super) struct Source {
    registry: Registry,
    options: GenerateOptions,
    /// The versions that single nodes are made of.
    versions: Vec<&'static Schema>,
}

impl Source {
    pub(super) fn new(registry: &Registry, options: &GenerateOptions) -> Self {
        let versions = Generator::new(registry, options).coverage().iter().map(|of| of.schema).collect();
        Self { registry: registry.clone(), options: options.clone(), versions }
    }

    #[cfg(feature = "proptest")]
    pub(super) fn registry(&self) -> &Registry {
        &self.registry
    }

    /// A case of one node; any number selects a version.
    pub(super) fn node(&self, version: u64, seed: u64) -> Option<Case> {
        let count = u64::try_from(self.versions.len()).ok().filter(|count| *count > 0)?;
        let schema = self.versions.get(usize::try_from(version % count).ok()?)?;
        let operators = vec![(schema.domain.to_owned(), schema.name.to_owned(), Some(schema.since_version))];
        let options = GenerateOptions { seed, operators, ..self.options.clone() };
        Generator::new(&self.registry, &options).next()
    }

    /// A case of a graph; any number selects its opset, unless the options name one.
    pub(super) fn graph(&self, opset: u64, seed: u64, nodes: usize) -> Option<Case> {
        let newest = self.registry.newest_opset("").unwrap_or(OLDEST);
        let opsets = u64::from(newest.saturating_sub(OLDEST)) + 1;
        let opset = OLDEST + u32::try_from(opset % opsets).unwrap_or(0);
        let opset = self.options.opset.or(Some(opset));
        graph(&self.registry, &GenerateOptions { seed, opset, ..self.options.clone() }, nodes)
    }
}
