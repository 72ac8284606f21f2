//! Every operator that comes with the crate says what each of its parts means, and shows in examples what it gives and
//! what it refuses.

use shape_specs::operator::{Expectation, Version};
use shape_specs::{DESCRIPTORS, Operator, RUNTIME_DESCRIPTORS, Scope, SpecErrors, Tables, resolve_all};

/// The fewest examples of an operator.
const FEWEST: usize = 3;

fn operators() -> Result<Vec<Operator>, SpecErrors> {
    let files = DESCRIPTORS.iter().chain(RUNTIME_DESCRIPTORS).copied();
    let (onnx, own): (Vec<_>, Vec<_>) = files.partition(|(file, _)| !file.starts_with("runtimes/"));
    let tables = Tables::builtin().map_err(Clone::clone)?;
    let read = |files| resolve_all(files, tables, Scope::Whole).map_err(|(_, errors)| errors);
    let mut operators: Vec<Operator> = read(onnx)?;
    operators.extend(read(own)?);
    Ok(operators)
}

fn undocumented(version: &Version) -> Vec<&str> {
    let Version { attributes, inputs, outputs, types, .. } = version;
    let attributes = attributes.iter().filter(|of| of.doc.is_empty() && !of.legacy).map(|of| &*of.name);
    let parameters = inputs.iter().chain(outputs).filter(|of| of.doc.is_empty()).map(|of| &*of.name);
    let types = types.iter().filter(|of| of.doc.is_empty()).map(|of| &*of.name);
    attributes.chain(parameters).chain(types).collect()
}

#[test]
fn each_part_has_a_meaning() -> Result<(), SpecErrors> {
    let mut without = Vec::new();
    for operator in operators()? {
        for version in &operator.versions {
            let parts = undocumented(version).into_iter();
            without.extend(parts.map(|part| format!("{}-{}: {part}", operator.file, version.since)));
        }
    }
    assert!(without.is_empty(), "{without:#?}");
    Ok(())
}

#[test]
fn each_operator_has_examples() -> Result<(), SpecErrors> {
    let mut few = Vec::new();
    for operator in operators()? {
        let refused = operator.examples.iter().filter(|of| matches!(of.expect, Expectation::Error(_))).count();
        let count = operator.examples.len();
        if count < FEWEST || refused == 0 || refused == count {
            few.push(format!("{}: {count}, of which {refused} are refused", operator.file));
        }
    }
    assert!(few.is_empty(), "{few:#?}");
    Ok(())
}
