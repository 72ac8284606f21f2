//! Checks a node against its operator version and infers its outputs.

use super::analyzer::{Analyzer, Declarations, Scratch};
use super::assumptions::{Assumed, Told};
use super::inferred::{Collected, InferredValue, InnerGraphs};
use super::problem;
use crate::declaration::type_of;
use crate::file::Name;
use crate::file::proto::{SparseTensorProto, ValueInfoProto};
use crate::finding::Finding;
use crate::graph::NodeAt;
use crate::needs::{Beside, Given, newest, outputs_that_count};
use crate::value::Value;
use shape_core::check;
use shape_core::code::{Code, Severity};
use shape_core::data_type::DataType;
use shape_core::elements::Elements;
use shape_core::facts::{Fact, Inputs};
use shape_core::infer::TypeQuery;
use shape_core::node::{AttributeValue, NodeAttribute};
use shape_core::problem::{Problem, Side};
use shape_core::schema::{ParameterType, Schema};
use shape_core::symbolic::{Cause, Dim, Reason};
use shape_core::types::Type;

impl<'m> Analyzer<'m, '_> {
    pub(super) fn operator(
        &mut self,
        at: NodeAt<'m>,
        (schema, opset): (&'static Schema, u32),
        values: &[Option<u32>],
        declarations: &Declarations<'m>,
    ) -> Vec<InferredValue> {
        let node = at.node;
        if schema.deprecated {
            self.analysis.findings.push(problem::deprecated(schema, self.path(at.graph), at, opset));
        }
        let (attributes, mut refused) = self.attributes(at);
        let Scratch { mut present, mut types, .. } = std::mem::take(&mut self.scratch);
        let mut from_declaration = false;
        present.clear();
        present.extend(node.inputs().names().iter().map(|name| !self.is_absent(*name)));
        let value = |id: &Option<u32>| id.and_then(|id| self.analysis.values.get(id as usize));
        types.clear();
        types.extend(values.iter().map(|id| value(id).and_then(|value| value.ty.as_ref().ok().copied())));

        let mut problems: Vec<Problem<'m>> = Vec::new();
        check::attributes(schema, &attributes, &mut |problem| problems.push(problem));
        let named = node.outputs().names().iter().map(|name| !name.is_empty());
        let outputs = outputs_that_count(schema, named.clone());
        check::counts(schema, &present, outputs, &mut |problem| problems.push(problem));
        check::exclusive(schema, &attributes, &present, &mut |problem| problems.push(problem));
        let path = self.analysis.graphs.get(at.graph).map_or("", |info| &*info.path);
        self.analysis.findings.extend(problem::outputs_missing(schema, path, at));
        let mut bindings = check::types(schema, &types, &[], &mut |problem| problems.push(problem));
        let decided = self.decided(schema, at, &attributes, (&present, &types), &mut problems);
        // If the inputs leave the type of an output open, the type decided by a rule or declared by the model must
        // still be allowed.
        let mut open = |(index, name): (usize, &Name)| {
            let parameter = schema.output(index).filter(|parameter| bindings.resolve(parameter).is_none());
            let declaration = || declarations.get(name).filter(|_| !name.is_empty());
            let decided = decided.get(index).copied().flatten();
            decided.or_else(|| {
                let declared = parameter.and_then(|_| self.quiet(declaration()?.message()));
                from_declaration |= declared.is_some();
                declared
            })
        };
        if node.outputs().names().iter().enumerate().any(|output| open(output).is_some()) {
            let open: Vec<Option<Type>> = node.outputs().names().iter().enumerate().map(open).collect();
            bindings = check::types(schema, &types, &open, &mut |problem| {
                if matches!(
                    problem,
                    Problem::TypeNotAllowed { side: Side::Output, .. }
                        | Problem::TypeMismatch { side: Side::Output, .. }
                ) {
                    problems.push(problem);
                }
            });
        }
        let newest = newest(schema, &self.options.registry);
        let given = (!problems.is_empty() && !newest.earlier.is_empty()).then(|| Given {
            attributes: attributes.clone(),
            present: present.clone(),
            types: types.clone(),
            outputs: named.collect(),
            output_types: (node.outputs().names().iter())
                .map(|name| self.quiet(declarations.get(name).filter(|_| !name.is_empty())?.message()))
                .collect(),
        });
        let beside = given.as_ref().map(|given| Beside::new(newest, given));
        for problem in &problems {
            refused |= problem.code().severity() == Severity::Error;
            let found = problem::problem(problem, self.path(at.graph), at, opset, &self.options.registry);
            // What other releases of the runtime say of it comes first.
            self.analysis.findings.push(match beside.as_ref().and_then(|beside| beside.help(problem)) {
                Some(help) => found.help(help),
                None => found,
            });
        }

        // Rules would treat an attribute of unknown value as absent.
        let referred = attributes.iter().any(|attribute| matches!(attribute.value, AttributeValue::Other(_)));
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
                None if !refused && parameter.homogeneous => {
                    if let Some(reason) = self.reason_of_inputs(schema, parameter.ty, values) {
                        found.ty = Err(reason);
                    }
                }
                None => {}
            }
        }
        if (schema.infers() || !schema.requires.is_empty()) && !refused && !referred {
            found = self.rules(at, (schema, opset), &attributes, (values, &present), found);
        }
        self.scratch = Scratch { present, types, declared: from_declaration, outputs: Vec::new() };
        found
    }

    /// Why the type of an output is unknown that shares its type variable with inputs: for the same reason as theirs.
    fn reason_of_inputs(&self, schema: &'static Schema, ty: ParameterType, values: &[Option<u32>]) -> Option<Reason> {
        let shared = |index: usize| schema.input(index).is_some_and(|input| input.ty == ty);
        let inputs = values.iter().enumerate().filter(|(index, _)| shared(*index));
        let value = |id: &Option<u32>| self.analysis.values.get((*id)? as usize);
        inputs.filter_map(|(_, id)| value(id)?.ty.as_ref().err().cloned()).next()
    }

    /// What the version's relations and rules say of the outputs, of which the types are found; a refusal is a finding.
    fn rules(
        &mut self,
        at: NodeAt<'m>,
        (schema, opset): (&'static Schema, u32),
        attributes: &[NodeAttribute<'m>],
        (values, present): (&[Option<u32>], &[bool]),
        mut found: Vec<InferredValue>,
    ) -> Vec<InferredValue> {
        let value = |id: &Option<u32>| self.analysis.values.get((*id)? as usize);
        let unknown: Vec<Option<(usize, Reason)>> =
            values.iter().map(|id| value(id).and_then(Value::few_unknown)).collect();
        let assumed: Vec<Assumed> =
            values.iter().map(|id| value(id).map(|value| self.assumptions.of(value)).unwrap_or_default()).collect();
        let facts: Vec<Option<Fact<'_, Dim>>> = values
            .iter()
            .zip(present)
            .zip(unknown.iter().zip(&assumed))
            .map(|((id, present), (unknown, assumed))| {
                let mut fact = value(id).map(Value::fact).unwrap_or_default();
                fact.dims = assumed.dims.as_deref().or(fact.dims);
                fact.elements = assumed.elements.as_deref().map(Elements::Scalars).or(fact.elements);
                let places = || unknown.as_ref().map(|(count, reason)| Elements::Unknown(*count, reason));
                present.then(|| Fact { elements: fact.elements.or_else(places), ..fact })
            })
            .collect();
        let input = |input: usize| values.get(input).and_then(value);
        let graphs = self.inner_graphs();
        let graph = |attribute: usize, output: usize| {
            let name = schema.attributes.get(attribute)?.name;
            graphs.value(at.node.attribute(name)?.graph()?, output)
        };
        let mut told = Told::default();
        let mut collected = Collected {
            told: &mut told,
            memory: &self.memory,
            analysis: &self.analysis,
            found: &mut found,
            names: at.node.outputs().names(),
            input: &input,
            graph: &graph,
        };
        let mut warned = None;
        let run = schema
            .run_rules(attributes, Inputs(&facts), &graphs, &mut collected, &mut |problem| warned = Some(problem));
        let finding =
            |problem: Problem<'_>| problem::problem(&problem, self.path(at.graph), at, opset, &self.options.registry);
        let help = "the reference and onnxruntime run it; another runtime may refuse it";
        let warned = warned.map(|problem| finding(problem).help(help));
        if let Err(problem) = run {
            let finding = finding(problem);
            let fitting = match problem {
                Problem::Requirement { requirement, .. } => {
                    schema.fitting_axis(requirement, attributes, Inputs(&facts), &graphs)
                }
                _ => None,
            };
            let help = || match fitting {
                Some(fitting) => problem::other_axis(fitting),
                None => problem::inputs(values.iter().copied(), &self.analysis),
            };
            let finding = if finding.help.is_none() { finding.help(help()) } else { finding };
            self.analysis.findings.extend(warned.into_iter().chain([finding]));
            let types = found.into_iter().map(|found| found.ty);
            let nothing = self.nothing(at, &Cause::Refused).into_iter();
            return nothing.zip(types).map(|(found, ty)| InferredValue { ty, ..found }).collect();
        }
        self.analysis.findings.extend(warned);
        told.add_sizes(&mut found, |input| facts.get(input).copied().flatten()?.dims);
        self.assume(at, told, &mut found);
        found
    }

    /// The output types that the version's rules decide; empty without such rules.
    fn decided(
        &self,
        schema: &'static Schema,
        at: NodeAt<'m>,
        attributes: &[NodeAttribute<'m>],
        (present, inputs): (&[bool], &[Option<Type>]),
        problems: &mut Vec<Problem<'m>>,
    ) -> Vec<Option<Type>> {
        if schema.rules.iter().all(|rule| rule.types.is_empty()) {
            return Vec::new();
        }
        let graphs = self.inner_graphs();
        let within = |value: AttributeValue<'_>, output: usize| within(graphs, value, output);
        let query = TypeQuery { attributes, given: present, inputs, within: &within };
        let outputs = 0..at.node.outputs().len();
        let decided = outputs.map(|output| match schema.decided(output, &query) {
            Ok(ty) => ty,
            Err(problem) => {
                problems.push(problem);
                None
            }
        });
        decided.collect()
    }

    /// The views of a node's attributes, and whether one of them is missing: an attribute without a name or a kind is a
    /// finding.
    pub(super) fn attributes(&mut self, at: NodeAt<'m>) -> (Vec<NodeAttribute<'m>>, bool) {
        let mut incomplete = false;
        let mut views = Vec::with_capacity(at.node.attributes().len());
        for attribute in at.node.attributes() {
            let message = match self.attribute_view(attribute) {
                _ if attribute.name().is_empty() => "an attribute has no name".to_owned(),
                // The caller sets no value for it.
                None if !attribute.reference().is_empty() => continue,
                None => format!("the attribute `{}` has neither a kind nor a value", attribute.name()),
                Some(view) => {
                    views.push(view);
                    continue;
                }
            };
            let found = Finding::new(Code::FieldMissing, self.path(at.graph), message).at(at);
            let found = found.expected("a name, a kind and a value").found("not all of them");
            self.analysis.findings.push(found.help("write the attribute again, or remove it"));
            incomplete = true;
        }
        (views, incomplete)
    }

    /// The declared type of a value; errors in the declaration are not reported again.
    fn quiet(&self, declaration: &'m ValueInfoProto) -> Option<Type> {
        type_of(declaration.r#type.as_ref()?)
    }
}

/// The type in an attribute that is a graph, a type or a sparse tensor.
fn within(graphs: InnerGraphs<'_, '_>, value: AttributeValue<'_>, output: usize) -> Option<Type> {
    match value {
        AttributeValue::Graph(graph) => graphs.value(graphs.graph(graph)?, output)?.ty.as_ref().ok().copied(),
        AttributeValue::TypeProto(ty) => type_of(ty.get()?),
        AttributeValue::SparseTensor(tensor) => {
            let tensor: &SparseTensorProto = tensor.get()?;
            let element = DataType::from_number(tensor.values.as_ref()?.data_type?)?;
            Some(Type::tensor(element))
        }
        _ => None,
    }
}
