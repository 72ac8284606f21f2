//! Writes a version as the lines of a descriptor.

use std::fmt::{self, Display};

use shape_specs::document::{Literal, ParameterOption, SupportLevel};
use shape_specs::operator::{Attribute, Named, Parameter, TypeConstraint, Version};
use shape_specs::tables::{Element, Tables, Type};

/// The maximum width of a line.
const WIDTH: usize = 120;

/// The indentation of the fields of a version.
const INDENT: usize = 4;

/// The fields of a version as a delta from the previous one, without their indentation.
pub(super) fn version(before: Option<&Version>, after: &Version, tables: &Tables) -> Vec<String> {
    let mut lines = vec![format!("since: {}", after.since)];
    lines.extend(after.release.map(|release| format!("release: \"{release}\"")));
    lines.push(format!("sources: [{}]", after.sources.join(", ")));
    let mut scalar = |field: &str, was: Option<String>, is: String, usual: &str| {
        if was.as_deref().unwrap_or(usual) != is {
            lines.push(format!("{field}: {is}"));
        }
    };
    let flag = |of: fn(&Version) -> bool| (before.map(|before| of(before).to_string()), of(after).to_string());
    let level = |version: &Version| match version.support_level {
        SupportLevel::Common => "common".to_owned(),
        SupportLevel::Experimental => "experimental".to_owned(),
    };
    for (field, (was, is), usual) in [
        ("deprecated", flag(|version| version.deprecated), "false"),
        ("function", flag(|version| version.function), "false"),
        ("support_level", (before.map(level), level(after)), "common"),
        ("shape_inference", flag(|version| version.shape_inference), "false"),
        ("deterministic", flag(|version| version.deterministic), "true"),
        ("other_attributes", flag(|version| version.other_attributes), "false"),
    ] {
        scalar(field, was, is, usual);
    }
    let none =
        Version { attributes: Vec::new(), inputs: Vec::new(), outputs: Vec::new(), types: Vec::new(), ..after.clone() };
    let before = before.unwrap_or(&none);
    let attributes = changes(&before.attributes, &after.attributes, false, |old, new| *old == *new);
    let same = |old: &Parameter, new: &Parameter| {
        let facts = |parameter: &Parameter| (parameter.option, parameter.homogeneous, parameter.min_arity);
        before.type_text(old) == after.type_text(new) && facts(old) == facts(new)
    };
    let inputs = changes(&before.inputs, &after.inputs, true, same);
    let outputs = changes(&before.outputs, &after.outputs, true, same);
    let types = changes(&before.types, &after.types, true, |old, new| old.allow == new.allow);
    let removed = [
        ("attributes", &attributes.removed),
        ("inputs", &inputs.removed),
        ("outputs", &outputs.removed),
        ("types", &types.removed),
    ];
    let removed = removed.iter().filter(|(_, names)| !names.is_empty());
    let removed: Vec<String> = removed.map(|(field, names)| format!("{field}: [{}]", names.join(", "))).collect();
    if !removed.is_empty() {
        lines.push(format!("remove: {{ {} }}", removed.join(", ")));
    }
    list(&mut lines, "attributes", attributes.entries.iter().map(|(_, new)| attribute(new)));
    list(&mut lines, "inputs", inputs.entries.iter().map(|(_, new)| parameter(new, after)));
    list(&mut lines, "outputs", outputs.entries.iter().map(|(_, new)| parameter(new, after)));
    list(&mut lines, "types", types.entries.iter().map(|(old, new)| constraint(*old, new, tables)));
    lines
}

/// The delta of a list: the names to remove, and the entries to add or replace.
struct Changes<'v, T> {
    removed: Vec<&'v str>,
    entries: Vec<(Option<&'v T>, &'v T)>,
}

