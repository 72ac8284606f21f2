//! Axes made larger or smaller, to sizes or by factors.

use super::axes::{Axes, axes};
use super::parameters::{Resize, Upsample};
use super::refuse::{has_rank, length, negative};
use crate::code::Code;
use crate::dimension::{Dimension, LARGEST};
use crate::elements::Scalar;
use crate::facts::{Dims, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::whole;
use crate::rule::{Done, List, Numbers, Output};

/// How axes are resized.
enum By<'a, D: Dimension> {
    /// To a size.
    Sizes(List<'a, D>),
    /// By one factor for all axes, so that each is at most, or at least, as large as its size.
    Fitted(Result<(u64, u64), UnknownCause>),
    /// By a factor.
    Scales(List<'a, D>, Numbers<'a, D>),
    /// Unknown.
    Unknown(UnknownCause),
}

pub(super) fn resize<D: Dimension>(
    Resize { x, scales, sizes, axes: listed, keep_aspect_ratio_policy, coordinate_transformation_mode, either }: Resize<
        '_,
        D,
    >,
    output: &mut Output<'_, D>,
) -> Done {
    // An empty list counts as absent.
    let [sizes, scales] = [sizes, scales].map(|list| list.filter(|list| list.is_empty() != Some(true)));
    let entries = |list: Option<List<'_, D>>| list.and_then(|list| list.len());
    let found = match (&sizes, &scales) {
        _ if !either => None,
        (Some(_), Some(_)) if entries(sizes).is_some() && entries(scales).is_some() => Some("both"),
        (None, None) => Some("neither"),
        (None, Some(_)) if !matches!(keep_aspect_ratio_policy, b"" | b"stretch") => {
            Some("scales with a policy for sizes")
        }
        _ => None,
    };
    if let Some(found) = found {
        return Err(Problem::Refused {
            code: Code::ArgumentsExclusive,
            message: "the node must have either sizes or scales",
            expected: Detail::Text("either sizes or scales"),
            found: Detail::Text(found),
        }
        .into());
    }
    let dims = match x.dims() {
        Ok(dims) => dims,
        Err(cause) => {
            // Without axes there is an entry for each.
            let rank = entries(sizes).or_else(|| entries(scales)).filter(|_| listed.is_none());
            output.rank(rank.ok_or(cause)?, cause);
            return Ok(());
        }
    };
    let axes = axes(listed, dims.len())?.or_all();
    let count = axes.count(dims.len());
    if let Some(found) = entries(sizes.or(scales)).filter(|found| *found != count) {
        return Err(length("the numbers of entries and axes differ", count, found).into());
    }
    let by = match (sizes, scales) {
        (Some(sizes), _) => match sizes.numbers() {
            Err(cause) => By::Unknown(cause),
            Ok(numbers) => to_sizes(dims, &axes, sizes, &numbers, keep_aspect_ratio_policy)?,
        },
        // A region of the tensor is scaled; another input has its size.
        (None, Some(_)) if coordinate_transformation_mode == b"tf_crop_and_resize" => By::Unknown(UnknownCause::Data),
        (None, Some(scales)) => match scales.numbers() {
            Err(cause) => By::Unknown(cause),
            Ok(numbers) => {
                for index in 0..numbers.len() {
                    scale(numbers.get(index).as_ref())?;
                }
                By::Scales(scales, numbers)
            }
        },
        (None, None) => By::Unknown(UnknownCause::NotGiven),
    };
    let dim = |at: usize| {
        let dim = x.dim(at)?;
        let Some(index) = axes.position(at) else { return Ok(dim) };
        match &by {
            By::Sizes(sizes) => sizes.size(index),
            By::Fitted(factor) => {
                let (over, under) = (*factor)?;
                rounded(dim.known().ok_or(UnknownCause::Data)?, over, under).map(D::from)
            }
            By::Scales(list, scales) => match scale(scales.get(index).as_ref()) {
                Ok(Some(scale)) => scaled(&dim, scale),
                _ => Err(list.cause()),
            },
            By::Unknown(cause) => Err(*cause),
        }
    };
    output.dims(Dims::Each(dims.len(), &dim));
    Ok(())
}

/// How sizes resize the axes.
///
/// # Errors
/// One of them is negative.
fn to_sizes<'a, D: Dimension>(
    dims: &[D],
    axes: &Axes<'_, D>,
    list: List<'a, D>,
    sizes: &Numbers<'_, D>,
    policy: &[u8],
) -> Result<By<'a, D>, Problem<'static>> {
    negative("a requested dimension is negative", sizes)?;
    // With one factor for all axes, runtimes disagree on which axis a negative number means.
    let back = |list: &Numbers<'_, D>| (0..list.len()).any(|index| list.int(index).is_some_and(|axis| axis < 0));
    let back = matches!(&axes, Axes::Listed(list, _) if back(list));
    Ok(match policy {
        b"not_larger" | b"not_smaller" if back => By::Fitted(Err(UnknownCause::TooLarge)),
        b"not_larger" => By::Fitted(fitted(dims, axes, sizes, false)),
        b"not_smaller" => By::Fitted(fitted(dims, axes, sizes, true)),
        _ => By::Sizes(list),
    })
}

