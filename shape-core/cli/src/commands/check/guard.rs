//! Work that may panic: what it says becomes an error, so that the results of other work are not lost.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether this thread does such work.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// What the last panic said, and where.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Does the work; fails with what it says if it panics. Nothing is written to standard error in between the notes
/// of the command.
pub(super) fn guarded<R>(work: impl FnOnce() -> R) -> Result<R, String> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::parallel::{Step, in_order};

    /// The results of the others come in order.
    #[test]
    fn one_that_panics_loses_nothing_of_the_others() {
        let items: Vec<usize> = (0..20).collect();
        for jobs in [None, Some(1), Some(3)] {
            let mut told = Vec::new();
            let work = |item: &usize| guarded(|| if item % 7 == 3 { panic!("of {item}") } else { *item });
            let done = in_order(&items, jobs, work, |step| {
                if let Step::Next(item, result) = step {
                    told.push((*item, result));
                }
                Ok(())
            });
            assert!(done.is_ok());
            for (at, (item, result)) in told.iter().enumerate() {
                let said = result.as_ref().err().is_some_and(|said| said.ends_with(&format!("of {item}")));
                assert!(at == *item && (said || result == &Ok(*item)) && said == (item % 7 == 3), "{told:?}");
            }
            assert_eq!(told.len(), 20);
        }
    }
}
