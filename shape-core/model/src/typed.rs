//! Nodes as typed operators, for programs that import models.

use std::cell::OnceCell;
use std::fmt;

use crate::analysis::{Analysis, Scopes};
use crate::constant::constant;
use crate::file::{Attribute, External, Graph, Node, TensorError};
use crate::imports::Imports;
use crate::value::{Origin, Value};
use shape_core::code::Code;
use shape_core::convert::{self, Constant, Input, Known, Latest, Output, Refusal};
use shape_core::data_type::DataType;
use shape_core::node::{AttributeSource, NodeAttribute};
use shape_core::operator::{AnyVersion, Operator, ReadError, ReadNode, becomes};
use shape_core::opset::canonical_domain;
use shape_core::problem::Problem;
use shape_core::registry::Missing;
use shape_core::schema::{ParameterOption, Schema};

/// Why a node cannot be read as an operator. The text names the node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeError {
    /// The node's name, which may be empty.
    pub name: Box<str>,
    /// Its operator.
    pub op_type: Box<str>,
    /// The first of its outputs that has a name.
    pub output: Option<Box<str>>,
    /// The code of the finding that `shape check` has for it.
    pub code: Code,
    /// What is wrong.
    pub message: Box<str>,
    /// What was expected, if that can be said.
    pub expected: Option<Box<str>>,
    /// What the node has instead.
    pub found: Option<Box<str>>,
}

impl NodeError {
    /// An error of an importer's own about a node.
    ///
    /// ```
    /// use shape_core::code::Code;
    /// use shape_model::{ModelFile, NodeError};
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let file = ModelFile::open(path)?;
    /// let node = file.model().graph().unwrap().nodes().first().unwrap();
    /// let error = NodeError::new(node, Code::OperatorUnknown, "the runtime has no such operator");
    /// assert!(error.to_string().ends_with("the runtime has no such operator"));
    /// # Ok::<(), shape_model::file::ModelError>(())
    /// ```
    #[must_use]
    pub fn new(node: Node<'_>, code: Code, message: impl Into<String>) -> Self {
        Self {
            name: node.name().into(),
            op_type: node.op_type().into(),
            output: node.outputs().iter().find(|name| !name.is_empty()).map(Box::from),
            code,
            message: message.into().into(),
            expected: None,
            found: None,
        }
    }

    fn of_problem(node: Node<'_>, problem: &Problem<'_>) -> Self {
        Self {
            expected: Some(problem.expected().to_string().into()),
            found: Some(problem.found().to_string().into()),
            ..Self::new(node, problem.code(), problem.to_string())
        }
    }

    fn of(node: Node<'_>, error: &ReadError<'_>) -> Self {
        let code = match error {
            ReadError::Problem(problem) => return Self::of_problem(node, problem),
            ReadError::Missing(Missing::OperatorTooNew { .. } | Missing::ReleaseTooOld { .. }) => Code::OperatorTooNew,
            ReadError::Missing(Missing::OpsetTooNew { .. }) => Code::OpsetTooNew,
            ReadError::Missing(Missing::NoDescriptor) => Code::NoDescriptor,
            _ => Code::OperatorUnknown,
        };
        Self::new(node, code, error.to_string())
    }

    /// Why the newest version cannot express a node; the code and the two sides are those of the first reason.
    fn refused(node: Node<'_>, refusals: &[Refusal]) -> Self {
        let message = refusals.iter().map(Refusal::to_string).collect::<Vec<_>>().join("; ");
        let of_first = |side: fn(&Refusal) -> &str| refusals.first().map(|first| side(first).into());
        let code = refusals.first().map_or(Code::ConversionMeaning, Refusal::code);
        Self {
            expected: of_first(Refusal::expected),
            found: of_first(Refusal::found),
            ..Self::new(node, code, message)
        }
    }
}

impl fmt::Display for NodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the node ")?;
        match (&*self.name, &self.output) {
            ("", Some(output)) => write!(f, "that gives `{output}`")?,
            ("", None) => f.write_str("without a name")?,
            (name, _) => write!(f, "`{name}`")?,
        }
        write!(f, " ({}): {}", self.op_type, self.message)
    }
}

impl std::error::Error for NodeError {}

impl<'m> AttributeSource<'m> for Node<'m> {
    fn attributes(&self) -> impl Iterator<Item = NodeAttribute<'m>> {
        Node::attributes(*self).iter().filter_map(Attribute::view)
    }

    fn without_kind(&self) -> Option<&'m str> {
        Node::attributes(*self).iter().find(|attribute| attribute.view().is_none()).map(Attribute::name)
    }
}

