//! The manifests that come with the crate, as files.

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
