//! Runs work on all cores, and hands over the results in order.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge as _, ParallelIterator as _};

/// How often the caller hears of progress while no result arrives.
const INTERVAL: Duration = Duration::from_millis(100);

/// The stack of the main thread on the usual systems, so that a model may nest as deep here as if it were checked
/// alone.
const STACK: usize = 8 << 20;

/// What `report` is called with.
pub(super) enum Step<'t, T, R> {
    /// The number of finished items; reported from time to time.
    Waiting { finished: usize },
    /// The next item, and its result.
    Next(&'t T, R),
}

/// Works on items in parallel, with `jobs` threads or as many as there are cores, and calls `report` on this thread with each result, in the order of the items. The first
/// error of `report` ends it. Items are started in order too, so that few results wait for an earlier one.
pub(super) fn in_order<'t, T: Sync, R: Send>(
    items: &'t [T],
    jobs: Option<usize>,
    work: impl Fn(&T) -> R + Sync,
    mut report: impl FnMut(Step<'t, T, R>) -> io::Result<()>,
) -> io::Result<()> {
    let pool =
        (items.len() > 1).then(|| ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).stack_size(STACK).build());
    let Some(Ok(pool)) = pool else {
        // One item needs no thread, and a system may refuse to start one.
        return items.iter().enumerate().try_for_each(|(finished, item)| {
            report(Step::Next(item, work(item)))?;
            report(Step::Waiting { finished: finished + 1 })
        });
    };
    let (sender, receiver) = mpsc::channel();
    pool.in_place_scope(|scope| {
        // Dropped at the end of this closure, so that the workers stop too.
        let receiver = receiver;
        let work = &work;
        scope.spawn(move |_| {
            let items = items.iter().enumerate().par_bridge();
            _ = items.try_for_each_with(sender, |sender, (index, item)| sender.send((index, (item, work(item)))).ok());
        });
        let mut early = BTreeMap::new();
        let (mut finished, mut next) = (0, 0);
        loop {
            match receiver.recv_timeout(INTERVAL) {
                Ok((index, result)) => {
                    finished += 1;
                    early.insert(index, result);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            while let Some((item, result)) = early.remove(&next) {
                report(Step::Next(item, result))?;
                next += 1;
            }
            report(Step::Waiting { finished })?;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::guarded;

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
