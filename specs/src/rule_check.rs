//! Reads the rules and exclusions of a version, and checks that everything they name exists and has the right kind.

use shape_yaml::NodeId;

use crate::context::{Context, Doubt};
use crate::de::Spanned;
use crate::document::{
    AttributeKind, DimsTexts, ExclusiveEntry, Literal, ParameterOption, RequirementEntry, RuleEntry, VersionDelta,
};
use crate::error::Code;
use crate::operator::{Attribute, Exclusive, Parameter, Requirement, Version};
use crate::relation::{Claim, Question, Relation};
use crate::rules::{Alternative, Amount, Argument, Call, Condition, DimsRule, Is, OutputRule, TypeSource};
use crate::signature::{Gives, RuleParameterKind, RuleParameterPresence, Signature};
use crate::tables::Tables;
use crate::terms::{Expression, Term, Terms};
use crate::tokens::Wrong;
use crate::validate;

/// Reads a rule; `None`, and an error, if it cannot be read at all.
pub(crate) fn output_rule(
    entry: &Spanned<RuleEntry>,
    old: Option<&OutputRule>,
    context: &mut Context<'_>,
) -> OutputRule {
    let RuleEntry { output, ty, dims, elements, multiply_adds } = &entry.value;
    let says_nothing = ty.is_empty() && dims.is_none() && elements.is_none() && multiply_adds.is_none();
    if says_nothing && !context.left_out.within(entry.at) {
        let message = format!("the rule of `{}` says nothing", output.value);
        let help = "say where its type comes from, `type: [dtype]`, or its dimensions, `dims: same(X)`";
        context.error_help(entry.at, Code::EmptyList, message, help);
    }
    let dims = match dims {
        Some(texts) => dims_rule(texts, context),
        None => old.and_then(|old| old.dims.clone()),
    };
    let elements = read(elements.as_ref(), old.and_then(|old| old.elements.as_ref()), Call::parse, context);
    let mut types = Vec::new();
    for text in ty {
        let tables = context.tables;
        types.extend(context.parsed(text, Code::RuleForm, |text| TypeSource::parse(text, tables)));
    }
    if ty.is_empty() {
        types = old.map(|old| old.types.clone()).unwrap_or_default();
    }
    let multiply_adds = match multiply_adds {
        Some(texts) => amounts(texts, context),
        None => old.map(|old| old.multiply_adds.clone()).unwrap_or_default(),
    };
    OutputRule { output: output.value.clone(), types, dims, elements, multiply_adds }
}

/// The amounts that one or several texts say.
fn amounts(texts: &Spanned<DimsTexts>, context: &mut Context<'_>) -> Vec<Amount> {
    if matches!(&texts.value, DimsTexts::Alternatives(list) if list.len() < 2) && !context.left_out.within(texts.at) {
        let message = "a list of amounts has two or more".to_owned();
        context.error_help(texts.at, Code::RuleForm, message, "write a single amount as a text, not as a list");
        return Vec::new();
    }
    let texts: Vec<_> = texts.texts().into_iter().map(|(text, at)| Spanned { value: text.to_owned(), at }).collect();
    let mut amounts = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let Some(amount) = context.parsed(text, Code::RuleForm, Amount::parse) else { return Vec::new() };
        if amount.condition.is_none() && index + 1 < texts.len() {
            let message = "what stands behind an amount without a condition is never used".to_owned();
            context.error_help(text.at, Code::RuleForm, message, "give it a condition: `size(X) if rank(X) == 3`");
        }
        amounts.push(amount);
    }
    amounts
}

/// The rule for dimensions that one or several texts say.
fn dims_rule(texts: &Spanned<DimsTexts>, context: &mut Context<'_>) -> Option<DimsRule> {
    let texts = match &texts.value {
        DimsTexts::One(text) => {
            let text = Spanned { value: text.clone(), at: texts.at };
            return context.parsed(&text, Code::RuleForm, DimsRule::parse);
        }
        DimsTexts::Alternatives(alternatives) if alternatives.len() < 2 => {
            if !context.left_out.within(texts.at) {
                let message = "a list of rules for dimensions has two or more".to_owned();
                context.error_help(texts.at, Code::RuleForm, message, "write a single rule as a text, not as a list");
            }
            return None;
        }
        DimsTexts::Alternatives(alternatives) => alternatives,
    };
    let mut alternatives = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let alternative = context.parsed(text, Code::RuleForm, Alternative::parse)?;
        if alternative.condition.is_none() && index + 1 < texts.len() {
            let message = "what stands behind a rule without a condition is never used".to_owned();
            context.error_help(text.at, Code::RuleForm, message, "give it a condition: `same(X) if rank(X) == 3`");
        }
        alternatives.push(alternative);
    }
    Some(DimsRule::Alternatives(alternatives))
}

