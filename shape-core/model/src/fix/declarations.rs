//! Fixes declared types that contradict the model.

use super::context::{Changes, Context};
use super::result::Fix;
use crate::analysis::{Analysis, Verdict};
use crate::annotate::{refined, tensor_in};
use crate::declaration::{Declared, Reader};
use crate::file::proto::{DimensionValue, TypeProto, ValueInfoProto};
use crate::finding::Findings;
use crate::graph::GraphAt;
use crate::text::{dims_text, first_few};
use crate::validity::{Mentioned, listed};
use crate::value::Value;
use shape_core::code::Code;
use shape_core::symbolic::Symbols;

/// Removes entries of `value_info` whose names occur nowhere else.
///
/// The model computes the same, since they are of no value.
pub(super) fn unused(context: &Context<'_, '_>, changes: &mut Changes) {
    let mentioned = Mentioned::of(context.model);
    for graph in context.graphs {
        let Some(list) = context.value_info(*graph) else { continue };
        let unused = mentioned.unused_declarations(list.names());
        let Some((_, name)) = unused.first() else { continue };
        let what = if unused.len() == 1 { "an entry" } else { &*format!("{} entries", unused.len()) };
        let message = format!("removes {what} of `value_info` for values that the model does not have");
        let fix = context.fix(Code::ValueInfoUnused, Some(*graph), message).of(context.model.text(*name));
        let Some(edit) = changes.graph(context, graph.id) else { continue };
        edit.forgotten.extend(unused.iter().map(|(index, _)| *index));
        changes.fixes.push(fix.from(listed(context.model, &unused)));
    }
}

/// Corrects entries of `value_info` that are not what the nodes always compute; removes those of which too little is known.
/// Inputs and outputs of graphs stay as they are declared.
///
/// The model computes the same, since a value is what its node gives, whatever is declared of it.
pub(super) fn contradicting(context: &Context<'_, '_>, changes: &mut Changes) {
    let mut symbols = context.analysis.symbols.clone();
    let scopes = context.analysis.scopes();
    for graph in context.graphs {
        for (index, info) in context.value_info(*graph).into_iter().flatten().enumerate() {
            let value = scopes.value(graph.id, &info.name).filter(|value| value.graph == graph.id);
            let Some(wrong) = value.and_then(|value| contradiction(context.analysis, value, info, &mut symbols)) else {
                continue;
            };
            let value_is = if wrong.new.is_some() { "sets" } else { "removes" };
            let message = format!("{value_is} the type of `{}` in `value_info`, which its node contradicts", info.name);
            let fix = context.fix(wrong.code, Some(*graph), message).of(&info.name).from(wrong.declared);
            let Some(edit) = changes.graph(context, graph.id) else { continue };
            match wrong.new {
                Some((new, text)) => {
                    edit.value_info.push((info.name.clone(), new));
                    changes.fixes.push(fix.to(text));
                }
                None => {
                    edit.forgotten.insert(index);
                    changes.fixes.push(fix);
                }
            }
        }
    }
}

/// Corrects declared types of graph outputs that are not what the nodes always compute.
///
/// The model computes the same, but a reader that trusts the declaration prepares for another output than before.
pub(super) fn outputs(context: &Context<'_, '_>, changes: &mut Changes) {
    let mut symbols = context.analysis.symbols.clone();
    let scopes = context.analysis.scopes();
    for graph in context.graphs {
        let Some(proto) = graph.proto else { continue };
        for info in proto.outputs() {
            let is_input = || proto.inputs().iter().any(|input| input.name == info.name);
            let value = scopes.value(graph.id, &info.name).filter(|value| value.graph == graph.id);
            let Some(wrong) = value.and_then(|value| contradiction(context.analysis, value, info, &mut symbols)) else {
                continue;
            };
            let Some((new, text)) = wrong.new.filter(|_| !is_input()) else { continue };
            let message =
                format!("sets the declared type of the graph output `{}`, which its node contradicts", info.name);
            let fix = context.fix(wrong.code, Some(*graph), message).of(&info.name).from(wrong.declared).to(text);
            let Some(edit) = changes.graph(context, graph.id) else { continue };
            edit.declarations.push((info.name.clone(), new));
            changes.fixes.push(fix);
        }
    }
}

/// A declaration that is not always true.
struct Contradiction {
    code: Code,
    declared: String,
    /// The correct type, with its text; `None` if too little is known.
    new: Option<(TypeProto, String)>,
}

