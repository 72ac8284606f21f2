//! Limits the memory that what is known of the values of a model takes.
//!
//! A node of thirty bytes may have an output of a thousand dimensions, or of 256 elements that are long expressions. So
//! each list is paid from an allowance that depends on the length of the file. Lists past it are unknown; no real model
//! comes near it.

use std::cell::Cell;

use crate::value::Known;
use shape_core::elements::Scalar;
use shape_core::symbolic::{Cause, Dim, Reason};

/// The maximum length of a list that may take the last of the allowance.
const SHORT: usize = 16;

/// The allowance, in bytes.
pub(super) struct Memory {
    left: Cell<usize>,
    /// What is kept for short lists, so that long ones leave the dimensions of real tensors known.
    for_short: usize,
}

/// An item of a list.
pub(super) trait Item {
    /// About how many bytes the item takes outside of the list.
    fn heap(&self) -> usize;
}

impl Item for Dim {
    fn heap(&self) -> usize {
        Self::heap(self)
    }
}

impl Item for Scalar<Dim> {
    fn heap(&self) -> usize {
        Self::heap(self)
    }
}

impl Memory {
    pub(super) fn new(allowance: usize) -> Self {
        Self { left: Cell::new(allowance), for_short: allowance.div_euclid(2) }
    }

    pub(super) fn left(&self) -> usize {
        self.left.get()
    }

    pub(super) fn restore(&self, left: usize) {
        self.left.set(left);
    }

    /// Pays for a list and makes it. The items are computed only as far as the allowance goes.
    pub(super) fn list<T: Item>(&self, items: impl ExactSizeIterator<Item = T>) -> Result<Box<[T]>, Cause> {
        let kept = if items.len() <= SHORT { 0 } else { self.for_short };
        let spend = |bytes: usize| {
            let left = self.left().checked_sub(bytes).filter(|left| *left >= kept);
            left.map(|left| self.left.set(left)).ok_or(Cause::TooLarge)
        };
        spend(items.len().saturating_mul(size_of::<T>()))?;
        let mut list = Vec::with_capacity(items.len());
        for item in items {
            spend(item.heap())?;
            list.push(item);
        }
        Ok(list.into())
    }

    /// Pays for a copy of what is known and makes it; `value` is what it becomes known of.
    pub(super) fn known<T: Item + Clone>(&self, list: &Known<Box<[T]>>, value: u32) -> Known<Box<[T]>> {
        let list = list.as_deref().map_err(Reason::clone)?;
        self.list(list.iter().cloned()).map_err(|cause| Reason { cause, value })
    }
}
