//! Which releases of a runtime have all that a model uses.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde::Serialize;
use shape_core::Registry;
use shape_core::runtime::{ReleaseNumber, RuntimeRelease, runtimes};
use shape_model::file::Model;
use shape_model::{Analysis, NodeUse, ReleasedNode};

use super::gaps::Gaps;
use super::manifest::Support;
use crate::render::{Clean, GOOD, STRONG, WARNING, hanging};

/// A runtime, and its manifests by release.
pub(super) type Manifests = (&'static str, Vec<(ReleaseNumber, Support)>);

/// The releases of a runtime that have all that a model uses.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Releases {
    /// The first release from which on each known one has all of it; null if the newest one does not, or if the oldest
    /// known one already does.
    pub(super) first: Option<String>,
    /// Whether the newest known release has all of it.
    newest_has_all: bool,
    /// What of the model not every known release has, each once.
    pub(super) needs: Vec<String>,
}

impl Releases {
    /// Looks at each release of the runtime that is known, by the manifest of the first one that is not older: a release
    /// without a manifest has that of the next one with it.
    pub(super) fn of<'m>(
        name: &str,
        supports: &[(ReleaseNumber, Support)],
        usage: &[NodeUse<'m>],
        analysis: &Analysis<'m>,
        (model, registry): (&'m Model, &Registry),
        released: &[ReleasedNode<'_>],
    ) -> Option<Self> {
        let runtime = runtimes().iter().find(|runtime| runtime.name == name)?;
        let runs = |number: ReleaseNumber, support: &Support| {
            // The entries of a manifest are about the type variables that its release has.
            let release = RuntimeRelease { runtime: runtime.name, number };
            let is_same = released.is_empty() && support.head.taken_as.is_empty();
            let own = (!is_same).then(|| support.usage(analysis, model, &registry.clone().of_release(release)));
            Gaps::new(own.as_deref().unwrap_or(usage), analysis, model, support).certain.is_empty()
        };
        let runs: Vec<(ReleaseNumber, bool)> =
            supports.iter().map(|(number, support)| (*number, runs(*number, support))).collect();
        let has_all = |release: ReleaseNumber| {
            let kernels = runs.iter().find(|(number, _)| *number >= release).or(runs.last());
            kernels.is_none_or(|(_, has)| *has) && released.iter().all(|node| node.is_taken(release))
        };
        let (newest, oldest) = (runtime.releases.last()?, runtime.releases.first()?);
        let lacking = runtime.releases.iter().rposition(|release| !has_all(*release));
        let first = lacking.map_or(Some(oldest), |lacking| runtime.releases.get(lacking + 1));
        let needs: BTreeSet<String> = released.iter().flat_map(|node| &node.needs).map(ToString::to_string).collect();
        Some(Self {
            first: first.filter(|first| *first != oldest).map(ToString::to_string),
            newest_has_all: has_all(*newest),
            needs: needs.into_iter().collect(),
        })
    }

    pub(super) fn write_text(&self, out: &mut impl Write, runtime: &str) -> io::Result<()> {
        let Self { first, newest_has_all, needs } = self;
        match first {
            Some(first) => writeln!(out, "\n{GOOD}{runtime} {first} and later have all of it{GOOD:#}")?,
            None if *newest_has_all => return Ok(()),
            None => {
                writeln!(out, "\n{WARNING}no known release of {runtime} up to the newest has all of it{WARNING:#}")?;
            }
        }
        for need in needs {
            hanging(out, &format!("{STRONG}  - {STRONG:#}"), &Clean(need).to_string())?;
        }
        Ok(())
    }
}
