//! Small models as text:
//!
//! ```text
//! opset 18
//! x: float[N, 3]                an input
//! k = int64[2]{1, -1}           an initializer
//! s = Shape(x) start=0          a node; `my::F(x)` is one of another domain
//! c = If(b) then_branch={ r = Neg(s) => r } else_branch={ i: int64[2] => i }
//! fn F(a, b) => c { c = Add(a, b) }
//! => s, c                       outputs, otherwise those of the last node
//! ```

use shape_core::DataType;
use shape_core::node::AttributeKind;
use shape_model::file::proto::{AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto};

use crate::model::{attribute, float, int, ints, model, opset, subgraph, value};

struct Cursor<'t>(&'t str);

/// What stands between braces, or in the whole text.
#[derive(Default)]
struct Items {
    graph: GraphProto,
    functions: Vec<FunctionProto>,
    opset: Option<i64>,
}

pub(crate) fn text(text: &str) -> ModelProto {
    let mut cursor = Cursor(text);
    let Items { graph, functions, opset: version } = cursor.items();
    let mut model = model(&[], Vec::new(), &[]);
    let opsets = vec![opset("", version.unwrap_or(17))];
    let with_my = || opsets.iter().cloned().chain([opset("my", 1)]).collect();
    model.opset_import = if functions.is_empty() { opsets.clone() } else { with_my() };
    model.functions =
        functions.into_iter().map(|function| FunctionProto { opset_import: with_my(), ..function }).collect();
    model.graph = Some(graph);
    model
}

impl<'t> Cursor<'t> {
    fn skip(&mut self) {
        self.0 = self.0.trim_start_matches(|at: char| at.is_whitespace() || at == ';');
    }

    fn eat(&mut self, text: &str) -> bool {
        self.skip();
        let rest = self.0.strip_prefix(text);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, text: &str) {
        assert!(self.eat(text), "`{text}` is expected at `{}`", self.0);
    }

