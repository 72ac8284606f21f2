//! Reads and checks the files of a profile.

use std::collections::{HashMap, HashSet};

use serde::de::DeserializeOwned;
use shape_yaml::Positions;

use super::document::{
    CheckCall, ErrataFile, ErratumEntry, OverlayFile, ProfileFile, ProofEntry, ProofsFile, ReferenceEntry, RuleEntry,
};
use super::rule::{Check, Erratum, Overlay, Profile, ProfileRule, Proof, Variant};
use crate::context::Context;
use crate::de::{self, Spanned};
use crate::descriptors::DESCRIPTORS;
use crate::document::AttributeKind;
use crate::error::{Code, NOWHERE, SpecError, SpecErrors, located};
use crate::names::suggest;
use crate::operator::{Operator, Version};
use crate::tables::{Tables, Type};

/// The file with the rules of whole models.
const PROFILE: &str = "profile";
/// The file with the contradictions in the documents.
const ERRATA: &str = "errata";

const ID_HELP: &str = "capitals, digits and `-`, such as SONNX-SHAPE-010";
const TEST_HELP: &str = "the file from the root of the repository, `::` and the function: `tests/tests/x.rs::y`";

/// Reads the files of a profile, each with its name for errors: `profile.yaml`, `errata.yaml`, and one file for each
/// operator. `known` are the operators that files are named after, `proofs` the JSON of the proved goals; without it,
/// goals are not checked.
///
/// Every error of every file, in the order of the files: a duplicate id, an operator, a version, an example or a check
/// that does not exist, a missing or superfluous argument, a goal that is not proved, a rule without a check, a proof
/// or a test.
pub fn read(
    files: &[(&str, &[u8])],
    known: &[Operator],
    tables: &Tables,
    proofs: Option<&[u8]>,
) -> Result<Profile, SpecErrors> {
    let mut reader = Reader { known, tables, goals: None, ids: HashMap::new(), errors: Vec::new() };
    if let Some(bytes) = proofs {
        reader.goals = reader.file::<ProofsFile, _>("proofs.json", bytes, |_, file, _| {
            file.goals.into_iter().filter(|goal| goal.status == "proved").map(|goal| goal.goal).collect()
        });
    }
    let file = |name: &str| files.iter().find(|(file, _)| stem(file) == Some(name));
    let Some((name, bytes)) = file(PROFILE) else {
        let message = "the profile has no `profile.yaml`".to_owned();
        let position = shape_yaml::Position { line: 1, column: 1 };
        let file = files.first().map_or_else(String::new, |(file, _)| (*file).to_owned());
        let code = Code::MissingField.name();
        return Err(SpecErrors(vec![SpecError { file, position, code, message, help: None, line: String::new() }]));
    };
    let mut profile =
        reader.file::<ProfileFile, _>(name, bytes, |reader, file, context| reader.profile(name, &file, context));
    for (name, bytes) in files.iter().filter(|(file, _)| ![Some(PROFILE), Some(ERRATA)].contains(&stem(file))) {
        let of = profile.as_ref();
        let made = reader
            .file::<OverlayFile, _>(name, bytes, |reader, file, context| reader.overlay(name, &file, of, context));
        if let (Some((overlay, rules)), Some(profile)) = (made, &mut profile) {
            profile.overlays.push(overlay);
            profile.rules.extend(rules);
        }
    }
    if let Some((name, bytes)) = file(ERRATA) {
        let of = profile.as_ref();
        let made = reader.file::<ErrataFile, _>(name, bytes, |reader, file, context| {
            file.errata.iter().map(|entry| reader.erratum(entry, of, context)).collect::<Vec<_>>()
        });
        if let (Some(errata), Some(profile)) = (made, &mut profile) {
            profile.errata = errata;
        }
    }
    match profile {
        Some(mut profile) if reader.errors.is_empty() => {
            let positions: HashMap<&str, Positions<'_>> =
                files.iter().map(|(file, bytes)| (*file, Positions::new(bytes))).collect();
            let line = |file: &str, at: usize| positions.get(file).map_or(0, |positions| positions.of_mapping(at).line);
            for rule in &mut profile.rules {
                rule.line = line(&rule.file, rule.line);
            }
            let errata = file(ERRATA).map_or("", |(file, _)| *file);
            for erratum in &mut profile.errata {
                erratum.line = line(errata, erratum.line);
            }
            Ok(profile)
        }
        _ => Err(SpecErrors(reader.errors)),
    }
}

