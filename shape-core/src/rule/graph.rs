//! A graph attribute as an argument of a rule.

use crate::dimension::Dimension;
use crate::elements::Elements;
use crate::facts::{Fact, Subgraphs, UnknownCause, copy};
use crate::node::GraphView;

/// A graph attribute.
pub struct Graph<'n, D: Dimension> {
    pub(super) attribute: Option<usize>,
    pub(super) view: Option<GraphView<'n>>,
    pub(super) graphs: &'n dyn Subgraphs<D>,
}

impl<'n, D: Dimension> Graph<'n, D> {
    /// One of its outputs, as far as it is known.
    #[must_use]
    pub fn output(&self, index: usize) -> GraphOutput<'n, D> {
        let fact = self.view.and_then(|view| self.graphs.output(view, index)).unwrap_or_default();
        GraphOutput { attribute: self.attribute, index, fact }
    }
}

/// What is known of an output of a graph attribute.
pub struct GraphOutput<'n, D: Dimension> {
    attribute: Option<usize>,
    index: usize,
    fact: Fact<'n, D>,
}

impl<'n, D: Dimension> GraphOutput<'n, D> {
    /// Its dimensions.
    ///
    /// # Errors
    /// They are not known.
    pub fn dims(&self) -> Result<&'n [D], UnknownCause> {
        self.fact.dims.ok_or(self.cause(|attribute, output| UnknownCause::GraphDims { attribute, output }))
    }

    /// Its elements, each known or not.
    ///
    /// # Errors
    /// Nothing is known of them.
    pub fn elements(&self) -> Result<Elements<'n, D>, UnknownCause> {
        self.fact.elements.ok_or(self.cause(|attribute, output| UnknownCause::GraphElements { attribute, output }))
    }

    fn cause(&self, cause: fn(usize, usize) -> UnknownCause) -> UnknownCause {
        self.attribute.map_or(UnknownCause::NotGiven, |attribute| cause(attribute, self.index))
    }
}

copy!(Graph, GraphOutput);
