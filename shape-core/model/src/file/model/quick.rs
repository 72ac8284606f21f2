//! Reads the most frequent parts of a model fast, if they are encoded in the way of nearly every writer.
//!
//! Each function here reads a whole message and gives up, with `None`, at whatever is rare or wrong: a field that is not
//! declared, a graph in an attribute, a value twice, another wire type, bytes past the end, more memory than there is.
//! Then [`read`](mod@super::read) reads the same message again from its beginning, with the care that it takes to say what is
//! wrong and where. So what is read here needs neither errors nor stacks: nothing in it is nested that is kept in the
//! same arrays.
//!
//! What both accept is the same model. A test compares them.

use super::names::Name;
use super::parts::{Parts, keep};
use super::record::{AttributeRecord, NodeRecord, Payload, Slice};
use crate::file::cursor::{Part, WireType};
use crate::file::proto::{AttributeProto, FunctionProto, GraphProto, NodeProto, TensorProto};
use crate::file::store::Span;
use crate::file::wire::{Content, FieldInfo, Fields, Format};

/// The most levels of messages in a part that is read here.
pub(super) const LEVELS: u32 = 12;

pub(super) struct Quick<'p> {
    pub(super) parts: &'p mut Parts,
    /// The memory that may still be taken.
    pub(super) allowance: usize,
}

/// The key of a field whose values have a length prefix.
const fn delimited(tag: u32) -> u32 {
    key(tag, WireType::LengthDelimited)
}

const fn key(tag: u32, wire_type: WireType) -> u32 {
    tag << 3 | wire_type as u32
}

/// The keys of nodes in graphs and in functions.
pub(super) const NODE_OF_GRAPH: u8 = delimited(GraphProto::node) as u8;
pub(super) const NODE_OF_FUNCTION: u8 = delimited(FunctionProto::node) as u8;

/// The keys of fields of nodes.
mod node {
    use super::{NodeProto, delimited};

    pub(super) const INPUT: u32 = delimited(NodeProto::input);
    pub(super) const OUTPUT: u32 = delimited(NodeProto::output);
    pub(super) const NAME: u32 = delimited(NodeProto::name);
    pub(super) const OP_TYPE: u32 = delimited(NodeProto::op_type);
    pub(super) const DOMAIN: u32 = delimited(NodeProto::domain);
    pub(super) const OVERLOAD: u32 = delimited(NodeProto::overload);
    pub(super) const ATTRIBUTE: u32 = delimited(NodeProto::attribute);
}

/// The keys of fields of attributes.
mod attribute {
    use super::{AttributeProto, WireType, delimited, key};

    pub(super) const NAME: u32 = delimited(AttributeProto::name);
    pub(super) const REFERENCE: u32 = delimited(AttributeProto::ref_attr_name);
    pub(super) const DOCUMENTATION: u32 = delimited(AttributeProto::doc_string);
    pub(super) const KIND: u32 = key(AttributeProto::r#type, WireType::Varint);
    pub(super) const FLOAT: u32 = key(AttributeProto::f, WireType::ThirtyTwoBit);
    pub(super) const INT: u32 = key(AttributeProto::i, WireType::Varint);
    pub(super) const STRING: u32 = delimited(AttributeProto::s);
    pub(super) const TENSOR: u32 = delimited(AttributeProto::t);
    pub(super) const FLOAT_OF_LIST: u32 = key(AttributeProto::floats, WireType::ThirtyTwoBit);
    pub(super) const FLOATS: u32 = delimited(AttributeProto::floats);
    pub(super) const INT_OF_LIST: u32 = key(AttributeProto::ints, WireType::Varint);
    pub(super) const INTS: u32 = delimited(AttributeProto::ints);
}

/// The number of entries that an array of the model has gained.
fn gained<T>(array: &[T], before: usize) -> Option<Slice> {
    Slice::last(array.len() - before, array.len())
}

fn text(bytes: &[u8]) -> Option<()> {
    (bytes.is_ascii() || std::str::from_utf8(bytes).is_ok()).then_some(())
}

fn number(part: &mut Part<'_>, kind: WireType) -> Option<()> {
    match kind {
        WireType::Varint => part.varint().map(drop),
        WireType::ThirtyTwoBit => part.four().map(drop),
        WireType::SixtyFourBit => part.eight().map(drop),
        WireType::LengthDelimited | WireType::StartGroup | WireType::EndGroup => None,
    }
}

impl Quick<'_> {
    #[inline]
    fn pay(&mut self, size: usize) -> Option<()> {
        self.allowance = self.allowance.checked_sub(size)?;
        Some(())
    }

