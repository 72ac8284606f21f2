//! The progress bar while many models are checked.

use std::io;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

use crate::terminal::Terminal;

/// Work that is shorter than this needs no bar.
const DELAY: Duration = Duration::from_millis(500);

/// The progress of the work. The bar appears if standard error is a terminal and the work is long; dropping this
/// removes it.
pub(super) struct Progress {
    models: usize,
    hidden: bool,
    begun: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// `hidden` says that the bar never appears.
    pub(super) fn new(models: usize, hidden: bool) -> Self {
        Self { models, hidden, begun: Instant::now(), bar: None }
    }

    /// Shows the number of finished models.
    pub(super) fn show(&mut self, finished: usize) {
        if self.hidden || self.bar.is_none() && self.begun.elapsed() < DELAY {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| bar(self.models));
        bar.set_position(u64::try_from(finished).unwrap_or(u64::MAX));
    }

    /// Writes to the terminal while the bar is away; it comes back below the text.
    pub(super) fn aside(
        &self,
        terminal: &mut Terminal,
        write: impl FnOnce(&mut Terminal) -> io::Result<()>,
    ) -> io::Result<()> {
        match self.bar.as_ref().filter(|bar| !bar.is_hidden()) {
            None => write(terminal),
            Some(bar) => bar.suspend(|| write(terminal).and_then(|()| terminal.flush())),
        }
    }
}

/// Makes the bar. Only the thread that has locked standard error may draw it; another one would wait for ever.
fn bar(models: usize) -> ProgressBar {
    let models = u64::try_from(models).unwrap_or(u64::MAX);
    let bar = ProgressBar::with_draw_target(Some(models), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("[{bar:40}] {pos} of {len} models");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ");
    bar.with_style(style).with_finish(ProgressFinish::AndClear)
}
