//! Writes files under a temporary name until they are complete, so that a failure never leaves a partial file.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Writes a file with `fill` and then replaces `target` by it: on failure the old file is kept.
///
/// If `target` is a symlink, the file that it leads to is replaced; permissions are kept. A device or a pipe is written
/// directly.
///
/// # Errors
/// The error of `fill`, or of writing the file.
///
/// ```
/// use std::io::Write as _;
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("report.txt");
/// shape_model::file::replace(&path, |file| file.write_all(b"all of it"))?;
/// assert_eq!(std::fs::read(&path)?, b"all of it");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replace(target: impl AsRef<Path>, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let target = target.as_ref();
    let (target, permissions) = match fs::metadata(target) {
        Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(old) if old.is_file() => (fs::canonicalize(target)?, Some(old.permissions())),
        // Devices and pipes must not be replaced: `/dev/null` would be gone.
        Ok(_) => return fill(&mut OpenOptions::new().write(true).open(target)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (follow(target)?, None),
        Err(error) => return Err(error),
    };
    let mut file = beside(&target)?;
    fill(file.as_file_mut())?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(&target)?;
    Ok(())
}

/// Writes a new file with `fill`, which gets its name only when it is complete.
///
/// # Errors
/// The error of `fill` or of writing the file, or that the file already exists, which is then kept.
///
/// ```
/// use std::io::{ErrorKind, Write as _};
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("report.txt");
/// shape_model::file::create(&path, |file| file.write_all(b"first"))?;
/// let again = shape_model::file::create(&path, |file| file.write_all(b"second"));
/// assert_eq!(again.unwrap_err().kind(), ErrorKind::AlreadyExists);
/// assert_eq!(std::fs::read(&path)?, b"first");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn create(target: impl AsRef<Path>, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let target = target.as_ref();
    let mut file = beside(target)?;
    fill(file.as_file_mut())?;
    file.persist_noclobber(target)?;
    Ok(())
}

/// A temporary file in the folder of `target`, which is deleted unless it is renamed.
fn beside(target: &Path) -> io::Result<NamedTempFile> {
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".shape-");
    if let Some(usual) = usual_permissions() {
        builder.permissions(usual);
    }
    builder.tempfile_in(directory)
}

/// The default mode of new files, from which the system subtracts the umask. Temporary files are private otherwise.
fn usual_permissions() -> Option<Permissions> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Some(Permissions::from_mode(0o666))
    }
    #[cfg(not(unix))]
    None
}

/// The path that a file would be created at: `path` itself, or the target of a dangling symlink.
fn follow(path: &Path) -> io::Result<PathBuf> {
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = fs::read_link(&path) else {
            return Ok(path);
        };
        path = path.parent().map_or(next.clone(), |parent| parent.join(&next));
    }
    Err(io::Error::other("too many symlinks"))
}
