//! The bytes of a model, and reading them without making them resident.
//!
//! Element data is handed out as views of a memory map, which cost nothing until somebody looks at them. All that is
//! between them is read from the file through a small window instead: to touch one page of a map may map two megabytes
//! around it, and a few hundred such touches make a whole model count as this process's memory.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use bytes::{Buf, Bytes};

/// The bytes of a model, from memory or from a file.
#[derive(Debug)]
pub(super) struct Source {
    bytes: Bytes,
    file: Option<Open>,
}

/// The file that the bytes are a map of. It stays open, since another file may take its name.
#[derive(Debug)]
struct Open {
    /// Locked, because a file has one position and every reader moves it.
    file: Mutex<File>,
    stamp: Stamp,
}

/// A file's length and time of change, which tell whether it is what it was.
type Stamp = (u64, Option<SystemTime>);

fn stamp(file: &File) -> io::Result<Stamp> {
    let metadata = file.metadata()?;
    Ok((metadata.len(), metadata.modified().ok()))
}

/// The first `len` bytes of a regular file, which should be all of them, as a map.
///
/// Who hands out such bytes must say that nobody may cut the file shorter while they are in use.
pub(super) fn map(file: &File, len: u64) -> io::Result<Bytes> {
    // Not every system can map nothing.
    if len == 0 {
        return Ok(Bytes::new());
    }
    let len = usize::try_from(len).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    #[expect(unsafe_code, reason = "a map of a file that somebody else cuts shorter faults; what hands it out says so")]
    // SAFETY: the map is only read, and the documentation of `ModelFile::open` and of `External` asks that the file keep
    // its content.
    let map = unsafe { memmap2::MmapOptions::new().len(len).map(file) }?;
    // Only a hint, which a kernel without huge pages refuses.
    #[cfg(target_os = "linux")]
    drop(map.advise(memmap2::Advice::NoHugePage));
    Ok(Bytes::from_owner(map))
}

impl Source {
    /// A directory is the error `IsADirectory`. What is no regular file, such as a pipe, is read into memory.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        // Asked before opening, which succeeds for a directory on one system and fails on another.
        let metadata = fs::metadata(path)?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !metadata.is_file() || metadata.len() == 0 {
            return Ok(fs::read(path)?.into());
        }
        let file = File::open(path)?;
        let stamp = stamp(&file)?;
        Ok(Self { bytes: map(&file, stamp.0)?, file: Some(Open { file: Mutex::new(file), stamp }) })
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

    /// Whether somebody wrote into the file since it was opened.
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

/// The length of a window after a jump, in bytes: often no more than a header follows. It doubles while reading goes on.
const SMALLEST: usize = 1 << 12;
const LARGEST: usize = 1 << 18;

/// Bytes up to this length are copied out of the window, so that reading a name or a small constant touches no map.
const COPIED: usize = 256;

/// Reads a span of a source in order.
///
/// Reading must not fail in the middle of `prost`, which asks for no more than what remains and gets it. After a
/// failure zeros come, which no message can consist of, and [`finish`](Self::finish) tells the failure.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    source: &'a Source,
    /// Where in the source the next byte lies.
    at: usize,
    end: usize,
    /// Bytes of the file, of which those from `used` on lie at `at`. Without a file, none.
    window: Vec<u8>,
    used: usize,
    failure: Option<io::Error>,
}

impl Reader<'_> {
    /// The position of the next byte in the source.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Whether all that was read was there.
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
