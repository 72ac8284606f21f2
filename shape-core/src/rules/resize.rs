//! Rules that make the axes of a tensor larger or smaller, to sizes or by factors.

use crate::check::{Detail, Problem};
use crate::code::Code;
use crate::dims::{Dimension, Dims, LARGEST, Outputs, UnknownCause};
use crate::elements::Scalar;
use crate::node::AttributeValue;
use crate::rules::axes::{Axes, axes};
use crate::rules::given::rank;
use crate::rules::layout::{size, whole};
use crate::rules::{Arguments, Numbers};

type Done = Result<(), Problem<'static>>;

/// What an axis is made larger or smaller by.
enum By<'a, D: Dimension> {
    /// To a size.
    Sizes(Numbers<'a, D>),
    /// By the one factor for all axes that makes each as large as its size, or no larger, or no smaller.
    Fitted(Result<(u64, u64), UnknownCause>),
    /// By a factor.
    Scales(Numbers<'a, D>),
    /// There is no telling.
    Open(UnknownCause),
}

/// `resize(X, scales?, sizes?, axes?, keep_aspect_ratio_policy?, coordinate_transformation_mode?)`: each of the axes with
/// its size, or its own times a scale. Where there are sizes, they count.
pub(super) fn resize<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    const SCALES: usize = 1;
    const SIZES: usize = 2;
    // An empty list is none.
    let listed = |parameter: usize| given.numbers(parameter).map(|list| list.filter(|list| !list.is_empty()));
    let entries = |parameter: usize| given.length(parameter).filter(|length| *length > 0);
    let dims = match given.dims(0) {
        Ok(dims) => dims,
        Err(because) => {
            // Without axes there is an entry for each.
            match entries(SIZES).or_else(|| entries(SCALES)).filter(|_| matches!(given.numbers(3), Ok(None))) {
                Some(rank) => given.give(outputs, Dims::Each(rank, &|_| Err(because))),
                None => given.give(outputs, Dims::Unknown(because)),
            }
            return Ok(());
        }
    };
    let axes = match axes(given, 3, dims.len(), true)? {
        Axes::Listed(list, _) if list.is_empty() => Axes::All,
        axes => axes,
    };
    let count = axes.count(dims.len());
    let told = if given.input(SIZES).is_some() && !matches!(listed(SIZES), Ok(None)) { SIZES } else { SCALES };
    if let Some(found) = entries(told).filter(|found| *found != count) {
        let expected = Detail::Counted(count as u64, "numbers");
        return Err(rank("there are other numbers of entries and of axes", expected, found));
    }
    let by = match (listed(SIZES), listed(SCALES)) {
        (Ok(Some(sizes)), _) => {
            for index in 0..sizes.len() {
                if let Some(value) = sizes.int(index).filter(|size| *size < 0) {
                    return Err(Problem::Refused {
                        code: Code::DimsNegative,
                        message: "a dimension is asked for that is negative",
                        expected: Detail::Text("sizes of at least 0"),
                        found: Detail::Entry { index, value },
                    });
                }
            }
            // Tools differ in which axis one is that counts from the end, as soon as one factor is looked for.
            let back =
                |list: &Numbers<'_, D>| (0..list.len()).any(|index| list.int(index).is_some_and(|axis| axis < 0));
            let back = matches!(&axes, Axes::Listed(list, _) if back(list));
            match given.text(4) {
                b"not_larger" | b"not_smaller" if back => By::Fitted(Err(UnknownCause::TooLarge)),
                b"not_larger" => By::Fitted(fitted(dims, &axes, &sizes, false)),
                b"not_smaller" => By::Fitted(fitted(dims, &axes, &sizes, true)),
                _ => By::Sizes(sizes),
            }
        }
        (Err(because), _) | (Ok(None), Err(because)) => By::Open(because),
        // A region of the tensor is scaled, and how large it is lies in another input.
        (_, Ok(Some(_))) if given.text(5) == b"tf_crop_and_resize" => By::Open(UnknownCause::Data),
        (_, Ok(Some(scales))) => {
            for index in 0..scales.len() {
                scale(scales.get(index).as_ref())?;
            }
            By::Scales(scales)
        }
        (Ok(None), Ok(None)) => By::Open(UnknownCause::Data),
    };
    let elements = |parameter: usize| given.because_of(parameter);
    let dim = |at: usize| {
        let dim = dims.get(at).ok_or(UnknownCause::Dims(usize::MAX))?;
        let Some(place) = axes.place(at) else { return Ok(dim.clone()) };
        match &by {
            By::Sizes(sizes) => sizes.get(place).and_then(size).ok_or(elements(SIZES)),
            By::Fitted(factor) => {
                let (over, under) = (*factor)?;
                rounded(dim.known().ok_or(UnknownCause::Data)?, over, under).map(D::from)
            }
            By::Scales(scales) => match scale(scales.get(place).as_ref()) {
                Ok(Some(scale)) => scaled(dim, scale),
                _ => Err(elements(SCALES)),
            },
            By::Open(because) => Err(*because),
        }
    };
    given.give(outputs, Dims::Each(dims.len(), &dim));
    Ok(())
}

