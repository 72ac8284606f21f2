//! Errors in descriptors, their codes, and their text.

use std::fmt;

use shape_yaml::{NodeId, Position, Positions};

macro_rules! codes {
    ($($variant:ident = $name:literal: $meaning:literal,)*) => {
        /// The kind of an error. Kinds can only be declared here, so that [`CODES`] is complete.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Code {
            $(#[doc = $meaning] $variant,)*
        }

        impl Code {
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        /// The codes of all errors in descriptors and in the files that they share, each with its meaning.
        pub const CODES: &[(&str, &str)] = &[$(($name, $meaning)),*];
    };
}

codes! {
    Syntax = "syntax": "the text is not YAML, or not the part of it that descriptors are written in",
    WrongForm = "wrong-form": "another sort of value than belongs there: a list for a text, a mapping for a list",
    UnknownField = "unknown-field": "a field that does not exist",
    MissingField = "missing-field": "a field that must be there and is not",
    DuplicateField = "duplicate-field": "a field that stands twice in one mapping",
    UnknownWord = "unknown-word": "a word that is none of the few that may stand there",
    TooManyErrors = "too-many-mistakes": "more errors than are reported at once",
    NameForm = "name-form": "a name that is not one",
    FileName = "file-name": "a file or folder called otherwise than the operator or its domain",
    EmptyText = "empty-text": "a sentence that is empty",
    MissingDoc = "missing-doc": "what ONNX defines and the descriptor does not explain",
    EmptyList = "empty-list": "a list without the entry that it needs",
    DuplicateName = "duplicate-name": "a name that is given twice",
    DuplicateType = "duplicate-type": "a type that stands in the list already",
    DuplicateValue = "duplicate-value": "a value that stands in the list already",
    VersionOrder = "version-order": "versions that do not ascend from 1",
    OpsetTooNew = "opset-too-new": "a version past the newest opset known",
    NothingBefore = "nothing-before": "a change of the version before the first one",
    NothingToRemove = "nothing-to-remove": "a removal of what is not there",
    NoChange = "no-change": "an entry that changes nothing",
    TwoLists = "two-lists": "a whole list together with changes of it",
    NotVariadic = "not-variadic": "a field of variadic parameters at another one",
    VariadicNotLast = "variadic-not-last": "a parameter after a variadic one",
    UnknownType = "unknown-type": "a type that does not exist",
    TypeTooNew = "type-too-new": "a type that came after the version that allows it",
    UnknownTypeVariable = "unknown-type-variable": "a type variable that the version does not declare",
    UnusedTypeVariable = "unused-type-variable": "a type variable that no input or output has",
    TooMany = "too-many": "more type variables than the core binds",
    OptionalDefault = "optional-default": "an attribute that is called optional beside its default",
    DefaultType = "default-type": "a default or value of another kind than the attribute's",
    DefaultValue = "default-value": "a default that is not among the values",
    UnknownOperator = "unknown-operator": "an operator that its domain does not have",
    UnknownRuntime = "unknown-runtime": "a runtime that `runtimes.yaml` does not have",
    UnknownRelease = "unknown-release": "a release that `runtimes.yaml` does not have of the runtime",
    UnknownRule = "unknown-rule": "a rule that onnxspec-core does not have",
    RuleArgument = "rule-argument": "an argument that a rule lacks or does not take",
    AdapterForm = "adapter-form": "an action of an adapter that is not written as one",
    Undecided = "undecided": "a step between two versions that no adapter decides",
    UnknownArgument = "unknown-argument": "a name in a rule or adapter that is none of the version's",
    RuleForm = "rule-form": "a rule that is not written as one",
    Exclusive = "exclusive": "what cannot exclude each other",
    UnknownCheck = "unknown-check": "a check that onnxspec-core does not have",
    CheckArgument = "check-argument": "an argument that a check lacks or does not take",
    UnknownVariant = "unknown-variant": "a variant that the operator does not have in the profile",
    UnknownOption = "unknown-option": "an option that the profile does not have",
    ProofForm = "proof-form": "a proof that is neither goals nor a reason",
    UnknownGoal = "unknown-goal": "a goal that is not proved",
    UnknownSource = "unknown-source": "a source that is not listed",
    UnknownVersion = "unknown-version": "a version that the operator does not have",
    UnknownExample = "unknown-example": "an example that the file does not have",
    UnknownFinding = "unknown-code": "a finding's code that does not exist",
    ExampleExpectation = "example-expectation": "an example that says nothing of what must come out, or says it twice",
    ExampleTensor = "example-tensor": "a tensor of an example whose dims or elements do not fit",
    ExampleMismatch = "example-mismatch": "an example that its operator's schema or rules contradict",
    RelationUnbroken = "relation-unbroken": "a relation that no example breaks",
    NoValidNode = "no-valid-node": "a version of which no node can be valid, since what it says contradicts itself",
    ExamplesNotLast = "examples-not-last": "a field behind the examples of a file",
}

/// The maximum number of reported errors; the rest is only counted.
const MAX_REPORTED: usize = 64;

/// Stands for the node of a part that the file lacks; the part is treated as empty, so that the rest can be read.
pub const NOWHERE: NodeId = NodeId::MAX;

/// An error in a descriptor or another data file, with its location.
///
/// Its `Display` looks like the output of a compiler: `file:line:column: error[code]: message`, the line itself with a
/// mark under the error, and the help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// The file name that was passed to the reader.
    pub file: String,
    /// The position in the file.
    pub position: Position,
    /// The stable name of the kind of error, such as `unknown-field`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
    /// The line of the file with the error.
    pub line: String,
}

