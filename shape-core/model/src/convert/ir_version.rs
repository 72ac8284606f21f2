//! Sets the IR version of a converted model, which decides whether initializers must also be inputs.

use std::collections::{BTreeSet, HashSet};

use super::constant::input_of;
use super::converter::Converter;
use super::target::Target;
use crate::file::{Function, Graph, Model};
use crate::finding::Finding;
use crate::graph::GraphKind;
use crate::imports::Imports;
use crate::validity::ir_version_of_opset;
use shape_core::code::Code;
use shape_core::data_type::DataType;
use shape_core::registry::Registry;
use shape_core::types::Type;

/// The first IR version in which an initializer need not be an input.
const INITIALIZERS_ALONE: i64 = 4;

/// The IR version after the conversion: that of the target, or else the lowest that its opsets need, but not below the
/// model's.
pub(super) fn of_target(model: &Model, target: &Target, registry: &Registry) -> i64 {
    let from = model.ir_version().unwrap_or(0);
    let lists = std::iter::once(model.opset_import()).chain(model.functions().iter().map(Function::opset_import));
    let imported = |domain| lists.clone().any(|list| Imports::read(list, from).get(domain).is_some());
    let opsets = target.opsets().filter(|(domain, _)| imported(domain));
    let needed = opsets.filter_map(|(domain, opset)| Some(ir_version_of_opset(registry, domain, opset.into())?.ir));
    target.to_ir_version().unwrap_or_else(|| needed.map(i64::from).fold(from, i64::max))
}

impl<'m: 'a, 'a> Converter<'m, 'a> {
    /// Makes every initializer an input, or removes these inputs, where the conversion crosses IR version 4.
    pub(super) fn initializers_and_inputs(&mut self, (from, to): (i64, i64)) {
        for graph in 0..self.analysis.graphs.len() {
            let Some(info) = self.analysis.graphs.get(graph) else { continue };
            let Some(proto) = info.proto else { continue };
            if from < INITIALIZERS_ALONE && INITIALIZERS_ALONE <= to {
                self.remove_inputs(graph, proto);
            } else if to < INITIALIZERS_ALONE && INITIALIZERS_ALONE <= from && info.kind == GraphKind::Main {
                self.add_inputs(graph, proto);
            }
        }
    }

    /// Up to IR 3 runtimes take an initializer as a constant although it is an input; later ones would let callers
    /// replace it.
    fn remove_inputs(&mut self, graph: usize, proto: Graph<'_>) {
        let initialized: HashSet<&str> = proto.initializers().iter().map(|tensor| &*tensor.name).collect();
        let inputs = proto.inputs().iter().enumerate().filter(|(_, input)| initialized.contains(&*input.name));
        let remove: BTreeSet<usize> = inputs.map(|(index, _)| index).collect();
        if !remove.is_empty() {
            self.edits.entry(graph).or_default().inputs.remove.extend(remove);
        }
    }

    fn add_inputs(&mut self, graph: usize, proto: Graph<'_>) {
        let inputs: HashSet<&str> = proto.inputs().iter().map(|input| &*input.name).collect();
        let edit = self.edits.entry(graph).or_default();
        let initializers = proto.initializers().iter().enumerate();
        let kept = initializers.filter(|(index, _)| !edit.initializers.remove.contains(index));
        let add: Vec<_> =
            kept.filter(|(_, tensor)| !inputs.contains(&*tensor.name)).map(|(_, tensor)| input_of(tensor)).collect();
        edit.inputs.add.extend(add);
    }

    /// Reports the element types of values that an older IR version does not have.
    pub(super) fn element_types(&mut self, to: i64) {
        let mut seen = HashSet::new();
        for value in &self.analysis.values {
            let Some(element) = value.ty.as_ref().ok().copied().and_then(innermost) else { continue };
            let needed =
                ir_version_of_opset(self.registry, "", element.since().into()).map(|release| i64::from(release.ir));
            let Some(needed) = needed.filter(|needed| *needed > to && seen.insert(element)) else { continue };
            let message = format!("`{}` has elements of type {element}, which needs IR version {needed}", value.name);
            let found = Finding::new(Code::ConversionUnknown, self.path(value.graph), message);
            let found = found.expected(format!("IR version {needed} or later")).found(format!("IR version {to}"));
            self.findings.push(found.help("cast the value to another type first"));
        }
    }
}

/// The element type of a tensor, or of the tensors in a sequence, a map or an optional.
fn innermost(ty: Type) -> Option<DataType> {
    match ty.in_sequence().or(ty.in_optional()).or(ty.in_map()) {
        Some(inner) => innermost(inner),
        None => ty.element(),
    }
}
