//! Element data, left as it is.

use std::fmt;
use std::marker::PhantomData;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use prost::DecodeError;
use prost::encoding::{self, DecodeContext, WireType};

use super::wire::{Field, Scalar};

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
    fn append(&mut self, run: Bytes) {
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

impl<T: Scalar> FromIterator<T> for Packed<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut bytes = BytesMut::new();
        for value in values {
            value.put(&mut bytes);
        }
        Self { bytes: bytes.freeze(), element: PhantomData }
    }
}

impl<T: Scalar> Field for Packed<T> {
    fn merge(
        &mut self,
        _tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        let mut run = Bytes::new();
        if wire_type == WireType::LengthDelimited {
            encoding::bytes::merge(wire_type, &mut run, buf, ctx)?;
        } else {
            let mut value = T::default();
            value.merge(wire_type, buf, ctx)?;
            run = Self::from_iter([value]).bytes;
        }
        self.append(run);
        Ok(())
    }

    fn encode(&self, tag: u32, buf: &mut impl BufMut) {
        if !self.bytes.is_empty() {
            encoding::bytes::encode(tag, &self.bytes, buf);
        }
    }

    fn encoded_len(&self, tag: u32) -> usize {
        if self.bytes.is_empty() { 0 } else { encoding::bytes::encoded_len(tag, &self.bytes) }
    }
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
