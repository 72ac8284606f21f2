//! The number of elements of a tensor, multiplied step by step.

use super::dim::Dimension;

/// A product of dimensions, multiplied step by step: the number of elements of a tensor.
///
/// A dimension of zero makes it zero, even if another product would overflow. Numbers are multiplied separately from
/// symbols, which are slower.
///
/// ```
/// use shape_core::dimension::Product;
/// assert_eq!(Product::<u64>::of(&[2, 3, 4]), Some(24));
/// assert_eq!(Product::<u64>::of(&[1 << 40, 1 << 40, 0]), Some(0));
/// assert_eq!(Product::<u64>::of(&[1 << 40, 1 << 40]), None);
/// assert_eq!(Product::<u64>::of(&[]), Some(1));
/// ```
#[derive(Clone, Debug)]
pub struct Product<D> {
    zero: bool,
    /// The product of the numbers; `None` past [`LARGEST`](crate::dimension::LARGEST).
    known: Option<u64>,
    /// The product of the symbolic dimensions.
    open: Option<D>,
}

impl<D> Default for Product<D> {
    fn default() -> Self {
        Self { zero: false, known: Some(1), open: None }
    }
}

impl<D: Dimension> Product<D> {
    /// The product of dimensions; `None` if it is a number past [`LARGEST`](crate::dimension::LARGEST).
    #[must_use]
    pub fn of(dims: &[D]) -> Option<D> {
        dims.iter().collect::<Self>().finish()
    }

    /// Multiplies by a dimension.
    #[inline]
    pub fn push(&mut self, dim: &D) {
        match dim.known() {
            Some(0) => self.zero = true,
            Some(size) => self.known = self.known.and_then(|known| known.mul(&size)),
            // Only numbers overflow.
            None => self.open = self.open.as_ref().map_or_else(|| Some(dim.clone()), |open| open.mul(dim)),
        }
    }

    /// The product; `None` if it is a number past [`LARGEST`](crate::dimension::LARGEST).
    #[must_use]
    pub fn finish(self) -> Option<D> {
        match (self.zero, self.open) {
            (true, _) => Some(D::from(0)),
            (false, None) => self.known.map(D::from),
            (false, Some(open)) => open.mul(&D::from(self.known?)),
        }
    }

    /// The product of the numbers alone; `None` past [`LARGEST`](crate::dimension::LARGEST).
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        if self.zero { Some(0) } else { self.known }
    }

    /// Whether two products, neither of which overflows, can be equal. Symbols are whole numbers, so their part must divide
    /// the difference; `positive` says that no symbol in either product is zero.
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

    /// The quotient of two products; `None` if it is never whole, or one of them overflows. Equal
    /// symbolic parts cancel without being multiplied out.
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
