//! Names as numbers: each distinct text of a model is kept once.

use std::hash::BuildHasher as _;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::file::cursor::{DecodeError, Refusal};

/// A name in a model: values, nodes and operators are told apart by it.
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
    /// The end of each name in the text.
    ends: Vec<u32>,
    table: HashTable<u32>,
    hasher: RandomState,
}

impl Default for Names {
    fn default() -> Self {
        // The first name is the empty one.
        Self { text: String::new(), ends: vec![0], table: HashTable::new(), hasher: RandomState::default() }
    }
}

impl Names {
    /// The number of names.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn text(&self, name: Name) -> &str {
        self.get(name.0)
    }

    fn get(&self, index: u32) -> &str {
        text(&self.text, &self.ends, index)
    }

    /// The name with a text, if the model has it.
    pub(super) fn find(&self, name: &str) -> Option<Name> {
        if name.is_empty() {
            return Some(Name::EMPTY);
        }
        let hash = self.hasher.hash_one(name.as_bytes());
        self.table.find(hash, |index| self.get(*index) == name).copied().map(Name)
    }

    /// The name with a text, which is added if it is new.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8, or all texts together are longer than any model's.
    #[inline]
    pub(super) fn add(&mut self, name: &[u8]) -> Result<Name, DecodeError> {
        if name.is_empty() {
            return Ok(Name::EMPTY);
        }
        let hash = self.hasher.hash_one(name);
        match self.table.find(hash, |index| self.get(*index).as_bytes() == name) {
            // What equals a name that was checked needs no check.
            Some(index) => Ok(Name(*index)),
            None => self.insert(name, hash),
        }
    }

    fn insert(&mut self, name: &[u8], hash: u64) -> Result<Name, DecodeError> {
        let name = std::str::from_utf8(name).map_err(|_| Refusal::Text)?;
        let Self { text: all, ends, table, hasher } = self;
        let index = u32::try_from(ends.len()).map_err(|_| Refusal::OverBudget)?;
        let end = u32::try_from(all.len() + name.len()).map_err(|_| Refusal::OverBudget)?;
        all.push_str(name);
        ends.push(end);
        table.insert_unique(hash, index, |index| hasher.hash_one(text(all, ends, *index).as_bytes()));
        Ok(Name(index))
    }
}

/// A name of these; an index that they do not have gives the empty one.
fn text<'t>(all: &'t str, ends: &[u32], index: u32) -> &'t str {
    let index = index as usize;
    let end = ends.get(index).copied().unwrap_or_default() as usize;
    let start = index.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or_default() as usize;
    all.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_for_one_text() {
        let mut names = Names::default();
        let (a, b) = (names.add(b"a").unwrap(), names.add("größer".as_bytes()).unwrap());
        assert_ne!(a, b);
        assert_eq!([names.add(b"a").ok(), names.find("größer"), names.find("c")], [Some(a), Some(b), None]);
        assert_eq!([names.text(a), names.text(b), names.text(Name::EMPTY)], ["a", "größer", ""]);
        assert!(names.add(&[0xff]).is_err());
        assert_eq!((names.add(b"").ok(), names.find(""), names.len()), (Some(Name::EMPTY), Some(Name::EMPTY), 3));
    }
}