impl SpecError {
    pub(crate) fn syntax(file: &str, bytes: &[u8], error: shape_yaml::SyntaxError) -> Self {
        let shape_yaml::SyntaxError { position, message, help } = error;
        let line = line_of(bytes, position.line);
        Self { file: file.to_owned(), position, code: Code::Syntax.name(), message, help, line }
    }

    /// A required relation that no example breaks, as reported by the runner of examples.
    #[must_use]
    pub fn unbroken(file: &str, bytes: &[u8], position: Position, text: &str, since: u32) -> Self {
        Self {
            code: Code::RelationUnbroken.name(),
            help: Some("add an example with `error` that breaks nothing else".to_owned()),
            ..Self::example(file, bytes, position, format!("no example of version {since} breaks `{text}`"), None)
        }
    }

    /// A version of which no valid node was found, as reported by the generator of models.
    #[must_use]
    pub fn no_valid_node(file: &str, bytes: &[u8], position: Position, message: String, help: String) -> Self {
        Self { code: Code::NoValidNode.name(), ..Self::example(file, bytes, position, message, Some(help)) }
    }

    /// An example that contradicts the schema or the rules of its operator, as reported by the runner of examples.
    #[must_use]
    pub fn example(file: &str, bytes: &[u8], position: Position, message: String, help: Option<String>) -> Self {
        let line = line_of(bytes, position.line);
        Self { file: file.to_owned(), position, code: Code::ExampleMismatch.name(), message, help, line }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, position: Position { line, column }, code, message, help, line: text } = self;
        write!(formatter, "{file}:{line}:{column}: error[{code}]: {message}")?;
        let gutter = line.to_string().len();
        if !text.trim().is_empty() {
            // A tab in the indentation keeps the mark under its character, however wide tabs are displayed.
            let indent: String =
                text.chars().take(column.saturating_sub(1)).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            write!(formatter, "\n{:gutter$} |\n{line} | {text}\n{:gutter$} |", "", "")?;
            // A shortened line may end before the error.
            if *column <= text.chars().count() + 1 {
                write!(formatter, " {indent}^")?;
            }
        }
        if let Some(help) = help {
            write!(formatter, "\n{:gutter$} = help: {help}", "")?;
        }
        Ok(())
    }
}

impl std::error::Error for SpecError {}

/// All errors of one or more files, sorted by file and position. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecErrors(pub Vec<SpecError>);

impl fmt::Display for SpecErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                formatter.write_str("\n\n")?;
            }
            fmt::Display::fmt(error, formatter)?;
        }
        Ok(())
    }
}

impl std::error::Error for SpecErrors {}

/// An error in a document, before its position in a text is known: with the id of the node. For a document that was not
/// read from a text, the ids are defined by the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentError {
    /// The node.
    pub at: NodeId,
    /// The stable name of the kind of error.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
}

impl DocumentError {
    pub(crate) fn new(at: NodeId, code: Code, message: impl Into<String>) -> Self {
        Self { at, code: code.name(), message: message.into(), help: None }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}

/// The errors sorted by node, without duplicates and without those that have no node.
pub(crate) fn sorted(mut errors: Vec<DocumentError>) -> Vec<DocumentError> {
    errors.retain(|error| error.at != NOWHERE);
    // Nodes are numbered in reading order, which is their order in the text.
    errors.sort_by_key(|error| error.at);
    errors.dedup();
    errors
}

/// The errors with their positions in the text, sorted, without duplicates and without those that have no node.
pub(crate) fn located(file: &str, bytes: &[u8], errors: Vec<DocumentError>) -> Vec<SpecError> {
    // Finding positions takes as long as everything else.
    if errors.is_empty() {
        return Vec::new();
    }
    let mut errors = sorted(errors);
    if let Some(&DocumentError { at, .. }) = errors.get(MAX_REPORTED) {
        let message = format!("{} more errors from here on", errors.len() - MAX_REPORTED);
        errors.truncate(MAX_REPORTED);
        errors.push(DocumentError::new(at, Code::TooManyErrors, message).help("mend those above first"));
    }
    let positions = Positions::new(bytes);
    let mut located: Vec<SpecError> = Vec::new();
    for DocumentError { at, code, message, help } in errors {
        let position = positions.of(at);
        let line = line_of(bytes, position.line);
        let error = SpecError { file: file.to_owned(), position, code, message, help, line };
        if !located.contains(&error) {
            located.push(error);
        }
    }
    located
}

/// The text of a line (from 1), shortened to fit a message.
pub(crate) fn line_of(bytes: &[u8], line: usize) -> String {
    let text = bytes.split(|&byte| byte == b'\n').nth(line.saturating_sub(1)).unwrap_or_default();
    let text = String::from_utf8_lossy(text);
    text.trim_start_matches('\u{feff}').trim_end().chars().take(160).collect()
}
