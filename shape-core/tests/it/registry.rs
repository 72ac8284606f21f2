//! Operators by their domain and name: in the registry, among those of one's own, and in the index.

use shape_core::node::NodeAttribute;
use shape_core::operator::{expect_domain, read_named};
use shape_core::operators::ai_onnx::{self, reshape, shape};
use shape_core::registry::Missing;
use shape_core::{Registry, Schema};

// Its tests need what is private, so they stand in it. Compiled here, they cost no second build of all operators.
#[cfg(feature = "every-domain")]
#[path = "../../src/registry/index.rs"]
mod index;

static FIRST: Schema = Schema { domain: "com.acme", name: "Gelu", since_version: 1, ..*ai_onnx::OPERATORS[0][0] };
static SECOND: Schema = Schema { since_version: 3, ..FIRST };
static OTHER: Schema = Schema { name: "Blur", ..FIRST };
static NEWER: Schema = Schema { since_version: 27, ..*ai_onnx::OPERATORS[0][0] };

#[test]
fn custom_beside_built_in() {
    let registry = Registry::builtin().with([&SECOND, &OTHER]).unwrap().with([&FIRST, &NEWER]).unwrap();
    let since = |domain, name, opset| registry.resolve(domain, name, opset).map(|schema| schema.since_version);
    assert_eq!(since("com.acme", "Gelu", 2), Ok(1));
    assert_eq!(since("com.acme", "Gelu", 99), Ok(3));
    assert_eq!(since("com.acme", "Blur", 1), Ok(1));
    assert_eq!(since("", "Gelu", 20), Ok(20));
    assert_eq!(since("", "Blur", 20), Err(Missing::NoDescriptor));
    assert_eq!(since("", "Shape", 17), Ok(15));
    // A custom version is added to the existing ones.
    let newest = registry.operator("", NEWER.name).iter().map(|schema| schema.since_version).max();
    assert_eq!(newest, Some(27));
    let names = registry.operators().map(|versions| versions[0].name);
    assert_eq!(names.filter(|name| *name == NEWER.name).count(), 1, "each operator once");
    // The original registry is unchanged.
    assert!(Registry::builtin().operator("com.acme", "Gelu").is_empty());
}

#[test]
fn duplicates() {
    for schemas in [[&FIRST, &FIRST], [&SECOND, Registry::builtin().operator("", "Shape")[0]]] {
        let duplicate = Registry::builtin().with(schemas).unwrap_err();
        assert_eq!(duplicate.second.since_version, 1);
    }
    let twice = Registry::builtin().with([&FIRST]).unwrap().with([&FIRST]).unwrap_err();
    assert_eq!(format!("{twice}"), "com.acme::Gelu has two versions since opset 1; one of them must have another");
}

static BLUR: Schema = Schema { domain: "com.acme", name: "Blur", since_version: 1, ..*shape::VERSIONS[0] };

/// Sorted by domain and name, and not by name alone.
static TABLE: &[&[&Schema]] = &[reshape::VERSIONS, shape::VERSIONS, &[&BLUR]];

#[test]
fn operators_of_several_domains() {
    let none: &[NodeAttribute<'_>] = &[];
    let place = |name| read_named(TABLE, name, 5, none, |operator, version, _| (operator, version));
    assert!(matches!(place("Shape"), Ok((1, 0))));
    assert!(matches!(place("Blur"), Ok((2, 0))));
    assert!(place("Add").is_err());
    let is_of = |domain, name| expect_domain(TABLE, domain, name).is_ok();
    assert!(is_of("", "Reshape") && is_of("com.acme", "Blur"));
    assert!(!is_of("", "Blur") && !is_of("com.acme", "Reshape") && !is_of("ai.onnx.ml", "Reshape"));
}
