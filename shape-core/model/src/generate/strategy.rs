//! A strategy of proptest: random models that shrink.

use std::ops::RangeInclusive;

use proptest::arbitrary::Arbitrary;
use proptest::prelude::Rng as _;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use shape_core::registry::Registry;

use super::case::Case;
use super::generator::GenerateOptions;
use super::random::Source;
use super::reduce::Reduction;

/// How often another model is drawn where none is found.
const TRIES: usize = 8;

/// A strategy of proptest whose values are random models with data: of one node each, or graphs.
///
/// A model that fails shrinks to a smaller one that fails: fewer nodes, attributes and inputs, smaller dimensions. All models
/// on the way are valid, or wrong in the same way.
///
/// ```
/// use proptest::prelude::*;
/// use shape_model::ModelFile;
/// use shape_model::generate::{GenerateOptions, Models};
///
/// # let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig { cases: 8, ..ProptestConfig::default() });
/// let options = GenerateOptions { opset: Some(17), domain: Some("ai.onnx".to_owned()), ..GenerateOptions::default() };
/// runner.run(&Models::nodes(&options), |case| {
///     prop_assert!(ModelFile::from_bytes(case.model_bytes()).is_ok());
///     Ok(())
/// })?;
/// runner.run(&Models::graphs(&options, 1..=20), |case| {
///     prop_assert_eq!(case.opset, 17);
///     Ok(())
/// })?;
/// # Ok::<(), proptest::test_runner::TestError<shape_model::generate::Case>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Models {
    source: Source,
    /// The number of nodes of a graph; `None` for models of one node.
    nodes: Option<RangeInclusive<usize>>,
}

impl Models {
    /// Models of one node each, of the versions that the options name. The seed of the options is not used.
    #[must_use]
    pub fn nodes(options: &GenerateOptions) -> Self {
        Self::nodes_of(Registry::builtin(), options)
    }

    /// The same with the operators of a registry.
    #[must_use]
    pub fn nodes_of(registry: &Registry, options: &GenerateOptions) -> Self {
        Self { source: Source::new(registry, options), nodes: None }
    }

    /// Graphs of about this many nodes of `ai.onnx`, with the operators that the options name. Without an opset it is
    /// any from 7 on.
    #[must_use]
    pub fn graphs(options: &GenerateOptions, nodes: RangeInclusive<usize>) -> Self {
        Self { source: Source::new(Registry::builtin(), options), nodes: Some(nodes) }
    }
}

impl Strategy for Models {
    type Tree = ModelTree;
    type Value = Case;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        for _ in 0..TRIES {
            let mut draw = || runner.rng().next_u64();
            let (which, seed, size) = (draw(), draw(), draw());
            let case = match &self.nodes {
                Some(nodes) => {
                    let more = u64::try_from(nodes.end().saturating_sub(*nodes.start())).unwrap_or(0).saturating_add(1);
                    let nodes = nodes.start().saturating_add(usize::try_from(size % more).unwrap_or(0));
                    self.source.graph(which, seed, nodes.max(1))
                }
                None => self.source.node(which, seed),
            };
            if let Some(case) = case {
                return Ok(ModelTree(Reduction::new(self.source.registry(), case)));
            }
        }
        Err("no version of an operator that the options name has a valid node".into())
    }
}

impl Arbitrary for Case {
    type Parameters = GenerateOptions;
    type Strategy = Models;

    fn arbitrary_with(options: GenerateOptions) -> Models {
        Models::nodes(&options)
    }
}

/// A random model and the smaller ones that it shrinks to.
#[derive(Clone, Debug)]
pub struct ModelTree(Reduction);

impl ValueTree for ModelTree {
    type Value = Case;

    fn current(&self) -> Case {
        self.0.current().clone()
    }

    /// Called where the current model fails.
    fn simplify(&mut self) -> bool {
        self.0.fails();
        self.0.propose()
    }

    /// Called where the current model does not fail.
    fn complicate(&mut self) -> bool {
        self.0.passes();
        self.0.propose()
    }
}
