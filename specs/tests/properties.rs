//! What holds for every input: no panic, every error at a place within the file, and no operator that breaks the
//! promises that generators rely on.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use shape_changes::write::{Refusal, with_version};
use shape_specs::document::{Literal, ParameterOption};
use shape_specs::operator::{Argument, Expectation, Operator, ParameterType, Tensor, Version};
use shape_specs::{CODES, Scope, SpecError, SpecErrors, Tables, resolve, resolve_scope, yaml};

const SHAPE: &str = include_str!("../ai.onnx/Shape.yaml");

fn read(bytes: &[u8]) -> Result<Operator, SpecErrors> {
    resolve("Shape.yaml", bytes, Tables::builtin().unwrap())
}

/// Reads, and holds what comes out to all laws.
fn check(bytes: &[u8]) -> Result<Operator, SpecErrors> {
    let read = read(bytes);
    match &read {
        Ok(operator) => {
            operator_holds(operator, bytes);
            // Without the examples it is the same operator.
            let facts = resolve_scope("Shape.yaml", bytes, Tables::builtin().unwrap(), Scope::Facts).unwrap();
            assert_eq!(facts, Operator { examples: Vec::new(), ..operator.clone() });
        }
        Err(errors) => errors_hold(errors, bytes),
    }
    read
}

fn errors_hold(errors: &SpecErrors, bytes: &[u8]) {
    assert!(!errors.0.is_empty());
    assert!(errors.0.len() < 100);
    assert!(errors.0.is_sorted_by_key(|error| error.position), "{errors}");
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    for (index, error) in errors.0.iter().enumerate() {
        let SpecError { file, position: yaml::Position { line, column }, code, message, .. } = error;
        assert!(CODES.iter().any(|(known, _)| known == code), "{code}");
        assert!(!message.is_empty());
        assert!(!errors.0[..index].contains(error), "told twice: {error}");
        let text = String::from_utf8_lossy(lines.get(line.checked_sub(1).unwrap()).unwrap());
        assert!((1..=text.chars().count() + 1).contains(column), "{error}");
        assert!(error.to_string().starts_with(&format!("{file}:{line}:{column}: error[{code}]: {message}")));
    }
    // A line of the file may read like a message; it stands behind its number.
    let told = errors.to_string().lines().filter(|line| line.starts_with("Shape.yaml:")).count();
    assert_eq!(told, errors.0.len());
}

fn operator_holds(operator: &Operator, bytes: &[u8]) {
    let Operator { name, versions, examples, errata, sources, summary, .. } = operator;
    let lines = bytes.split(|&byte| byte == b'\n').count();
    // The file stands in no folder of a domain, so that the operator may be called anything.
    assert!(name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()), "{name}");
    assert_eq!(Some(summary), versions.last().map(|version| &version.summary));
    assert!(versions.is_sorted_by(|left, right| left.since < right.since && left.line <= right.line));
    assert!(versions.first().is_some_and(|version| version.since > 0));
    unique(sources.iter().map(|(id, _)| &**id));
    let is_source = |id: &String| sources.iter().any(|(known, _)| known == id);
    let is_version = |since: u32| versions.iter().any(|version| version.since == since);
    for version in versions {
        assert!((1..=lines).contains(&version.line));
        assert!(version.sources.iter().all(is_source));
        version_holds(version);
    }
    unique(examples.iter().map(|example| &*example.name));
    for example in examples {
        assert!((1..=lines).contains(&example.position.line));
        assert!(is_version(example.since));
        assert!(example.holds_for(example.since));
        assert!(example.until.is_none_or(|until| until > example.since && is_version(until)));
        assert!(example.source.iter().all(is_source));
        let holds = |tensor: &Tensor| tensor_holds(tensor, lines);
        example.inputs.iter().flatten().for_each(holds);
        for (_, argument) in &example.attributes {
            match argument {
                Argument::Value(_) | Argument::Type(_) => {}
                Argument::Tensor(tensor) => {
                    assert!(tensor.values.is_some());
                    holds(tensor);
                }
                Argument::Graph(graph) => graph.inputs.iter().chain(&graph.outputs).for_each(holds),
            }
        }
        if let Expectation::Outputs(outputs) = &example.expect {
            outputs.iter().flatten().for_each(holds);
        }
    }
    for ruling in errata {
        assert!(ruling.versions.iter().all(|since| is_version(*since)));
        assert!(ruling.sources.iter().all(is_source));
        assert!(ruling.examples.iter().all(|name| examples.iter().any(|example| example.name == *name)));
    }
}

