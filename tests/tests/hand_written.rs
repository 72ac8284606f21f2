//! What `kernels.yaml` says that the core has by hand is what it has.

use std::collections::BTreeSet;

use shape_core::{adapters, kernels, rules};
use shape_specs::Tables;

#[test]
fn kernels_read_what_the_table_says() {
    for entry in &Tables::builtin().unwrap().kernels {
        let (arguments, _) = kernels::by_name(&entry.name).unwrap_or_else(|| panic!("no kernel {}", entry.name));
        let told: BTreeSet<&str> = entry.arguments.iter().map(String::as_str).collect();
        assert_eq!(arguments.iter().copied().collect::<BTreeSet<_>>(), told, "{}", entry.name);
    }
}

#[test]
fn rules_are_those_of_the_table() {
    let told = Tables::builtin().unwrap().rules.iter().map(|entry| entry.name.as_str());
    assert!(told.eq(rules::ALL.iter().map(rules::Rule::name)));
}

#[test]
fn adapters_are_there() {
    for name in &Tables::builtin().unwrap().adapters {
        assert_eq!(adapters::by_name(name).map(|adapter| adapter.name()), Some(&**name));
    }
}
