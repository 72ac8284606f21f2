//! A node is answered by an earlier one only if both say the same: what is found of a node does not depend on the nodes
//! before it.

use shape_core::code::Code;
use shape_core::elements::Scalar;
use shape_core::node::AttributeKind;
use shape_core::symbolic::{Dim, Reason};
use shape_model::file::proto::{
    AttributeProto, Dimension, DimensionValue, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    TensorProto, TensorShapeProto, TensorType, TypeProto, TypeValue, ValueInfoProto,
};
use shape_model::{Model, Options, analyse};

fn value(name: &str, element: i32, dims: Option<&[&str]>) -> ValueInfoProto {
    let dim = |dim: &&str| {
        let number = dim.parse().map(DimensionValue::DimValue);
        Dimension { value: Some(number.unwrap_or(DimensionValue::DimParam((*dim).into()))), ..Dimension::default() }
    };
    let shape = dims.map(|dims| TensorShapeProto { dim: dims.iter().map(dim).collect() });
    let ty = TypeValue::TensorType(TensorType { elem_type: Some(element), shape });
    let ty = TypeProto { value: Some(ty), ..TypeProto::default() };
    ValueInfoProto { name: name.into(), r#type: Some(ty), ..ValueInfoProto::default() }
}

fn ints(name: &str, dims: &[i64], elements: &[i64]) -> TensorProto {
    let raw: Vec<u8> = elements.iter().flat_map(|element| element.to_le_bytes()).collect();
    TensorProto {
        name: name.into(),
        data_type: Some(7),
        dims: dims.to_vec(),
        raw_data: Some(raw.into()),
        ..TensorProto::default()
    }
}

fn node(domain: &str, op_type: &str, inputs: &[&str], outputs: &[&str], attributes: &[AttributeProto]) -> NodeProto {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    NodeProto {
        domain: domain.into(),
        op_type: op_type.into(),
        input: names(inputs),
        output: names(outputs),
        attribute: attributes.to_vec(),
        ..NodeProto::default()
    }
}

fn attribute(name: &str, kind: AttributeKind, set: impl FnOnce(&mut AttributeProto)) -> AttributeProto {
    let mut made = AttributeProto { name: name.into(), r#type: Some(kind.number()), ..AttributeProto::default() };
    set(&mut made);
    made
}

fn int(name: &str, value: i64) -> AttributeProto {
    attribute(name, AttributeKind::Int, |made| made.i = Some(value))
}

fn list(name: &str, values: &[i64]) -> AttributeProto {
    attribute(name, AttributeKind::Ints, |made| made.ints = values.to_vec())
}

fn text(name: &str, value: &'static str) -> AttributeProto {
    attribute(name, AttributeKind::String, |made| made.s = Some(value.into()))
}

fn constant(value: AttributeProto) -> NodeProto {
    node("", "Constant", &[], &["y"], &[value])
}

/// What is found of nodes, each of which has the outputs `y`, `z` and `w` in a graph of its own names: their outputs, and
/// the codes of all findings.
fn found(nodes: &[&NodeProto]) -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    let mut declared = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        let mut node = (*node).clone();
        for name in &mut node.output {
            if !name.is_empty() {
                // The type of a value called `typed` is declared.
                if name == "typed" {
                    declared.push(value(&format!("typed{index}"), 1, None));
                }
                *name = format!("{name}{index}");
            }
        }
        all.push(node);
    }
    let body = |operator: &str| FunctionProto {
        name: operator.into(),
        domain: "my".into(),
        input: vec!["a".into()],
        output: vec!["b".into()],
        attribute: vec!["to".into()],
        node: vec![node(
            "",
            operator,
            &["a"],
            &["b"],
            &[AttributeProto { ref_attr_name: "to".into(), ..int("to", 0) }],
        )],
        opset_import: vec![OperatorSetIdProto { version: Some(13), ..OperatorSetIdProto::default() }],
        ..FunctionProto::default()
    };
    let graph = GraphProto {
        name: "g".into(),
        input: vec![
            value("x", 1, Some(&["N", "4", "6", "8"])),
            value("same", 1, Some(&["N", "4", "6", "8"])),
            ValueInfoProto { name: "untyped".into(), ..ValueInfoProto::default() },
            value("of_4", 1, Some(&["4"])),
            value("target", 7, Some(&["2"])),
            value("other", 7, Some(&["2"])),
        ],
        initializer: vec![
            ints("one", &[1], &[1]),
            ints("two", &[1], &[2]),
            ints("three", &[1], &[3]),
            TensorProto { data_type: None, ..ints("of_no_type", &[1], &[]) },
        ],
        node: all,
        value_info: declared,
        ..GraphProto::default()
    };
    let import = |domain: &str, version| OperatorSetIdProto { domain: domain.into(), version: Some(version) };
    let model = ModelProto {
        ir_version: Some(8),
        opset_import: vec![import("", 15), import("my", 1)],
        graph: Some(graph),
        functions: vec![body("Cast")],
        ..ModelProto::default()
    };
    let model = Model::of(&model).unwrap();
    let analysis = analyse(&model, &Options::default()).unwrap();
    let of_node = |index: usize| {
        let values = analysis.values.iter().filter(|value| value.graph == 0);
        let outputs = values.filter_map(|value| {
            let name = value.name.strip_suffix(&index.to_string())?;
            // The value where the unknown began, by its name without the number of its node.
            let origin = |reason: &Reason| {
                let origin = analysis.values.get(reason.value as usize).map_or("", |origin| origin.name);
                let origin =
                    origin.strip_suffix(&index.to_string()).map_or(origin.to_owned(), |own| format!("its {own}"));
                format!("{:?} at {origin}", reason.cause)
            };
            let dim = |dim: &Dim| match analysis.unknown_dim(dim) {
                Some(reason) => origin(reason),
                None => dim.display(&analysis.symbols).to_string(),
            };
            let element = |element: &Scalar<Dim>| match element {
                Scalar::Size(of) | Scalar::Expression(of) => dim(of),
                element => format!("{element:?}"),
            };
            let elements = value.elements.as_ref().map(|elements| elements.iter().map(element).collect::<Vec<_>>());
            let dims = value.dims.as_ref().map(|dims| dims.iter().map(dim).collect::<Vec<_>>());
            Some(format!(
                "{name}: {:?} {:?} {:?}",
                value.ty.as_ref().map_err(origin),
                dims.map_err(origin),
                elements.map_err(|_| value.without_elements().as_ref().map(origin)),
            ))
        });
        let of_this =
            analysis.findings.iter().filter(|found| found.node.as_ref().is_some_and(|node| node.index == index));
        let of_this = of_this.filter(|found| found.graph == "graph");
        (outputs.collect::<Vec<_>>().join(", "), of_this.map(|found| found.code.to_string()).collect())
    };
    (0..nodes.len()).map(of_node).collect()
}

