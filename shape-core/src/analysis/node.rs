//! One node: which version of which operator it is, whether it is right, and what it gives.

use super::declared::Declared;
use super::report::{self, At, finding};
use super::walk::{Declarations, Walk};
use super::{Analysis, Known, MOST_DIMS, MOST_ELEMENTS, Origin, Value};
use crate::check::{self, Problem};
use crate::code::{Code, Severity};
use crate::data_type::DataType;
use crate::dims::{Dims, EachElement, Fact, Inputs, Outputs, Subgraphs, UnknownCause};
use crate::elements::arithmetic::Undecided;
use crate::elements::{Elements, Scalar};
use crate::finding::Finding;
use crate::model::proto::{GraphProto, SparseTensorProto};
use crate::node::{AttributeValue, GraphView, NodeAttribute};
use crate::opset::canonical_domain;
use crate::registry::Missing;
use crate::rules::Asked;
use crate::schema::{Schema, arity};
use crate::symbolic::{Cause, Dim, Reason};
use crate::types::Type;

/// What is known of one output of a node, before it has a name.
pub(super) struct Found {
    /// The number that the value gets.
    pub(super) value: u32,
    pub(super) ty: Known<Type>,
    pub(super) dims: Known<Box<[Dim]>>,
    pub(super) elements: Known<Box<[Scalar<Dim>]>>,
}

/// What is asked of a node, in memory that serves the next one again.
#[derive(Default)]
pub(super) struct Scratch {
    given: Vec<bool>,
    types: Vec<Option<Type>>,
}

impl Value<'_> {
    /// What rules are told of it.
    fn fact(&self) -> Fact<'_, Dim> {
        Fact {
            ty: self.ty.as_ref().ok().copied(),
            dims: self.dims.as_deref().ok(),
            elements: self.elements.as_deref().ok().map(Elements::Scalars),
        }
    }
}

impl Found {
    /// Takes a type; what is no tensor has no dimensions to know.
    fn settle(&mut self, ty: Type) {
        self.ty = Ok(ty);
        if let Err(reason) = &mut self.dims
            && ty.element().is_none()
        {
            reason.cause = Cause::NotATensor;
        }
    }
}

