//! The walk through a model: graphs, the values in them, and what is declared of those.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::bodies::Fed;
use super::calls::Calls;
use super::declared::{Declared, Reader};
use super::functions::Functions;
use super::imports::Imports;
use super::names::{Keyed, Names};
use super::node::Scratch;
use super::report::{At, finding, giver};
use super::{Analysis, GraphInfo, GraphKind, Known, MOST_ELEMENTS, Options, OptionsError, Origin, Value, bodies, form};
use crate::code::Code;
use crate::data_type::DataType;
use crate::dims::{Dimension as _, Product};
use crate::elements::{Elements, Scalar};
use crate::finding::Finding;
use crate::model::Subgraph;
use crate::model::proto::{
    DimensionValue, FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, TypeValue, ValueInfoProto,
};
use crate::opset::canonical_domain;
use crate::schema::Schema;
use crate::symbolic::{Cause, Dim, Reason, Symbols};
use crate::types::Type;

/// What is carried through the walk.
pub(super) struct Walk<'m, 'o> {
    pub(super) options: &'o Options,
    pub(super) analysis: Analysis<'m>,
    pub(super) imports: Imports,
    pub(super) functions: Functions<'m>,
    pub(super) calls: Calls<'m>,
    /// For each operator without a descriptor: its finding, and the number of its nodes.
    pub(super) undescribed: HashMap<(&'m str, &'m str), (usize, usize)>,
    /// The domains of which it was said, in the graph or function at hand, that they are not imported.
    pub(super) unimported: HashSet<&'m str>,
    /// The names of the graph at hand, and before it those of the graphs around it.
    pub(super) scopes: Vec<Names<'m, u32>>,
    /// The versions that are in force, by domain, operator and opset.
    pub(super) resolved: HashMap<(&'m str, &'m str, u32), &'static Schema, Keyed>,
    pub(super) scratch: Scratch,
    /// How many values were walked again, in all, to see what stays the same from round to round.
    pub(super) again: usize,
    ir_version: i64,
}

/// How far the walk has come, to go back to.
pub(super) struct Mark<'m> {
    values: usize,
    graphs: usize,
    findings: usize,
    undescribed: HashMap<(&'m str, &'m str), (usize, usize)>,
    unimported: HashSet<&'m str>,
}

impl<'m> Mark<'m> {
    pub(super) fn of(walk: &Walk<'m, '_>) -> Self {
        Self {
            values: walk.analysis.values.len(),
            graphs: walk.analysis.graphs.len(),
            findings: walk.analysis.findings.len(),
            undescribed: walk.undescribed.clone(),
            unimported: walk.unimported.clone(),
        }
    }

    /// How many values there were.
    pub(super) fn values(&self) -> usize {
        self.values
    }

    /// Forgets what came since, and gives what was found.
    pub(super) fn restore(self, walk: &mut Walk<'m, '_>) -> Vec<Finding> {
        walk.analysis.values.truncate(self.values);
        walk.analysis.graphs.truncate(self.graphs);
        walk.undescribed = self.undescribed;
        walk.unimported = self.unimported;
        walk.analysis.findings.split_off(self.findings)
    }
}

/// The most elements of an initializer that is not of integers of 32 bits or more.
const MOST_WEIGHTS: usize = 16;

/// What the model declares of the values of one graph, by name.
pub(super) type Declarations<'m> = Names<'m, &'m ValueInfoProto>;

