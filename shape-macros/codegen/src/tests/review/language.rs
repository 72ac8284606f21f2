//! The calls, dimensions, relations and actions of generated tables, in the language of descriptors: what a table says by
//! an index is called by the name that the tables have at that index.

use super::tree::{Entry, sentences};
use super::value::Value;

/// The names of what tables refer to by index.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub(super) attributes: Vec<String>,
    pub(super) inputs: Vec<String>,
    pub(super) outputs: Vec<String>,
    /// The rules of another crate, by the constants that hold them.
    pub(super) rules: Vec<(String, String)>,
}

/// How tightly the parts of an expression hold together.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Binding {
    Or,
    And,
    Claim,
    Sum,
    Product,
    Whole,
}

type Part = (String, Binding);

fn at(names: &[String], index: Option<&Value>) -> String {
    let index = match index {
        Some(Value::Int(index)) => usize::try_from(*index).ok(),
        _ => None,
    };
    index.and_then(|index| names.get(index)).cloned().unwrap_or_else(|| "(no such part)".to_owned())
}

fn tight((text, binding): Part, least: Binding) -> String {
    if binding < least { format!("({text})") } else { text }
}

impl Names {
    /// An expression, a formula, a claim or an argument.
    pub(super) fn text(&self, value: &Value) -> String {
        self.part(value).0
    }

