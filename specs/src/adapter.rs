//! Adapters: what converts a node between a version and the one before it.
//!
//! An action is written as a mapping, and the formulas, conditions and new nodes in it as texts, which this module
//! reads:
//! `axis == rank(input) - 1`, `flat = Flatten<axis = axis>(input)`.

use std::fmt;

use crate::document::Literal;
use crate::tokens::{Notation, Reader, Wrong, is_name};

/// One thing that a conversion between a version and the one before it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// The direction that it is for; `None` for both.
    pub way: Option<Way>,
    /// The condition under which it is done.
    pub when: Option<Formula>,
    /// What is done.
    pub deed: Deed,
}

/// The direction of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the newer version.
    Up,
    /// To the older version.
    Down,
}

/// What an [`Action`] does.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of the entry in a descriptor")]
pub enum Deed {
    /// An attribute of one version is an input of the other.
    Move { attribute: String, input: String, one: bool, absent: Option<Formula> },
    /// An attribute, input or output has another name in the older version.
    Rename { old: String, new: String },
    /// A value of an attribute is written otherwise in the older version.
    Respell { attribute: String, old: Formula, new: Formula },
    /// A version without an attribute or input does what the other one does with this value.
    Assume { name: String, value: Formula },
    /// Negative axes are counted from the front in the older version.
    CountFromFront { name: String, of: String },
    /// Attributes and inputs that mean nothing here.
    Drop(Vec<String>),
    /// Each value of an input or output goes through a node of its own.
    Through(NewNode),
    /// Other nodes take the place of the node.
    Rewrite(Vec<NewNode>),
    /// The other version does the same: no later action is looked at.
    Keep,
    /// The other version cannot express the node.
    Refuse { why: String },
}

/// A node of a [`Deed::Rewrite`] or [`Deed::Through`].
#[derive(Clone, Debug, PartialEq)]
pub struct NewNode {
    /// Its outputs: those of the original node by their names, and new values.
    pub outputs: Vec<String>,
    /// Its operator.
    pub operator: String,
    /// Its attributes.
    pub attributes: Vec<(String, Formula)>,
    /// Its inputs; `None` for one that is left out.
    pub inputs: Vec<Option<Formula>>,
}

/// A value that is computed from a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// `2`
    Int(i64),
    /// `0.5`
    Float(f64),
    /// `'nearest'`
    Text(String),
    /// `axis`: an attribute, an input, an output, or a value of a rewrite.
    Name(String),
    /// `[1, axis]`
    List(Vec<Formula>),
    /// A function of other formulas.
    Call(Function, Vec<Formula>),
}

/// A function of formulas, by the name that it has in `shape-core`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "FUNCTIONS says what each is")]
pub enum Function {
    Add,
    Sub,
    Mul,
    FloorDiv,
    Mod,
    Rank,
    Dim,
    Len,
    Min,
    Max,
    Range,
    Swap,
    Parts,
    Spread,
    Fill,
    Given,
    Constant,
    Type,
    Same,
    Suffix,
    Outputs,
    Agree,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    And,
    Or,
    Not,
    Maybe,
}

