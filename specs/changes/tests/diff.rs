//! What changed from a version to the next, each sort of change once, and the ways over several versions.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use shape_changes::diff::{Change, changes, compare};
use shape_specs::{Operator, Tables, resolve};

const HEAD: &str = "\
operator: Demo
domain: com.acme
summary: Gives what it takes.
versions:
  - since: 1
    attributes:
      - { name: axis, type: INT }
      - { name: mode, type: STRING, default: a, values: [a, b] }
      - { name: shape, type: INTS, optional: true }
    inputs:
      - { name: x, type: T }
      - { name: rest, type: V, option: variadic }
    outputs:
      - { name: y, type: T }
      - { name: n, type: tensor(int64), option: optional }
    types:
      - { name: T, allow: [float, double] }
      - { name: V, allow: [bool] }
";

fn read(versions: &str) -> Operator {
    let text = format!("{HEAD}{versions}");
    resolve("Demo.yaml", text.as_bytes(), Tables::builtin().unwrap()).unwrap_or_else(|errors| panic!("{errors}"))
}

fn texts(changes: &[Change]) -> Vec<String> {
    changes.iter().map(|change| format!("{}: {change}", change.kind())).collect()
}

/// What a second version with these fields changes, and what the way back does.
#[track_caller]
fn check(fields: &str, up: &[&str], down: &[&str]) {
    let operator = read(&format!("  - since: 2\n{fields}"));
    let [old, new] = &*operator.versions else { panic!("two versions") };
    assert_eq!(texts(&changes(old, new)), up, "{fields}");
    assert_eq!(texts(&changes(new, old)), down, "{fields}, back");
    for change in changes(old, new).iter().chain(&changes(new, old)) {
        assert!(change.name().is_none_or(|name| change.to_string().contains(name)), "{change}");
    }
    assert!(changes(old, old).is_empty());
}

#[test]
fn each_sort_of_change() {
    check(
        "    summary: Says it otherwise.\n",
        &["documentation: documentation only"],
        &["documentation: documentation only"],
    );
    check(
        "    attributes: [{ name: axis, type: INT, doc: \"Which.\" }]\n",
        &["documentation: documentation only"],
        &["documentation: documentation only"],
    );
    check(
        "    semantics: Counts from the end.\n",
        &["semantics: semantics: Counts from the end."],
        &["semantics: semantics: Counts from the end."],
    );
    check(
        "    adapter: [{ front: axis, of: x }, { drop: [mode], way: up, when: \"axis == 0\" }]\n",
        &[
            "conversion: conversion: `axis` is counted from the front of `x`",
            "conversion: conversion: mode is dropped, where axis == 0",
        ],
        &["conversion: conversion: `axis` is counted from the front of `x`"],
    );
    check(
        "    attributes: [{ name: keep, type: INT, default: 0, values: [0, 1] }]\n",
        &["attribute-added: attribute keep added: INT, default 0, one of 0, 1"],
        &["attribute-removed: attribute keep removed: INT, default 0, one of 0, 1"],
    );
    check(
        "    remove: { attributes: [axis] }\n",
        &["attribute-removed: attribute axis removed: INT, required"],
        &["attribute-added: attribute axis added: INT, required"],
    );
    check(
        "    remove: { attributes: [shape], inputs: [rest], types: [V] }\n    inputs: [{ name: shape, type: tensor(int64) }]\n",
        &[
            "attribute-became-input: attribute shape became an input: INTS, optional -> tensor(int64)",
            "input-removed: input rest removed: V, 1 or more",
            "type-variable-removed: type variable V removed: bool",
        ],
        &[
            "input-became-attribute: input shape became an attribute: tensor(int64) -> INTS, optional",
            "input-added: input rest added: V, 1 or more",
            "type-variable-added: type variable V added: bool",
        ],
    );
    check(
        "    attributes: [{ name: axis, type: INTS, optional: true }]\n",
        &[
            "attribute-kind: attribute axis is of another kind: INT -> INTS",
            "attribute-presence: attribute axis may be left out now: required -> optional",
        ],
        &[
            "attribute-kind: attribute axis is of another kind: INTS -> INT",
            "attribute-presence: attribute axis is required now: optional -> required",
        ],
    );
    check(
        "    attributes: [{ name: axis, type: INT, legacy: true }]\n",
        &["attribute-legacy: attribute axis means nothing any more"],
        &["attribute-legacy: attribute axis has a meaning now"],
    );
    check(
        "    attributes: [{ name: mode, type: STRING, default: b }, { name: shape, type: INTS, default: [] }]\n",
        &[
            "attribute-presence: attribute mode has another default: default \"a\" -> default \"b\"",
            "attribute-values: attribute mode may take other values: \"a\", \"b\" -> any",
            "attribute-presence: attribute shape has a default now: optional -> default []",
        ],
        &[
            "attribute-presence: attribute mode has another default: default \"b\" -> default \"a\"",
            "attribute-values: attribute mode may take other values: any -> \"a\", \"b\"",
            "attribute-presence: attribute shape has no default any more: default [] -> optional",
        ],
    );
    check(
        "    inputs: [{ name: x, type: tensor(float) }, { name: rest, type: V, option: variadic, homogeneous: false, min_arity: 2 }]\n",
        &[
            "input-type: input x has another type: T -> tensor(float)",
            "input-homogeneous: input rest: its values may have different types",
            "input-arity: input rest has another least number of values: 1 -> 2",
        ],
        &[
            "input-type: input x has another type: tensor(float) -> T",
            "input-homogeneous: input rest: its values share one type",
            "input-arity: input rest has another least number of values: 2 -> 1",
        ],
    );
    check(
        "    remove: { outputs: [y] }\n    outputs: [{ name: n, type: tensor(int64) }, { name: y, type: T }]\n",
        &[
            "output-option: output n is single now: optional -> single",
            "output-place: output n has another place: 1 -> 0",
            "output-place: output y has another place: 0 -> 1",
        ],
        &[
            "output-place: output y has another place: 1 -> 0",
            "output-option: output n is optional now: single -> optional",
            "output-place: output n has another place: 0 -> 1",
        ],
    );
    check(
        "    outputs: [{ name: z, type: W, option: optional }]\n    types: [{ name: T, add: [int64, seq(tensor(float))], remove: [double] }, { name: W, allow: [int8, int16] }]\n",
        &[
            "output-added: output z added: W, optional",
            "types-widened: types of T widened by int64, seq(tensor(float))",
            "types-narrowed: types of T narrowed by double",
            "type-variable-added: type variable W added: int8, int16",
        ],
        &[
            "output-removed: output z removed: W, optional",
            "types-widened: types of T widened by double",
            "types-narrowed: types of T narrowed by int64, seq(tensor(float))",
            "type-variable-removed: type variable W removed: int8, int16",
        ],
    );
    check(
        "    deprecated: true\n    function: true\n    shape_inference: true\n    deterministic: false\n    support_level: experimental\n",
        &[
            "deprecated: deprecated",
            "function: a function of other operators",
            "shape-inference: shape inference upstream",
            "deterministic: no longer deterministic",
            "support-level: support level: common -> experimental",
        ],
        &[
            "deprecated: no longer deprecated",
            "function: no longer a function of other operators",
            "shape-inference: no shape inference upstream",
            "deterministic: deterministic",
            "support-level: support level: experimental -> common",
        ],
    );
}