fn version_holds(version: &Version) {
    let Version { attributes, inputs, outputs, types, .. } = version;
    unique(attributes.iter().map(|attribute| &*attribute.name));
    unique(inputs.iter().map(|input| &*input.name));
    unique(outputs.iter().map(|output| &*output.name));
    unique(types.iter().map(|constraint| &*constraint.name));
    for attribute in attributes {
        assert!(attribute.default.is_none() || !attribute.required);
        let allowed = |default: &Literal| attribute.values.is_empty() || attribute.values.contains(default);
        assert!(attribute.default.as_ref().is_none_or(allowed), "{attribute:?}");
    }
    for constraint in types {
        assert!(!constraint.allow.is_empty());
        assert!(constraint.allow.is_sorted_by(|left, right| left < right));
    }
    let mut used = HashSet::new();
    for list in [inputs, outputs] {
        for (index, parameter) in list.iter().enumerate() {
            assert!(parameter.option != ParameterOption::Variadic || index + 1 == list.len());
            if let ParameterType::Variable(variable) = parameter.ty {
                assert!(variable < types.len());
                used.insert(variable);
            }
        }
    }
    assert_eq!(used.len(), types.len());
}

fn tensor_holds(tensor: &Tensor, lines: usize) {
    let Tensor { position, dims, values, unchecked, .. } = tensor;
    assert!((1..=lines).contains(&position.line));
    if let (Some(dims), Some(values)) = (dims, values) {
        let sizes = dims.iter().map(|dim| dim.text.parse::<u64>().unwrap());
        assert_eq!(sizes.product::<u64>(), values.len() as u64);
    }
    for entry in dims.iter().chain(values).flatten() {
        assert!((1..=lines).contains(&entry.position.line));
    }
    assert!(unchecked.as_ref().is_none_or(|why| !why.trim().is_empty()));
}

fn unique<'n>(names: impl Iterator<Item = &'n str>) {
    let mut seen = HashSet::new();
    names.for_each(|name| assert!(seen.insert(name), "{name} is there twice"));
}

/// A YAML tree of the words that descriptors are made of, and of some that they are not.
#[derive(Clone, Debug)]
enum Tree {
    Raw(String),
    Text(String),
    List(Vec<Tree>),
    Map(Vec<(Tree, Tree)>),
}

impl Tree {
    fn write(&self, text: &mut String) {
        match self {
            Self::Raw(raw) => text.push_str(raw),
            Self::Text(quoted) => {
                text.push('\'');
                text.push_str(&quoted.replace('\'', "''"));
                text.push('\'');
            }
            Self::List(list) => {
                text.push('[');
                for entry in list {
                    entry.write(text);
                    text.push_str(", ");
                }
                text.push(']');
            }
            Self::Map(pairs) => {
                text.push('{');
                for (key, value) in pairs {
                    text.push_str("? ");
                    key.write(text);
                    text.push_str(" : ");
                    value.write(text);
                    text.push_str(",\n");
                }
                text.push('}');
            }
        }
    }

    /// One field a line, so that an error in one is far from the others.
    fn document(pairs: &[(Tree, Tree)]) -> String {
        let mut text = String::new();
        for (key, value) in pairs {
            key.write(&mut text);
            text.push_str(": ");
            let at = text.len();
            value.write(&mut text);
            let indented = text[at..].replace('\n', "\n  ");
            text.replace_range(at.., &indented);
            text.push('\n');
        }
        text
    }
}

