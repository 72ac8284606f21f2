//! Reshape: the elements of a tensor, in their order, under other dimensions.

use crate::check::{Detail, Problem};
use crate::code::Code;
use crate::dims::{Because, Dimension, Dims, Input, Integers, Outputs, product};
use crate::elements::{Elements, Scalar};

/// The most entries of a target. No tensor has as many dimensions; a file that asks for more is after the memory.
pub const MOST_ENTRIES: u64 = 1_000_000;

/// What the rule reads of a node.
#[derive(Debug)]
pub struct Arguments<'a, D> {
    /// The tensor.
    pub data: Input<'a, D>,
    /// The target: the new dimensions, with -1 for the one that follows from the others.
    pub shape: Integers<'a, D>,
    /// What a 0 in the target means: with 0 the dimension of `data` at that place, with 1 a dimension of zero.
    pub allowzero: i64,
}

impl<D> Default for Arguments<'_, D> {
    fn default() -> Self {
        Self { data: Input::default(), shape: Integers::default(), allowzero: 0 }
    }
}

/// The output: the elements of `data` under the dimensions that the target asks for.
///
/// A symbolic entry of the target is a size of at least 1, never one of the markers 0 and -1: an exporter that computes
/// an entry from a dimension means that dimension. Likewise a dimension that the target copies cancels out of what -1
/// stands for, which is right for every size of it but zero, and with zero there is no answer.
///
/// # Errors
/// A target that is absent, not 1-D or too long; an entry below -1, or a second -1; a 0 past the rank of `data`, or
/// beside a -1 where it makes the rest zero; and numbers of elements that overflow, do not divide, or cannot be equal.
pub fn infer<D: Dimension>(arguments: &Arguments<'_, D>, outputs: &mut dyn Outputs<D>) -> Result<(), Problem<'static>> {
    let Arguments { data, shape, allowzero } = arguments;
    outputs.elements_of(0, data.index);
    let entries = match shape {
        Integers::Absent => return Err(absent()),
        Integers::Attribute(ints) => Elements::Ints(ints),
        Integers::Input(input) => {
            let len = length(input)?;
            match (input.fact.elements, len) {
                (Some(elements), _) => elements,
                (None, Some(0)) => Elements::Ints(&[]),
                (None, len) => {
                    let because = Because::Elements(input.index);
                    match len.and_then(|len| usize::try_from(len).ok()) {
                        Some(len) => outputs.dims(0, Dims::Each(len, &|_| Err(because))),
                        None => outputs.dims(0, Dims::Unknown(because)),
                    }
                    return Ok(());
                }
            }
        }
    };
    at_most(entries.len() as u64)?;
    let target = Target { entries, data: data.fact.dims, copies: *allowzero == 0, because: Because::Dims(data.index) };
    let inferred = target.check()?;
    outputs.dims(0, Dims::Each(entries.len(), &|axis| target.dim(axis, inferred.as_ref())));
    Ok(())
}

/// The length of the target, where it is known.
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
    if len <= MOST_ENTRIES {
        return Ok(());
    }
    Err(Problem::Refused {
        code: Code::TargetLength,
        message: "the target has more entries than any tensor has dimensions",
        expected: Detail::Counted(MOST_ENTRIES, "entries at most"),
        found: Detail::Counted(len, "entries"),
    })
}

const fn absent() -> Problem<'static> {
    Problem::Refused {
        code: Code::TargetMissing,
        message: "the node does not say which dimensions to give",
        expected: Detail::Text("a target"),
        found: Detail::Text("nothing"),
    }
}

/// A target beside the dimensions that it is applied to.
struct Target<'a, D> {
    entries: Elements<'a, D>,
    data: Option<&'a [D]>,
    /// Whether a 0 copies a dimension.
    copies: bool,
    because: Because,
}

/// What an entry means.
enum Entry<D> {
    /// The dimension that follows from the others.
    Inferred,
    /// The dimension of the data at the same place.
    Copied,
    /// A size.
    Size(D),
}

