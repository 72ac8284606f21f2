//! Types of values, without dimensions, and the sets of them that operators allow.

use core::fmt;

use crate::data_type::DataType;

/// The type of a value: a tensor of some element type, or a sequence, optional or map around one.
///
/// It is one word: the element type in the lowest byte, then a byte for each form around it, innermost first. So it
/// is copied, compared and kept in static tables without an allocation. Seven forms fit; ONNX itself nests three.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Type(u64);

const SPARSE: u64 = 0x80;
const SEQUENCE: u64 = 0x01;
const OPTIONAL: u64 = 0x02;
const MAP: u64 = 0x80;

impl Type {
    /// `tensor(float)`
    #[must_use]
    pub const fn tensor(element: DataType) -> Self {
        Self(element as u64)
    }

    /// `sparse_tensor(float)`
    #[must_use]
    pub const fn sparse_tensor(element: DataType) -> Self {
        Self(element as u64 | SPARSE)
    }

    /// `seq(...)` of this; `None` if it would nest deeper than the word holds.
    #[must_use]
    pub const fn sequence(self) -> Option<Self> {
        self.wrap(SEQUENCE)
    }

    /// `optional(...)` of this; `None` if it would nest deeper than the word holds.
    #[must_use]
    pub const fn optional(self) -> Option<Self> {
        self.wrap(OPTIONAL)
    }

    /// `map(key, ...)` to this; `None` if it would nest deeper than the word holds.
    #[must_use]
    pub const fn map(self, key: DataType) -> Option<Self> {
        self.wrap(MAP | key as u64)
    }

    /// The element type of a sequence; `None` for other types.
    ///
    /// ```
    /// use shape_core::{DataType, Type};
    /// let float = Type::tensor(DataType::Float);
    /// assert_eq!(float.sequence().unwrap().in_sequence(), Some(float));
    /// assert_eq!(float.in_sequence(), None);
    /// ```
    #[must_use]
    pub const fn in_sequence(self) -> Option<Self> {
        self.unwrap_form(SEQUENCE)
    }

    /// The type inside an optional; `None` for other types.
    #[must_use]
    pub const fn in_optional(self) -> Option<Self> {
        self.unwrap_form(OPTIONAL)
    }

    /// The value type of a map; `None` for other types.
    #[must_use]
    pub const fn in_map(self) -> Option<Self> {
        let place = 8 * self.depth();
        if place > 0 && (self.0 >> place) & MAP != 0 { Some(Self(self.0 & !(0xff << place))) } else { None }
    }

    /// The key type of a map; `None` for other types.
    ///
    /// ```
    /// use shape_core::{DataType, Type};
    /// let map = Type::tensor(DataType::Float).map(DataType::Int64).unwrap();
    /// assert_eq!((map.key(), map.in_map()), (Some(DataType::Int64), Some(Type::tensor(DataType::Float))));
    /// ```
    #[must_use]
    pub fn key(self) -> Option<DataType> {
        self.in_map()?;
        i32::try_from((self.0 >> (8 * self.depth())) & !MAP).ok().and_then(DataType::from_number)
    }

    /// The element type of a sparse tensor; `None` for other types.
    ///
    /// ```
    /// use shape_core::{DataType, Type};
    /// assert_eq!(Type::sparse_tensor(DataType::Float).in_sparse_tensor(), Some(DataType::Float));
    /// assert_eq!(Type::tensor(DataType::Float).in_sparse_tensor(), None);
    /// ```
    #[must_use]
    pub fn in_sparse_tensor(self) -> Option<DataType> {
        let number = self.0.checked_sub(SPARSE)?;
        i32::try_from(number).ok().and_then(DataType::from_number)
    }

    const fn unwrap_form(self, form: u64) -> Option<Self> {
        let place = 8 * self.depth();
        if place > 0 && self.0 >> place == form { Some(Self(self.0 & !(form << place))) } else { None }
    }

    const fn wrap(self, form: u64) -> Option<Self> {
        let depth = self.depth();
        if depth < 7 { Some(Self(self.0 | form << (8 * (depth + 1)))) } else { None }
    }

    /// The number of forms around the tensor.
    const fn depth(self) -> u32 {
        (64 - self.0.leading_zeros()).div_ceil(8) - 1
    }

