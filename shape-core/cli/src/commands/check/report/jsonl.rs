//! A JSON object on each line: for each fix and finding, for each model when it is done, and one at the end. The lines
//! that are there can be read at any moment, even if the run is stopped.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::{Checked, End, Report, Told, Unread};
use crate::commands::check::fix;
use crate::commands::check::profile_report::{self, SelectedProfile};
use crate::commands::check::statistics::{Row, Statistics};
use crate::json::{self, SCHEMA_VERSION};
use crate::render::Counts;

pub(super) struct Jsonl<'p> {
    profile: Option<&'p SelectedProfile>,
    models: usize,
    unread: usize,
}

/// A line, by its `type`.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Finding(Box<json::Finding>),
    /// What `--fix` did, or `--diff` would do.
    Fix(Box<fix::Json>),
    /// A model that is done; its findings stand before it.
    Model {
        model: String,
        /// Why it could not be checked.
        error: Option<String>,
        errors: usize,
        warnings: usize,
        infos: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        profile: Option<Box<profile_report::Json>>,
    },
    /// The end of the run.
    End {
        schema_version: u32,
        models: usize,
        unread: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        statistics: Option<Vec<Row>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        baseline: Option<Told>,
    },
}

impl<'p> Jsonl<'p> {
    pub(super) fn new(profile: Option<&'p SelectedProfile>) -> Self {
        Self { profile, models: 0, unread: 0 }
    }

    fn model(
        mut out: &mut dyn Write,
        path: &Path,
        error: Option<String>,
        counts: Counts,
        profile: Option<Box<profile_report::Json>>,
    ) -> io::Result<()> {
        let Counts { errors, warnings, infos } = counts;
        let model = path.to_string_lossy().into_owned();
        json::write(&mut out, &Line::Model { model, error, errors, warnings, infos, profile })?;
        out.flush()
    }
}

impl Report for Jsonl<'_> {
    fn checked(
        &mut self,
        mut out: &mut dyn Write,
        Checked { path, findings, judged, fixes, .. }: Checked,
    ) -> io::Result<()> {
        self.models += 1;
        for fix in fixes.into_iter().flatten() {
            json::write(&mut out, &Line::Fix(Box::new(fix::Json::new(&path, fix))))?;
        }
        let mut counts = Counts::default();
        counts.count(&findings);
        for finding in findings {
            json::write(&mut out, &Line::Finding(Box::new(json::Finding::new(&path, finding))))?;
        }
        let judged = self.profile.zip(judged);
        let profile = judged.map(|(selected, judged)| Box::new(profile_report::Json::new(selected, judged)));
        Self::model(out, &path, None, counts, profile)
    }

    fn unread(&mut self, out: &mut dyn Write, Unread { path, error }: Unread) -> io::Result<()> {
        self.unread += 1;
        Self::model(out, &path, Some(error), Counts::default(), None)
    }

    fn end(self: Box<Self>, mut out: &mut dyn Write, End { statistics, baseline }: End) -> io::Result<()> {
        let (schema_version, statistics) = (SCHEMA_VERSION, statistics.map(Statistics::rows));
        let Self { models, unread, .. } = *self;
        json::write(&mut out, &Line::End { schema_version, models, unread, statistics, baseline })
    }
}
