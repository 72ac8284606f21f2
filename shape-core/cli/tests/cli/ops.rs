//! `shape ops`, and the registry beside the facts of the packages: what the drift of either would show.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};
use shape_changes::import::Facts;
use shape_core::Registry;

use crate::run::{Folder, Run};

/// What a file of `specs/facts` has.
fn committed(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../../specs/facts/{name}.json", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn ops(args: &[&str]) -> Run {
    let folder = Folder::new();
    folder.shape(["ops"].iter().chain(args))
}

/// The operator versions of facts, with what the file leaves out because it is as usual.
fn facts(name: &str) -> Vec<Json> {
    let facts: Json = serde_json::from_str(&committed(name)).unwrap();
    let sets = facts["type_sets"].as_array().unwrap();
    let fill = |row: &mut Json, usual: &[(&str, Json)]| {
        for (field, value) in usual {
            row.as_object_mut().unwrap().entry(*field).or_insert(value.clone());
        }
    };
    let mut operators = facts["operators"].as_array().unwrap().clone();
    for operator in &mut operators {
        fill(
            operator,
            &[
                ("deprecated", json!(false)),
                ("support_level", json!("COMMON")),
                ("has_function", json!(false)),
                ("has_shape_inference", json!(false)),
            ],
        );
        for side in ["inputs", "outputs"] {
            for parameter in operator[side].as_array_mut().unwrap() {
                fill(parameter, &[("option", json!("single")), ("homogeneous", json!(true)), ("min_arity", json!(1))]);
            }
        }
        for attribute in operator["attributes"].as_array_mut().unwrap() {
            fill(attribute, &[("required", json!(false)), ("default", Json::Null)]);
        }
        for constraint in operator["types"].as_array_mut().unwrap() {
            constraint["allow"] = sets[usize::try_from(constraint["allow"].as_u64().unwrap()).unwrap()].clone();
        }
    }
    operators
}

/// Every fact of every version is that of the package of its domain: the one test that says whether the catalogue is right.
#[test]
fn drift() {
    let run = ops(&["--all-versions", "--format", "json"]);
    let found = run.json()["operators"].as_array().unwrap().clone();
    let (mut facts, of_onnxruntime) = (facts("onnx"), facts("onnxruntime"));
    assert!(!facts.is_empty() && !of_onnxruntime.is_empty());
    facts.extend(of_onnxruntime);
    let key = |row: &Json| (row["domain"].to_string(), row["name"].to_string(), row["since_version"].as_u64().unwrap());
    let by_key = |rows: &[Json]| rows.iter().map(|row| (key(row), row.clone())).collect::<BTreeMap<_, _>>();
    let (found_by_key, mut facts_by_key) = (by_key(&found), by_key(&facts));
    let registry = Registry::builtin();
    for ((domain, name, since), fact) in &mut facts_by_key {
        // The form of `shape ops` has no place for these.
        let mut take = |field| fact.as_object_mut().unwrap().remove(field);
        let deterministic = take("deterministic").is_none_or(|value| value == true);
        let other_attributes = take("other_attributes").is_some_and(|value| value == true);
        let schemas = registry.operator(domain.trim_matches('"'), name.trim_matches('"'));
        let schema = schemas.iter().find(|schema| u64::from(schema.since_version) == *since);
        let described = schema.map(|schema| (schema.deterministic, schema.other_attributes));
        assert_eq!(described, Some((deterministic, other_attributes)), "{domain}::{name}-{since}");
        assert_eq!(found_by_key.get(&(domain.clone(), name.clone(), *since)), Some(&*fact), "{name}-{since}");
    }
    assert_eq!(found.len(), facts.len());
    assert!(found.iter().map(key).is_sorted(), "sorted by domain, name and version");
}