    /// The element type, if this is a (dense) tensor.
    #[must_use]
    pub fn element(self) -> Option<DataType> {
        i32::try_from(self.0).ok().and_then(DataType::from_number)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |number: u64| i32::try_from(number).ok().and_then(DataType::from_number).map_or("?", DataType::name);
        let depth = self.depth();
        for level in (1..=depth).rev() {
            match (self.0 >> (8 * level)) & 0xff {
                SEQUENCE => formatter.write_str("seq(")?,
                OPTIONAL => formatter.write_str("optional(")?,
                map => write!(formatter, "map({}, ", name(map & !MAP))?,
            }
        }
        let element = name(self.0 & 0x7f);
        // The values of a map are tensors too, which ONNX abbreviates: `map(int64, float)`.
        match (self.0 & SPARSE == 0, (self.0 >> 8) & MAP == 0) {
            (true, false) => formatter.write_str(element)?,
            (true, true) => write!(formatter, "tensor({element})")?,
            (false, _) => write!(formatter, "sparse_tensor({element})")?,
        }
        (0..depth).try_for_each(|_| formatter.write_str(")"))
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// A set of types.
///
/// The tensors, sequences and optionals of the element types are bits, so that a set is put together in a constant, and
/// queried in a few instructions; other nested types are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeSet {
    /// For each of [`FORMS`], bit n is set for the element type with the number n.
    forms: [u32; 4],
    others: &'static [Type],
}

/// The forms around a tensor that are kept as bits: none, `seq`, `optional`, and `optional(seq)`; as the bytes of
/// [`Type`] above the lowest.
const FORMS: [u64; 4] = [0, SEQUENCE, OPTIONAL, SEQUENCE | OPTIONAL << 8];

impl TypeSet {
    /// The tensors of some element types.
    #[must_use]
    pub const fn new(tensors: &[DataType]) -> Self {
        Self { forms: [bits(tensors), 0, 0, 0], others: &[] }
    }

    /// The tensors of the element types whose bits are set.
    pub(crate) const fn of_bits(tensors: u32) -> Self {
        Self { forms: [tensors, 0, 0, 0], others: &[] }
    }

    /// The set with the tensors of some more element types.
    #[must_use]
    pub const fn with(self, tensors: &[DataType]) -> Self {
        self.union(Self::new(tensors))
    }

    /// The set without the tensors of some element types.
    #[must_use]
    pub const fn without(self, tensors: &[DataType]) -> Self {
        let [own, sequences, optionals, both] = self.forms;
        Self { forms: [own & !bits(tensors), sequences, optionals, both], others: self.others }
    }

    /// The set with these listed types in place of those that it lists.
    #[must_use]
    pub const fn listing(self, others: &'static [Type]) -> Self {
        Self { forms: self.forms, others }
    }

    /// The types of both sets. Of listed ones, those of this.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.forms, other.forms);
        Self { forms: [a | e, b | f, c | g, d | h], others: self.others }
    }

    /// The sequences of the tensors of this set.
    #[must_use]
    pub const fn in_sequences(self) -> Self {
        Self { forms: [0, self.forms[0], 0, 0], others: &[] }
    }

    /// The optionals of the tensors, and of the sequences of tensors, of this set.
    ///
    /// ```
    /// use shape_core::types::TypeSet;
    /// use shape_core::{DataType, Type};
    /// const FLOATS: TypeSet = TypeSet::new(&[DataType::Float, DataType::Double]);
    /// const LISTS: TypeSet = FLOATS.in_sequences().in_optionals();
    /// let list = Type::tensor(DataType::Float).sequence().unwrap();
    /// assert!(LISTS.contains(list.optional().unwrap()) && !LISTS.contains(list));
    /// ```
    #[must_use]
    pub const fn in_optionals(self) -> Self {
        Self { forms: [0, 0, self.forms[0], self.forms[1]], others: &[] }
    }

    /// The set with one more type; `None` for a type that a set can only list.
    #[must_use]
    pub fn and(self, ty: Type) -> Option<Self> {
        let (form, bit) = bit_of(ty)?;
        let mut forms = self.forms;
        *forms.get_mut(form)? |= bit;
        Some(Self { forms, ..self })
    }

    /// Whether a type is in the set.
    #[must_use]
    pub fn contains(&self, ty: Type) -> bool {
        match bit_of(ty) {
            Some((form, bit)) => self.forms.get(form).is_some_and(|set| set & bit != 0),
            None => self.others.contains(&ty),
        }
    }

    /// The types, tensors first, by number.
    pub fn iter(&self) -> impl Iterator<Item = Type> {
        let forms = FORMS.into_iter().zip(self.forms);
        let kept = forms.flat_map(|(form, set)| {
            let elements = DataType::all().filter(move |element| set & (1 << *element as u32) != 0);
            elements.map(move |element| Type(form << 8 | element as u64))
        });
        kept.chain(self.others.iter().copied())
    }

    /// The number of types.
    #[must_use]
    pub fn len(&self) -> usize {
        self.forms.iter().map(|set| set.count_ones() as usize).sum::<usize>() + self.others.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The index in [`FORMS`] and the bit of a type, if it is stored as a bit.
fn bit_of(ty: Type) -> Option<(usize, u32)> {
    let form = FORMS.iter().position(|form| *form == ty.0 >> 8)?;
    Some((form, 1_u32.checked_shl(u32::try_from(ty.0 & 0xff).ok()?)?))
}

const fn bits(elements: &[DataType]) -> u32 {
    let mut set = 0;
    let mut index = 0;
    while index < elements.len() {
        set |= 1 << elements[index] as u32;
        index += 1;
    }
    set
}

/// `tensor of float, int2, seq(tensor(float))`
impl fmt::Display for TypeSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.forms[0] != 0 {
            formatter.write_str("tensor of ")?;
        }
        for (index, ty) in self.iter().enumerate() {
            formatter.write_str(if index == 0 { "" } else { ", " })?;
            match ty.element() {
                Some(element) => write!(formatter, "{element}")?,
                None => write!(formatter, "{ty}")?,
            }
        }
        Ok(())
    }
}
