//! The element types of tensors: `TensorProto.DataType`.

use core::fmt;

// The enum, one variant a row of `specs/types.yaml`, and the table of their facts.
shape_macros::tables!(data_types);

/// What is known of a [`DataType`].
pub(crate) struct Row {
    pub(crate) data_type: DataType,
    pub(crate) name: &'static str,
    pub(crate) bits: Option<u8>,
    pub(crate) since: u32,
}

impl DataType {
    /// The number in `TensorProto.data_type`.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The type with this number in `TensorProto.data_type`; `None` for 0 (undefined) and for numbers that ONNX does
    /// not have.
    ///
    /// ```
    /// use shape_core::DataType;
    /// assert_eq!(DataType::from_number(7), Some(DataType::Int64));
    /// assert_eq!(DataType::from_number(0), None);
    /// ```
    #[must_use]
    pub fn from_number(number: i32) -> Option<Self> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        ROWS.get(index).map(|row| row.data_type)
    }

    /// The type with this name in a type string.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.data_type)
    }

    /// All types, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.data_type)
    }

    /// ONNX's name in type strings: `float`, `int64`, `float8e4m3fn`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The width of one element in storage, in bits: 2 and 4 for the packed types; `None` for strings, which have none.
    #[must_use]
    pub fn bits(self) -> Option<u8> {
        self.row().bits
    }

    /// The opset that introduced the type.
    #[must_use]
    pub fn since(self) -> u32 {
        self.row().since
    }

    /// The bytes that a number of elements take in storage, packed ones rounded up to whole bytes; `None` for strings
    /// and past `u64::MAX`.
    ///
    /// ```
    /// use shape_core::DataType;
    /// assert_eq!(DataType::Int4.bytes(3), Some(2));
    /// assert_eq!(DataType::Double.bytes(3), Some(24));
    /// ```
    #[must_use]
    pub fn bytes(self, elements: u64) -> Option<u64> {
        let bits = u128::from(self.bits()?) * u128::from(elements);
        u64::try_from(bits.div_ceil(8)).ok()
    }

    fn row(self) -> &'static Row {
        // The table has one row a variant, in the order of their numbers, which begin at 1.
        &ROWS[self as usize - 1]
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
