//! Reads the elements of a tensor from any of the fields that may store them.
//!
//! ONNX stores a tensor as raw bytes or in one of several lists of numbers. The functions here always return the raw
//! form, after comparing its length with the dims, so that callers can rely on both.

use std::any::Any;
use std::borrow::Cow;

use bytes::Bytes;

use super::external_data::ExternalError;
use super::packed::Packed;
use super::proto::{DataLocation, TensorProto};
use super::wire::Scalar;
use shape_core::code::Code;
use shape_core::data_type::DataType;
use shape_core::node::TensorStorage;
use shape_core::tensor::element_count;

/// Why a tensor's elements could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TensorError {
    /// The elements are in another file, and cannot be read from there.
    #[error(transparent)]
    External(#[from] ExternalError),

    /// The tensor is a segment of a larger one.
    #[error("the tensor is a segment of a larger one, which nothing can read; store it whole")]
    Segmented,

    /// The number is not that of an element type.
    #[error("data_type {data_type} is no element type; 1 (float) to 28 (float6e3m2) are")]
    UnknownType {
        /// ONNX's number; 0 if the field is absent.
        data_type: i32,
    },

    /// Bytes were requested from a string tensor, or strings from another tensor.
    #[error("data_type {data_type} has the wrong kind of elements: string (8) has strings, all others have bytes")]
    WrongKind {
        /// ONNX's number.
        data_type: i32,
    },

    /// A dimension is negative.
    #[error("dimension {axis} is {size}; a constant's dims must be 0 or more")]
    NegativeDim {
        /// The index of the dimension.
        axis: usize,
        /// Its size.
        size: i64,
    },

    /// The dims require more elements than fit into memory.
    #[error("the product of the dims is too large for any memory")]
    TooLarge,

    /// Two fields have elements.
    #[error("both {first} and {second} have elements; one of them must")]
    Ambiguous {
        /// A field.
        first: &'static str,
        /// Another.
        second: &'static str,
    },

    /// The elements are in a field for other types.
    #[error("data_type {data_type} keeps its elements in {expected}, not in {found}")]
    WrongField {
        /// ONNX's number.
        data_type: i32,
        /// The fields for this element type.
        expected: &'static str,
        /// The field that has elements.
        found: &'static str,
    },

    /// There are more or fewer elements than the dims require.
    #[error("the dims ask for {expected} {unit} and {field} has {found}")]
    WrongLength {
        /// The field that has the elements.
        field: &'static str,
        /// The unit of the counts.
        unit: &'static str,
        /// The required count.
        expected: u64,
        /// The actual count. Counting stops soon after there are too many.
        found: u64,
    },

    /// An element does not fit its type.
    #[error("element {index} of {field} is {value}, which does not fit data_type {data_type}")]
    OutOfRange {
        /// ONNX's number.
        data_type: i32,
        /// The field.
        field: &'static str,
        /// The index of the entry in the field.
        index: usize,
        /// Its value.
        value: i128,
    },

    /// The field ends within a number, or contains a number that is too long.
    #[error("entry {index} of {field} is no number; the tensor is damaged")]
    Malformed {
        /// The field.
        field: &'static str,
        /// The index of the entry in the field.
        index: usize,
    },

    /// The bits of the last byte that no element has are not zero.
    #[error("the last byte of raw_data has bits behind the last element, and they are not zero")]
    Padding,
}

impl TensorError {
    /// The code of its finding.
    ///
    /// ```
    /// use shape_core::code::Code;
    /// use shape_model::file::proto::TensorProto;
    /// // float, and without dims one element, which is missing
    /// let tensor = TensorProto { data_type: Some(1), ..TensorProto::default() };
    /// assert_eq!(tensor.elements().unwrap_err().code(), Code::TensorData);
    /// ```
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::External(error) => error.code(),
            Self::UnknownType { .. } => Code::ElementTypeUnknown,
            Self::NegativeDim { .. } => Code::DimsNegative,
            Self::Segmented
            | Self::WrongKind { .. }
            | Self::TooLarge
            | Self::Ambiguous { .. }
            | Self::WrongField { .. }
            | Self::WrongLength { .. }
            | Self::OutOfRange { .. }
            | Self::Malformed { .. }
            | Self::Padding => Code::TensorData,
        }
    }

    /// What was expected.
    pub(crate) fn expected(&self) -> &'static str {
        match self {
            Self::External(error) => error.expected(),
            Self::UnknownType { .. } => "a number from 1 to 28",
            _ => "as many elements as the dimensions require, in the one field for their type",
        }
    }

    /// How to fix it.
    pub(crate) fn help(&self) -> &'static str {
        match self {
            Self::External(error) => error.help(),
            Self::UnknownType { .. } => "write the number of the element type",
            _ => "write the tensor again",
        }
    }
}

