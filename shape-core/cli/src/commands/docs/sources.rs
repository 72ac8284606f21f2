//! The sources of the site besides descriptors: manifests, profiles, and the operators that runtimes have on their own.

use shape_specs::manifest::{Builtin, Manifest};
use shape_specs::operator::Operator;
use shape_specs::profile::{self, Profile};
use shape_specs::{RUNTIME_DESCRIPTORS, Scope, resolve_all};

use crate::descriptors::builtin_tables;
use crate::terminal::{Exit, Terminal};

/// A manifest of this build.
pub(super) struct RuntimeManifest {
    pub(super) runtime: &'static str,
    pub(super) release: &'static str,
    pub(super) manifest: Manifest,
}

pub(super) struct Sources {
    /// What runtimes have on their own in the domains of ONNX.
    pub(super) own: Vec<Operator>,
    /// By runtime, the newest release first.
    pub(super) manifests: Vec<RuntimeManifest>,
    pub(super) profiles: Vec<Profile>,
}

impl Sources {
    pub(super) fn read(terminal: &mut Terminal) -> Result<Self, Exit> {
        let tables = builtin_tables(terminal)?;
        let own = resolve_all(RUNTIME_DESCRIPTORS.iter().copied(), tables, Scope::Whole);
        let own = own.map_err(|(_, errors)| terminal.fail_on_specs(&errors))?;
        let read = Builtin::read_all(|_| true, tables).map_err(|errors| terminal.fail_on_specs(&errors))?;
        let manifest =
            |(of, manifest): (&Builtin, _)| RuntimeManifest { runtime: of.runtime, release: of.release, manifest };
        let mut manifests: Vec<RuntimeManifest> = read.into_iter().map(manifest).collect();
        // They are sorted, the oldest release first.
        manifests.reverse();
        manifests.sort_by_key(|of| of.runtime);
        let mut profiles = Vec::new();
        for files in profile::PROFILES {
            if let Some(read) = profile::builtin(files.name) {
                profiles.push(read.map_err(|errors| terminal.fail_on_specs(&errors))?);
            }
        }
        Ok(Self { own, manifests, profiles })
    }
}
