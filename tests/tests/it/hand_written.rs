//! What `rules.yaml` says that the core has by hand is what it has.

use std::collections::BTreeSet;
use std::fs;

use shape_core::rule::Rule;
use shape_core::rules;
use shape_specs::Tables;
use shape_specs::rules::DimsRule;
use shape_specs::signature::Gives;
use shape_tests::root;

#[test]
fn rules_are_those_of_the_table() {
    let told = Tables::builtin().unwrap().rules().map(|rule| rule.name.as_str());
    assert!(told.eq(rules::ALL.iter().map(Rule::name)));
}

/// A family is a file, and what is in it is called as its rules are.
#[test]
fn families_are_files() {
    let of_all = ["axes", "grid", "mod", "parameters", "refuse", "table", "window"].map(str::to_owned);
    let files = fs::read_dir(root().join("shape-core/src/rules")).unwrap();
    let files = files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned());
    let families = &Tables::builtin().unwrap().families;
    let told = families.iter().map(|family| family.name.clone()).chain(of_all);
    assert_eq!(files.collect::<BTreeSet<_>>(), told.collect::<BTreeSet<_>>());
    for family in families {
        let path = format!("shape-core/src/rules/{}.rs", family.name);
        let text = fs::read_to_string(root().join(&path)).unwrap();
        let has = |name: &str| ["", "r#"].iter().any(|raw| text.contains(&format!("pub(super) fn {raw}{name}<")));
        for rule in &family.rules {
            // The rules of one kind of arithmetic are written by a macro.
            let written = has(&rule.name) || text.contains(&format!("    {}", rule.name));
            assert!(written, "{path} has no {}", rule.name);
        }
    }
}

/// No rule stands there that no operator calls, and each is called for what it gives.
#[test]
fn rules_are_called() {
    let operators = shape_specs::builtin().unwrap();
    let calls = operators.iter().flat_map(|operator| &operator.versions).flat_map(|version| &version.rules);
    let mut called = BTreeSet::new();
    for rule in calls {
        let dims = rule.dims.iter().flat_map(DimsRule::calls).map(|call| (&call.rule, "dims"));
        let elements = rule.elements.as_ref().map(|call| (&call.rule, "elements"));
        called.extend(dims.into_iter().chain(elements));
    }
    for rule in Tables::builtin().unwrap().rules() {
        let by = |what| called.contains(&(&rule.name, what));
        assert!(by("dims") || by("elements"), "nothing calls {}", rule.name);
        assert!(rule.gives(Gives::Dims) || !by("dims"), "{} gives no dims", rule.name);
        assert!(rule.gives(Gives::Elements) || !by("elements"), "{} gives no elements", rule.name);
    }
}

/// A rule says how many multiply-adds an output takes where the table says that it does.
#[test]
fn rules_say_their_multiply_adds() {
    let mut told = 0;
    for family in &Tables::builtin().unwrap().families {
        let path = format!("shape-core/src/rules/{}.rs", family.name);
        let text = fs::read_to_string(root().join(&path)).unwrap();
        for rule in &family.rules {
            let body = ["", "r#"].iter().find_map(|raw| text.split_once(&format!("pub(super) fn {raw}{}<", rule.name)));
            // From one function to the next.
            let body = body.map(|(_, behind)| behind.split("\n}\n").next().unwrap()).unwrap_or_default();
            let says = body.contains("output.multiply_adds");
            assert_eq!(says, rule.gives(Gives::MultiplyAdds), "{path}: {}", rule.name);
            told += usize::from(says);
        }
    }
    assert_eq!(told, 7);
}
