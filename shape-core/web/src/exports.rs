//! What JavaScript calls. It runs one call at a time, and none from within another.

#![expect(
    unsafe_code,
    reason = "a function has a name for JavaScript by an attribute that is unsafe: no other may have it"
)]

use std::cell::RefCell;

use shape_cli::page::Session;

use crate::answer::{answer, refusal};
use crate::buffers::Buffers;
use crate::frame::framed;
use crate::panics;

thread_local! {
    static SESSION: RefCell<Result<Session, String>> = RefCell::new(Session::new(None));
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// A buffer of `len` bytes. Zero if there is no memory for it.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(len: usize) -> usize {
    BUFFERS.with_borrow_mut(|buffers| buffers.alloc(len)).map_or(0, |(address, _)| address)
}

/// Frees a buffer. Does nothing if there is none of this length at the address.
#[unsafe(no_mangle)]
pub extern "C" fn free(address: usize, len: usize) {
    // What is not there has been freed.
    let _ = BUFFERS.with_borrow_mut(|buffers| buffers.take((address, len)));
}

/// Answers the question in a buffer, which stays the caller's. The answer is in a buffer of its own: four bytes with the
/// length of the JSON, the lowest first, and the JSON.
#[unsafe(no_mangle)]
pub extern "C" fn ask(address: usize, len: usize) -> usize {
    panics::keep();
    SESSION.with_borrow_mut(|session| {
        BUFFERS.with_borrow_mut(|buffers| {
            let answer = match session {
                Ok(session) => answer(session, buffers, (address, len)),
                Err(error) => refusal(error),
            };
            buffers.hand_out(framed(&answer)).0
        })
    })
}

/// What a panic said, in the form of an answer; zero if there was none. It can be read after the trap, which nothing else
/// can be.
#[unsafe(no_mangle)]
pub extern "C" fn panic_message() -> usize {
    panics::message()
}
