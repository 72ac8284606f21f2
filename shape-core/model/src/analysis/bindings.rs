//! Which value each name stands for, in the graph that is being walked and in the graphs around it.

use crate::file::{Model, Name};

/// Maps the names in the current graph and the graphs around it to values.
#[derive(Debug)]
pub(super) struct Bindings {
    /// By name.
    bound: Vec<Bound>,
    /// The former bindings of the names that were bound in the open graphs.
    before: Vec<(Name, Bound)>,
    /// For each open graph, outermost first, how many entries `before` had when it was opened.
    open: Vec<usize>,
    /// The number of open graphs that cannot be seen: the body of a function does not see the names around its call.
    hidden: usize,
}

/// A value, and the number of graphs that were open when it was bound; none for a name that stands for nothing.
#[derive(Clone, Copy, Debug, Default)]
struct Bound {
    value: u32,
    depth: u32,
}

impl Bindings {
    pub(super) fn of(model: &Model) -> Self {
        let bound = vec![Bound::default(); model.name_count()];
        Self { bound, before: Vec::new(), open: Vec::new(), hidden: 0 }
    }

    /// The number of open graphs, those around calls included.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Opens a graph.
    pub(super) fn open(&mut self) {
        self.open.push(self.before.len());
    }

    /// Closes the graph that was opened last: its names stand again for what they stood for before.
    pub(super) fn close(&mut self) {
        let start = self.open.pop().unwrap_or_default();
        for (name, before) in self.before.drain(start..).rev() {
            if let Some(bound) = self.bound.get_mut(name.index()) {
                *bound = before;
            }
        }
    }

    /// Opens the body of a function. Returns what [`Bindings::close_call`] needs.
    pub(super) fn open_call(&mut self) -> usize {
        let hidden = std::mem::replace(&mut self.hidden, self.open.len());
        self.open();
        hidden
    }

    pub(super) fn close_call(&mut self, hidden: usize) {
        self.close();
        self.hidden = hidden;
    }

    fn bound(&self, name: Name) -> Bound {
        self.bound.get(name.index()).copied().unwrap_or_default()
    }

    /// The value with a name, in the current graph or one around it.
    pub(super) fn get(&self, name: Name) -> Option<u32> {
        let Bound { value, depth } = self.bound(name);
        (depth as usize > self.hidden).then_some(value)
    }

    /// The value with a name in the current graph.
    pub(super) fn here(&self, name: Name) -> Option<u32> {
        let Bound { value, depth } = self.bound(name);
        (depth as usize == self.open.len() && depth > 0).then_some(value)
    }

    /// Binds a name in the current graph.
    pub(super) fn bind(&mut self, name: Name, value: u32) {
        let depth = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
        if let Some(bound) = self.bound.get_mut(name.index()) {
            self.before.push((name, std::mem::replace(bound, Bound { value, depth })));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::proto::{GraphProto, ModelProto, NodeProto};

    #[test]
    fn a_graph_sees_what_is_around_it_and_a_function_does_not() {
        let node = NodeProto { input: vec!["a".to_owned(), "b".to_owned()], ..NodeProto::default() };
        let graph = GraphProto { node: vec![node], ..GraphProto::default() };
        let model = Model::of(&ModelProto { graph: Some(graph), ..ModelProto::default() }).unwrap();
        let [a, b] = ["a", "b"].map(|name| model.name(name).unwrap());
        let mut bindings = Bindings::of(&model);
        let seen = |bindings: &Bindings| [a, b].map(|name| (bindings.get(name), bindings.here(name)));
        bindings.open();
        bindings.bind(a, 0);
        assert_eq!(seen(&bindings), [(Some(0), Some(0)), (None, None)]);
        bindings.open();
        assert_eq!(seen(&bindings), [(Some(0), None), (None, None)]);
        bindings.bind(a, 1);
        bindings.bind(b, 2);
        assert_eq!(seen(&bindings), [(Some(1), Some(1)), (Some(2), Some(2))]);
        let hidden = bindings.open_call();
        assert_eq!((seen(&bindings), bindings.depth()), ([(None, None); 2], 3));
        bindings.bind(a, 3);
        assert_eq!(seen(&bindings), [(Some(3), Some(3)), (None, None)]);
        bindings.close_call(hidden);
        assert_eq!(seen(&bindings), [(Some(1), Some(1)), (Some(2), Some(2))]);
        bindings.close();
        assert_eq!(seen(&bindings), [(Some(0), Some(0)), (None, None)]);
        bindings.close();
        assert_eq!(seen(&bindings), [(None, None); 2]);
    }
}
