//! Adapters: the actions that convert a node between a version and the one before it.
//!
//! An action is written as a mapping, with conditions that are relations, and values that are expressions; their
//! language is that of [`crate::relation`]. This module reads the new nodes: `flat = Flatten<axis = axis>(input)`.

use std::fmt;

use crate::document::Literal;
use crate::relation::{QUESTIONS, Relation};
use crate::terms::{Expression, MAKERS, VALUES, listed};
use crate::tokens::{Reader, Wrong};

/// One action of the conversion between a version and the one before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// The direction that it is for; `None` for both.
    pub way: Option<Way>,
    /// It is done only where this is known to hold.
    pub when: Option<Relation>,
    /// It is not done where this is known to hold.
    pub unless: Option<Relation>,
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
    Move { attribute: String, input: String, one: bool, absent: Option<Expression> },
    /// An attribute, input or output has another name in the older version.
    Rename { old: String, new: String },
    /// The two versions have different values of an attribute for the same meaning.
    Respell { attribute: String, old: Expression, new: Expression },
    /// A version without this attribute or input acts as the other version does with this value.
    Assume { name: String, value: Expression },
    /// Negative axes are counted from the front in the older version.
    CountFromFront { name: String, of: String },
    /// Attributes and inputs that mean nothing here.
    Drop(Vec<String>),
    /// Each value of an input or output goes through a new node, before or after the original one.
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
    pub attributes: Vec<(String, Expression)>,
    /// Its inputs; `None` for one that is left out.
    pub inputs: Vec<Option<Expression>>,
}

/// The value that a literal in a descriptor is; `None` for a number that no attribute holds.
#[must_use]
pub fn value(literal: &Literal) -> Option<Expression> {
    Some(match literal {
        Literal::Bool(value) => Expression::Number((*value).into()),
        Literal::Int(value) => Expression::Number(*value),
        Literal::Unsigned(_) => return None,
        Literal::Float(value) => Expression::Float(*value),
        Literal::Text(text) => Expression::Text(text.clone()),
        Literal::List(list) => Expression::List(list.iter().map(value).collect::<Option<_>>()?),
    })
}

/// What an adapter may write beyond dimensions and relations, and its meaning, for the documentation.
#[must_use]
pub fn forms() -> Vec<(&'static str, &'static str)> {
    let mut forms: Vec<_> = QUESTIONS.iter().map(|(form, _, meaning)| (*form, *meaning)).collect();
    forms.extend([
        ("inputs()", "the number of inputs that the node has"),
        ("outputs()", "the number of outputs that the node has"),
        ("'nearest', 0.5", "a text, or a number with a point, as the value of an attribute"),
        ("[1, axis]", "a list of numbers, as the value of an attribute or input; so is what follows"),
    ]);
    forms.extend(MAKERS.iter().map(|(form, _, meaning)| (*form, *meaning)));
    forms
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
        let mut reader = Reader::new(text, &VALUES)?;
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
                attributes.push((name, reader.sum(0)?));
                if reader.take(">") {
                    break;
                }
                reader.expect_one(&[",", ">"])?;
            }
        }
        reader.expect("(")?;
        let mut inputs = Vec::new();
        while !reader.take(")") {
            let left_out = matches!(reader.peek(), Some("," | ")"));
            inputs.push(if left_out { None } else { Some(reader.sum(0)?) });
            if reader.take(")") {
                break;
            }
            reader.expect_one(&[",", ")"])?;
        }
        reader.end()?;
        Ok(Self { outputs, operator, attributes, inputs })
    }
}

impl fmt::Display for NewNode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} = {}", listed(&self.outputs), self.operator)?;
        if !self.attributes.is_empty() {
            let attributes: Vec<String> =
                self.attributes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            write!(formatter, "<{}>", listed(&attributes))?;
        }
        let inputs: Vec<String> =
            self.inputs.iter().map(|input| input.as_ref().map(Expression::to_string).unwrap_or_default()).collect();
        write!(formatter, "({})", listed(&inputs))
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
        if let Some(when) = &self.when {
            write!(formatter, ", where {when}")?;
        }
        if let Some(unless) = &self.unless {
            write!(formatter, ", unless {unless}")?;
        }
        Ok(())
    }
}
