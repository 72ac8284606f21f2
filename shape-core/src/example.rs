//! The examples of descriptors, and the runner that checks a version against them.
//!
//! An example is a node and its expected outputs. The schema checks its types, and the rules check its dimensions and the
//! elements that they compute; an example must mark what nothing checks ([`Value::unchecked`]). Dimensions may be symbols
//! and expressions: the rules run on them, and on numbers too if all are numbers. `shape specs lint`, the tests
//! of generated operators and those of `operators!` call [`check`](check()) and report the same.

mod data;
mod read;
mod texts;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::check;
use crate::code::Severity;
use crate::data_type::DataType;
use crate::dimension::Dimension;
use crate::elements::{Elements, Scalar};
use crate::facts::{Dims, EachElement, Fact, Inputs, Outputs, Subgraphs, UnknownCause};
use crate::infer;
use crate::infer::TypeQuery;
use crate::node::{AttributeValue, DimsStorage, GraphView, NodeAttribute};
use crate::problem::{Problem, Side};
use crate::rule::RuleDimension;
use crate::runtime::RuntimeRelease;
use crate::schema::{Operand, Part, Requirement, Schema, arity};
use crate::symbolic::{Dim, Symbols};
use crate::types::Type;

pub use data::{Argument, Entry, Example, Expectation, Graph, Place, Value};
#[doc(hidden)]
pub use read::{Unreadable, read};
#[doc(hidden)]
pub use texts::{Held, Texts};

/// Where an example and a version differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Its location in the descriptor.
    pub place: Place,
    /// The version.
    pub since: u32,
    /// The release of its runtime that has the version so, if one changed it.
    pub release: Option<RuntimeRelease>,
    /// The name of the example.
    pub example: &'static str,
    /// What differs: `axis 1 of output 0 (Y)`.
    pub what: String,
    /// What the example says.
    pub expected: String,
    /// What the schema and the rules infer.
    pub found: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { since, release, example, what, expected, found, .. } = self;
        write!(formatter, "version {since}")?;
        if let Some(release) = release {
            write!(formatter, " of {release}")?;
        }
        write!(formatter, ", example `{example}`: {what}: expected {expected}, found {found}")
    }
}

/// Checks a version against the examples that apply to it.
///
/// ```
/// # #[cfg(feature = "ai-onnx")] {
/// use shape_core::example::{Entry, Example, Expectation, Place, Value, check};
/// use shape_core::{DataType, Registry, Type};
///
/// const AT: Place = Place { line: 7, column: 3 };
/// const fn value(dims: &'static [Entry]) -> Option<Value> {
///     Some(Value { ty: Type::tensor(DataType::Float), place: AT, dims: Some(dims), elements: None, unchecked: None })
/// }
/// const N: Entry = Entry { text: "N", place: AT };
/// const THREE: Entry = Entry { text: "3", place: AT };
/// static WRONG: [Example; 1] = [Example {
///     name: "turned",
///     place: AT,
///     since: 1,
///     until: None,
///     release: None,
///     inputs: &[value(&[N, THREE])],
///     attributes: &[],
///     expect: Expectation::Outputs(&[value(&[N, THREE])]),
/// }];
/// let transpose = Registry::builtin().resolve("", "Transpose", 21).unwrap();
/// let found = check(transpose, &WRONG);
/// let all: Vec<String> = found.iter().map(ToString::to_string).collect();
/// assert_eq!(all, [
///     "version 21, example `turned`: axis 0 of output 0 (`transposed`): expected N, found 3",
///     "version 21, example `turned`: axis 1 of output 0 (`transposed`): expected 3, found N",
/// ]);
/// # }
/// ```
#[must_use]
pub fn check(schema: &'static Schema, examples: &[Example]) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    for example in examples.iter().filter(|example| example.holds_for(schema)) {
        Run { schema, example, texts: Texts::default(), mismatches: &mut mismatches }.check();
    }
    mismatches
}

