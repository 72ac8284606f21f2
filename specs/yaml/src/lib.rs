//! Parses YAML into a tree of nodes whose positions in the text can be found again.
//!
//! `onnxspec-descriptors` reads descriptors with it. It is a crate of its own since it takes most of the time of
//! reading, so that a build which optimises nothing else can optimise it.
//!
//! **Architecture Invariant.** Only this crate depends on `serde_yaml`; everything else works on [`Node`].
//!
//! `serde_yaml` reports positions only with errors. So the tree is built without positions: each node has its number in
//! reading order. [`Positions`] finds positions when an error or a table of lines needs them, by reading the text again
//! with a visitor that fails on purpose: at each scalar, where reading can continue, or at a single list or mapping,
//! where it stops.

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{self, DeserializeSeed, EnumAccess, MapAccess, SeqAccess, Visitor};

/// A position in a text: line and column, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// The number of a node in reading order; keys count as nodes.
pub type NodeId = usize;

/// A value of a YAML document.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its number in reading order.
    pub id: NodeId,
    /// Its contents.
    pub kind: Kind,
}

/// The contents of a [`Node`].
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Nothing: `~`, `null` or no text.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer; wide enough for every signed and unsigned 64-bit one.
    Int(i128),
    /// A number with a decimal point or an exponent.
    Float(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping, as the pairs in the file: a repeated key occurs repeatedly.
    Map(Vec<(Node, Node)>),
}

/// Why a text cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where the parser stopped.
    pub position: Position,
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
}

/// The maximum size of a file in bytes; the parser's time grows faster than the text if brackets are nested.
const MAX_BYTES: usize = 1 << 18;

/// The maximum number of opening brackets, far above the nesting limit: the underlying parser reads all of them first,
/// and its time grows with their square.
const MAX_OPEN: usize = 1000;

const NESTED: &str = "nested deeper than 128 levels, or in itself";

const TAG: &str = "a tag (`!name`) has no meaning in a descriptor";
const REPEATED: &str = "aliases (`*name`) repeat more than the whole file holds";

/// Reads one document.
///
/// # Errors
/// Bytes that are not UTF-8, text that is not YAML, several documents in one file, tags, files past a size, and nesting
/// or aliases past a bound.
pub fn parse(bytes: &[u8]) -> Result<Node, SyntaxError> {
    tree(checked(bytes)?)
}

/// Reads one document like [`parse`], and finds the positions of its nodes.
///
/// # Errors
/// The same as for [`parse`].
pub fn parse_with_positions(bytes: &[u8]) -> Result<(Node, Positions<'_>), SyntaxError> {
    let text = checked(bytes)?;
    // One pass records the positions of scalars and builds the tree; if it fails, a separate pass reports the error.
    let (positions, noted) = Positions::and_tree(text);
    Ok((noted.map_or_else(|| tree(text), Ok)?, positions))
}

/// The text of a document that passes the checks before parsing.
fn checked(bytes: &[u8]) -> Result<&str, SyntaxError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(bytes.get(..error.valid_up_to()).unwrap_or_default());
        SyntaxError {
            position: position_at(&valid, valid.len()),
            message: "the bytes here are not UTF-8".to_owned(),
            help: Some("save the file as UTF-8".to_owned()),
        }
    })?;
    let text = without_mark(text);
    let refuse = |at, message: String| SyntaxError { position: position_at(text, at), message, help: None };
    if bytes.len() > MAX_BYTES {
        return Err(refuse(
            MAX_BYTES,
            format!("a descriptor has at most {MAX_BYTES} bytes, this file {}", bytes.len()),
        ));
    }
    // Almost every file is as plain as this, and a macro that reads it is not optimised.
    let (mut is_plain, mut brackets) = (true, 0);
    for byte in text.as_bytes() {
        match byte {
            b'[' | b'{' => brackets += 1,
            b' '..=b'~' | b'\n' => {}
            _ => is_plain = false,
        }
    }
    if is_plain && brackets <= MAX_OPEN {
        return Ok(text);
    }
    if let Some((at, c)) = text.char_indices().find(|&(_, c)| !is_printable(c)) {
        return Err(refuse(at, format!("the character U+{:04X} has no place in YAML", u32::from(c))));
    }
    if let Some((at, c)) = text.char_indices().find(|&(at, c)| ends_a_line_in_yaml_alone(text, at, c)) {
        let message = format!("the character U+{:04X} ends a line in YAML, and in few editors", u32::from(c));
        let help = Some("end lines with a line feed".to_owned());
        return Err(SyntaxError { help, ..refuse(at, message) });
    }
    let mut open = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' | '{' => open += 1,
            ']' | '}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open > MAX_OPEN {
            return Err(refuse(at, NESTED.to_owned()));
        }
    }
    Ok(text)
}

