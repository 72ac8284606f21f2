//! The bytes of a model, and reading them without making them resident.
//!
//! Element data is returned as views of a memory map, which cost nothing until they are read. Everything between them
//! is read from the file through a small window instead: touching one page of a map may map two megabytes around it,
//! and after a few hundred such accesses the whole model counts as this process's memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use bytes::{Buf, Bytes};

use super::regular::{self, MAX_STREAM, Opened};

/// The bytes of a model, from memory or from a file.
#[derive(Debug)]
pub(super) struct Source {
    bytes: Bytes,
    file: Option<Open>,
}

/// The mapped file. It stays open, since another file may take its name.
#[derive(Debug)]
struct Open {
    /// Locked, because all readers share the file's position.
    file: Mutex<File>,
    stamp: Stamp,
}

/// A file's length and modification time, to detect changes.
type Stamp = (u64, Option<SystemTime>);

fn stamp(file: &File) -> io::Result<Stamp> {
    let metadata = file.metadata()?;
    Ok((metadata.len(), metadata.modified().ok()))
}

/// Maps the first `len` bytes of a regular file; `len` should be its length.
///
/// A caller that exposes these bytes must document that the file must not be truncated while they are in use.
pub(super) fn map(file: &File, len: u64) -> io::Result<Bytes> {
    // Some systems cannot create an empty map.
    if len == 0 {
        return Ok(Bytes::new());
    }
    let len = usize::try_from(len).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    #[expect(unsafe_code, reason = "a map of a file that somebody else cuts shorter faults; what hands it out says so")]
    // SAFETY: the map is only read, and the documentation of `ModelFile::open` and of `External` requires that the file
    // does not change.
    let map = unsafe { memmap2::MmapOptions::new().len(len).map(file) }?;
    // Only a hint; a kernel without huge pages rejects it.
    #[cfg(target_os = "linux")]
    drop(map.advise(memmap2::Advice::NoHugePage));
    Ok(Bytes::from_owner(map))
}

impl Source {
    /// Opens a regular file, or reads a stream that this process was started with into memory. A directory is the error
    /// `IsADirectory`.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        match regular::open(path)? {
            Opened::Regular(file, metadata) if metadata.len() > 0 => {
                let stamp = stamp(&file)?;
                Ok(Self { bytes: map(&file, stamp.0)?, file: Some(Open { file: Mutex::new(file), stamp }) })
            }
            // Some files of the system say that they are empty, and are not.
            Opened::Regular(file, _) | Opened::Stream(file) => Self::read(file),
        }
    }

    /// Reads a stream into memory.
    pub(super) fn read(stream: impl Read) -> io::Result<Self> {
        Ok(regular::bounded(stream, MAX_STREAM)?.into())
    }

    pub(super) fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether the bytes are those of a regular file.
    pub(super) fn is_file(&self) -> bool {
        self.file.is_some()
    }

    /// Whether the file was modified since it was opened.
    pub(super) fn changed(&self) -> io::Result<bool> {
        match &self.file {
            Some(open) => Ok(stamp(&open.lock())? != open.stamp),
            None => Ok(false),
        }
    }

    /// A reader of the bytes of `span`, which must lie within the source.
    pub(super) fn reader(&self, span: Range<usize>) -> Reader<'_> {
        let mut reader =
            Reader { source: self, at: span.start, end: span.end, window: Vec::new(), used: 0, failure: None };
        reader.fill(SMALLEST);
        reader
    }
}

impl From<Vec<u8>> for Source {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl From<Bytes> for Source {
    fn from(bytes: Bytes) -> Self {
        Self { bytes, file: None }
    }
}

impl Open {
    fn lock(&self) -> MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, at: usize, into: &mut [u8]) -> io::Result<()> {
        let file = self.lock();
        let mut file = &*file;
        file.seek(SeekFrom::Start(at as u64))?;
        file.read_exact(into)
    }
}

/// The initial length of a window after a jump, in bytes: often only a header follows. It doubles with sequential
/// reads.
const SMALLEST: usize = 1 << 12;
const LARGEST: usize = 1 << 18;

/// Bytes up to this length are copied from the window, so that reading a name or a small constant does not access the
/// map.
const COPIED: usize = 256;

/// Reads a span of a source in order.
///
/// A read must not fail inside of `prost`, which never requests more than what remains. After a failure the reader
/// returns zeros, which are not a valid message, and [`finish`](Self::finish) returns the error.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    source: &'a Source,
    /// The offset of the next byte in the source.
    at: usize,
    end: usize,
    /// Bytes of the file; the one at index `used` is the byte at `at`. Empty without a file.
    window: Vec<u8>,
    used: usize,
    failure: Option<io::Error>,
}

impl Reader<'_> {
    /// The offset of the next byte in the source.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Returns the error if a read failed.
    pub(super) fn finish(self) -> io::Result<()> {
        self.failure.map_or(Ok(()), Err)
    }

    fn fill(&mut self, size: usize) {
        let Some(open) = &self.source.file else {
            return;
        };
        self.window.clear();
        self.window.resize(size.min(self.end - self.at), 0);
        self.used = 0;
        if self.failure.is_none() && !self.window.is_empty() {
            self.failure = open.read(self.at, &mut self.window).err();
            if self.failure.is_some() {
                self.window.fill(0);
            }
        }
    }
}

impl Buf for Reader<'_> {
    fn remaining(&self) -> usize {
        self.end - self.at
    }

    fn chunk(&self) -> &[u8] {
        let chunk = match self.source.file {
            Some(_) => self.window.get(self.used..),
            None => self.source.bytes.get(self.at..self.end),
        };
        chunk.unwrap_or_default()
    }

    fn advance(&mut self, count: usize) {
        assert!(count <= self.remaining(), "advanced past the end");
        self.at += count;
        self.used += count;
        if self.used == self.window.len() {
            self.fill((self.window.len() * 2).clamp(SMALLEST, LARGEST));
        } else if self.used > self.window.len() {
            self.fill(SMALLEST);
        }
    }

    fn copy_to_bytes(&mut self, len: usize) -> Bytes {
        let view = match self.chunk().get(..len) {
            Some(bytes) if self.source.file.is_some() && len <= COPIED => Bytes::copy_from_slice(bytes),
            _ => self.source.bytes.slice(self.at..self.at + len),
        };
        self.advance(len);
        view
    }
}
