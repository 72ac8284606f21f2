//! Names as numbers: each distinct text of a model is kept once.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::ops::Range;

use crate::file::cursor::{DecodeError, Refusal};

/// A name in a model: values and operators are told apart by it.
///
/// Two names of one model are the same number where they are the same text. The empty name is [`Name::EMPTY`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(u32);

impl Name {
    /// The empty name.
    pub const EMPTY: Self = Self(0);

    /// Whether the name is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// The number of the name, which is less than [`Model::name_count`](super::Model::name_count).
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The names of a model.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// All names, one after the other.
    text: String,
    table: Table,
}

impl Default for Names {
    fn default() -> Self {
        Self { text: String::new(), table: Table::with_capacity(0) }
    }
}

impl Names {
    /// The number of names, the empty one included.
    pub(super) fn len(&self) -> usize {
        self.table.ends.len()
    }

    pub(super) fn text(&self, name: Name) -> &str {
        self.table.place(name.0).and_then(|place| self.text.get(place)).unwrap_or_default()
    }

    /// The name with a text, if the model has it.
    pub(super) fn find(&self, name: &str) -> Option<Name> {
        if name.is_empty() {
            return Some(Name::EMPTY);
        }
        self.table.find(self.text.as_bytes(), &self.table.key(name.as_bytes())).ok()
    }
}

/// The names of a model that is being read.
#[derive(Debug)]
pub(super) struct NewNames {
    /// All names, one after the other. Each of them is UTF-8.
    text: Vec<u8>,
    table: Table,
}

impl Default for NewNames {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl NewNames {
    /// Without a name, and with room for some.
    pub(super) fn with_capacity(names: usize) -> Self {
        Self { text: Vec::with_capacity(names * 8), table: Table::with_capacity(names) }
    }

    /// The name with a text, which is added if it is new.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8, or all texts together are longer than any model's.
    pub(super) fn add(&mut self, name: &[u8]) -> Result<Name, DecodeError> {
        let refusal = |name| if std::str::from_utf8(name).is_err() { Refusal::Text } else { Refusal::OverBudget };
        self.number(name).ok_or_else(|| refusal(name).into())
    }

    /// The same, without the reason.
    #[inline]
    pub(super) fn number(&mut self, name: &[u8]) -> Option<Name> {
        if name.is_empty() {
            return Some(Name::EMPTY);
        }
        let key = self.table.key(name);
        match self.table.find(&self.text, &key) {
            // What equals a name that was checked needs no check.
            Ok(found) => Some(found),
            Err(free) => self.insert(&key, free),
        }
    }

    fn insert(&mut self, key: &Key<'_>, free: usize) -> Option<Name> {
        if !key.ascii && std::str::from_utf8(key.name).is_err() {
            return None;
        }
        let Self { text, table: Table { ends, slots, .. } } = self;
        let name = u32::try_from(ends.len()).ok()?;
        text.extend_from_slice(key.name);
        ends.push(u32::try_from(text.len()).ok()?);
        *slots.get_mut(free)? = Slot { hash: key.hash, name };
        // A quarter of the slots is always free, so that every search ends.
        if ends.len() * 4 > slots.len() * 3 {
            self.table.grow();
        }
        Some(Name(name))
    }

    /// The names, once all are added.
    pub(super) fn finish(self) -> Result<Names, DecodeError> {
        let text = String::from_utf8(self.text).map_err(|_| Refusal::Text)?;
        Ok(Names { text, table: self.table })
    }
}

/// A text and what is looked for by it.
struct Key<'n> {
    name: &'n [u8],
    /// Never zero.
    hash: u32,
    last: [u64; 2],
    /// Whether all bytes are ASCII, which those of most names are.
    ascii: bool,
}

