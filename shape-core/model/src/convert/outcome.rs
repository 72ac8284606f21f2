//! Checks a converted model before it is written: it must have no error that the original did not have.

use std::collections::BTreeMap;

use super::target::Target;
use super::training;
use crate::analysis::{Analysis, analyse};
use crate::check::{checked, new_findings};
use crate::file::Model;
use crate::file::{ModelEdit, ModelFile};
use crate::finding::{Finding, NodeRef};
use crate::graph::GraphKind;
use crate::options::Options;
use crate::text::{dims_text, elements_text};
use crate::value::Value;
use shape_core::code::{Code, Severity};
use shape_core::elements::Scalar;
use shape_core::symbolic::Dim;

/// Checks the edited model: it may have no error that the original does not have, and no value may contradict what was
/// known of it before.
pub(super) fn check(
    file: &ModelFile,
    edit: &ModelEdit,
    options: &Options,
    before: &Analysis<'_>,
    target: &Target,
) -> Result<(), Vec<Finding>> {
    if *edit == ModelEdit::default() {
        return Ok(());
    }
    let converted = file.preview(edit).map_err(|error| {
        vec![Finding::new(Code::ConversionUnknown, "", format!("the model cannot be written: {error}"))]
    })?;
    // The options name nothing in the model, so there is no options error.
    let Ok(after) = checked(&converted, options) else { return Err(Vec::new()) };
    let mut findings = Vec::new();
    let mut wrong = errors(&converted, &after, options);
    if target.to_ir_version().is_some() {
        let needs_newer = |found: &Finding| matches!(found.code, Code::IrVersionTooOld | Code::InitializerNotInput);
        findings.extend(after.findings.iter().filter(|found| needs_newer(found)).map(of_ir_version));
        wrong.retain(|found| !needs_newer(found));
    }
    if !wrong.is_empty() {
        let original = checked(file.model(), options);
        let known = original.map(|original| errors(file.model(), &original, options)).unwrap_or_default();
        findings.extend(new_findings(&known, wrong).into_iter().map(after_conversion));
    }
    findings.extend(contradictions(before, &after));
    if findings.is_empty() { Ok(()) } else { Err(findings) }
}

/// The errors of a model, those of its training included.
fn errors(model: &Model, checked: &Analysis<'_>, options: &Options) -> Vec<Finding> {
    let mut errors: Vec<Finding> = checked.findings.iter().cloned().collect();
    for part in training::parts(model, checked) {
        let found = analyse(&part.model, options).map(|analysis| analysis.findings).unwrap_or_default();
        // The functions were checked with the model.
        let of_graph = found.into_iter().filter(|found| found.graph.starts_with("graph"));
        errors.extend(of_graph.map(|found| part.found(found)));
    }
    errors.retain(|found| found.severity() == Severity::Error);
    errors
}

fn after_conversion(mut found: Finding) -> Finding {
    found.message = format!("after the conversion, {}", found.message);
    found.help = Some("no file was written, since the original does not have this error; please report it".to_owned());
    found
}

/// What needs a newer IR version than the target.
fn of_ir_version(found: &Finding) -> Finding {
    let help = "ask for a newer IR version, or remove what needs it";
    Finding { code: Code::ConversionUnknown, ..found.clone() }.help(help)
}

/// The values of the main graph that are known before and after, and not as the same.
fn contradictions(before: &Analysis<'_>, after: &Analysis<'_>) -> Vec<Finding> {
    let known = values(after);
    let mut findings = Vec::new();
    for (name, old) in values(before) {
        let Some(new) = known.get(name) else { continue };
        let contradiction = if let (Ok(old), Ok(new)) = (&old.ty, &new.ty)
            && old != new
        {
            Some(("another type", old.to_string(), new.to_string()))
        } else if let (Ok(old), Ok(new)) = (&old.dims, &new.dims)
            && !may_be_same(old, new, dim)
        {
            Some(("other dimensions", dims_text(old, &before.symbols), dims_text(new, &after.symbols)))
        } else if let (Ok(old), Ok(new)) = (&old.elements, &new.elements)
            && !may_be_same(old, new, scalar)
        {
            Some(("other elements", elements_text(old, &before.symbols), elements_text(new, &after.symbols)))
        } else {
            None
        };
        if let Some((what, expected, found)) = contradiction {
            let message = format!("`{name}` would have {what} after the conversion");
            let mut finding = Finding::new(Code::ConversionMeaning, "graph", message);
            finding.node = before.node_of(old.graph, old.origin).map(NodeRef::from);
            findings.push(finding.expected(expected).found(found).help("no file was written; please report this"));
        }
    }
    findings
}

/// The values of the main graph, by name.
fn values<'a, 'm>(analysis: &'a Analysis<'m>) -> BTreeMap<&'m str, &'a Value<'m>> {
    let is_main = |graph: usize| analysis.graphs.get(graph).is_some_and(|info| info.kind == GraphKind::Main);
    let values = analysis.values.iter().filter(|value| is_main(value.graph));
    values.map(|value| (value.name, value)).collect()
}

