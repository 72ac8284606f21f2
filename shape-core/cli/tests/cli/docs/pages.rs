//! The pages of the site.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use shape_core::Registry;
use shape_core::code::Code;

use super::html::broken;
use super::site::{MARKUP, site};
use crate::run::newest_release;

#[test]
fn every_link_leads_somewhere() {
    let site = site();
    assert!(site.pages.len() > 2600, "{}", site.pages.len());
    let broken = broken(&site.files, &site.pages);
    assert!(broken.is_empty(), "{} such as {:#?}", broken.len(), &broken[..broken.len().min(20)]);
}

#[test]
fn every_version_has_its_page_and_so_have_any_two() {
    let site = site();
    let mut versions = 0;
    for schemas in Registry::builtin().operators() {
        for (index, schema) in schemas.iter().enumerate() {
            let (domain, name, since) = (schema.domain, schema.name, schema.since_version);
            for path in [format!("{domain}/{name}"), format!("{domain}/{name}/{since}")] {
                assert!(site.pages.contains_key(&format!("{path}/index.html")), "{path}");
                assert!(site.files.contains(&format!("{path}/index.json")), "{path}");
            }
            for older in &schemas[..index] {
                let path = format!("{domain}/{name}/{}..{since}/index.html", older.since_version);
                assert!(site.pages.contains_key(&path), "{path}");
            }
            versions += 1;
        }
    }
    // What onnxruntime has on its own in `ai.onnx`.
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs/runtimes/onnxruntime/ai.onnx");
    for file in fs::read_dir(own).unwrap() {
        let name = file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
        let path = format!("runtimes/onnxruntime/ai.onnx/{name}/index.html");
        assert!(site.pages.contains_key(&path), "{path}");
    }
    assert!(versions > 800, "{versions}");
}

#[test]
fn codes_types_and_opsets_have_their_pages() {
    let site = site();
    let codes = Code::all().map(|code| format!("codes/{}", code.name()));
    let opsets = (1..=Registry::builtin().newest_opset("").unwrap()).map(|opset| format!("opsets/ai.onnx/{opset}"));
    let others = ["types/float16", "profiles/sonnx/SONNX-SHAPE-010", "runtimes/tract/0.23.9", "rules/terms", "errata"];
    for path in codes.chain(opsets).chain(others.map(str::to_owned)) {
        assert!(site.pages.contains_key(&format!("{path}/index.html")), "{path}");
    }
}

#[test]
fn each_page_has_what_a_page_must_have() {
    let site = site();
    let mut titles = HashMap::new();
    for (path, page) in &site.pages {
        assert!(!page.title.trim().is_empty(), "{path}");
        if let Some(other) = titles.insert(&*page.title, path) {
            panic!("{path} and {other} have the same title {}", page.title);
        }
        let lang = page.elements.iter().find(|(name, _)| name == "html").and_then(|(_, of)| of.get("lang"));
        assert_eq!(lang.map(String::as_str), Some("en"), "{path}");
        for name in ["h1", "main", "header", "footer"] {
            assert_eq!(page.count(name), 1, "{path}: {name}");
        }
        assert_eq!(page.count("table"), page.count("caption"), "{path}");
        let scopes = page.elements.iter().filter(|(name, of)| name == "th" && of.contains_key("scope")).count();
        assert_eq!(page.count("th"), scopes, "{path}");
        let ids: Vec<&str> = page.values("id").collect();
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "{path}: {ids:?}");
        // One script, the search, and nothing in the page itself.
        assert_eq!((page.count("script"), page.count("style"), page.values("style").count()), (1, 0, 0), "{path}");
    }
}

#[test]
fn the_facts_beside_a_page_are_what_the_command_prints() {
    let site = site();
    let cases: &[(&str, &[&str])] = &[
        ("ai.onnx/LSTM", &["show", "LSTM"]),
        ("ai.onnx/LSTM/14", &["show", "LSTM@14"]),
        ("com.microsoft/GroupQueryAttention/1", &["show", "com.microsoft::GroupQueryAttention@1"]),
        ("com.acme/Markup", &["show", "com.acme::Markup"]),
        ("ai.onnx/Reshape/1..14", &["diff", "Reshape", "1", "14"]),
        ("opsets/ai.onnx/22", &["diff", "--opset", "21", "22"]),
        ("opsets/com.acme/3", &["diff", "--opset", "1", "3", "--domain", "com.acme"]),
        ("codes", &["explain"]),
        ("codes/rank-mismatch", &["explain", "rank-mismatch"]),
        ("profiles/sonnx/SONNX-SHAPE-010", &["explain", "SONNX-SHAPE-010"]),
    ];
    for (folder, args) in cases {
        assert_eq!(site.json(&format!("{folder}/index.json")), site.shape(args), "{folder}");
    }
    let of_domain = site.json("ai.onnx.ml/index.json");
    let scaler = json!({ "name": "Scaler", "versions": [1] });
    let found = of_domain["operators"].as_array().unwrap().iter().find(|of| of["name"] == "Scaler").unwrap();
    assert_eq!((&found["name"], &found["versions"]), (&scaler["name"], &scaler["versions"]));
    let of_type = site.json("types/bfloat16/index.json");
    let conv = json!({ "operator": "Conv", "first": "Conv-22", "last": null, "places": "T" });
    assert!(of_type["operators"].as_array().unwrap().contains(&conv), "{of_type}");
    // One file has those of all operators.
    let all = site.json("all.json");
    let operators = all["operators"].as_array().unwrap();
    for folder in ["ai.onnx/LSTM", "com.acme/Markup", "runtimes/onnxruntime/ai.onnx/Scale"] {
        assert!(operators.contains(&site.json(&format!("{folder}/index.json"))["operator"]), "{folder}");
    }
    let versions: usize = operators.iter().map(|of| of["versions"].as_array().unwrap().len()).sum();
    assert_eq!(json!(versions), site.report["versions"]);
}

