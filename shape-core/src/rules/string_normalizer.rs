//! Strings with stop words removed.

use super::parameters::StringNormalizer;
use super::refuse::mismatch;
use crate::dimension::Dimension;
use crate::facts::UnknownCause;
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn string_normalizer<D: Dimension>(
    StringNormalizer { x }: StringNormalizer<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    let one = D::from(1);
    match x.dims()? {
        [_] => output.each_dim(&[Err(UnknownCause::Data)]),
        [rows, _] if rows.may_equal(&one) => output.each_dim(&[Ok(one), Err(UnknownCause::Data)]),
        [rows, _] => return Err(mismatch("the first of the two dimensions must be 1", Some(1), rows.known()).into()),
        dims => {
            let expected = Detail::Text("1 or 2 dimensions");
            return Err(Problem::rank("the input must have 1 or 2 dimensions", expected, dims.len()).into());
        }
    }
    Ok(())
}
