//! The page that a reviewer reads of an operator: what the macro writes of it, in lines that a terminal shows.
//!
//! It is made from the generated tokens and from nothing else, so that a fault of the generator shows as an edit of a
//! descriptor does. The first version stands whole, each later one with what differs from the one before it.

mod items;
mod language;
mod tree;
mod types;
mod value;

use proc_macro2::TokenStream;
use shape_specs::Tables;

use self::items::Module;
use self::language::Names;
use self::tree::{Entry, sentences};
use self::types::Set;
use self::value::Value;
use crate::names::field;

/// The page of an operator from its module.
pub(super) fn review(tokens: TokenStream, tables: &Tables) -> String {
    let module = Module::read(tokens);
    let mut page = String::new();
    Entry::whole(&[head(&module)], &mut page);
    let mut before: Option<(u32, Vec<Entry>)> = None;
    for since in module.versions.iter().copied() {
        let version = version(&module, since, tables);
        match &before {
            None => {
                page += &format!("\n{since}:\n");
                Entry::whole(&version, &mut page);
            }
            Some((older, entries)) => {
                page += &format!("\n{since}, after {older}:\n");
                let until = page.len();
                Entry::changes(entries, &version, &mut page);
                if page.len() == until {
                    page += "  nothing changes\n";
                }
            }
        }
        earlier(&module, since, tables, &mut page);
        before = Some((since, version));
    }
    page
}

/// What the releases of a runtime had otherwise of a version, each beside the next one.
fn earlier(module: &Module, since: u32, tables: &Tables, page: &mut String) {
    let newest = format!("SCHEMA_{since}");
    let names = |name: &str| module.schema(name, "earlier").map_or(&[][..], Value::list);
    let earlier = names(&newest).iter().map(|of| of.call().unwrap().0.to_owned());
    let all: Vec<String> = earlier.chain([newest.clone()]).collect();
    let release = |name: &String| {
        let of = module.schema(name, "release").and_then(Value::option)?.field("number")?;
        let number = |field| match of.field(field) {
            Some(Value::Int(number)) => number.to_string(),
            other => panic!("{other:?} is no part of a release"),
        };
        Some(["major", "minor", "patch"].map(number).join("."))
    };
    for pair in all.windows(2).rev() {
        let [older, newer] = pair else { continue };
        *page += &format!("\n{since}, before release {}:\n", release(newer).unwrap_or_default());
        let [newer, older] = [newer, older].map(|name| released(module, name, &newest, tables));
        Entry::changes(&newer, &older, page);
    }
    if let Some(first) = all.first().and_then(release) {
        *page += &format!("\n{since}, before release {first}: nothing\n");
    }
}

/// What a release may have otherwise of a version.
fn released(module: &Module, name: &str, newest: &str, tables: &Tables) -> Vec<Entry> {
    let get = |field: &str| module.schema(name, field);
    let list = |field: &str| get(field).map_or(&[][..], Value::list);
    let attributes = get("attributes").map(attributes).unwrap_or_default();
    let later = get("later").map(self::attributes).unwrap_or_default();
    let [inputs, outputs] = ["inputs", "outputs"].map(|side| get(side).map(parameters).unwrap_or_default());
    // Rules and relations go on counting with what the newest release has.
    let counted = |own: &[Parameter], side: &str| {
        let mut names: Vec<String> = own.iter().map(|parameter| parameter.name.clone()).collect();
        let all = module.schema(newest, side).map(parameters).unwrap_or_default();
        let rest: Vec<String> = all.into_iter().map(|of| of.name).filter(|name| !names.contains(name)).collect();
        names.extend(rest);
        names
    };
    let names = Names {
        attributes: attributes.iter().chain(&later).map(|attribute| attribute.name.clone()).collect(),
        inputs: counted(&inputs, "inputs"),
        outputs: counted(&outputs, "outputs"),
        rules: module.rules.clone(),
    };
    let variables: Vec<(String, Set, String)> = list("types").iter().map(|of| variable(of, tables)).collect();
    let of_attributes = attributes.iter().map(|of| Entry::named(&of.name, of.facts(&names)).with(sentences(&of.doc)));
    let parameters = |list: &[Parameter]| list.iter().map(|of| of.entry(&variables, &names)).collect();
    let sections: [(&str, Vec<Entry>); 7] = [
        ("attributes", of_attributes.collect()),
        ("inputs", parameters(&inputs)),
        ("outputs", parameters(&outputs)),
        ("types", variables.iter().map(|(name, set, doc)| set.entry(name).with(sentences(doc))).collect()),
        ("exclusive", list("exclusive").iter().map(exclusive).collect()),
        ("requires", list("requires").iter().map(|of| names.requirement(of)).collect()),
        ("rules", list("rules").iter().flat_map(|rule| names.rule(rule)).collect()),
    ];
    sections.into_iter().map(|(name, of)| Entry::line(name).with(of)).collect()
}

