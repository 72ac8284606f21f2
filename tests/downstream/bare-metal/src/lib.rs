//! Shape and Reshape for C, without an operating system and without a heap: `include/shape_rules.h` says what each
//! function does. Where a pointer and a length stand side by side, no pointer is read where the length is 0.

#![no_std]
#![warn(unsafe_op_in_unsafe_fn, missing_docs)]

use core::ffi::c_int;
use core::panic::PanicInfo;
use core::slice;

use shape_core::Operator;
use shape_core::code::Code;
use shape_core::elements::Elements;
use shape_core::facts::{Dims, EachElement, Fact, Inputs, Outputs, UnknownCause};
use shape_core::opset25::Reshape;

unsafe extern "C" {
    // No library has it. A program that links is one in which nothing panics.
    safe fn shape_rules_would_panic() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    shape_rules_would_panic()
}

/// Why a target has no answer.
#[repr(C)]
#[expect(non_camel_case_types, reason = "as the header names them")]
pub enum reshape_status {
    /// It has one.
    RESHAPE_OK = 0,
    /// An entry is below -1, a second -1, or copies a dimension that is not there.
    RESHAPE_ENTRY = 1,
    /// A -1 beside a zero.
    RESHAPE_ZERO = 2,
    /// More elements than int64 counts.
    RESHAPE_OVERFLOW = 3,
    /// The numbers of elements differ, or do not divide.
    RESHAPE_COUNT = 4,
    /// More entries than any tensor has dimensions.
    RESHAPE_LENGTH = 5,
    /// `allowzero` is neither 0 nor 1.
    RESHAPE_ALLOWZERO = 6,
}

/// A slice as C hands it over.
///
/// # Safety
/// `first` points to `length` elements that nobody changes meanwhile, or `length` is 0.
unsafe fn borrowed<'a, T>(first: *const T, length: usize) -> &'a [T] {
    // SAFETY: as the caller says.
    if length == 0 { &[] } else { unsafe { slice::from_raw_parts(first, length) } }
}

/// See `shape_rules.h`.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shape_slice(
    dims: *const u64,
    rank: usize,
    start: i64,
    end: *const i64,
    length: *mut usize,
) -> *const u64 {
    // SAFETY: as the caller says.
    let (dims, end) = unsafe { (borrowed(dims, rank), end.as_ref().copied()) };
    #[cfg(feature = "panics")]
    assert!(rank < 7, "seeded");
    let slice = shape_core::rules::shape::dims_between(dims, start, end);
    // SAFETY: as the caller says.
    unsafe { length.write(slice.len()) };
    slice.as_ptr()
}

/// What the rule says, put where C wants it.
struct Written<'a>(&'a mut [u64]);

impl Outputs<u64> for Written<'_> {
    fn dims(&mut self, _: usize, dims: Dims<'_>) {
        for (axis, slot) in self.0.iter_mut().enumerate() {
            *slot = dims.dim(axis).unwrap_or(0);
        }
    }

    fn elements(&mut self, _: usize, _: Result<EachElement<'_, u64>, UnknownCause>) {}

    fn elements_of(&mut self, _: usize, _: usize) {}
}

/// See `shape_rules.h`.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn reshape_target(
    dims: *const u64,
    rank: usize,
    target: *const i64,
    length: usize,
    allowzero: i64,
    output: *mut u64,
) -> c_int {
    if !matches!(allowzero, 0 | 1) {
        return reshape_status::RESHAPE_ALLOWZERO as c_int;
    }
    // SAFETY: as the caller says.
    let (dims, target) = unsafe { (borrowed(dims, rank), borrowed(target, length)) };
    // SAFETY: as the caller says.
    let output = if length == 0 { &mut [] } else { unsafe { slice::from_raw_parts_mut(output, length) } };
    let data = Fact { dims: Some(dims), ..Fact::default() };
    let len = [length as u64];
    let shape = Fact { dims: Some(&len), elements: Some(Elements::Ints(target)), ..Fact::default() };
    let reshape = Reshape { allowzero };
    let outcome = reshape.infer_outputs(Inputs(&[Some(data), Some(shape)]), &mut Written(output));
    let status = match outcome.map_err(|problem| problem.code()) {
        Ok(()) => reshape_status::RESHAPE_OK,
        Err(Code::TargetEntry) => reshape_status::RESHAPE_ENTRY,
        Err(Code::TargetZero) => reshape_status::RESHAPE_ZERO,
        Err(Code::ElementOverflow) => reshape_status::RESHAPE_OVERFLOW,
        Err(Code::TargetLength) => reshape_status::RESHAPE_LENGTH,
        Err(_) => reshape_status::RESHAPE_COUNT,
    };
    status as c_int
}