    /// Reads a name after its key.
    #[inline]
    fn name(&mut self, part: &mut Part<'_>) -> Option<Name> {
        self.pay(size_of::<String>())?;
        self.parts.names.number(part.bytes()?)
    }

    /// Reads a node; `start` is where its length prefix is.
    pub(super) fn node(&mut self, start: usize, mut part: Part<'_>) -> Option<NodeRecord> {
        self.pay(size_of::<NodeProto>())?;
        let [mut op_type, mut domain, mut overload] = [Name::EMPTY; 3];
        let mut record = NodeRecord { start, place: self.parts.place, ..NodeRecord::default() };
        record.values = u32::try_from(self.parts.model.value_names.len()).ok()?;
        let attributes = self.parts.model.attributes.len();
        while !part.is_empty() {
            let key = part.key()?;
            let name = match key {
                node::ATTRIBUTE => {
                    self.attribute(part.part()?)?;
                    continue;
                }
                node::INPUT | node::OUTPUT | node::NAME | node::OP_TYPE | node::DOMAIN | node::OVERLOAD => {
                    part.bytes()?
                }
                _ => return None,
            };
            self.pay(size_of::<String>())?;
            if key == node::NAME {
                text(name)?;
                record.name_start = part.position() - name.len();
                record.name_len = u32::try_from(name.len()).ok()?;
                continue;
            }
            let name = self.parts.names.number(name)?;
            match key {
                // The inputs lie before the outputs.
                node::INPUT if record.outputs > 0 => return None,
                node::INPUT => record.inputs += 1,
                node::OUTPUT => record.outputs += 1,
                node::OP_TYPE => op_type = name,
                node::DOMAIN => domain = name,
                _ => overload = name,
            }
            if matches!(key, node::INPUT | node::OUTPUT) {
                self.parts.model.value_names.push(name);
            }
        }
        record.attributes = gained(&self.parts.model.attributes, attributes)?;
        record.operator = self.parts.operator([domain, op_type, overload]).ok()?;
        Some(record)
    }

