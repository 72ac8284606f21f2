//! A progress line on standard error. It appears if standard error is a terminal and the work is long; dropping it
//! removes it.

#[cfg(not(target_family = "wasm"))]
pub(crate) use drawn::Progress;
#[cfg(target_family = "wasm")]
pub(crate) use nowhere::Progress;

#[cfg(not(target_family = "wasm"))]
mod drawn {
    use std::io;
    use std::time::{Duration, Instant};

    use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

    use crate::terminal::Terminal;

    /// Work that is shorter than this shows nothing.
    const DELAY: Duration = Duration::from_millis(500);

    pub(crate) struct Progress {
        template: &'static str,
        length: Option<u64>,
        hidden: bool,
        begun: Instant,
        drawn: Option<ProgressBar>,
    }

    impl Progress {
        /// A bar that fills up, for work of a known length. `hidden` says that it never appears.
        pub(crate) fn new(template: &'static str, length: usize, hidden: bool) -> Self {
            let length = Some(u64::try_from(length).unwrap_or(u64::MAX));
            Self { template, length, hidden, begun: Instant::now(), drawn: None }
        }

        /// A line for work of an unknown length.
        pub(crate) fn endless(template: &'static str, hidden: bool) -> Self {
            Self { template, length: None, hidden, begun: Instant::now(), drawn: None }
        }

        pub(crate) fn position(&mut self, position: usize) {
            if let Some(line) = self.line() {
                line.set_position(u64::try_from(position).unwrap_or(u64::MAX));
            }
        }

        pub(crate) fn message(&mut self, message: impl FnOnce() -> String) {
            if let Some(line) = self.line() {
                line.set_message(message());
                line.tick();
            }
        }

        /// Hides the line while `write` writes to the terminal; then it appears again below the text.
        pub(crate) fn aside(
            &self,
            terminal: &mut Terminal,
            write: impl FnOnce(&mut Terminal) -> io::Result<()>,
        ) -> io::Result<()> {
            match self.drawn.as_ref().filter(|drawn| !drawn.is_hidden()) {
                None => write(terminal),
                Some(drawn) => drawn.suspend(|| write(terminal).and_then(|()| terminal.flush())),
            }
        }

        /// Removes the line, as dropping this does.
        pub(crate) fn end(self) {
            drop(self);
        }

        /// Only the thread that has locked standard error may call this; another one would wait for ever.
        fn line(&mut self) -> Option<&ProgressBar> {
            if self.hidden || self.drawn.is_none() && self.begun.elapsed() < DELAY {
                return None;
            }
            Some(self.drawn.get_or_insert_with(|| {
                let plain =
                    || self.length.map_or_else(ProgressStyle::default_spinner, |_| ProgressStyle::default_bar());
                let style = ProgressStyle::with_template(self.template).unwrap_or_else(|_| plain());
                ProgressBar::with_draw_target(self.length, ProgressDrawTarget::stderr())
                    .with_style(style.progress_chars("=> "))
            }))
        }
    }

    impl Drop for Progress {
        fn drop(&mut self) {
            if let Some(drawn) = &self.drawn {
                drawn.finish_and_clear();
            }
        }
    }
}

/// WebAssembly has no terminal.
#[cfg(target_family = "wasm")]
mod nowhere {
    use std::io;

    use crate::terminal::Terminal;

    pub(crate) struct Progress;

    impl Progress {
        pub(crate) fn new(_: &'static str, _: usize, _: bool) -> Self {
            Self
        }

        pub(crate) fn endless(_: &'static str, _: bool) -> Self {
            Self
        }

        pub(crate) fn position(&mut self, _: usize) {}

        pub(crate) fn message(&mut self, _: impl FnOnce() -> String) {}

        pub(crate) fn aside(
            &self,
            terminal: &mut Terminal,
            write: impl FnOnce(&mut Terminal) -> io::Result<()>,
        ) -> io::Result<()> {
            write(terminal)
        }

        pub(crate) fn end(self) {}
    }
}
