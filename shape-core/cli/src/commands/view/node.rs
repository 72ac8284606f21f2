//! All facts about a node: its attributes, inputs and outputs beside those of its operator.

use serde::Serialize;
use shape_core::node::AttributeValue;
use shape_core::opset::canonical_domain;
use shape_core::schema::{FormalParameter, Schema};
use shape_model::file::List;
use shape_model::{Analysis, GraphInfo, GraphKind, ReleasedNode};

/// The most characters of an attribute's value that are shown.
const MAX_TEXT: usize = 400;

/// A node.
#[derive(Serialize)]
pub(super) struct Detail<'a> {
    graph: &'a str,
    index: usize,
    name: &'a str,
    op_type: &'a str,
    domain: &'a str,
    since: Option<u32>,
    summary: Option<&'static str>,
    doc: &'static str,
    attributes: Vec<Attribute>,
    inputs: Vec<Parameter<'a>>,
    outputs: Vec<Parameter<'a>>,
    /// What it uses that not every release of a runtime has.
    needs: Vec<String>,
}

#[derive(Serialize)]
struct Attribute {
    name: String,
    kind: &'static str,
    value: Option<String>,
    is_default: bool,
    doc: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subgraph: Option<usize>,
}

/// An input or output.
#[derive(Serialize)]
struct Parameter<'a> {
    formal: Option<&'static str>,
    doc: Option<&'static str>,
    value: &'a str,
}

impl<'a> Detail<'a> {
    /// The node at an index of a graph, of this version; `None` if there is no such node. `released` is what it needs of
    /// releases.
    pub(super) fn new(
        analysis: &'a Analysis<'a>,
        (graph, index): (usize, usize),
        schema: Option<&'static Schema>,
        released: Option<&ReleasedNode<'_>>,
    ) -> Option<Self> {
        let info = analysis.graphs.get(graph)?;
        let node = info.nodes.get(index)?;
        let given = node.attributes();
        let mut attributes: Vec<Attribute> = Vec::new();
        for (position, attribute) in given.iter().enumerate() {
            let formal = schema.and_then(|schema| schema.attribute(attribute.name()));
            let view = attribute.view();
            let is_inside = |info: &GraphInfo<'_>| {
                matches!(info.kind, GraphKind::Subgraph { parent, position: at }
                    if (parent, at.node, at.attribute) == (graph, index, position))
            };
            // Few attributes have graphs, and a model may have many.
            let subgraph = attribute.subgraphs().next().and_then(|_| analysis.graphs.iter().position(is_inside));
            attributes.push(Attribute {
                name: attribute.name().to_owned(),
                kind: view.map_or("UNDEFINED", |view| view.value.kind().name()),
                value: match attribute.reference() {
                    "" => view.map(|view| text(&view.value)),
                    reference => Some(format!("the attribute `{reference}` of the function")),
                },
                is_default: false,
                doc: formal.map(|formal| formal.doc),
                subgraph,
            });
        }
        let is_given = |name: &str| given.iter().any(|attribute| attribute.name() == name);
        let formal = schema.map_or(&[][..], |schema| schema.attributes);
        attributes.extend(formal.iter().filter(|formal| !is_given(formal.name)).map(|formal| Attribute {
            name: formal.name.to_owned(),
            kind: formal.kind.name(),
            value: formal.default.as_ref().map(text),
            is_default: formal.default.is_some(),
            doc: Some(formal.doc),
            subgraph: None,
        }));
        Some(Self {
            graph: &info.path,
            index,
            name: node.name(),
            op_type: node.op_type(),
            domain: canonical_domain(node.domain()),
            since: schema.map(|schema| schema.since_version),
            summary: schema.map(|schema| schema.summary),
            doc: schema.map_or("", |schema| schema.details),
            attributes,
            inputs: parameters(node.inputs(), schema.map(|schema| schema.inputs)),
            outputs: parameters(node.outputs(), schema.map(|schema| schema.outputs)),
            needs: released.iter().flat_map(|node| &node.needs).map(ToString::to_string).collect(),
        })
    }
}

/// The values of a node beside the formal parameters, and those that are left out at the end.
fn parameters<'a>(values: List<'a, &'a str>, formal: Option<&'static [FormalParameter]>) -> Vec<Parameter<'a>> {
    let formal = formal.unwrap_or_default();
    let at = |index: usize| {
        let last = formal.last().filter(|last| last.is_variadic());
        formal.get(index).or(last)
    };
    let parameter = |index: usize, value| {
        let formal = at(index);
        Parameter { formal: formal.map(|formal| formal.name), doc: formal.map(|formal| formal.doc), value }
    };
    let mut all: Vec<Parameter<'a>> = values.iter().enumerate().map(|(index, value)| parameter(index, value)).collect();
    all.extend((all.len()..formal.len()).map(|index| parameter(index, "")));
    all
}

/// A value as text, of which a long one is cut.
fn text(value: &AttributeValue<'_>) -> String {
    let whole = value.to_string();
    match whole.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => {
            format!("{}... ({} characters in all)", whole.get(..end).unwrap_or(""), whole.chars().count())
        }
        None => whole,
    }
}
