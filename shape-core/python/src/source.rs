//! Models from what Python passes: a path, or bytes.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use shape_model::ModelFile;
use shape_model::file::ModelEdit;

use crate::error;

/// Where a model is read from.
#[derive(FromPyObject)]
pub(crate) enum Source {
    /// The object stays alive as long as a tensor of the model is looked at, so that nothing is copied.
    Bytes(PyBackedBytes),
    /// The file is mapped.
    Path(PathBuf),
}

impl Source {
    /// Reads the model, without Python's lock.
    pub(crate) fn open(self, py: Python<'_>) -> PyResult<ModelFile> {
        py.detach(|| match self {
            Self::Bytes(bytes) => ModelFile::from_bytes(Bytes::from_owner(bytes)),
            Self::Path(path) => ModelFile::open(path),
        })
        .map_err(|problem| error::model(py, &problem))
    }
}

/// The bytes of a model with the changes of an edit: each of them is copied once.
pub(crate) fn edited<'py>(py: Python<'py>, model: &ModelFile, edit: &ModelEdit) -> PyResult<Bound<'py, PyBytes>> {
    let pieces = py.detach(|| model.pieces(edit)).map_err(|problem| error::model(py, &problem))?;
    PyBytes::new_with(py, pieces.iter().map(Bytes::len).sum(), |whole| {
        py.detach(|| {
            let mut rest = whole;
            for piece in &pieces {
                let Some((part, after)) = rest.split_at_mut_checked(piece.len()) else { break };
                part.copy_from_slice(piece);
                rest = after;
            }
        });
        Ok(())
    })
}

/// Writes a model whose data is in other files only where it finds them.
pub(crate) fn write(py: Python<'_>, model: &ModelFile, edit: &ModelEdit, target: &Path) -> PyResult<()> {
    model.check_relocated(Some(target)).map_err(|problem| error::relocated(py, &problem))?;
    py.detach(|| model.rewrite(edit, target)).map_err(|problem| error::model(py, &problem))
}
