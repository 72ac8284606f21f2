//! Findings as they are collected.

use super::walk::{show, show_elements};
use super::{Analysis, GraphKind, Origin};
use crate::check::{Problem, Side};
use crate::code::Code;
use crate::finding::{Finding, NodeRef};
use crate::model::proto::NodeProto;
use crate::opset::canonical_domain;
use crate::registry::Registry;
use crate::schema::{Attribute, ParameterOption, Schema, arity};

/// A node in its place.
#[derive(Clone, Copy)]
pub(super) struct At<'m> {
    pub(super) graph: usize,
    pub(super) index: usize,
    pub(super) node: &'m NodeProto,
}

impl At<'_> {
    pub(super) fn reference(&self) -> NodeRef {
        NodeRef {
            index: self.index,
            name: self.node.name.clone(),
            op_type: self.node.op_type.clone(),
            domain: canonical_domain(&self.node.domain).to_owned(),
        }
    }
}

pub(super) fn finding(code: Code, graph: &str, message: impl Into<String>) -> Finding {
    Finding {
        code,
        graph: graph.to_owned(),
        node: None,
        message: message.into(),
        expected: None,
        found: None,
        help: None,
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the calls read better without a reference")]
impl Finding {
    pub(super) fn at(mut self, at: At<'_>) -> Self {
        self.node = Some(at.reference());
        self
    }

    pub(super) fn expected(mut self, expected: impl ToString) -> Self {
        self.expected = Some(expected.to_string());
        self
    }

    pub(super) fn found(mut self, found: impl ToString) -> Self {
        self.found = Some(found.to_string());
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// What a schema's check tells of a node, as a finding.
pub(super) fn problem(problem: &Problem<'_>, graph: &str, at: At<'_>, opset: u32, registry: &Registry) -> Finding {
    let finding =
        finding(problem.code(), graph, problem.to_string()).at(at).expected(problem.expected()).found(problem.found());
    match *problem {
        Problem::AttributeUnknown { name, schema } => {
            // The same name in a later version means that the model imports too old an opset.
            let versions = registry.operator(schema.domain, schema.name);
            match versions.iter().find(|version| version.attribute(name).is_some()) {
                Some(version) if version.since_version > schema.since_version => finding.help(format!(
                    "`{name}` came with opset {}, and the model imports {opset}: import {0} or later, or remove the \
                     attribute",
                    version.since_version
                )),
                Some(version) => finding.help(format!(
                    "opset {} removed `{name}`: remove the attribute",
                    schema.since_version.max(version.since_version)
                )),
                None => finding.help("remove the attribute"),
            }
        }
        Problem::TypeNotAllowed { found, constraint: Some(constraint), .. } => {
            let domain = canonical_domain(&at.node.domain);
            let later = registry.operator(domain, &at.node.op_type).iter().find(|version| {
                let wider = version.types.iter().find(|other| other.name == constraint.name);
                version.since_version > opset && wider.is_some_and(|wider| wider.allow.contains(found))
            });
            match later {
                Some(version) => finding.help(format!(
                    "{found} is allowed from opset {} on; the model imports {opset}",
                    version.since_version
                )),
                None if found.element().is_some() => finding.help("insert a Cast before the node"),
                None => finding.help("use a value of another type"),
            }
        }
        Problem::TypeNotAllowed { constraint: None, .. } => finding.help("use a value of that type"),
        Problem::TypeMismatch { .. } => {
            finding.help("insert a Cast after one of the two, so that both have the same type")
        }
        Problem::AttributeNoValue { .. } => finding.help("it is read as zero; save it with its value"),
        Problem::AttributeType { expected, .. } => finding.help(format!("write it as {expected}")),
        Problem::AttributeDuplicate { .. } => finding.help("keep one of the two"),
        Problem::AttributeMissing { .. } => finding.help("add the attribute"),
        Problem::AttributeValue { attribute: Attribute { values: [], min: None, max: None, .. }, .. } => {
            finding.help("write the text as UTF-8")
        }
        Problem::NoElementType { .. } => finding.help("write the number that `TensorProto.DataType` has for the type"),
        Problem::Exclusive { given: [None, _], .. } => finding.help("add one of them"),
        Problem::Exclusive { .. } => finding.help("remove all but one"),
        Problem::AttributeValue { .. } => finding.help("use one of the expected values"),
        Problem::InputMissing { .. } => finding.help("connect the input"),
        Problem::Count { .. } => {
            let domain = canonical_domain(&at.node.domain);
            let domain = if domain == "ai.onnx" { String::new() } else { format!("{domain}::") };
            finding.help(format!("`shape show {domain}{}@{opset}` lists its inputs and outputs", at.node.op_type))
        }
        // The rule of the operator says what is expected; what the inputs are is added where it was asked.
        Problem::Refused { .. } => finding,
    }
}

/// Names that are empty where a value must be, beside those that the counts of a schema tell: an output before one that
/// has a name, and one of the values that a variadic input stands for.
pub(super) fn names_missing(schema: &'static Schema, graph: &str, at: At<'_>) -> Vec<Finding> {
    let NodeProto { input, output, .. } = at.node;
    // Of too many outputs their number tells, as it does of those that are left out at the end.
    let (_, most) = arity(schema.outputs);
    let used = output.iter().rposition(|name| !name.is_empty()).filter(|last| *last < most).unwrap_or(0);
    if !input.iter().chain(output.iter().take(used)).any(String::is_empty) {
        return Vec::new();
    }
    let missing = |side: Side, index: usize| {
        let (code, parameter) = match side {
            Side::Input => (Code::InputMissing, schema.input(index)?),
            Side::Output => (Code::OutputMissing, schema.output(index)?),
        };
        let (is_wrong, help) = match (side, parameter.option) {
            (Side::Input, option) => {
                (option == ParameterOption::Variadic && parameter.homogeneous, "connect the input, or leave it out")
            }
            (Side::Output, option) => (option == ParameterOption::Single, "give it a name, even if nothing reads it"),
        };
        let message = format!("the required {side} {index} (`{}`) has an empty name", parameter.name);
        let found = finding(code, graph, message).at(at).expected(format!("a name for `{}`", parameter.name));
        is_wrong.then(|| found.found("an empty name").help(help))
    };
    let empty = |names: &[String], count: usize| -> Vec<usize> {
        names.iter().take(count).enumerate().filter(|(_, name)| name.is_empty()).map(|(index, _)| index).collect()
    };
    let inputs = empty(input, input.len()).into_iter().filter_map(|index| missing(Side::Input, index));
    inputs.chain(empty(output, used).into_iter().filter_map(|index| missing(Side::Output, index))).collect()
}

/// A node of a version that its domain has given up.
pub(super) fn deprecated(schema: &Schema, graph: &str, at: At<'_>, opset: u32) -> Finding {
    let message = format!("{} is deprecated since opset {}", schema.name, schema.since_version);
    let found = finding(Code::OperatorDeprecated, graph, message).at(at);
    let found = found.expected(format!("another operator, or an older opset of {}", schema.domain));
    found.found(format!("opset {opset}")).help("use the operator that replaces it")
}

/// Operators that early releases of ONNX had for a try, under its own domain; the reference still lets them pass.
const EXPERIMENTAL: [&str; 11] = [
    "ATen",
    "Affine",
    "ConstantFill",
    "Crop",
    "DynamicSlice",
    "GRUUnit",
    "GivenTensorFill",
    "ImageScaler",
    "ParametricSoftplus",
    "Scale",
    "ScaledTanh",
];

/// An operator that the registry does not have.
pub(super) fn undescribed(registry: &Registry, domain: &str, op_type: &str, operator: &str) -> Finding {
    let first = |versions: &[&'static Schema]| versions.first().map(|schema| (schema.domain, schema.name));
    let known: Vec<(&str, &str)> = registry.operators().filter_map(first).collect();
    // The domains of ONNX are described as a whole, each by its table; in any other there may be more than is described.
    let builtin = Registry::builtin();
    let table = builtin.operators().filter_map(first).any(|(of, _)| of == domain);
    if !table || !builtin.operator(domain, op_type).is_empty() {
        let unchecked = "its nodes are not checked, and their outputs are unknown";
        let help = if !table && (domain == "ai.onnx" || domain.starts_with("ai.onnx.")) {
            format!("{unchecked}; this program is built without the feature `{}`", domain.replace('.', "-"))
        } else {
            format!("{unchecked}; --specs DIR adds a descriptor")
        };
        return finding(Code::NoDescriptor, "", format!("{operator} has no descriptor")).help(help);
    }
    if domain == "ai.onnx" && EXPERIMENTAL.contains(&op_type) {
        let message = format!("{op_type} was an experimental operator and never became part of ONNX");
        let help = "its nodes are not checked; use operators of ONNX, or another domain";
        return finding(Code::OperatorExperimental, "", message).expected("an operator of ONNX").help(help);
    }
    let found = finding(Code::OperatorUnknown, "", format!("{domain} has no operator {op_type}"));
    let found = found.expected(format!("an operator of {domain}"));
    if let Some((elsewhere, _)) = known.iter().find(|(_, name)| *name == op_type) {
        return found.help(format!("{elsewhere} has one: is that the node's domain?"));
    }
    let names = known.iter().filter(|(of, _)| *of == domain).map(|(_, name)| *name);
    match nearest(op_type, names) {
        Some(name) => found.help(format!("did you mean `{name}`?")),
        None => found.help("a custom operator needs a domain of its own"),
    }
}

/// The one of the names that was probably meant; `None` where none is near.
fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let lower = name.to_lowercase();
    let nearest = known.map(|known| (strsim::osa_distance(&lower, &known.to_lowercase()), known)).min();
    nearest.filter(|(distance, _)| *distance <= 1 + name.len() / 4).map(|(_, known)| known)
}

/// What is known of a node's inputs, for somebody who asks why they do not fit.
pub(super) fn inputs(values: impl Iterator<Item = Option<u32>>, analysis: &Analysis<'_>) -> String {
    let known = values.flatten().filter_map(|id| analysis.values.get(id as usize));
    let texts = known.map(|value| match (&value.elements, &value.dims) {
        (Ok(elements), _) => format!("`{}` is {}", value.name, show_elements(elements, &analysis.symbols)),
        (Err(_), Ok(dims)) => format!("`{}` has the dimensions {}", value.name, show(dims, &analysis.symbols)),
        (Err(_), Err(_)) => format!("the rank of `{}` is unknown", value.name),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// The node that gives a value.
pub(super) fn giver(origin: Origin<'_>) -> Option<NodeRef> {
    let Origin::Node { index, name, op_type, domain } = origin else { return None };
    Some(NodeRef { index, name: name.to_owned(), op_type: op_type.to_owned(), domain: domain.to_owned() })
}

/// See [`Analysis::strict_findings`].
pub(super) fn strict(analysis: &Analysis<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for value in &analysis.values {
        let Some(graph) = analysis.graphs.get(value.graph) else { continue };
        let Some(reason) = value.unknown() else { continue };
        if graph.kind == GraphKind::Function {
            continue;
        }
        let mut found = finding(Code::DimsUnknown, &graph.path, format!("`{}` is not fully known", value.name));
        found.node = giver(value.origin);
        findings.push(found.found(analysis.explain(reason)));
    }
    findings
}
