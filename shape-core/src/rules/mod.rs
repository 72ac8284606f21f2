//! What decides the outputs of a node, as descriptors say it: where a type comes from, and what gives the dimensions and
//! the elements.
//!
//! A descriptor calls a rule with attributes, inputs and numbers in the place of its parameters,
//! `reduce(data, axes, keepdims)`, or lists the dimensions one by one, `[X[0], 2*X[1]]`. The rules, their parameters and
//! what each gives stand in `specs/rules.yaml`, a family of them in a file here. A rule reads its arguments by the names
//! of its [`parameters`], so that the same lines read axes that one version has as an attribute and the next one as an
//! input.
//!
//! **Architecture Invariant.** A rule knows no version of an operator. It allocates nothing, never panics, and is generic
//! over the dimension: the same lines serve numbers and symbols.

mod arguments;
mod axes;
mod grid;
mod refuse;
mod terms;
mod types;

mod affine_grid;
mod array_feature_extractor;
mod attention;
mod batch_normalization;
mod broadcast;
mod center_crop_pad;
mod col2im;
mod compress;
mod concat;
mod constant;
mod control_flow;
mod conv;
mod depth_space;
mod det;
mod dft;
mod einsum;
mod elementwise;
mod flatten;
mod gather;
mod grid_sample;
mod identity;
mod image_decoder;
mod kept;
mod layer_normalization;
mod loss;
mod matmul;
mod non_zero;
mod one_hot;
mod optional;
mod pad;
mod pool;
mod prediction;
mod quantize;
mod range;
mod recurrent;
mod reduce;
pub mod reshape;
mod resize;
mod roi;
mod sequence;
pub mod shape;
mod size;
mod slice;
mod split;
mod squeeze;
mod string_normalizer;
mod tf_idf_vectorizer;
mod tile;
mod top_k;
mod transpose;
mod unique;
mod updated;
mod window;

use core::fmt;

use crate::check::Problem;
use crate::dims::{Dimension, Inputs, Outputs, Subgraphs, UnknownCause};
use crate::node::NodeAttribute;
use crate::schema::{FormalParameter, Schema};

pub use arguments::{Count, Graph, GraphOutput, InputList, Integer, List, Numbers, Output, RuleArguments};
#[cfg(feature = "model")]
pub(crate) use axes::axis;
pub use terms::{Expression, Term, display as display_terms};
pub use types::{Asked, Condition, TypeOf, TypeSource};

/// What decides an output.
#[derive(Clone, Copy, Debug)]
pub struct OutputRule {
    /// The place of the output in [`Schema::outputs`]; a variadic one stands for every place from its own on.
    pub output: usize,
    /// Where its type comes from, if the inputs leave it open; the first that says something decides.
    pub types: &'static [TypeSource],
    /// What gives its dimensions, and where the rule gives elements, these too.
    pub dims: Option<DimsRule>,
    /// What gives its elements, where that is another rule.
    pub elements: Option<Call>,
}

impl OutputRule {
    /// What an operator of one's own does that implements [`Infer`](crate::Infer): it gives all its outputs at once.
    #[doc(hidden)]
    #[must_use]
    pub const fn whole(rule: Rule) -> Self {
        Self { output: 0, types: &[], dims: Some(DimsRule::Call(Call { rule, arguments: &[] })), elements: None }
    }

    /// The places of the inputs that it reads; of a variadic one the first.
    pub fn inputs(&self) -> impl Iterator<Item = usize> {
        let (call, terms) = match self.dims {
            Some(DimsRule::Call(call)) => (call.arguments, &[][..]),
            Some(DimsRule::Terms(terms)) => (&[][..], terms),
            None => (&[][..], &[][..]),
        };
        let arguments = call.iter().chain(self.elements.map_or(&[][..], |call| call.arguments));
        let inputs =
            arguments.filter_map(|argument| if let Argument::Input(index) = argument { Some(*index) } else { None });
        inputs.chain(terms.iter().flat_map(Term::inputs).flatten())
    }

    /// Whether elements are given, all of them where all that are read are known.
    #[must_use]
    pub fn gives_elements(&self) -> bool {
        let by_dims = matches!(self.dims, Some(DimsRule::Call(call)) if call.rule.gives_elements);
        by_dims || self.elements.is_some()
    }
}

/// What gives the dimensions of an output.
#[derive(Clone, Copy, Debug)]
pub enum DimsRule {
    /// A rule.
    Call(Call),
    /// The dimensions one by one.
    Terms(&'static [Term]),
}

/// A rule with its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The rule.
    pub rule: Rule,
    /// The arguments, in the order of its parameters.
    pub arguments: &'static [Argument],
}

/// An argument of a rule.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// Nothing.
    Absent,
    /// A number.
    Int(i64),
    /// The attribute at this place of [`Schema::attributes`], or its default.
    Attribute(usize),
    /// The input at this place; of a variadic one all from there on.
    Input(usize),
}

/// Why a rule ends before it has said all of an output.
#[derive(Debug)]
pub enum Stop<'a> {
    /// What is left is unknown, and why.
    Unknown(UnknownCause),
    /// The node is wrong.
    Refused(Problem<'a>),
}

impl From<UnknownCause> for Stop<'_> {
    fn from(cause: UnknownCause) -> Self {
        Self::Unknown(cause)
    }
}

impl<'a> From<Problem<'a>> for Stop<'a> {
    fn from(problem: Problem<'a>) -> Self {
        Self::Refused(problem)
    }
}

