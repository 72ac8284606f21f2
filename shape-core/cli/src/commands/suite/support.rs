//! Writes the manifest of what a runtime supports, from its results on a suite.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use super::results::{Results, Runtime};
use crate::cases::{Entry, Manifest};

/// The types of each type variable of some cases: each combination of one for each variable was shown to work.
type Combination = BTreeMap<String, BTreeSet<String>>;

/// A version, by domain and operator.
type Version<'m> = (&'m str, &'m str, u32);

/// The manifest in YAML, a row of JSON for each entry: the versions of which a valid case passed, with the combinations of types
/// of those that did.
pub(super) fn yaml(results: &Results, suite: &Manifest, passes: &dyn Fn(&Entry) -> bool) -> String {
    let mut shown: BTreeMap<Version<'_>, BTreeSet<Combination>> = BTreeMap::new();
    for case in suite.cases.iter().filter(|case| case.valid) {
        let (Some(domain), Some(operator), Some(version)) = (&case.domain, &case.operator, case.version) else {
            continue;
        };
        if passes(case) {
            let one = |(variable, types): (&String, &Vec<String>)| (variable.clone(), types.iter().cloned().collect());
            shown.entry((domain, operator, version)).or_default().insert(case.types.iter().map(one).collect());
        }
    }
    let at = suite.opset.map(|opset| format!(" at opset {opset}")).unwrap_or_default();
    let source = format!("the cases of `shape suite`{at} that passed; what no case has may work too");
    let Runtime { name, version } = &results.runtime;
    let mut lines = vec![
        format!("runtime: {}", Json::from(&**name)),
        format!("release: {}", Json::from(&**version)),
        format!("sources: [{}]", Json::from(source)),
        "operators:".to_owned(),
    ];
    for ((domain, operator, version), combinations) in shown {
        for combination in merged(combinations.into_iter().collect()) {
            let variable = |(name, types): (&String, &BTreeSet<String>)| {
                let types: Vec<&str> = types.iter().map(|ty| written(ty)).collect();
                json!({ "name": name, "types": types })
            };
            let variables: Vec<Json> = combination.iter().map(variable).collect();
            let row = json!({ "operator": operator, "domain": domain, "versions": [version], "variables": variables });
            lines.push(format!("  - {row}"));
        }
    }
    // Without an entry, the list is one all the same.
    if lines.last().is_some_and(|last| last == "operators:") {
        lines.pop();
        lines.push("operators: []".to_owned());
    }
    lines.push(String::new());
    lines.join("\n")
}

/// A type as manifests have it: a tensor by its element type.
fn written(ty: &str) -> &str {
    ty.strip_prefix("tensor(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(ty)
}

/// The same combinations in fewer rows: two that differ in the types of one variable alone are one.
fn merged(mut rows: Vec<Combination>) -> Vec<Combination> {
    let variables: BTreeSet<String> = rows.iter().flat_map(BTreeMap::keys).cloned().collect();
    for variable in variables {
        let mut by_rest: BTreeMap<Combination, Option<BTreeSet<String>>> = BTreeMap::new();
        for mut row in rows {
            let types = row.remove(&variable);
            let all = by_rest.entry(row).or_default();
            match (all, types) {
                (Some(all), Some(types)) => all.extend(types),
                (all, types) => *all = types.or(all.take()),
            }
        }
        let row = |(mut rest, types): (Combination, Option<BTreeSet<String>>)| {
            rest.extend(types.map(|types| (variable.clone(), types)));
            rest
        };
        rows = by_rest.into_iter().map(row).collect();
    }
    rows
}
