//! Adds nodes and constants.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Constants, Draft, DraftNode, Made, NodeId, Reader, Source, Value, ValueId};
use crate::file::Attribute;
use crate::file::proto::{AttributeProto, TensorProto};
use crate::simplify::numbers::tensor;
use crate::simplify::operator::of_rule;
use crate::value::Origin;
use shape_core::data_type::DataType;
use shape_core::elements::Scalar;
use shape_core::node::{AttributeValue, NodeAttribute, TensorView};
use shape_core::rule::Call;
use shape_core::schema::Schema;
use shape_core::symbolic::Dim;
use shape_core::types::Type;

/// The maximum number of elements of a constant that is compared with those of the model.
const MAX_COMPARED: usize = 64;

impl Draft<'_, '_> {
    /// The operator of ai.onnx whose first output a rule decides, in the version that the model imports.
    pub(in crate::simplify) fn operator(&self, rule: &str) -> Option<&'static Schema> {
        of_rule(&self.options.registry, self.functions.imports(None), rule)
    }

    /// A name that no value has.
    pub(in crate::simplify) fn new_name(&mut self, like: &str) -> String {
        let names = self.names.get_or_insert_with(|| {
            let (analysis, model) = (self.analysis, self.model);
            let values = analysis.values.iter().map(|value| value.name.to_owned());
            let initializers = model.graph().into_iter().flat_map(|graph| graph.initializers().iter());
            values.chain(initializers.map(|tensor| tensor.name.clone())).collect()
        });
        let mut name = like.to_owned();
        let mut number = 0;
        while name.is_empty() || names.contains(&name) {
            number += 1;
            name = format!("{like}_{number}");
        }
        names.insert(name.clone());
        name
    }

    /// An attribute of a new node.
    pub(in crate::simplify) fn attribute(&self, name: &str, value: AttributeValue<'_>) -> AttributeProto {
        AttributeProto::from_view(&NodeAttribute::new(name, value), self.model)
    }

    fn add_value(&mut self, name: String, graph: usize, source: Source, made: Made) -> ValueId {
        let (name, made) = (Cow::Owned(name), Some(Box::new(made)));
        self.values.push(Value { name, graph, source, made, readers: Vec::new(), keep: false });
        self.values.len() - 1
    }

    /// A list of integers that the node can read: one that the model has, or a new one. `None` where the format has no place
    /// for it.
    pub(in crate::simplify) fn integers_for(&mut self, node: NodeId, list: &[i64], like: &str) -> Option<ValueId> {
        let is_node = self.ir_version < 4;
        let bytes: Vec<u8> = list.iter().flat_map(|number| number.to_le_bytes()).collect();
        let tensor = TensorProto {
            dims: vec![i64::try_from(list.len()).ok()?],
            data_type: Some(DataType::Int64.number().into()),
            raw_data: Some(bytes.into()),
            ..TensorProto::default()
        };
        let key = key(tensor.clone())?;
        if !is_node {
            let known = self.known_constants();
            if let Some(known) = known.get(&key) {
                return Some(*known);
            }
        } else if !self.constant_may_be_node(Type::tensor(DataType::Int64)) {
            return None;
        }
        let name = self.new_name(like);
        let tensor = TensorProto { name: name.clone(), ..tensor };
        let made = Made {
            ty: Type::tensor(DataType::Int64),
            dims: vec![Dim::Known(list.len() as u64)],
            elements: list.iter().map(|number| Scalar::Int(*number)).collect(),
        };
        if is_node {
            let schema = self.operator("constant")?;
            let attribute = self.attribute("value", AttributeValue::Tensor(TensorView::new(&tensor)));
            return self.insert(node, schema, &[], vec![attribute], (name, made));
        }
        let value = self.add_value(name, 0, Source::Constant(Box::new(tensor), None), made);
        self.known_constants().insert(key, value);
        Some(value)
    }

    /// The small constants of the main graph.
    pub(super) fn known_constants(&mut self) -> &mut Constants {
        let (analysis, values) = (self.analysis, &self.values);
        self.constants.get_or_insert_with(|| {
            let mut constants = HashMap::new();
            let initializers = analysis.values.iter().zip(values).enumerate().filter(|(_, (value, _))| {
                value.graph == 0
                    && value.origin == Origin::Initializer
                    && value.elements.as_ref().is_ok_and(|elements| elements.len() <= MAX_COMPARED)
            });
            for (id, (value, _)) in initializers {
                if let Some(key) = tensor(value).and_then(key) {
                    constants.entry(key).or_insert(id);
                }
            }
            constants
        })
    }

    /// Adds a node before another one; its inputs are seen there. Returns its output.
    pub(in crate::simplify) fn insert(
        &mut self,
        before: NodeId,
        schema: &'static Schema,
        inputs: &[ValueId],
        attributes: Vec<AttributeProto>,
        (name, made): (String, Made),
    ) -> Option<ValueId> {
        let DraftNode { graph, index, .. } = *self.nodes.get(before)?;
        let node = self.nodes.len();
        let place = u32::try_from(node).ok()?;
        let value = self.add_value(name, graph, Source::Node(node, 0), made);
        self.nodes.push(DraftNode {
            graph,
            index,
            place,
            file: None,
            schema: Some(schema),
            inputs: inputs.iter().map(|input| Some(*input)).collect(),
            outputs: vec![Some(value)],
            attributes: Some(attributes),
            removed: false,
            changed: false,
            keep: false,
        });
        for (index, input) in inputs.iter().enumerate() {
            self.add_reader(Some(*input), Reader::Node(node, index));
        }
        Some(value)
    }

    /// Makes an output of a node a constant; the node goes as soon as all its outputs are constants, or unread.
    pub(in crate::simplify) fn make_constant(&mut self, value: ValueId, tensor: TensorProto) {
        if let Some((node, _)) = self.giver(value)
            && let Some(value) = self.values.get_mut(value)
        {
            value.source = Source::Constant(Box::new(tensor), Some(node));
        }
    }

    /// Whether a constant that takes the place of a value is a node: in a subgraph, before IR 4 (where an initializer is an
    /// input too), and for an output of the model.
    pub(in crate::simplify) fn is_constant_node(&self, value: ValueId) -> bool {
        let graph = self.values.get(value).map_or(0, |value| value.graph);
        !self.is_main(graph) || self.ir_version < 4 || self.is_model_output(value)
    }

    /// Whether a node can hold a constant of a type: in early opsets only one of floating-point numbers.
    pub(in crate::simplify) fn constant_may_be_node(&self, ty: Type) -> bool {
        let allow =
            self.operator("constant").and_then(|schema| schema.types.first()).map(|constraint| constraint.allow);
        allow.is_some_and(|allow| allow.contains(ty))
    }

    /// Sets all attributes of a node.
    pub(in crate::simplify) fn set_attributes(&mut self, node: NodeId, attributes: Vec<AttributeProto>) {
        if let Some(node) = self.nodes.get_mut(node) {
            node.attributes = Some(attributes);
            node.changed = true;
        }
    }

    /// Removes the attribute that a node passes to its rule as the argument at an index; whether it has one.
    pub(in crate::simplify) fn clear_attribute(&mut self, node: NodeId, call: Call, index: usize) -> bool {
        let Some((name, _)) = self.integer_attribute(node, call, index) else { return false };
        let Some(file) = self.nodes.get(node).and_then(|node| node.file) else { return false };
        let others = file.attributes().iter().filter(|attribute| attribute.name() != name);
        let others = others.map(Attribute::proto).collect();
        self.set_attributes(node, others);
        true
    }
}

/// What tells a constant from others.
fn key(tensor: TensorProto) -> Option<(i32, Vec<i64>, Vec<u8>)> {
    Some((tensor.data_type?, tensor.dims, tensor.raw_data?.to_vec()))
}
