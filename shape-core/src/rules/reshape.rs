//! Reshape: the elements of a tensor, in their order, under other dimensions.

use super::parameters::Reshape;
use crate::code::Code;
use crate::dimension::{Dimension, Product};
use crate::elements::{Elements, Scalar};
use crate::facts::{Dims, Input, UnknownCause};
use crate::problem::{Detail, Problem};
use crate::rule::{Done, List, Numbers, Output};

/// The maximum number of entries of a target. No tensor has as many dimensions; the limit stops files that exhaust memory.
pub const MAX_ENTRIES: u64 = 1_000_000;

/// The elements of `data` under the dimensions of the target `shape`. A 0 in the target copies the dimension
/// at its index, or is a dimension of zero if `allowzero` is 1.
///
/// A symbolic entry of the target is a size, never one of the markers 0 and -1, and so at least 1 unless `allowzero` is 1: an
/// exporter that computes an entry from a dimension means that dimension, even if it subtracts from it. Likewise, a dimension that
/// the target copies cancels out of the dimension for -1; this is correct for all its sizes but zero, for which there is no
/// answer.
///
/// It refuses a target that is absent, not 1-D or too long; an entry below -1, or a second -1; a 0 past the rank of
/// `data`, or beside a -1 where it makes the rest zero; and numbers of elements that overflow, do not divide, or cannot be
/// equal.
pub(super) fn reshape<D: Dimension>(
    Reshape { data, shape, allowzero }: Reshape<'_, D>,
    output: &mut Output<'_, D>,
) -> Done {
    output.elements_of(&data);
    let shape = shape.ok_or(absent())?;
    let len = match &shape {
        List::Known(_) => None,
        List::Input(input) => length(input)?,
    };
    let entries = match shape.numbers() {
        Ok(Numbers::Many(entries)) => entries,
        Ok(Numbers::One(_)) => return Ok(()),
        Err(cause) => {
            output.rank(len.and_then(|len| usize::try_from(len).ok()).ok_or(cause)?, cause);
            return Ok(());
        }
    };
    at_most(entries.len() as u64)?;
    let target = Target { entries, data: data.fact.dims, copies: !allowzero, because: UnknownCause::Dims(data.index) };
    let inferred = target.check()?;
    output.dims(Dims::Each(entries.len(), &|axis| target.dim(axis, inferred.as_ref())));
    Ok(())
}

/// The length of the target, if it is known.
fn length<D: Dimension>(input: &Input<'_, D>) -> Result<Option<u64>, Problem<'static>> {
    let Some(dims) = input.fact.dims else { return Ok(None) };
    let [len] = dims else {
        return Err(Problem::Refused {
            code: Code::TargetRank,
            message: "the target is not a 1-D tensor",
            expected: Detail::Text("1 dimension"),
            found: Detail::Counted(dims.len() as u64, "dimensions"),
        });
    };
    let len = len.known();
    len.map_or(Ok(()), at_most)?;
    Ok(len)
}

fn at_most(len: u64) -> Result<(), Problem<'static>> {
    if len <= MAX_ENTRIES {
        return Ok(());
    }
    Err(Problem::Refused {
        code: Code::TargetLength,
        message: "the target has too many entries",
        expected: Detail::Counted(MAX_ENTRIES, "entries at most"),
        found: Detail::Counted(len, "entries"),
    })
}

const fn absent() -> Problem<'static> {
    Problem::Refused {
        code: Code::TargetMissing,
        message: "the node has no target shape",
        expected: Detail::Text("a target"),
        found: Detail::Text("nothing"),
    }
}

/// A target and the dimensions that it is applied to.
struct Target<'a, D: Dimension> {
    entries: Elements<'a, D>,
    data: Option<&'a [D]>,
    /// Whether a 0 copies a dimension.
    copies: bool,
    because: UnknownCause,
}

/// The meaning of an entry.
enum Entry<D> {
    /// The dimension that follows from the others.
    Inferred,
    /// A copy of the data's dimension at the same index.
    Copied,
    /// A size.
    Size(D),
    /// Invalid: a number below -1.
    Nothing(i64),
    /// Unknown.
    Open,
}

/// A summary of the entries of a target, which are valid one by one.
struct Sum<D> {
    /// Whether one of them is -1.
    infers: bool,
    /// Whether one of them is unknown.
    open: bool,
    /// The product of those that are sizes.
    sizes: Product<D>,
}

