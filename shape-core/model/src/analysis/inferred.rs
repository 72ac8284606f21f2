//! The inferred outputs of one node, and the form in which the rules that infer them see its inputs.

use super::assumptions::Told;
use super::memory::Memory;
use super::result::Analysis;
use crate::file::{Graph, Name};
use crate::value::{Known, MAX_DIMS, MAX_ELEMENTS, Value};
use shape_core::dimension::{Dimension as _, Undecided};
use shape_core::elements::{Elements, Scalar};
use shape_core::facts::{Dims, EachElement, Fact, Implied, Outputs, Subgraphs, UnknownCause};
use shape_core::node::GraphView;
use shape_core::symbolic::{Cause, Dim, Reason};
use shape_core::types::Type;

/// What is known about one output of a node, before it has a name.
pub(super) struct InferredValue {
    /// The index that the value gets.
    pub(super) value: u32,
    pub(super) ty: Known<Type>,
    pub(super) dims: Known<Box<[Dim]>>,
    pub(super) elements: Known<Box<[Scalar<Dim>]>>,
}

impl InferredValue {
    /// Sets the type; anything that is not a tensor has no dimensions.
    pub(super) fn settle(&mut self, ty: Type) {
        self.ty = Ok(ty);
        if let Err(reason) = &mut self.dims
            && ty.element().is_none()
        {
            reason.cause = Cause::NotATensor;
        }
    }

    /// Whether it has a fresh symbol with this index or a later one.
    pub(super) fn has_fresh(&self, from: usize) -> bool {
        let in_element = |element: &Scalar<Dim>| element.dim().is_some_and(|dim| dim.has_fresh(from));
        self.dims.iter().flatten().any(|dim| dim.has_fresh(from)) || self.elements.iter().flatten().any(in_element)
    }

    /// An output of a call, from what the body computes. Unknowns that began at a value of the body, which is
    /// removed afterwards, are attributed to the output.
    pub(super) fn from_body(output: u32, value: InferredValue, first: u32) -> Self {
        let reason = |reason: Reason| if reason.value >= first { Reason { value: output, ..reason } } else { reason };
        let dim = |dim: Dim| match dim {
            Dim::Unknown(of) => Dim::Unknown(reason(of)),
            dim => dim,
        };
        let element = |element: Scalar<Dim>| match element {
            Scalar::Unknown(of) => Scalar::Unknown(reason(of)),
            Scalar::Size(size) => Scalar::Size(dim(size)),
            element => element,
        };
        Self {
            value: output,
            ty: value.ty.map_err(reason),
            dims: value.dims.map(|dims| dims.into_iter().map(dim).collect()).map_err(reason),
            elements: value.elements.map(|elements| elements.into_iter().map(element).collect()).map_err(reason),
        }
    }
}

/// How many elements keep their place where none of them is known: a list of sizes is not longer.
const MAX_UNKNOWN: u64 = 16;

impl Value<'_> {
    /// The view of the value that rules get.
    pub(crate) fn fact(&self) -> Fact<'_, Dim> {
        Fact {
            ty: self.ty.as_ref().ok().copied(),
            dims: self.dims.as_deref().ok(),
            elements: self.elements.as_deref().ok().map(Elements::Scalars),
        }
    }

    /// For a tensor with few elements of a computed type, none of which is known: how many there are, and why none is
    /// known.
    pub(super) fn few_unknown(&self) -> Option<(usize, Reason)> {
        let reason = self.without_elements()?;
        Elements::<'_, Dim>::width(self.ty.as_ref().ok()?.element()?)?;
        let count = self.element_count()?;
        Some((usize::try_from(count).ok().filter(|_| count <= MAX_UNKNOWN)?, reason))
    }
}

/// The subgraphs that were walked.
#[derive(Clone, Copy)]
pub(super) struct InnerGraphs<'w, 'm> {
    pub(super) analysis: &'w Analysis<'m>,
    /// For each graph of the file, the index in [`Analysis::graphs`] of its walk; the last one if there were several.
    pub(super) walked: &'w [usize],
}

