//! The bytes of an edited model: ranges of the original bytes, with new bytes between them.
//!
//! Unknown fields, the order of fields and their encoding are all kept. A message is preceded by its length, so each
//! message around a changed one gets a new prefix and no other change.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

use bytes::Bytes;

use super::edit::{FunctionEdit, GraphEdit, ListEdit, ModelEdit, NodeEdit, TrainingEdit};
use super::error::ModelError;
use super::model::{Attribute, Function, Graph, Item, List, Model, Node, Training};
use super::proto::{
    AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorAnnotation,
    TrainingInfoProto, TypeProto, ValueInfoProto,
};
use super::scan::{self, Field, Stop};
use super::subgraph::SubgraphPosition;
use super::wire::{Wire, put_varint};
use shape_core::opset::canonical_domain;

/// The pieces to write, in order.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pieces: Vec<Piece>,
    len: usize,
}

#[derive(Debug)]
pub(super) enum Piece {
    /// A range of the original bytes.
    Kept(Range<usize>),
    New(Bytes),
}

impl Plan {
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// All the original bytes.
    pub(super) fn whole(len: usize) -> Self {
        let mut plan = Self::default();
        plan.keep(0..len);
        plan
    }

    /// The number of bytes.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Combines two plans into one for the original bytes: first `before`, then this plan, which is for the result of
    /// `before`.
    pub(super) fn after(self, before: &Self) -> Self {
        let mut starts = Vec::with_capacity(before.pieces.len());
        let mut at = 0;
        for piece in &before.pieces {
            starts.push(at);
            at += piece.len();
        }
        let mut plan = Self::default();
        for piece in self.pieces {
            match piece {
                Piece::New(bytes) => plan.add(bytes),
                Piece::Kept(range) => {
                    let first = starts.partition_point(|start| *start <= range.start).saturating_sub(1);
                    for (piece, start) in before.pieces.iter().zip(&starts).skip(first) {
                        if *start >= range.end {
                            break;
                        }
                        let from = range.start.max(*start) - start;
                        plan.part(piece, from..(range.end - start).min(piece.len()));
                    }
                }
            }
        }
        plan
    }

    fn part(&mut self, piece: &Piece, part: Range<usize>) {
        match piece {
            Piece::Kept(range) => self.keep(range.start + part.start..range.start + part.end),
            Piece::New(bytes) => self.add(bytes.slice(part)),
        }
    }

    fn keep(&mut self, range: Range<usize>) {
        self.len += range.len();
        match self.pieces.last_mut() {
            _ if range.is_empty() => {}
            Some(Piece::Kept(last)) if last.end == range.start => last.end = range.end,
            _ => self.pieces.push(Piece::Kept(range)),
        }
    }

    fn put(&mut self, bytes: Vec<u8>) {
        self.add(bytes.into());
    }

    fn add(&mut self, bytes: Bytes) {
        self.len += bytes.len();
        self.pieces.push(Piece::New(bytes));
    }

    fn append(&mut self, other: Plan) {
        for piece in other.pieces {
            match piece {
                Piece::Kept(range) => self.keep(range),
                Piece::New(bytes) => self.add(bytes),
            }
        }
    }
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Self::Kept(range) => range.len(),
            Self::New(bytes) => bytes.len(),
        }
    }
}

/// A range of the original bytes, and its replacement.
type Change = (Range<usize>, Plan);

/// The bytes of `span` with `changes` applied, which must not overlap.
fn splice(span: Range<usize>, mut changes: Vec<Change>) -> Plan {
    changes.sort_by_key(|(range, _)| (range.start, range.end));
    let mut plan = Plan::default();
    let mut at = span.start;
    for (range, new) in changes {
        plan.keep(at..range.start);
        plan.append(new);
        at = range.end;
    }
    plan.keep(at..span.end);
    plan
}

/// The field `found` with a new payload.
fn resize(found: &Field, payload: Plan) -> Change {
    let mut plan = Plan::default();
    plan.keep(found.whole.start..found.key_end);
    let mut prefix = Vec::new();
    put_varint(payload.len as u64, &mut prefix);
    plan.put(prefix);
    plan.append(payload);
    (found.whole.clone(), plan)
}