impl<'m> Node<'m> {
    /// The opset that the model, or the function that the node is in, imports of the node's domain.
    ///
    /// ```
    /// use shape_model::ModelFile;
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let file = ModelFile::open(path)?;
    /// assert_eq!(file.model().graph().unwrap().nodes().first().unwrap().opset(), Some(21));
    /// # Ok::<(), shape_model::file::ModelError>(())
    /// ```
    #[must_use]
    pub fn opset(self) -> Option<u32> {
        let model = self.model();
        let function = self.function().and_then(|function| model.functions().get(function));
        let imports = function.map_or(model.opset_import(), |function| function.opset_import());
        Imports::read(imports, model.ir_version().unwrap_or(0)).get(self.domain())
    }

    /// Reads the node as an operator in the version that the model imports, or as any operator of a domain.
    ///
    /// # Errors
    ///
    /// The node is of another operator, its domain is not imported, no version is in force, or an attribute is missing,
    /// of another kind, or outside of the allowed values.
    ///
    /// ```
    /// use shape_core::operators::ai_onnx::{gather, shape};
    /// use shape_model::ModelFile;
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let file = ModelFile::open(path)?;
    /// let gather = file.model().graph().unwrap().nodes().iter().find(|node| node.op_type() == "Gather").unwrap();
    /// let gather::Gather::V13(read) = gather.read::<gather::Gather>()? else { unreachable!() };
    /// assert_eq!(read.axis, 0);
    /// let error = gather.read::<shape::Shape>().unwrap_err();
    /// assert!(error.to_string().ends_with("(Gather): it is no Shape"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read<T: ReadNode<'m>>(self) -> Result<T, NodeError> {
        let read = T::read_node(self.domain(), self.op_type(), self.required_opset()?, self);
        read.map_err(|error| NodeError::of(self, &error))
    }

    fn required_opset(self) -> Result<u32, NodeError> {
        self.opset().ok_or_else(|| {
            let message = format!("the domain {} is not imported", canonical_domain(self.domain()));
            NodeError::new(self, Code::DomainNotImported, message)
        })
    }

    /// Reads the node as the operator of `ai.onnx` that it is.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read).
    ///
    /// ```
    /// use shape_core::operators::ai_onnx::AnyOperator;
    /// use shape_model::ModelFile;
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let file = ModelFile::open(path)?;
    /// for node in file.model().graph().unwrap().nodes() {
    ///     match node.operator()? {
    ///         AnyOperator::Gather(_) => assert_eq!(node.inputs().len(), 2),
    ///         other => assert_eq!(other.schema().name, node.op_type()),
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "ai-onnx")]
    pub fn operator(self) -> Result<shape_core::operators::ai_onnx::AnyOperator<'m>, NodeError> {
        self.read()
    }

    /// The graph in the attribute with a name, such as the `body` of a loop.
    #[must_use]
    pub fn subgraph(self, name: &str) -> Option<Graph<'m>> {
        self.attribute(name)?.graph()
    }

    /// The names of the inputs, `None` for one that is left out: what `Inputs::of` of an operator's module takes.
    ///
    /// ```
    /// use shape_core::operators::ai_onnx::gather;
    /// use shape_model::ModelFile;
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let file = ModelFile::open(path)?;
    /// let node = file.model().graph().unwrap().nodes().iter().find(|node| node.op_type() == "Gather").unwrap();
    /// let gather::Inputs { data, indices } = gather::Inputs::of(&node.input_names()).unwrap();
    /// assert_eq!(data, node.inputs().get(0).unwrap());
    /// # let _ = indices;
    /// # Ok::<(), shape_model::file::ModelError>(())
    /// ```
    #[must_use]
    pub fn input_names(self) -> Vec<Option<&'m str>> {
        self.inputs().iter().map(|name| Some(name).filter(|name| !name.is_empty())).collect()
    }

    /// The names of the outputs, `None` for one that is left out.
    #[must_use]
    pub fn output_names(self) -> Vec<Option<&'m str>> {
        self.outputs().iter().map(|name| Some(name).filter(|name| !name.is_empty())).collect()
    }
}

/// The elements of an initializer.
#[derive(Clone, Debug)]
pub struct Elements {
    /// Their type.
    pub data_type: DataType,
    /// The dimensions of the tensor, outermost first.
    pub dims: Vec<u64>,
    /// The elements in row-major order: of fixed width, little-endian, those of less than a byte packed from the low bits
    /// up. They are a view of the file if it stores them in that form.
    pub bytes: crate::file::Bytes,
}

