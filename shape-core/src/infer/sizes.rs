//! Finds dimensions past int64 in the outputs of any rule.

use core::cell::Cell;

use crate::code::Code;
use crate::dimension::Dimension;
use crate::facts::{Dims, EachElement, Implied, MultiplyAdds, Outputs, UnknownCause};
use crate::problem::{Detail, Problem};

/// The outputs of a node, with a record of whether one of them got a dimension past int64.
pub(super) struct Sizes<'o, D: Dimension> {
    outputs: &'o mut dyn Outputs<D>,
    past_largest: bool,
}

impl<'o, D: Dimension> Sizes<'o, D> {
    pub(super) fn new(outputs: &'o mut dyn Outputs<D>) -> Self {
        Self { outputs, past_largest: false }
    }

    /// Checks that every dimension so far can be one.
    ///
    /// # Errors
    /// One is past int64.
    pub(super) fn check(&self) -> Result<(), Problem<'static>> {
        if !self.past_largest {
            return Ok(());
        }
        Err(Problem::Refused {
            code: Code::DimsTooLarge,
            message: "a dimension of an output would be past int64",
            expected: Detail::Text("at most 2^63 - 1"),
            found: Detail::Text("a larger number"),
        })
    }
}

impl<D: Dimension> Outputs<D> for Sizes<'_, D> {
    fn count(&self) -> usize {
        self.outputs.count()
    }

    fn given(&self, output: usize) -> bool {
        self.outputs.given(output)
    }

    fn dims(&mut self, output: usize, dims: Dims<'_, D>) {
        match dims {
            Dims::Each(rank, each) => {
                let past_largest = Cell::new(self.past_largest);
                let each = |axis: usize| {
                    let dim = each(axis);
                    past_largest.set(past_largest.get() || matches!(dim, Err(UnknownCause::PastLargest)));
                    dim
                };
                self.outputs.dims(output, Dims::Each(rank, &each));
                self.past_largest = past_largest.get();
            }
            Dims::Unknown(UnknownCause::PastLargest) => self.past_largest = true,
            dims => self.outputs.dims(output, dims),
        }
    }

    fn sizes(&mut self, output: usize, sizes: &[D]) {
        self.outputs.sizes(output, sizes);
    }

    fn elements(&mut self, output: usize, elements: Result<EachElement<'_, D>, UnknownCause>) {
        self.outputs.elements(output, elements);
    }

    fn elements_of(&mut self, output: usize, input: usize) {
        self.outputs.elements_of(output, input);
    }

    fn multiply_adds(&mut self, output: usize, count: MultiplyAdds<'_, D>) {
        self.outputs.multiply_adds(output, count);
    }

    fn implies(&mut self, implied: Implied<'_, D>) {
        self.outputs.implies(implied);
    }
}
