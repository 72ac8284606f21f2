// The example and the links of the README need the operators. Only rustdoc reads it, so that an edit builds nothing anew.
#![cfg_attr(all(doc, feature = "ai-onnx"), doc = include_str!("../README.md"))]
#![cfg_attr(not(all(doc, feature = "ai-onnx")), doc = env!("CARGO_PKG_DESCRIPTION"))]
#![cfg_attr(not(feature = "std"), no_std)]
// Each item says which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

// Generated code refers to this crate by the same path here as in dependent crates.
extern crate self as shape_core;

pub mod adapter;
pub mod check;
pub mod code;
#[cfg(feature = "alloc")]
pub mod convert;
#[cfg(feature = "alloc")]
pub mod coverage;
pub mod data_type;
pub mod dimension;
pub mod element;
pub mod elements;
#[cfg(feature = "alloc")]
pub mod example;
pub mod facts;
pub mod infer;
pub mod node;
pub mod operator;
pub mod operators;
pub mod opset;
pub mod problem;
pub mod registry;
pub mod rule;
pub mod rules;
pub mod runtime;
pub mod schema;
mod signature;
#[cfg(feature = "alloc")]
pub mod symbolic;
pub mod tensor;
pub mod type_sets;
pub mod types;

pub use data_type::DataType;
pub use dimension::Dimension;
pub use element::Element;
pub use facts::Dims;
pub use operator::{Infer, Operator};
#[cfg(feature = "ai-onnx")]
#[doc(inline)]
pub use operators::ai_onnx::opsets::*;
pub use registry::Registry;
pub use schema::Schema;
#[cfg(feature = "alloc")]
pub use symbolic::Dim;
pub use tensor::Tensor;
pub use types::Type;

#[doc(hidden)]
pub use shape_macros::operators as custom_operators;

#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use shape_macros::examples as custom_examples;

/// The runner of examples needs symbolic dimensions.
#[cfg(not(feature = "alloc"))]
#[doc(hidden)]
#[macro_export]
macro_rules! custom_examples {
    ($($files:tt)*) => {};
}

/// The test of the examples of a derived operator.
#[cfg(feature = "alloc")]
#[doc(hidden)]
#[macro_export]
macro_rules! derived_examples {
    ($($test:tt)*) => { $($test)* };
}

#[cfg(not(feature = "alloc"))]
#[doc(hidden)]
#[macro_export]
macro_rules! derived_examples {
    ($($test:tt)*) => {};
}

