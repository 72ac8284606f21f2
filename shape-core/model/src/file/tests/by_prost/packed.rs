//! Element data of this crate as a field of a message of `prost`.

use bytes::{Buf, BufMut, Bytes};
use prost::DecodeError;
use prost::encoding::{self, DecodeContext, WireType};

use super::wire::{Field, Wire};
use crate::file::wire::Scalar;

pub use crate::file::packed::Packed;

impl<T: Wire + Scalar> Field for Packed<T> {
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
            Wire::merge(&mut value, wire_type, buf, ctx)?;
            run = Self::from_iter([value]).as_bytes().clone();
        }
        self.append(run);
        Ok(())
    }

    fn encode(&self, tag: u32, buf: &mut impl BufMut) {
        if !self.is_empty() {
            encoding::bytes::encode(tag, self.as_bytes(), buf);
        }
    }

    fn encoded_len(&self, tag: u32) -> usize {
        if self.is_empty() { 0 } else { encoding::bytes::encoded_len(tag, self.as_bytes()) }
    }
}
