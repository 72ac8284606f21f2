//! Reads the small texts in descriptors from left to right: dimensions, relations, and conditions and values of
//! adapters.

/// The message, and the help.
pub(crate) type Wrong = (String, Option<String>);

/// A kind of text. All are in one language, of which each kind has its part; [`crate::relation`] has the grammar.
pub(crate) struct Notation {
    /// Whether a claim may be a question that only adapters may ask.
    pub(crate) conditions: bool,
    /// Whether an expression may be a text or a list.
    pub(crate) values: bool,
    /// What a name in the text stands for, for messages.
    pub(crate) name: &'static str,
    /// The help in each message.
    pub(crate) help: &'static str,
}

/// The signs of the language. Of two that begin alike, the longer one stands first.
const SIGNS: &[&str] =
    &["...", "//", "==", "!=", "<=", ">=", "<", ">", "=", "[", "]", "(", ")", ",", ":", "+", "-", "*", "%", "?"];

/// The words, numbers and signs of a text, from the current one on.
pub(crate) struct Reader<'t> {
    text: &'t str,
    tokens: Vec<&'t str>,
    at: usize,
    pub(crate) notation: &'static Notation,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str, notation: &'static Notation) -> Result<Self, Wrong> {
        Ok(Self { text, tokens: tokens(text, notation)?, at: 0, notation })
    }

    /// The number of tokens of the whole text.
    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(crate) fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.at).copied()
    }

    /// Whether a function of this name is called here.
    pub(crate) fn calls(&self, function: &str) -> bool {
        self.peek() == Some(function) && self.tokens.get(self.at + 1) == Some(&"(")
    }

    /// Skips the current token.
    pub(crate) fn skip(&mut self) {
        self.at += 1;
    }

    /// Skips the current token if it is this one, and returns whether it is.
    pub(crate) fn take(&mut self, token: &str) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    /// Skips this token; it is an error if the current token is another.
    pub(crate) fn expect(&mut self, token: &str) -> Result<(), Wrong> {
        self.expect_one(&[token])
    }

    pub(crate) fn expect_one(&mut self, tokens: &[&str]) -> Result<(), Wrong> {
        if tokens.iter().any(|token| self.take(token)) {
            return Ok(());
        }
        let expected = tokens.iter().rev().map(|token| format!("`{token}`")).collect::<Vec<_>>().join(" or ");
        Err(self.unexpected(&expected))
    }

    /// Reads a name; it is an error if the current token is none.
    pub(crate) fn name(&mut self) -> Result<String, Wrong> {
        match self.peek().filter(|token| is_name(token)) {
            Some(name) => {
                self.skip();
                Ok(name.to_owned())
            }
            None => Err(self.unexpected(self.notation.name)),
        }
    }

    /// Checks that no tokens are left.
    pub(crate) fn end(&self) -> Result<(), Wrong> {
        if self.peek().is_none() { Ok(()) } else { Err(self.unexpected("the end")) }
    }

    pub(crate) fn unexpected(&self, expected: &str) -> Wrong {
        let found = self.peek().map_or("the end".to_owned(), |found| format!("`{found}`"));
        self.wrong(&format!("expected {expected}, found {found}"))
    }

    pub(crate) fn wrong(&self, what: &str) -> Wrong {
        (format!("{what}, in `{}`", self.text), Some(self.notation.help.to_owned()))
    }
}

pub(crate) fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
}

fn tokens<'t>(text: &'t str, Notation { help, .. }: &Notation) -> Result<Vec<&'t str>, Wrong> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let has_point = first.is_ascii_digit();
        let word = |rest: &str| rest.find(|c: char| c != '_' && !c.is_ascii_alphanumeric() && !(has_point && c == '.'));
        let length = match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => sign.len(),
            None if first == '\'' => rest.get(1..).and_then(|text| text.find('\'')).map_or(0, |end| end + 2),
            None => word(rest).unwrap_or(rest.len()),
        };
        if length == 0 {
            return Err((format!("`{first}` has no meaning in `{text}`"), Some((*help).to_owned())));
        }
        let (token, behind) = rest.split_at(length);
        tokens.push(token);
        rest = behind.trim_start();
    }
    Ok(tokens)
}
