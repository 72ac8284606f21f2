//! `shape explain RULE`, `rules` and `terms`: how a descriptor says what the dimensions and elements of outputs are.

use std::io::{self, Write};

use serde::Serialize;
use shape_specs::operator::Operator;
use shape_specs::rules::{Call, DimsRule, OutputRule};
use shape_specs::signature::{Family, Gives, RuleParameter, RuleParameterKind, RuleParameterPresence, Signature};
use shape_specs::{DESCRIPTORS, Scope, Tables, adapter, relation, resolve_all, terms};

use crate::descriptors::builtin_tables;
use crate::json::{self, SCHEMA_VERSION};
use crate::options::Format;
use crate::render::{FAINT, STRONG, hanging};
use crate::terminal::{Done, Exit, Terminal};

/// What to explain.
#[derive(Clone, Copy)]
pub(super) enum Subject {
    /// `rules`: all rules, by family.
    Rules(&'static Tables),
    /// One rule, and its family.
    Rule(&'static Family, &'static Signature),
    /// `terms`: what dimensions, relations and adapters may contain.
    Terms,
}

/// The subject with a name: a rule, or one of the two lists.
pub(super) fn find(name: &str, terminal: &mut Terminal) -> Result<Option<Subject>, Exit> {
    let tables = builtin_tables(terminal)?;
    let rule = || tables.rules().find(|rule| rule.name == name);
    Ok(match name {
        "rules" => Some(Subject::Rules(tables)),
        "terms" => Some(Subject::Terms),
        name => tables.family_of(name).zip(rule()).map(|(family, rule)| Subject::Rule(family, rule)),
    })
}

#[derive(Serialize)]
struct Report<'r> {
    schema_version: u32,
    codes: [(); 0],
    dims_rules: Vec<Entry<'r>>,
    terms: Vec<Form>,
    relations: Vec<Form>,
    adapters: Vec<Form>,
}

#[derive(Serialize)]
struct Entry<'r> {
    name: &'r str,
    call: String,
    doc: &'r str,
    gives: Vec<&'static str>,
    family: &'r str,
    file: String,
    called_by: Vec<String>,
}

#[derive(Serialize)]
struct Form {
    form: &'static str,
    meaning: &'static str,
}

impl<'r> Entry<'r> {
    fn new(family: &'r Family, rule: &'r Signature, operators: &[Operator]) -> Self {
        Self {
            name: &rule.name,
            call: rule.to_string(),
            doc: &rule.doc,
            gives: [(Gives::Dims, "dims"), (Gives::Elements, "elements"), (Gives::MultiplyAdds, "multiply-adds")]
                .into_iter()
                .filter_map(|(what, name)| rule.gives(what).then_some(name))
                .collect(),
            family: &family.name,
            file: format!("shape-core/src/rules/{}.rs", family.name),
            called_by: operators.iter().filter(|operator| calls(operator, &rule.name)).map(path).collect(),
        }
    }
}

/// Whether a version of an operator calls a rule.
pub(crate) fn calls(operator: &Operator, rule: &str) -> bool {
    let is = |call: &Call| call.rule == rule;
    let in_dims = |of: &OutputRule| of.dims.iter().flat_map(DimsRule::calls).any(is);
    let of_versions = operator.versions.iter().flat_map(|version| &version.rules);
    of_versions.into_iter().any(|of| in_dims(of) || of.elements.as_ref().is_some_and(is))
}

fn path(operator: &Operator) -> String {
    match &*operator.domain {
        "ai.onnx" => operator.name.clone(),
        domain => format!("{domain}::{}", operator.name),
    }
}

