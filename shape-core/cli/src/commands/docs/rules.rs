//! The pages of the rules that descriptors call, and of the language of dimensions, relations and adapters.

use askama::Template;
use shape_specs::signature::{Family, Gives, Signature};
use shape_specs::{adapter, relation, terms};

use super::frame::{File, Frame, Link};
use super::site::{Site, link};
use crate::commands::explain::dims_rule::{calls, explained};

#[derive(Template)]
#[template(path = "docs/rules.html")]
struct Page<'s> {
    frame: Frame,
    families: Vec<(&'s Family, Vec<Row<'s>>)>,
}

/// A rule, and the operators that call it.
struct Row<'s> {
    rule: &'s Signature,
    gives: String,
    parameters: Vec<String>,
    called_by: Vec<Link>,
}

/// What may be written, each with its meaning.
type Forms = Vec<(&'static str, &'static str)>;

#[derive(Template)]
#[template(path = "docs/terms.html")]
struct Terms {
    frame: Frame,
    sections: [(&'static str, &'static str, &'static str, Forms); 3],
}

pub(super) fn files(site: &Site<'_>) -> Result<Vec<File>, String> {
    let row = |rule| {
        let rule: &Signature = rule;
        let gives =
            [(Gives::Dims, "dimensions"), (Gives::Elements, "elements"), (Gives::MultiplyAdds, "multiply-adds")];
        let gives: Vec<&str> = gives.into_iter().filter_map(|(what, name)| rule.gives(what).then_some(name)).collect();
        Row {
            rule,
            gives: gives.join(" and "),
            parameters: rule.parameters.iter().map(explained).collect(),
            called_by: site.all().filter(|operator| calls(operator, &rule.name)).map(link).collect(),
        }
    };
    let families = site.tables.families.iter().map(|family| (family, family.rules.iter().map(row).collect()));
    let page = Page {
        frame: Frame::new("rules", "Rules", "The rules that compute dimensions and elements of outputs"),
        families: families.collect(),
    };
    let language = Terms {
        frame: Frame::new(
            "rules/terms",
            "The language of dimensions",
            "What dimensions, relations and adapters contain",
        )
        .below([Link::new("rules", "Rules")]),
        sections: [
            (
                "Dimensions",
                "dimensions",
                "A descriptor lists the dimensions of an output one by one, as in `[X[0], 2*X[1], ...X[2:]]`.",
                terms::FORMS.to_vec(),
            ),
            (
                "Relations",
                "relations",
                "A node must meet the relations of its version, as in `X[1] % group == 0`.",
                relation::FORMS.to_vec(),
            ),
            (
                "Adapters",
                "adapters",
                "The actions that convert a node have conditions and values of the same kinds, as in `axis == rank(X) - 1`. They may name outputs like inputs, and they alone may have these too.",
                adapter::forms(),
            ),
        ],
    };
    Ok(vec![Frame::page("rules", &page)?, Frame::page("rules/terms", &language)?])
}
