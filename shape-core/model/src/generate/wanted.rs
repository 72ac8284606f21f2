//! Selects which valid nodes to generate, such as those that a runtime has a kernel for.

use std::sync::Arc;

use shape_core::schema::{FormalParameter, ParameterType, Schema};
use shape_core::types::Type;

use super::search::Found;
use crate::usage::UsedTypes;

/// Decides by the version, the opset that the model imports and the types of each type variable.
type Decide = dyn Fn(&'static Schema, u32, &[UsedTypes]) -> bool + Send + Sync;
/// Decides by the version and the opset alone.
type DecideOpset = dyn Fn(&'static Schema, u32) -> bool + Send + Sync;

/// Selects which of the valid nodes to generate.
///
/// ```
/// use shape_core::{DataType, Registry};
/// use shape_core::types::Type;
/// use shape_model::generate::{GenerateOptions, Generator, Wanted};
/// // Nodes with an input or output of float16.
/// let half = Type::tensor(DataType::Float16);
/// let wanted = Wanted::new(move |_, _, types| types.iter().any(|used| used.known.contains(&half)));
/// let options = GenerateOptions {
///     operators: vec![(String::new(), "Add".to_owned(), Some(14))],
///     wanted: Some(wanted),
///     ..GenerateOptions::default()
/// };
/// for case in Generator::new(Registry::builtin(), &options).take(3) {
///     assert_eq!(case.outputs[0].ty, half);
/// }
/// ```
#[derive(Clone)]
pub struct Wanted {
    decide: Arc<Decide>,
    opset: Option<Arc<DecideOpset>>,
}

impl std::fmt::Debug for Wanted {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Wanted")
    }
}

impl Wanted {
    /// Selects the nodes for which `decide` returns true. Its arguments are the version, the opset of the domain that
    /// the model imports, and the types of each type variable that has values in the node.
    #[must_use]
    pub fn new(decide: impl Fn(&'static Schema, u32, &[UsedTypes]) -> bool + Send + Sync + 'static) -> Self {
        Self { decide: Arc::new(decide), opset: None }
    }

    /// The same, only at the opsets for which `opset` returns true. Without it, nodes are looked for at opsets at which
    /// none is wanted, which takes long and is in vain.
    #[must_use]
    pub fn at_opsets(self, opset: impl Fn(&'static Schema, u32) -> bool + Send + Sync + 'static) -> Self {
        Self { opset: Some(Arc::new(opset)), ..self }
    }

    pub(super) fn accepts_opset(&self, schema: &'static Schema, opset: u32) -> bool {
        self.opset.as_ref().is_none_or(|decide| decide(schema, opset))
    }

    pub(super) fn accepts(&self, opset: u32, found: &Found) -> bool {
        let schema = found.draft.schema;
        let types: Vec<UsedTypes> = (0..schema.types.len()).filter_map(|variable| used(found, variable)).collect();
        self.accepts_opset(schema, opset) && (self.decide)(schema, opset, &types)
    }
}

/// The type variables that have values, with the types of these.
pub(super) fn bindings(found: &Found) -> Vec<(&'static str, Vec<Type>)> {
    let variables = found.draft.schema.types.iter().enumerate();
    variables.filter_map(|(at, constraint)| Some((constraint.name, used(found, at)?.known))).collect()
}

/// The types of the values of a type variable; `None` if it has none.
fn used(found: &Found, variable: usize) -> Option<UsedTypes> {
    let draft = &found.draft;
    let of =
        |formal: Option<&FormalParameter>| formal.is_some_and(|formal| formal.ty == ParameterType::Variable(variable));
    let inputs = (0..draft.inputs.len()).filter(|index| of(draft.formal(*index)));
    let inputs: Vec<Type> = inputs.filter_map(|index| Some(draft.value(index)?.ty())).collect();
    let given = draft.outputs.iter().enumerate().filter(|(index, given)| **given && of(draft.schema.output(*index)));
    let outputs: Vec<Option<Type>> =
        given.map(|(index, _)| found.outputs.get(index).and_then(|output| output.ty)).collect();
    if inputs.is_empty() && outputs.is_empty() {
        return None;
    }
    let (of_input, open) = (!inputs.is_empty(), outputs.contains(&None));
    let mut known: Vec<Type> = inputs.into_iter().chain(outputs.into_iter().flatten()).collect();
    known.sort_unstable();
    known.dedup();
    Some(UsedTypes { variable: Some(variable), known, of_input, open })
}