/// The functions that are written with their arguments in parentheses: name, number of arguments, meaning.
pub const FUNCTIONS: &[(&str, Function, usize, &str)] = &[
    ("rank", Function::Rank, 1, "the number of axes of an input or output"),
    ("dim", Function::Dim, 2, "the size of an axis of an input or output"),
    (
        "len",
        Function::Len,
        1,
        "the number of entries of a list, of elements of an input, or of values of a variadic parameter",
    ),
    ("min", Function::Min, 1, "the smallest entry of a list"),
    ("max", Function::Max, 1, "the largest entry of a list"),
    ("range", Function::Range, 2, "the numbers from the first to the one before the second"),
    ("swap", Function::Swap, 3, "the numbers below the first, with two of them exchanged"),
    ("parts", Function::Parts, 2, "the sizes of so many parts of a size, all but the last of the same size"),
    (
        "spread",
        Function::Spread,
        3,
        "counts at the beginning and end of some axes as counts for all axes, 0 for the others",
    ),
    ("fill", Function::Fill, 2, "a list of so many times the same number"),
    ("given", Function::Given, 1, "whether the node has the attribute, input or output"),
    ("constant", Function::Constant, 1, "whether the elements of an input are known before the model runs"),
    ("type", Function::Type, 2, "whether an input or output is a tensor of this element type"),
    (
        "same",
        Function::Same,
        2,
        "whether two inputs or outputs, and all values of variadic ones, have the same dimensions",
    ),
    ("suffix", Function::Suffix, 2, "whether the dimensions of the first are the last ones of the second"),
    ("outputs", Function::Outputs, 0, "the number of outputs that the node has"),
    ("agree", Function::Agree, 0, "whether the rules of both versions give the outputs the same dimensions"),
    ("not", Function::Not, 1, "whether it does not hold"),
    ("maybe", Function::Maybe, 1, "whether it is not known that it does not hold"),
];

/// The signs and words between two formulas, those that bind closest last: the comparisons do not chain.
const OPERATORS: &[&[(&str, Function)]] = &[
    &[("or", Function::Or)],
    &[("and", Function::And)],
    &[
        ("==", Function::Equal),
        ("!=", Function::NotEqual),
        ("<=", Function::LessOrEqual),
        (">=", Function::GreaterOrEqual),
        ("<", Function::Less),
        (">", Function::Greater),
    ],
    &[("+", Function::Add), ("-", Function::Sub)],
    &[("*", Function::Mul), ("//", Function::FloorDiv), ("%", Function::Mod)],
];

const NOTATION: Notation = Notation {
    signs: &["==", "!=", "<=", ">=", "//", "[", "]", "(", ")", ",", "+", "-", "*", "%", "<", ">", "=", "."],
    literals: true,
    name: "a name",
    help: "a formula is a name, a number, 'a text', a list in brackets, or made of such formulas by `+ - * // %`, \
           comparisons, `and`, `or`, `not(...)` and functions such as `rank(X)`",
};

/// The maximum nesting depth of a formula; the core computes it by recursion.
const MAX_DEPTH: usize = 16;

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    /// The message and the help, if the text is not a formula.
    ///
    /// ```
    /// use shape_specs::adapter::Formula;
    /// let formula = Formula::parse("axis == rank(input) - 1 or not(given(axis))").unwrap();
    /// assert_eq!(formula.names(), ["axis", "input", "axis"]);
    /// assert_eq!(Formula::parse("axis ==").unwrap_err().0, "expected a formula, found the end, in `axis ==`");
    /// ```
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let mut reader = Reader::new(text, &NOTATION)?;
        let formula = reader.formula(0, 0)?;
        reader.end()?;
        Ok(formula)
    }

    /// The formula that is a value in a descriptor.
    #[must_use]
    pub fn of(literal: &Literal) -> Option<Self> {
        Some(match literal {
            Literal::Bool(value) => Self::Int((*value).into()),
            Literal::Int(value) => Self::Int(*value),
            Literal::Unsigned(_) => return None,
            Literal::Float(value) => Self::Float(*value),
            Literal::Text(text) => Self::Text(text.clone()),
            Literal::List(list) => Self::List(list.iter().map(Self::of).collect::<Option<_>>()?),
        })
    }

    /// The names in it, in the order of the text.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Name(name) => vec![name],
            Self::List(formulas) | Self::Call(_, formulas) => formulas.iter().flat_map(Self::names).collect(),
            _ => Vec::new(),
        }
    }
}

