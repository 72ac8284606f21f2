//! `shape view` and `shape infer --html`: what the page gets, and from whom questions are taken.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value as Json, json};
use shape_model::file::proto::NodeProto;

use crate::model::{Change as _, in_graph, int, model, node, opset};
use crate::run::{Folder, Run};

const ATTENTION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");

/// The command while it serves; it is stopped at the end of the test.
struct Server {
    child: Child,
    host: String,
    root: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(folder: &Folder, args: &[&str]) -> Self {
        let mut command = folder.command(["view"].iter().chain(args));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut url).unwrap();
        let (host, root) = url.trim().strip_prefix("http://").unwrap().split_once('/').unwrap();
        Self { host: host.to_owned(), root: format!("/{root}"), child }
    }

    /// The status and the content of an answer.
    fn request(&self, method: &str, path: &str, headers: &str, content: &[u8]) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let length = content.len();
        let head =
            format!("{method} {path} HTTP/1.0\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(content).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let status = std::str::from_utf8(&answer[..end]).unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer[end + 4..].to_vec())
    }

    fn post(&self, path: &str, content: &[u8]) -> Json {
        let headers = format!("Host: {}\r\nOrigin: http://{0}\r\n", self.host);
        let (status, content) = self.request("POST", &format!("{}{path}", self.root), &headers, content);
        assert_eq!(status, 200);
        serde_json::from_slice(&content).unwrap()
    }

    fn ask(&self, question: &Json) -> Json {
        self.post("ask", question.to_string().as_bytes())
    }

    fn answer(&self, question: &Json) -> Json {
        let answer = self.ask(question);
        assert!(answer["error"].is_null(), "{question}: {answer}");
        answer["answer"].clone()
    }
}

/// The fields of an answer that the command has too.
fn same(answer: &Json, run: &Run, fields: &[&str]) {
    let printed = run.json();
    for field in fields {
        assert_eq!(answer[field], printed[field], "{field}");
    }
}

#[test]
fn the_page_is_told_what_the_command_prints() {
    let folder = Folder::new();
    std::fs::copy(ATTENTION, folder.path().join("a.onnx")).unwrap();
    let server = Server::start(&folder, &["a.onnx"]);
    let shape = |args: &[&str]| folder.shape(args.iter().chain(&["--format", "json"]));
    assert_eq!(server.answer(&json!({ "question": "opened" }))[0]["name"], "a.onnx");

    let fields = ["schema_version", "values", "symbols", "summary", "findings"];
    let analysed = server.answer(&json!({ "question": "analyse", "model": 0 }));
    same(&analysed, &shape(&["infer", "a.onnx"]), &fields);
    assert_eq!(analysed["settable"], json!(["batch", "seq"]));
    assert_eq!(analysed["graphs"][0]["nodes"].as_array().unwrap().len(), 41);
    assert_eq!(analysed["graphs"][0]["nodes"][18]["since"], 21);
    let sized = json!({ "question": "analyse", "model": 0, "set": { "batch": 2 }, "input": {} });
    same(&server.answer(&sized), &shape(&["infer", "a.onnx", "--set", "batch=2"]), &fields);

    let why = json!({ "question": "why", "model": 0, "graph": 0, "value": "/attn/Reshape_1_output_0" });
    same(&server.answer(&why), &shape(&["infer", "a.onnx", "--why", "/attn/Reshape_1_output_0"]), &["value", "steps"]);
    let check = server.answer(&json!({ "question": "check", "model": 0 }));
    same(&check, &shape(&["check", "a.onnx"]), &["schema_version", "findings"]);
    let info = server.answer(&json!({ "question": "info", "model": 0, "set": { "batch": 2, "seq": 3 } }));
    assert_eq!(info, shape(&["info", "a.onnx", "--set", "batch=2", "--set", "seq=3"]).json()["models"][0]);
    let operator = server.answer(&json!({ "question": "operator", "operator": "LSTM", "opset": 14 }));
    assert_eq!(operator, shape(&["show", "LSTM@14"]).json());
    let code = server.answer(&json!({ "question": "explain", "code": "tensor-data" }));
    assert_eq!(code["text"], shape(&["explain", "tensor-data"]).json()["codes"][0]["explanation"]);
}

