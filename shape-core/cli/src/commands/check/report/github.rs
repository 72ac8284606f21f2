//! Findings and verdicts as workflow commands of GitHub Actions. A model has no lines, so the text names the node.

use std::io::{self, Write};

use super::entry::entries;
use super::{Checked, End, Report};
use crate::github::Annotation;

pub(super) struct Github;

impl Report for Github {
    fn checked(&mut self, mut out: &mut dyn Write, model: Checked) -> io::Result<()> {
        let file = &*model.path.to_string_lossy();
        entries(&model).iter().try_for_each(|entry| {
            let (severity, title, text) = (entry.severity, entry.code, &*entry.text());
            Annotation { severity, file, position: None, title, text }.write(&mut out)
        })
    }

    fn end(self: Box<Self>, _: &mut dyn Write, _: End) -> io::Result<()> {
        Ok(())
    }
}
