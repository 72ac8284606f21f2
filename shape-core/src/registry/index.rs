//! Finds a built-in operator by its domain and name with a perfect hash: each has a slot of its own.
//!
//! The compiler makes the index from the tables. A hash gives a bucket and, for each number that the bucket may have, a
//! slot. Bucket after bucket gets the first number with which its operators fall into slots that are free.

use crate::schema::Schema;

/// The versions of an operator, oldest first.
type Versions = &'static [&'static Schema];

/// The operators of some tables by domain and name.
#[derive(Debug)]
pub(super) struct Index<const BUCKETS: usize, const SLOTS: usize> {
    /// The number of each bucket.
    shifts: [u16; BUCKETS],
    /// Empty where there is no operator.
    slots: [Versions; SLOTS],
}

/// The number of slots for the operators of some tables: twice as many or more, so that few shifts are tried.
pub(super) const fn slots(tables: &[&[Versions]]) -> usize {
    let (mut table, mut count) = (0, 0);
    while table < tables.len() {
        count += tables[table].len();
        table += 1;
    }
    (2 * count).next_power_of_two()
}

/// The number of buckets for as many slots: four operators share one at most on average.
pub(super) const fn buckets(slots: usize) -> usize {
    slots.div_ceil(8)
}

impl<const BUCKETS: usize, const SLOTS: usize> Index<BUCKETS, SLOTS> {
    /// The index of the operators of some tables, each of which has another domain and name than the others.
    ///
    /// # Panics
    /// Two operators have one domain and name. In a `static`, this is a compile error.
    pub(super) const fn new(tables: &[&[Versions]]) -> Self {
        let mut hashes = [0; SLOTS];
        let mut operators: [Versions; SLOTS] = [&[]; SLOTS];
        // The operators of a bucket, as a list: its first, and after each the next; `SLOTS` ends it.
        let (mut first, mut next) = ([SLOTS; BUCKETS], [SLOTS; SLOTS]);
        let (mut table, mut count) = (0, 0);
        while table < tables.len() {
            let mut place = 0;
            while place < tables[table].len() {
                let versions = tables[table][place];
                let hash = hash(versions[0].domain, versions[0].name);
                (hashes[count], operators[count]) = (hash, versions);
                let bucket = bucket(hash, BUCKETS);
                (next[count], first[bucket]) = (first[bucket], count);
                count += 1;
                place += 1;
            }
            table += 1;
        }
        let mut index = Self { shifts: [0; BUCKETS], slots: [&[]; SLOTS] };
        let mut bucket = 0;
        while bucket < BUCKETS {
            let mut shift = 0;
            loop {
                let mut operator = first[bucket];
                while operator < SLOTS {
                    let slot = slot(hashes[operator], shift, SLOTS);
                    if !index.slots[slot].is_empty() {
                        break;
                    }
                    index.slots[slot] = operators[operator];
                    operator = next[operator];
                }
                if operator == SLOTS {
                    break;
                }
                // Those before the one that did not fit leave their slots.
                let mut placed = first[bucket];
                while placed != operator {
                    index.slots[slot(hashes[placed], shift, SLOTS)] = &[];
                    placed = next[placed];
                }
                assert!(shift < u16::MAX, "two operators have the same domain and name");
                shift += 1;
            }
            index.shifts[bucket] = shift;
            bucket += 1;
        }
        index
    }

    /// The versions of an operator.
    #[inline]
    pub(super) fn find(&self, domain: &str, name: &str) -> Option<Versions> {
        let hash = hash(domain, name);
        let shift = *self.shifts.get(bucket(hash, BUCKETS))?;
        let versions = *self.slots.get(slot(hash, shift, SLOTS))?;
        versions.first().filter(|first| first.name == name && first.domain == domain).map(|_| versions)
    }
}

#[inline]
const fn bucket(hash: u64, buckets: usize) -> usize {
    (hash >> 48) as usize % buckets
}

#[inline]
const fn slot(hash: u64, shift: u16, slots: usize) -> usize {
    // Mixed anew, so that no two hashes share their slots for all numbers, however few slots there are.
    mix(hash ^ shift as u64) as usize % slots
}

#[inline]
const fn hash(domain: &str, name: &str) -> u64 {
    mix(text(text(0, domain.as_bytes()), name.as_bytes()))
}

