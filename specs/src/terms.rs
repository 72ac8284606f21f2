//! Dimensions that a descriptor lists directly, without a rule in Rust: `[count, ...data]`, `[X[0], 2*X[1], max(k - 1,
//! 1)]`.
//!
//! A term is one dimension, an expression over axes of inputs, attributes and numbers; or a range of the dimensions of
//! an input or of the entries of an INTS attribute; or `?`, a dimension that depends on the elements of an input.

use std::fmt;

use crate::tokens::{Notation, Reader, Wrong};

/// The dimensions of an output, term by term.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms(pub Vec<Term>);

/// One dimension, or several.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// One dimension.
    Dim(Expression),
    /// `...X`, `...X[1:-1]`: dimensions of an input, or entries of an INTS attribute.
    Stretch {
        /// The input or attribute.
        of: String,
        /// The first index; negative ones count from the end.
        from: i64,
        /// The index after the last; negative ones count from the end; `None` for the end.
        to: Option<i64>,
    },
    /// `?`: one dimension that depends on the elements of an input at run time.
    Data,
}

/// An integer computed from a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A number.
    Number(i64),
    /// `k`: an INT attribute, or the one element of an input.
    Name(String),
    /// `X[0]`: the size of an axis of an input, or an entry of an INTS attribute; negative indices count from the end.
    Entry(String, i64),
    /// `len(a, b)`: the number of entries of the first of these list or TENSOR attributes that is present.
    Length(Vec<String>),
    /// `rank(X)`: the number of axes of an input.
    Rank(String),
    /// `size(X)`: the number of elements of an input.
    Size(String),
    /// `X[axis]`: the size of the axis of an input that an INT attribute names.
    AxisAt(String, String),
    /// `min(axes)`, `max(axes)`: the smallest or the largest entry of an INTS attribute, or element of an input.
    Fold(Operation, String),
    /// `type(X)`: the number that `TensorProto.DataType` has for the element type of an input, or of the values of an
    /// attribute.
    Type(String),
    /// An operation on two expressions.
    Operation(Operation, Box<Expression>, Box<Expression>),
    /// `inputs()`, in an adapter: the number of inputs that the node has.
    Inputs,
    /// `outputs()`, in an adapter: the number of outputs that the node has.
    Outputs,
    /// `0.5`, as a value in an adapter.
    Float(f64),
    /// `'nearest'`, as a value in an adapter.
    Text(String),
    /// `[1, axis]`, as a value in an adapter.
    List(Vec<Expression>),
    /// `range(1, rank(X))`, as a value in an adapter.
    Made(Maker, Vec<Expression>),
}

/// A function that makes a list of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "MAKERS says what each is")]
pub enum Maker {
    Range,
    Swap,
    Parts,
    Spread,
    Fill,
}

/// The functions that make lists: the form of a call, the function, and its meaning.
pub const MAKERS: &[(&str, Maker, &str)] = &[
    ("range(a, b)", Maker::Range, "the numbers from `a` to the one before `b`"),
    ("swap(n, a, b)", Maker::Swap, "the numbers below `n`, with `a` and `b` exchanged"),
    ("parts(a, n)", Maker::Parts, "the sizes of `n` parts of `a`, all but the last of the same size"),
    (
        "spread(pads, axes, n)",
        Maker::Spread,
        "counts at the beginning and end of some axes as counts for all `n` axes, 0 for the others",
    ),
    ("fill(n, a)", Maker::Fill, "`n` times the number `a`"),
];

/// The name and the number of arguments of a call that a table shows.
pub(crate) fn shown(call: &str) -> (&str, usize) {
    let (name, arguments) = call.split_once('(').unwrap_or((call, ")"));
    (name, arguments.split([',', ')']).filter(|argument| !argument.is_empty()).count())
}

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a*b`
    Mul,
    /// `a//b`, rounded down.
    FloorDiv,
    /// `a % b`: the remainder.
    Mod,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
}

