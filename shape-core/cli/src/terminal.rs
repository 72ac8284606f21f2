//! Where bytes leave the process: data to standard output, narration to standard error.

use std::fmt;
use std::io::{self, BufWriter, StderrLock, StdoutLock, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};

use crate::render::{Clean, ERROR};

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
    out: BufWriter<AutoStream<UntilClosed<StdoutLock<'static>>>>,
    notes: AutoStream<StderrLock<'static>>,
}

impl Terminal {
    /// Locks both streams; colours as asked, where `auto` leaves it to the environment and to what the stream is.
    pub(crate) fn new(color: clap::ColorChoice) -> Self {
        let color = match color {
            clap::ColorChoice::Auto => ColorChoice::Auto,
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
        };
        let out = UntilClosed { inner: io::stdout().lock(), closed: false };
        Self {
            out: BufWriter::new(AutoStream::new(out, color)),
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

    /// Says why something could not be done.
    pub(crate) fn trouble(&mut self, text: fmt::Arguments<'_>) {
        let _ = writeln!(self.notes, "{ERROR}error{ERROR:#}: {}", Clean(&text.to_string()));
    }

    /// Writes out what is held back.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