/// Makes a struct one version of an operator: its fields are the attributes.
///
/// The derive implements [`Operator`](trait@Operator): the schema as a static table, and reading from a node. Add the
/// schema to a [`Registry`] to check whole models with it; several structs with the same domain and name are the versions
/// of one operator. Implement [`Infer`] to infer the dimensions of the outputs, and their elements where they are known
/// before the model runs ([`facts::Outputs`]): the schema then includes it.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use shape_core::problem::Problem;
/// use shape_core::facts::{UnknownCause, Dims, Inputs, Outputs};
/// use shape_core::node::{AttributeValue, NodeAttribute};
/// use shape_core::{AttributeEnum, Dimension, Infer, Operator, Registry};
///
/// /// Puts rows around a tensor.
/// #[derive(Clone, Debug, PartialEq, Operator)]
/// #[operator(
///     domain = "com.acme",
///     since_version = 2,
///     types(T: [float16, float, double]),
///     inputs(
///         /// The tensor in the middle.
///         data: T,
///         fill: Option<tensor(float)>,
///     ),
///     outputs(framed: T),
/// )]
/// struct Frame {
///     /// How many rows before, and how many after.
///     #[attribute(default = [1, 1])]
///     widths: Vec<i64>,
///     #[attribute(rename = "type", default = Mode::Constant)]
///     mode: Mode,
///     seed: Option<f32>,
/// }
///
/// #[derive(Clone, Copy, Debug, PartialEq, AttributeEnum)]
/// #[attribute(rename_all = "lowercase")]
/// enum Mode {
///     Constant,
///     Reflect,
/// }
///
/// impl Infer for Frame {
///     fn infer<D: Dimension>(&self, inputs: Inputs<'_, D>, outputs: &mut dyn Outputs<D>) -> Result<(), Problem<'static>> {
///         let data = inputs.required(0);
///         let rank = data.fact.dims.map(<[D]>::len);
///         outputs.dims(0, rank.map_or(Dims::Unknown(UnknownCause::Dims(0)), |rank| Dims::Each(rank, &|_| Err(UnknownCause::Dims(0)))));
///         Ok(())
///     }
/// }
///
/// let attributes = [NodeAttribute::new("type", AttributeValue::String(b"reflect"))];
/// assert_eq!(Frame::read(&attributes).unwrap(), Frame { widths: vec![1, 1], mode: Mode::Reflect, seed: None });
/// let registry = Registry::builtin().with([Frame::SCHEMA]).unwrap();
/// assert_eq!(registry.resolve("com.acme", "Frame", 7).unwrap().summary, "Puts rows around a tensor.");
/// # }
/// ```
///
/// # On the struct
///
/// | `#[operator(...)]` | |
/// |---|---|
/// | `domain = "com.acme"` | the domain |
/// | `name = "Frame"` | the operator's name, if it differs from the struct's |
/// | `since_version = 2` | the opset that introduced the version |
/// | `types(T: [float, every_float8])` | type variables: element types, groups of them, types such as `seq(tensor(float))` |
/// | `inputs(data: T, axes: Option<tensor(int64)>)` | inputs in their order |
/// | `outputs(parts: Variadic<T, min_arity = 2>)` | outputs; `homogeneous = false` if the values may differ in type |
/// | `rules(copies = "[count, ...data]")` | computes the dimensions of outputs, instead of an [`Infer`] implementation; written as in a descriptor |
/// | `rules(copies(dims = "...", elements = "...", multiply_adds = "..."))` | a rule in full |
/// | `requires(that = "count > 0", code = "attribute-value", doc = "no copies are asked for")` | a relation that a node must meet; one word for each |
/// | `exclusive(of = [seed, fill])` | attributes and inputs of which a node has at most one |
/// | `examples(twice(inputs = [...], attributes(count = 2), outputs = [...]))` | nodes and what comes out, which become a test |
/// | `adapter(move = "count")` | converts nodes from and to the version before; one word for each action, `adapter()` for none |
/// | `deprecated`, `experimental`, `function`, `nondeterministic`, `other_attributes`, `shape_inference` | flags of the version |
/// | `details = "..."`, `semantics = "..."`, `subgraphs = "loop"`, `runtime = "..."`, `sources(...)`, `errata(...)` | as in a descriptor |
/// | `crate = ::renamed` | the path of onnxspec-core, if the dependency is renamed |
///
/// The struct's doc comment is the summary; inputs, outputs and type variables may have doc comments too.
///
/// What is not in this table is written as in a descriptor: a field is `name = value`, a flag `name`, and a mapping
/// `name(...)`, or `(...)` in a list. A value is a text, a number, a word such as `float`, a list in brackets, or `_` for an
/// input or output that is left out. The [page of the macros](https://github.com/shape-onnx/shape/blob/main/shape-macros/README.md)
/// has each field of a descriptor with its word here.
///
/// ## Relations and examples
///
/// An example has inputs and attributes, and either the outputs or the code of the error. It becomes a test beside the
/// struct; where one differs from what the schema and the rules say, the test fails with its line and column. A struct with
/// examples has one that breaks each of its relations. [`macro@OperatorVersions`] joins the structs of several versions.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use shape_core::Operator;
///
/// /// Puts copies of a tensor side by side.
/// #[derive(Operator)]
/// #[operator(
///     domain = "com.acme",
///     since_version = 1,
///     types(T: [float16, float]),
///     inputs(data: T),
///     outputs(copies: T),
///     rules(copies = "[count, ...data]"),
///     requires(that = "rank(data) > 0", code = "rank-mismatch", doc = "a scalar has no side"),
///     examples(
///         three(
///             inputs = [(type = float, dims = [N, 4])],
///             attributes(count = 3),
///             outputs = [(type = float, dims = [3, N, 4])],
///         ),
///         scalar(inputs = [(type = float, dims = [])], error = "rank-mismatch"),
///     ),
/// )]
/// struct Copies {
///     #[attribute(default = 2)]
///     count: i64,
/// }
///
/// assert_eq!(Copies::SCHEMA.requires[0].text, "rank(data) > 0");
/// # }
/// ```
///
/// # On a field
///
/// | type | kind |
/// |---|---|
/// | `i64`, `f32` | INT, FLOAT |
/// | `&str`, `&[u8]`, `String`, `Vec<u8>` | STRING |
/// | an enum with [`AttributeEnum`] | STRING with a closed set of values |
/// | `&[i64]`, `Vec<i64>`; `&[f32]`, `Vec<f32>` | INTS; FLOATS |
/// | [`node::StringsView`], `Vec<String>` | STRINGS |
/// | [`node::TensorView`], [`node::GraphView`], [`node::TypeProtoView`] and the others | TENSOR, GRAPH, `TYPE_PROTO` and the others |
///
/// An `Option` field is an optional attribute; a field with `#[attribute(default = 0)]` has that value when the attribute
/// is absent; any other field is required. `#[attribute(values = [0, 1])]` lists the allowed values and
/// `#[attribute(min = 1, max = 8)]` bounds a number; for a list, both apply to each element.
/// `#[attribute(rename = "type")]` sets the attribute's name, if it differs from the field's; `#[attribute(legacy)]` is one that
/// nodes may have and that means nothing. A struct whose fields borrow
/// has one lifetime: `struct Frame<'a>`.
///
/// A mistake is a compile error at its token. Two structs for the same version of an operator are a compile error if they
/// are in one module; otherwise [`Registry::with`] reports them.
pub use shape_macros::Operator;

