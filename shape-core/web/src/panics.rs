//! What JavaScript reads after a trap.
//!
//! A panic ends in a trap, which tells JavaScript nothing but that there was one.

use std::sync::{Once, OnceLock};

use crate::frame::framed;

/// What the first panic said, behind its length.
static MESSAGE: OnceLock<Box<[u8]>> = OnceLock::new();

/// From now on the message of a panic is kept.
pub(crate) fn keep() {
    static KEPT: Once = Once::new();
    KEPT.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let _ = MESSAGE.set(framed(&panic.to_string()).into_boxed_slice());
        }));
    });
}

/// The address of the message; zero if there was no panic.
pub(crate) fn message() -> usize {
    MESSAGE.get().map_or(0, |message| message.as_ptr().expose_provenance())
}