/// What a rule returns.
pub type Done = Result<(), Stop<'static>>;

type Run<D> = for<'n, 'a> fn(&RuleArguments<'n, 'a, D>, &mut Output<'_, D>) -> Result<(), Stop<'a>>;

/// A rule, behind function pointers, so that a table can hold it.
#[derive(Clone, Copy)]
pub struct Rule {
    name: &'static str,
    gives_elements: bool,
    concrete: Run<u64>,
    #[cfg(feature = "alloc")]
    symbolic: Run<crate::symbolic::Dim>,
}

impl fmt::Debug for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

impl Rule {
    /// A rule of one's own, by its name; for generated code, which has the same function for each kind of dimension.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        name: &'static str,
        gives_elements: bool,
        concrete: Run<u64>,
        #[cfg(feature = "alloc")] symbolic: Run<crate::symbolic::Dim>,
    ) -> Self {
        Self {
            name,
            gives_elements,
            concrete,
            #[cfg(feature = "alloc")]
            symbolic,
        }
    }

    /// The name that descriptors have for it: one of `specs/rules.yaml`, or a path.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The rule of a name of `specs/rules.yaml`.
    ///
    /// ```
    /// use shape_core::rules::Rule;
    /// assert_eq!(Rule::by_name("reduce").unwrap().name(), "reduce");
    /// assert!(Rule::by_name("reduces").is_none());
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        ALL.iter().find(|rule| rule.name == name).copied()
    }
}

/// A [`Rule`] for every kind of dimension there is, from what it does with its arguments and its output.
#[cfg(feature = "alloc")]
#[doc(hidden)]
#[macro_export]
macro_rules! rule {
    ($name:expr, $gives_elements:expr, |$arguments:ident, $output:ident| $body:expr) => {{
        fn run<'a, D: $crate::dims::Dimension>(
            $arguments: &$crate::rules::RuleArguments<'_, 'a, D>,
            $output: &mut $crate::rules::Output<'_, D>,
        ) -> ::core::result::Result<(), $crate::rules::Stop<'a>> {
            $body
        }
        $crate::rules::Rule::new($name, $gives_elements, run::<::core::primitive::u64>, run::<$crate::symbolic::Dim>)
    }};
}

/// A [`Rule`] for every kind of dimension there is, from what it does with its arguments and its output.
#[cfg(not(feature = "alloc"))]
#[doc(hidden)]
#[macro_export]
macro_rules! rule {
    ($name:expr, $gives_elements:expr, |$arguments:ident, $output:ident| $body:expr) => {{
        fn run<'a, D: $crate::dims::Dimension>(
            $arguments: &$crate::rules::RuleArguments<'_, 'a, D>,
            $output: &mut $crate::rules::Output<'_, D>,
        ) -> ::core::result::Result<(), $crate::rules::Stop<'a>> {
            $body
        }
        $crate::rules::Rule::new($name, $gives_elements, run::<::core::primitive::u64>)
    }};
}

shape_macros::rules!();

/// A kind of dimension that a [`Rule`] is run with: `u64`, and with the feature `alloc` [`Dim`](crate::Dim).
pub trait RuleDimension: Dimension {
    /// The function of a rule for it.
    #[doc(hidden)]
    fn function(rule: Rule) -> Run<Self>;
}

impl RuleDimension for u64 {
    fn function(rule: Rule) -> Run<Self> {
        rule.concrete
    }
}

#[cfg(feature = "alloc")]
impl RuleDimension for crate::symbolic::Dim {
    fn function(rule: Rule) -> Run<Self> {
        rule.symbolic
    }
}

/// Runs the rules of a version, output by output.
pub(crate) fn run<'a, D: RuleDimension>(
    schema: &'static Schema,
    attributes: &[NodeAttribute<'a>],
    inputs: Inputs<'_, D>,
    graphs: &dyn Subgraphs<D>,
    outputs: &mut dyn Outputs<D>,
) -> Result<(), Problem<'a>> {
    let count = outputs.count();
    for rule in schema.rules {
        // A variadic output comes last.
        let variadic = schema.outputs.get(rule.output).is_some_and(FormalParameter::is_variadic);
        let places = rule.output..if variadic { count } else { count.min(rule.output + 1) };
        for place in places {
            let mut output = Output::new(outputs, place, rule.output, count);
            let arguments =
                |call: &Call| RuleArguments { arguments: call.arguments, schema, attributes, inputs, graphs };
            let dims = match &rule.dims {
                None => Ok(()),
                Some(DimsRule::Call(call)) => D::function(call.rule)(&arguments(call), &mut output),
                Some(DimsRule::Terms(terms)) => {
                    let none = RuleArguments { arguments: &[], schema, attributes, inputs, graphs };
                    terms::dims(terms, &none, &mut output)
                }
            };
            match dims {
                Ok(()) => {}
                Err(Stop::Unknown(cause)) => {
                    if !output.has_dims() {
                        output.unknown(cause);
                    }
                    if matches!(rule.dims, Some(DimsRule::Call(call)) if call.rule.gives_elements)
                        && !output.has_elements()
                    {
                        output.elements(Err(cause));
                    }
                }
                Err(Stop::Refused(problem)) => return Err(problem),
            }
            match rule.elements.as_ref().map_or(Ok(()), |call| D::function(call.rule)(&arguments(call), &mut output)) {
                Ok(()) => {}
                Err(Stop::Unknown(cause)) => output.elements(Err(cause)),
                Err(Stop::Refused(problem)) => return Err(problem),
            }
        }
    }
    Ok(())
}
