//! Findings and verdicts as one JSON object.

use std::io::{self, Write};

use serde::Serialize;

use super::{Checked, End, Report, Told};
use crate::commands::check::fix;
use crate::commands::check::profile_report::{self, SelectedProfile};
use crate::commands::check::statistics::{Row, Statistics};
use crate::json::{self, SCHEMA_VERSION};

pub(super) struct Json<'p> {
    profile: Option<&'p SelectedProfile>,
    object: Object,
}

#[derive(Serialize)]
struct Object {
    schema_version: u32,
    findings: Vec<json::Finding>,
    /// What was repaired; left out if nothing was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<fix::Json>,
    /// Present if there is a profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    profiles: Option<Vec<profile_report::Json>>,
    /// Present with `--statistics`.
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Vec<Row>>,
    /// Present if there is a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<Told>,
}

impl<'p> Json<'p> {
    pub(super) fn new(profile: Option<&'p SelectedProfile>) -> Self {
        let profiles = profile.map(|_| Vec::new());
        let (schema_version, findings) = (SCHEMA_VERSION, Vec::new());
        Self {
            profile,
            object: Object { schema_version, findings, fixes: Vec::new(), profiles, statistics: None, baseline: None },
        }
    }
}

impl Report for Json<'_> {
    fn checked(&mut self, _: &mut dyn Write, Checked { path, findings, judged, fixes, .. }: Checked) -> io::Result<()> {
        self.object.fixes.extend(fixes.into_iter().flatten().map(|fix| fix::Json::new(&path, fix)));
        self.object.findings.extend(findings.into_iter().map(|finding| json::Finding::new(&path, finding)));
        if let (Some(profiles), Some(selected), Some(judged)) = (&mut self.object.profiles, self.profile, judged) {
            profiles.push(profile_report::Json::new(selected, judged));
        }
        Ok(())
    }

    fn end(self: Box<Self>, mut out: &mut dyn Write, End { statistics, baseline }: End) -> io::Result<()> {
        json::write(&mut out, &Object { statistics: statistics.map(Statistics::rows), baseline, ..self.object })
    }
}