struct Reader<'r> {
    known: &'r [Operator],
    tables: &'r Tables,
    /// The proved goals, if they are known.
    goals: Option<HashSet<String>>,
    /// The ids so far, each with its file.
    ids: HashMap<String, String>,
    errors: Vec<SpecError>,
}

impl<'r> Reader<'r> {
    /// Reads a file and collects its errors.
    fn file<F: DeserializeOwned, T>(
        &mut self,
        name: &str,
        bytes: &[u8],
        make: impl FnOnce(&mut Self, F, &mut Context<'r>) -> T,
    ) -> Option<T> {
        let root = match shape_yaml::parse(bytes) {
            Ok(root) => root,
            Err(error) => {
                self.errors.push(SpecError::syntax(name, bytes, error));
                return None;
            }
        };
        let de::Read { value, errors, left_out } = de::read::<F>(&root);
        let mut context = Context::new(self.tables, errors, left_out);
        let made = value.map(|file| make(self, file, &mut context));
        self.errors.extend(located(name, bytes, context.errors));
        made
    }

    fn profile(&mut self, file: &str, entry: &ProfileFile, context: &mut Context<'_>) -> Profile {
        for (text, what) in [(&entry.title, "title"), (&entry.version, "version"), (&entry.summary, "summary")] {
            sentence(text, what, context);
        }
        if let Some(folder) = file.rsplit('/').nth(1)
            && folder != entry.profile.value
        {
            let message = format!("the folder is called `{folder}`, the profile `{}`", entry.profile.value);
            let help = format!("put the file into a folder called `{}`", entry.profile.value);
            context.error_help(entry.profile.at, Code::FileName, message, help);
        }
        unique(entry.sources.iter().map(|source| &source.id), "a source", context);
        unique(entry.options.iter().map(|option| &option.name), "an option", context);
        unique(entry.operators.iter(), "an operator", context);
        for option in &entry.options {
            sentence(&option.says, "text of the option", context);
        }
        let described = || DESCRIPTORS.iter().filter(|(file, _)| file.starts_with("ai.onnx/"));
        for operator in &entry.operators {
            let mut names = described().filter_map(|(file, _)| stem(file));
            if !names.any(|name| name == operator.value) {
                let message = format!("ai.onnx has no operator `{}`", operator.value);
                let known = described().filter_map(|(file, _)| stem(file));
                context.unknown(operator, Code::UnknownOperator, message, known);
            }
        }
        let mut profile = Profile {
            name: entry.profile.value.clone(),
            title: entry.title.value.clone(),
            version: entry.version.value.clone(),
            summary: entry.summary.value.clone(),
            sources: entry.sources.iter().map(|source| (source.id.value.clone(), source.title.clone())).collect(),
            options: entry
                .options
                .iter()
                .map(|option| (option.name.value.clone(), option.says.value.clone()))
                .collect(),
            operators: entry.operators.iter().map(|operator| operator.value.clone()).collect(),
            rules: Vec::new(),
            overlays: Vec::new(),
            errata: Vec::new(),
        };
        empty(&entry.rules, "rule", context);
        let of = Of { file, profile: Some(&profile), operator: None, version: None, variants: &[] };
        profile.rules = entry.rules.iter().map(|rule| self.rule(rule, of, context)).collect();
        profile
    }

    fn overlay(
        &mut self,
        file: &str,
        entry: &OverlayFile,
        profile: Option<&Profile>,
        context: &mut Context<'_>,
    ) -> (Overlay, Vec<ProfileRule>) {
        let name = &entry.operator;
        if let Some(stem) = stem(file)
            && stem != name.value
            && name.at != NOWHERE
        {
            let message = format!("the file is called `{stem}`, the operator `{}`", name.value);
            context.error_help(name.at, Code::FileName, message, format!("call the file `{}.yaml`", name.value));
        }
        let operator = self.known.iter().find(|operator| operator.name == name.value);
        if operator.is_none() && name.at != NOWHERE {
            let known = self.known.iter().map(|operator| &*operator.name);
            context.unknown(name, Code::UnknownOperator, format!("ai.onnx has no operator `{}`", name.value), known);
        }
        let version =
            operator.and_then(|operator| operator.versions.iter().find(|version| version.since == *entry.since));
        if let (Some(operator), None) = (operator, version) {
            let message = format!("{} has no version {}", operator.name, entry.since.value);
            let known: Vec<String> = operator.versions.iter().map(|version| version.since.to_string()).collect();
            let help = format!("its versions: {}", known.join(", "));
            context.error_help(entry.since.at, Code::UnknownVersion, message, help);
        }
        source(&entry.page, profile, context);
        sentence(&entry.errors, "text about errors", context);
        if let Some(version) = version {
            for name in &entry.names {
                parameter(&name.onnx, version, context);
            }
        }
        unique(entry.variants.iter().map(|variant| &variant.name), "a variant", context);
        for variant in &entry.variants {
            sentence(&variant.says, "text of the variant", context);
        }
        let variants: Vec<&str> = entry.variants.iter().map(|variant| &*variant.name.value).collect();
        empty(&entry.rules, "rule", context);
        let of = Of { file, profile, operator, version, variants: &variants };
        let rules = entry.rules.iter().map(|rule| self.rule(rule, of, context)).collect();
        let overlay = Overlay {
            file: file.to_owned(),
            operator: name.value.clone(),
            since: entry.since.value,
            page: entry.page.value.clone(),
            names: entry.names.iter().map(|name| (name.onnx.value.clone(), name.page.clone())).collect(),
            errors: entry.errors.value.clone(),
            variants: (entry.variants.iter())
                .map(|variant| Variant {
                    name: variant.name.value.clone(),
                    title: variant.title.clone(),
                    says: variant.says.value.clone(),
                })
                .collect(),
            family: version.and_then(|version| family(version, context)),
        };
        (overlay, rules)
    }

    fn rule(&mut self, entry: &Spanned<RuleEntry>, of: Of<'_>, context: &mut Context<'_>) -> ProfileRule {
        self.id(&entry.id, of.file, context);
        for (text, what) in [(&entry.title, "title"), (&entry.says, "text"), (&entry.why, "reason")] {
            sentence(text, what, context);
        }
        for variant in &entry.variants {
            if !of.variants.contains(&&*variant.value) {
                let message = format!("there is no variant `{}`", variant.value);
                context.unknown(variant, Code::UnknownVariant, message, of.variants.iter().copied());
            }
        }
        if let (Some(option), Some(profile)) = (&entry.option, of.profile)
            && !profile.options.iter().any(|(name, _)| *name == option.value)
        {
            let message = format!("the profile has no option `{}`", option.value);
            let known = profile.options.iter().map(|(name, _)| &**name);
            context.unknown(option, Code::UnknownOption, message, known);
        }
        if let (Some(when), Some(version)) = (&entry.when, of.version) {
            attribute(&when.attribute, version, context);
        }
        examples(&entry.examples, of.operator, of.version.map(|version| version.since), context);
        ProfileRule {
            id: entry.id.value.clone(),
            file: of.file.to_owned(),
            // The id of the node, until all files are read.
            line: entry.at,
            operator: of.operator.map(|operator| operator.name.clone()),
            title: entry.title.value.clone(),
            says: entry.says.value.clone(),
            why: entry.why.value.clone(),
            references: references(&entry.references, of.profile, context),
            variants: values(&entry.variants),
            option: entry.option.as_ref().map(|option| option.value.clone()),
            when: entry.when.as_ref().map(|when| (when.attribute.value.clone(), when.is)),
            check: self.check(&entry.check, of, context),
            proof: self.proof(&entry.proof, context),
            examples: values(&entry.examples),
            tests: tests(&entry.tests, context),
        }
    }

    /// Checks that an id is unique in all files of the profile.
    fn id(&mut self, id: &Spanned<String>, file: &str, context: &mut Context<'_>) {
        let form = |id: &str| id.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-');
        if id.at == NOWHERE {
        } else if id.is_empty() || !form(id) {
            context.error_help(id.at, Code::NameForm, format!("`{}` cannot be an id", id.value), ID_HELP);
        } else if let Some(file) = self.ids.insert(id.value.clone(), file.to_owned()) {
            let message = format!("{file} has given the id `{}` already", id.value);
            context.error_help(id.at, Code::DuplicateName, message, "an id stands for one thing");
        }
    }

    fn check(&self, call: &Spanned<CheckCall>, of: Of<'_>, context: &mut Context<'_>) -> Check {
        let CheckCall { name, value, beside, attribute: asked, types, values, number, most, codes } = &call.value;
        let given: Vec<(&str, usize)> = [
            ("value", value.as_ref().map(|value| value.at)),
            ("beside", beside.as_ref().map(|value| value.at)),
            ("attribute", asked.as_ref().map(|name| name.at)),
            ("types", types.as_ref().map(|types| types.at)),
            ("values", values.as_ref().map(|values| values.at)),
            ("number", number.as_ref().map(|number| number.at)),
            ("most", most.as_ref().map(|most| most.at)),
            ("codes", codes.as_ref().map(|codes| codes.at)),
        ]
        .into_iter()
        .filter_map(|(argument, at)| Some((argument, at?)))
        .collect();
        match self.tables.checks.iter().find(|check| check.name == name.value) {
            None if name.at == NOWHERE => {}
            None => {
                let known = self.tables.checks.iter().map(|check| &*check.name);
                let message = format!("onnxspec-core has no check `{}`", name.value);
                context.unknown(name, Code::UnknownCheck, message, known);
            }
            Some(check) => {
                let lacking = check.arguments.iter().filter(|argument| {
                    !given.iter().any(|(given, _)| given == argument) && !context.left_out.field(call.at, argument)
                });
                for argument in lacking.cloned().collect::<Vec<_>>() {
                    let message = format!("the check `{}` lacks its argument `{argument}`", check.name);
                    context.error(call.at, Code::CheckArgument, message);
                }
                for (argument, at) in given.iter().filter(|(given, _)| !check.arguments.iter().any(|of| of == given)) {
                    let message = format!("the check `{}` takes no `{argument}`", check.name);
                    let help = match &*check.arguments {
                        [] => "it takes nothing".to_owned(),
                        arguments => format!("it takes `{}`", arguments.join("`, `")),
                    };
                    context.error_help(*at, Code::CheckArgument, message, help);
                }
            }
        }
        if let Some(version) = of.version {
            value.iter().chain(beside).for_each(|value| parameter(value, version, context));
            asked.iter().for_each(|name| attribute(name, version, context));
        }
        let words = types.iter().flat_map(|types| &types.value);
        let types: Vec<Type> = words.flat_map(|word| context.types(word)).collect();
        for code in codes.iter().flat_map(|codes| &codes.value) {
            if !self.tables.codes.iter().any(|entry| entry.code == code.value) {
                let known = self.tables.codes.iter().map(|entry| &*entry.code);
                context.unknown(code, Code::UnknownFinding, format!("there is no code `{}`", code.value), known);
            }
        }
        let text = |name: &Option<Spanned<String>>| name.as_ref().map(|name| name.value.clone()).unwrap_or_default();
        Check {
            name: name.value.clone(),
            value: text(value),
            beside: text(beside),
            attribute: text(asked),
            types,
            values: values.as_ref().map(|values| values.value.clone()).unwrap_or_default(),
            number: number.as_ref().map(|number| number.value).unwrap_or_default(),
            most: most.as_ref().map(|most| most.value).unwrap_or_default(),
            codes: codes.as_ref().map(|codes| self::values(&codes.value)).unwrap_or_default(),
        }
    }

    fn proof(&self, entry: &Spanned<ProofEntry>, context: &mut Context<'_>) -> Proof {
        match (&entry.goals, &entry.none) {
            (Some(goals), None) => {
                empty(goals, "goal", context);
                self.goals(goals, context);
                Proof::Goals(values(goals))
            }
            (None, Some(none)) => {
                sentence(none, "reason", context);
                Proof::None(none.value.clone())
            }
            _ => {
                if entry.at != NOWHERE && !context.left_out.within(entry.at) {
                    let message = "a proof has goals, or a reason why it has none".to_owned();
                    let help = "write `proof: { goals: [...] }` or `proof: { none: \"why\" }`";
                    context.error_help(entry.at, Code::ProofForm, message, help);
                }
                Proof::None(String::new())
            }
        }
    }

    fn goals(&self, goals: &[Spanned<String>], context: &mut Context<'_>) {
        let Some(proved) = &self.goals else { return };
        for goal in goals.iter().filter(|goal| !proved.contains(&goal.value)) {
            let message = format!("`{}` is not among the goals that are proved", goal.value);
            let help = suggest(goal, proved.iter().map(String::as_str));
            let help = help.unwrap_or_else(|| "proofs.json lists them".to_owned());
            context.error_help(goal.at, Code::UnknownGoal, message, help);
        }
    }

    fn erratum(
        &mut self,
        entry: &Spanned<ErratumEntry>,
        profile: Option<&Profile>,
        context: &mut Context<'_>,
    ) -> Erratum {
        self.id(&entry.id, "errata.yaml", context);
        let texts = [
            (&entry.title, "title"),
            (&entry.says, "text"),
            (&entry.ruling, "ruling"),
            (&entry.why, "reason"),
            (&entry.asks, "question"),
        ];
        for (text, what) in texts {
            sentence(text, what, context);
        }
        let operator = entry.operator.as_ref().and_then(|name| {
            let found = self.known.iter().find(|operator| operator.name == name.value);
            if found.is_none() {
                let known = self.known.iter().map(|operator| &*operator.name);
                let message = format!("the profile has no file for an operator `{}`", name.value);
                context.unknown(name, Code::UnknownOperator, message, known);
            }
            found
        });
        examples(&entry.examples, operator, None, context);
        self.goals(&entry.goals, context);
        Erratum {
            id: entry.id.value.clone(),
            line: entry.at,
            title: entry.title.value.clone(),
            references: references(&entry.references, profile, context),
            says: entry.says.value.clone(),
            ruling: entry.ruling.value.clone(),
            why: entry.why.value.clone(),
            asks: entry.asks.value.clone(),
            operator: entry.operator.as_ref().map(|operator| operator.value.clone()),
            examples: values(&entry.examples),
            goals: values(&entry.goals),
            tests: tests(&entry.tests, context),
        }
    }
}

/// What the checks of a rule need to know about its file.
#[derive(Clone, Copy)]
struct Of<'a> {
    file: &'a str,
    profile: Option<&'a Profile>,
    operator: Option<&'a Operator>,
    version: Option<&'a Version>,
    variants: &'a [&'a str],
}