#[test]
fn a_node_is_found_the_same_behind_any_other() {
    let pool = |attributes: &[AttributeProto]| {
        node("", "MaxPool", &["x"], &["y"], &[&[list("kernel_shape", &[3, 3])], attributes].concat())
    };
    let slice = |inputs: &[&str]| node("", "Slice", inputs, &["y"], &[]);
    let tensor = |tensor| attribute("value", AttributeKind::Tensor, |made| made.t = Some(Box::new(tensor)));
    let float = |value| attribute("value_float", AttributeKind::Float, |made| made.f = Some(value));
    let floats =
        |values: &[f32]| attribute("value_floats", AttributeKind::Floats, |made| made.floats = values.to_vec());
    let texts = |values: &[&'static str]| {
        attribute("value_strings", AttributeKind::Strings, |made| {
            made.strings = values.iter().map(|value| (*value).into()).collect();
        })
    };
    let nodes = [
        node("", "Flatten", &["x"], &["y"], &[]),
        node("", "Flatten", &["x"], &["y"], &[int("axis", 0)]),
        node("", "Flatten", &["x"], &["y"], &[int("axis", 2)]),
        node("", "Flatten", &["same"], &["y"], &[int("axis", 2)]),
        // An attribute that there is not, one without a value, and one of another kind.
        node("", "Flatten", &["x"], &["y"], &[int("axes", 2)]),
        node("", "Flatten", &["x"], &["y"], &[AttributeProto { i: None, ..int("axis", 2) }]),
        node("", "Flatten", &["x"], &["y"], &[list("axis", &[2])]),
        node("", "Transpose", &["x"], &["y"], &[list("perm", &[0, 1, 3, 2])]),
        node("", "Transpose", &["x"], &["y"], &[list("perm", &[3, 2, 1, 0])]),
        node("", "Transpose", &["x"], &["y"], &[list("perm", &[3, 2])]),
        pool(&[]),
        pool(&[text("auto_pad", "VALID")]),
        pool(&[text("auto_pad", "SAME_UPPER")]),
        pool(&[text("auto_pad", "SAME_UPPER"), list("strides", &[2, 2])]),
        node("", "MaxPool", &["x"], &["", "z"], &[list("kernel_shape", &[3, 3])]),
        node("", "Shape", &["x"], &["y"], &[]),
        node("", "Size", &["x"], &["y"], &[]),
        slice(&["x", "one", "two"]),
        slice(&["x", "one", "two", "two"]),
        slice(&["x", "one", "two", "three"]),
        slice(&["x", "one", "three", "three"]),
        slice(&["x", "one", "two", "", "two"]),
        slice(&["x", "one", "two", "nothing"]),
        slice(&["x", "one", "two", "nothing", "two"]),
        node("", "Split", &["x"], &["y", "z"], &[int("axis", 2)]),
        node("", "Split", &["x"], &["y", "z", "w"], &[int("axis", 2)]),
        node("", "Split", &["x"], &["y", "", "w"], &[int("axis", 2)]),
        constant(float(0.0)),
        constant(float(-0.0)),
        constant(float(1.0)),
        constant(floats(&[1.0])),
        constant(floats(&[1.0, 2.0])),
        constant(floats(&[1.0, -2.0])),
        constant(texts(&["a"])),
        constant(texts(&["a", "b"])),
        constant(tensor(ints("", &[2], &[5, 6]))),
        constant(tensor(ints("", &[2], &[5, 7]))),
        constant(tensor(ints("", &[2, 1], &[5, 7]))),
        constant(tensor(ints("", &[80], &[5; 80]))),
        constant(tensor(ints("", &[80], &[6; 80]))),
        node("", "Relu", &["x"], &["y"], &[]),
        node("", "Relu", &["untyped"], &["y"], &[]),
        node("", "Relu", &["untyped"], &["typed"], &[]),
        node("", "Relu", &["of_no_type"], &["y"], &[]),
        node("", "Relu", &["of_no_type"], &["typed"], &[]),
        node("", "Reshape", &["x", "target"], &["y"], &[]),
        node("", "Reshape", &["x", "other"], &["y"], &[]),
        node("", "Identity", &["target"], &["y"], &[]),
        node("", "Identity", &["other"], &["y"], &[]),
        node("", "Mul", &["target", "target"], &["y"], &[]),
        node("", "Mul", &["target", "other"], &["y"], &[]),
        node("", "Mul", &["other", "target"], &["y"], &[]),
        node("", "Gather", &["one", "target"], &["y"], &[]),
        node("", "Gather", &["target", "other"], &["y"], &[]),
        node("", "Gather", &["other", "other"], &["y"], &[]),
        node("", "Expand", &["x", "target"], &["y"], &[]),
        node("", "Expand", &["x", "other"], &["y"], &[]),
        node("", "BatchNormalization", &["x", "of_4", "of_4", "of_4", "of_4"], &["y"], &[int("training_mode", 1)]),
        node("", "BatchNormalization", &["x", "of_4", "of_4", "of_4", "of_4"], &["y", "z", "w"], &[]),
        node("", "BatchNormalization", &["x", "of_4", "of_4", "of_4", "of_4"], &["y", "", ""], &[]),
        node("", "NonZero", &["x"], &["y"], &[]),
        node("", "Cast", &["x"], &["y"], &[int("to", 7)]),
        node("my", "Cast", &["x"], &["y"], &[int("to", 7)]),
        node("my", "Cast", &["x"], &["y"], &[int("to", 11)]),
        node("my", "Cast", &["untyped"], &["y"], &[int("to", 11)]),
        node("my", "Cast", &["x"], &["y"], &[]),
        node("my", "Unknown", &["x"], &["y"], &[]),
    ];
    let alone: Vec<_> = nodes.iter().map(|node| found(&[node]).remove(0)).collect();
    assert!(alone.iter().filter(|(_, codes)| !codes.is_empty()).count() > 5, "some have findings");
    for (before, first) in nodes.iter().enumerate() {
        for (node, expected) in nodes.iter().zip(&alone) {
            let [of_first, of_node] = &*found(&[first, node]) else { panic!() };
            assert_eq!(of_first, &alone[before], "the first of two: {first:?}");
            // An operator without a descriptor is told once.
            if !expected.1.iter().any(|code| code.starts_with("operator-unknown") || code == "no-descriptor") {
                assert_eq!(of_node, expected, "{node:?}\nbehind {first:?}");
            }
        }
    }
}

