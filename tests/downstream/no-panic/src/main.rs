//! Calls the rules as generated code does, in a program that the linker refuses if anything that it reaches can panic.

#![no_std]
#![no_main]

use core::ffi::{c_char, c_int};
use core::hint::black_box;
use core::panic::PanicInfo;

use shape_core::Operator;
use shape_core::code::Code;
use shape_core::elements::{Elements, Scalar};
use shape_core::facts::{Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use shape_core::opset25::{Reshape, Shape};

unsafe extern "C" {
    // No library has it. A program that links is one in which nothing panics.
    safe fn shape_rules_would_panic() -> !;
}

#[link(name = "c")]
unsafe extern "C" {
    fn printf(format: *const c_char, ...) -> c_int;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    shape_rules_would_panic()
}

/// What compiled parts of Rust name for unwinding, which nothing here does.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

/// What a rule says of the first output.
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

    fn elements(&mut self, _: usize, elements: Result<EachElement<'_, u64>, UnknownCause>) {
        let Ok((count, each)) = elements else { return };
        let size = |index| if let Scalar::Int(size) = each(index) { size.unsigned_abs() } else { 0 };
        self.sum = (0..count).fold(0, |sum, index| sum.wrapping_add(size(index)));
    }

    fn elements_of(&mut self, _: usize, _: usize) {}
}

#[inline(never)]
fn shape_slice(dims: &[u64], start: i64, end: Option<i64>) -> &[u64] {
    shape_core::rules::shape::dims_between(dims, start, end)
}

#[inline(never)]
fn shape_node(dims: Option<&[u64]>, start: i64, end: Option<i64>, said: &mut Said) -> Option<Code> {
    #[cfg(feature = "shape-panics")]
    assert!(start < 20, "seeded");
    let data = Fact { dims, ..Fact::default() };
    Shape { start, end }.infer_outputs(Inputs(&[Some(data)]), said).err().map(|problem| problem.code())
}

#[inline(never)]
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
    Reshape { allowzero }.infer_outputs(Inputs(&[Some(data), Some(shape)]), said).err().map(|problem| problem.code())
}

/// Prints a number for each: of a code, whether there is one.
fn print(code: Option<Code>, said: &Said) {
    let (code, rank) = (c_int::from(code.is_some()), said.rank.map_or(-1, |rank| rank as c_int));
    // SAFETY: the text has a conversion for each of the numbers, and ends.
    unsafe { printf(c"%d %d %llu\n".as_ptr(), code, rank, said.sum) };
}

#[unsafe(no_mangle)]
extern "C" fn main() -> c_int {
    let dims: &[u64] = black_box(&[2, 3, 4]);
    let target: &[i64] = black_box(&[-1, 12]);
    let (start, end) = black_box((-2, None));
    for size in shape_slice(dims, start, end) {
        // SAFETY: as above.
        unsafe { printf(c"%llu\n".as_ptr(), *size) };
    }
    let mut said = Said::default();
    let code = shape_node(black_box(Some(dims)), start, end, &mut said);
    print(code, &said);
    let mut said = Said::default();
    let code = reshape_node(black_box(Some(dims)), black_box(None), black_box(Some(target)), black_box(0), &mut said);
    print(code, &said);
    0
}