pub(super) fn model<'m>(model: &'m ModelProto, options: &Options) -> Result<Analysis<'m>, OptionsError> {
    let mut findings = Vec::new();
    let mut symbols = Symbols::default();
    for (name, size) in &options.symbols {
        symbols.give(name, *size);
    }
    for (name, dims) in &options.inputs {
        let inputs = model.graph.iter().flat_map(|graph| &graph.input);
        let input = inputs.clone().find(|input| input.name == *name).ok_or_else(|| OptionsError::NoSuchInput {
            name: name.clone(),
            known: inputs.map(|input| input.name.clone()).collect(),
        })?;
        bind_symbols(input, dims, &mut symbols, &mut findings);
    }
    let ir_version = model.ir_version.unwrap_or(0);
    if ir_version < 1 {
        let newest = options.registry.releases().last().map_or(0, |release| release.ir);
        let found = finding(Code::FieldMissing, "", "the model has no IR version");
        let found = found.expected(format!("a number from 1 to {newest}")).found(ir_version);
        findings.push(found.help("set ir_version to the version that belongs to its opsets"));
    }
    let imports = Imports::read(&model.opset_import, ir_version);
    Imports::check(&model.opset_import, ir_version, "", &options.registry, &mut findings);
    let mut walk = Walk {
        options,
        analysis: Analysis { graphs: Vec::new(), values: Vec::new(), findings, symbols },
        imports,
        functions: Functions::of(model),
        calls: Calls::default(),
        undescribed: HashMap::new(),
        unimported: HashSet::new(),
        scopes: Vec::new(),
        resolved: HashMap::default(),
        scratch: Scratch::default(),
        again: 0,
        ir_version,
    };
    match &model.graph {
        Some(graph) => walk.graph(graph, "graph".to_owned(), GraphKind::Main, &[]),
        None => {
            let found = finding(Code::FieldMissing, "", "the model has no graph").expected("a graph").found("nothing");
            walk.analysis.findings.push(found.help("fetch or export the model again"));
        }
    }
    for function in &model.functions {
        walk.function(function);
    }
    walk.count_undescribed();
    let Walk { mut analysis, functions, .. } = walk;
    let of_bodies = bodies::check(&analysis, model, &functions, options);
    analysis.findings.extend(of_bodies);
    if let Some(name) = analysis.symbols.never_asked().next() {
        let known = analysis.symbols.names().map(str::to_owned).collect();
        return Err(OptionsError::NoSuchSymbol { name: name.to_owned(), known });
    }
    Ok(analysis)
}

/// Gives the symbols in an input's declaration the numbers that stand at their places.
fn bind_symbols(input: &ValueInfoProto, dims: &[u64], symbols: &mut Symbols, findings: &mut Vec<Finding>) {
    let Some(TypeValue::TensorType(tensor)) = input.r#type.as_ref().and_then(|ty: &TypeProto| ty.value.as_ref()) else {
        return;
    };
    let declared = tensor.shape.iter().flat_map(|shape| &shape.dim);
    for (dim, size) in declared.zip(dims) {
        let Some(DimensionValue::DimParam(name)) = &dim.value else { continue };
        match symbols.given(name) {
            Some(given) if given != *size => findings.push(
                finding(Code::InputDims, "graph", format!("the given dimensions set `{name}` to two different sizes"))
                    .expected(format!("{given}, which `{name}` was given before"))
                    .found(format!("{size}, at `{}`", input.name))
                    .help("give the same size to the symbol everywhere"),
            ),
            Some(_) => {}
            None => symbols.give(name, *size),
        }
    }
}

