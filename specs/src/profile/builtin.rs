//! The profiles that come with this crate, and the built-in descriptors that they refer to.

use super::read::{read, stem};
use super::rule::Profile;
use crate::descriptors::DESCRIPTORS;
use crate::error::SpecErrors;
use crate::operator::Operator;
use crate::resolve::resolve_all;
use crate::scope::Scope;
use crate::tables::Tables;

/// The files of a profile of this crate.
#[derive(Clone, Copy, Debug)]
pub struct Files {
    /// The profile's name.
    pub name: &'static str,
    /// Each YAML file: the path within `specs`, such as `profiles/sonnx/Shape.yaml`, and its bytes.
    pub yaml: &'static [(&'static str, &'static [u8])],
    /// The proved goals, `proofs.json`; `None` if the profile has no formal specification.
    pub proofs: Option<&'static [u8]>,
}

/// The profiles of this crate.
pub static PROFILES: &[Files] = &include!(concat!(env!("OUT_DIR"), "/profiles.rs"));

/// Reads a profile of this crate; `None` if there is none with that name.
///
/// # Errors
/// Every error of its files.
///
/// ```
/// let sonnx = shape_specs::profile::builtin("sonnx").unwrap()?;
/// assert_eq!((sonnx.rules[0].id.as_str(), sonnx.overlays[1].since), ("SONNX-GEN-010", 25));
/// # Ok::<(), shape_specs::SpecErrors>(())
/// ```
#[must_use]
pub fn builtin(name: &str) -> Option<Result<Profile, SpecErrors>> {
    let files = PROFILES.iter().find(|files| files.name == name)?;
    Some(Tables::builtin().map_err(Clone::clone).and_then(|tables| {
        let known = described(files.yaml.iter().map(|(file, _)| *file), tables)?;
        read(files.yaml, &known, tables, files.proofs)
    }))
}

/// The built-in descriptors of the operators that files of a profile are named after. The rules refer to no others, and
/// reading all descriptors takes far longer.
///
/// # Errors
/// Every error of the descriptors.
pub fn described<'f>(files: impl IntoIterator<Item = &'f str>, tables: &Tables) -> Result<Vec<Operator>, SpecErrors> {
    let names: Vec<&str> = files.into_iter().filter_map(stem).collect();
    let descriptors = DESCRIPTORS.iter().copied();
    let descriptors = descriptors
        .filter(|(file, _)| file.starts_with("ai.onnx/") && stem(file).is_some_and(|name| names.contains(&name)));
    resolve_all(descriptors, tables, Scope::Whole).map_err(|(_, errors)| errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profiles_of_this_crate_are_right() {
        for files in PROFILES {
            let profile = builtin(files.name).unwrap().unwrap_or_else(|errors| panic!("{errors}"));
            assert!(profile.rules.len() > 20 && profile.rules.iter().all(|rule| rule.line > 0), "{}", files.name);
        }
        assert!(builtin("none").is_none());
    }
}
