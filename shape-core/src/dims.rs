//! Dimensions as the rules see them, and what else is known of a node's inputs.
//!
//! **Architecture Invariant.** A rule is generic over the dimension, so that the same lines serve numbers and
//! symbols. It reads slices and hands slices or closures on; what keeps them is the caller's.

use core::fmt;

use crate::elements::arithmetic::{Integer, Operation, Undecided};
use crate::elements::{Elements, Scalar};
use crate::node::GraphView;
use crate::types::Type;

/// The largest size that ONNX can write down: dimensions and their products are int64.
pub const LARGEST: u64 = i64::MAX as u64;

/// One dimension of a tensor, as a rule needs it: a number (`u64`), or something that may be one. A number makes one.
///
/// Arithmetic says `None` only for what no number can be: a product of numbers past [`LARGEST`], a quotient that is
/// never whole, a difference that is always negative. What merely stays open is a dimension that is not known, and what
/// depends on symbols is taken for a size, since a dimension is one.
pub trait Dimension: Clone + fmt::Debug + PartialEq + From<u64> {
    /// Why an element is not known.
    type Reason: Clone + fmt::Debug + PartialEq + Send + Sync;

    /// The size in elements, where it is a number.
    fn known(&self) -> Option<u64>;

    /// The product; `None` where it is a number past [`LARGEST`].
    #[must_use]
    fn mul(&self, other: &Self) -> Option<Self>;

    /// The quotient, which must be whole; `None` where it never is, or the divisor is zero.
    #[must_use]
    fn div_exact(&self, divisor: &Self) -> Option<Self>;

    /// The sum; `None` where it is a number past [`LARGEST`].
    #[must_use]
    fn add(&self, other: &Self) -> Option<Self>;

    /// The difference; `None` where it is always negative.
    #[must_use]
    fn sub(&self, other: &Self) -> Option<Self>;

    /// The quotient, rounded down; `None` where the divisor is zero.
    #[must_use]
    fn floor_div(&self, divisor: u64) -> Option<Self>;

    /// The quotient, rounded up; `None` where the divisor is zero.
    #[must_use]
    fn ceil_div(&self, divisor: u64) -> Option<Self>;

    /// The larger of both.
    #[must_use]
    fn max(&self, other: &Self) -> Option<Self>;

    /// The smaller of both.
    #[must_use]
    fn min(&self, other: &Self) -> Option<Self>;

    /// A number that it is never below, where one is found: as an expression, whatever the symbols are.
    fn lower_bound(&self) -> Option<i64>;

    /// A number that it is never above, where one is found.
    fn upper_bound(&self) -> Option<i64>;

    /// Whether this and another can be the same number.
    #[must_use]
    fn may_equal(&self, other: &Self) -> bool;

    /// Whether this and another are the same number, whichever that is. What is not known is not even the same as itself.
    #[must_use]
    fn same_as(&self, other: &Self) -> bool;

    /// The result of an operation on integers, one of which is no number; they may be negative, other than dimensions.
    /// For the arithmetic of [`Scalar`], which rules use.
    ///
    /// # Errors
    /// Why it is not known.
    fn compute(
        operation: Operation,
        left: Integer<&Self>,
        right: Integer<&Self>,
    ) -> Result<Integer<Self>, Self::Reason>;

    /// What arithmetic has to say, as a reason.
    fn reason(why: Undecided) -> Self::Reason;

    /// A dimension that is not known for a reason; `None` where every dimension is.
    fn unknown(reason: Self::Reason) -> Option<Self>;
}

impl Dimension for u64 {
    type Reason = Undecided;

    fn known(&self) -> Option<u64> {
        Some(*self)
    }

    fn mul(&self, other: &Self) -> Option<Self> {
        self.checked_mul(*other).filter(|product| *product <= LARGEST)
    }

    fn div_exact(&self, divisor: &Self) -> Option<Self> {
        (self.checked_rem(*divisor)? == 0).then(|| self / divisor)
    }

    fn add(&self, other: &Self) -> Option<Self> {
        self.checked_add(*other).filter(|sum| *sum <= LARGEST)
    }

