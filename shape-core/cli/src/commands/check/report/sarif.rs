//! Findings as a SARIF 2.1.0 log, the OASIS format that code scanning and editors read.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, is_separator};

use serde::Serialize;
use shape_core::code::{Code, Severity};
use shape_model::profile::{Judgement, ProfileRule, Verdict};
use shape_model::{Finding, NodeRef};

use super::{Checked, End, Report, Unread};
use crate::commands::check::profile_report::{ModelReport, SelectedProfile, Totals};
use crate::{json, render};

/// The log, while models are added.
pub(super) struct Sarif<'p> {
    profile: Option<&'p SelectedProfile>,
    results: Vec<SarifResult>,
    errors: Vec<Notification>,
    artifacts: Vec<ModelArtifact>,
}

impl Report for Sarif<'_> {
    fn checked(&mut self, _: &mut dyn Write, model: Checked) -> io::Result<()> {
        self.results.extend(model.findings.iter().map(|finding| SarifResult::new(&model.path, finding)));
        if let Some(judged) = &model.judged {
            self.judged(judged);
        }
        Ok(())
    }

    fn unread(&mut self, _: &mut dyn Write, model: Unread) -> io::Result<()> {
        self.errors.push(Notification { level: "error", message: Message::new(&model.error) });
        Ok(())
    }

    fn end(self: Box<Self>, mut out: &mut dyn Write, _: End) -> io::Result<()> {
        json::write(&mut out, &self.log())
    }
}

impl<'p> Sarif<'p> {
    pub(super) fn new(profile: Option<&'p SelectedProfile>) -> Self {
        Self { profile, results: Vec::new(), errors: Vec::new(), artifacts: Vec::new() }
    }

    /// Adds the verdicts on a model. Rules that pass are only counted.
    fn judged(&mut self, model: &ModelReport) {
        let listed = model.listed();
        self.results.extend(listed.map(|(judgement, more)| SarifResult::of_rule(&model.model, judgement, more)));
        self.artifacts.push(ModelArtifact {
            location: Artifact { uri: uri(&model.model) },
            hashes: Hashes { sha_256: model.sha256.clone() },
            properties: Some(ModelProperties {
                onnx: model.report.is_onnx(),
                nodes: model.report.nodes,
                totals: Totals::of(&model.report),
                sha256_covers_all: !model.uncovered,
            }),
        });
        let folder = model.model.parent().unwrap_or(Path::new(""));
        self.artifacts.extend(model.external.iter().map(|(location, sha256)| ModelArtifact {
            location: Artifact { uri: uri(&folder.join(location)) },
            hashes: Hashes { sha_256: sha256.clone() },
            properties: None,
        }));
    }

    /// Makes the log.
    fn log(self) -> Log {
        let profile_rules = self.profile.iter().flat_map(|selected| selected.rules()).map(Rule::of_profile);
        let driver = Driver {
            name: "shape",
            semantic_version: env!("CARGO_PKG_VERSION"),
            information_uri: env!("CARGO_PKG_REPOSITORY"),
            rules: Code::all().map(Rule::new).chain(profile_rules).collect(),
        };
        let invocation =
            Invocation { execution_successful: self.errors.is_empty(), tool_execution_notifications: self.errors };
        Log {
            schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            version: "2.1.0",
            runs: [Run {
                tool: Tool { driver },
                invocations: [invocation],
                artifacts: self.artifacts,
                results: self.results,
                properties: self.profile.map(|selected| RunProperties {
                    profile: selected.profile.name,
                    profile_version: selected.profile.version,
                    options: selected.options.clone(),
                }),
            }],
        }
    }
}

#[derive(Debug, Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Debug, Serialize)]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    artifacts: Vec<ModelArtifact>,
    results: Vec<SarifResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<RunProperties>,
}

/// The profile that judges the models; SARIF allows any properties here.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RunProperties {
    profile: &'static str,
    profile_version: &'static str,
    options: Vec<&'static str>,
}

/// A model model, or a file with its external data.
#[derive(Debug, Serialize)]
struct ModelArtifact {
    location: Artifact,
    hashes: Hashes,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<ModelProperties>,
}

#[derive(Debug, Serialize)]
struct Hashes {
    #[serde(rename = "sha-256")]
    sha_256: String,
}

/// The verdicts on a model, counted.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ModelProperties {
    onnx: bool,
    nodes: usize,
    totals: Totals,
    sha256_covers_all: bool,
}

#[derive(Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    rules: Vec<Rule>,
}

/// A code of findings, or a rule of a profile. GitHub requires all three texts.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Message,
    full_description: Message,
    help: Message,
    default_configuration: Configuration,
}

