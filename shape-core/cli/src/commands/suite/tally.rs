//! The verdicts on all cases of a suite, by version.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use super::results::{Results, Runtime};
use super::verdict::{Judgement, Verdict};
use crate::cases::{Entry, Manifest};

/// The verdicts on some runtimes.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) schema_version: u32,
    /// The opset of the suite, if it has one.
    pub(super) opset: Option<u32>,
    pub(super) runtimes: Vec<Judged>,
}

/// The verdicts on a runtime.
#[derive(Serialize)]
pub(super) struct Judged {
    pub(super) runtime: Runtime,
    pub(super) valid: Counts,
    pub(super) invalid: Counts,
    pub(super) versions: Vec<OfVersion>,
}

/// How many cases have each verdict.
#[derive(Debug, Default, Serialize)]
pub(super) struct Counts {
    pub(super) cases: usize,
    /// How many of those that passed had elements to compare.
    pub(super) passed_with_elements: usize,
    #[serde(flatten)]
    pub(super) verdicts: BTreeMap<Verdict, usize>,
}

/// The verdicts on a runtime for a version.
#[derive(Serialize)]
pub(super) struct OfVersion {
    pub(super) domain: String,
    pub(super) operator: String,
    pub(super) version: u32,
    pub(super) valid: Counts,
    pub(super) invalid: Counts,
    /// The choices of valid cases with which a case failed and none passed; empty if no valid case passed at all.
    pub(super) never: Vec<String>,
    /// The cases that did not pass.
    pub(super) failed: Vec<Failed>,
}

/// A case that did not pass.
#[derive(Serialize)]
pub(super) struct Failed {
    pub(super) case: String,
    pub(super) valid: bool,
    pub(super) verdict: Verdict,
    pub(super) message: String,
}

impl Counts {
    fn add(&mut self, judgement: &Judgement) {
        self.cases += 1;
        self.passed_with_elements += usize::from(judgement.verdict == Verdict::Passed && judgement.compared);
        *self.verdicts.entry(judgement.verdict).or_default() += 1;
    }

    pub(super) fn of(&self, verdict: Verdict) -> usize {
        self.verdicts.get(&verdict).copied().unwrap_or_default()
    }

    pub(super) fn wrong(&self) -> usize {
        self.verdicts.iter().filter(|(verdict, _)| verdict.is_wrong()).map(|(_, count)| count).sum()
    }
}

/// The verdicts on a runtime for all cases of a suite in a folder.
pub(super) fn judged(suite: &Path, manifest: &Manifest, results: &Results) -> Judged {
    let mut by_version: BTreeMap<(&str, &str, u32), Vec<&Entry>> = BTreeMap::new();
    for case in &manifest.cases {
        if let (Some(domain), Some(operator), Some(version)) = (&case.domain, &case.operator, case.version) {
            by_version.entry((domain, operator, version)).or_default().push(case);
        }
    }
    let (mut valid, mut invalid, mut versions) = (Counts::default(), Counts::default(), Vec::new());
    for ((domain, operator, version), cases) in by_version {
        let mut of = OfVersion {
            domain: domain.to_owned(),
            operator: operator.to_owned(),
            version,
            valid: Counts::default(),
            invalid: Counts::default(),
            never: Vec::new(),
            failed: Vec::new(),
        };
        let (mut passed, mut failed) = (BTreeSet::new(), Vec::new());
        for case in cases {
            let judgement = Judgement::of(suite, case, results);
            let (all, counts) = if case.valid { (&mut valid, &mut of.valid) } else { (&mut invalid, &mut of.invalid) };
            all.add(&judgement);
            counts.add(&judgement);
            let Judgement { verdict, message, .. } = judgement;
            if verdict == Verdict::Passed {
                passed.extend(&case.choices);
                continue;
            }
            if verdict != Verdict::NotRun {
                failed.extend(&case.choices);
            }
            of.failed.push(Failed { case: case.name.clone(), valid: case.valid, verdict, message });
        }
        if of.valid.of(Verdict::Passed) > 0 {
            let mut had = BTreeSet::new();
            let never = failed.into_iter().filter(|choice| !passed.contains(choice) && had.insert(*choice));
            of.never = never.cloned().collect();
        }
        versions.push(of);
    }
    Judged { runtime: results.runtime.clone(), valid, invalid, versions }
}