/// The parsed text, or the value of the previous version if there is no text.
fn read<T: Clone>(
    text: Option<&Spanned<String>>,
    old: Option<&T>,
    parse: fn(&str) -> Result<T, Wrong>,
    context: &mut Context<'_>,
) -> Option<T> {
    let Some(text) = text else { return old.cloned() };
    context.parsed(text, Code::RuleForm, parse)
}

/// Reads the groups of attributes and inputs that exclude each other.
pub(crate) fn exclusive(entries: &[Spanned<ExclusiveEntry>], context: &mut Context<'_>) -> Vec<Exclusive> {
    for entry in entries.iter().filter(|entry| entry.of.len() < 2) {
        if !context.left_out.within(entry.at) {
            let message = "one alone excludes nothing".to_owned();
            context.error_help(entry.at, Code::Exclusive, message, "name two or more: `of: [value, sparse_value]`");
        }
    }
    entries
        .iter()
        .map(|entry| Exclusive {
            of: entry.of.iter().map(|name| name.value.clone()).collect(),
            required: entry.required,
        })
        .collect()
}

/// The alternatives of the relation that each node must meet, each with its place: that it is not asked, and what is required.
/// `parsed` reads a text.
fn alternatives(
    entry: &RequirementEntry,
    mut parsed: impl FnMut(&Spanned<String>) -> Option<Relation>,
) -> Option<Vec<(Vec<Claim>, NodeId)>> {
    let texts = entry.unless.iter().chain([&entry.that]);
    // All are read before one that is wrong ends it, so that each is told.
    let read: Vec<_> = texts.map(|text| Some((parsed(text)?, text.at))).collect();
    let read: Vec<_> = read.into_iter().collect::<Option<_>>()?;
    let placed = |(relation, at): (Relation, NodeId)| relation.0.into_iter().map(move |claims| (claims, at));
    Some(read.into_iter().flat_map(placed).collect())
}

/// Reads the relations that a node must meet.
pub(crate) fn requires(entries: &[Spanned<RequirementEntry>], context: &mut Context<'_>) -> Vec<Requirement> {
    let mut requires = Vec::new();
    for entry in entries {
        let RequirementEntry { that, code, doc, .. } = &entry.value;
        let known = context.tables.codes.iter().any(|known| known.code == code.value);
        if !known {
            let codes: Vec<&str> = context.tables.codes.iter().map(|code| &*code.code).collect();
            context.unknown(code, Code::UnknownFinding, format!("there is no code `{}`", code.value), codes);
        }
        if let Some(read) = alternatives(entry, |text| context.parsed(text, Code::RuleForm, Relation::parse))
            && known
        {
            let relation = Relation(read.into_iter().map(|(claims, _)| claims).collect());
            let position = context.position(that.at);
            requires.push(Requirement::new(relation, code.value.clone(), doc.value.clone(), position));
        }
    }
    requires
}

/// An attribute or input of a version.
enum Found<'v> {
    Attribute(&'v Attribute),
    Input(&'v Parameter),
}

fn argument<'v>(version: &'v Version, name: &str) -> Option<Found<'v>> {
    let attribute = version.attributes.iter().find(|attribute| attribute.name == name);
    let input = || version.inputs.iter().find(|input| input.name == name);
    attribute.map(Found::Attribute).or_else(|| input().map(Found::Input))
}

