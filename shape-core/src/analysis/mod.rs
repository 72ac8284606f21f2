//! A model as a whole: what is wrong with it, and what is known of each of its values.
//!
//! [`analyse`] goes once through the graphs in the order of their nodes, checks each node against the operator version
//! that the model imports, and infers its outputs. Checking and inferring are one walk, because each needs the other: a
//! type is checked where it arrives, and a node that is refused gives nothing.
//!
//! **Architecture Invariant.** The walk knows no operator. What an operator means is in its rule, which the registry
//! hands out.

mod annotate;
pub(crate) mod attributes;
mod bodies;
mod calls;
mod convert;
mod declared;
mod fold;
mod form;
mod functions;
pub(crate) mod graphs;
pub(crate) mod imports;
mod names;
mod node;
mod report;
mod trace;
mod usage;
mod walk;

pub use annotate::annotate;
pub use convert::{Conversion, ConvertedNode, convert};
pub use fold::{Folding, NotFolded, fold};
pub use graphs::Scopes;
pub use trace::{Step, Trace};
pub use usage::{NodeUse, UsedOperator, UsedTypes};

use crate::elements::Scalar;
use crate::finding::Finding;
use crate::model::proto::{GraphProto, ModelProto};
use crate::model::{External, ModelFile};
use crate::registry::Registry;
use crate::symbolic::{Dim, Reason, Symbols};
use crate::types::Type;

/// What a model is looked at with.
#[derive(Clone, Debug)]
pub struct Options {
    /// The operators that are known.
    pub registry: Registry,
    /// Numbers for symbols: `batch` is 4.
    pub symbols: Vec<(String, u64)>,
    /// Dimensions for graph inputs, by name.
    pub inputs: Vec<(String, Vec<u64>)>,
    /// What reads the elements of initializers; [`External::none`] by default, with which those that lie in other files
    /// stay unknown.
    pub external: External,
}

impl Options {
    /// What a model's own file is looked at with: the elements that lie beside it are read.
    #[must_use]
    pub fn of(file: &ModelFile) -> Self {
        Self { external: file.external().clone(), ..Self::default() }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            registry: Registry::builtin().clone(),
            symbols: Vec::new(),
            inputs: Vec::new(),
            external: External::none(),
        }
    }
}

/// A name in the [`Options`] that the model does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// No graph input has the name.
    #[error("the model has no input `{name}`; its inputs are {}", list(known))]
    NoSuchInput {
        /// The name that was given.
        name: String,
        /// The inputs of the model.
        known: Vec<String>,
    },
    /// No dimension of the model has the name.
    #[error("the model has no symbol `{name}`; its symbols are {}", list(known))]
    NoSuchSymbol {
        /// The name that was given.
        name: String,
        /// The symbols of the model.
        known: Vec<String>,
    },
}

fn list(names: &[String]) -> String {
    const MOST: usize = 16;
    match names {
        [] => String::from("none"),
        [first @ .., _] if first.len() >= MOST => {
            format!("{} and {} more", names.get(..MOST).unwrap_or_default().join(", "), names.len() - MOST)
        }
        names => names.join(", "),
    }
}

/// What is known of a model.
#[derive(Clone, Debug)]
pub struct Analysis<'m> {
    /// The graphs: the model's own first, then those inside of nodes and the bodies of functions, as they are met.
    pub graphs: Vec<GraphInfo<'m>>,
    /// The values of all graphs, in the order in which they are defined.
    pub values: Vec<Value<'m>>,
    /// What was found, in the order of the walk.
    pub findings: Vec<Finding>,
    /// The symbols of the model.
    pub symbols: Symbols,
}

/// A graph of a model.
#[derive(Clone, Debug)]
pub struct GraphInfo<'m> {
    /// How findings name it.
    pub path: String,
    /// What it is.
    pub kind: GraphKind,
    /// The graph in the file; `None` for the body of a function.
    pub proto: Option<&'m GraphProto>,
    /// What it gives, by the place in [`Analysis::values`]; `None` for an output that nothing in the graph
    /// gives.
    pub outputs: Vec<Option<u32>>,
}

