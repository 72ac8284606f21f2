//! `shape check --profile`: for each rule a model that violates it and no other, and one that is within the profile.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value as Json, json};
use shape_model::file::proto::{
    ModelProto, SparseTensorProto, TensorProto, TrainingInfoProto, TypeValue, ValueInfoProto,
};
use shape_model::profile::SONNX;

use crate::codes::elsewhere;
use crate::formats::log;
use crate::model::{
    Change as _, acme, function, in_graph, initializer, int, int64s, model, node, of, opset, tensor_type, value,
    with_acme,
};
use crate::run::{Folder, Run};

/// A model within the profile: `s = Shape(x)` and `y = Reshape(x, t)`, with everything written down.
fn within() -> ModelProto {
    let shape = node("Shape", &["x"], &["s"]).with(|node| {
        node.name = "whole".into();
        node.attribute = vec![int("start", 0), int("end", 3)];
    });
    let reshape = node("Reshape", &["x", "t"], &["y"]).with(|node| node.attribute = vec![int("allowzero", 0)]);
    let model = model(&["x: float[2,3,4]"], vec![shape, reshape], &["s: int64[3]", "y: float[6,4]"]);
    in_graph(model, |graph| graph.initializer = vec![int64s("t", &[2], &[6, 4])])
        .with(|model| (model.ir_version, model.opset_import) = (Some(13), vec![opset("", 25)]))
}

/// The same with another type of `x`, and of `y`.
fn typed(shape_of: &str, reshape_of: &str) -> ModelProto {
    in_graph(within(), |graph| {
        graph.input.push(value(&format!("z: {shape_of}[2,3,4]")));
        graph.node[0].input = vec!["z".into()];
        graph.input[0] = value(&format!("x: {reshape_of}[2,3,4]"));
        graph.output[1] = value(&format!("y: {reshape_of}[6,4]"));
    })
}

/// The same with another target, `x` of other dimensions, and `y` declared as it then is.
fn target(dims: &str, entries: &[i64], allowzero: i64, output: &str) -> ModelProto {
    let rank = dims.split(',').filter(|dim| !dim.is_empty()).count();
    in_graph(within(), |graph| {
        graph.input[0] = value(&format!("x: float[{dims}]"));
        graph.output[0] = value(&format!("s: int64[{}]", rank.min(3)));
        graph.output[1] = value(&format!("y: float[{output}]"));
        graph.initializer = vec![int64s("t", &[entries.len() as i64], entries)];
        graph.node[1].attribute = vec![int("allowzero", allowzero)];
    })
}

/// The same with another node in it, and what that gives declared.
fn more(op_type: &str, output: &str) -> ModelProto {
    in_graph(within(), |graph| {
        graph.node.push(node(op_type, &["x"], &["z"]));
        graph.value_info = vec![value(output)];
    })
}

fn run(model: &ModelProto, args: &[&str]) -> Run {
    let folder = Folder::new();
    folder.model("model.onnx", model);
    folder.shape(["check", "model.onnx", "--profile", "sonnx", "--format", "json"].iter().chain(args))
}

/// What is said of the model by the profile.
fn said(run: &Run) -> Json {
    run.json()["profiles"][0].clone()
}

/// The ids and places that have a verdict: `SONNX-GEN-010`, `SONNX-SHAPE-010 graph#0`.
fn with(said: &Json, verdict: &str) -> Vec<String> {
    let judgements = said["judgements"].as_array().unwrap().iter().filter(|of| of["verdict"] == verdict);
    let texts = judgements.map(|of| {
        let node = of["node"]["index"].as_u64().map(|index| format!("#{index}")).unwrap_or_default();
        format!("{} {}{node}", of["rule"].as_str().unwrap(), of["graph"].as_str().unwrap()).trim_end().to_owned()
    });
    texts.collect()
}

/// A model that violates a rule, where it is found, and what else is violated by necessity.
struct Case {
    rule: &'static str,
    place: &'static str,
    model: ModelProto,
    also: &'static [&'static str],
}

/// Not right as ONNX either.
const ONNX: &[&str] = &["SONNX-GEN-010"];

