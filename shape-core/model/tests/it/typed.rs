//! What an importer asks for: nodes as typed operators, constants, readers.

use shape_core::DataType;
use shape_core::code::Code;
use shape_core::convert::Numbers;
use shape_core::node::AttributeKind;
use shape_core::operators::ai_onnx::{AnyOperator, clip, concat, dropout, gelu, lstm, resize, softmax};
use shape_core::operators::ai_onnx_ml;
use shape_model::file::proto::{
    AttributeProto, DataLocation, Dimension, DimensionValue, FunctionProto, GraphProto, ModelProto, NodeProto,
    OperatorSetIdProto, StringStringEntryProto, TensorProto, TensorShapeProto, TensorType, TypeProto, TypeValue,
    ValueInfoProto,
};
use shape_model::file::{External, Message as _};
use shape_model::{Model, ModelFile, Node, NodeError, Operand, Options, analyse};

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

fn float(name: &str, value: f32) -> AttributeProto {
    let kind = Some(AttributeKind::Float.number());
    AttributeProto { name: name.into(), r#type: kind, f: Some(value), ..AttributeProto::default() }
}

/// A model of one node at an opset, with initializers and inputs.
fn of_node(
    opset: i64,
    ir_version: i64,
    node: NodeProto,
    initializer: Vec<TensorProto>,
    input: Vec<ValueInfoProto>,
) -> Model {
    let output = node.output.iter().filter(|name| !name.is_empty()).map(|name| named(name)).collect();
    Model::of(&ModelProto {
        ir_version: Some(ir_version),
        opset_import: imports(&[("", opset)]),
        graph: Some(GraphProto { node: vec![node], initializer, input, output, ..GraphProto::default() }),
        ..ModelProto::default()
    })
    .unwrap()
}

fn only(model: &Model) -> Node<'_> {
    model.graph().unwrap().nodes().first().unwrap()
}

