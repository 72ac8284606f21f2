//! Reads the attributes of a node into the struct of its operator version, and infers the dimensions of its output, of
//! which some are symbols.
//!
//! ```text
//! Reshape { allowzero: 0 }
//! [batch, 4*tokens]
//! ```

use shape_core::elements::Elements;
use shape_core::facts::{Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use shape_core::node::{AttributeValue, NodeAttribute};
use shape_core::opset17::Reshape; // the version that opset 17 resolves to: Reshape-14
use shape_core::symbolic::{Dim, Symbols};
use shape_core::{DataType, Operator as _, Type};

/// Where the rule leaves what it says of the output.
#[derive(Default)]
struct Output {
    dims: Vec<Result<Dim, UnknownCause>>,
}

impl Outputs<Dim> for Output {
    fn dims(&mut self, _output: usize, dims: Dims<'_, Dim>) {
        self.dims = (0..dims.rank().unwrap_or_default()).map(|axis| dims.dim(axis)).collect();
    }

    fn elements(&mut self, _output: usize, _elements: Result<EachElement<'_, Dim>, UnknownCause>) {}

    fn elements_of(&mut self, _output: usize, _input: usize) {}
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let attributes = [NodeAttribute::new("allowzero", AttributeValue::Int(0))];
    let reshape = Reshape::read(&attributes).map_err(|problem| problem.to_string())?;
    println!("{reshape:?}");

    // The first input has the dimensions [batch, 4, tokens]; the second one is the constant [0, -1].
    let mut symbols = Symbols::default();
    let data = [symbols.dim("batch"), Dim::Known(4), symbols.dim("tokens")];
    let data = Fact { ty: Some(Type::tensor(DataType::Float)), dims: Some(&data), elements: None };
    let length = [Dim::Known(2)];
    let target =
        Fact { ty: Some(Type::tensor(DataType::Int64)), dims: Some(&length), elements: Some(Elements::Ints(&[0, -1])) };
    let mut output = Output::default();
    reshape.infer_outputs(Inputs(&[Some(data), Some(target)]), &mut output).map_err(|problem| problem.to_string())?;

    let text = |dim: &Result<Dim, UnknownCause>| match dim {
        Ok(dim) => dim.display(&symbols).to_string(),
        Err(_) => String::from("?"),
    };
    println!("[{}]", output.dims.iter().map(text).collect::<Vec<_>>().join(", "));
    Ok(())
}