fn cases() -> Vec<Case> {
    let case = |rule, place, model, also| Case { rule, place, model, also };
    let sparse = SparseTensorProto {
        values: Some(initializer("w", &[1])),
        indices: Some(TensorProto { name: String::new(), ..int64s("", &[1], &[0]) }),
        dims: vec![4],
    };
    let one = |change: &dyn Fn(&mut shape_model::file::proto::GraphProto)| in_graph(within(), |graph| change(graph));
    vec![
        // A name that stands twice has no meaning for any rule of a node.
        case("SONNX-GEN-010", "", one(&|graph| graph.initializer.push(graph.initializer[0].clone())), &[]),
        case("SONNX-GEN-020", " graph", one(&|graph| graph.sparse_initializer = vec![sparse.clone()]), &[]),
        case("SONNX-GEN-030", " graph#2", more("Identity", "z"), &["SONNX-GEN-050"]),
        case(
            "SONNX-GEN-040",
            " graph#2",
            one(&|graph| {
                graph.input.push(value("w: double[2,3,4]"));
                graph.node.push(node("Add", &["x", "w"], &["z"]));
                graph.value_info = vec![value("z: float[2,3,4]")];
            }),
            ONNX,
        ),
        case("SONNX-GEN-050", " graph#2", more("Identity", "z: float"), &[]),
        case("SONNX-GEN-050", " graph#2", more("Identity", "z: float[2,3,?]"), &[]),
        case(
            "SONNX-GEN-060",
            "",
            model(&["x: float[2]"], vec![node("Abs", &["x"], &["y"])], &["y: float[2]"])
                .with(|model| (model.ir_version, model.opset_import) = (Some(2), vec![])),
            &[],
        ),
        case("SONNX-GEN-070", " graph#0", one(&|graph| graph.node[0].attribute.truncate(1)), &[]),
        case("SONNX-GEN-070", " graph#1", one(&|graph| graph.node[1].attribute.clear()), &[]),
        // No operator on the list is non-deterministic.
        case(
            "SONNX-GEN-080",
            " graph#2",
            more("RandomNormalLike", "z: float[2,3,4]"),
            &["SONNX-GEN-070", "SONNX-GEN-100"],
        ),
        case("SONNX-GEN-090", "", within().with(|model| model.training_info = vec![TrainingInfoProto::default()]), &[]),
        case("SONNX-GEN-100", " graph#2", more("Acos", "z: float[2,3,4]"), &[]),
        case(
            "SONNX-GEN-100",
            " graph#2",
            with_acme(in_graph(within(), |graph| {
                graph.node.push(acme("Gelu", &["x"], &["z"]));
                graph.value_info = vec![value("z: float[2,3,4]")];
            })),
            // Nobody has described it.
            &["SONNX-GEN-060"],
        ),
        case("SONNX-SHAPE-010", " graph#0", typed("complex64", "float"), &[]),
        case("SONNX-SHAPE-010", " graph#0", typed("float8e8m0", "float"), &[]),
        case("SONNX-SHAPE-010", " graph#0", typed("float4e2m1", "float"), &[]),
        case("SONNX-SHAPE-020", " graph#0", one(&|graph| graph.output[0] = value("s: int32[3]")), ONNX),
        case(
            "SONNX-SHAPE-030",
            " graph#0",
            in_graph(within(), |graph| {
                graph.node.truncate(1);
                graph.output.truncate(1);
            })
            .with(|model| model.opset_import = vec![opset("", 24)]),
            &[],
        ),
        case("SONNX-SHAPE-040", " graph#0", one(&|graph| graph.output[0] = value("s: int64[2]")), ONNX),
        case("SONNX-RESHAPE-010", " graph#1", typed("float", "bfloat16"), &[]),
        case("SONNX-RESHAPE-010", " graph#1", typed("float", "complex128"), &[]),
        case(
            "SONNX-RESHAPE-020",
            " graph#0",
            in_graph(within(), |graph| {
                graph.node.remove(0);
                graph.output.remove(0);
            })
            .with(|model| model.opset_import = vec![opset("", 24)]),
            &[],
        ),
        case("SONNX-RESHAPE-030", " graph#1", target("2,3,4", &[6, 4], 2, "6,4"), ONNX),
        case("SONNX-RESHAPE-040", " graph#1", target("2,3,4", &[-2, 12], 0, "2,12"), ONNX),
        case("SONNX-RESHAPE-050", " graph#1", target("2,3,4", &[-1, -1], 0, "6,4"), ONNX),
        case("SONNX-RESHAPE-060", " graph#1", target("2,3,4", &[2, 3, 4, 0], 0, "2,3,4,1"), ONNX),
        // ONNX takes this one: all of no elements in one dimension.
        case("SONNX-RESHAPE-070", " graph#1", target("0", &[-1], 0, "0"), &[]),
        case("SONNX-RESHAPE-080", " graph#1", target("0,3", &[0, -1], 1, "0,3"), ONNX),
        // The third example of the page is outside of two of its constraints.
        case(
            "SONNX-RESHAPE-080",
            " graph#1",
            target("2,5", &[0, -1], 1, "2,5"),
            &["SONNX-GEN-010", "SONNX-RESHAPE-090"],
        ),
        // Without a dimension of zero there are elements, and they are lost.
        case(
            "SONNX-RESHAPE-090",
            " graph#1",
            target("2,3", &[0, 3], 1, "0,3"),
            &["SONNX-GEN-010", "SONNX-RESHAPE-100"],
        ),
        case("SONNX-RESHAPE-100", " graph#1", target("2,3,4", &[5, 5], 0, "5,5"), ONNX),
        case("SONNX-RESHAPE-100", " graph#1", target("2,3,4", &[5, -1], 0, "5,5"), ONNX),
        case(
            "SONNX-RESHAPE-110",
            " graph#1",
            one(&|graph| {
                graph.initializer.clear();
                graph.input.push(value("t: int32[2]"));
            }),
            ONNX,
        ),
        case(
            "SONNX-RESHAPE-120",
            " graph#1",
            one(&|graph| {
                graph.initializer.clear();
                graph.input.push(value("t: int64[1,2]"));
            }),
            ONNX,
        ),
        case("SONNX-RESHAPE-130", " graph#1", target("2,3,4", &[6, 4], 0, "4,6"), ONNX),
    ]
}

