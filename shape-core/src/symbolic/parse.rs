//! Parses the expression in a `dim_param`.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::application::{self, Kind};
use super::dim::Dim;
use super::limits::{MAX_ARGUMENTS, MAX_DEPTH};
use super::polynomial::{self, Failure, Outcome, Polynomial};
use super::symbols::{Named, Symbols};
use super::term::{Factor, Term};

impl Symbols {
    /// The dimension of a `dim_param`: the size set for it, the expression in its text, or its symbol, which is new at first
    /// use.
    ///
    /// ONNX calls a `dim_param` a name and leaves open what is in it. Exporters write `past_sequence_length + 1`, and
    /// this project writes inferred dimensions in the same form; such a text is parsed. The syntax has sums and differences
    /// with a space on either side of the sign, products, floor division, remainders (`N//2`, `N % 2`), `max(N, 1)`,
    /// `min(N, 1)`, parentheses, whole numbers, and names of letters, digits, `_` and `.`; any other text, such as
    /// `batch-size`, is one symbol. Within an expression it is in parentheses: `2*(batch-size)`; where these would have
    /// another meaning, in quotes too: `2*("3")`.
    ///
    /// ```
    /// use shape_core::symbolic::{Dim, Symbols};
    /// let mut symbols = Symbols::default();
    /// let batch = symbols.dim("batch");
    /// assert_eq!(symbols.dim("batch"), batch);
    /// assert_eq!(batch.display(&symbols).to_string(), "batch");
    /// symbols.give("seq", 128);
    /// assert_eq!(symbols.dim("seq"), Dim::Known(128));
    /// assert_eq!(symbols.dim("2*seq + 1"), Dim::Known(257));
    /// assert_eq!(symbols.dim("batch + batch"), symbols.dim("2 * batch"));
    /// assert_eq!(symbols.dim("max(batch//2, 0)//3"), symbols.dim("batch//6"));
    /// let root = symbols.dim("sqrt(n)+1");
    /// assert_eq!(symbols.dim("(sqrt(n)+1) + (sqrt(n)+1)"), symbols.dim("2*(sqrt(n)+1)"));
    /// assert_eq!(symbols.dim("(sqrt(n)+1)"), root);
    /// ```
    pub fn dim(&mut self, name: &str) -> Dim {
        let written = if self.has(name) { None } else { parse(name, self) };
        written.unwrap_or_else(|| match self.named(name) {
            Named::Number(size) => Dim::Known(size),
            Named::Symbol(symbol) => Dim::Symbol(symbol),
        })
    }
}

/// The expression in a text; `None` for a name, and for any other text. See [`Symbols::dim`].
fn parse(text: &str, symbols: &mut Symbols) -> Option<Dim> {
    // Parse the whole text first, so that no symbol is created from a part of a text that is only a name.
    let mut reader = Reader::of(text.trim_matches(' '));
    let read = reader.sum(0)?;
    if !reader.rest.is_empty() || reader.names == 0 || reader.operations == 0 {
        return None;
    }
    match Dim::from_form(read.polynomial(symbols).ok()?.form()) {
        Dim::Unknown(_) => None,
        dim => Some(dim),
    }
}

/// A name as an expression has it, so that it is read as this name.
pub(super) fn in_expression(name: &str) -> Cow<'_, str> {
    if name.split_at_checked(word_len(name)).is_some_and(|(word, rest)| is_word(word) && rest.is_empty()) {
        return Cow::Borrowed(name);
    }
    let text = format!("({name})");
    let mut reader = Reader::of(&text);
    let is_read = matches!(reader.in_parentheses(0), Some(Written::Name(read)) if read == name);
    if is_read && reader.rest.is_empty() {
        return Cow::Owned(text);
    }
    Cow::Owned(format!("(\"{}\")", name.replace('"', "\"\"")))
}

/// The length of the word at the front of a text.
fn word_len(text: &str) -> usize {
    text.find(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | '.'))).unwrap_or(text.len())
}

