//! What the documents behind the SONNX profile contradict or leave open: facts that entries of its register rest on.

use std::collections::BTreeSet;
use std::path::Path;

use shape_core::rules::shape::dims_between;
use shape_core::schema::Schema;
use shape_core::{DataType, Registry, Type};
use shape_model::profile::SONNX;

use crate::model::{Change as _, in_graph, int, int64s, model, node, opset};
use crate::run::check;

fn version(name: &str, since: u32) -> &'static Schema {
    let schema = Registry::builtin().resolve("", name, since).unwrap();
    assert_eq!(schema.since_version, since);
    schema
}

/// The names of the types that a type variable allows.
fn types(schema: &Schema) -> BTreeSet<&'static str> {
    let all = (1..=28).filter_map(DataType::from_number);
    all.filter(|ty| schema.types[0].allow.contains(Type::tensor(*ty))).map(DataType::name).collect()
}

#[test]
fn bounds_of_shape() {
    let dims = [2, 3, 4];
    let cases: &[(i64, Option<i64>, &[u64])] = &[
        // The example of the older page, and the dimension that its bounds would lose.
        (0, Some(10), &[2, 3, 4]),
        (0, Some(3), &[2, 3, 4]),
        // A start past the rank, an end below its negative.
        (4, None, &[]),
        (4, Some(5), &[]),
        (0, Some(-4), &[]),
        // A start that is at or after the end as the two are given.
        (0, Some(-1), &[2, 3]),
        (1, Some(-1), &[3]),
        (2, Some(1), &[]),
        // The examples of the SONNX page.
        (1, Some(2), &[3]),
        (2, Some(2), &[]),
        (-500, Some(2), &[2, 3]),
        (0, Some(1000), &[2, 3, 4]),
    ];
    for (start, end, expected) in cases {
        assert_eq!(dims_between(&dims, *start, *end), *expected, "start {start}, end {end:?}");
    }
    assert_eq!(dims_between::<u64>(&[], 0, Some(1)), [0_u64; 0]);
    assert_eq!(dims_between(&[2_u64, 0], -1, None), [0]);
}

#[test]
fn types_of_the_pages() {
    let kept = |rule: &str| {
        let rule = SONNX.rule(rule).unwrap();
        let all = (1..=28).filter_map(DataType::from_number);
        all.filter(|ty| rule.arguments.types.contains(Type::tensor(*ty))).map(DataType::name).collect::<BTreeSet<_>>()
    };
    let (of_shape, of_reshape) = (kept("SONNX-SHAPE-010"), kept("SONNX-RESHAPE-010"));
    assert_eq!((of_shape.len(), of_reshape.len()), (18, 17));
    assert_eq!(of_shape.difference(&of_reshape).collect::<Vec<_>>(), [&"bfloat16"]);
    for (name, kept, out) in [("Shape", of_shape, 8), ("Reshape", of_reshape, 9)] {
        let all = types(version(name, 25));
        assert!(kept.is_subset(&all), "{name}");
        assert_eq!((all.len(), all.difference(&kept).count()), (26, out), "{name}");
    }
}

#[test]
fn counts_of_types() {
    let shape = [(1, 15), (13, 16), (15, 16), (19, 20), (21, 22), (23, 23), (24, 24), (25, 26)];
    let reshape = [(1, 3), (5, 15), (13, 16), (14, 16), (19, 20), (21, 22), (23, 23), (24, 24), (25, 26)];
    for (name, counts) in [("Shape", &shape[..]), ("Reshape", &reshape)] {
        for (since, count) in counts {
            assert_eq!(types(version(name, *since)).len(), *count, "{name}-{since}");
        }
        // The pages end with opset 25.
        let versions =
            Registry::builtin().operator("ai.onnx", name).iter().filter(|version| version.since_version <= 25);
        assert_eq!(versions.count(), counts.len(), "{name}");
    }
    for since in [1, 13] {
        assert!(version("Shape", since).attributes.is_empty());
    }
}

#[test]
fn names_of_the_pages() {
    for overlay in SONNX.overlays {
        let schema = version(overlay.operator, overlay.since);
        let named: Vec<&str> = overlay.names.iter().map(|(onnx, _)| *onnx).collect();
        let parameters = schema.inputs.iter().chain(schema.outputs).map(|parameter| parameter.name);
        assert_eq!(named, parameters.collect::<Vec<_>>(), "{}", overlay.operator);
        assert!(overlay.names.iter().all(|(onnx, page)| onnx != page));
        assert_eq!(overlay.variants.iter().map(|variant| variant.name).collect::<Vec<_>>(), ["real", "typed"]);
    }
    for name in ["FP16", "FP32", "FP64", "float32", "float64", "integer64"] {
        assert_eq!(DataType::from_name(name), None);
    }
}

#[test]
fn the_third_example_of_reshape() {
    let reshape = |allowzero, target: &[i64]| {
        let node = node("Reshape", &["x", "t"], &["y"]).with(|node| node.attribute = vec![int("allowzero", allowzero)]);
        let model = model(&["x: float[2,5]"], vec![node], &["y: float[2,5]"]);
        let model = model.with(|model| (model.ir_version, model.opset_import) = (Some(13), vec![opset("", 25)]));
        check(&in_graph(model, |graph| graph.initializer = vec![int64s("t", &[2], target)])).findings()
    };
    assert_eq!(reshape(1, &[0, -1]), ["target-zero graph#0"]);
    assert_eq!(reshape(0, &[0, -1]), [""; 0]);
    // The condition, as it is printed and as it is meant, on each entry of targets of two.
    let printed = |target: [i64; 2], zero: bool| {
        target.iter().all(|entry| {
            *entry > 0 || (*entry != 0 || (zero && !target.contains(&-1))) || (*entry != -1 || !target.contains(&0))
        })
    };
    for (one, other) in (-5..3).flat_map(|one| (-5..3).map(move |other| (one, other))) {
        assert!(printed([one, other], false) && printed([one, other], true), "{one}, {other}");
    }
}

#[test]
fn operators_of_the_list() {
    let has = |name: &str| !Registry::builtin().operator("ai.onnx", name).is_empty();
    for name in ["Dense", "FullyConnected", "Padding", "ConvTransposeDeconvolution", "SoftPlus"] {
        assert!(!has(name) && !SONNX.operators.contains(&name), "{name}");
    }
    assert!(SONNX.operators.iter().all(|name| has(name)) && SONNX.operators.contains(&"Softplus"));
    for name in ["ArgMax", "BatchNormalization", "ConvInteger", "DequantizeLinear", "QuantizeLinear"] {
        assert!(has(name) && !SONNX.operators.contains(&name), "{name}");
    }
    // The list has 59 names.
    assert_eq!(SONNX.operators.len(), 59 - 4);
}

#[test]
fn ids_stand_for_one_thing() {
    let ids: BTreeSet<&str> = SONNX.rules.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), SONNX.rules.len());
    // Of those that lead to an id of several requirements, each says which of them it means.
    for reference in SONNX.rules.iter().flat_map(|rule| rule.references) {
        for several in ["REQ-OP-030", "REQ-GR-000"] {
            assert_ne!(reference.at, several);
        }
    }
}

#[test]
fn the_register_is_the_committed_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/profiles/sonnx/ERRATA.md");
    crate::matrix::held(&path, &["profile", "errata", "sonnx"]);
}
