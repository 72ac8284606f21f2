//! Declarations and constants that are decoded only where that is asked for.
//!
//! A model has thousands of them, and many say the same. What they say can be compared by their bytes.

use super::arrays::Model;
use super::list::{Item, List};
use super::names::Name;
use super::record::Lazy;
use crate::file::cursor::{Read as _, WireType, expect};
use crate::file::proto::{TensorProto, ValueInfoProto};
use crate::file::store::Span;
use crate::file::wire::Message;

/// The maximum length of a tensor that is compared. Weights are seldom twice in a model.
const MAX_TENSOR: usize = 512;

/// A message that has a name.
pub(crate) struct Undecoded<'m, T> {
    pub(super) model: &'m Model,
    pub(super) record: &'m Lazy<T>,
}

impl<T> Clone for Undecoded<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Undecoded<'_, T> {}

impl<'m, T: Message> Undecoded<'m, T> {
    /// The name.
    pub(crate) fn name(self) -> Name {
        self.record.name
    }

    /// The message, decoded.
    pub(crate) fn message(self) -> &'m T {
        self.record.get(&self.model.store)
    }

    /// Whether both are one and the same message of the model, and not two equal ones.
    pub(crate) fn is(self, other: Self) -> bool {
        std::ptr::eq(self.record, other.record)
    }
}

impl<'m> Undecoded<'m, ValueInfoProto> {
    /// The message of its type, not decoded; `None` if there is none, or if it is not in one piece.
    pub(crate) fn type_bytes(self) -> Option<&'m [u8]> {
        Some(self.parts()?.0)
    }

    /// The same, if the declaration has nothing else but a name.
    pub(crate) fn only_type(self) -> Option<&'m [u8]> {
        let (ty, is_all) = self.parts()?;
        is_all.then_some(ty)
    }

    /// The message of the type, and whether it is all there is beside the name.
    fn parts(self) -> Option<(&'m [u8], bool)> {
        let Span { start, len } = self.record.span;
        let (mut types, mut others, mut found) = (0, 0, None);
        let mut cursor = self.model.cursor(start..start + len);
        let read = cursor.fields(|cursor, tag, wire_type| {
            if tag != ValueInfoProto::r#type {
                others += usize::from(tag != ValueInfoProto::name);
                return cursor.skip_field(tag, wire_type);
            }
            expect(WireType::LengthDelimited, wire_type)?;
            types += 1;
            found = Some(cursor.bytes()?);
            Ok(())
        });
        let ty = found.filter(|_| read.is_ok() && types == 1)?;
        Some((ty, others == 0))
    }
}

impl<'m> Undecoded<'m, TensorProto> {
    /// The bytes of the message before its name and behind it; `None` for a long message, and for one in several pieces or
    /// with two names.
    pub(crate) fn unnamed(self) -> Option<[&'m [u8]; 2]> {
        let Span { start, len } = self.record.span;
        let bytes = Some(self.model.store.bytes(self.record.span)).filter(|bytes| bytes.len() == len)?;
        if len > MAX_TENSOR {
            return None;
        }
        let (mut before, mut names, mut place) = (start, 0, 0..0);
        let mut cursor = self.model.cursor(start..start + len);
        let read = cursor.fields(|cursor, tag, wire_type| {
            cursor.skip_field(tag, wire_type)?;
            if tag == TensorProto::name {
                names += 1;
                place = before - start..cursor.position() - start;
            }
            before = cursor.position();
            Ok(())
        });
        if read.is_err() || names > 1 {
            return None;
        }
        Some([bytes.get(..place.start)?, bytes.get(place.end..)?])
    }
}

impl<'m, T: Message> List<'m, &'m T>
where
    &'m T: Item<'m, Record = Lazy<T>>,
{
    /// The entries, which are not decoded for this.
    pub(crate) fn undecoded(self) -> impl ExactSizeIterator<Item = Undecoded<'m, T>> + Clone {
        self.records.iter().map(move |record| Undecoded { model: self.model, record })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::proto::{GraphProto, ModelProto, StringStringEntryProto, TypeProto};

    #[test]
    fn what_messages_say_beside_their_names() {
        let model = |graph: GraphProto| Model::of(&ModelProto { graph: Some(graph), ..ModelProto::default() }).unwrap();
        let tensor = |name: &str, dims: &[i64], len: usize| TensorProto {
            name: name.into(),
            dims: dims.to_vec(),
            raw_data: Some(vec![7; len].into()),
            ..TensorProto::default()
        };
        let all = [
            tensor("a", &[1], 8),
            tensor("longer", &[1], 8),
            tensor("a", &[2], 8),
            tensor("", &[1], 8),
            tensor("a", &[1], MAX_TENSOR),
        ];
        let read = model(GraphProto { initializer: all.to_vec(), ..GraphProto::default() });
        let unnamed: Vec<_> = read.graph().unwrap().initializers().undecoded().map(Undecoded::unnamed).collect();
        assert!(unnamed[0].is_some() && unnamed[0] == unnamed[1]);
        assert!(unnamed[2].is_some() && unnamed[0] != unnamed[2]);
        assert_eq!(unnamed[3].map(|parts| parts.concat()), unnamed[0].map(|parts| parts.concat()));
        assert_eq!(unnamed[4], None);

        let ty = Some(TypeProto { denotation: "IMAGE".into(), ..TypeProto::default() });
        let info = |name: &str| ValueInfoProto { name: name.into(), r#type: ty.clone(), ..ValueInfoProto::default() };
        let more = ValueInfoProto { metadata_props: vec![StringStringEntryProto::default()], ..info("c") };
        let all = vec![info("a"), info("bb"), more, ValueInfoProto { r#type: None, ..info("d") }];
        let read = model(GraphProto { input: all, ..GraphProto::default() });
        let infos: Vec<_> = read.graph().unwrap().inputs().undecoded().collect();
        let types: Vec<_> = infos.iter().map(|info| info.type_bytes()).collect();
        assert!(types[0].is_some() && types[0] == types[1] && types[0] == types[2] && types[3].is_none());
        assert_eq!([0, 1, 2, 3].map(|index| infos[index].only_type().is_some()), [true, true, false, false]);
    }
}
