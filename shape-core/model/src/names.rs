//! Maps by name.
//!
//! A graph asks for each name several times, so that hashing is much of what a node costs. Names are hashed by folded
//! multiplication, with a key that no file knows: it is drawn when the process begins.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

/// A map by name.
pub(crate) type Names<'m, V> = HashMap<&'m str, V, Keyed>;

/// Makes hashers with the key of the process.
#[derive(Clone, Copy)]
pub(crate) struct Keyed {
    state: u64,
    key: u64,
}

impl Default for Keyed {
    fn default() -> Self {
        static KEYED: OnceLock<Keyed> = OnceLock::new();
        *KEYED.get_or_init(|| {
            let random = RandomState::new();
            Self { state: random.hash_one(0_u8), key: random.hash_one(1_u8) | 1 }
        })
    }
}

impl BuildHasher for Keyed {
    type Hasher = Folding;

    fn build_hasher(&self) -> Folding {
        Folding { state: self.state, key: self.key }
    }
}

/// Hashes by multiplying to twice the width, and folding that upon itself.
pub(crate) struct Folding {
    state: u64,
    key: u64,
}

/// Eight bytes at most, as a number.
fn word(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(whole) => u64::from_le_bytes(*whole),
        None => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

impl Folding {
    #[inline]
    fn take(&mut self, low: u64, high: u64) {
        let product = u128::from(low ^ self.state) * u128::from(high ^ self.key);
        let [low, high] = [product as u64, (product >> 64) as u64];
        self.state = low ^ high;
    }
}

impl Hasher for Folding {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some((first, behind)) = rest.split_at_checked(16) {
            let (low, high) = first.split_at(8);
            self.take(word(low), word(high));
            rest = behind;
        }
        let (low, high) = rest.split_at_checked(8).unwrap_or((rest, &[]));
        // The length tells what ends in zeros from what ends before them.
        self.take(word(low) ^ (bytes.len() as u64).rotate_right(8), word(high));
    }

    #[inline]
    fn write_u8(&mut self, byte: u8) {
        self.take(u64::from(byte), 0);
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.take(u64::from(number), 0);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.take(number as u64, 0);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// As many different hashes as names, and as many in the low bits as chance would give.
    #[test]
    fn names_that_are_alike() {
        let keyed = Keyed::default();
        let mut names: Vec<String> =
            (0..20_000).map(|number| format!("/layers.{number}/attn/MatMul_output_0")).collect();
        names.extend((0..20_000).map(|number| format!("v{number}")));
        names.extend((0..200).map(|count| "\0".repeat(count)));
        let hashes: HashSet<u64> = names.iter().map(|name| keyed.hash_one(&**name)).collect();
        assert_eq!(hashes.len(), names.len());
        let low: HashSet<u64> = hashes.iter().map(|hash| hash & 0xffff).collect();
        assert!(low.len() > 25_000, "{}", low.len());
        let high: HashSet<u64> = hashes.iter().map(|hash| hash >> 57).collect();
        assert_eq!(high.len(), 128);
    }
}
