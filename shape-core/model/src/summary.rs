//! How much is known of the values of a model, and at which values information is lost.

use std::collections::HashMap;

use crate::analysis::Analysis;
use crate::value::Origin;
use shape_core::symbolic::Reason;

/// How much is known of the inputs of a model's graphs and of the values that its nodes compute, without those in functions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// How many there are.
    pub values: usize,
    /// How many are known: their type, and each dimension as a number or an expression over the symbols of the model.
    pub known: usize,
    /// How many of these rest on declarations of values that nodes compute; see [`Value::declared`](crate::Value::declared).
    pub declared: usize,
    /// The other values, grouped by the value where the unknown begins, largest group first.
    pub groups: Vec<Unknown>,
}

/// Values that are not known for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unknown {
    /// Why, and the value where it begins.
    pub reason: Reason,
    /// Whether they are known in fresh symbols, so that only the sizes of these are missing.
    pub in_fresh_symbols: bool,
    /// Their indices in [`Analysis::values`].
    pub values: Vec<u32>,
}

impl Analysis<'_> {
    /// How much is known of the values, and at which values information is lost.
    ///
    /// ```
    /// use shape_model::{ModelFile, Options, analyse};
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/acme.onnx");
    /// let model = ModelFile::open(path)?;
    /// let analysis = analyse(model.model(), &Options::of(&model))?;
    /// let summary = analysis.summary();
    /// assert_eq!((summary.known, summary.values), (1, 5));
    /// assert_eq!(summary.groups.iter().map(|group| group.values.len()).collect::<Vec<_>>(), [1, 1, 1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn summary(&self) -> Summary {
        let outside = self.outside_functions();
        let mut summary = Summary { values: 0, known: 0, declared: 0, groups: Vec::new() };
        let mut by_origin: HashMap<(u32, bool), usize> = HashMap::new();
        for (index, value) in (0..).zip(&self.values) {
            if value.origin == Origin::Initializer || outside.get(value.graph) != Some(&true) {
                continue;
            }
            summary.values += 1;
            let Some(reason) = self.unknown(value) else {
                summary.known += 1;
                summary.declared += usize::from(value.declared.is_some());
                continue;
            };
            let fresh = value.has_no_hole();
            let at = *by_origin.entry((reason.value, fresh)).or_insert(summary.groups.len());
            match summary.groups.get_mut(at) {
                Some(group) => group.values.push(index),
                None => summary.groups.push(Unknown {
                    reason: reason.clone(),
                    in_fresh_symbols: fresh,
                    values: vec![index],
                }),
            }
        }
        // A stable sort: those with as many stay in the order of the model.
        summary.groups.sort_by_key(|group| std::cmp::Reverse(group.values.len()));
        summary
    }
}
