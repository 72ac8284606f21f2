//! Tensors: whether their elements are there, and what places they have in sparse ones.

use super::{Form, Place};
use crate::code::Code;
use crate::data_type::DataType;
use crate::finding::Finding;
use crate::model::proto::{SparseTensorProto, TensorProto};
use crate::model::{ExternalError, TensorError};

/// Whether a finding is about the elements of a tensor, which are all looked at here, so that what the walk tells of
/// those that it follows is told once.
pub(in crate::analysis) fn is_of_elements(code: Code) -> bool {
    matches!(
        code,
        Code::TensorData
            | Code::ExternalDataAbsent
            | Code::ExternalDataLength
            | Code::ExternalDataMalformed
            | Code::ExternalDataOutside
            | Code::ExternalDataShort
            | Code::ExternalDataUnread
    )
}

impl Form<'_, '_> {
    pub(super) fn initializer(&mut self, tensor: &TensorProto, place: Place<'_>) {
        self.metadata(&tensor.metadata_props, "a tensor", place);
        let Err(error) = self.options.external.check(tensor) else { return };
        let told_by_walk = match error {
            // No type at all is nothing to the walk, which takes the value for one that is not declared.
            TensorError::UnknownType { data_type } => data_type != 0,
            TensorError::NegativeDim { .. } => true,
            _ => false,
        };
        if !told_by_walk {
            self.unreadable(&format!("the initializer `{}`", tensor.name), &error, place);
        }
    }

    pub(super) fn sparse_initializer(&mut self, sparse: &SparseTensorProto, place: Place<'_>) {
        let name = sparse.values.as_ref().map_or("", |values| &values.name);
        self.sparse(sparse, &format!("the sparse initializer `{name}`"), true, place);
    }

    /// A tensor that is no initializer.
    pub(super) fn tensor(&mut self, tensor: &TensorProto, name: &str, place: Place<'_>) {
        self.metadata(&tensor.metadata_props, "a tensor", place);
        if let Err(error) = self.options.external.check(tensor) {
            self.unreadable(name, &error, place);
        }
    }

    fn unreadable(&mut self, name: &str, error: &TensorError, place: Place<'_>) {
        let text = error.to_string();
        if let TensorError::External(of_file) = error
            && is_of_the_file(of_file)
        {
            if let Some((_, tensors)) = self.files.get_mut(&text) {
                *tensors += 1;
                return;
            }
            self.files.insert(text, (self.findings.len(), 1));
        }
        let (expected, help) = advice(error);
        let found = place.finding(error.code(), format!("the elements of {name} cannot be read"));
        self.push(found.expected(expected).found(error).help(help));
    }

    /// Says in the finding of each file how many tensors lie in it.
    pub(super) fn count_files(&mut self) {
        for (index, tensors) in self.files.values() {
            let Some(Finding { message, .. }) = self.findings.get_mut(*index) else { continue };
            match tensors - 1 {
                0 => {}
                1 => message.push_str(", nor those of another tensor"),
                more => message.push_str(&format!(", nor those of {more} other tensors")),
            }
        }
    }

