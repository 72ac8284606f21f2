//! Makes the nodes of one version one after the other, until they cover each choice of each facet, and each pair of
//! choices.

use std::collections::HashSet;

use fastrand::Rng;
use shape_core::schema::Schema;

use super::coverage::{Coverage, Goal, Missed};
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
    /// For each choice of each facet, whether a node has it; `None` if no node can.
    made: Vec<Vec<Option<bool>>>,
    /// Choices and pairs of them that are still to be made, the next one last.
    open: Vec<Vec<Pin>>,
    begun: bool,
    pairs: HashSet<(u8, u16, u8, u16)>,
    /// What the first node has chosen, if it was made for single choices.
    base: Vec<Pin>,
    /// The choices that a node has made while all others were those of the first node.
    alone: HashSet<Pin>,
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
            base: Vec::new(),
            alone: HashSet::new(),
            missed: Vec::new(),
            known: Vec::new(),
            count: 0,
        }
    }

    /// The next node: first one with a choice or pair that is still open, then any; `None` if none is found.
    pub(super) fn next(&mut self, around: &Around<'_>) -> Option<Found> {
        if let Some(found) = self.next_open(Goal::Pairs, around) {
            return Some(found);
        }
        let found = search(self.schema, &mut self.rng, &[], &self.known, FOR_ONE, around)?;
        Some(self.keep(found))
    }

    /// The next node with a choice, or a pair of them, that none had before; `None` once each was tried.
    pub(super) fn next_open(&mut self, goal: Goal, around: &Around<'_>) -> Option<Found> {
        if self.count == 0 {
            let usual = if goal == Goal::Choices { self.usual(around) } else { None };
            let any = || search(self.schema, &mut self.rng, &[], &[], 10 * FOR_ONE, around);
            let first = usual.or_else(any)?;
            if goal == Goal::Choices {
                self.base = self.pins(&first);
            }
            return Some(self.keep(first));
        }
        while let Some(pins) = self.take_open(goal) {
            if let ([pin], Goal::Choices) = (&*pins, goal) {
                if self.alone.contains(pin) {
                    continue;
                }
                if let Some(found) = self.alone(*pin, around) {
                    return Some(self.keep(found));
                }
            }
            if self.is_made(&pins) {
                continue;
            }
            let budget = if pins.len() == 1 { FOR_ONE } else { FOR_PAIR };
            match search(self.schema, &mut self.rng, &pins, &self.known, budget, around) {
                Some(found) => return Some(self.keep(found)),
                None => self.miss(pins),
            }
        }
        None
    }

    /// A node with as many usual choices as one is found with.
    fn usual(&mut self, around: &Around<'_>) -> Option<Found> {
        let (ranks, others): (Vec<Facet>, Vec<Facet>) = self.facets.iter().partition(|facet| **facet == Facet::Rank);
        let ranks: Vec<Pin> =
            ranks.iter().flat_map(|of| of.usual(self.schema).into_iter().map(|rank| (*of, rank))).collect();
        let usual = |of: &Facet| Some((*of, of.usual(self.schema).first().copied()?));
        let all: Vec<Pin> = others.iter().filter_map(usual).collect();
        let shapes =
            |pins: &[Pin]| pins.iter().copied().filter(|(of, _)| matches!(of, Facet::Type(_) | Facet::Size)).collect();
        let attempts: [Vec<Pin>; 2] = [all.clone(), shapes(&all)];
        for pins in &attempts {
            for rank in ranks.iter().map(Some).chain([None]) {
                let pins: Vec<Pin> = pins.iter().chain(rank).copied().collect();
                if let Some(found) = search(self.schema, &mut self.rng, &pins, &[], FOR_PAIR, around) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// A node that differs from the first one in a choice, and in as little else as one is found with.
    fn alone(&mut self, pin: Pin, around: &Around<'_>) -> Option<Found> {
        let is_shape = |of: Facet| matches!(of, Facet::Size | Facet::Rank);
        let kept: [&dyn Fn(Facet) -> bool; 3] =
            [&|_| true, &|of| is_shape(of) || matches!(of, Facet::Type(_)), &is_shape];
        kept.into_iter().find_map(|is_kept| {
            let beside = self.base.iter().copied().filter(|(of, _)| *of != pin.0 && is_kept(*of));
            let pins: Vec<Pin> = std::iter::once(pin).chain(beside).collect();
            search(self.schema, &mut self.rng, &pins, &self.known, FOR_PAIR, around)
        })
    }

    /// What a node has chosen of each facet that it has a choice of.
    fn pins(&self, found: &Found) -> Vec<Pin> {
        let types = found.types();
        self.facets.iter().filter_map(|facet| Some((*facet, facet.of(&found.draft, &types)?))).collect()
    }

    /// What a node has chosen, as text.
    pub(super) fn choices(&self, found: &Found) -> Vec<String> {
        self.pins(found).into_iter().map(|(facet, choice)| facet.text(self.schema, choice)).collect()
    }

    /// Whether everything was tried that a goal asks for.
    pub(super) fn is_done(&self, goal: Goal) -> bool {
        match goal {
            Goal::Choices => self.count > 0 && (self.begun || self.open.is_empty()),
            Goal::Pairs => self.begun && self.open.is_empty(),
        }
    }

    fn take_open(&mut self, goal: Goal) -> Option<Vec<Pin>> {
        if self.open.is_empty() && !self.begun && goal == Goal::Pairs {
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
        let pins = self.pins(&found);
        let choices: Vec<(usize, usize)> = pins.iter().map(|(facet, choice)| (self.place(*facet), *choice)).collect();
        let is_other = |base: &&Pin| pins.iter().any(|(facet, choice)| *facet == base.0 && *choice != base.1);
        let others: Vec<Facet> = self.base.iter().filter(is_other).map(|(facet, _)| *facet).collect();
        self.alone.extend(pins.iter().filter(|(facet, _)| others.iter().all(|other| other == facet)));
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
            complete: self.is_done(Goal::Pairs),
            missed: self.missed.iter().map(text).collect(),
        }
    }
}
