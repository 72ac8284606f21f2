//! Answers to questions: those about bytes here, where the buffers are, and all others as every engine of the page does.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use shape_cli::page::Session;

use crate::buffers::{Buffer, Buffers};

#[derive(Deserialize)]
struct Question {
    question: String,
}

/// A model, and the files that its tensors name. Their buffers are taken over.
#[derive(Deserialize)]
struct Open {
    name: String,
    file: Buffer,
    #[serde(default)]
    beside: BTreeMap<String, Buffer>,
}

#[derive(Deserialize)]
struct OfModel {
    model: usize,
}

/// The answer to the question in a buffer, as JSON.
pub(crate) fn answer(session: &mut Session, buffers: &mut Buffers, question: Buffer) -> String {
    let answer = text(buffers, question).and_then(|text| match parse::<Question>(&text)?.question.as_str() {
        "open" => open(session, buffers, parse(&text)?),
        "bytes" => bytes(session, buffers, &parse(&text)?),
        _ => Ok(session.ask(&text)),
    });
    answer.unwrap_or_else(|error| refusal(&error))
}

/// What cannot be answered.
pub(crate) fn refusal(error: &str) -> String {
    json!({ "error": error }).to_string()
}

fn open(session: &mut Session, buffers: &mut Buffers, asked: Open) -> Result<String, String> {
    // All are taken before one is refused, so that none is left.
    let file = buffers.take(asked.file);
    let beside: Vec<_> = asked.beside.into_iter().map(|(path, buffer)| (path, buffers.take(buffer))).collect();
    let beside =
        beside.into_iter().map(|(path, bytes)| Ok((path, Bytes::from(bytes?)))).collect::<Result<Vec<_>, String>>()?;
    Ok(session.open(&asked.name, file?.into(), beside))
}

fn bytes(session: &Session, buffers: &mut Buffers, asked: &OfModel) -> Result<String, String> {
    let bytes = session.bytes(asked.model).ok_or_else(|| format!("no model {} is open", asked.model))?;
    let (address, len) = buffers.hand_out(bytes.into());
    Ok(json!({ "answer": [address, len] }).to_string())
}

fn text(buffers: &Buffers, question: Buffer) -> Result<String, String> {
    String::from_utf8(buffers.get(question)?.to_vec()).map_err(|error| error.to_string())
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("the question is not understood: {error}"))
}