/// A call is told to lack an import in each graph and function, however often it was answered before.
#[test]
fn an_import_is_missed_in_each_function() {
    let import = |domain: &str, version| OperatorSetIdProto { domain: domain.into(), version: Some(version) };
    let function = |name: &str, nodes: Vec<NodeProto>| FunctionProto {
        name: name.into(),
        domain: "my".into(),
        input: vec!["a".into()],
        output: vec!["b".into()],
        node: nodes,
        opset_import: vec![import("", 15)],
        ..FunctionProto::default()
    };
    // What is known of the constant is the same everywhere.
    let calls = || {
        let one = attribute("value_float", AttributeKind::Float, |made| made.f = Some(1.0));
        let constant = node("", "Constant", &[], &["c"], &[one]);
        let calls = (0..3).map(|at| node("my", "F", &["c"], &[&format!("y{at}")], &[]));
        std::iter::once(constant).chain(calls).collect::<Vec<_>>()
    };
    let mut inner = calls();
    inner.push(node("", "Relu", &["y2"], &["b"], &[]));
    let mut outer = calls();
    outer.push(node("my", "G", &["x"], &["z"], &[]));
    let graph =
        GraphProto { name: "g".into(), input: vec![value("x", 1, Some(&["2"]))], node: outer, ..GraphProto::default() };
    let model = ModelProto {
        ir_version: Some(8),
        opset_import: vec![import("", 15)],
        graph: Some(graph),
        functions: vec![function("F", vec![node("", "Relu", &["a"], &["b"], &[])]), function("G", inner)],
        ..ModelProto::default()
    };
    let model = Model::of(&model).unwrap();
    let analysis = analyse(&model, &Options::default()).unwrap();
    let missed = analysis.findings.iter().filter(|found| found.code.to_string() == "domain-not-imported");
    assert_eq!(missed.map(|found| &*found.graph).collect::<Vec<_>>(), ["graph", "function my::G"]);
}

