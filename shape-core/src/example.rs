//! The examples of the descriptors, and how a version is held to them.
//!
//! The macro writes each example as a static [`Example`] and a test that calls [`Example::check`].

use crate::check;
use crate::code::{Code, Severity};
use crate::data_type::DataType;
use crate::dims::{Dimension, Dims, Fact, Inputs, Outputs};
use crate::elements::Elements;
use crate::node::NodeAttribute;
use crate::schema::Schema;
use crate::types::Type;

/// A node, and what it must give.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Its name in the descriptor.
    pub name: &'static str,
    /// The file and line of the descriptor where it stands: `ai.onnx/Shape.yaml:33`.
    pub origin: &'static str,
    /// The first version that it holds for.
    pub since: u32,
    /// The version from which on it holds no longer.
    pub until: Option<u32>,
    /// The inputs, in their order.
    pub inputs: &'static [ExampleTensor],
    /// The attributes that the node gives.
    pub attributes: &'static [NodeAttribute<'static>],
    /// What comes of it.
    pub expect: Expectation,
}

/// A tensor of an example.
#[derive(Clone, Copy, Debug)]
pub struct ExampleTensor {
    /// Its element type.
    pub data_type: DataType,
    /// Its dimensions.
    pub dims: &'static [u64],
    /// Its elements, where they are int64 and matter.
    pub values: Option<&'static [i64]>,
}

impl ExampleTensor {
    /// What a rule is told of it, but for the dimensions, whose type the rule chooses.
    fn fact<D: Dimension>(&self) -> Fact<'static, D> {
        Fact { ty: Some(Type::tensor(self.data_type)), dims: None, elements: self.values.map(Elements::Ints) }
    }
}

/// What an example must give.
#[derive(Clone, Copy, Debug)]
pub enum Expectation {
    /// These outputs.
    Outputs(&'static [ExampleTensor]),
    /// A finding with this code.
    Error(Code),
}

impl Example {
    /// Runs the example on each of an operator's versions that it holds for: the checks of the schema, then the rule,
    /// once on numbers and once on dimensions that may be symbolic.
    ///
    /// # Panics
    /// A version does not give what the example says, or it holds for none. This is for tests.
    #[track_caller]
    pub fn check(&self, versions: &[&'static Schema]) {
        let holds = |since| self.since <= since && self.until.is_none_or(|until| since < until);
        let mut versions = versions.iter().filter(|schema| holds(schema.since_version)).peekable();
        assert!(versions.peek().is_some(), "example {} ({}) holds for no version", self.name, self.origin);
        versions.for_each(|schema| self.check_version(schema));
    }

    #[expect(clippy::panic, reason = "a test tells its failure so")]
    #[track_caller]
    fn check_version(&self, schema: &'static Schema) {
        let Self { name, origin, inputs, attributes, expect, .. } = self;
        let place = format_args!("{}-{}, example {name} ({origin})", schema.name, schema.since_version);
        let mut expected_error_came = false;
        let mut report = |problem: check::Problem<'_>| match expect {
            Expectation::Error(code) if *code == problem.code() => expected_error_came = true,
            _ if problem.code().severity() < Severity::Error => {}
            _ => panic!("{place}: {problem} ({})", problem.code()),
        };
        check::attributes(schema, attributes, &mut report);
        let mut types = [None; MOST];
        let mut given = [false; MOST];
        assert!(inputs.len() <= MOST, "{place}: an example has at most {MOST} inputs");
        for ((ty, given), input) in types.iter_mut().zip(&mut given).zip(*inputs) {
            (*ty, *given) = (Some(Type::tensor(input.data_type)), true);
        }
        let outputs = match expect {
            Expectation::Outputs(outputs) => outputs.len(),
            Expectation::Error(_) => schema.outputs.len(),
        };
        let types = types.get(..inputs.len()).unwrap_or_default();
        check::counts(schema, given.get(..inputs.len()).unwrap_or_default(), outputs, &mut |problem| report(problem));
        let bindings = check::types(schema, types, &[], &mut |problem| report(problem));
        let outputs = match expect {
            Expectation::Outputs(outputs) => outputs,
            Expectation::Error(_) if expected_error_came => return,
            Expectation::Error(_) => &[][..],
        };
        for (index, output) in outputs.iter().enumerate() {
            let inferred = schema.output(index).and_then(|parameter| bindings.resolve(parameter));
            assert_eq!(inferred, Some(Type::tensor(output.data_type)), "{place}: the type of output {index}");
        }
        if schema.rule.is_none() {
            return;
        }
        let mut facts = [None; MOST];
        for (fact, input) in facts.iter_mut().zip(*inputs) {
            *fact = Some(Fact { dims: Some(input.dims), ..input.fact() });
        }
        let inputs = Inputs(facts.get(..inputs.len()).unwrap_or_default());
        let settle = |result: Result<(), check::Problem<'_>>, seen: Seen<'_>| match (result, expect) {
            (Ok(()), Expectation::Outputs(_)) => seen.finish(),
            (Err(problem), Expectation::Error(code)) if problem.code() == *code => {}
            (Ok(()), Expectation::Error(code)) => panic!("{place}: accepted, where {code} is expected"),
            (Err(problem), _) => panic!("{place}: {problem} ({})", problem.code()),
        };
        let mut seen = Seen { inputs: self.inputs, outputs, dims: 0, values: 0, place };
        settle(schema.infer(attributes, inputs, &mut seen), seen);
        #[cfg(feature = "alloc")]
        {
            use crate::symbolic::Dim;
            use alloc::vec::Vec;

            let dims: Vec<Vec<Dim>> =
                self.inputs.iter().map(|input| input.dims.iter().copied().map(Dim::Known).collect()).collect();
            let facts: Vec<_> = (self.inputs.iter().zip(&dims))
                .map(|(input, dims)| Some(Fact { dims: Some(&**dims), ..input.fact() }))
                .collect();
            let mut seen = Seen { inputs: self.inputs, outputs, dims: 0, values: 0, place };
            settle(schema.infer_symbolic(attributes, Inputs(&facts), &mut seen), seen);
        }
    }
}

/// The names that the generated tests are written with.
pub mod names {
    pub use super::{Example, Expectation, int64s, tensor};
    pub use crate::code::Code;
    pub use crate::data_type::DataType;
    pub use crate::node::AttributeValue;
    pub use crate::schema::Schema;
    pub use core::option::Option::{None, Some};