fn values(names: &[Spanned<String>]) -> Vec<String> {
    names.iter().map(|name| name.value.clone()).collect()
}

fn sentence(text: &Spanned<String>, what: &str, context: &mut Context<'_>) {
    if text.at != NOWHERE && text.trim().is_empty() {
        context.error_help(text.at, Code::EmptyText, format!("the {what} is empty"), "write a sentence");
    }
}

fn empty<T>(list: &Spanned<Vec<T>>, what: &str, context: &mut Context<'_>) {
    if list.at != NOWHERE && list.is_empty() && !context.left_out.entry_of(list.at) {
        context.error_help(list.at, Code::EmptyList, format!("there is no {what}"), "give at least one");
    }
}

fn unique<'n>(names: impl Iterator<Item = &'n Spanned<String>>, what: &str, context: &mut Context<'_>) {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(&name.value) {
            context.error(name.at, Code::DuplicateName, format!("there is {what} `{}` already", name.value));
        }
    }
}

fn source(id: &Spanned<String>, profile: Option<&Profile>, context: &mut Context<'_>) {
    let Some(profile) = profile else { return };
    if id.at != NOWHERE && !profile.sources.iter().any(|(source, _)| *source == id.value) {
        let known = profile.sources.iter().map(|(source, _)| &**source);
        context.unknown(id, Code::UnknownSource, format!("there is no source `{}`", id.value), known);
    }
}