fn tree(text: &str) -> Result<Node, SyntaxError> {
    read(text, Mode::Build).map_err(|error| {
        let (message, help) = explain(text, &error);
        let position = match error.location() {
            Some(location) => position_at(text, location.index()),
            None => position_at(text, second_document(text)),
        };
        SyntaxError { position, message, help }
    })
}

/// The positions of the nodes of a text that [`parse`] accepts.
pub struct Positions<'t> {
    text: &'t str,
    scalars: Vec<Option<Position>>,
}

impl<'t> Positions<'t> {
    /// Finds all scalars.
    #[must_use]
    pub fn new(bytes: &'t [u8]) -> Self {
        Self::and_tree(without_mark(std::str::from_utf8(bytes).unwrap_or_default())).0
    }

    fn and_tree(text: &'t str) -> (Self, Option<Node>) {
        let scalars: RefCell<Vec<Option<Position>>> = RefCell::default();
        let tree = read(text, Mode::Note(&scalars, &Cell::default())).ok();
        let mut scalars: Vec<Option<Position>> = scalars.into_inner();
        // The library adds a missing last line end, and finds an empty value after it.
        let lines = text.matches('\n').count() + 1;
        for place in &mut scalars {
            *place = place.filter(|place| place.line <= lines);
        }
        (Self { text, scalars }, tree)
    }

    /// The position of a node; the beginning of the text if no node has this number.
    #[must_use]
    pub fn of(&self, id: NodeId) -> Position {
        self.scalars.get(id).copied().flatten().unwrap_or_else(|| {
            let stopped = read(self.text, Mode::StopAt(id));
            stopped.err().map_or(Position { line: 1, column: 1 }, |error| position(self.text, &error))
        })
    }

    /// The position of a mapping's first field, which is faster to find than that of the mapping itself.
    #[must_use]
    pub fn of_mapping(&self, id: NodeId) -> Position {
        self.scalars.get(id + 1).copied().flatten().unwrap_or_else(|| self.of(id))
    }
}

/// The position of the node with this number in a text that [`parse`] accepts; the beginning of the text if there is no
/// such node.
#[must_use]
pub fn locate(bytes: &[u8], id: NodeId) -> Position {
    let text = without_mark(std::str::from_utf8(bytes).unwrap_or_default());
    Positions { text, scalars: Vec::new() }.of(id)
}

fn read(text: &str, mode: Mode<'_>) -> Result<Node, serde_yaml::Error> {
    // Every node has a byte of its own or is between two bytes, unless an alias repeats it: the few aliases that a
    // person writes stay far below this limit, exponential ones do not.
    let reader = Reader { next: &Cell::new(0), mode, most: 2 * text.len() + 8 };
    reader.deserialize(serde_yaml::Deserializer::from_str(text))
}

/// Rejects YAML features that the underlying parser would refuse without a position.
fn is_printable(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' => true,
        _ => !c.is_control() && !matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}'),
    }
}

/// Whether the parser counts a line where an editor sees none, so that its positions are others.
fn ends_a_line_in_yaml_alone(text: &str, at: usize, c: char) -> bool {
    match c {
        '\r' => text.as_bytes().get(at + 1) != Some(&b'\n'),
        '\u{85}' | '\u{2028}' | '\u{2029}' => true,
        _ => false,
    }
}

