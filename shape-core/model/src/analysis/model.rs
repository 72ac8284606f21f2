//! Analyses a whole model: reads its imports, then goes through its graphs and functions.

use std::collections::{HashMap, HashSet};

use super::analyzer::{Analyzer, Calls, Scratch, Undescribed, Unimported};
use super::assumptions::Assumptions;
use super::bindings::Bindings;
use super::memory::Memory;
use super::repeats::Repeats;
use super::result::Analysis;
use super::shared::SharedFacts;
use super::subgraphs::check;
use super::{assumed, claim};
use crate::file::proto::{TypeProto, TypeValue, ValueInfoProto};
use crate::file::{Graph, Model};
use crate::finding::{Finding, Findings};
use crate::functions::Functions;
use crate::graph::GraphKind;
use crate::imports::Imports;
use crate::options::{Options, OptionsError};
use shape_core::code::Code;
use shape_core::symbolic::Symbols;

/// Analyses a model: checks every node, and infers every value.
///
/// # Errors
/// The options name an input or a symbol that the model does not have. Errors in the model itself are findings.
///
/// ```
/// use shape_model::{ModelFile, Options, analyse};
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let model = ModelFile::open(path)?;
/// let analysis = analyse(model.model(), &Options::of(&model))?;
/// let dims = analysis.values.iter().find(|value| value.name == "x").unwrap().dims.clone().unwrap();
/// assert_eq!(dims[0].display(&analysis.symbols).to_string(), "batch");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyse<'m>(model: &'m Model, options: &Options) -> Result<Analysis<'m>, OptionsError> {
    let (mut analysis, claimed) = walked(model, options)?;
    if let Some(name) = analysis.symbols.never_asked().next() {
        let known = analysis.symbols.names().map(str::to_owned).collect();
        return Err(OptionsError::NoSuchSymbol { name: name.to_owned(), known });
    }
    if !claimed.is_empty() {
        let (without, _) = walked(model, &Options { declared: false, ..options.clone() })?;
        assumed::mark(&mut analysis, &without, &claimed);
    }
    Ok(analysis)
}

/// Walks a model; returns also the values of which a declaration was used.
fn walked<'m>(model: &'m Model, options: &Options) -> Result<(Analysis<'m>, Vec<u32>), OptionsError> {
    let mut findings = Findings::default();
    let mut symbols = Symbols::default();
    for (name, size) in &options.symbols {
        symbols.give(name, *size);
    }
    for (name, dims) in &options.inputs {
        let inputs = model.graph().into_iter().flat_map(Graph::inputs);
        let input = inputs.clone().find(|input| input.name == *name).ok_or_else(|| OptionsError::NoSuchInput {
            name: name.clone(),
            known: inputs.map(|input| input.name.clone()).collect(),
        })?;
        bind_symbols(input, dims, &mut symbols, &mut findings);
    }
    let ir_version = model.ir_version().unwrap_or(0);
    if ir_version < 1 {
        let newest = options.registry.releases().last().map_or(0, |release| release.ir);
        let found = Finding::new(Code::FieldMissing, "", "the model has no IR version");
        let found = found.expected(format!("a number from 1 to {newest}")).found(ir_version);
        findings.push(found.help("set ir_version to the version that belongs to its opsets"));
    }
    let functions = Functions::of(model);
    let imports = functions.imports(None).clone();
    Imports::check(model.opset_import(), ir_version, "", &options.registry, &mut findings);
    let mut analyzer = Analyzer {
        options,
        analysis: Analysis {
            graphs: Vec::new(),
            values: Vec::new(),
            findings,
            symbols,
            origins: Vec::new(),
            assumptions: Vec::new(),
            given: HashSet::new(),
        },
        imports,
        functions,
        calls: Calls::default(),
        undescribed: Undescribed::default(),
        unimported: Unimported::default(),
        model,
        assumptions: Assumptions::default(),
        bindings: Bindings::of(model),
        operations: vec![None; model.operator_count()],
        imports_in_order: None,
        scratch: Scratch::default(),
        walked: vec![usize::MAX; model.graph_count()],
        memory: Memory::new(options.memory),
        shared: SharedFacts::default(),
        repeats: Repeats::default(),
        declarations_read: HashMap::default(),
        constants: HashMap::default(),
        repeated_values: 0,
        ir_version,
        claims: Vec::new(),
        names_of_sizes: HashMap::new(),
        claimed: Vec::new(),
    };
    match model.graph() {
        Some(graph) => analyzer.graph(graph, "graph".to_owned(), GraphKind::Main, &[]),
        None => {
            let found =
                Finding::new(Code::FieldMissing, "", "the model has no graph").expected("a graph").found("nothing");
            analyzer.analysis.findings.push(found.help("fetch or export the model again"));
        }
    }
    // They are of the main graph.
    analyzer.assumptions = Assumptions::default();
    for (index, function) in model.functions().iter().enumerate() {
        analyzer.function(index, function);
    }
    analyzer.count_undescribed();
    let Analyzer { mut analysis, functions, claims, claimed, .. } = analyzer;
    analysis.name_fresh();
    let of_claims = claim::findings(&claims, &analysis);
    analysis.findings.append(of_claims, |_| true);
    let of_subgraphs = check::check(&analysis, model, &functions, options);
    analysis.findings.append(of_subgraphs, |_| true);
    Ok((analysis, claimed))
}

/// Binds the symbols in an input's declaration to the sizes that the options set for the input.
fn bind_symbols(input: &ValueInfoProto, dims: &[u64], symbols: &mut Symbols, findings: &mut Findings) {
    let Some(TypeValue::TensorType(tensor)) = input.r#type.as_ref().and_then(|ty: &TypeProto| ty.value.as_ref()) else {
        return;
    };
    let declared = tensor.shape.iter().flat_map(|shape| &shape.dim);
    for (dim, size) in declared.zip(dims) {
        let Some(name) = dim.symbol() else { continue };
        match symbols.given(name) {
            Some(given) if given != *size => {
                findings.push(
                    Finding::new(
                        Code::InputDims,
                        "graph",
                        format!("the given dimensions set `{name}` to two different sizes"),
                    )
                    .expected(format!("{given}, which `{name}` was given before"))
                    .found(format!("{size}, at `{}`", input.name))
                    .help("give the same size to the symbol everywhere"),
                );
            }
            Some(_) => {}
            None => symbols.give(name, *size),
        }
    }
}