fn references(
    list: &Spanned<Vec<Spanned<ReferenceEntry>>>,
    profile: Option<&Profile>,
    context: &mut Context<'_>,
) -> Vec<(String, String)> {
    empty(list, "reference", context);
    list.iter().for_each(|reference| source(&reference.source, profile, context));
    list.iter().map(|reference| (reference.source.value.clone(), reference.value.at.clone())).collect()
}

fn tests(list: &Spanned<Vec<Spanned<String>>>, context: &mut Context<'_>) -> Vec<String> {
    empty(list, "test", context);
    for test in &list.value {
        let form = test.rsplit_once("::").is_some_and(|(file, name)| file.contains('.') && !name.is_empty());
        if !form {
            context.error_help(test.at, Code::NameForm, format!("`{}` does not name a test", test.value), TEST_HELP);
        }
    }
    values(list)
}

/// Checks that an input or output exists in a version.
fn parameter(name: &Spanned<String>, version: &Version, context: &mut Context<'_>) {
    let mut known = version.inputs.iter().chain(&version.outputs).map(|parameter| &*parameter.name);
    if !known.clone().any(|known| known == name.value) {
        let message = format!("version {} has no input or output `{}`", version.since, name.value);
        context.unknown(name, Code::UnknownArgument, message, known.by_ref());
    }
}