/// The relations among attributes and inputs that a version requires and that no example breaks.
///
/// ```
/// # #[cfg(feature = "ai-onnx")] {
/// use shape_core::Registry;
/// use shape_core::example::unbroken;
/// let conv = Registry::builtin().resolve("", "Conv", 22).unwrap();
/// assert_eq!(unbroken(conv, &[]).len(), conv.requires.len());
/// # }
/// ```
#[must_use]
pub fn unbroken(schema: &'static Schema, examples: &[Example]) -> Vec<&'static Requirement> {
    // An example that is refused does not say which outputs it gives.
    let of_outputs = |(_, operand): &(&str, Operand)| matches!(operand, Operand::Given(Part::Output(_)));
    let mut unbroken: Vec<&'static Requirement> = schema.requires.iter().collect();
    unbroken.retain(|requirement| !requirement.operands.iter().any(of_outputs));
    let refused = |example: &&Example| example.holds_for(schema) && matches!(example.expect, Expectation::Error(_));
    for example in examples.iter().filter(refused) {
        if unbroken.is_empty() {
            break;
        }
        let mut run = Run { schema, example, texts: Texts::default(), mismatches: &mut Vec::new() };
        if let Some(broken) = run.check() {
            unbroken.retain(|requirement| requirement.text != broken.text);
        }
    }
    unbroken
}

/// Checks a version against the examples in a text that apply to it, for a generated test.
///
/// # Panics
/// The text cannot be read, an example and the version differ, or no example applies to it.
#[doc(hidden)]
#[track_caller]
#[expect(clippy::panic, reason = "a test tells its failure so")]
pub fn assert(file: &str, schema: &'static Schema, text: &'static str, places: &[(u32, u32)]) {
    let Schema { name, since_version, .. } = schema;
    let examples = examples_of(file, text, places);
    hold(file, schema, &examples);
    if let [unbroken, ..] = &*unbroken(schema, &examples) {
        panic!("{file}: no example of {name}-{since_version} breaks `{}`", unbroken.text);
    }
}

#[track_caller]
#[expect(clippy::panic, reason = "a test tells its failure so")]
fn examples_of(file: &str, text: &'static str, places: &[(u32, u32)]) -> Vec<Example> {
    let places: Vec<Place> = places.iter().map(|(line, column)| Place { line: *line, column: *column }).collect();
    read(text, &places).unwrap_or_else(|error| panic!("{file}: the text of the examples: {error}"))
}

#[track_caller]
#[expect(clippy::panic, reason = "a test tells its failure so")]
fn hold(file: &str, schema: &'static Schema, examples: &[Example]) {
    let Schema { name, since_version, .. } = schema;
    let holds = examples.iter().any(|example| example.holds_for(schema));
    assert!(holds, "{file}: no example holds for {name}-{since_version}");
    let mismatches = check(schema, examples);
    if !mismatches.is_empty() {
        let text = |mismatch: &Mismatch| {
            let Place { line, column } = mismatch.place;
            format!("\n{file}:{line}:{column}: {name}, {mismatch}")
        };
        panic!("{}", mismatches.iter().map(text).collect::<String>());
    }
}

/// The same for a version as an earlier release has it. What relations refuse, the examples of the newest release tell.
///
/// # Panics
/// As [`assert`].
#[doc(hidden)]
#[track_caller]
pub fn assert_earlier(file: &str, schema: &'static Schema, text: &'static str) {
    hold(file, schema, &examples_of(file, text, &[]));
}

/// One example on one version.
struct Run<'r> {
    schema: &'static Schema,
    example: &'r Example,
    texts: Texts,
    mismatches: &'r mut Vec<Mismatch>,
}

/// What a rule inferred for an output.
#[derive(Clone, Debug)]
struct Said<D: Dimension> {
    dims: Option<Result<Vec<Option<D>>, UnknownCause>>,
    elements: Option<Result<Vec<Scalar<D>>, UnknownCause>>,
}

/// The dimensions or elements of each input.
type Lists<T> = [Option<Vec<T>>];

