//! Work on all cores, told in order.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge as _, ParallelIterator as _};

/// How often it is told that there is nothing to tell.
const PATIENCE: Duration = Duration::from_millis(100);

/// As much as the main thread has on the usual systems, so that what one model may nest, each of many may.
const STACK: usize = 8 << 20;

/// What is told.
pub(super) enum Step<R> {
    /// So many items are finished; told from time to time.
    Waiting { finished: usize },
    /// What the next item gave.
    Next(R),
}

/// Works on items side by side, and tells on this thread what each gave, in the order of the items; the first error of
/// `tell` ends it. Items are begun in their order too, so that little waits for one before it.
pub(super) fn in_order<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut tell: impl FnMut(Step<R>) -> io::Result<()>,
) -> io::Result<()> {
    let pool = (items.len() > 1).then(|| ThreadPoolBuilder::new().stack_size(STACK).build());
    let Some(Ok(pool)) = pool else {
        // One item needs no thread; where the system gives none, this one does it all.
        return items.iter().enumerate().try_for_each(|(finished, item)| {
            tell(Step::Next(work(item)))?;
            tell(Step::Waiting { finished: finished + 1 })
        });
    };
    let (sender, receiver) = mpsc::channel();
    pool.in_place_scope(|scope| {
        // Gone when this ends, so that the others end too.
        let receiver = receiver;
        let work = &work;
        scope.spawn(move |_| {
            let items = items.iter().enumerate().par_bridge();
            _ = items.try_for_each_with(sender, |sender, (index, item)| sender.send((index, work(item))).ok());
        });
        let mut early = BTreeMap::new();
        let (mut finished, mut next) = (0, 0);
        loop {
            match receiver.recv_timeout(PATIENCE) {
                Ok((index, result)) => {
                    finished += 1;
                    early.insert(index, result);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            while let Some(result) = early.remove(&next) {
                tell(Step::Next(result))?;
                next += 1;
            }
            tell(Step::Waiting { finished })?;
        }
    })
}
