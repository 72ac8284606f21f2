//! Reads the actions of adapters, and checks that all they name exists.

use shape_yaml::NodeId;

use crate::adapter::{self, Action, Deed, NewNode, Way};
use crate::context::{Context, Doubt};
use crate::de::Spanned;
use crate::document::{ActionEntry, Direction, Literal, ParameterOption, VersionDelta};
use crate::error::Code;
use crate::names::is_of_onnx;
use crate::operator::{Parameter, Version};
use crate::relation::Relation;
use crate::rule_check::{Misfit, misfit_claim, misfit_value};
use crate::scope::Scope;
use crate::terms::Expression;

/// Reads the actions of a version; one with an error is left out.
pub(crate) fn read(entries: &[Spanned<ActionEntry>], context: &mut Context<'_>) -> Vec<Action> {
    entries.iter().filter_map(|entry| action(entry, context)).collect()
}

const KINDS: &str = "an action has one of `move`, `rename`, `respell`, `assume`, `front`, `drop`, `through`, `keep`, \
                     `refuse`, `up`, `down`";

fn action(entry: &Spanned<ActionEntry>, context: &mut Context<'_>) -> Option<Action> {
    let found = &entry.value;
    if let Err(message) = is_one_action(found) {
        return wrong(entry, &message, context);
    }
    let mut condition = |text: &Option<Spanned<String>>| match text {
        Some(text) => context.parsed(text, Code::AdapterForm, Relation::condition).map(Some),
        None => Some(None),
    };
    let (when, unless) = condition(&found.when).zip(condition(&found.unless))?;
    let (way, deed) = deed(entry, context)?;
    let way = found.way.as_ref().map_or(way, |direction| of_direction(direction.value));
    Some(Action { way, when, unless, deed })
}

/// An error about an action, and nothing in its place.
fn wrong<T>(entry: &Spanned<ActionEntry>, message: &str, context: &mut Context<'_>) -> Option<T> {
    if !context.left_out.within(entry.at) {
        context.error_help(entry.at, Code::AdapterForm, message.to_owned(), KINDS);
    }
    None
}

