//! The verdicts of a profile on a model, as text and as JSON.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use shape_model::profile::{Profile, ProfileReport, ProfileRule, SONNX, Verdict};
use shape_model::{ModelFile, NodeRef};

use crate::json::Node;
use crate::options::ProfileName;
use crate::render::{Clean, ERROR, FAINT, GOOD, STRONG, WARNING, number, position_of};

/// The profile and its options that the command line selects.
#[derive(Clone, Debug)]
pub(super) struct SelectedProfile {
    pub(super) profile: &'static Profile,
    pub(super) options: Vec<&'static str>,
}

impl SelectedProfile {
    /// Selects a profile; fails if it has no option of a name.
    pub(super) fn new(profile: ProfileName, names: &[String]) -> Result<Self, String> {
        let profile = match profile {
            ProfileName::Sonnx => &SONNX,
        };
        let mut options: Vec<&'static str> = Vec::new();
        for name in names {
            let Some(option) = profile.options.iter().find(|option| option.name == *name) else {
                let known: Vec<&str> = profile.options.iter().map(|option| option.name).collect();
                let known = known.join("`, `");
                return Err(format!("the profile {} has no option `{name}`; its options: `{known}`", profile.name));
            };
            if !options.contains(&option.name) {
                options.push(option.name);
            }
        }
        Ok(Self { profile, options })
    }

    /// The rules of the profile, with those of the selected options.
    pub(super) fn rules(&self) -> impl Iterator<Item = &'static ProfileRule> {
        self.profile.rules.iter().filter(|rule| rule.option.is_none_or(|option| self.options.contains(&option)))
    }
}

/// The verdicts of a profile on a model, with the digests of what was read.
#[derive(Debug)]
pub(super) struct ModelReport {
    pub(super) model: PathBuf,
    /// The digest of the model file, in hexadecimal.
    pub(super) sha256: String,
    /// The locations of external data, as the model names them, with the digests of those files.
    pub(super) external: Vec<(String, String)>,
    /// The files of external data.
    pub(super) data_files: Vec<PathBuf>,
    /// Whether some external data could not be read, so that no digest covers it.
    pub(super) uncovered: bool,
    pub(super) report: ProfileReport,
}

impl ModelReport {
    pub(super) fn new(model: &ModelFile, path: &Path, report: ProfileReport) -> Self {
        let external = model.external().opened().into_iter();
        let external = external.map(|(location, content)| (location, sha256(&content))).collect();
        let uncovered = report.findings.iter().any(|finding| finding.code.name().starts_with("external-data-"));
        Self {
            model: path.to_owned(),
            sha256: sha256(model.bytes()),
            external,
            data_files: model.data_files(),
            uncovered,
            report,
        }
    }

    /// The number of judgements of a rule that have a verdict.
    pub(super) fn count(&self, rule: &ProfileRule, verdict: Verdict) -> usize {
        let all = self.report.judgements.iter();
        all.filter(|judgement| judgement.rule.id == rule.id && judgement.verdict == verdict).count()
    }
}

/// The SHA-256 digest in hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The numbers of judgements with each verdict.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Totals {
    pub(super) pass: usize,
    pub(super) fail: usize,
    pub(super) undetermined: usize,
}

impl Totals {
    pub(super) fn of(report: &ProfileReport) -> Self {
        let count = |verdict| report.count(verdict);
        Self { pass: count(Verdict::Pass), fail: count(Verdict::Fail), undetermined: count(Verdict::Undetermined) }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.pass += other.pass;
        self.fail += other.fail;
        self.undetermined += other.undetermined;
    }
}

impl std::fmt::Display for Totals {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} pass, {} fail, {} undetermined", self.pass, self.fail, self.undetermined)
    }
}

