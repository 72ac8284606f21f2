// Without the operators, its example and links would lead nowhere.
#![cfg_attr(feature = "ai-onnx", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "ai-onnx"), doc = "ONNX operators, without those of `ai.onnx`: see the feature `ai-onnx`.")]
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;

// The generated code names this crate as every user of it does.
extern crate self as shape_core;

pub mod check;
pub mod code;
pub mod conversion;
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

/// Without symbolic dimensions there is no runner of examples.
#[cfg(not(feature = "alloc"))]
#[doc(hidden)]
#[macro_export]
macro_rules! custom_examples {
    ($($files:tt)*) => {};
}

/// Makes a struct one version of an operator: its fields are the attributes.
///
/// It implements [`Operator`](trait@Operator): the schema as a static table, and reading from a node. The schema is what a
/// [`Registry`] takes, so that whole models are checked with it; several structs with the same domain and name are the
/// versions of one operator. What the outputs are, and their elements where those can be told
/// ([`facts::Outputs`]), [`Infer`] says, which the struct's author implements: the schema carries it where it is there.
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
///     /// How many rows before, and how many behind.
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
/// let given = [NodeAttribute::new("type", AttributeValue::String(b"reflect"))];
/// assert_eq!(Frame::read(&given).unwrap(), Frame { widths: vec![1, 1], mode: Mode::Reflect, seed: None });
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
/// | `name = "Frame"` | the operator's name, where it is not that of the struct |
/// | `since_version = 2` | the opset that the version came with |
/// | `types(T: [float, every_float8])` | type variables: element types, groups of them, types such as `seq(tensor(float))` |
/// | `inputs(data: T, axes: Option<tensor(int64)>)` | inputs in their order |
/// | `outputs(parts: Variadic<T, min_arity = 2>)` | outputs; `homogeneous = false` where the values are of any types each |
/// | `rules(copies = "[count, ...data]")` | what gives the dimensions of outputs, instead of an [`Infer`] of its own: as in a descriptor |
/// | `deprecated`, `experimental`, `nondeterministic` | what there is to say of the version |
/// | `crate = ::renamed` | the path of shape-core, where it is called otherwise |
///
/// The doc comment is the summary; inputs, outputs and type variables may have one too.
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
/// An `Option` of one is an attribute that may be absent, one with `#[attribute(default = 0)]` has that value then, any
/// other is required. `#[attribute(values = [0, 1])]` lists what is allowed, `#[attribute(rename = "type")]` names the
/// attribute otherwise than the field, `#[attribute(min = 1, max = 8)]` bounds a number; of a list, all three are about
/// its elements. A struct whose fields borrow has one lifetime: `struct Frame<'a>`.
///
/// A mistake is a compile error at its token. So are two structs for one version of an operator, where they stand in one
/// module; [`Registry::with`] finds all others.
pub use shape_macros::Operator;

/// Makes an enum the type of fields for a STRING with a closed set of values.
///
/// A variant stands for its name; `#[attribute(rename_all = "snake_case")]` on the enum writes all names otherwise
/// (`lowercase`, `UPPERCASE`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case`, `camelCase`), and
/// `#[attribute(rename = "NOTSET")]` on a variant that one.
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

/// Writes operators of one's own from YAML descriptors: a module for each, as the built-in ones have, and a table
/// `OPERATORS` of them all, for [`Registry::with`].
///
/// The files are named by their paths from the folder of the crate's `Cargo.toml`; a mistake in one is a compile error
/// with its file, line and column. What gives the dimensions of an output stands there: term by term, by a rule of
/// [`rules`], or by a function of the crate, called by its path: `dims: "crate::rules::stack(data, count)"` calls
/// `stack(data, count, output)`, where an input is an [`Input`](facts::Input) (an `Option` of one where it may be absent,
/// an [`InputList`](rule::InputList) where it is variadic), an attribute what it is in a struct, but for a STRING, which
/// is always bytes, and the output an [`Output`](rule::Output). The examples become tests of the crate.
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
