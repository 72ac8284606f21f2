//! Converts a model to a newer opset and to older ones, and prints why it cannot be converted to one of them.
//!
//! ```text
//! opset 21 to 23: 0 nodes had to change
//! opset 21 to 13: 6 nodes had to change
//! not to opset 8: 2 errors, of which the first is
//! conversion-type: at Less-7, input 0 (`A`) is tensor(int64); allowed: tensor of float, float16, double
//! ```

use shape_core::Registry;
use shape_model::{ModelFile, convert};

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = ModelFile::open(MODEL)?;
    for opset in [23, 13, 8] {
        match convert(&file, opset, Registry::builtin()) {
            Ok(conversion) => {
                let from = conversion.opsets.first().map_or(opset, |converted| converted.from);
                println!("opset {from} to {opset}: {} nodes had to change", conversion.nodes.len());
                let target = std::env::temp_dir().join(format!("attention-{}.onnx", std::process::id()));
                file.rewrite(&conversion.edit, &target)?;
                std::fs::remove_file(target)?;
            }
            Err(findings) => {
                println!("not to opset {opset}: {} errors, of which the first is", findings.len());
                if let Some(finding) = findings.first() {
                    println!("{}: {}", finding.code, finding.message);
                }
            }
        }
    }
    Ok(())
}
