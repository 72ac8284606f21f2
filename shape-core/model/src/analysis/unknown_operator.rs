//! The finding for an operator that the registry does not contain.

use crate::finding::Finding;
use shape_core::code::Code;
use shape_core::opset;
use shape_core::registry::{Registry, of_runtime};
use shape_core::runtime::{Runtime, runtimes};
use shape_core::schema::Schema;

/// The domains of onnxruntime, which have a feature each.
const OF_ONNXRUNTIME: [&str; 3] = ["com.microsoft", "com.microsoft.nchwc", "com.ms.internal.nhwc"];

/// The runtime that registers an operator on its own, in words; `None` if no runtime has one for the opset.
pub(super) fn registered(domain: &str, op_type: &str, opset: u32) -> Option<String> {
    let registered = |of: &Runtime| {
        let operator = of.operator(domain, op_type, opset)?;
        Some(format!("{} registers {op_type}-{} in {domain} on its own", of.name, operator.since_version))
    };
    runtimes().iter().find_map(registered)
}

/// Whether a finding is about an operator that the registry does not contain.
pub(super) fn is_undescribed(code: Code) -> bool {
    matches!(code, Code::NoDescriptor | Code::OperatorExperimental | Code::OperatorUnknown)
}

/// The finding for an operator that the registry does not contain; `suggest` says whether to look for the name that was
/// meant.
pub(super) fn undescribed(
    registry: &Registry,
    domain: &str,
    op_type: &str,
    operator: &str,
    (opset, suggest): (u32, bool),
) -> Finding {
    let first = |versions: &[&'static Schema]| versions.first().map(|schema| (schema.domain, schema.name));
    let known: Vec<(&str, &str)> = registry.operators().filter_map(first).collect();
    // The descriptors of ONNX's domains are complete; those of other domains need not be: another build of a runtime may
    // have more.
    let builtin = Registry::builtin();
    let of_onnx = domain == "ai.onnx" || domain.starts_with("ai.onnx.");
    let compiled = builtin.operators().filter_map(first).any(|(of, _)| of == domain);
    let table = of_onnx && compiled;
    if !table || !builtin.operator(domain, op_type).is_empty() {
        let unchecked = "its nodes are not checked, and their outputs are unknown";
        let beside = known.iter().filter(|(of, _)| *of == domain && suggest).map(|(_, name)| *name);
        let help = if let Some(name) = nearest(op_type, beside) {
            format!("{unchecked}; did you mean `{name}`?")
        } else if !compiled && (of_onnx || OF_ONNXRUNTIME.contains(&domain)) {
            format!("{unchecked}; this program is built without the feature `{}`", domain.replace('.', "-"))
        } else {
            format!("{unchecked}; --specs DIR adds a descriptor")
        };
        return Finding::new(Code::NoDescriptor, "", format!("{operator} has no descriptor")).help(help);
    }
    if domain == "ai.onnx" && opset::experimental().contains(&op_type) {
        let message = format!("{op_type} was an experimental operator and never became part of ONNX");
        let help = match of_runtime(domain, op_type, opset) {
            Some(_) => "use operators of ONNX, or another domain",
            None => "its nodes are not checked; use operators of ONNX, or another domain",
        };
        let help = registered(domain, op_type, opset).map_or(help.to_owned(), |by| format!("{by}; {help}"));
        return Finding::new(Code::OperatorExperimental, "", message).expected("an operator of ONNX").help(help);
    }
    let found = Finding::new(Code::OperatorUnknown, "", format!("{domain} has no operator {op_type}"));
    let found = found.expected(format!("an operator of {domain}"));
    if let Some(by) = registered(domain, op_type, opset) {
        let unchecked = match of_runtime(domain, op_type, opset) {
            Some(_) => "",
            None => ", and its nodes are not checked",
        };
        return found.help(format!("{by}: other runtimes need not know it{unchecked}"));
    }
    if let Some((elsewhere, _)) = known.iter().find(|(_, name)| *name == op_type) {
        return found.help(format!("{elsewhere} has one: is that the node's domain?"));
    }
    let names = known.iter().filter(|(of, _)| *of == domain).map(|(_, name)| *name);
    match nearest(op_type, names.filter(|_| suggest)) {
        Some(name) => found.help(format!("did you mean `{name}`?")),
        None => found.help("a custom operator needs a domain of its own"),
    }
}

/// The most similar known name; `None` if none is similar enough.
fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    // A name this long is not a typo of an operator.
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    let lower = name.to_lowercase();
    let most = 1 + name.len() / 4;
    // Each letter more or less is an edit.
    let known = known.filter(|known| known.len().abs_diff(name.len()) <= most);
    let nearest = known.map(|known| (strsim::osa_distance(&lower, &known.to_lowercase()), known)).min();
    nearest.filter(|(distance, _)| *distance <= most).map(|(_, known)| known)
}
