#![doc = include_str!("../README.md")]

pub mod de;
pub mod diff;
pub mod document;
pub mod names;
pub mod operator;
pub mod tables;
pub mod yaml;

mod error;
mod resolve;
#[cfg(test)]
mod schema;
mod validate;

pub use error::{CODES, SpecError, SpecErrors};
pub use operator::Operator;
pub use tables::Tables;
pub use validate::arity;

use document::Document;
use resolve::Context;

/// The descriptors of this crate: the path within `specs`, such as `ai.onnx/Shape.yaml`, and the bytes of the file.
pub static DESCRIPTORS: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/descriptors.rs"));

/// The JSON Schema of a descriptor, for editors: what may stand where, and what it means.
///
/// It knows the form of a descriptor and the element types, groups, codes and opsets of the tables; what [`resolve()`]
/// accepts, it accepts. Rules that look at several places, such as the order of versions, are told by `resolve` alone.
pub const DESCRIPTOR_SCHEMA: &str = include_str!("../descriptor.schema.json");

/// Reads a descriptor: its form, its full versions, and every mistake in it.
///
/// `file` is how messages name it; its last part must be the operator's name.
///
/// # Errors
/// Every mistake of the file, in the order of the lines.
///
/// ```
/// let tables = shape_specs::Tables::builtin()?;
/// let text = "operator: Twice\ndomain: com.acme\nsummary: Doubles.\nversions:\n  - since: 1\n    inptus: []\n";
/// let errors = shape_specs::resolve("Twice.yaml", text.as_bytes(), tables).unwrap_err();
/// assert_eq!(errors.0[0].code, "unknown-field");
/// assert_eq!(errors.0[0].help.as_deref(), Some("did you mean `inputs`?"));
/// # Ok::<(), &shape_specs::SpecErrors>(())
/// ```
pub fn resolve(file: &str, bytes: &[u8], tables: &Tables) -> Result<Operator, SpecErrors> {
    let root = yaml::parse(bytes).map_err(|error| SpecErrors(vec![SpecError::syntax(file, bytes, error)]))?;
    let read = de::read::<Document>(&root);
    let mut context = Context::new(tables, read.mistakes, read.left_out);
    let operator = read.value.map(|document| resolve::resolve(file, &document, &mut context));
    match operator {
        Some(mut operator) if context.mistakes.is_empty() => {
            let places = yaml::Places::new(bytes);
            let lines = operator.versions.iter_mut().map(|version| &mut version.line);
            for line in lines.chain(operator.examples.iter_mut().map(|example| &mut example.line)) {
                *line = places.line_of_mapping(*line);
            }
            Ok(operator)
        }
        _ => Err(SpecErrors(error::place(file, bytes, context.mistakes))),
    }
}

/// All descriptors of this crate, resolved; sorted by domain and name.
///
/// # Errors
/// Every mistake of every file.
pub fn builtin() -> Result<Vec<Operator>, SpecErrors> {
    let tables = Tables::builtin().map_err(Clone::clone)?;
    let mut operators = Vec::new();
    let mut errors = Vec::new();
    for (file, bytes) in DESCRIPTORS {
        match resolve(file, bytes, tables) {
            Ok(operator) => operators.push(operator),
            Err(mistakes) => errors.extend(mistakes.0),
        }
    }
    if errors.is_empty() { Ok(operators) } else { Err(SpecErrors(errors)) }
}