/// A node whose operator a release of a runtime changed, and one of an operator that none did.
#[test]
fn what_a_node_and_a_model_need_of_a_release() {
    let folder = Folder::new();
    let scored = NodeProto {
        domain: "com.microsoft".into(),
        attribute: vec![int("num_heads", 2)],
        ..node("MultiHeadAttention", &["x", "x", "x"], &["z", "", "", "scores"])
    };
    let nodes = vec![node("Relu", &["q"], &["x"]), scored];
    let scored = model(&["q: float[1, 1, 16]"], nodes, &["z: float[1, 1, 16]", "scores: float[1, 2, 1, 1]"]);
    folder.model("a.onnx", &scored.with(|model| model.opset_import.push(opset("com.microsoft", 1))));
    let server = Server::start(&folder, &["a.onnx"]);
    let needs = |node: usize| {
        server.answer(&json!({ "question": "node", "model": 0, "graph": 0, "node": node }))["needs"].clone()
    };
    assert_eq!(needs(0), json!([]));
    assert_eq!(needs(1), json!(["the output `qk` exists from onnxruntime 1.22.0 on"]));
    // The first release of the whole model is the one that the command tells.
    let support = server.answer(&json!({ "question": "support", "model": 0 }))[0].clone();
    assert_eq!((&support["first"], &support["needs"], &support["lacks"]), (&json!("1.22.0"), &needs(1), &json!([])));
}

#[test]
fn edited_models_are_open_and_can_be_compared_and_saved() {
    let folder = Folder::new();
    std::fs::copy(ATTENTION, folder.path().join("a.onnx")).unwrap();
    let server = Server::start(&folder, &["a.onnx"]);
    let edits = [
        (json!({ "question": "simplify", "model": 0 }), vec!["simplify", "a.onnx"], "a.simplified.onnx"),
        (
            json!({ "question": "convert", "model": 0, "opset": 13 }),
            vec!["convert", "a.onnx", "--opset", "13"],
            "a.opset13.onnx",
        ),
        (
            json!({ "question": "annotate", "model": 0, "set": { "batch": 2 } }),
            vec!["infer", "a.onnx", "--set", "batch=2"],
            "a.inferred.onnx",
        ),
    ];
    for (question, command, name) in edits {
        let edited = server.answer(&question);
        assert_eq!(edited["opened"]["name"], name);
        assert_eq!(folder.shape(command.iter().chain(&["-o", "out.onnx"])).code, 0);
        let path = format!("{}bytes?model={}", server.root, edited["opened"]["model"]);
        let (status, bytes) = server.request("GET", &path, &format!("Host: {}\r\n", server.host), b"");
        assert!(status == 200 && bytes == std::fs::read(folder.path().join("out.onnx")).unwrap(), "{question}");
    }
    let changed = server.answer(&json!({ "question": "compare", "model": 0, "other": 1 }));
    let counted = |name: &str| changed["operators"].as_array().unwrap().iter().find(|of| of["name"] == name).cloned();
    assert_eq!(counted("Shape").unwrap(), json!({ "domain": "ai.onnx", "name": "Shape", "before": 8, "after": 0 }));
    assert_eq!(counted("MatMul"), None);
    assert!(
        changed["nodes"].as_array().unwrap().iter().any(|of| of["change"] == "changed" && of["op_type"] == "Reshape")
    );
    let gone = json!({
        "change": "removed", "graph": "graph", "name": "/attn/Shape_output_0",
        "before": "int64 [3] = [batch, seq, 64]", "after": null,
    });
    assert!(changed["values"].as_array().unwrap().contains(&gone), "{changed}");

    // Sizes hold for both, as far as they have symbols for them.
    let sized = json!({ "question": "compare", "model": 0, "other": 1, "set": { "batch": 2, "bach": 3 } });
    let values = server.answer(&sized)["values"].clone();
    assert!(values.to_string().contains("int64 [3] = [2, seq, 64]"), "{values}");

    // What is refused says why, and nothing is open of it.
    let wrong = model(&["x: float[N]"], vec![node("Relu", &["x", "x"], &["y"])], &["y: float"]);
    let path = folder.model("wrong.onnx", &wrong);
    assert_eq!(server.post("open?name=wrong.onnx", &std::fs::read(path).unwrap())["answer"]["model"], 4);
    let refused = server.answer(&json!({ "question": "simplify", "model": 4 }));
    assert!(refused["opened"].is_null());
    let command = folder.shape(["simplify", "wrong.onnx", "-o", "out.onnx", "--format", "json"]);
    assert_eq!(refused["report"], command.json());
    assert_eq!(server.ask(&json!({ "question": "close", "model": 4 })), json!({ "answer": null }));
    let errors = [
        (json!({ "question": "close", "model": 4 }), "no model 4 is open"),
        (json!({ "question": "analyse", "model": 0, "set": { "bach": 2 } }), "did you mean `batch`?"),
        (json!({ "question": "operator", "operator": "Reshap" }), "did you mean `Reshape`?"),
        (json!({ "question": "node", "model": 0, "graph": 0, "node": 99 }), "has no node 99"),
        (json!({ "question": "sing" }), "the question is not understood"),
    ];
    for (question, expected) in errors {
        let error = server.ask(&question);
        assert!(error["error"].as_str().unwrap().contains(expected), "{question}: {error}");
    }
    let garbage = server.post("open?name=x", b"no model");
    assert!(garbage["error"].as_str().unwrap().contains("ONNX"), "{garbage}");
}