    /// A sparse tensor; what the walk tells of an initializer is not told again.
    pub(super) fn sparse(&mut self, sparse: &SparseTensorProto, name: &str, is_initializer: bool, place: Place<'_>) {
        self.needs(6, "a sparse tensor", place);
        let Some(values) = &sparse.values else {
            let found = place.finding(Code::SparseTensor, format!("{name} has no values"));
            self.push(found.expected("a list of values, which may be empty").found("none").help("write it again"));
            return;
        };
        let before = self.findings.len();
        if is_initializer {
            self.initializer(values, place);
        } else {
            self.tensor(values, &format!("the values of {name}"), place);
        }
        let mut wrong = |what: &str, expected: &str, found: String| {
            let finding = place.finding(Code::SparseTensor, format!("{name} has {what}")).expected(expected);
            self.findings.push(finding.found(found).help("write the tensor again"));
        };
        if values.dims.len() != 1 {
            wrong("values that are not 1-D", "one dimension", values.dims.len().to_string());
        }
        if sparse.dims.is_empty() {
            wrong("no dimensions", "at least one", "none".to_owned());
        }
        for (axis, size) in sparse.dims.iter().enumerate().filter(|(_, size)| **size < 1) {
            wrong("a dimension that is less than 1", "a size, 1 or greater", format!("{size} at axis {axis}"));
        }
        let count = values.dims.first().copied().unwrap_or(0);
        let Some(indices) = &sparse.indices else {
            if count != 0 {
                wrong("values but no indices", "indices, as many as values", format!("none, for {count} values"));
            }
            return;
        };
        let rank = sparse.dims.len();
        let width = match *indices.dims {
            [places] if places == count => Some(1),
            [places, axes] if places == count && usize::try_from(axes) == Ok(rank) => Some(rank),
            _ => None,
        };
        if width.is_none() {
            let expected = format!("the dimensions [{count}] or [{count}, {rank}]");
            wrong("indices that do not match its values", &expected, format!("{:?}", indices.dims));
        }
        if indices.data_type != Some(DataType::Int64.number().into()) {
            let ty = indices.data_type.and_then(DataType::from_number);
            let ty = ty.map_or_else(|| "no element type".to_owned(), |ty| ty.to_string());
            wrong("indices that are not int64", "int64", ty);
            return;
        }
        match self.options.external.elements(indices) {
            Err(error) => self.unreadable(&format!("the indices of {name}"), &error, place),
            Ok(bytes) if self.findings.len() == before => {
                let numbers = bytes.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes));
                if let Err((at, what)) = order(numbers, &sparse.dims, width.unwrap_or(1)) {
                    let finding = place.finding(Code::SparseTensor, format!("{name} has {what}"));
                    let finding = finding.expected("indices inside of the tensor, in ascending order");
                    self.push(
                        finding.found(at).help("sort values and indices together, with one value for each index"),
                    );
                }
            }
            Ok(_) => {}
        }
    }
}

/// Whether an error is of the file that a tensor names, and so of every tensor in it.
fn is_of_the_file(error: &ExternalError) -> bool {
    use ExternalError::{Absent, Irregular, NoFolder, NotRelative, Outside, Read};
    matches!(
        error,
        NoFolder { .. } | NotRelative { .. } | Outside { .. } | Absent { .. } | Irregular { .. } | Read { .. }
    )
}

/// What should be there, and what to do.
pub(in crate::analysis) fn advice(error: &TensorError) -> (&'static str, &'static str) {
    use ExternalError::{Absent, Irregular, Length, NoFolder, NotRelative, Outside, Read, Short};
    match error {
        TensorError::External(error) => match error {
            NoFolder { .. } => ("a model file in a folder", "open the model by its path, so that the data can be read"),
            NotRelative { .. } | Outside { .. } => (
                "a file in the folder of the model, or below it",
                "put the data beside the model, and use a relative path",
            ),
            Absent { .. } | Irregular { .. } => {
                ("the file that the tensor names", "put the data file beside the model")
            }
            Read { .. } => ("a file that may be read", "make the file readable"),
            Short { .. } | Length { .. } => (
                "as many bytes as the dimensions and the element type require",
                "download or export the model and its data again, together",
            ),
            _ => ("a location, an offset and a length, each once, and no other elements", "write the tensor again"),
        },
        TensorError::UnknownType { .. } => ("a number from 1 to 28", "write the number of the element type"),
        _ => ("as many elements as the dimensions require, in the one field for their type", "write the tensor again"),
    }
}

/// Whether places come in order and lie in a tensor of some dimensions: each one number, or one a dimension. The error is
/// the place, and what is wrong with it.
fn order(numbers: impl Iterator<Item = i64>, dims: &[i64], width: usize) -> Result<(), (String, &'static str)> {
    let linear = [dims.iter().fold(1_i64, |product, size| product.saturating_mul(*size))];
    let bounds = if width == dims.len() { dims } else { &linear };
    let (mut before, mut place): (Vec<i64>, Vec<i64>) = (Vec::new(), Vec::with_capacity(width));
    for number in numbers {
        place.push(number);
        if place.len() < bounds.len() {
            continue;
        }
        if place.iter().zip(bounds).any(|(index, size)| !(0..*size).contains(index)) {
            return Err((format!("{place:?}, in {dims:?}"), "an index outside of it"));
        }
        if !before.is_empty() && place <= before {
            return Err((format!("{place:?} after {before:?}"), "indices out of order"));
        }
        std::mem::swap(&mut before, &mut place);
        place.clear();
    }
    Ok(())
}
