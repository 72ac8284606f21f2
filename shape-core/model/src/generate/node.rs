//! The nodes of one version, one after the other, until each choice of each facet was made with each of each other.

use std::collections::HashSet;

use fastrand::Rng;
use shape_core::schema::Schema;

use super::coverage::{Coverage, Missed};
use super::facet::{Facet, facets};
use super::search::{Around, Found, Pin, search};

/// How many changes are tried for a choice, and for a pair of them.
const FOR_ONE: usize = 3_000;
const FOR_PAIR: usize = 400;
/// How many valid nodes are kept to begin with.
const KEPT: usize = 24;

/// The nodes of one version.
pub(super) struct Nodes {
    schema: &'static Schema,
    rng: Rng,
    facets: Vec<Facet>,
    /// For each facet, whether a choice was made; `None` for one that could not be.
    made: Vec<Vec<Option<bool>>>,
    /// Choices and pairs of them that are still to be made, the next one last.
    open: Vec<Vec<Pin>>,
    begun: bool,
    pairs: HashSet<(u8, u16, u8, u16)>,
    missed: Vec<Vec<Pin>>,
    known: Vec<Found>,
    count: usize,
}

/// A choice of each facet with a number for itself.
fn pair(first: (usize, usize), second: (usize, usize)) -> (u8, u16, u8, u16) {
    let short = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
    let tiny = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
    (tiny(first.0), short(first.1), tiny(second.0), short(second.1))
}

impl Nodes {
    pub(super) fn new(schema: &'static Schema, seed: u64) -> Self {
        let facets = facets(schema);
        let made = facets.iter().map(|facet| vec![Some(false); facet.count(schema)]).collect();
        let ones = facets.iter().flat_map(|facet| (0..facet.count(schema)).map(|choice| vec![(*facet, choice)]));
        let open: Vec<Vec<Pin>> = ones.rev().collect();
        Self {
            schema,
            rng: Rng::with_seed(seed),
            facets,
            made,
            open,
            begun: false,
            pairs: HashSet::new(),
            missed: Vec::new(),
            known: Vec::new(),
            count: 0,
        }
    }

    /// The next node; `None` if none is found.
    pub(super) fn next(&mut self, around: &Around<'_>) -> Option<Found> {
        if self.count == 0 {
            let first = search(self.schema, &mut self.rng, &[], &[], 10 * FOR_ONE, around)?;
            return Some(self.keep(first));
        }
        while let Some(pins) = self.take_open() {
            if self.is_made(&pins) {
                continue;
            }
            let budget = if pins.len() == 1 { FOR_ONE } else { FOR_PAIR };
            match search(self.schema, &mut self.rng, &pins, &self.known, budget, around) {
                Some(found) => return Some(self.keep(found)),
                None => self.miss(pins),
            }
        }
        let found = search(self.schema, &mut self.rng, &[], &self.known, FOR_ONE, around)?;
        Some(self.keep(found))
    }

    /// Whether everything was made that can be.
    pub(super) fn is_done(&self) -> bool {
        self.begun && self.open.is_empty()
    }

    fn take_open(&mut self) -> Option<Vec<Pin>> {
        if self.open.is_empty() && !self.begun {
            self.begun = true;
            self.open = self.all_pairs();
        }
        self.open.pop()
    }

    /// All pairs of choices that can be made, one by one.
    fn all_pairs(&self) -> Vec<Vec<Pin>> {
        let choices = |at: usize| {
            let made = self.made.get(at).map(Vec::as_slice).unwrap_or_default();
            made.iter().enumerate().filter(|(_, made)| made.is_some()).map(|(choice, _)| choice)
        };
        let mut pairs = Vec::new();
        for (first, facet) in self.facets.iter().enumerate() {
            for (second, other) in self.facets.iter().enumerate().skip(first + 1) {
                for choice in choices(first) {
                    pairs.extend(choices(second).map(|of| vec![(*facet, choice), (*other, of)]));
                }
            }
        }
        pairs.reverse();
        pairs
    }

    fn place(&self, facet: Facet) -> usize {
        self.facets.iter().position(|other| *other == facet).unwrap_or(0)
    }

    fn is_made(&self, pins: &[Pin]) -> bool {
        match pins {
            [(facet, choice)] => {
                let made = self.made.get(self.place(*facet)).and_then(|made| made.get(*choice));
                made.copied().flatten() == Some(true)
            }
            [first, second] => {
                let key = pair((self.place(first.0), first.1), (self.place(second.0), second.1));
                self.pairs.contains(&key)
            }
            _ => false,
        }
    }

    fn miss(&mut self, pins: Vec<Pin>) {
        if let [(facet, choice)] = &*pins {
            let place = self.place(*facet);
            if let Some(made) = self.made.get_mut(place).and_then(|made| made.get_mut(*choice)) {
                *made = None;
            }
        }
        self.missed.push(pins);
    }

    /// Takes note of what a node has, and keeps it as a beginning.
    fn keep(&mut self, found: Found) -> Found {
        let types = found.types();
        let choices: Vec<(usize, usize)> = (self.facets.iter().enumerate())
            .filter_map(|(at, facet)| Some((at, facet.of(&found.draft, &types)?)))
            .collect();
        for (at, (facet, choice)) in choices.iter().enumerate() {
            if let Some(made) = self.made.get_mut(*facet).and_then(|made| made.get_mut(*choice)) {
                *made = Some(true);
            }
            let others = choices.get(at + 1..).unwrap_or_default();
            self.pairs.extend(others.iter().map(|other| pair((*facet, *choice), *other)));
        }
        self.count += 1;
        if self.known.len() < KEPT {
            self.known.push(found.clone());
        } else if let Some(slot) = self.rng.choice(&mut self.known) {
            *slot = found.clone();
        }
        found
    }

    /// What was made so far.
    pub(super) fn coverage(&self) -> Coverage {
        let text = |pins: &Vec<Pin>| {
            let texts: Vec<String> = pins.iter().map(|(facet, choice)| facet.text(self.schema, *choice)).collect();
            Missed { choices: texts }
        };
        let made: usize = self.made.iter().flatten().filter(|made| **made == Some(true)).count();
        let counts: Vec<usize> = self.made.iter().map(Vec::len).collect();
        let pairs =
            counts.iter().enumerate().map(|(at, count)| count * counts.iter().skip(at + 1).sum::<usize>()).sum();
        Coverage {
            schema: self.schema,
            nodes: self.count,
            choices: counts.iter().sum(),
            choices_made: made,
            pairs,
            pairs_made: self.pairs.len(),
            complete: self.is_done(),
            missed: self.missed.iter().map(text).collect(),
        }
    }
}
