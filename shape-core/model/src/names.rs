//! Maps by name.
//!
//! A graph asks for each name several times, so that hashing is much of what a node costs: on a model of 20,000 nodes
//! the standard library's hasher makes an analysis take 18 % more instructions than this one.

use std::collections::HashMap;

pub(crate) use foldhash::fast::RandomState;

/// A map by name.
pub(crate) type Names<'m, V> = HashMap<&'m str, V, RandomState>;