impl<D: Dimension> Target<'_, D> {
    /// The dimension of an axis of the output.
    fn dim(&self, axis: usize, inferred: Option<&D>) -> Result<D, UnknownCause> {
        let known = match self.entry(axis) {
            Some(Entry::Size(size)) => Some(size),
            Some(Entry::Copied) => self.data.and_then(|dims| dims.get(axis)).cloned(),
            _ => inferred.cloned(),
        };
        known.ok_or(self.because)
    }

    fn entry(&self, index: usize) -> Option<Entry<D>> {
        Some(match self.entries.get(index)? {
            Scalar::Int(0) if self.copies => Entry::Copied,
            Scalar::Int(-1) => Entry::Inferred,
            Scalar::Int(size) => u64::try_from(size).map_or(Entry::Nothing(size), |size| Entry::Size(D::from(size))),
            Scalar::Size(size) if self.copies && size.known() == Some(0) => Entry::Copied,
            Scalar::Size(size) | Scalar::Expression(size) => Entry::Size(size),
            Scalar::Unknown(reason) => D::unknown(reason).map_or(Entry::Open, Entry::Size),
            Scalar::Bool(_) | Scalar::Float(_) | Scalar::Ratio(_) => Entry::Open,
        })
    }

    /// Checks the target against the data, and returns the dimension for -1; `None` if there is no -1, or the rank of the data
    /// is not known.
    fn check(&self) -> Result<Option<D>, Problem<'static>> {
        let Sum { infers, open, mut sizes } = self.add_up()?;
        if open {
            return Ok(None);
        }
        let Some(dims) = self.data else {
            sizes.finish().ok_or_else(overflow)?;
            return Ok(None);
        };
        if !infers {
            // A symbol among the entries is at least 1 where a 0 is a marker; a dimension that is copied may be zero.
            let mut positive = self.copies;
            for (_, dim) in dims.iter().enumerate().filter(|(axis, _)| self.copied(*axis)) {
                positive &= dim.known().is_some();
                sizes.push(dim);
            }
            let data = dims.iter().collect::<Product<D>>();
            let agree = data.may_equal(&sizes, positive);
            let (data, target) = (data.finish().ok_or_else(overflow)?, sizes.finish().ok_or_else(overflow)?);
            if agree {
                return Ok(None);
            }
            return Err(Problem::Refused {
                code: Code::ElementCount,
                message: "the target and the input have different numbers of elements",
                expected: counted(&data),
                found: counted(&target),
            });
        }
        // A copied dimension cancels on both sides. Only copied numbers are checked: zero has no answer, and the product
        // must not overflow.
        let (mut others, mut copies) = (Product::default(), Product::<u64>::default());
        for (axis, dim) in dims.iter().enumerate() {
            match dim.known() {
                _ if !self.copied(axis) => others.push(dim),
                Some(0) => {
                    return Err(zero(Detail::Text("no dimension of zero"), Detail::Entry { index: axis, value: 0 }));
                }
                number => number.iter().for_each(|number| copies.push(number)),
            }
        }
        for numbers in [others.number(), sizes.number()] {
            numbers.zip(copies.number()).and_then(|(numbers, copies)| numbers.mul(&copies)).ok_or_else(overflow)?;
        }
        if let Some(quotient) = others.div_exact(&sizes) {
            return Ok(Some(quotient));
        }
        let (data, rest) = (others.finish().ok_or_else(overflow)?, sizes.finish().ok_or_else(overflow)?);
        Err(Problem::Refused {
            code: Code::ElementCount,
            message: "the number of elements is not divisible by the known dimensions of the target",
            expected: rest.known().map_or(Detail::Text("a multiple of the rest of the target"), |rest| {
                Detail::Counted(rest, "elements, or a multiple of them")
            }),
            found: counted(&data),
        })
    }

    fn copied(&self, axis: usize) -> bool {
        matches!(self.entry(axis), Some(Entry::Copied))
    }

    /// Checks the entries against the rules for 0 and -1.
    fn add_up(&self) -> Result<Sum<D>, Problem<'static>> {
        let (mut sum, mut zero_at) = (Sum { infers: false, open: false, sizes: Product::default() }, None);
        let refused = |message, expected, index, value| {
            let found = Detail::Entry { index, value };
            Err(Problem::Refused { code: Code::TargetEntry, message, expected, found })
        };
        for index in 0..self.entries.len() {
            match self.entry(index) {
                Some(Entry::Nothing(value)) => {
                    let expected = Detail::Text("-1, 0 or a size");
                    return refused("an entry of the target is less than -1", expected, index, value);
                }
                Some(Entry::Inferred) if sum.infers => {
                    let expected = Detail::Text("at most one -1");
                    return refused("the target contains more than one -1", expected, index, -1);
                }
                Some(Entry::Copied) if self.data.is_some_and(|dims| index >= dims.len()) => {
                    let rank = self.data.map_or(0, <[D]>::len) as u64;
                    let expected = Detail::Counted(rank, "dimensions to copy from");
                    return refused(
                        "a 0 in the target copies a dimension that the input does not have",
                        expected,
                        index,
                        0,
                    );
                }
                Some(Entry::Inferred) => sum.infers = true,
                Some(Entry::Size(size)) => {
                    zero_at = zero_at.or_else(|| (size.known() == Some(0)).then_some(index));
                    sum.sizes.push(&size);
                }
                Some(Entry::Open) => sum.open = true,
                Some(Entry::Copied) | None => {}
            }
        }
        match zero_at.filter(|_| sum.infers) {
            None => Ok(sum),
            Some(index) => {
                Err(zero(Detail::Text("no 0 beside a -1 under allowzero=1"), Detail::Entry { index, value: 0 }))
            }
        }
    }
}

const fn zero(expected: Detail, found: Detail) -> Problem<'static> {
    Problem::Refused {
        code: Code::TargetZero,
        message: "the target contains a -1 and a dimension of zero, so that the -1 could be any number",
        expected,
        found,
    }
}

fn counted<D: Dimension>(elements: &D) -> Detail {
    elements.known().map_or(Detail::Text("another number"), |count| Detail::Counted(count, "elements"))
}

const fn overflow() -> Problem<'static> {
    Problem::Refused {
        code: Code::ElementOverflow,
        message: "the number of elements does not fit into int64",
        expected: Detail::Text("a product of at most 2^63 - 1"),
        found: Detail::Text("a larger one"),
    }
}