/// A page of somebody else could reach the address of this machine, and a name of his could lead here.
#[test]
fn nobody_else_is_answered() {
    let folder = Folder::new();
    let server = Server::start(&folder, &[]);
    let own = format!("Host: {}\r\n", server.host);
    let root = server.root.clone();
    let status = |method: &str, path: &str, headers: &str| server.request(method, path, headers, b"{}").0;
    assert_eq!(status("GET", &root, &own), 200);
    assert_eq!(status("GET", "/", &own), 404);
    assert_eq!(status("POST", "/ask", &own), 404);
    assert_eq!(status("GET", &root, "Host: example.org\r\n"), 403);
    assert_eq!(status("POST", &format!("{root}ask"), &format!("{own}Origin: http://example.org\r\n")), 403);
    assert_eq!(status("PUT", &root, &own), 404);
    assert_eq!(status("GET", &format!("{root}bytes?model=0"), &own), 404);
    assert_ne!(root, Server::start(&folder, &[]).root);
}

#[test]
fn a_written_page_has_all_answers() {
    let folder = Folder::new();
    std::fs::copy(ATTENTION, folder.path().join("a.onnx")).unwrap();
    let run = folder.shape(["infer", "a.onnx", "--set", "batch=2", "--html", "a.html"]);
    assert!(run.code == 0 && run.notes.contains("wrote a.html"), "{run:?}");
    let page = std::fs::read_to_string(folder.path().join("a.html")).unwrap();
    let (_, config) = page.split_once("id=\"page-config\">").unwrap();
    let config: Json = serde_json::from_str(config.split_once("</script>").unwrap().0).unwrap();
    let answers = &config["data"]["answers"];
    let infer = folder.shape(["infer", "a.onnx", "--set", "batch=2", "--format", "json"]);
    same(&answers["analyse"], &infer, &["values", "symbols", "summary", "findings"]);
    assert_eq!(answers["nodes"].as_object().unwrap().len(), 41);
    assert_eq!(answers["steps"]["0:18"]["outputs"][0]["dims"], json!([2, "seq", 4, 16]));
    assert_eq!(answers["operators"]["ai.onnx::Reshape"]["operator"]["name"], "Reshape");
    // No address of any site is in it.
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"));
}

/// Names and texts of a model are no markup, wherever they stand.
#[test]
fn a_model_cannot_write_into_the_page() {
    let folder = Folder::new();
    let name = "</script><img src=x onerror=alert(1)>";
    let nodes = vec![node("Relu", &["x"], &["y"]).with(|node| node.name = name.to_owned())];
    let model = in_graph(model(&["x: float[N]"], nodes, &["y: float[N]"]), |graph| graph.doc_string = name.to_owned());
    folder.model("m.onnx", &model);
    assert_eq!(folder.shape(["infer", "m.onnx", "--html", "m.html"]).code, 0);
    let page = std::fs::read_to_string(folder.path().join("m.html")).unwrap();
    assert!(page.contains("onerror=alert(1)") && !page.contains("<img"));
}