pub(super) fn run(format: Format, subject: Subject, terminal: &mut Terminal) -> Done {
    if format == Format::Json {
        return json(subject, terminal);
    }
    let out = terminal.out();
    match subject {
        Subject::Rules(tables) => {
            for family in &tables.families {
                writeln!(out, "{STRONG}{}{STRONG:#}: {}", family.name, family.doc)?;
                for rule in &family.rules {
                    hanging(out, "  ", &rule.to_string())?;
                    hanging(out, "      ", &rule.doc)?;
                }
                writeln!(out)?;
            }
            writeln!(out, "{STRONG}Parameters{STRONG:#}; `?` marks an optional one")?;
            let width = RuleParameterKind::ALL.iter().map(|kind| kind.name().len()).max().unwrap_or_default();
            for kind in RuleParameterKind::ALL {
                hanging(out, &format!("  {:width$}  ", kind.name()), &meaning(*kind))?;
            }
        }
        Subject::Rule(family, rule) => {
            let Entry { call, doc, gives, file, called_by, .. } = Entry::new(family, rule, &operators(terminal)?);
            let out = terminal.out();
            writeln!(out, "{STRONG}{call}{STRONG:#}\n")?;
            hanging(out, "", doc)?;
            writeln!(out)?;
            let mut facts = vec![("gives", gives.join(" and "))];
            facts.extend(rule.parameters.iter().map(|parameter| ("parameter", explained(parameter))));
            facts.push(("family", format!("{}: {}", family.name, family.doc)));
            facts.push(("defined in", file));
            facts.push(("called by", called_by.join(", ")));
            let mut last = "";
            for (name, fact) in &facts {
                let shown = if *name == last { "" } else { name };
                hanging(out, &format!("{FAINT}{shown:<10}{FAINT:#}  "), fact)?;
                last = name;
            }
        }
        Subject::Terms => {
            hanging(
                out,
                "",
                "A descriptor can also list the dimensions itself, as in `dims: \"[X[0], 2*X[1], ...X[2:]]\"`:",
            )?;
            writeln!(out)?;
            forms(out, terms::FORMS)?;
            writeln!(out)?;
            hanging(out, "", "A node must meet the relations in `requires`, as in `that: \"X[1] % group == 0\"`:")?;
            writeln!(out)?;
            forms(out, relation::FORMS)?;
            writeln!(out)?;
            hanging(
                out,
                "",
                "The actions of an `adapter` have conditions and values of the same kinds, as in `when: \"axis == \
                 rank(X) - 1\"`. They may name outputs like inputs, and they alone may have these too:",
            )?;
            writeln!(out)?;
            forms(out, &adapter::forms())?;
        }
    }
    Ok(Exit::Clean)
}

/// What may be written, each with its meaning.
fn forms(out: &mut impl Write, forms: &[(&str, &str)]) -> io::Result<()> {
    let width = forms.iter().map(|(form, _)| form.len()).max().unwrap_or_default();
    forms.iter().try_for_each(|(form, meaning)| hanging(out, &format!("{STRONG}{form:width$}{STRONG:#}  "), meaning))
}

/// A parameter, explained in a sentence.
pub(crate) fn explained(parameter: &RuleParameter) -> String {
    let absent = match parameter.presence {
        RuleParameterPresence::Required => String::new(),
        RuleParameterPresence::Optional => ", optional".to_owned(),
        RuleParameterPresence::Default(number) => format!(", by default {number}"),
        RuleParameterPresence::Variadic => ", any number of them".to_owned(),
    };
    format!("{}{absent}: {}", parameter.name, meaning(parameter.kind))
}

/// What a kind of parameter is, and which arguments it accepts.
fn meaning(kind: RuleParameterKind) -> String {
    match kind.attributes() {
        [] => kind.doc().to_owned(),
        _ => format!("{}: {}.", kind.doc().trim_end_matches('.'), kind.accepts()),
    }
}

fn operators(terminal: &mut Terminal) -> Result<Vec<Operator>, Exit> {
    let tables = builtin_tables(terminal)?;
    resolve_all(DESCRIPTORS.iter().copied(), tables, Scope::Facts)
        .map_err(|(_, errors)| terminal.fail_on_specs(&errors))
}

fn json(subject: Subject, terminal: &mut Terminal) -> Done {
    let mut report = Report {
        schema_version: SCHEMA_VERSION,
        codes: [],
        dims_rules: Vec::new(),
        terms: Vec::new(),
        relations: Vec::new(),
        adapters: Vec::new(),
    };
    let operators = match subject {
        Subject::Terms => Vec::new(),
        Subject::Rules(_) | Subject::Rule(..) => operators(terminal)?,
    };
    match subject {
        Subject::Rules(tables) => {
            let rules = tables.families.iter().flat_map(|family| family.rules.iter().map(move |rule| (family, rule)));
            report.dims_rules = rules.map(|(family, rule)| Entry::new(family, rule, &operators)).collect();
        }
        Subject::Rule(family, rule) => report.dims_rules.push(Entry::new(family, rule, &operators)),
        Subject::Terms => {
            let forms = |forms: &[_]| forms.iter().map(|&(form, meaning)| Form { form, meaning }).collect();
            (report.terms, report.relations) = (forms(terms::FORMS), forms(relation::FORMS));
            report.adapters = forms(&adapter::forms());
        }
    }
    json::write(terminal.out(), &report)?;
    Ok(Exit::Clean)
}