/// The shortest delta between two lists. New entries are appended, so if the order matters, all entries from the first
/// one that is out of order are removed and added again.
fn changes<'v, T: Named>(
    before: &'v [T],
    after: &'v [T],
    ordered: bool,
    same: impl Fn(&T, &T) -> bool,
) -> Changes<'v, T> {
    let position = |name: &str| before.iter().position(|old| old.name() == name);
    let mut last = None;
    let stays = after.iter().take_while(|new| {
        let at = position(new.name());
        let in_order = at.is_some() && at > last;
        last = at;
        in_order
    });
    let stays = if ordered { stays.count() } else { after.len() };
    let kept = |name: &str| after.iter().take(stays).any(|new| new.name() == name);
    let entry = |(index, new): (usize, &'v T)| {
        let old = position(new.name()).and_then(|at| before.get(at)).filter(|_| index < stays);
        (!old.is_some_and(|old| same(old, new))).then_some((old, new))
    };
    Changes {
        removed: before.iter().map(Named::name).filter(|name| !kept(name)).collect(),
        entries: after.iter().enumerate().filter_map(entry).collect(),
    }
}

/// An entry of a list: its fields.
type Fields = Vec<(&'static str, Value)>;

/// The value of a field.
enum Value {
    One(String),
    List(Vec<String>),
}

impl From<String> for Value {
    fn from(one: String) -> Self {
        Self::One(one)
    }
}

impl Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(text) => formatter.write_str(text),
            Self::List(items) => write!(formatter, "[{}]", items.join(", ")),
        }
    }
}

/// A field with a list: on one line if that is short enough, otherwise with one line for each entry.
fn list(lines: &mut Vec<String>, field: &str, entries: impl Iterator<Item = Fields>) {
    let entries: Vec<Fields> = entries.collect();
    if entries.is_empty() {
        return;
    }
    let flow = |fields: &Fields| {
        let fields: Vec<String> = fields.iter().map(|(field, value)| format!("{field}: {value}")).collect();
        format!("{{ {} }}", fields.join(", "))
    };
    let short = |line: &str| INDENT + line.chars().count() <= WIDTH;
    let one = format!("{field}: [{}]", entries.iter().map(flow).collect::<Vec<_>>().join(", "));
    if short(&one) {
        lines.push(one);
        return;
    }
    lines.push(format!("{field}:"));
    for entry in &entries {
        let line = format!("  - {}", flow(entry));
        if short(&line) {
            lines.push(line);
            continue;
        }
        for (index, (field, value)) in entry.iter().enumerate() {
            let dash = if index == 0 { "-" } else { " " };
            let line = format!("  {dash} {field}: {value}");
            match value {
                Value::List(items) if !short(&line) => {
                    lines.push(format!("  {dash} {field}:"));
                    lines.extend(items.iter().map(|item| format!("      - {item}")));
                }
                _ => lines.push(line),
            }
        }
    }
}

fn attribute(attribute: &Attribute) -> Fields {
    let Attribute { name, kind, required, default, values, range, legacy, doc } = attribute;
    let mut fields = vec![("name", scalar(name).into()), ("type", kind.name().to_owned().into())];
    match default {
        Some(default) => fields.push(("default", literal(default).into())),
        None if *required => {}
        None => fields.push(("optional", "true".to_owned().into())),
    }
    if !values.is_empty() {
        fields.push(("values", Value::List(values.iter().map(literal).collect())));
    }
    for (field, bound) in [("min", &range.min), ("max", &range.max)] {
        fields.extend(bound.as_ref().map(|bound| (field, literal(bound).into())));
    }
    if *legacy {
        fields.push(("legacy", "true".to_owned().into()));
    }
    described(fields, doc)
}

fn parameter(parameter: &Parameter, version: &Version) -> Fields {
    let mut fields =
        vec![("name", scalar(&parameter.name).into()), ("type", scalar(&version.type_text(parameter)).into())];
    if parameter.option != ParameterOption::Single {
        fields.push(("option", parameter.option.name().to_owned().into()));
    }
    if !parameter.homogeneous {
        fields.push(("homogeneous", "false".to_owned().into()));
    }
    if parameter.option == ParameterOption::Variadic && parameter.min_arity != 1 {
        fields.push(("min_arity", parameter.min_arity.to_string().into()));
    }
    described(fields, &parameter.doc)
}