/// Whether two lists are of equal length, and no two items are known and different. Symbols of two analyses cannot be
/// compared.
fn may_be_same<T, K: PartialEq>(left: &[T], right: &[T], known: impl Fn(&T) -> Option<K>) -> bool {
    let differ = |(left, right): (&T, &T)| known(left).zip(known(right)).is_some_and(|(left, right)| left != right);
    left.len() == right.len() && !left.iter().zip(right).any(differ)
}

fn dim(dim: &Dim) -> Option<u64> {
    match dim {
        Dim::Known(size) => Some(*size),
        _ => None,
    }
}

fn scalar(scalar: &Scalar<Dim>) -> Option<i64> {
    match scalar {
        Scalar::Int(number) => Some(*number),
        Scalar::Size(size) => dim(size).and_then(|size| size.try_into().ok()),
        Scalar::Bool(value) => Some((*value).into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::constant::input_of;
    use crate::file::proto::{AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto};
    use crate::file::{GraphEdit, ListEdit, NodeEdit};

    fn attention() -> ModelFile {
        ModelFile::open(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx")).unwrap()
    }

    fn checked_with(file: &ModelFile, edit: &ModelEdit) -> Vec<Finding> {
        let options = Options::of(file);
        let before = analyse(file.model(), &options).unwrap();
        check(file, edit, &options, &before, &Target::new()).err().unwrap_or_default()
    }

    fn of_node(index: usize, edit: NodeEdit) -> ModelEdit {
        ModelEdit { graph: GraphEdit { nodes: [(index, edit)].into(), ..GraphEdit::default() }, ..ModelEdit::default() }
    }

    /// The first node of an operator.
    fn first(file: &ModelFile, op_type: &str) -> usize {
        let graph = file.model().graph().unwrap();
        graph.nodes().iter().position(|node| node.op_type() == op_type).unwrap()
    }

    #[test]
    fn a_new_error_is_refused() {
        let file = attention();
        let attributes = ListEdit {
            add: vec![AttributeProto {
                name: "nothing".into(),
                r#type: Some(2),
                i: Some(1),
                ..AttributeProto::default()
            }],
            ..ListEdit::default()
        };
        let index = first(&file, "Shape");
        let found = checked_with(&file, &of_node(index, NodeEdit { attributes, ..NodeEdit::default() }));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].code, Code::AttributeUnknown);
        assert!(found[0].message.starts_with("after the conversion, "), "{found:?}");
        assert_eq!(found[0].node.as_ref().map(|node| node.index), Some(index));
    }

    #[test]
    fn an_old_error_is_not() {
        let mut proto = attention().model().proto();
        proto.graph.as_mut().unwrap().name.clear();
        let file = ModelFile::from_bytes(crate::file::Message::encode_to_vec(&proto).into()).unwrap();
        let import = OperatorSetIdProto { domain: String::new(), version: Some(22) };
        let edit = ModelEdit { opset_import: vec![import], ..ModelEdit::default() };
        assert_eq!(checked_with(&file, &edit), []);
        let wrong: Vec<Code> =
            crate::check(file.model(), &Options::of(&file)).unwrap().iter().map(|found| found.code).collect();
        assert!(wrong.contains(&Code::FieldMissing), "{wrong:?}");
    }

    #[test]
    fn what_contradicts_the_original_is_refused() {
        let input = |name: &str, dims: &[i64]| {
            let tensor =
                TensorProto { name: name.into(), dims: dims.into(), data_type: Some(1), ..TensorProto::default() };
            input_of(&tensor)
        };
        let node = NodeProto {
            input: vec!["x".into()],
            output: vec!["y".into()],
            op_type: "Shape".into(),
            ..NodeProto::default()
        };
        let graph = GraphProto {
            name: "g".into(),
            node: vec![node],
            input: vec![
                input("x", &[2, 6]),
                input("same", &[2, 6]),
                input("other", &[3, 6]),
                input("longer", &[2, 6, 1]),
            ],
            ..GraphProto::default()
        };
        let proto = ModelProto {
            ir_version: Some(8),
            opset_import: vec![OperatorSetIdProto { domain: String::new(), version: Some(17) }],
            graph: Some(graph),
            ..ModelProto::default()
        };
        let file = ModelFile::from_bytes(crate::file::Message::encode_to_vec(&proto).into()).unwrap();
        for (name, expected) in [
            ("same", None),
            ("other", Some("`y` would have other elements after the conversion")),
            ("longer", Some("`y` would have other dimensions after the conversion")),
        ] {
            let edit = NodeEdit { inputs: Some(vec![name.into()]), ..NodeEdit::default() };
            let found = checked_with(&file, &of_node(0, edit));
            assert_eq!(found.first().map(|found| &*found.message), expected);
            assert!(found.iter().all(|found| found.code == Code::ConversionMeaning), "{found:?}");
        }
    }
}
