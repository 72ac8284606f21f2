//! `shape generate`: folders of cases.

use std::fs;
use std::process::Command;

fn shape() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shape"));
    shape_tests::ending(&mut command);
    command
}

#[test]
fn a_folder_of_cases_that_pass_the_check() {
    let folder = tempfile::tempdir().unwrap();
    let cases = folder.path().join("cases");
    let made = shape().args(["generate", "--operator", "Conv@11", "--count", "4", "-o"]).arg(&cases).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(cases.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["cases"].as_array().map(Vec::len), Some(4));
    let first = &manifest["cases"][0];
    assert_eq!((first["operator"].as_str(), first["version"].as_u64()), (Some("Conv"), Some(11)));
    let checked = shape()
        .arg("check")
        .args((1..=4).map(|number| cases.join(format!("Conv_11_{number}/model.onnx"))))
        .output()
        .unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    // A folder with files is left alone.
    let again = shape().args(["generate", "--count", "1", "-o"]).arg(&cases).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("give a folder that is new or empty"));
}

#[test]
fn what_a_runtime_refuses_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let ranks = |name: &str, runtime: &[&str]| -> Vec<usize> {
        let cases = folder.path().join(name);
        let arguments = ["generate", "--operator", "LRN@13", "--count", "12", "-o"];
        let made = shape().args(arguments).arg(&cases).args(runtime).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let manifest = fs::read(cases.join("manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
        let cases = manifest["cases"].as_array().unwrap();
        cases.iter().map(|case| case["outputs"][0]["dims"].as_array().unwrap().len()).collect()
    };
    // `limits.yaml` beside the manifest says that the input has 4 dimensions, which the page does not.
    assert!(ranks("limited", &["--runtime", "onnxruntime-cpu@1.31.1"]).iter().all(|rank| *rank == 4));
    assert!(ranks("any", &[]).iter().any(|rank| *rank != 4));
}

#[test]
fn an_operator_of_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let specs = folder.path().join("Gain.yaml");
    let text = "operator: Gain\ndomain: com.acme\nsummary: Gives a tensor times a number.\nversions:\n  - since: 1\n    \
                attributes: [{ name: by, type: FLOAT, default: 1.0, doc: The number. }]\n    inputs: [{ name: x, type: T, \
                doc: A tensor. }]\n    outputs: [{ name: y, type: T, doc: The product. }]\n    types: [{ name: T, allow: \
                [float, double], doc: Floats. }]\n    rules: [{ output: y, dims: same(x) }]\n";
    fs::write(&specs, text).unwrap();
    let cases = folder.path().join("cases");
    let made = shape()
        .args(["generate", "--domain", "com.acme", "--cover", "--format", "json", "--specs"])
        .arg(&specs)
        .arg("-o")
        .arg(&cases)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let report: serde_json::Value = serde_json::from_slice(&made.stdout).unwrap();
    assert_eq!(report["versions"][0]["complete"], true);
    assert_eq!(report["versions"][0]["choices_made"], report["versions"][0]["choices"]);
}

#[test]
fn what_is_not_known_is_said() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, message) in [
        (vec!["--operator", "Convolution"], "no operator is called `Convolution`"),
        (vec!["--operator", "Conv@0"], "`0` is not an opset"),
        (vec!["--operator", "Conv@999"], "the opset is unknown"),
        (vec!["--domain", "nowhere"], "no version of an operator is meant"),
    ] {
        let made =
            shape().arg("generate").args(&arguments).arg("-o").arg(folder.path().join("cases")).output().unwrap();
        let error = String::from_utf8_lossy(&made.stderr).into_owned();
        assert_eq!(made.status.code(), Some(2), "{arguments:?}");
        assert!(error.contains(message), "{error}");
        assert!(!folder.path().join("cases").exists(), "{arguments:?}");
    }
}