/// What all versions share.
fn head(module: &Module) -> Entry {
    let first = module.versions.first().copied().unwrap_or_default();
    let first = format!("SCHEMA_{first}");
    let text = |field| module.schema(&first, field).and_then(Value::text).unwrap_or_default();
    let doc = module.doc.split("\n\nVersions: ").next().unwrap_or_default();
    let summary = doc.split_once(": ").map_or(doc, |(_, summary)| summary);
    // That of a version stands there.
    let summary = if text("summary") == summary { "" } else { summary };
    let (any, variants) = &module.any;
    let enums = module.enums.iter().map(|(name, values)| {
        let values: Vec<String> = values.iter().map(|(value, variant)| format!("{variant} = {value:?}")).collect();
        Entry::line(format!("enum {name}: {}", values.join(", ")))
    });
    let connections =
        module.connections.iter().map(|(name, fields)| Entry::line(format!("{name}: {}", fields.join(", "))));
    Entry::line(format!("{}::{}", text("domain"), text("name")))
        .with(sentences(summary))
        .with([Entry::line(format!("mod {}, enum {any}: {}", module.name, variants.join(", ")))])
        .with(enums)
        .with(connections)
}

/// The parts of a version.
fn version(module: &Module, since: u32, tables: &Tables) -> Vec<Entry> {
    let schema = format!("SCHEMA_{since}");
    let get = |field: &str| module.schema(&schema, field);
    let text = |field: &str| get(field).and_then(Value::option).and_then(Value::text).unwrap_or_default();
    let list = |field: &str| get(field).map_or(&[][..], Value::list);
    let attributes = get("attributes").map(attributes).unwrap_or_default();
    let [inputs, outputs] = ["inputs", "outputs"].map(|side| get(side).map(parameters).unwrap_or_default());
    let variables: Vec<(String, Set, String)> = list("types").iter().map(|of| variable(of, tables)).collect();
    let names = Names {
        attributes: attributes.iter().map(|attribute| attribute.name.clone()).collect(),
        inputs: inputs.iter().map(|input| input.name.clone()).collect(),
        outputs: outputs.iter().map(|output| output.name.clone()).collect(),
        rules: module.rules.clone(),
    };
    let mut entries = sentences(text("summary"));
    entries.extend(sentences(text("details")));
    entries.extend(flags(&get).map(Entry::line));
    entries.push(fields(module, since, &attributes, &names));
    let alias = module.aliases.get(&since);
    let methods = alias.and_then(|name| module.methods.get(name)).into_iter().flatten();
    let typed = methods.filter(|method| method.starts_with("infer_typed(")).map(|method| {
        let method = method.replace(", found: ..", "");
        Entry::named("infer_typed", format!("{method}: types that the compiler checks"))
    });
    entries.extend(typed);
    let sides = [("inputs", inputs), ("outputs", outputs)].map(|(name, parameters)| {
        let parameters = parameters.iter().map(|parameter| parameter.entry(&variables, &names));
        Entry::line(name).with(parameters)
    });
    entries.extend(sides);
    let allowed = |name: &str| {
        let operator = get("name").and_then(Value::text).unwrap_or_default();
        let marker = format!("{operator}{name}");
        module.allowed.iter().find(|(of, version, _)| *of == marker && *version == since).map(|(_, _, allowed)| allowed)
    };
    let types = variables.iter().map(|(name, set, doc)| {
        let compiled = allowed(name).map(|allowed| Set::allowed(allowed, tables)).filter(|types| *types != set.types);
        let compiled =
            compiled.map(|types| Entry::line(format!("to the compiler {}", types::lines(&types).join(", "))));
        set.entry(name).with(sentences(doc)).with(compiled)
    });
    let sections = [
        ("types", types.collect()),
        ("exclusive", list("exclusive").iter().map(exclusive).collect()),
        ("requires", list("requires").iter().map(|of| names.requirement(of)).collect()),
        ("rules", list("rules").iter().flat_map(|rule| names.rule(rule)).collect::<Vec<_>>()),
    ];
    entries.extend(sections.into_iter().filter(|(_, of)| !of.is_empty()).map(|(name, of)| Entry::line(name).with(of)));
    entries.extend(
        get("semantics")
            .and_then(Value::option)
            .and_then(Value::text)
            .map(|text| Entry::line("means something else than the version before").with(sentences(text)).of_a_step()),
    );
    entries.extend(get("adapter").and_then(Value::option).map(|actions| {
        let line = if actions.list().is_empty() { "converts as it is" } else { "converts" };
        Entry::line(line).with(actions.list().iter().map(|action| names.action(action))).of_a_step()
    }));
    entries
}

