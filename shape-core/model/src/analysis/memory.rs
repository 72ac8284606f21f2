//! Limits the memory for the dimensions and elements that an analysis finds.
//!
//! A node of thirty bytes may have an output of a thousand dimensions, or of 256 elements that are long expressions. So
//! each list is paid from an allowance that depends on the length of the file. Lists past it are unknown; no real model
//! comes near it.

use std::cell::Cell;

use crate::value::{Facts, Known};
use shape_core::elements::Scalar;
use shape_core::symbolic::{Cause, Dim, Reason};

/// The maximum length of a list that may take the last of the allowance.
const SHORT: usize = 16;

/// The allowance, in bytes.
pub(super) struct Memory {
    left: Cell<usize>,
    /// The bytes of unfinished lists that may still be given back; the limit bounds the time for making them again.
    spare: Cell<usize>,
    /// The bytes that were paid for shared facts.
    kept: Cell<usize>,
    /// The bytes that were paid for shared facts that no value has any more.
    unused: Cell<usize>,
    /// How many bytes the longest name of a symbol has above the length that is free.
    name: Cell<usize>,
    allowance: usize,
    /// The bytes that only short lists may take, so that the dimensions of real tensors stay known beside long lists.
    for_short: usize,
}

/// An earlier state of the allowance.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    left: usize,
    kept: usize,
    unused: usize,
}

/// The size of lists that cost nothing where they are shared; those of real tensors are smaller.
const FREE: usize = 512;

/// The length of a name that costs nothing: each value that has a symbol shows its name. Most names are shorter.
const NAME: usize = 64;

/// The bytes that an expression takes for each symbol in it, at least.
const OF_SYMBOL: usize = 16;

/// An item of a list.
pub(super) trait Item {
    /// About how many bytes the item takes on the heap, in addition to its place in the list.
    fn heap(&self) -> usize;

    /// The dimension that the item is.
    fn dim(&self) -> Option<&Dim>;
}

impl Item for Dim {
    fn heap(&self) -> usize {
        Self::heap(self)
    }

    fn dim(&self) -> Option<&Dim> {
        Some(self)
    }
}

impl Item for Scalar<Dim> {
    fn heap(&self) -> usize {
        Self::heap(self)
    }

    fn dim(&self) -> Option<&Dim> {
        Self::dim(self)
    }
}

impl Memory {
    pub(super) fn new(allowance: usize) -> Self {
        Self {
            name: Cell::new(0),
            left: Cell::new(allowance),
            spare: Cell::new(allowance),
            kept: Cell::new(0),
            unused: Cell::new(0),
            allowance,
            for_short: allowance.div_euclid(2),
        }
    }

    /// Counts the name of a symbol, before lists contain the symbol.
    pub(super) fn symbol(&self, name: &str) {
        self.name.set(self.name.get().max(name.len().saturating_sub(NAME)));
    }

    /// The most bytes that the names of symbols in an item take as text.
    fn names(&self, item: &impl Item) -> usize {
        match item.dim() {
            Some(Dim::Symbol(_)) => self.name.get(),
            Some(dim @ Dim::Expression(_)) => self.name.get().saturating_mul(dim.heap().div_euclid(OF_SYMBOL)),
            _ => 0,
        }
    }

    /// The bytes that each further value with existing lists costs: its text shows them, so long ones are paid each
    /// time.
    pub(super) fn again(&self, Facts { dims, elements, .. }: &Facts) -> usize {
        fn of<T: Item>(memory: &Memory, list: &Known<Box<[T]>>) -> (usize, usize) {
            let list = list.as_deref().unwrap_or_default();
            let names = list.iter().map(|item| memory.names(item)).fold(0, usize::saturating_add);
            (size_of_val(list) + list.iter().map(Item::heap).sum::<usize>(), names)
        }
        let (dims, elements) = (of(self, dims), of(self, elements));
        let lists = (dims.0 + elements.0).saturating_sub(FREE);
        lists.saturating_add(dims.1).saturating_add(elements.1)
    }

