//! Decodes the bytes of an edited model before they are written, so that what leaves can be checked.

use std::io;

use bytes::{Buf, Bytes};

use super::budget;
use super::edit::ModelEdit;
use super::error::ModelError;
use super::open::{ModelFile, explain};
use super::plan::{Piece, Plan, plan};
use super::proto::ModelProto;
use super::source::{Reader, Source};

impl ModelFile {
    /// The model that [`rewrite`](Self::rewrite) would write with the same edit.
    ///
    /// Nothing is written. Elements of tensors that the edit keeps are views of the model's own bytes.
    ///
    /// # Errors
    ///
    /// If the edit names a graph or a node that the model does not have, the model stores an edited graph in several
    /// pieces, the file cannot be read, or what would be written cannot be read again.
    ///
    /// ```
    /// use shape_model::ModelFile;
    /// use shape_model::file::ModelEdit;
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let model = ModelFile::open(path)?;
    /// let edit = ModelEdit { ir_version: Some(12), ..ModelEdit::default() };
    /// assert_eq!(model.preview(&edit)?.ir_version, Some(12));
    /// # Ok::<(), shape_model::file::ModelError>(())
    /// ```
    pub fn preview(&self, edit: &ModelEdit) -> Result<ModelProto, ModelError> {
        let plan = plan(self, edit)?;
        let mut pieces = Pieces::new(self.source(), &plan);
        let decoded = budget::decode::<ModelProto>(&mut pieces);
        pieces.finish().map_err(|reason| ModelError::Read { path: self.label(), reason })?;
        decoded.map_err(|failure| explain(self.label(), self.source(), failure))
    }
}

/// Reads the pieces of a plan in order.
struct Pieces<'a> {
    source: &'a Source,
    /// The piece that is read now.
    now: Option<Now<'a>>,
    rest: std::slice::Iter<'a, Piece>,
    /// The number of bytes in this piece and all that follow.
    left: usize,
    failure: Option<io::Error>,
}

enum Now<'a> {
    Kept(Reader<'a>),
    New(&'a [u8]),
}

impl<'a> Pieces<'a> {
    fn new(source: &'a Source, plan: &'a Plan) -> Self {
        let mut pieces = Self { source, now: None, rest: plan.pieces().iter(), left: plan.len(), failure: None };
        pieces.step();
        pieces
    }

    /// Goes to the next piece that has bytes, unless the one of now has some left.
    fn step(&mut self) {
        while self.now.as_ref().is_none_or(|now| now.left() == 0) {
            if let Some(Now::Kept(reader)) = self.now.take() {
                self.failure = self.failure.take().or(reader.finish().err());
            }
            self.now = match self.rest.next() {
                Some(Piece::Kept(range)) => Some(Now::Kept(self.source.reader(range.clone()))),
                Some(Piece::New(bytes)) => Some(Now::New(bytes)),
                None => return,
            };
        }
    }

    /// Returns the error if a read failed.
    fn finish(self) -> io::Result<()> {
        let last = match self.now {
            Some(Now::Kept(reader)) => reader.finish().err(),
            Some(Now::New(_)) | None => None,
        };
        self.failure.or(last).map_or(Ok(()), Err)
    }
}

impl Now<'_> {
    fn left(&self) -> usize {
        match self {
            Self::Kept(reader) => reader.remaining(),
            Self::New(bytes) => bytes.len(),
        }
    }
}

impl Buf for Pieces<'_> {
    fn remaining(&self) -> usize {
        self.left
    }

    fn chunk(&self) -> &[u8] {
        match &self.now {
            Some(Now::Kept(reader)) => reader.chunk(),
            Some(Now::New(bytes)) => bytes,
            None => &[],
        }
    }

    fn advance(&mut self, count: usize) {
        assert!(count <= self.left, "advanced past the end");
        self.left -= count;
        let mut count = count;
        while count > 0
            && let Some(now) = &mut self.now
        {
            let step = count.min(now.left());
            match now {
                Now::Kept(reader) => reader.advance(step),
                Now::New(bytes) => bytes.advance(step),
            }
            count -= step;
            self.step();
        }
    }

    fn copy_to_bytes(&mut self, len: usize) -> Bytes {
        // The elements of a tensor that is kept lie in one piece, and stay a view of the file.
        if let Some(Now::Kept(reader)) = &mut self.now
            && len <= reader.remaining()
        {
            let view = reader.copy_to_bytes(len);
            self.left -= len;
            self.step();
            return view;
        }
        let mut copy = vec![0; len];
        self.copy_to_slice(&mut copy);
        copy.into()
    }
}
