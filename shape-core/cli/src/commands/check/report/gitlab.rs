//! Findings and verdicts as a Code Quality report of GitLab.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use shape_core::code::Severity;

use super::entry::entries;
use super::{Checked, End, Report, Unread};
use crate::commands::check::profile_report::sha256;
use crate::json;

#[derive(Default)]
pub(super) struct Gitlab {
    issues: Vec<Issue>,
    /// How often each issue was there: no two may have one fingerprint.
    seen: HashMap<String, usize>,
}

#[derive(Serialize)]
struct Issue {
    description: String,
    check_name: &'static str,
    /// GitLab recognizes an issue by this text.
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

/// A model has no lines, and GitLab wants one.
#[derive(Serialize)]
struct Lines {
    begin: u32,
}

/// The name of the check that a model can be read.
const UNREAD: &str = "model-unread";

impl Gitlab {
    fn add(&mut self, model: &Path, check_name: &'static str, severity: &'static str, key: &str, description: String) {
        let path = model.strip_prefix(".").unwrap_or(model).to_string_lossy().replace('\\', "/");
        let known = format!("{path}\n{check_name}\n{key}");
        let times = self.seen.entry(known.clone()).or_default();
        *times += 1;
        let fingerprint = sha256(format!("{known}\n{times}").as_bytes());
        let location = Location { path, lines: Lines { begin: 1 } };
        self.issues.push(Issue { description, check_name, fingerprint, severity, location });
    }
}

impl Report for Gitlab {
    fn checked(&mut self, _: &mut dyn Write, model: Checked) -> io::Result<()> {
        for entry in entries(&model) {
            let severity = match entry.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Info => "info",
            };
            let key = format!("{}\n{}", entry.key, entry.message);
            self.add(&model.path, entry.code, severity, &key, entry.text());
        }
        Ok(())
    }

    fn unread(&mut self, _: &mut dyn Write, Unread { path, error }: Unread) -> io::Result<()> {
        self.add(&path, UNREAD, "blocker", "", error);
        Ok(())
    }

    fn end(self: Box<Self>, mut out: &mut dyn Write, _: End) -> io::Result<()> {
        json::write(&mut out, &self.issues)
    }
}