/// What a graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphKind {
    /// The model's own graph.
    Main,
    /// A graph inside of a node of another one.
    Subgraph {
        /// The graph that it is in, by its place in [`Analysis::graphs`].
        parent: usize,
        /// Where in that graph.
        place: crate::model::Subgraph,
    },
    /// The body of a function of the model.
    Function,
}

/// The most elements of a tensor that are followed. A tensor of sizes has as many as another has dimensions; a file that
/// asks for more is after the memory.
pub const MOST_ELEMENTS: usize = 256;

/// The most dimensions of a tensor that are followed, for the same reason.
pub const MOST_DIMS: usize = 1024;

/// Something that may be known, or is not for a reason.
pub type Known<T> = Result<T, Reason>;

/// A value of a graph.
#[derive(Clone, Debug)]
pub struct Value<'m> {
    /// Its name.
    pub name: &'m str,
    /// Its graph, by its place in [`Analysis::graphs`].
    pub graph: usize,
    /// What gives it.
    pub origin: Origin<'m>,
    /// Its type.
    pub ty: Known<Type>,
    /// Its dimensions, outermost first, or those that each tensor has which is in it, where it is a sequence or an
    /// optional; the error where not even the rank is known.
    pub dims: Known<Box<[Dim]>>,
    /// Its elements in row-major order, where it is a tensor of integers, floats or truth values that is known before the
    /// model runs, and has at most [`MOST_ELEMENTS`] of them.
    pub elements: Known<Box<[Scalar<Dim>]>>,
}

/// What gives a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'m> {
    /// It is an input of its graph.
    Input,
    /// It is an initializer of its graph.
    Initializer,
    /// A node gives it.
    Node {
        /// The node's place in its graph.
        index: usize,
        /// The node's name.
        name: &'m str,
        /// The node's operator.
        op_type: &'m str,
        /// The operator's domain, `ai.onnx` for the default one.
        domain: &'m str,
    },
}

impl Value<'_> {
    /// Why something of the value is unknown; `None` where its type and every dimension are known or symbolic.
    #[must_use]
    pub fn unknown(&self) -> Option<&Reason> {
        match &self.ty {
            Err(reason) => return Some(reason),
            // A sequence or a map has no dimensions to know.
            Ok(ty) if ty.element().is_none() => return None,
            Ok(_) => {}
        }
        match &self.dims {
            Err(reason) => Some(reason),
            Ok(dims) => dims.iter().find_map(|dim| match dim {
                Dim::Unknown(reason) => Some(reason),
                _ => None,
            }),
        }
    }
}

impl<'m> Analysis<'m> {
    /// What each node uses, in all graphs and in the bodies of functions: the operator version in force, and the types.
    ///
    /// The model is the one that was looked at, the registry that of its [`Options`].
    ///
    /// ```
    /// use shape_core::Registry;
    /// use shape_core::analysis::{Options, UsedOperator, analyse};
    /// use shape_core::model::ModelFile;
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/models/attention.onnx");
    /// let model = ModelFile::open(path)?;
    /// let analysis = analyse(model.proto(), &Options::of(&model))?;
    /// let usage = analysis.usage(model.proto(), Registry::builtin());
    /// let shape = usage.iter().find(|node| node.op_type == "Shape").unwrap();
    /// let UsedOperator::Version(schema) = shape.operator else { unreachable!() };
    /// assert_eq!((schema.since_version, schema.types[0].name), (21, "T"));
    /// assert_eq!(shape.types[0].known[0].to_string(), "tensor(float)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn usage(&self, model: &'m ModelProto, registry: &Registry) -> Vec<NodeUse<'m>> {
        usage::usage(self, model, registry)
    }
}

impl<'m> Analysis<'m> {
    /// The values behind names.
    #[must_use]
    pub fn scopes(&self) -> Scopes<'_, 'm> {
        Scopes::of(self)
    }

    /// For each graph, whether it is the model's own or inside of that, and not in the body of a function.
    #[must_use]
    pub fn outside_functions(&self) -> Vec<bool> {
        let mut outside: Vec<bool> = Vec::with_capacity(self.graphs.len());
        for info in &self.graphs {
            outside.push(match info.kind {
                GraphKind::Main => true,
                GraphKind::Subgraph { parent, .. } => outside.get(parent).copied().unwrap_or(false),
                GraphKind::Function => false,
            });
        }
        outside
    }

