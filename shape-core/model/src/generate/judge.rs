//! Runs the check and the rules of a version on a node that is being made.

use shape_core::check;
use shape_core::code::{Code, Severity};
use shape_core::dimension::Undecided;
use shape_core::elements::{Elements, Scalar};
use shape_core::facts::{Dims, EachElement, Fact, Inputs, Outputs, Subgraphs, UnknownCause};
use shape_core::infer::TypeQuery;
use shape_core::node::{AttributeValue, GraphView};
use shape_core::problem::{Problem, Side};
use shape_core::schema::{Exclusive, Requirement};
use shape_core::types::Type;

use super::draft::{Argument, Draft};
use super::value::{Value, count};
use crate::declaration::type_of;
use crate::file::proto::{GraphProto, TypeProto};

/// The maximum number of elements of an output: larger ones only take time.
const MAX_ELEMENTS: u64 = 20_000;

/// What is known of an output.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Inferred {
    pub(super) ty: Option<Type>,
    /// `None` if the rank is unknown; an entry is `None` if the size is.
    pub(super) dims: Option<Vec<Option<u64>>>,
    /// The elements, where all are computed.
    pub(super) elements: Option<Vec<Scalar<u64>>>,
}

/// What is wrong with a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    /// An attribute, by its index.
    Attribute(usize),
    /// Too few or too many inputs or outputs.
    Count(Side),
    Exclusive(&'static Exclusive),
    /// The type of an input or output.
    Type,
    Requirement(&'static Requirement),
    /// A rule refuses it.
    Rule(Code),
    /// It is valid, and too large.
    Large,
}

/// A node with a fault, how far the checks came before they found it, and the code of the finding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refused {
    pub(super) fault: Fault,
    pub(super) stage: usize,
    pub(super) code: Option<Code>,
    /// What is wrong, in the words of the rule that refuses it; else empty.
    pub(super) message: &'static str,
}

/// What is known of the outputs of a node.
///
/// # Errors
/// The first thing that is wrong with it.
pub(super) fn judge(draft: &Draft) -> Result<Vec<Inferred>, Refused> {
    let schema = draft.schema;
    let attributes = draft.views();
    let mut first: Option<Refused> = None;
    let mut report = |problem: Problem<'_>| {
        if problem.code().severity() == Severity::Error && first.is_none() {
            first = Some(refused(draft, &problem));
        }
    };
    let given: Vec<bool> = draft.inputs.iter().map(Option::is_some).collect();
    let inputs: Vec<Option<Type>> = draft.inputs.iter().map(|input| Some(input.as_ref()?.value.ty())).collect();
    let outputs = draft.outputs.iter().rposition(|given| *given).map_or(0, |last| last + 1);
    if outputs == 0 {
        // A node without outputs may be valid, and nothing comes of it.
        return Err(Refused { fault: Fault::Count(Side::Output), stage: 0, code: None, message: "" });
    }
    check::attributes(schema, &attributes, &mut report);
    check::counts(schema, &given, outputs, &mut report);
    check::exclusive(schema, &attributes, &given, &mut report);
    let bindings = check::types(schema, &inputs, &[], &mut |problem| report(problem));
    let query = TypeQuery {
        attributes: &attributes,
        given: &given,
        inputs: &inputs,
        within: &|value, output| within(draft, value, output),
    };
    let mut types = Vec::with_capacity(outputs);
    for index in 0..outputs {
        let decided = schema.decided(index, &query).unwrap_or_else(|problem| {
            report(problem);
            None
        });
        types.push(decided.or_else(|| bindings.resolve(schema.output(index)?)));
    }
    check::types(schema, &inputs, &types, &mut |problem| report(problem));
    if let Some(first) = first {
        return Err(first);
    }
    let facts: Vec<Option<Fact<'_, u64>>> =
        draft.inputs.iter().map(|input| Some(fact(&input.as_ref()?.value))).collect();
    let inferred = types.into_iter().map(|ty| Inferred { ty, dims: None, elements: None }).collect();
    let mut collected = Collected { inferred, draft, facts: &facts };
    let graphs = Graphs(draft);
    // What is generated has no warning either.
    let mut warned = None;
    schema
        .run_rules(&attributes, Inputs(&facts), &graphs, &mut collected, &mut |problem| warned = Some(problem))
        .and_then(|()| warned.map_or(Ok(()), Err))
        .map_err(|problem| refused(draft, &problem))?;
    let inferred = collected.inferred;
    let large = |inferred: &Inferred| {
        let dims: Option<Vec<u64>> = inferred.dims.as_ref()?.iter().copied().collect();
        Some(count(&dims?).is_none_or(|count| count > MAX_ELEMENTS))
    };
    if inferred.iter().any(|inferred| large(inferred) == Some(true)) {
        return Err(Refused { fault: Fault::Large, stage: usize::MAX, code: None, message: "" });
    }
    Ok(inferred)
}