/// What a version is, beyond its lists.
fn flags<'m>(get: &impl Fn(&str) -> Option<&'m Value>) -> impl Iterator<Item = String> {
    let is = |field, plain| get(field).map_or(plain, |value| *value == Value::Bool(true));
    let variant = |field| get(field).and_then(Value::option).and_then(|of| of.call()?.0.rsplit("::").next());
    let level = variant("support_level").filter(|level| *level != "Common").map(str::to_lowercase);
    let subgraphs = variant("subgraphs").map(|kind| format!("the graphs in it are a {}", kind.to_lowercase()));
    let flags = [
        (is("deprecated", false), "deprecated"),
        (is("has_function", false), "a function of other operators"),
        (!is("has_shape_inference", false), "no shape inference in ONNX"),
        (!is("deterministic", true), "not deterministic"),
        (is("other_attributes", false), "takes other attributes too"),
    ];
    let flags = flags.into_iter().filter(|(set, _)| *set).map(|(_, flag)| flag.to_owned());
    flags.chain(level).chain(subgraphs)
}

/// The struct of a version, and its fields with what the schema says of their attributes.
fn fields(module: &Module, since: u32, attributes: &[Attribute], names: &Names) -> Entry {
    let name = module.aliases.get(&since).map_or("", String::as_str);
    let Some(of) = module.structs.get(name) else { return Entry::named("struct", format!("no struct {name}")) };
    let mut found = of.fields.iter();
    let mut below: Vec<Entry> = Vec::new();
    for attribute in attributes {
        let (name, ty) = found.next().map_or(("no field", ""), |(name, ty)| (name, ty));
        let switch = module.methods.get(module.aliases.get(&since).map_or("", String::as_str));
        let is_switch = switch.is_some_and(|methods| methods.iter().any(|method| *method == format!("{name}()")));
        below.push(attribute.entry(name, ty, is_switch, names));
    }
    below.extend(found.map(|(name, ty)| Entry::line(format!("{name}: {ty}, a field of no attribute"))));
    Entry::named("struct", format!("struct {name}{}", of.lifetime)).with(below)
}

/// A row of the attributes.
#[derive(Default)]
struct Attribute {
    name: String,
    doc: String,
    kind: String,
    required: bool,
    legacy: bool,
    values: Vec<Value>,
    /// The default, the minimum and the maximum.
    bounds: [Option<Value>; 3],
}

impl Attribute {
    /// What the schema says of it.
    fn facts(&self, names: &Names) -> String {
        let Self { name, kind, required, legacy, values, bounds: [default, min, max], .. } = self;
        let value = |value: &Value| names.text(value);
        let mut line = format!("{name}: {kind}");
        if let Some(default) = default {
            line += &format!(" = {}", value(default));
        }
        match (required, default) {
            (true, _) => line += ", required",
            (false, None) => line += ", optional",
            (false, Some(_)) => {}
        }
        for (bound, word) in [(min, "at least"), (max, "at most")] {
            line += &bound.as_ref().map(|bound| format!(", {word} {}", value(bound))).unwrap_or_default();
        }
        if !values.is_empty() {
            line += &format!(", one of {}", values.iter().map(value).collect::<Vec<_>>().join(", "));
        }
        line + if *legacy { ", without effect" } else { "" }
    }

    fn entry(&self, field_name: &str, ty: &str, is_switch: bool, names: &Names) -> Entry {
        let Self { name, doc, .. } = self;
        let mut line = self.facts(names);
        line += &format!("; {ty}");
        line += if is_switch { " and bool" } else { "" };
        if field(name) != field_name {
            line += &format!(" {field_name}");
        }
        Entry::named(name, line).with(sentences(doc))
    }
}

/// The kinds of attributes by their numbers.
const KINDS: [&str; 14] = [
    "FLOAT",
    "INT",
    "STRING",
    "TENSOR",
    "GRAPH",
    "FLOATS",
    "INTS",
    "STRINGS",
    "TENSORS",
    "GRAPHS",
    "SPARSE_TENSOR",
    "SPARSE_TENSORS",
    "TYPE_PROTO",
    "TYPE_PROTOS",
];

