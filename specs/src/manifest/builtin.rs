//! The manifests that come with the crate.

use super::entry::Manifest;
use super::read::read;
use crate::error::SpecErrors;
use crate::names::suggest;
use crate::operator::Operator;
use crate::tables::Tables;

/// A manifest of this crate, not yet read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// The runtime.
    pub runtime: &'static str,
    /// Its release.
    pub release: &'static str,
    /// The path within `specs`.
    pub file: &'static str,
    /// The bytes of the file.
    pub bytes: &'static [u8],
}

/// The manifests of this crate, by runtime, the oldest release first.
pub static BUILTIN: &[Builtin] = &include!(concat!(env!("OUT_DIR"), "/manifests.rs"));

impl Builtin {
    /// Reads the manifest; `known` are the existing operators.
    ///
    /// # Errors
    /// Every error of the file.
    pub fn read(&self, known: &[Operator], tables: &Tables) -> Result<Manifest, SpecErrors> {
        read(self.file, self.bytes, known, tables)
    }
}

/// The manifest with a name: that of a runtime, for its newest release, or `runtime@release`.
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
    releases.iter().find(|builtin| builtin.release == release).copied().ok_or_else(|| {
        let known: Vec<&str> = releases.iter().map(|builtin| builtin.release).collect();
        format!("there is no manifest of {runtime} {release}; there are those of {}", known.join(", "))
    })
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