/// The text after a byte order mark, which some editors write at the beginning. The parser takes it for a document of its
/// own if a comment does not follow.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn position(text: &str, error: &serde_yaml::Error) -> Position {
    position_at(text, error.location().map_or(0, |location| location.index()))
}

/// Line and column of a byte as editors count them.
fn position_at(text: &str, index: usize) -> Position {
    let index = index.min(text.len());
    let boundary = (0..=index).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
    let before = text.get(..boundary).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.get(start..).unwrap_or_default().trim_start_matches('\u{feff}');
    Position { line: before.matches('\n').count() + 1, column: line.chars().count() + 1 }
}

/// The position of a second document; the parser only reports that there is one.
fn second_document(text: &str) -> usize {
    let (mut at, mut begun) = (0, false);
    for line in text.split_inclusive('\n') {
        if begun && (line.starts_with("---") || line.starts_with("...")) {
            return at;
        }
        begun |= !line.trim().is_empty() && !line.starts_with(['#', '%']);
        at += line.len();
    }
    0
}

/// The parser's message in the words of this project, and the help.
fn explain(text: &str, error: &serde_yaml::Error) -> (String, Option<String>) {
    let full = error.to_string();
    let has = |part: &str| full.contains(part);
    let at = error.location().map_or(0, |location| location.index());
    let here = text.get(at..).and_then(|rest| rest.chars().next());
    // The parser reports the beginning of the list, mapping or text in which the error is.
    let begun = |what: &str| match full.rsplit_once(" at line ") {
        Some((_, place)) if has(", while ") && !place.contains(',') => {
            Some(format!("{what} begins at line {}", place.replace(" column ", ", column ")))
        }
        _ => None,
    };
    let say = |message: &str, help: &str| (message.to_owned(), Some(help.to_owned()));
    if has(TAG) {
        say(TAG, "a text that begins with `!` stands in quotes")
    } else if has(REPEATED) || has("repetition limit") {
        say(REPEATED, "write out what they stand for")
    } else if has("recursion limit") {
        (NESTED.to_owned(), None)
    } else if has("more than one document") {
        say("the file has several documents", "one file, one operator; no `---` or `...` between")
    } else if has("tab character") || (has("cannot start any token") && here == Some('\t')) {
        say("a tab cannot indent", "indent by spaces")
    } else if has("cannot start any token") {
        let found = here.map_or_else(|| "this".to_owned(), |c| format!("`{c}`"));
        (
            format!("{found} cannot begin a value"),
            Some("a text that begins with such a sign stands in quotes".to_owned()),
        )
    } else if has("mapping values are not allowed") {
        say("a `:` has no place here", "a text with `: ` in it stands in quotes; a field begins a line of its own")
    } else if has("',' or ']'") {
        ("expected `,` or `]`".to_owned(), begun("the list"))
    } else if has("',' or '}'") {
        ("expected `,` or `}`".to_owned(), begun("the mapping"))
    } else if has("unexpected end of stream") {
        ("the file ends within a text in quotes".to_owned(), begun("it"))
    } else if has("could not find expected ':'") {
        say("expected a `:` after the name of a field", "write `field: value`")
    } else if has("expected '-' indicator") {
        say("expected `- `, as before the other entries of the list", "or indent the line as its field is")
    } else if has("did not find expected key") {
        say("expected a field here", "indent it as the other fields beside it; close quotes and brackets before it")
    } else if has("escape") {
        say("there is no such escape", "write a backslash in `\"...\"` twice, or use `'...'`")
    } else if has("expected node content") && text.get(at..).is_none_or(|rest| rest.trim().is_empty()) {
        say("the file ends where a value belongs", "close the brackets that are open")
    } else if has("expected node content") {
        say("expected a value here", "a text that begins with a bracket stands in quotes")
    } else if has("unknown anchor") {
        say("the alias (`*name`) stands for nothing", "a text that begins with `*` stands in quotes")
    } else {
        (format!("not YAML: {}", full.split(" at line ").next().unwrap_or_default()), None)
    }
}