/// What the facts say is described already, so that an import has nothing to write.
#[test]
fn an_import_is_idempotent() {
    let tables = shape_specs::Tables::builtin().unwrap();
    for (name, descriptors) in [
        ("onnx", shape_specs::DESCRIPTORS),
        ("onnxruntime", shape_specs::DESCRIPTORS),
        ("onnxruntime_in_onnx", shape_specs::RUNTIME_DESCRIPTORS),
    ] {
        let facts: Facts = serde_json::from_str(&committed(name)).unwrap();
        assert_eq!(shape_changes::import::import(&facts, descriptors, tables).unwrap(), [], "{name}");
    }
}

/// The versions as each release of onnxruntime has them are what the facts of the release say, and nothing is later or earlier.
#[test]
fn drift_of_each_release() {
    let tables = shape_specs::Tables::builtin().unwrap();
    let mut newer: Facts = serde_json::from_str(&committed("onnxruntime")).unwrap();
    let runtime = tables.runtimes.iter().find(|runtime| runtime.runtime == newer.package).unwrap();
    assert_eq!(runtime.releases.last().unwrap().to_string(), newer.release);
    let of_runtime = |file: &str| newer.operators.iter().any(|of| file.starts_with(&format!("{}/", of.domain)));
    let descriptors: Vec<_> = shape_specs::DESCRIPTORS.iter().copied().filter(|(file, _)| of_runtime(file)).collect();
    let mut changed = 0;
    for release in runtime.releases.iter().rev() {
        let path = format!("onnxruntime/{release}");
        // One without a file has what the next one has.
        if std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../specs/facts/{path}.json")).exists() {
            newer = newer.before(serde_json::from_str(&committed(&path)).unwrap());
            changed += 1;
        }
        newer.release = release.to_string();
        let comparison = shape_changes::import::compare(&newer, &descriptors, tables).unwrap();
        assert_eq!(comparison.differences, [], "{release}");
        assert_eq!((comparison.added, comparison.absent), (Vec::new(), Vec::new()), "{release}");
    }
    assert!(changed > 0);
}

/// What a runtime registers on its own in a domain of ONNX stands in its table, and is described.
#[test]
fn what_a_runtime_has_of_its_own_is_described() {
    let tables = shape_specs::Tables::builtin().unwrap();
    let described = shape_specs::resolve_all(
        shape_specs::RUNTIME_DESCRIPTORS.iter().copied(),
        tables,
        shape_specs::Scope::Documented,
    );
    let described = described.map_err(|(_, errors)| errors).unwrap();
    let versions = described.iter().flat_map(|operator| {
        let row =
            |since, deprecated| (operator.runtime.as_deref(), &*operator.domain, &*operator.name, since, deprecated);
        operator.versions.iter().map(move |version| row(version.since, version.deprecated))
    });
    let rows = tables.runtimes.iter().flat_map(|runtime| {
        runtime
            .operators
            .iter()
            .map(|of| (Some(&*runtime.runtime), &*of.domain, &*of.operator, of.since, of.deprecated))
    });
    assert_eq!(versions.collect::<BTreeSet<_>>(), rows.collect::<BTreeSet<_>>());
}

#[test]
fn listed() {
    let run = ops(&["--domain", "ai.onnx.preview"]);
    assert_eq!((run.code, &*run.out), (0, "ai.onnx.preview (1)\n  FlexAttention  1\n"));
    let run = ops(&["--opset", "10", "--format", "json"]);
    let json = run.json();
    let operators = json["operators"].as_array().unwrap();
    let find = |name: &str| operators.iter().find(|row| row["name"] == name).map(|row| row["since_version"].clone());
    assert_eq!((find("Shape"), find("Upsample"), find("Celu")), (Some(json!(1)), Some(json!(10)), None));
    let upsample = ops(&["--opset", "10"]);
    assert!(upsample.out.contains("Upsample") && upsample.out.contains("10 (deprecated)"), "{upsample:?}");
    for args in
        [&["--domain", "com.acme"][..], &["--opset", "99"], &["--opset", "0"], &["--all-versions", "--opset", "3"]]
    {
        let run = ops(args);
        assert_eq!((run.code, &*run.out), (2, ""), "{run:?}");
    }
}
