//! Looks for a valid node: proposes one, asks the check what is wrong with it, and changes that.

use std::collections::HashMap;

use fastrand::Rng;
use shape_core::code::Code;
use shape_core::problem::Side;
use shape_core::schema::{ParameterOption, Part, Schema};
use shape_core::types::Type;

use super::change;
use super::draft::Draft;
use super::facet::Facet;
use super::judge::{Fault, Inferred, Refused, judge};
use super::numbers;
use super::propose::propose;

/// A choice that a node must make.
pub(super) type Pin = (Facet, usize);

/// What a search takes besides the version and the choices.
pub(super) struct Around<'c> {
    /// Completes a node with what follows from the rest of it, such as its bodies.
    pub(super) complete: &'c dyn Fn(&mut Draft, &mut Rng),
    /// Whether a valid node is wanted.
    pub(super) wanted: &'c dyn Fn(&Found) -> bool,
}

/// How many changes are tried before another beginning.
const STEPS: usize = 60;
/// The number of changes that a valid node costs the budget if it is not wanted. If only few types are wanted, a random
/// type soon is one of them; if a choice itself is not wanted, the search must end soon.
const UNWANTED: usize = 100;

/// A valid node.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) draft: Draft,
    pub(super) outputs: Vec<Inferred>,
}

impl Found {
    /// The types of its outputs.
    pub(super) fn types(&self) -> Vec<Option<Type>> {
        self.outputs.iter().map(|output| output.ty).collect()
    }
}

/// A valid node with these choices; `None` if none is found within `budget` changes. `known` are valid nodes to begin
/// with.
pub(super) fn search(
    schema: &'static Schema,
    rng: &mut Rng,
    pins: &[Pin],
    known: &[Found],
    budget: usize,
    around: &Around<'_>,
) -> Option<Found> {
    watched(schema, rng, (pins, known), budget, around, &mut |_| {})
}