impl<D: Dimension> Target<'_, D> {
    /// The dimension of an axis of the output.
    fn dim(&self, axis: usize, inferred: Option<&D>) -> Result<D, Because> {
        let known = match self.entries.get(axis).map(|scalar| self.entry(scalar)) {
            Some(Entry::Size(size)) => Some(size),
            Some(Entry::Copied) => self.data.and_then(|dims| dims.get(axis)).cloned(),
            Some(Entry::Inferred) | None => inferred.cloned(),
        };
        known.ok_or(self.because)
    }

    fn entry(&self, scalar: Scalar<D>) -> Entry<D> {
        match scalar {
            Scalar::Int(0) if self.copies => Entry::Copied,
            // What is negative and not -1 is refused before an entry is asked for.
            Scalar::Int(size) => u64::try_from(size).map_or(Entry::Inferred, |size| Entry::Size(D::from(size))),
            Scalar::Size(size) if self.copies && size.known() == Some(0) => Entry::Copied,
            Scalar::Size(size) => Entry::Size(size),
        }
    }

    fn all(&self) -> impl Iterator<Item = (usize, Entry<D>)> + Clone + '_ {
        self.entries.iter().map(|scalar| self.entry(scalar)).enumerate()
    }

    /// The product of the entries that are sizes.
    fn sizes(&self) -> Option<D> {
        product(self.all().filter_map(|(_, entry)| match entry {
            Entry::Size(size) => Some(size),
            _ => None,
        }))
    }

    /// Holds the target against the data, and gives the dimension that -1 stands for; `None` where there is no -1, or
    /// the rank of the data is not known.
    fn check(&self) -> Result<Option<D>, Problem<'static>> {
        let infers = self.markers()?;
        let Some(dims) = self.data else {
            self.sizes().ok_or_else(overflow)?;
            return Ok(None);
        };
        let data = product(dims.iter().cloned()).ok_or_else(overflow)?;
        if !infers {
            let target = product(self.all().filter_map(|(axis, entry)| match entry {
                Entry::Size(size) => Some(size),
                _ => dims.get(axis).cloned(),
            }));
            let target = target.ok_or_else(overflow)?;
            if data.agrees(&target) {
                return Ok(None);
            }
            return Err(Problem::Refused {
                code: Code::ElementCount,
                message: "the target has another number of elements than the tensor",
                expected: counted(&data),
                found: counted(&target),
            });
        }
        let copied = |axis: usize| matches!(self.entries.get(axis).map(|it| self.entry(it)), Some(Entry::Copied));
        if dims.iter().enumerate().any(|(axis, dim)| dim.known() == Some(0) && copied(axis)) {
            return Err(Problem::Refused {
                code: Code::TargetZero,
                message: "the target infers a dimension beside one of zero, where every number would do",
                expected: Detail::Text("a rest of at least 1 element"),
                found: Detail::Text("a rest of 0 elements"),
            });
        }
        // A dimension that is copied divides both sides.
        let others = dims.iter().enumerate().filter(|(axis, _)| !copied(*axis));
        let data = product(others.map(|(_, dim)| dim.clone())).ok_or_else(overflow)?;
        let rest = self.sizes().ok_or_else(overflow)?;
        data.over(&rest).map(Some).ok_or_else(|| Problem::Refused {
            code: Code::ElementCount,
            message: "the elements of the tensor do not divide into the dimensions of the target",
            expected: rest.known().map_or(Detail::Text("a multiple of the rest of the target"), |rest| {
                Detail::Counted(rest, "elements, or a multiple of them")
            }),
            found: counted(&data),
        })
    }

    /// Whether one entry is -1, when the markers are right as such.
    fn markers(&self) -> Result<bool, Problem<'static>> {
        let mut infers = false;
        let mut zero = None;
        for (index, scalar) in self.entries.iter().enumerate() {
            match scalar {
                Scalar::Int(value @ ..-1) => {
                    return Err(Problem::Refused {
                        code: Code::TargetEntry,
                        message: "an entry of the target is no size and no marker",
                        expected: Detail::Text("-1, 0 or a size"),
                        found: Detail::Entry { index, value },
                    });
                }
                Scalar::Int(value @ -1) if infers => {
                    return Err(Problem::Refused {
                        code: Code::TargetEntry,
                        message: "the target leaves a second dimension to be inferred",
                        expected: Detail::Text("one -1 at most"),
                        found: Detail::Entry { index, value },
                    });
                }
                Scalar::Int(-1) => infers = true,
                _ => match self.entry(scalar) {
                    Entry::Copied if self.data.is_some_and(|dims| index >= dims.len()) => {
                        return Err(Problem::Refused {
                            code: Code::TargetEntry,
                            message: "the target copies a dimension that the tensor does not have",
                            expected: Detail::Counted(
                                self.data.map_or(0, <[D]>::len) as u64,
                                "dimensions to copy from",
                            ),
                            found: Detail::Entry { index, value: 0 },
                        });
                    }
                    Entry::Size(size) if size.known() == Some(0) => zero = zero.or(Some(index)),
                    _ => {}
                },
            }
        }
        match zero.filter(|_| infers) {
            None => Ok(infers),
            Some(index) => Err(Problem::Refused {
                code: Code::TargetZero,
                message: "the target infers a dimension beside one of zero, where every number would do",
                expected: Detail::Text("no 0 beside a -1 under allowzero=1"),
                found: Detail::Entry { index, value: 0 },
            }),
        }
    }
}

fn counted<D: Dimension>(elements: &D) -> Detail {
    elements.known().map_or(Detail::Text("a number that cannot be that"), |count| Detail::Counted(count, "elements"))
}

const fn overflow() -> Problem<'static> {
    Problem::Refused {
        code: Code::ElementOverflow,
        message: "the dimensions have more elements than int64 counts",
        expected: Detail::Text("a product of at most 2^63 - 1"),
        found: Detail::Text("a larger one"),
    }
}