/// Checks that everything that the rules and exclusions of a version name exists, and has the right kind.
pub(crate) fn arguments(
    version: &Version,
    before: Option<&Version>,
    doubt: &Doubt,
    delta: &Spanned<VersionDelta>,
    context: &mut Context<'_>,
) {
    let check = Check { version, before, doubt, delta };
    for (index, exclusive) in version.exclusive.iter().enumerate() {
        let entry = delta.exclusive.as_ref().and_then(|entries| entries.get(index));
        for (index, name) in exclusive.of.iter().enumerate() {
            let at = entry.and_then(|entry| entry.of.get(index)).map(|name| name.at);
            if exclusive.of.iter().take(index).any(|other| other == name) {
                context.error(at.unwrap_or(delta.at), Code::DuplicateName, format!("`{name}` stands here twice"));
            }
            let needed = match check.argument(name, at, context) {
                None => continue,
                Some(Found::Attribute(attribute)) => attribute.required,
                Some(Found::Input(input)) => input.option == ParameterOption::Single,
            };
            if needed {
                let message = format!("`{name}` is required, so that nothing can stand in its place");
                context.error_help(at.unwrap_or(delta.at), Code::Exclusive, message, "make it optional");
            }
        }
    }
    // The text of an entry that could not be read is none of these.
    let entries = delta.requires.iter().flatten();
    let read: Vec<_> = entries.filter_map(|entry| alternatives(entry, |text| Relation::parse(text).ok())).collect();
    for requirement in &version.requires {
        let wanted = &requirement.that.0;
        let entry = read.iter().find(|read| read.iter().map(|(claims, _)| claims).eq(wanted));
        for (index, claims) in wanted.iter().enumerate() {
            let at = entry.and_then(|read| read.get(index)).map(|(_, at)| *at);
            claims.iter().for_each(|claim| check.claim(claim, at, context));
        }
    }
    for rule in &version.rules {
        let entry = delta.rules.iter().find(|entry| entry.output.value == rule.output);
        if !version.outputs.iter().any(|output| output.name == rule.output) && !doubt.outputs {
            let message = format!("there is no output `{}`", rule.output);
            let at = entry.map_or(delta.at, |entry| entry.output.at);
            let known = version.outputs.iter().map(|output| &*output.name);
            let name = Spanned { value: rule.output.clone(), at };
            context.unknown(&name, Code::UnknownArgument, message, known);
        }
        // Texts that could not be parsed are not among the sources.
        let texts = entry.filter(|entry| entry.ty.len() == rule.types.len());
        for (index, source) in rule.types.iter().enumerate() {
            let at = texts.and_then(|entry| entry.ty.get(index)).map(|text| text.at).or(entry.map(|entry| entry.at));
            check.source(source, at, context);
        }
        let texts = entry.and_then(|entry| entry.dims.as_ref()).map(Spanned::texts).unwrap_or_default();
        let text_at = |index: usize| texts.get(index).map(|(_, at)| *at);
        match &rule.dims {
            Some(DimsRule::Alternatives(alternatives)) => {
                for (index, alternative) in alternatives.iter().enumerate() {
                    let claims = alternative.condition.iter().flat_map(Relation::claims);
                    claims.for_each(|claim| check.claim(claim, text_at(index), context));
                    check.dims(&alternative.dims, text_at(index), context);
                }
            }
            Some(dims) => check.dims(dims, text_at(0), context),
            None => {}
        }
        if let Some(call) = &rule.elements {
            let at = entry.and_then(|entry| entry.elements.as_ref()).map(|text| text.at);
            check.call(call, Gives::Elements, at, context);
        }
        check.amounts(rule, entry.and_then(|entry| entry.multiply_adds.as_ref()), context);
    }
}

struct Check<'v> {
    version: &'v Version,
    before: Option<&'v Version>,
    doubt: &'v Doubt,
    delta: &'v Spanned<VersionDelta>,
}

