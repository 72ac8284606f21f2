//! Writes files under a temporary name until they are complete, so that a failure never leaves a partial file.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::temporary::Temporary;

/// Writes a file with `fill` and then replaces `target` by it: on failure the old file is kept.
///
/// If `target` is a symlink, the file that it leads to is replaced, and the link stays. The new file has the permissions
/// of the old one, and its owner and group where the system allows that; at no time may anybody read it who may not read
/// the old one. A device or a pipe is written directly.
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
    let (target, old) = match fs::metadata(target) {
        Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(old) if old.is_file() => (fs::canonicalize(target)?, Some(old)),
        // Devices and pipes must not be replaced: `/dev/null` would be gone.
        Ok(_) => return fill(&mut OpenOptions::new().write(true).open(target)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (follow(target)?, None),
        Err(error) => return Err(error),
    };
    let mut file = Temporary::beside(&target, old.as_ref())?;
    fill(file.file()?)?;
    if let Some(old) = &old {
        file.keep(old)?;
    }
    file.replace(&target)
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
    let mut file = Temporary::beside(target, None)?;
    fill(file.file()?)?;
    file.create(target)
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
