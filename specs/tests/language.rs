//! The one language of dimensions, relations, conditions and values: what the documentation lists may be written, and
//! what is written wrongly is refused with its text and a help.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::{Debug, Display};

use shape_specs::adapter::{self, Deed};
use shape_specs::relation::{self, Relation};
use shape_specs::terms::{self, Expression, Terms};

type Wrong = (String, Option<String>);

/// The forms of an entry, such as `a == b, a != b`.
fn forms(entry: &str) -> Vec<&str> {
    let mut depth = 0;
    let split = entry.split(move |c| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        c == ',' && depth == 0
    });
    split.map(str::trim).collect()
}

#[test]
fn what_the_tables_list_may_be_written() {
    for form in terms::FORMS.iter().flat_map(|(entry, _)| forms(entry)) {
        let text = if form == "[]" { form.to_owned() } else { format!("[{form}]") };
        assert_eq!(Terms::parse(&text).unwrap().to_string(), text);
    }
    for form in relation::FORMS.iter().flat_map(|(entry, _)| forms(entry)) {
        // Single letters stand for claims in the last row.
        let text = form.replace("a and b", "given(a) and given(b)").replace("a or b", "given(a) or given(b)");
        assert_eq!(Relation::parse(&text).unwrap().to_string(), text);
        assert_eq!(Relation::condition(&text).unwrap().to_string(), text);
    }
    for form in adapter::forms().iter().flat_map(|(entry, _)| forms(entry)) {
        let condition = Relation::condition(form).map(|condition| condition.to_string());
        let value = Expression::parse(form).map(|value| value.to_string());
        assert_eq!(condition.or(value).unwrap(), form);
        assert!(Relation::parse(form).is_err() && Terms::parse(&format!("[{form}]")).is_err(), "{form} is for all");
    }
}

/// The texts with one token less, one twice, and one replaced by a sign that has no meaning.
fn mutants(text: &str) -> Vec<String> {
    let is_word = |c: char| c == '_' || c == '.' || c.is_ascii_alphanumeric();
    let mut tokens: Vec<String> = Vec::new();
    for c in text.chars() {
        match tokens.last_mut() {
            Some(last) if is_word(c) && last.ends_with(is_word) => last.push(c),
            _ => tokens.push(c.to_string()),
        }
    }
    let each = (0..tokens.len()).filter(|at| tokens[*at] != " ").flat_map(|at| {
        [String::new(), format!("{0} {0}", tokens[at]), "&".to_owned()].map(|new| {
            let mut tokens = tokens.clone();
            tokens[at] = new;
            tokens.concat()
        })
    });
    each.collect()
}

/// A mutant is refused, or is another text that is written as it is read.
fn check<T: Display + Debug + PartialEq>(text: &str, parse: fn(&str) -> Result<T, Wrong>) -> usize {
    let original = parse(text).unwrap();
    assert_eq!(parse(&original.to_string()).unwrap(), original);
    let mut refused = 0;
    for mutant in mutants(text) {
        match parse(&mutant) {
            Ok(read) => assert_eq!(parse(&read.to_string()).unwrap(), read, "{mutant}"),
            Err((message, help)) => {
                refused += 1;
                assert!(message.ends_with(&format!("`{mutant}`")), "{mutant}: {message}");
                assert!(help.is_some_and(|help| help.len() > 20), "{mutant}");
            }
        }
    }
    refused
}

#[test]
fn what_is_written_wrongly_is_refused_with_a_help() {
    let operators = shape_specs::builtin().unwrap();
    let mut refused = 0;
    for version in operators.iter().flat_map(|operator| &operator.versions) {
        for requirement in &version.requires {
            refused += check(&requirement.text, Relation::parse);
        }
        for action in version.adapter.iter().flatten() {
            for condition in action.when.iter().chain(&action.unless) {
                refused += check(&condition.to_string(), Relation::condition);
            }
            let values: Vec<&Expression> = match &action.deed {
                Deed::Assume { value, .. } => vec![value],
                Deed::Rewrite(nodes) => nodes
                    .iter()
                    .flat_map(|node| node.attributes.iter().map(|(_, value)| value).chain(node.inputs.iter().flatten()))
                    .collect(),
                _ => Vec::new(),
            };
            for value in values {
                refused += check(&value.to_string(), Expression::parse);
            }
        }
    }
    assert!(refused > 5000, "{refused}");
}
