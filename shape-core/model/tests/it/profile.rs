//! The rules of a profile against what the operators mean: in a small world, case by case.

use std::collections::BTreeSet;

use shape_core::node::AttributeKind;
use shape_model::file::proto::{
    AttributeProto, Dimension, DimensionValue, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto,
    TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use shape_model::profile::{ProfileReport, SONNX, Verdict, check};
use shape_model::{Model, Options};

fn value(name: &str, element: i32, dims: &[i64]) -> ValueInfoProto {
    let dim = |size: &i64| Dimension { value: Some(DimensionValue::DimValue(*size)), ..Dimension::default() };
    let shape = Some(TensorShapeProto { dim: dims.iter().map(dim).collect() });
    let ty = TypeValue::TensorType(TensorType { elem_type: Some(element), shape });
    let ty = Some(TypeProto { value: Some(ty), ..TypeProto::default() });
    ValueInfoProto { name: name.into(), r#type: ty, ..ValueInfoProto::default() }
}

/// `y = Reshape(x, t)` with nothing declared of `y` but its type.
fn reshape(dims: &[i64], target: &[i64], allowzero: i64) -> ModelProto {
    let allowzero = AttributeProto {
        name: "allowzero".into(),
        i: Some(allowzero),
        r#type: Some(AttributeKind::Int.number()),
        ..AttributeProto::default()
    };
    let node = NodeProto {
        op_type: "Reshape".into(),
        input: vec!["x".into(), "t".into()],
        output: vec!["y".into()],
        attribute: vec![allowzero],
        ..NodeProto::default()
    };
    let target = TensorProto {
        name: "t".into(),
        dims: vec![i64::try_from(target.len()).unwrap()],
        data_type: Some(7),
        raw_data: Some(target.iter().flat_map(|entry| entry.to_le_bytes()).collect()),
        ..TensorProto::default()
    };
    let mut output = value("y", 1, &[]);
    if let Some(TypeValue::TensorType(ty)) = output.r#type.as_mut().and_then(|ty| ty.value.as_mut()) {
        ty.shape = None;
    }
    let graph = GraphProto {
        name: "g".into(),
        node: vec![node],
        input: vec![value("x", 1, dims)],
        output: vec![output],
        initializer: vec![target],
        ..GraphProto::default()
    };
    ModelProto {
        ir_version: Some(13),
        opset_import: vec![OperatorSetIdProto { domain: String::new(), version: Some(25) }],
        graph: Some(graph),
        ..ModelProto::default()
    }
}

fn with(report: &ProfileReport, verdict: Verdict) -> BTreeSet<&'static str> {
    let all = report.judgements.iter().filter(|judgement| judgement.verdict == verdict);
    all.map(|judgement| judgement.rule.id).filter(|id| id.starts_with("SONNX-RESHAPE-")).collect()
}

/// The page of Reshape, transcribed: which of its constraints a target is outside of.
fn outside(dims: &[i64], target: &[i64], allowzero: i64) -> BTreeSet<&'static str> {
    let mut outside = BTreeSet::new();
    let mut unless = |holds: bool, id| _ = (!holds).then(|| outside.insert(id));
    let inferring = target.contains(&-1);
    unless(target.iter().all(|entry| *entry >= -1), "SONNX-RESHAPE-040");
    unless(target.iter().filter(|entry| **entry == -1).count() <= 1, "SONNX-RESHAPE-050");
    if allowzero == 0 {
        unless((0..target.len()).all(|at| target[at] != 0 || at < dims.len()), "SONNX-RESHAPE-060");
        unless(!inferring || dims.iter().all(|dim| *dim != 0), "SONNX-RESHAPE-070");
    } else {
        unless(!inferring || !target.contains(&0), "SONNX-RESHAPE-080");
        unless(!target.contains(&0) || dims.contains(&0), "SONNX-RESHAPE-090");
    }
    outside
}

/// What the target gives, where it has a meaning; `None` where the sizes cannot be equal.
fn resolved(dims: &[i64], target: &[i64], allowzero: i64) -> Option<Vec<i64>> {
    let copied = |(at, entry): (usize, &i64)| if *entry == 0 && allowzero == 0 { dims[at] } else { *entry };
    let mut given: Vec<i64> = target.iter().enumerate().map(copied).collect();
    let size: i64 = dims.iter().product();
    let rest: i64 = given.iter().filter(|entry| **entry != -1).product();
    match given.iter_mut().find(|entry| **entry == -1) {
        None => (rest == size).then_some(given),
        Some(_) if size % rest != 0 => None,
        Some(entry) => {
            *entry = size / rest;
            Some(given)
        }
    }
}

