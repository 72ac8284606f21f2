//! Where bytes leave the process: data to standard output, narration to standard error.

use std::fmt;
use std::io::{self, BufWriter, StderrLock, StdoutLock, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use shape_specs::SpecErrors;

use crate::args::Format;
use crate::render::{Clean, ERROR, spec_error};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Nothing is wrong.
    Clean,
    /// Something is wrong with what was looked at.
    Findings,
    /// The command line is wrong, or a file cannot be read or written.
    Trouble,
}

/// Why a run ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// What is wrong has been told.
    Told(Exit),
    /// Nothing can be told any more: standard output takes no more.
    Output(io::Error),
}

impl From<Exit> for Stop {
    fn from(exit: Exit) -> Self {
        Self::Told(exit)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// How a run ended, to its end or early.
pub(crate) type Done = Result<Exit, Stop>;

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Clean => Self::SUCCESS,
            Exit::Findings => Self::from(1),
            Exit::Trouble => Self::from(2),
        }
    }
}

/// Standard output and standard error.
pub(crate) struct Terminal {
    out: BufWriter<UntilClosed<AutoStream<StdoutLock<'static>>>>,
    notes: AutoStream<StderrLock<'static>>,
}

impl Terminal {
    /// Locks both streams; colours as asked, where `auto` leaves it to the environment and to what the stream is.
    pub(crate) fn new(color: clap::ColorChoice, format: Format) -> Self {
        let color = match color {
            clap::ColorChoice::Auto => ColorChoice::Auto,
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
        };
        // What takes colours out would also take out of a JSON text what looks like one.
        let out_color = if format == Format::Json { ColorChoice::AlwaysAnsi } else { color };
        let out = AutoStream::new(io::stdout().lock(), out_color);
        Self {
            out: BufWriter::new(UntilClosed { inner: out, closed: false }),
            notes: AutoStream::new(io::stderr().lock(), color),
        }
    }

    /// Where data goes.
    pub(crate) fn out(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// Says something beside the data. Nobody can be told that standard error is gone, so that its errors are dropped.
    pub(crate) fn note(&mut self, text: fmt::Arguments<'_>) {
        let _ = writeln!(self.notes, "{}", Clean(&text.to_string()));
    }

    /// Says what is wrong with a file that something else was to be done by. It is for people, whatever the data are for.
    pub(crate) fn refuse(&mut self, mistakes: &SpecErrors) -> Exit {
        for mistake in &mistakes.0 {
            let _ = spec_error(&mut self.notes, mistake);
        }
        Exit::Trouble
    }

    /// Says why something could not be done.
    pub(crate) fn trouble(&mut self, text: fmt::Arguments<'_>) {
        let _ = writeln!(self.notes, "{ERROR}error{ERROR:#}: {}", Clean(&text.to_string()));
    }

    /// Says why nothing could be done.
    pub(crate) fn fail(&mut self, why: &str) -> Exit {
        self.trouble(format_args!("{why}"));
        Exit::Trouble
    }

    /// Writes out what is held back.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A writer that takes everything and writes nothing once its reader has gone, as `head` does. The run goes on, so that
/// its exit code is the same.
struct UntilClosed<W> {
    inner: W,
    closed: bool,
}

impl<W> UntilClosed<W> {
    fn unless_closed<T>(&mut self, fallback: T, write: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if self.closed {
            return Ok(fallback);
        }
        match write(&mut self.inner) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(fallback)
            }
            other => other,
        }
    }
}

impl<W: Write> Write for UntilClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |inner| inner.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), Write::flush)
    }
}