/// A field of `TensorProto` that is a list of numbers, and how its entries are stored.
#[derive(Clone, Copy)]
enum List {
    Float,
    Double,
    Int64,
    Uint64,
    Uint32,
    /// An entry is `width` bytes of `raw_data`, stored as a number from `low` to `high`.
    Int32 {
        low: i64,
        high: i64,
        width: usize,
    },
    Int32OfSixBits,
}

impl List {
    const BITS_32: Self = Self::Int32 { low: i32::MIN as i64, high: i32::MAX as i64, width: 4 };
    // Signed values also occur as their unsigned bits, and the other way round.
    const BITS_16: Self = Self::Int32 { low: i16::MIN as i64, high: u16::MAX as i64, width: 2 };
    const BITS_8: Self = Self::Int32 { low: i8::MIN as i64, high: u8::MAX as i64, width: 1 };
    const BOOL: Self = Self::Int32 { low: 0, high: 1, width: 1 };

    fn name(self) -> &'static str {
        match self {
            Self::Float => "float_data",
            Self::Double => "double_data",
            Self::Int64 => "int64_data",
            Self::Uint64 | Self::Uint32 => "uint64_data",
            Self::Int32 { .. } | Self::Int32OfSixBits => "int32_data",
        }
    }

    /// The fields that may store the elements of a type that this list may store.
    fn fields(self) -> &'static str {
        match self {
            Self::Float => "raw_data or float_data",
            Self::Double => "raw_data or double_data",
            Self::Int64 => "raw_data or int64_data",
            Self::Uint64 | Self::Uint32 => "raw_data or uint64_data",
            Self::Int32 { .. } | Self::Int32OfSixBits => "raw_data or int32_data",
        }
    }
}

const STRINGS: &str = "string_data";
const RAW: &str = "raw_data";

/// The list that may store elements of a type instead of `raw_data`; `None` for strings, and for a type without a row here.
fn list(data_type: DataType) -> Option<List> {
    Some(match data_type {
        DataType::String => return None,
        DataType::Float | DataType::Complex64 => List::Float,
        DataType::Double | DataType::Complex128 => List::Double,
        DataType::Int64 => List::Int64,
        DataType::Uint64 => List::Uint64,
        DataType::Uint32 => List::Uint32,
        DataType::Int32 => List::BITS_32,
        DataType::Uint16 | DataType::Int16 | DataType::Float16 | DataType::Bfloat16 => List::BITS_16,
        DataType::Bool => List::BOOL,
        DataType::Uint8
        | DataType::Int8
        | DataType::Float8e4m3fn
        | DataType::Float8e4m3fnuz
        | DataType::Float8e5m2
        | DataType::Float8e5m2fnuz
        | DataType::Float8e8m0 => List::BITS_8,
        // An entry is a byte with two or four elements.
        DataType::Uint4 | DataType::Int4 | DataType::Float4e2m1 | DataType::Uint2 | DataType::Int2 => List::BITS_8,
        // An entry is one element, although four of them share three raw bytes.
        DataType::Float6e2m3 | DataType::Float6e3m2 => List::Int32OfSixBits,
        _ => return None,
    })
}

/// Elements in raw form.
enum Raw<'a, S> {
    Kept(&'a Bytes),
    Made(S),
}

/// Receives the elements of a list in raw form.
trait Sink: Default {
    fn put(&mut self, bytes: &[u8]);

    fn len(&self) -> u64;
}

impl Sink for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    fn len(&self) -> u64 {
        self.len() as u64
    }
}

/// Counts bytes without storing them, so that a list is checked without a copy.
#[derive(Default)]
struct Counted(u64);

