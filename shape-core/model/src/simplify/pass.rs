//! A pass: one kind of rewrite, such as the removal of nodes that nothing reads.

use super::draft::Draft;

/// A pass: a kind of rewrite that leaves what a model computes as it is.
#[derive(Clone, Copy)]
pub struct Pass {
    /// Its name, as it is selected and reported.
    pub name: &'static str,
    /// One sentence: what it does.
    pub summary: &'static str,
    /// Rewrites a draft, and returns the number of rewrites.
    pub(super) run: fn(&mut Draft<'_, '_>) -> usize,
}

impl std::fmt::Debug for Pass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Pass {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
