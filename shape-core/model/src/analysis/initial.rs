//! The initial values of a graph: its inputs and its initializers.

use std::collections::HashSet;

use super::analyzer::{Analyzer, Declarations};
use super::subgraphs::input::SubgraphInput;
use crate::declaration::{Declared, Reader};
use crate::file::proto::{DimensionValue, TensorProto, TypeValue, ValueInfoProto};
use crate::file::{Graph, Info, Name};
use crate::finding::Finding;
use crate::graph::GraphKind;
use crate::names::RandomState;
use crate::text::dims_text;
use crate::value::{Facts, Known, MAX_ELEMENTS, Origin, Shared, dims_at, may_be_same};
use shape_core::code::Code;
use shape_core::data_type::DataType;
use shape_core::elements::{Elements, Scalar};
use shape_core::symbolic::{Cause, Dim, Reason};
use shape_core::types::Type;

/// The maximum number of elements that are tracked for an initializer that is not of 32-bit or 64-bit integers.
const MAX_WEIGHTS: usize = 16;

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
    pub(super) fn input(&mut self, info: Info<'m>, graph: usize, kind: GraphKind, passed: Option<&SubgraphInput>) {
        let name = info.name();
        if name.is_empty() {
            let found = Finding::new(Code::FieldMissing, self.path(graph), "a graph input has no name");
            let found = found.expected("a name").found("an empty one");
            self.analysis.findings.push(found.help("give it the name that its readers use, or remove it"));
            return;
        }
        let value = self.next_value();
        let mut known = match passed {
            None => self.declared(info, None, value, graph, None),
            Some(passed) => self.passed(info.proto(), passed, value, graph),
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
        let mut merged = self.merge(&input.name, Declared { ty, dims }, input, value, graph, None);
        // A contradiction is reported when the graph is checked against its node.
        merged.ty = merged.ty.or_else(|reason| passed.ty.ok_or(reason));
        let elements = passed.elements.clone().ok_or(Reason { cause: Cause::GivenAtRun, value });
        self.share(value, merged, elements)
    }

    /// Defines an initializer; nodes see a sparse one as a dense value. `defaults` are the inputs of the graph that had
    /// an initializer before.
    pub(super) fn initializer(
        &mut self,
        value_name: Name,
        tensor: &'m TensorProto,
        dims: &[i64],
        (sparse, graph): (bool, usize),
        defaults: &mut HashSet<u32, RandomState>,
    ) {
        let name = self.model.text(value_name);
        if name.is_empty() {
            let found = Finding::new(Code::FieldMissing, self.path(graph), "an initializer has no name");
            let found = found.expected("a name").found("an empty one");
            self.analysis.findings.push(found.help("give it the name that its readers use, or remove it"));
            return;
        }
        let value = self.next_value();
        let path = self.analysis.graphs.get(graph).map_or("", |info| &*info.path);
        let findings = &mut self.analysis.findings;
        let mut reader = Reader { symbols: &mut self.analysis.symbols, findings, graph: path, named: &|_| () };
        let ty = reader.element(name, tensor.data_type, value).map(Type::tensor);
        let dims: Box<[Dim]> =
            dims.iter().enumerate().map(|(axis, size)| reader.size(name, axis, *size, value)).collect();
        let elements = self.elements(name, tensor, sparse, value, graph);
        let input = self.bindings.here(value_name);
        let is_second = input.is_some_and(|value| !defaults.insert(value));
        let input = input.and_then(|value| Some((value, self.analysis.values.get(value as usize)?)));
        let Some((value, input)) = input else {
            let known = self.share(self.next_value(), Declared { ty, dims: Ok(dims) }, elements);
            return self.define(value_name, graph, Origin::Initializer, known);
        };
        if is_second || input.origin != Origin::Input {
            let message = format!("two initializers have the name `{name}`");
            let found =
                Finding::new(Code::ValueRedefined, self.path(graph), message).expected("a unique name").found(name);
            self.analysis.findings.push(found.help("remove one of the two, or give it another name"));
            return;
        }
        if let (Ok(declared), Ok(ty)) = (&input.ty, &ty)
            && declared != ty
        {
            let message = format!("`{name}` is declared as {declared}, but its initializer is {ty}");
            let found = Finding::new(Code::OutputType, self.path(graph), message).expected(ty).found(declared);
            self.analysis.findings.push(found.help("correct the declaration, or the initializer"));
        }
        let fits = input.dims.as_ref().map_or(true, |declared| may_be_same(declared, &dims));
        if let Ok(declared) = &input.dims
            && !fits
        {
            let message = format!("the declared dimensions of `{name}` contradict its initializer");
            let symbols = &self.analysis.symbols;
            let (expected, found) = (dims_text(&dims, symbols), dims_text(declared, symbols));
            let found = Finding::new(Code::OutputDims, self.path(graph), message).expected(expected).found(found);
            self.analysis.findings.push(found.help("correct the declaration, or the initializer"));
        }
        let Facts { ty: declared, dims: of_input, elements: before, .. } = &**input;
        // From IR 4 on it is a default, which the caller may replace by any value that fits the declaration.
        let (ty, dims, elements) = if self.ir_version < 4 {
            let dims = if fits { Ok(dims) } else { of_input.clone() };
            (declared.clone().or(ty), dims, elements)
        } else {
            let replaceable = |reason| Reason { cause: Cause::Replaceable, ..reason };
            (declared.clone(), of_input.clone(), before.clone().map_err(replaceable))
        };
        self.revise(value, Declared { ty, dims }, elements);
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

    /// Checks declarations of inputs and initializers that are repeated, among the outputs or in `value_info`, and those
    /// of other values that `declarations` leave out, because there are several of a name.
    pub(super) fn check_declared(&mut self, graph: Graph<'m>, id: usize, declarations: &Declarations<'m>) {
        for info in graph.value_info().infos().chain(graph.outputs().infos()) {
            let Some(value) = self.bindings.here(info.name()) else { continue };
            let Some(known) = self.analysis.values.get(value as usize) else { continue };
            let is_merged = || declarations.get(&info.name()).is_some_and(|merged| merged.is(info));
            if matches!(known.origin, Origin::Node { .. }) && is_merged() {
                continue;
            }
            let inferred = known.shared.clone();
            let known = self.declared(info, Some(&inferred), value, id, None);
            self.replace(value, known);
        }
    }
}