/// Whether a word is a name, and no number.
fn is_word(word: &str) -> bool {
    word.chars().next().is_some_and(|first| first != '.' && !first.is_ascii_digit())
}

/// The syntax tree of a text.
enum Written<'t> {
    Name(&'t str),
    Quoted(String),
    Number(i64),
    Sum(Vec<(Self, i64)>),
    Product(Vec<Self>),
    Application(Kind, Vec<Self>),
}

impl Written<'_> {
    fn polynomial(&self, symbols: &mut Symbols) -> Outcome {
        match self {
            Self::Name(name) => match symbols.named(name) {
                Named::Number(size) => i64::try_from(size).map(Polynomial::from).map_err(|_| Failure::TooLarge),
                Named::Symbol(symbol) => Ok(Polynomial(Vec::from([Term::of(1, Factor::Symbol(symbol))]))),
            },
            Self::Quoted(name) => {
                symbols.dim(name).with_terms(|terms| Polynomial(terms.to_vec())).map_err(|_| Failure::TooLarge)
            }
            Self::Number(number) => Ok(Polynomial::from(*number)),
            Self::Sum(terms) => terms.iter().try_fold(Polynomial::from(0), |sum, (term, sign)| {
                polynomial::sum(&sum, &term.polynomial(symbols)?, *sign)
            }),
            Self::Product(factors) => factors.iter().try_fold(Polynomial::from(1), |product, factor| {
                polynomial::product(&product, &factor.polynomial(symbols)?)
            }),
            Self::Application(kind, arguments) => {
                let arguments: Result<Vec<_>, Failure> =
                    arguments.iter().map(|argument| argument.polynomial(symbols)).collect();
                let arguments = arguments?;
                match (kind, arguments.as_slice()) {
                    (Kind::FloorDivision, [of, by]) => application::floor_division(of, by),
                    (Kind::Remainder, [of, by]) => application::remainder(of, by),
                    _ => application::extreme(*kind, arguments),
                }
            }
        }
    }
}

/// The maximum nesting of a text: an operation takes two levels, with its factor.
const MAX_LEVELS: usize = 2 * MAX_DEPTH as usize + 2;

/// Reads from the front of a text.
#[derive(Clone, Copy)]
struct Reader<'t> {
    rest: &'t str,
    names: usize,
    operations: usize,
    /// Whether a part was read that is past a limit, so that the text is none of a name.
    too_large: bool,
}

impl<'t> Reader<'t> {
    const fn of(text: &'t str) -> Self {
        Self { rest: text, names: 0, operations: 0, too_large: false }
    }

    /// Ends the reading at a part that is past a limit.
    fn too_large<T>(&mut self) -> Option<T> {
        self.too_large = true;
        None
    }

    /// Consumes a token if it is next.
    fn take(&mut self, mark: &str) -> bool {
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        self.operations += usize::from(rest.is_some());
        rest.is_some()
    }

    /// Consumes a token with optional spaces around it.
    fn take_spaced(&mut self, mark: &str) -> bool {
        let before = self.rest;
        self.rest = before.trim_start_matches(' ');
        let taken = self.take(mark);
        self.rest = if taken { self.rest.trim_start_matches(' ') } else { before };
        taken
    }

