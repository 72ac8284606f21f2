//! Putting a written model in its place.
//!
//! The new file gets its name at the very end, so that no failure leaves half of one.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bytes::Buf;

use super::edit::{Piece, Plan};
use super::error::ModelError;
use super::file::ModelFile;

/// Writes what `plan` makes of `model` to `target`.
pub(super) fn save(model: &ModelFile, plan: &Plan, target: &Path) -> Result<(), ModelError> {
    replace(target, |output| copy(model, plan, output))
        .map_err(|reason| ModelError::Write { path: target.to_owned(), reason })
}

fn copy(model: &ModelFile, plan: &Plan, output: &mut File) -> io::Result<()> {
    let mut output = BufWriter::new(output);
    let mut reader = model.source().reader(0..model.source().len());
    for piece in plan.pieces() {
        match piece {
            Piece::New(bytes) => output.write_all(bytes)?,
            Piece::Kept(range) => {
                reader.advance(range.start - reader.position());
                let mut left = range.len();
                while left > 0 {
                    let chunk = reader.chunk();
                    let chunk = chunk.get(..left).unwrap_or(chunk);
                    output.write_all(chunk)?;
                    let written = chunk.len();
                    reader.advance(written);
                    left -= written;
                }
            }
        }
    }
    reader.finish().map_err(|error| io::Error::new(error.kind(), format!("the model is gone: {error}")))?;
    output.flush()
}

/// Has `fill` write a file, and lets it take the place of `target` once it is whole.
fn replace(target: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let (target, permissions) = match fs::metadata(target) {
        Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(old) if old.is_file() => (fs::canonicalize(target)?, Some(old.permissions())),
        // What is neither must not be replaced: `/dev/null` would be gone.
        Ok(_) => return fill(&mut OpenOptions::new().write(true).open(target)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (follow(target)?, None),
        Err(error) => return Err(error),
    };
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".shape-");
    if let Some(usual) = usual_permissions() {
        builder.permissions(usual);
    }
    let mut file = builder.tempfile_in(directory)?;
    fill(file.as_file_mut())?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(&target)?;
    Ok(())
}

/// What any new file is created with; the system takes the umask off it. A temporary one would be its owner's alone.
fn usual_permissions() -> Option<Permissions> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        Some(Permissions::from_mode(0o666))
    }
    #[cfg(not(unix))]
    None
}

/// Where a path leads at which there is no file: to itself, unless a symlink to nowhere stands there.
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