impl Run<'_> {
    fn mismatch(&mut self, place: Place, what: String, expected: &dyn fmt::Display, found: &dyn fmt::Display) {
        self.mismatches.push(Mismatch {
            place,
            since: self.schema.since_version,
            release: self.schema.release,
            example: self.example.name,
            what,
            expected: expected.to_string(),
            found: found.to_string(),
        });
    }

    /// The relation that the example breaks, if it does.
    fn check(&mut self) -> Option<&'static Requirement> {
        let (schema, example) = (self.schema, *self.example);
        let held: Vec<Held> = example.attributes.iter().map(|(_, argument)| Held::of(argument)).collect();
        let attributes: Vec<NodeAttribute<'_>> = (example.attributes.iter().zip(&held))
            .map(|((name, argument), held)| NodeAttribute::new(name, held.view(argument)))
            .collect();
        let mut problems: Vec<Problem<'_>> = Vec::new();
        check::attributes(schema, &attributes, &mut |problem| problems.push(problem));
        let given: Vec<bool> = example.inputs.iter().map(Option::is_some).collect();
        let types: Vec<Option<Type>> = example.inputs.iter().map(|input| input.map(|input| input.ty)).collect();
        let given_outputs = match example.expect {
            Expectation::Outputs(outputs) => outputs.iter().map(Option::is_some).collect(),
            Expectation::Error(_) => alloc::vec![true; arity(schema.outputs).0.max(1)],
        };
        let count = given_outputs.len();
        check::counts(schema, &given, count, &mut |problem| problems.push(problem));
        check::exclusive(schema, &attributes, &given, &mut |problem| problems.push(problem));
        let bindings = check::types(schema, &types, &[], &mut |problem| problems.push(problem));
        let asked = TypeQuery { attributes: &attributes, given: &given, inputs: &types, within: &within };
        let mut decided = Vec::new();
        for index in 0..count {
            decided.push(schema.decided(index, &asked).unwrap_or_else(|problem| {
                problems.push(problem);
                None
            }));
        }
        let found: Vec<Option<Type>> = (decided.iter().enumerate())
            .map(|(index, decided)| decided.or_else(|| bindings.resolve(schema.output(index)?)))
            .collect();
        check::types(schema, &types, &found, &mut |problem| {
            if matches!(
                problem,
                Problem::TypeNotAllowed { side: Side::Output, .. } | Problem::TypeMismatch { side: Side::Output, .. }
            ) {
                problems.push(problem);
            }
        });
        let refused = problems.iter().any(|problem| problem.code().severity() == Severity::Error);
        let dims: Vec<Option<Vec<Dim>>> =
            example.inputs.iter().map(|input| self.texts.dims(input.as_ref()?.dims?)).collect();
        let elements: Vec<Option<Vec<Scalar<Dim>>>> =
            example.inputs.iter().map(|input| self.texts.elements(input.as_ref()?)).collect();
        let graphs = self.graphs();
        let mut said = None;
        if !refused {
            let facts = facts(example.inputs, &dims, &elements);
            let warn = &mut |problem| problems.push(problem);
            match run(schema, &attributes, (&facts, &graphs), &found, &given_outputs, warn) {
                Ok(symbolic) => said = Some(symbolic),
                Err(problem) => problems.push(problem),
            }
        }
        let broken = problems.iter().find_map(|problem| match problem {
            Problem::Requirement { requirement, .. } => Some(*requirement),
            _ => None,
        });
        let codes = problems.iter().filter(|problem| problem.code().severity() == Severity::Error);
        match example.expect {
            Expectation::Error(code) => {
                let others: Vec<&Problem<'_>> = codes.filter(|problem| problem.code() != code).collect();
                let came = problems.iter().any(|problem| problem.code() == code);
                if let Some(other) = others.first() {
                    let found = format!("{} ({other})", other.code());
                    self.mismatch(example.place, "the refusal".to_owned(), &code, &found);
                } else if !came {
                    self.mismatch(example.place, "the refusal".to_owned(), &code, &"no finding");
                }
            }
            Expectation::Outputs(outputs) => {
                for problem in codes {
                    let found = format!(
                        "{problem} ({}): expected {}, found {}",
                        problem.code(),
                        problem.expected(),
                        problem.found()
                    );
                    self.mismatch(self.place(problem), "the node".to_owned(), &"no error", &found);
                }
                for (index, output) in outputs.iter().enumerate() {
                    let Some(output) = output else { continue };
                    self.output_type(index, output, found.get(index).copied().flatten(), &types);
                    if let Some(said) = said.as_ref().and_then(|said| said.get(index)) {
                        self.output(index, output, said);
                    }
                }
                if said.is_some() {
                    self.on_numbers(&attributes, (&dims, &elements, &graphs), &found, outputs);
                }
            }
        }
        broken
    }

    /// The location of what a problem is about: an input or output, or else the example.
    fn place(&self, problem: &Problem<'_>) -> Place {
        let at = match problem {
            Problem::TypeNotAllowed { side, index, .. } | Problem::TypeMismatch { side, index, .. } => {
                match (side, self.example.expect) {
                    (Side::Input, _) => self.example.inputs.get(*index),
                    (Side::Output, Expectation::Outputs(outputs)) => outputs.get(*index),
                    (Side::Output, Expectation::Error(_)) => None,
                }
            }
            _ => None,
        };
        at.and_then(Option::as_ref).map_or(self.example.place, |value| value.place)
    }

    /// `output 0 (Y)`
    fn name(&self, index: usize) -> String {
        format!("output {index} (`{}`)", self.schema.output(index).map_or("", |output| output.name))
    }

    fn output_type(&mut self, index: usize, output: &Value, found: Option<Type>, inputs: &[Option<Type>]) {
        match found {
            Some(found) if found == output.ty => {}
            Some(found) => self.mismatch(output.place, format!("the type of {}", self.name(index)), &output.ty, &found),
            None => {
                // Nothing decides the type, and several are allowed.
                let mut types = alloc::vec![None; index];
                types.push(Some(output.ty));
                let mut refused = None;
                check::types(self.schema, inputs, &types, &mut |problem| {
                    if matches!(
                        problem,
                        Problem::TypeNotAllowed { side: Side::Output, .. }
                            | Problem::TypeMismatch { side: Side::Output, .. }
                    ) {
                        refused = Some(problem.expected().to_string());
                    }
                });
                if let Some(allowed) = refused {
                    self.mismatch(output.place, format!("the type of {}", self.name(index)), &output.ty, &allowed);
                }
            }
        }
    }

    /// Runs the rules on dimensions that may be symbols.
    fn output(&mut self, index: usize, output: &Value, said: &Said<Dim>) {
        let name = self.name(index);
        let display = |dims: &[Option<Dim>], symbols: &Symbols| {
            let dims: Vec<String> = dims.iter().map(|dim| text(dim.as_ref(), symbols)).collect();
            format!("[{}]", dims.join(", "))
        };
        if let Some(why) = output.unchecked {
            let found = match (&said.dims, &said.elements) {
                (Some(Ok(dims)), _) => Some(format!("dims {}", display(dims, &self.texts.symbols))),
                (Some(Err(_)), _) => Some("a rule for them".to_owned()),
                (None, Some(_)) => Some("elements".to_owned()),
                (None, None) => None,
            };
            if let Some(found) = found {
                let expected = format!("that nothing is computed (unchecked: {why})");
                self.mismatch(output.place, format!("the dimensions of {name}"), &expected, &found);
            }
            return;
        }
        match (&said.dims, output.dims) {
            (None, None) if output.ty.element().is_none() => {}
            (None, dims) => {
                let expected = if dims.is_some() { "those listed" } else { "an unknown rank" };
                let found = "nothing, since no rule gives them: say `unchecked: why`";
                self.mismatch(output.place, format!("the dimensions of {name}"), &expected, &found);
            }
            (Some(Err(_)), None) => {}
            (Some(Ok(dims)), None) => {
                let found = display(dims, &self.texts.symbols);
                self.mismatch(output.place, format!("the dimensions of {name}"), &"an unknown rank", &found);
            }
            (Some(Err(_)), Some(listed)) => {
                let expected = count(listed.len(), "dimension");
                self.mismatch(output.place, format!("the rank of {name}"), &expected, &"an unknown rank");
            }
            (Some(Ok(dims)), Some(listed)) if dims.len() != listed.len() => {
                let (expected, found) = (count(listed.len(), "dimension"), display(dims, &self.texts.symbols));
                self.mismatch(output.place, format!("the rank of {name}"), &expected, &found);
            }
            (Some(Ok(dims)), Some(listed)) => {
                for (axis, (found, entry)) in dims.iter().zip(listed).enumerate() {
                    if !self.is_dim(found.as_ref(), entry) {
                        let found = text(found.as_ref(), &self.texts.symbols);
                        self.mismatch(entry.place, format!("axis {axis} of {name}"), &entry.text, &found);
                    }
                }
            }
        }
        let known = |elements: &[Scalar<Dim>]| elements.iter().all(Scalar::is_known);
        match (&said.elements, output.elements) {
            (Some(Ok(elements)), Some(listed)) if elements.len() != listed.len() => {
                let (expected, found) = (count(listed.len(), "element"), elements.len());
                self.mismatch(output.place, format!("the elements of {name}"), &expected, &found);
            }
            (Some(Ok(elements)), Some(listed)) => {
                for (at, (found, entry)) in elements.iter().zip(listed).enumerate() {
                    let Some(ty) = output.ty.element() else { continue };
                    if !self.is_element(found, entry, ty) {
                        let found = self.element_text(found);
                        self.mismatch(entry.place, format!("element {at} of {name}"), &entry.text, &found);
                    }
                }
            }
            (_, Some(listed)) => {
                let expected = count(listed.len(), "element");
                let found = "none: no rule gives them, or not from what the inputs list";
                self.mismatch(output.place, format!("the elements of {name}"), &expected, &found);
            }
            (Some(Ok(elements)), None) if known(elements) && !elements.is_empty() => {
                let list: Vec<String> = elements.iter().map(|element| self.element_text(element)).collect();
                let found = format!("values: [{}]", list.join(", "));
                self.mismatch(output.place, format!("the elements of {name}"), &"none in the example", &found);
            }
            _ => {}
        }
    }

    /// Runs the rules on numbers, if there are no symbols.
    fn on_numbers(
        &mut self,
        attributes: &[NodeAttribute<'_>],
        (dims, elements, graphs): (&Lists<Dim>, &Lists<Scalar<Dim>>, &Graphs<Dim>),
        types: &[Option<Type>],
        outputs: &[Option<Value>],
    ) {
        let number =
            |dims: &Option<Vec<Dim>>| dims.as_ref()?.iter().map(Dimension::known).collect::<Option<Vec<u64>>>();
        let numbers: Vec<Option<Vec<u64>>> = dims.iter().map(number).collect();
        let given = self.example.inputs.iter().zip(&numbers);
        if given.into_iter().any(|(input, dims)| input.is_some() && dims.is_none()) {
            return;
        }
        let of_graphs = graphs.0.iter().flat_map(|(_, values)| values).filter_map(|value| value.elements.as_ref());
        if elements.iter().flatten().chain(of_graphs).flatten().any(|element| on_numbers(element).is_none()) {
            return;
        }
        let scalars = |elements: &Option<Vec<Scalar<Dim>>>| elements.as_ref()?.iter().map(on_numbers).collect();
        let of_graph =
            |of: &GraphValue<Dim>| GraphValue { ty: of.ty, dims: number(&of.dims), elements: scalars(&of.elements) };
        let graphs =
            Graphs(graphs.0.iter().map(|(graph, values)| (*graph, values.iter().map(of_graph).collect())).collect());
        if graphs.0.iter().any(|(_, values)| values.iter().any(|value| value.dims.is_none())) {
            return;
        }
        let elements: Option<Vec<Option<Vec<Scalar<u64>>>>> = Some(elements.iter().map(scalars).collect());
        let facts = facts(self.example.inputs, &numbers, elements.as_deref().unwrap_or_default());
        let given_outputs: Vec<bool> = outputs.iter().map(Option::is_some).collect();
        let said = match run(self.schema, attributes, (&facts, &graphs), types, &given_outputs, &mut |_| ()) {
            Ok(said) => said,
            Err(problem) => {
                let found = format!("{problem} ({})", problem.code());
                return self.mismatch(self.example.place, "the node, on numbers".to_owned(), &"no error", &found);
            }
        };
        for (index, (output, said)) in outputs.iter().zip(said).enumerate() {
            let Some(output) = output else { continue };
            let dims = |dims: Vec<Option<u64>>| dims.into_iter().map(|dim| dim.map(Dim::Known)).collect();
            let elements = |elements: Vec<Scalar<u64>>| elements.iter().map(on_symbols).collect();
            let said = Said {
                dims: said.dims.map(|result| result.map(dims)),
                elements: said.elements.map(|result| result.map(elements)),
            };
            let before = self.mismatches.len();
            self.output(index, output, &said);
            // A difference of both runs is reported once.
            let (first, second) = self.mismatches.split_at(before);
            let new: Vec<Mismatch> = second.iter().filter(|one| !first.contains(one)).cloned().collect();
            self.mismatches.truncate(before);
            self.mismatches.extend(new);
        }
    }

    /// What is known of the graphs in the attributes.
    fn graphs(&mut self) -> Graphs<Dim> {
        let mut graphs = Vec::new();
        for (_, argument) in self.example.attributes {
            let Argument::Graph(graph) = argument else { continue };
            let mut values = Vec::new();
            for value in graph.outputs {
                let dims = value.dims.and_then(|dims| self.texts.dims(dims));
                values.push(GraphValue { ty: value.ty, dims, elements: self.texts.elements(value) });
            }
            graphs.push((graph, values));
        }
        Graphs(graphs)
    }

    fn is_dim(&mut self, found: Option<&Dim>, expected: &Entry) -> bool {
        match found.filter(|found| found.same_as(found)) {
            None => expected.text == "?",
            Some(found) => expected.text != "?" && found.same_as(&self.texts.dim(expected)),
        }
    }

    /// The elements of an input, of a type whose elements are computed.
    fn is_element(&mut self, found: &Scalar<Dim>, expected: &Entry, ty: DataType) -> bool {
        if expected.text == "?" {
            return !found.is_known();
        }
        let expected = self.texts.element(expected, ty);
        match (found, &expected) {
            (Scalar::Float(found), Scalar::Float(expected)) => {
                found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan())
            }
            (Scalar::Int(found), Scalar::Float(expected)) | (Scalar::Float(expected), Scalar::Int(found)) => {
                *found as f64 == *expected
            }
            (found, expected) => found.same_as(expected),
        }
    }

    fn element_text(&self, element: &Scalar<Dim>) -> String {
        match element {
            Scalar::Int(number) => number.to_string(),
            Scalar::Bool(value) => value.to_string(),
            Scalar::Float(number) => format!("{number:?}"),
            Scalar::Size(dim) | Scalar::Expression(dim) => text(Some(dim), &self.texts.symbols),
            Scalar::Ratio(_) => element.display(&self.texts.symbols).to_string(),
            Scalar::Unknown(_) => "?".to_owned(),
        }
    }
}

