//! Reads an edited model before it is written, so that what leaves can be checked.

use bytes::Bytes;

use super::edit::ModelEdit;
use super::error::ModelError;
use super::model::Model;
use super::open::{ModelFile, explain, read};
use super::plan::{Piece, plan};
use super::store::Store;

impl ModelFile {
    /// The model that [`rewrite`](Self::rewrite) would write with the same edit.
    ///
    /// Nothing is written. What the edit keeps is a view of the model's own bytes.
    ///
    /// # Errors
    ///
    /// If the edit names a graph or a node that the model does not have, the model stores an edited graph in several
    /// pieces, or what would be written cannot be read again.
    ///
    /// ```
    /// use shape_model::ModelFile;
    /// use shape_model::file::ModelEdit;
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let model = ModelFile::open(path)?;
    /// let edit = ModelEdit { ir_version: Some(12), ..ModelEdit::default() };
    /// assert_eq!(model.preview(&edit)?.ir_version(), Some(12));
    /// # Ok::<(), shape_model::file::ModelError>(())
    /// ```
    pub fn preview(&self, edit: &ModelEdit) -> Result<Model, ModelError> {
        let mut store = Store::default();
        for piece in plan(self, edit)?.into_pieces() {
            store.push(match piece {
                Piece::Kept(range) => self.bytes().slice(range),
                Piece::New(bytes) => Bytes::from(bytes),
            });
        }
        read(store).map_err(|(offset, error)| explain(self.label(), self.source(), offset, error))
    }
}