    fn listed<'v>(&self, values: impl IntoIterator<Item = &'v Value>) -> String {
        values.into_iter().map(|value| self.text(value)).collect::<Vec<_>>().join(", ")
    }

    fn part(&self, value: &Value) -> Part {
        let whole = |text: String| (text, Binding::Whole);
        let (path, arguments) = match value {
            Value::Call { path, arguments } => (&**path, &**arguments),
            Value::Bool(of) => return whole(of.to_string()),
            Value::Int(of) => return whole(of.to_string()),
            Value::Float(of) | Value::Other(of) => return whole(of.clone()),
            Value::Text(of) => return whole(of.clone()),
            Value::Bytes(of) => return whole(format!("'{}'", of.escape_ascii())),
            Value::List(of) => return whole(format!("[{}]", self.listed(of))),
            Value::Struct(of) => return whole(self.term(&of.path, value)),
        };
        let (of, name) = path.split_once("::").unwrap_or(("", path));
        let (first, second) = (arguments.first(), arguments.get(1));
        let number = |of: Option<&Value>| of.map(|of| self.text(of)).unwrap_or_default();
        let input = || at(&self.inputs, first);
        let attribute = || at(&self.attributes, first);
        whole(match (of, name) {
            ("Argument" | "TypeOf" | "Part" | "Condition", "Input") | ("Expression", "Element") => input(),
            ("Argument" | "Part" | "Condition" | "Expression", "Attribute") => attribute(),
            ("Part", "Output") => at(&self.outputs, first),
            ("Argument", "Absent") => "_".to_owned(),
            ("Argument", "ChannelsLast") => format!("nhwc({})", input()),
            ("Argument", "Every") => format!("{}[::{}]", input(), number(second)),
            ("Expression", "Axis") => format!("{}[{}]", input(), number(second)),
            ("Expression", "Entry") => format!("{}[{}]", attribute(), number(second)),
            ("Expression", "AxisAt") => format!("{}[{}]", input(), at(&self.attributes, second)),
            ("Expression", "Rank") => format!("rank({})", input()),
            ("Expression", "Size") => format!("size({})", input()),
            ("Expression", "Type") => format!("type({})", input()),
            ("Expression", "AttributeType") => format!("type({})", attribute()),
            ("Expression", "Length") => {
                let lists = first.map_or(&[][..], Value::list);
                let lists: Vec<String> = lists.iter().map(|list| at(&self.attributes, Some(list))).collect();
                format!("len({})", lists.join(", "))
            }
            ("Expression", "FoldElements") => format!("{}({})", number(first), at(&self.inputs, second)),
            ("Expression", "FoldEntries") => format!("{}({})", number(first), at(&self.attributes, second)),
            ("Term", "Data") => "?".to_owned(),
            ("Expression" | "Formula", "Operation") => return self.operation(arguments),
            ("Claim" | "Formula", "Compare") => return self.comparison(arguments),
            ("Claim", "Given") => format!("{}given({})", not(second), number(first)),
            ("Claim", "Word") => {
                let word = second.and_then(Value::text).unwrap_or_default();
                return (format!("{} is {}{word}", attribute(), not(arguments.get(2))), Binding::Claim);
            }
            ("Condition", "AttributeIs") => {
                let is = second.and_then(|value| value.call()?.1.first());
                let is = is.map(|is| is.text().map_or_else(|| self.text(is), str::to_owned)).unwrap_or_default();
                return (format!("{} is {is}", attribute()), Binding::Claim);
            }
            ("Condition", "InputOf") => return (format!("{} is {}", input(), number(second)), Binding::Claim),
            ("TypeOf", "Sequence") => format!("seq({})", number(first)),
            ("TypeOf", "Type") | ("Formula", "Float" | "Int" | "Name" | "List" | "Text" | "ElementType") => {
                number(first)
            }
            ("TypeOf", name) => format!("{}({})", name.to_lowercase(), number(first)),
            ("Formula", "Call") => return self.function(arguments),
            ("Type", "tensor" | "sparse_tensor") => format!("{name}({})", number(first)),
            ("", "nested") => number(first),
            ("", "sequence") => format!("seq({})", number(first)),
            ("", "optional") => format!("optional({})", number(first)),
            ("", "map") => format!("map({}, {})", number(second), number(first)),
            ("DataType" | "Operation" | "Function", name) => name.to_lowercase(),
            ("AttributeValue" | "Expression" | "Argument" | "Term", "Int" | "Float" | "ElementType" | "Dim") => {
                number(first)
            }
            ("AttributeValue", "String") => first.map(quoted).unwrap_or_default(),
            ("AttributeValue" | "StringsView", _) => match first {
                Some(Value::List(list)) if list.iter().all(|of| matches!(of, Value::Bytes(_))) => {
                    format!("[{}]", list.iter().map(quoted).collect::<Vec<_>>().join(", "))
                }
                first => number(first),
            },
            (_, "rules") | ("rules", _) => name.to_lowercase(),
            _ => match self.rules.iter().find(|(constant, _)| constant == path) {
                Some((_, rule)) => rule.clone(),
                None if arguments.is_empty() => path.to_owned(),
                None => format!("{path}({})", self.listed(arguments)),
            },
        })
    }

    /// What is written with names of fields: a stretch of dimensions, or an attribute that gives a type.
    fn term(&self, path: &str, of: &Value) -> String {
        let name = |field, names: &[String]| at(names, of.field(field));
        let number =
            |field| of.field(field).and_then(Value::option).map(|number| self.text(number)).unwrap_or_default();
        let stretch = |name: String| match (&*number("from"), &*number("to")) {
            ("0", "") => format!("...{name}"),
            ("0", to) => format!("...{name}[:{to}]"),
            (from, to) => format!("...{name}[{from}:{to}]"),
        };
        match path {
            "Term::Axes" => stretch(name("input", &self.inputs)),
            "Term::Entries" => stretch(name("attribute", &self.attributes)),
            "TypeOf::Attribute" => match &*number("from") {
                "0" => name("index", &self.attributes),
                from => format!("{}[{from}..]", name("index", &self.attributes)),
            },
            "TypeOf::Updated" => format!("updated({}, {})", number("groups"), name("input", &self.inputs)),
            _ => format!("{of:?}"),
        }
    }

    fn operation(&self, arguments: &[Value]) -> Part {
        let [operation, left, right] = arguments else { return ("(no operation)".to_owned(), Binding::Whole) };
        let operation = operation.call().map_or("", |(path, _)| path).trim_start_matches("Operation::");
        let [left, right] = [left, right].map(|side| self.part(side));
        if operation == "Sub" && left.0 == "0" {
            let of = if right.0.starts_with('-') { format!("({})", right.0) } else { tight(right, Binding::Whole) };
            return (format!("-{of}"), Binding::Whole);
        }
        let (sign, binding, behind) = match operation {
            "Add" => (" + ", Binding::Sum, Binding::Product),
            "Sub" => (" - ", Binding::Sum, Binding::Product),
            "Mul" => ("*", Binding::Product, Binding::Whole),
            "FloorDiv" => ("//", Binding::Product, Binding::Whole),
            "Mod" => (" % ", Binding::Product, Binding::Whole),
            of => return (format!("{}({}, {})", of.to_lowercase(), left.0, right.0), Binding::Whole),
        };
        (format!("{}{sign}{}", tight(left, binding), tight(right, behind)), binding)
    }

    fn comparison(&self, arguments: &[Value]) -> Part {
        let [left, comparison, right] = arguments else { return ("(no comparison)".to_owned(), Binding::Whole) };
        let is_word =
            matches!(right.call(), Some(("Expression::ElementType" | "Formula::ElementType" | "Formula::Text", _)));
        let sign = match comparison.call().map_or("", |(path, _)| path).trim_start_matches("Comparison::") {
            "Equal" if is_word => "is",
            "NotEqual" if is_word => "is not",
            "Equal" => "==",
            "NotEqual" => "!=",
            "Less" => "<",
            "AtMost" => "<=",
            "Greater" => ">",
            "AtLeast" => ">=",
            other => other,
        };
        let right = match right.call() {
            Some(("Formula::Text", [text])) => text.text().unwrap_or_default().to_owned(),
            _ => self.text(right),
        };
        (format!("{} {sign} {right}", self.text(left)), Binding::Claim)
    }

    fn function(&self, arguments: &[Value]) -> Part {
        let [function, Value::List(of)] = arguments else { return ("(no function)".to_owned(), Binding::Whole) };
        let parts = |least| of.iter().map(|of| tight(self.part(of), least)).collect::<Vec<_>>();
        let claims = |parts: Vec<String>, word: &str| chained(&parts, word);
        match (self.text(function).as_str(), &**of) {
            ("and", _) => (claims(parts(Binding::Claim), " and "), Binding::And),
            ("or", _) => (parts(Binding::And).join(" or "), Binding::Or),
            ("not", [of]) => (format!("not {}", tight(self.part(of), Binding::Whole)), Binding::Whole),
            ("entry", [of, entry]) => (format!("{}[{}]", self.text(of), self.text(entry)), Binding::Whole),
            (name, _) => (format!("{name}({})", self.listed(of)), Binding::Whole),
        }
    }

    /// A relation, which is a list of alternatives, each a list of claims.
    pub(super) fn relation(&self, alternatives: &Value) -> String {
        let claims = |claims: &Value| {
            let claims: Vec<String> = claims.list().iter().map(|claim| self.text(claim)).collect();
            chained(&claims, " and ")
        };
        alternatives.list().iter().map(claims).collect::<Vec<_>>().join(" or ")
    }

    fn conditional(&self, text: &str, condition: Option<&Value>) -> String {
        let condition = condition.map(|condition| self.relation(condition)).unwrap_or_default();
        if condition.is_empty() { text.to_owned() } else { format!("{text} if {condition}") }
    }

    fn call(&self, rule: &Value, arguments: &Value) -> String {
        format!("{}({})", self.text(rule), self.listed(arguments.list()))
    }

    /// What gives the dimensions: a line, or one for each alternative.
    fn dims(&self, dims: &Value) -> Vec<String> {
        match dims.call() {
            Some(("DimsRule::Call", [call])) => vec![self.called(call)],
            Some(("DimsRule::Terms", [terms])) => vec![format!("[{}]", self.listed(terms.list()))],
            Some(("DimsRule::Alternatives", [alternatives])) => {
                let alternative = |of: &Value| {
                    let dims = of.field("dims").map(|dims| self.dims(dims)).unwrap_or_default().join("; ");
                    self.conditional(&dims, of.field("condition"))
                };
                alternatives.list().iter().map(alternative).collect()
            }
            _ => vec![self.text(dims)],
        }
    }

    fn called(&self, call: &Value) -> String {
        match (call.field("rule"), call.field("arguments")) {
            (Some(rule), Some(arguments)) => self.call(rule, arguments),
            _ => self.text(call),
        }
    }

    /// What decides an output: an entry for each of its type, dimensions, elements and multiply-adds.
    pub(super) fn rule(&self, rule: &Value) -> Vec<Entry> {
        let output = self.output(rule);
        let types = |types: &Value| types.list().iter().map(|source| self.type_source(source)).collect::<Vec<_>>();
        let one = |what, rule, arguments| decides(what, &output, &[self.call(rule, arguments)]);
        match rule.call() {
            Some(("rule", [_, rule, arguments])) => one("dims", rule, arguments).into_iter().collect(),
            Some(("of_types", [of, sources])) => {
                decides("type", &output, &types(sources)).into_iter().chain(self.rule(of)).collect()
            }
            Some(("with_elements", [of, rule, arguments])) => {
                self.rule(of).into_iter().chain(one("elements", rule, arguments)).collect()
            }
            _ => {
                let field = |name| rule.field(name).and_then(Value::option);
                let amount = |of: &Value| {
                    let number = of.field("number").map(|number| self.text(number)).unwrap_or_default();
                    self.conditional(&number, of.field("condition"))
                };
                let amounts = field("multiply_adds").map_or(&[][..], Value::list);
                let lines = [
                    ("type", field("types").map(types).unwrap_or_default()),
                    ("dims", field("dims").map(|dims| self.dims(dims)).unwrap_or_default()),
                    ("elements", field("elements").map(|call| self.called(call)).into_iter().collect()),
                    ("multiply-adds", amounts.iter().map(amount).collect()),
                ];
                lines.into_iter().filter_map(|(what, lines)| decides(what, &output, &lines)).collect()
            }
        }
    }

    fn type_source(&self, source: &Value) -> String {
        let of = source.field("of").map(|of| self.text(of)).unwrap_or_default();
        match source.field("condition").and_then(Value::option) {
            Some(condition) => format!("{of} if {}", self.text(condition)),
            None => of,
        }
    }

    /// The output that a rule is of.
    fn output(&self, rule: &Value) -> String {
        match rule.call() {
            Some(("rule", [output, ..])) => at(&self.outputs, Some(output)),
            Some((_, [of, ..])) => self.output(of),
            _ => at(&self.outputs, rule.field("output")),
        }
    }

    /// A relation that a node must meet, with the code of the finding where it does not, and its sentences.
    pub(super) fn requirement(&self, of: &Value) -> Entry {
        let code = of.field("code").map(|code| kebab(&self.text(code))).unwrap_or_default();
        let text = of.field("text").and_then(Value::text).unwrap_or_default();
        let checked = of.field("alternatives").map(|alternatives| self.relation(alternatives)).unwrap_or_default();
        let doc = sentences(of.field("doc").and_then(Value::text).unwrap_or_default());
        // The text is what findings say, the claims are what is checked.
        let same = letters(text) == letters(&checked);
        let checked = (!same).then(|| Entry::line(format!("checked as {checked}")));
        Entry::line(format!("{text} [{code}]")).with(doc).with(checked)
    }

    /// An action of an adapter.
    pub(super) fn action(&self, action: &Value) -> Entry {
        let condition = |field| action.field(field).and_then(Value::option).map(|of| self.text(of));
        let mut line = String::new();
        if let Some(way) = condition("way") {
            line += &format!("{}: ", way.trim_start_matches("Way::").to_lowercase());
        }
        let mut below = Vec::new();
        line += &match action.field("deed") {
            Some(deed) => self.deed(deed, &mut below),
            None => "nothing".to_owned(),
        };
        for (word, field) in [("where", "when"), ("unless", "unless")] {
            line += &condition(field).map(|condition| format!(", {word} {condition}")).unwrap_or_default();
        }
        Entry::line(line).with(below)
    }

    fn deed(&self, deed: &Value, below: &mut Vec<Entry>) -> String {
        let field = |name| deed.field(name).and_then(Value::option).map(|of| self.text(of)).unwrap_or_default();
        if let Value::Struct(of) = deed {
            return match &*of.path {
                "Deed::Move" => {
                    let one = if field("one") == "true" { ", one number" } else { "" };
                    let absent = Some(field("absent")).filter(|value| !value.is_empty());
                    let absent = absent.map(|value| format!(", without it {value}")).unwrap_or_default();
                    format!("the attribute `{}` is the input `{}`{one}{absent}", field("attribute"), field("input"))
                }
                "Deed::Rename" => format!("`{}` is `{}` from here on", field("old"), field("new")),
                "Deed::Respell" => {
                    format!("`{}` {} is {} from here on", field("attribute"), field("old"), field("new"))
                }
                "Deed::Assume" => format!("without `{}` it is {}", field("name"), field("value")),
                "Deed::CountFromFront" => format!("`{}` is counted from the front of `{}`", field("name"), field("of")),
                "Deed::Refuse" => {
                    below.extend(sentences(&field("why")));
                    "refused".to_owned()
                }
                path => path.to_owned(),
            };
        }
        match deed.call() {
            Some(("Deed::Drop", [names])) => format!("{} dropped", self.listed(names.list())),
            Some(("Deed::Through", [node])) => self.node(node),
            Some(("Deed::Rewrite", [nodes])) => {
                below.extend(nodes.list().iter().map(|node| Entry::line(self.node(node))));
                "rewritten".to_owned()
            }
            Some(("Deed::Keep", _)) => "the same".to_owned(),
            _ => self.text(deed),
        }
    }

    fn node(&self, node: &Value) -> String {
        let list = |field| node.field(field).map_or(&[][..], Value::list);
        let attribute = |of: &Value| match of.list() {
            [name, value] => format!("{} = {}", self.text(name), self.text(value)),
            _ => self.text(of),
        };
        let attributes = list("attributes").iter().map(attribute).collect::<Vec<_>>().join(", ");
        let attributes = if attributes.is_empty() { attributes } else { format!("<{attributes}>") };
        let inputs =
            list("inputs").iter().map(|input| input.option().map(|input| self.text(input)).unwrap_or_default());
        let inputs = inputs.collect::<Vec<_>>().join(", ");
        let operator = node.field("operator").map(|operator| self.text(operator)).unwrap_or_default();
        format!("{} = {operator}{attributes}({inputs})", self.listed(list("outputs")))
    }
}