#[test]
fn each_rule_is_violated_alone() {
    let mut tested = BTreeSet::new();
    for (index, Case { rule, place, model, also }) in cases().into_iter().enumerate() {
        tested.insert(rule);
        let options: &[&str] = if rule == "SONNX-GEN-070" { &["--option", "no-defaults"] } else { &[] };
        let run = run(&model, options);
        let said = said(&run);
        let failed = with(&said, "fail");
        assert!(failed.contains(&format!("{rule}{place}")), "case {index}, {rule}: {failed:?}: {run:?}");
        let ids: BTreeSet<&str> = failed.iter().map(|of| of.split(' ').next().unwrap()).collect();
        let expected = also.iter().copied().filter(|also| *also != "SONNX-GEN-070" || !options.is_empty());
        assert_eq!(ids, expected.chain([rule]).collect(), "case {index}, {rule}: {run:?}");
        assert_eq!(run.code, 1, "case {index}, {rule}: {run:?}");
        // What is wrong as ONNX is told first, and decides the rule about it.
        let errors = run.json()["findings"].as_array().unwrap().iter().any(|finding| finding["severity"] == "error");
        assert_eq!((errors, &said["onnx"]), (ids.contains("SONNX-GEN-010"), &json!(!errors)), "case {index}: {run:?}");
    }
    assert_eq!(tested, SONNX.rules.iter().map(|rule| rule.id).collect());
}

#[test]
fn a_model_within_the_profile_passes() {
    for args in [&[][..], &["--option", "no-defaults"], &["--deny", "undetermined"]] {
        let run = run(&within(), args);
        let said = said(&run);
        let asked = usize::from(args.contains(&"no-defaults"));
        // Of the model, of its graph, of any node, of Shape and of Reshape.
        let judged = 3 + 3 + 2 * (7 + asked) + 4 + 13;
        assert_eq!(said["totals"], json!({ "pass": judged, "fail": 0, "undetermined": 0 }), "{run:?}");
        assert_eq!((run.code, said["nodes"].as_u64()), (0, Some(2)), "{run:?}");
    }
}