/// A type variable: the whole list or its changes, whichever needs fewer words; a single group is always preferred.
fn constraint(old: Option<&TypeConstraint>, new: &TypeConstraint, tables: &Tables) -> Fields {
    let mut fields = vec![("name", scalar(&new.name).into())];
    let whole = words(&new.allow, tables);
    let without = |types: &[Type], others: &[Type]| {
        types.iter().filter(|ty| !others.contains(ty)).cloned().collect::<Vec<Type>>()
    };
    let change = old.map(|old| {
        let (more, less) = (without(&new.allow, &old.allow), without(&old.allow, &new.allow));
        (words(&more, tables), words(&less, tables))
    });
    fields.extend(new.unused.then(|| ("unused", "true".to_owned().into())));
    match change.filter(|(more, less)| whole.len() > 1 && more.len() + less.len() <= whole.len()) {
        None => fields.push(("allow", Value::List(whole))),
        Some((more, less)) => {
            let changes = [("add", more), ("remove", less)].into_iter().filter(|(_, words)| !words.is_empty());
            fields.extend(changes.map(|(field, words)| (field, Value::List(words))));
        }
    }
    described(fields, &new.doc)
}

fn described(mut fields: Fields, doc: &str) -> Fields {
    fields.extend((!doc.is_empty()).then(|| ("doc", quoted(doc).into())));
    fields
}

/// The words of a type list for exactly these types.
fn words(types: &[Type], tables: &Tables) -> Vec<String> {
    let mut words = Vec::new();
    for form in ["tensor()", "seq(tensor())", "optional(tensor())", "optional(seq(tensor()))"] {
        let (before, after) = form.split_at(form.find("()").map_or(0, |at| at + 1));
        let elements = types.iter().filter_map(|ty| {
            let text = ty.to_string();
            let name = text.strip_prefix(before)?.strip_suffix(after)?;
            tables.element(name)
        });
        for word in covering(elements.collect(), tables) {
            words.push(if form == "tensor()" { word } else { scalar(&format!("{before}{word}{after}")) });
        }
    }
    let covered = words.iter().filter_map(|word| tables.types(word.trim_matches('"')).ok()).flatten();
    let covered: Vec<Type> = covered.collect();
    words.extend(types.iter().filter(|ty| !covered.contains(ty)).map(|ty| scalar(&ty.to_string())));
    words
}

/// The groups and element types for exactly these element types, the largest group first.
fn covering(mut elements: Vec<&Element>, tables: &Tables) -> Vec<String> {
    /// Fewer element types than this are listed by name.
    const FEW: usize = 4;
    let mut words = Vec::new();
    loop {
        let groups = tables.groups.iter().filter(|(_, members)| members.len() >= FEW);
        let within = groups.filter(|(_, members)| members.iter().all(|member| elements.contains(&member)));
        let Some((group, members)) = within.max_by_key(|(_, members)| members.len()) else { break };
        words.push(group.clone());
        elements.retain(|element| !members.contains(element));
    }
    words.extend(elements.into_iter().map(|element| element.name.clone()));
    words
}

fn literal(value: &Literal) -> String {
    match value {
        Literal::Text(text) => scalar(text),
        Literal::List(list) => Value::List(list.iter().map(literal).collect()).to_string(),
        other => other.to_string(),
    }
}

/// A text as a YAML scalar: plain if nothing in it has another meaning in YAML.
pub(super) fn scalar(text: &str) -> String {
    let plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.()-".contains(c))
        && !["true", "false", "null"].contains(&&*text.to_ascii_lowercase());
    if plain { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