    fn until(&mut self, end: impl Fn(char) -> bool) -> &'t str {
        let (text, rest) = self.0.split_at(self.0.find(end).unwrap_or(self.0.len()));
        self.0 = rest;
        text
    }

    fn name(&mut self) -> &'t str {
        self.skip();
        self.until(|at| !(at.is_alphanumeric() || "_:/.".contains(at))).trim_end_matches(':')
    }

    fn names(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        loop {
            names.push(self.name().to_owned());
            if !self.eat(",") {
                break names;
            }
        }
    }

    fn items(&mut self) -> Items {
        let mut items = Items::default();
        items.graph.name = "g".into();
        let mut outputs: Option<Vec<String>> = None;
        loop {
            self.skip();
            if self.0.is_empty() || self.0.starts_with('}') {
                break;
            }
            let line = self.0.split(['\n', ';', '}']).next().unwrap_or_default().trim_end();
            if let Some(version) = line.strip_prefix("opset ") {
                items.opset = Some(version.trim().parse().unwrap());
                self.0 = &self.0[line.len()..];
            } else if self.eat("fn ") {
                items.functions.push(self.function());
            } else if self.eat("=>") {
                outputs = Some(self.names());
            } else if !line.contains('=') || line.split_once(": ").is_some_and(|(name, _)| !name.contains(['=', '('])) {
                items.graph.input.push(value(line.trim()));
                self.0 = &self.0[line.len()..];
            } else {
                self.assignment(&mut items.graph);
            }
        }
        let last = || items.graph.node.last().map(|node| node.output.clone()).unwrap_or_default();
        items.graph.output = outputs.unwrap_or_else(last).iter().map(|name| value(name)).collect();
        items
    }

    fn function(&mut self) -> FunctionProto {
        let name = self.name().to_owned();
        self.expect("(");
        let input = if self.eat(")") { Vec::new() } else { self.names() };
        self.eat(")");
        let attribute = if self.eat("<") { self.names() } else { Vec::new() };
        self.eat(">");
        self.expect("=>");
        let output = self.names();
        self.expect("{");
        let node = self.items().graph.node;
        self.expect("}");
        FunctionProto { name, domain: "my".into(), input, output, attribute, node, ..FunctionProto::default() }
    }

    fn assignment(&mut self, graph: &mut GraphProto) {
        let outputs = self.names();
        self.expect("=");
        let operator = self.name().to_owned();
        self.skip();
        if !self.0.starts_with('(') {
            let (dims, list) = (self.between('[', ']'), self.between('{', '}'));
            graph.initializer.push(tensor(&outputs[0], &operator, &dims, &list));
            return;
        }
        self.expect("(");
        let input = if self.eat(")") { Vec::new() } else { self.names() };
        self.eat(")");
        let (domain, op_type) = operator.split_once("::").unwrap_or(("", &operator));
        let mut node = NodeProto {
            op_type: op_type.into(),
            domain: domain.into(),
            input,
            output: outputs,
            ..NodeProto::default()
        };
        while let Some((name, _)) = self.0.trim_start_matches([' ', ',']).split_once('=') {
            if name.is_empty() || name.contains(|at: char| !(at.is_alphanumeric() || at == '_')) {
                break;
            }
            self.0 = &self.0.trim_start_matches([' ', ','])[name.len() + 1..];
            node.attribute.push(self.attribute(name));
        }
        graph.node.push(node);
    }

    fn attribute(&mut self, name: &str) -> AttributeProto {
        if self.eat("{") {
            let graph = self.items().graph;
            self.expect("}");
            return subgraph(name, graph);
        }
        if self.0.starts_with('[') {
            return listed(name, &self.between('[', ']'));
        }
        if self.eat("\"") {
            let s = Some(self.until(|at| at == '"').to_owned().into());
            self.expect("\"");
            return attribute(
                AttributeProto { name: name.into(), s, ..AttributeProto::default() },
                AttributeKind::String,
            );
        }
        if self.eat("@") {
            // What the caller of the function gives.
            let of = self.name().to_owned();
            let reference = AttributeProto { name: name.into(), ref_attr_name: of, ..AttributeProto::default() };
            return attribute(reference, AttributeKind::Int);
        }
        let number = self.until(|at| at.is_whitespace() || ",;}".contains(at));
        if let Ok(number) = number.parse() { int(name, number) } else { float(name, number.parse().unwrap()) }
    }

    fn between(&mut self, open: char, close: char) -> Vec<&'t str> {
        self.skip();
        self.0 = self.0.strip_prefix(open).unwrap();
        let text = self.until(|at| at == close);
        self.0 = &self.0[1..];
        text.split(',').map(str::trim).filter(|text| !text.is_empty()).collect()
    }
}

/// A list of texts, of floats where one has a point, or of integers.
fn listed(name: &str, list: &[&str]) -> AttributeProto {
    let proto = AttributeProto { name: name.into(), ..AttributeProto::default() };
    if list.iter().any(|entry| entry.starts_with('"')) {
        let strings = list.iter().map(|entry| entry.trim_matches('"').to_owned().into()).collect();
        return attribute(AttributeProto { strings, ..proto }, AttributeKind::Strings);
    }
    if list.iter().any(|entry| entry.contains('.')) {
        let floats = list.iter().map(|entry| entry.parse().unwrap()).collect();
        return attribute(AttributeProto { floats, ..proto }, AttributeKind::Floats);
    }
    ints(name, &list.iter().map(|number| number.parse().unwrap()).collect::<Vec<_>>())
}

fn tensor(name: &str, ty: &str, dims: &[&str], list: &[&str]) -> TensorProto {
    let ty = DataType::from_name(ty).unwrap();
    let bytes = list.iter().flat_map(|text| match ty {
        DataType::Float => text.parse::<f32>().unwrap().to_le_bytes().to_vec(),
        DataType::Int32 => text.parse::<i32>().unwrap().to_le_bytes().to_vec(),
        DataType::Bool => vec![u8::from(*text == "true")],
        _ => text.parse::<i64>().unwrap().to_le_bytes().to_vec(),
    });
    TensorProto {
        name: name.into(),
        dims: dims.iter().map(|dim| dim.parse().unwrap()).collect(),
        data_type: Some(ty.number().into()),
        raw_data: Some(bytes.collect()),
        ..TensorProto::default()
    }
}
