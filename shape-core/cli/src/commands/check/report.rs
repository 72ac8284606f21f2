//! The output formats, a file for each.

mod entry;
mod github;
mod gitlab;
mod json;
mod jsonl;
mod junit;
mod markdown;
mod sarif;
mod text;

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;
use shape_model::Finding;
use shape_model::fix::Fix;

use super::baseline::Gone;
use super::format::CheckFormat;
use super::profile_report::{ModelReport, SelectedProfile};
use super::statistics::Statistics;
use crate::models::Unread;

/// What a check found in a model.
pub(super) struct Checked {
    /// The path as messages name it.
    pub(super) path: PathBuf,
    pub(super) findings: Vec<Finding>,
    /// The files with data of the model.
    pub(super) data_files: Vec<PathBuf>,
    /// The verdicts of the profile, if there is one.
    pub(super) judged: Option<ModelReport>,
    /// What was repaired, or would be; `None` if that was not asked for.
    pub(super) fixes: Option<Vec<Fix>>,
}

/// What the report gets at the end of a run.
pub(super) struct End {
    /// The findings by code, if they are asked for.
    pub(super) statistics: Option<Statistics>,
    /// The known findings, if a baseline is read.
    pub(super) baseline: Option<Told>,
}

/// How many findings the baselines left out, and which known ones are gone.
#[derive(Serialize)]
pub(super) struct Told {
    /// How many findings are not reported.
    pub(super) known: usize,
    /// Those that were not found.
    pub(super) gone: Vec<Gone>,
}

/// An output, written model by model or at the end.
pub(super) trait Report {
    /// Adds a model.
    fn checked(&mut self, out: &mut dyn Write, model: Checked) -> io::Result<()>;

    /// Adds one that could not be checked; the error is on standard error already.
    fn unread(&mut self, out: &mut dyn Write, model: Unread) -> io::Result<()> {
        let _ = (out, model);
        Ok(())
    }

    /// Ends the output.
    fn end(self: Box<Self>, out: &mut dyn Write, end: End) -> io::Result<()>;
}

/// Begins the output; `profile` is the one that judges the models. If there are `statistics`, text to read has them in
/// place of the findings.
pub(super) fn begin<'p>(
    format: CheckFormat,
    profile: Option<&'p SelectedProfile>,
    statistics: bool,
) -> Box<dyn Report + 'p> {
    match format {
        CheckFormat::Text => Box::new(text::Text { profile, statistics }),
        CheckFormat::Json => Box::new(json::Json::new(profile)),
        CheckFormat::Jsonl => Box::new(jsonl::Jsonl::new(profile)),
        CheckFormat::Github => Box::new(github::Github),
        CheckFormat::Gitlab => Box::new(gitlab::Gitlab::default()),
        CheckFormat::Junit => Box::new(junit::Junit::default()),
        CheckFormat::Markdown => Box::new(markdown::Markdown::new(statistics)),
        CheckFormat::Sarif => Box::new(sarif::Sarif::new(profile)),
    }
}
