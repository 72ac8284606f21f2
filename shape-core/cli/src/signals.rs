//! Deletes temporary files if a signal ends the command.

#[cfg(unix)]
pub(crate) use unix::watch;

/// Does nothing: on other systems, a command that is ended while it writes leaves its temporary file.
#[cfg(not(unix))]
pub(crate) fn watch() {}

#[cfg(unix)]
mod unix {
    use std::sync::{Once, mpsc};
    use std::{mem, ptr, thread};

    use shape_model::file::discard_unfinished;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    /// From now on, a signal that ends the command deletes its temporary files first. To be called before the first of
    /// them is made; commands that write nothing end as quickly as ever.
    pub(crate) fn watch() {
        static WATCHED: Once = Once::new();
        WATCHED.call_once(|| {
            let (ready, watching) = mpsc::channel::<()>();
            let watcher = thread::Builder::new().spawn(move || {
                let signals = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| !is_ignored(*signal));
                // Without the watch, a signal ends the command as ever.
                let Ok(mut signals) = Signals::new(signals) else { return };
                drop(ready);
                if let Some(signal) = signals.forever().next() {
                    discard_unfinished();
                    // The command ends by the signal, as its caller expects.
                    let _ = emulate_default_handler(signal);
                }
            });
            if watcher.is_ok() {
                // Ends with an error when the other side is dropped: the watch has begun, or cannot begin.
                let _ = watching.recv();
            }
        });
    }

    /// Whether the command was started with a signal ignored, as `nohup` does; then the signal must not end it.
    fn is_ignored(signal: i32) -> bool {
        #[expect(unsafe_code, reason = "no safe function tells how a signal is handled")]
        // SAFETY: the action is plain data, for which zeros are valid, and without a new one the call only writes it.
        unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            libc::sigaction(signal, ptr::null(), &raw mut action) == 0 && action.sa_sigaction == libc::SIG_IGN
        }
    }
}
