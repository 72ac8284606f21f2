//! Runs one data set of a test case.

use std::collections::HashMap;
use std::path::Path;

use super::node;
use super::outcome::{Outcome, Stop};
use super::tolerance::Tolerance;
use super::value::{Data, Value};
use crate::file::Graph;
use crate::file::ModelFile;
use crate::file::proto::{TypeValue, ValueInfoProto};
use crate::imports::Imports;
use shape_core::registry::Registry;

/// Runs the model on the inputs in a folder, and compares the outputs with the expected ones next to them.
pub(super) fn run(file: &ModelFile, folder: &Path, registry: &Registry) -> Result<(), Stop> {
    let model = file.model();
    let graph = model.graph().ok_or_else(|| Stop::error("the model has no graph"))?;
    let mut values = initial(file, graph, folder)?;
    let imports = Imports::read(model.opset_import(), model.ir_version().unwrap_or(0));
    for node in graph.nodes() {
        let outputs = node::run(node, &imports, registry, &values)?;
        values.extend(node.outputs().iter().zip(outputs).filter(|(name, _)| !name.is_empty()));
    }
    let mut by_dims = Ok(());
    for (index, output) in graph.outputs().iter().enumerate() {
        let expected = read(&folder.join(format!("output_{index}.pb")), output)?;
        let found =
            values.get(&*output.name).ok_or_else(|| Stop::fail(format!("nothing computes `{}`", output.name)))?;
        let compared = compare(found, &expected)
            .map_err(|Stop(outcome, detail)| Stop(outcome, format!("output {index} `{}` {detail}", output.name)));
        match compared {
            // A later output may still fail.
            Err(Stop(Outcome::Dims, detail)) => by_dims = by_dims.and(Err(Stop(Outcome::Dims, detail))),
            other => other?,
        }
    }
    by_dims
}

/// The values that exist before the first node runs, by name.
fn initial<'m>(file: &ModelFile, graph: Graph<'m>, folder: &Path) -> Result<HashMap<&'m str, Value>, Stop> {
    let mut values = HashMap::new();
    for initializer in graph.initializers() {
        let value = Value::read(initializer, file.external());
        let value = value.map_err(|error| Stop::error(format!("`{}`: {error}", initializer.name)))?;
        values.insert(&*initializer.name, value);
    }
    for (index, input) in graph.inputs().iter().enumerate() {
        let path = folder.join(format!("input_{index}.pb"));
        // An input with a default may have no file.
        if path.exists() || !values.contains_key(&*input.name) {
            values.insert(&input.name, read(&path, input)?);
        }
    }
    Ok(values)
}

/// Reads a file that holds a single tensor.
fn read(path: &Path, declared: &ValueInfoProto) -> Result<Value, Stop> {
    if let Some(value) = declared.r#type.as_ref().and_then(|ty| ty.value.as_ref())
        && !matches!(value, TypeValue::TensorType(_))
    {
        return Err(Stop::skip(format!("`{}` is no tensor, and nothing else is followed yet", declared.name)));
    }
    Value::open(path).map_err(Stop::error)
}

fn compare(found: &Value, expected: &Value) -> Result<(), Stop> {
    if (found.data_type, &found.dims) != (expected.data_type, &expected.dims) {
        return Err(Stop::fail(format!("is {found}, expected {expected}")));
    }
    if matches!(found.data, Data::Unknown) {
        return Err(Stop(
            Outcome::Dims,
            "has the type and dimensions expected; no rule computes its elements".to_owned(),
        ));
    }
    let difference = found.difference(expected, Tolerance::EXACT);
    difference.map_or(Ok(()), |difference| Err(Stop::fail(format!("is {difference}"))))
}
