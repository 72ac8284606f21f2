//! The list of all passes, in the order in which they run.

use super::branches::BRANCHES;
use super::constant_nodes::CONSTANT_NODES;
use super::constants::CONSTANTS;
use super::initializers::INITIALIZERS;
use super::merged::{RESHAPES, TRANSPOSES, UNSQUEEZES};
use super::no_effect::NO_EFFECT;
use super::pass::Pass;
use super::same::SAME;
use super::shapes::SHAPES;
use super::targets::TARGETS;
use super::unused::UNUSED;

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