fn contradiction(
    analysis: &Analysis<'_>,
    value: &Value<'_>,
    info: &ValueInfoProto,
    symbols: &mut Symbols,
) -> Option<Contradiction> {
    let old = info.r#type.as_ref()?;
    let declared = read(old, symbols);
    let other_type = matches!((&value.ty, &declared.ty), (Ok(known), Ok(declared)) if known != declared);
    let verdicts = match (&value.dims, &declared.dims) {
        (Ok(known), Ok(declared)) => analysis.verdicts(known, declared, &|symbol| analysis.equal(symbol)),
        _ => Some(Vec::new()),
    };
    let has = |verdict| verdicts.as_ref().is_some_and(|all| all.contains(&verdict));
    let code = if other_type {
        Code::OutputType
    } else if verdicts.is_none() || has(Verdict::Contradicts) {
        Code::OutputDims
    } else if has(Verdict::Fixes) {
        Code::DimsFixed
    } else if has(Verdict::Renames) {
        Code::DimsRenamed
    } else {
        return None;
    };
    let new = refined(value, None, symbols, false).map(|new| {
        let new = TypeProto { denotation: old.denotation.clone(), ..new };
        let text = text(&read(&new, symbols), symbols);
        (new, text)
    });
    Some(Contradiction { code, declared: text(&declared, symbols), new })
}

/// What a type declares; its errors are reported elsewhere.
fn read(ty: &TypeProto, symbols: &mut Symbols) -> Declared {
    let mut findings = Findings::default();
    Reader { symbols, findings: &mut findings, graph: "", named: &|_| () }.read("", Some(ty), 0)
}

/// A declared type as `float[2, 3]`.
fn text(declared: &Declared, symbols: &Symbols) -> String {
    let ty = declared.ty.as_ref().map_or_else(
        |_| "?".to_owned(),
        |ty| match ty.element() {
            Some(element) => element.to_string(),
            None => ty.to_string(),
        },
    );
    let dims = declared.dims.as_ref().map(|dims| dims_text(dims, symbols)).unwrap_or_default();
    ty + &dims
}

/// Leaves dimensions of -1 in `value_info` open.
///
/// The model computes the same, since -1 is read as an unknown size wherever it is not refused.
pub(super) fn minus_one(context: &Context<'_, '_>, changes: &mut Changes) {
    let symbols = &mut context.analysis.symbols.clone();
    for graph in context.graphs {
        for info in context.value_info(*graph).into_iter().flatten() {
            let Some((new, fix)) = opened(context, *graph, info, symbols) else { continue };
            let Some(edit) = changes.graph(context, graph.id) else { continue };
            edit.value_info.push((info.name.clone(), new));
            changes.fixes.push(fix);
        }
    }
}

/// Leaves dimensions of -1 of inputs and outputs of graphs open.
///
/// The model computes the same, since -1 is read as an unknown size wherever it is not refused, but a reader that looks for
/// -1 among the inputs finds none any more.
pub(super) fn minus_one_of_interface(context: &Context<'_, '_>, changes: &mut Changes) {
    let symbols = &mut context.analysis.symbols.clone();
    for graph in context.graphs {
        let Some(proto) = graph.proto else { continue };
        for info in proto.inputs().iter().chain(proto.outputs()) {
            let Some((new, fix)) = opened(context, *graph, info, symbols) else { continue };
            let Some(edit) = changes.graph(context, graph.id) else { continue };
            edit.declarations.push((info.name.clone(), new));
            changes.fixes.push(fix);
        }
    }
}

/// The declared type without dimensions of -1, if it has any.
fn opened(
    context: &Context<'_, '_>,
    graph: GraphAt<'_, '_>,
    info: &ValueInfoProto,
    symbols: &mut Symbols,
) -> Option<(TypeProto, Fix)> {
    let mut new = info.r#type.clone()?;
    let mut axes = Vec::new();
    for (axis, dim) in tensor_in(&mut new)?.1.iter_mut().flat_map(|shape| &mut shape.dim).enumerate() {
        if dim.value == Some(DimensionValue::DimValue(-1)) {
            dim.value = None;
            axes.push(axis.to_string());
        }
    }
    let what = if axes.len() == 1 { "dimension" } else { "dimensions" };
    let message = format!("leaves {what} {} of `{}` open", first_few(axes.iter()), info.name);
    let text = text(&read(&new, symbols), symbols);
    let fix = context.fix(Code::DimsMinusOne, Some(graph), message).of(&info.name).from("-1").to(text);
    (!axes.is_empty()).then_some((new, fix))
}
