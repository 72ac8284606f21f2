//! Finds an operator by the rule that gives its output, so that a pass needs no operator's name.

use crate::imports::Imports;
use shape_core::registry::Registry;
use shape_core::rule::{DimsRule, OutputRule};
use shape_core::schema::Schema;

/// The operator of ai.onnx whose first output a rule decides, in the version that the imports have.
pub(super) fn of_rule(registry: &Registry, imports: &Imports, rule: &str) -> Option<&'static Schema> {
    let has_rule =
        |of: &OutputRule| matches!(of.dims, Some(DimsRule::Call(call)) if of.output == 0 && call.rule.name() == rule);
    let of_onnx = |schema: &&Schema| schema.domain == "ai.onnx" && schema.rules.iter().any(has_rule);
    let name = registry.operators().flatten().copied().find(of_onnx)?.name;
    registry.resolve("", name, imports.get("")?).ok()
}
