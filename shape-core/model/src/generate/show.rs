//! A case as a text: its nodes, and the data of its inputs.

use std::fmt::{self, Formatter};

use shape_core::elements::Scalar;

use super::case::Case;
use super::value::{Data, Tensor, Value};
use crate::file::Model;
use crate::file::proto::TensorProto;

/// How many elements of a tensor are shown.
const SHOWN: usize = 16;

/// As `Conv_11_3 of opset 11, Y = Conv<group = 2>(X, W), X: tensor(float)[1, 2] = 0.5 1.0, ...`: a line for each part.
impl fmt::Debug for Case {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} of opset {}", self.name, self.opset)?;
        if let Some(code) = self.code {
            write!(formatter, ", which has the error {}", code.name())?;
        }
        for (name, value) in &self.inputs {
            write!(formatter, "\n  input {name}: ")?;
            show(value, formatter)?;
        }
        let initializers = self.model.graph.iter().flat_map(|graph| &graph.initializer);
        for proto @ TensorProto { name, .. } in initializers {
            write!(formatter, "\n  initializer {name}: ")?;
            Tensor::of_proto(proto).map_or(Ok(()), |tensor| show(&Value::Tensor(tensor), formatter))?;
        }
        if let Ok(model) = Model::of(&self.model) {
            for node in model.graph().into_iter().flat_map(crate::file::Graph::nodes) {
                let names = |names: &mut dyn Iterator<Item = &str>| names.collect::<Vec<_>>().join(", ");
                let views = node.attributes().iter().filter_map(crate::file::Attribute::view);
                let attributes: Vec<String> = views.map(|view| format!("{} = {}", view.name, view.value)).collect();
                let attributes =
                    if attributes.is_empty() { String::new() } else { format!("<{}>", attributes.join(", ")) };
                let (outputs, inputs) = (names(&mut node.outputs().iter()), names(&mut node.inputs().iter()));
                write!(formatter, "\n  {outputs} = {}{attributes}({inputs})", node.op_type())?;
            }
        }
        for output in &self.outputs {
            write!(formatter, "\n  output {}: {}", output.name, output.ty)?;
            if let Some(dims) = &output.dims {
                let dims: Vec<String> =
                    dims.iter().map(|dim| dim.map_or("?".to_owned(), |dim| dim.to_string())).collect();
                write!(formatter, "[{}]", dims.join(", "))?;
            }
        }
        Ok(())
    }
}

fn show(value: &Value, formatter: &mut Formatter<'_>) -> fmt::Result {
    write!(formatter, "{}", value.ty())?;
    match value {
        Value::Tensor(tensor) => elements(tensor, formatter),
        Value::Sequence(_, tensors) => tensors.iter().try_for_each(|tensor| elements(tensor, formatter)),
        Value::Optional(_, Some(held)) => {
            formatter.write_str(" with ")?;
            show(held, formatter)
        }
        Value::Optional(_, None) => formatter.write_str(" without a value"),
        Value::Computed(..) => Ok(()),
    }
}

fn elements(tensor: &Tensor, formatter: &mut Formatter<'_>) -> fmt::Result {
    write!(formatter, "{:?} =", tensor.dims)?;
    match (&tensor.data, tensor.elements()) {
        (Data::Strings(strings), _) => {
            strings.iter().take(SHOWN).try_for_each(|text| write!(formatter, " {text:?}"))?;
        }
        (Data::Bytes(_), Some(elements)) => {
            elements.iter().take(SHOWN).try_for_each(|element| match element {
                Scalar::Int(number) => write!(formatter, " {number}"),
                Scalar::Float(number) => write!(formatter, " {number:?}"),
                Scalar::Bool(is) => write!(formatter, " {is}"),
                _ => formatter.write_str(" ?"),
            })?;
        }
        (Data::Bytes(bytes), None) => {
            bytes.iter().take(SHOWN).try_for_each(|byte| write!(formatter, " 0x{byte:02x}"))?;
        }
    }
    if tensor.len() > SHOWN { formatter.write_str(" ...") } else { Ok(()) }
}
