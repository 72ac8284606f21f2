//! Reads a model: goes once through its bytes, checks all of them, and writes down where things are.
//!
//! Parts of one message need not lie together, and graphs lie within attributes of nodes of graphs. So what belongs to a
//! message is first collected on stacks, above what belongs to the messages around it, and moved to the flat arrays of
//! the [`Model`] at its end.
//!
//! What a model has many of is first tried by [`quick`], which gives up where anything is unusual, and then read here from
//! its beginning.
//!
//! Each part is charged with the memory of the message that its `proto` decodes, which is more than its record takes.

use std::ops::Range;

use bytes::Bytes;

use super::arrays::Model;
use super::names::Name;
use super::parts::{Join, Parts, Place, keep, moved, next};
use super::quick::{self, Quick};
use super::record::{
    AttributeRecord, FunctionRecord, GraphRecord, Lazy, NodePlace, NodeRecord, Payload, TrainingRecord,
};
use crate::file::cursor::{Cursor, DecodeError, Part, Read, Refusal, WireType, expect};
use crate::file::proto::{
    AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, SparseTensorProto,
    TensorProto, TrainingInfoProto, TypeProto, ValueInfoProto,
};
use crate::file::store::{Span, Store};
use crate::file::wire::{FieldInfo, Fields, Message, check};

impl Model {
    /// The model of a message.
    ///
    /// # Errors
    ///
    /// If messages are nested more than a hundred deep.
    pub fn of(proto: &ModelProto) -> Result<Self, DecodeError> {
        let store = Store::from(Bytes::from(proto.encode_to_vec()));
        read(store, usize::MAX).map_err(|(_, error)| error)
    }
}

type Decoded<T> = Result<T, DecodeError>;

/// Reads a model, which may take `allowance` bytes of memory. An error comes with the offset at which reading stopped.
pub(in crate::file) fn read(store: Store, allowance: usize) -> Result<Model, (usize, DecodeError)> {
    let mut parts = Parts::for_file(store.len());
    let mut reader = Reader { cursor: Cursor::new(&store, 0, store.len(), allowance), parts: &mut parts };
    if let Err(error) = reader.model() {
        return Err((reader.cursor.position(), error));
    }
    let mut left = reader.cursor.allowance();
    let len = store.len();
    let mut store = store;
    // What is in several pieces may have something in several pieces.
    while let Some(Join { place, pieces, of }) = parts.joins.pop() {
        parts.place = of;
        let len = pieces.iter().map(|piece| piece.len).sum();
        left = left.checked_sub(len).ok_or((store.len(), Refusal::OverBudget.into()))?;
        let mut whole = Vec::with_capacity(len);
        for piece in pieces {
            store.copy(piece, &mut whole);
        }
        let span = Span { start: store.len(), len };
        store.push(Bytes::from(whole));
        let mut reader = Reader { cursor: Cursor::new(&store, span.start, span.start + len, left), parts: &mut parts };
        if let Err(error) = reader.join(place, span) {
            return Err((reader.cursor.position(), error));
        }
        left = reader.cursor.allowance();
    }
    let mut model = parts.model;
    model.names = parts.names.finish().map_err(|error| (store.len(), error))?;
    (model.store, model.len) = (store, len);
    Ok(model)
}

struct Reader<'f, 'p> {
    cursor: Cursor<'f>,
    parts: &'p mut Parts,
}

impl<'f> Read<'f> for Reader<'f, '_> {
    fn cursor(&mut self) -> &mut Cursor<'f> {
        &mut self.cursor
    }
}

/// Adds to an error the field in which it occurred.
fn of(info: Option<&'static FieldInfo>) -> impl FnOnce(DecodeError) -> DecodeError {
    move |error| match info {
        Some(info) => error.within(info.message, info.field),
        None => error,
    }
}