const FIELDS: &[&str] = &[
    "operator",
    "domain",
    "summary",
    "details",
    "sources",
    "versions",
    "errata",
    "id",
    "title",
    "since",
    "afresh",
    "deprecated",
    "function",
    "support_level",
    "shape_inference",
    "deterministic",
    "other_attributes",
    "subgraphs",
    "remove",
    "attributes",
    "inputs",
    "outputs",
    "types",
    "rules",
    "output",
    "elements",
    "examples",
    "until",
    "unchecked",
    "tensor",
    "graph",
    "name",
    "type",
    "optional",
    "default",
    "values",
    "doc",
    "option",
    "homogeneous",
    "min_arity",
    "allow",
    "add",
    "source",
    "error",
    "dims",
    "value",
    "says",
    "ruling",
    "nmae",
    "<<",
    "0",
];

const WORDS: &[&str] = &[
    "Shape",
    "ai.onnx",
    "T",
    "T1",
    "x",
    "y",
    "axis",
    "float",
    "int64",
    "bfloat16",
    "every_float8",
    "tensor(int64)",
    "seq(tensor(float))",
    "map(int64, float)",
    "INT",
    "FLOATS",
    "variadic",
    "optional",
    "single",
    "common",
    "md",
    "type-not-allowed",
    "attribute-missing",
    "output-dims",
    "same(x)",
    "reduce(x, axis)",
    "[1, x[0], axis, ?]",
    "[...x[1:], rank(x)]",
    "crate::own(x)",
    "N",
    "?",
    "N + 1",
    "one",
    "two",
    "",
];

const SCALARS: &[&str] = &[
    "~",
    "true",
    "false",
    "0",
    "1",
    "13",
    "28",
    "-1",
    "1.5",
    ".nan",
    "-.inf",
    "18446744073709551615",
    "1e400",
    "0x1F",
];

fn scalar() -> impl Strategy<Value = Tree> {
    prop_oneof![
        4 => select(WORDS).prop_map(|word| Tree::Text(word.to_owned())),
        3 => select(SCALARS).prop_map(|raw| Tree::Raw(raw.to_owned())),
        1 => any::<String>().prop_map(Tree::Text),
    ]
}

fn key() -> impl Strategy<Value = Tree> {
    prop_oneof![20 => select(FIELDS).prop_map(|field| Tree::Raw(field.to_owned())), 1 => scalar()]
}

fn tree() -> impl Strategy<Value = Tree> {
    scalar().prop_recursive(5, 60, 6, |inner| {
        prop_oneof![vec(inner.clone(), 0..5).prop_map(Tree::List), vec((key(), inner), 0..6).prop_map(Tree::Map)]
    })
}

/// A field of a descriptor with a value of the form that belongs there, or now and then of any other.
fn field(name: &'static str, value: impl Strategy<Value = Tree> + 'static) -> impl Strategy<Value = (Tree, Tree)> {
    let value = prop_oneof![60 => value, 1 => tree()];
    let name = prop_oneof![60 => Just(name), 1 => select(FIELDS)];
    (name, value).prop_map(|(name, value)| (Tree::Raw(name.to_owned()), value))
}

fn word(words: &'static [&'static str]) -> impl Strategy<Value = Tree> {
    select(words).prop_map(|word| Tree::Text(word.to_owned()))
}

fn raw(words: &'static [&'static str]) -> impl Strategy<Value = Tree> {
    select(words).prop_map(|word| Tree::Raw(word.to_owned()))
}

fn list(entry: impl Strategy<Value = Tree>, count: Range<usize>) -> impl Strategy<Value = Tree> {
    vec(entry, count).prop_map(Tree::List)
}

fn record(fields: Vec<BoxedStrategy<Option<(Tree, Tree)>>>) -> impl Strategy<Value = Tree> {
    fields.prop_map(|fields| Tree::Map(fields.into_iter().flatten().collect()))
}

fn must(field: impl Strategy<Value = (Tree, Tree)> + 'static) -> BoxedStrategy<Option<(Tree, Tree)>> {
    prop_oneof![60 => field.prop_map(Some), 1 => Just(None)].boxed()
}

fn may(field: impl Strategy<Value = (Tree, Tree)> + 'static) -> BoxedStrategy<Option<(Tree, Tree)>> {
    prop_oneof![1 => field.prop_map(Some), 2 => Just(None)].boxed()
}

