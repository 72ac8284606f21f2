//! Reads descriptors: from the bytes of a file to an operator with full versions, or to every error.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use shape_yaml::Node;

use crate::context::Context;
use crate::de::{self, LeftOut, Read, Spanned};
use crate::document::Document;
use crate::error::{Code, DocumentError, NOWHERE, SpecError, SpecErrors, located, sorted};
use crate::operator::Operator;
use crate::scope::Scope;
use crate::tables::Tables;
use crate::{validate, versions};

/// Reads a descriptor: its structure, its full versions, its examples, and every error in it.
///
/// `file` is its name in messages; the last part must be the operator's name.
///
/// # Errors
/// Every error of the file, in the order of the lines.
///
/// ```
/// let tables = shape_specs::Tables::builtin()?;
/// let text = "operator: Twice\ndomain: com.acme\nsummary: Doubles.\nversions:\n  - since: 1\n    inptus: []\n";
/// let errors = shape_specs::resolve("Twice.yaml", text.as_bytes(), tables).unwrap_err();
/// assert_eq!(errors.0[0].code, "unknown-field");
/// assert_eq!(errors.0[0].help.as_deref(), Some("did you mean `inputs`?"));
/// # Ok::<(), &shape_specs::SpecErrors>(())
/// ```
pub fn resolve(file: &str, bytes: &[u8], tables: &Tables) -> Result<Operator, SpecErrors> {
    resolve_scope(file, bytes, tables, Scope::Whole)
}

/// Reads a descriptor like [`resolve`], with or without its examples.
///
/// # Errors
/// Every error in what is read, in the order of the lines.
pub fn resolve_scope(file: &str, bytes: &[u8], tables: &Tables, scope: Scope) -> Result<Operator, SpecErrors> {
    let Resolved { operator, errors, .. } = resolve_with_name(file, bytes, tables, scope)?;
    match operator {
        Some(operator) if errors.is_empty() => Ok(operator),
        _ => Err(SpecErrors(located(file, bytes, errors))),
    }
}

/// Reads descriptors that belong together, each with its name for errors.
///
/// # Errors
/// Every error of every file, in the order of the files, including two files for the same operator; and the operators
/// without errors.
pub fn resolve_all<'f>(
    files: impl IntoIterator<Item = (&'f str, &'f [u8])>,
    tables: &Tables,
    scope: Scope,
) -> Result<Vec<Operator>, (Vec<Operator>, SpecErrors)> {
    let mut operators = Vec::new();
    let mut errors = Vec::new();
    let mut described: HashMap<(String, String), &str> = HashMap::new();
    for (file, bytes) in files {
        let Resolved { operator, errors: mut in_file, name } = match resolve_with_name(file, bytes, tables, scope) {
            Ok(resolved) => resolved,
            Err(more) => {
                errors.extend(more.0);
                continue;
            }
        };
        // An invalid name may not be the intended one.
        if let Some((domain, name)) = name.filter(|(_, name)| in_file.iter().all(|error| error.at != name.at)) {
            let path = format!("{domain}::{}", name.value);
            match described.entry((domain, name.value)) {
                Entry::Occupied(twin) => {
                    let message = format!("{} describes `{path}` already", twin.get());
                    let twin = DocumentError::new(name.at, Code::DuplicateName, message);
                    in_file.push(twin.help("one file has all versions of an operator"));
                }
                Entry::Vacant(place) => _ = place.insert(file),
            }
        }
        operators.extend(operator.filter(|_| in_file.is_empty()));
        errors.extend(located(file, bytes, in_file));
    }
    if errors.is_empty() { Ok(operators) } else { Err((operators, SpecErrors(errors))) }
}

/// The result of resolving a descriptor, as far as it could be read.
struct Resolved {
    operator: Option<Operator>,
    errors: Vec<DocumentError>,
    /// Its domain and name.
    name: Option<(String, Spanned<String>)>,
}

fn resolve_with_name(file: &str, bytes: &[u8], tables: &Tables, scope: Scope) -> Result<Resolved, SpecErrors> {
    let text = scope.of(bytes);
    let syntax = |error| SpecErrors(vec![SpecError::syntax(file, bytes, error)]);
    let (root, positions) = shape_yaml::parse_with_positions(text).map_err(syntax)?;
    let read = de::read::<Document>(&root);
    let mut context = Context::new(tables, read.errors, read.left_out).in_text(&positions, scope);
    validate::examples_last(&root, &mut context);
    let Some(document) = read.value else {
        return Ok(Resolved { operator: None, errors: context.errors, name: None });
    };
    let operator = versions::operator(file, &document, &mut context);
    let name = Some((document.domain.value, document.operator)).filter(|(_, name)| name.at != NOWHERE);
    Ok(Resolved { operator: Some(operator), errors: context.errors, name })
}

/// One version of an operator that was not read from a file, but built in code, such as from a Rust struct.
///
/// The numbers of its nodes are the caller's choice, in the order of the text; errors at [`NOWHERE`] are not reported. In
/// the positions of its examples, the line is the number of the node. The versions before it are other drafts, so that its
/// adapter is read, and not compared with them.
pub struct Draft {
    /// What could be read; it may be completed before it is resolved.
    pub document: Document,
    errors: Vec<DocumentError>,
    left_out: LeftOut,
}

impl Draft {
    /// Reads the fields of a descriptor from a tree.
    ///
    /// # Errors
    /// Every error, if nothing can be read because of them; [`resolve`](Self::resolve) reports all others.
    ///
    /// ```
    /// use shape_specs::{Draft, Tables, yaml};
    /// let text = "{ operator: Twice, domain: com.acme, summary: Doubles., versions: [{ since: 1, inptus: [] }] }";
    /// let draft = Draft::read(&shape_yaml::parse(text.as_bytes()).unwrap()).unwrap_or_else(|_| unreachable!());
    /// let errors = draft.resolve("struct Twice", [], Tables::builtin()?).unwrap_err();
    /// assert_eq!(errors[0].help.as_deref(), Some("did you mean `inputs`?"));
    /// # Ok::<(), &shape_specs::SpecErrors>(())
    /// ```
    pub fn read(root: &Node) -> Result<Self, Vec<DocumentError>> {
        let Read { value, errors, left_out } = de::read::<Document>(root);
        match value {
            Some(document) => Ok(Self { document, errors, left_out }),
            None => Err(sorted(errors)),
        }
    }

    /// The operator with its one version.
    ///
    /// `file` is the origin in messages. `unread` are the words that the caller could not read and already reported: names
    /// among them are not reported as missing.
    ///
    /// # Errors
    /// Every error, in the order of the nodes.
    pub fn resolve(
        self,
        file: &str,
        unread: impl IntoIterator<Item = String>,
        tables: &Tables,
    ) -> Result<Operator, Vec<DocumentError>> {
        let Self { document, errors, left_out } = self;
        let mut context = Context::new(tables, errors, left_out.and_words(unread));
        let operator = versions::operator(file, &document, &mut context);
        let errors = sorted(context.errors);
        if errors.is_empty() { Ok(operator) } else { Err(errors) }
    }
}
