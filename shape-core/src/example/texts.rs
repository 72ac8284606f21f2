//! What the texts of an example mean: sizes and elements over symbols, and the bytes of a tensor in an attribute.

use alloc::vec::Vec;

use super::data::{Argument, Entry, Value};
use crate::data_type::DataType;
use crate::dimension::Dimension as _;
use crate::elements::{Elements, Scalar};
use crate::node::{AttributeValue, GraphView, TensorView, TypeProtoView};
use crate::symbolic::{Cause, Dim, Reason, Symbols};
use crate::tensor::Tensor;

/// Reads the dimensions and elements of an example, in which a name is one symbol wherever it stands.
#[derive(Debug, Default)]
pub struct Texts {
    pub(super) symbols: Symbols,
}

impl Texts {
    /// The dimensions of a value.
    pub fn dims(&mut self, entries: &[Entry]) -> Option<Vec<Dim>> {
        Some(entries.iter().map(|entry| self.dim(entry)).collect())
    }

    pub(super) fn dim(&mut self, entry: &Entry) -> Dim {
        match (entry.text, entry.text.parse()) {
            ("?", _) => Dim::Unknown(Reason::here(Cause::NotDeclared)),
            (_, Ok(size)) => Dim::Known(size),
            (text, Err(_)) => self.symbols.dim(text),
        }
    }

    /// The elements of a value; `None` where it names none, or they are of a type whose elements are not computed.
    pub fn elements(&mut self, input: &Value) -> Option<Vec<Scalar<Dim>>> {
        let ty = input.ty.element()?;
        Elements::<'_, Dim>::width(ty)?;
        Some(input.elements?.iter().map(|entry| self.element(entry, ty)).collect())
    }

    pub(super) fn element(&mut self, entry: &Entry, ty: DataType) -> Scalar<Dim> {
        let text = entry.text;
        if text == "?" {
            return Scalar::Unknown(Reason::here(Cause::NotDeclared));
        }
        match ty {
            DataType::Bool => Scalar::Bool(matches!(text, "true" | "1")),
            _ if is_float(ty) => match text.parse::<f64>() {
                Ok(number) => Scalar::Float(number).of_type(Some(ty)),
                Err(_) => match text.rsplit_once('/').map(|(of, by)| (of, by.parse())) {
                    Some((of, Ok(by))) if !of.ends_with('/') => self.expression(of).ratio(&Scalar::Int(by)),
                    _ => self.expression(text),
                },
            },
            _ => match text.parse::<i64>() {
                Ok(number) => Scalar::Int(number),
                Err(_) if text.parse::<u64>().is_ok() => Scalar::Unknown(Reason::here(Cause::ElementsNotFollowed)),
                Err(_) => self.expression(text),
            },
        }
    }

    fn expression(&mut self, text: &str) -> Scalar<Dim> {
        let dim = self.symbols.dim(text);
        if dim.lower_bound().is_some_and(|least| least >= 0) { Scalar::size(dim) } else { Scalar::Expression(dim) }
    }
}

const fn is_float(ty: DataType) -> bool {
    matches!(ty, DataType::Float | DataType::Double | DataType::Float16 | DataType::Bfloat16)
}

/// What a tensor of an attribute is made of.
#[derive(Debug)]
pub struct Held {
    dims: Vec<u64>,
    bytes: Vec<u8>,
}

impl Held {
    /// The parts of the tensor; of an attribute that is none, nothing.
    pub fn of(argument: &Argument) -> Self {
        let Argument::Tensor(value) = argument else { return Self { dims: Vec::new(), bytes: Vec::new() } };
        let dims = value.dims.unwrap_or_default().iter().filter_map(|entry| entry.text.parse().ok()).collect();
        let ty = value.ty.element().unwrap_or(DataType::Float);
        let elements = value.elements.unwrap_or_default();
        let bytes = match ty.bits().map(usize::from) {
            // Several elements share a byte.
            Some(bits) if bits % 8 != 0 => alloc::vec![0; elements.len().saturating_mul(bits).div_ceil(8)],
            _ => elements.iter().flat_map(|entry| bytes(entry.text, ty)).collect(),
        };
        Self { dims, bytes }
    }

    /// The attribute over these parts.
    pub fn view<'h>(&'h self, argument: &'h Argument) -> AttributeValue<'h> {
        match argument {
            Argument::Value(value) => *value,
            Argument::Graph(graph) => AttributeValue::Graph(GraphView::new(graph)),
            Argument::Type(ty) => AttributeValue::TypeProto(TypeProtoView::new(ty)),
            Argument::Tensor(value) => {
                let ty = value.ty.element().unwrap_or(DataType::Float);
                let tensor = Tensor::new(ty, &self.dims, &self.bytes);
                AttributeValue::Tensor(tensor.map_or(TensorView::from(Tensor::EMPTY), TensorView::from))
            }
        }
    }
}

/// The bytes of an element; zeros for a type whose elements are not computed.
fn bytes(text: &str, ty: DataType) -> Vec<u8> {
    let int = || text.parse::<i64>().unwrap_or_default();
    let float = || text.parse::<f64>().unwrap_or_default();
    match ty {
        DataType::Bool => alloc::vec![u8::from(matches!(text, "true" | "1"))],
        DataType::Float => (float() as f32).to_le_bytes().to_vec(),
        DataType::Double => float().to_le_bytes().to_vec(),
        DataType::Uint64 => text.parse::<u64>().unwrap_or_default().to_le_bytes().to_vec(),
        _ => {
            let width = usize::from(ty.bits().unwrap_or(0) / 8);
            int().to_le_bytes().get(..width).unwrap_or_default().to_vec()
        }
    }
}