fn tensors() -> impl Strategy<Value = Tree> {
    let tensor = record(vec![
        must(field("type", word(&["float", "float", "int64", "bfloat16", "seq(tensor(float))"]))),
        must(field("dims", list(raw(&["1", "2", "N", "'?'"]), 0..2))),
        may(field("values", list(raw(&["1", "2", "0.5"]), 1..3))),
    ]);
    list(prop_oneof![9 => tensor, 1 => Just(Tree::Raw("~".to_owned()))], 1..2)
}

fn version() -> impl Strategy<Value = Tree> {
    let parameter = |names| {
        record(vec![
            must(field("name", word(names))),
            must(field("type", word(&["T", "T", "T", "tensor(int64)"]))),
            may(field("option", raw(&["single", "optional", "variadic"]))),
        ])
    };
    let types = |field_name, count| field(field_name, list(word(&["float", "double", "int64", "every_float8"]), count));
    let attribute = record(vec![
        must(field("name", word(&["axis", "mode"]))),
        must(field("type", raw(&["INT", "INT", "FLOAT"]))),
        may(field("default", raw(&["0", "1"]))),
        may(field("values", list(raw(&["0", "1"]), 0..3))),
    ]);
    let rule = record(vec![
        must(field("output", word(&["y"]))),
        must(field("dims", word(&["same(x)", "[x[0], 2]", "[...x]", "[?]", "broadcast(x)", "crate::own(x)"]))),
    ]);
    record(vec![
        may(field("afresh", raw(&["true", "false"]))),
        may(field("remove", record(vec![may(field("attributes", list(word(&["axis", "mode"]), 0..2)))]))),
        may(field("attributes", list(attribute, 0..2))),
        may(field("inputs", list(parameter(&["x", "axes"]), 1..3))),
        may(field("outputs", list(parameter(&["y"]), 1..2))),
        may(field(
            "types",
            list(
                record(vec![must(field("name", word(&["T"]))), may(types("allow", 1..4)), may(types("add", 1..3))]),
                1..2,
            ),
        )),
        may(field("rules", list(rule, 0..2))),
    ])
}

fn example() -> impl Strategy<Value = Tree> {
    record(vec![
        must(field("name", any::<u16>().prop_map(|number| Tree::Raw(format!("example_{number}"))))),
        may(field("since", raw(&["1", "1", "2"]))),
        may(field("until", raw(&["2", "3"]))),
        must(field("inputs", tensors())),
        may(field(
            "attributes",
            list(
                record(vec![
                    must(field("name", word(&["axis", "mode"]))),
                    must(field("value", raw(&["0", "[1]", "a"]))),
                ]),
                0..2,
            ),
        )),
        prop_oneof![
            must(field("outputs", tensors())),
            must(field("error", word(&["type-not-allowed", "attribute-missing", "output-dims"]))),
        ]
        .boxed(),
    ])
}

/// A descriptor that is right in most of its parts.
fn descriptor() -> impl Strategy<Value = String> {
    let first = "{ since: 1, inputs: [{ name: x, type: T }], outputs: [{ name: y, type: T }], \
                 types: [{ name: T, allow: [float] }] }";
    let later = vec((1_u32..9, version()), 0..4).prop_map(move |later| {
        let mut since = 1;
        let mut versions = vec![Tree::Raw(first.to_owned())];
        for (step, version) in later {
            since += step;
            if let Tree::Map(mut fields) = version {
                fields.insert(0, (Tree::Raw("since".to_owned()), Tree::Raw(since.to_string())));
                versions.push(Tree::Map(fields));
            }
        }
        Tree::List(versions)
    });
    let fields = vec![
        must(field("operator", word(&["Shape"]))),
        must(field("domain", word(&["com.acme"]))),
        must(field("summary", word(&["Gives."]))),
        may(field("details", word(&["A formula."]))),
        must(field("versions", later)),
        may(field("examples", list(example(), 0..3))),
    ];
    fields.prop_map(|fields| Tree::document(&fields.into_iter().flatten().collect::<Vec<_>>()))
}

