//! What a rule says of the outputs of a node, and of the graphs in it.

use super::cause::UnknownCause;
use super::dims::Dims;
use super::input::Fact;
use crate::dimension::Dimension;
use crate::elements::Scalar;
use crate::node::GraphView;

/// What is known of the graphs in the attributes of a node.
pub trait Subgraphs<D: Dimension> {
    /// An output of a graph, as far as it is known.
    fn output(&self, graph: GraphView<'_>, index: usize) -> Option<Fact<'_, D>>;
}

/// Of a node without graphs, or where nothing is known of them.
impl<D: Dimension> Subgraphs<D> for () {
    fn output(&self, _: GraphView<'_>, _: usize) -> Option<Fact<'_, D>> {
        None
    }
}

/// How many elements there are, and each of them.
pub type EachElement<'a, D> = (usize, &'a dyn Fn(usize) -> Scalar<D>);

/// Where a rule leaves what it finds about the outputs of a node.
pub trait Outputs<D: Dimension> {
    /// How many outputs the node has.
    fn count(&self) -> usize {
        1
    }

    /// The dimensions of an output.
    fn dims(&mut self, output: usize, dims: Dims<'_, D>);

    /// The elements of an output that is a tensor of sizes, in row-major order.
    fn sizes(&mut self, output: usize, sizes: &[D]) {
        let size = |index: usize| sizes.get(index).map_or(Scalar::Int(0), |size| Scalar::size(size.clone()));
        self.elements(output, Ok((sizes.len(), &size)));
    }

    /// The elements of an output in row-major order: how many there are, and each of them; or why none is known.
    fn elements(&mut self, output: usize, elements: Result<EachElement<'_, D>, UnknownCause>);

    /// An output has the elements of an input, all of them and in their order, whatever their type.
    fn elements_of(&mut self, output: usize, input: usize);
}