    fn sub(&self, other: &Self) -> Option<Self> {
        self.checked_sub(*other)
    }

    fn floor_div(&self, divisor: u64) -> Option<Self> {
        self.checked_div(divisor)
    }

    fn ceil_div(&self, divisor: u64) -> Option<Self> {
        (divisor != 0).then(|| self.div_ceil(divisor))
    }

    fn max(&self, other: &Self) -> Option<Self> {
        Some(*Ord::max(self, other))
    }

    fn min(&self, other: &Self) -> Option<Self> {
        Some(*Ord::min(self, other))
    }

    fn lower_bound(&self) -> Option<i64> {
        Some(i64::try_from(*self).unwrap_or(i64::MAX))
    }

    fn upper_bound(&self) -> Option<i64> {
        i64::try_from(*self).ok()
    }

    fn may_equal(&self, other: &Self) -> bool {
        self == other
    }

    fn same_as(&self, other: &Self) -> bool {
        self == other
    }

    // A number that is not taken for one is past int64.
    fn compute(_: Operation, _: Integer<&Self>, _: Integer<&Self>) -> Result<Integer<Self>, Undecided> {
        Err(Undecided::Overflow)
    }

    fn reason(why: Undecided) -> Undecided {
        why
    }

    fn unknown(_: Undecided) -> Option<Self> {
        None
    }
}

/// A product of dimensions in the making: the number of elements of a tensor.
///
/// A dimension of zero makes it zero whatever the others. Numbers are multiplied among themselves, so that symbols cost
/// what they must.
///
/// ```
/// use shape_core::dims::Product;
/// assert_eq!(Product::<u64>::of(&[2, 3, 4]), Some(24));
/// assert_eq!(Product::<u64>::of(&[1 << 40, 1 << 40, 0]), Some(0));
/// assert_eq!(Product::<u64>::of(&[1 << 40, 1 << 40]), None);
/// assert_eq!(Product::<u64>::of(&[]), Some(1));
/// ```
#[derive(Clone, Debug)]
pub struct Product<D> {
    zero: bool,
    /// The product of the numbers; `None` past [`LARGEST`].
    known: Option<u64>,
    /// The product of the rest.
    open: Option<D>,
}

impl<D> Default for Product<D> {
    fn default() -> Self {
        Self { zero: false, known: Some(1), open: None }
    }
}

impl<D: Dimension> Product<D> {
    /// The product of dimensions; `None` where it is a number past [`LARGEST`].
    #[must_use]
    pub fn of(dims: &[D]) -> Option<D> {
        dims.iter().collect::<Self>().finish()
    }

    /// Multiplies a dimension in.
    #[inline]
    pub fn push(&mut self, dim: &D) {
        match dim.known() {
            Some(0) => self.zero = true,
            Some(size) => self.known = self.known.and_then(|known| known.mul(&size)),
            // What is no number has a product with anything: only numbers overflow.
            None => self.open = self.open.as_ref().map_or_else(|| Some(dim.clone()), |open| open.mul(dim)),
        }
    }

    /// The product; `None` where it is a number past [`LARGEST`].
    #[must_use]
    pub fn finish(self) -> Option<D> {
        match (self.zero, self.open) {
            (true, _) => Some(D::from(0)),
            (false, None) => self.known.map(D::from),
            (false, Some(open)) => open.mul(&D::from(self.known?)),
        }
    }

