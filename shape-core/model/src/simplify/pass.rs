//! The passes.

use super::constant_nodes::CONSTANT_NODES;
use super::constants::CONSTANTS;
use super::draft::Draft;
use super::initializers::INITIALIZERS;
use super::merged::{RESHAPES, TRANSPOSES, UNSQUEEZES};
use super::no_effect::NO_EFFECT;
use super::same::SAME;
use super::shapes::SHAPES;
use super::targets::TARGETS;
use super::unused::UNUSED;

/// A pass: a kind of rewrite that leaves what a model computes as it is.
#[derive(Clone, Copy)]
pub struct Pass {
    /// Its name, as it is selected and reported.
    pub name: &'static str,
    /// One sentence: what it does.
    pub summary: &'static str,
    /// Rewrites a draft, and returns the number of rewrites.
    pub(super) run: fn(&mut Draft<'_, '_>) -> usize,
}

impl std::fmt::Debug for Pass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Pass {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The pass that a model is prepared by: a branch that always runs takes the place of its If.
pub(super) const BRANCHES: Pass = Pass {
    name: "branches",
    summary: "The branch of an If whose condition is known takes the place of the node",
    run: |_| 0,
};

/// All passes, in the order in which they run.
pub const PASSES: [Pass; 12] = [
    UNUSED,
    BRANCHES,
    CONSTANT_NODES,
    CONSTANTS,
    NO_EFFECT,
    TARGETS,
    SAME,
    RESHAPES,
    TRANSPOSES,
    UNSQUEEZES,
    SHAPES,
    INITIALIZERS,
];
