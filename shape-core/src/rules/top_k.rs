//! The largest or smallest elements along an axis.

use super::axes::axis;
use super::parameters::TopK;
use crate::code::Code;
use crate::dimension::Dimension;
use crate::facts::Dims;
use crate::problem::{Detail, Problem};
use crate::rule::{Done, Output};

pub(super) fn top_k<D: Dimension>(TopK { x, k, axis: along }: TopK<'_, D>, output: &mut Output<'_, D>) -> Done {
    let dims = x.dims()?;
    let along = axis(along.known().ok_or(along.cause())?, dims.len())?;
    if let Some(count) = k.known() {
        let there_are = dims.get(along).and_then(D::known);
        let refused = |code, expected| {
            let message = "the requested number of elements is negative or too large";
            Problem::Refused { code, message, expected, found: Detail::Int(count) }
        };
        match (u64::try_from(count), there_are) {
            (Err(_), _) => return Err(refused(Code::DimsNegative, Detail::Text("0 or greater")).into()),
            (Ok(count), Some(size)) if count > size => {
                return Err(refused(Code::DimsMismatch, Detail::Counted(size, "elements or fewer")).into());
            }
            _ => {}
        }
    }
    output.dims(Dims::Each(dims.len(), &|at| if at == along { k.size() } else { x.dim(at) }));
    Ok(())
}