/// The minimum or maximum quotient of the sizes and the axes.
fn fitted<D: Dimension>(
    dims: &[D],
    axes: &Axes<'_, D>,
    sizes: &Numbers<'_, D>,
    greatest: bool,
) -> Result<(u64, u64), UnknownCause> {
    let mut found: Option<(u64, u64)> = None;
    for (at, dim) in dims.iter().enumerate() {
        let Some(index) = axes.position(at) else { continue };
        let size = sizes.int(index).and_then(|size| u64::try_from(size).ok());
        let next = size.zip(dim.known().filter(|dim| *dim > 0)).ok_or(UnknownCause::Data)?;
        let product = |over: (u64, u64), under: (u64, u64)| u128::from(over.0) * u128::from(under.1);
        let better = found.is_none_or(|found| {
            if greatest {
                product(next, found) > product(found, next)
            } else {
                product(next, found) < product(found, next)
            }
        });
        if better {
            found = Some(next);
        }
    }
    found.ok_or(UnknownCause::Data)
}

/// A size times a quotient, rounded to the nearest, and up if it is half way between two.
fn rounded(size: u64, over: u64, under: u64) -> Result<u64, UnknownCause> {
    let nearest = {
        let (size, over, under) = (u128::from(size), u128::from(over), u128::from(under));
        let product = size * over;
        let (Some(whole), Some(rest)) = (product.checked_div(under), product.checked_rem(under)) else {
            return Err(UnknownCause::Data);
        };
        (u64::try_from(whole + u128::from(rest * 2 >= under)).ok().filter(|size| *size <= LARGEST), rest * 2 == under)
    };
    // Half way, a quotient that the runtime's type cannot represent may be rounded either way.
    let wide = whole(size as f64 * (over as f64 / under as f64) + 0.5);
    let narrow = whole(f64::from(size as f32 * (over as f32 / under as f32) + 0.5));
    match nearest {
        (None, _) => Err(UnknownCause::PastLargest),
        (Some(size), half) if !half || (wide, narrow) == (Some(size), Some(size)) => Ok(size),
        _ => Err(UnknownCause::TooLarge),
    }
}

/// An element as a factor, if it is known.
///
/// # Errors
/// It is not above zero.
fn scale<D: Dimension>(element: Option<&Scalar<D>>) -> Result<Option<f64>, Problem<'static>> {
    let Some(Scalar::Float(scale)) = element else { return Ok(None) };
    if *scale > 0.0 && scale.is_finite() {
        return Ok(Some(*scale));
    }
    Err(Problem::Refused {
        code: Code::DimsMismatch,
        message: "a scale is not greater than zero",
        expected: Detail::Text("scales greater than 0"),
        found: Detail::Text("another one"),
    })
}

/// A dimension times a factor, rounded down.
fn scaled<D: Dimension>(dim: &D, scale: f64) -> Result<D, UnknownCause> {
    /// The limits for numerator and denominator of a factor, so that the expression stays readable.
    const MAX: f64 = 1024.0;
    if scale == 1.0 {
        return Ok(dim.clone());
    }
    if let Some(size) = dim.known() {
        // Some runtimes compute with fewer digits than ONNX specifies: if that makes a difference, the size is unknown.
        let sizes = [whole(size as f64 * scale), whole(f64::from(size as f32 * scale as f32))];
        return match sizes.map(|size| size.filter(|size| *size <= LARGEST)) {
            [None, None] => Err(UnknownCause::PastLargest),
            [Some(exact), Some(narrow)] if exact == narrow => Ok(D::from(exact)),
            _ => Err(UnknownCause::TooLarge),
        };
    }
    let mut under = 1_u64;
    let mut over = scale;
    while over <= MAX && under <= 64 {
        if let Some(factor) = whole(over).filter(|factor| *factor as f64 == over) {
            return dim.mul(&D::from(factor)).and_then(|dim| dim.floor_div(under)).ok_or(UnknownCause::TooLarge);
        }
        (over, under) = (over * 2.0, under * 2);
    }
    Err(UnknownCause::TooLarge)
}

pub(super) fn upsample<D: Dimension>(
    Upsample { x, height_scale, width_scale }: Upsample<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    has_rank(&x, 4, "the input must have 4 dimensions: batch, channels, height and width")?;
    let height = scale(height_scale.scalar().ok().as_ref())?;
    let width = scale(width_scale.scalar().ok().as_ref())?;
    let side = |axis: usize, by: Option<f64>| scaled(&x.dim(axis)?, by.ok_or(UnknownCause::Data)?);
    output.each_dim(&[x.dim(0), x.dim(1), side(2, height), side(3, width)]);
    Ok(())
}