impl NewNode {
    /// Reads `flat = Flatten<axis = axis>(input)`.
    ///
    /// # Errors
    /// The message and the help, if the text is not a node.
    ///
    /// ```
    /// use shape_specs::adapter::NewNode;
    /// let node = NewNode::parse("Y = Resize<mode = mode>(X, , scales)").unwrap();
    /// assert_eq!((&*node.operator, node.inputs.len()), ("Resize", 3));
    /// assert_eq!(node.to_string(), "Y = Resize<mode = mode>(X, , scales)");
    /// ```
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let mut reader = Reader::new(text, &NOTATION)?;
        let mut outputs = vec![reader.name()?];
        while reader.take(",") {
            outputs.push(reader.name()?);
        }
        reader.expect("=")?;
        let operator = reader.name()?;
        let mut attributes = Vec::new();
        if reader.take("<") {
            loop {
                let name = reader.name()?;
                reader.expect("=")?;
                // A comparison would take the closing bracket for its sign.
                attributes.push((name, reader.formula(3, 0)?));
                if reader.take(">") {
                    break;
                }
                reader.expect(",")?;
            }
        }
        reader.expect("(")?;
        let mut inputs = Vec::new();
        while !reader.take(")") {
            let left_out = matches!(reader.peek(), Some("," | ")"));
            inputs.push(if left_out { None } else { Some(reader.formula(0, 0)?) });
            if reader.take(")") {
                break;
            }
            reader.expect(",")?;
        }
        reader.end()?;
        Ok(Self { outputs, operator, attributes, inputs })
    }
}

impl Reader<'_> {
    /// A formula of operators from a level on.
    fn formula(&mut self, level: usize, depth: usize) -> Result<Formula, Wrong> {
        if depth >= MAX_DEPTH || self.len() > 16 * MAX_DEPTH {
            return Err(self.wrong("too long a formula"));
        }
        let Some(operators) = OPERATORS.get(level) else { return self.operand(depth) };
        let mut left = self.formula(level + 1, depth)?;
        while let Some((_, function)) = operators.iter().find(|(sign, _)| self.peek() == Some(*sign)) {
            self.skip();
            let right = self.formula(level + 1, depth)?;
            left = Formula::Call(*function, vec![left, right]);
        }
        Ok(left)
    }

    fn formulas(&mut self, end: &str, depth: usize) -> Result<Vec<Formula>, Wrong> {
        let mut formulas = Vec::new();
        while !self.take(end) {
            formulas.push(self.formula(0, depth)?);
            if self.take(end) {
                break;
            }
            self.expect(",")?;
        }
        Ok(formulas)
    }

    fn operand(&mut self, depth: usize) -> Result<Formula, Wrong> {
        if self.take("(") {
            let formula = self.formula(0, depth + 1)?;
            self.expect(")")?;
            return Ok(formula);
        }
        if self.take("[") {
            return self.formulas("]", depth + 1).map(Formula::List);
        }
        let negative = self.take("-");
        let Some(token) = self.peek() else { return Err(self.unexpected("a formula")) };
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            self.skip();
            let signed = if negative { format!("-{token}") } else { token.to_owned() };
            let int = signed.parse().map(Formula::Int);
            let float = || signed.parse().map(Formula::Float);
            let wrong = |_| self.wrong(&format!("`{token}` is no number"));
            return int.or_else(|_| float()).map_err(wrong);
        }
        if negative {
            return Err(self.unexpected("a number"));
        }
        if let Some(text) = token.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
            self.skip();
            return Ok(Formula::Text(text.to_owned()));
        }
        if !is_name(token) {
            return Err(self.unexpected("a formula"));
        }
        let name = self.name()?;
        if !self.take("(") {
            return Ok(Formula::Name(name));
        }
        let arguments = self.formulas(")", depth + 1)?;
        match FUNCTIONS.iter().find(|(function, ..)| *function == name) {
            Some((_, function, count, _)) if *count == arguments.len() => Ok(Formula::Call(*function, arguments)),
            Some((_, _, count, _)) => {
                Err(self.wrong(&format!("`{name}` takes {count} arguments, not {}", arguments.len())))
            }
            None => {
                let known: Vec<&str> = FUNCTIONS.iter().map(|(function, ..)| *function).collect();
                let (message, _) = self.wrong(&format!("there is no function `{name}`"));
                Err((message, Some(format!("there are {}", known.join(", ")))))
            }
        }
    }
}

