//! The codes of what no value depends on: the form of a file, its functions, the graphs inside of its nodes.

use shape_core::DataType;
use shape_core::code::Code;
use shape_core::node::AttributeKind;
use shape_model::file::proto::{
    AttributeProto, DeviceConfigurationProto, FunctionProto, GraphProto, MapType, ModelProto,
    NodeDeviceConfigurationProto, NodeProto, OpaqueType, OptionalType, SequenceType, ShardingSpecProto,
    SparseTensorProto, StringStringEntryProto, TensorAnnotation, TensorProto, TrainingInfoProto, TypeProto, TypeValue,
    ValueInfoProto,
};

use super::Case;
use crate::model::{
    Change as _, acme, attribute, function, graph, in_graph, initializer, int, int64s, model, node, of, one, one_at,
    opset, subgraph, tensor_type, value, with_acme,
};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut case = |code, place, with, without| cases.push(Case { code, place, with, without });
    versions(&mut case);
    declarations(&mut case);
    names(&mut case);
    references(&mut case);
    tensors(&mut case);
    attributes(&mut case);
    bodies(&mut case);
    functions(&mut case);
    cases
}

/// Takes a case: the code, its place, the model with it and the one without.
type Take<'t> = &'t mut dyn FnMut(Code, &'static str, ModelProto, ModelProto);

fn pair(key: &str, value: &str) -> StringStringEntryProto {
    StringStringEntryProto { key: key.into(), value: value.into() }
}

fn ir(model: ModelProto, version: i64) -> ModelProto {
    model.with(|model| model.ir_version = Some(version))
}

fn versions(case: Take<'_>) {
    let newest = i64::from(shape_core::opset::releases().last().unwrap().ir);
    case(Code::IrVersionTooNew, "", ir(one(), newest + 1), ir(one(), newest));
    case(Code::IrVersionTooNew, "", ir(one(), i64::MAX), one());
    case(Code::FieldMissing, "", ir(one(), 0), ir(one(), 8));
    case(Code::FieldMissing, "", one().with(|model| model.ir_version = None), one());
    // Opset 18 came with IR version 8, opset 19 with 9.
    case(Code::IrVersionTooOld, "", one_at(19), one_at(18));
    case(Code::IrVersionTooOld, "", one_at(19), ir(one_at(19), 9));
    case(Code::IrVersionTooOld, "", ir(one_at(1), 2), ir(one_at(1), 3));
    let ml = |version| one().with(|model| model.opset_import.push(opset("ai.onnx.ml", version)));
    case(Code::IrVersionTooOld, "", ml(4), ml(3));
    let functions = || one_at(14).with(|model| model.functions.push(function(vec![node("Abs", &["a"], &["b"])], 14)));
    case(Code::IrVersionTooOld, "", ir(functions(), 7), ir(functions(), 8));
    let metadata = || in_graph(one(), |graph| graph.node[0].metadata_props.push(pair("key", "value")));
    case(Code::IrVersionTooOld, "graph#0", ir(metadata(), 9), ir(metadata(), 10));
    let past = |version| one().with(|model| model.opset_import.push(opset("com.acme", version)));
    case(Code::OpsetTooNew, "", past(1 << 31), past((1 << 31) - 1));
}

fn declarations(case: Take<'_>) {
    let input = |ty: Option<TypeProto>| {
        in_graph(one(), |graph| {
            graph.input.push(ValueInfoProto { name: "z".into(), r#type: ty, ..ValueInfoProto::default() });
        })
    };
    let typed = |ty: TypeValue| input(Some(of(ty)));
    let output = |text: &str| in_graph(one(), |graph| graph.output = vec![value(text)]);
    let float = || Some(Box::new(tensor_type("float[2]")));
    let map = |key: DataType, to| TypeValue::MapType(MapType { key_type: Some(key.number().into()), value_type: to });
    let sequence = |of| TypeValue::SequenceType(SequenceType { elem_type: of });
    let opaque = |name: &str| TypeValue::OpaqueType(OpaqueType { name: name.into(), ..OpaqueType::default() });
    case(Code::InputUntyped, "graph", input(None), typed(map(DataType::Int64, float())));
    case(Code::InputUntyped, "graph", input(Some(TypeProto::default())), input(Some(tensor_type("float[2]"))));
    case(Code::InputUntyped, "graph", input(Some(tensor_type("0[2]"))), input(Some(tensor_type("float[2]"))));
    case(Code::InputUntyped, "graph", typed(sequence(None)), typed(sequence(float())));
    case(Code::InputUntyped, "graph", typed(sequence(Some(Box::default()))), typed(sequence(float())));
    case(
        Code::InputUntyped,
        "graph",
        typed(TypeValue::OptionalType(OptionalType { elem_type: None })),
        typed(TypeValue::OptionalType(OptionalType { elem_type: float() })),
    );
    case(Code::InputUntyped, "graph", typed(map(DataType::Int64, None)), typed(map(DataType::Int64, float())));
    case(Code::InputUntyped, "graph", typed(opaque("")), typed(opaque("Handle")));
    case(Code::MapKeyType, "graph", typed(map(DataType::Float, float())), typed(map(DataType::String, float())));
    case(
        Code::MapKeyType,
        "graph",
        typed(sequence(Some(Box::new(of(map(DataType::Bool, float())))))),
        typed(sequence(Some(Box::new(of(map(DataType::Uint8, float())))))),
    );
    let declared = |name: &str| in_graph(one(), |graph| graph.value_info = vec![value(name)]);
    case(Code::ValueInfoUnused, "graph", declared("z: float"), declared("x: float"));
    case(Code::DeclarationIncomplete, "graph", output("y"), output("y: int64[?]"));
    case(Code::DeclarationIncomplete, "graph", output("y: int64"), output("y: int64[K]"));
    case(Code::DeclarationIncomplete, "graph", input(Some(tensor_type("float"))), input(Some(tensor_type("float[]"))));
    // A graph inside of a node takes what it is given.
    case(Code::DeclarationIncomplete, "graph", output("y"), if_model(&mut |branch| branch.output = vec![value("a")]));
}

fn names(case: Take<'_>) {
    let nodes = |names: [&str; 3]| {
        let node = |(index, name): (usize, &str)| {
            node("Abs", &["x"], &[["a", "b", "y"][index]]).with(|node| node.name = name.into())
        };
        model(&["x: float[2]"], names.into_iter().enumerate().map(node).collect(), &["y: float[2]"])
    };
    case(Code::NodeNameDuplicate, "graph#2", nodes(["n", "m", "n"]), nodes(["n", "m", "o"]));
    case(Code::NodeNameDuplicate, "graph#1", nodes(["n", "n", "n"]), nodes(["", "", "n"]));
    // Names of nodes are those of one graph.
    case(
        Code::NodeNameDuplicate,
        "graph#1",
        nodes(["n", "n", ""]),
        in_graph(if_model(&mut |branch| branch.node[0].name = "n".into()), |graph| graph.node[0].name = "n".into()),
    );
    let unnamed = |change: &dyn Fn(&mut GraphProto)| in_graph(one(), |graph| change(graph));
    case(Code::FieldMissing, "graph", unnamed(&|graph| graph.name.clear()), one());
    case(Code::FieldMissing, "graph", unnamed(&|graph| graph.output.push(value(": int64[3]"))), one());
    case(Code::FieldMissing, "graph", unnamed(&|graph| graph.initializer.push(initializer("", &[1]))), one());
    case(
        Code::FieldMissing,
        "graph/0:If.then_branch",
        if_model(&mut |branch| branch.name.clear()),
        if_model(&mut |_| ()),
    );
    case(
        Code::OutputUndefined,
        "graph/0:If.then_branch",
        if_model(&mut |branch| branch.output = vec![value("x: float[2]")]),
        if_model(&mut |branch| branch.output = vec![value("a: float[2]")]),
    );
    let bare = |outputs: &[&str]| in_graph(with_acme(one()), |graph| graph.node.push(acme("Nothing", &[], outputs)));
    case(Code::NodeUnconnected, "graph#1", bare(&[]), bare(&["z"]));
    let largest = |inputs: &[&str]| model(&["x: float[2]"], vec![node("Max", inputs, &["y"])], &["y: float[2]"]);
    case(Code::InputMissing, "graph#0", largest(&["x", ""]), largest(&["x", "x"]));
    let top = |outputs: &[&str]| {
        let nodes = vec![node("TopK", &["x", "k"], outputs)];
        model(&["x: float[2]", "k: int64[1]"], nodes, &["i: int64[1]"])
    };
    case(Code::OutputMissing, "graph#0", top(&["", "i"]), top(&["v", "i"]));
    let optional = |outputs: &[&str]| {
        let inputs = ["x: float[1,2,3]", "w: float[1,16,3]", "r: float[1,16,4]"];
        model(&inputs, vec![node("LSTM", &["x", "w", "r"], outputs)], &["h: float[1,2,4]"])
    };
    case(Code::OutputMissing, "graph#0", top(&["", "i"]), optional(&["", "h"]));
    let experiment = |op_type: &str| model(&["x: float[2]"], vec![node(op_type, &["x"], &["y"])], &["y: float[2]"]);
    case(Code::OperatorExperimental, "graph#0", experiment("ScaledTanh"), experiment("Tanh"));
    let twice = |keys: [&str; 2]| one().with(|model| model.metadata_props = keys.map(|key| pair(key, "v")).into());
    case(Code::KeyDuplicate, "", twice(["author", "author"]), twice(["author", "licence"]));
    let twice = |keys: [&str; 2]| {
        ir(in_graph(one(), |graph| graph.node[0].metadata_props = keys.map(|key| pair(key, "v")).into()), 10)
    };
    case(Code::KeyDuplicate, "graph#0", twice(["a", "a"]), twice(["a", "b"]));
}

fn references(case: Take<'_>) {
    let weighted = || in_graph(one(), |graph| graph.initializer.push(initializer("w", &[2])));
    let quantized = |tensor: &str, scale: &str| {
        in_graph(weighted(), |graph| {
            graph.quantization_annotation.push(TensorAnnotation {
                tensor_name: tensor.into(),
                quant_parameter_tensor_names: vec![pair("SCALE_TENSOR", scale)],
            });
        })
    };
    case(Code::ReferenceUndefined, "graph", quantized("z", "w"), quantized("y", "w"));
    case(Code::ReferenceUndefined, "graph", quantized("y", "z"), quantized("x", "w"));
    let trained = |bindings: &[(&str, &str)]| {
        weighted().with(|model| {
            let update_binding = bindings.iter().map(|(key, value)| pair(key, value)).collect();
            model.training_info.push(TrainingInfoProto {
                algorithm: Some(graph(&[], vec![], &["step"])),
                update_binding,
                ..TrainingInfoProto::default()
            });
        })
    };
    case(Code::ReferenceUndefined, "", trained(&[("z", "step")]), trained(&[("w", "step")]));
    case(Code::ReferenceUndefined, "", trained(&[("w", "z")]), trained(&[("w", "y")]));
    case(Code::KeyDuplicate, "", trained(&[("w", "y"), ("w", "step")]), trained(&[("w", "y")]));
    let initialized = |value: &str| {
        trained(&[]).with(|model| {
            model.training_info[0].initialization = Some(graph(&[], vec![], &["first"]));
            model.training_info[0].initialization_binding = vec![pair("w", value)];
        })
    };
    case(Code::ReferenceUndefined, "", initialized("y"), initialized("first"));
    let devices = |configuration: &str, tensor: &str, names: &[&str]| {
        let device = names.iter().map(|name| (*name).into()).collect();
        let spec = ShardingSpecProto { tensor_name: tensor.into(), ..ShardingSpecProto::default() };
        ir(
            in_graph(one(), |graph| {
                graph.node[0].device_configurations.push(NodeDeviceConfigurationProto {
                    configuration_id: configuration.into(),
                    sharding_spec: vec![spec],
                    ..NodeDeviceConfigurationProto::default()
                });
            }),
            11,
        )
        .with(|model| {
            let name = "two".into();
            model.configuration.push(DeviceConfigurationProto { name, num_devices: Some(2), device });
        })
    };
    case(Code::ReferenceUndefined, "graph#0", devices("three", "x", &[]), devices("two", "x", &[]));
    case(Code::ReferenceUndefined, "graph#0", devices("two", "w", &[]), devices("two", "y", &["a", "b"]));
    case(Code::ReferenceUndefined, "", devices("two", "x", &["a"]), devices("two", "x", &["a", "b"]));
}

fn sparse(values: &[i64], indices: TensorProto, dims: &[i64]) -> SparseTensorProto {
    let values = initializer("s", values);
    SparseTensorProto { values: Some(values), indices: Some(indices), dims: dims.into() }
}

fn tensors(case: Take<'_>) {
    let weight = |change: &dyn Fn(&mut TensorProto)| {
        in_graph(one(), |graph| graph.initializer.push(initializer("w", &[2]).with(|tensor| change(tensor))))
    };
    case(Code::TensorData, "graph", weight(&|tensor| tensor.dims = vec![3]), weight(&|_| ()));
    case(Code::TensorData, "graph", weight(&|tensor| tensor.data_type = Some(8)), weight(&|_| ()));
    let default = || in_graph(weight(&|_| ()), |graph| graph.input.push(value("w: float[2]")));
    case(Code::InitializerUnused, "graph", weight(&|_| ()), default());
    let read = |text: &str| in_graph(weight(&|_| ()), |graph| graph.output.push(value(text)));
    case(Code::InitializerUnused, "graph", read("x: float[N,3,4]"), read("w: float[2]"));
    case(Code::ElementTypeUnknown, "graph", weight(&|tensor| tensor.data_type = None), weight(&|_| ()));
    case(Code::ElementTypeUnknown, "graph", weight(&|tensor| tensor.data_type = Some(29)), weight(&|_| ()));
    let constant = |dims: &[i64]| {
        let dims = dims.to_vec();
        let tensor = initializer("", &[2]).with(|tensor| tensor.dims = dims);
        let value = AttributeProto { name: "value".into(), t: Some(Box::new(tensor)), ..AttributeProto::default() };
        let value = attribute(value, AttributeKind::Tensor);
        let node = node("Constant", &[], &["y"]).with(|node| node.attribute = vec![value]);
        model(&[], vec![node], &["y: float[?]"])
    };
    case(Code::TensorData, "graph#0", constant(&[3]), constant(&[2]));
    case(Code::DimsNegative, "graph#0", constant(&[-2]), constant(&[2]));
    let initializer = |sparse: SparseTensorProto| in_graph(one(), |graph| graph.sparse_initializer = vec![sparse]);
    let linear = |places: &[i64]| initializer(sparse(&[2], int64s("i", &[2], places), &[2, 3]));
    let pairs = |places: &[i64]| initializer(sparse(&[2], int64s("i", &[2, 2], places), &[2, 3]));
    case(Code::SparseTensor, "graph", linear(&[0, 6]), linear(&[0, 5]));
    case(Code::SparseTensor, "graph", linear(&[-1, 5]), linear(&[4, 5]));
    case(Code::SparseTensor, "graph", linear(&[5, 0]), linear(&[0, 1]));
    case(Code::SparseTensor, "graph", linear(&[5, 5]), linear(&[0, 5]));
    case(Code::SparseTensor, "graph", pairs(&[0, 0, 1, 3]), pairs(&[0, 0, 1, 2]));
    case(Code::SparseTensor, "graph", pairs(&[1, 0, 0, 2]), pairs(&[0, 2, 1, 0]));
    case(Code::SparseTensor, "graph", pairs(&[1, 0, 1, 0]), pairs(&[0, 1, 1, 1]));
    let dims = |dims: &[i64]| initializer(sparse(&[0], int64s("i", &[0], &[]), dims));
    case(Code::SparseTensor, "graph", dims(&[]), dims(&[1]));
    case(Code::SparseTensor, "graph", dims(&[2, 0]), dims(&[2, 1]));
    let form = |form: &[i64]| initializer(sparse(&[2], int64s("i", form, &[0, 1, 2, 3]), &[4]));
    case(Code::SparseTensor, "graph", form(&[2, 2]), linear(&[0, 1]));
    case(Code::SparseTensor, "graph", form(&[4]), linear(&[0, 1]));
    case(Code::SparseTensor, "graph", initializer(SparseTensorProto::default()), dims(&[1]));
    let placeless =
        |count: i64| initializer(SparseTensorProto { indices: None, ..sparse(&[count], int64s("i", &[0], &[]), &[2]) });
    case(Code::SparseTensor, "graph", placeless(1), placeless(0));
    let indices = |number| {
        let indices = int64s("i", &[0], &[]).with(|tensor| tensor.data_type = Some(number));
        initializer(sparse(&[0], indices, &[2]))
    };
    case(Code::SparseTensor, "graph", indices(6), indices(7));
    let as_input = |inputs: &[&str]| {
        ir(one_at(8), 3).with(|model| {
            let graph = model.graph.as_mut().unwrap();
            graph.initializer.push(crate::model::initializer("w", &[2]));
            graph.input.extend(inputs.iter().map(|input| value(input)));
        })
    };
    case(Code::InitializerNotInput, "graph", as_input(&[]), as_input(&["w: float[2]"]));
    case(Code::InitializerNotInput, "graph", as_input(&[]), ir(as_input(&[]), 4));
}

/// A node with these attributes, of an operator that nobody has described.
fn with_attributes(attributes: Vec<AttributeProto>) -> ModelProto {
    let node = acme("Blur", &["x"], &["y"]).with(|node| node.attribute = attributes);
    with_acme(model(&["x: float[2]"], vec![node], &["y: float[2]"]))
}

fn attributes(case: Take<'_>) {
    let one = |change: &dyn Fn(&mut AttributeProto)| {
        let mut attribute = int("a", 1);
        change(&mut attribute);
        with_attributes(vec![attribute])
    };
    let right = || with_attributes(vec![int("a", 1)]);
    case(Code::AttributeFields, "graph#0", one(&|attribute| attribute.ints = vec![1]), right());
    case(Code::AttributeFields, "graph#0", one(&|attribute| (attribute.i, attribute.f) = (None, Some(1.0))), right());
    let tensor = |tensor: Option<TensorProto>| {
        one(&|attribute| {
            (attribute.i, attribute.t) = (None, tensor.clone().map(Box::new));
            attribute.r#type = Some(AttributeKind::Tensor.number());
        })
    };
    case(Code::AttributeFields, "graph#0", tensor(None), tensor(Some(initializer("", &[1]))));
    case(Code::FieldMissing, "graph#0", one(&|attribute| attribute.r#type = None), right());
    case(Code::FieldMissing, "graph#0", one(&|attribute| attribute.r#type = Some(99)), right());
    let reference = |to: &str| {
        let mut attribute = AttributeProto { i: None, ..int("start", 1) };
        attribute.ref_attr_name = to.into();
        attribute
    };
    case(Code::AttributeReference, "graph#0", with_attributes(vec![reference("a")]), right());
    let inside = |attribute: AttributeProto| {
        let body = node("Shape", &["a"], &["b"]).with(|node| node.attribute = vec![attribute]);
        called(function(vec![body], 17), vec![]).with(|model| {
            model.ir_version = Some(9);
            model.graph.as_mut().unwrap().output = vec![value("y: int64[?]")];
            model.functions[0].attribute = vec!["from".into()];
            model.functions[0].attribute_proto = vec![int("to", 0), crate::model::float("part", 0.5)];
        })
    };
    case(Code::AttributeReference, "function my::F#0", inside(reference("form")), inside(reference("from")));
    case(Code::AttributeReference, "function my::F#0", inside(reference("part")), inside(reference("to")));
    let besides = |value| {
        let mut attribute = reference("from");
        attribute.i = value;
        attribute
    };
    case(Code::AttributeFields, "function my::F#0", inside(besides(Some(1))), inside(besides(None)));
}

/// An If, with its first branch changed.
fn if_model(change: &mut dyn FnMut(&mut GraphProto)) -> ModelProto {
    let branch = |output: &str| graph(&[], vec![node("Abs", &["x"], &[output])], &[&format!("{output}: float[2]")]);
    let mut first = branch("a");
    change(&mut first);
    let node = node("If", &["c"], &["y"])
        .with(|node| node.attribute = vec![subgraph("then_branch", first), subgraph("else_branch", branch("b"))]);
    model(&["c: bool[]", "x: float[2]"], vec![node], &["y: float[2]"])
}

/// A Loop that carries `x` on and gives out a slice each round, with its body changed.
fn loop_model(change: impl FnOnce(&mut GraphProto)) -> ModelProto {
    let nodes =
        vec![node("Identity", &["go"], &["on"]), node("Abs", &["v"], &["w"]), node("Identity", &["v"], &["slice"])];
    let inputs = ["round: int64[]", "go: bool[]", "v: float[2]"];
    let body = graph(&inputs, nodes, &["on: bool[]", "w: float[2]", "slice: float[2]"]).with(change);
    let node = node("Loop", &["n", "c", "x"], &["y", "z"]).with(|node| node.attribute = vec![subgraph("body", body)]);
    model(&["n: int64[]", "c: bool[]", "x: float[2]"], vec![node], &["y: float[2]", "z: float[?,2]"])
}

fn bodies(case: Take<'_>) {
    let two = |graph: &mut GraphProto| graph.output.push(value("x: float[2]"));
    case(Code::SubgraphCount, "graph#0", if_model(&mut { two }), if_model(&mut |_| ()));
    let input = |graph: &mut GraphProto| graph.input.push(value("i: float[2]"));
    case(Code::SubgraphCount, "graph#0", if_model(&mut { input }), if_model(&mut |_| ()));
    let cast = |graph: &mut GraphProto| {
        graph.node = vec![node("Shape", &["x"], &["a"])];
        graph.output = vec![value("a: int64[1]")];
    };
    case(Code::SubgraphType, "graph#0", if_model(&mut { cast }), if_model(&mut |_| ()));
    case(Code::SubgraphCount, "graph#0", loop_model(|body| drop(body.output.remove(0))), loop_model(|_| ()));
    // Up to IR 3 an initializer of a body is an input of it too.
    let constant = |model: ModelProto, initialized: bool| {
        in_graph(ir(model, 3), |graph| {
            let body = graph.node[0].attribute[0].g.as_mut().unwrap();
            body.input.push(value("k: float[2]"));
            body.initializer.extend(initialized.then(|| initializer("k", &[2])));
        })
        .with(|model| model.opset_import = vec![opset("", 8)])
    };
    case(Code::SubgraphCount, "graph#0", constant(loop_model(|_| ()), false), constant(loop_model(|_| ()), true));
    case(
        Code::SubgraphScalar,
        "graph/0:Loop.body",
        loop_model(|body| body.input[0] = value("round: int64[1]")),
        loop_model(|body| body.input[0] = value("round: int64[]")),
    );
    let given = |count: &str| in_graph(loop_model(|_| ()), |graph| graph.input[0] = value(count));
    case(Code::SubgraphScalar, "graph#0", given("n: int64[1]"), given("n: int64"));
    case(Code::RankMismatch, "graph#0", given("n: int64[2]"), given("n: int64[K]"));
    let chosen = |condition: &str| in_graph(if_model(&mut |_| ()), |graph| graph.input[0] = value(condition));
    case(Code::RankMismatch, "graph#0", chosen("c: bool[2]"), chosen("c: bool[1, 1]"));
    // What a body declares of a value that it computes.
    let declared = |ty: &str| loop_model(|body| body.value_info.push(value(ty)));
    case(Code::OutputType, "graph/0:Loop.body", declared("w: int64[2]"), declared("w: float[2]"));
    case(Code::OutputDims, "graph/0:Loop.body", declared("w: float[3]"), declared("w: float"));
    case(Code::OutputType, "graph/0:Loop.body", declared("round: float[]"), declared("round: int64[]"));
    let branch = |ty: &str| if_model(&mut |branch| branch.output = vec![value(ty)]);
    case(Code::OutputType, "graph/0:If.then_branch#0", branch("a: int64[2]"), branch("a: float[2]"));
    case(Code::SubgraphCount, "graph#0", loop_model(|body| drop(body.input.remove(0))), loop_model(|_| ()));
    case(
        Code::SubgraphType,
        "graph#0",
        loop_model(|body| body.input[0] = value("round: int32[]")),
        loop_model(|body| body.input[0] = value("round")),
    );
    case(
        Code::SubgraphType,
        "graph#0",
        loop_model(|body| body.input[2] = value("v: double[2]")),
        loop_model(|body| body.input[2] = value("v: float")),
    );
    let shape = |body: &mut GraphProto| {
        body.node[1] = node("Shape", &["v"], &["w"]);
        body.output[1] = value("w: int64[1]");
    };
    case(Code::SubgraphType, "graph#0", loop_model(shape), loop_model(|_| ()));
    let pack = |body: &mut GraphProto| {
        let ty = of(TypeValue::SequenceType(SequenceType { elem_type: Some(Box::new(tensor_type("float[2]"))) }));
        body.node[2] = node("SequenceConstruct", &["v"], &["slice"]);
        body.output[2] = ValueInfoProto { name: "slice".into(), r#type: Some(ty), ..ValueInfoProto::default() };
    };
    case(Code::SubgraphType, "graph#0", loop_model(pack), loop_model(|_| ()));
    let given = |body: &mut GraphProto| body.initializer.push(initializer("v", &[2]));
    case(Code::InitializerInput, "graph/0:Loop.body", loop_model(given), loop_model(|_| ()));
    let scan = |count: i64, element: &str| {
        let nodes = vec![node("Add", &["s", "e"], &["t"]), node("Identity", &["s"], &["slice"])];
        let inputs = ["s: float[2]", element];
        let body = graph(&inputs, nodes, &["t: float[2]", "slice: float[2]"]);
        let node = node("Scan", &["x", "l"], &["y", "z"])
            .with(|node| node.attribute = vec![subgraph("body", body), int("num_scan_inputs", count)]);
        model(&["x: float[2]", "l: float[5,2]"], vec![node], &["y: float[2]", "z: float[5,2]"])
    };
    case(Code::InputCount, "graph#0", scan(3, "e: float[2]"), scan(1, "e: float[2]"));
    case(Code::SubgraphType, "graph#0", scan(1, "e: double[2]"), scan(1, "e: float[2]"));
    let mapped = |element: &str| {
        let body = graph(&[element], vec![node("Identity", &["e"], &["f"])], &["f"]);
        let nodes = vec![
            node("SequenceConstruct", &["x"], &["s"]),
            node("SequenceMap", &["s"], &["t"]).with(|node| node.attribute = vec![subgraph("body", body)]),
            node("SequenceLength", &["t"], &["y"]),
        ];
        let sequence = of(TypeValue::SequenceType(SequenceType { elem_type: Some(Box::new(tensor_type("float[2]"))) }));
        in_graph(model(&["x: float[2]"], nodes, &["y: int64[]"]), |graph| {
            for name in ["s", "t"] {
                let r#type = Some(sequence.clone());
                graph.value_info.push(ValueInfoProto { name: name.into(), r#type, ..ValueInfoProto::default() });
            }
        })
    };
    case(Code::SubgraphType, "graph#1", mapped("e: double[2]"), mapped("e: float[2]"));
}

/// `y = my::F(x)` with these attributes.
fn called(function: FunctionProto, attributes: Vec<AttributeProto>) -> ModelProto {
    let call = node("F", &["x"], &["y"]).with(|node| (node.domain, node.attribute) = ("my".into(), attributes));
    model(&["x: float[2]"], vec![call], &["y: float[2]"]).with(|model| {
        model.opset_import.push(opset("my", 1));
        model.functions.push(function);
    })
}

fn functions(case: Take<'_>) {
    let abs = || node("Abs", &["a"], &["b"]);
    let of = |nodes: Vec<NodeProto>| {
        called(function(nodes, 17).with(|function| function.opset_import.push(opset("my", 1))), vec![])
    };
    let with = |change: &dyn Fn(&mut FunctionProto)| of(vec![abs()]).with(|model| change(&mut model.functions[0]));
    let gives_two = |outputs: &[&str]| {
        let two = with(&|function| {
            function.node.push(node("Neg", &["a"], &["c"]));
            function.output.push("c".into());
        });
        in_graph(two, |graph| graph.node[0].output = outputs.iter().map(|name| (*name).into()).collect())
    };
    case(Code::OutputCount, "graph#0", gives_two(&["y"]), gives_two(&["y", ""]));
    case(Code::OutputCount, "graph#0", gives_two(&["y", "", "z"]), gives_two(&["y", "z"]));
    let twice = |overload: &str| {
        ir(of(vec![abs()]), 10).with(|model| {
            let second = model.functions[0].clone().with(|function| function.overload = overload.into());
            model.functions.push(second);
        })
    };
    case(Code::FunctionDuplicate, "function my::F", twice(""), twice("second"));
    let also = |output: &str| {
        in_graph(with(&|function| function.output.push(output.into())), |graph| graph.node[0].output.push("z".into()))
    };
    case(Code::OutputDuplicate, "function my::F", also("b"), also("a"));
    case(
        Code::AttributeDuplicate,
        "function my::F",
        with(&|function| function.attribute = vec!["k".into(), "k".into()]),
        with(&|function| function.attribute = vec!["k".into(), "l".into()]),
    );
    case(
        Code::AttributeDuplicate,
        "function my::F",
        with(&|function| (function.attribute, function.attribute_proto) = (vec!["k".into()], vec![int("k", 1)])),
        with(&|function| (function.attribute, function.attribute_proto) = (vec!["k".into()], vec![int("l", 1)])),
    );
    case(Code::FieldMissing, "function my::", with(&|function| function.name.clear()), with(&|_| ()));
    let call = |op_type: &str| node(op_type, &["a"], &["b"]).with(|node| node.domain = "my".into());
    case(Code::FunctionRecursive, "function my::F", of(vec![call("F")]), of(vec![abs()]));
    let chain = |last: NodeProto| {
        of(vec![call("G")]).with(|model| {
            let next = model.functions[0].clone();
            for (name, node) in [("G", call("H")), ("H", last)] {
                model
                    .functions
                    .push(next.clone().with(|function| (function.name, function.node) = (name.into(), vec![node])));
            }
        })
    };
    case(Code::FunctionRecursive, "function my::F", chain(call("F")), chain(abs()));
    case(Code::FunctionRecursive, "function my::G", chain(call("G")), chain(abs()));
    let nested = |inner: NodeProto| {
        let branch = || graph(&[], vec![inner.clone().with(|node| node.output = vec!["c".into()])], &["c"]);
        let attributes = vec![subgraph("then_branch", branch()), subgraph("else_branch", branch())];
        in_graph(of(vec![node("If", &["a"], &["b"]).with(|node| node.attribute = attributes)]), |graph| {
            (graph.input, graph.output) = (vec![value("x: bool[]")], vec![value("y: bool[]")]);
        })
    };
    let not = node("Not", &["a"], &["b"]);
    case(Code::FunctionRecursive, "function my::F", nested(call("F")), nested(not));
    // Between 13 and 15 Shape changed, and Abs did not.
    let body = |op_type: &str, version| {
        let function = function(vec![node(op_type, &["a"], &["b"])], version);
        called(function, vec![]).with(|model| {
            model.opset_import[0] = opset("", 15);
            model.graph.as_mut().unwrap().output = vec![value("y")];
        })
    };
    case(Code::FunctionOpset, "function my::F#0", body("Shape", 13), body("Abs", 13));
    case(Code::FunctionOpset, "function my::F#0", body("Shape", 13), body("Shape", 16));
    case(Code::FunctionOpset, "function my::F#0", body("Gelu", 20), body("Abs", 20));
    let axis = |reference: Option<&str>| {
        let concat = node("Concat", &["a", "a"], &["b"]).with(|node| {
            let mut axis = int("axis", 0);
            if let Some(to) = reference {
                (axis.i, axis.ref_attr_name) = (None, to.into());
            }
            node.attribute = vec![axis];
        });
        function(vec![concat], 17).with(|function| function.attribute = vec!["k".into()])
    };
    let call = |function, attributes| {
        in_graph(called(function, attributes), |graph| graph.output = vec![value("y: float[?]")])
    };
    case(Code::AttributeMissing, "graph#0", call(axis(Some("k")), vec![]), call(axis(Some("k")), vec![int("k", 0)]));
    case(Code::AttributeMissing, "graph#0", call(axis(Some("k")), vec![]), call(axis(None), vec![]));
    case(Code::AttributeUnknown, "graph#0", call(axis(None), vec![int("l", 0)]), call(axis(None), vec![int("k", 0)]));
    let default =
        |attributes| ir(call(axis(None).with(|function| function.attribute_proto = vec![int("d", 1)]), attributes), 9);
    case(Code::AttributeType, "graph#0", default(vec![crate::model::float("d", 1.0)]), default(vec![int("d", 2)]));
    let twice = |names: [&str; 2]| {
        call(
            axis(None).with(|function| function.attribute.push("l".into())),
            names.into_iter().map(|name| int(name, 0)).collect(),
        )
    };
    case(Code::AttributeDuplicate, "graph#0", twice(["k", "k"]), twice(["k", "l"]));
    let given = |inputs: &[&str]| {
        let inputs = inputs.iter().map(|input| (*input).into()).collect();
        in_graph(call(axis(None), vec![]), |graph| graph.node[0].input = inputs)
    };
    case(Code::InputMissing, "graph#0", given(&[]), given(&["x"]));
    case(Code::InputMissing, "graph#0", given(&[""]), given(&["x"]));
    let imported = |imports| call(axis(None), vec![]).with(|model| model.opset_import = imports);
    case(
        Code::DomainNotImported,
        "graph#0",
        imported(vec![opset("", 17)]),
        imported(vec![opset("", 17), opset("my", 3)]),
    );
    // Square roots are of floats; the first function leaves that to the second.
    let root = |input: &str, output: &str| {
        let own = |op_type: &str| node(op_type, &["a"], &["b"]).with(|node| node.domain = "my".into());
        of(vec![own("G")]).with(|model| {
            let second = model.functions[0].clone();
            model.functions.push(second.with(|function| {
                (function.name, function.node) = ("G".into(), vec![node("Sqrt", &["a"], &["b"])]);
            }));
            let graph = model.graph.as_mut().unwrap();
            (graph.input, graph.output) = (vec![value(input)], vec![value(output)]);
        })
    };
    case(Code::TypeNotAllowed, "graph#0", root("x: int64[2]", "y: float[2]"), root("x: double[2]", "y: double[2]"));
    case(Code::OutputType, "graph#0", root("x: float[2]", "y: double[2]"), root("x: float[2]", "y: float[2]"));
}
