//! The models that a page has open, and the answers to its questions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bytes::Bytes;
use serde::Serialize;
use shape_core::Registry;
use shape_core::code::Code;
use shape_model::file::{External, ModelEdit};
use shape_model::{Analysis, Annotations, Finding, ModelFile, NotSimplified, Options, SimplifyOptions};
use shape_model::{analyse, annotate, convert, simplify};

use super::compare::Comparison;
use super::graphs::{Graph, graphs, schema, settable};
use super::node::Detail;
use super::question::{OfValue, Question, Sized, WithOther};
use crate::commands::convert::{Report as Conversion, target};
use crate::commands::infer::{self, Why, why};
use crate::commands::ops::supports;
use crate::commands::simplify::Report as Simplification;
use crate::commands::{info, show};
use crate::descriptors::{Descriptors, Specs};
use crate::json::{self, SCHEMA_VERSION};
use crate::render::number;
use crate::sizes::unknown_name;

/// The models that a page has open.
///
/// A page asks in JSON, and is answered in JSON: in what the command prints where it has a command for the question.
/// `page/api.d.ts` in this crate describes questions and answers.
///
/// ```
/// use shape_cli::page::Session;
/// let model = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx"))?;
/// let mut session = Session::new(None)?;
/// let opened = session.open("attention.onnx", model.into(), []);
/// assert!(opened.starts_with(r#"{"answer":{"model":0,"#));
/// let values = session.ask(r#"{"question": "analyse", "model": 0, "set": {"batch": 2}}"#);
/// assert!(values.contains(r#""dims":[2,"seq",64]"#));
/// assert!(session.ask(r#"{"question": "close", "model": 7}"#).starts_with(r#"{"error":"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Session {
    registry: Registry,
    specs: Option<Specs>,
    /// By their numbers; `None` for one that was closed.
    models: Vec<Option<Held>>,
}

/// A model that is open.
#[derive(Debug)]
struct Held {
    name: String,
    file: ModelFile,
}

/// A model that is open, as the page sees it.
#[derive(Serialize)]
struct Opened<'a> {
    model: usize,
    name: &'a str,
    bytes: usize,
}

/// What is known of the values of a model, and its graphs.
#[derive(Serialize)]
struct Analysed<'a, R> {
    #[serde(flatten)]
    report: R,
    graphs: Vec<Graph<'a>>,
    settable: BTreeSet<String>,
}

#[derive(Serialize)]
struct Checked {
    schema_version: u32,
    findings: Vec<json::Finding>,
}

#[derive(Serialize)]
struct Explained {
    code: &'static str,
    title: &'static str,
    text: &'static str,
}

/// An edited model, which is open too, and what is said of the edit.
#[derive(Serialize)]
struct Edited<'a, R> {
    opened: Option<Opened<'a>>,
    report: R,
}

#[derive(Serialize)]
struct Annotated {
    findings: Vec<json::Finding>,
}

/// An answer, or why there is none.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Answer<T> {
    Answer(T),
    Error(String),
}

/// An answer as text.
type Answered = Result<String, String>;

fn answer(answer: &impl Serialize) -> Answered {
    text(&Answer::Answer(answer))
}

fn text(value: &impl Serialize) -> Answered {
    let mut text = Vec::new();
    json::write(&mut text, value).map_err(|error| error.to_string())?;
    String::from_utf8(text).map_err(|error| error.to_string())
}

impl Session {
    /// A session without models, with the operators of this build and those of descriptors.
    ///
    /// # Errors
    /// All that is wrong with the descriptors.
    pub fn new(specs: Option<Specs>) -> Result<Self, String> {
        let registry = match &specs {
            Some(specs) => specs.registry()?,
            None => Registry::builtin().clone(),
        };
        Ok(Self { registry, specs, models: Vec::new() })
    }

    /// Opens a model that is in memory, with the files beside it by the paths that its tensors have for them. Answers with
    /// the number of the model, or with why it cannot be read.
    pub fn open(&mut self, name: &str, file: Bytes, beside: impl IntoIterator<Item = (String, Bytes)>) -> String {
        let opened = ModelFile::from_named_bytes(file, name).map_err(|error| error.to_string());
        let opened = opened.and_then(|file| answer(&self.add(name, file.with_external(External::given(beside)))));
        opened.unwrap_or_else(refused)
    }

    /// Adds a model that is open already, and returns its number.
    pub(super) fn hold(&mut self, name: &str, file: ModelFile) -> usize {
        self.add(name, file).model
    }

