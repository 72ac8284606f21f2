//! `shape suite`: suites, what implementations agree on, and what is said of their results.

use std::fs;

use serde_json::{Value as Json, json};
use shape_core::data_type::DataType;
use shape_model::file::Message as _;
use shape_model::file::proto::TensorProto;

use crate::run::{Folder, Run};

/// A folder with a suite of an operator.
fn suite(operator: &str) -> (Folder, Json) {
    let folder = Folder::new();
    let run = folder.shape(["suite", "-o", "suite", "--opset", "21", "--operator", operator, "--format", "json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let manifest = serde_json::from_slice(&fs::read(folder.path().join("suite/manifest.json")).unwrap()).unwrap();
    (folder, manifest)
}

fn cases(manifest: &Json, valid: bool) -> Vec<&Json> {
    manifest["cases"].as_array().unwrap().iter().filter(|case| case["valid"] == valid).collect()
}

/// The numbers of an output, over and over one number.
fn tensor(output: &Json, number: f32) -> Vec<u8> {
    let dims: Vec<i64> = output["dims"].as_array().unwrap().iter().map(|dim| dim.as_i64().unwrap()).collect();
    let count: i64 = dims.iter().product();
    let (number, bytes) = match output["type"].as_str().unwrap() {
        "tensor(float)" => (DataType::Float, number.to_le_bytes().to_vec()),
        "tensor(double)" => (DataType::Double, f64::from(number).to_le_bytes().to_vec()),
        "tensor(float16)" => (DataType::Float16, vec![0, 0x3c]),
        "tensor(bfloat16)" => (DataType::Bfloat16, vec![0x80, 0x3f]),
        other => panic!("{other}"),
    };
    let raw = bytes.repeat(usize::try_from(count).unwrap());
    let data_type = Some(number.number().into());
    TensorProto { data_type, dims: dims.into_iter().collect(), raw_data: Some(raw.into()), ..TensorProto::default() }
        .encode_to_vec()
}

/// Results as a runner writes them that gives one number everywhere, and refuses what is invalid; `change` is told the index
/// of each valid case and its result.
fn results(folder: &Folder, name: &str, manifest: &Json, number: f32, change: impl Fn(usize, &mut Json)) {
    let mut list = Vec::new();
    for (index, case) in cases(manifest, true).into_iter().enumerate() {
        let outputs = case["outputs"].as_array().unwrap();
        for (at, output) in outputs.iter().enumerate() {
            let file = format!("{name}/{}/output_{at}.pb", case["name"].as_str().unwrap());
            folder.write(file, tensor(output, number));
        }
        let mut result = json!({ "case": case["name"], "outcome": "ran", "message": "", "outputs": outputs });
        change(index, &mut result);
        list.push(result);
    }
    for case in cases(manifest, false) {
        list.push(json!({ "case": case["name"], "outcome": "refused", "message": "no", "outputs": [] }));
    }
    let runtime = json!({ "name": name, "version": "1.0" });
    let file = json!({ "schema_version": 1, "runtime": runtime, "results": list });
    folder.write(format!("{name}/results.json"), file.to_string());
}

fn judge(folder: &Folder, args: &[&str]) -> Run {
    folder.shape(["suite", "judge", "suite"].iter().chain(args))
}

#[test]
fn a_suite_has_each_choice_beside_the_usual_ones() {
    let (folder, manifest) = suite("Relu");
    let of =
        |case: &&Json| case["choices"].as_array().unwrap().iter().map(Json::to_string).collect::<Vec<_>>().join(" ");
    let choices: Vec<String> = cases(&manifest, true).iter().map(of).collect();
    for ty in ["float", "double", "float16", "bfloat16", "int32", "int8", "int16", "int64"] {
        let usual = format!("\"T=tensor({ty})\" \"rank 4\" \"with larger sizes\"");
        assert_eq!(choices.iter().filter(|choices| **choices == usual).count(), 1, "{ty}: {choices:#?}");
    }
    for rank in [0, 1, 2, 3, 5, 6] {
        assert!(
            choices.contains(&format!("\"T=tensor(float)\" \"rank {rank}\" \"with larger sizes\"")),
            "{choices:#?}"
        );
    }
    // Each invalid one has its own reason, and the check gives it.
    let wrong = cases(&manifest, false);
    assert!(wrong.len() > 5, "{wrong:?}");
    for case in wrong {
        let model = format!("suite/{}/model.onnx", case["name"].as_str().unwrap());
        let found = folder.shape(["check", &model, "--format", "json"]).json();
        let errors: Vec<&Json> =
            found["findings"].as_array().unwrap().iter().filter(|finding| finding["severity"] == "error").collect();
        assert_eq!((errors.len(), &errors[0]["code"], &errors[0]["message"]), (1, &case["code"], &case["reason"]));
    }
    let page = fs::read_to_string(folder.path().join("suite/README.md")).unwrap();
    assert_eq!(page, include_str!("../../SUITE.md"));
    // The same again, byte by byte.
    let again = folder.shape(["suite", "-o", "again", "--opset", "21", "--operator", "Relu"]);
    assert_eq!(again.code, 0, "{again:?}");
    for file in ["manifest.json", "Relu_14_3/model.onnx"] {
        let read = |suite: &str| fs::read(folder.path().join(suite).join(file)).unwrap();
        assert!(read("suite") == read("again"), "{file}");
    }
}

#[test]
fn each_way_to_fail_is_told_apart() {
    let (folder, manifest) = suite("Sigmoid");
    let first = |result: &mut Json, outcome: &str| {
        result["outcome"] = outcome.into();
        result["message"] = "why".into();
        result["outputs"] = json!([]);
    };
    results(&folder, "one", &manifest, 0.5, |_, _| {});
    results(&folder, "two", &manifest, 0.5, |_, _| {});
    assert_eq!(folder.shape(["suite", "expect", "suite", "one", "two"]).code, 0);
    results(&folder, "mine", &manifest, 0.5, |index, result| match index {
        0 => first(result, "refused"),
        1 => first(result, "crashed"),
        2 => first(result, "hung"),
        3 => result["outputs"][0]["type"] = "tensor(int8)".into(),
        4 => result["outputs"][0]["dims"] = json!([7]),
        5 => result["outputs"] = json!([]),
        _ => {}
    });
    let name = |index: usize| cases(&manifest, true)[index]["name"].as_str().unwrap().to_owned();
    folder.write(format!("mine/{}/output_0.pb", name(6)), tensor(&cases(&manifest, true)[6]["outputs"][0], 0.75));
    folder.write(format!("mine/{}/output_0.pb", name(7)), "no tensor");
    fs::remove_file(folder.path().join(format!("mine/{}/output_0.pb", name(8)))).unwrap();
    let judged = judge(&folder, &["mine", "--format", "json"]);
    assert_eq!(judged.code, 1);
    let report = judged.json();
    let failed: Vec<(String, String)> = report["runtimes"][0]["versions"][0]["failed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|failed| (failed["case"].as_str().unwrap().to_owned(), failed["verdict"].as_str().unwrap().to_owned()))
        .collect();
    let verdicts =
        ["refused", "crashed", "hung", "wrong_type", "wrong_dims", "wrong_type", "wrong_elements", "wrong_elements"];
    let expected: Vec<(String, String)> =
        verdicts.iter().enumerate().map(|(at, of)| (name(at), (*of).to_owned())).collect();
    assert_eq!(failed, expected);
    let valid = &report["runtimes"][0]["valid"];
    let (all, passed) = (valid["cases"].as_u64().unwrap(), valid["passed"].as_u64().unwrap());
    assert_eq!((all - passed, valid["passed_with_elements"].as_u64().unwrap()), (8, passed - 1));
    let text = judge(&folder, &["mine"]).out;
    assert!(text.contains("; 5 wrong, 1 refused, 1 crashed, 1 hung"), "{text}");
    assert!(text.contains("wrong Sigmoid_13_7 output 0 `Y` is 0.75 at [0"), "{text}");
    // What is right is said to be so.
    assert_eq!(judge(&folder, &["one", "two"]).code, 0);
}

#[test]
fn a_model_that_is_wrong_may_be_accepted_and_a_case_left_out() {
    let (folder, manifest) = suite("Sigmoid");
    results(&folder, "mine", &manifest, 0.5, |_, _| {});
    let path = folder.path().join("mine/results.json");
    let mut file: Json = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let invalid = cases(&manifest, false)[0]["name"].clone();
    let list = file["results"].as_array_mut().unwrap();
    list.iter_mut().find(|result| result["case"] == invalid).unwrap()["outcome"] = "ran".into();
    list.remove(0);
    folder.write("mine/results.json", file.to_string());
    let report = judge(&folder, &["mine", "--format", "json"]).json();
    assert_eq!(report["runtimes"][0]["invalid"]["accepted"], 1);
    assert_eq!(report["runtimes"][0]["valid"]["not_run"], 1);
}

#[test]
fn only_what_all_agree_on_is_expected() {
    let (folder, manifest) = suite("Sigmoid");
    results(&folder, "one", &manifest, 0.5, |_, _| {});
    results(&folder, "near", &manifest, 0.500_001, |_, _| {});
    results(&folder, "far", &manifest, 0.6, |_, _| {});
    let expect = |args: &[&str]| folder.shape(["suite", "expect", "suite", "--format", "json"].iter().chain(args));
    let data = |index: usize| {
        let manifest: Json =
            serde_json::from_slice(&fs::read(folder.path().join("suite/manifest.json")).unwrap()).unwrap();
        cases(&manifest, true)[index]["outputs"][0]["data"].clone()
    };
    let file = folder.path().join("suite/Sigmoid_13_1/test_data_set_0/output_0.pb");
    assert_eq!((data(0), file.exists()), (Json::Null, false));
    let near = expect(&["one", "near"]);
    // The tolerance of double is narrower.
    assert_eq!((near.code, near.json()["disputed"].as_u64()), (0, Some(1)), "{near:?}");
    assert!(near.json()["within_a_tolerance"].as_u64() > Some(5), "{near:?}");
    assert_eq!(data(0), json!({ "by": ["one 1.0", "near 1.0"], "relative": 1e-4, "absolute": 1e-5 }));
    assert!(file.exists());
    // A third one disagrees: what was expected is expected no more. Types of one value here agree all the same.
    let far = expect(&["one", "near", "far"]);
    assert!(far.json()["disputed"].as_u64() > Some(5), "{far:?}");
    assert_eq!((data(0), file.exists()), (Json::Null, false));
    let sides = far.json()["disputes"][0]["sides"].clone();
    assert_eq!(sides[2], json!({ "by": "far 1.0", "difference": "0.6 at [0, 0, 0, 0], expected 0.5" }));
    for args in [&["one"][..], &["one", "one"]] {
        let alone = expect(args);
        assert_eq!(alone.code, 2);
        assert!(alone.notes.contains("two implementations are needed to agree"), "{alone:?}");
    }
}

#[test]
fn the_manifest_of_a_runtime_has_what_passed() {
    let (folder, manifest) = suite("Sigmoid");
    results(&folder, "mine", &manifest, 0.5, |_, result| {
        let double = result["outputs"][0]["type"] == "tensor(double)";
        if double {
            *result = json!({ "case": result["case"], "outcome": "refused", "message": "no double" });
        }
    });
    let judged = judge(&folder, &["mine", "--manifest", "mine.yaml", "--format", "json"]);
    let never = &judged.json()["runtimes"][0]["versions"][0]["never"];
    assert_eq!(*never, json!(["T=tensor(double)"]));
    for (ty, code) in [("tensor(float)", 0), ("tensor(double)", 1)] {
        let case = cases(&manifest, true).into_iter().find(|case| case["types"]["T"][0] == ty).unwrap();
        let model = format!("suite/{}/model.onnx", case["name"].as_str().unwrap());
        let asked = folder.shape(["ops", "--model", &model, "--manifest", "mine.yaml"]);
        assert_eq!(asked.code, code, "{asked:?}");
    }
    let two = judge(&folder, &["mine", "mine", "--manifest", "two.yaml"]);
    assert_eq!(two.code, 2);
    assert!(two.notes.contains("give one RESULTS"), "{two:?}");
}

#[test]
fn a_table_has_a_line_for_each_version() {
    let (folder, manifest) = suite("Sigmoid");
    results(&folder, "mine", &manifest, 0.5, |_, _| {});
    results(&folder, "other", &manifest, 0.5, |index, result| {
        if index == 0 {
            result["outcome"] = "refused".into();
        }
    });
    let table = judge(&folder, &["mine", "other", "--format", "markdown"]).out;
    let count = cases(&manifest, true).len();
    assert!(table.contains(&format!("| Sigmoid-13 | {count}/{count} | {}/{count} |", count - 1)), "{table}");
}

#[test]
fn what_cannot_be_judged_is_said() {
    let (folder, manifest) = suite("Sigmoid");
    results(&folder, "mine", &manifest, 0.5, |_, _| {});
    let changed = |suite: &str, change: &dyn Fn(&mut Json)| {
        let mut file = manifest.clone();
        change(&mut file);
        folder.write(format!("{suite}/manifest.json"), file.to_string());
    };
    changed("newer", &|file| file["schema_version"] = 2.into());
    changed("outside", &|file| file["cases"][0]["name"] = "../outside".into());
    changed("twice", &|file| file["cases"][1]["name"] = file["cases"][0]["name"].clone());
    changed("other", &|file| file["cases"].as_array_mut().unwrap().truncate(1));
    folder.write("text/manifest.json", "[]");
    for (suite, message) in [
        ("newer", "has the schema_version 2; this command reads 1"),
        ("outside", "the name of a case, `../outside`, is not that of a folder in it"),
        ("twice", "the case `Sigmoid_13_1` occurs twice"),
        ("other", "the suite has no case `Sigmoid_13_"),
        ("text", "is of no folder that `shape suite` or `shape generate` wrote"),
        ("nowhere", "cannot read"),
    ] {
        let run = folder.shape(["suite", "judge", suite, "mine"]);
        assert_eq!((run.code, &*run.out), (2, ""), "{suite}: {run:?}");
        assert!(run.notes.contains(message), "{suite}: {run:?}");
    }
    let full = folder.shape(["suite", "-o", "suite", "--operator", "Sigmoid"]);
    assert!(full.code == 2 && full.notes.contains("give a folder that is new or empty"), "{full:?}");
    let none = folder.shape(["suite"]);
    assert_eq!(none.code, 2, "{none:?}");
    let deprecated = folder.shape(["suite", "-o", "new", "--operator", "Upsample", "--opset", "21"]);
    assert!(deprecated.code == 2 && deprecated.notes.contains("no version of an operator is meant"), "{deprecated:?}");
}
