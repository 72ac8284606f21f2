//! Keeps equal facts once: values with the same type, dimensions and elements share one object.
//!
//! Most values of a model are like others: a network repeats a block, and each block has the dimensions of the one
//! before. So equal facts are one object with a number, and whether the same is known of two values is seen by a look at
//! their numbers.

use std::hash::{BuildHasher as _, Hash, Hasher};
use std::sync::Arc;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::memory::Memory;
use crate::value::{Facts, Known, Shared};
use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Reason};
use shape_core::types::Type;

/// All facts of an analysis.
#[derive(Default)]
pub(super) struct SharedFacts {
    /// With the hash of each, so that a table that grows reads no facts.
    table: HashTable<(u64, Arc<Facts>)>,
    hasher: RandomState,
    /// The number of the next ones.
    next: u64,
}

impl SharedFacts {
    /// The facts with this content, and whether they are new. They are of the value with this index.
    pub(super) fn share(
        &mut self,
        value: u32,
        ty: Known<Type>,
        dims: Known<Box<[Dim]>>,
        elements: Known<Box<[Scalar<Dim>]>>,
        memory: &Memory,
    ) -> (Shared, bool) {
        let from = elements.as_ref().map_or_else(|reason| reason.value, |_| Reason::HERE);
        let elements_from = if from == value { Reason::HERE } else { from };
        let elements = elements.map_err(|reason| Reason::here(reason.cause));
        let facts = Facts { number: self.next, again: 0, ty, dims, elements };
        let hash = hash_of(&self.hasher, &facts);
        if let Some((_, known)) = self.table.find(hash, |(of, known)| *of == hash && same(known, &facts)) {
            return (Shared { facts: Arc::clone(known), elements_from }, false);
        }
        let facts = Arc::new(Facts { again: memory.again(&facts), ..facts });
        // No program lives long enough to count so far.
        self.next = self.next.wrapping_add(1);
        self.table.insert_unique(hash, (hash, Arc::clone(&facts)), |(hash, _)| *hash);
        (Shared { facts, elements_from }, true)
    }

    /// Forgets all facts. Values keep theirs; equal ones of later values are other objects.
    pub(super) fn forget(&mut self) {
        self.table.clear();
    }
}

fn hash_of(hasher: &RandomState, Facts { ty, dims, elements, .. }: &Facts) -> u64 {
    let mut state = hasher.build_hasher();
    ty.hash(&mut state);
    dims.hash(&mut state);
    match elements {
        Ok(elements) => elements.iter().for_each(|element| hash_element(element, &mut state)),
        Err(reason) => reason.hash(&mut state),
    }
    state.finish()
}

fn hash_element(element: &Scalar<Dim>, state: &mut impl Hasher) {
    std::mem::discriminant(element).hash(state);
    match element {
        Scalar::Int(value) => value.hash(state),
        Scalar::Size(dim) | Scalar::Expression(dim) => dim.hash(state),
        Scalar::Ratio(ratio) => ratio.hash(state),
        Scalar::Bool(value) => value.hash(state),
        Scalar::Float(value) => value.to_bits().hash(state),
        Scalar::Unknown(reason) => reason.hash(state),
    }
}

fn same(left: &Facts, right: &Facts) -> bool {
    left.ty == right.ty
        && left.dims == right.dims
        && match (&left.elements, &right.elements) {
            (Ok(left), Ok(right)) => left.len() == right.len() && left.iter().zip(right).all(same_element),
            (Err(left), Err(right)) => left == right,
            _ => false,
        }
}

/// Whether two elements are the same to the bit: the two zeros among floats are not, and a NaN is the same as itself.
fn same_element((left, right): (&Scalar<Dim>, &Scalar<Dim>)) -> bool {
    match (left, right) {
        (Scalar::Float(left), Scalar::Float(right)) => left.to_bits() == right.to_bits(),
        (left, right) => left == right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shape_core::data_type::DataType;
    use shape_core::symbolic::{Cause, Symbols};

    #[test]
    fn equal_facts_are_one_object_and_others_are_not() {
        let mut symbols = Symbols::default();
        let mut of = |dims: &[&str]| -> Box<[Dim]> { dims.iter().map(|dim| symbols.dim(dim)).collect() };
        let unknown = |value| Reason { cause: Cause::GivenAtRun, value };
        let float = Type::tensor(DataType::Float);
        let all = [
            (Ok(float), Ok(of(&["N", "4*T"])), Err(unknown(1))),
            (Ok(float), Ok(of(&["N", "5*T"])), Err(unknown(1))),
            (Ok(float), Ok(of(&["N"])), Err(unknown(1))),
            (Ok(Type::tensor(DataType::Int64)), Ok(of(&["N"])), Err(unknown(1))),
            (Ok(float), Err(unknown(1)), Err(unknown(1))),
            (Ok(float), Ok(of(&[])), Ok([Scalar::Float(0.0)].into())),
            (Ok(float), Ok(of(&[])), Ok([Scalar::Float(-0.0)].into())),
            (Ok(float), Ok(of(&[])), Ok([Scalar::Float(f64::NAN)].into())),
            (Ok(float), Ok(of(&[])), Ok([Scalar::Int(0)].into())),
            (Ok(float), Ok(of(&[])), Ok([Scalar::Size(Dim::Known(0))].into())),
        ];
        let (mut shared, memory) = (SharedFacts::default(), Memory::new(0));
        let mut share = || -> Vec<(Shared, bool)> {
            all.iter().cloned().map(|(ty, dims, elements)| shared.share(9, ty, dims, elements, &memory)).collect()
        };
        let (first, again) = (share(), share());
        assert!(first.iter().all(|(_, new)| *new), "each differs from those before it");
        assert!(again.iter().all(|(_, new)| !new));
        assert!(first.iter().zip(&again).all(|((first, _), (again, _))| Arc::ptr_eq(&first.facts, &again.facts)));
        assert!((0..).zip(&first).all(|(number, (first, _))| first.facts.number == number));
        // Where elements become unknown is told beside the facts.
        let mut of = |value, from| shared.share(value, Ok(float), Ok([].into()), Err(unknown(from)), &memory).0;
        let (here, there) = (of(3, 3), of(4, 1));
        assert!(Arc::ptr_eq(&here.facts, &there.facts));
        assert_eq!((here.elements_from, there.elements_from), (Reason::HERE, 1));
    }
}
