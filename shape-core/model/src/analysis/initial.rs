//! The initial values of a graph: its inputs and its initializers.

use std::collections::HashSet;

use super::analyzer::{Analyzer, Declarations};
use super::declared::Before;
use super::repeats::names;
use super::subgraphs::input::SubgraphInput;
use crate::declaration::{Declared, Reader};
use crate::file::proto::{DimensionValue, SparseTensorProto, TensorProto, TypeValue, ValueInfoProto};
use crate::file::{Graph, Name, Undecoded};
use crate::finding::Finding;
use crate::graph::GraphKind;
use crate::names::RandomState;
use crate::text::dims_text;
use crate::value::{Known, MAX_ELEMENTS, Origin, Shared, dims_at, may_be_same};
use shape_core::code::Code;
use shape_core::data_type::DataType;
use shape_core::elements::{Elements, Scalar};
use shape_core::symbolic::{Cause, Dim, Reason};
use shape_core::types::Type;

/// The maximum number of elements that are tracked for an initializer that is not of 32-bit or 64-bit integers.
const MAX_WEIGHTS: usize = 16;

/// The newest IR version in which an initializer is a constant although the graph has an input of its name.
pub(super) const LAST_CONSTANT_IR: i64 = 3;

/// Whether an input is declared as a list that may have one element. For any list, runtimes pass one with one element.
fn is_list_of_one(input: &ValueInfoProto) -> bool {
    let Some(TypeValue::TensorType(tensor)) = input.r#type.as_ref().and_then(|ty| ty.value.as_ref()) else {
        return false;
    };
    let Some([dim]) = tensor.shape.as_ref().map(|shape| &*shape.dim) else { return false };
    match dim.value {
        Some(DimensionValue::DimValue(size)) => matches!(size, 1 | -1),
        Some(DimensionValue::DimParam(_)) | None => true,
    }
}

