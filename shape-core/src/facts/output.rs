//! How a rule writes the outputs of a node, and reads the graphs in it.

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

/// For a node without graphs, or if nothing is known of them.
impl<D: Dimension> Subgraphs<D> for () {
    fn output(&self, _: GraphView<'_>, _: usize) -> Option<Fact<'_, D>> {
        None
    }
}

/// The number of elements, and a closure that returns each of them.
pub type EachElement<'a, D> = (usize, &'a dyn Fn(usize) -> Scalar<D>);

/// Receives what a rule infers about the outputs of a node.
pub trait Outputs<D: Dimension> {
    /// How many outputs the node has.
    fn count(&self) -> usize {
        1
    }

    /// Whether the node has the output at an index, rather than an empty name in its place.
    fn given(&self, output: usize) -> bool {
        output < self.count()
    }

    /// Sets the dimensions of an output.
    fn dims(&mut self, output: usize, dims: Dims<'_, D>);

    /// Sets the elements of an output that is a tensor of sizes, in row-major order.
    fn sizes(&mut self, output: usize, sizes: &[D]) {
        let size = |index: usize| sizes.get(index).map_or(Scalar::Int(0), |size| Scalar::size(size.clone()));
        self.elements(output, Ok((sizes.len(), &size)));
    }

    /// Sets the elements of an output in row-major order: how many, and each of them; or why none is known.
    fn elements(&mut self, output: usize, elements: Result<EachElement<'_, D>, UnknownCause>);

    /// Copies all elements of an input to an output, in their order, of any type.
    fn elements_of(&mut self, output: usize, input: usize);

    /// Records how many multiply-adds an output takes. By default it is not needed.
    fn multiply_adds(&mut self, output: usize, count: MultiplyAdds<'_, D>) {
        _ = (output, count);
    }

    /// Records a fact that holds in every run that succeeds. By default it is not needed.
    fn implies(&mut self, implied: Implied<'_, D>) {
        _ = implied;
    }
}

/// How many multiply-adds an output takes: multiplications, each with an addition, in products of matrices and in
/// convolutions. What else a node computes, such as a bias or a softmax, is not among them.
///
/// A number is computed only if it is asked for.
#[derive(Clone, Copy)]
pub enum MultiplyAdds<'d, D> {
    /// This many for each element of the output.
    EachElement(&'d dyn Fn() -> Result<D, UnknownCause>),
    /// This many in total.
    InAll(&'d dyn Fn() -> Result<D, UnknownCause>),
}

/// What must hold if a node runs without an error.
#[derive(Clone, Copy, Debug)]
pub enum Implied<'d, D> {
    /// Two dimensions are equal.
    Equal(&'d D, &'d D),
    /// A dimension is not 0.
    NotZero(&'d D),
}
