//! The declaration of a value, which is decoded only where it is asked for.

use super::arrays::Model;
use super::list::List;
use super::names::Name;
use super::record::Lazy;
use crate::file::cursor::{Read as _, WireType, expect};
use crate::file::proto::ValueInfoProto;
use crate::file::store::Span;

/// A declaration of a value: an input or an output of a graph, or an entry of `value_info`.
#[derive(Clone, Copy)]
pub(crate) struct Info<'m> {
    model: &'m Model,
    record: &'m Lazy<ValueInfoProto>,
}

impl<'m> Info<'m> {
    /// The name of the value.
    pub(crate) fn name(self) -> Name {
        self.record.name
    }

    /// The message, decoded.
    pub(crate) fn proto(self) -> &'m ValueInfoProto {
        self.record.get(&self.model.store)
    }

    /// Whether two views are of the same declaration.
    pub(crate) fn is(self, other: Self) -> bool {
        std::ptr::eq(self.record, other.record)
    }

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

impl<'m> List<'m, &'m ValueInfoProto> {
    /// The declarations. They are not decoded for this.
    pub(crate) fn infos(self) -> impl ExactSizeIterator<Item = Info<'m>> + DoubleEndedIterator + Clone + use<'m> {
        self.records.iter().map(move |record| Info { model: self.model, record })
    }
}
