//! Runs the rules of a version at a node.

use super::sizes::Sizes;
use crate::check;
use crate::code::Severity;
use crate::facts::{Inputs, MultiplyAdds, Outputs, Subgraphs, UnknownCause};
use crate::node::NodeAttribute;
use crate::problem::Problem;
use crate::rule::{self, Argument, DimsRule, FittingAxis, Output, RuleArguments, RuleDimension, Stop};
use crate::schema::{FormalParameter, Requirement, Schema};

/// What a call of a rule gets, by the arguments that the descriptor writes.
fn arguments<'n, 'a: 'n, D: RuleDimension>(
    schema: &'static Schema,
    attributes: &'n [NodeAttribute<'a>],
    inputs: Inputs<'n, D>,
    graphs: &'n dyn Subgraphs<D>,
) -> impl Fn(&'static [Argument]) -> RuleArguments<'n, 'a, D> {
    move |arguments| RuleArguments {
        arguments,
        declared: [schema.attributes, schema.later],
        formal: schema.inputs,
        attributes,
        inputs,
        graphs,
        supposed: None,
    }
}

/// Checks that a node meets the relations of its version, and runs the rules, output by output. A relation whose code is no
/// error refuses no node: `warn` gets the first of these that the node does not meet.
pub(crate) fn run<'a, D: RuleDimension>(
    schema: &'static Schema,
    attributes: &[NodeAttribute<'a>],
    inputs: Inputs<'_, D>,
    graphs: &dyn Subgraphs<D>,
    outputs: &mut dyn Outputs<D>,
    warn: &mut dyn FnMut(Problem<'a>),
) -> Result<(), Problem<'a>> {
    let count = outputs.count();
    let arguments = arguments(schema, attributes, inputs, graphs);
    let broken = |severity: fn(Severity) -> bool| {
        rule::broken(schema.requires, severity, &arguments(&[]), &|output| outputs.given(output))
    };
    if let Some(problem) = broken(|severity| severity == Severity::Error) {
        return Err(problem);
    }
    broken(|severity| severity != Severity::Error).into_iter().for_each(warn);
    let mut outputs = Sizes::new(outputs);
    for rule in schema.rules {
        // A variadic output comes last.
        let variadic = schema.outputs.get(rule.output).is_some_and(FormalParameter::is_variadic);
        let indices = rule.output..if variadic { count } else { count.min(rule.output + 1) };
        let decides = match rule.dims {
            Some(DimsRule::Alternatives(alternatives)) => {
                let chosen =
                    rule::chosen(alternatives, |of| of.condition, &arguments(&[]), &|output| outputs.given(output));
                chosen.map(|chosen| chosen.map(|of| of.dims))
            }
            dims => Ok(dims),
        };
        let gives_elements = decides.is_ok_and(|dims| dims.is_some_and(DimsRule::gives_elements));
        if !rule.multiply_adds.is_empty() && outputs.given(rule.output) {
            let chosen =
                rule::chosen(rule.multiply_adds, |of| of.condition, &arguments(&[]), &|output| outputs.given(output));
            let amount = || rule::amount(&chosen?.ok_or(UnknownCause::Condition)?.number, &arguments(&[]));
            outputs.multiply_adds(rule.output, MultiplyAdds::InAll(&amount));
        }
        for index in indices {
            let mut output = Output::new(&mut outputs, index, rule.output, count);
            let dims = match decides {
                Ok(Some(DimsRule::Call(call))) => rule::run(&call, &arguments(call.arguments), &mut output),
                Ok(Some(DimsRule::Terms(terms))) => rule::dims(terms, &arguments(&[]), &mut output),
                Ok(Some(DimsRule::Alternatives(_))) => Err(UnknownCause::Condition.into()),
                Ok(None) if rule.dims.is_some() => Err(UnknownCause::Condition.into()),
                Ok(None) => Ok(()),
                Err(cause) => Err(cause.into()),
            };
            match dims {
                Ok(()) => {}
                Err(Stop::Unknown(cause)) => {
                    if !output.has_dims() {
                        output.unknown(cause);
                    }
                    if gives_elements && !output.has_elements() {
                        output.elements(Err(cause));
                    }
                }
                Err(Stop::Refused(problem)) => return Err(problem),
            }
            match rule.elements.as_ref().map_or(Ok(()), |call| rule::run(call, &arguments(call.arguments), &mut output))
            {
                Ok(()) => {}
                Err(Stop::Unknown(cause)) => output.elements(Err(cause)),
                Err(Stop::Refused(problem)) => return Err(problem),
            }
            outputs.check()?;
        }
    }
    rule::implied(schema.requires, &arguments(&[]), &mut outputs);
    Ok(())
}

