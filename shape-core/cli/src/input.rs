//! Opens what the arguments name: models, of which `-` is standard input, and text files.

use std::io::Read as _;
use std::path::Path;
use std::{fs, io};

use shape_model::ModelFile;
use shape_model::file::read;

/// The argument that stands for standard input or standard output.
const STREAM: &str = "-";

/// The most bytes that a text file may have, such as a descriptor.
const MAX_TEXT: u64 = 1 << 26;

/// Whether an argument stands for standard input or standard output; a file of this name is `./-`.
pub(crate) fn is_stream(path: &Path) -> bool {
    path == Path::new(STREAM)
}

/// The model that messages name: a path, or `<stdin>`.
pub(crate) fn label(model: &Path) -> &Path {
    if is_stream(model) { Path::new("<stdin>") } else { model }
}

/// Opens the model that an argument names; fails with a message that names it.
pub(crate) fn open(path: &Path) -> Result<ModelFile, String> {
    let opened =
        if is_stream(path) { ModelFile::from_reader(io::stdin().lock(), label(path)) } else { ModelFile::open(path) };
    opened.map_err(|error| error.to_string())
}

/// Reads a text file; fails with a message that names it.
pub(crate) fn text(path: impl AsRef<Path>) -> Result<Vec<u8>, String> {
    let path = path.as_ref();
    read(path, MAX_TEXT).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Reads a text file, or standard input if the path stands for it; fails with a message that names it.
pub(crate) fn text_or_stdin(path: &Path) -> Result<Vec<u8>, String> {
    if !is_stream(path) {
        return text(path);
    }
    let mut bytes = Vec::new();
    match io::stdin().lock().take(MAX_TEXT + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 > MAX_TEXT => Err(format!("standard input has more than {MAX_TEXT} bytes")),
        Ok(_) => Ok(bytes),
        Err(error) => Err(format!("cannot read standard input: {error}")),
    }
}

/// Whether a path leads to a pipe, a socket or a device, which is never read in a folder: that could wait for ever, or
/// have no end. What cannot be found is reported where it is opened.
pub(crate) fn is_irregular(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}
