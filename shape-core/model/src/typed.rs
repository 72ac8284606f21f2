//! Nodes as typed operators, for programs that import models.

use std::fmt;

use crate::analysis::{Analysis, Scopes};
use crate::file::{Attribute, External, Graph, Node, TensorError};
use crate::imports::Imports;
use crate::value::{Origin, Value};
use shape_core::code::Code;
use shape_core::convert::Known;
use shape_core::data_type::DataType;
use shape_core::node::{AttributeSource, NodeAttribute};
use shape_core::operator::{ReadError, ReadNode};
use shape_core::opset::canonical_domain;
use shape_core::registry::Missing;

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
    fn new(node: Node<'_>, code: Code, message: String) -> Self {
        Self {
            name: node.name().into(),
            op_type: node.op_type().into(),
            output: node.outputs().iter().find(|name| !name.is_empty()).map(Box::from),
            code,
            message: message.into(),
            expected: None,
            found: None,
        }
    }

    fn of(node: Node<'_>, error: &ReadError<'_>) -> Self {
        let code = match error {
            ReadError::Problem(problem) => problem.code(),
            ReadError::Missing(Missing::OperatorTooNew { .. }) => Code::OperatorTooNew,
            ReadError::Missing(Missing::OpsetTooNew { .. }) => Code::OpsetTooNew,
            ReadError::Missing(Missing::NoDescriptor) => Code::NoDescriptor,
            _ => Code::OperatorUnknown,
        };
        let new = Self::new(node, code, error.to_string());
        match error {
            ReadError::Problem(problem) => Self {
                expected: Some(problem.expected().to_string().into()),
                found: Some(problem.found().to_string().into()),
                ..new
            },
            _ => new,
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
        let opset = self.opset().ok_or_else(|| {
            let message = format!("the domain {} is not imported", canonical_domain(self.domain()));
            NodeError::new(self, Code::DomainNotImported, message)
        })?;
        T::read_node(self.domain(), self.op_type(), opset, self).map_err(|error| NodeError::of(self, &error))
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

impl Scopes<'_, '_> {
    /// What is known of the inputs of a node, `None` for one that is left out: what `latest` of an operator takes. `graph`
    /// is the index of its graph in [`Analysis::graphs`].
    ///
    /// ```
    /// use shape_core::operators::ai_onnx::gather;
    /// use shape_model::{ModelFile, Options, analyse};
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/models/attention.onnx");
    /// let file = ModelFile::open(path)?;
    /// let analysis = analyse(file.model(), &Options::of(&file))?;
    /// let scopes = analysis.scopes();
    /// let node = file.model().graph().unwrap().nodes().iter().find(|node| node.op_type() == "Gather").unwrap();
    /// let any_version = node.read::<gather::Gather>()?;
    /// let latest = any_version.latest(&scopes.known_inputs(0, node), node.outputs().len()).unwrap();
    /// let gather: gather::Gather13 = latest.operator().unwrap();
    /// assert_eq!(gather.axis, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn known_inputs(&self, graph: usize, node: Node<'_>) -> Vec<Option<Known<'_>>> {
        let known = |name: &str| {
            let value = self.value(graph, name);
            let ty = value.and_then(|value| value.ty.as_ref().ok().copied());
            Known { ty, dims: value.and_then(|value| value.dims.as_deref().ok()), constant: None }
        };
        node.inputs().iter().map(|name| (!name.is_empty()).then(|| known(name))).collect()
    }
}
