//! The rules of onnxspec-core as declared in `rules.yaml`: their families, their parameters, and what they compute.
//!
//! A rule is declared by its signature, `reduce(data: tensor, axes: axes?, keepdims: flag = 1)`. This text is the
//! source for the check of every call in a descriptor, for the Rust code that reads the arguments by name, and for the
//! documentation.

use std::fmt;

use serde::Deserialize;

use crate::document::AttributeKind;
use crate::names::suggest;

/// A family of rules: a file of `shape-core/src/rules`.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// Its name, and that of the file.
    pub name: String,
    /// What its rules have in common.
    pub doc: String,
    /// Its rules, in the order of the file.
    pub rules: Vec<Signature>,
}

/// A rule: its signature, and what it computes.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// Its name.
    pub name: String,
    /// Its parameters, in the order of a call.
    pub parameters: Vec<RuleParameter>,
    /// What it computes.
    pub gives: Vec<Gives>,
    /// Whether the structs of operators that use it have `infer_typed`, whose element types the compiler checks.
    pub typed: bool,
    /// What it computes, in one sentence.
    pub doc: String,
}

/// What a rule computes for an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Gives {
    /// Its dimensions.
    Dims,
    /// Its elements: all of them if all elements that the rule reads are known.
    Elements,
    /// How many multiply-adds it takes.
    MultiplyAdds,
}

/// A parameter of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleParameter {
    /// Its name.
    pub name: String,
    /// The kind of argument that it accepts.
    pub kind: RuleParameterKind,
    /// Whether it may be omitted.
    pub presence: RuleParameterPresence,
}

/// Whether an argument may be omitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleParameterPresence {
    /// It may not be omitted.
    Required,
    /// It may be omitted: `axes?`.
    Optional,
    /// It may be omitted, and then has this value: `keepdims: flag = 1`.
    Default(i64),
    /// It takes all further inputs: `inputs...`.
    Variadic,
}

macro_rules! kinds {
    ($(#[doc = $doc:literal] $variant:ident = $name:literal ($($attribute:ident)*) $($number:ident)? $(+ $input:ident)?;)*) => {
        /// The kind of a rule's argument. The names of kinds that accept attributes say what their numbers mean.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum RuleParameterKind {
            $(#[doc = $doc] $variant,)*
        }

        impl RuleParameterKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The word in `rules.yaml`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The meaning of such an argument: `Axes, which may count from the end.`
            #[must_use]
            pub fn doc(self) -> &'static str {
                match self {
                    $(Self::$variant => $doc.trim_ascii_start(),)*
                }
            }

            /// The kinds of attributes that it accepts.
            #[must_use]
            pub fn attributes(self) -> &'static [AttributeKind] {
                match self {
                    $(Self::$variant => &[$(AttributeKind::$attribute),*],)*
                }
            }

            /// Whether it accepts a number in the call.
            #[must_use]
            pub fn takes_number(self) -> bool {
                match self {
                    $(Self::$variant => kinds!(@ $($number)?),)*
                }
            }

            /// Whether it accepts an input.
            #[must_use]
            pub fn takes_input(self) -> bool {
                match self {
                    $(Self::$variant => kinds!(@ $($input)?),)*
                }
            }
        }
    };
    (@ $is:ident) => { true };
    (@) => { false };
}
kinds! {
    /// An input.
    Tensor = "tensor" () + input;
    /// Any number of inputs.
    Tensors = "tensors" () + input;
    /// One axis, which may count from the end.
    Axis = "axis" (Int) number + input;
    /// Axes, which may count from the end.
    Axes = "axes" (Ints Int) + input;
    /// One size.
    Size = "size" (Int) number + input;
    /// Sizes.
    Sizes = "sizes" (Ints) + input;
    /// Sizes, or numbers that stand for something else, such as -1.
    Target = "target" (Ints) + input;
    /// One integer.
    Integer = "integer" (Int) number + input;
    /// Integers.
    Integers = "integers" (Ints) + input;
    /// One factor.
    Scale = "scale" (Float) + input;
    /// Factors.
    Scales = "scales" (Floats) + input;
    /// How many, or a list that has as many entries.
    Count = "count" (Int Ints Floats Strings) number;
    /// 0 or 1.
    Flag = "flag" (Int) number;
    /// A text.
    Text = "text" (String);
    /// The value of an attribute.
    Value = "value" (
        Float Int String Tensor SparseTensor TypeProto Floats Ints Strings
    );
    /// A graph.
    Graph = "graph" (Graph);
    /// An element type, by its number or its name, or the one of an input.
    Type = "type" (Int String) + input;
}

impl RuleParameterKind {
    /// The arguments that it accepts, in words: `an INTS or INT attribute or an input`.
    #[must_use]
    pub fn accepts(self) -> String {
        let attributes: Vec<&str> = self.attributes().iter().map(|kind| kind.name()).collect();
        let mut parts = Vec::new();
        if let Some(first) = attributes.first() {
            let article = if first.starts_with('I') { "an" } else { "a" };
            parts.push(format!("{article} {} attribute", either(&attributes)));
        }
        if self.takes_number() {
            parts.push("a number".to_owned());
        }
        if self.takes_input() {
            parts.push("an input".to_owned());
        }
        either(&parts)
    }
}

