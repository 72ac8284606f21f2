//! Counts the models, errors and warnings of a run of `shape check`; the exit code follows from them.

use std::fmt;

use shape_model::Finding;

use super::fix;
use super::plan::Item;
use super::profile_report::{SelectedProfile, Totals};
use super::report::Checked;
use crate::config::Deny;
use crate::render::{Counts, count, number};
use crate::terminal::Exit;

/// The numbers of a run.
#[derive(Debug, Default)]
pub(super) struct Tally {
    counts: Counts,
    totals: Totals,
    /// The models that were read.
    read: usize,
    /// The models and folders that were not.
    pub(super) unread: usize,
    /// The findings that the settings ignore.
    ignored: usize,
    /// The findings of baselines.
    pub(super) known: usize,
    /// Whether something is there that the settings deny.
    denied: bool,
    /// The profile that judges the models.
    profile: Option<&'static str>,
    fixes: fix::Totals,
}

impl Tally {
    /// Begins to count; `profile` is the one that judges the models, and `fixes` counts what is repaired.
    pub(super) fn new(profile: Option<&SelectedProfile>, fixes: fix::Totals) -> Self {
        Self { profile: profile.map(|selected| selected.profile.name), fixes, ..Self::default() }
    }

    /// Counts a model: what is reported of it, what is ignored, and what is known.
    pub(super) fn count(&mut self, item: &Item, model: &Checked, ignored: &[Finding], known: &[Finding]) {
        self.read += 1;
        self.ignored += count(ignored);
        self.known += count(known);
        let (mut counts, mut totals) = (Counts::default(), Totals::default());
        counts.count(&model.findings);
        self.fixes.add(model.fixes.as_deref(), &model.findings);
        if let Some(judged) = &model.judged {
            totals = Totals::of(&judged.report);
        }
        self.denied |= item.settings.deny.iter().any(|deny| match deny {
            Deny::Warnings => counts.warnings > 0,
            Deny::Undetermined => totals.undetermined > 0,
        });
        self.counts.add(counts);
        self.totals.add(totals);
    }

    /// The exit code; that of a failure if `failed`.
    pub(super) fn exit(&self, failed: bool) -> Exit {
        if failed || self.unread > 0 {
            Exit::Failure
        } else if self.counts.errors > 0 || self.totals.fail > 0 || self.denied || self.fixes.is_different() {
            Exit::Findings
        } else {
            Exit::Clean
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} in {}", self.counts, number(self.read, "model"))?;
        for (count, what) in [(self.unread, "not read"), (self.ignored, "ignored"), (self.known, "known")] {
            if count > 0 {
                write!(formatter, ", {count} {what}")?;
            }
        }
        if let Some(profile) = self.profile {
            write!(formatter, "; {profile}: {}", self.totals)?;
        }
        write!(formatter, "{}", self.fixes)
    }
}