    use crate::node::NodeAttribute;

    /// An attribute that the node of an example gives.
    #[must_use]
    pub const fn given(name: &'static str, value: AttributeValue<'static>) -> NodeAttribute<'static> {
        NodeAttribute::new(name, value)
    }
}

/// A tensor of which only type and dimensions matter.
#[must_use]
pub const fn tensor(data_type: DataType, dims: &'static [u64]) -> ExampleTensor {
    ExampleTensor { data_type, dims, values: None }
}

/// An int64 tensor with its elements in row-major order.
#[must_use]
pub const fn int64s(dims: &'static [u64], values: &'static [i64]) -> ExampleTensor {
    ExampleTensor { data_type: DataType::Int64, dims, values: Some(values) }
}

/// The most inputs of an example.
const MOST: usize = 16;

/// Compares what a rule says with what the example does, as it comes.
struct Seen<'e> {
    inputs: &'e [ExampleTensor],
    outputs: &'e [ExampleTensor],
    dims: usize,
    values: usize,
    place: core::fmt::Arguments<'e>,
}

impl Seen<'_> {
    /// Every output had dimensions, and elements where the example lists them.
    fn finish(self) {
        let Self { outputs, dims, values, place, .. } = self;
        assert_eq!(dims, outputs.len(), "{place}: the number of outputs with dimensions");
        let listed = outputs.iter().filter(|output| output.values.is_some()).count();
        assert_eq!(values, listed, "{place}: the number of outputs with elements");
    }
}

impl<D: Dimension> Outputs<D> for Seen<'_> {
    #[expect(clippy::panic, reason = "a test tells its failure so")]
    fn dims(&mut self, output: usize, dims: Dims<'_, D>) {
        let place = self.place;
        let Ok(rank) = dims.rank() else { panic!("{place}: the dimensions of output {output} stay unknown") };
        let expected = self.outputs.get(output).map(|output| output.dims).unwrap_or_default();
        let same = |axis: usize| dims.dim(axis).ok().and_then(|dim| dim.known()) == expected.get(axis).copied();
        let equal = rank == expected.len() && (0..rank).all(same);
        assert!(equal, "{place}: output {output} has dims {dims:?}, expected {expected:?}");
        self.dims += 1;
    }

    fn sizes(&mut self, output: usize, sizes: &[D]) {
        let sizes = sizes.iter().map(|size| size.known().and_then(|size| i64::try_from(size).ok()));
        self.elements(output, sizes);
    }

    fn elements_of(&mut self, output: usize, input: usize) {
        let Some(values) = self.inputs.get(input).and_then(|input| input.values) else { return };
        self.elements(output, values.iter().copied().map(Some));
    }
}

impl Seen<'_> {
    fn elements(&mut self, output: usize, found: impl Iterator<Item = Option<i64>>) {
        let place = self.place;
        let Some(expected) = self.outputs.get(output).and_then(|output| output.values) else { return };
        let equal = found.eq(expected.iter().copied().map(Some));
        assert!(equal, "{place}: output {output} does not hold {expected:?}");
        self.values += 1;
    }
}
