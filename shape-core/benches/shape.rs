//! The slice of dimensions that Shape gives beside a bare slice of the same dims, in the same run: nanoseconds a call, their ratio, and what
//! each allocates. Goal: at most 1.5 times the slice, and no allocation.

use std::alloc::System;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use shape_core::rules::shape::dims_between;

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

#[expect(unsafe_code, reason = "an allocator is an unsafe trait; this one only counts")]
// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl std::alloc::GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: std::alloc::Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: std::alloc::Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

const CALLS: u32 = 1 << 16;
const ROUNDS: usize = 101;

/// Nanoseconds a call, in one round.
fn round(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..CALLS {
        call();
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn compare(dims: &[u64], start: i64, end: Option<i64>, from: usize, to: usize) {
    let (mut rule, mut slice) = (Vec::with_capacity(ROUNDS), Vec::with_capacity(ROUNDS));
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    // Alternating, so that what else the machine does falls on both.
    for _ in 0..ROUNDS {
        rule.push(round(|| {
            black_box(dims_between(black_box(dims), black_box(start), black_box(end)));
        }));
        slice.push(round(|| {
            black_box(&black_box(dims)[black_box(from)..black_box(to)]);
        }));
    }
    let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
    let (rule, slice) = (median(rule), median(slice));
    println!(
        "rank {:2}, start {start:2}, end {:7}: rule {rule:5.2} ns, slice {slice:5.2} ns, ratio {:4.2}, {allocations} allocations",
        dims.len(),
        format!("{end:?}"),
        rule / slice,
    );
}

fn main() {
    for rank in [4_usize, 16] {
        let dims: Vec<u64> = (1..=rank as u64).collect();
        compare(&dims, 0, None, 0, rank);
        compare(&dims, 1, Some(3), 1, 3);
        compare(&dims, -2, None, rank - 2, rank);
        compare(&dims, 1, Some(-1), 1, rank - 1);
    }
}