impl<'m> Analyzer<'m, '_> {
    pub(super) fn input(
        &mut self,
        info: Undecoded<'m, ValueInfoProto>,
        graph: usize,
        kind: GraphKind,
        passed: Option<&SubgraphInput>,
        before: Before<'_>,
    ) {
        let name = info.name();
        if name.is_empty() {
            let found = Finding::new(Code::FieldMissing, self.path(graph), "a graph input has no name");
            let found = found.expected("a name").found("an empty one");
            self.analysis.findings.push(found.help("give it the name that its readers use, or remove it"));
            return;
        }
        let value = self.next_value();
        let mut known = match passed {
            None => self.declared(info, before, value, graph, None),
            Some(passed) => self.passed(info.message(), passed, value, graph),
        };
        let text = self.model.text(name);
        let sizes = self.options.inputs.iter().filter(|_| kind == GraphKind::Main).find(|(name, _)| name == text);
        if let Some((name, sizes)) = sizes {
            let sizes: Box<[Dim]> = sizes.iter().copied().map(Dim::Known).collect();
            if let Ok(dims) = &known.facts.dims
                && !may_be_same(dims, &sizes)
            {
                let found = Finding::new(
                    Code::InputDims,
                    self.path(graph),
                    format!("`{name}` cannot have the given dimensions"),
                )
                .expected(self.show(dims))
                .found(self.show(&sizes))
                .help("use dimensions that match the declaration");
                self.analysis.findings.push(found);
            }
            let declared = Declared { ty: known.facts.ty.clone(), dims: Ok(sizes) };
            known = self.share(value, declared, known.facts.elements.clone());
        }
        if kind == GraphKind::Main
            && let Ok(dims) = &known.facts.dims
        {
            self.trust(dims);
        }
        self.define(name, graph, Origin::Input, known);
    }

    /// What is known of an input of a subgraph.
    fn passed(&mut self, input: &'m ValueInfoProto, passed: &SubgraphInput, value: u32, graph: usize) -> Shared {
        let dims = if passed.follows_declaration && is_list_of_one(input) {
            let message = format!("`{}` is declared as a list, not as a scalar", input.name);
            let found = Finding::new(Code::SubgraphScalar, self.path(graph), message).expected("a scalar");
            let found = found.found("a list of one").help("declare it as a scalar, with a shape that has no axis");
            self.analysis.findings.push(found);
            Ok([Dim::Known(1)].into())
        } else {
            dims_at(self.memory.known(&passed.dims, value), value)
        };
        let ty = Err(Reason { cause: Cause::NotDeclared, value });
        let (listed, claims) = (dims.is_ok() && passed.follows_declaration && is_list_of_one(input), self.claims.len());
        let mut merged = self.merge(&input.name, Declared { ty, dims }, input, value, graph, None);
        // What is wrong with such a list is told.
        if listed {
            self.claims.truncate(claims);
        }
        // A contradiction is reported when the graph is checked against its node.
        merged.ty = merged.ty.or_else(|reason| passed.ty.ok_or(reason));
        let elements = passed.elements.clone().ok_or(Reason { cause: Cause::GivenAtRun, value });
        self.share(value, merged, elements)
    }

    /// Defines an initializer. `defaults` are the inputs of the graph that had an initializer before.
    pub(super) fn initializer(
        &mut self,
        tensor: Undecoded<'m, TensorProto>,
        graph: usize,
        defaults: &mut HashSet<u32, RandomState>,
    ) {
        let unnamed = tensor.unnamed();
        let known = unnamed.and_then(|unnamed| self.constants.get(&unnamed)).cloned();
        let known = known.unwrap_or_else(|| {
            let (findings, fresh) = (self.analysis.findings.added(), self.analysis.origins.len());
            let message = tensor.message();
            let (known, value) = self.constant(tensor.name(), message, &message.dims, (false, graph));
            if let Some(unnamed) = unnamed
                && self.analysis.findings.added() == findings
                && self.analysis.origins.len() == fresh
                && !names(&known.facts, |named| named >= value)
            {
                self.constants.insert(unnamed, known.clone());
            }
            known
        });
        self.define_initializer(tensor.name(), known, graph, defaults);
    }

    /// Defines a sparse initializer, which nodes see as a dense value.
    pub(super) fn sparse_initializer(
        &mut self,
        name: Name,
        sparse: &'m SparseTensorProto,
        graph: usize,
        defaults: &mut HashSet<u32, RandomState>,
    ) {
        if let Some(values) = &sparse.values {
            let (known, _) = self.constant(name, values, &sparse.dims, (true, graph));
            self.define_initializer(name, known, graph, defaults);
        }
    }

    /// What is known of an initializer, and the index of its value.
    fn constant(
        &mut self,
        name: Name,
        tensor: &TensorProto,
        dims: &[i64],
        (sparse, graph): (bool, usize),
    ) -> (Shared, u32) {
        let value = self.bindings.here(name).unwrap_or(self.next_value());
        let name = self.model.text(name);
        let path = self.analysis.graphs.get(graph).map_or("", |info| &*info.path);
        let findings = &mut self.analysis.findings;
        let mut reader = Reader { symbols: &mut self.analysis.symbols, findings, graph: path, named: &|_| () };
        let ty = reader.element(name, tensor.data_type, value).map(Type::tensor);
        let dims = dims.iter().enumerate().map(|(axis, size)| reader.size(name, axis, *size, value)).collect();
        let elements = self.elements(name, tensor, sparse, value, graph);
        (self.share(value, Declared { ty, dims: Ok(dims) }, elements), value)
    }

    fn define_initializer(
        &mut self,
        name: Name,
        known: Shared,
        graph: usize,
        defaults: &mut HashSet<u32, RandomState>,
    ) {
        let text = self.model.text(name);
        let input = self.bindings.here(name);
        let is_second = input.is_some_and(|value| !defaults.insert(value));
        let input = input.and_then(|value| Some((value, self.analysis.values.get(value as usize)?)));
        let Some((value, input)) = input else {
            return self.define(name, graph, Origin::Initializer, known);
        };
        if is_second || input.origin != Origin::Input {
            let message = format!("two initializers have the name `{text}`");
            let found =
                Finding::new(Code::ValueRedefined, self.path(graph), message).expected("a unique name").found(text);
            self.analysis.findings.push(found.help("remove one of the two, or give it another name"));
            return;
        }
        let (declared, facts) = (&*input.shared.facts, &*known.facts);
        let of_type = declared.ty.as_ref().ok().zip(facts.ty.as_ref().ok()).filter(|(declared, ty)| declared != ty);
        if let Some((declared, ty)) = of_type {
            let message = format!("`{text}` is declared as {declared}, but its initializer is {ty}");
            let found = Finding::new(Code::OutputType, self.path(graph), message).expected(ty).found(declared);
            self.analysis.findings.push(found.help("correct the declaration, or the initializer"));
        }
        let of_dims = declared.dims.as_ref().ok().zip(facts.dims.as_ref().ok());
        let of_dims = of_dims.filter(|(declared, dims)| !may_be_same(declared, dims));
        if let Some((declared, dims)) = of_dims {
            let message = format!("the declared dimensions of `{text}` contradict its initializer");
            let symbols = &self.analysis.symbols;
            let (expected, found) = (dims_text(dims, symbols), dims_text(declared, symbols));
            let found = Finding::new(Code::OutputDims, self.path(graph), message).expected(expected).found(found);
            self.analysis.findings.push(found.help("correct the declaration, or the initializer"));
        }
        // From IR 4 on it is a default, which the caller may replace by any value that fits the declaration.
        let known = if self.ir_version > LAST_CONSTANT_IR {
            let replaceable = |reason| Reason { cause: Cause::Replaceable, ..reason };
            let elements = declared.elements.clone().map_err(replaceable);
            for element in elements.iter().flatten() {
                if let Scalar::Expression(Dim::Symbol(symbol)) = element
                    && let Some(origin) = symbol.fresh().and_then(|index| self.analysis.origins.get_mut(index))
                {
                    origin.cause = Cause::Replaceable;
                }
            }
            let declared = Declared { ty: declared.ty.clone(), dims: declared.dims.clone() };
            self.share(value, declared, elements)
        } else if of_type.is_none() && of_dims.is_none() && facts.ty.is_ok() {
            known
        } else {
            let ty = declared.ty.clone().or(facts.ty.clone());
            let dims = if of_dims.is_none() { facts.dims.clone() } else { declared.dims.clone() };
            let elements = facts.elements.clone();
            self.share(value, Declared { ty, dims }, elements)
        };
        self.replace(value, known);
    }

    /// The elements of an initializer, if they are tracked.
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
        if tensor.dims.iter().any(|size| *size < 0) {
            return unknown(Cause::BadDeclaration);
        }
        // Sizes are integers; of the other tensors, small ones may be scales, and large ones are weights.
        let integers = matches!(ty, DataType::Int64 | DataType::Int32);
        let most = if integers { MAX_ELEMENTS } else { MAX_WEIGHTS };
        let sizes = || tensor.dims.iter().map(|size| size.unsigned_abs());
        let count = if sizes().any(|size| size == 0) { Some(0) } else { sizes().try_fold(1, u64::checked_mul) };
        if count.is_none_or(|count| count > most as u64) {
            return unknown(Cause::TooManyElements);
        }
        match self.options.external.elements(tensor) {
            Ok(bytes) => {
                let elements: Vec<Scalar<Dim>> = Elements::Bytes(ty, &bytes).iter().collect();
                self.memory.list(elements.into_iter()).map_err(|cause| Reason { cause, value })
            }
            // A model may be analysed without its weights.
            Err(_) if !integers => unknown(Cause::BadElements),
            Err(error) => {
                let message = format!("the elements of the initializer `{name}` cannot be read");
                let found = Finding::new(error.code(), self.path(graph), message).expected(error.expected());
                let help = error.help();
                self.analysis.findings.push(found.found(error).help(help));
                unknown(Cause::BadElements)
            }
        }
    }

    /// Checks the further declarations of inputs and initializers, among the outputs or in `value_info`, and those of
    /// other values that `declarations` lacks, because a name has several.
    pub(super) fn check_declared(&mut self, graph: Graph<'m>, id: usize, declarations: &Declarations<'m>) {
        for info in graph.value_info().undecoded().chain(graph.outputs().undecoded()) {
            let Some(value) = self.bindings.here(info.name()) else { continue };
            let Some(known) = self.analysis.values.get(value as usize) else { continue };
            let is_merged = || declarations.get(&info.name()).is_some_and(|merged| merged.is(info));
            if matches!(known.origin, Origin::Node { .. }) && is_merged() {
                continue;
            }
            let inferred = known.shared.clone();
            let known = self.declared(info, Before::Inferred(&inferred), value, id, None);
            self.replace(value, known);
        }
    }
}
