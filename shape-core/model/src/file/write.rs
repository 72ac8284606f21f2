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
        let (target, plan) = (target.as_ref(), self.plan(edit)?);
        replace(target, |output| copy(self, &plan, output))
            .map_err(|reason| ModelError::Write { path: target.to_owned(), reason })
    }

    /// Writes the model into a stream, such as standard output, with the changes of `edit`; all other bytes are kept. On
    /// failure the stream may have a part of them.
    ///
    /// # Errors
    ///
    /// The same as for [`rewrite`](Self::rewrite); the target in messages is `<output>`.
    pub fn rewrite_to(&self, edit: &ModelEdit, output: impl Write) -> Result<(), ModelError> {
        let plan = self.plan(edit)?;
        copy(self, &plan, output).map_err(|reason| ModelError::Write { path: "<output>".into(), reason })
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
        let piece = |piece: &Piece| match piece {
            Piece::Kept(range) => self.bytes().slice(range.clone()),
            Piece::New(bytes) => bytes.clone(),
        };
        Ok(self.plan(edit)?.pieces().iter().map(piece).collect())
    }

    fn plan(&self, edit: &ModelEdit) -> Result<Plan, ModelError> {
        self.check_unchanged()?;
        plan(self.model(), &self.label(), edit)
    }
}

/// Writes `model` with the changes of `plan`.
pub(super) fn copy(model: &ModelFile, plan: &Plan, output: impl Write) -> io::Result<()> {
    let mut output = BufWriter::new(output);
    for piece in plan.pieces() {
        match piece {
            Piece::New(bytes) => output.write_all(bytes)?,
            Piece::Kept(range) => model.source().copy(range.clone(), &mut output)?,
        }
    }
    output.flush()
}
