//! The known findings of one model.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use shape_model::Finding;

use super::key::Key;

/// How often each finding is known, and how many more like it were not listed.
#[derive(Clone, Debug, Default)]
pub(super) struct Known(BTreeMap<Key, Number>);

#[derive(Clone, Copy, Debug, Default)]
struct Number {
    listed: usize,
    more: usize,
}

/// Findings that are counted together once some of them are not listed.
type Kind = (String, Option<String>);

/// A known finding that was not found.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Stale {
    /// The code.
    pub(crate) code: String,
    /// The graph; empty for the model as a whole.
    pub(crate) graph: String,
    /// The operator, if it is about a node.
    pub(crate) operator: Option<String>,
    /// The message.
    pub(crate) message: String,
    /// How many are gone.
    pub(crate) count: usize,
}

impl Known {
    pub(super) fn add(&mut self, key: Key, listed: usize, more: usize) {
        let number = self.0.entry(key).or_default();
        number.listed = number.listed.saturating_add(listed);
        number.more = number.more.saturating_add(more);
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = (&Key, usize, usize)> {
        self.0.iter().map(|(key, number)| (key, number.listed, number.more))
    }

    /// Removes the known findings from `findings`. First those that are listed here and there; then those of kinds that
    /// have more than were listed, by their number.
    pub(super) fn take_out(&mut self, findings: &mut Vec<Finding>) -> Vec<Finding> {
        let listed = |finding: Finding, known: &mut Self| {
            let entry = known.0.get_mut(&Key::of(&finding));
            let is_known = entry.is_some_and(|known| take(&mut known.listed, 1) == 1);
            (finding, is_known)
        };
        let left: Vec<_> = findings.drain(..).map(|finding| listed(finding, self)).collect();
        let pools = self.pools();
        let mut taken = Vec::new();
        for (finding, is_known) in left {
            let pool = pools.get(&kind(&Key::of(&finding)));
            let wanted = finding.more + usize::from(!is_known);
            let drawn = pool.map_or(0, |pool| self.draw(pool, wanted));
            taken.extend(of_number(&finding, drawn + usize::from(is_known)));
            findings.extend(of_number(&finding, wanted - drawn));
        }
        taken
    }

    /// The kinds that have more than were listed, with their entries.
    fn pools(&self) -> HashMap<Kind, Vec<Key>> {
        let mut pools: HashMap<Kind, Vec<Key>> = HashMap::new();
        for key in self.0.iter().filter(|(_, known)| known.more > 0).map(|(key, _)| key) {
            pools.entry(kind(key)).or_default();
        }
        for key in self.0.keys() {
            if let Some(pool) = pools.get_mut(&kind(key)) {
                pool.push(key.clone());
            }
        }
        pools
    }

    /// Takes up to `wanted` of what is left of these entries.
    fn draw(&mut self, pool: &[Key], wanted: usize) -> usize {
        let mut drawn = 0;
        for key in pool {
            drawn += self.0.get_mut(key).map_or(0, |known| take(&mut known.more, wanted - drawn));
        }
        for key in pool {
            drawn += self.0.get_mut(key).map_or(0, |known| take(&mut known.listed, wanted - drawn));
        }
        drawn
    }

    /// What is left.
    pub(super) fn rest(&self) -> Vec<Stale> {
        let left = self.0.iter().filter(|(_, known)| known.listed + known.more > 0);
        left.map(|(key, known)| Stale {
            code: key.code.clone(),
            graph: key.graph.clone(),
            operator: key.operator.clone(),
            message: key.message.clone(),
            count: known.listed + known.more,
        })
        .collect()
    }
}

/// The finding for so many of its kind; none if there are none.
fn of_number(finding: &Finding, number: usize) -> Option<Finding> {
    let more = number.checked_sub(1)?;
    Some(Finding { more, same: finding.same.min(more), ..finding.clone() })
}

fn kind(key: &Key) -> Kind {
    (key.code.clone(), key.operator.clone())
}

/// Takes up to `wanted` of a number.
fn take(number: &mut usize, wanted: usize) -> usize {
    let taken = wanted.min(*number);
    *number -= taken;
    taken
}

#[cfg(test)]
mod tests {
    use shape_core::code::Code;
    use shape_model::NodeRef;

    use super::*;

    fn finding(message: &str, index: usize, more: usize) -> Finding {
        let node = NodeRef { index, name: String::new(), op_type: "Add".into(), domain: "ai.onnx".into() };
        Finding {
            code: Code::ValueUndefined,
            graph: "graph".into(),
            node: Some(node),
            message: message.into(),
            expected: None,
            found: None,
            help: None,
            of_declaration: false,
            more,
            same: more,
            severity_override: None,
            fix: None,
        }
    }

    /// Each case: what is known, what is found, what is taken out, what is left of the findings, and what is gone.
    #[test]
    fn what_is_known() {
        type Found = Vec<(&'static str, usize)>;
        let cases: &[(Found, Found, usize, Found, usize)] = &[
            (vec![("a", 0)], vec![("a", 0)], 1, vec![], 0),
            (vec![("a", 0)], vec![("b", 0)], 0, vec![("b", 0)], 1),
            (vec![("a", 0), ("a", 0)], vec![("a", 0)], 1, vec![], 1),
            (vec![("a", 0)], vec![("a", 0), ("a", 0)], 1, vec![("a", 0)], 0),
            // One more than before, which is not listed.
            (vec![("a", 0)], vec![("a", 1)], 1, vec![("a", 0)], 0),
            (vec![("a", 5)], vec![("a", 5)], 6, vec![], 0),
            (vec![("a", 5)], vec![("a", 7)], 6, vec![("a", 1)], 0),
            (vec![("a", 5)], vec![("a", 2)], 3, vec![], 3),
            // The first was mended, so that one is listed that was not before.
            (vec![("a", 0), ("b", 5)], vec![("b", 0), ("c", 4)], 6, vec![], 1),
            (vec![("a", 0), ("b", 5)], vec![("b", 0), ("c", 9)], 7, vec![("c", 3)], 0),
        ];
        for (before, now, taken, left, gone) in cases {
            let mut known = Known::default();
            for (message, more) in before {
                known.add(Key::of(&finding(message, 0, 0)), 1, *more);
            }
            let mut findings: Vec<_> = now.iter().map(|(message, more)| finding(message, 7, *more)).collect();
            let found: usize = known.take_out(&mut findings).iter().map(|finding| 1 + finding.more).sum();
            assert_eq!(found, *taken, "{before:?} {now:?}");
            let rest: Vec<_> = findings.iter().map(|finding| (&*finding.message, finding.more)).collect();
            assert_eq!(rest, *left, "{before:?} {now:?}");
            assert_eq!(known.rest().iter().map(|stale| stale.count).sum::<usize>(), *gone, "{before:?} {now:?}");
        }
    }
}