#[test]
fn attributes_that_would_be_passed_over_are_refused() {
    let with = |attributes: &[AttributeProto]| {
        let mut softmax = node("", "Softmax", &["x"], &["y"]);
        softmax.attribute = attributes.to_vec();
        let model = of_node(13, 8, softmax, Vec::new(), vec![named("x")]);
        let error = only(&model).operator().unwrap_err();
        assert_eq!(only(&model).read::<softmax::Softmax>().unwrap_err(), error);
        (error.code, error.message.into_string())
    };
    let is = |code, message: &str| (code, message.to_owned());
    assert_eq!(with(&[int("axes", 0)]), is(Code::AttributeUnknown, "Softmax-13 has no attribute `axes`"));
    assert_eq!(
        with(&[int("axis", 0), int("axis", 0)]),
        is(Code::AttributeDuplicate, "the attribute `axis` appears twice")
    );
    let bare = AttributeProto { name: "axis".into(), ..AttributeProto::default() };
    let neither = is(Code::FieldMissing, "the attribute `axis` has neither a kind nor a value");
    assert_eq!(with(std::slice::from_ref(&bare)), neither);
    let reference = AttributeProto { ref_attr_name: "outer".into(), ..bare };
    assert_eq!(with(std::slice::from_ref(&reference)), neither);
    let of_kind = AttributeProto { r#type: Some(AttributeKind::Int.number()), ..reference };
    assert_eq!(with(&[of_kind]).0, Code::AttributeNoValue);
    let many: Vec<_> = (0..70).map(|index| int(&format!("a{index}"), 0)).collect();
    assert_eq!(with(&many), is(Code::AttributeUnknown, "Softmax-13 has no attribute `a0`"));
    assert_eq!(with(&vec![int("axis", 0); 70]).0, Code::AttributeDuplicate);
    // What a writer that drops zeros leaves is a zero, as in the analysis.
    let mut softmax = node("", "Softmax", &["x"], &["y"]);
    softmax.attribute = vec![AttributeProto { i: None, ..int("axis", 0) }];
    let model = of_node(13, 8, softmax, Vec::new(), vec![named("x")]);
    assert!(matches!(only(&model).read(), Ok(softmax::Softmax::V13(of)) if of.axis == 0));
}

fn floats(name: &str, values: &[f32]) -> TensorProto {
    TensorProto {
        name: name.into(),
        data_type: Some(1),
        dims: vec![i64::try_from(values.len()).unwrap()],
        float_data: values.iter().copied().collect(),
        ..TensorProto::default()
    }
}

fn of_dims(name: &str, dims: &[i64]) -> ValueInfoProto {
    let dim = |size: &i64| Dimension { value: Some(DimensionValue::DimValue(*size)), ..Dimension::default() };
    let shape = Some(TensorShapeProto { dim: dims.iter().map(dim).collect() });
    let ty = TypeValue::TensorType(TensorType { elem_type: Some(1), shape });
    let ty = TypeProto { value: Some(ty), ..TypeProto::default() };
    ValueInfoProto { name: name.into(), r#type: Some(ty), ..ValueInfoProto::default() }
}

#[test]
fn what_is_known_of_inputs_lifts_an_old_version() {
    let mut old = node("", "Clip", &["w"], &["y"]);
    old.attribute = vec![float("min", 0.0), float("max", 6.0)];
    let model = of_node(6, 8, old, vec![floats("w", &[])], Vec::new());
    let analysis = analyse(&model, &Options::default()).unwrap();
    let none = External::none();
    let reader = analysis.reader(&none);
    let latest = reader.latest::<clip::Clip<'_>>(0, only(&model)).unwrap();
    // Constants of the type of the input, which only the analysis knows.
    let inputs = latest.inputs();
    let clip::Inputs { input, min: Some(Operand::Constant(min)), max: Some(Operand::Constant(max)) } =
        clip::Inputs::of(&inputs).unwrap()
    else {
        panic!("{inputs:?}")
    };
    assert_eq!((input, latest.outputs()), (Operand::Value("w"), vec![Some("y")]));
    assert_eq!((min.element, &min.numbers), (DataType::Float, &Numbers::Floats(vec![0.0])));
    assert_eq!(max.numbers, Numbers::Floats(vec![6.0]));
    let any = only(&model).read::<clip::Clip<'_>>().unwrap();
    assert!(any.latest(&reader.known_inputs(0, only(&model)), 1).is_ok());
    assert!(any.latest(&[Some(shape_core::convert::Known::default())], 1).is_err());
}

/// A node of Resize-10 with these scales: the newest version that can express it, or why none can.
fn resize(ir_version: i64, is_input: bool, folder: Option<&std::path::Path>) -> Result<(), NodeError> {
    let mut scales = floats("scales", &[1.0, 1.0, 2.0, 2.0]);
    let external = folder.map_or(External::none(), |folder| External::beside(folder.join("model.onnx")));
    if folder.is_some() {
        let entry = |key: &str, value: &str| StringStringEntryProto { key: key.into(), value: value.into() };
        scales.float_data = Default::default();
        scales.data_location = Some(DataLocation::External.number());
        scales.external_data = vec![entry("location", "scales")];
    }
    let mut inputs = vec![of_dims("x", &[1, 3, 4, 4])];
    if is_input {
        inputs.push(of_dims("scales", &[4]));
    }
    let model = of_node(10, ir_version, node("", "Resize", &["x", "scales"], &["y"]), vec![scales], inputs);
    let analysis = analyse(&model, &Options { external: external.clone(), ..Options::default() }).unwrap();
    let reader = analysis.reader(&external);
    let latest = reader.latest::<resize::Resize<'_>>(0, only(&model))?;
    let of = latest.operator()?;
    // Version 10 scales from the corner, where the newest one would take the centres of pixels.
    assert_eq!(of.coordinate_transformation_mode, resize::CoordinateTransformationMode::Asymmetric);
    assert_eq!(latest.inputs(), [Some(Operand::Value("x")), None, Some(Operand::Value("scales"))]);
    Ok(())
}

#[test]
fn the_elements_of_constant_inputs_lift_an_old_version() {
    resize(8, false, None).unwrap();
    // A caller may replace an initializer that is an input, but for old files, where each is one.
    let error = resize(8, true, None).unwrap_err();
    assert!(error.to_string().starts_with("the node that gives `y` (Resize): "), "{error}");
    resize(3, true, None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    assert!(resize(8, false, Some(folder.path())).is_err());
    let bytes: Vec<u8> = [1.0_f32, 1.0, 2.0, 2.0].iter().flat_map(|scale| scale.to_le_bytes()).collect();
    std::fs::write(folder.path().join("scales"), bytes).unwrap();
    resize(8, false, Some(folder.path())).unwrap();
}

#[test]
fn constants_that_are_too_many_for_the_analysis_are_read_from_where_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let entry = |key: &str, value: &str| StringStringEntryProto { key: key.into(), value: value.into() };
    let far = |name: &str, count: i64| TensorProto {
        name: name.into(),
        data_type: Some(2),
        dims: vec![count],
        data_location: Some(DataLocation::External.number()),
        external_data: vec![entry("location", "numbers")],
        ..TensorProto::default()
    };
    std::fs::write(folder.path().join("numbers"), [7; 5000]).unwrap();
    let neg = node("", "Neg", &["few"], &["y"]);
    let model = of_node(13, 8, neg, vec![far("few", 300), far("many", 5000)], Vec::new());
    let (none, beside) = (External::none(), External::beside(folder.path().join("model.onnx")));
    let constant = |name, external: &External| {
        let analysis = analyse(&model, &Options { external: external.clone(), ..Options::default() }).unwrap();
        let reader = analysis.reader(external);
        let constant = reader.constant(reader.scopes().index(0, name).unwrap()).cloned();
        constant.map(|constant| constant.numbers)
    };
    assert_eq!(constant("few", &beside), Some(Numbers::Ints(vec![7; 300])));
    assert_eq!(constant("few", &none), None);
    assert_eq!(constant("many", &beside), None, "weights are not read so");
}

#[test]
fn an_operator_that_was_given_up_is_read_as_the_one_that_stands_for_it() {
    let mut upsample = node("", "Upsample", &["x"], &["y"]);
    let scales = AttributeProto {
        r#type: Some(AttributeKind::Floats.number()),
        floats: vec![1.0, 1.0, 2.0, 3.0],
        ..AttributeProto::default()
    };
    upsample.attribute = vec![AttributeProto { name: "scales".into(), ..scales.clone() }];
    let model = of_node(7, 8, upsample.clone(), Vec::new(), vec![of_dims("x", &[1, 3, 4, 4])]);
    let analysis = analyse(&model, &Options::default()).unwrap();
    let none = External::none();
    let reader = analysis.reader(&none);
    let latest = reader.latest::<resize::Resize<'_>>(0, only(&model)).unwrap();
    let of = latest.operator().unwrap();
    assert_eq!((of.mode, of.nearest_mode), (resize::Mode::Nearest, resize::NearestMode::Floor));
    let inputs = latest.inputs();
    let resize::Inputs { roi: None, scales: Some(Operand::Constant(scales)), sizes: None, .. } =
        resize::Inputs::of(&inputs).unwrap()
    else {
        panic!("{inputs:?}")
    };
    assert_eq!(scales.numbers, Numbers::Floats(vec![1.0, 1.0, 2.0, 3.0]));
    let error = reader.latest::<clip::Clip<'_>>(0, only(&model)).unwrap_err();
    assert!(error.to_string().contains("Upsample-7 becomes Resize-13, and not one Clip-13"), "{error}");
    // Neither this nor that may pass over what is wrong.
    let wrong = |attribute: AttributeProto| {
        let upsample = NodeProto { attribute: vec![upsample.attribute[0].clone(), attribute], ..upsample.clone() };
        let model = of_node(7, 8, upsample, Vec::new(), vec![named("x")]);
        let analysis = analyse(&model, &Options::default()).unwrap();
        let error = analysis.reader(&none).latest::<resize::Resize<'_>>(0, only(&model)).unwrap_err();
        error.message.into_string()
    };
    assert_eq!(wrong(int("axes", 1)), "Upsample-7 has no attribute `axes`");
    let bare = AttributeProto { name: "mode".into(), ..AttributeProto::default() };
    assert_eq!(wrong(bare), "the attribute `mode` has neither a kind nor a value");
}

#[test]
fn inputs_and_outputs_that_are_left_out_stay_so() {
    let lstm = node("", "LSTM", &["x", "w", "r", "", "", "h"], &["", "last"]);
    let model = of_node(7, 8, lstm, Vec::new(), ["x", "w", "r", "h"].map(named).to_vec());
    let analysis = analyse(&model, &Options::default()).unwrap();
    let none = External::none();
    let latest = analysis.reader(&none).latest::<lstm::LSTM<'_>>(0, only(&model)).map(|latest| {
        let (inputs, outputs) = (latest.inputs(), latest.outputs());
        let lstm::Inputs { b, initial_h, initial_c, .. } = lstm::Inputs::of(&inputs).unwrap();
        assert_eq!((b, initial_h, initial_c), (None, Some(Operand::Value("h")), None));
        let lstm::Outputs { y, y_h, y_c } = lstm::Outputs::of(&outputs).unwrap();
        assert_eq!((y, y_h, y_c), (None, Some("last"), None));
    });
    latest.unwrap();
    let concat = node("", "Concat", &["a", "b", "c"], &["y"]);
    let names = concat.input.clone();
    let names: Vec<Option<&str>> = names.iter().map(|name| Some(&**name)).collect();
    let concat::Inputs { inputs } = concat::Inputs::of(&names).unwrap();
    assert_eq!(inputs, [Some("a"), Some("b"), Some("c")]);
}

