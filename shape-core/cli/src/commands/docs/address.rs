//! The addresses of pages: paths from the root of the site, with `/` between folders. They are permanent.

use shape_specs::operator::Operator;
use shape_specs::tables::Type;

/// The folders and files of the site that are not domains. A domain of this name has no address of its own.
pub(super) const TAKEN: [&str; 15] = [
    "all.json",
    "codes",
    "errata",
    "index.html",
    "onnx-metadata.json",
    "opsets",
    "profiles",
    "releases",
    "rules",
    "runtimes",
    "search-index.js",
    "shape-docs.json",
    "site.css",
    "site.js",
    "types",
];

/// The folder of an operator: `ai.onnx/Conv`, or `runtimes/onnxruntime/ai.onnx/Scale` for one that a runtime has on its
/// own in a domain of ONNX.
pub(super) fn operator(operator: &Operator) -> String {
    let Operator { domain, name, .. } = operator;
    match operator.beside_onnx() {
        None => format!("{domain}/{name}"),
        Some(runtime) => format!("runtimes/{runtime}/{domain}/{name}"),
    }
}

pub(super) fn version(of: &Operator, since: u32) -> String {
    format!("{}/{since}", operator(of))
}

/// The page of what changed between two versions: `ai.onnx/Conv/11..22`, whichever way.
pub(super) fn difference(of: &Operator, one: u32, other: u32) -> String {
    format!("{}/{}..{}", operator(of), one.min(other), one.max(other))
}

pub(super) fn opset(domain: &str, opset: u32) -> String {
    format!("opsets/{domain}/{opset}")
}

/// The element type of a tensor; other types have no page of their own.
pub(super) fn ty(ty: &Type) -> Option<String> {
    match ty {
        Type::Tensor(element) => Some(format!("types/{}", element.name)),
        _ => None,
    }
}

pub(super) fn code(code: &str) -> String {
    format!("codes/{code}")
}

pub(super) fn profile_rule(profile: &str, id: &str) -> String {
    format!("profiles/{profile}/{id}")
}

pub(super) fn manifest(runtime: &str, release: &str) -> String {
    format!("runtimes/{runtime}/{release}")
}

/// The file of a page, which links name in full, so that they work without a server.
pub(super) fn page(folder: &str) -> String {
    let slash = if folder.is_empty() { "" } else { "/" };
    format!("{folder}{slash}index.html")
}