impl<'w, 'm> InnerGraphs<'w, 'm> {
    /// The value of the output of a graph, which was walked just before its node.
    pub(super) fn value(self, graph: Graph<'_>, output: usize) -> Option<&'w Value<'m>> {
        let info = self.analysis.graphs.get(*self.walked.get(graph.index())?)?;
        let is_this = info.proto.is_some_and(|walked| walked.index() == graph.index());
        self.analysis.values.get(info.outputs.get(output).copied().flatten().filter(|_| is_this)? as usize)
    }

    /// The graph that a view of an attribute is of.
    pub(super) fn graph(self, view: GraphView<'_>) -> Option<Graph<'m>> {
        Graph::of(self.analysis.graphs.first()?.nodes.model(), view)
    }
}

impl Subgraphs<Dim> for InnerGraphs<'_, '_> {
    fn output(&self, graph: GraphView<'_>, index: usize) -> Option<Fact<'_, Dim>> {
        self.value(self.graph(graph)?, index).map(Value::fact)
    }
}

/// Collects the outputs that a rule infers.
pub(super) struct Collected<'f, 'v, 'm> {
    pub(super) memory: &'f Memory,
    pub(super) analysis: &'f Analysis<'m>,
    pub(super) found: &'f mut [InferredValue],
    /// The names of the outputs; empty for one that is left out.
    pub(super) names: &'f [Name],
    /// The value of an input.
    pub(super) input: &'f dyn Fn(usize) -> Option<&'v Value<'v>>,
    pub(super) told: &'f mut Told,
    /// The value of an output of the graph in an attribute.
    pub(super) graph: &'f dyn Fn(usize, usize) -> Option<&'v Value<'v>>,
}

impl Collected<'_, '_, '_> {
    /// The reason why an element of an input may be any integer.
    fn blame_element(&self) -> Reason {
        let element = |element: &Scalar<Dim>| match element {
            Scalar::Expression(of) if !of.of_sizes() => self.analysis.unknown_dim(of).cloned(),
            _ => None,
        };
        let inputs = (0..).map_while(|index| (self.input)(index));
        let reason = inputs.filter_map(|input| input.elements.as_deref().ok()).flatten().find_map(element);
        reason.unwrap_or(Reason::here(Cause::Arithmetic(Undecided::AnyInteger)))
    }

    /// The reason why an input is unknown; if all of it is known, the rule does not support it.
    fn blame(&self, because: UnknownCause) -> Reason {
        let (value, dims) = match because {
            UnknownCause::Dims(input) => ((self.input)(input), true),
            UnknownCause::Elements(input) => ((self.input)(input), false),
            UnknownCause::GraphDims { attribute, output } => ((self.graph)(attribute, output), true),
            UnknownCause::GraphElements { attribute, output } => ((self.graph)(attribute, output), false),
            UnknownCause::Branches => return Reason::here(Cause::Branches),
            UnknownCause::Condition => return Reason::here(Cause::Condition),
            UnknownCause::Rounds => return Reason::here(Cause::Rounds),
            UnknownCause::MayDiffer => return Reason::here(Cause::MayDiffer),
            UnknownCause::ToolsDiffer => return Reason::here(Cause::ToolsDiffer),
            UnknownCause::Varies => return Reason::here(Cause::Varies),
            UnknownCause::Data => return Reason::here(Cause::DependsOnData),
            UnknownCause::Common => return Reason::here(Cause::Common),
            UnknownCause::TooLarge | UnknownCause::PastLargest => return Reason::here(Cause::ExpressionTooLarge),
            UnknownCause::NotGiven => return Reason::here(Cause::Undefined),
        };
        let Some(value) = value else { return Reason::here(Cause::Undefined) };
        let reason = match (dims, &value.dims, &value.elements) {
            (true, Err(reason), _) => Some(reason.clone()),
            (false, _, Err(_)) => value.without_elements(),
            (true, Ok(dims), _) => dims.iter().find_map(|dim| self.analysis.unknown_dim(dim)).cloned(),
            (false, _, Ok(elements)) => {
                let reason = |element: &Scalar<Dim>| match element {
                    Scalar::Unknown(reason) => Some(reason.clone()),
                    element => element.dim().and_then(|dim| self.analysis.unknown_dim(dim)).cloned(),
                };
                elements.iter().find_map(reason)
            }
        };
        match reason {
            // The unknown is not its dimensions but those of its elements.
            Some(Reason { cause: Cause::NotATensor, value }) => Reason { cause: Cause::Varies, value },
            reason => reason.unwrap_or(Reason::here(Cause::Arithmetic(Undecided::NotFollowed))),
        }
    }
}

