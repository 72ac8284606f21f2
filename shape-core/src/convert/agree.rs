//! Whether the rules of two versions agree about a node.

use alloc::vec::Vec;

use super::draft::{Draft, same};
use super::node::{Attribute, Input};
use crate::facts::{Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use crate::node::NodeAttribute;
use crate::schema::Schema;
use crate::symbolic::Dim;

/// The dimensions of each output; `None` for one whose rank is not known.
struct Kept(Vec<Option<Vec<Option<Dim>>>>);

impl Outputs<Dim> for Kept {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn dims(&mut self, output: usize, dims: Dims<'_, Dim>) {
        if let Some(kept) = self.0.get_mut(output) {
            *kept = dims.rank().ok().map(|rank| (0..rank).map(|axis| dims.dim(axis).ok()).collect());
        }
    }

    fn elements(&mut self, _: usize, _: Result<EachElement<'_, Dim>, UnknownCause>) {}

    fn elements_of(&mut self, _: usize, _: usize) {}
}

/// Whether the rules of both versions give the outputs of a node the same dimensions; `None` if that is not known. The
/// node
/// has the same inputs in both.
pub(super) fn agree(draft: &Draft<'_>, left: &'static Schema, right: &'static Schema) -> Option<bool> {
    let (left, right) = (infer(draft, left)?, infer(draft, right)?);
    let mut all = Some(true);
    for pair in left.iter().zip(&right) {
        match same(pair.0, pair.1) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}

fn infer(draft: &Draft<'_>, schema: &'static Schema) -> Option<Vec<Vec<Dim>>> {
    let attributes: Vec<NodeAttribute<'_>> = draft.attributes.iter().map(Attribute::view).collect();
    let given = draft.inputs.iter().map(|(_, input)| (*input != Input::Absent).then_some(input));
    let facts = given.map(|input| input.map(|input| Fact { ty: input.ty(), dims: input.dims(), elements: None }));
    let inputs: Vec<Option<Fact<'_, Dim>>> = facts.collect();
    let mut kept = Kept(draft.outputs.iter().map(|_| None).collect());
    schema.infer_symbolic(&attributes, Inputs(&inputs), &mut kept).ok()?;
    kept.0.into_iter().map(|dims| dims?.into_iter().collect()).collect()
}
