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

    /// `seq(...)` of this; `None` where it would nest deeper than the word holds.
    #[must_use]
    pub const fn sequence(self) -> Option<Self> {
        self.wrap(SEQUENCE)
    }

    /// `optional(...)` of this; `None` where it would nest deeper than the word holds.
    #[must_use]
    pub const fn optional(self) -> Option<Self> {
        self.wrap(OPTIONAL)
    }

    /// `map(key, ...)` to this; `None` where it would nest deeper than the word holds.
    #[must_use]
    pub const fn map(self, key: DataType) -> Option<Self> {
        self.wrap(MAP | key as u64)
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
        let form = if self.0 & SPARSE == 0 { "tensor" } else { "sparse_tensor" };
        write!(formatter, "{form}({})", name(self.0 & 0x7f))?;
        (0..depth).try_for_each(|_| formatter.write_str(")"))
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeSet {
    /// The tensors: bit n stands for the element type with the number n.
    tensors: u32,
    others: &'static [Type],
}

impl TypeSet {
    /// The tensors of some element types, and other types.
    #[must_use]
    pub const fn new(tensors: &[DataType], others: &'static [Type]) -> Self {
        Self { tensors: bits(tensors), others }
    }

    /// The set with the tensors of some more element types.
    #[must_use]
    pub const fn with(self, tensors: &[DataType]) -> Self {
        Self { tensors: self.tensors | bits(tensors), others: self.others }
    }

    /// The set without the tensors of some element types.
    #[must_use]
    pub const fn without(self, tensors: &[DataType]) -> Self {
        Self { tensors: self.tensors & !bits(tensors), others: self.others }
    }

    /// Whether a type is in the set.
    #[must_use]
    pub fn contains(&self, ty: Type) -> bool {
        match ty.element() {
            Some(element) => self.tensors & (1 << element as u32) != 0,
            None => self.others.contains(&ty),
        }
    }

    /// The types, tensors first, by number.
    pub fn iter(&self) -> impl Iterator<Item = Type> {
        let tensors = self.tensors;
        let tensors = DataType::all().filter(move |element| tensors & (1 << *element as u32) != 0).map(Type::tensor);
        tensors.chain(self.others.iter().copied())
    }

    /// The number of types.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tensors.count_ones() as usize + self.others.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
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
        if self.tensors != 0 {
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

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString as _;

    #[test]
    fn texts() {
        let float = Type::tensor(DataType::Float);
        let cases = [
            (Some(float), "tensor(float)"),
            (Some(Type::sparse_tensor(DataType::Int8)), "sparse_tensor(int8)"),
            (float.sequence(), "seq(tensor(float))"),
            (float.sequence().and_then(Type::optional), "optional(seq(tensor(float)))"),
            (float.map(DataType::Int64).and_then(Type::sequence), "seq(map(int64, tensor(float)))"),
        ];
        for (ty, text) in cases {
            assert_eq!(ty.unwrap().to_string(), text);
        }
    }

    #[test]
    fn nesting_ends() {
        let mut ty = Type::tensor(DataType::Float6e3m2);
        for _ in 0..7 {
            ty = ty.map(DataType::Float6e3m2).unwrap();
        }
        assert_eq!(ty.sequence(), None);
        assert_eq!(ty.element(), None);
    }

    #[test]
    fn sets() {
        static OTHERS: [Type; 1] = [Type::sparse_tensor(DataType::Float)];
        let set = TypeSet::new(&[DataType::Int2, DataType::Float], &OTHERS);
        assert_eq!(set.to_string(), "tensor of float, int2, sparse_tensor(float)");
        assert!(set.contains(Type::tensor(DataType::Int2)) && set.contains(OTHERS[0]));
        assert!(!set.contains(Type::tensor(DataType::Uint2)));
        assert_eq!(set.len(), 3);
    }
}
