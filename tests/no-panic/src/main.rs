//! Calls the kernels as generated code does, from functions that the linker refuses if anything in them can panic.

use std::hint::black_box;

use no_panic::no_panic;
use shape_core::Infer;
use shape_core::code::Code;
use shape_core::dims::{Dims, Fact, Inputs, Outputs};
use shape_core::elements::Elements;
use shape_core::opset25::{Reshape, Shape};

/// What a kernel says of the first output.
#[derive(Default)]
struct Said {
    rank: Option<usize>,
    sum: u64,
}

impl Outputs<u64> for Said {
    fn dims(&mut self, _: usize, dims: Dims<'_>) {
        self.rank = dims.rank().ok();
        for axis in 0..self.rank.unwrap_or(0) {
            self.sum = self.sum.wrapping_add(dims.dim(axis).unwrap_or(0));
        }
    }

    fn sizes(&mut self, _: usize, sizes: &[u64]) {
        self.sum = sizes.iter().fold(0, |sum, size| sum.wrapping_add(*size));
    }

    fn elements_of(&mut self, _: usize, _: usize) {}
}

#[no_panic]
fn shape_slice(dims: &[u64], start: i64, end: Option<i64>) -> &[u64] {
    shape_core::kernels::shape::shape(dims, start, end)
}

#[no_panic]
fn shape_node(dims: Option<&[u64]>, start: i64, end: Option<i64>, said: &mut Said) -> Option<Code> {
    #[cfg(feature = "shape-panics")]
    assert!(start < 20, "seeded");
    let data = Fact { dims, ..Fact::default() };
    Shape { start, end }.infer(Inputs(&[Some(data)]), said).err().map(|problem| problem.code())
}

#[no_panic]
fn reshape_node(
    dims: Option<&[u64]>,
    target_dims: Option<&[u64]>,
    target: Option<&[i64]>,
    allowzero: i64,
    said: &mut Said,
) -> Option<Code> {
    #[cfg(feature = "reshape-panics")]
    assert!(allowzero < 20, "seeded");
    let data = Fact { dims, ..Fact::default() };
    let shape = Fact { dims: target_dims, elements: target.map(Elements::Ints), ..Fact::default() };
    Reshape { allowzero }.infer(Inputs(&[Some(data), Some(shape)]), said).err().map(|problem| problem.code())
}

fn main() {
    let dims: &[u64] = black_box(&[2, 3, 4]);
    let target: &[i64] = black_box(&[-1, 12]);
    let (start, end) = black_box((-2, None));
    let mut said = Said::default();
    println!("{:?}", shape_slice(dims, start, end));
    println!("{:?} {:?} {}", shape_node(black_box(Some(dims)), start, end, &mut said), said.rank, said.sum);
    let mut said = Said::default();
    let code = reshape_node(black_box(Some(dims)), black_box(None), black_box(Some(target)), black_box(0), &mut said);
    println!("{code:?} {:?} {}", said.rank, said.sum);
}