/// Writes each rule that fails or is undetermined, with the nodes and reasons, and then the totals.
pub(super) fn write_text(out: &mut impl Write, selected: &SelectedProfile, judged: &ModelReport) -> io::Result<()> {
    for (verdict, style) in [(Verdict::Fail, ERROR), (Verdict::Undetermined, WARNING)] {
        for rule in selected.rules() {
            let judgements = judged.report.judgements.iter();
            let mut judgements = judgements.filter(|of| of.rule.id == rule.id && of.verdict == verdict).peekable();
            if judgements.peek().is_none() {
                continue;
            }
            let (word, id, title) = (verdict.name(), rule.id, rule.title);
            writeln!(out, "{style}{word}[{id}]{style:#}{STRONG}: {title}{STRONG:#}")?;
            writeln!(out, "{FAINT}  -->{FAINT:#} {}", Clean(&judged.model.display().to_string()))?;
            for judgement in judgements {
                let position = position_of(&judgement.graph, judgement.node.as_deref());
                let position = position.map(|position| format!("{position}: ")).unwrap_or_default();
                writeln!(out, "{FAINT}   ={FAINT:#} {}{}", Clean(&position), Clean(&judgement.reason))?;
            }
            writeln!(out)?;
        }
    }
    let totals = Totals::of(&judged.report);
    let style = match totals {
        Totals { fail: 1.., .. } => ERROR,
        Totals { undetermined: 1.., .. } => WARNING,
        _ => GOOD,
    };
    let (name, version) = (selected.profile.name, selected.profile.version);
    writeln!(out, "{style}{name} {version}{style:#}: {totals}; {}", number(judged.report.nodes, "node"))?;
    writeln!(out, "{FAINT}  -->{FAINT:#} {}", Clean(&judged.model.display().to_string()))?;
    writeln!(out, "{FAINT}   ={FAINT:#} sha256: {}", judged.sha256)?;
    for (location, sha256) in &judged.external {
        writeln!(out, "{FAINT}   ={FAINT:#} sha256 of {}: {sha256}", Clean(location))?;
    }
    if judged.uncovered {
        writeln!(out, "{FAINT}   ={FAINT:#} {UNCOVERED}")?;
    }
    writeln!(out)
}

/// The note beside digests that do not cover all external data.
pub(super) const UNCOVERED: &str = "some external data could not be read; no digest covers it";

/// The verdicts on a model, as JSON.
#[derive(Debug, Serialize)]
pub(super) struct Json {
    model: String,
    sha256: String,
    external: Vec<ExternalJson>,
    sha256_covers_all: bool,
    tool: Tool,
    profile: ProfileJson,
    onnx: bool,
    nodes: usize,
    totals: Totals,
    rules: Vec<RuleJson>,
    judgements: Vec<JudgementJson>,
}

/// A file with external data.
#[derive(Debug, Serialize)]
struct ExternalJson {
    location: String,
    sha256: String,
}

#[derive(Debug, Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Debug, Serialize)]
struct ProfileJson {
    name: &'static str,
    version: &'static str,
    options: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct RuleJson {
    id: &'static str,
    title: &'static str,
    #[serde(flatten)]
    totals: Totals,
}

#[derive(Debug, Serialize)]
struct JudgementJson {
    rule: &'static str,
    verdict: &'static str,
    #[serde(serialize_with = "text")]
    graph: Arc<str>,
    #[serde(serialize_with = "node")]
    node: Option<Arc<NodeRef>>,
    #[serde(serialize_with = "text")]
    reason: Arc<str>,
}

fn text<S: Serializer>(text: &Arc<str>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(text)
}

fn node<S: Serializer>(node: &Option<Arc<NodeRef>>, to: S) -> Result<S::Ok, S::Error> {
    node.as_deref().cloned().map(Node::from).serialize(to)
}

impl Json {
    pub(super) fn new(selected: &SelectedProfile, judged: ModelReport) -> Self {
        let rules = selected.rules().map(|rule| {
            let count = |verdict| judged.count(rule, verdict);
            let totals = Totals {
                pass: count(Verdict::Pass),
                fail: count(Verdict::Fail),
                undetermined: count(Verdict::Undetermined),
            };
            RuleJson { id: rule.id, title: rule.title, totals }
        });
        let (rules, totals) = (rules.collect(), Totals::of(&judged.report));
        let ModelReport { model, sha256, external, data_files: _, uncovered, report } = judged;
        Self {
            model: model.to_string_lossy().into_owned(),
            sha256,
            external: external.into_iter().map(|(location, sha256)| ExternalJson { location, sha256 }).collect(),
            sha256_covers_all: !uncovered,
            tool: Tool { name: "shape", version: env!("CARGO_PKG_VERSION") },
            profile: ProfileJson {
                name: selected.profile.name,
                version: selected.profile.version,
                options: selected.options.clone(),
            },
            onnx: report.is_onnx(),
            nodes: report.nodes,
            totals,
            rules,
            judgements: (report.judgements.into_iter())
                .map(|judgement| JudgementJson {
                    rule: judgement.rule.id,
                    verdict: judgement.verdict.name(),
                    graph: judgement.graph,
                    node: judgement.node,
                    reason: judgement.reason,
                })
                .collect(),
        }
    }
}