#[test]
fn the_rules_of_reshape_are_those_of_its_page() {
    let all = [&[][..], &[0], &[1], &[6], &[2, 3], &[0, 3], &[3, 0], &[2, 1, 3]];
    let entries = [-2, -1, 0, 1, 2, 3, 6];
    let mut targets = vec![vec![]];
    for entry in entries {
        targets.push(vec![entry]);
        for next in entries {
            targets.push(vec![entry, next]);
            targets.extend([-1, 0, 2].map(|last| vec![entry, next, last]));
        }
    }
    let (mut inside, mut narrower) = (0, 0);
    for dims in all {
        for target in &targets {
            for allowzero in [0, 1] {
                let case = format!("{dims:?} to {target:?}, allowzero {allowzero}");
                let model = reshape(dims, target, allowzero);
                let model = Model::of(&model).unwrap();
                let report = check(&model, &Options::default(), &SONNX, &[]).unwrap();
                let (failed, open) = (with(&report, Verdict::Fail), with(&report, Verdict::Undetermined));
                let mut expected = outside(dims, target, allowzero);
                // What a target outside of these asks for is not said, so that its size is not known.
                let meaningless = ["SONNX-RESHAPE-040", "SONNX-RESHAPE-050", "SONNX-RESHAPE-060", "SONNX-RESHAPE-080"];
                let means = !expected.iter().any(|id| meaningless.contains(id));
                let zero = expected.contains("SONNX-RESHAPE-070");
                if means && !zero && resolved(dims, target, allowzero).is_none() {
                    expected.insert("SONNX-RESHAPE-100");
                }
                let told = failed.iter().copied().filter(|id| !zero || *id != "SONNX-RESHAPE-100");
                let asked = expected.iter().copied().filter(|id| means || *id != "SONNX-RESHAPE-100");
                assert_eq!(
                    told.filter(|id| means || *id != "SONNX-RESHAPE-100").collect::<BTreeSet<_>>(),
                    asked.collect::<BTreeSet<_>>(),
                    "{case}"
                );
                // Inside of the page a model is right as ONNX, and nothing is left open.
                if expected.is_empty() {
                    inside += 1;
                    assert!(report.is_onnx() && open.is_empty(), "{case}: {open:?}: {:?}", report.findings);
                }
                // ONNX takes of the rest only what the page rules out besides.
                if report.is_onnx() && !failed.is_empty() {
                    narrower += 1;
                    assert_eq!(failed, BTreeSet::from(["SONNX-RESHAPE-070"]), "{case}");
                }
            }
        }
    }
    assert!(inside > 50 && narrower > 5, "{inside} inside, {narrower} narrower");
}

#[test]
fn the_examples_of_the_page_of_reshape() {
    type Case<'a> = (&'a [i64], &'a [i64], i64, Option<&'a [i64]>);
    let cases: &[Case<'_>] = &[
        (&[2, 5], &[5, 2], 0, Some(&[5, 2])),
        (&[2, 3, 4], &[0, 6, -1], 0, Some(&[2, 6, 2])),
        // The third, as it stands there, and as it must be meant.
        (&[2, 5], &[0, -1], 1, None),
        (&[2, 5], &[0, -1], 0, Some(&[2, 5])),
        (&[0, 3, 8], &[1, 2, 0], 1, Some(&[1, 2, 0])),
    ];
    for (dims, target, allowzero, output) in cases {
        let mut model = reshape(dims, target, *allowzero);
        if let Some(output) = output {
            model.graph.as_mut().unwrap().output = vec![value("y", 1, output)];
        }
        let model = Model::of(&model).unwrap();
        let report = check(&model, &Options::default(), &SONNX, &[]).unwrap();
        let failed = with(&report, Verdict::Fail);
        assert_eq!(report.is_onnx(), output.is_some(), "{dims:?} to {target:?}: {:?}", report.findings);
        match output {
            Some(_) => {
                let open = with(&report, Verdict::Undetermined);
                assert!(failed.is_empty() && open.is_empty(), "{dims:?} to {target:?}: {failed:?}, {open:?}");
            }
            None => assert_eq!(failed, BTreeSet::from(["SONNX-RESHAPE-080", "SONNX-RESHAPE-090"])),
        }
    }
}