/// Where names are in a text, and which number each of them is.
#[derive(Clone, Debug)]
struct Table {
    /// The end of each name. The first is the empty one.
    ends: Vec<u32>,
    /// A power of two of them. The search for a name begins at its hash and ends at the first slot that is free.
    slots: Vec<Slot>,
    /// Random numbers, so that nobody can make a file whose names all have one hash.
    seeds: [u64; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// Zero if the slot is free.
    hash: u32,
    name: u32,
}

/// Makes a second seed of the first.
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Table {
    fn with_capacity(names: usize) -> Self {
        let seed = RandomState::new().build_hasher().finish();
        let mut ends = Vec::with_capacity(names + 1);
        ends.push(0);
        Self {
            ends,
            slots: vec![Slot::default(); (names * 2).next_power_of_two().max(4)],
            seeds: [seed, seed.wrapping_mul(ODD)],
        }
    }

    /// Where a name is; `None` for a number that is none, and for the empty one.
    #[inline]
    fn place(&self, name: u32) -> Option<Range<usize>> {
        let [start, end] = *self.ends.get((name as usize).checked_sub(1)?..)?.first_chunk()?;
        Some(start as usize..end as usize)
    }

    /// The name, or the slot that it would have.
    #[inline]
    fn find(&self, text: &[u8], key: &Key<'_>) -> Result<Name, usize> {
        let is_this = |name| {
            let text = self.place(name).and_then(|place| text.get(place)).unwrap_or_default();
            text.len() == key.name.len() && last(text) == key.last && (text.len() <= 16 || text == key.name)
        };
        let mut at = key.hash as usize;
        loop {
            at &= self.slots.len().wrapping_sub(1);
            match self.slots.get(at) {
                Some(slot) if slot.hash == key.hash && is_this(slot.name) => return Ok(Name(slot.name)),
                Some(slot) if slot.hash != 0 => at += 1,
                _ => return Err(at),
            }
        }
    }

    #[cold]
    fn grow(&mut self) {
        let mut slots = vec![Slot::default(); self.slots.len() * 2];
        let mask = slots.len() - 1;
        for slot in self.slots.iter().filter(|slot| slot.hash != 0) {
            let mut at = slot.hash as usize & mask;
            while slots.get(at).is_some_and(|other| other.hash != 0) {
                at = (at + 1) & mask;
            }
            slots.get_mut(at).into_iter().for_each(|free| *free = *slot);
        }
        self.slots = slots;
    }

    #[inline]
    fn key<'n>(&self, name: &'n [u8]) -> Key<'n> {
        let [first, second] = self.seeds;
        let (mut state, mut every) = (first ^ name.len() as u64, 0);
        let mut mix = |[one, two]: [u64; 2]| {
            every |= one | two;
            let product = u128::from(state ^ one) * u128::from(second ^ two);
            state = product as u64 ^ (product >> 64) as u64;
        };
        let mut rest = name;
        while rest.len() > 16
            && let Some((words, after)) = rest.split_first_chunk::<16>()
        {
            mix(last(words));
            rest = after;
        }
        let last = last(name);
        mix(last);
        Key { name, hash: (state >> 32) as u32 | 1 << 31, last, ascii: every & 0x8080_8080_8080_8080 == 0 }
    }
}

/// The last sixteen bytes as two words. Those of a shorter name are all in them, and some of them twice.
#[inline]
fn last(name: &[u8]) -> [u64; 2] {
    if let Some(last) = name.last_chunk::<16>() {
        let all = u128::from_le_bytes(*last);
        return [all as u64, (all >> 64) as u64];
    }
    if let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) {
        return [u64::from_le_bytes(*first), u64::from_le_bytes(*last)];
    }
    if let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) {
        return [u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into()];
    }
    match *name {
        [one] => [one.into(), 0],
        [one, two] => [one.into(), two.into()],
        [one, two, three] => [u64::from(one) << 8 | u64::from(two), three.into()],
        _ => [0; 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_for_one_text() {
        let mut names = NewNames::with_capacity(0);
        let (a, b) = (names.add(b"a").unwrap(), names.add("größer".as_bytes()).unwrap());
        assert_ne!(a, b);
        assert_eq!(names.add(b"a").ok(), Some(a));
        assert!(names.add(&[0xff]).is_err() && names.add(&[b'a'; 20].map(|a| a | 0x80)).is_err());
        assert_eq!(names.add(b"").ok(), Some(Name::EMPTY));
        let names = names.finish().unwrap();
        assert_eq!([names.find("a"), names.find("größer"), names.find("c")], [Some(a), Some(b), None]);
        assert_eq!(
            [names.text(a), names.text(b), names.text(Name::EMPTY), names.text(Name(9))],
            ["a", "größer", "", ""]
        );
        assert_eq!((names.find(""), names.len()), (Some(Name::EMPTY), 3));
        assert_eq!((Names::default().find("a"), Names::default().len()), (None, 1));
    }

    /// Texts of every length that differ in one byte, and so many that the table grows.
    #[test]
    fn every_byte_counts() {
        let mut names = NewNames::with_capacity(0);
        let texts: Vec<Vec<u8>> = (1..50)
            .flat_map(|len| (0..=len).map(move |at| (0..len).map(|byte| b'a' + u8::from(byte == at)).collect()))
            .collect();
        let added: Vec<_> = texts.iter().map(|text| names.add(text).unwrap()).collect();
        assert!((1..).zip(&added).all(|(number, name)| name.0 == number));
        for (text, name) in texts.iter().zip(added) {
            assert_eq!(names.add(text).ok(), Some(name));
        }
        // And a byte that is not ASCII is found wherever it is.
        for len in 1..50 {
            for at in 0..len {
                let text: Vec<u8> = (0..len).map(|byte| if byte == at { 0x80 } else { b'c' }).collect();
                assert!(names.add(&text).is_err(), "{len} {at}");
            }
        }
    }
}
