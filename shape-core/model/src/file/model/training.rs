//! How a model is trained: its graphs of training, as views of their records.

use super::arrays::Model;
use super::graph::Graph;
use super::list::{Item, List};
use super::record::TrainingRecord;
use crate::file::proto::TrainingInfoProto;

impl Model {
    /// The training information.
    #[must_use]
    pub fn training_info(&self) -> List<'_, Training<'_>> {
        List::new(self, &self.training)
    }
}

/// How a model is trained.
#[derive(Clone, Copy, Debug)]
pub struct Training<'m> {
    model: &'m Model,
    record: &'m TrainingRecord,
}

impl<'m> Item<'m> for Training<'m> {
    type Record = TrainingRecord;

    fn view(model: &'m Model, record: &'m TrainingRecord) -> Self {
        Self { model, record }
    }
}

impl<'m> Training<'m> {
    /// The graph that computes the initial values.
    #[must_use]
    pub fn initialization(self) -> Option<Graph<'m>> {
        self.model.graph_at(self.record.initialization?)
    }

    /// The graph that computes one training step.
    #[must_use]
    pub fn algorithm(self) -> Option<Graph<'m>> {
        self.model.graph_at(self.record.algorithm?)
    }

    /// The message without its graphs.
    #[must_use]
    pub fn header(self) -> TrainingInfoProto {
        let is_graph = |tag| matches!(tag, TrainingInfoProto::initialization | TrainingInfoProto::algorithm);
        self.model.fields(self.record.span, is_graph)
    }
}
