//! The verdicts of a profile on a model, as text and as JSON.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use shape_model::ModelFile;
use shape_model::profile::{Judgement, Profile, ProfileReport, ProfileRule, SONNX, Verdict};

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
    /// Whether some external data could not be read, so that no digest covers it.
    pub(super) uncovered: bool,
    pub(super) report: ProfileReport,
    /// The number of judgements of each rule with each verdict.
    counts: HashMap<(&'static str, Verdict), usize>,
}

/// How many judgements of one rule with one verdict are listed, but in JSON and on the page.
const MAX_LISTED: usize = 10_000;

impl ModelReport {
    pub(super) fn new(model: &ModelFile, path: &Path, report: ProfileReport) -> Self {
        let external = model.external().opened().into_iter();
        let external = external.map(|(location, content)| (location, sha256(&content))).collect();
        let uncovered = report.findings.iter().any(|finding| finding.code.name().starts_with("external-data-"));
        let mut counts = HashMap::new();
        for judgement in &report.judgements {
            *counts.entry((judgement.rule.id, judgement.verdict)).or_default() += 1;
        }
        Self { model: path.to_owned(), sha256: sha256(model.bytes()), external, uncovered, report, counts }
    }

    /// The number of judgements of a rule that have a verdict.
    pub(super) fn count(&self, rule: &ProfileRule, verdict: Verdict) -> usize {
        self.counts.get(&(rule.id, verdict)).copied().unwrap_or_default()
    }

    /// The judgements that are not a pass; of one rule with one verdict the first ones, and with the last of them the
    /// number of the others.
    pub(super) fn listed(&self) -> impl Iterator<Item = (&Judgement, usize)> {
        let mut listed: HashMap<(&str, Verdict), usize> = HashMap::new();
        let open = self.report.judgements.iter().filter(|judgement| judgement.verdict != Verdict::Pass);
        open.filter_map(move |judgement| {
            let (rule, verdict) = (judgement.rule, judgement.verdict);
            let listed = listed.entry((rule.id, verdict)).or_default();
            *listed += 1;
            let more = if *listed == MAX_LISTED { self.count(rule, verdict) - MAX_LISTED } else { 0 };
            (*listed <= MAX_LISTED).then_some((judgement, more))
        })
    }
}

/// The SHA-256 digest in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
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
    let mut listed: HashMap<(&str, Verdict), Vec<(&Judgement, usize)>> = HashMap::new();
    for (judgement, more) in judged.listed() {
        listed.entry((judgement.rule.id, judgement.verdict)).or_default().push((judgement, more));
    }
    for (verdict, style) in [(Verdict::Fail, ERROR), (Verdict::Undetermined, WARNING)] {
        for rule in selected.rules() {
            let Some(judgements) = listed.get(&(rule.id, verdict)) else { continue };
            let (word, id, title) = (verdict.name(), rule.id, rule.title);
            writeln!(out, "{style}{word}[{id}]{style:#}{STRONG}: {title}{STRONG:#}")?;
            writeln!(out, "{FAINT}  -->{FAINT:#} {}", Clean(&judged.model.display().to_string()))?;
            for (judgement, more) in judgements {
                let position = position_of(&judgement.graph, judgement.node.as_deref());
                let position = position.map(|position| format!("{position}: ")).unwrap_or_default();
                writeln!(out, "{FAINT}   ={FAINT:#} {}{}", Clean(&position), Clean(&judgement.reason))?;
                if *more > 0 {
                    writeln!(out, "{FAINT}   ={FAINT:#} and {more} more like it")?;
                }
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
    #[serde(serialize_with = "each")]
    judgements: Vec<Judgement>,
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
struct JudgementJson<'j> {
    rule: &'static str,
    verdict: &'static str,
    graph: &'j str,
    node: Option<Node>,
    reason: &'j str,
}

/// One after the other, since there may be many.
fn each<S: Serializer>(judgements: &[Judgement], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(judgements.iter().map(|Judgement { rule, graph, node, verdict, reason }| JudgementJson {
        rule: rule.id,
        verdict: verdict.name(),
        graph,
        node: node.as_deref().cloned().map(Node::from),
        reason,
    }))
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
        let ModelReport { model, sha256, external, uncovered, report, counts: _ } = judged;
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
            judgements: report.judgements,
        }
    }
}