/// Makes an enum all versions of an operator: each variant holds the struct of one, which has [`macro@Operator`], the oldest
/// first.
///
/// The enum does what those of the built-in operators do: `read` gives the version that is in force at an opset, `schema` its
/// facts, and `latest` lifts it to the newest version, as the adapters of the structs say; `VERSIONS` is for
/// [`Registry::with`]. It implements [`AnyVersion`](operator::AnyVersion). An enum with fields that borrow has one lifetime.
/// `#[operator(crate = ::renamed)]` is the path of onnxspec-core, if the dependency is renamed.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use shape_core::convert::{Input, Known};
/// use shape_core::node::{AttributeValue, NodeAttribute};
/// use shape_core::{Operator, OperatorVersions};
///
/// /// Gives the largest elements.
/// #[derive(Operator)]
/// #[operator(domain = "com.acme", name = "Largest", since_version = 1, types(T: [float]))]
/// #[operator(inputs(data: T), outputs(largest: T))]
/// struct Largest1 {
///     count: i64,
/// }
///
/// /// Gives the largest elements, as many as an input says.
/// #[derive(Operator)]
/// #[operator(domain = "com.acme", name = "Largest", since_version = 2, types(T: [float]))]
/// #[operator(inputs(data: T, count: tensor(int64)), outputs(largest: T), adapter(move = "count"))]
/// struct Largest2;
///
/// #[derive(OperatorVersions)]
/// enum Largest {
///     V1(Largest1),
///     V2(Largest2),
/// }
///
/// let attributes = [NodeAttribute::new("count", AttributeValue::Int(5))];
/// let old = Largest::read(1, &attributes).unwrap();
/// assert_eq!(old.schema().since_version, 1);
/// let latest = old.latest(&[Some(Known::default())], 1).unwrap();
/// assert!(matches!(latest.inputs(), [Input::Given { .. }, Input::Constant { name: "count", .. }]));
/// # }
/// ```
///
/// Structs that do not go together are a compile error: another operator, versions out of order, an adapter that names what
/// neither version has.
pub use shape_macros::OperatorVersions;

/// Makes an enum the type of fields for a STRING with a closed set of values.
///
/// The value of a variant is its name. `#[attribute(rename_all = "snake_case")]` on the enum changes the case of all names
/// (`lowercase`, `UPPERCASE`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case`, `camelCase`), and
/// `#[attribute(rename = "NOTSET")]` on a variant sets its name.
///
/// ```
/// use shape_core::AttributeEnum;
/// use shape_core::node::AttributeValue;
/// use shape_core::node::Field;
///
/// #[derive(Clone, Copy, Debug, PartialEq, AttributeEnum)]
/// #[attribute(rename_all = "SCREAMING_SNAKE_CASE")]
/// enum AutoPad {
///     #[attribute(rename = "NOTSET")]
///     NotSet,
///     SameUpper,
/// }
///
/// assert_eq!(AutoPad::from_value(AttributeValue::String(b"SAME_UPPER")), Some(AutoPad::SameUpper));
/// assert_eq!(AutoPad::VALUES, [AttributeValue::String(b"NOTSET"), AttributeValue::String(b"SAME_UPPER")]);
/// ```
pub use shape_macros::AttributeEnum;

/// Generates custom operators from YAML descriptors: a module for each, like those of the built-in operators, and a table
/// `OPERATORS` of all of them, for [`Registry::with`].
///
/// Paths are relative to the folder of the crate's `Cargo.toml`; a mistake in a file is a compile error with its file, line
/// and column. A descriptor says how the dimensions of an output are computed: term by term, by a rule of [`rules`], or by
/// a function of your crate, called by its path: `dims: "crate::rules::stack(data, count)"` calls
/// `stack(data, count, output)`. There an input is an [`Input`](facts::Input) (an `Option` of it if the input is optional,
/// an [`InputList`](rule::InputList) if it is variadic), an attribute has the type of its struct field, except that a
/// STRING is always bytes, and the output is an [`Output`](rule::Output). The examples become tests of the crate.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// mod acme {
///     shape_core::operators!("tests/custom/Extent.yaml");
/// }
/// use acme::extent::Extent4;
/// use shape_core::{Operator, Registry};
///
/// let registry = Registry::builtin().with(acme::OPERATORS.concat()).unwrap();
/// let schema = registry.resolve("com.acme", "Extent", 5).unwrap();
/// assert_eq!(schema.since_version, Extent4::SCHEMA.since_version);
/// assert_eq!(Extent4::read(&[]).unwrap(), Extent4 { start: 0, end: None });
/// # }
/// ```
#[macro_export]
macro_rules! operators {
    ($($files:tt)*) => { $crate::custom_operators! { $crate; $($files)* } };
}
