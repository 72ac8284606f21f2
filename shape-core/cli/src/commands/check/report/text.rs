//! Findings and verdicts as text to read.

use std::io::{self, Write};

use super::{Checked, End, Report};
use crate::causes;
use crate::commands::check::fix;
use crate::commands::check::profile_report::{SelectedProfile, write_text};

pub(super) struct Text<'p> {
    pub(super) profile: Option<&'p SelectedProfile>,
    /// Whether the findings are counted and not listed.
    pub(super) statistics: bool,
}

impl Report for Text<'_> {
    fn checked(&mut self, mut out: &mut dyn Write, model: Checked) -> io::Result<()> {
        model.fixes.iter().flatten().try_for_each(|fix| fix::write_text(&mut out, &model.path, fix))?;
        if !self.statistics {
            causes::write(&mut out, &model.path, &model.findings)?;
        }
        match self.profile.zip(model.judged) {
            Some((selected, judged)) => write_text(&mut out, selected, &judged),
            None => Ok(()),
        }
    }

    fn end(self: Box<Self>, out: &mut dyn Write, end: End) -> io::Result<()> {
        end.statistics.map_or(Ok(()), |statistics| statistics.write(out))
    }
}