    pub(super) fn left(&self) -> usize {
        self.left.get()
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { left: self.left.get(), kept: self.kept.get(), unused: self.unused.get() }
    }

    /// Gives back what was paid since a mark, except for shared facts, which another node may use.
    pub(super) fn restore(&self, mark: Mark) {
        let unused = self.unused.get() + self.kept.get().saturating_sub(mark.kept);
        self.left.set((mark.left + mark.unused).saturating_sub(unused));
        self.kept.set(mark.kept);
        self.unused.set(unused);
    }

    /// Whether shared facts that no value has any more take over an eighth of the allowance, and less than `for_short`
    /// is left.
    pub(super) fn is_scarce(&self) -> bool {
        self.left() < self.for_short && self.unused.get() > self.allowance.div_euclid(8)
    }

    /// Gives back the bytes of shared facts that no value has any more, after these were freed.
    pub(super) fn forget(&self) {
        self.left.set(self.left() + self.unused.take());
    }

    /// Pays for so many bytes if the allowance is enough; returns whether it is.
    pub(super) fn pay(&self, bytes: usize) -> bool {
        let left = self.left().checked_sub(bytes);
        self.left.set(left.unwrap_or(self.left()));
        left.is_some()
    }

    /// Pays for `more` bytes, and keeps all that was paid since a mark.
    pub(super) fn keep(&self, since: Mark, more: usize) {
        self.pay(more);
        let paid = since.left.saturating_sub(self.left());
        self.kept.set(self.kept.get().max(since.kept + paid));
    }

    /// Pays for a list and makes it. The items are computed only as far as the allowance goes; what they took is given
    /// back if it ends before they do.
    pub(super) fn list<T: Item>(&self, items: impl ExactSizeIterator<Item = T>) -> Result<Box<[T]>, Cause> {
        let before = self.left();
        let list = self.paid(items);
        if list.is_err()
            && let Some(spare) = self.spare.get().checked_sub(before - self.left())
        {
            self.spare.set(spare);
            self.left.set(before);
        }
        list
    }

    fn paid<T: Item>(&self, items: impl ExactSizeIterator<Item = T>) -> Result<Box<[T]>, Cause> {
        let kept = if items.len() <= SHORT { 0 } else { self.for_short };
        let after = |left: usize, bytes: usize| left.checked_sub(bytes).filter(|left| *left >= kept);
        let mut left = after(self.left(), items.len().saturating_mul(size_of::<T>())).ok_or(Cause::TooLarge)?;
        let mut list = Vec::with_capacity(items.len());
        for item in items {
            let Some(rest) = after(left, item.heap().saturating_add(self.names(&item))) else {
                self.left.set(left);
                return Err(Cause::TooLarge);
            };
            left = rest;
            list.push(item);
        }
        self.left.set(left);
        Ok(list.into())
    }