/// All four have a declaration of the same bytes, and it is read at the first.
#[test]
fn a_declaration_is_held_against_each_value() {
    let declared = |name: &str| value(name, 1, Some(&["3", "4"]));
    let graph = GraphProto {
        name: "g".into(),
        input: vec![declared("x")],
        value_info: ["same", "turned", "whole"].map(declared).to_vec(),
        node: vec![
            node("", "Relu", &["x"], &["same"], &[]),
            node("", "Transpose", &["x"], &["turned"], &[]),
            node("", "Cast", &["x"], &["whole"], &[int("to", 7)]),
        ],
        ..GraphProto::default()
    };
    let imports = vec![OperatorSetIdProto { version: Some(21), ..OperatorSetIdProto::default() }];
    let model = ModelProto { ir_version: Some(10), graph: Some(graph), opset_import: imports, ..ModelProto::default() };
    let model = Model::of(&model).unwrap();
    let analysis = analyse(&model, &Options::default()).unwrap();
    let found: Vec<_> = analysis.findings.iter().map(|found| (found.code, &*found.message)).collect();
    assert_eq!(
        found,
        [
            (Code::OutputDims, "the declared dimensions of `turned` contradict the inferred dimensions"),
            (Code::OutputType, "the declared type of `whole` contradicts the inferred type"),
        ]
    );
    let [x, same, turned, whole] = &*analysis.values else { panic!("{:?}", analysis.values) };
    assert_eq!((&same.ty, &same.dims), (&x.ty, &x.dims));
    assert_eq!(turned.dims.as_deref(), Ok(&[Dim::Known(4), Dim::Known(3)][..]));
    assert_ne!(whole.ty, x.ty);
}
