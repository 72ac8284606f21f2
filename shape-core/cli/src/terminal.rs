//! Writes results to standard output, and notes and errors to standard error; defines the exit codes.

use std::fmt;
use std::io::{self, BufWriter, StderrLock, Write};
use std::path::Path;

use anstream::adapter::StripBytes;
use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};
use shape_specs::SpecErrors;

use crate::options::Format;
use crate::render::{Clean, ERROR, spec_error};
use crate::steps::Steps;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Nothing is wrong.
    Clean,
    /// There is an error in what was checked.
    Findings,
    /// The command line is wrong, or a file cannot be read or written.
    Failure,
}

/// Why a run ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The cause has been reported.
    Reported(Exit),
    /// Standard output cannot be written.
    Output(io::Error),
}

impl From<Exit> for Stop {
    fn from(exit: Exit) -> Self {
        Self::Reported(exit)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// The result of a command: its exit code, or why it ended early.
pub(crate) type Done = Result<Exit, Stop>;

impl Exit {
    /// The exit code.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Failure => 2,
        }
    }
}

/// How much is told on standard error beside errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Narration {
    /// Nothing.
    Quiet,
    /// Notes.
    Usual,
    /// Notes, what is read, and how long each step takes.
    Verbose,
}

/// Standard output and standard error.
pub(crate) struct Terminal {
    out: Results,
    notes: AutoStream<StderrLock<'static>>,
    narration: Narration,
}

impl Terminal {
    /// Locks both streams. With `auto`, the environment and the kind of each stream decide about colours. If a file
    /// takes standard output, results are written to standard error.
    pub(crate) fn new(color: clap::ColorChoice, format: Format, stdout_is_taken: bool, narration: Narration) -> Self {
        let color = match color {
            clap::ColorChoice::Auto => ColorChoice::Auto,
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
        };
        // A stripping stream would also remove text inside of JSON strings that looks like a colour.
        let out_color = if format == Format::Json { ColorChoice::AlwaysAnsi } else { color };
        let out = match stdout_is_taken {
            true => Results::new(io::stderr().lock(), out_color),
            false => Results::new(io::stdout().lock(), out_color),
        };
        Self { out, notes: AutoStream::new(io::stderr().lock(), color), narration }
    }

    /// The stream for results.
    pub(crate) fn out(&mut self) -> &mut Results {
        &mut self.out
    }

    /// Whether only errors are told.
    pub(crate) fn is_quiet(&self) -> bool {
        self.narration == Narration::Quiet
    }

    /// Whether it is told how long each step takes.
    pub(crate) fn is_verbose(&self) -> bool {
        self.narration == Narration::Verbose
    }

    /// Writes a note to standard error. If that fails there is nowhere to report it, so errors are ignored.
    pub(crate) fn note(&mut self, text: fmt::Arguments<'_>) {
        if self.narration >= Narration::Usual {
            let _ = writeln!(self.notes, "{}", Clean(&text.to_string()));
        }
    }

    /// Writes what a file was read for, and how long each step with it took.
    pub(crate) fn took(&mut self, path: &Path, steps: &Steps) {
        if self.is_verbose() {
            self.note(format_args!("{}: {steps}", path.display()));
        }
    }

    /// Notes that a folder has something that is not a file.
    pub(crate) fn skipped(&mut self, path: &Path) {
        self.note(format_args!("{} is skipped: it is not a regular file", path.display()));
    }

    /// Reports an error, and lets the command go on.
    pub(crate) fn error(&mut self, text: fmt::Arguments<'_>) {
        let _ = writeln!(self.notes, "{ERROR}error{ERROR:#}: {}", Clean(&text.to_string()));
    }

    /// Reports an error that ends the command.
    pub(crate) fn fail(&mut self, why: &str) -> Exit {
        self.error(format_args!("{why}"));
        Exit::Failure
    }

    /// Reports the errors of a file that the command needs, as text in every output format; they end the command.
    pub(crate) fn fail_on_specs(&mut self, errors: &SpecErrors) -> Exit {
        for error in &errors.0 {
            let _ = spec_error(&mut self.notes, error);
        }
        Exit::Failure
    }

    /// Whether nobody reads the results any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.out.to.get_ref().closed
    }

    /// Writes what is buffered.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The stream for results. Where it shows no styles, they are taken out of what is written.
pub(crate) struct Results {
    to: BufWriter<UntilClosed<Box<dyn Write>>>,
    strip: Option<StripBytes>,
}

impl Results {
    fn new(stream: impl RawStream + AsLockedWrite + 'static, color: ColorChoice) -> Self {
        let color = if color == ColorChoice::Auto { AutoStream::choice(&stream) } else { color };
        let strip = (color == ColorChoice::Never).then(StripBytes::new);
        let inner: Box<dyn Write> =
            if strip.is_some() { Box::new(stream) } else { Box::new(AutoStream::new(stream, color)) };
        Self { to: BufWriter::new(UntilClosed { inner, closed: false }), strip }
    }

    /// Whether the stream shows styles.
    pub(crate) fn styled(&self) -> bool {
        self.strip.is_none()
    }

    /// Writes a text without the slow search for styles. The text must have no styles unless the stream is
    /// [`styled`](Self::styled).
    pub(crate) fn as_it_is(&mut self, text: &str) -> io::Result<()> {
        self.to.write_all(text.as_bytes())
    }
}

impl Write for Results {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.strip {
            Some(strip) => strip.strip_next(bytes).try_for_each(|part| self.to.write_all(part))?,
            None => self.to.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// A writer that goes on without writing when its reader has gone, as with `| head`, so that the command reaches its
/// end and the exit code stays the same.
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