/// The forms of terms and their meaning, for the documentation.
pub const FORMS: &[(&str, &str)] = &[
    ("[]", "no dimension: a scalar"),
    ("3", "a dimension of this size"),
    ("k", "an INT attribute, or the one element of an input"),
    (
        "X[0], X[-1]",
        "the size of an axis of an input, or an entry of an INTS attribute; a negative one counts from the end",
    ),
    ("...X", "all dimensions of an input, or all entries of an INTS attribute"),
    ("...X[1:], ...X[1:-1]", "those from the first to the one before the second; a negative one counts from the end"),
    ("rank(X)", "the number of axes of an input"),
    ("size(X)", "the number of elements of an input"),
    ("len(a, b)", "the number of entries of the first of these list or TENSOR attributes that is given"),
    ("a + b, a - b, a*b", "sums, differences and products; `*` binds closer, and parentheses group"),
    ("a//b, a % b", "the quotient rounded down, and what it leaves"),
    ("min(a, b), max(a, b)", "the smaller and the larger one"),
    ("X[axis]", "the size of the axis that an INT attribute names"),
    ("min(X), max(X)", "the smallest and the largest entry of an INTS attribute, or element of an input"),
    (
        "type(X)",
        "the number that `TensorProto.DataType` has for the element type of an input, or of what is in an attribute",
    ),
    ("?", "a size that the elements of an input decide when the model runs"),
];

/// The maximum nesting depth of an expression; the core reads it by recursion.
const MAX_DEPTH: usize = 16;

impl Terms {
    /// Reads `[count, ...data]`.
    ///
    /// # Errors
    /// The message and the help, if the text is not such a list.
    ///
    /// ```
    /// use shape_specs::terms::Terms;
    /// let terms = Terms::parse("[X[0], 2*X[-1] + k, ...X[2:], max(len(a, b), 1)]").unwrap();
    /// assert_eq!(terms.to_string(), "[X[0], 2*X[-1] + k, ...X[2:], max(len(a, b), 1)]");
    /// assert_eq!(Terms::parse("[X[0]").unwrap_err().0, "expected `]` or `,`, found the end, in `[X[0]`");
    /// ```
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let mut reader = Reader::new(text, &NOTATION)?;
        reader.expect("[")?;
        let mut terms = Vec::new();
        if !reader.take("]") {
            loop {
                terms.push(reader.term()?);
                if reader.take("]") {
                    break;
                }
                reader.expect_one(&[",", "]"])?;
            }
        }
        reader.end()?;
        Ok(Self(terms))
    }

    /// The attributes and inputs in it, in the order of the text.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for term in &self.0 {
            match term {
                Term::Dim(expression) => expression.names(&mut names),
                Term::Stretch { of, .. } => names.push(of),
                Term::Data => {}
            }
        }
        names
    }
}

impl Expression {
    /// Reads a value of an adapter: `dim // 2`, `[1, axis]`, `range(1, rank(X))`.
    ///
    /// # Errors
    /// The message and the help, if the text is none.
    ///
    /// ```
    /// use shape_specs::terms::Expression;
    /// let value = Expression::parse("[1, X[axis]//2]").unwrap();
    /// assert_eq!(value.to_string(), "[1, X[axis]//2]");
    /// assert_eq!(Expression::parse("[1, ").unwrap_err().0, "expected a name, found the end, in `[1, `");
    /// ```
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let mut reader = Reader::new(text, &VALUES)?;
        let value = reader.sum(0)?;
        reader.end()?;
        Ok(value)
    }

    /// Appends the names of the attributes and inputs in it.
    pub fn names<'e>(&'e self, names: &mut Vec<&'e str>) {
        match self {
            Self::Number(_) | Self::Inputs | Self::Outputs | Self::Float(_) | Self::Text(_) => {}
            Self::List(items) | Self::Made(_, items) => items.iter().for_each(|item| item.names(names)),
            Self::Name(name)
            | Self::Entry(name, _)
            | Self::Rank(name)
            | Self::Size(name)
            | Self::Fold(_, name)
            | Self::Type(name) => names.push(name),
            Self::AxisAt(of, axis) => names.extend([&**of, axis]),
            Self::Length(lists) => names.extend(lists.iter().map(String::as_str)),
            Self::Operation(_, left, right) => {
                left.names(names);
                right.names(names);
            }
        }
    }

    /// The parts that read an attribute, input or output: all but numbers, texts, lists and operations.
    #[must_use]
    pub fn leaves(&self) -> Vec<&Self> {
        match self {
            Self::Number(_) | Self::Inputs | Self::Outputs | Self::Float(_) | Self::Text(_) => Vec::new(),
            Self::List(items) | Self::Made(_, items) => items.iter().flat_map(Self::leaves).collect(),
            Self::Operation(_, left, right) => left.leaves().into_iter().chain(right.leaves()).collect(),
            leaf => vec![leaf],
        }
    }
}

const NOTATION: Notation = Notation {
    conditions: false,
    values: false,
    name: "an attribute or input",
    help: "dimensions are written `[count, ...data]` or `[X[0], 2*X[1], max(k - 1, 1)]`: axes of inputs, attributes, \
           numbers, `+ - * // %`, `min`, `max`, `len`, `rank` and `size`",
};

