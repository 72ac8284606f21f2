//! Checks of what a model declares.

use super::arguments::Arguments;
use super::outcome::{Outcome, fail, named, open, pass};
use super::subject::Subject;
use crate::file::proto::{Dimension, DimensionValue, TensorShapeProto, TypeProto, TypeValue};
use crate::graph::GraphKind;
use shape_core::data_type::DataType;
use shape_core::node::AttributeValue;

/// The declared type and shape of a tensor, possibly within a sequence or an optional.
struct Tensor<'m> {
    element: Option<i32>,
    shape: Option<&'m TensorShapeProto>,
    sparse: bool,
    /// Whether it is a plain tensor, not within a sequence or an optional.
    bare: bool,
}

fn tensor(mut ty: &TypeProto) -> Option<Tensor<'_>> {
    let mut bare = true;
    loop {
        let inner = match ty.value.as_ref()? {
            TypeValue::TensorType(of) => {
                return Some(Tensor { element: of.elem_type, shape: of.shape.as_ref(), sparse: false, bare });
            }
            TypeValue::SparseTensorType(of) => {
                return Some(Tensor { element: of.elem_type, shape: of.shape.as_ref(), sparse: true, bare });
            }
            TypeValue::SequenceType(of) => &of.elem_type,
            TypeValue::OptionalType(of) => &of.elem_type,
            TypeValue::MapType(of) => &of.value_type,
            TypeValue::OpaqueType(_) => return None,
        };
        (ty, bare) = (inner.as_deref()?, false);
    }
}

/// The element type of a declaration, if it is declared and valid.
fn element(ty: &TypeProto) -> Option<DataType> {
    tensor(ty)?.element.and_then(DataType::from_number)
}

/// The element type of a declaration of a tensor.
pub(super) fn of_tensor(ty: &TypeProto) -> Option<DataType> {
    tensor(ty).filter(|tensor| tensor.bare && !tensor.sparse)?.element.and_then(DataType::from_number)
}

/// The dimensions of a declaration, if it declares a tensor with a rank.
pub(super) fn shape(ty: &TypeProto) -> Option<&TensorShapeProto> {
    tensor(ty).filter(|tensor| tensor.bare)?.shape
}

/// Whether the subject is the body of a function, which has no declarations.
fn of_function(subject: &Subject<'_, '_>) -> bool {
    subject.node().is_none() && subject.graph.is_some_and(|graph| graph.kind == GraphKind::Function)
}

/// Every value declares its element type.
pub(super) fn types_declared(subject: &Subject<'_, '_>, _: &Arguments) -> Outcome {
    if of_function(subject) {
        return open("the types of a function's inputs and outputs depend on its calls");
    }
    let defined = subject.defined();
    let silent = defined.iter().filter(|(_, ty)| ty.is_none_or(|ty| element(ty).is_none()));
    let silent: Vec<&str> = silent.map(|(name, _)| *name).collect();
    if silent.is_empty() {
        return pass(format!("{} declared", count(defined.len())));
    }
    fail(format!("no element type is declared for {}", named(&silent)))
}

/// Every value declares its dimensions, as numbers.
pub(super) fn dims_declared(subject: &Subject<'_, '_>, _: &Arguments) -> Outcome {
    if of_function(subject) {
        return open("the dimensions of a function's inputs and outputs depend on its calls");
    }
    let (mut without, mut symbols) = (Vec::new(), Vec::new());
    let defined = subject.defined();
    for (name, ty) in &defined {
        let tensor = ty.and_then(tensor);
        match tensor.as_ref().map(|tensor| (tensor.shape, tensor.bare)) {
            // The tensors of a sequence may have any sizes.
            Some((None, false)) => {}
            None | Some((None, true)) => without.push(*name),
            Some((Some(shape), _)) => {
                let no_size = |dim: &Dimension| match dim.value {
                    Some(DimensionValue::DimValue(size)) => size < 0,
                    _ => dim.symbol().is_none(),
                };
                if shape.dim.iter().any(no_size) {
                    without.push(*name);
                }
                symbols.extend(shape.dim.iter().filter_map(Dimension::symbol));
            }
        }
    }
    symbols.sort_unstable();
    symbols.dedup();
    if !without.is_empty() {
        fail(format!("some dimensions are not declared for {}", named(&without)))
    } else if symbols.is_empty() {
        pass(format!("{} declared", count(defined.len())))
    } else {
        open(format!("the size is known only when the model runs: {}", named(&symbols)))
    }
}

/// No value is a sparse tensor.
pub(super) fn no_sparse(subject: &Subject<'_, '_>, _: &Arguments) -> Outcome {
    let is_sparse = |ty: &TypeProto| tensor(ty).is_some_and(|tensor| tensor.sparse);
    let defined = subject.defined();
    let mut sparse: Vec<&str> = defined
        .iter()
        .filter(|(name, ty)| {
            let inferred = || subject.value_called(name).and_then(|value| value.ty.as_ref().ok());
            ty.is_some_and(is_sparse) || inferred().is_some_and(|ty| ty.to_string().contains("sparse_tensor"))
        })
        .map(|(name, _)| *name)
        .collect();
    match subject.graph.and_then(|graph| graph.proto).filter(|_| subject.node().is_none()) {
        None => sparse.extend(subject.attributes().filter(|(_, value)| holds_sparse(*value)).map(|(name, _)| name)),
        Some(graph) => {
            let stored = graph.sparse_initializers().iter().map(|tensor| tensor.values.as_ref());
            sparse.extend(stored.map(|values| values.map_or("", |values| &*values.name)));
        }
    }
    if sparse.is_empty() { pass("nothing is sparse") } else { fail(format!("these are sparse: {}", named(&sparse))) }
}

fn holds_sparse(value: AttributeValue<'_>) -> bool {
    let in_type = |ty: Option<&TypeProto>| ty.and_then(tensor).is_some_and(|tensor| tensor.sparse);
    match value {
        AttributeValue::SparseTensor(_) | AttributeValue::SparseTensors(_) => true,
        AttributeValue::TypeProto(ty) => in_type(ty.get()),
        AttributeValue::TypeProtos(types) => {
            types.get::<Vec<TypeProto>>().is_some_and(|types| types.iter().any(|ty| in_type(Some(ty))))
        }
        _ => false,
    }
}

fn count(values: usize) -> String {
    match values {
        1 => "1 value is".to_owned(),
        values => format!("{values} values are"),
    }
}
