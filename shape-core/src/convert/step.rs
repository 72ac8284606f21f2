//! One step of a conversion: to the next version, or back to the one before.

use alloc::vec::Vec;

use super::{Input, Loss, Node};
use crate::check::{self, Problem, Side};
use crate::node::NodeAttribute;
use crate::schema::{FormalParameter, ParameterOption, Schema, arity};
use crate::types::Type;

/// Two neighbouring versions of an operator.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The version that a node comes from.
    pub from: &'static Schema,
    /// The version that it goes to.
    pub to: &'static Schema,
}

/// A node between two versions: its inputs go by the names that the version it comes from gives them.
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    /// The attributes.
    pub attributes: Vec<NodeAttribute<'a>>,
    /// The inputs; a variadic one has its name several times.
    pub inputs: Vec<(&'static str, Input<'a>)>,
}

impl<'a> Draft<'a> {
    /// Takes an attribute out.
    pub fn take_attribute(&mut self, name: &str) -> Option<NodeAttribute<'a>> {
        let at = self.attributes.iter().position(|attribute| attribute.name == name)?;
        Some(self.attributes.remove(at))
    }

    /// Takes an input out.
    pub fn take_input(&mut self, name: &str) -> Option<Input<'a>> {
        let at = self.inputs.iter().position(|(formal, _)| *formal == name)?;
        Some(self.inputs.remove(at).1)
    }
}

impl Step {
    /// Whether the step goes to the newer version.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.from.since_version < self.to.since_version
    }

    /// The newer of the two versions, which says what it changed.
    #[must_use]
    pub fn newer(&self) -> &'static Schema {
        if self.is_up() { self.to } else { self.from }
    }

    /// Makes of a node what it is at the other version. What is lost goes to `refuse`, and out of the node.
    pub(super) fn convert<'a>(self, node: Node<'a>, refuse: &mut dyn FnMut(Loss<'a>)) -> Node<'a> {
        let Node { attributes, inputs, mut outputs } = node;
        let name = |index| self.from.input(index).map_or("", |formal: &FormalParameter| formal.name);
        let inputs = inputs.into_iter().enumerate().map(|(index, input)| (name(index), input)).collect();
        let mut draft = Draft { attributes, inputs };
        match (self.newer().adapter, self.newer().semantics) {
            (Some(adapter), _) => adapter.convert(&mut draft, self, refuse),
            (None, Some(_)) => refuse(Loss::Meaning { newer: self.newer() }),
            (None, None) => {}
        }
        let attributes = self.attributes(draft.attributes, refuse);
        let mut inputs = self.inputs(draft.inputs, refuse);
        self.outputs(&outputs, refuse);
        self.types(&mut inputs, &mut outputs, refuse);
        Node { attributes, inputs, outputs }
    }

    fn attributes<'a>(self, given: Vec<NodeAttribute<'a>>, refuse: &mut dyn FnMut(Loss<'a>)) -> Vec<NodeAttribute<'a>> {
        let mut kept: Vec<NodeAttribute<'a>> = Vec::new();
        for attribute in given {
            let old = self.from.attribute(attribute.name);
            match self.to.attribute(attribute.name) {
                Some(new) => match check::value(new, &attribute) {
                    Ok(()) => kept.push(attribute),
                    Err(problem) => refuse(Loss::AttributeChanged(problem)),
                },
                None if old.is_some_and(|old| old.legacy || old.default == Some(attribute.value)) => {}
                None => refuse(Loss::AttributeLost { attribute, default: old.and_then(|old| old.default) }),
            }
        }
        for new in self.to.attributes {
            if kept.iter().any(|kept| kept.name == new.name) {
                continue;
            }
            match self.from.attribute(new.name) {
                // What an attribute stands for that is left out must be the same, or be written down.
                Some(old) if old.default.is_some() && old.default != new.default => {
                    kept.extend(old.default.map(|value| NodeAttribute::new(new.name, value)));
                }
                Some(old) if old.default.is_none() && !old.required && new.default.is_some() => {
                    refuse(Loss::AttributeDefault { attribute: new });
                }
                _ if new.required => refuse(Loss::AttributeMissing { attribute: new }),
                _ => {}
            }
        }
        kept
    }

    fn inputs<'a>(self, mut given: Vec<(&'static str, Input<'a>)>, refuse: &mut dyn FnMut(Loss<'a>)) -> Vec<Input<'a>> {
        let mut inputs = Vec::new();
        for formal in self.to.inputs {
            let own = |(name, _): &(&str, Input<'a>)| *name == formal.name;
            let count = if formal.option == ParameterOption::Variadic { usize::MAX } else { 1 };
            let mut found: Vec<Input<'a>> =
                given.iter().filter(|entry| own(entry)).map(|(_, input)| *input).take(count).collect();
            if count == 1 {
                given.iter().position(own).map(|at| given.remove(at));
                let input = found.pop().unwrap_or(Input::Absent);
                if input == Input::Absent && formal.option == ParameterOption::Single {
                    refuse(Loss::InputMissing { formal });
                }
                inputs.push(input);
            } else {
                given.retain(|entry| !own(entry));
                if found.len() < formal.min_arity as usize {
                    refuse(Loss::InputMissing { formal });
                }
                inputs.append(&mut found);
            }
        }
        for (name, input) in given {
            if input != Input::Absent {
                refuse(Loss::InputLost { name });
            }
        }
        while inputs.last() == Some(&Input::Absent) {
            inputs.pop();
        }
        inputs
    }

    fn outputs<'a>(self, outputs: &[Option<Type>], refuse: &mut dyn FnMut(Loss<'a>)) {
        for index in 0..outputs.len() {
            let (old, new) = (self.from.output(index), self.to.output(index));
            if let Some(old) = old.filter(|old| new.is_none_or(|new| new.name != old.name)) {
                refuse(Loss::OutputLost { name: old.name });
            }
        }
        let (least, _) = arity(self.to.outputs);
        for index in outputs.len()..least {
            if let Some(formal) = self.to.output(index) {
                refuse(Loss::OutputMissing { formal });
            }
        }
    }

    /// A type that is refused counts as unknown from then on. An output that has it because an input has it is not told.
    fn types<'a>(self, inputs: &mut [Input<'a>], outputs: &mut [Option<Type>], refuse: &mut dyn FnMut(Loss<'a>)) {
        let types: Vec<Option<Type>> = inputs.iter().map(Input::ty).collect();
        let mut problems: Vec<Problem<'static>> = Vec::new();
        check::types(self.to, &types, outputs, &mut |problem| problems.push(problem));
        for problem in &problems {
            if let Problem::TypeNotAllowed { side, index, parameter, found, .. }
            | Problem::TypeMismatch { side, index, parameter, found, .. } = problem
            {
                match side {
                    Side::Input => {
                        if let Some(Input::Given { ty, .. }) = inputs.get_mut(*index) {
                            *ty = None;
                        }
                    }
                    Side::Output => {
                        outputs.iter_mut().skip(*index).take(1).for_each(|ty| *ty = None);
                        let same = |other: &Problem<'_>| {
                            matches!(other, Problem::TypeNotAllowed { side: Side::Input, parameter: input, found: of, .. }
                                if input.ty == parameter.ty && of == found)
                        };
                        if problems.iter().any(same) {
                            continue;
                        }
                    }
                }
            }
            refuse(Loss::Type(*problem));
        }
    }
}