/// Checks that an attribute exists in a version and is an INT.
fn attribute(name: &Spanned<String>, version: &Version, context: &mut Context<'_>) {
    let known = version.attributes.iter().filter(|attribute| attribute.kind == AttributeKind::Int);
    let known = known.map(|attribute| &*attribute.name);
    if !known.clone().any(|known| known == name.value) {
        let message = format!("version {} has no INT attribute `{}`", version.since, name.value);
        context.unknown(name, Code::UnknownArgument, message, known);
    }
}

/// Checks that examples exist and apply to the version, if one is passed.
fn examples(names: &[Spanned<String>], operator: Option<&Operator>, since: Option<u32>, context: &mut Context<'_>) {
    let of = operator.map(|operator| &*operator.examples).unwrap_or_default();
    let holding = of.iter().filter(|example| since.is_none_or(|since| example.holds_for(since)));
    let known: Vec<&str> = holding.map(|example| &*example.name).collect();
    for name in names {
        if !known.contains(&&*name.value) {
            let message = format!("the operator has no example `{}` that holds here", name.value);
            context.unknown(name, Code::UnknownExample, message, known.iter().copied());
        }
    }
}

/// The family of the rule for the first output of a version.
fn family(version: &Version, context: &Context<'_>) -> Option<String> {
    let call = version.rules.first()?.dims.as_ref()?.calls().first().copied()?;
    context.tables.family_of(&call.rule).map(|family| family.name.clone())
}

/// The name of a YAML file, without its extension.
pub(super) fn stem(file: &str) -> Option<&str> {
    file.rsplit('/').next()?.strip_suffix(".yaml")
}
