//! The page of `shape infer --html`: with all answers in it, for somebody who has neither the model nor the command.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::page::{Engine, html};
use super::session::Session;

/// The page with what is known of a model of a session; `sizes` has `set` and `input`, as questions have them.
///
/// # Errors
/// The model does not have what the sizes name.
pub(super) fn written_page(session: &mut Session, model: usize, sizes: &Value) -> Result<String, String> {
    let mut ask = |question: &str, more: Value| answer(session, question, model, more);
    let analysis = ask("analyse", sizes.clone())?;
    let check = ask("check", json!({}))?;
    let nodes = ask("nodes", json!({}))?;
    let mut operators = Map::new();
    for path in nodes.as_object().into_iter().flatten().filter_map(|(_, node)| operator(node)).collect::<BTreeSet<_>>()
    {
        // An operator without a descriptor has none of these.
        if let Ok(page) = ask("operator", json!({ "operator": path })) {
            operators.insert(path, page);
        }
    }
    let findings = [&analysis, &check].into_iter().filter_map(|answer| answer.get("findings")?.as_array()).flatten();
    let codes: BTreeSet<&str> = findings.filter_map(|finding| finding.get("code")?.as_str()).collect();
    let mut explain = Map::new();
    for code in codes {
        explain.insert(code.to_owned(), ask("explain", json!({ "code": code }))?);
    }
    let info = ask("info", sizes.clone())?;
    let steps = ask("steps", sizes.clone())?;
    let support = ask("support", json!({}))?;
    let answers = json!({
        "analyse": analysis, "check": check, "info": info, "support": support, "nodes": nodes, "steps": steps,
        "operators": operators, "explain": explain,
    });
    let opened = ask("opened", json!({}))?;
    Ok(html(&Engine::Data { data: json!({ "opened": opened, "answers": answers }) }))
}

/// What a session answers to a question about a model, with what else the question needs.
fn answer(session: &mut Session, question: &str, model: usize, more: Value) -> Result<Value, String> {
    let mut asked = json!({ "question": question, "model": model });
    if let (Value::Object(asked), Value::Object(more)) = (&mut asked, more) {
        asked.extend(more);
    }
    let answer: Value = serde_json::from_str(&session.ask(&asked.to_string())).map_err(|error| error.to_string())?;
    match (answer.get("answer"), answer.get("error").and_then(Value::as_str)) {
        (Some(answer), _) => Ok(answer.clone()),
        (None, error) => Err(error.unwrap_or_default().to_owned()),
    }
}

/// The path of the operator of a node, where its version is known.
fn operator(node: &Value) -> Option<String> {
    node.get("since")?.as_u64()?;
    Some(format!("{}::{}", node.get("domain")?.as_str()?, node.get("op_type")?.as_str()?))
}