impl<'m> Analysis<'m> {
    /// The value with an index.
    #[must_use]
    pub fn value(&self, index: u32) -> Option<&Value<'m>> {
        self.values.get(index as usize)
    }

    /// The node that computes the value with an index; `None` for an input or an initializer.
    #[must_use]
    pub fn producer(&self, index: u32) -> Option<Node<'m>> {
        self.node(self.value(index)?)
    }

    /// The graph of the file as it was analysed, by its index in [`graphs`](Self::graphs): for the `body` of a loop, say.
    #[must_use]
    pub fn graph(&self, graph: Graph<'m>) -> Option<usize> {
        self.graphs.iter().position(|info| info.proto.is_some_and(|other| other.index() == graph.index()))
    }

    /// The elements of an initializer, those in other files of the model's folder included; `None` if the value is no
    /// initializer.
    ///
    /// # Errors
    ///
    /// If the elements are strings, cannot be read, or do not fit the dimensions and the type.
    pub fn tensor(&self, index: u32, external: &External) -> Option<Result<Elements, TensorError>> {
        let value = self.value(index).filter(|value| value.origin == Origin::Initializer)?;
        let tensor = self.graphs.get(value.graph)?.proto?.initializer(value.name)?;
        let elements = || {
            let (data_type, dims) = (tensor.element_type()?, tensor.sizes()?);
            let bytes = external.elements(tensor)?;
            Ok(Elements { data_type, dims, bytes })
        };
        Some(elements())
    }

    /// The nodes that read each value, in the order of the analysis, by the index of the value. Those in other graphs are
    /// among them.
    ///
    /// ```
    /// use shape_model::{ModelFile, Options, analyse};
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let file = ModelFile::open(path)?;
    /// let analysis = analyse(file.model(), &Options::of(&file))?;
    /// let x = analysis.scopes().index(0, "x").unwrap();
    /// let consumers = analysis.consumers();
    /// assert!(consumers[x as usize].iter().all(|node| node.inputs().iter().any(|input| input == "x")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn consumers(&self) -> Vec<Vec<Node<'m>>> {
        let scopes = self.scopes();
        let mut consumers = vec![Vec::new(); self.values.len()];
        for (graph, info) in self.graphs.iter().enumerate() {
            for node in info.nodes {
                let mut read: Vec<u32> = node.inputs().iter().filter_map(|name| scopes.index(graph, name)).collect();
                read.sort_unstable();
                read.dedup();
                for value in read {
                    if let Some(consumers) = consumers.get_mut(value as usize) {
                        consumers.push(node);
                    }
                }
            }
        }
        consumers
    }
}

/// Reads the nodes of an analysed model as operators of the newest version, with what the analysis knows of their inputs.
///
/// ```
/// use shape_core::operators::ai_onnx::gather;
/// use shape_model::{ModelFile, Operand, Options, analyse};
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
/// let file = ModelFile::open(path)?;
/// let analysis = analyse(file.model(), &Options::of(&file))?;
/// let reader = analysis.reader(file.external());
/// let node = file.model().graph().unwrap().nodes().iter().find(|node| node.op_type() == "Gather").unwrap();
/// let latest = reader.latest::<gather::Gather>(0, node)?;
/// assert_eq!(latest.operator()?.axis, 0);
/// let inputs = latest.inputs();
/// let gather::Inputs { data, .. } = gather::Inputs::of(&inputs).map_err(|problem| latest.error(&problem))?;
/// assert_eq!(data, Operand::Value(node.inputs().get(0).unwrap()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct NodeReader<'a, 'm> {
    analysis: &'a Analysis<'m>,
    scopes: Scopes<'a, 'm>,
    external: &'a External,
    /// By value; filled when a value is first asked for.
    constants: Vec<OnceCell<Option<Box<Constant>>>>,
    /// By value, whether a node reads it or it is an output of a graph.
    read: OnceCell<Vec<bool>>,
}

impl<'m> Analysis<'m> {
    /// A reader of nodes. `external` reads the initializers in other files: [`ModelFile::external`](crate::ModelFile::external).
    #[must_use]
    pub fn reader<'a>(&'a self, external: &'a External) -> NodeReader<'a, 'm> {
        let constants = self.values.iter().map(|_| OnceCell::new()).collect();
        NodeReader { analysis: self, scopes: self.scopes(), external, constants, read: OnceCell::new() }
    }
}

impl<'a, 'm> NodeReader<'a, 'm> {
    /// The analysis.
    #[must_use]
    pub fn analysis(&self) -> &'a Analysis<'m> {
        self.analysis
    }