/// The same; `watch` is called with each refusal.
pub(super) fn watched(
    schema: &'static Schema,
    rng: &mut Rng,
    (pins, known): (&[Pin], &[Found]),
    mut budget: usize,
    around: &Around<'_>,
    watch: &mut dyn FnMut(&Refused),
) -> Option<Found> {
    // How often each fault was met: one that is rare is a step forward, where nothing else says so.
    let mut met: HashMap<(usize, &str), usize> = HashMap::new();
    while budget > 0 {
        let mut draft = match rng.choice(known) {
            Some(found) if rng.u8(0..4) != 0 => {
                let mut draft = found.draft.clone();
                for _ in 0..rng.usize(1..6) {
                    change::random(&mut draft, rng);
                }
                draft
            }
            _ => propose(schema, rng),
        };
        pin(&mut draft, rng, pins);
        (around.complete)(&mut draft, rng);
        let mut best: Option<((usize, &str), Draft)> = None;
        for _ in 0..STEPS.min(budget) {
            budget = budget.saturating_sub(1);
            let fault = match judge(&draft) {
                Ok(outputs) => {
                    let found = Found { draft, outputs };
                    let types = found.types();
                    let is_pinned = pins.iter().all(|(facet, choice)| facet.of(&found.draft, &types) == Some(*choice));
                    let is_wanted = (around.wanted)(&found);
                    if is_pinned && is_wanted {
                        return Some(found);
                    }
                    draft = found.draft;
                    if is_pinned && !is_wanted {
                        budget = budget.saturating_sub(UNWANTED);
                    }
                    (!is_wanted && rng.bool()).then_some(Fault::Type)
                }
                Err(refused) => {
                    watch(&refused);
                    let key = (refused.stage, refused.message);
                    *met.entry(key).or_default() += 1;
                    let times = |key: &(usize, &str)| met.get(key).copied().unwrap_or(0);
                    let is_worse =
                        |old: &(usize, &'static str)| old.0 > key.0 || (old.0 == key.0 && times(&key) > 2 * times(old));
                    match &best {
                        // What was better before is taken up again, mostly.
                        Some((old, before)) if is_worse(old) && rng.u8(0..6) != 0 => {
                            draft = before.clone();
                            None
                        }
                        _ => {
                            best = Some((key, draft.clone()));
                            Some(refused.fault)
                        }
                    }
                }
            };
            match fault {
                Some(fault) => mend(&mut draft, rng, fault),
                None => (0..rng.usize(1..3)).for_each(|_| change::random(&mut draft, rng)),
            }
            pin(&mut draft, rng, pins);
            (around.complete)(&mut draft, rng);
        }
    }
    None
}

/// Makes the choices that the node has not made.
fn pin(draft: &mut Draft, rng: &mut Rng, pins: &[Pin]) {
    for (facet, choice) in pins {
        if facet.of(draft, &[]) != Some(*choice) {
            facet.choose(draft, rng, *choice);
        }
    }
}

/// Changes the node so that it may no longer have a fault.
pub(super) fn mend(draft: &mut Draft, rng: &mut Rng, fault: Fault) {
    match fault {
        Fault::Attribute(index) => {
            let Some(attribute) = draft.schema.attributes.get(index) else { return };
            let value = if attribute.required || rng.bool() { change::argument(rng, draft, attribute) } else { None };
            if let Some(slot) = draft.attributes.get_mut(index) {
                *slot = value;
            }
        }
        Fault::Count(side) => count(draft, rng, side),
        Fault::Exclusive(exclusive) => {
            let at = |name: &str| {
                let attribute = draft.schema.attributes.iter().position(|attribute| attribute.name == name);
                let input = || draft.schema.inputs.iter().position(|input| input.name == name);
                attribute.map(Part::Attribute).or_else(|| input().map(Part::Input))
            };
            let parts: Vec<Part> = exclusive.of.iter().filter_map(|name| at(name)).collect();
            let keep = rng.usize(..=parts.len());
            for (index, part) in parts.into_iter().enumerate() {
                if index != keep {
                    change::give(draft, rng, part, false);
                } else if exclusive.required {
                    change::give(draft, rng, part, true);
                }
            }
        }
        Fault::Type => {
            let variables = draft.schema.types;
            if !variables.is_empty() {
                let variable = rng.usize(..variables.len());
                let types: Vec<Type> = variables.get(variable).map(|of| of.allow.iter().collect()).unwrap_or_default();
                if let Some(ty) = rng.choice(types) {
                    change::set_variable(draft, rng, variable, ty);
                }
            }
            change::random(draft, rng);
        }
        Fault::Requirement(requirement) => {
            if rng.u8(0..8) == 0 || !numbers::mend(draft, rng, requirement) {
                change::random(draft, rng);
            }
        }
        Fault::Rule(Code::RankMismatch) if rng.bool() => ranks(draft, rng),
        Fault::Rule(_) => (0..rng.usize(1..3)).for_each(|_| change::random(draft, rng)),
        Fault::Large => {
            for index in 0..draft.inputs.len() {
                let dims: Option<Vec<u64>> = draft
                    .value(index)
                    .and_then(|value| value.dims())
                    .map(|dims| dims.iter().map(|dim| (*dim).min(2)).collect());
                if let Some(dims) = dims {
                    change::set_dims(draft, rng, index, &dims);
                }
            }
            change::random(draft, rng);
        }
    }
}

/// Gives an input the rank of another, or one more or less.
fn ranks(draft: &mut Draft, rng: &mut Rng) {
    if draft.inputs.is_empty() {
        return;
    }
    let rank = |draft: &Draft, index: usize| draft.value(index).and_then(|value| value.dims()).map(<[u64]>::len);
    let (input, other) = (rng.usize(..draft.inputs.len()), rng.usize(..draft.inputs.len()));
    let Some(near) = rank(draft, other) else { return };
    let wanted = *rng.choice(&[near, near + 1, near.saturating_sub(1), 1, 0, 2]).unwrap_or(&near);
    change::set_rank(draft, rng, input, wanted);
}

/// Gives the node as many inputs and outputs as it must have.
fn count(draft: &mut Draft, rng: &mut Rng, side: Side) {
    match side {
        Side::Input => {
            for (index, formal) in draft.schema.inputs.iter().enumerate() {
                if formal.option == ParameterOption::Single {
                    change::give(draft, rng, Part::Input(index), true);
                }
            }
        }
        Side::Output => {
            for (index, formal) in draft.schema.outputs.iter().enumerate() {
                if formal.option == ParameterOption::Single {
                    change::give(draft, rng, Part::Output(index), true);
                }
            }
            if !draft.outputs.contains(&true) && !draft.schema.outputs.is_empty() {
                let index = rng.usize(..draft.schema.outputs.len());
                change::give(draft, rng, Part::Output(index), true);
            }
        }
    }
}
