//! Domains that are imported more than once.

use std::collections::BTreeMap;

use super::context::{Changes, Context};
use crate::file::proto::OperatorSetIdProto;
use crate::text::first_few;
use shape_core::code::Code;
use shape_core::opset::canonical_domain;

/// Keeps only the highest import of a domain, where every reader of the model runs the same operators.
///
/// The model computes the same, since the highest import counts by the format; and runtimes for which the last one
/// counts run the same operators, because it is the highest too, or because each node of the domain has the same version
/// by both.
pub(super) fn same(context: &Context<'_, '_>, changes: &mut Changes) {
    once(context, changes, true);
}

/// Keeps only the highest import of a domain, where a runtime that uses the last import runs other operators: for it
/// the model changes, so a person must look at the fix. By the format the model computes the same.
pub(super) fn other(context: &Context<'_, '_>, changes: &mut Changes) {
    once(context, changes, false);
}

fn once(context: &Context<'_, '_>, changes: &mut Changes, same: bool) {
    for scope in context.scopes() {
        for (domain, imports) in several(imports(context, scope)) {
            let versions: Vec<i64> = imports.iter().filter_map(|import| import.version).collect();
            let (Some(highest), Some(last)) = (versions.iter().max().copied(), versions.last().copied()) else {
                continue;
            };
            if same != (highest == last || is_same(context, scope, domain, [highest, last])) {
                continue;
            }
            let mut message = format!("keeps opset {highest} of {domain} alone");
            if !same {
                message += &format!("; onnxruntime took opset {last}, in which some nodes are of other versions");
            }
            let text = |version: &i64| format!("{domain} {version}");
            let mut fix = context.fix(Code::OpsetDuplicate, None, message).of(domain);
            fix.graph = context.path_of_scope(scope);
            changes.fixes.push(fix.from(first_few(versions.iter().map(text))).to(text(&highest)));
            let domain = imports.first().map(|import| import.domain.clone()).unwrap_or_default();
            changes.imports(scope).push(OperatorSetIdProto { domain, version: Some(highest) });
        }
    }
}

fn imports<'m>(context: &Context<'_, 'm>, scope: Option<usize>) -> &'m [OperatorSetIdProto] {
    match scope {
        None => context.model.opset_import(),
        Some(function) => context.model.functions().get(function).map_or(&[], |function| function.opset_import()),
    }
}

/// The domains with more than one import, with their imports in order.
fn several(imports: &[OperatorSetIdProto]) -> impl Iterator<Item = (&str, Vec<&OperatorSetIdProto>)> {
    let mut domains: BTreeMap<&str, Vec<&OperatorSetIdProto>> = BTreeMap::new();
    for import in imports {
        domains.entry(canonical_domain(&import.domain)).or_default().push(import);
    }
    domains.into_iter().filter(|(_, imports)| imports.len() > 1)
}

/// Whether each node of a domain has the same version in two opsets. A call of a function has no version.
fn is_same(context: &Context<'_, '_>, scope: Option<usize>, domain: &str, opsets: [i64; 2]) -> bool {
    let mut nodes = context.nodes_of(scope).filter(|node| canonical_domain(node.domain()) == domain);
    nodes.all(|node| {
        let version = |opset: i64| {
            let opset = u32::try_from(opset).ok()?;
            context.options.registry.resolve(domain, node.op_type(), opset).ok().map(|schema| schema.since_version)
        };
        let [left, right] = opsets.map(version);
        context.functions.called(node).is_some() || (left.is_some() && left == right)
    })
}