impl<'v> Check<'v> {
    /// The attribute or input with a name; `at` is where this version uses the name, if it does.
    fn argument(&self, name: &str, at: Option<NodeId>, context: &mut Context<'_>) -> Option<Found<'v>> {
        let found = argument(self.version, name);
        // If the previous version already lacked it, the error was reported there.
        let reported = at.is_none() && self.before.is_none_or(|before| argument(before, name).is_none());
        if found.is_none() && !reported && !self.doubt.attributes && !self.doubt.inputs {
            let known = self.version.attributes.iter().map(|attribute| &*attribute.name);
            let known = known.chain(self.version.inputs.iter().map(|input| &*input.name));
            let message = match at {
                Some(_) => format!("this version has no attribute and no input `{name}`"),
                None => format!("a rule of the version before names `{name}`, which this one does not have"),
            };
            let name = Spanned { value: name.to_owned(), at: at.unwrap_or(self.delta.at) };
            context.unknown(&name, Code::UnknownArgument, message, known);
        }
        found
    }

    /// How many multiply-adds an output takes.
    fn amounts(&self, rule: &OutputRule, texts: Option<&Spanned<DimsTexts>>, context: &mut Context<'_>) {
        let places = texts.map(Spanned::texts).unwrap_or_default();
        for (index, amount) in rule.multiply_adds.iter().enumerate() {
            let at = places.get(index).map(|(_, at)| *at);
            amount.condition.iter().flat_map(Relation::claims).for_each(|claim| self.claim(claim, at, context));
            self.terms(&Terms(vec![Term::Dim(amount.number.clone())]), at, context);
        }
        let calls = rule.dims.as_ref().map(DimsRule::calls).unwrap_or_default();
        let tables = context.tables;
        let gives =
            |call: &&&Call| tables.rules().any(|known| known.name == call.rule && known.gives(Gives::MultiplyAdds));
        if let Some(call) = calls.iter().find(gives).filter(|_| !rule.multiply_adds.is_empty()) {
            let message = format!("the rule `{}` says itself how many multiply-adds there are", call.rule);
            context.error_help(
                texts.map_or(self.delta.at, |texts| texts.at),
                Code::RuleArgument,
                message,
                "remove it here",
            );
        }
    }

    /// A rule that is none of several.
    fn dims(&self, dims: &DimsRule, at: Option<NodeId>, context: &mut Context<'_>) {
        match dims {
            DimsRule::Call(call) => self.call(call, Gives::Dims, at, context),
            DimsRule::Terms(terms) => self.terms(terms, at, context),
            DimsRule::Alternatives(_) => {}
        }
    }

    fn call(&self, call: &Call, gives: Gives, at: Option<NodeId>, context: &mut Context<'_>) {
        let mut all_there = true;
        for argument in &call.arguments {
            if let Some(name) = argument.name() {
                all_there &= self.argument(name, at, context).is_some();
            }
        }
        if call.is_custom() || !all_there {
            return;
        }
        let node = at.unwrap_or(self.delta.at);
        let Some(rule) = context.tables.rules().find(|rule| rule.name == call.rule) else {
            // Errors of the previous version were reported there.
            if at.is_some() {
                let name = Spanned { value: call.rule.clone(), at: node };
                let known: Vec<&str> = context.tables.rules().map(|rule| &*rule.name).collect();
                context.unknown(&name, Code::UnknownRule, format!("onnxspec-core has no rule `{}`", call.rule), known);
            }
            return;
        };
        if !rule.gives(gives) && at.is_some() {
            let (what, field) = match gives {
                Gives::Dims => ("dimensions", "`elements`"),
                Gives::Elements | Gives::MultiplyAdds => ("elements", "`dims`"),
            };
            let message = format!("the rule `{}` gives no {what}", rule.name);
            context.error_help(node, Code::RuleArgument, message, format!("call it in {field}"));
            return;
        }
        let wrong = |version: &Version| misfit(rule, call, version);
        let reported = at.is_none() && self.before.is_some_and(|before| wrong(before).is_some());
        if let Some((message, name)) = wrong(self.version).filter(|_| !reported)
            && !name.is_some_and(|name| self.doubt.names.contains(name))
        {
            context.error_help(node, Code::RuleArgument, message, format!("it is `{rule}`"));
        }
    }

    fn claim(&self, claim: &Claim, at: Option<NodeId>, context: &mut Context<'_>) {
        let mut names = claim.names();
        if matches!(claim, Claim::Given { .. }) {
            names.retain(|name| !self.version.outputs.iter().any(|output| output.name == *name));
        }
        let tables = context.tables;
        self.named(&names, &|version| misfit_claim(claim, version, tables), at, context);
    }

    fn terms(&self, terms: &Terms, at: Option<NodeId>, context: &mut Context<'_>) {
        let wrong = |version: &Version| {
            terms.0.iter().find_map(|term| match term {
                Term::Dim(expression) => misfit_in(expression, version),
                Term::Stretch { of, .. } => has_entries(of, version),
                Term::Data => None,
            })
        };
        let wrong =
            |version: &Version| wrong(version).map(|(message, name)| Misfit { message, name, help: OF_NUMBERS });
        self.named(&terms.names(), &wrong, at, context);
    }

    /// Reports names that the version does not have, or, if it has all, what does not fit one of them.
    fn named<'e>(
        &self,
        names: &[&str],
        wrong: &dyn Fn(&Version) -> Option<Misfit<'e>>,
        at: Option<NodeId>,
        context: &mut Context<'_>,
    ) {
        if names.iter().filter(|name| self.argument(name, at, context).is_none()).count() > 0 {
            return;
        }
        let reported = at.is_none() && self.before.is_some_and(|before| wrong(before).is_some());
        if let Some(Misfit { message, name, help }) = wrong(self.version).filter(|_| !reported)
            && !self.doubt.names.contains(name)
        {
            context.error_help(at.unwrap_or(self.delta.at), Code::RuleArgument, message, help);
        }
    }

