//! The rules that the test descriptor names by their paths.

use shape_core::dimension::Dimension;
use shape_core::facts::{Dims, Input};
use shape_core::rule::{Done, InputList, Output};

/// The dimensions of the first input, and how many of the others there are and a number.
#[expect(clippy::too_many_arguments, reason = "it has an argument of each form")]
pub(crate) fn spread<D: Dimension>(
    data: Input<'_, D>,
    groups: Option<Input<'_, D>>,
    rest: InputList<'_, D>,
    order: &[u8],
    sizes: Option<&[i64]>,
    itself: f32,
    number: i64,
    nothing: Option<i64>,
    output: &mut Output<'_, D>,
) -> Done {
    assert_eq!((itself, number, nothing), (0.5, 3, None));
    assert_eq!(order == b"F", sizes.is_none());
    let last = match groups {
        Some(groups) => groups.elements()?.get(0).map_or(0, |_| 4),
        None => u64::try_from(number).unwrap_or(0),
    };
    let mut dims: Vec<D> = data.dims()?.to_vec();
    dims.push(D::from(last));
    if rest.count() > 0 {
        dims.push(D::from(rest.iter().count() as u64));
    }
    output.dims(Dims::Known(&dims));
    Ok(())
}

/// Two, whatever is given.
pub(crate) fn pair<D: Dimension>(output: &mut Output<'_, D>) -> Done {
    output.dims(Dims::Known(&[D::from(2)]));
    Ok(())
}