    fn attribute(&mut self, mut part: Part<'_>) -> Option<()> {
        self.pay(size_of::<AttributeProto>())?;
        let model = &self.parts.model;
        let (payload, int, float) = (model.payloads.len(), model.ints.len(), model.floats.len());
        let mut record = AttributeRecord::default();
        while !part.is_empty() {
            let key = part.key()?;
            match key {
                attribute::NAME => record.name = self.name(&mut part)?,
                attribute::REFERENCE => record.reference = self.name(&mut part)?,
                attribute::DOCUMENTATION => {
                    self.pay(size_of::<String>())?;
                    text(part.bytes()?)?;
                }
                // Larger numbers lose their upper bits, as in every reader.
                attribute::KIND => record.kind = Some(part.varint()? as i32),
                attribute::FLOAT => {
                    let value = f32::from_le_bytes(part.four()?);
                    self.only(payload, Payload::Float(value))?;
                }
                attribute::INT => {
                    let value = part.varint()?.cast_signed();
                    self.only(payload, Payload::Int(value))?;
                }
                attribute::STRING => {
                    let len = part.bytes()?.len();
                    let spans = &mut self.parts.model.spans;
                    let index = u32::try_from(spans.len()).ok()?;
                    spans.push(Span { start: part.position() - len, len });
                    self.only(payload, Payload::String(index))?;
                }
                attribute::TENSOR => {
                    self.pay(size_of::<TensorProto>())?;
                    let tensor = part.part()?;
                    let span = tensor.span();
                    self.check(TensorProto::field, tensor, LEVELS)?;
                    let index = keep(&mut self.parts.model.tensors, span).ok()?;
                    self.only(payload, Payload::Tensor(index))?;
                }
                attribute::INT_OF_LIST => self.int(&mut part)?,
                attribute::INTS => {
                    let mut list = part.part()?;
                    while !list.is_empty() {
                        self.int(&mut list)?;
                    }
                }
                attribute::FLOAT_OF_LIST => self.float(&mut part)?,
                attribute::FLOATS => {
                    let mut list = part.part()?;
                    while !list.is_empty() {
                        self.float(&mut list)?;
                    }
                }
                _ => return None,
            }
        }
        let model = &mut self.parts.model;
        if model.ints.len() > int {
            model.payloads.push(Payload::Ints(gained(&model.ints, int)?));
        }
        if model.floats.len() > float {
            model.payloads.push(Payload::Floats(gained(&model.floats, float)?));
        }
        record.values = gained(&model.payloads, payload)?;
        model.attributes.push(record);
        Some(())
    }

    /// Adds a value of an attribute that should have no other one.
    fn only(&mut self, first: usize, value: Payload) -> Option<()> {
        let payloads = &mut self.parts.model.payloads;
        if payloads.len() > first {
            return None;
        }
        payloads.push(value);
        Some(())
    }

    fn int(&mut self, part: &mut Part<'_>) -> Option<()> {
        self.pay(size_of::<i64>())?;
        self.parts.model.ints.push(part.varint()?.cast_signed());
        Some(())
    }

    fn float(&mut self, part: &mut Part<'_>) -> Option<()> {
        self.pay(size_of::<i64>())?;
        self.parts.model.floats.push(f32::from_le_bytes(part.four()?));
        Some(())
    }

    /// Reads the name of a message that has one, and checks the other fields.
    pub(super) fn named(&mut self, name: u32, fields: Fields, mut part: Part<'_>) -> Option<Name> {
        let mut of_message = Name::EMPTY;
        while !part.is_empty() {
            let key = part.key()?;
            if key == delimited(name) {
                of_message = self.name(&mut part)?;
            } else {
                self.field(fields, key, &mut part, LEVELS)?;
            }
        }
        Some(of_message)
    }

    /// Checks a message as [`check`](crate::file::wire::check) does.
    fn check(&mut self, fields: Fields, mut part: Part<'_>, levels: u32) -> Option<()> {
        let levels = levels.checked_sub(1)?;
        while !part.is_empty() {
            let key = part.key()?;
            self.field(fields, key, &mut part, levels)?;
        }
        Some(())
    }

    fn field(&mut self, fields: Fields, key: u32, part: &mut Part<'_>, levels: u32) -> Option<()> {
        let &FieldInfo { format: Format { kind, content, packed, undecoded, memory }, .. } = fields(key >> 3)?;
        if key & 7 != kind as u32 {
            if !packed || key & 7 != WireType::LengthDelimited as u32 {
                return None;
            }
            let mut list = part.part()?;
            while !undecoded && !list.is_empty() {
                self.pay(memory)?;
                number(&mut list, kind)?;
            }
            return Some(());
        }
        if !undecoded {
            self.pay(memory)?;
        }
        match content {
            Content::Message(fields) => self.check(fields, part.part()?, levels),
            Content::Text => text(part.bytes()?),
            Content::Bytes => part.bytes().map(drop),
            Content::Number => number(part, kind),
        }
    }
}
