//! The forms of what is found in models.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use shape_core::code::Severity;
use shape_model::Finding;
use shape_model::profile::Verdict;

use super::judged::{self, By, Judged};
use super::sarif::Sarif;
use crate::args::CheckFormat;
use crate::github::Annotation;
use crate::json::{self, SCHEMA_VERSION};
use crate::render;

/// What is told, as it comes or at the end.
pub(super) struct Report<'b> {
    form: Form,
    by: Option<&'b By>,
}

enum Form {
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
    /// Where models are judged by a profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    profiles: Option<Vec<judged::Json>>,
}

impl<'b> Report<'b> {
    /// What is told of models, judged by a profile or not.
    pub(super) fn new(format: CheckFormat, by: Option<&'b By>) -> Self {
        let profiles = by.map(|_| Vec::new());
        let form = match format {
            CheckFormat::Text => Form::Text,
            CheckFormat::Json => Form::Json(Json { schema_version: SCHEMA_VERSION, findings: Vec::new(), profiles }),
            CheckFormat::Github => Form::Github,
            CheckFormat::Sarif => Form::Sarif(Sarif::default()),
        };
        Self { form, by }
    }

    /// Takes what is said of the next model, whose findings have been taken.
    pub(super) fn judged(&mut self, out: &mut impl Write, judged: Judged) -> io::Result<()> {
        let Some(by) = self.by else { return Ok(()) };
        match &mut self.form {
            Form::Text => judged::text(out, by, &judged),
            Form::Github => ruled(out, &judged),
            Form::Json(report) => {
                report.profiles.get_or_insert_default().push(judged::Json::new(by, judged));
                Ok(())
            }
            Form::Sarif(sarif) => {
                sarif.judged(&judged);
                Ok(())
            }
        }
    }

    /// Takes what was found in the next model.
    pub(super) fn findings(&mut self, out: &mut impl Write, model: &Path, findings: Vec<Finding>) -> io::Result<()> {
        match &mut self.form {
            Form::Text => findings.iter().try_for_each(|finding| render::finding(out, model, finding)),
            Form::Github => findings.iter().try_for_each(|finding| annotation(out, model, finding)),
            Form::Json(report) => {
                report.findings.extend(findings.into_iter().map(|finding| json::Finding::new(model, finding)));
                Ok(())
            }
            Form::Sarif(sarif) => {
                sarif.findings(model, &findings);
                Ok(())
            }
        }
    }

    /// Takes why the next model could not be looked at, which has been said already; a log says it too.
    pub(super) fn trouble(&mut self, trouble: &str) {
        if let Form::Sarif(sarif) = &mut self.form {
            sarif.trouble(trouble);
        }
    }

    /// Writes what is told at the end.
    pub(super) fn end(self, out: &mut impl Write) -> io::Result<()> {
        match self.form {
            Form::Text | Form::Github => Ok(()),
            Form::Json(report) => json::write(out, &report),
            Form::Sarif(sarif) => json::write(out, &sarif.log(self.by)),
        }
    }
}

/// A finding as a workflow command. A model has no lines; where in it the finding is, the text says.
fn annotation(out: &mut impl Write, model: &Path, finding: &Finding) -> io::Result<()> {
    let (severity, file) = (finding.severity(), &*model.to_string_lossy());
    let (title, text) = (finding.code.name(), &*render::plain(finding));
    Annotation { severity, file, position: None, title, text }.write(out)
}

/// The rules that do not hold or are undetermined, as workflow commands.
fn ruled(out: &mut impl Write, judged: &Judged) -> io::Result<()> {
    for judgement in &judged.report.judgements {
        let severity = match judgement.verdict {
            Verdict::Pass => continue,
            Verdict::Fail => Severity::Error,
            Verdict::Undetermined => Severity::Warning,
        };
        let place = render::place_of(&judgement.graph, judgement.node.as_ref());
        let place = place.map(|place| format!("\nin: {place}")).unwrap_or_default();
        let (verdict, rule) = (judgement.verdict.name(), judgement.rule);
        let text = format!("{verdict}: {}{place}\nreason: {}", rule.title, judgement.reason);
        let file = &*judged.model.to_string_lossy();
        Annotation { severity, file, position: None, title: rule.id, text: &text }.write(out)?;
    }
    Ok(())
}