    /// The product of the numbers alone; `None` past [`LARGEST`].
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        if self.zero { Some(0) } else { self.known }
    }

    /// Whether two products, neither of which overflows, can be equal. What is no number is whole at least, so that it
    /// must divide; `positive` says that it is not zero in the other product either.
    #[must_use]
    pub fn may_equal(&self, other: &Self, positive: bool) -> bool {
        let multiple = |of: Option<u64>, by: Option<u64>| {
            of.zip(by).is_none_or(|(of, by)| Dimension::div_exact(&of, &by).is_some())
        };
        let zero = self.zero || other.zero;
        match (&self.open, &other.open) {
            (None, Some(_)) if !zero && !multiple(self.known, other.known) => false,
            (Some(_), None) if !zero && !multiple(other.known, self.known) => false,
            (Some(left), Some(right)) if !zero && positive && left.same_as(right) => self.known == other.known,
            _ => match (self.clone().finish(), other.clone().finish()) {
                (Some(left), Some(right)) => left.may_equal(&right),
                _ => false,
            },
        }
    }

    /// The quotient of two products; `None` where it is never whole, or one of them overflows. What is the same on both
    /// sides is not multiplied out.
    #[must_use]
    pub fn div_exact(&self, divisor: &Self) -> Option<D> {
        let whole = |left: Option<u64>, right: Option<u64>| {
            left.zip(right).and_then(|(left, right)| Dimension::div_exact(&left, &right))
        };
        let quotient = match whole(self.known, divisor.known) {
            _ if self.zero || divisor.zero => None,
            None => None,
            Some(number) => match (&self.open, &divisor.open) {
                (None, None) => Some(D::from(number)),
                (Some(open), None) if number == 1 => Some(open.clone()),
                (Some(open), None) => open.mul(&D::from(number)),
                (open, Some(divisor)) => open.as_ref().filter(|open| open.same_as(divisor)).map(|_| D::from(number)),
            },
        };
        quotient.or_else(|| self.clone().finish()?.div_exact(&divisor.clone().finish()?))
    }
}

impl<'d, D: Dimension> FromIterator<&'d D> for Product<D> {
    fn from_iter<I: IntoIterator<Item = &'d D>>(dims: I) -> Self {
        let mut product = Self::default();
        dims.into_iter().for_each(|dim| product.push(dim));
        product
    }
}

/// The dimensions of a tensor, outermost first, as far as they are known.
pub enum Dims<'a, D = u64> {
    /// Each of them.
    Known(&'a [D]),
    /// As many as the number says, each from the closure: it, or why it is not known.
    Each(usize, &'a dyn Fn(usize) -> Result<D, UnknownCause>),
    /// Not even how many there are, and why.
    Unknown(UnknownCause),
}

impl<D: Clone> Dims<'_, D> {
    /// How many there are.
    ///
    /// # Errors
    /// Why it is not known.
    pub fn rank(&self) -> Result<usize, UnknownCause> {
        match self {
            Self::Known(dims) => Ok(dims.len()),
            Self::Each(rank, _) => Ok(*rank),
            Self::Unknown(because) => Err(*because),
        }
    }

    /// The dimension of an axis below the rank.
    ///
    /// # Errors
    /// Why it is not known; past the rank, an input that there is not.
    pub fn dim(&self, axis: usize) -> Result<D, UnknownCause> {
        match self {
            Self::Known(dims) => dims.get(axis).cloned().ok_or(UnknownCause::NotGiven),
            Self::Each(_, dim) => dim(axis),
            Self::Unknown(because) => Err(*because),
        }
    }
}

impl<D: fmt::Debug> fmt::Debug for Dims<'_, D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(dims) => formatter.debug_tuple("Known").field(dims).finish(),
            Self::Each(rank, dim) => formatter.debug_list().entries((0..*rank).map(dim)).finish(),
            Self::Unknown(because) => formatter.debug_tuple("Unknown").field(because).finish(),
        }
    }
}

/// Why something about an output is unknown: something about an input is, and for the same reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownCause {
    /// The dimensions of the input at this place are not known.
    Dims(usize),
    /// The elements of the input at this place are not known.
    Elements(usize),
    /// The dimensions of an output of a graph in the node are not known.
    GraphDims {
        /// The place of the graph's attribute in the schema.
        attribute: usize,
        /// The place of the output.
        output: usize,
    },
    /// The elements of an output of a graph in the node are not known.
    GraphElements {
        /// The place of the graph's attribute in the schema.
        attribute: usize,
        /// The place of the output.
        output: usize,
    },
    /// The branches of the node give different sizes.
    Branches,
    /// It need not be the same in each round of the node's graph.
    Rounds,
    /// The node does not give what would say it.
    NotGiven,
    /// Two dimensions that are stretched to each other may differ, and either may be 1.
    MayDiffer,
    /// Tools that run such a node give different sizes.
    ToolsDiffer,
    /// Tensors that come together in a sequence need not be alike.
    Varies,
    /// It depends on what the elements of an input are when the model runs.
    Data,
    /// A number grows past [`LARGEST`], or an expression past what is followed.
    TooLarge,
}