    fn source(&self, source: &TypeSource, at: Option<NodeId>, context: &mut Context<'_>) {
        let node = at.unwrap_or(self.delta.at);
        if let Some((name, from)) = source.of.named() {
            let kind = match self.argument(name, at, context) {
                Some(Found::Attribute(attribute)) => Some(attribute.kind),
                Some(Found::Input(_)) if from > 0 => Some(AttributeKind::Int),
                _ => None,
            };
            let decides = match kind {
                None | Some(AttributeKind::Graph) => true,
                Some(
                    AttributeKind::Int
                    | AttributeKind::String
                    | AttributeKind::Tensor
                    | AttributeKind::SparseTensor
                    | AttributeKind::TypeProto,
                ) => from == 0,
                Some(_) => false,
            };
            if !decides && !self.doubt.names.contains(name) {
                let help = "INT and STRING name an element type, TENSOR, SPARSE_TENSOR and TYPE_PROTO have a type, and a \
                            GRAPH has outputs, of which `body[1..]` leaves out the first; of any other write \
                            `tensor(float) if value_float`";
                context.error_help(node, Code::RuleForm, format!("`{name}` decides no type so"), help);
            }
        }
        let Some(Condition { name, is }) = &source.condition else { return };
        let wrong = match (self.argument(name, at, context), is) {
            (Some(Found::Attribute(attribute)), Some(is)) => match is {
                Is::Value(value) if validate::fits_kind(attribute.kind, value) => {
                    (!attribute.allows(value)).then(|| format!("`{name}` is never {is}, it is {}", attribute.facts()))
                }
                _ => Some(format!("`{name}` is of the kind {}, and never {is}", attribute.kind.name())),
            },
            (Some(Found::Input(_)), Some(is @ Is::Value(_))) => {
                Some(format!("`{name}` is an input, of which the type is known and not whether it is {is}"))
            }
            _ => None,
        };
        if let Some(message) = wrong.filter(|_| !self.doubt.names.contains(name)) {
            let help = "an input is of a type, `X is tensor(string)`; an attribute has a value, `mode is SPARSE`";
            context.error_help(node, Code::RuleForm, message, help);
        }
    }
}