/// `1 dimension`, `2 dimensions`
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn text(dim: Option<&Dim>, symbols: &Symbols) -> String {
    match dim {
        Some(dim) if dim.same_as(dim) => dim.display(symbols).to_string(),
        _ => "?".to_owned(),
    }
}

/// An element without symbols.
fn on_numbers(element: &Scalar<Dim>) -> Option<Scalar<u64>> {
    Some(match element {
        Scalar::Int(number) => Scalar::Int(*number),
        Scalar::Bool(value) => Scalar::Bool(*value),
        Scalar::Float(number) => Scalar::Float(*number),
        Scalar::Size(_) | Scalar::Expression(_) | Scalar::Ratio(_) | Scalar::Unknown(_) => return None,
    })
}

fn on_symbols(element: &Scalar<u64>) -> Scalar<Dim> {
    match element {
        Scalar::Int(number) => Scalar::Int(*number),
        Scalar::Bool(value) => Scalar::Bool(*value),
        Scalar::Float(number) => Scalar::Float(*number),
        Scalar::Size(size) | Scalar::Expression(size) => Scalar::size(Dim::Known(*size)),
        Scalar::Ratio(_) => Scalar::undecided(crate::dimension::Undecided::NotFollowed),
        Scalar::Unknown(why) => Scalar::undecided(*why),
    }
}

