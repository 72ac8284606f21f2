//! Converts a model to other opsets, and to another IR version.
//!
//! [`shape_core::convert`] decides how each node changes; this module collects the facts for it and turns the results
//! into an edit. The model that the edit gives is checked before anybody can write it: see `outcome`.

mod calls;
mod constant;
mod converter;
mod function;
mod ir_version;
mod node;
mod outcome;
mod result;
mod target;
mod training;

use std::collections::{BTreeMap, HashSet};

use crate::analysis::analyse;
use crate::file::proto::OperatorSetIdProto;
use crate::file::{Function, Model};
use crate::file::{GraphEdit, ListEdit, ModelEdit, ModelFile};
use crate::finding::Finding;
use crate::functions::Functions;
use crate::imports::Imports;
use crate::options::Options;
use converter::{Converter, Reported};
use shape_core::code::Code;
use shape_core::opset::canonical_domain;
use shape_core::registry::Registry;

pub use result::{Conversion, ConvertedIrVersion, ConvertedNode, ConvertedOpset};
pub use target::Target;

/// Converts a model to other opsets, newer or older, or to another IR version.
///
/// Nodes of all graphs are converted: of the main graph, of graphs in nodes, of functions and of training. The body of a
/// function is converted from the opset that the function imports. A node that calls a function of the model stays as
/// it is, and so do nodes of domains that `target` does not name.
///
/// A constant that a node needs as an input becomes an initializer, or in the body of a function a node. An initializer
/// that became an attribute is removed if nothing else reads it. The IR version is raised if an opset needs it; below
/// IR version 4 each initializer is an input too, from then on it is none.
///
/// The model that comes out is checked with [`check`](crate::check()). [`ModelFile::rewrite`] writes it;
/// [`ModelFile::preview`] gives it in memory, as a [`Model`]:
///
/// ```
/// use shape_core::Registry;
/// use shape_model::{ModelFile, convert};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let file = ModelFile::open(path)?;
/// let conversion = convert(&file, 13, Registry::builtin()).unwrap();
/// let older = file.preview(&conversion.edit)?;
/// let nodes = older.graph().unwrap().nodes();
/// assert_eq!(nodes.first().unwrap().opset(), Some(13));
/// // Shape-13 gives all dimensions, of which a Slice takes what `start` and `end` of Shape-15 did.
/// assert!(nodes.iter().any(|node| node.op_type() == "Slice"));
/// # Ok::<(), shape_model::file::ModelError>(())
/// ```
///
/// # Errors
/// Everything that prevents the conversion: errors in the model, each node that would lose something, each operator
/// that has no version at the opset or no descriptor, what the IR version does not have, and errors of the model that
/// comes out. All findings are errors.
///
/// ```
/// use shape_core::Registry;
/// use shape_model::{ModelFile, convert};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let findings = convert(&ModelFile::open(path)?, 8, Registry::builtin()).unwrap_err();
/// assert_eq!(findings[0].code.name(), "conversion-type");
/// assert_eq!(findings[0].message, "at Less-7, input 0 (`A`) is tensor(int64); allowed: tensor of float, float16, double");
/// # Ok::<(), shape_model::file::ModelError>(())
/// ```
pub fn convert(file: &ModelFile, target: impl Into<Target>, registry: &Registry) -> Result<Conversion, Vec<Finding>> {
    let target = target.into();
    let options = Options { registry: registry.clone(), assume: false, ..Options::of(file) };
    let original = file.model();
    let from_ir = original.ir_version().unwrap_or(0);
    let to_ir = ir_version::of_target(original, &target, registry);
    let (opsets, mut findings) = opsets(file, &target);

    // What training sets is no constant, although it is an initializer.
    let inputs = ListEdit { add: training::inputs_of_variables(original), ..ListEdit::default() };
    let variables = ModelEdit { graph: GraphEdit { inputs, ..GraphEdit::default() }, ..ModelEdit::default() };
    let model = calls::with_inputs(file, variables, &options);
    let model: &Model = &model;
    // These options name nothing in the model, so there is no options error.
    let Ok(analysis) = analyse(model, &options) else { return Err(findings) };
    // Another operator may stand for a deprecated one at the other opset.
    let prevents = |found: &Finding| found.prevents_edits() && found.code != Code::OperatorDeprecated;
    let errors = analysis.findings.iter().filter(|found| prevents(found));
    let has = |code: Code| errors.clone().any(|found| found.code == code);
    findings.retain(|found| !has(found.code) && !has(Code::OpsetMissing));
    findings.splice(0..0, errors.cloned());

    let functions = Functions::of(model);
    let of_training = training::names(original);
    let mut names: HashSet<String> = analysis.values.iter().map(|value| value.name.to_owned()).collect();
    names.extend(of_training.iter().cloned());
    let mut converter = Converter::new(model, &analysis, &functions, &options, &target, (from_ir, to_ir));
    (converter.findings, converter.names) = (findings, names);
    converter.reported = Reported::of(&analysis, prevents);
    converter.keep(of_training.iter().map(String::as_str));
    converter.convert(true);
    if target.to_ir_version().is_some() {
        converter.element_types(to_ir);
    }
    converter.remove_unread();
    converter.initializers_and_inputs((from_ir, to_ir));
    let (mut nodes, mut findings, mut names) = converter.take();
    let mut edit = ModelEdit::default();
    let variables = training::variables(original);
    converter.write(&mut edit.graph, &mut edit.functions);

    for part in training::parts(original, &analysis) {
        let Ok(analysis) = analyse(&part.model, &options) else { continue };
        let functions = Functions::of(&part.model);
        let mut converter = Converter::new(&part.model, &analysis, &functions, &options, &target, (from_ir, to_ir));
        converter.names = names;
        converter.keep(variables.iter().map(String::as_str));
        converter.convert(false);
        converter.remove_unread();
        let (converted, found, all) = converter.take();
        names = all;
        nodes.extend(converted.into_iter().map(|node| part.converted(node)));
        findings.extend(found.into_iter().map(|found| part.found(found)));
        let mut graph = GraphEdit::default();
        converter.write(&mut graph, &mut BTreeMap::new());
        part.put(graph, &mut edit);
    }
    if !findings.is_empty() {
        return Err(findings);
    }

    let imports = |list: &[OperatorSetIdProto]| import_edit(list, &target, from_ir, to_ir);
    edit.opset_import = imports(original.opset_import());
    for (index, function) in original.functions().iter().enumerate() {
        let opset_import = imports(function.opset_import());
        if !opset_import.is_empty() {
            edit.functions.entry(index).or_default().opset_import = opset_import;
        }
    }
    edit.ir_version = (from_ir != to_ir).then_some(to_ir);
    outcome::check(file, &edit, &options, &analysis, &target)?;
    let ir_version = edit.ir_version.map(|to| ConvertedIrVersion { from: from_ir, to });
    Ok(Conversion { opsets, ir_version, nodes, edit })
}

