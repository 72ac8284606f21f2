//! Each program in `examples` prints what its first comment shows. Its `main` is `pub(crate)`, so that it runs here.

use crate::printed::prints_what_it_shows;

#[path = "../../examples/check_model.rs"]
mod check_model;
#[path = "../../examples/convert_model.rs"]
mod convert_model;
#[path = "../../examples/importer.rs"]
mod importer;
#[path = "../../examples/infer_model.rs"]
mod infer_model;
#[path = "../../examples/port.rs"]
mod port;
#[path = "../../examples/prost_types.rs"]
mod prost_types;

#[test]
fn check_model() {
    prints_what_it_shows(include_str!("../../examples/check_model.rs"), check_model::main);
}

#[test]
fn convert_model() {
    prints_what_it_shows(include_str!("../../examples/convert_model.rs"), convert_model::main);
}

#[test]
fn importer() {
    prints_what_it_shows(include_str!("../../examples/importer.rs"), importer::main);
}

#[test]
fn infer_model() {
    prints_what_it_shows(include_str!("../../examples/infer_model.rs"), infer_model::main);
}

#[test]
fn port() {
    prints_what_it_shows(include_str!("../../examples/port.rs"), port::main);
}

#[test]
fn prost_types() {
    prints_what_it_shows(include_str!("../../examples/prost_types.rs"), prost_types::main);
}