/// `a, b or c`
fn either(words: &[impl AsRef<str>]) -> String {
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        let before = match (index, index + 1 == words.len()) {
            (0, _) => "",
            (_, true) => " or ",
            (_, false) => ", ",
        };
        text.push_str(before);
        text.push_str(word.as_ref());
    }
    text
}

impl Signature {
    /// Parses `reduce(data: tensor, axes: axes?, keepdims: flag = 1)`; the other fields are left empty.
    ///
    /// # Errors
    /// The message and the help, if the text is not a signature.
    pub fn parse(text: &str) -> Result<Self, (String, Option<String>)> {
        const FORM: &str = "write it as it is called: `reduce(data: tensor, axes: axes?, keepdims: flag = 1)`";
        let wrong = |what: String| (what, Some(FORM.to_owned()));
        let (name, parameters) = (text.trim().strip_suffix(')'))
            .and_then(|text| text.split_once('('))
            .ok_or_else(|| wrong(format!("`{text}` is no rule")))?;
        let parameters = parameters.split(',').map(str::trim).filter(|parameter| !parameter.is_empty());
        let parameters: Vec<RuleParameter> = parameters.map(RuleParameter::parse).collect::<Result<_, _>>()?;
        let not_last = |parameter: &RuleParameter| parameter.presence == RuleParameterPresence::Variadic;
        if parameters.iter().rev().skip(1).any(not_last) {
            return Err(wrong(format!("a parameter of `{name}` stands behind one that takes all further inputs")));
        }
        Ok(Self { name: name.trim().to_owned(), parameters, gives: Vec::new(), typed: false, doc: String::new() })
    }

    /// Whether it computes this for an output.
    #[must_use]
    pub fn gives(&self, what: Gives) -> bool {
        self.gives.contains(&what)
    }
}

impl RuleParameter {
    fn parse(text: &str) -> Result<Self, (String, Option<String>)> {
        const FORM: &str =
            "a parameter is written `data: tensor`, `axes: axes?`, `keepdims: flag = 1` or `inputs: tensors...`";
        let wrong = || (format!("`{text}` is no parameter of a rule"), Some(FORM.to_owned()));
        let (name, rest) = text.split_once(':').ok_or_else(wrong)?;
        let rest = rest.trim();
        let (kind, presence) = if let Some((kind, number)) = rest.split_once('=') {
            (kind, RuleParameterPresence::Default(number.trim().parse().map_err(|_| wrong())?))
        } else if let Some(kind) = rest.strip_suffix('?') {
            (kind, RuleParameterPresence::Optional)
        } else if let Some(kind) = rest.strip_suffix("...") {
            (kind, RuleParameterPresence::Variadic)
        } else {
            (rest, RuleParameterPresence::Required)
        };
        let kind = kind.trim();
        let known = || RuleParameterKind::ALL.iter().map(|kind| kind.name());
        let Some(kind) = RuleParameterKind::ALL.iter().copied().find(|one| one.name() == kind) else {
            return Err((format!("there is no kind of parameter `{kind}`"), suggest(kind, known())));
        };
        let fits = match presence {
            RuleParameterPresence::Variadic => kind == RuleParameterKind::Tensors,
            RuleParameterPresence::Default(_) => kind.takes_number(),
            RuleParameterPresence::Required | RuleParameterPresence::Optional => kind != RuleParameterKind::Tensors,
        };
        if fits { Ok(Self { name: name.trim().to_owned(), kind, presence }) } else { Err(wrong()) }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}(", self.name)?;
        for (index, parameter) in self.parameters.iter().enumerate() {
            write!(formatter, "{}{parameter}", if index == 0 { "" } else { ", " })?;
        }
        formatter.write_str(")")
    }
}

impl fmt::Display for RuleParameter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.name, self.kind.name())?;
        match self.presence {
            RuleParameterPresence::Required => Ok(()),
            RuleParameterPresence::Optional => formatter.write_str("?"),
            RuleParameterPresence::Default(number) => write!(formatter, " = {number}"),
            RuleParameterPresence::Variadic => formatter.write_str("..."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_written_as_it_is_read() {
        for text in [
            "scalar()",
            "reduce(data: tensor, axes: axes?, keepdims: flag = 1)",
            "concat(axis: axis = -1, inputs: tensors...)",
        ] {
            assert_eq!(Signature::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_signature() {
        for (text, message) in [
            ("reduce", "`reduce` is no rule"),
            ("reduce(data)", "`data` is no parameter of a rule"),
            ("reduce(data: tensr)", "there is no kind of parameter `tensr`"),
            ("reduce(data: tensor = 1)", "`data: tensor = 1` is no parameter of a rule"),
            ("reduce(data: tensors)", "`data: tensors` is no parameter of a rule"),
            (
                "reduce(data: tensors..., axis: axis)",
                "a parameter of `reduce` stands behind one that takes all further inputs",
            ),
        ] {
            assert_eq!(Signature::parse(text).unwrap_err().0, message);
        }
    }
}
