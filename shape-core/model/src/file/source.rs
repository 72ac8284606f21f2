//! The bytes of a model: those of a file are mapped, and cost nothing until they are read.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use bytes::Bytes;

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

    /// Copies a range of bytes. Those of a file are read and not taken from the map, which would count the whole model as
    /// this process's memory.
    pub(super) fn copy(&self, range: Range<usize>, output: &mut impl Write) -> io::Result<()> {
        const BLOCK: usize = 1 << 18;
        let Some(open) = &self.file else {
            return output.write_all(self.bytes.get(range).unwrap_or_default());
        };
        let mut block = vec![0; range.len().min(BLOCK)];
        for start in range.clone().step_by(BLOCK) {
            let len = BLOCK.min(range.end - start);
            let block = block.get_mut(..len).unwrap_or_default();
            let gone = |error: io::Error| io::Error::new(error.kind(), format!("the model is gone: {error}"));
            open.read(start, block).map_err(gone)?;
            output.write_all(block)?;
        }
        Ok(())
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