    /// Terms, separated by signs with spaces around them.
    fn sum(&mut self, level: usize) -> Option<Written<'t>> {
        let first = self.product(level)?;
        let mut terms = Vec::new();
        loop {
            // Several spaces are allowed.
            let before = self.rest;
            let rest = before.trim_start_matches(' ');
            let sign = match rest
                .strip_prefix("+ ")
                .map(|rest| (rest, 1))
                .or(rest.strip_prefix("- ").map(|rest| (rest, -1)))
            {
                Some((after, sign)) if rest.len() < before.len() => {
                    self.rest = after.trim_start_matches(' ');
                    sign
                }
                _ => break,
            };
            self.operations += 1;
            terms.push((self.product(level)?, sign));
        }
        if terms.is_empty() {
            return Some(first);
        }
        terms.insert(0, (first, 1));
        Some(Written::Sum(terms))
    }

    /// Factors and divisors, from left to right.
    fn product(&mut self, level: usize) -> Option<Written<'t>> {
        let mut product = self.factor(level)?;
        let mut divisions = 0;
        loop {
            let division = [("//", Kind::FloorDivision), ("%", Kind::Remainder)];
            if let Some((_, kind)) = division.into_iter().find(|(mark, _)| self.take_spaced(mark)) {
                divisions += 1;
                if divisions > MAX_DEPTH {
                    return self.too_large();
                }
                product = Written::Application(kind, Vec::from([product, self.factor(level)?]));
            } else if self.take_spaced("*") {
                let factor = self.factor(level)?;
                match &mut product {
                    Written::Product(factors) => factors.push(factor),
                    _ => product = Written::Product(Vec::from([product, factor])),
                }
            } else {
                return Some(product);
            }
        }
    }

    fn factor(&mut self, level: usize) -> Option<Written<'t>> {
        if level > MAX_LEVELS {
            return self.too_large();
        }
        if self.take("-") {
            return Some(Written::Sum(Vec::from([(self.factor(level + 1)?, -1)])));
        }
        if self.rest.starts_with('(') {
            return self.in_parentheses(level);
        }
        for (name, kind) in [("max(", Kind::Larger), ("min(", Kind::Smaller)] {
            if self.take(name) {
                let mut arguments = Vec::from([self.sum(level + 1)?]);
                while self.take_spaced(",") {
                    arguments.push(self.sum(level + 1)?);
                    if arguments.len() > MAX_ARGUMENTS {
                        return self.too_large();
                    }
                }
                self.rest = self.rest.strip_prefix(')')?;
                return Some(Written::Application(kind, arguments));
            }
        }
        let (word, rest) = self.rest.split_at_checked(word_len(self.rest))?;
        self.rest = rest;
        if word.starts_with(|first: char| first.is_ascii_digit()) {
            return word.parse().ok().map(Written::Number);
        }
        self.names += 1;
        is_word(word).then_some(Written::Name(word))
    }

    /// A sum in parentheses, or a name that is none.
    fn in_parentheses(&mut self, level: usize) -> Option<Written<'t>> {
        let inner = self.rest.strip_prefix('(')?;
        let as_sum = Self { rest: inner.trim_start_matches(' '), operations: self.operations + 1, ..*self };
        let as_name = Self { names: self.names + 1, ..as_sum };
        *self = as_sum;
        if let Some(sum) = self.sum(level + 1)
            && let Some(rest) = self.rest.trim_start_matches(' ').strip_prefix(')')
        {
            self.rest = rest;
            return Some(sum);
        }
        if self.too_large {
            return None;
        }
        let (name, rest) = if inner.starts_with('"') {
            quoted(inner)?
        } else {
            let (name, rest) = inner.split_at_checked(closed(inner)?)?;
            (Written::Name(name), rest.get(1..)?)
        };
        *self = Self { rest, ..as_name };
        Some(name)
    }
}

/// A name in quotes, which are doubled within it, up to the parenthesis behind it; and the rest.
fn quoted(text: &str) -> Option<(Written<'_>, &str)> {
    let mut rest = text.strip_prefix('"')?;
    let mut name = String::new();
    loop {
        let (part, after) = rest.split_once('"')?;
        name.push_str(part);
        match after.strip_prefix('"') {
            Some(after) => {
                name.push('"');
                rest = after;
            }
            None if name.is_empty() => return None,
            None => return Some((Written::Quoted(name), after.strip_prefix(')')?)),
        }
    }
}

/// Where the parenthesis stands that closes one before the text; `None` if nothing is in between.
fn closed(text: &str) -> Option<usize> {
    let mut open = 1_usize;
    let mut closes = |letter: char| {
        open = match letter {
            '(' => open.saturating_add(1),
            ')' => open.saturating_sub(1),
            _ => open,
        };
        open == 0
    };
    text.find(&mut closes).filter(|at| *at > 0)
}