/// The domains that are converted, and an error if a target names none of them.
fn opsets(file: &ModelFile, target: &Target) -> (Vec<ConvertedOpset>, Vec<Finding>) {
    let model = file.model();
    let ir_version = model.ir_version().unwrap_or(0);
    let lists = std::iter::once(model.opset_import()).chain(model.functions().iter().map(Function::opset_import));
    let lists: Vec<Imports> = lists.map(|list| Imports::read(list, ir_version)).collect();
    let opset = |(domain, to): (&str, u32)| {
        let from = lists.iter().find_map(|imports| imports.get(domain))?;
        Some(ConvertedOpset { domain: domain.to_owned(), from, to })
    };
    let opsets: Vec<ConvertedOpset> = target.opsets().filter_map(opset).collect();
    let mut findings = Vec::new();
    if opsets.is_empty() && target.to_ir_version().is_none() {
        for (domain, _) in target.opsets() {
            let message = format!("the model does not import {domain}");
            let found = Finding::new(Code::DomainNotImported, "", message);
            findings.push(found.help("name a domain that the model imports"));
        }
    }
    (opsets, findings)
}

/// The imports of a model or of a function that change.
fn import_edit(list: &[OperatorSetIdProto], target: &Target, from_ir: i64, to_ir: i64) -> Vec<OperatorSetIdProto> {
    let imports = Imports::read(list, from_ir);
    // Before IR 3 nothing is imported, and the opset is the first one.
    let unwritten = list.is_empty() && to_ir >= 3;
    let mut edit = Vec::new();
    for (domain, from) in imports.iter() {
        let of_domain = || list.iter().filter(|import| canonical_domain(&import.domain) == domain);
        let to = target.opset_of(domain);
        if to.is_some_and(|to| to != from || of_domain().count() > 1) || unwritten {
            let domain = of_domain().next().map(|import| import.domain.clone()).unwrap_or_default();
            edit.push(OperatorSetIdProto { domain, version: Some(to.unwrap_or(from).into()) });
        }
    }
    edit
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A custom registry may lack the operators of ONNX.
    #[test]
    fn an_operator_that_is_not_described_is_told_once() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
        let findings = convert(&ModelFile::open(path).unwrap(), 13, &Registry::of(&[])).unwrap_err();
        assert!(findings.iter().all(|found| found.code == Code::ConversionUnknown), "{findings:?}");
        let shape: Vec<_> = findings.iter().filter(|found| found.message == "Shape has no descriptor").collect();
        assert_eq!(shape.iter().map(|found| found.found.as_deref()).collect::<Vec<_>>(), [Some("8 nodes")]);
    }
}
