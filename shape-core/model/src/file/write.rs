//! Writes edited models.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use bytes::Bytes;

use super::edit::{GraphEdit, ModelEdit};
use super::error::ModelError;
use super::open::ModelFile;
use super::plan::{Piece, Plan, plan};
use super::replace::replace;

impl ModelFile {
    /// Writes the model to `target` with the changes of `edit` to its graph; all other bytes are kept.
    ///
    /// # Errors
    ///
    /// The same as for [`rewrite`](Self::rewrite).
    pub fn write(&self, edit: &GraphEdit, target: impl AsRef<Path>) -> Result<(), ModelError> {
        self.rewrite(&ModelEdit { graph: edit.clone(), ..ModelEdit::default() }, target)
    }

    /// Writes the model to `target` with the changes of `edit`; all other bytes are kept.
    ///
    /// `target` may be the model's own file. It is replaced only after everything is written: on failure the old file
    /// is kept. If it is a symlink, the file that it leads to is replaced. The permissions of the old file are kept, and
    /// its owner and group where the system allows that. A device or a pipe is written directly.
    ///
    /// Tensors whose elements are in other files still name them by the same relative path; see
    /// [`copy_data`](Self::copy_data) for a target in another folder.
    ///
    /// Memory use does not depend on the size of the tensors.
    ///
    /// # Errors
    ///
    /// If the edit names a graph or a node that the model does not have, the model stores an edited graph in several
    /// pieces, its file changed since it was opened, or the target cannot be written.
    pub fn rewrite(&self, edit: &ModelEdit, target: impl AsRef<Path>) -> Result<(), ModelError> {
        write_file(self, &self.plan(edit)?, target.as_ref())
    }

    /// Writes the model into a stream, such as standard output, with the changes of `edit`; all other bytes are kept. On
    /// failure the stream may have a part of them.
    ///
    /// # Errors
    ///
    /// The same as for [`rewrite`](Self::rewrite); the target in messages is `<output>`.
    pub fn rewrite_to(&self, edit: &ModelEdit, output: impl Write) -> Result<(), ModelError> {
        write_stream(self, &self.plan(edit)?, output)
    }

    /// What [`rewrite`](Self::rewrite) would write, in order. What the edit keeps is a view of the model's own bytes, so that
    /// no tensor is copied.
    ///
    /// # Errors
    ///
    /// If the edit names a graph or a node that the model does not have, the model stores an edited graph in several
    /// pieces, or its file changed since it was opened.
    ///
    /// ```
    /// use shape_model::ModelFile;
    /// use shape_model::file::ModelEdit;
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let model = ModelFile::open(path)?;
    /// let edit = ModelEdit { ir_version: Some(12), ..ModelEdit::default() };
    /// let edited = ModelFile::from_bytes(model.pieces(&edit)?.concat().into())?;
    /// assert_eq!(edited.model().ir_version(), Some(12));
    /// # Ok::<(), shape_model::file::ModelError>(())
    /// ```
    pub fn pieces(&self, edit: &ModelEdit) -> Result<Vec<Bytes>, ModelError> {
        Ok(pieces(self, &self.plan(edit)?).collect())
    }

    fn plan(&self, edit: &ModelEdit) -> Result<Plan, ModelError> {
        self.check_unchanged()?;
        plan(self.model(), &self.label(), edit)
    }
}

/// The bytes that a plan for a model makes, in order; what it keeps is a view of the model's own.
pub(super) fn pieces(model: &ModelFile, plan: &Plan) -> impl Iterator<Item = Bytes> {
    plan.pieces().iter().map(|piece| match piece {
        Piece::Kept(range) => model.bytes().slice(range.clone()),
        Piece::New(bytes) => bytes.clone(),
    })
}

/// Writes `model` with the changes of `plan` into a file, whole or not at all.
pub(super) fn write_file(model: &ModelFile, plan: &Plan, target: &Path) -> Result<(), ModelError> {
    replace(target, |output| copy(model, plan, output))
        .map_err(|reason| ModelError::Write { path: target.to_owned(), reason })
}

/// Writes `model` with the changes of `plan` into a stream.
pub(super) fn write_stream(model: &ModelFile, plan: &Plan, output: impl Write) -> Result<(), ModelError> {
    copy(model, plan, output).map_err(|reason| ModelError::Write { path: "<output>".into(), reason })
}

fn copy(model: &ModelFile, plan: &Plan, output: impl Write) -> io::Result<()> {
    let mut output = BufWriter::new(output);
    for piece in plan.pieces() {
        match piece {
            Piece::New(bytes) => output.write_all(bytes)?,
            Piece::Kept(range) => model.source().copy(range.clone(), &mut output)?,
        }
    }
    output.flush()
}