/// What decides a part of an output: a line, or one for each of several, of which the first that applies counts.
fn decides(what: &str, output: &str, lines: &[String]) -> Option<Entry> {
    let key = format!("{what} of {output}");
    match lines {
        [] => None,
        [line] => Some(Entry::named(&*key, format!("{key}: {line}"))),
        lines => Some(Entry::named(&*key, format!("{key}:")).with(lines.iter().map(Entry::line))),
    }
}

fn not(is: Option<&Value>) -> &'static str {
    if is == Some(&Value::Bool(false)) { "not " } else { "" }
}

fn quoted(text: &Value) -> String {
    match text {
        Value::Bytes(bytes) => format!("\"{}\"", bytes.escape_ascii()),
        Value::Text(text) => format!("{text:?}"),
        other => format!("{other:?}"),
    }
}

/// `0 <= axis and axis < rank(X)` as `0 <= axis < rank(X)`.
fn chained(claims: &[String], word: &str) -> String {
    let mut text = String::new();
    let mut last: Option<&str> = None;
    for claim in claims {
        match last.and_then(|last| claim.strip_prefix(last)).filter(|rest| rest.starts_with([' '])) {
            Some(rest) if ["<", ">", "=", "!"].iter().any(|sign| rest.trim_start().starts_with(sign)) => text += rest,
            _ => text = if text.is_empty() { claim.clone() } else { format!("{text}{word}{claim}") },
        }
        let sign = claim.match_indices([' ']).find(|(at, _)| claim[at + 1..].starts_with(['<', '>', '=', '!']));
        last = sign.and_then(|(at, _)| claim[at + 1..].split_once(' ')).map(|(_, right)| right);
    }
    text
}

/// `Code::RankMismatch` as `rank-mismatch`.
fn kebab(code: &str) -> String {
    let mut words = String::new();
    for c in code.trim_start_matches("Code::").chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push('-');
        }
        words.push(c.to_ascii_lowercase());
    }
    words
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, ' ' | '(' | ')' | '\'')).collect()
}