    fn add(&mut self, name: &str, file: ModelFile) -> Opened<'_> {
        let (model, bytes) = (self.models.len(), file.bytes().len());
        self.models.push(Some(Held { name: name.to_owned(), file }));
        let name = self.models.last().and_then(Option::as_ref).map_or("", |held| &held.name);
        Opened { model, name, bytes }
    }

    /// The bytes of the file of a model; `None` if no such model is open.
    #[must_use]
    pub fn bytes(&self, model: usize) -> Option<Bytes> {
        Some(self.held(model).ok()?.file.bytes().clone())
    }

    /// Answers a question, in JSON: `{"answer": ...}`, or `{"error": "..."}` with why there is no answer.
    pub fn ask(&mut self, question: &str) -> String {
        let question =
            serde_json::from_str(question).map_err(|error| format!("the question is not understood: {error}"));
        question.and_then(|question| self.answer(question)).unwrap_or_else(refused)
    }

    fn answer(&mut self, question: Question) -> Answered {
        match question {
            Question::Opened => answer(&self.opened()),
            Question::Close { model } => {
                self.held(model)?;
                self.models.get_mut(model).into_iter().for_each(|held| *held = None);
                answer(&())
            }
            Question::Analyse(sized) => self.analyse(&sized),
            Question::Check { model } => self.check(model),
            Question::Info(sized) => {
                let held = self.held(sized.model)?;
                let options = (!sized.is_plain()).then(|| sized.options(&held.file, &self.registry));
                answer(&info::json((Path::new(&held.name), &held.file), &self.registry, options.as_ref())?)
            }
            Question::Node { model, graph, node } => self.node(model, graph, node),
            Question::Nodes { model } => self.nodes(model),
            Question::Steps(sized) => self.steps(&sized),
            Question::Why(of) => self.why(&of),
            Question::Operator { operator, opset } => {
                let descriptors = Descriptors::find_one(&operator, self.specs.as_ref())?;
                Ok(format!("{{\"answer\":{}}}", show::json(&operator, opset, &descriptors)?))
            }
            Question::Explain { code } => {
                let code = Code::from_name(&code).ok_or_else(|| format!("there is no code `{code}`"))?;
                answer(&Explained { code: code.name(), title: code.title(), text: code.explanation() })
            }
            Question::Support { model } => {
                let held = self.held(model)?;
                let analysis = held.analyse(&held.options(&self.registry))?;
                answer(&supports(&held.file, &analysis, &self.registry)?)
            }
            Question::Simplify { model } => self.simplify(model),
            Question::Convert { model, opset } => self.convert(model, opset),
            Question::Annotate(sized) => self.annotate(&sized),
            Question::Compare(WithOther { sized, other }) => {
                let (before, after) = (self.held(sized.model)?, self.held(other)?);
                let [before, after] =
                    [before, after].map(|held| held.analyse(&sized.fitting(&held.file, &self.registry)));
                answer(&Comparison::new(&before?, &after?))
            }
        }
    }

    fn opened(&self) -> Vec<Opened<'_>> {
        let models = self.models.iter().enumerate();
        let opened = models.filter_map(|(model, held)| {
            held.as_ref().map(|held| Opened { model, name: &held.name, bytes: held.file.bytes().len() })
        });
        opened.collect()
    }

    fn held(&self, model: usize) -> Result<&Held, String> {
        let held = self.models.get(model).and_then(Option::as_ref);
        held.ok_or_else(|| format!("no model {model} is open; {} are", number(self.opened().len(), "model")))
    }

    fn analyse(&self, sized: &Sized) -> Answered {
        let held = self.held(sized.model)?;
        let mut analysis = held.analyse(&sized.options(&held.file, &self.registry))?;
        let findings = held.reported(std::mem::take(&mut analysis.findings).into());
        let summary = analysis.summary();
        answer(&Analysed {
            report: infer::report(&analysis, Some(&summary), None, findings),
            graphs: graphs(&analysis, held.file.model(), &self.registry),
            settable: settable(held.file.model()),
        })
    }

    fn check(&self, model: usize) -> Answered {
        let held = self.held(model)?;
        let findings = shape_model::check(held.file.model(), &held.options(&self.registry));
        let findings = held.reported(findings.map_err(|error| unknown_name(&error))?);
        answer(&Checked { schema_version: SCHEMA_VERSION, findings })
    }

    fn node(&self, model: usize, graph: usize, node: usize) -> Answered {
        let held = self.held(model)?;
        let analysis = held.analyse(&held.options(&self.registry))?;
        let usage = analysis.usage(held.file.model(), &self.registry);
        let used = usage.iter().find(|used| (used.graph, used.index) == (graph, node));
        let released = analysis.released(held.file.model(), &self.registry);
        let released = released.iter().find(|of| (of.graph, of.index) == (graph, node));
        let detail = Detail::new(&analysis, (graph, node), used.and_then(schema), released);
        answer(&detail.ok_or_else(|| format!("graph {graph} has no node {node}"))?)
    }

    /// All nodes, by the indices of graph and node.
    fn nodes(&self, model: usize) -> Answered {
        let held = self.held(model)?;
        let analysis = held.analyse(&held.options(&self.registry))?;
        let usage = analysis.usage(held.file.model(), &self.registry);
        let released = analysis.released(held.file.model(), &self.registry);
        let released: BTreeMap<_, _> = released.iter().map(|of| ((of.graph, of.index), of)).collect();
        let details = usage.iter().filter_map(|used| {
            let at = (used.graph, used.index);
            let detail = Detail::new(&analysis, at, schema(used), released.get(&at).copied())?;
            Some((format!("{}:{}", used.graph, used.index), detail))
        });
        answer(&details.collect::<BTreeMap<_, _>>())
    }

    /// What any trace is made of, by the indices of graph and node.
    fn steps(&self, sized: &Sized) -> Answered {
        let held = self.held(sized.model)?;
        let analysis = held.analyse(&sized.options(&held.file, &self.registry))?;
        let steps = analysis.steps(held.file.model(), &self.registry);
        let keys = steps.iter().map(|step| format!("{}:{}", step.graph, step.index));
        answer(&keys.zip(why::steps(&analysis, &steps)).collect::<BTreeMap<_, _>>())
    }

    fn why(&self, of: &OfValue) -> Answered {
        let held = self.held(of.sized.model)?;
        let mut analysis = held.analyse(&of.sized.options(&held.file, &self.registry))?;
        let value = analysis.scopes().index(of.graph, &of.value);
        let value = value.ok_or_else(|| format!("graph {} has no value `{}`", of.graph, of.value))?;
        let trace = analysis.trace(held.file.model(), &self.registry, value);
        let mut findings: Vec<Finding> = std::mem::take(&mut analysis.findings).into();
        findings.retain(|finding| why::is_about(&analysis, &trace, finding));
        answer(&Why::new(&analysis, &trace, held.reported(findings)))
    }

    fn simplify(&mut self, model: usize) -> Answered {
        let held = self.held(model)?;
        let analysis = held.options(&self.registry);
        let options = SimplifyOptions { analysis, ..SimplifyOptions::of(&held.file) };
        let simplified = match simplify(&held.file, &options) {
            Ok(simplified) => simplified,
            Err(NotSimplified::Refused(findings)) => {
                let report = Simplification::refused(held.reported(findings));
                return answer(&Edited { opened: None, report });
            }
            Err(error) => return Err(error.to_string()),
        };
        let report = Simplification::new(&simplified, held.file.bytes().len(), true);
        let mut bytes = Vec::new();
        simplified.edited.write_to(&mut bytes).map_err(|error| error.to_string())?;
        drop(simplified);
        self.edited(model, "simplified", bytes, report)
    }

    fn convert(&mut self, model: usize, opset: u32) -> Answered {
        let held = self.held(model)?;
        let target = target(&[("ai.onnx".to_owned(), opset)], None, &self.registry)?;
        let conversion = match convert(&held.file, target.clone(), &self.registry) {
            Ok(conversion) => conversion,
            Err(findings) => {
                let report = Conversion::refused(&target, held.reported(findings));
                return answer(&Edited { opened: None, report });
            }
        };
        let bytes = held.rewritten(&conversion.edit)?;
        self.edited(model, &format!("opset{opset}"), bytes, Conversion::new(&target, conversion))
    }

    fn annotate(&mut self, sized: &Sized) -> Answered {
        let held = self.held(sized.model)?;
        let mut analysis = held.analyse(&sized.options(&held.file, &self.registry))?;
        let graph = annotate(&analysis, Annotations::default());
        let bytes = held.rewritten(&ModelEdit { graph, ..ModelEdit::default() })?;
        let findings = held.reported(std::mem::take(&mut analysis.findings).into());
        self.edited(sized.model, "inferred", bytes, Annotated { findings })
    }

    /// Opens what became of a model, under a name that says what was done.
    fn edited(&mut self, model: usize, what: &str, bytes: Vec<u8>, report: impl Serialize) -> Answered {
        let held = self.held(model)?;
        let name = format!("{}.{what}.onnx", held.name.strip_suffix(".onnx").unwrap_or(&held.name));
        let file = ModelFile::from_bytes(bytes.into()).map_err(|error| error.to_string())?;
        let file = file.with_external(held.file.external().clone());
        answer(&Edited { opened: Some(self.add(&name, file)), report })
    }
}

fn refused(error: String) -> String {
    text(&Answer::<()>::Error(error)).unwrap_or_default()
}

impl Held {
    fn options(&self, registry: &Registry) -> Options {
        Options { registry: registry.clone(), ..Options::of(&self.file) }
    }

    fn analyse(&self, options: &Options) -> Result<Analysis<'_>, String> {
        analyse(self.file.model(), options).map_err(|error| unknown_name(&error))
    }

    fn reported(&self, findings: Vec<Finding>) -> Vec<json::Finding> {
        findings.into_iter().map(|finding| json::Finding::new(Path::new(&self.name), finding)).collect()
    }

    fn rewritten(&self, edit: &ModelEdit) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        self.file.rewrite_to(edit, &mut bytes).map_err(|error| error.to_string())?;
        Ok(bytes)
    }
}
