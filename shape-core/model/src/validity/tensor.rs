//! Checks tensors: whether their elements are present, and the indices of sparse ones valid.

use std::fmt::Display;

use super::checker::{Checker, Location};
use crate::file::proto::{SparseTensorProto, TensorProto};
use crate::file::{TensorError, Undecoded};
use crate::finding::Finding;
use shape_core::code::Code;
use shape_core::data_type::DataType;

/// Whether a finding is about the elements of a tensor. All of them are checked here, so the same finding of the
/// analysis is dropped to report it once.
pub(crate) fn is_of_elements(code: Code) -> bool {
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

impl<'m> Checker<'m, '_> {
    /// Checks an initializer, unless another with the same content had no finding.
    pub(super) fn initializer(&mut self, tensor: Undecoded<'m, TensorProto>, location: Location<'_>) {
        let unnamed = tensor.unnamed();
        if unnamed.is_some_and(|unnamed| self.tensors_in_order.contains(&unnamed)) {
            return;
        }
        let findings = self.findings.added();
        self.elements(tensor.message(), location);
        if let Some(unnamed) = unnamed
            && self.findings.added() == findings
        {
            self.tensors_in_order.insert(unnamed);
        }
    }

    fn elements(&mut self, tensor: &TensorProto, location: Location<'_>) {
        self.metadata(&tensor.metadata_props, &"a tensor", location);
        let Err(error) = self.options.external.check(tensor) else { return };
        let reported_by_analysis = match error {
            // The analysis treats a value without any type as not declared.
            TensorError::UnknownType { data_type } => data_type != 0,
            TensorError::NegativeDim { .. } => true,
            _ => false,
        };
        if !reported_by_analysis {
            self.unreadable(&format_args!("the initializer `{}`", tensor.name), &error, location);
        }
    }

    pub(super) fn sparse_initializer(&mut self, sparse: &SparseTensorProto, location: Location<'_>) {
        let name = sparse.values.as_ref().map_or("", |values| &values.name);
        self.sparse(sparse, &format_args!("the sparse initializer `{name}`"), true, location);
    }

    /// Checks a tensor that is not an initializer.
    pub(super) fn tensor(&mut self, tensor: &TensorProto, name: &dyn Display, location: Location<'_>) {
        self.metadata(&tensor.metadata_props, &"a tensor", location);
        if let Err(error) = self.options.external.check(tensor) {
            self.unreadable(name, &error, location);
        }
    }

    fn unreadable(&mut self, name: &dyn Display, error: &TensorError, location: Location<'_>) {
        let found = location.finding(error.code(), format!("the elements of {name} cannot be read"));
        let found = found.expected(error.expected()).found(error).help(error.help());
        let text = error.to_string();
        if let TensorError::External(of_file) = error
            && of_file.is_of_file()
        {
            if let Some((_, tensors)) = self.files.get_mut(&text) {
                *tensors += 1;
                return;
            }
            self.files.insert(text, (self.findings.push(found), 1));
            return;
        }
        self.push(found);
    }

    /// Adds the number of tensors to the finding of each file.
    pub(super) fn count_files(&mut self) {
        for (index, tensors) in self.files.values() {
            let Some(Finding { message, .. }) = index.and_then(|index| self.findings.get_mut(index)) else { continue };
            match tensors - 1 {
                0 => {}
                1 => message.push_str(", nor those of another tensor"),
                more => message.push_str(&format!(", nor those of {more} other tensors")),
            }
        }
    }

    /// Checks a sparse tensor; findings that the analysis has for an initializer are not repeated.
    pub(super) fn sparse(
        &mut self,
        sparse: &SparseTensorProto,
        name: &dyn Display,
        is_initializer: bool,
        location: Location<'_>,
    ) {
        self.needs(6, "a sparse tensor", location);
        let Some(values) = &sparse.values else {
            let found = location.finding(Code::SparseTensor, format!("{name} has no values"));
            self.push(found.expected("a list of values, which may be empty").found("none").help("write it again"));
            return;
        };
        let before = self.findings.len();
        if is_initializer {
            self.elements(values, location);
        } else {
            self.tensor(values, &format_args!("the values of {name}"), location);
        }
        let mut wrong = |what: &str, expected: &str, found: String| {
            let finding = location.finding(Code::SparseTensor, format!("{name} has {what}")).expected(expected);
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
            [positions] if positions == count => Some(1),
            [positions, axes] if positions == count && usize::try_from(axes) == Ok(rank) => Some(rank),
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
            Err(error) => self.unreadable(&format_args!("the indices of {name}"), &error, location),
            Ok(bytes) if self.findings.len() == before => {
                let numbers = bytes.as_chunks().0.iter().map(|bytes| i64::from_le_bytes(*bytes));
                if let Err((at, what)) = order(numbers, &sparse.dims, width.unwrap_or(1)) {
                    let finding = location.finding(Code::SparseTensor, format!("{name} has {what}"));
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

/// Checks that indices of sparse elements are sorted and within the dimensions; each has one number, or one for each
/// dimension. The error is the invalid index, and what is wrong with it.
fn order(numbers: impl Iterator<Item = i64>, dims: &[i64], width: usize) -> Result<(), (String, &'static str)> {
    let linear = [dims.iter().fold(1_i64, |product, size| product.saturating_mul(*size))];
    let bounds = if width == dims.len() { dims } else { &linear };
    let (mut before, mut position): (Vec<i64>, Vec<i64>) = (Vec::new(), Vec::with_capacity(width));
    for number in numbers {
        position.push(number);
        if position.len() < bounds.len() {
            continue;
        }
        if position.iter().zip(bounds).any(|(index, size)| !(0..*size).contains(index)) {
            return Err((format!("{position:?}, in {dims:?}"), "an index outside of it"));
        }
        if !before.is_empty() && position <= before {
            return Err((format!("{position:?} after {before:?}"), "indices out of order"));
        }
        std::mem::swap(&mut before, &mut position);
        position.clear();
    }
    Ok(())
}