fn around(found: &Field, changes: Vec<Change>) -> Option<Change> {
    (!changes.is_empty()).then(|| resize(found, splice(found.payload.clone(), changes)))
}

fn insert(at: usize, bytes: Vec<u8>) -> Change {
    let mut plan = Plan::default();
    plan.put(bytes);
    (at..at, plan)
}

fn encoded(number: u32, value: &impl Wire) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.encode(number, &mut bytes);
    bytes
}

type SubgraphEdit<'a> = (&'a SubgraphPosition, &'a GraphEdit);

/// The bytes of a model with the changes of an edit; messages call it by `label`.
pub(super) fn plan(model: &Model, label: &Path, edit: &ModelEdit) -> Result<Plan, ModelError> {
    Editor { model, label }.model(edit)
}

/// Turns an edit into changes of byte ranges. `None` for a message means that nothing in it changes.
struct Editor<'a> {
    model: &'a Model,
    label: &'a Path,
}

impl Editor<'_> {
    fn model(&self, edit: &ModelEdit) -> Result<Plan, ModelError> {
        let model = self.model;
        let all = 0..model.len();
        let mut changes =
            self.imports(all.clone(), ModelProto::opset_import, model.opset_import(), &edit.opset_import)?;
        for (number, removed) in
            [(ModelProto::opset_import, &edit.removed_imports), (ModelProto::functions, &edit.removed_functions)]
        {
            let entries = if removed.is_empty() { Vec::new() } else { self.children(all.clone(), number)? };
            let removed = entries.into_iter().enumerate().filter(|(index, _)| removed.contains(index));
            changes.extend(removed.map(|(_, entry)| (entry.whole, Plan::default())));
        }
        if let Some(ir_version) = edit.ir_version {
            changes.extend(self.set(
                all.clone(),
                ModelProto::ir_version,
                encoded(ModelProto::ir_version, &ir_version),
            )?);
        }
        changes.extend(self.only_graph(all.clone(), ModelProto::graph, model.graph(), &edit.graph)?);
        let entries = (ModelProto::training_info, model.training_info());
        changes.extend(self.entries(&all, entries, &edit.training, |found, of, edit| self.training(found, of, edit))?);
        let entries = (ModelProto::functions, model.functions());
        changes.extend(self.entries(&all, entries, &edit.functions, |found, of, edit| self.function(found, of, edit))?);
        Ok(splice(all, changes))
    }

    /// Edits some entries of a list, by the index of each.
    fn entries<'m, T: Item<'m>, E>(
        &self,
        span: &Range<usize>,
        (number, list): (u32, List<'m, T>),
        edits: &BTreeMap<usize, E>,
        each: impl Fn(&Field, T, &E) -> Result<Option<Change>, ModelError>,
    ) -> Result<Vec<Change>, ModelError> {
        let mut changes = Vec::new();
        let found = if edits.is_empty() { Vec::new() } else { self.children(span.clone(), number)? };
        for (index, edit) in edits {
            let (Some(found), Some(entry)) = (found.get(*index), list.get(*index)) else {
                return Err(self.missing(&SubgraphPosition { node: *index, attribute: 0, index: 0 }));
            };
            changes.extend(each(found, entry, edit)?);
        }
        Ok(changes)
    }

    fn training(
        &self,
        found: &Field,
        training: Training<'_>,
        edit: &TrainingEdit,
    ) -> Result<Option<Change>, ModelError> {
        let span = || found.payload.clone();
        let (first, step) = (training.initialization(), training.algorithm());
        let first = self.only_graph(span(), TrainingInfoProto::initialization, first, &edit.initialization)?;
        let step = self.only_graph(span(), TrainingInfoProto::algorithm, step, &edit.algorithm)?;
        Ok(around(found, first.into_iter().chain(step).collect()))
    }

    fn function(
        &self,
        found: &Field,
        function: Function<'_>,
        edit: &FunctionEdit,
    ) -> Result<Option<Change>, ModelError> {
        let span = found.payload.clone();
        let mut changes =
            self.imports(span, FunctionProto::opset_import, function.opset_import(), &edit.opset_import)?;
        changes.extend(self.nodes(found, FunctionProto::node, function.nodes(), &edit.body)?);
        changes.extend(self.value_info(found, FunctionProto::value_info, function.value_info(), &edit.body)?);
        Ok(around(found, changes))
    }

    /// Edits the graph in a field that may occur once.
    fn only_graph(
        &self,
        span: Range<usize>,
        number: u32,
        graph: Option<Graph<'_>>,
        edit: &GraphEdit,
    ) -> Result<Option<Change>, ModelError> {
        if *edit == GraphEdit::default() {
            return Ok(None);
        }
        let graphs = self.children(span, number)?;
        let (Some(found), Some(graph)) = (self.single(&graphs)?, graph) else {
            return Err(ModelError::NoGraph { path: self.label.to_owned() });
        };
        self.graph(found, graph, edit)
    }

    /// Sets the versions of domains: the first import of a domain is kept but for its version, others of the same
    /// domain are removed.
    fn imports(
        &self,
        span: Range<usize>,
        number: u32,
        imports: &[OperatorSetIdProto],
        edit: &[OperatorSetIdProto],
    ) -> Result<Vec<Change>, ModelError> {
        let mut changes = Vec::new();
        let mut added = Vec::new();
        let entries = if edit.is_empty() { Vec::new() } else { self.children(span.clone(), number)? };
        let domains = imports.iter().map(|import| canonical_domain(&import.domain));
        let entries: Vec<(Field, &str)> = entries.into_iter().zip(domains).collect();
        for import in edit {
            let domain = canonical_domain(&import.domain);
            let version = || encoded(OperatorSetIdProto::version, &import.version.unwrap_or_default());
            let mut same = entries.iter().filter(|(_, old)| *old == domain).map(|(found, _)| found);
            match same.next() {
                Some(first) => changes.push(self.only(first, OperatorSetIdProto::version, version())?),
                None => added.extend(encoded(number, import)),
            }
            changes.extend(same.map(|other| (other.whole.clone(), Plan::default())));
        }
        if !added.is_empty() {
            let at = entries.last().map_or(span.end, |(last, _)| last.whole.end);
            changes.push(insert(at, added));
        }
        Ok(changes)
    }

    fn graph(&self, found: &Field, graph: Graph<'_>, edit: &GraphEdit) -> Result<Option<Change>, ModelError> {
        let mut changes = self.value_info(found, GraphProto::value_info, graph.value_info(), edit)?;
        changes.extend(self.list(found, GraphProto::initializer, &edit.initializers)?);
        changes.extend(self.list(found, GraphProto::input, &edit.inputs)?);
        let annotations = ListEdit::<TensorAnnotation> { remove: edit.annotations.clone(), add: Vec::new() };
        changes.extend(self.list(found, GraphProto::quantization_annotation, &annotations)?);
        changes.extend(self.declarations(found, graph, &edit.declarations)?);
        changes.extend(self.nodes(found, GraphProto::node, graph.nodes(), edit)?);
        if let Some(name) = &edit.name {
            changes.extend(self.set(found.payload.clone(), GraphProto::name, encoded(GraphProto::name, name))?);
        }
        Ok(around(found, changes))
    }

    /// Edits the nodes of a graph or of the body of a function, which `number` is the field of.
    fn nodes<'m>(
        &self,
        found: &Field,
        number: u32,
        nodes: List<'m, Node<'m>>,
        edit: &GraphEdit,
    ) -> Result<Vec<Change>, ModelError> {
        let GraphEdit { nodes: edited, replaced, first, subgraphs, order, .. } = edit;
        let mut changes = Vec::new();
        if subgraphs.is_empty() && edited.is_empty() && replaced.is_empty() && first.is_empty() && order.is_none() {
            return Ok(changes);
        }
        let entries = self.children(found.payload.clone(), number)?;
        let new = |nodes: &[NodeProto]| nodes.iter().flat_map(|node| encoded(number, node)).collect();
        if !first.is_empty() {
            let at = entries.first().map_or(found.payload.end, |entry| entry.whole.start);
            changes.push(insert(at, new(first)));
        }
        let mut of_nodes: BTreeMap<usize, Vec<Change>> = BTreeMap::new();
        let mut edits: BTreeMap<usize, (Option<&NodeEdit>, Vec<SubgraphEdit<'_>>)> = BTreeMap::new();
        for (node, edit) in edited {
            edits.entry(*node).or_default().0 = Some(edit);
        }
        for (at, edit) in subgraphs {
            edits.entry(at.node).or_default().1.push((at, edit));
        }
        for (index, (of_node, inside)) in &edits {
            let (Some(found), Some(node)) = (entries.get(*index), nodes.get(*index)) else {
                let at = SubgraphPosition { node: *index, attribute: 0, index: 0 };
                return Err(self.missing(inside.first().map_or(&at, |(at, _)| at)));
            };
            let around =
                of_node.iter().flat_map(|edit| [(found.whole.start, &edit.before), (found.whole.end, &edit.after)]);
            let changes = of_nodes.entry(*index).or_default();
            changes.extend(around.filter(|(_, nodes)| !nodes.is_empty()).map(|(at, nodes)| insert(at, new(nodes))));
            changes.extend(self.node(found, node, *of_node, inside)?);
        }
        for (index, nodes) in replaced {
            let at = SubgraphPosition { node: *index, attribute: 0, index: 0 };
            // What is replaced is not there to be edited.
            let Some(found) = entries.get(*index).filter(|_| !edits.contains_key(index)) else {
                return Err(self.missing(&at));
            };
            let mut plan = Plan::default();
            plan.put(new(nodes));
            of_nodes.entry(*index).or_default().push((found.whole.clone(), plan));
        }
        match order {
            None => changes.extend(of_nodes.into_values().flatten()),
            Some(order) => changes.extend(self.ordered(&entries, order, of_nodes)?),
        }
        Ok(changes)
    }

    /// Puts nodes, each with its changes, in another order: each takes the place of another one, so that all other fields
    /// between them stay where they are.
    fn ordered(
        &self,
        entries: &[Field],
        order: &[usize],
        mut of_nodes: BTreeMap<usize, Vec<Change>>,
    ) -> Result<Vec<Change>, ModelError> {
        let mut changes = Vec::with_capacity(entries.len());
        let mut left: BTreeSet<usize> = (0..entries.len()).collect();
        for (place, index) in entries.iter().zip(order) {
            let Some(found) = entries.get(*index).filter(|_| left.remove(index)) else { break };
            let changed = of_nodes.remove(index).unwrap_or_default();
            changes.push((place.whole.clone(), splice(found.whole.clone(), changed)));
        }
        match left.first() {
            Some(index) => Err(self.missing(&SubgraphPosition { node: *index, attribute: 0, index: 0 })),
            None if order.len() > entries.len() => {
                Err(self.missing(&SubgraphPosition { node: entries.len(), attribute: 0, index: 0 }))
            }
            None => Ok(changes),
        }
    }

    /// Removes entries of a list, and appends others.
    fn list<T: Wire>(&self, found: &Field, number: u32, edit: &ListEdit<T>) -> Result<Vec<Change>, ModelError> {
        if edit.is_empty() {
            return Ok(Vec::new());
        }
        let entries = self.children(found.payload.clone(), number)?;
        let gone = entries.iter().enumerate().filter(|(index, _)| edit.remove.contains(index));
        let mut changes: Vec<Change> = gone.map(|(_, entry)| (entry.whole.clone(), Plan::default())).collect();
        let new: Vec<u8> = edit.add.iter().flat_map(|value| encoded(number, value)).collect();
        if !new.is_empty() {
            let at = entries.last().map_or(found.payload.end, |last| last.whole.end);
            changes.push(insert(at, new));
        }
        Ok(changes)
    }

    /// Sets the types of inputs and outputs.
    fn declarations(
        &self,
        found: &Field,
        graph: Graph<'_>,
        types: &[(String, TypeProto)],
    ) -> Result<Vec<Change>, ModelError> {
        let types: HashMap<&str, &TypeProto> = types.iter().map(|(name, r#type)| (&**name, r#type)).collect();
        let mut changes = Vec::new();
        if types.is_empty() {
            return Ok(changes);
        }
        for (number, entries) in [(GraphProto::input, graph.inputs()), (GraphProto::output, graph.outputs())] {
            for (found, entry) in self.children(found.payload.clone(), number)?.iter().zip(entries) {
                let new = types.get(&*entry.name).filter(|new| entry.r#type.as_ref() != Some(**new));
                changes.extend(new.map(|new| self.entry(found, new)).transpose()?);
            }
        }
        Ok(changes)
    }

    fn value_info<'m>(
        &self,
        found: &Field,
        number: u32,
        infos: List<'m, &'m ValueInfoProto>,
        edit: &GraphEdit,
    ) -> Result<Vec<Change>, ModelError> {
        if edit.value_info.is_empty() && edit.forgotten.is_empty() {
            return Ok(Vec::new());
        }
        let types: HashMap<&str, &TypeProto> =
            edit.value_info.iter().map(|(name, r#type)| (name.as_str(), r#type)).collect();
        let mut written = HashSet::new();
        let mut changes = Vec::new();
        let entries = self.children(found.payload.clone(), number)?;
        for (index, (found, entry)) in entries.iter().zip(infos).enumerate() {
            if edit.forgotten.contains(&index) {
                changes.push((found.whole.clone(), Plan::default()));
                continue;
            }
            let Some(&r#type) = types.get(entry.name.as_str()) else {
                continue;
            };
            written.insert(entry.name.as_str());
            if entry.r#type.as_ref() != Some(r#type) {
                changes.push(self.entry(found, r#type)?);
            }
        }

        let mut new = Vec::new();
        for (name, _) in &edit.value_info {
            if let Some(&r#type) = types.get(name.as_str())
                && written.insert(name)
            {
                let entry =
                    ValueInfoProto { name: name.clone(), r#type: Some(r#type.clone()), ..ValueInfoProto::default() };
                entry.encode(number, &mut new);
            }
        }
        if !new.is_empty() {
            let at = entries.last().map_or(found.payload.end, |last| last.whole.end);
            changes.push(insert(at, new));
        }
        Ok(changes)
    }

    /// Sets the type of an entry of `value_info`.
    fn entry(&self, found: &Field, r#type: &TypeProto) -> Result<Change, ModelError> {
        self.only(found, ValueInfoProto::r#type, encoded(ValueInfoProto::r#type, r#type))
    }

    /// Replaces all occurrences of a field in a message by a single one.
    fn only(&self, found: &Field, number: u32, field: Vec<u8>) -> Result<Change, ModelError> {
        let changes = self.set(found.payload.clone(), number, field)?;
        Ok(resize(found, splice(found.payload.clone(), changes)))
    }

    /// The changes that replace all occurrences of a field by a single one, which is added if there is none.
    fn set(&self, span: Range<usize>, number: u32, field: Vec<u8>) -> Result<Vec<Change>, ModelError> {
        let mut new = Some(field);
        let mut changes = Vec::new();
        // A reader would merge a second occurrence with the new one.
        for old in self.children(span.clone(), number)? {
            let mut plan = Plan::default();
            if let Some(bytes) = new.take() {
                plan.put(bytes);
            }
            changes.push((old.whole, plan));
        }
        if let Some(bytes) = new {
            changes.push(insert(span.end, bytes));
        }
        Ok(changes)
    }

    fn node(
        &self,
        found: &Field,
        node: Node<'_>,
        edit: Option<&NodeEdit>,
        subgraphs: &[SubgraphEdit<'_>],
    ) -> Result<Option<Change>, ModelError> {
        let attributes = self.children(found.payload.clone(), NodeProto::attribute)?;
        let mut changes = Vec::new();
        if let Some(edit) = edit {
            if let Some(name) = &edit.name {
                changes.extend(self.set(found.payload.clone(), NodeProto::name, encoded(NodeProto::name, name))?);
            }
            if let Some(inputs) = &edit.inputs {
                changes.extend(self.names(found, NodeProto::input, node.inputs(), inputs)?);
            }
            if let Some(outputs) = &edit.outputs {
                changes.extend(self.names(found, NodeProto::output, node.outputs(), outputs)?);
            }
            changes.extend(self.list(found, NodeProto::attribute, &edit.attributes)?);
        }
        for subgraphs in subgraphs.chunk_by(|(a, _), (b, _)| a.attribute == b.attribute) {
            let Some((at, _)) = subgraphs.first() else {
                continue;
            };
            let gone = edit.is_some_and(|edit| edit.attributes.remove.contains(&at.attribute));
            let (Some(found), Some(attribute), false) =
                (attributes.get(at.attribute), node.attributes().get(at.attribute), gone)
            else {
                return Err(self.missing(at));
            };
            changes.extend(self.attribute(found, attribute, subgraphs)?);
        }
        Ok(around(found, changes))
    }

    /// Sets the inputs or the outputs of a node: the leading ones that do not change are kept, the others are written
    /// after them.
    fn names<'m>(
        &self,
        found: &Field,
        number: u32,
        old: List<'m, &'m str>,
        new: &[String],
    ) -> Result<Vec<Change>, ModelError> {
        let kept = old.iter().zip(new).take_while(|(old, new)| old == *new).count();
        let add = new.iter().skip(kept).cloned().collect();
        let edit = ListEdit { remove: (kept..old.len()).collect(), add };
        // A node without any gets its first one before all other fields.
        match self.children(found.payload.clone(), number)?.is_empty() {
            true => {
                Ok(vec![insert(found.payload.start, edit.add.iter().flat_map(|name| encoded(number, name)).collect())])
            }
            false => self.list(found, number, &edit),
        }
    }

    fn attribute(
        &self,
        found: &Field,
        attribute: Attribute<'_>,
        edits: &[SubgraphEdit<'_>],
    ) -> Result<Option<Change>, ModelError> {
        let payload = found.payload.clone();
        let mut changes = Vec::new();
        if let Some(g) = attribute.graph() {
            let graphs = self.children(payload, AttributeProto::g)?;
            for (at, edit) in edits {
                let Some(found) = self.single(&graphs)?.filter(|_| at.index == 0) else {
                    return Err(self.missing(at));
                };
                changes.extend(self.graph(found, g, edit)?);
            }
        } else {
            let graphs = self.children(payload, AttributeProto::graphs)?;
            for (at, edit) in edits {
                let (Some(found), Some(graph)) = (graphs.get(at.index), attribute.graphs().get(at.index)) else {
                    return Err(self.missing(at));
                };
                changes.extend(self.graph(found, graph, edit)?);
            }
        }
        Ok(around(found, changes))
    }

    /// The occurrences of one field.
    fn children(&self, span: Range<usize>, number: u32) -> Result<Vec<Field>, ModelError> {
        let found: Result<_, Stop> = scan::fields(self.model.cursor(span))
            .filter(|found| found.as_ref().map_or(true, |found| found.number == number))
            .collect();
        // Cannot fail unless the file changed: the same bytes were decoded before.
        found.map_err(|_| ModelError::Changed { path: self.label.to_owned() })
    }

    /// The only piece of a graph. With several pieces the indices of the decoded graph would count over all of them.
    fn single<'f>(&self, pieces: &'f [Field]) -> Result<Option<&'f Field>, ModelError> {
        match pieces {
            [_, second, ..] => Err(ModelError::SplitGraph { path: self.label.to_owned(), offset: second.whole.start }),
            _ => Ok(pieces.first()),
        }
    }

    fn missing(&self, at: &SubgraphPosition) -> ModelError {
        ModelError::NoSuchGraph { path: self.label.to_owned(), at: *at }
    }
}
