//! The buffers that JavaScript fills and reads.
//!
//! They are ordinary boxes in a table, by their address: what JavaScript names is found there or refused, so that no number
//! of it is ever taken for a pointer.

use std::collections::HashMap;

/// The address and the length of a buffer.
pub(crate) type Buffer = (usize, usize);

/// The buffers that JavaScript has the addresses of.
#[derive(Default)]
pub(crate) struct Buffers(HashMap<usize, Box<[u8]>>);

impl Buffers {
    /// A buffer of zeros; `None` if there is no memory for it.
    pub(crate) fn alloc(&mut self, len: usize) -> Option<Buffer> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).ok()?;
        bytes.resize(len, 0);
        Some(self.hand_out(bytes))
    }

    /// Lets JavaScript read bytes, and write them.
    pub(crate) fn hand_out(&mut self, bytes: Vec<u8>) -> Buffer {
        let mut bytes = bytes.into_boxed_slice();
        let buffer = (bytes.as_mut_ptr().expose_provenance(), bytes.len());
        // All that are empty have the same address, and there is nothing to keep of them.
        if !bytes.is_empty() {
            self.0.insert(buffer.0, bytes);
        }
        buffer
    }

    /// The bytes of a buffer, which is JavaScript's no longer.
    ///
    /// # Errors
    /// There is no such buffer.
    pub(crate) fn take(&mut self, buffer: Buffer) -> Result<Vec<u8>, String> {
        // One that is empty is not in the table, and its address may be that of another.
        if self.get(buffer)?.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.0.remove(&buffer.0).unwrap_or_default().into_vec())
    }

    /// The bytes of a buffer.
    ///
    /// # Errors
    /// There is no such buffer.
    pub(crate) fn get(&self, (address, len): Buffer) -> Result<&[u8], String> {
        match self.0.get(&address) {
            Some(bytes) if bytes.len() == len => Ok(bytes),
            _ if len == 0 => Ok(&[]),
            _ => Err(format!("there is no buffer of {len} bytes at {address}")),
        }
    }
}
