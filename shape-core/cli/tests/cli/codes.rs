//! For each code a model that gives it, and one beside it, as like the first as can be, that does not.

mod form;

use std::collections::BTreeSet;

use shape_core::code::Code;
use shape_core::node::AttributeKind;
use shape_model::file::proto::{
    AttributeProto, DataLocation, ModelProto, OperatorSetIdProto, StringStringEntryProto, TensorProto,
};

use crate::model::{
    Change as _, attribute, float, function, in_graph, initializer, int, int64s, ints, model, node, one, one_at,
    one_with, opset, reshape, value,
};
use crate::run::{Run, check, infer};
use crate::text::text;

/// What a conversion alone gives, tested with it.
const CONVERTED: [Code; 6] = [
    Code::ConversionAttribute,
    Code::ConversionInput,
    Code::ConversionOutput,
    Code::ConversionType,
    Code::ConversionMeaning,
    Code::ConversionUnknown,
];

/// The code, and where it is found.
struct Case {
    code: Code,
    place: &'static str,
    with: ModelProto,
    without: ModelProto,
}

fn cases() -> Vec<Case> {
    let newest = i64::from(shape_core::Registry::builtin().newest_opset("").unwrap());
    let case = |code, place, with, without| Case { code, place, with, without };
    let masked = |mask: &str| text(&format!("opset 23\nx: float[1,1,2,2]; m: {mask}[2,2]; y = Attention(x, x, x, m)"));
    let start = |opset_version| {
        one_at(opset_version).with(|model| {
            let graph = model.graph.as_mut().unwrap();
            graph.node[0].attribute.push(int("start", 1));
            graph.output = vec![value("y")];
        })
    };
    let attributes = |attributes: Vec<AttributeProto>| {
        in_graph(one(), |graph| {
            graph.node[0].attribute = attributes;
            graph.output = vec![value("y")];
        })
    };
    let no_value = AttributeProto { i: None, ..int("start", 0) };
    let no_kind = AttributeProto { r#type: None, ..no_value.clone() };
    let inputs = |names: &[&str]| one_with(|node| node.input = names.iter().map(|name| (*name).into()).collect());
    let outputs = |names: &[&str]| one_with(|node| node.output = names.iter().map(|name| (*name).into()).collect());
    let input = |text: &str| in_graph(one(), |graph| graph.input = vec![value(text)]);
    let output = |text: &str| in_graph(one(), |graph| graph.output = vec![value(text)]);
    let typed = |text: &str, version| input(text).with(|model| model.opset_import = vec![opset("", version)]);
    let imports = |imports: Vec<OperatorSetIdProto>| one().with(|model| model.opset_import = imports);
    let abs = |domain: &str| {
        in_graph(one(), |graph| {
            graph.node.push(node("Abs", &["x"], &["z"]).with(|node| node.domain = domain.into()));
        })
    };
    let operator = |op_type: &str, opset_version| {
        let node = node(op_type, &["x"], &["y"]);
        model(&["x: float[2]"], vec![node], &["y"]).with(|model| model.opset_import = vec![opset("", opset_version)])
    };
    let scaled = |opset_version| {
        in_graph(operator("Upsample", opset_version), |graph| {
            graph.input.push(value("scales: float[1]"));
            graph.node[0].input.push("scales".into());
        })
    };
    let concat = |inputs: &[&str], axis: &[AttributeProto]| {
        let node = node("Concat", &["a", "b"], &["y"]).with(|node| node.attribute = axis.to_vec());
        model(inputs, vec![node], &["y"])
    };
    let joined = |axis: &[AttributeProto]| concat(&["a: float[1]", "b: float[1]"], axis);
    let product = |a: &str| model(&[a, "b: float[3,5]"], vec![node("Gemm", &["a", "b"], &["y"])], &["y"]);
    let relu = |y: &str| model(&["x: float[N,3]"], vec![node("Relu", &["x"], &["y"])], &[y]);
    let constant = |attributes: &[AttributeProto]| {
        model(&[], vec![node("Constant", &[], &["y"]).with(|node| node.attribute = attributes.to_vec())], &["y"])
    };
    let axis = || [int("axis", 0)];
    let floats = ["a: float[1]", "b: float[1]"];
    let distinct = |x: &str| model(&[x], vec![node("Unique", &["x"], &["y", "", "places"])], &["y"]);
    let attended = |past: &str| {
        let node = node("Attention", &["x", "x", "x", "", "p", "p"], &["y", "keys", "values"]);
        let model = model(&["x: float[1,1,1,1]", past], vec![node], &["y"]);
        model.with(|model| model.opset_import = vec![opset("", newest)])
    };
    let add =
        |ty: &str| model(&["x: float[2]", &format!("w: {ty}[2]")], vec![node("Add", &["x", "w"], &["y"])], &["y"]);
    let nodes = |nodes| model(&["x: float[N]"], nodes, &["y: int64"]);
    let shape = |from: &str, to: &str| node("Shape", &[from], &[to]);
    let in_function = |version| {
        let body = shape("a", "b").with(|node| node.attribute.push(int("start", 1)));
        one().with(|model| model.functions.push(function(vec![body], version)))
    };
    let weight = || vec![initializer("x", &[2, 1, 1])];
    let initializers = |names: &[&str]| {
        in_graph(one(), |graph| graph.initializer = names.iter().map(|name| initializer(name, &[2])).collect())
    };
    let defaults = |names: &[&str]| in_graph(initializers(names), |graph| graph.input.push(value("w: float[2]")));

    let target = |dims: &[i64], entries: &[i64]| reshape("x: float[2,3,4]", int64s("t", dims, entries), &["y"]);
    let list = |entries: &[i64]| target(&[entries.len() as i64], entries);
    let allowzero = |value| in_graph(list(&[6, 4]), |graph| graph.node[0].attribute.push(int("allowzero", value)));
    let attribute_target = |attributes: Vec<AttributeProto>| {
        let node = node("Reshape", &["x"], &["y"]).with(|node| node.attribute = attributes);
        model(&["x: float[2,3,4]"], vec![node], &["y"]).with(|model| model.opset_import = vec![opset("", 4)])
    };
    let given_target = |ty: &str| model(&["x: float[2]", ty], vec![node("Reshape", &["x", "t"], &["y"])], &["y"]);
    let cut = in_graph(list(&[24]), |graph| graph.initializer[0].raw_data = Some(vec![24, 0, 0].into()));

    let external =
        |entries: &[(&str, &str)]| in_graph(list(&[-1]), |graph| elsewhere(&mut graph.initializer[0], entries));

    vec![
        case(Code::ExternalDataOutside, "graph", external(&[("location", "/etc/passwd")]), list(&[-1])),
        case(Code::ExternalDataOutside, "graph", external(&[("location", "../model.onnx")]), list(&[-1])),
        case(Code::ExternalDataAbsent, "graph", external(&[("location", "weights.bin")]), list(&[-1])),
        case(Code::ExternalDataAbsent, "graph", external(&[("location", ".")]), list(&[-1])),
        case(
            Code::ExternalDataShort,
            "graph",
            external(&[("location", "model.onnx"), ("offset", "18446744073709551615")]),
            list(&[-1]),
        ),
        case(Code::ExternalDataLength, "graph", external(&[("location", "model.onnx"), ("length", "9")]), list(&[-1])),
        case(Code::ExternalDataMalformed, "graph", external(&[("offset", "0")]), list(&[-1])),
        case(
            Code::ExternalDataMalformed,
            "graph",
            external(&[("location", "model.onnx"), ("offset", "-8")]),
            list(&[-1]),
        ),
        case(Code::AttributeValue, "graph#0", allowzero(2), allowzero(1)),
        case(Code::AttributeValue, "graph#0", allowzero(-1), allowzero(0)),
        case(Code::TensorData, "graph", cut, list(&[24])),
        case(
            Code::TargetMissing,
            "graph#0",
            attribute_target(vec![]),
            attribute_target(vec![ints("shape", &[24]), ints("consumed_inputs", &[0])]),
        ),
        case(Code::TargetRank, "graph#0", target(&[1, 1], &[24]), list(&[24])),
        case(Code::TargetRank, "graph#0", target(&[], &[24]), list(&[-1])),
        case(Code::TargetRank, "graph#0", given_target("t: int64[1, 2]"), given_target("t: int64[2]")),
        case(Code::TargetLength, "graph#0", given_target("t: int64[1000001]"), given_target("t: int64[1000000]")),
        case(Code::TargetEntry, "graph#0", list(&[-2, 12]), list(&[-1, 12])),
        case(Code::TargetEntry, "graph#0", list(&[-1, -1]), list(&[2, -1])),
        case(Code::TargetEntry, "graph#0", list(&[2, 3, 4, 0]), list(&[2, 0, 4, 1])),
        case(
            Code::TargetZero,
            "graph#0",
            reshape("x: float[0,3]", int64s("t", &[2], &[0, -1]), &["y"]),
            reshape("x: float[0,3]", int64s("t", &[2], &[-1, 3]), &["y"]),
        ),
        case(Code::ElementCount, "graph#0", list(&[5, 5]), list(&[4, 6])),
        case(Code::ElementCount, "graph#0", list(&[5, -1]), list(&[6, -1])),
        case(Code::ElementOverflow, "graph#0", list(&[1 << 32, 1 << 32]), list(&[24])),
        case(Code::TypeNotAllowed, "graph#0", given_target("t: int32[2]"), given_target("t: int64[2]")),
        case(Code::TypeNotAllowed, "graph#0", given_target("t: string[2]"), given_target("t: int64")),
        case(Code::AttributeUnknown, "graph#0", start(13), start(15)),
        case(Code::AttributeUnknown, "graph#0", attributes(vec![int("begin", 1)]), attributes(vec![int("end", 1)])),
        case(Code::AttributeUnknown, "function my::F#0", in_function(14), in_function(15)),
        case(Code::AttributeType, "graph#0", attributes(vec![float("start", 1.0)]), attributes(vec![int("start", 1)])),
        case(
            Code::AttributeType,
            "graph#0",
            attributes(vec![attribute(
                AttributeProto { name: "end".into(), ..AttributeProto::default() },
                AttributeKind::Ints,
            )]),
            attributes(vec![int("end", 1)]),
        ),
        case(
            Code::AttributeDuplicate,
            "graph#0",
            attributes(vec![int("start", 1), int("start", 1)]),
            attributes(vec![int("start", 1), int("end", 1)]),
        ),
        case(Code::AttributeNoValue, "graph#0", attributes(vec![no_value]), attributes(vec![int("start", 0)])),
        case(Code::InputCount, "graph#0", inputs(&[]), inputs(&["x"])),
        case(Code::InputCount, "graph#0", inputs(&["x", "x"]), inputs(&["x"])),
        case(Code::InputMissing, "graph#0", inputs(&[""]), inputs(&["x"])),
        case(Code::OutputCount, "graph#0", outputs(&["y", "z"]), outputs(&["y"])),
        case(Code::TypeNotAllowed, "graph#0", typed("x: bfloat16[1,1,1]", 12), typed("x: bfloat16[1,1,1]", 13)),
        case(Code::TypeNotAllowed, "graph#0", typed("x: uint2[1,1,1]", 24), typed("x: uint2[1,1,1]", 25)),
        case(Code::TypeNotAllowed, "graph#0", typed("x: float6e3m2[1,1,1]", 28), typed("x: int2[1,1,1]", 28)),
        case(Code::OutputType, "graph#0", output("y: int32[3]"), output("y: int64[3]")),
        case(Code::OutputDims, "graph#0", output("y: int64[4]"), output("y: int64[K]")),
        case(Code::OutputDims, "graph#0", output("y: int64[3,1]"), output("y: int64")),
        case(Code::OutputDims, "graph#0", output("y: int64[]"), output("y: int64[?]")),
        case(
            Code::OutputType,
            "graph",
            in_graph(one(), |graph| (graph.input, graph.initializer) = (vec![value("x: int8[2,1,1]")], weight())),
            in_graph(one(), |graph| (graph.input, graph.initializer) = (vec![value("x: float[2,1,1]")], weight())),
        ),
        case(
            Code::OutputDims,
            "graph",
            in_graph(one(), |graph| (graph.input, graph.initializer) = (vec![value("x: float[3,1,1]")], weight())),
            in_graph(one(), |graph| (graph.input, graph.initializer) = (vec![value("x: float[N,1,1]")], weight())),
        ),
        case(Code::DimsNegative, "graph", input("x: float[-2,1,1]"), input("x: float[-1,1,1]")),
        case(Code::DimsNegative, "graph", input("x: float[-9223372036854775808,1,1]"), input("x: float[0,1,1]")),
        case(
            Code::DimsTooLarge,
            "graph#0",
            concat(&["a: float[9223372036854775807]", "b: float[1]"], &axis()),
            concat(&["a: float[9223372036854775806]", "b: float[1]"], &axis()),
        ),
        case(Code::DimsTooLarge, "graph#0", distinct("x: float[9223372036854775807,2]"), distinct("x: float[N,2]")),
        case(
            Code::DimsTooLarge,
            "graph#0",
            attended("p: float[1,1,9223372036854775807,1]"),
            attended("p: float[1,1,N,1]"),
        ),
        case(Code::DimsMinusOne, "graph", input("x: float[-1,1,1]"), input("x: float[?,0,1]")),
        case(Code::DimsMinusOne, "graph", output("y: int64[-1]"), output("y: int64[K]")),
        case(Code::ForbiddenAndRun, "graph#0", masked("int32"), masked("bool")),
        case(Code::DimsPlaceholder, "graph", input("x: float['?',1,1]"), input("x: float[?,1,1]")),
        case(Code::DimsPlaceholder, "graph", output("y: int64['None']"), output("y: int64[K]")),
        case(Code::OpsetMissing, "", imports(vec![]), imports(vec![opset("", 1)])),
        case(
            Code::OpsetDuplicate,
            "",
            imports(vec![opset("", 17), opset("ai.onnx", 17)]),
            imports(vec![opset("ai.onnx", 17), opset("ai.onnx.ml", 3)]),
        ),
        case(
            Code::OpsetDuplicate,
            "function my::F",
            in_function(17).with(|model| model.functions[0].opset_import.push(opset("", 15))),
            in_function(17).with(|model| model.functions[0].opset_import.push(opset("com.acme", 15))),
        ),
        case(Code::OpsetTooNew, "", one_at(newest + 1), one_at(newest)),
        case(Code::OpsetTooNew, "", one_at(i64::MAX), one_at(newest)),
        case(
            Code::OpsetTooNew,
            "",
            imports(vec![opset("", 17), opset("ai.onnx.ml", 99)]),
            imports(vec![opset("", 17), opset("com.acme", 99)]),
        ),
        case(Code::AttributeMissing, "graph#0", concat(&floats, &[]), concat(&floats, &axis())),
        case(Code::AxisRange, "graph#0", joined(&[int("axis", 1)]), joined(&[int("axis", -1)])),
        case(Code::RankMismatch, "graph#0", product("a: float[2]"), product("a: float[2,3]")),
        case(Code::DimsMismatch, "graph#0", product("a: float[2,4]"), product("a: float[2,N]")),
        case(Code::SymbolsEqual, "graph#0", product("a: float[2,N]"), product("a: float[2,3]")),
        case(Code::DimsFixed, "graph#0", relu("y: float[1,3]"), relu("y: float[N,3]")),
        case(Code::DimsRenamed, "graph#0", relu("y: float[N,M]"), relu("y: float[N,?]")),
        case(Code::OutputDims, "graph#0", relu("y: float[2*N,3]"), relu("y: float[?,3]")),
        case(Code::ArgumentsExclusive, "graph#0", constant(&[]), constant(&[int("value_int", 1)])),
        case(
            Code::ArgumentsExclusive,
            "graph#0",
            constant(&[int("value_int", 1), float("value_float", 1.0)]),
            constant(&[float("value_float", 1.0)]),
        ),
        case(Code::TypeMismatch, "graph#0", add("double"), add("float")),
        case(Code::TypeMismatch, "graph#0", concat(&["a: float[1]", "b: int8[1]"], &axis()), concat(&floats, &axis())),
        case(Code::OperatorTooNew, "graph#0", operator("Gelu", 19), operator("Gelu", 20)),
        case(Code::OperatorUnknown, "graph#0", operator("Ab", 17), operator("Abs", 17)),
        case(Code::OperatorUnknown, "graph#0", operator("abs", 17), operator("Abs", 17)),
        case(Code::OperatorUnknown, "graph#1", abs("ai.onnx.ml").with(import_ml), abs("com.acme").with(import_acme)),
        case(Code::OperatorDeprecated, "graph#0", scaled(10), scaled(9)),
        case(Code::NoDescriptor, "graph#1", abs("com.acme").with(import_acme), abs("")),
        case(Code::DomainNotImported, "graph#1", abs("com.acme"), abs("ai.onnx")),
        case(
            Code::ValueUndefined,
            "graph#0",
            nodes(vec![shape("z", "y"), shape("x", "z")]),
            nodes(vec![shape("x", "z"), shape("z", "y")]),
        ),
        case(Code::ValueUndefined, "graph#0", inputs(&["w"]), inputs(&["x"])),
        case(Code::ValueUndefined, "graph#0", nodes(vec![shape("y", "y")]), nodes(vec![shape("x", "y")])),
        case(
            Code::ValueRedefined,
            "graph#1",
            nodes(vec![shape("x", "y"), shape("x", "y")]),
            nodes(vec![shape("x", "y"), shape("x", "z")]),
        ),
        case(Code::ValueRedefined, "graph#0", outputs(&["x"]).with(give_y), outputs(&["y"])),
        case(Code::ValueRedefined, "graph", initializers(&["w", "w"]), initializers(&["w", "v"])),
        case(Code::ValueRedefined, "graph", defaults(&["w", "w"]), defaults(&["w"])),
        case(Code::OutputUndefined, "graph", outputs(&["z"]), outputs(&["y"])),
        case(Code::FieldMissing, "graph#0", one_with(|node| node.op_type.clear()), one()),
        case(Code::FieldMissing, "graph#0", attributes(vec![int("", 1)]), attributes(vec![int("end", 1)])),
        case(Code::FieldMissing, "graph#0", attributes(vec![no_kind]), attributes(vec![int("start", 1)])),
        case(
            Code::FieldMissing,
            "graph",
            in_graph(one(), |graph| graph.input.push(value(": float"))),
            in_graph(one(), |graph| graph.input.push(value("z: float"))),
        ),
        case(
            Code::FieldMissing,
            "",
            imports(vec![opset("", 17), OperatorSetIdProto { domain: "com.acme".into(), version: None }]),
            imports(vec![opset("", 17), opset("com.acme", 0)]),
        ),
        case(Code::FieldMissing, "", imports(vec![opset("", 17), opset("com.acme", -1)]), one()),
        case(Code::FieldMissing, "", imports(vec![opset("", 17), opset("ai.onnx.ml", 0)]), one()),
        case(Code::FieldMissing, "", imports(vec![opset("", 0)]), one()),
        case(Code::ElementTypeUnknown, "graph", input("x: 29[1,1,1]"), input("x: 9[1,1,1]")),
        case(Code::ElementTypeUnknown, "graph", input("x: -1[1,1,1]"), output("y: 0[3]")),
    ]
}

/// Says that the elements of a tensor lie in another file.
pub(crate) fn elsewhere(tensor: &mut TensorProto, entries: &[(&str, &str)]) {
    let entry = |(key, value): &(&str, &str)| StringStringEntryProto { key: (*key).into(), value: (*value).into() };
    tensor.raw_data = None;
    tensor.data_location = Some(DataLocation::External.number());
    tensor.external_data = entries.iter().map(entry).collect();
}

fn import_ml(model: &mut ModelProto) {
    model.opset_import.push(opset("ai.onnx.ml", 3));
}

fn import_acme(model: &mut ModelProto) {
    model.opset_import.push(opset("com.acme", 1));
}

/// Gives the graph's output, so that nothing else is wrong.
fn give_y(model: &mut ModelProto) {
    model.graph.as_mut().unwrap().node.push(node("Shape", &["x"], &["y"]));
}

#[test]
fn checked() {
    for (index, Case { code, place, with, without }) in cases().into_iter().chain(form::cases()).enumerate() {
        let found = check(&with);
        let expected = format!("{code} {place}");
        assert!(found.all_findings().contains(&expected.trim_end().to_owned()), "case {index}, {expected}: {found:?}");
        let findings = found.json()["findings"].as_array().unwrap().clone();
        for finding in findings.iter().filter(|finding| finding["code"] == code.name()) {
            // Of an operator that nobody knows there is nothing to expect.
            let expects = code == Code::NoDescriptor || finding["expected"].is_string();
            let told = finding["found"].is_string() && finding["help"].is_string() && expects;
            assert!(told, "case {index}, {expected}: what is expected, what is there, what to do: {finding}");
        }
        let errors = findings.iter().any(|finding| finding["severity"] == "error");
        assert_eq!(found.code, i32::from(errors), "case {index}, {expected}: {found:?}");

        let found = check(&without);
        assert!(!found.out.contains(&format!("\"{code}\"")), "case {index}, not {expected}: {found:?}");
        assert_eq!(found.code, 0, "case {index}, not {expected}: {found:?}");
    }
}

/// The finding of a code that `infer` alone gives.
fn inferred(code: Code, with: &Run, without: &Run) {
    assert!(with.out.contains(&format!("\"{code}\"")), "{with:?}");
    assert_eq!(with.code, 1, "{with:?}");
    assert!(!without.out.contains(&format!("\"{code}\"")), "{without:?}");
    assert_eq!(without.code, 0, "{without:?}");
}

#[test]
fn inferred_alone() {
    inferred(Code::InputDims, &infer(&one(), &["--input", "x:2,3,5"]), &infer(&one(), &["--input", "x:2,3,4"]));
    inferred(Code::InputDims, &infer(&one(), &["--input", "x:2,3"]), &infer(&one(), &["--input", "x:2,3,4"]));
    let twice = &["--set", "N=1", "--input", "x:2,3,4"];
    inferred(Code::InputDims, &infer(&one(), twice), &infer(&one(), &["--set", "N=2", "--input", "x:2,3,4"]));
    let unknown = in_graph(one(), |graph| graph.input = vec![value("x: float[?,3,4]")]);
    inferred(Code::DimsUnknown, &infer(&unknown, &["--strict"]), &infer(&unknown, &[]));
    inferred(Code::DimsUnknown, &infer(&unknown, &["--strict"]), &infer(&one(), &["--strict"]));
}

#[test]
fn every_code_has_a_case() {
    // Of `inferred_alone`, of the test of pipes, and what only a caller of the library gives.
    let others = [Code::InputDims, Code::DimsUnknown, Code::ExternalDataUnread, Code::RuleFailed];
    let tested = cases().into_iter().chain(form::cases()).map(|case| case.code).chain(others);
    let tested: BTreeSet<&str> = tested.chain(CONVERTED).map(Code::name).collect();
    let all: BTreeSet<&str> = Code::all().map(Code::name).collect();
    assert_eq!(tested, all);
}
