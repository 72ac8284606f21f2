//! Measures how long each step of a command takes, for `--verbose`.

use std::fmt;
use std::time::{Duration, Instant};

/// The steps that were taken with a file, in their order.
pub(crate) struct Steps {
    begun: Instant,
    taken: Vec<(&'static str, Duration)>,
}

impl Steps {
    /// Begins the first step.
    pub(crate) fn begin() -> Self {
        Self { begun: Instant::now(), taken: Vec::new() }
    }

    /// Ends a step and begins the next one. `done` says what was done, as in `read`.
    pub(crate) fn end(&mut self, done: &'static str) {
        let now = Instant::now();
        self.taken.push((done, now.duration_since(self.begun)));
        self.begun = now;
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (done, took)) in self.taken.iter().enumerate() {
            let apart = if index == 0 { "" } else { ", " };
            write!(formatter, "{apart}{done} in {:.1} ms", took.as_secs_f64() * 1e3)?;
        }
        Ok(())
    }
}
