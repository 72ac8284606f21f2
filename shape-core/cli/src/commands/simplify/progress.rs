//! What a long simplification is at.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is shorter than this shows nothing.
const DELAY: Duration = Duration::from_millis(500);

/// The line that says which pass runs. It appears if standard error is a terminal and the work is long; dropping this removes
/// it.
pub(super) struct Phases {
    hidden: bool,
    begun: Instant,
    line: Option<ProgressBar>,
}

impl Phases {
    /// `hidden` says that the line never appears.
    pub(super) fn new(hidden: bool) -> Self {
        Self { hidden, begun: Instant::now(), line: None }
    }

    pub(super) fn show(&mut self, round: usize, pass: &str) {
        if self.hidden || self.line.is_none() && self.begun.elapsed() < DELAY {
            return;
        }
        let line = self.line.get_or_insert_with(|| {
            let style =
                ProgressStyle::with_template("{spinner} {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner());
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_style(style)
        });
        line.set_message(format!("round {}: {pass}", round + 1));
        line.tick();
    }
}

impl Drop for Phases {
    fn drop(&mut self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }
}
