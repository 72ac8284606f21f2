//! Compares two opsets over many operators: shows what a new opset or a new element type changes.

use shape_specs::operator::{Operator, Version};

use crate::diff::{Change, compare};

/// The changes between two opsets; each operator occurs once. Lists of operators are sorted by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rollout<'o> {
    /// Groups of operators whose changes are the same except for the documentation; the largest group first.
    pub changed: Vec<Group<'o>>,
    /// The operators that only the second opset has, each in its version there.
    pub added: Vec<(&'o Operator, &'o Version)>,
    /// The operators that only the first opset has because the second one is older, each in its version there.
    pub removed: Vec<(&'o Operator, &'o Version)>,
    /// The operators that the second opset deprecates and the first does not, with all their changes.
    pub deprecated: Vec<Group<'o>>,
    /// The operators with a new version that changes no facts.
    pub documentation: Vec<Span<'o>>,
}

/// Operators with the same changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Group<'o> {
    /// The changes of each. Added and removed parts have the documentation that all operators share, or none.
    pub changes: Vec<Change>,
    /// The operators.
    pub operators: Vec<Span<'o>>,
}

/// An operator and its versions at the two opsets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span<'o> {
    /// The operator.
    pub operator: &'o Operator,
    /// The version at the first opset.
    pub from: &'o Version,
    /// The version at the second opset.
    pub to: &'o Version,
}

/// Compares the versions that two opsets select for each operator. The first opset may be the newer one; all operators
/// must belong to one domain, since opsets do.
///
/// ```
/// let operators = shape_specs::builtin()?;
/// let onnx = operators.iter().filter(|operator| operator.domain == "ai.onnx");
/// let rollout = shape_changes::rollout::rollout(onnx, 24, 25);
/// let widest = &rollout.changed[0];
/// assert_eq!(widest.changes[0].to_string(), "types of T widened by uint2, int2");
/// assert!(widest.operators.iter().any(|span| span.operator.name == "Transpose"));
/// # Ok::<(), shape_specs::SpecErrors>(())
/// ```
#[must_use]
pub fn rollout<'o>(operators: impl IntoIterator<Item = &'o Operator>, from: u32, to: u32) -> Rollout<'o> {
    let mut operators: Vec<&Operator> = operators.into_iter().collect();
    operators.sort_by(|left, right| left.name.cmp(&right.name));
    let mut rollout = Rollout::default();
    for operator in operators {
        let span = match (operator.in_force(from), operator.in_force(to)) {
            (Some(from), Some(to)) if from.since != to.since => Span { operator, from, to },
            (None, Some(to)) => {
                rollout.added.push((operator, to));
                continue;
            }
            (Some(from), None) => {
                rollout.removed.push((operator, from));
                continue;
            }
            (Some(_), Some(_)) | (None, None) => continue,
        };
        let changes = compare(operator, span.from, span.to).overall;
        if changes.iter().all(|change| *change == Change::Documentation) {
            rollout.documentation.push(span);
        } else if changes.contains(&Change::Deprecated(true)) {
            join(&mut rollout.deprecated, changes, span);
        } else {
            join(&mut rollout.changed, changes, span);
        }
    }
    for groups in [&mut rollout.changed, &mut rollout.deprecated] {
        // The sort is stable, so that groups of the same size are ordered by their first operators.
        groups.sort_by_key(|group| std::cmp::Reverse(group.operators.len()));
    }
    rollout
}

