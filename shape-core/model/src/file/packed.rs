//! Elements of a tensor that stay bytes of the file until they are read.
//!
//! A tensor may store its elements in a `repeated` field of numbers. Decoding them into a `Vec` would copy every
//! weight, so the packed bytes are kept as a view of the file and decoded on access.

use std::fmt;
use std::iter::FusedIterator;
use std::marker::PhantomData;

use bytes::{Bytes, BytesMut};

use super::cursor::{Cursor, DecodeError, WireType};
use super::wire::{ANY, Field, Format, Scalar, Wire as _, format_of};

/// A `repeated` field of numbers, as its encoded bytes.
///
/// A single packed run, which is what every known writer creates, is a view of the file. Only numbers in several runs,
/// or stored one by one, are copied.
#[derive(Clone)]
pub struct Packed<T> {
    bytes: Bytes,
    element: PhantomData<T>,
}

impl<T> Packed<T> {
    /// The elements in protobuf's packed encoding: little-endian for `f32` and `f64`, varints for integers.
    #[must_use]
    pub fn as_bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Adds encoded elements at the end.
    pub(super) fn append(&mut self, run: Bytes) {
        if self.bytes.is_empty() {
            self.bytes = run;
            return;
        }
        let mut all =
            std::mem::take(&mut self.bytes).try_into_mut().unwrap_or_else(|shared| BytesMut::from(&shared[..]));
        all.extend_from_slice(&run);
        self.bytes = all.freeze();
    }
}

impl<T: Scalar> Packed<T> {
    /// The elements in order. If the bytes are not a valid number, the item is an error and the last one.
    #[must_use]
    pub fn iter(&self) -> PackedIter<'_, T> {
        PackedIter { rest: Cursor::over(&self.bytes), element: PhantomData }
    }
}

/// The elements of a [`Packed`] field.
#[derive(Clone, Debug)]
pub struct PackedIter<'a, T> {
    rest: Cursor<'a>,
    element: PhantomData<T>,
}

impl<T: Scalar> Iterator for PackedIter<'_, T> {
    type Item = Result<T, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.left() == 0 {
            return None;
        }
        let mut value = T::default();
        let read = value.merge(T::KIND, &mut self.rest);
        if read.is_err() {
            self.rest = Cursor::over(&[]);
        }
        Some(read.map(|()| value))
    }
}

impl<T: Scalar> FusedIterator for PackedIter<'_, T> {}

impl<'a, T: Scalar> IntoIterator for &'a Packed<T> {
    type Item = Result<T, DecodeError>;
    type IntoIter = PackedIter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Scalar> FromIterator<T> for Packed<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut bytes = Vec::new();
        for value in values {
            value.put(&mut bytes);
        }
        Self { bytes: bytes.into(), element: PhantomData }
    }
}

impl<T: Scalar> Field for Packed<T> {
    fn merge(&mut self, _tag: u32, wire_type: WireType, cursor: &mut Cursor<'_>) -> Result<(), DecodeError> {
        let run = if wire_type == WireType::LengthDelimited {
            cursor.view()?
        } else {
            let mut value = T::default();
            value.merge(wire_type, cursor)?;
            Self::from_iter([value]).bytes
        };
        self.append(run);
        Ok(())
    }

    fn encode(&self, tag: u32, to: &mut Vec<u8>) {
        if !self.is_empty() {
            self.bytes.encode(tag, to);
        }
    }

    const FORMATS: &'static [(u32, Format)] = &[(ANY, format_of::<T>(true, true))];
}

// Derived implementations would require the traits of `T`, and would print a million weights.

impl<T> Default for Packed<T> {
    fn default() -> Self {
        Self { bytes: Bytes::new(), element: PhantomData }
    }
}

impl<T> PartialEq for Packed<T> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<T> fmt::Debug for Packed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Packed({} bytes)", self.bytes.len())
    }
}
