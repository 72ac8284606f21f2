//! The descriptors that come with this crate, and the JSON Schema that they follow.

use crate::error::SpecErrors;
use crate::operator::Operator;
use crate::resolve::resolve_all;
use crate::scope::Scope;
use crate::tables::Tables;

/// The descriptors of this crate: the path within `specs`, such as `ai.onnx/Shape.yaml`, and the bytes of the file.
pub static DESCRIPTORS: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/descriptors.rs"));

/// The JSON Schema of a descriptor, for editors: what may stand where, and what it means.
///
/// It knows the form of a descriptor and the element types, groups, codes and opsets of the tables; what [`crate::resolve()`]
/// accepts, it accepts. Rules that look at several places, such as the order of versions, are told by `resolve` alone.
pub const DESCRIPTOR_SCHEMA: &str = include_str!("../descriptor.schema.json");

/// All descriptors of this crate, resolved; sorted by domain and name.
///
/// # Errors
/// Every error of every file.
pub fn builtin() -> Result<Vec<Operator>, SpecErrors> {
    let tables = Tables::builtin().map_err(Clone::clone)?;
    resolve_all(DESCRIPTORS.iter().copied(), tables, Scope::Whole).map_err(|(_, errors)| errors)
}