    /// Pays for a copy of what is known and makes it; `value` is what it becomes known of.
    pub(super) fn known<T: Item + Clone>(&self, list: &Known<Box<[T]>>, value: u32) -> Known<Box<[T]>> {
        let list = list.as_deref().map_err(Reason::clone)?;
        self.list(list.iter().cloned()).map_err(|cause| Reason { cause, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shape_core::symbolic::Symbols;

    fn dims(count: usize) -> impl ExactSizeIterator<Item = Dim> {
        (0..count).map(|size| Dim::from(size as u64))
    }

    #[test]
    fn long_lists_leave_half_to_short_ones() {
        let memory = Memory::new(4 * SHORT * size_of::<Dim>());
        assert_eq!(memory.list(dims(2 * SHORT + 1)), Err(Cause::TooLarge));
        assert_eq!(memory.list(dims(2 * SHORT)).unwrap().len(), 2 * SHORT);
        assert_eq!(memory.list(dims(SHORT + 1)), Err(Cause::TooLarge));
        for _ in 0..2 {
            assert_eq!(memory.list(dims(SHORT)).unwrap().len(), SHORT);
        }
        assert_eq!(memory.left(), 0);
        assert_eq!(memory.list(dims(1)), Err(Cause::TooLarge));
        assert!(memory.list(dims(0)).is_ok());
    }

    /// An item such as an expression.
    #[derive(Debug)]
    struct Heavy;

    impl Item for Heavy {
        fn heap(&self) -> usize {
            10
        }

        fn dim(&self) -> Option<&Dim> {
            None
        }
    }

    #[test]
    fn what_an_item_takes_outside_of_the_list_is_paid() {
        let memory = Memory::new(25);
        let computed = Cell::new(0);
        let each = |_| {
            computed.set(computed.get() + 1);
            Heavy
        };
        assert!(memory.list((0..2).map(each)).is_ok());
        assert_eq!(memory.left(), 5);
        assert!(memory.list((0..9).map(each)).is_err());
        assert_eq!(computed.get(), 3, "the items past the allowance are not computed");
    }

    #[test]
    fn what_an_unfinished_list_took_is_given_back_until_it_takes_too_long() {
        let memory = Memory::new(25);
        let too_many = || memory.list((0..3).map(|_| Heavy)).unwrap_err();
        assert_eq!((too_many(), memory.left()), (Cause::TooLarge, 25));
        assert!(memory.list((0..2).map(|_| Heavy)).is_ok());
        memory.restore(Mark { left: 25, kept: 0, unused: 0 });
        assert_eq!((too_many(), memory.left()), (Cause::TooLarge, 5));
        assert_eq!((too_many(), memory.left()), (Cause::TooLarge, 5));
    }

    #[test]
    fn what_is_shared_is_given_back_only_when_it_is_forgotten() {
        let memory = Memory::new(100);
        let take = |bytes: usize| {
            let mark = memory.mark();
            assert!(memory.pay(bytes));
            memory.keep(mark, 0);
        };
        take(10);
        let outer = memory.mark();
        take(20);
        let inner = memory.mark();
        take(30);
        assert!(memory.pay(5));
        memory.restore(inner);
        assert_eq!((memory.left(), memory.is_scarce()), (40, true), "30 of 100 are of no use");
        memory.restore(outer);
        assert_eq!(memory.left(), 40, "nor are 20 more");
        memory.forget();
        assert_eq!((memory.left(), memory.is_scarce()), (90, false));
        memory.restore(outer);
        assert_eq!(memory.left(), 90);
        // What is forgotten between a mark and its use.
        let outer = memory.mark();
        let inner = memory.mark();
        take(30);
        memory.restore(inner);
        memory.forget();
        memory.restore(outer);
        assert_eq!(memory.left(), 90);
    }

    #[test]
    fn a_long_name_is_paid_each_time() {
        let memory = Memory::new(1000);
        let (symbol, expression) = {
            let mut symbols = Symbols::default();
            (symbols.dim("N"), symbols.dim("N + 1"))
        };
        let cost = |dim: &Dim| {
            let before = memory.left();
            assert!(memory.list([dim.clone()].into_iter()).is_ok());
            before - memory.left()
        };
        let short = cost(&expression);
        memory.symbol(&"a".repeat(NAME));
        assert_eq!((cost(&symbol), cost(&expression)), (size_of::<Dim>(), short));
        memory.symbol(&"a".repeat(NAME + 9));
        memory.symbol("N");
        assert_eq!(cost(&symbol), size_of::<Dim>() + 9);
        assert!(cost(&expression) >= short + 9);
    }

    #[test]
    fn a_copy_is_paid_and_a_reason_costs_nothing() {
        let memory = Memory::new(3 * size_of::<Dim>());
        let list = Ok(dims(2).collect());
        assert_eq!(memory.known(&list, 7), list);
        assert_eq!(memory.known(&list, 7), Err(Reason { cause: Cause::TooLarge, value: 7 }));
        let unknown = Err(Reason { cause: Cause::NotDeclared, value: 3 });
        assert_eq!(memory.known::<Dim>(&unknown, 7), unknown);
        assert_eq!(memory.left(), size_of::<Dim>());
    }
}