impl<'m> Walk<'m, '_> {
    pub(super) fn path(&self, graph: usize) -> &str {
        self.analysis.graphs.get(graph).map_or("", |info| &info.path)
    }

    pub(super) fn next_value(&self) -> u32 {
        // More values than u32 counts would need a file of more bytes than that, each at least two of them.
        u32::try_from(self.analysis.values.len()).unwrap_or(u32::MAX)
    }

    /// A graph, and what its inputs get from the node that it is in.
    pub(super) fn graph(&mut self, graph: &'m GraphProto, path: String, kind: GraphKind, fed: &[Fed]) {
        let id = self.analysis.graphs.len();
        self.analysis.graphs.push(GraphInfo { path, kind, proto: Some(graph), outputs: Vec::new() });
        let count = graph.input.len() + graph.initializer.len() + graph.node.len();
        self.analysis.values.reserve(count);
        self.scopes.push(Names::with_capacity_and_hasher(count, Keyed::default()));
        for (index, input) in graph.input.iter().enumerate() {
            self.input(input, id, kind, fed.get(index));
        }
        for initializer in &graph.initializer {
            self.initializer(&initializer.name, initializer, &initializer.dims, false, id);
        }
        for initializer in &graph.sparse_initializer {
            if let Some(values) = &initializer.values {
                self.initializer(&values.name, values, &initializer.dims, true, id);
            }
        }
        let count = graph.value_info.len() + graph.output.len();
        let mut declarations: Declarations<'m> = Names::with_capacity_and_hasher(count, Keyed::default());
        declarations.extend(graph.value_info.iter().chain(&graph.output).map(|info| (&*info.name, info)));
        self.nodes(&graph.node, id, &declarations);
        for output in &graph.output {
            self.output(&output.name, id);
        }
        self.check_declared(graph, id);
        let own = |output: &ValueInfoProto| self.scopes.last().and_then(|scope| scope.get(&*output.name)).copied();
        let outputs = graph.output.iter().map(own).collect();
        if let Some(info) = self.analysis.graphs.get_mut(id) {
            info.outputs = outputs;
        }
        self.scopes.pop();
    }

    /// An output of a graph, which is a value of that graph itself.
    fn output(&mut self, name: &str, graph: usize) {
        if self.scopes.last().is_some_and(|scope| scope.contains_key(name)) {
            return;
        }
        let path = self.path(graph);
        let (code, message, found, help) = if name.is_empty() {
            let message = "a graph output has no name".to_owned();
            (Code::FieldMissing, message, "an empty name", "give it the name of a value")
        } else if self.lookup(name).is_some() {
            let message = format!("the graph output `{name}` is a value of an outer graph");
            (
                Code::OutputUndefined,
                message,
                name,
                "add an Identity node to this graph, and make its output the graph output",
            )
        } else {
            let message = format!("nothing computes the graph output `{name}`");
            (Code::OutputUndefined, message, name, "add the node that computes it, or remove it from the outputs")
        };
        let found = finding(code, path, message).expected("a value of this graph").found(found).help(help);
        self.analysis.findings.push(found);
    }

    /// Declarations of inputs and initializers that stand a second time, among the outputs or in `value_info`.
    fn check_declared(&mut self, graph: &'m GraphProto, id: usize) {
        for info in graph.value_info.iter().chain(&graph.output) {
            let Some(value) = self.scopes.last().and_then(|scope| scope.get(&*info.name)).copied() else { continue };
            let Some(known) = self.analysis.values.get(value as usize) else { continue };
            if matches!(known.origin, Origin::Node { .. }) {
                continue;
            }
            let inferred = Declared { ty: known.ty.clone(), dims: known.dims.clone() };
            let merged = self.merge(&info.name, inferred, info, value, id, None);
            if let Some(known) = self.analysis.values.get_mut(value as usize) {
                (known.ty, known.dims) = (merged.ty, merged.dims);
            }
        }
    }

    fn function(&mut self, function: &'m FunctionProto) {
        let id = self.analysis.graphs.len();
        let path = format!("function {}::{}", canonical_domain(&function.domain), function.name);
        let imports = Imports::read(&function.opset_import, self.ir_version);
        let findings = &mut self.analysis.findings;
        Imports::check(&function.opset_import, self.ir_version, &path, &self.options.registry, findings);
        let outer = std::mem::replace(&mut self.imports, imports);
        let unimported = std::mem::take(&mut self.unimported);
        self.scopes.push(Names::default());
        self.function_body(function, path, Vec::new());
        for name in &function.output {
            if self.lookup(name).is_none() {
                let message = format!("nothing computes the function output `{name}`");
                let found = finding(Code::OutputUndefined, self.path(id), message);
                let found = found.expected("an input of the function, or an output of one of its nodes").found(name);
                self.analysis.findings.push(found.help("add the node that computes it, or remove it from the outputs"));
            }
        }
        self.scopes.pop();
        self.unimported = unimported;
        self.imports = outer;
    }

    /// What stands in a function, in a scope of its own that is open; of inputs that are not given nothing is known.
    pub(super) fn function_body(&mut self, function: &'m FunctionProto, path: String, given: Vec<Option<Value<'m>>>) {
        let id = self.analysis.graphs.len();
        self.analysis.graphs.push(GraphInfo { path, kind: GraphKind::Function, proto: None, outputs: Vec::new() });
        let mut given = given.into_iter();
        for name in &function.input {
            let value = self.next_value();
            let (declared, elements) = match given.next().flatten() {
                Some(Value { ty, dims, elements, .. }) => (Declared { ty, dims }, elements),
                None => {
                    let elements = Err(Reason { cause: Cause::GivenAtRun, value });
                    (Declared::nothing(Cause::NotDeclared, value), elements)
                }
            };
            self.define(name, id, Origin::Input, declared, elements);
        }
        let declarations = function.value_info.iter().map(|info| (&*info.name, info)).collect();
        self.nodes(&function.node, id, &declarations);
    }

    pub(super) fn nodes(&mut self, nodes: &'m [NodeProto], graph: usize, declarations: &Declarations<'m>) {
        // Made when the first undefined name is met: it tells "too early" from "never".
        let mut later: Option<Names<'m, usize>> = None;
        let mut inputs: Vec<Option<u32>> = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let at = At { graph, index, node };
            inputs.clear();
            inputs.extend(node.input.iter().map(|name| if name.is_empty() { None } else { self.lookup(name) }));
            for (name, _) in node.input.iter().zip(&inputs).filter(|(name, id)| id.is_none() && !name.is_empty()) {
                let later = later.get_or_insert_with(|| {
                    let outputs =
                        |(index, node): (usize, &'m NodeProto)| node.output.iter().map(move |name| (&**name, index));
                    nodes.iter().enumerate().flat_map(outputs).collect()
                });
                let (message, help) = match later.get(&**name) {
                    Some(giver) => (
                        format!("`{name}` is read before node {giver} computes it"),
                        "sort the nodes so that each one comes after the nodes that it reads; a cycle cannot be sorted",
                    ),
                    None => {
                        (format!("nothing computes `{name}`"), "correct the name, or add the node that computes it")
                    }
                };
                let found = finding(Code::ValueUndefined, self.path(graph), message).at(at);
                let found = found.expected("an input, an initializer, or an output of an earlier node").found(name);
                self.analysis.findings.push(found.help(help));
            }
            self.node(at, &inputs, declarations);
        }
    }

    /// The graphs inside of a node, each walked with the names around it.
    pub(super) fn subgraphs(&mut self, at: At<'m>) {
        if at.node.attribute.iter().all(|attribute| attribute.g.is_none() && attribute.graphs.is_empty()) {
            return;
        }
        let signature = self.signature(at);
        for (attribute, proto) in at.node.attribute.iter().enumerate() {
            let inner = proto.g.as_deref().into_iter().chain(&proto.graphs);
            for (index, graph) in inner.enumerate() {
                let path = format!("{}/{}:{}.{}", self.path(at.graph), at.index, at.node.op_type, proto.name);
                let path = if index == 0 { path } else { format!("{path}[{index}]") };
                // `graphs` counts by itself; a `g` beside it would be another kind of attribute.
                let index = if proto.g.is_some() { index.saturating_sub(1) } else { index };
                let place = Subgraph { node: at.index, attribute, index };
                self.body(at, (graph, path, place), signature.as_ref());
            }
        }
    }

    fn input(&mut self, input: &'m ValueInfoProto, graph: usize, kind: GraphKind, fed: Option<&Fed>) {
        if input.name.is_empty() {
            let found = finding(Code::FieldMissing, self.path(graph), "a graph input has no name");
            let found = found.expected("a name").found("an empty one");
            self.analysis.findings.push(found.help("give it the name that its readers use, or remove it"));
            return;
        }
        let value = self.next_value();
        let mut declared = match fed {
            None => self.read(&input.name, input.r#type.as_ref(), value, graph),
            Some(fed) => {
                let dims = dims_at(fed.dims.clone(), value);
                let ty = Err(Reason { cause: Cause::NotDeclared, value });
                let mut merged = self.merge(&input.name, Declared { ty, dims }, input, value, graph, None);
                // What contradicts is told where the graph is held against its node.
                merged.ty = merged.ty.or_else(|reason| fed.ty.ok_or(reason));
                merged
            }
        };
        let given =
            self.options.inputs.iter().filter(|_| kind == GraphKind::Main).find(|(name, _)| *name == input.name);
        if let Some((name, sizes)) = given {
            let sizes: Box<[Dim]> = sizes.iter().copied().map(Dim::Known).collect();
            if let Ok(dims) = &declared.dims
                && !agree(dims, &sizes)
            {
                let found =
                    finding(Code::InputDims, self.path(graph), format!("`{name}` cannot have the given dimensions"))
                        .expected(self.show(dims))
                        .found(self.show(&sizes))
                        .help("use dimensions that match the declaration");
                self.analysis.findings.push(found);
            }
            declared.dims = Ok(sizes);
        }
        let elements = fed.and_then(|fed| fed.elements.clone()).ok_or(Reason { cause: Cause::GivenAtRun, value });
        self.define(&input.name, graph, Origin::Input, declared, elements);
    }

    /// An initializer, dense or sparse: stored sparsely, it is still a dense value to the nodes that read it.
    fn initializer(&mut self, name: &'m str, tensor: &'m TensorProto, dims: &[i64], sparse: bool, graph: usize) {
        if name.is_empty() {
            let found = finding(Code::FieldMissing, self.path(graph), "an initializer has no name");
            let found = found.expected("a name").found("an empty one");
            self.analysis.findings.push(found.help("give it the name that its readers use, or remove it"));
            return;
        }
        let value = self.next_value();
        let path = self.path(graph).to_owned();
        let mut reader =
            Reader { symbols: &mut self.analysis.symbols, findings: &mut self.analysis.findings, graph: &path };
        let ty = reader.element(name, tensor.data_type, value).map(Type::tensor);
        let dims: Box<[Dim]> =
            dims.iter().enumerate().map(|(axis, size)| reader.size(name, axis, *size, value)).collect();
        let elements = self.elements(name, tensor, sparse, value, graph);
        let input = self.scopes.last().and_then(|scope| scope.get(name)).copied();
        let Some(input) = input.and_then(|value| self.analysis.values.get_mut(value as usize)) else {
            self.define(name, graph, Origin::Initializer, Declared { ty, dims: Ok(dims) }, elements);
            return;
        };
        if input.origin != Origin::Input {
            let message = format!("two initializers have the name `{name}`");
            let found = finding(Code::ValueRedefined, &path, message).expected("a unique name").found(name);
            self.analysis.findings.push(found.help("remove one of the two, or give it another name"));
            return;
        }
        if let (Ok(declared), Ok(ty)) = (&input.ty, &ty)
            && declared != ty
        {
            let message = format!("`{name}` is declared as {declared}, but its initializer is {ty}");
            let found = finding(Code::OutputType, &path, message).expected(ty).found(declared);
            self.analysis.findings.push(found.help("correct the declaration, or the initializer"));
        }
        if let Ok(declared) = &input.dims
            && !agree(declared, &dims)
        {
            let message = format!("the declared dimensions of `{name}` contradict its initializer");
            let symbols = &self.analysis.symbols;
            let (expected, found) = (show(&dims, symbols), show(declared, symbols));
            let found = finding(Code::OutputDims, &path, message).expected(expected).found(found);
            self.analysis.findings.push(found.help("correct the declaration, or the initializer"));
        } else if self.ir_version < 4 {
            input.dims = Ok(dims);
        }
        // From IR 4 on it is a default that the caller may replace by anything that fits the declaration.
        if self.ir_version < 4 {
            input.ty = input.ty.clone().or(ty);
            input.elements = elements;
        } else if let Err(reason) = &mut input.elements {
            reason.cause = Cause::Replaceable;
        }
    }

    /// The elements of an initializer, where they are followed.
    fn elements(
        &mut self,
        name: &str,
        tensor: &TensorProto,
        sparse: bool,
        value: u32,
        graph: usize,
    ) -> Known<Box<[Scalar<Dim>]>> {
        let unknown = |cause| Err(Reason { cause, value });
        let ty = tensor.element_type().ok().filter(|ty| !sparse && Elements::<'_, Dim>::width(*ty).is_some());
        let Some(ty) = ty else { return unknown(Cause::ElementsNotFollowed) };
        let dims: Option<Vec<u64>> = tensor.dims.iter().map(|size| u64::try_from(*size).ok()).collect();
        let Some(dims) = dims else { return unknown(Cause::BadDeclaration) };
        // Sizes are integers; of other numbers there may be scales, and the rest are weights.
        let integers = matches!(ty, DataType::Int64 | DataType::Int32);
        let most = if integers { MOST_ELEMENTS } else { MOST_WEIGHTS };
        if dims.iter().collect::<Product<u64>>().finish().is_none_or(|count| count > most as u64) {
            return unknown(Cause::TooManyElements);
        }
        match self.options.external.elements(tensor) {
            Ok(bytes) => Ok(Elements::Bytes(ty, &bytes).iter().collect()),
            // A model may be looked at without its weights.
            Err(_) if !integers => unknown(Cause::BadElements),
            Err(error) => {
                let message = format!("the elements of the initializer `{name}` cannot be read");
                let (expected, help) = form::advice(&error);
                let found = finding(error.code(), self.path(graph), message).expected(expected);
                self.analysis.findings.push(found.found(error).help(help));
                unknown(Cause::BadElements)
            }
        }
    }

    pub(super) fn read(&mut self, name: &str, ty: Option<&TypeProto>, value: u32, graph: usize) -> Declared {
        let path = self.analysis.graphs.get(graph).map(|info| info.path.as_str()).unwrap_or_default();
        Reader { symbols: &mut self.analysis.symbols, findings: &mut self.analysis.findings, graph: path }
            .read(name, ty, value)
    }

    /// The value behind a name, in this graph or one around it.
    pub(super) fn lookup(&self, name: &str) -> Option<u32> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    /// The same, and what is known of it.
    pub(super) fn value_of(&self, name: &str) -> Option<&Value<'m>> {
        self.analysis.values.get(self.lookup(name)? as usize)
    }

    /// Gives a name to a value of the graph at hand. The first definition of a name in a graph holds.
    pub(super) fn define(
        &mut self,
        name: &'m str,
        graph: usize,
        origin: Origin<'m>,
        Declared { ty, dims }: Declared,
        elements: Known<Box<[Scalar<Dim>]>>,
    ) {
        let id = self.next_value();
        let Some((scope, outer)) = self.scopes.split_last_mut() else { return };
        let entry = scope.entry(name);
        let own = matches!(entry, Entry::Occupied(_));
        let node = matches!(origin, Origin::Node { .. });
        let taken = own || (node && outer.iter().any(|scope| scope.contains_key(name)));
        entry.or_insert(id);
        if taken {
            let place = if own { "" } else { " in an outer graph" };
            let message = format!("`{name}` is already defined{place}");
            let mut found = finding(Code::ValueRedefined, self.path(graph), message);
            found = found.expected("a unique name").found(name);
            found.node = giver(origin);
            self.analysis.findings.push(found.help("rename one of the two"));
        }
        if !own {
            self.analysis.values.push(Value { name, graph, origin, ty, dims, elements });
        }
    }

    /// What a node gives and what the model declares of it: a contradiction is a finding, the rest adds up.
    pub(super) fn merge(
        &mut self,
        name: &str,
        inferred: Declared,
        declaration: &'m ValueInfoProto,
        value: u32,
        graph: usize,
        at: Option<At<'m>>,
    ) -> Declared {
        let declared = self.read(name, declaration.r#type.as_ref(), value, graph);
        let contradiction = |walk: &mut Self, code, what: &str, expected: String, found: String| {
            let s = if what == "type" { "" } else { "s" };
            let message = format!("the declared {what} of `{name}` contradict{s} the inferred {what}");
            let finding = finding(code, walk.path(graph), message).expected(expected).found(found);
            let finding =
                finding.help("correct or remove the declaration: `expected` is inferred, `found` is declared");
            walk.analysis.findings.push(match at {
                Some(at) => finding.at(at),
                None => finding,
            });
        };
        let ty = match (inferred.ty, declared.ty) {
            (Ok(inferred), Ok(declared)) if inferred != declared => {
                contradiction(self, Code::OutputType, "type", format!("{inferred}"), format!("{declared}"));
                Ok(inferred)
            }
            (Ok(ty), _) | (Err(_), Ok(ty)) => Ok(ty),
            (Err(reason), Err(_)) => Err(reason),
        };
        let dims = match (inferred.dims, declared.dims) {
            (Ok(inferred), Ok(declared)) if !agree(&inferred, &declared) => {
                let (expected, found) = (self.show(&inferred), self.show(&declared));
                contradiction(self, Code::OutputDims, "dimensions", expected, found);
                Ok(inferred)
            }
            (Ok(inferred), Ok(declared)) => {
                Ok(inferred.into_iter().zip(declared).map(|(inferred, declared)| inferred.refine(declared)).collect())
            }
            (Ok(dims), Err(_)) => Ok(dims),
            // What a declaration leaves open is unknown for the reason that inference has.
            (Err(reason), Ok(declared)) => Ok(declared
                .into_iter()
                .map(|dim| match dim {
                    Dim::Unknown(Reason { cause: Cause::NotDeclared, .. }) => Dim::Unknown(reason.clone()),
                    dim => dim,
                })
                .collect()),
            // What is declared as no tensor has no dimensions to know.
            (Err(_), Err(declared)) if declared.cause == Cause::NotATensor => Err(declared),
            (Err(reason), Err(_)) => Err(reason),
        };
        Declared { ty, dims }
    }

    fn show(&self, dims: &[Dim]) -> String {
        show(dims, &self.analysis.symbols)
    }
}

/// Dimensions with the reasons of what is unknown settled: it happened at a value.
pub(super) fn dims_at(dims: Known<Box<[Dim]>>, value: u32) -> Known<Box<[Dim]>> {
    match dims {
        Ok(dims) => Ok(dims.into_iter().map(|dim| dim.at(value)).collect()),
        Err(reason) => Err(reason.at(value)),
    }
}

/// Whether dimensions can be the same: as many, and none that differ as numbers.
fn agree(left: &[Dim], right: &[Dim]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.may_equal(right))
}

/// Dimensions as text: `[batch, 3, ?]`. Past a number that no real tensor has, only how many there are, so that a
/// message stays one.
pub(super) fn show(dims: &[Dim], symbols: &Symbols) -> String {
    list(dims, "dimensions", |dim| dim.display(symbols).to_string())
}

/// Elements as text, in the same way.
pub(super) fn show_elements(elements: &[Scalar<Dim>], symbols: &Symbols) -> String {
    list(elements, "elements", |element| element.display(symbols).to_string())
}

fn list<T>(items: &[T], what: &str, text: impl Fn(&T) -> String) -> String {
    const MOST: usize = 32;
    if items.len() > MOST {
        return format!("{} {what}", items.len());
    }
    format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(", "))
}