impl Sink for Counted {
    fn put(&mut self, bytes: &[u8]) {
        self.0 += bytes.len() as u64;
    }

    fn len(&self) -> u64 {
        self.0
    }
}

impl TensorStorage for TensorProto {
    fn data_type(&self) -> Option<DataType> {
        self.element_type().ok()
    }

    fn rank(&self) -> usize {
        self.dims.len()
    }

    fn dim(&self, axis: usize) -> Option<u64> {
        self.dims.get(axis).and_then(|size| u64::try_from(*size).ok())
    }

    fn bytes(&self) -> Option<&[u8]> {
        match self.elements() {
            Ok(Cow::Borrowed(bytes)) => Some(bytes),
            _ => None,
        }
    }

    fn read(&self, max: usize, read: &mut dyn FnMut(&[u8])) {
        let lists = [self.int32_data.as_bytes(), self.int64_data.as_bytes(), self.uint64_data.as_bytes()];
        let few = lists.iter().all(|list| list.len() <= max.saturating_mul(MAX_VARINT_BYTES));
        if let Some(elements) = few.then(|| self.elements().ok()).flatten() {
            read(&elements);
        }
    }

    fn same_as(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
}

/// The maximum number of bytes of an integer element in a list.
const MAX_VARINT_BYTES: usize = 16;

impl TensorProto {
    /// The elements in the form of `raw_data`: fixed width, little-endian, sub-byte ones packed from the low bits up.
    ///
    /// They are a view of the file if it stores that form, as `raw_data`, `float_data` and `double_data` do. Elements
    /// in another file are read by [`External`](super::External).
    ///
    /// # Errors
    ///
    /// If the elements are strings or in another file, or if fields, dims and element type contradict each other.
    pub fn elements(&self) -> Result<Cow<'_, [u8]>, TensorError> {
        Ok(match self.raw::<Vec<u8>>()? {
            Raw::Kept(bytes) => Cow::Borrowed(bytes),
            Raw::Made(bytes) => Cow::Owned(bytes),
        })
    }

    /// Checks the elements, including strings, without a copy of them: they must be in a single field that suits their
    /// type, as many as the dims require, and each in the range of the type.
    ///
    /// # Errors
    ///
    /// The same as for [`elements`](Self::elements) and, for strings, [`strings`](Self::strings). Elements in another
    /// file are checked by [`External::check`](super::External::check).
    ///
    /// ```
    /// use shape_model::file::proto::TensorProto;
    /// let tensor = TensorProto { data_type: Some(9), dims: vec![2], ..TensorProto::default() }; // bool
    /// let of = |bools: [i32; 2]| TensorProto { int32_data: bools.into_iter().collect(), ..tensor.clone() };
    /// assert_eq!(of([0, 1]).check(), Ok(()));
    /// assert!(of([1, 2]).check().is_err());
    /// ```
    pub fn check(&self) -> Result<(), TensorError> {
        if self.data_type == Some(DataType::String.number().into()) {
            return self.strings().map(drop);
        }
        self.raw::<Counted>().map(drop)
    }

    /// The same as [`elements`](Self::elements), but the bytes may outlive the tensor.
    ///
    /// # Errors
    ///
    /// The same as for [`elements`](Self::elements).
    pub fn element_bytes(&self) -> Result<Bytes, TensorError> {
        Ok(match self.raw::<Vec<u8>>()? {
            Raw::Kept(bytes) => bytes.clone(),
            Raw::Made(bytes) => bytes.into(),
        })
    }

    /// The elements of a string tensor. They should be UTF-8, which is not checked.
    ///
    /// # Errors
    ///
    /// If the elements are not strings or are in another file, or if fields and dims contradict each other.
    pub fn strings(&self) -> Result<impl ExactSizeIterator<Item = &Bytes>, TensorError> {
        let data_type = self.data_type.unwrap_or_default();
        if data_type != i32::from(DataType::String.number()) {
            return Err(TensorError::WrongKind { data_type });
        }
        if self.is_external() {
            return Err(ExternalError::Strings.into());
        }
        if let Some(found) = self.only_field()?.filter(|&found| found != STRINGS) {
            return Err(TensorError::WrongField { data_type, expected: STRINGS, found });
        }
        check_length(STRINGS, "strings", self.count()?, self.string_data.len() as u64)?;
        Ok(self.string_data.iter())
    }