    /// Finds values by name.
    #[must_use]
    pub fn scopes(&self) -> &Scopes<'a, 'm> {
        &self.scopes
    }

    /// The elements of a value with an index, if it has at most one axis, few elements, and they are known before the
    /// model runs: they are computed, or of an initializer that callers cannot replace.
    ///
    /// ```
    /// use shape_core::convert::Numbers;
    /// use shape_model::{ModelFile, Options, analyse};
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let file = ModelFile::open(path)?;
    /// let analysis = analyse(file.model(), &Options::of(&file))?;
    /// let reader = analysis.reader(file.external());
    /// let gather = file.model().graph().unwrap().nodes().iter().find(|node| node.op_type() == "Gather").unwrap();
    /// let indices = reader.scopes().index(0, gather.inputs().get(1).unwrap()).unwrap();
    /// assert_eq!(reader.constant(indices).unwrap().numbers, Numbers::Ints(vec![0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn constant(&self, index: u32) -> Option<&Constant> {
        let (value, cell) = (self.analysis.value(index)?, self.constants.get(index as usize)?);
        let ir_version =
            || self.analysis.graphs.first().and_then(|graph| graph.nodes.model().ir_version()).unwrap_or(0);
        cell.get_or_init(|| constant(self.analysis, value, self.external, ir_version()).map(Box::new)).as_deref()
    }

    /// Whether a node reads a value, or a graph or a function gives it.
    fn is_read(&self, graph: usize, name: &str) -> bool {
        let read = self.read.get_or_init(|| {
            let mut read = vec![false; self.analysis.values.len()];
            let mut mark = |index: Option<u32>| {
                if let Some(of_value) = index.and_then(|index| read.get_mut(index as usize)) {
                    *of_value = true;
                }
            };
            for (graph, info) in self.analysis.graphs.iter().enumerate() {
                info.outputs.iter().for_each(|index| mark(*index));
                for name in info.nodes.iter().flat_map(Node::inputs) {
                    mark(self.scopes.index(graph, name));
                }
            }
            read
        });
        self.scopes.index(graph, name).is_none_or(|index| read.get(index as usize).copied().unwrap_or(true))
    }

    /// What is known of a value, by its name in a graph; `None` for an empty name, which stands for no value.
    fn known(&self, graph: usize, name: &str) -> Option<Known<'_>> {
        if name.is_empty() {
            return None;
        }
        let index = self.scopes.index(graph, name);
        let value = index.and_then(|index| self.analysis.value(index));
        Some(Known {
            ty: value.and_then(|value| value.ty.as_ref().ok().copied()),
            dims: value.and_then(|value| value.dims.as_deref().ok()),
            constant: index.and_then(|index| self.constant(index)),
        })
    }

    /// What is known of the inputs of a node, `None` for one that is left out: what `latest` of an operator takes. `graph`
    /// is the index of its graph in [`Analysis::graphs`].
    ///
    /// ```
    /// use shape_core::operators::ai_onnx::gather;
    /// use shape_model::{ModelFile, Options, analyse};
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let file = ModelFile::open(path)?;
    /// let analysis = analyse(file.model(), &Options::of(&file))?;
    /// let reader = analysis.reader(file.external());
    /// let node = file.model().graph().unwrap().nodes().iter().find(|node| node.op_type() == "Gather").unwrap();
    /// let any_version = node.read::<gather::Gather>()?;
    /// let latest = any_version.latest(&reader.known_inputs(0, node), node.outputs().len()).unwrap();
    /// let gather: gather::Gather13 = latest.operator().unwrap();
    /// assert_eq!(gather.axis, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn known_inputs(&self, graph: usize, node: Node<'_>) -> Vec<Option<Known<'_>>> {
        node.inputs().iter().map(|name| self.known(graph, name)).collect()
    }

    /// Reads a node in the version that the model imports, and lifts it to the newest version of an operator. `graph` is
    /// the index of its graph in [`Analysis::graphs`].
    ///
    /// An output that may be left out and that nobody reads counts as left out. An operator that ONNX gave up is lifted to the one that stands for it: an Upsample is read as a `resize::Resize`.
    ///
    /// # Errors
    ///
    /// Those of [`Node::read`]; or the newest version cannot express the node, or its inputs and outputs are not those of
    /// its version.
    pub fn latest<T: AnyVersion<'m>>(
        &self,
        graph: usize,
        node: Node<'m>,
    ) -> Result<LatestNode<'_, 'm, T::Newest>, NodeError> {
        let version = becomes::<T>(node.domain(), node.op_type(), node.required_opset()?);
        let version = version.map_err(|error| NodeError::of(node, &error))?;
        if let Some(name) = node.without_kind() {
            return Err(NodeError::of_problem(node, &Problem::AttributeNoKind { name }));
        }
        self.lifted::<T>(graph, node, version)
    }

    /// Lifts a node that was read already to the newest version of its operator.
    ///
    /// # Errors
    ///
    /// The newest version cannot express the node, or its inputs and outputs are not those of its version.
    pub fn lift<T: AnyVersion<'m>>(
        &self,
        graph: usize,
        node: Node<'m>,
        any: &T,
    ) -> Result<LatestNode<'_, 'm, T::Newest>, NodeError> {
        self.lifted::<T>(graph, node, any.schema())
    }

    fn lifted<T: AnyVersion<'m>>(
        &self,
        graph: usize,
        node: Node<'m>,
        version: &'static Schema,
    ) -> Result<LatestNode<'_, 'm, T::Newest>, NodeError> {
        let known = |index, name| self.known(graph, name).map(|known| (index, known));
        let attributes = node.attributes().iter().filter_map(Attribute::view);
        // One that may be left out and that nobody reads is none, such as the mask that many a Dropout names.
        let may_lack = |index| version.output(index).is_some_and(|formal| formal.option == ParameterOption::Optional);
        let is_given = |index, name: &str| !name.is_empty() && (!may_lack(index) || self.is_read(graph, name));
        let outputs = node.outputs().iter().enumerate();
        let outputs: Vec<&str> = outputs.map(|(index, name)| if is_given(index, name) { name } else { "" }).collect();
        let count = outputs.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last + 1);
        let new = convert::Node {
            attributes: attributes.map(|given| convert::Attribute::given(given.name, given.value)).collect(),
            inputs: (node.inputs().iter().enumerate())
                .map(|(index, name)| known(index, name))
                .map(|given| given.map_or(Input::Absent, |(index, known)| Input::Given { index, known }))
                .collect(),
            outputs: (outputs.into_iter().take(count).enumerate())
                .map(|(index, name)| known(index, name))
                .map(|given| given.map_or(Output::Absent, |(index, known)| Output::Given { index, known }))
                .collect(),
        };
        let latest = Latest::of_node::<T>(version, new).map_err(|refusals| NodeError::refused(node, &refusals))?;
        Ok(LatestNode { node, latest })
    }
}

