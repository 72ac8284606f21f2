//! Sets of types of generated tables, as the groups of `types.yaml` and the types in them.

use std::collections::BTreeSet;

use shape_specs::Tables;
use shape_specs::tables::Element;

use super::language::Names;
use super::tree::Entry;
use super::value::Value;
use crate::names::{camel, constant};

/// The types, each behind what orders it.
pub(super) type Types = BTreeSet<(usize, String)>;

/// A set with the group whose constant it is, if it is one.
#[derive(Default)]
pub(super) struct Set {
    pub(super) types: Types,
    groups: Option<Vec<String>>,
}

impl Set {
    pub(super) fn read(value: &Value, tables: &Tables) -> Self {
        let (path, arguments) = value.call().unwrap_or_else(|| panic!("not a set of types: {value:?}"));
        let receiver = || Self::read(&arguments[0], tables);
        let wrapped = |form: &str, by: usize| {
            let Self { types, groups } = receiver();
            let types = types.into_iter().map(|(at, name)| (at + by * FORM, format!("{form}({name})")));
            let groups = groups.map(|groups| groups.iter().map(|group| format!("{form}({group})")).collect());
            Self { types: types.collect(), groups }
        };
        let elements = |list: &Value| -> Types {
            let named = |of: &Value| {
                tables.elements.iter().find(|element| Some(of.call().unwrap().0) == variant(element).as_deref())
            };
            list.list().iter().map(|of| row(named(of).unwrap())).collect()
        };
        match (path, arguments) {
            ("tensors", [Value::Bytes(numbers)]) => {
                let element = |number: &u8| tables.elements.iter().find(|element| element.number == *number).unwrap();
                Self { types: numbers.iter().map(|number| row(element(number))).collect(), groups: None }
            }
            ("union", [_, other]) => {
                let (Self { types, groups }, other) = (receiver(), Self::read(other, tables));
                let groups = groups.zip(other.groups).map(|(groups, others)| [groups, others].concat());
                Self { types: types.into_iter().chain(other.types).collect(), groups }
            }
            ("in_sequences", _) => wrapped("seq", 1),
            ("in_optionals", _) => wrapped("optional", 2),
            ("with", [_, more]) => {
                Self { types: receiver().types.into_iter().chain(elements(more)).collect(), groups: None }
            }
            ("without", [_, less]) => Self { types: &receiver().types - &elements(less), groups: None },
            ("listing", [_, others]) => {
                let others = others.list().iter().enumerate();
                let others = others.map(|(at, ty)| (4 * FORM + at, Names::default().text(ty)));
                Self { types: receiver().types.into_iter().chain(others).collect(), groups: None }
            }
            (path, []) => {
                let name = path.trim_start_matches("type_sets::");
                let (group, members) = tables.groups.iter().find(|(group, _)| constant(group) == name).unwrap();
                Self { types: members.iter().map(row).collect(), groups: Some(vec![group.clone()]) }
            }
            _ => panic!("not a set of types: {value:?}"),
        }
    }

    /// What the compiler allows: a group by its trait, or the element types by their variants.
    pub(super) fn allowed(allowed: &Result<String, Vec<String>>, tables: &Tables) -> Types {
        match allowed {
            Ok(group) => {
                let of = tables.groups.iter().find(|(name, _)| camel(name) == group.as_str());
                of.unwrap().1.iter().map(row).collect()
            }
            Err(elements) => {
                let element =
                    |name: &String| tables.elements.iter().find(|of| camel(&of.name) == name.as_str()).unwrap();
                elements.iter().map(|name| row(element(name))).collect()
            }
        }
    }

    /// The line of what is allowed behind a name: the groups, or a line for each kind of type.
    pub(super) fn entry(&self, key: &str) -> Entry {
        let named = self.groups.is_some();
        let entry = match &self.groups {
            Some(groups) => Entry::named(key, format!("{key}: {}", groups.join(", "))),
            None => {
                let lines = lines(&self.types);
                match &*lines {
                    [line] => Entry::named(key, format!("{key}: {line}")),
                    // Types as well, so that where a set changes, what comes and goes stands there and not these lines.
                    _ => {
                        let lines = lines.into_iter().map(|line| Entry::line(line).allowing(Types::default(), true));
                        Entry::named(key, format!("{key}:")).with(lines)
                    }
                }
            }
        };
        entry.allowing(self.types.clone(), named)
    }
}

/// More than there are element types.
const FORM: usize = 1000;

/// The element types in the order in which they are listed: by kind.
const KINDS: [&[&str]; 4] = [&["float", "double", "bfloat"], &["int"], &["uint"], &["bool", "string", "complex"]];

fn row(element: &Element) -> (usize, String) {
    let kind = KINDS.iter().position(|words| words.iter().any(|word| element.name.starts_with(word)));
    (kind.unwrap_or(KINDS.len()) * 100 + usize::from(element.number), element.name.clone())
}

fn variant(element: &Element) -> Option<String> {
    Some(format!("DataType::{}", camel(&element.name)))
}

/// Types as lines: all in one if it is short, one for each kind if not.
pub(super) fn lines(types: &Types) -> Vec<String> {
    const SHORT: usize = 72;
    let joined = |types: &[&(usize, String)]| types.iter().map(|(_, name)| &**name).collect::<Vec<_>>().join(", ");
    let all: Vec<&(usize, String)> = types.iter().collect();
    let one = joined(&all);
    if one.len() <= SHORT {
        return vec![one];
    }
    all.chunk_by(|one, next| one.0 / 100 == next.0 / 100).map(joined).collect()
}
