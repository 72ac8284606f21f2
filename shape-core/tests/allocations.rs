//! What arithmetic asks of the memory: nothing for numbers, little for a symbol and a number.

#![cfg(feature = "alloc")]

use std::alloc::System;
use std::cell::Cell;

use shape_core::dimension::Dimension as _;
use shape_core::elements::Scalar;
use shape_core::symbolic::{Dim, Symbols};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

#[expect(unsafe_code, reason = "an allocator is an unsafe trait; this one only counts")]
// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl std::alloc::GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: std::alloc::Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: std::alloc::Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations<T>(call: impl FnOnce() -> T) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    let result = call();
    let after = ALLOCATIONS.with(Cell::get);
    drop(result);
    after - before
}

type Operation = fn(&Scalar<Dim>, &Scalar<Dim>) -> Scalar<Dim>;

const OPERATIONS: [(&str, Operation); 9] = [
    ("plus", Scalar::add),
    ("minus", Scalar::sub),
    ("times", Scalar::mul),
    ("divided", Scalar::divided),
    ("remainder", |a, b| a.remainder(b, false)),
    ("larger", Scalar::max),
    ("smaller", Scalar::min),
    ("equals", Scalar::equals),
    ("is_less", Scalar::is_less),
];

#[test]
fn numbers_take_no_memory() {
    for (name, operation) in OPERATIONS {
        for (a, b) in [(7, 3), (-7, 3), (i64::MAX, i64::MAX), (1, 0), (i64::MIN, -1)] {
            let (left, right) = (Scalar::Int(a), Scalar::Int(b));
            assert_eq!(allocations(|| operation(&left, &right)), 0, "{name}({a}, {b})");
        }
    }
    let (a, b) = (Dim::Known(12), Dim::Known(5));
    let all = || (a.add(&b), a.sub(&b), a.mul(&b), a.floor_div(5), a.ceil_div(5), a.max(&b), a.min(&b));
    assert_eq!(allocations(all), 0);
}

#[test]
fn symbols_take_little() {
    let mut symbols = Symbols::default();
    let n = symbols.dim("N");
    let element = Scalar::Size(n.clone());
    for (name, number, most) in [
        ("plus", 1, 1),
        ("plus", -1, 1),
        ("minus", 1, 1),
        ("times", 2, 1),
        ("times", 0, 0),
        ("larger", 0, 0),
        ("larger", -1, 0),
        ("smaller", 0, 0),
        ("equals", -1, 0),
        ("is_less", 0, 0),
        ("divided", 2, 6),
    ] {
        let (_, operation) = OPERATIONS.into_iter().find(|(other, _)| *other == name).unwrap();
        let found = allocations(|| operation(&element, &Scalar::Int(number)));
        assert!(found <= most, "{name}(N, {number}): {found} allocations");
    }
    for (name, found) in [
        ("plus", allocations(|| n.add(&Dim::Known(1)))),
        ("minus", allocations(|| n.sub(&Dim::Known(1)))),
        ("times", allocations(|| n.mul(&Dim::Known(2)))),
    ] {
        assert!(found <= 1, "{name}: {found} allocations");
    }
}