#[test]
fn an_output_that_nobody_reads_does_not_keep_a_node_from_being_lifted() {
    let lift = |reader: &str, output: &str| {
        let mut dropout = node("", "Dropout", &["x"], &["y", "mask"]);
        dropout.attribute = vec![float("ratio", 0.5)];
        let after = node("", "Neg", &[reader], &["z"]);
        let graph = GraphProto {
            node: vec![dropout, after],
            input: vec![of_dims("x", &[2])],
            output: vec![named(output)],
            ..GraphProto::default()
        };
        let opset_import = imports(&[("", 7)]);
        let proto = ModelProto { ir_version: Some(8), opset_import, graph: Some(graph), ..ModelProto::default() };
        let model = Model::of(&proto).unwrap();
        let analysis = analyse(&model, &Options::default()).unwrap();
        let none = External::none();
        let node = model.graph().unwrap().nodes().first().unwrap();
        let reader = analysis.reader(&none);
        let latest = reader.latest::<dropout::Dropout>(0, node);
        latest.map(|latest| latest.outputs().len())
    };
    assert_eq!(lift("y", "z"), Ok(1));
    // Versions differ about the mask.
    assert_eq!(lift("mask", "z").unwrap_err().code, Code::ConversionType);
    assert_eq!(lift("y", "mask").unwrap_err().code, Code::ConversionType);
}

#[test]
fn the_newest_version_is_checked_too() {
    let mut gelu = node("", "Gelu", &["x", "x"], &["y"]);
    gelu.name = "act".into();
    let model = of_node(20, 9, gelu, Vec::new(), vec![named("x")]);
    let analysis = analyse(&model, &Options::default()).unwrap();
    let none = External::none();
    let error = analysis.reader(&none).latest::<gelu::Gelu>(0, only(&model)).unwrap_err();
    assert_eq!(error.to_string(), "the node `act` (Gelu): the node has 2 inputs; allowed: 1");
    assert_eq!((error.expected.as_deref(), error.found.as_deref()), (Some("1"), Some("2")));
}

#[test]
fn producers() {
    let model = of_node(13, 8, node("", "Neg", &["x"], &["y"]), Vec::new(), vec![named("x")]);
    let analysis = analyse(&model, &Options::default()).unwrap();
    let producer = |name| analysis.producer(analysis.scopes().index(0, name).unwrap());
    assert_eq!(producer("y").map(Node::op_type), Some("Neg"));
    assert!(producer("x").is_none() && analysis.producer(7).is_none());
}