    /// The number of elements according to the dims.
    ///
    /// # Errors
    ///
    /// If a dimension is negative or the product overflows.
    pub fn count(&self) -> Result<u64, TensorError> {
        element_count(&self.sizes()?).ok_or(TensorError::TooLarge)
    }

    /// The dims as sizes.
    ///
    /// # Errors
    ///
    /// If a dimension is negative.
    pub fn sizes(&self) -> Result<Vec<u64>, TensorError> {
        let size = |(axis, &size)| u64::try_from(size).map_err(|_| TensorError::NegativeDim { axis, size });
        self.dims.iter().enumerate().map(size).collect()
    }

    /// The element type.
    ///
    /// # Errors
    ///
    /// If the number is not that of an element type.
    pub fn element_type(&self) -> Result<DataType, TensorError> {
        let data_type = self.data_type.unwrap_or_default();
        DataType::from_number(data_type).ok_or(TensorError::UnknownType { data_type })
    }

    /// Whether the elements are in another file.
    #[must_use]
    pub fn is_external(&self) -> bool {
        self.data_location == Some(DataLocation::External.number())
    }

    /// The length in bytes of elements that are in another file.
    pub(super) fn external_len(&self) -> Result<u64, TensorError> {
        let data_type = self.element_type()?;
        if data_type == DataType::String {
            return Err(ExternalError::Strings.into());
        }
        match self.only_field()? {
            Some(field) => Err(ExternalError::Both { field }.into()),
            None => self.len(data_type),
        }
    }

    /// The length of the elements in `raw_data`, in bytes.
    fn len(&self, data_type: DataType) -> Result<u64, TensorError> {
        data_type.bytes(self.count()?).ok_or(TensorError::TooLarge)
    }

    fn raw<S: Sink>(&self) -> Result<Raw<'_, S>, TensorError> {
        let element_type = self.element_type()?;
        let data_type = element_type.number().into();
        let list = list(element_type).ok_or(TensorError::WrongKind { data_type })?;
        let filled = self.filled_field()?;
        let len = self.len(element_type)?;

