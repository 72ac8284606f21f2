//! Whatever uses a struct with a mistake has nothing to say of it.

use shape_core::problem::Problem;
use shape_core::facts::{Inputs, Outputs};
use shape_core::{AttributeEnum, Dimension, Infer, Operator, Registry};

#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1, inputs(x: T))]
struct Gelu<'a> {
    widths: &'a [i32],
    mode: Mode,
}

#[derive(AttributeEnum)]
enum Mode {
    Exact = 1,
}

impl Infer for Gelu<'_> {
    fn infer<D: Dimension>(&self, _: Inputs<'_, D>, _: &mut dyn Outputs<D>) -> Result<(), Problem<'static>> {
        Ok(())
    }
}

fn main() {
    let registry = Registry::builtin().with([Gelu::SCHEMA]);
    assert!(registry.is_ok() && Gelu::read(&[]).is_ok());
}