/// A node that was converted to the newest version of its operator, whose struct is `O`. What was an attribute and is
/// an input now is a constant among its inputs.
#[derive(Clone, Debug)]
pub struct LatestNode<'r, 'm, O> {
    node: Node<'m>,
    latest: Latest<'r, O>,
}

/// What a node reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand<'a> {
    /// The value with this name.
    Value(&'a str),
    /// The value of an attribute in the file's version, which is an input in the newest version.
    Constant(&'a Constant),
}

impl<'m, O: Operator> LatestNode<'_, 'm, O> {
    /// The struct of the newest version.
    ///
    /// # Errors
    ///
    /// An attribute is a tensor that the lift made, which no field can borrow.
    pub fn operator(&self) -> Result<O::Of<'_>, NodeError> {
        self.latest.operator().map_err(|problem| self.error(&problem))
    }

    /// The inputs in the order of the newest version, `None` for one that is left out: what `Inputs::of` of the operator's
    /// module takes.
    #[must_use]
    pub fn inputs(&self) -> Vec<Option<Operand<'_>>> {
        let operand = |input| match input {
            &Input::Given { index, .. } => self.node.inputs().get(index).map(Operand::Value),
            Input::Constant { value, .. } => Some(Operand::Constant(value)),
            // A new value is that of another node, and this is the only one.
            Input::Absent | Input::New(_) => None,
        };
        self.latest.inputs().iter().map(operand).collect()
    }

    /// The names of the outputs in the order of the newest version, `None` for one that is left out.
    #[must_use]
    pub fn outputs(&self) -> Vec<Option<&'m str>> {
        let name = |output| match output {
            &Output::Given { index, .. } => self.node.outputs().get(index),
            Output::Absent | Output::New { .. } => None,
        };
        self.latest.outputs().iter().map(name).collect()
    }

    /// The node in the file.
    #[must_use]
    pub fn node(&self) -> Node<'m> {
        self.node
    }

    /// A problem as an error that names the node, such as one of `Inputs::of`.
    #[must_use]
    pub fn error(&self, problem: &Problem<'_>) -> NodeError {
        NodeError::of_problem(self.node, problem)
    }
}