fn comma_separated<T: fmt::Display>(formatter: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        write!(formatter, "{}{item}", if index == 0 { "" } else { ", " })?;
    }
    Ok(())
}

impl fmt::Display for Formula {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => write!(formatter, "{number}"),
            Self::Float(number) => write!(formatter, "{number:?}"),
            Self::Text(text) => write!(formatter, "'{text}'"),
            Self::Name(name) => formatter.write_str(name),
            Self::List(formulas) => {
                formatter.write_str("[")?;
                comma_separated(formatter, formulas)?;
                formatter.write_str("]")
            }
            Self::Call(function, arguments) => {
                let level_of =
                    |function: &Function| OPERATORS.iter().position(|level| level.iter().any(|(_, of)| of == function));
                if let (Some(level), [left, right]) = (level_of(function), arguments.as_slice()) {
                    let sign = OPERATORS.iter().flat_map(|level| level.iter()).find(|(_, of)| of == function);
                    let sign = sign.map_or("", |(sign, _)| sign);
                    let side = |formatter: &mut fmt::Formatter<'_>, formula: &Self, least: usize| match formula {
                        Self::Call(inner, _) if level_of(inner).is_some_and(|inner| inner < least) => {
                            write!(formatter, "({formula})")
                        }
                        formula => write!(formatter, "{formula}"),
                    };
                    side(formatter, left, level)?;
                    write!(formatter, " {sign} ")?;
                    return side(formatter, right, level + 1);
                }
                let name = FUNCTIONS.iter().find(|(_, of, ..)| of == function).map_or("", |(name, ..)| name);
                write!(formatter, "{name}(")?;
                comma_separated(formatter, arguments)?;
                formatter.write_str(")")
            }
        }
    }
}

impl fmt::Display for NewNode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        comma_separated(formatter, &self.outputs)?;
        write!(formatter, " = {}", self.operator)?;
        if !self.attributes.is_empty() {
            let attributes: Vec<String> =
                self.attributes.iter().map(|(name, formula)| format!("{name} = {formula}")).collect();
            write!(formatter, "<{}>", attributes.join(", "))?;
        }
        formatter.write_str("(")?;
        let inputs: Vec<String> =
            self.inputs.iter().map(|input| input.as_ref().map(Formula::to_string).unwrap_or_default()).collect();
        comma_separated(formatter, &inputs)?;
        formatter.write_str(")")
    }
}

impl Way {
    /// The word in a descriptor: `up` or `down`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
        }
    }
}

/// What is done, in a few words: `Y = Resize<mode = mode>(X, scales)`.
impl fmt::Display for Action {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(way) = self.way {
            write!(formatter, "{}: ", way.name())?;
        }
        match &self.deed {
            Deed::Move { attribute, input, .. } if attribute == input => write!(formatter, "`{attribute}` is moved")?,
            Deed::Move { attribute, input, .. } => {
                write!(formatter, "the attribute `{attribute}` and the input `{input}` are moved")?;
            }
            Deed::Rename { old, new } => write!(formatter, "`{old}` and `{new}` are renamed")?,
            Deed::Respell { attribute, old, new } => write!(formatter, "`{attribute}` {old} is written {new}")?,
            Deed::Assume { name, value } => write!(formatter, "without `{name}` it is {value}")?,
            Deed::CountFromFront { name, of } => write!(formatter, "`{name}` is counted from the front of `{of}`")?,
            Deed::Drop(names) => write!(formatter, "{} is dropped", names.join(", "))?,
            Deed::Through(node) => write!(formatter, "{node}")?,
            Deed::Rewrite(nodes) => {
                formatter.write_str("rewritten as ")?;
                let nodes: Vec<String> = nodes.iter().map(ToString::to_string).collect();
                formatter.write_str(&nodes.join("; "))?;
            }
            Deed::Keep => formatter.write_str("the same")?,
            Deed::Refuse { why } => write!(formatter, "refused: {}", why.trim_end_matches('.'))?,
        }
        match &self.when {
            Some(when) => write!(formatter, ", where {when}"),
            None => Ok(()),
        }
    }
}