/// What is known of an input of a node.
#[derive(Debug)]
pub struct Fact<'a, D: Dimension = u64> {
    /// Its type.
    pub ty: Option<Type>,
    /// Its dimensions; `None` where not even its rank is known.
    pub dims: Option<&'a [D]>,
    /// Its elements, where it is a tensor of int64 and they are known before the model runs.
    pub elements: Option<Elements<'a, D>>,
}

impl<D: Dimension> Default for Fact<'_, D> {
    fn default() -> Self {
        Self { ty: None, dims: None, elements: None }
    }
}

/// An input of a node in its place among the inputs.
#[derive(Debug)]
pub struct Input<'a, D: Dimension = u64> {
    /// Its place, from 0.
    pub index: usize,
    /// What is known of it.
    pub fact: Fact<'a, D>,
}

impl<D: Dimension> Default for Input<'_, D> {
    fn default() -> Self {
        Self { index: 0, fact: Fact::default() }
    }
}

/// The inputs of a node in their order; `None` for one that is not given.
#[derive(Debug)]
pub struct Inputs<'a, D: Dimension = u64>(pub &'a [Option<Fact<'a, D>>]);

impl<'a, D: Dimension> Inputs<'a, D> {
    /// The input at a place, which the node must have.
    ///
    /// One that is absent counts as one of which nothing is known: that it is absent is the checker's to say.
    #[must_use]
    pub fn required(&self, index: usize) -> Input<'a, D> {
        Input { index, fact: self.0.get(index).copied().flatten().unwrap_or_default() }
    }
}

// Derived, these would ask that the dimension be `Copy`, which lies behind a reference in all of them.
macro_rules! copy {
    ($($name:ident),*) => { $(
        impl<D: $crate::dims::Dimension> Clone for $name<'_, D> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<D: $crate::dims::Dimension> Copy for $name<'_, D> {}
    )* };
}
pub(crate) use copy;
copy!(Dims, Fact, Input, Inputs);

/// What is known of the graphs in the attributes of a node.
pub trait Subgraphs<D: Dimension> {
    /// An output of a graph, as far as it is known.
    fn output(&self, graph: GraphView<'_>, index: usize) -> Option<Fact<'_, D>>;
}

/// Of a node without graphs, or where nothing is known of them.
impl<D: Dimension> Subgraphs<D> for () {
    fn output(&self, _: GraphView<'_>, _: usize) -> Option<Fact<'_, D>> {
        None
    }
}

/// How many elements there are, and each of them.
pub type EachElement<'a, D> = (usize, &'a dyn Fn(usize) -> Scalar<D>);

/// Where a rule leaves what it finds about the outputs of a node.
pub trait Outputs<D: Dimension> {
    /// How many outputs the node has.
    fn count(&self) -> usize {
        1
    }

    /// The dimensions of an output.
    fn dims(&mut self, output: usize, dims: Dims<'_, D>);

    /// The elements of an output that is a tensor of sizes, in row-major order.
    fn sizes(&mut self, output: usize, sizes: &[D]) {
        let size = |index: usize| sizes.get(index).map_or(Scalar::Int(0), |size| Scalar::size(size.clone()));
        self.elements(output, Ok((sizes.len(), &size)));
    }

    /// The elements of an output in row-major order: how many there are, and each of them; or why none is known.
    fn elements(&mut self, output: usize, elements: Result<EachElement<'_, D>, UnknownCause>);

    /// An output has the elements of an input, all of them and in their order, whatever their type.
    fn elements_of(&mut self, output: usize, input: usize);
}
