//! What the rules of registered functions call.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use shape_core::schema::Attribute;

/// What a rule calls: a function for one version of an operator.
pub(super) struct Callee {
    pub(super) function: Py<PyAny>,
    /// How many inputs it is called with at least; those that a node leaves out are None.
    pub(super) inputs: usize,
    /// How many outputs the version has.
    pub(super) outputs: usize,
    /// The attributes that it is called with, with their defaults.
    pub(super) attributes: &'static [Attribute],
}

/// They live as long as the process, so that a callee stays when its function is registered anew: an analysis may still run
/// with it.
static CALLEES: Mutex<Vec<Callee>> = Mutex::new(Vec::new());

/// Adds a callee; returns its number.
pub(super) fn add(callee: Callee) -> i64 {
    let mut callees = CALLEES.lock().unwrap_or_else(PoisonError::into_inner);
    callees.push(callee);
    i64::try_from(callees.len() - 1).unwrap_or(i64::MAX)
}

/// Calls a function with the callee of a number.
pub(super) fn callee<T>(number: i64, then: impl FnOnce(&Callee) -> T) -> Option<T> {
    let callees = CALLEES.lock().unwrap_or_else(PoisonError::into_inner);
    callees.get(usize::try_from(number).ok()?).map(then)
}