#[test]
fn an_attribute_that_was_beside_an_input_of_its_name_did_not_become_it() {
    check(
        "    attributes: [{ name: x, type: INT, optional: true }]\n",
        &["attribute-added: attribute x added: INT, optional"],
        &["attribute-removed: attribute x removed: INT, optional"],
    );
}

#[test]
fn a_version_afresh_means_something_else() {
    check(
        "    afresh: true\n    outputs: [{ name: y, type: tensor(float) }]\n",
        &[
            "semantics: semantics: It starts afresh: nothing of the version before it holds.",
            "attribute-removed: attribute axis removed: INT, required",
            "attribute-removed: attribute mode removed: STRING, default \"a\", one of \"a\", \"b\"",
            "attribute-removed: attribute shape removed: INTS, optional",
            "input-removed: input x removed: T",
            "input-removed: input rest removed: V, 1 or more",
            "output-removed: output n removed: tensor(int64), optional",
            "output-type: output y has another type: T -> tensor(float)",
            "type-variable-removed: type variable T removed: float, double",
            "type-variable-removed: type variable V removed: bool",
        ],
        &[
            "semantics: semantics: It starts afresh: nothing of the version before it holds.",
            "attribute-added: attribute axis added: INT, required",
            "attribute-added: attribute mode added: STRING, default \"a\", one of \"a\", \"b\"",
            "attribute-added: attribute shape added: INTS, optional",
            "input-added: input x added: T",
            "input-added: input rest added: V, 1 or more",
            "output-type: output y has another type: tensor(float) -> T",
            "output-added: output n added: tensor(int64), optional",
            "type-variable-added: type variable T added: float, double",
            "type-variable-added: type variable V added: bool",
        ],
    );
}

const FIVE: &str = "  - since: 2
    types: [{ name: T, add: [int64] }]
  - since: 4
    semantics: Counts from the end.
  - since: 5
    types: [{ name: T, remove: [int64] }]
  - since: 9
    summary: Says it otherwise.
";

#[test]
fn ways_over_several_versions() {
    let operator = read(FIVE);
    // From, to, the steps with the kinds of their changes, and the sum.
    type Case<'a> = (u32, u32, &'a [(u32, u32, &'a str)], &'a [&'a str]);
    let cases: [Case<'_>; 6] = [
        (1, 1, &[], &[]),
        (3, 2, &[], &[]),
        (1, 2, &[(1, 2, "types-widened")], &["types of T widened by int64"]),
        (
            1,
            9,
            &[(1, 2, "types-widened"), (2, 4, "semantics"), (4, 5, "types-narrowed"), (5, 9, "documentation")],
            &["semantics: Counts from the end."],
        ),
        (
            7,
            2,
            &[(5, 4, "types-widened"), (4, 2, "semantics")],
            &["semantics: Counts from the end.", "types of T widened by int64"],
        ),
        (9, 8, &[(9, 5, "documentation")], &["documentation only"]),
    ];
    for (from, to, expected, sum) in cases {
        let comparison = compare(&operator, operator.in_force(from).unwrap(), operator.in_force(to).unwrap());
        let steps: Vec<(u32, u32, &str)> = comparison
            .steps
            .iter()
            .map(|step| match &*step.changes {
                [only] => (step.before.since, step.after.since, only.kind()),
                changes => panic!("{changes:?}"),
            })
            .collect();
        assert_eq!(steps, expected, "{from} to {to}");
        let overall: Vec<String> = comparison.overall.iter().map(ToString::to_string).collect();
        assert_eq!(overall, sum, "{from} to {to}");
    }
    assert!(operator.in_force(0).is_none());
}

/// What later steps take back is no change of the whole way, and no documentation either.
#[test]
fn there_and_back() {
    let operator = read(
        "  - since: 2\n    types: [{ name: T, add: [int64] }]\n  - since: 3\n    types: [{ name: T, remove: [int64] }]\n",
    );
    let comparison = compare(&operator, &operator.versions[0], &operator.versions[2]);
    assert_eq!((comparison.steps.len(), &*comparison.overall), (2, &[][..]));
}
