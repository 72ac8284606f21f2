//! Which file a path leads to.

use std::fs;
use std::io;
use std::path::Path;

/// A file, whichever path leads to it.
///
/// On Unix it is the file itself, so that links and hard links lead to the same one; on other systems the path with links
/// resolved.
///
/// ```
/// use shape_model::file::FileId;
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// std::fs::write(folder.join("model.onnx"), "")?;
/// std::fs::hard_link(folder.join("model.onnx"), folder.join("link.onnx"))?;
/// # #[cfg(unix)]
/// assert_eq!(FileId::of(folder.join("model.onnx"))?, FileId::of(folder.join("./link.onnx"))?);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileId(Identity);

#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = std::path::PathBuf;

impl FileId {
    /// The file that a path leads to, through links.
    ///
    /// # Errors
    ///
    /// The error of the system, such as that there is no such file.
    pub fn of(path: impl AsRef<Path>) -> io::Result<Self> {
        identity(path.as_ref()).map(Self)
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<Identity> {
    fs::canonicalize(path)
}