/// The purpose of a pass.
#[derive(Clone, Copy)]
enum Mode<'c> {
    /// Builds the tree.
    Build,
    /// Fails at a node: the library adds its position to the error.
    StopAt(NodeId),
    /// Fails at each scalar, records the position that the library adds, and continues with the scalar.
    Note(&'c RefCell<Vec<Option<Position>>>, &'c Cell<Option<Node>>),
}

#[derive(Clone, Copy)]
struct Reader<'c> {
    next: &'c Cell<NodeId>,
    mode: Mode<'c>,
    most: usize,
}

impl Reader<'_> {
    fn number<E: de::Error>(self) -> Result<NodeId, E> {
        let id = self.next.get();
        self.next.set(id + 1);
        match self.mode {
            _ if id > self.most => Err(E::custom(REPEATED)),
            Mode::StopAt(at) if at == id => Err(E::custom("here")),
            _ => Ok(id),
        }
    }

    fn leaf<E: de::Error>(self, kind: Kind) -> Result<Node, E> {
        let node = Node { id: self.number()?, kind };
        if let Mode::Note(_, held) = self.mode {
            held.set(Some(node));
            return Err(E::custom("here"));
        }
        Ok(node)
    }
}

/// The position at the end of the library's message; it is missing for the first node of a text. During a pass, the
/// message is the only source of the position: the error has the type of any deserializer, and only `serde_yaml::Error`
/// has a location.
fn noted_position(message: &str) -> Option<Position> {
    match message.rsplit_once(" at line ") {
        Some((_, place)) => {
            let (line, column) = place.split_once(" column ")?;
            Some(Position { line: line.parse().ok()?, column: column.parse().ok()? })
        }
        None => Some(Position { line: 1, column: 1 }),
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Node;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        let read = deserializer.deserialize_any(self);
        if let (Mode::Note(positions, held), Err(error)) = (self.mode, &read)
            && let Some(node) = held.take()
        {
            let mut positions = positions.borrow_mut();
            positions.resize(node.id, None);
            positions.push(noted_position(&error.to_string()));
            return Ok(node);
        }
        read
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("YAML without tags")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Node, E> {
        self.leaf(Kind::Null)
    }

    fn visit_none<E: de::Error>(self) -> Result<Node, E> {
        self.leaf(Kind::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Node, E> {
        self.leaf(Kind::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Node, E> {
        self.leaf(Kind::Int(value.into()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Node, E> {
        self.leaf(Kind::Int(value.into()))
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Node, E> {
        self.leaf(Kind::Int(value))
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Node, E> {
        self.leaf(i128::try_from(value).map_or_else(|_| Kind::Text(value.to_string()), Kind::Int))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Node, E> {
        self.leaf(Kind::Float(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Node, E> {
        self.leaf(Kind::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let id = self.number()?;
        let mut list = Vec::new();
        while let Some(node) = access.next_element_seed(self)? {
            list.push(node);
        }
        Ok(Node { id, kind: Kind::List(list) })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let id = self.number()?;
        let mut pairs = Vec::new();
        while let Some(key) = access.next_key_seed(self)? {
            pairs.push((key, access.next_value_seed(self)?));
        }
        Ok(Node { id, kind: Kind::Map(pairs) })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Node, A::Error> {
        Err(de::Error::custom(TAG))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_tree_is_the_same_where_places_are_noted() {
        let odd: [&[u8]; 3] = [
            b"a: &x [1, 2.5, { b: ~ }]\nc: *x\nd: |\n  some\n  text\n",
            b"a: [1, 'u', \"t\", yes\n",
            b"a: &x [1, *x]\n",
        ];
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ai.onnx");
        let descriptors: Vec<Vec<u8>> =
            fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect();
        assert!(descriptors.len() > 100);
        for bytes in descriptors.iter().map(Vec::as_slice).chain(odd) {
            // Compared as text, since NaN is not equal to itself.
            let noted = format!("{:?}", parse_with_positions(bytes).map(|(tree, _)| tree));
            assert!(noted == format!("{:?}", parse(bytes)), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn a_byte_order_mark_is_passed_over() {
        for text in ["a: 1\nb: [x, { c: 2 }]\n", "# comment\na: 1\n", "- 1\n- b\n", "text", "a: [1", "a: \u{feff}", ""]
        {
            let marked = format!("\u{feff}{text}");
            assert_eq!(parse(marked.as_bytes()), parse(text.as_bytes()), "{text}");
            let positions = (Positions::new(marked.as_bytes()), Positions::new(text.as_bytes()));
            for id in 0..8 {
                assert_eq!(locate(marked.as_bytes(), id), locate(text.as_bytes(), id), "{text}: {id}");
                assert_eq!(positions.0.of(id), positions.1.of(id), "{text}: {id}");
            }
        }
        assert!(parse("\u{feff}\u{feff}a: 1".as_bytes()).is_err(), "the second one is none");
    }

    #[test]
    fn every_node_is_found_where_it_stands() {
        let text = "a: 1\nlist:\n  - x\n  - { n: [2, -3], é: { k: ~ } }\n";
        let root = parse(text.as_bytes()).unwrap();
        let mut found = Vec::new();
        walk(&root, &mut |node| {
            let Position { line, column } = locate(text.as_bytes(), node.id);
            let rest: String = text.lines().nth(line - 1).unwrap().chars().skip(column - 1).collect();
            found.push(format!("{line}:{column} {}", rest.split([',', '}', ']']).next().unwrap()));
        });
        assert_eq!(
            found,
            [
                "1:1 a: 1",
                "1:1 a: 1",
                "1:4 1",
                "2:1 list:",
                "3:3 - x",
                "3:5 x",
                "4:5 { n: [2",
                "4:7 n: [2",
                "4:10 [2",
                "4:11 2",
                "4:14 -3",
                "4:19 é: { k: ~ ",
                "4:22 { k: ~ ",
                "4:24 k: ~ ",
                "4:27 ~ ",
            ]
        );
    }

    #[test]
    fn what_is_noted_in_one_go_is_what_stopping_finds() {
        for text in [include_str!("../../ai.onnx/Shape.yaml"), "a: &x [1, '2 at line 7']\nb: *x\nc: [~, é]\n"] {
            let root = parse(text.as_bytes()).unwrap();
            let positions = Positions::new(text.as_bytes());
            let mut scalars = 0;
            walk(&root, &mut |node| {
                if node.id < 40 || node.id % 16 == 0 {
                    assert_eq!(positions.of(node.id), locate(text.as_bytes(), node.id), "{node:?}");
                }
                scalars += usize::from(positions.scalars.get(node.id).is_some_and(Option::is_some));
            });
            assert!(scalars > 5, "{scalars} scalars were found in one go");
        }
    }

    #[test]
    fn a_line_ends_where_an_editor_ends_it() {
        assert!(parse(b"a: 1\r\nb: 2\r\n").is_ok());
        for (text, line, column) in [("a: 1\rb: 2", 1, 5), ("a: 1\nb: '\u{2028}'", 2, 5), ("a: 1\u{85}", 1, 5)] {
            let SyntaxError { position, message, .. } = parse(text.as_bytes()).unwrap_err();
            assert_eq!(position, Position { line, column }, "{text:?}");
            assert!(message.ends_with("ends a line in YAML, and in few editors"), "{message}");
        }
    }

    #[test]
    fn a_file_past_the_bound_is_not_read() {
        let error = parse(&vec![b'['; MAX_BYTES + 1]).unwrap_err();
        assert_eq!(error.message, "a descriptor has at most 262144 bytes, this file 262145");
    }

    fn walk(node: &Node, see: &mut dyn FnMut(&Node)) {
        see(node);
        match &node.kind {
            Kind::List(list) => list.iter().for_each(|node| walk(node, see)),
            Kind::Map(pairs) => pairs.iter().for_each(|(key, value)| {
                walk(key, see);
                walk(value, see);
            }),
            _ => {}
        }
    }
}