impl Schema {
    /// Infers the outputs of a node whose inputs have known dimensions. Nothing is inferred for an output without a rule.
    ///
    /// # Errors
    /// The first attribute that cannot be read, or the problem that a rule finds.
    pub fn infer<'a>(
        &'static self,
        attributes: &[NodeAttribute<'a>],
        inputs: Inputs<'_, u64>,
        outputs: &mut dyn Outputs<u64>,
    ) -> Result<(), Problem<'a>> {
        self.check_values(attributes)?;
        run(self, attributes, inputs, &(), outputs, &mut |_| ())
    }

    /// Infers the outputs of a node whose inputs may have symbolic and unknown dimensions. Nothing is inferred for an output
    /// without a rule.
    ///
    /// # Errors
    /// The first attribute that cannot be read, or the problem that a rule finds.
    #[cfg(feature = "alloc")]
    pub fn infer_symbolic<'a>(
        &'static self,
        attributes: &[NodeAttribute<'a>],
        inputs: Inputs<'_, crate::symbolic::Dim>,
        outputs: &mut dyn Outputs<crate::symbolic::Dim>,
    ) -> Result<(), Problem<'a>> {
        self.check_values(attributes)?;
        run(self, attributes, inputs, &(), outputs, &mut |_| ())
    }

    /// Infers the outputs of a node whose attributes have been checked, with what is known of the graphs in them. Nothing is
    /// inferred for an output without a rule. `warn` gets what does not refuse the node.
    ///
    /// # Errors
    /// The problem that a rule finds.
    pub fn run_rules<'a, D: RuleDimension>(
        &'static self,
        attributes: &[NodeAttribute<'a>],
        inputs: Inputs<'_, D>,
        graphs: &dyn Subgraphs<D>,
        outputs: &mut dyn Outputs<D>,
        warn: &mut dyn FnMut(Problem<'a>),
    ) -> Result<(), Problem<'a>> {
        run(self, attributes, inputs, graphs, outputs, warn)
    }

    /// The one axis with which a node would meet a relation that it does not meet, where an attribute names another one.
    #[must_use]
    pub fn fitting_axis<D: RuleDimension>(
        &'static self,
        requirement: &Requirement,
        attributes: &[NodeAttribute<'_>],
        inputs: Inputs<'_, D>,
        graphs: &dyn Subgraphs<D>,
    ) -> Option<FittingAxis> {
        rule::fitting(requirement, &arguments(self, attributes, inputs, graphs)(&[]))
    }

    fn check_values<'a>(&'static self, attributes: &[NodeAttribute<'a>]) -> Result<(), Problem<'a>> {
        for found in attributes {
            if let Some(attribute) = self.attribute(found.name) {
                check::value(attribute, found)?;
            }
        }
        Ok(())
    }

    /// Whether dimensions or elements of its outputs are inferred, not only types.
    #[must_use]
    pub fn infers(&self) -> bool {
        self.rules.iter().any(|rule| rule.dims.is_some() || rule.elements.is_some())
    }

    /// Whether rules compute the elements of all its outputs, so that they can run a node.
    #[must_use]
    pub fn computes(&self) -> bool {
        let computed = |output: usize| self.rules.iter().any(|rule| rule.output == output && rule.gives_elements());
        !self.outputs.is_empty() && (0..self.outputs.len()).all(computed)
    }
}