/// Adds a text to a hash, eight bytes at a time. The last eight may overlap those before them.
#[inline]
const fn text(mut hash: u64, bytes: &[u8]) -> u64 {
    hash ^= bytes.len() as u64;
    if let Some(last) = bytes.last_chunk::<8>() {
        let mut rest = bytes;
        while rest.len() > 8 {
            let Some((chunk, after)) = rest.split_first_chunk::<8>() else { break };
            hash = mix(hash ^ u64::from_le_bytes(*chunk));
            rest = after;
        }
        return mix(hash ^ u64::from_le_bytes(*last));
    }
    let short = match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(first), Some(last)) => (u32::from_le_bytes(*first) as u64) << 32 | u32::from_le_bytes(*last) as u64,
        _ => match *bytes {
            [a] => a as u64,
            [a, b] => (a as u64) << 8 | b as u64,
            [a, b, c] => (a as u64) << 16 | (b as u64) << 8 | c as u64,
            _ => 0,
        },
    };
    mix(hash ^ short)
}

/// Both halves of a product, so that each bit of a number reaches many of the result.
#[inline]
const fn mix(number: u64) -> u64 {
    // The fraction of the golden ratio, with its bits in no pattern.
    let product = (number ^ 0x9e37_79b9_7f4a_7c15) as u128 * 0xd6e8_feb8_6659_fd93;
    (product >> 64) as u64 ^ product as u64
}

// `tests/it/registry.rs` compiles this file for these tests, which `cargo test` does not run in the library.
#[cfg(all(test, feature = "every-domain"))]
mod tests {
    extern crate std;

    use std::string::String;
    use std::vec;
    use std::vec::Vec;

    use shape_core::operators as o;

    use super::*;

    static DOMAINS: &[&[Versions]] = &[
        o::ai_onnx::OPERATORS,
        o::ai_onnx_ml::OPERATORS,
        o::ai_onnx_preview::OPERATORS,
        o::ai_onnx_preview_training::OPERATORS,
    ];
    const SLOTS: usize = slots(DOMAINS);
    static INDEX: Index<{ buckets(SLOTS) }, SLOTS> = Index::new(DOMAINS);

    /// What a search of all tables finds.
    fn scan(domain: &str, name: &str) -> Option<Versions> {
        let mut all = DOMAINS.iter().copied().flatten().copied();
        all.find(|versions| versions[0].domain == domain && versions[0].name == name)
    }

    fn same(domain: &str, name: &str) -> bool {
        let places =
            |found: Option<Versions>| found.map(|found| found.iter().map(|version| &raw const **version).collect());
        let (found, expected): (Option<Vec<_>>, _) = (places(INDEX.find(domain, name)), places(scan(domain, name)));
        assert_eq!(found, expected, "{domain}::{name}");
        found.is_some()
    }

    #[test]
    fn finds_what_a_scan_finds() {
        let operators: Vec<Versions> = DOMAINS.iter().copied().flatten().copied().collect();
        let mut domains: Vec<&str> = operators.iter().map(|versions| versions[0].domain).collect();
        domains.dedup();
        domains.extend(["com.acme", ""]);
        let mut found = 0;
        for first in operators.iter().map(|versions| versions[0]) {
            found += domains.iter().filter(|domain| same(domain, first.name)).count();
            let of = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            for place in 0..first.name.len() {
                for byte in *b"aZ_0" {
                    let mut changed = first.name.as_bytes().to_vec();
                    changed[place] = byte;
                    same(first.domain, &of(changed));
                }
                same(first.domain, &first.name[..place]);
                same(first.domain, &first.name[place..][1..]);
            }
            same(first.domain, &of([first.name.as_bytes(), b"x"].concat()));
        }
        assert!(found >= operators.len());
        assert!(!same("", "") && !same("ai.onnx", "") && !same("", "Shape"));
    }

    /// A domain may have as few operators.
    #[test]
    fn a_few_operators_have_an_index_too() {
        let operators: Vec<Versions> = DOMAINS.iter().copied().flatten().copied().collect();
        for few in operators.windows(4) {
            let index = Index::<{ buckets(8) }, 8>::new(&[few]);
            for versions in few {
                let found = index.find(versions[0].domain, versions[0].name).unwrap();
                assert!(core::ptr::eq(found, *versions));
            }
        }
    }

    #[test]
    fn each_byte_counts() {
        for length in 1..40 {
            let bytes = vec![b'a'; length];
            let hashes = (0..length).map(|place| {
                let mut changed = bytes.clone();
                changed[place] = b'b';
                text(0, &changed)
            });
            let mut hashes: Vec<u64> = hashes.chain([text(0, &bytes), text(1, &bytes)]).collect();
            hashes.sort_unstable();
            hashes.dedup();
            assert_eq!(hashes.len(), length + 2, "{length}");
        }
    }
}
