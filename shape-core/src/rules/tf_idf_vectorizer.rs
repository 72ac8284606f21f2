//! Counts of word sequences.

use super::parameters::TfIdfVectorizer;
use crate::code::Code;
use crate::dimension::Dimension;
use crate::facts::{Dims, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn tf_idf_vectorizer<D: Dimension>(
    TfIdfVectorizer { x, ngram_indexes }: TfIdfVectorizer<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let listed = ngram_indexes.numbers()?;
    if listed.is_empty() {
        let expected = Detail::Text("1 number or more");
        let message = "the list of output indices is empty";
        return Err(Problem::Refused {
            code: Code::RankMismatch,
            message,
            expected,
            found: Detail::Counted(0, "numbers"),
        }
        .into());
    }
    let dims = x.dims()?;
    if !matches!(dims.len(), 1 | 2) {
        let expected = Detail::Text("1 or 2 dimensions");
        return Err(Problem::rank("the input must have 1 or 2 dimensions", expected, dims.len()).into());
    }
    let largest = (0..listed.len()).filter_map(|at| listed.int(at)).max();
    let count = largest.and_then(|largest| u64::try_from(largest).ok()?.checked_add(1)).map(D::from);
    let dim = |at: usize| if at + 1 == dims.len() { count.clone().ok_or(UnknownCause::Data) } else { x.dim(at) };
    output.dims(Dims::Each(dims.len(), &dim));
    Ok(())
}