/// Reads the rows as `signature/packed.rs` of onnxspec-core does.
fn attributes(rows: &Value) -> Vec<Attribute> {
    let Some(("attributes", [texts, Value::Bytes(bytes), others, lists])) = rows.call() else {
        assert_eq!(rows.list(), [], "rows in a form that no review shows");
        return Vec::new();
    };
    let mut texts = texts.list().iter().map(|text| text.text().unwrap());
    let mut bytes = bytes.iter().copied();
    let mut read = Vec::new();
    while let Some(kind) = bytes.next() {
        let flags = bytes.next().unwrap();
        let mut next = || bytes.next().unwrap();
        let (name, doc) = (texts.next().unwrap().to_owned(), texts.next().unwrap().to_owned());
        let values = if flags & 4 != 0 { allowed_values(&lists.list()[usize::from(next())]) } else { Vec::new() };
        let bounds = [8, 16, 32].map(|bit| {
            (flags & bit != 0).then(|| match next() {
                b's' => Value::Text(format!("{:?}", texts.next().unwrap())),
                b'i' => Value::Int(next().cast_signed().into()),
                _ => others.list()[usize::from(next())].clone(),
            })
        });
        let kind = KINDS[usize::from(kind) - 1].to_owned();
        read.push(Attribute { name, doc, kind, required: flags & 1 != 0, legacy: flags & 2 != 0, values, bounds });
    }
    assert_eq!(texts.next(), None, "more texts than rows");
    read
}

fn allowed_values(list: &Value) -> Vec<Value> {
    match list.call() {
        Some(("SWITCH", _)) => vec![Value::Int(0), Value::Int(1)],
        Some(("words", [words])) => {
            words.list().iter().map(|word| Value::Text(format!("{:?}", word.text().unwrap()))).collect()
        }
        _ => list.list().to_vec(),
    }
}

/// A row of the inputs or outputs.
struct Parameter {
    name: String,
    doc: String,
    option: u8,
    mixed: bool,
    least: u8,
    /// The index of a type variable, or a type.
    ty: Result<usize, Value>,
}

impl Parameter {
    fn entry(&self, variables: &[(String, Set, String)], names: &Names) -> Entry {
        let Self { name, doc, option, mixed, least, ty } = self;
        let ty = match ty {
            Ok(variable) => variables.get(*variable).map_or("no such type", |(name, ..)| name).to_owned(),
            Err(ty) => names.text(ty),
        };
        let option = match option {
            b'?' => ", optional".to_owned(),
            b'*' => format!(", {least} or more{}", if *mixed { " of any types" } else { "" }),
            _ => String::new(),
        };
        Entry::named(name, format!("{name}: {ty}{option}")).with(sentences(doc))
    }
}

/// Reads the rows as `signature/packed.rs` of onnxspec-core does.
fn parameters(rows: &Value) -> Vec<Parameter> {
    let Some(("parameters", [texts, Value::Bytes(bytes), types])) = rows.call() else {
        assert_eq!(rows.list(), [], "rows in a form that no review shows");
        return Vec::new();
    };
    let (texts, _) = texts.list().as_chunks::<2>();
    let rows = texts.iter().zip(bytes.chunks(4));
    let row = |(texts, row): (&[Value; 2], &[u8])| {
        let [name, doc] = [0, 1].map(|at| texts[at].text().unwrap().to_owned());
        let index = usize::from(row[3]);
        let ty = if row[1] & 1 == 0 { Ok(index) } else { Err(types.list()[index].clone()) };
        Parameter { name, doc, option: row[0], mixed: row[1] & 2 != 0, least: row[2], ty }
    };
    rows.map(row).collect()
}

/// A type variable: its name, what it allows, and its text.
fn variable(of: &Value, tables: &Tables) -> (String, Set, String) {
    let Some(("variable", [Value::Text(name), allow, Value::Text(doc)])) = of.call() else {
        panic!("a type variable in a form that no review shows: {of:?}")
    };
    (name.clone(), Set::read(allow, tables), doc.clone())
}

fn exclusive(of: &Value) -> Entry {
    let names: Vec<&str> = of.field("of").map_or(&[][..], Value::list).iter().filter_map(Value::text).collect();
    let how = if of.field("required") == Some(&Value::Bool(true)) { "one of" } else { "at most one of" };
    Entry::line(format!("{how} {}", names.join(", ")))
}