/// The elements, or one reason if nothing is known about any of them.
fn elements_or_reason(elements: Box<[Scalar<Dim>]>) -> Known<Box<[Scalar<Dim>]>> {
    let reason =
        |element: &Scalar<Dim>| if let Scalar::Unknown(reason) = element { Some(reason.clone()) } else { None };
    match elements.iter().find_map(reason) {
        Some(reason) if !elements.iter().any(Scalar::is_known) => Err(reason),
        _ => Ok(elements),
    }
}

impl Outputs<Dim> for Collected<'_, '_, '_> {
    fn count(&self) -> usize {
        self.found.len()
    }

    fn given(&self, output: usize) -> bool {
        self.names.get(output).is_some_and(|name| !name.is_empty())
    }

    fn dims(&mut self, output: usize, dims: Dims<'_, Dim>) {
        let Some(value) = self.found.get(output).map(|found| found.value) else { return };
        let dims = match dims.rank() {
            Ok(rank) if rank > MAX_DIMS => Err(Reason { cause: Cause::TooManyDims, value }),
            Ok(rank) => {
                let dim = |axis| match dims.dim(axis) {
                    Ok(Dim::Unknown(Reason { cause: Cause::Arithmetic(Undecided::AnyInteger), .. })) => {
                        Dim::Unknown(self.blame_element())
                    }
                    Ok(dim) => dim,
                    Err(because) => Dim::Unknown(self.blame(because)),
                };
                let list = self.memory.list((0..rank).map(|axis| dim(axis).at(value)));
                list.map_err(|cause| Reason { cause, value })
            }
            Err(because) => Err(self.blame(because).at(value)),
        };
        if let Some(found) = self.found.get_mut(output) {
            found.dims = dims;
        }
    }

    fn elements(&mut self, output: usize, elements: Result<EachElement<'_, Dim>, UnknownCause>) {
        let Some(InferredValue { value, ty, .. }) = self.found.get(output) else { return };
        let (value, ty) = (*value, ty.as_ref().ok().and_then(|ty| ty.element()));
        let elements = match elements {
            Err(because) => Err(self.blame(because).at(value)),
            Ok((count, _)) if count > MAX_ELEMENTS => Err(Reason { cause: Cause::TooManyElements, value }),
            Ok((count, each)) => {
                let list = self.memory.list((0..count).map(|index| each(index).of_type(ty).at(value)));
                list.map_err(|cause| Reason { cause, value }).and_then(elements_or_reason)
            }
        };
        if let Some(found) = self.found.get_mut(output) {
            found.elements = elements;
        }
    }

    fn implies(&mut self, implied: Implied<'_, Dim>) {
        match implied {
            Implied::Equal(left, right) => self.told.equal(left, right),
            Implied::NotZero(dim) => self.told.not_zero(dim),
        }
    }

    fn elements_of(&mut self, output: usize, input: usize) {
        self.told.kept.push((output, input));
        if let (Some(found), Some(input)) = (self.found.get_mut(output), (self.input)(input)) {
            found.elements = match input.without_elements() {
                Some(reason) => Err(reason),
                None => self.memory.known(&input.elements, found.value),
            };
        }
    }
}
