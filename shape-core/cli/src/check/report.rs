//! The forms of what is found in models.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use shape_core::finding::Finding;

use super::sarif::Sarif;
use crate::args::CheckFormat;
use crate::github::Annotation;
use crate::json::{self, SCHEMA_VERSION};
use crate::render;

/// What is told, as it comes or at the end.
pub(super) enum Report {
    Text,
    Json(Json),
    Github,
    Sarif(Sarif),
}

/// One JSON object.
#[derive(Serialize)]
pub(super) struct Json {
    schema_version: u32,
    findings: Vec<json::Finding>,
}

impl Report {
    pub(super) fn new(format: CheckFormat) -> Self {
        match format {
            CheckFormat::Text => Self::Text,
            CheckFormat::Json => Self::Json(Json { schema_version: SCHEMA_VERSION, findings: Vec::new() }),
            CheckFormat::Github => Self::Github,
            CheckFormat::Sarif => Self::Sarif(Sarif::default()),
        }
    }

    /// Takes what was found in the next model.
    pub(super) fn findings(&mut self, out: &mut impl Write, model: &Path, findings: Vec<Finding>) -> io::Result<()> {
        match self {
            Self::Text => findings.iter().try_for_each(|finding| render::finding(out, model, finding)),
            Self::Github => findings.iter().try_for_each(|finding| annotation(out, model, finding)),
            Self::Json(report) => {
                report.findings.extend(findings.into_iter().map(|finding| json::Finding::new(model, finding)));
                Ok(())
            }
            Self::Sarif(sarif) => {
                sarif.findings(model, &findings);
                Ok(())
            }
        }
    }

    /// Takes why the next model could not be looked at, which has been said already; a log says it too.
    pub(super) fn trouble(&mut self, trouble: &str) {
        if let Self::Sarif(sarif) = self {
            sarif.trouble(trouble);
        }
    }

    /// Writes what is told at the end.
    pub(super) fn end(self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Text | Self::Github => Ok(()),
            Self::Json(report) => json::write(out, &report),
            Self::Sarif(sarif) => json::write(out, &sarif.log()),
        }
    }
}

/// A finding as a workflow command. A model has no lines; where in it the finding is, the text says.
fn annotation(out: &mut impl Write, model: &Path, finding: &Finding) -> io::Result<()> {
    let (severity, file) = (finding.severity(), &*model.to_string_lossy());
    let (title, text) = (finding.code.name(), &*render::plain(finding));
    Annotation { severity, file, position: None, title, text }.write(out)
}
