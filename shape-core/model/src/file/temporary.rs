//! Files that are being written. Each has a temporary name until it is complete.

use std::fs::{File, Metadata, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// The temporary files of this process.
static UNFINISHED: Mutex<Unfinished> = Mutex::new(Unfinished { paths: Vec::new(), discarded: false });

struct Unfinished {
    paths: Vec<PathBuf>,
    /// Whether the process is ending, so that no further file may begin.
    discarded: bool,
}

fn unfinished() -> MutexGuard<'static, Unfinished> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Deletes the temporary files of all writers of this process, and makes later ones fail.
///
/// A program that a signal ends calls this first, from an ordinary thread: such an end runs no destructors, so that
/// temporary files would stay. Complete files are not touched.
///
/// ```no_run
/// shape_model::file::discard_unfinished();
/// std::process::exit(1);
/// ```
pub fn discard_unfinished() {
    let mut unfinished = unfinished();
    unfinished.discarded = true;
    for path in unfinished.paths.drain(..) {
        // There is nobody left to tell.
        let _ = std::fs::remove_file(path);
    }
}

/// A temporary file in the folder of its target. Dropping it deletes it.
pub(super) struct Temporary {
    /// Some until it is renamed or deleted.
    file: Option<NamedTempFile>,
    path: PathBuf,
}

impl Temporary {
    /// Makes an empty one. If the target exists, its metadata say who may read it, and nobody else may read the
    /// temporary file at any time.
    pub(super) fn beside(target: &Path, old: Option<&Metadata>) -> io::Result<Self> {
        let directory = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".shape-");
        if let Some(permissions) = first_permissions(old) {
            builder.permissions(permissions);
        }
        // Locked until the file is listed, so that none is made and missed when the process ends.
        let mut unfinished = unfinished();
        if unfinished.discarded {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let file = builder.tempfile_in(directory)?;
        let path = file.path().to_owned();
        unfinished.paths.push(path.clone());
        Ok(Self { file: Some(file), path })
    }

    /// The file, to write it.
    pub(super) fn file(&mut self) -> io::Result<&mut File> {
        self.file.as_mut().map(NamedTempFile::as_file_mut).ok_or_else(|| io::ErrorKind::Interrupted.into())
    }

    /// Gives it the owner and the permissions of `old`. If the owner or the group cannot be kept, those who would get a
    /// permission by that do not get it.
    pub(super) fn keep(&mut self, old: &Metadata) -> io::Result<()> {
        let file = self.file()?;
        let permissions = keep_owner(file, old)?;
        file.set_permissions(permissions)
    }

    /// Renames it to `target`, in place of the file there.
    pub(super) fn replace(mut self, target: &Path) -> io::Result<()> {
        match self.file.take() {
            Some(file) => file.persist(target).map(drop).map_err(|error| error.error),
            None => Ok(()),
        }
    }

    /// Renames it to `target`, unless there is a file.
    pub(super) fn create(mut self, target: &Path) -> io::Result<()> {
        match self.file.take() {
            Some(file) => file.persist_noclobber(target).map(drop).map_err(|error| error.error),
            None => Ok(()),
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        drop(self.file.take());
        unfinished().paths.retain(|path| *path != self.path);
    }
}

/// The permissions to begin with: for a new file those that files usually have, from which the system subtracts the
/// umask; in place of another one at most the owner's, until the owner is the same.
fn first_permissions(old: Option<&Metadata>) -> Option<Permissions> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        Some(Permissions::from_mode(old.map_or(0o666, |old| old.permissions().mode() & 0o600)))
    }
    #[cfg(not(unix))]
    {
        let _ = old;
        None
    }
}

/// Gives a file the owner and the group of `old` as far as the system allows it. Returns the permissions that it may
/// have then.
fn keep_owner(file: &File, old: &Metadata) -> io::Result<Permissions> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
        let new = file.metadata()?;
        if new.uid() != old.uid() {
            // Only the superuser may give a file away.
            let _ = fchown(file, Some(old.uid()), None);
        }
        if new.gid() != old.gid() {
            let _ = fchown(file, None, Some(old.gid()));
        }
        let new = file.metadata()?;
        let mode = old.permissions().mode();
        let others = mode & 0o007;
        let kept = match (new.uid() == old.uid(), new.gid() == old.gid()) {
            (true, true) => mode & 0o7777,
            (false, true) => mode & 0o777,
            // Another group gets what everybody has.
            (_, false) => mode & 0o707 | (mode & others << 3),
        };
        Ok(Permissions::from_mode(kept))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        Ok(old.permissions())
    }
}
