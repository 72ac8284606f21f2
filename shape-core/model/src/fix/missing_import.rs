//! Adds imports of domains whose operators a model uses and that it does not import.

use std::collections::{BTreeMap, BTreeSet};

use super::context::{Changes, Context};
use crate::file::proto::OperatorSetIdProto;
use crate::file::{FunctionEdit, ModelEdit, Node};
use crate::validity::ir_version_of_opset;
use shape_core::code::Code;
use shape_core::opset::canonical_domain;

/// Imports a domain, where one version of it fits all of its nodes.
///
/// The model computes what it was written for, since every opset that gives a node of the domain another version is
/// refused: it does not have the operator, it came later than the IR version of the model, or the model has a further
/// error with it. Of the opsets that give all nodes the same versions, the first is taken. A domain of which there are
/// only calls of functions of the model is imported as version 1, since the version of a function's domain means nothing.
pub(super) fn add(context: &Context<'_, '_>, changes: &mut Changes) {
    let ir_version = context.model.ir_version().unwrap_or(0);
    if ir_version < 3 {
        return;
    }
    for scope in context.scopes() {
        for (domain, nodes) in unimported(context, scope) {
            let Some(version) = only_version(context, scope, domain, &nodes) else { continue };
            let message = match version {
                Version::OfFunctions => format!("imports {domain}, whose nodes call functions of the model"),
                Version::Opset(opset) => format!("imports opset {opset} of {domain}, which alone fits its nodes"),
            };
            let code = match context.has(Code::OpsetMissing) && scope.is_none() && domain == "ai.onnx" {
                true => Code::OpsetMissing,
                false => Code::DomainNotImported,
            };
            let opset = version.opset();
            let mut fix = context.fix(code, None, message).of(domain).to(format!("{domain} {opset}"));
            fix.graph = context.path_of_scope(scope);
            changes.fixes.push(fix);
            changes.imports(scope).push(import(domain, opset));
        }
    }
}

/// The most combinations of versions that are tried.
const MAX_TRIED: usize = 12;

enum Version {
    /// All nodes of the domain call functions of the model.
    OfFunctions,
    Opset(u32),
}

impl Version {
    fn opset(&self) -> u32 {
        match self {
            Self::OfFunctions => 1,
            Self::Opset(opset) => *opset,
        }
    }
}

fn import(domain: &str, opset: u32) -> OperatorSetIdProto {
    let domain = if domain == "ai.onnx" { "" } else { domain };
    OperatorSetIdProto { domain: domain.to_owned(), version: Some(opset.into()) }
}

/// The domains of nodes that are not imported, with the nodes.
fn unimported<'m>(context: &Context<'_, 'm>, scope: Option<usize>) -> BTreeMap<&'m str, Vec<Node<'m>>> {
    let imports = context.functions.imports(scope);
    let mut domains: BTreeMap<&str, Vec<Node<'_>>> = BTreeMap::new();
    for node in context.nodes_of(scope) {
        let domain = canonical_domain(node.domain());
        if imports.get(domain).is_none() && !imports.is_broken(domain) {
            domains.entry(domain).or_default().push(node);
        }
    }
    domains
}

fn only_version(context: &Context<'_, '_>, scope: Option<usize>, domain: &str, nodes: &[Node<'_>]) -> Option<Version> {
    let is_call = |node: &&Node<'_>| context.functions.called(**node).is_some();
    let operators: BTreeSet<&str> = nodes.iter().filter(|node| !is_call(node)).map(|node| node.op_type()).collect();
    if operators.is_empty() {
        return Some(Version::OfFunctions);
    }
    let registry = &context.options.registry;
    let newest = registry.newest_opset(domain).or_else(|| newest_described(context, domain))?;
    let ir_version = context.model.ir_version().unwrap_or(0);
    // The first opset of each combination of versions.
    let mut combinations: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
    for opset in 1..=newest {
        let too_new =
            ir_version_of_opset(registry, domain, opset.into()).is_some_and(|of| i64::from(of.ir) > ir_version);
        let version = |name: &&str| Some(registry.resolve(domain, name, opset).ok()?.since_version);
        let versions: Option<Vec<u32>> = operators.iter().map(version).collect();
        if let Some(versions) = versions.filter(|_| !too_new) {
            combinations.entry(versions).or_insert(opset);
        }
    }
    // Where so many are possible, several fit; each is tried by a check of the whole model.
    if combinations.len() > MAX_TRIED {
        return None;
    }
    let mut fitting = combinations.into_values().filter(|opset| fits(context, scope, domain, *opset));
    let only = fitting.next()?;
    fitting.next().is_none().then_some(Version::Opset(only))
}

/// The newest version that any operator of a domain has: nothing changes in later opsets.
fn newest_described(context: &Context<'_, '_>, domain: &str) -> Option<u32> {
    let all = context.options.registry.operators().flatten();
    all.filter(|schema| canonical_domain(schema.domain) == domain).map(|schema| schema.since_version).max()
}

/// Whether the model has no further error with an import.
fn fits(context: &Context<'_, '_>, scope: Option<usize>, domain: &str, opset: u32) -> bool {
    let mut edit = ModelEdit::default();
    match scope {
        None => edit.opset_import.push(import(domain, opset)),
        Some(function) => {
            let opset_import = vec![import(domain, opset)];
            edit.functions.insert(function, FunctionEdit { opset_import, ..FunctionEdit::default() });
        }
    }
    context.errors_after(&edit).is_some_and(|errors| errors.is_empty())
}
