//! Checks a model, and prints what is wrong with it.
//!
//! ```text
//! warning[no-descriptor]: com.acme::Extent has no descriptor
//!   at node 0 `extent` of graph
//! warning[no-descriptor]: com.acme::Copies has no descriptor
//!   at node 1 `copies` of graph
//! ```

use shape_core::code::Severity;
use shape_model::{ModelFile, Options, check};

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/acme.onnx");

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = ModelFile::open(MODEL)?;
    let findings = check(file.model(), &Options::of(&file))?;
    for finding in findings.iter().filter(|finding| finding.severity() != Severity::Info) {
        println!("{}[{}]: {}", finding.severity(), finding.code, finding.message);
        if let Some(node) = &finding.node {
            println!("  at node {} `{}` of {}", node.index, node.name, finding.graph);
        }
    }
    Ok(())
}