    /// How a value came to be what it is: the nodes between it and what the caller gives or the model holds, or if it is
    /// not fully known, between it and the first one to blame.
    ///
    /// The model is the one that was looked at, the registry that of its [`Options`].
    ///
    /// ```
    /// use shape_core::Registry;
    /// use shape_core::analysis::{Options, analyse};
    /// use shape_core::model::ModelFile;
    /// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/models/attention.onnx");
    /// let model = ModelFile::open(path)?;
    /// let analysis = analyse(model.proto(), &Options::of(&model))?;
    /// let value = analysis.scopes().place(0, "/attn/Concat_output_0").unwrap();
    /// let trace = analysis.trace(model.proto(), Registry::builtin(), value);
    /// let operators: Vec<&str> = trace.steps.iter().map(|step| &*step.node.op_type).collect();
    /// assert_eq!(operators, ["Shape", "Gather", "Unsqueeze", "Gather", "Unsqueeze", "Concat"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn trace(&self, model: &'m ModelProto, registry: &Registry, value: u32) -> Trace<'m> {
        trace::trace(self, model, registry, value)
    }

    /// For each value, whether more is known of it than the model declares. Of initializers and of the values in the
    /// bodies of functions, which have no declarations, it is not.
    #[must_use]
    pub fn inferred(&self) -> Vec<bool> {
        annotate::inferred(self)
    }
}

impl Analysis<'_> {
    /// A reason in words: the value that it began with, what gives that value, and what happened.
    #[must_use]
    pub fn explain(&self, reason: &Reason) -> String {
        let cause = reason.cause.display(&self.symbols);
        let Some(value) = self.values.get(reason.value as usize) else { return cause.to_string() };
        let origin = match value.origin {
            Origin::Input => String::from("an input"),
            Origin::Initializer => String::from("an initializer"),
            Origin::Node { index, name: "", op_type, .. } => format!("node {index}, {op_type}"),
            Origin::Node { index, name, op_type, .. } => format!("node {index} `{name}`, {op_type}"),
        };
        format!("`{}` ({origin}): {cause}", value.name)
    }

    /// One finding for each value that is not fully known, except those in the bodies of functions, which only a call
    /// would make known.
    #[must_use]
    pub fn strict_findings(&self) -> Vec<Finding> {
        report::strict(self)
    }
}

/// Looks at a model: checks every node, and infers every value.
///
/// # Errors
/// The options name an input or a symbol that the model does not have. Whatever is wrong with the model itself is among
/// the findings.
///
/// ```
/// use shape_core::analysis::{Options, analyse};
/// use shape_core::model::ModelFile;
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/models/attention.onnx");
/// let model = ModelFile::open(path)?;
/// let analysis = analyse(model.proto(), &Options::of(&model))?;
/// let dims = analysis.values.iter().find(|value| value.name == "x").unwrap().dims.clone().unwrap();
/// assert_eq!(dims[0].display(&analysis.symbols).to_string(), "batch");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyse<'m>(model: &'m ModelProto, options: &Options) -> Result<Analysis<'m>, OptionsError> {
    walk::model(model, options)
}

/// Looks at a whole file: everything that is wrong with it.
///
/// That is what [`analyse`] finds where it checks nodes and infers values, and beside that what no value depends on: the
/// elements of every tensor, those in other files included; the fields of attributes; functions and their calls; the IR
/// version against the opsets; names that stand twice, and names of nothing in what stands beside the graph.
///
/// # Errors
/// As [`analyse`].
///
/// ```
/// use shape_core::analysis::{Options, check};
/// use shape_core::model::ModelFile;
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/models/attention.onnx");
/// let model = ModelFile::open(path)?;
/// assert_eq!(check(model.proto(), &Options::of(&model))?, []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(model: &ModelProto, options: &Options) -> Result<Vec<Finding>, OptionsError> {
    Ok(checked(model, options)?.findings)
}

/// What is known of a model, with the findings that [`check`] gives.
pub(crate) fn checked<'m>(model: &'m ModelProto, options: &Options) -> Result<Analysis<'m>, OptionsError> {
    let mut analysis = analyse(model, options)?;
    let of_form = form::check(model, &analysis, options);
    analysis.findings.retain(|found| !form::is_of_elements(found.code));
    analysis.findings.extend(of_form);
    Ok(analysis)
}
