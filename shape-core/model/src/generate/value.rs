//! Values with data: what the inputs of a generated model are.

use bytes::Bytes;
use shape_core::data_type::DataType;
use shape_core::elements::Elements;
use shape_core::types::Type;

use crate::file::proto::{
    Dimension, DimensionValue, OptionalType, SequenceType, TensorProto, TensorShapeProto, TensorType, TypeProto,
    TypeValue,
};

/// A tensor with its elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// The element type.
    pub ty: DataType,
    /// The sizes of the axes, outermost first.
    pub dims: Vec<u64>,
    /// The elements in row-major order.
    pub data: Data,
}

/// The elements of a tensor in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// As `TensorProto.raw_data` stores them: little-endian, several to a byte for types of less than eight bits.
    Bytes(Vec<u8>),
    /// Strings.
    Strings(Vec<String>),
}

/// A value of a generated model.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A tensor.
    Tensor(Tensor),
    /// A sequence of tensors of one element type.
    Sequence(DataType, Vec<Tensor>),
    /// An optional of this type: a value or none.
    Optional(Type, Option<Box<Value>>),
    /// What a node computes: its type and, if they are known, its dimensions.
    Computed(Type, Option<Vec<u64>>),
}

/// The number of elements; `None` past `u64::MAX`.
pub(super) fn count(dims: &[u64]) -> Option<u64> {
    dims.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim))
}

impl Tensor {
    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        count(&self.dims).and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its elements as whole numbers, for types whose elements rules read.
    pub(super) fn ints(&self) -> Option<Vec<i64>> {
        let Data::Bytes(bytes) = &self.data else { return None };
        Elements::<'_, u64>::width(self.ty)?;
        let int = |scalar| match scalar {
            shape_core::elements::Scalar::Int(number) => Some(number),
            shape_core::elements::Scalar::Bool(is) => Some(i64::from(is)),
            shape_core::elements::Scalar::Float(number) if number.fract() == 0.0 => Some(number as i64),
            _ => None,
        };
        Elements::<'_, u64>::Bytes(self.ty, bytes).iter().map(int).collect()
    }

    /// Its elements, for types whose elements rules read.
    pub(super) fn elements(&self) -> Option<Elements<'_, u64>> {
        Elements::<'_, u64>::width(self.ty)?;
        match &self.data {
            Data::Bytes(bytes) => Some(Elements::Bytes(self.ty, bytes)),
            Data::Strings(_) => None,
        }
    }

    /// The tensor of a message as [`Tensor::to_proto`] writes it.
    pub(super) fn of_proto(proto: &TensorProto) -> Option<Self> {
        let ty = DataType::from_number(proto.data_type?)?;
        let dims: Vec<u64> = proto.dims.iter().map(|dim| u64::try_from(*dim).ok()).collect::<Option<_>>()?;
        let text = |bytes: &Bytes| String::from_utf8(bytes.to_vec()).ok();
        let data = match &proto.raw_data {
            Some(bytes) => Data::Bytes(bytes.to_vec()),
            None if ty == DataType::String => Data::Strings(proto.string_data.iter().map(text).collect::<Option<_>>()?),
            None => return None,
        };
        Some(Self { ty, dims, data })
    }

    /// The message of this tensor.
    #[must_use]
    pub fn to_proto(&self, name: &str) -> TensorProto {
        let mut proto = TensorProto {
            name: name.to_owned(),
            dims: self.dims.iter().map(|dim| i64::try_from(*dim).unwrap_or(i64::MAX)).collect(),
            data_type: Some(self.ty.number().into()),
            ..TensorProto::default()
        };
        match &self.data {
            Data::Bytes(bytes) => proto.raw_data = Some(Bytes::copy_from_slice(bytes)),
            Data::Strings(strings) => {
                proto.string_data = strings.iter().map(|text| Bytes::copy_from_slice(text.as_bytes())).collect();
            }
        }
        proto
    }
}

impl Value {
    /// Its type.
    #[must_use]
    pub fn ty(&self) -> Type {
        match self {
            Self::Tensor(tensor) => Type::tensor(tensor.ty),
            Self::Sequence(element, _) => wrapped(Type::tensor(*element), Type::sequence),
            Self::Optional(inner, _) => wrapped(*inner, Type::optional),
            Self::Computed(ty, _) => *ty,
        }
    }

    /// The dimensions of a tensor, or those that all tensors of a sequence share.
    #[must_use]
    pub fn dims(&self) -> Option<&[u64]> {
        match self {
            Self::Tensor(tensor) => Some(&tensor.dims),
            Self::Sequence(_, tensors) => {
                let (first, others) = tensors.split_first()?;
                others.iter().all(|other| other.dims == first.dims).then_some(&*first.dims)
            }
            Self::Optional(_, inner) => inner.as_ref()?.dims(),
            Self::Computed(_, dims) => dims.as_deref(),
        }
    }

    /// The tensor, if it is one.
    #[must_use]
    pub fn tensor(&self) -> Option<&Tensor> {
        if let Self::Tensor(tensor) = self { Some(tensor) } else { None }
    }
}

/// A type within a form; unchanged where it would nest deeper than a type can, which no descriptor asks for.
pub(super) fn wrapped(ty: Type, form: fn(Type) -> Option<Type>) -> Type {
    form(ty).unwrap_or(ty)
}

/// A dimension of a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Declared {
    Size(u64),
    Symbol(String),
    Unknown,
}

/// The message of a type, with the dimensions of its tensors if they are given.
pub(super) fn type_proto(ty: Type, dims: Option<&[Declared]>) -> TypeProto {
    let inner = |ty| Some(Box::new(type_proto(ty, dims)));
    let value = if let Some(element) = ty.element() {
        let dim = |dim: &Declared| Dimension {
            value: match dim {
                Declared::Size(size) => Some(DimensionValue::DimValue(i64::try_from(*size).unwrap_or(i64::MAX))),
                Declared::Symbol(name) => Some(DimensionValue::DimParam(name.clone())),
                Declared::Unknown => None,
            },
            ..Dimension::default()
        };
        let shape = dims.map(|dims| TensorShapeProto { dim: dims.iter().map(dim).collect() });
        Some(TypeValue::TensorType(TensorType { elem_type: Some(element.number().into()), shape }))
    } else if let Some(element) = ty.in_sequence() {
        Some(TypeValue::SequenceType(SequenceType { elem_type: inner(element) }))
    } else {
        ty.in_optional().map(|element| TypeValue::OptionalType(OptionalType { elem_type: inner(element) }))
    };
    TypeProto { value, ..TypeProto::default() }
}
