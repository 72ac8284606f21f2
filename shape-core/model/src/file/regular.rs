//! Opens only files that end: a pipe may wait for ever, and a device may have no end.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// The most bytes that are read from a pipe: a Protobuf message has no more.
pub(super) const MAX_STREAM: u64 = (1 << 31) - 1;

/// A file that was opened.
pub(super) enum Opened {
    /// A regular file, with its metadata.
    Regular(File, Metadata),
    /// A stream that this process was started with.
    Stream(File),
}

/// Opens a regular file, or a stream that this process was started with.
///
/// # Errors
///
/// That of the system; `IsADirectory` for a directory; `InvalidInput` for another pipe, a socket or a device.
pub(super) fn open(path: &Path) -> io::Result<Opened> {
    let is_stream = is_stream(path);
    let accept = |metadata: &Metadata| match metadata.file_type() {
        kind if kind.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        kind if kind.is_file() || is_stream => Ok(()),
        kind => Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {}, not a regular file", name(kind)))),
    };
    // Before opening, since that alone has effects on some devices; and again, since the path may lead elsewhere now.
    accept(&fs::metadata(path)?)?;
    let file = waiting_for_nobody(OpenOptions::new().read(true)).open(path)?;
    let metadata = file.metadata()?;
    accept(&metadata)?;
    if metadata.is_file() {
        return Ok(Opened::Regular(file, metadata));
    }
    waiting_again(&file)?;
    Ok(Opened::Stream(file))
}

/// Reads a regular file of at most `limit` bytes, or a stream that this process was started with, such as `/dev/stdin`.
///
/// Other pipes, devices and sockets are refused, also behind a link: reading them could wait for ever, or have no end.
///
/// # Errors
///
/// That of the system; `IsADirectory` for a directory; `InvalidInput` for another pipe, a socket or a device;
/// `FileTooLarge` if there are more bytes than `limit`.
///
/// ```
/// use shape_model::file::read;
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("Gelu.yaml");
/// std::fs::write(&path, "operator: Gelu")?;
/// assert_eq!(read(&path, 1 << 20)?, b"operator: Gelu");
/// assert_eq!(read(&path, 3).unwrap_err().kind(), std::io::ErrorKind::FileTooLarge);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read(path: impl AsRef<Path>, limit: u64) -> io::Result<Vec<u8>> {
    match open(path.as_ref())? {
        Opened::Regular(file, _) | Opened::Stream(file) => bounded(file, limit),
    }
}

/// Reads to the end, or fails after `limit` bytes.
pub(super) fn bounded(reader: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {limit} bytes")));
    }
    Ok(bytes)
}

/// Whether a path names a stream that is open already, such as that of a redirection: to open it again waits for nobody.
fn is_stream(path: &Path) -> bool {
    path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd")
}

/// What is neither a file nor a directory.
fn name(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    let _ = kind;
    "something else"
}

/// Opens a pipe without waiting for the other end, and a terminal without being controlled by it.
fn waiting_for_nobody(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    options
}

/// Makes reading wait for data, as usual.
fn waiting_again(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        let flags = rustix::fs::fcntl_getfl(file)?;
        rustix::fs::fcntl_setfl(file, flags - rustix::fs::OFlags::NONBLOCK)?;
    }
    let _ = file;
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn what_does_not_end_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        crate::file::tests::pipe(at("pipe"));
        std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        symlink("/dev/zero", at("zero")).unwrap();
        symlink("/dev/null", at("null")).unwrap();
        for (name, says) in [("pipe", "a pipe"), ("socket", "a socket"), ("zero", "a device"), ("null", "a device")] {
            let error = read(at(name), 8).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}");
            assert_eq!(error.to_string(), format!("it is {says}, not a regular file"));
        }
        assert_eq!(read(folder.path(), 8).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        symlink("loop", at("loop")).unwrap();
        assert!(read(at("loop"), 8).is_err());
    }

    #[test]
    fn a_length_has_a_limit() {
        assert_eq!(bounded(&[1; 8][..], 8).unwrap(), [1; 8]);
        assert_eq!(bounded(io::repeat(1), 8).unwrap_err().to_string(), "it has more than 8 bytes");
    }
}
