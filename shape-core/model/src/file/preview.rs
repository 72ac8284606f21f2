//! Reads an edited model before it is written, so that it can be checked.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use super::edit::ModelEdit;
use super::error::ModelError;
use super::model::Model;
use super::open::{ModelFile, explain, read};
use super::plan::{Plan, plan};
use super::store::Store;
use super::write::{pieces, write_file, write_stream};

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
        read_plan(self, &plan(self.model(), &self.label(), edit)?)
    }
}

/// A model file with edits that are not written yet; each edit applies to the result of the edits before it.
///
/// ```
/// use shape_model::ModelFile;
/// use shape_model::file::{EditedFile, ModelEdit};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let file = ModelFile::open(path)?;
/// let mut edited = EditedFile::of(&file);
/// for ir_version in [11, 12] {
///     edited.edit(&ModelEdit { ir_version: Some(ir_version), ..ModelEdit::default() })?;
/// }
/// assert_eq!((edited.model().ir_version(), edited.len()), (Some(12), file.bytes().len()));
/// # Ok::<(), shape_model::file::ModelError>(())
/// ```
#[derive(Debug)]
pub struct EditedFile<'f> {
    file: &'f ModelFile,
    plan: Plan,
    model: Cow<'f, Model>,
}

impl<'f> EditedFile<'f> {
    /// A file without an edit so far.
    #[must_use]
    pub fn of(file: &'f ModelFile) -> Self {
        Self { file, plan: Plan::whole(file.bytes().len()), model: Cow::Borrowed(file.model()) }
    }

    /// The model with all edits.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The number of bytes of the file that would be written.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a model file is never empty")]
    pub fn len(&self) -> usize {
        self.plan.len()
    }

    /// Makes one more edit.
    ///
    /// # Errors
    ///
    /// The same as for [`ModelFile::preview`]; the edits before it stay.
    pub fn edit(&mut self, edit: &ModelEdit) -> Result<(), ModelError> {
        let plan = plan(&self.model, &self.file.label(), edit)?.after(&self.plan);
        self.model = Cow::Owned(read_plan(self.file, &plan)?);
        self.plan = plan;
        Ok(())
    }

    /// Writes the model with all edits to `target`, as [`ModelFile::rewrite`] does with one.
    ///
    /// # Errors
    ///
    /// If the model's file changed since it was opened, or the target cannot be written.
    pub fn write(&self, target: impl AsRef<Path>) -> Result<(), ModelError> {
        self.file.check_unchanged()?;
        write_file(self.file, &self.plan, target.as_ref())
    }

    /// Writes the model with all edits into a stream. On failure the stream may have a part of it.
    ///
    /// # Errors
    ///
    /// The same as for [`write`](Self::write); the target in messages is `<output>`.
    pub fn write_to(&self, output: impl Write) -> Result<(), ModelError> {
        self.file.check_unchanged()?;
        write_stream(self.file, &self.plan, output)
    }
}

/// Reads what a plan for a file would write.
fn read_plan(file: &ModelFile, plan: &Plan) -> Result<Model, ModelError> {
    let mut store = Store::default();
    pieces(file, plan).for_each(|piece| store.push(piece));
    read(store).map_err(|(offset, error)| explain(file.label(), file.source(), offset, error))
}
