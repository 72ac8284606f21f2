//! The part of `README.md` that lists what may be written in dimensions, relations and adapters, the rules, and what
//! their parameters take.
//!
//! After a change of them: `cargo bless terms`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use shape_specs::signature::{Gives, RuleParameterKind};
use shape_specs::{Tables, adapter, relation, terms};

const BEGIN: &str = "<!-- Written by `cargo bless terms`. -->\n";
const END: &str = "<!-- The end of what is written. -->\n";

fn listed() -> String {
    let mut text = "\n| term | what it is |\n|---|---|\n".to_owned();
    for (form, meaning) in terms::FORMS {
        writeln!(text, "| `{form}` | {meaning} |").unwrap();
    }
    text += "\n| relation in `requires` and in the conditions of an `adapter` | what it is |\n|---|---|\n";
    for (form, meaning) in relation::FORMS {
        writeln!(text, "| `{form}` | {meaning} |").unwrap();
    }
    text += "\n| in an `adapter` alone | what it is |\n|---|---|\n";
    for (form, meaning) in adapter::forms() {
        writeln!(text, "| `{form}` | {meaning} |").unwrap();
    }
    text += "\nThe rules, by family. One with a * gives elements too, or elements alone. `?` \
             marks a parameter that may be left out, `= 1` says what it is then, and `...` takes all further inputs.\n";
    for family in &Tables::builtin().unwrap().families {
        writeln!(text, "\n**`{}`**: {}\n", family.name, family.doc).unwrap();
        for rule in &family.rules {
            let mark = if rule.gives(Gives::Elements) { "*" } else { "" };
            writeln!(text, "- `{rule}`{mark} {}", rule.doc).unwrap();
        }
    }
    text += "\n| parameter | what it is | what may stand for it |\n|---|---|---|\n";
    for kind in RuleParameterKind::ALL {
        let accepts = kind.accepts().replace("SPARSE_TENSOR", "`SPARSE_TENSOR`").replace("TYPE_PROTO", "`TYPE_PROTO`");
        writeln!(text, "| `{}` | {} | {accepts} |", kind.name(), kind.doc()).unwrap();
    }
    text + "\n"
}

#[test]
fn the_page_lists_all_terms_and_rules() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    shape_bless::expect(&path, &format!("{before}{BEGIN}{}{END}{after}", listed()));
}
