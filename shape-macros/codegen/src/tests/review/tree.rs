//! What a version has, as a tree of lines: whole, or as what differs from another one.

use std::collections::BTreeSet;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::tests::WIDTH;

/// A line, and what stands below it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entry {
    /// What makes it the same entry in another version: its name, or all of its line.
    key: String,
    /// The line without what stands before it; none for an entry that only holds others.
    line: String,
    below: Vec<Entry>,
    /// Of an entry that allows types: the types, and whether a name stands for them.
    types: Option<(BTreeSet<(usize, String)>, bool)>,
    /// Whether the entry is shown whole, whatever stood in the version before.
    always: bool,
    /// Whether it is a sentence about the entry that it is below.
    is_sentence: bool,
}

impl Entry {
    /// An entry that has a name, and a line that may change.
    pub(super) fn named(key: impl Into<String>, line: impl Into<String>) -> Self {
        Self { key: key.into(), line: line.into(), ..Self::default() }
    }

    /// An entry that is another one when its line changes.
    pub(super) fn line(line: impl Into<String>) -> Self {
        let line = line.into();
        Self { key: line.clone(), line, ..Self::default() }
    }

    pub(super) fn with(mut self, below: impl IntoIterator<Item = Self>) -> Self {
        self.below.extend(below);
        self
    }

    /// With the types that it allows, by their numbers.
    pub(super) fn allowing(mut self, types: BTreeSet<(usize, String)>, named: bool) -> Self {
        self.types = Some((types, named));
        self
    }

    /// Belongs to the step between two versions, and not to the version.
    pub(super) fn of_a_step(mut self) -> Self {
        self.always = true;
        self
    }

    /// All of it.
    pub(super) fn whole(entries: &[Self], page: &mut String) {
        entries.iter().for_each(|entry| entry.print(' ', 0, page));
    }

    fn print(&self, sign: char, depth: usize, page: &mut String) {
        // One sentence stands behind what it is about where there is room.
        if let [Self { line, is_sentence: true, .. }] = &*self.below {
            let line = format!("{} -- {line}", self.line);
            if 2 + 2 * depth + line.chars().count() <= WIDTH {
                return print(sign, depth, &line, page);
            }
        }
        print(sign, depth, &self.line, page);
        self.below.iter().for_each(|entry| entry.print(sign, depth + 1, page));
    }

    /// What changes from one list of entries to the other.
    pub(super) fn changes(before: &[Self], after: &[Self], page: &mut String) {
        between(before, after, 0, page);
    }

    fn change(&self, after: &Self, depth: usize, page: &mut String) {
        if after.always {
            return after.print('+', depth, page);
        }
        if self == after {
            return;
        }
        if let (Some((before, _)), Some((now, false))) = (&self.types, &after.types)
            && before != now
        {
            print(' ', depth, &format!("{}:", after.key), page);
            for (sign, types) in [('-', before.difference(now)), ('+', now.difference(before))] {
                let types: Vec<&str> = types.map(|(_, name)| &**name).collect();
                if !types.is_empty() {
                    print(sign, depth + 1, &types.join(", "), page);
                }
            }
            let sentences =
                |entry: &Self| entry.below.iter().filter(|of| of.types.is_none()).cloned().collect::<Vec<_>>();
            return between(&sentences(self), &sentences(after), depth + 1, page);
        }
        if self.line == after.line {
            print(' ', depth, &after.line, page);
        } else {
            print('-', depth, &self.line, page);
            print('+', depth, &after.line, page);
        }
        between(&self.below, &after.below, depth + 1, page);
    }
}

fn between(before: &[Entry], after: &[Entry], depth: usize, page: &mut String) {
    let keys = |entries: &[Entry]| entries.iter().map(|entry| entry.key.clone()).collect::<Vec<_>>();
    for operation in capture_diff_slices(Algorithm::Myers, &keys(before), &keys(after)) {
        if let DiffOp::Equal { .. } = operation {
            for (old, new) in operation.old_range().zip(operation.new_range()) {
                before[old].change(&after[new], depth, page);
            }
            continue;
        }
        for entry in before[operation.old_range()].iter().filter(|entry| !entry.always) {
            // That it is gone says enough.
            print('-', depth, &entry.line, page);
        }
        after[operation.new_range()].iter().for_each(|entry| entry.print('+', depth, page));
        let is_inserted = !operation.new_range().is_empty() && depth > 0;
        if let Some(next) = after.get(operation.new_range().end).filter(|next| is_inserted && !next.below.is_empty()) {
            // It stands before this one.
            print(' ', depth, &format!("{} ...", next.key), page);
        }
    }
}

/// A line at its depth, wrapped between words.
fn print(sign: char, depth: usize, line: &str, page: &mut String) {
    let indent = 2 * depth;
    let mut start = format!("{sign} {:indent$}", "");
    let mut rest = line;
    loop {
        let room = WIDTH - start.len();
        let fits = rest.chars().count() <= room;
        let end = rest.char_indices().nth(room + 1).map_or(rest.len(), |(end, _)| end);
        let cut = if fits { None } else { rest[..end].rfind(' ').filter(|cut| *cut > 0) };
        let (now, later) = cut.map_or((rest, ""), |cut| (&rest[..cut], rest[cut..].trim_start()));
        page.push_str(format!("{start}{now}").trim_end());
        page.push('\n');
        if later.is_empty() {
            return;
        }
        start = format!("{sign} {:indent$}    ", "");
        rest = later;
    }
}

/// The sentences of a text, each an entry.
pub(super) fn sentences(text: &str) -> Vec<Entry> {
    let mut sentences = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim();
        while let Some(end) = rest
            .match_indices(['.', '?', '!'])
            .map(|(at, end)| at + end.len())
            .find(|end| rest[*end..].starts_with(' ') && !rest[end + 1..].starts_with(char::is_lowercase))
        {
            sentences.push(sentence(&rest[..end]));
            rest = rest[end..].trim_start();
        }
        if !rest.is_empty() {
            sentences.push(sentence(rest));
        }
    }
    sentences
}

fn sentence(text: &str) -> Entry {
    Entry { is_sentence: true, ..Entry::line(text) }
}
