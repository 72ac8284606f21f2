//! Finds and reads the manifests that come with the crate.

use super::entry::Manifest;
use super::list::{BUILTIN, Builtin};
use super::read::{read, read_with};
use crate::error::SpecErrors;
use crate::names::suggest;
use crate::operator::Operator;
use crate::tables::{ReleaseNumber, Runtime, Tables};

impl Builtin {
    /// Reads the manifest; `known` are the existing operators.
    ///
    /// # Errors
    /// Every error of the file.
    pub fn read(&self, known: &[Operator], tables: &Tables) -> Result<Manifest, SpecErrors> {
        read(self.file, self.bytes, known, tables)
    }

    /// The same without looking anything up: the tests of this crate have read it with all operators.
    ///
    /// # Errors
    /// What is no manifest in the language of `tables`.
    pub fn trusted(&self, tables: &Tables) -> Result<Manifest, SpecErrors> {
        read_with(self.file, self.bytes, None, tables, &[])
    }

    /// The same of those that are wanted, in the order of [`BUILTIN`]; none is read twice for those that go on from it.
    ///
    /// # Errors
    /// As [`Builtin::trusted`].
    pub fn read_all(
        wanted: impl Fn(&Self) -> bool,
        tables: &Tables,
    ) -> Result<Vec<(&'static Self, Manifest)>, SpecErrors> {
        let mut read = Vec::new();
        for builtin in BUILTIN.iter().filter(|builtin| wanted(builtin)) {
            let manifest = read_with(builtin.file, builtin.bytes, None, tables, &read)?;
            read.push((builtin, manifest));
        }
        Ok(read)
    }
}

/// The manifest with a name: that of a runtime, for its newest release, or `runtime@release`. A known release without a
/// manifest has that of the next release with one, which is the same.
///
/// # Errors
/// What there is, if there is no such manifest.
///
/// ```
/// use shape_specs::manifest::named;
/// assert_eq!(named("onnxruntime-cpu@1.31.1").unwrap().release, "1.31.1");
/// let error = named("onnxruntime").unwrap_err();
/// assert_eq!(error, "there is no manifest of a runtime `onnxruntime`: did you mean `onnxruntime-cpu`?");
/// ```
pub fn named(name: &str) -> Result<&'static Builtin, String> {
    let (runtime, release) = name.split_once('@').map_or((name, None), |(runtime, release)| (runtime, Some(release)));
    let releases: Vec<&Builtin> = BUILTIN.iter().filter(|builtin| builtin.runtime == runtime).collect();
    let Some(newest) = releases.last() else {
        let longer = BUILTIN.iter().rfind(|builtin| !runtime.is_empty() && builtin.runtime.starts_with(runtime));
        let help = match longer {
            Some(longer) => Some(format!("did you mean `{}`?", longer.runtime)),
            None => suggest(runtime, BUILTIN.iter().map(|builtin| builtin.runtime)),
        };
        let help = help.map(|help| format!(": {help}")).unwrap_or_default();
        return Err(format!("there is no manifest of a runtime `{runtime}`{help}"));
    };
    let Some(release) = release else { return Ok(newest) };
    releases.iter().find(|builtin| builtin.release == release).copied().or_else(|| like(release, &releases)).ok_or_else(
        || {
            let known: Vec<&str> = releases.iter().map(|builtin| builtin.release).collect();
            format!("there is no manifest of {runtime} {release}; there are those of {}", known.join(", "))
        },
    )
}

/// The manifest for a known release that has none of its own, since the next one that has is the same.
fn like(release: &str, releases: &[&'static Builtin]) -> Option<&'static Builtin> {
    let number: ReleaseNumber = release.parse().ok()?;
    let known = |runtime: &&Runtime| releases.iter().all(|of| of.runtime.starts_with(&runtime.runtime));
    let runtime = Tables::builtin().ok()?.runtimes.iter().find(known)?;
    let next = |builtin: &&&Builtin| builtin.release.parse().is_ok_and(|of: ReleaseNumber| number < of);
    releases.iter().find(next).copied().filter(|_| runtime.releases.contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_called_as_its_head_says() {
        let (known, tables) = (crate::builtin().unwrap(), Tables::builtin().unwrap());
        for builtin in BUILTIN {
            let manifest = builtin.read(&known, tables).unwrap_or_else(|errors| panic!("{errors}"));
            let head = (manifest.runtime.as_deref(), manifest.release.as_deref());
            assert_eq!(head, (Some(builtin.runtime), Some(builtin.release)), "{}", builtin.file);
            assert_eq!(builtin.file, format!("manifests/{}/{}.yaml", builtin.runtime, builtin.release));
            assert!(!manifest.sources.is_empty() && !manifest.entries.is_empty(), "{}", builtin.file);
            let first = b"# yaml-language-server: $schema=../../manifest.schema.json\n";
            assert!(builtin.bytes.starts_with(first), "{}", builtin.file);
        }
    }

    #[test]
    fn the_newest_release_is_the_last_number_by_number() {
        let releases: Vec<&str> =
            BUILTIN.iter().filter(|of| of.runtime == "onnxruntime-cpu").map(|of| of.release).collect();
        assert!(releases.len() > 1 && named("onnxruntime-cpu").unwrap().release == *releases.last().unwrap());
        assert_eq!(
            named("onnxruntime-cpu@0.1").unwrap_err(),
            format!("there is no manifest of onnxruntime-cpu 0.1; there are those of {}", releases.join(", "))
        );
        assert_eq!(
            named("onnxruntime-cpv").unwrap_err().split_once(": ").unwrap().1,
            "did you mean `onnxruntime-cpu`?"
        );
    }
}