/// Why a call does not fit its rule although all named parts exist, and the argument in question.
fn misfit<'c>(rule: &Signature, call: &'c Call, version: &Version) -> Option<(String, Option<&'c str>)> {
    let many = rule.parameters.last().is_some_and(|last| last.presence == RuleParameterPresence::Variadic);
    let (taken, given) = (rule.parameters.len(), call.arguments.len());
    if given > taken && !many {
        return Some((format!("`{}` takes {taken} arguments, not {given}", rule.name), None));
    }
    for (index, parameter) in rule.parameters.iter().enumerate() {
        let needed = matches!(parameter.presence, RuleParameterPresence::Required);
        if needed && matches!(call.arguments.get(index), None | Some(Argument::Absent)) {
            return Some((format!("`{}` is not given `{}`", rule.name, parameter.name), None));
        }
    }
    let parameters = rule.parameters.iter().chain(rule.parameters.last().into_iter().cycle().filter(|_| many));
    for (argument, parameter) in call.arguments.iter().zip(parameters) {
        let (fits, found) = match argument {
            Argument::Absent => continue,
            Argument::Int(number) => (parameter.kind.takes_number(), format!("the number {number}")),
            Argument::Every(name, _) => match self::argument(version, name) {
                None => continue,
                Some(found) => {
                    let is_variadic = matches!(found, Found::Input(input) if input.option == ParameterOption::Variadic);
                    (is_variadic && parameter.kind == RuleParameterKind::Tensors, format!("`{argument}`"))
                }
            },
            Argument::ChannelsLast(name) => match self::argument(version, name) {
                None => continue,
                Some(found) => {
                    let is_tensor = matches!(found, Found::Input(_)) && parameter.kind == RuleParameterKind::Tensor;
                    (is_tensor, format!("`{argument}`"))
                }
            },
            Argument::Named(name) => match self::argument(version, name) {
                None => continue,
                Some(Found::Input(_)) => (parameter.kind.takes_input(), format!("the input `{name}`")),
                Some(Found::Attribute(attribute)) => (
                    parameter.kind.attributes().contains(&attribute.kind),
                    format!("the {} attribute `{name}`", attribute.kind.name()),
                ),
            },
        };
        let flag = matches!((parameter.kind, argument), (RuleParameterKind::Flag, Argument::Int(number)) if !matches!(number, 0 | 1));
        if !fits || flag {
            let accepts = if flag { "0 or 1".to_owned() } else { parameter.kind.accepts() };
            let message = format!("`{}` of `{}` takes {accepts}, not {found}", parameter.name, rule.name);
            let name = argument.name();
            return Some((message, name));
        }
    }
    None
}

/// Why a part of a text does not fit a version although all that it names exists.
pub(crate) struct Misfit<'e> {
    pub(crate) message: String,
    /// The name in question.
    pub(crate) name: &'e str,
    pub(crate) help: &'static str,
}

const OF_NUMBERS: &str = "`X[0]` and `...X` are of an input or an INTS attribute, `k` of an INT attribute or the one \
                          element of an input, `rank` and `size` of an input, `len` of list and TENSOR attributes, \
                          `type` of all of these, `X[axis]` of an input and an INT attribute, `min` and `max` of an \
                          input or an INTS attribute";

/// Why a claim does not fit a version.
pub(crate) fn misfit_claim<'e>(claim: &'e Claim, version: &Version, tables: &Tables) -> Option<Misfit<'e>> {
    let of_numbers = |(message, name)| Misfit { message, name, help: OF_NUMBERS };
    match claim {
        Claim::Given { .. } => None,
        Claim::Compare(..) => {
            let mut numbers = claim.expressions().filter(|expression| !is_float(expression, version));
            numbers.find_map(|expression| misfit_in(expression, version)).map(of_numbers)
        }
        Claim::Word { name, word, .. } => {
            let message = match argument(version, name) {
                Some(Found::Attribute(of)) if of.kind != AttributeKind::String => {
                    format!("`{name}` is of the kind {}, and never a word", of.kind.name())
                }
                Some(Found::Attribute(of)) if !of.allows(&Literal::Text(word.clone())) => {
                    format!("`{name}` is never {word}, it is {}", of.facts())
                }
                Some(Found::Attribute(_)) => return None,
                Some(Found::Input(_)) | None => format!("`{name}` is no attribute, and never a word"),
            };
            Some(Misfit { message, name, help: "only a STRING attribute is a word; numbers are compared with `==`" })
        }
        Claim::Type { name, ty, .. } if tables.element(ty).is_none() => {
            let message = format!("there is no element type `{ty}`");
            Some(Misfit { message, name, help: "element types have ONNX's names, such as `float` and `int64`" })
        }
        Claim::Type { name, .. } => has_element_type(name, version).map(of_numbers),
        Claim::Asked { question, of, .. } => of.iter().find_map(|name| {
            let is_input = version.inputs.iter().any(|input| input.name == *name);
            let (message, help) = match argument(version, name) {
                Some(Found::Attribute(_)) if !is_input => {
                    (format!("the attribute `{name}` has no dimensions"), "name an input or output")
                }
                None if *question == Question::Constant => (format!("`{name}` is no input"), "name an input"),
                _ => return None,
            };
            Some(Misfit { message, name, help })
        }),
    }
}