/// Signs and words of YAML in any order.
fn soup() -> impl Strategy<Value = String> {
    let parts: Vec<&'static str> =
        "|: |- |\n|\n  |{|}|[|]|, |'|\"|#|&a |*a |!t |!!int |%|@|`|>|---\n|...\n|? |\t|\r|\u{feff}|\u{2028}|é|\\x"
            .split('|')
            .chain(["|", "||-\n"])
            .chain(FIELDS.iter().copied())
            .chain(WORDS.iter().copied())
            .chain(SCALARS.iter().copied())
            .collect();
    vec(select(parts), 0..60).prop_map(|parts| parts.concat())
}

/// A change of a text.
#[derive(Clone, Debug)]
enum Change {
    DropLine(Index),
    DoubleLine(Index),
    MoveLine(Index, Index),
    ReplaceLine(Index, String),
    ReplaceWord(Index, &'static str),
    Cut(Index, usize),
    Insert(Index, char),
}

impl Change {
    fn apply(&self, text: &mut String) {
        let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap();
        if lines.is_empty() {
            return;
        }
        match self {
            Self::DropLine(at) => drop(lines.remove(at.index(lines.len()))),
            Self::DoubleLine(at) => {
                let at = at.index(lines.len());
                lines.insert(at, lines[at].clone());
            }
            Self::MoveLine(from, to) => {
                let line = lines.remove(from.index(lines.len()));
                lines.insert(to.index(lines.len() + 1), line);
            }
            Self::ReplaceLine(at, with) => {
                let at = at.index(lines.len());
                let indent = lines[at].len() - lines[at].trim_start_matches([' ', '-']).len();
                lines[at] = format!("{}{with}\n", &lines[at][..indent]);
            }
            Self::ReplaceWord(at, with) => {
                let words: Vec<(usize, &str)> = text
                    .split(|c: char| !(c.is_alphanumeric() || "_-.".contains(c)))
                    .filter(|word| !word.is_empty())
                    .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
                    .collect();
                if !words.is_empty() {
                    let (start, word) = words[at.index(words.len())];
                    let end = start + word.len();
                    text.replace_range(start..end, with);
                }
                return;
            }
            Self::Cut(at, length) => {
                let start = at.index(text.len() + 1);
                let (start, end) = (boundary(start), boundary(start + length));
                text.replace_range(start..end, "");
                return;
            }
            Self::Insert(at, c) => {
                let at = boundary(at.index(text.len() + 1));
                text.insert(at, *c);
                return;
            }
        }
        *text = lines.concat();
    }
}

fn change() -> impl Strategy<Value = Change> {
    let index = any::<Index>;
    let words: Vec<&'static str> = [FIELDS, WORDS, SCALARS].concat();
    prop_oneof![
        index().prop_map(Change::DropLine),
        index().prop_map(Change::DoubleLine),
        (index(), index()).prop_map(|(from, to)| Change::MoveLine(from, to)),
        (index(), soup()).prop_map(|(at, with)| Change::ReplaceLine(at, with)),
        (index(), select(words)).prop_map(|(at, with)| Change::ReplaceWord(at, with)),
        (index(), 1..60_usize).prop_map(|(at, length)| Change::Cut(at, length)),
        (index(), any::<char>()).prop_map(|(at, c)| Change::Insert(at, c)),
    ]
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn bytes_never_panic(bytes in vec(any::<u8>(), 0..200)) {
        let _ = check(&bytes);
    }

    #[test]
    fn signs_of_yaml_never_panic(text in soup()) {
        let _ = check(text.as_bytes());
    }

    #[test]
    fn trees_never_panic(pairs in vec((key(), tree()), 0..8)) {
        let _ = check(Tree::document(&pairs).as_bytes());
    }

    #[test]
    fn descriptors_never_panic(text in descriptor()) {
        let _ = check(text.as_bytes());
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn changes_of_a_descriptor_never_panic(changes in vec(change(), 1..4)) {
        let mut text = SHAPE.to_owned();
        changes.iter().for_each(|change| change.apply(&mut text));
        let _ = check(text.as_bytes());
    }

    /// A new version is one more, and nothing that stood in the file is gone, wherever there are comments.
    #[test]
    fn a_new_version_is_all_that_is_added(
        comments in vec((any::<Index>(), 0..7_usize, select(&["", "#", "# - since: 26", "# é"][..])), 0..12),
        changes in vec(change(), 0..3),
        ends in select(&["\n", "\r\n"][..]),
    ) {
        let mut lines: Vec<String> = SHAPE.lines().map(str::to_owned).collect();
        for (at, indent, comment) in comments {
            lines.insert(at.index(lines.len() + 1), format!("{:indent$}{comment}", ""));
        }
        let mut text = lines.join("\n");
        changes.iter().for_each(|change| change.apply(&mut text));
        // Of a domain whose opsets nobody counts, so that none is too new.
        let text = text.replace("\r\n", "\n").replace('\n', ends).replacen("domain: ai.onnx", "domain: com.acme", 1);
        match with_version("Shape.yaml", text.as_bytes(), 99, Tables::builtin().unwrap()) {
            Ok(extended) => {
                let (before, after) = (read(text.as_bytes()).unwrap(), read(extended.text.as_bytes()).unwrap());
                prop_assert_eq!(before.versions.len() + 1, after.versions.len());
                // The lines that were there, in their order, around those that are new.
                let (old, new): (Vec<&str>, Vec<&str>) = (text.lines().collect(), extended.text.lines().collect());
                let head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
                prop_assert!(new.ends_with(&old[head..]), "{}", extended.text);
                prop_assert!(new[extended.line - 1].ends_with("- since: 99") && new.len() <= old.len() + 7);
            }
            Err(Refusal::Errors(_)) => prop_assert!(read(text.as_bytes()).is_err()),
            Err(refusal) => prop_assert!(!changes.is_empty(), "{refusal}:\n{text}"),
        }
    }

    /// Any set of independent errors is told, each at its line, and nothing else is.
    #[test]
    fn errors_neither_hide_nor_cause_others(chosen in vec(any::<Index>(), 1..8)) {
        let mut lines: Vec<String> = SHAPE.lines().map(str::to_owned).collect();
        let spots: Vec<(usize, &str, &str, &str)> = [
            ("source: own", "source: owner", "unknown-source"),
            ("sources: [markdown,", "sources: [marcdown,", "unknown-source"),
            ("types: [{ name: T, add: [", "types: [{ name: T, add: [flot, ", "unknown-type"),
            ("    error: type-not-allowed", "    eror: type-not-allowed", "unknown-field"),
            ("outputs: [{ type: int64, values: [", "outputs: [{ type: int64, values: [0.5, ", "example-tensor"),
            ("dims: \"shape(", "dims: \"shap(", "unknown-rule"),
            ("    ruling: ", "    rulings: ", "unknown-field"),
        ]
        .into_iter()
        .flat_map(|(old, new, code)| {
            (0..lines.len()).filter(|&at| lines[at].contains(old)).map(move |at| (at, old, new, code)).collect::<Vec<_>>()
        })
        .collect();
        let mut expected = HashSet::new();
        for index in chosen {
            let (at, old, new, code) = spots[index.index(spots.len())];
            lines[at] = lines[at].replacen(old, new, 1).replacen(&new.replacen(old, new, 1), new, 1);
            expected.insert((at + 1, code));
        }
        let errors = check(lines.join("\n").as_bytes()).unwrap_err();
        let found: HashSet<(usize, &str)> = errors.0.iter().map(|error| (error.position.line, error.code)).collect();
        prop_assert_eq!(found, expected, "{}", errors);
    }
}

#[test]
fn the_descriptors_of_this_crate_hold() {
    assert!(check(SHAPE.as_bytes()).is_ok());
}

#[test]
fn enough_of_the_generated_descriptors_are_right() {
    use proptest::strategy::ValueTree as _;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = descriptor();
    let (mut right, mut told) = (0, String::new());
    for _ in 0..200 {
        let text = strategy.new_tree(&mut runner).unwrap().current();
        match check(text.as_bytes()) {
            Ok(_) => right += 1,
            Err(errors) => writeln!(told, "{text}\n{errors}").unwrap(),
        }
    }
    assert!(right >= 20, "only {right} of 200 are right, so that the laws of operators are hardly tried\n{told}");
}
