//! What an importer asks for: nodes as typed operators, constants, readers.

use shape_core::code::Code;
use shape_core::node::AttributeKind;
use shape_core::operators::ai_onnx::{AnyOperator, clip, softmax};
use shape_core::operators::ai_onnx_ml;
use shape_model::file::proto::{
    AttributeProto, DataLocation, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    StringStringEntryProto, TensorProto, ValueInfoProto,
};
use shape_model::file::{External, Message as _};
use shape_model::{Model, ModelFile, Options, analyse};

fn node(domain: &str, op_type: &str, inputs: &[&str], outputs: &[&str]) -> NodeProto {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    NodeProto {
        domain: domain.into(),
        op_type: op_type.into(),
        input: names(inputs),
        output: names(outputs),
        ..NodeProto::default()
    }
}

fn imports(versions: &[(&str, i64)]) -> Vec<OperatorSetIdProto> {
    let import =
        |(domain, version): &(&str, i64)| OperatorSetIdProto { domain: (*domain).to_owned(), version: Some(*version) };
    versions.iter().map(import).collect()
}

fn named(name: &str) -> ValueInfoProto {
    ValueInfoProto { name: name.into(), ..ValueInfoProto::default() }
}

fn int(name: &str, value: i64) -> AttributeProto {
    let kind = Some(AttributeKind::Int.number());
    AttributeProto { name: name.into(), r#type: kind, i: Some(value), ..AttributeProto::default() }
}

fn body(name: &str, graph: GraphProto) -> AttributeProto {
    let kind = Some(AttributeKind::Graph.number());
    AttributeProto { name: name.into(), r#type: kind, g: Some(Box::new(graph)), ..AttributeProto::default() }
}

/// A model of opset 13 of ai.onnx, whose function imports opset 11, and has a graph in a node.
fn model() -> Model {
    let inside = GraphProto {
        node: vec![node("", "Softmax", &["x"], &["inner"])],
        output: vec![named("inner")],
        ..GraphProto::default()
    };
    let mut with_graph = node("", "If", &["cond"], &["out"]);
    with_graph.attribute = vec![body("then_branch", inside.clone()), body("else_branch", inside)];
    let function = FunctionProto {
        name: "Own".into(),
        domain: "com.acme".into(),
        input: vec!["x".into(), "cond".into()],
        output: vec!["y".into()],
        node: vec![node("", "Softmax", &["x"], &["y"]), with_graph],
        opset_import: imports(&[("", 11)]),
        ..FunctionProto::default()
    };
    let mut wrong = node("ai.onnx", "Softmax", &["x"], &["wrong"]);
    wrong.name = "third".into();
    wrong.attribute.push(AttributeProto {
        r#type: Some(AttributeKind::Float.number()),
        f: Some(0.5),
        ..int("axis", 0)
    });
    let graph = GraphProto {
        node: vec![
            node("", "Softmax", &["x"], &["a"]),
            node("ai.onnx.ml", "Scaler", &["x"], &["b"]),
            wrong,
            node("com.other", "Op", &["x"], &["c"]),
            node("", "Gelu", &["x"], &["d"]),
            node("", "Softmaxx", &["x"], &["", "e"]),
        ],
        input: vec![named("x")],
        ..GraphProto::default()
    };
    Model::of(&ModelProto {
        ir_version: Some(8),
        opset_import: imports(&[("", 13), ("ai.onnx.ml", 1)]),
        graph: Some(graph),
        functions: vec![function],
        ..ModelProto::default()
    })
    .unwrap()
}

#[test]
fn a_node_is_read_in_the_version_that_is_imported_around_it() {
    let model = model();
    let first = model.graph().unwrap().nodes().first().unwrap();
    assert_eq!((first.opset(), first.function()), (Some(13), None));
    // The default of `axis` is -1 from version 13 on.
    assert!(matches!(first.read::<softmax::Softmax>(), Ok(softmax::Softmax::V13(of)) if of.axis == -1));
    assert!(matches!(first.operator(), Ok(AnyOperator::Softmax(softmax::Softmax::V13(_)))));

    let in_function = model.functions().first().unwrap().nodes();
    let inside = in_function.get(1).unwrap().subgraph("else_branch").unwrap().nodes();
    for node in [in_function.get(0).unwrap(), inside.get(0).unwrap()] {
        assert_eq!((node.opset(), node.function()), (Some(11), Some(0)));
        assert!(matches!(node.read::<softmax::Softmax>(), Ok(softmax::Softmax::V11(of)) if of.axis == 1));
    }
    assert!(in_function.get(1).unwrap().subgraph("body").is_none());
}

#[test]
fn operators_of_other_domains_are_read_too() {
    let model = model();
    let scaler = model.graph().unwrap().nodes().get(1).unwrap();
    assert!(matches!(scaler.read::<ai_onnx_ml::AnyOperator<'_>>(), Ok(ai_onnx_ml::AnyOperator::Scaler(_))));
    let error = scaler.operator().unwrap_err();
    assert_eq!(
        (error.code, error.to_string().as_str()),
        (Code::NoDescriptor, "the node that gives `b` (Scaler): the operator has no descriptor")
    );
}

#[test]
fn what_cannot_be_read_is_told_with_its_node() {
    let model = model();
    let error = |index| model.graph().unwrap().nodes().get(index).unwrap().operator().unwrap_err();
    let text = |index| error(index).to_string();
    assert_eq!(text(2), "the node `third` (Softmax): the attribute `axis` has the kind FLOAT; it must be INT");
    assert_eq!((error(2).code, error(2).expected.as_deref()), (Code::AttributeType, Some("INT")));
    assert_eq!(text(3), "the node that gives `c` (Op): the domain com.other is not imported");
    assert_eq!(error(3).code, Code::DomainNotImported);
    assert_eq!(error(4).code, Code::OperatorTooNew);
    assert_eq!(text(5), "the node that gives `e` (Softmaxx): the operator has no descriptor");
    let other = model.graph().unwrap().nodes().first().unwrap().read::<clip::Clip<'_>>().unwrap_err();
    assert_eq!(other.to_string(), "the node that gives `a` (Softmax): it is no Clip");
}

#[test]
fn names_of_values_that_are_left_out() {
    let model = model();
    let last = model.graph().unwrap().nodes().last().unwrap();
    assert_eq!((last.input_names(), last.output_names()), (vec![Some("x")], vec![None, Some("e")]));
}

#[test]
fn the_elements_of_constants_and_the_readers_of_values() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("weights"), [0, 5, 6]).unwrap();
    let entry = |key: &str, value: &str| StringStringEntryProto { key: key.into(), value: value.into() };
    let uint8 =
        |name: &str| TensorProto { name: name.into(), data_type: Some(2), dims: vec![2], ..TensorProto::default() };
    let inside = GraphProto {
        node: vec![node("", "Neg", &["w"], &["inner"])],
        output: vec![named("inner")],
        ..GraphProto::default()
    };
    let mut with_graph = node("", "If", &["cond"], &["out"]);
    with_graph.attribute = vec![body("then_branch", inside.clone()), body("else_branch", inside)];
    let graph = GraphProto {
        node: vec![node("", "Add", &["w", "w"], &["sum"]), with_graph],
        initializer: vec![
            TensorProto { raw_data: Some(vec![1, 2].into()), ..uint8("near") },
            TensorProto {
                data_location: Some(DataLocation::External.number()),
                external_data: vec![entry("location", "weights"), entry("offset", "1")],
                ..uint8("w")
            },
            TensorProto { raw_data: Some(vec![1].into()), ..uint8("short") },
        ],
        input: vec![named("cond")],
        ..GraphProto::default()
    };
    let proto = ModelProto {
        ir_version: Some(8),
        opset_import: imports(&[("", 13)]),
        graph: Some(graph),
        ..ModelProto::default()
    };
    let path = folder.path().join("model.onnx");
    std::fs::write(&path, proto.encode_to_vec()).unwrap();
    let file = ModelFile::open(&path).unwrap();
    let analysis = analyse(file.model(), &Options::of(&file)).unwrap();
    let id = |name| analysis.scopes().index(0, name).unwrap();

    let elements = |name| analysis.tensor(id(name), file.external()).unwrap().map(|of| (of.dims, of.bytes.to_vec()));
    assert_eq!(elements("near").unwrap(), (vec![2], vec![1, 2]));
    assert_eq!(elements("w").unwrap(), (vec![2], vec![5, 6]));
    assert_eq!(elements("short").unwrap_err().code(), Code::TensorData);
    assert!(analysis.tensor(id("w"), &External::none()).unwrap().is_err());
    assert!(analysis.tensor(id("sum"), file.external()).is_none());
    assert_eq!(analysis.value(id("sum")).unwrap().name, "sum");

    let branch = file.model().graph().unwrap().nodes().get(1).unwrap().subgraph("else_branch").unwrap();
    assert_eq!(analysis.graph(branch), Some(2));
    let readers = &analysis.consumers()[id("w") as usize];
    let operators: Vec<&str> = readers.iter().map(|node| node.op_type()).collect();
    assert_eq!(operators, ["Add", "Neg", "Neg"], "each once, those in other graphs too");
}

#[test]
fn what_is_known_of_inputs_lifts_an_old_version() {
    let mut clip = node("", "Clip", &["w"], &["y"]);
    let float = |name: &str, value| AttributeProto {
        name: name.into(),
        r#type: Some(AttributeKind::Float.number()),
        f: Some(value),
        ..AttributeProto::default()
    };
    clip.attribute = vec![float("min", 0.0), float("max", 6.0)];
    let tensor = TensorProto { name: "w".into(), data_type: Some(1), dims: vec![0], ..TensorProto::default() };
    let graph = GraphProto { node: vec![clip], initializer: vec![tensor], ..GraphProto::default() };
    let proto = ModelProto {
        ir_version: Some(8),
        opset_import: imports(&[("", 6)]),
        graph: Some(graph),
        ..ModelProto::default()
    };
    let model = Model::of(&proto).unwrap();
    let analysis = analyse(&model, &Options::default()).unwrap();
    let node = model.graph().unwrap().nodes().first().unwrap();
    let any = node.read::<clip::Clip<'_>>().unwrap();
    let known = analysis.scopes();
    let latest = any.latest(&known.known_inputs(0, node), 1).unwrap();
    // Constants of the type of the input, which only the analysis knows.
    let types: Vec<_> = latest.inputs().iter().filter_map(|input| input.constant()).map(|of| of.element).collect();
    assert_eq!(types, [shape_core::DataType::Float; 2]);
    assert!(any.latest(&[Some(shape_core::convert::Known::default())], 1).is_err());
}