/// What the rules know of the inputs.
fn facts<'f, D: Dimension>(
    inputs: &[Option<Value>],
    dims: &'f [Option<Vec<D>>],
    elements: &'f [Option<Vec<Scalar<D>>>],
) -> Vec<Option<Fact<'f, D>>> {
    let fact = |(index, input): (usize, &Option<Value>)| {
        let dims = dims.get(index).and_then(|dims| dims.as_deref());
        let elements = elements.get(index).and_then(|elements| elements.as_deref()).map(Elements::Scalars);
        Some(Fact { ty: Some(input.as_ref()?.ty), dims, elements })
    };
    inputs.iter().enumerate().map(fact).collect()
}

/// Runs the rules of a version, and keeps what they say.
fn run<'a, D: RuleDimension>(
    schema: &'static Schema,
    attributes: &[NodeAttribute<'a>],
    (facts, graphs): (&[Option<Fact<'_, D>>], &Graphs<D>),
    types: &[Option<Type>],
    given: &[bool],
    warn: &mut dyn FnMut(Problem<'a>),
) -> Result<Vec<Said<D>>, Problem<'a>> {
    let said = alloc::vec![Said { dims: None, elements: None }; given.len()];
    let mut kept = Kept { said, types, facts, given };
    infer::run(schema, attributes, Inputs(facts), graphs, &mut kept, warn)?;
    Ok(kept.said)
}

/// The graphs in the attributes of an example, each with its outputs.
struct Graphs<D: Dimension>(Vec<(&'static Graph, Vec<GraphValue<D>>)>);

/// An output of a graph.
struct GraphValue<D: Dimension> {
    ty: Type,
    dims: Option<Vec<D>>,
    elements: Option<Vec<Scalar<D>>>,
}

impl<D: Dimension> Subgraphs<D> for Graphs<D> {
    fn output(&self, graph: GraphView<'_>, index: usize) -> Option<Fact<'_, D>> {
        let graph: &Graph = graph.get()?;
        let (_, values) = self.0.iter().find(|(other, _)| core::ptr::eq(*other, graph))?;
        let GraphValue { ty, dims, elements } = values.get(index)?;
        Some(Fact { ty: Some(*ty), dims: dims.as_deref(), elements: elements.as_deref().map(Elements::Scalars) })
    }
}

/// Keeps what rules say.
struct Kept<'k, D: Dimension> {
    said: Vec<Said<D>>,
    types: &'k [Option<Type>],
    facts: &'k [Option<Fact<'k, D>>],
    /// Whether the node has each output.
    given: &'k [bool],
}

impl<D: Dimension> Outputs<D> for Kept<'_, D> {
    fn count(&self) -> usize {
        self.said.len()
    }

    fn given(&self, output: usize) -> bool {
        self.given.get(output).copied().unwrap_or_default()
    }

    fn dims(&mut self, output: usize, dims: Dims<'_, D>) {
        let Some(said) = self.said.get_mut(output) else { return };
        said.dims = Some(dims.rank().map(|rank| (0..rank).map(|axis| dims.dim(axis).ok()).collect()));
    }

    fn elements(&mut self, output: usize, elements: Result<EachElement<'_, D>, UnknownCause>) {
        let ty = self.types.get(output).copied().flatten().and_then(Type::element);
        let Some(said) = self.said.get_mut(output) else { return };
        said.elements = Some(elements.map(|(count, each)| (0..count).map(|index| each(index).of_type(ty)).collect()));
    }

    fn elements_of(&mut self, output: usize, input: usize) {
        let elements = self.facts.get(input).and_then(|fact| fact.as_ref()?.elements);
        let Some(said) = self.said.get_mut(output) else { return };
        said.elements = Some(elements.map(|elements| elements.iter().collect()).ok_or(UnknownCause::Elements(input)));
    }
}

/// The type in an attribute of an example that is a graph or a type.
fn within(value: AttributeValue<'_>, output: usize) -> Option<Type> {
    match value {
        AttributeValue::Graph(graph) => Some(graph.get::<Graph>()?.outputs.get(output)?.ty),
        AttributeValue::TypeProto(ty) => ty.get::<Type>().copied(),
        _ => None,
    }
}

/// An example has a type without dimensions.
impl DimsStorage for Type {
    fn rank(&self) -> Option<usize> {
        None
    }

    fn dim(&self, _axis: usize) -> Option<u64> {
        None
    }
}