impl<'f> Reader<'f, '_> {
    fn model(&mut self) -> Decoded<()> {
        let (mut graph, mut pieces) = (None, Vec::new());
        self.fields(|reader, tag, wire_type| {
            let read = match tag {
                ModelProto::graph => reader.only_graph(wire_type, &mut graph, &mut pieces),
                ModelProto::functions => reader.function(wire_type),
                ModelProto::training_info => reader.training(wire_type),
                ModelProto::opset_import => reader.opset_import(wire_type),
                ModelProto::ir_version => {
                    reader.number(wire_type).map(|version| reader.parts.model.ir_version = Some(version))
                }
                _ => return check(&mut reader.cursor, ModelProto::field(tag), tag, wire_type),
            };
            read.map_err(of(ModelProto::field(tag)))
        })?;
        self.joined(Place::Graph, pieces);
        let Parts { model, opset_import, .. } = &mut *self.parts;
        model.graph = graph;
        model.opset_import = moved(opset_import, 0, &mut model.opset_imports)?;
        Ok(())
    }

    fn joined(&mut self, place: Place, pieces: Vec<Span>) {
        if pieces.len() > 1 {
            let of = self.parts.place;
            self.parts.joins.push(Join { place, pieces, of });
        }
    }

    /// Reads what was put together of several pieces.
    fn join(&mut self, place: Place, span: Span) -> Decoded<()> {
        let Place::Value(index) = place else {
            let graph = Some(self.graph_of(span)?);
            let Model { graph: main, training, .. } = &mut self.parts.model;
            let to = match place {
                Place::Initialization(index) => training.get_mut(index).map(|record| &mut record.initialization),
                Place::Algorithm(index) => training.get_mut(index).map(|record| &mut record.algorithm),
                Place::Graph | Place::Value(_) => Some(main),
            };
            to.into_iter().for_each(|to| *to = graph);
            return Ok(());
        };
        let old = self.parts.model.payloads.get(index).copied();
        let Model { tensors, sparse_tensors, types, .. } = &mut self.parts.model;
        let new = match old {
            Some(Payload::Tensor(_)) => Payload::Tensor(keep(tensors, span)?),
            Some(Payload::SparseTensor(_)) => Payload::SparseTensor(keep(sparse_tensors, span)?),
            Some(Payload::Type(_)) => Payload::Type(keep(types, span)?),
            _ => Payload::Graph(self.graph_of(span)?),
        };
        self.parts.model.payloads.get_mut(index).into_iter().for_each(|value| *value = new);
        Ok(())
    }

    /// Reads a graph that takes up all bytes left.
    fn graph_of(&mut self, span: Span) -> Decoded<u32> {
        self.graph_fields(|reader, graph| {
            reader.fields(|reader, tag, wire_type| reader.graph_field(graph, tag, wire_type))?;
            Ok(span)
        })
    }

    fn number(&mut self, wire_type: WireType) -> Decoded<i64> {
        expect(WireType::Varint, wire_type)?;
        Ok(self.cursor.varint()?.cast_signed())
    }

    fn name(&mut self, wire_type: WireType) -> Decoded<Name> {
        expect(WireType::LengthDelimited, wire_type)?;
        self.pay(size_of::<String>())?;
        let bytes = self.cursor.bytes()?;
        self.parts.names.add(bytes)
    }

    /// Reads a part that most writers write in one way; `None` where nothing was read, since it is not so.
    #[inline]
    fn quickly<T>(
        &mut self,
        wire_type: WireType,
        read: impl FnOnce(&mut Quick<'_>, Part<'f>) -> Option<T>,
    ) -> Option<(Span, T)> {
        if wire_type != WireType::LengthDelimited {
            return None;
        }
        let part = self.cursor.part(quick::LEVELS)?;
        let mut quick = Quick { allowance: self.cursor.allowance(), parts: self.parts };
        let value = read(&mut quick, part)?;
        let left = quick.allowance;
        self.cursor.leave(part.end(), left);
        Some((part.span(), value))
    }

    /// Reads the first occurrence of a field that is a graph, and checks the others. `pieces` are all of them.
    fn only_graph(&mut self, wire_type: WireType, graph: &mut Option<u32>, pieces: &mut Vec<Span>) -> Decoded<()> {
        pieces.push(if graph.is_some() {
            self.checked(GraphProto::field, wire_type)?
        } else {
            let id = graph.insert(self.graph(wire_type)?);
            self.parts.model.span_of(&Payload::Graph(*id))
        });
        Ok(())
    }

    /// Checks a message that is not read.
    fn checked(&mut self, fields: Fields, wire_type: WireType) -> Decoded<Span> {
        self.message(wire_type, |reader, tag, wire_type| check(&mut reader.cursor, fields(tag), tag, wire_type))
    }

    fn graph(&mut self, wire_type: WireType) -> Decoded<u32> {
        self.graph_fields(|reader, graph| {
            reader.message(wire_type, |reader, tag, wire_type| reader.graph_field(graph, tag, wire_type))
        })
    }

    /// Reads a graph of which `fields` reads the fields.
    fn graph_fields(&mut self, fields: impl FnOnce(&mut Self, &mut GraphRecord) -> Decoded<Span>) -> Decoded<u32> {
        self.pay(size_of::<GraphProto>())?;
        let Parts { nodes, graph_inputs, graph_outputs, value_info, tensors, sparse_tensors, .. } = &*self.parts;
        let (node, input, output) = (nodes.len(), graph_inputs.len(), graph_outputs.len());
        let (info, tensor, sparse) = (value_info.len(), tensors.len(), sparse_tensors.len());
        let mut graph = GraphRecord::default();
        graph.span = fields(self, &mut graph)?;
        let Parts { model, nodes, graph_inputs, graph_outputs, value_info, tensors, sparse_tensors, .. } =
            &mut *self.parts;
        graph.id = next(&model.graphs)?;
        graph.nodes = moved(nodes, node, &mut model.nodes)?;
        graph.inputs = moved(graph_inputs, input, &mut model.infos)?;
        graph.outputs = moved(graph_outputs, output, &mut model.infos)?;
        graph.value_info = moved(value_info, info, &mut model.infos)?;
        graph.initializers = moved(tensors, tensor, &mut model.tensors)?;
        graph.sparse_initializers = moved(sparse_tensors, sparse, &mut model.sparse_tensors)?;
        model.graphs.push(graph);
        Ok(graph.id)
    }

    fn graph_field(&mut self, graph: &mut GraphRecord, tag: u32, wire_type: WireType) -> Decoded<()> {
        let read = match tag {
            GraphProto::node => self.nodes(wire_type, quick::NODE_OF_GRAPH),
            GraphProto::name => self.name(wire_type).map(|name| graph.name = name),
            GraphProto::input => self.value_info(wire_type, |parts| &mut parts.graph_inputs),
            GraphProto::output => self.value_info(wire_type, |parts| &mut parts.graph_outputs),
            GraphProto::value_info => self.value_info(wire_type, |parts| &mut parts.value_info),
            GraphProto::initializer => self.tensor(wire_type).map(|tensor| self.parts.tensors.push(tensor)),
            GraphProto::sparse_initializer => {
                self.sparse_tensor(wire_type).map(|tensor| self.parts.sparse_tensors.push(tensor))
            }
            _ => {
                graph.has_more |= matches!(tag, GraphProto::quantization_annotation | GraphProto::metadata_props);
                return check(&mut self.cursor, GraphProto::field(tag), tag, wire_type);
            }
        };
        read.map_err(|error| of(GraphProto::field(tag))(error))
    }

    /// Reads a node and those that follow it at once, each behind a key.
    fn nodes(&mut self, wire_type: WireType, key: u8) -> Decoded<()> {
        self.node(wire_type)?;
        while self.cursor.is_next(key) {
            self.node(WireType::LengthDelimited)?;
        }
        Ok(())
    }

    fn node(&mut self, wire_type: WireType) -> Decoded<()> {
        let start = self.cursor.position();
        let before = self.parts.model.lengths();
        let quickly = self.quickly(wire_type, |quick, part| quick.node(start, part));
        let node = if let Some((_, node)) = quickly {
            node
        } else {
            self.parts.model.shorten(before);
            self.any_node(start, wire_type)?
        };
        self.parts.nodes.push(node);
        Ok(())
    }

    fn any_node(&mut self, start: usize, wire_type: WireType) -> Decoded<NodeRecord> {
        self.pay(size_of::<NodeProto>())?;
        let Parts { inputs, outputs, attributes, .. } = &*self.parts;
        let (input, output, attribute) = (inputs.len(), outputs.len(), attributes.len());
        let mut node = NodeRecord { start, ..NodeRecord::default() };
        let ([mut op_type, mut domain, mut overload], mut has_more) = ([Name::EMPTY; 3], false);
        self.message(wire_type, |reader, tag, wire_type| {
            let read = match tag {
                NodeProto::input => reader.name(wire_type).map(|name| reader.parts.inputs.push(name)),
                NodeProto::output => reader.name(wire_type).map(|name| reader.parts.outputs.push(name)),
                NodeProto::name => {
                    reader.text(wire_type).map(|(start, len)| (node.name_start, node.name_len) = (start, len))
                }
                NodeProto::op_type => reader.name(wire_type).map(|name| op_type = name),
                NodeProto::domain => reader.name(wire_type).map(|name| domain = name),
                NodeProto::overload => reader.name(wire_type).map(|name| overload = name),
                NodeProto::attribute => reader.attribute(wire_type),
                _ => {
                    has_more |= matches!(tag, NodeProto::metadata_props | NodeProto::device_configurations);
                    return check(&mut reader.cursor, NodeProto::field(tag), tag, wire_type);
                }
            };
            read.map_err(|error| of(NodeProto::field(tag))(error))
        })?;
        let Parts { model, inputs, outputs, attributes, .. } = &mut *self.parts;
        node.values = next(&model.value_names)?;
        node.inputs = moved(inputs, input, &mut model.value_names)?.len();
        node.outputs = moved(outputs, output, &mut model.value_names)?.len();
        node.attributes = moved(attributes, attribute, &mut model.attributes)?;
        node.place = self.parts.place.with_more(has_more);
        node.operator = self.parts.operator([domain, op_type, overload])?;
        Ok(node)
    }

    /// Where a text is.
    fn text(&mut self, wire_type: WireType) -> Decoded<(usize, u32)> {
        expect(WireType::LengthDelimited, wire_type)?;
        self.pay(size_of::<String>())?;
        let len = self.cursor.text()?.len();
        let as_number = u32::try_from(len).map_err(|_| Refusal::OverBudget)?;
        Ok((self.cursor.position() - len, as_number))
    }

    fn attribute(&mut self, wire_type: WireType) -> Decoded<()> {
        self.pay(size_of::<AttributeProto>())?;
        let Parts { payloads, ints, floats, strings, tensors, sparse_tensors, types, graphs, pieces, .. } =
            &*self.parts;
        let payload = payloads.len();
        let (int, float, string, graph) = (ints.len(), floats.len(), strings.len(), graphs.len());
        let (tensor, sparse, ty, piece) = (tensors.len(), sparse_tensors.len(), types.len(), pieces.len());
        let mut attribute = AttributeRecord::default();
        self.message(wire_type, |reader, tag, wire_type| {
            let read = match tag {
                AttributeProto::name => reader.name(wire_type).map(|name| attribute.name = name),
                AttributeProto::ref_attr_name => reader.name(wire_type).map(|name| attribute.reference = name),
                AttributeProto::r#type => {
                    // Larger numbers lose their upper bits, as in every reader.
                    reader.number(wire_type).map(|kind| attribute.kind = Some(kind as i32))
                }
                AttributeProto::f => reader.float(wire_type).map(|value| reader.set(payload, Payload::Float(value))),
                AttributeProto::i => reader.number(wire_type).map(|value| reader.set(payload, Payload::Int(value))),
                AttributeProto::s => reader.string(wire_type, payload),
                AttributeProto::t | AttributeProto::g | AttributeProto::sparse_tensor | AttributeProto::tp => {
                    reader.only(tag, wire_type, payload)
                }
                AttributeProto::ints => reader.list(wire_type, WireType::Varint, |reader, wire_type| {
                    let value = reader.number(wire_type)?;
                    reader.parts.ints.push(value);
                    Ok(())
                }),
                AttributeProto::floats => reader.list(wire_type, WireType::ThirtyTwoBit, |reader, wire_type| {
                    let value = reader.float(wire_type)?;
                    reader.parts.floats.push(value);
                    Ok(())
                }),
                AttributeProto::strings => reader.bytes(wire_type).map(|value| reader.parts.strings.push(value)),
                AttributeProto::tensors => reader.tensor(wire_type).map(|tensor| reader.parts.tensors.push(tensor)),
                AttributeProto::sparse_tensors => {
                    reader.sparse_tensor(wire_type).map(|tensor| reader.parts.sparse_tensors.push(tensor))
                }
                AttributeProto::graphs => reader.graph(wire_type).map(|id| reader.parts.graphs.push(id)),
                AttributeProto::type_protos => reader.ty(wire_type).map(|ty| reader.parts.types.push(ty)),
                _ => return check(&mut reader.cursor, AttributeProto::field(tag), tag, wire_type),
            };
            read.map_err(|error| of(AttributeProto::field(tag))(error))
        })?;
        let Parts {
            model, payloads, ints, floats, strings, tensors, sparse_tensors, types, graphs, attributes, ..
        } = &mut *self.parts;
        if ints.len() > int {
            payloads.push(Payload::Ints(moved(ints, int, &mut model.ints)?));
        }
        if floats.len() > float {
            payloads.push(Payload::Floats(moved(floats, float, &mut model.floats)?));
        }
        if strings.len() > string {
            payloads.push(Payload::Strings(next(&model.strings)?));
            model.strings.push(strings.drain(string..).collect());
        }
        if tensors.len() > tensor {
            payloads.push(Payload::Tensors(moved(tensors, tensor, &mut model.tensors)?));
        }
        if sparse_tensors.len() > sparse {
            payloads.push(Payload::SparseTensors(moved(sparse_tensors, sparse, &mut model.sparse_tensors)?));
        }
        if types.len() > ty {
            payloads.push(Payload::Types(moved(types, ty, &mut model.types)?));
        }
        if graphs.len() > graph {
            payloads.push(Payload::Graphs(moved(graphs, graph, &mut model.graph_lists)?));
        }
        attribute.values = moved(payloads, payload, &mut model.payloads)?;
        attributes.push(attribute);
        if self.parts.pieces.len() > piece {
            self.join_values(payload, attribute.values.range(), piece);
        }
        Ok(())
    }

    /// Puts the pieces of the values of an attribute together: `base` is where the values were on their stack, and
    /// `values` where they are now.
    #[cold]
    fn join_values(&mut self, base: usize, values: Range<usize>, piece: usize) {
        let all: Vec<(usize, Span)> = self.parts.pieces.drain(piece..).collect();
        for (index, value) in values.enumerate() {
            let pieces = all.iter().filter(|(of, _)| *of == base + index).map(|(_, span)| *span).collect();
            self.joined(Place::Value(value), pieces);
        }
    }

    /// Sets a value of an attribute; the last one of its kind counts.
    fn set(&mut self, base: usize, value: Payload) {
        let of_attribute = self.parts.payloads.get_mut(base..).unwrap_or_default();
        let same = |old: &&mut Payload| std::mem::discriminant(*old) == std::mem::discriminant(&value);
        match of_attribute.iter_mut().find(same) {
            Some(old) => *old = value,
            None => self.parts.payloads.push(value),
        }
    }

    /// Reads a message that is a value of an attribute.
    fn only(&mut self, tag: u32, wire_type: WireType, base: usize) -> Decoded<()> {
        let is_this = |value: &Payload| match value {
            Payload::Tensor(_) => tag == AttributeProto::t,
            Payload::Graph(_) => tag == AttributeProto::g,
            Payload::SparseTensor(_) => tag == AttributeProto::sparse_tensor,
            Payload::Type(_) => tag == AttributeProto::tp,
            _ => false,
        };
        let (fields, memory): (Fields, usize) = match tag {
            AttributeProto::t => (TensorProto::field, size_of::<TensorProto>()),
            AttributeProto::g => (GraphProto::field, size_of::<GraphProto>()),
            AttributeProto::sparse_tensor => (SparseTensorProto::field, size_of::<SparseTensorProto>()),
            _ => (TypeProto::field, size_of::<TypeProto>()),
        };
        let before = self.parts.payloads.get(base..).unwrap_or_default().iter().position(is_this);
        if let Some(before) = before {
            let index = base + before;
            let span = self.checked(fields, wire_type)?;
            if !self.parts.pieces.iter().any(|(of, _)| *of == index) {
                let first = self.parts.payloads.get(index).map(|value| self.parts.model.span_of(value));
                self.parts.pieces.extend(first.map(|first| (index, first)));
            }
            self.parts.pieces.push((index, span));
            return Ok(());
        }
        let value = if tag == AttributeProto::g {
            Payload::Graph(self.graph(wire_type)?)
        } else {
            self.pay(memory)?;
            let span = self.checked(fields, wire_type)?;
            let Model { tensors, sparse_tensors, types, .. } = &mut self.parts.model;
            match tag {
                AttributeProto::t => Payload::Tensor(keep(tensors, span)?),
                AttributeProto::sparse_tensor => Payload::SparseTensor(keep(sparse_tensors, span)?),
                _ => Payload::Type(keep(types, span)?),
            }
        };
        self.parts.payloads.push(value);
        Ok(())
    }

    fn float(&mut self, wire_type: WireType) -> Decoded<f32> {
        expect(WireType::ThirtyTwoBit, wire_type)?;
        Ok(f32::from_le_bytes(self.cursor.four()?))
    }

    fn string(&mut self, wire_type: WireType, base: usize) -> Decoded<()> {
        expect(WireType::LengthDelimited, wire_type)?;
        let len = self.cursor.bytes()?.len();
        let index = next(&self.parts.model.spans)?;
        self.parts.model.spans.push(Span { start: self.cursor.position() - len, len });
        self.set(base, Payload::String(index));
        Ok(())
    }

    fn bytes(&mut self, wire_type: WireType) -> Decoded<Bytes> {
        expect(WireType::LengthDelimited, wire_type)?;
        self.pay(size_of::<Bytes>())?;
        self.cursor.view()
    }

    /// Reads numbers that have a key each, or one for all of them.
    fn list(
        &mut self,
        wire_type: WireType,
        kind: WireType,
        mut each: impl FnMut(&mut Self, WireType) -> Decoded<()>,
    ) -> Decoded<()> {
        let mut each = |reader: &mut Self, wire_type| {
            reader.pay(size_of::<i64>())?;
            each(reader, wire_type)
        };
        match wire_type {
            WireType::LengthDelimited => self.delimited(|reader| each(reader, kind)).map(drop),
            _ => each(self, wire_type),
        }
    }

    fn value_info(
        &mut self,
        wire_type: WireType,
        stack: fn(&mut Parts) -> &mut Vec<Lazy<ValueInfoProto>>,
    ) -> Decoded<()> {
        let info = self.named(wire_type, ValueInfoProto::name, ValueInfoProto::field)?;
        stack(self.parts).push(info);
        Ok(())
    }

    fn tensor(&mut self, wire_type: WireType) -> Decoded<Lazy<TensorProto>> {
        self.named(wire_type, TensorProto::name, TensorProto::field)
    }

    fn ty(&mut self, wire_type: WireType) -> Decoded<Lazy<TypeProto>> {
        self.pay(size_of::<TypeProto>())?;
        Ok(Lazy::new(Name::EMPTY, self.checked(TypeProto::field, wire_type)?))
    }

    /// Reads a message whose field `name` is its name, and checks the other fields.
    fn named<T: Message>(&mut self, wire_type: WireType, name: u32, fields: Fields) -> Decoded<Lazy<T>> {
        self.pay(size_of::<T>())?;
        if let Some((span, name)) = self.quickly(wire_type, |quick, part| quick.named(name, fields, part)) {
            return Ok(Lazy::new(name, span));
        }
        let mut of_message = Name::EMPTY;
        let span = self.message(wire_type, |reader, tag, wire_type| {
            if tag == name {
                of_message = reader.name(wire_type).map_err(of(fields(tag)))?;
                return Ok(());
            }
            check(&mut reader.cursor, fields(tag), tag, wire_type)
        })?;
        Ok(Lazy::new(of_message, span))
    }

    /// The name of a sparse tensor is that of its values.
    fn sparse_tensor(&mut self, wire_type: WireType) -> Decoded<Lazy<SparseTensorProto>> {
        self.pay(size_of::<SparseTensorProto>())?;
        let mut name = Name::EMPTY;
        let span = self.message(wire_type, |reader, tag, wire_type| {
            let info = SparseTensorProto::field(tag);
            if tag != SparseTensorProto::values {
                return check(&mut reader.cursor, info, tag, wire_type);
            }
            let values = reader.tensor(wire_type).map_err(of(info))?;
            name = if values.name.is_empty() { name } else { values.name };
            Ok(())
        })?;
        Ok(Lazy::new(name, span))
    }

    fn opset_import(&mut self, wire_type: WireType) -> Decoded<()> {
        self.pay(size_of::<OperatorSetIdProto>())?;
        let mut import = OperatorSetIdProto::default();
        self.message(wire_type, |reader, tag, wire_type| import.merge_field(tag, wire_type, &mut reader.cursor))?;
        self.parts.opset_import.push(import);
        Ok(())
    }

    fn training(&mut self, wire_type: WireType) -> Decoded<()> {
        self.pay(size_of::<TrainingInfoProto>())?;
        let mut training = TrainingRecord::default();
        let (mut first, mut step) = (Vec::new(), Vec::new());
        training.span = self.message(wire_type, |reader, tag, wire_type| {
            let (pieces, graph) = match tag {
                TrainingInfoProto::initialization => (&mut first, &mut training.initialization),
                TrainingInfoProto::algorithm => (&mut step, &mut training.algorithm),
                _ => return check(&mut reader.cursor, TrainingInfoProto::field(tag), tag, wire_type),
            };
            reader.only_graph(wire_type, graph, pieces).map_err(of(TrainingInfoProto::field(tag)))
        })?;
        let index = self.parts.model.training.len();
        self.parts.model.training.push(training);
        self.joined(Place::Initialization(index), first);
        self.joined(Place::Algorithm(index), step);
        Ok(())
    }

    fn function(&mut self, wire_type: WireType) -> Decoded<()> {
        self.pay(size_of::<FunctionProto>())?;
        let Parts { inputs, outputs, attribute_names, attributes, nodes, value_info, opset_import, .. } = &*self.parts;
        let (input, output, name) = (inputs.len(), outputs.len(), attribute_names.len());
        let (default, node, info, import) = (attributes.len(), nodes.len(), value_info.len(), opset_import.len());
        self.parts.place = NodePlace::in_function(self.parts.model.functions.len()).ok_or(Refusal::OverBudget)?;
        let mut function = FunctionRecord::default();
        function.span = self.message(wire_type, |reader, tag, wire_type| {
            let read = match tag {
                FunctionProto::name => reader.name(wire_type).map(|name| function.name = name),
                FunctionProto::domain => reader.name(wire_type).map(|name| function.domain = name),
                FunctionProto::overload => reader.name(wire_type).map(|name| function.overload = name),
                FunctionProto::input => reader.name(wire_type).map(|name| reader.parts.inputs.push(name)),
                FunctionProto::output => reader.name(wire_type).map(|name| reader.parts.outputs.push(name)),
                FunctionProto::attribute => reader.name(wire_type).map(|name| reader.parts.attribute_names.push(name)),
                FunctionProto::attribute_proto => reader.attribute(wire_type),
                FunctionProto::node => reader.nodes(wire_type, quick::NODE_OF_FUNCTION),
                FunctionProto::opset_import => reader.opset_import(wire_type),
                FunctionProto::value_info => reader.value_info(wire_type, |parts| &mut parts.value_info),
                _ => return check(&mut reader.cursor, FunctionProto::field(tag), tag, wire_type),
            };
            read.map_err(|error| of(FunctionProto::field(tag))(error))
        })?;
        let Parts { model, inputs, outputs, attribute_names, attributes, nodes, value_info, opset_import, .. } =
            &mut *self.parts;
        function.inputs = moved(inputs, input, &mut model.value_names)?;
        function.outputs = moved(outputs, output, &mut model.value_names)?;
        function.attributes = moved(attribute_names, name, &mut model.value_names)?;
        function.defaults = moved(attributes, default, &mut model.attributes)?;
        function.nodes = moved(nodes, node, &mut model.nodes)?;
        function.value_info = moved(value_info, info, &mut model.infos)?;
        function.opset_import = moved(opset_import, import, &mut model.opset_imports)?;
        model.functions.push(function);
        self.parts.place = NodePlace::default();
        Ok(())
    }
}