/// Whether an entry has the field of one kind of action, and no other fields than such an action may have.
fn is_one_action(found: &ActionEntry) -> Result<(), String> {
    let kinds = [
        found.r#move.is_some(),
        found.rename.is_some(),
        found.respell.is_some(),
        found.assume.is_some(),
        found.front.is_some(),
        !found.drop.is_empty(),
        found.through.is_some(),
        found.keep.is_some(),
        found.refuse.is_some(),
        !found.up.is_empty(),
        !found.down.is_empty(),
    ];
    if kinds.iter().filter(|kind| **kind).count() != 1 {
        return Err("this is not one action".to_owned());
    }
    let belongs = [
        ("input", found.input.is_some(), found.r#move.is_some()),
        ("one", found.one.is_some(), found.r#move.is_some()),
        ("absent", found.absent.is_some(), found.r#move.is_some()),
        ("to", found.to.is_some(), found.rename.is_some()),
        ("old", found.old.is_some(), found.respell.is_some()),
        ("new", found.new.is_some(), found.respell.is_some()),
        ("value", found.value.is_some(), found.assume.is_some()),
        ("formula", found.formula.is_some(), found.assume.is_some()),
        ("of", found.of.is_some(), found.front.is_some()),
        ("why", found.why.is_some(), found.refuse.is_some()),
        ("way", found.way.is_some(), kinds.iter().take(7).any(|kind| *kind)),
    ];
    if let Some((field, ..)) = belongs.iter().find(|(_, given, fits)| *given && !fits) {
        return Err(format!("the field `{field}` does not belong to this action"));
    }
    Ok(())
}

/// What an action does, and the way that it is limited to by its kind.
fn deed(entry: &Spanned<ActionEntry>, context: &mut Context<'_>) -> Option<(Option<Way>, Deed)> {
    let found = &entry.value;
    let literal = |value: &Option<Spanned<Literal>>| value.as_ref().and_then(|value| adapter::value(&value.value));
    let text = |text: &Option<Spanned<String>>| text.as_ref().map(|text| text.value.clone());
    let mut nodes = |texts: &[Spanned<String>]| -> Option<Vec<NewNode>> {
        texts.iter().map(|text| context.parsed(text, Code::AdapterForm, NewNode::parse)).collect()
    };
    let deed = if let Some(attribute) = text(&found.r#move) {
        let input = text(&found.input).unwrap_or_else(|| attribute.clone());
        (
            None,
            Some(Deed::Move { attribute, input, one: found.one.unwrap_or_default(), absent: literal(&found.absent) }),
        )
    } else if let Some(old) = text(&found.rename) {
        (None, text(&found.to).map(|new| Deed::Rename { old, new }))
    } else if let Some(attribute) = text(&found.respell) {
        (None, literal(&found.old).zip(literal(&found.new)).map(|(old, new)| Deed::Respell { attribute, old, new }))
    } else if let Some(name) = text(&found.assume) {
        let value = match &found.formula {
            Some(text) => Some(context.parsed(text, Code::AdapterForm, Expression::parse)?),
            None => literal(&found.value),
        };
        (None, value.map(|value| Deed::Assume { name, value }))
    } else if let Some(name) = text(&found.front) {
        (None, text(&found.of).map(|of| Deed::CountFromFront { name, of }))
    } else if !found.drop.is_empty() {
        (None, Some(Deed::Drop(found.drop.iter().map(|name| name.value.clone()).collect())))
    } else if let Some(text) = &found.through {
        let node = context.parsed(text, Code::AdapterForm, NewNode::parse)?;
        let is_one = |node: &NewNode| match (&*node.outputs, &*node.inputs) {
            ([output], [Some(Expression::Name(input))]) => output == input,
            _ => false,
        };
        if !is_one(&node) {
            let message = "the node of `through` takes one input or output, and gives it by the same name";
            return wrong(entry, message, context);
        }
        (None, Some(Deed::Through(node)))
    } else if let Some(direction) = &found.keep {
        (of_direction(direction.value), Some(Deed::Keep))
    } else if let Some(direction) = &found.refuse {
        (of_direction(direction.value), text(&found.why).map(|why| Deed::Refuse { why }))
    } else if !found.up.is_empty() {
        (Some(Way::Up), Some(Deed::Rewrite(nodes(&found.up)?)))
    } else {
        (Some(Way::Down), Some(Deed::Rewrite(nodes(&found.down)?)))
    };
    match deed {
        (way, Some(deed)) => Some((way, deed)),
        (_, None) => wrong(entry, "a field of this action is missing", context),
    }
}

fn of_direction(direction: Direction) -> Option<Way> {
    match direction {
        Direction::Up => Some(Way::Up),
        Direction::Down => Some(Way::Down),
        Direction::Both => None,
    }
}

/// Checks the adapter of a version against the version and the one before it.
pub(crate) fn check(
    version: &Version,
    before: Option<&Version>,
    doubt: &Doubt,
    delta: &Spanned<VersionDelta>,
    domain: &str,
    context: &mut Context<'_>,
) {
    let Some(actions) = &version.adapter else {
        // Without one a step that changes the meaning is refused, which does for the operators of others and for a draft.
        if is_of_onnx(domain) && context.scope == Scope::Documented {
            undecided(version, before, doubt, delta, context);
        }
        return;
    };
    let at = delta.adapter.as_ref().map_or(delta.at, |adapter| adapter.at);
    // What an adapter names is in the version before as well, which is not part of a draft.
    let in_doubt = context.is_draft()
        || doubt.attributes
        || doubt.inputs
        || doubt.outputs
        || context.left_out.field(delta.at, "adapter");
    if in_doubt || !doubt.names.is_empty() {
        return;
    }
    let entries = delta.adapter.as_ref().map(|entries| &*entries.value).unwrap_or_default();
    for (index, action) in actions.iter().enumerate() {
        // An entry that could not be read is not among the actions.
        let entry = entries.get(index).filter(|_| entries.len() == actions.len());
        let check = Check { action, entry, version, before, at: entry.map_or(at, |entry| entry.at) };
        check.run(context);
    }
}

/// Reports a step that changes more than the facts express, and that no adapter decides.
fn undecided(
    version: &Version,
    before: Option<&Version>,
    doubt: &Doubt,
    delta: &Spanned<VersionDelta>,
    context: &mut Context<'_>,
) {
    let Some(before) = before else { return };
    if doubt.attributes || doubt.inputs || context.left_out.field(delta.at, "adapter") {
        return;
    }
    let has_attribute = |name: &str| before.attributes.iter().find(|old| old.name == name);
    let default = version.attributes.iter().find(|new| {
        new.default.is_some() && has_attribute(&new.name).is_some_and(|old| old.default.is_none() && !old.required)
    });
    let attribute = version.attributes.iter().find(|new| {
        new.required && !new.legacy && has_attribute(&new.name).is_none_or(|old| !old.required && old.default.is_none())
    });
    let input = version
        .inputs
        .iter()
        .find(|new| new.option == ParameterOption::Single && !before.inputs.iter().any(|old| old.name == new.name));
    let what = if delta.semantics.is_some() {
        "the meaning changes".to_owned()
    } else if let Some(default) = default {
        format!("`{}` gets a default", default.name)
    } else if let Some(attribute) = attribute {
        format!("the attribute `{}` is required from here on", attribute.name)
    } else if let Some(input) = input {
        format!("the input `{}` is new and required", input.name)
    } else {
        return;
    };
    let message = format!("{what}, and no `adapter` says how nodes are converted");
    let help = "list its actions, such as `- refuse: both` with the reason, or `adapter: []` if the facts say all";
    context.error_help(delta.at, Code::Undecided, message, help);
}

/// Whether a version has an attribute, input or output of this name.
fn has(version: &Version, name: &str) -> bool {
    let attribute = version.attributes.iter().any(|attribute| attribute.name == name);
    attribute || version.inputs.iter().chain(&version.outputs).any(|parameter| parameter.name == name)
}

struct Check<'c> {
    action: &'c Action,
    /// Where it stands in the file.
    entry: Option<&'c Spanned<ActionEntry>>,
    version: &'c Version,
    before: Option<&'c Version>,
    at: NodeId,
}

impl Check<'_> {
    fn run(&self, context: &mut Context<'_>) {
        let Self { action, version, before, at, .. } = *self;
        if before.is_none() && action.way != Some(Way::Down) {
            let message = "the first version has none before it to convert from";
            let help = "actions for the way down alone: `down`, `refuse: down`";
            context.error_help(at, Code::NothingBefore, message.to_owned(), help);
            return;
        }
        let in_either = |name: &&str| has(version, name) || before.is_some_and(|before| has(before, name));
        let unknown = |name: &str, context: &mut Context<'_>| unknown(name, at, context);
        let named = match &action.deed {
            Deed::Move { attribute, input, .. } => {
                let attribute_in = |of: &Version| of.attributes.iter().any(|other| other.name == *attribute);
                let input_in = |of: &Version| of.inputs.iter().any(|other| other.name == *input);
                let moved = before.is_some_and(|before| {
                    let (one, other) =
                        ((attribute_in(before), input_in(before)), (attribute_in(version), input_in(version)));
                    let moves = |(attribute, input): (bool, bool), to: (bool, bool)| attribute && !input && to.1;
                    moves(one, other) || moves(other, one)
                });
                if !moved {
                    let message =
                        format!("`{attribute}` is not an attribute of one version and `{input}` an input of the other");
                    context.error_help(at, Code::AdapterForm, message, "`move` names both: `{ move: k, input: K }`");
                }
                Vec::new()
            }
            Deed::Rename { old, new } => {
                if before.is_none_or(|before| !has(before, old)) {
                    unknown(old, context);
                }
                if !has(version, new) {
                    unknown(new, context);
                }
                Vec::new()
            }
            Deed::Assume { name, value } => {
                self.value(value, &[], self.entry.and_then(|entry| entry.formula.as_ref()), context);
                vec![&**name]
            }
            Deed::Respell { attribute, .. } => vec![&**attribute],
            Deed::CountFromFront { name, of } => vec![&**name, of],
            Deed::Drop(names) => names.iter().map(String::as_str).collect(),
            Deed::Through(node) => {
                let text = self.entry.and_then(|entry| entry.through.as_ref());
                node.attributes.iter().for_each(|(_, value)| self.value(value, &[], text, context));
                node.outputs.iter().map(String::as_str).collect()
            }
            Deed::Rewrite(nodes) => {
                self.nodes(nodes, context);
                Vec::new()
            }
            Deed::Keep | Deed::Refuse { .. } => Vec::new(),
        };
        named.into_iter().filter(|name| !in_either(name)).for_each(|name| unknown(name, context));
        let texts =
            [self.entry.and_then(|entry| entry.when.as_ref()), self.entry.and_then(|entry| entry.unless.as_ref())];
        for (condition, text) in [&action.when, &action.unless].into_iter().zip(texts) {
            for claim in condition.iter().flat_map(Relation::claims) {
                let tables = context.tables;
                self.fits(&claim.names(), &|version| misfit_claim(claim, version, tables), text, context);
            }
        }
    }

    fn nodes(&self, nodes: &[NewNode], context: &mut Context<'_>) {
        let mut new: Vec<&str> = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let text = self.entry.and_then(|entry| entry.up.get(index).or(entry.down.get(index)));
            let values = node.attributes.iter().map(|(_, value)| value).chain(node.inputs.iter().flatten());
            values.for_each(|value| self.value(value, &new, text, context));
            new.extend(node.outputs.iter().map(String::as_str));
        }
        for read in self.read() {
            let missing =
                |output: &&Parameter| output.option == ParameterOption::Single && !new.contains(&&*output.name);
            if let Some(missing) = read.outputs.iter().find(missing) {
                let message = format!("no new node gives the output `{}`", missing.name);
                context.error_help(self.at, Code::AdapterForm, message, "its name is that of an output of one of them");
            }
        }
    }

    /// The versions that a node may be in when the action is done.
    fn read(&self) -> Vec<&Version> {
        let up = self.before.filter(|_| self.action.way != Some(Way::Down));
        let down = Some(self.version).filter(|_| self.action.way != Some(Way::Up));
        up.into_iter().chain(down).collect()
    }

    /// Checks a value; `new` are the values of the nodes before.
    fn value(&self, value: &Expression, new: &[&str], text: Option<&Spanned<String>>, context: &mut Context<'_>) {
        let mut names = Vec::new();
        value.names(&mut names);
        names.retain(|name| !new.contains(name));
        self.fits(&names, &|version| misfit_value(value, version), text, context);
    }

    /// Reports a name that one of the versions does not have, or else what does not fit one of them.
    fn fits<'e>(
        &self,
        names: &[&str],
        wrong: &dyn Fn(&Version) -> Option<Misfit<'e>>,
        text: Option<&Spanned<String>>,
        context: &mut Context<'_>,
    ) {
        let at = text.map_or(self.at, |text| text.at);
        for read in self.read() {
            let mut missing = names.iter().filter(|name| !has(read, name)).peekable();
            if missing.peek().is_some() {
                missing.for_each(|name| unknown(name, at, context));
                return;
            }
            if let Some(Misfit { message, help, .. }) = wrong(read) {
                context.error_help(at, Code::RuleArgument, message, help);
                return;
            }
        }
    }
}

fn unknown(name: &str, at: NodeId, context: &mut Context<'_>) {
    let message = format!("the adapter names `{name}`, which is no attribute, input or output");
    context.error_help(at, Code::UnknownArgument, message, "a name of the version that the action is read at");
}