/// What the rules know of a value.
fn fact(value: &Value) -> Fact<'_, u64> {
    let elements = match value {
        Value::Tensor(tensor) => tensor.elements(),
        // How many elements there are may be refused, though none of them is known.
        Value::Computed(ty, Some(dims)) if ty.element().is_some() => {
            let count = count(dims).and_then(|count| usize::try_from(count).ok());
            count.map(|count| Elements::Unknown(count, &Undecided::NotFollowed))
        }
        _ => None,
    };
    Fact { ty: Some(value.ty()), dims: value.dims(), elements }
}

fn refused(draft: &Draft, problem: &Problem<'_>) -> Refused {
    let attribute = |name: &str| {
        let at = draft.schema.attributes.iter().position(|attribute| attribute.name == name);
        Fault::Attribute(at.unwrap_or(0))
    };
    let fault = match problem {
        Problem::AttributeMissing { attribute: of }
        | Problem::AttributeValue { attribute: of, .. }
        | Problem::NoElementType { attribute: of, .. } => attribute(of.name),
        Problem::AttributeType { name, .. } => attribute(name),
        Problem::Count { side, .. } => Fault::Count(*side),
        Problem::InputMissing { .. } => Fault::Count(Side::Input),
        Problem::Exclusive { exclusive, .. } => Fault::Exclusive(exclusive),
        Problem::TypeNotAllowed { .. } | Problem::TypeMismatch { .. } => Fault::Type,
        Problem::Requirement { requirement, .. } => Fault::Requirement(requirement),
        other => Fault::Rule(other.code()),
    };
    let stage = match fault {
        Fault::Attribute(_) => 0,
        Fault::Count(_) => 1,
        Fault::Exclusive(_) => 2,
        Fault::Type => 3,
        Fault::Requirement(requirement) => {
            4 + draft.schema.requires.iter().position(|other| std::ptr::eq(other, requirement)).unwrap_or(0)
        }
        Fault::Rule(_) => 4 + draft.schema.requires.len(),
        Fault::Large => usize::MAX,
    };
    let message = if let Problem::Refused { message, .. } = problem { message } else { "" };
    Refused { fault, stage, code: Some(problem.code()), message }
}

/// The type in an attribute that is a graph or a type.
fn within(draft: &Draft, value: AttributeValue<'_>, output: usize) -> Option<Type> {
    match value {
        AttributeValue::Graph(graph) => Some(of_graph(draft, graph, output)?.ty()),
        AttributeValue::TypeProto(ty) => type_of(ty.get::<TypeProto>()?),
        _ => None,
    }
}

/// An output of a graph in an attribute.
fn of_graph<'d>(draft: &'d Draft, graph: GraphView<'_>, output: usize) -> Option<&'d Value> {
    let found: &GraphProto = graph.get()?;
    draft.attributes.iter().flatten().find_map(|argument| match argument {
        Argument::Graph(proto, outputs) if std::ptr::eq(&**proto, found) => outputs.get(output),
        _ => None,
    })
}

struct Graphs<'d>(&'d Draft);

impl Subgraphs<u64> for Graphs<'_> {
    fn output(&self, graph: GraphView<'_>, index: usize) -> Option<Fact<'_, u64>> {
        of_graph(self.0, graph, index).map(fact)
    }
}

/// Keeps what the rules infer.
struct Collected<'d> {
    inferred: Vec<Inferred>,
    draft: &'d Draft,
    facts: &'d [Option<Fact<'d, u64>>],
}

impl Outputs<u64> for Collected<'_> {
    fn count(&self) -> usize {
        self.inferred.len()
    }

    fn given(&self, output: usize) -> bool {
        self.draft.outputs.get(output).copied().unwrap_or_default()
    }

    fn dims(&mut self, output: usize, dims: Dims<'_, u64>) {
        if let Some(inferred) = self.inferred.get_mut(output) {
            inferred.dims = dims.rank().ok().map(|rank| (0..rank).map(|axis| dims.dim(axis).ok()).collect());
        }
    }

    fn elements(&mut self, output: usize, elements: Result<EachElement<'_, u64>, UnknownCause>) {
        let Some(inferred) = self.inferred.get_mut(output) else { return };
        let ty = inferred.ty.and_then(Type::element);
        let Some(ty) = ty.filter(|ty| Elements::<'_, u64>::width(*ty).is_some()) else { return };
        let known = |(count, each): EachElement<'_, u64>| -> Option<Vec<Scalar<u64>>> {
            (0..count).map(|index| Some(each(index).of_type(Some(ty))).filter(Scalar::is_known)).collect()
        };
        inferred.elements = elements.ok().filter(|(count, _)| *count <= 256).and_then(known);
    }

    fn elements_of(&mut self, output: usize, input: usize) {
        let elements = self.facts.get(input).and_then(|fact| fact.as_ref()?.elements);
        if let Some(inferred) = self.inferred.get_mut(output) {
            inferred.elements = elements.map(|elements| elements.iter().collect());
        }
    }
}