/// The least quotient of the sizes and the axes, or the greatest one.
fn fitted<D: Dimension>(
    dims: &[D],
    axes: &Axes<'_, D>,
    sizes: &Numbers<'_, D>,
    greatest: bool,
) -> Result<(u64, u64), UnknownCause> {
    let mut found: Option<(u64, u64)> = None;
    for (at, dim) in dims.iter().enumerate() {
        let Some(place) = axes.place(at) else { continue };
        let size = sizes.int(place).and_then(|size| u64::try_from(size).ok());
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

/// A size times a quotient, rounded to the nearest, and up where it lies half way between two.
fn rounded(size: u64, over: u64, under: u64) -> Result<u64, UnknownCause> {
    let nearest = {
        let (size, over, under) = (u128::from(size), u128::from(over), u128::from(under));
        let product = size * over;
        let (Some(whole), Some(rest)) = (product.checked_div(under), product.checked_rem(under)) else {
            return Err(UnknownCause::Data);
        };
        (u64::try_from(whole + u128::from(rest * 2 >= under)).ok().filter(|size| *size <= LARGEST), rest * 2 == under)
    };
    // Half way, a quotient that is no number of a tool's type may come out on either side.
    let wide = whole(size as f64 * (over as f64 / under as f64) + 0.5);
    let narrow = whole(f64::from(size as f32 * (over as f32 / under as f32) + 0.5));
    match nearest {
        (Some(size), half) if !half || (wide, narrow) == (Some(size), Some(size)) => Ok(size),
        _ => Err(UnknownCause::TooLarge),
    }
}

/// An element as a factor, where it is known.
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
        message: "a scale is no number above zero",
        expected: Detail::Text("scales above 0"),
        found: Detail::Text("another one"),
    })
}

/// A dimension times a factor, rounded down.
fn scaled<D: Dimension>(dim: &D, scale: f64) -> Result<D, UnknownCause> {
    /// What a factor over a power of two may have above it, and below: what such an expression is worth reading for.
    const MOST: f64 = 1024.0;
    if scale == 1.0 {
        return Ok(dim.clone());
    }
    if let Some(size) = dim.known() {
        // The documents compute with more digits than some tools: where that makes a difference, there is no telling.
        let exact = whole(size as f64 * scale).ok_or(UnknownCause::TooLarge)?;
        let narrow = whole(f64::from(size as f32 * scale as f32)).ok_or(UnknownCause::TooLarge)?;
        return if exact == narrow {
            D::from(exact).add(&D::from(0)).ok_or(UnknownCause::TooLarge)
        } else {
            Err(UnknownCause::TooLarge)
        };
    }
    let mut under = 1_u64;
    let mut over = scale;
    while over <= MOST && under <= 64 {
        if let Some(factor) = whole(over).filter(|factor| *factor as f64 == over) {
            return dim.mul(&D::from(factor)).and_then(|dim| dim.floor_div(under)).ok_or(UnknownCause::TooLarge);
        }
        (over, under) = (over * 2.0, under * 2);
    }
    Err(UnknownCause::TooLarge)
}

/// `magnify(X, height_scale, width_scale)`: an image, each of its sides times a scale.
pub(super) fn magnify<D: Dimension>(given: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Done {
    given.ranked(0, 4, "an image has a batch, channels, a height and a width")?;
    let side = |parameter: usize| {
        let scale = match given.value(parameter) {
            Some(AttributeValue::Float(number)) => scale::<D>(Some(&Scalar::Float(number.into())))?,
            _ => None,
        };
        Ok(given.dim(0, parameter + 1).and_then(|dim| scaled(&dim, scale.ok_or(UnknownCause::Data)?)))
    };
    given.give_each(outputs, &[given.dim(0, 0), given.dim(0, 1), side(1)?, side(2)?]);
    Ok(())
}