fn join<'o>(groups: &mut Vec<Group<'o>>, changes: Vec<Change>, span: Span<'o>) {
    let alike = |one: &Change, other: &Change| one == other || one.without_doc() == other.without_doc();
    let alike =
        |of: &[Change]| of.len() == changes.len() && of.iter().zip(&changes).all(|(one, other)| alike(one, other));
    match groups.iter_mut().find(|group| alike(&group.changes)) {
        Some(group) => {
            for (one, other) in group.changes.iter_mut().zip(&changes).filter(|(one, other)| *one != *other) {
                *one = other.without_doc();
            }
            group.operators.push(span);
        }
        None => groups.push(Group { changes, operators: vec![span] }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shape_specs::Tables;

    fn operator(name: &str, versions: &str) -> Operator {
        let parts = "inputs: [{ name: x, type: T }], outputs: [{ name: y, type: T }]";
        let versions = versions.replace("ONE", &format!("{parts}, types: [{{ name: T, allow: [float] }}]"));
        let text = format!("operator: {name}\ndomain: com.acme\nsummary: It.\nversions:\n{versions}");
        shape_specs::resolve(&format!("{name}.yaml"), text.as_bytes(), Tables::builtin().unwrap()).unwrap()
    }

    /// Each part of a rollout as a line.
    fn lines(rollout: &Rollout<'_>) -> Vec<String> {
        let names = |spans: &[Span<'_>]| {
            let name = |span: &Span<'_>| format!("{} {}-{}", span.operator.name, span.from.since, span.to.since);
            spans.iter().map(name).collect::<Vec<_>>().join(", ")
        };
        let group = |group: &Group<'_>| {
            let changes: Vec<String> = group.changes.iter().map(ToString::to_string).collect();
            format!("{}: {}", changes.join("; "), names(&group.operators))
        };
        let alone = |what: &str, operators: &[(&Operator, &Version)]| {
            let name = |(operator, version): &(&Operator, &Version)| format!("{} {}", operator.name, version.since);
            format!("{what}: {}", operators.iter().map(name).collect::<Vec<_>>().join(", "))
        };
        let mut lines: Vec<String> = rollout.changed.iter().map(group).collect();
        lines.push(alone("added", &rollout.added));
        lines.push(alone("removed", &rollout.removed));
        lines.extend(rollout.deprecated.iter().map(group));
        lines.push(format!("documentation: {}", names(&rollout.documentation)));
        lines
    }

    #[test]
    fn each_operator_has_its_place() {
        let wider = "  - { since: 1, ONE }\n  - { since: 2, types: [{ name: T, add: [double] }] }\n";
        let back = format!("{wider}  - {{ since: 3, types: [{{ name: T, remove: [double] }}] }}\n");
        let operators = [
            operator("Wide", wider),
            operator("Also", wider),
            operator("Back", &back),
            operator("Alone", "  - { since: 1, ONE }\n  - { since: 2, types: [{ name: T, add: [int8] }] }\n"),
            operator("Same", "  - { since: 1, ONE }\n"),
            operator("Word", "  - { since: 1, ONE }\n  - { since: 2, summary: That. }\n"),
            operator("New", "  - { since: 2, ONE }\n  - { since: 3, deprecated: true }\n"),
            operator("Old", "  - { since: 1, ONE }\n  - { since: 2, deprecated: true }\n"),
        ];
        let cases = [
            (
                (1, 2),
                vec![
                    "types of T widened by double: Also 1-2, Back 1-2, Wide 1-2",
                    "types of T widened by int8: Alone 1-2",
                    "added: New 2",
                    "removed: ",
                    "deprecated: Old 1-2",
                    "documentation: Word 1-2",
                ],
            ),
            (
                (1, 3),
                vec![
                    "types of T widened by double: Also 1-2, Wide 1-2",
                    "types of T widened by int8: Alone 1-2",
                    "added: New 3",
                    "removed: ",
                    "deprecated: Old 1-2",
                    "documentation: Back 1-3, Word 1-2",
                ],
            ),
            (
                (3, 2),
                vec![
                    "types of T widened by double: Back 3-2",
                    "no longer deprecated: New 3-2",
                    "added: ",
                    "removed: ",
                    "documentation: ",
                ],
            ),
            (
                (2, 1),
                vec![
                    "types of T narrowed by double: Also 2-1, Back 2-1, Wide 2-1",
                    "types of T narrowed by int8: Alone 2-1",
                    "no longer deprecated: Old 2-1",
                    "added: ",
                    "removed: New 2",
                    "documentation: Word 2-1",
                ],
            ),
            ((2, 2), vec!["added: ", "removed: ", "documentation: "]),
        ];
        for ((from, to), expected) in cases {
            assert_eq!(lines(&rollout(&operators, from, to)), expected, "{from} {to}");
        }
    }
}
