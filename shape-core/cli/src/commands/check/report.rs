//! Writes the findings and verdicts in the output format.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use shape_core::code::Severity;
use shape_model::Finding;
use shape_model::fix::Fix;
use shape_model::profile::Verdict;

use super::fix;
use super::format::CheckFormat;
use super::profile_report::{self, ModelReport, SelectedProfile};
use super::sarif::Sarif;
use crate::github::Annotation;
use crate::json::{self, SCHEMA_VERSION};
use crate::render;

/// The output, written model by model or at the end.
pub(super) struct Report<'p> {
    output: Output,
    profile: Option<&'p SelectedProfile>,
}

enum Output {
    Text,
    Json(Json),
    Github,
    Sarif(Sarif),
}

/// One JSON object.
#[derive(Serialize)]
struct Json {
    schema_version: u32,
    findings: Vec<json::Finding>,
    /// What was repaired; left out if nothing was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<fix::Json>,
    /// Present if there is a profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    profiles: Option<Vec<profile_report::Json>>,
}

impl<'p> Report<'p> {
    /// Begins the output; `profile` is the one that judges the models.
    pub(super) fn new(format: CheckFormat, profile: Option<&'p SelectedProfile>) -> Self {
        let profiles = profile.map(|_| Vec::new());
        let output = match format {
            CheckFormat::Text => Output::Text,
            CheckFormat::Json => {
                Output::Json(Json { schema_version: SCHEMA_VERSION, findings: Vec::new(), fixes: Vec::new(), profiles })
            }
            CheckFormat::Github => Output::Github,
            CheckFormat::Sarif => Output::Sarif(Sarif::default()),
        };
        Self { output, profile }
    }

    /// Adds the verdicts on a model. Its findings come first.
    pub(super) fn profile(&mut self, out: &mut impl Write, model: ModelReport) -> io::Result<()> {
        let Some(selected) = self.profile else { return Ok(()) };
        match &mut self.output {
            Output::Text => profile_report::write_text(out, selected, &model),
            Output::Github => verdict_annotations(out, &model),
            Output::Json(report) => {
                report.profiles.get_or_insert_default().push(profile_report::Json::new(selected, model));
                Ok(())
            }
            Output::Sarif(sarif) => {
                sarif.profile(&model);
                Ok(())
            }
        }
    }

    /// Adds what was repaired in a model. It stands in what is for people, and in JSON; the other formats are of findings.
    pub(super) fn fixes(&mut self, out: &mut impl Write, model: &Path, fixes: Vec<Fix>) -> io::Result<()> {
        match &mut self.output {
            Output::Text => fixes.iter().try_for_each(|fix| fix::write_text(out, model, fix)),
            Output::Json(report) => {
                report.fixes.extend(fixes.into_iter().map(|fix| fix::Json::new(model, fix)));
                Ok(())
            }
            Output::Github | Output::Sarif(_) => Ok(()),
        }
    }

    /// Adds the findings of a model.
    pub(super) fn findings(&mut self, out: &mut impl Write, model: &Path, findings: Vec<Finding>) -> io::Result<()> {
        match &mut self.output {
            Output::Text => findings.iter().try_for_each(|finding| render::finding(out, model, finding)),
            Output::Github => findings.iter().try_for_each(|finding| annotation(out, model, finding)),
            Output::Json(report) => {
                report.findings.extend(findings.into_iter().map(|finding| json::Finding::new(model, finding)));
                Ok(())
            }
            Output::Sarif(sarif) => {
                sarif.findings(model, &findings);
                Ok(())
            }
        }
    }

    /// Adds the error that kept a model from being read. It is on standard error already; a SARIF log has it too.
    pub(super) fn error(&mut self, error: &str) {
        if let Output::Sarif(sarif) = &mut self.output {
            sarif.error(error);
        }
    }

    /// Ends the output.
    pub(super) fn end(self, out: &mut impl Write) -> io::Result<()> {
        match self.output {
            Output::Text | Output::Github => Ok(()),
            Output::Json(report) => json::write(out, &report),
            Output::Sarif(sarif) => json::write(out, &sarif.log(self.profile)),
        }
    }
}

/// Writes a finding as a workflow command. A model has no lines, so the text names the node.
fn annotation(out: &mut impl Write, model: &Path, finding: &Finding) -> io::Result<()> {
    let (severity, file) = (finding.severity(), &*model.to_string_lossy());
    let (title, text) = (finding.code.name(), &*render::plain(finding));
    Annotation { severity, file, position: None, title, text }.write(out)
}

/// Writes the rules that fail or are undetermined as workflow commands.
fn verdict_annotations(out: &mut impl Write, model: &ModelReport) -> io::Result<()> {
    for (judgement, more) in model.listed() {
        let severity = if judgement.verdict == Verdict::Fail { Severity::Error } else { Severity::Warning };
        let position = render::position_of(&judgement.graph, judgement.node.as_deref());
        let position = position.map(|position| format!("\nin: {position}")).unwrap_or_default();
        let (verdict, rule) = (judgement.verdict.name(), judgement.rule);
        let more = render::more_like_it(more);
        let text = format!("{verdict}: {}{position}\nreason: {}{more}", rule.title, judgement.reason);
        let file = &*model.model.to_string_lossy();
        Annotation { severity, file, position: None, title: rule.id, text: &text }.write(out)?;
    }
    Ok(())
}