/// What is not known before the model runs, and why.
#[test]
fn undetermined() {
    let symbolic = |dims: &str, entries: &[i64], output: &str| target(dims, entries, 0, output);
    let given = in_graph(within(), |graph| {
        graph.initializer.clear();
        graph.input.push(value("t: int64[2]"));
    });
    let computed = in_graph(within(), |graph| {
        graph.input[0] = value("x: float[N,4,6]");
        graph.initializer = vec![int64s("t", &[3], &[4, 6, -1])];
        graph.node.insert(0, node("Shape", &["x"], &["d"]));
        graph.node[2].input[1] = "d".into();
        graph.output[1] = value("y: float[N,4,6]");
    });
    let cases: &[(ModelProto, &str, &str)] = &[
        (symbolic("N,4", &[-1, 2], "M,2"), "SONNX-GEN-050", "the size is known only when the model runs: `M`"),
        (
            symbolic("N,4", &[-1, 2], "M,2"),
            "SONNX-RESHAPE-070",
            "an entry is -1, and a dimension of `data` may be zero: `N`",
        ),
        (symbolic("N,4", &[-1, 2], "M,2"), "SONNX-RESHAPE-130", "dimension 0 of `y` is declared as M, but is 2*N"),
        (symbolic("N,4", &[6, 4], "6,4"), "SONNX-RESHAPE-100", "`data` has 4*N elements, the target has 24"),
        (
            given.clone(),
            "SONNX-RESHAPE-040",
            "the entries of `shape` are unknown: `t` (an input): its elements are known only",
        ),
        (given, "SONNX-RESHAPE-100", "the entries of `shape` are unknown: `t` (an input): its elements are known only"),
        (computed, "SONNX-GEN-050", "the size is known only when the model runs: `N`"),
        (symbolic("?,4", &[-1, 2], "6,2"), "SONNX-RESHAPE-100", "`x` (an input): the model does not declare it"),
        (more("Abs", "z: float[2,3,4]"), "SONNX-GEN-100", "Abs is in the profile, but its rules are not described"),
    ];
    for (model, rule, reason) in cases {
        let run = run(model, &[]);
        let said = said(&run);
        let judgements = said["judgements"].as_array().unwrap();
        let open = judgements.iter().filter(|of| of["rule"] == *rule && of["verdict"] == "undetermined");
        let reasons: Vec<&str> = open.map(|of| of["reason"].as_str().unwrap()).collect();
        assert!(reasons.iter().any(|found| found.contains(reason)), "{rule}: {reason}: {reasons:?}, {run:?}");
    }
    let (symbolic, open) = (symbolic("N,4", &[0, 2, 2], "N,2,2"), "--deny");
    assert_eq!(run(&symbolic, &[]).code, 0, "{:?}", run(&symbolic, &[]));
    assert_eq!(run(&symbolic, &[open, "undetermined"]).code, 1);
    let failed = with(&said(&run(&symbolic, &[])), "undetermined");
    assert_eq!(failed, ["SONNX-GEN-050 graph", "SONNX-GEN-050 graph#1"]);
}

/// Rules reach into graphs inside of nodes and into functions.
#[test]
fn every_graph_is_judged() {
    let called = node("F", &["x"], &["z"]).with(|node| node.domain = "my".into());
    let model = in_graph(within(), |graph| {
        graph.node.push(called);
        graph.value_info = vec![value("z: int64[3]")];
    });
    let model = model.with(|model| {
        model.opset_import.push(opset("my", 1));
        model.functions.push(function(vec![node("Shape", &["a"], &["b"])], 24));
    });
    let said = said(&run(&model, &[]));
    let failed = with(&said, "fail");
    assert!(failed.contains(&"SONNX-SHAPE-030 function my::F#0".to_owned()), "{failed:?}");
    assert!(!failed.iter().any(|of| of.starts_with("SONNX-GEN-100")), "{failed:?}");
    assert_eq!(said["nodes"], 4);
}

#[test]
fn sparse_wherever_it_is() {
    let sparse = |name: &str| ValueInfoProto {
        name: name.into(),
        r#type: Some(tensor_type("float[4]")).map(|ty| match ty.value {
            Some(TypeValue::TensorType(tensor)) => {
                of(TypeValue::SparseTensorType(shape_model::file::proto::SparseTensorType {
                    elem_type: tensor.elem_type,
                    shape: tensor.shape,
                }))
            }
            _ => ty,
        }),
        ..ValueInfoProto::default()
    };
    let model = in_graph(within(), |graph| graph.input.push(sparse("w")));
    let failed = with(&said(&run(&model, &[])), "fail");
    assert_eq!(failed, ["SONNX-GEN-020 graph"]);
}

