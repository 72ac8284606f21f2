//! The errata of a profile: where its documents contradict each other or leave something open, for their authors.

use std::io::{self, Write};

use shape_specs::profile::{Erratum, Profile};

/// Writes the errata as a Markdown page.
pub(super) fn markdown(out: &mut impl Write, profile: &Profile) -> io::Result<()> {
    let Profile { name, title, version, sources, errata, .. } = profile;
    writeln!(out, "# {title}: errata\n")?;
    writeln!(
        out,
        "Written by `shape profile errata {name}` from `errata.yaml`; edit that, not this page.\n\n\
         Version {version}. This page lists where the documents of the profile contradict themselves or each other,\n\
         or leave something open. Each entry says what this project does, why, and what it asks the authors.\n\
         It names the tests, the examples of the operator's descriptor (which are tests too), and the goals\n\
         of the formal specification that show it.\n"
    )?;
    writeln!(out, "The documents:\n")?;
    for (id, title) in sources {
        writeln!(out, "- **{id}**: {title}")?;
    }
    for erratum in errata {
        entry(out, erratum)?;
    }
    Ok(())
}

fn entry(out: &mut impl Write, erratum: &Erratum) -> io::Result<()> {
    let Erratum { id, title, references, says, ruling, why, asks, operator, examples, goals, tests, .. } = erratum;
    writeln!(out, "\n## {id}: {title}\n")?;
    for (source, at) in references {
        writeln!(out, "- {source}: {at}")?;
    }
    writeln!(out, "\n{}\n", says.trim_end())?;
    writeln!(out, "**Here:** {}\n", ruling.trim_end())?;
    writeln!(out, "**Reason:** {}\n", why.trim_end())?;
    writeln!(out, "**Request to the authors:** {}\n", asks.trim_end())?;
    write!(out, "Shown by:")?;
    let operator = operator.as_deref().unwrap_or_default();
    let examples = examples.iter().map(|example| format!("specs/ai.onnx/{operator}.yaml::{example}"));
    let all = tests.iter().cloned().chain(examples).chain(goals.iter().cloned());
    let all: Vec<String> = all.map(|shown| format!("`{shown}`")).collect();
    writeln!(out, " {}.", all.join(", "))
}