impl Rule {
    fn new(code: Code) -> Self {
        Self {
            id: code.name(),
            short_description: Message::new(code.title()),
            full_description: Message::new(code.explanation().trim_end()),
            help: Message::new(&format!("`shape explain {code}`\n\n{}", code.explanation().trim_end())),
            default_configuration: Configuration { level: level(code.severity()) },
        }
    }

    fn of_profile(rule: &'static ProfileRule) -> Self {
        Self {
            id: rule.id,
            short_description: Message::new(rule.title),
            full_description: Message::new(rule.says),
            help: Message::new(&format!("`shape explain {}`\n\n{}\n\n{}", rule.id, rule.says, rule.why)),
            default_configuration: Configuration { level: "error" },
        }
    }
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Debug, Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
}

#[derive(Debug, Serialize)]
struct Message {
    text: String,
}

impl Message {
    /// Doubles braces: SARIF reads a single one as a placeholder.
    fn new(text: &str) -> Self {
        Self { text: text.replace('{', "{{").replace('}', "}}") }
    }
}

/// A finding, which SARIF calls a result.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    /// `fail` or `open` for a rule of a profile; SARIF takes a result without a kind as `fail`.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
}

impl SarifResult {
    fn new(model: &Path, finding: &Finding) -> Self {
        let artifact_location = Artifact { uri: uri(model) };
        let location = Location {
            physical_location: Physical { artifact_location },
            logical_locations: Logical::new(&finding.graph, finding.node.as_ref()).into_iter().collect(),
        };
        Self {
            rule_id: finding.code.name(),
            kind: None,
            level: level(finding.severity()),
            message: Message::new(&render::plain(finding)),
            locations: [location],
        }
    }

    fn of_rule(model: &Path, judgement: &Judgement, more: usize) -> Self {
        let Judgement { rule, graph, node, verdict, reason } = judgement;
        let (kind, level) = if *verdict == Verdict::Fail { ("fail", "error") } else { ("open", "none") };
        let position = render::position_of(graph, node.as_deref());
        let position = position.map(|position| format!("\nin: {position}")).unwrap_or_default();
        let more = render::more_like_it(more);
        let location = Location {
            physical_location: Physical { artifact_location: Artifact { uri: uri(model) } },
            logical_locations: Logical::new(graph, node.as_deref()).into_iter().collect(),
        };
        Self {
            rule_id: rule.id,
            kind: Some(kind),
            level,
            message: Message::new(&format!("{}{position}\nreason: {reason}{more}", rule.title)),
            locations: [location],
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<Logical>,
}

/// A whole file: a model has no lines.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
}

#[derive(Debug, Serialize)]
struct Artifact {
    uri: String,
}

/// A graph or a node, by its path as in all formats: `graph/3:If.then_branch/0:Shape`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    fully_qualified_name: String,
    kind: &'static str,
}

impl Logical {
    /// The position in the model; `None` for the model as a whole.
    fn new(graph: &str, node: Option<&NodeRef>) -> Option<Self> {
        match node {
            _ if graph.is_empty() => None,
            None => Some(Self { name: None, fully_qualified_name: graph.to_owned(), kind: "graph" }),
            Some(node) => Some(Self {
                name: Some(node.name.clone()).filter(|name| !name.is_empty()),
                fully_qualified_name: format!("{graph}/{}:{}", node.index, node.op_type),
                kind: "node",
            }),
        }
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// A path as a URI: a `file` URI if it is absolute, otherwise relative to the working directory.
fn uri(path: &Path) -> String {
    let mut uri = String::new();
    if path.is_absolute() {
        uri.push_str("file://");
        // A Windows path begins with its drive.
        if cfg!(windows) {
            uri.push('/');
        }
    }
    for byte in path.strip_prefix(".").unwrap_or(path).as_os_str().as_encoded_bytes() {
        match char::from(*byte) {
            letter if is_separator(letter) => uri.push('/'),
            letter if letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.' | '_' | '~') => uri.push(letter),
            letter => _ = write!(uri, "%{:02X}", u32::from(letter)),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_as_uris() {
        let cases = [
            ("model.onnx", "model.onnx"),
            ("./a/./model.onnx", "a/./model.onnx"),
            ("../model.onnx", "../model.onnx"),
            ("a b/100%.onnx", "a%20b/100%25.onnx"),
            // A colon in the first part would make it a scheme.
            ("c:m#1?.onnx", "c%3Am%231%3F.onnx"),
            ("modèle.onnx", "mod%C3%A8le.onnx"),
        ];
        for (path, expected) in cases {
            assert_eq!(uri(Path::new(path)), expected);
        }
        #[cfg(unix)]
        assert_eq!(uri(Path::new("/tmp/m[1].onnx")), "file:///tmp/m%5B1%5D.onnx");
        #[cfg(windows)]
        assert_eq!(uri(Path::new(r"C:\tmp\m.onnx")), "file:///C%3A/tmp/m.onnx");
    }
}