#[test]
fn the_model_of_the_readme() {
    let folder = Folder::new();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    fs::copy(path, folder.path().join("attention.onnx")).unwrap();
    let run = folder.shape(["check", "attention.onnx", "--profile", "sonnx", "--format", "json"]);
    let said = said(&run);
    let count = |verdict| with(&said, verdict).len() as u64;
    assert_eq!(
        said["totals"],
        json!({ "pass": count("pass"), "fail": count("fail"), "undetermined": count("undetermined") })
    );
    assert!(count("fail") > 0 && count("undetermined") > 0 && count("pass") > 0, "{said}");
    assert_eq!(said["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(run.code, 1);
    let text = folder.shape(["check", "attention.onnx", "--profile", "sonnx"]);
    assert!(text.out.contains("fail[SONNX-SHAPE-030]: it is version 25\n"), "{text:?}");
    assert!(text.out.contains(" (Shape): Shape-21 is in force; the profile allows Shape-25\n"), "{text:?}");
    assert!(text.notes.contains("; sonnx: "), "{text:?}");
}

#[test]
fn the_digest_is_that_of_the_file() {
    let folder = Folder::new();
    folder.write("model.onnx", []);
    let empty = folder.shape(["check", "model.onnx", "--profile", "sonnx"]);
    assert_eq!(empty.code, 2, "{empty:?}");
    let path = folder.model("model.onnx", &within());
    let run = folder.shape(["check", "model.onnx", "--profile", "sonnx", "--format", "json"]);
    // By a test vector of the standard.
    folder.write("abc.bin", "abc");
    assert_eq!((&said(&run)["external"], &said(&run)["sha256_covers_all"]), (&json!([]), &json!(true)));
    let lies_in = |name: &str| {
        in_graph(within(), |graph| {
            let tensor = initializer("w", &[3]).with(|tensor| {
                tensor.data_type = Some(shape_core::DataType::Uint8.number().into());
            });
            graph.initializer.push(tensor);
            elsewhere(&mut graph.initializer[1], &[("location", name)]);
        })
    };
    folder.model("model.onnx", &lies_in("abc.bin"));
    let run = folder.shape(["check", "model.onnx", "--profile", "sonnx", "--format", "json", "--report", "page.html"]);
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(said(&run)["external"], json!([{ "location": "abc.bin", "sha256": abc }]), "{run:?}");
    assert_eq!((run.code, &said(&run)["sha256_covers_all"]), (0, &json!(true)), "{run:?}");
    let sarif = log(&folder.shape(["check", "model.onnx", "--profile", "sonnx", "--format", "sarif"]));
    let artifact = &sarif["runs"][0]["artifacts"][1];
    assert_eq!((&artifact["location"]["uri"], &artifact["hashes"]["sha-256"]), (&json!("abc.bin"), &json!(abc)));
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains(&format!("<dt>SHA-256 of abc.bin</dt><dd><code class=\"sha256\">{abc}</code></dd>")));
    let text = folder.shape(["check", "model.onnx", "--profile", "sonnx"]);
    assert!(text.out.contains(&format!("   = sha256 of abc.bin: {abc}\n")), "{text:?}");

    folder.model("model.onnx", &lies_in("absent.bin"));
    let run = folder.shape(["check", "model.onnx", "--profile", "sonnx", "--format", "json"]);
    assert_eq!((run.code, &said(&run)["sha256_covers_all"]), (1, &json!(false)), "{run:?}");

    // And by another program, where there is one.
    let Ok(tool) = std::process::Command::new("sha256sum").arg(path).output() else { return };
    let expected = String::from_utf8(tool.stdout).unwrap();
    assert_eq!(said(&run)["sha256"].as_str(), expected.split(' ').next());
}

#[test]
fn arguments() {
    let folder = Folder::new();
    folder.model("model.onnx", &within());
    let cases: &[(&[&str], &str)] = &[
        (
            &["--profile", "sonnx", "--option", "defaults"],
            "the profile sonnx has no option `defaults`; its options: `no-defaults`",
        ),
        (&["--profile", "sonx"], "invalid value 'sonx'"),
        (&["--option", "no-defaults"], "--profile"),
        (&["--report", "x.html"], "--profile"),
        (&["--profile", "sonnx", "--report", "no/where/x.html"], "cannot write no/where/x.html"),
    ];
    for (args, expected) in cases {
        let run = folder.shape(["check", "model.onnx"].iter().chain(*args));
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
        assert!(run.notes.contains(expected), "{args:?}: {run:?}");
    }
}

/// Two models, one of which says nothing good of itself.
fn two() -> Folder {
    let folder = Folder::new();
    folder.model("a.onnx", &within());
    let hostile = in_graph(within(), |graph| {
        graph.node[0].name = "</td><script>alert(1)</script>\"'&\u{202e}".into();
        graph.output[0] = value("s: int64[2]");
    });
    folder.model("b <i>.onnx", &hostile);
    folder
}

#[test]
fn the_page() {
    let folder = two();
    let run = folder.shape(["check", "a.onnx", "b <i>.onnx", "--profile", "sonnx", "--report", "page.html"]);
    assert_eq!(run.code, 1, "{run:?}");
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(!page.contains("<script") && !page.contains("<i>") && !page.contains('\u{202e}'), "{page}");
    assert!(page.contains("&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"), "{page}");
    for outside in ["http://", "https://", "src=", "url(", "@import", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    // Each link leads to the text of a rule, which is there once.
    let targets: Vec<&str> = page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(targets.len() > 2 * SONNX.rules.len());
    for target in targets {
        assert_eq!(page.matches(&format!("<article id=\"{target}\">")).count(), 1, "{target}");
    }
    let json = folder.shape(["check", "a.onnx", "b <i>.onnx", "--profile", "sonnx", "--format", "json"]).json();
    for said in json["profiles"].as_array().unwrap() {
        let totals = &said["totals"];
        let totals =
            format!("{} pass, {} fail, {} undetermined", totals["pass"], totals["fail"], totals["undetermined"]);
        assert!(page.contains(&format!("<dd class=\"totals\">{totals}</dd>")), "{totals}");
        assert!(page.contains(said["sha256"].as_str().unwrap()));
    }
    assert!(page.contains(&format!("<dd id=\"tool\">shape {}</dd>", env!("CARGO_PKG_VERSION"))));
    assert!(page.contains(&format!("<dd id=\"profile\">sonnx {}</dd>", SONNX.version)));
    assert!(page.contains("<dd id=\"verdict\" class=\"fail\">fail</dd>"));
}

#[test]
fn for_other_programs() {
    let folder = two();
    let run = folder.shape(["check", "a.onnx", "b <i>.onnx", "--profile", "sonnx", "--format", "github"]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!((run.code, lines.len()), (1, 3), "{run:?}");
    assert!(lines[0].contains("title=output-dims::"), "{run:?}");
    assert!(
        lines[1].starts_with("::error file=b <i>.onnx,title=SONNX-GEN-010::fail: the model is right as ONNX"),
        "{run:?}"
    );
    assert!(lines[2].contains("title=SONNX-SHAPE-040::") && lines[2].contains("%0Areason: "), "{run:?}");

    let run = folder.shape(["check", "a.onnx", "b <i>.onnx", "--profile", "sonnx", "--format", "sarif"]);
    let log = log(&run);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let ids: Vec<&str> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    assert_eq!(ids, ["output-dims", "SONNX-GEN-010", "SONNX-SHAPE-040"]);
    assert_eq!((&results[2]["kind"], &results[2]["level"]), (&json!("fail"), &json!("error")));
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for rule in SONNX.rules.iter().filter(|rule| rule.option.is_none()) {
        assert_eq!(rules.iter().filter(|of| of["id"] == rule.id).count(), 1, "{}", rule.id);
    }
    let artifacts = log["runs"][0]["artifacts"].as_array().unwrap();
    assert_eq!(artifacts.len(), 2);
    assert_eq!(artifacts[0]["hashes"]["sha-256"].as_str().unwrap().len(), 64);
    assert_eq!(artifacts[0]["properties"]["totals"]["fail"], 0);
    assert_eq!(
        log["runs"][0]["properties"],
        json!({ "profile": "sonnx", "profileVersion": SONNX.version, "options": [] })
    );

    folder.model("c.onnx", &more("Abs", "z: float[2,3,4]"));
    let run = folder.shape(["check", "c.onnx", "--profile", "sonnx", "--format", "sarif"]);
    let result = self::log(&run)["runs"][0]["results"][0].clone();
    assert_eq!((&result["kind"], &result["level"]), (&json!("open"), &json!("none")), "{run:?}");
}

/// A product that wraps is no number of elements.
#[test]
fn past_int64() {
    let dims = "65536,65536,65536,65536";
    let run = run(&target("0", &[65536, 65536, 65536, 65536], 0, dims), &[]);
    assert_eq!(with(&said(&run), "fail"), ["SONNX-GEN-010", "SONNX-RESHAPE-100 graph#1"], "{run:?}");
    assert!(run.out.contains("element-overflow"), "{run:?}");
}