        let field = list.name();
        let raw = match (filled, &self.raw_data) {
            (Some(found), _) if found == field => self.unpack(data_type, list, len)?,
            (Some(RAW), Some(bytes)) => Raw::Kept(bytes),
            (None, _) => Raw::Made(S::default()),
            (Some(found), _) => {
                return Err(TensorError::WrongField { data_type, expected: list.fields(), found });
            }
        };
        let found = match &raw {
            Raw::Kept(bytes) => bytes.len() as u64,
            Raw::Made(sink) => sink.len(),
        };
        check_length(filled.unwrap_or(RAW), "bytes", len, found)?;
        match &raw {
            // Of the types with a part of a byte, the format asks for zeros behind these alone.
            Raw::Kept(bytes) if matches!(list, List::Int32OfSixBits) => self.check_padding(bytes)?,
            _ => {}
        }
        Ok(raw)
    }

    /// Checks the bits of the last byte behind the last element of six bits.
    fn check_padding(&self, bytes: &Bytes) -> Result<(), TensorError> {
        // Four elements fill three bytes.
        let used = self.count()? % 4 * 6 % 8;
        match bytes.last() {
            Some(last) if used != 0 && last >> used != 0 => Err(TensorError::Padding),
            _ => Ok(()),
        }
    }

    /// The only field that has elements, if any has; for a tensor whose elements are not in another file.
    fn filled_field(&self) -> Result<Option<&'static str>, TensorError> {
        if self.is_external() {
            let location = self.external_data.iter().find(|entry| entry.key == "location");
            let location = location.map(|entry| entry.value.clone()).ok_or(ExternalError::NoLocation)?;
            return Err(ExternalError::NoFolder { location }.into());
        }
        self.only_field()
    }

    /// The only field that has elements, if any has. Some exporters write an empty `raw_data` next to a list.
    fn only_field(&self) -> Result<Option<&'static str>, TensorError> {
        if self.segment.is_some() {
            return Err(TensorError::Segmented);
        }
        let mut filled = [
            (RAW, self.raw_data.as_ref().is_some_and(|raw| !raw.is_empty())),
            ("float_data", !self.float_data.is_empty()),
            ("int32_data", !self.int32_data.is_empty()),
            (STRINGS, !self.string_data.is_empty()),
            ("int64_data", !self.int64_data.is_empty()),
            ("double_data", !self.double_data.is_empty()),
            ("uint64_data", !self.uint64_data.is_empty()),
        ]
        .into_iter()
        .filter_map(|(field, filled)| filled.then_some(field));
        match (filled.next(), filled.next()) {
            (Some(first), Some(second)) => Err(TensorError::Ambiguous { first, second }),
            (first, _) => Ok(first),
        }
    }

    /// The elements of a list in raw form. Reading stops once they exceed the `len` bytes that the dims require.
    fn unpack<S: Sink>(&self, data_type: i32, list: List, len: u64) -> Result<Raw<'_, S>, TensorError> {
        let field = list.name();
        let out_of_range = |index, value| TensorError::OutOfRange { data_type, field, index, value };
        Ok(Raw::Made(match list {
            // The bytes of this list are already in raw form.
            List::Float => return Ok(Raw::Kept(self.float_data.as_bytes())),
            List::Double => return Ok(Raw::Kept(self.double_data.as_bytes())),
            List::Int64 => gather(field, &self.int64_data, len, |_, value, sink: &mut S| {
                sink.put(&value.to_le_bytes());
                Ok(())
            })?,
            List::Uint64 => gather(field, &self.uint64_data, len, |_, value, sink: &mut S| {
                sink.put(&value.to_le_bytes());
                Ok(())
            })?,
            List::Uint32 => gather(field, &self.uint64_data, len, |index, value, sink: &mut S| {
                let value = u32::try_from(value).map_err(|_| out_of_range(index, value.into()))?;
                sink.put(&value.to_le_bytes());
                Ok(())
            })?,
            List::Int32 { low, high, width } => gather(field, &self.int32_data, len, |index, value, sink: &mut S| {
                if !(low..=high).contains(&i64::from(value)) {
                    return Err(out_of_range(index, value.into()));
                }
                sink.put(value.to_le_bytes().get(..width).unwrap_or_default());
                Ok(())
            })?,
            List::Int32OfSixBits => {
                let mut sixes = SixBits::default();
                let mut sink = gather(field, &self.int32_data, len, |index, value, sink: &mut S| {
                    let six = u8::try_from(value).ok().filter(|&six| six < 64);
                    sixes.put(six.ok_or_else(|| out_of_range(index, value.into()))?, sink);
                    Ok(())
                })?;
                sixes.finish(&mut sink);
                sink
            }
        }))
    }
}

fn check_length(field: &'static str, unit: &'static str, expected: u64, found: u64) -> Result<(), TensorError> {
    if found == expected { Ok(()) } else { Err(TensorError::WrongLength { field, unit, expected, found }) }
}

/// Calls `put` with each number of a list, and stops once there are more than `limit` bytes.
fn gather<T: Scalar, S: Sink>(
    field: &'static str,
    list: &Packed<T>,
    limit: u64,
    mut put: impl FnMut(usize, T, &mut S) -> Result<(), TensorError>,
) -> Result<S, TensorError> {
    let mut sink = S::default();
    for (index, value) in list.iter().enumerate() {
        if sink.len() > limit {
            break;
        }
        let value = value.map_err(|_| TensorError::Malformed { field, index })?;
        put(index, value, &mut sink)?;
    }
    Ok(sink)
}

/// Packs four elements of six bits into three bytes, from the low bits up.
#[derive(Default)]
struct SixBits {
    bits: u32,
    count: u32,
}

impl SixBits {
    fn put(&mut self, six: u8, sink: &mut impl Sink) {
        self.bits |= u32::from(six) << (6 * self.count);
        self.count += 1;
        if self.count == 4 {
            self.finish(sink);
        }
    }

    /// Writes the remaining elements, with the last byte padded with zeros.
    fn finish(&mut self, sink: &mut impl Sink) {
        let bytes = (6 * self.count).div_ceil(8) as usize;
        sink.put(self.bits.to_le_bytes().get(..bytes).unwrap_or_default());
        *self = Self::default();
    }
}
