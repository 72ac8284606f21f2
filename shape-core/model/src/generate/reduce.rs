//! Reduces a case that fails: removes from the model what the failure does not need.

use shape_core::registry::Registry;

use super::case::Case;
use super::parts::Parts;
use super::steps::{Step, steps, weight};

/// Makes a case smaller, one change after the other, as long as it still fails.
///
/// Each case that it proposes is valid, or is wrong in the same one way, and has data and what is expected of it. There are
/// fewer nodes, attributes, inputs and outputs; then smaller ranks and sizes, fewer types, and equal elements. It is what
/// the strategy of proptest shrinks by; [`reduce`] is the loop around it.
#[derive(Clone, Debug)]
pub struct Reduction {
    registry: Registry,
    /// The smallest case that fails.
    best: Case,
    /// What was proposed last, until it is known whether it fails.
    proposed: Option<Case>,
    steps: Vec<Step>,
    next: usize,
    /// Whether a smaller failing case was found since the steps last began anew.
    progress: bool,
}

impl Reduction {
    /// A reduction of a case that fails.
    #[must_use]
    pub fn new(registry: &Registry, case: Case) -> Self {
        let steps = Parts::of(&case).map(|parts| steps(&parts)).unwrap_or_default();
        Self { registry: registry.clone(), best: case, proposed: None, steps, next: 0, progress: false }
    }

    /// The case that was proposed last; if none was, or it does not fail, the smallest one that does.
    #[must_use]
    pub fn current(&self) -> &Case {
        self.proposed.as_ref().unwrap_or(&self.best)
    }

    /// Records that the current case fails.
    pub fn fails(&mut self) {
        if let Some(case) = self.proposed.take() {
            self.steps = Parts::of(&case).map(|parts| steps(&parts)).unwrap_or_default();
            self.best = case;
            self.progress = true;
        }
    }

    /// Records that the proposed case does not fail.
    pub fn passes(&mut self) {
        self.proposed = None;
    }

    /// Proposes the next smaller case; returns whether there is one.
    pub fn propose(&mut self) -> bool {
        let Some(parts) = Parts::of(&self.best) else { return false };
        let before = weight(&parts);
        loop {
            let Some(step) = self.steps.get(self.next) else {
                if !self.progress {
                    return false;
                }
                // What could not be taken away before may be now.
                (self.next, self.progress) = (0, false);
                continue;
            };
            self.next += 1;
            let mut parts = parts.clone();
            let smaller = step.apply(&mut parts, &self.registry).and_then(|()| parts.join(&self.registry));
            let is_smaller = |case: &Case| Parts::of(case).is_some_and(|parts| weight(&parts) < before);
            if let Some(case) = smaller.filter(is_smaller) {
                self.proposed = Some(case);
                return true;
            }
        }
    }
}

/// The smallest failing case that is found; the given case must fail.
///
/// ```
/// use shape_core::Registry;
/// use shape_model::generate::{Case, GenerateOptions, graph, reduce};
/// let is_there = |case: &Case| case.model.graph.as_ref().unwrap().node.iter().any(|node| node.op_type == "Transpose");
/// let case = (0..)
///     .filter_map(|seed| graph(Registry::builtin(), &GenerateOptions { seed, opset: Some(21), ..GenerateOptions::default() }, 30))
///     .find(is_there)
///     .unwrap();
/// let smallest = reduce(Registry::builtin(), case, is_there);
/// let graph = smallest.model.graph.unwrap();
/// assert_eq!((graph.node.len(), graph.node[0].attribute.len()), (1, 0));
/// ```
#[must_use]
pub fn reduce(registry: &Registry, case: Case, mut fails: impl FnMut(&Case) -> bool) -> Case {
    let mut reduction = Reduction::new(registry, case);
    while reduction.propose() {
        if fails(reduction.current()) {
            reduction.fails();
        } else {
            reduction.passes();
        }
    }
    reduction.best
}