pub(crate) const VALUES: Notation = Notation {
    conditions: false,
    values: true,
    name: "a name",
    help: "a value is a number as in `dims`, `X[axis]//2`, a 'text', a list `[1, axis]`, or a list that `range`, \
           `swap`, `parts`, `spread` or `fill` makes",
};

impl Reader<'_> {
    fn term(&mut self) -> Result<Term, Wrong> {
        if self.take("?") {
            return Ok(Term::Data);
        }
        if !self.take("...") {
            return self.sum(0).map(Term::Dim);
        }
        let of = self.name()?;
        let (mut from, mut to) = (0, None);
        if self.take("[") {
            if !self.take(":") {
                from = self.signed()?;
                self.expect(":")?;
            }
            if !self.take("]") {
                to = Some(self.signed()?);
                self.expect("]")?;
            }
        }
        Ok(Term::Stretch { of, from, to })
    }

    fn number(&mut self) -> Option<Result<i64, Wrong>> {
        let token = self.peek().filter(|token| token.starts_with(|c: char| c.is_ascii_digit()))?;
        self.skip();
        Some(token.parse().map_err(|_| self.wrong(&format!("`{token}` is no number of 64 bits"))))
    }

    fn signed(&mut self) -> Result<i64, Wrong> {
        let negative = self.take("-");
        match self.number() {
            Some(number) => number.map(|number| if negative { -number } else { number }),
            None => Err(self.unexpected("a number")),
        }
    }

    pub(crate) fn sum(&mut self, depth: usize) -> Result<Expression, Wrong> {
        let mut left = self.product(depth)?;
        loop {
            let operation = match self.peek() {
                Some("+") => Operation::Add,
                Some("-") => Operation::Sub,
                _ => return Ok(left),
            };
            self.skip();
            left = Expression::Operation(operation, Box::new(left), Box::new(self.product(depth)?));
        }
    }

    fn product(&mut self, depth: usize) -> Result<Expression, Wrong> {
        let mut left = self.factor(depth)?;
        loop {
            let operation = match self.peek() {
                Some("*") => Operation::Mul,
                Some("//") => Operation::FloorDiv,
                Some("%") => Operation::Mod,
                _ => return Ok(left),
            };
            self.skip();
            left = Expression::Operation(operation, Box::new(left), Box::new(self.factor(depth)?));
        }
    }

    fn factor(&mut self, depth: usize) -> Result<Expression, Wrong> {
        // A sum nests to the left, with one level for each term.
        if depth >= MAX_DEPTH || self.len() > 16 * MAX_DEPTH {
            return Err(self.wrong("too long an expression"));
        }
        if self.take("(") {
            let inner = self.sum(depth + 1)?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.take("-") {
            return Ok(match self.factor(depth + 1)? {
                Expression::Number(number) => Expression::Number(-number),
                Expression::Float(number) => Expression::Float(-number),
                of => Expression::Operation(Operation::Sub, Box::new(Expression::Number(0)), Box::new(of)),
            });
        }
        if self.notation.values
            && let Some(value) = self.value(depth)
        {
            return value;
        }
        if let Some(number) = self.number() {
            return number.map(Expression::Number);
        }
        let name = self.name()?;
        if self.take("[") {
            let axis = self.name().ok();
            let entry = match axis {
                Some(axis) => Expression::AxisAt(name, axis),
                None => Expression::Entry(name, self.signed()?),
            };
            self.expect("]")?;
            return Ok(entry);
        }
        if !self.take("(") {
            return Ok(Expression::Name(name));
        }
        let expression = match &*name {
            "rank" => Expression::Rank(self.name()?),
            "size" => Expression::Size(self.name()?),
            "type" => Expression::Type(self.name()?),
            "len" => {
                let mut lists = vec![self.name()?];
                while self.take(",") {
                    lists.push(self.name()?);
                }
                Expression::Length(lists)
            }
            "min" | "max" => {
                let operation = if name == "min" { Operation::Min } else { Operation::Max };
                match self.sum(depth + 1)? {
                    Expression::Name(list) if self.peek() == Some(")") => Expression::Fold(operation, list),
                    left => {
                        self.expect(",")?;
                        Expression::Operation(operation, Box::new(left), Box::new(self.sum(depth + 1)?))
                    }
                }
            }
            "inputs" if self.notation.conditions || self.notation.values => Expression::Inputs,
            "outputs" if self.notation.conditions || self.notation.values => Expression::Outputs,
            other => return self.made(other, depth),
        };
        self.expect(")")?;
        Ok(expression)
    }

    /// What is neither a number of 64 bits nor computed, if the current token begins such a value.
    fn value(&mut self, depth: usize) -> Option<Result<Expression, Wrong>> {
        let token = self.peek()?;
        if self.take("[") {
            return Some(self.items("]", depth + 1).map(Expression::List));
        }
        if let Some(text) = token.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
            self.skip();
            return Some(Ok(Expression::Text(text.to_owned())));
        }
        let has_point = token.starts_with(|c: char| c.is_ascii_digit()) && token.contains('.');
        let float = token.parse().ok().filter(|_| has_point)?;
        self.skip();
        Some(Ok(Expression::Float(float)))
    }

    /// The rest of a call that makes a list.
    fn made(&mut self, name: &str, depth: usize) -> Result<Expression, Wrong> {
        if name == "outputs" {
            return Err(self.wrong("`outputs` is for adapters alone"));
        }
        let Some((call, maker, _)) = MAKERS.iter().find(|(call, ..)| shown(call).0 == name) else {
            return Err(self.wrong(&format!("there is no function `{name}`")));
        };
        if !self.notation.values {
            return Err(self.wrong(&format!("`{name}` makes a list, which only a value in an adapter may be")));
        }
        let items = self.items(")", depth + 1)?;
        if items.len() != shown(call).1 {
            return Err(self.wrong(&format!("it is `{call}`, with {} arguments, not {}", shown(call).1, items.len())));
        }
        Ok(Expression::Made(*maker, items))
    }

    fn items(&mut self, end: &str, depth: usize) -> Result<Vec<Expression>, Wrong> {
        let mut items = Vec::new();
        while !self.take(end) {
            items.push(self.sum(depth)?);
            if self.take(end) {
                break;
            }
            self.expect_one(&[",", end])?;
        }
        Ok(items)
    }
}