impl<'m> Walk<'m, '_> {
    /// A node whose inputs are these values, as far as there are any.
    pub(super) fn node(&mut self, at: At<'m>, inputs: &[Option<u32>], declarations: &Declarations<'m>) {
        self.subgraphs(at);
        let node = at.node;
        let domain = canonical_domain(&node.domain);
        let found = if node.op_type.is_empty() {
            let found = finding(Code::FieldMissing, self.path(at.graph), "the node has no operator").at(at);
            let found = found.expected("an operator").found("an empty name");
            self.analysis.findings.push(found.help("name the operator, or remove the node"));
            self.nothing(at, &Cause::Refused)
        } else if let Some(function) = self.functions.called(node) {
            self.call(at, inputs, domain, function)
        } else {
            match self.schema(at, domain) {
                Ok((schema, opset)) => self.operator(at, (schema, opset), inputs, declarations),
                Err(cause) => self.nothing(at, &cause),
            }
        };
        for (name, Found { ty, dims, elements, .. }) in node.output.iter().zip(found) {
            if name.is_empty() {
                continue;
            }
            let mut known = Declared { ty, dims };
            if let Some(declaration) = declarations.get(&**name) {
                known = self.merge(name, known, declaration, self.next_value(), at.graph, Some(at));
            }
            let origin = Origin::Node { index: at.index, name: &node.name, op_type: &node.op_type, domain };
            self.define(name, at.graph, origin, known, elements);
        }
    }

    /// Outputs of which nothing is known, for one reason.
    pub(super) fn nothing(&self, at: At<'m>, cause: &Cause) -> Vec<Found> {
        let mut value = self.next_value();
        let mut outputs = Vec::with_capacity(at.node.output.len());
        for name in &at.node.output {
            let reason = || Reason { cause: cause.clone(), value };
            outputs.push(Found { value, ty: Err(reason()), dims: Err(reason()), elements: Err(reason()) });
            value += u32::from(!name.is_empty());
        }
        outputs
    }

    /// The opset of a node's domain; otherwise a finding, and why there is none.
    pub(super) fn opset(&mut self, at: At<'m>, domain: &'m str) -> Result<u32, Cause> {
        if let Some(opset) = self.imports.get(domain) {
            return Ok(opset);
        }
        // An import without a version was told where it stands.
        if !self.imports.is_broken(domain) && self.unimported.insert(domain) {
            let message = format!("the domain {domain} is not imported");
            let found = finding(Code::DomainNotImported, self.path(at.graph), message).at(at).found(domain);
            let found = found.expected(format!("an import of {domain}"));
            self.analysis.findings.push(found.help(format!("add {domain} with its version to opset_import")));
        }
        Err(Cause::NoVersion)
    }

    /// The operator version of a node and the opset that selects it; otherwise a finding, and why there is none.
    fn schema(&mut self, at: At<'m>, domain: &'m str) -> Result<(&'static Schema, u32), Cause> {
        let opset = self.opset(at, domain)?;
        let op_type = &*at.node.op_type;
        if let Some(schema) = self.resolved.get(&(domain, op_type, opset)) {
            return Ok((schema, opset));
        }
        match self.options.registry.resolve(domain, op_type, opset) {
            Ok(schema) => {
                self.resolved.insert((domain, op_type, opset), schema);
                Ok((schema, opset))
            }
            // Told once, at the import.
            Err(Missing::OpsetTooNew { .. }) => Err(Cause::NoVersion),
            Err(Missing::OperatorTooNew { since }) => {
                let message = format!("{op_type} needs opset {since} of {domain}; the model imports opset {opset}");
                let found = finding(Code::OperatorTooNew, self.path(at.graph), message)
                    .at(at)
                    .expected(format!("opset {since} of {domain} or later"))
                    .found(format!("opset {opset}"));
                self.analysis.findings.push(found.help("import a later opset"));
                Err(Cause::NoVersion)
            }
            Err(Missing::NoDescriptor) => {
                if let Some((_, nodes)) = self.undescribed.get_mut(&(domain, op_type)) {
                    *nodes += 1;
                } else {
                    let operator =
                        if domain == "ai.onnx" { op_type.to_owned() } else { format!("{domain}::{op_type}") };
                    let found = report::undescribed(&self.options.registry, domain, op_type, &operator);
                    self.undescribed.insert((domain, op_type), (self.analysis.findings.len(), 1));
                    let path = self.path(at.graph).to_owned();
                    self.analysis.findings.push(Finding { graph: path, ..found.at(at) });
                }
                Err(Cause::NoDescriptor)
            }
        }
    }

    /// Says in the finding of each operator without a descriptor how many nodes it has.
    pub(super) fn count_undescribed(&mut self) {
        for (index, nodes) in self.undescribed.values() {
            if let Some(finding) = self.analysis.findings.get_mut(*index) {
                finding.found = Some(if *nodes == 1 { "1 node".to_owned() } else { format!("{nodes} nodes") });
            }
        }
    }

    fn operator(
        &mut self,
        at: At<'m>,
        (schema, opset): (&'static Schema, u32),
        values: &[Option<u32>],
        declarations: &Declarations<'m>,
    ) -> Vec<Found> {
        let node = at.node;
        let mut refused = false;
        let before = self.analysis.findings.len();
        if schema.deprecated {
            self.analysis.findings.push(report::deprecated(schema, self.path(at.graph), at, opset));
        }
        let attributes = self.attributes(at);
        let Scratch { mut given, mut types } = std::mem::take(&mut self.scratch);
        given.clear();
        given.extend(node.input.iter().map(|name| !name.is_empty()));
        let value = |id: &Option<u32>| id.and_then(|id| self.analysis.values.get(id as usize));
        types.clear();
        types.extend(values.iter().map(|id| value(id).and_then(|value| value.ty.as_ref().ok().copied())));

        let mut problems: Vec<Problem<'m>> = Vec::new();
        check::attributes(schema, &attributes, &mut |problem| problems.push(problem));
        // An output whose name is empty is none, and yet takes its place among those that there may be.
        let used = node.output.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        let (_, most) = arity(schema.outputs);
        let outputs = if node.output.len() > most { node.output.len() } else { used };
        check::counts(schema, &given, outputs, &mut |problem| problems.push(problem));
        check::exclusive(schema, &attributes, &given, &mut |problem| problems.push(problem));
        let missing = report::names_missing(schema, self.path(at.graph), at);
        self.analysis.findings.extend(missing);
        let mut bindings = check::types(schema, &types, &[], &mut |problem| problems.push(problem));
        let decided = self.decided(schema, at, &attributes, (&given, &types), &mut problems);
        // Where the inputs leave an output's type open, what decides it, or what the model declares of it, must still be
        // allowed.
        let open = |(index, name): (usize, &String)| {
            let parameter = schema.output(index).filter(|parameter| bindings.resolve(parameter).is_none());
            let declaration = || declarations.get(&**name).filter(|_| !name.is_empty());
            let decided = decided.get(index).copied().flatten();
            decided.or_else(|| parameter.and_then(|_| self.quiet(declaration()?)))
        };
        if node.output.iter().enumerate().any(|output| open(output).is_some()) {
            let open: Vec<Option<Type>> = node.output.iter().enumerate().map(open).collect();
            bindings = check::types(schema, &types, &open, &mut |problem| {
                if matches!(
                    problem,
                    Problem::TypeNotAllowed { side: check::Side::Output, .. }
                        | Problem::TypeMismatch { side: check::Side::Output, .. }
                ) {
                    problems.push(problem);
                }
            });
        }
        for problem in &problems {
            refused |= problem.code().severity() == Severity::Error;
            let found = report::problem(problem, self.path(at.graph), at, opset, &self.options.registry);
            self.analysis.findings.push(found);
        }
        refused |= self
            .analysis
            .findings
            .get(before..)
            .unwrap_or_default()
            .iter()
            .any(|found| found.code == Code::FieldMissing);

        // A rule would take an attribute that is not known for one that is not given.
        let referred = attributes.iter().any(|given| matches!(given.value, AttributeValue::Other(_)));
        let cause = if refused {
            Cause::Refused
        } else if referred {
            Cause::Referred
        } else {
            Cause::NoRule
        };
        let mut found = self.nothing(at, &cause);
        for (index, found) in found.iter_mut().enumerate() {
            let Some(parameter) = schema.output(index) else { continue };
            match decided.get(index).copied().flatten().or_else(|| bindings.resolve(parameter)) {
                Some(ty) => found.settle(ty),
                // The type is that of an input, and unknown for the reason that one has.
                None if !refused => {
                    let shared = |index: usize| schema.input(index).is_some_and(|input| input.ty == parameter.ty);
                    let reasons = values.iter().enumerate().filter(|(index, _)| shared(*index));
                    let value = |id: &Option<u32>| self.analysis.values.get((*id)? as usize);
                    let mut reasons = reasons.filter_map(|(_, id)| value(id)?.ty.as_ref().err().cloned());
                    if let Some(reason) = reasons.next().filter(|_| parameter.homogeneous) {
                        found.ty = Err(reason);
                    }
                }
                None => {}
            }
        }
        if schema.infers() && !refused && !referred {
            let facts: Vec<Option<Fact<'_, Dim>>> = values
                .iter()
                .zip(&given)
                .map(|(id, given)| {
                    let value = id.and_then(|id| self.analysis.values.get(id as usize));
                    given.then(|| value.map(Value::fact).unwrap_or_default())
                })
                .collect();
            let input = |input: usize| {
                values.get(input).copied().flatten().and_then(|id| self.analysis.values.get(id as usize))
            };
            let graphs = InnerGraphs(&self.analysis);
            let graph = |attribute: usize, output: usize| {
                let name = schema.attributes.get(attribute)?.name;
                let proto = at.node.attribute.iter().find(|given| given.name == name)?.g.as_deref()?;
                graphs.value(proto, output)
            };
            let mut collected = Collected { found: &mut found, input: &input, graph: &graph };
            if let Err(problem) = schema.run_rules(&attributes, Inputs(&facts), &graphs, &mut collected) {
                let finding = report::problem(&problem, self.path(at.graph), at, opset, &self.options.registry);
                let inputs = report::inputs(values.iter().copied(), &self.analysis);
                self.analysis.findings.push(if finding.help.is_none() { finding.help(inputs) } else { finding });
                let types = found.into_iter().map(|found| found.ty);
                let nothing = self.nothing(at, &Cause::Refused).into_iter();
                found = nothing.zip(types).map(|(found, ty)| Found { ty, ..found }).collect();
            }
        }
        self.scratch = Scratch { given, types };
        found
    }

    /// The types of the outputs that the version's rules decide; none where there is no such rule.
    fn decided(
        &self,
        schema: &'static Schema,
        at: At<'m>,
        attributes: &[NodeAttribute<'m>],
        (given, inputs): (&[bool], &[Option<Type>]),
        problems: &mut Vec<Problem<'m>>,
    ) -> Vec<Option<Type>> {
        let asked = Asked { attributes, given, inputs, within: &|value, output| self.within(value, output) };
        if schema.rules.iter().all(|rule| rule.types.is_empty()) {
            return Vec::new();
        }
        let outputs = 0..at.node.output.len();
        let decided = outputs.map(|output| match schema.decided(output, &asked) {
            Ok(ty) => ty,
            Err(problem) => {
                problems.push(problem);
                None
            }
        });
        decided.collect()
    }

    /// The type in an attribute that is a graph, a type or a sparse tensor.
    fn within(&self, value: AttributeValue<'m>, output: usize) -> Option<Type> {
        match value {
            AttributeValue::Graph(graph) => {
                InnerGraphs(&self.analysis).value(graph.get()?, output)?.ty.as_ref().ok().copied()
            }
            AttributeValue::TypeProto(ty) => super::declared::type_of(ty.get()?),
            AttributeValue::SparseTensor(tensor) => {
                let tensor: &SparseTensorProto = tensor.get()?;
                let element = DataType::from_number(tensor.values.as_ref()?.data_type?)?;
                Some(Type::tensor(element))
            }
            _ => None,
        }
    }

    /// The views of a node's attributes; one without a name or a kind is a finding.
    fn attributes(&mut self, at: At<'m>) -> Vec<NodeAttribute<'m>> {
        let mut views = Vec::with_capacity(at.node.attribute.len());
        for attribute in &at.node.attribute {
            let lacks = match self.seen(attribute) {
                _ if attribute.name.is_empty() => "an attribute has no name".to_owned(),
                // The caller gives nothing for it.
                None if !attribute.ref_attr_name.is_empty() => continue,
                None => format!("the attribute `{}` has neither a kind nor a value", attribute.name),
                Some(view) => {
                    views.push(view);
                    continue;
                }
            };
            let found = finding(Code::FieldMissing, self.path(at.graph), lacks).at(at);
            let found = found.expected("a name, a kind and a value").found("not all of them");
            self.analysis.findings.push(found.help("write the attribute again, or remove it"));
        }
        views
    }

    /// The declared type of a value, without telling again what is wrong with the declaration.
    fn quiet(&self, declaration: &'m crate::model::proto::ValueInfoProto) -> Option<Type> {
        super::declared::type_of(declaration.r#type.as_ref()?)
    }
}

/// The graphs inside of the node at hand, as far as they were walked.
struct InnerGraphs<'w, 'm>(&'w Analysis<'m>);

impl<'w, 'm> InnerGraphs<'w, 'm> {
    /// The value that an output of a graph is.
    fn value(&self, graph: &GraphProto, output: usize) -> Option<&'w Value<'m>> {
        // The graphs of a node are walked just before it.
        let mut graphs = self.0.graphs.iter().rev();
        let info = graphs.find(|info| info.proto.is_some_and(|proto| std::ptr::eq(proto, graph)))?;
        self.0.values.get(info.outputs.get(output).copied().flatten()? as usize)
    }
}

impl Subgraphs<Dim> for InnerGraphs<'_, '_> {
    fn output(&self, graph: GraphView<'_>, index: usize) -> Option<Fact<'_, Dim>> {
        self.value(graph.get()?, index).map(Value::fact)
    }
}

/// Takes what a rule says of a node's outputs.
struct Collected<'f, 'v> {
    found: &'f mut [Found],
    /// The value that an input is.
    input: &'f dyn Fn(usize) -> Option<&'v Value<'v>>,
    /// The value that an output of a graph in an attribute is.
    graph: &'f dyn Fn(usize, usize) -> Option<&'v Value<'v>>,
}

impl Collected<'_, '_> {
    /// The reason that an input has; where all of it is known, the rule does not follow it.
    fn blame(&self, because: UnknownCause) -> Reason {
        let (value, dims) = match because {
            UnknownCause::Dims(input) => ((self.input)(input), true),
            UnknownCause::Elements(input) => ((self.input)(input), false),
            UnknownCause::GraphDims { attribute, output } => ((self.graph)(attribute, output), true),
            UnknownCause::GraphElements { attribute, output } => ((self.graph)(attribute, output), false),
            UnknownCause::Branches => return Reason::here(Cause::Branches),
            UnknownCause::Rounds => return Reason::here(Cause::Rounds),
            UnknownCause::MayDiffer => return Reason::here(Cause::MayDiffer),
            UnknownCause::ToolsDiffer => return Reason::here(Cause::ToolsDiffer),
            UnknownCause::Varies => return Reason::here(Cause::Varies),
            UnknownCause::Data => return Reason::here(Cause::DependsOnData),
            UnknownCause::TooLarge => return Reason::here(Cause::ExpressionTooLarge),
            UnknownCause::NotGiven => return Reason::here(Cause::Undefined),
        };
        let Some(value) = value else { return Reason::here(Cause::Undefined) };
        let reason = match (dims, &value.dims, &value.elements) {
            (true, Err(reason), _) | (false, _, Err(reason)) => Some(reason),
            (true, Ok(dims), _) => dims.iter().find_map(|dim| match dim {
                Dim::Unknown(reason) => Some(reason),
                _ => None,
            }),
            (false, _, Ok(elements)) => elements.iter().find_map(|element| match element {
                Scalar::Unknown(reason) | Scalar::Size(Dim::Unknown(reason)) => Some(reason),
                _ => None,
            }),
        };
        match reason.cloned() {
            // What is asked for is not its dimensions, but those of what is in it.
            Some(Reason { cause: Cause::NotATensor, value }) => Reason { cause: Cause::Varies, value },
            reason => reason.unwrap_or(Reason::here(Cause::Arithmetic(Undecided::NotFollowed))),
        }
    }
}

/// Elements; where nothing is known of any, that is one reason and no elements.
fn elements_or_reason(elements: impl Iterator<Item = Scalar<Dim>>) -> Known<Box<[Scalar<Dim>]>> {
    let elements: Box<[Scalar<Dim>]> = elements.collect();
    let reason =
        |element: &Scalar<Dim>| if let Scalar::Unknown(reason) = element { Some(reason.clone()) } else { None };
    match elements.iter().find_map(reason) {
        Some(reason) if !elements.iter().any(Scalar::is_known) => Err(reason),
        _ => Ok(elements),
    }
}

impl Outputs<Dim> for Collected<'_, '_> {
    fn count(&self) -> usize {
        self.found.len()
    }

    fn dims(&mut self, output: usize, dims: Dims<'_, Dim>) {
        let Some(value) = self.found.get(output).map(|found| found.value) else { return };
        let dims = match dims.rank() {
            Ok(rank) if rank > MOST_DIMS => Err(Reason { cause: Cause::TooManyDims, value }),
            Ok(rank) => Ok((0..rank)
                .map(|axis| dims.dim(axis).unwrap_or_else(|because| Dim::Unknown(self.blame(because))))
                .map(|dim| dim.at(value))
                .collect()),
            Err(because) => Err(self.blame(because).at(value)),
        };
        if let Some(found) = self.found.get_mut(output) {
            found.dims = dims;
        }
    }

    fn elements(&mut self, output: usize, elements: Result<EachElement<'_, Dim>, UnknownCause>) {
        let Some(Found { value, ty, .. }) = self.found.get(output) else { return };
        let (value, ty) = (*value, ty.as_ref().ok().and_then(|ty| ty.element()));
        let elements = match elements {
            Err(because) => Err(self.blame(because).at(value)),
            Ok((count, _)) if count > MOST_ELEMENTS => Err(Reason { cause: Cause::TooManyElements, value }),
            Ok((count, each)) => elements_or_reason((0..count).map(|index| each(index).of_type(ty).at(value))),
        };
        if let Some(found) = self.found.get_mut(output) {
            found.elements = elements;
        }
    }

    fn elements_of(&mut self, output: usize, input: usize) {
        let elements = (self.input)(input).map(|value| value.elements.clone());
        if let (Some(found), Some(elements)) = (self.found.get_mut(output), elements) {
            found.elements = elements;
        }
    }
}