#[test]
fn the_file_for_the_viewer_has_its_form() {
    let site = site();
    let all = site.json("onnx-metadata.json");
    let find = |name: &str, version: u64| {
        let is = |entry: &&Json| entry["name"] == name && entry["version"] == version;
        all.as_array().unwrap().iter().find(is).unwrap().clone()
    };
    let reshape = find("Reshape", 14);
    assert_eq!((&reshape["module"], &reshape["support_level"]), (&json!("ai.onnx"), &json!("common")));
    assert_eq!(
        (&reshape["min_input"], &reshape["max_input"], &reshape["min_output"]),
        (&json!(2), &json!(2), &json!(1))
    );
    let allowzero = &reshape["attributes"][0];
    assert_eq!(
        (&allowzero["name"], &allowzero["type"], &allowzero["required"], &allowzero["default"]),
        (&json!("allowzero"), &json!("int64"), &json!(false), &json!(0))
    );
    assert_eq!((&reshape["inputs"][1]["type"], &reshape["inputs"][0]["type"]), (&json!("tensor(int64)"), &json!("T")));
    let types = &reshape["type_constraints"][0];
    assert_eq!((&types["type_param_str"], &types["allowed_type_strs"][0]), (&json!("T"), &json!("tensor(float)")));
    let concat = find("Concat", 13);
    assert_eq!((&concat["inputs"][0]["list"], &concat["max_input"]), (&json!(true), &json!(2_147_483_647)));
    assert_eq!((&concat["inputs_range"], &concat["outputs_range"]), (&json!("1 - &#8734;"), &Json::Null));
    assert_eq!(find("LSTM", 22)["inputs"][3]["option"], "optional");
}

#[test]
fn texts_are_never_markup() {
    let site = site();
    assert!(MARKUP.contains("<script>"));
    let of_acme = site.pages.iter().filter(|(path, _)| {
        path.contains("com.acme") || matches!(&***path, "errata/index.html" | "codes/rank-mismatch/index.html")
    });
    let mut seen = String::new();
    for (path, page) in of_acme {
        let names = ["img", "svg", "iframe", "b", "u", "i", "marquee"];
        names.iter().for_each(|name| assert_eq!(page.count(name), 0, "{path}: {name}"));
        assert_eq!((page.count("script"), page.count("h1"), page.count("title")), (1, 1, 1), "{path}");
        assert!(page.values("href").all(|to| !to.contains(':') || to == "data:,"), "{path}");
        assert!(!site.read(path).contains('\u{202e}'), "{path}");
        seen.push_str(&page.text);
    }
    for text in [
        "Gives \"it\" & <script>alert(1)</script> <b>.",
        "A</p><img src=x onerror=alert(1)>\\u{202e}evil",
        "</title><script>alert(2)</script>",
        "\\\"><svg onload=alert(3)>",
        "<iframe src=//example.com>",
        "</td></table><script>alert(4)</script>",
        "As x, &lt;not an entity&gt;.",
        "<a href='javascript:alert(5)'>T</a>",
        "Now <marquee>more</marquee>.",
        "mode=\"<i>\"",
        "nothing computes <it>",
        "<h1>Another</h1>",
    ] {
        assert!(seen.contains(text), "{text}");
    }
    // The index of the search is a script: no text may end it, and none may be read as anything but a text.
    let index = site.read("search-index.js");
    let list = index.strip_prefix("window.shapeIndex = ").and_then(|rest| rest.strip_suffix(";\n")).unwrap();
    let list: Json = serde_json::from_str(list).unwrap();
    let markup = list.as_array().unwrap().iter().find(|entry| entry[1] == "com.acme::Markup").unwrap();
    assert_eq!((&markup[0], &markup[2]), (&json!("operator"), &json!("com.acme/Markup/index.html")));
    assert!(markup[3].as_str().unwrap().contains("<script>"));
}

#[test]
fn what_is_found_leads_to_a_place() {
    let site = site();
    let index = site.read("search-index.js");
    let list = index.strip_prefix("window.shapeIndex = ").and_then(|rest| rest.strip_suffix(";\n")).unwrap();
    let list: Vec<(String, String, String, String)> = serde_json::from_str(list).unwrap();
    for (_, name, to, _) in &list {
        let (file, place) = to.split_once('#').unwrap_or((to, ""));
        let page = site.pages.get(file).unwrap_or_else(|| panic!("{name}: {to}"));
        assert!(place.is_empty() || page.values("id").any(|id| id == place), "{name}: {to}");
    }
    assert!(list.iter().any(|(kind, name, ..)| kind == "attribute" && name == "layout of LSTM"));
}

#[test]
fn a_page_as_text() {
    let page = &site().pages["com.acme/Markup/3/index.html"];
    let lines = page.text.lines().map(str::trim).filter(|line| !line.is_empty());
    // What is newest changes with each release.
    let newest = format!(" to {}", newest_release("onnxruntime"));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n").replace(&newest, " to NEWEST"));
}
