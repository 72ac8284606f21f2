//! Infers the values of a model, and prints the dimensions of each, why some are unknown, and how one was inferred.
//!
//! ```text
//! x: [batch, seq, 64]
//! target: [2]
//! extent: not even its rank is known
//!   because of `extent` (node 0 `extent`, Extent): its operator has no descriptor
//! copies: not even its rank is known
//!   because of `copies` (node 1 `copies`, Copies): its operator has no descriptor
//! rows: [n0, 64]
//!   because of `copies` (node 1 `copies`, Copies): its operator has no descriptor
//! none: not even its rank is known
//!   because of `none` (node 3 `none`, Copies): its operator has no descriptor
//! node 1 `copies`, Copies
//! node 2 `rows`, Reshape
//! ```

use shape_core::Registry;
use shape_model::{ModelFile, Options, analyse};

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/acme.onnx");

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = ModelFile::open(MODEL)?;
    let analysis = analyse(file.model(), &Options::of(&file))?;
    for value in &analysis.values {
        match &value.dims {
            Ok(dims) => {
                let dims: Vec<String> = dims.iter().map(|dim| dim.display(&analysis.symbols).to_string()).collect();
                println!("{}: [{}]", value.name, dims.join(", "));
            }
            Err(_) => println!("{}: not even its rank is known", value.name),
        }
        if let Some(reason) = analysis.unknown(value) {
            println!("  because of {}", analysis.explain(reason));
        }
    }

    // The nodes between the inputs of the main graph and one of its values.
    let rows = analysis.scopes().index(0, "rows").ok_or("the model has no such value")?;
    let trace = analysis.trace(file.model(), Registry::builtin(), rows);
    for step in &trace.steps {
        println!("node {} `{}`, {}", step.index, step.node.name(), step.node.op_type());
    }
    Ok(())
}