/// Texts, separated by commas.
pub(crate) fn listed<T: fmt::Display>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Terms {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "[{}]", listed(&self.0))
    }
}

impl fmt::Display for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dim(expression) => write!(formatter, "{expression}"),
            Self::Data => formatter.write_str("?"),
            Self::Stretch { of, from: 0, to: None } => write!(formatter, "...{of}"),
            Self::Stretch { of, from, to } => {
                write!(formatter, "...{of}[")?;
                if *from != 0 {
                    write!(formatter, "{from}")?;
                }
                formatter.write_str(":")?;
                if let Some(to) = to {
                    write!(formatter, "{to}")?;
                }
                formatter.write_str("]")
            }
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let negated = |of: &Self| matches!(of, Self::Operation(Operation::Sub, zero, _) if **zero == Self::Number(0));
        let sum = |of: &Self| matches!(of, Self::Operation(Operation::Add | Operation::Sub, ..)) && !negated(of);
        let product =
            |of: &Self| matches!(of, Self::Operation(Operation::Mul | Operation::FloorDiv | Operation::Mod, ..));
        // Operands are put in parentheses if they would be parsed differently otherwise.
        let side = |formatter: &mut fmt::Formatter<'_>, of: &Self, apart: bool| {
            if apart { write!(formatter, "({of})") } else { write!(formatter, "{of}") }
        };
        match self {
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Name(name) => formatter.write_str(name),
            Self::Entry(name, index) => write!(formatter, "{name}[{index}]"),
            Self::Length(lists) => write!(formatter, "len({})", lists.join(", ")),
            Self::Rank(name) => write!(formatter, "rank({name})"),
            Self::Size(name) => write!(formatter, "size({name})"),
            Self::AxisAt(name, axis) => write!(formatter, "{name}[{axis}]"),
            Self::Fold(Operation::Max, name) => write!(formatter, "max({name})"),
            Self::Fold(_, name) => write!(formatter, "min({name})"),
            Self::Type(name) => write!(formatter, "type({name})"),
            Self::Inputs => formatter.write_str("inputs()"),
            Self::Outputs => formatter.write_str("outputs()"),
            Self::Float(number) => write!(formatter, "{number:?}"),
            Self::Text(text) => write!(formatter, "'{text}'"),
            Self::List(items) => write!(formatter, "[{}]", listed(items)),
            Self::Made(maker, items) => {
                let call = MAKERS.iter().find(|(_, of, _)| of == maker).map_or("", |(call, ..)| call);
                write!(formatter, "{}({})", shown(call).0, listed(items))
            }
            Self::Operation(_, _, of) if negated(self) => {
                formatter.write_str("-")?;
                side(formatter, of, sum(of) || product(of) || negated(of))
            }
            Self::Operation(operation, left, right) => {
                let (sign, of_products) = match operation {
                    Operation::Add => (" + ", false),
                    Operation::Sub => (" - ", false),
                    Operation::Mul => ("*", true),
                    Operation::FloorDiv => ("//", true),
                    Operation::Mod => (" % ", true),
                    Operation::Min => return write!(formatter, "min({left}, {right})"),
                    Operation::Max => return write!(formatter, "max({left}, {right})"),
                };
                side(formatter, left, of_products && sum(left))?;
                formatter.write_str(sign)?;
                side(formatter, right, sum(right) || (of_products && product(right)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_written_as_they_are_read() {
        for text in [
            "[]",
            "[?]",
            "[1, ?]",
            "[...X]",
            "[count, ...data[1:]]",
            "[...X[:-2], ...shape]",
            "[(a + b)*c - (d - e)]",
            "[a*(b//c)//d]",
            "[a % (b + 1)]",
            "[a - b - c + -1]",
            "[min(a + 1, max(X[-1], 2))]",
            "[rank(X), size(X), len(a, b)]",
            "[-rank(X) + X[axis], -(a + b)*c]",
            "[-3, -(a*b), a - -b, -(-b)]",
            "[min(axes), max(X) - 1, type(X)]",
        ] {
            assert_eq!(Terms::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn values_are_written_as_they_are_read() {
        for text in [
            "'nearest'",
            "[]",
            "[1, -0.5, height_scale]",
            "range(1, rank(X) - 1)",
            "swap(rank(X), axis, -1)",
            "[num_groups, X[1]//num_groups]",
            "spread(pads, axes, rank(data))",
            "parts(X[axis], n)",
            "fill(2, 0)",
            "outputs() - 1",
            "inputs() - outputs()",
        ] {
            assert_eq!(Expression::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_value() {
        for (text, message) in [
            ("", "expected a name, found the end, in ``"),
            ("[1, 2", "expected `]` or `,`, found the end, in `[1, 2`"),
            ("'a", "`'` has no meaning in `'a`"),
            ("a == b", "expected the end, found `==`, in `a == b`"),
            ("range(1)", "it is `range(a, b)`, with 2 arguments, not 1, in `range(1)`"),
            ("range(1, 2", "expected `)` or `,`, found the end, in `range(1, 2`"),
            ("given(X)", "there is no function `given`, in `given(X)`"),
            ("1.5.2", "`1.5.2` is no number of 64 bits, in `1.5.2`"),
        ] {
            assert_eq!(Expression::parse(text).unwrap_err().0, message);
        }
        let deep = format!("{}1{}", "[".repeat(40), "]".repeat(40));
        assert!(Expression::parse(&deep).unwrap_err().0.starts_with("too long an expression"));
    }

    #[test]
    fn what_is_no_list_of_terms() {
        for (text, message) in [
            ("[", "expected an attribute or input, found the end, in `[`"),
            ("[a b]", "expected `]` or `,`, found `b`, in `[a b]`"),
            ("[a] b", "expected the end, found `b`, in `[a] b`"),
            ("[a & b]", "`&` has no meaning in `[a & b]`"),
            ("[X[+]]", "expected a number, found `+`, in `[X[+]]`"),
            ("[X[a + 1]]", "expected `]`, found `+`, in `[X[a + 1]]`"),
            ("[sum(a)]", "there is no function `sum`, in `[sum(a)]`"),
            ("[range(a, b)]", "`range` makes a list, which only a value in an adapter may be, in `[range(a, b)]`"),
            ("[outputs()]", "`outputs` is for adapters alone, in `[outputs()]`"),
            ("['a']", "expected an attribute or input, found `'a'`, in `['a']`"),
            ("[0.5]", "`0.5` is no number of 64 bits, in `[0.5]`"),
            ("[[a]]", "expected an attribute or input, found `[`, in `[[a]]`"),
            ("[a/b]", "`/` has no meaning in `[a/b]`"),
            ("[99999999999999999999]", "`99999999999999999999` is no number of 64 bits, in `[99999999999999999999]`"),
        ] {
            assert_eq!(Terms::parse(text).unwrap_err().0, message);
        }
        let deep = format!("[{}1{}]", "(".repeat(40), ")".repeat(40));
        assert!(Terms::parse(&deep).unwrap_err().0.starts_with("too long an expression"));
    }
}
