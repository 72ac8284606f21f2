//! The built-in descriptors, and the JSON Schema of descriptors.

use crate::error::SpecErrors;
use crate::operator::Operator;
use crate::resolve::resolve_all;
use crate::scope::Scope;
use crate::tables::Tables;

/// The descriptors of this crate: the path within `specs`, such as `ai.onnx/Shape.yaml`, and the bytes of the file.
pub static DESCRIPTORS: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/descriptors.rs"));

/// The descriptors of what runtimes register on their own in the domains of ONNX: the path within `specs`, such as
/// `runtimes/onnxruntime/ai.onnx/Scale.yaml`, and the bytes of the file.
pub static RUNTIME_DESCRIPTORS: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/runtime_descriptors.rs"));

/// The JSON Schema of a descriptor, for editors: the structure of the file, with documentation.
///
/// It contains the structure of a descriptor and the element types, groups, codes and opsets of the tables; it accepts
/// everything that [`crate::resolve()`] accepts. Only `resolve` checks constraints between several parts, such as the
/// order of versions.
pub const DESCRIPTOR_SCHEMA: &str = include_str!("../descriptor.schema.json");

/// All descriptors of this crate, resolved; sorted by domain and name.
///
/// # Errors
/// Every error of every file.
pub fn builtin() -> Result<Vec<Operator>, SpecErrors> {
    let tables = Tables::builtin().map_err(Clone::clone)?;
    resolve_all(DESCRIPTORS.iter().copied(), tables, Scope::Whole).map_err(|(_, errors)| errors)
}
