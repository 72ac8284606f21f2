//! The commands, one file each: first the command's arguments, then what it does.

pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod expand;
pub(crate) mod explain;
pub(crate) mod fold;
pub(crate) mod infer;
pub(crate) mod new;
pub(crate) mod new_version;
pub(crate) mod ops;
pub(crate) mod profile;
pub(crate) mod show;
pub(crate) mod specs;
pub(crate) mod test;