/// Whether a side of a comparison is a FLOAT attribute, which nothing is computed with.
fn is_float(side: &Expression, version: &Version) -> bool {
    let Expression::Name(name) = side else { return false };
    matches!(argument(version, name), Some(Found::Attribute(of)) if of.kind == AttributeKind::Float)
}

/// Why a value of an adapter does not fit a version.
pub(crate) fn misfit_value<'e>(value: &'e Expression, version: &Version) -> Option<Misfit<'e>> {
    match value {
        Expression::Name(_) | Expression::Float(_) | Expression::Text(_) => None,
        Expression::List(items) | Expression::Made(_, items) => {
            items.iter().find_map(|item| misfit_value(item, version))
        }
        value => misfit_in(value, version).map(|(message, name)| Misfit { message, name, help: OF_NUMBERS }),
    }
}

/// Why an expression does not fit a version although all named parts exist, and the name in question.
fn misfit_in<'e>(expression: &'e Expression, version: &Version) -> Option<(String, &'e str)> {
    match expression {
        Expression::Number(_) | Expression::Inputs | Expression::Outputs => None,
        Expression::Name(name) => match argument(version, name) {
            Some(Found::Attribute(attribute)) if attribute.kind != AttributeKind::Int => {
                Some((format!("the {} attribute `{name}` is no number", attribute.kind.name()), name))
            }
            _ => None,
        },
        Expression::Entry(name, _) => has_entries(name, version),
        Expression::Rank(name) | Expression::Size(name) => match argument(version, name) {
            Some(Found::Attribute(_)) => Some((format!("the attribute `{name}` has no dimensions"), name)),
            _ => None,
        },
        Expression::Type(name) => has_element_type(name, version),
        Expression::AxisAt(name, axis) => match (argument(version, name), argument(version, axis)) {
            (Some(Found::Attribute(_)), _) => Some((format!("the attribute `{name}` has no dimensions"), name)),
            (_, Some(Found::Attribute(of))) if of.kind == AttributeKind::Int => None,
            (_, Some(_)) => Some((format!("`{axis}` is no INT attribute, and names no axis"), axis)),
            _ => None,
        },
        Expression::Fold(_, name) => has_entries(name, version),
        Expression::Length(lists) => lists.iter().find_map(|name| match argument(version, name) {
            Some(Found::Attribute(attribute)) if attribute.kind.is_list() => None,
            Some(Found::Attribute(attribute)) if attribute.kind == AttributeKind::Tensor => None,
            _ => Some((format!("`{name}` is no list or TENSOR attribute"), name.as_str())),
        }),
        Expression::Float(_) | Expression::Text(_) | Expression::List(_) | Expression::Made(..) => {
            Some((format!("{expression} is no whole number"), ""))
        }
        Expression::Operation(_, left, right) => misfit_in(left, version).or_else(|| misfit_in(right, version)),
    }
}

/// Why a name has no element type.
fn has_element_type<'e>(name: &'e str, version: &Version) -> Option<(String, &'e str)> {
    match argument(version, name) {
        Some(Found::Attribute(Attribute { kind, .. })) if *kind != AttributeKind::Tensor && !kind.is_list() => {
            Some((format!("the {} attribute `{name}` has no element type", kind.name()), name))
        }
        _ => None,
    }
}

/// Why a name has no entries, which only inputs (axes) and list attributes (numbers) have.
fn has_entries<'e>(name: &'e str, version: &Version) -> Option<(String, &'e str)> {
    match argument(version, name) {
        Some(Found::Attribute(attribute)) if attribute.kind != AttributeKind::Ints => {
            Some((format!("the {} attribute `{name}` has no sizes", attribute.kind.name()), name))
        }
        _ => None,
    }
}
