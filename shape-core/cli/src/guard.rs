//! Runs work that may panic: its message becomes an error, so that the results of other work are not lost.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether this thread does such work.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// What the last panic said, and where.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Does the work; if it panics, fails with the message of the panic. Nothing is written to standard error in between
/// the notes of the command.
pub(crate) fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if GUARDED.get() {
                SAID.set(Some(info.to_string().replace('\n', " ")));
            } else {
                before(info);
            }
        }));
    });
    GUARDED.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(false);
    result.map_err(|_| SAID.take().unwrap_or_default())
}
