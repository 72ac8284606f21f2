//! The commands, one file each: first the command's arguments, then what it does.

#[cfg(not(feature = "expand"))]
mod absent;
#[cfg(feature = "authoring")]
mod authoring;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod diff;
#[cfg(all(feature = "pages", not(target_family = "wasm")))]
pub(crate) mod docs;
#[cfg(feature = "expand")]
mod expand;
pub(crate) mod explain;
pub(crate) mod fold;
#[cfg(feature = "generate")]
pub(crate) mod generate;
pub(crate) mod infer;
pub(crate) mod info;
pub(crate) mod man;
#[cfg(feature = "authoring")]
mod new;
#[cfg(feature = "authoring")]
mod new_version;
#[cfg(not(feature = "authoring"))]
mod no_authoring;
pub(crate) mod ops;
pub(crate) mod profile;
pub(crate) mod show;
pub(crate) mod simplify;
#[cfg(feature = "authoring")]
mod specs;
#[cfg(feature = "generate")]
pub(crate) mod suite;
pub(crate) mod test;
#[cfg(feature = "pages")]
pub(crate) mod view;

#[cfg(feature = "authoring")]
pub(crate) use authoring::Authoring;
#[cfg(not(feature = "authoring"))]
pub(crate) use no_authoring::Authoring;
