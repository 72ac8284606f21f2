//! Compares the content of attributes without decoding it.

use std::hash::{Hash as _, Hasher};

use super::attribute::Attribute;
use super::record::Payload;
use crate::file::store::Span;

/// The maximum length of a message, such as a tensor, that is compared. Weights are seldom twice in a model.
const MAX_MESSAGE: usize = 512;

impl<'m> Attribute<'m> {
    /// Hashes the content of the attribute: its name, its kind and its values. Returns whether all of it can be
    /// compared: a graph, a long message and the value of a caller cannot.
    pub(crate) fn hash_content(self, state: &mut impl Hasher) -> bool {
        (self.record.name, self.record.kind).hash(state);
        self.record.reference.is_empty() && self.payloads().iter().all(|payload| self.hash_payload(payload, state))
    }

    fn hash_payload(self, payload: &Payload, state: &mut impl Hasher) -> bool {
        match payload {
            Payload::Float(value) => value.to_bits().hash(state),
            Payload::Int(value) => value.hash(state),
            Payload::Ints(values) => values.of(&self.model.ints).hash(state),
            Payload::Floats(values) => {
                values.of(&self.model.floats).iter().for_each(|value| value.to_bits().hash(state));
            }
            Payload::Strings(index) => self.model.strings.get(*index as usize).hash(state),
            payload => match self.message(payload) {
                Some(bytes) => bytes.hash(state),
                None => return false,
            },
        }
        true
    }

    /// Whether two attributes of a model have the same content; both must be comparable.
    pub(crate) fn same_content(self, other: Self) -> bool {
        let (values, others) = (self.payloads(), other.payloads());
        (self.record.name, self.record.kind) == (other.record.name, other.record.kind)
            && values.len() == others.len()
            && values.iter().zip(others).all(|(value, other)| self.same_payload(value, other))
    }

    fn same_payload(self, value: &Payload, other: &Payload) -> bool {
        let (ints, floats, strings) = (&self.model.ints, &self.model.floats, &self.model.strings);
        let bits = |value: &f32| value.to_bits();
        match (value, other) {
            (Payload::Float(value), Payload::Float(other)) => value.to_bits() == other.to_bits(),
            (Payload::Int(value), Payload::Int(other)) => value == other,
            (Payload::Ints(values), Payload::Ints(others)) => values.of(ints) == others.of(ints),
            (Payload::Floats(values), Payload::Floats(others)) => {
                values.of(floats).iter().map(bits).eq(others.of(floats).iter().map(bits))
            }
            (Payload::Strings(values), Payload::Strings(others)) => {
                strings.get(*values as usize) == strings.get(*others as usize)
            }
            (value, other) => {
                value.kind() == other.kind()
                    && self.message(value).is_some_and(|bytes| self.message(other) == Some(bytes))
            }
        }
    }

    /// The bytes of a string, a tensor or a type, if they are few and in one piece.
    fn message(self, payload: &Payload) -> Option<&'m [u8]> {
        let span = match payload {
            Payload::String(index) => self.model.spans.get(*index as usize).copied()?,
            Payload::Tensor(_) | Payload::Type(_) => self.model.span_of(payload),
            _ => return None,
        };
        let Span { len, .. } = span;
        Some(self.model.store.bytes(span)).filter(|bytes| len <= MAX_MESSAGE && bytes.len() == len)
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher as _, Hasher as _};

    use super::*;
    use crate::file::model::Model;
    use crate::file::proto::{AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto};
    use shape_core::node::AttributeKind;

    #[test]
    fn attributes_are_the_same_where_all_they_say_is() {
        let of = |name: &str, kind: AttributeKind, set: &dyn Fn(&mut AttributeProto)| {
            let mut made =
                AttributeProto { name: name.into(), r#type: Some(kind.number()), ..AttributeProto::default() };
            set(&mut made);
            made
        };
        let tensor = |bytes: usize| {
            of("a", AttributeKind::Tensor, &|made| {
                made.t =
                    Some(Box::new(TensorProto { raw_data: Some(vec![7; bytes].into()), ..TensorProto::default() }));
            })
        };
        let all = [
            of("a", AttributeKind::Int, &|made| made.i = Some(1)),
            of("a", AttributeKind::Int, &|made| made.i = Some(2)),
            of("a", AttributeKind::Int, &|_| ()),
            of("b", AttributeKind::Int, &|made| made.i = Some(1)),
            of("a", AttributeKind::Float, &|made| made.i = Some(1)),
            of("a", AttributeKind::Float, &|made| made.f = Some(0.0)),
            of("a", AttributeKind::Float, &|made| made.f = Some(-0.0)),
            of("a", AttributeKind::Ints, &|made| made.ints = vec![1, 2]),
            of("a", AttributeKind::Ints, &|made| made.ints = vec![1, 3]),
            of("a", AttributeKind::Floats, &|made| made.floats = vec![0.0]),
            of("a", AttributeKind::Floats, &|made| made.floats = vec![-0.0]),
            of("a", AttributeKind::Strings, &|made| made.strings = vec!["x".into()]),
            of("a", AttributeKind::Strings, &|made| made.strings = vec!["y".into()]),
            of("a", AttributeKind::String, &|made| made.s = Some("x".into())),
            of("a", AttributeKind::String, &|made| made.s = Some("y".into())),
            tensor(1),
            tensor(2),
            // A value twice, one of them of another kind.
            of("a", AttributeKind::Int, &|made| (made.i, made.f) = (Some(1), Some(1.0))),
            // What is not compared.
            tensor(MAX_MESSAGE),
            of("a", AttributeKind::Graph, &|made| made.g = Some(Box::default())),
            of("a", AttributeKind::Tensors, &|made| made.tensors = vec![TensorProto::default()]),
            AttributeProto { ref_attr_name: "b".into(), ..of("a", AttributeKind::Int, &|_| ()) },
        ];
        const NOT_COMPARED: usize = 4;
        let nodes = [&all, &all].map(|all| NodeProto { attribute: all.to_vec(), ..NodeProto::default() });
        let graph = GraphProto { node: nodes.into(), ..GraphProto::default() };
        let model = Model::of(&ModelProto { graph: Some(graph), ..ModelProto::default() }).unwrap();
        let hasher = foldhash::fast::FixedState::default();
        let hashed = |attribute: Attribute<'_>| {
            let mut state = hasher.build_hasher();
            attribute.hash_content(&mut state).then(|| state.finish())
        };
        let [left, right] = [0, 1].map(|node| model.graph().unwrap().nodes().get(node).unwrap().attributes());
        for (index, attribute) in left.iter().enumerate() {
            assert_eq!(hashed(attribute).is_none(), index + NOT_COMPARED >= all.len(), "{:?}", all[index]);
            if hashed(attribute).is_none() {
                continue;
            }
            for (other, of_other) in right.iter().enumerate().filter(|(_, other)| hashed(*other).is_some()) {
                let (same, shown) = (index == other, (&all[index], &all[other]));
                assert_eq!(attribute.same_content(of_other), same, "{shown:?}");
                assert_eq!(hashed(attribute) == hashed(of_other), same, "{shown:?}");
            }
        }
    }
}
