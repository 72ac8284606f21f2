//! One step of a conversion: to the next version, or back to the one before.

use alloc::vec::Vec;

use super::adapter;
use super::draft::{Draft, Step};
use super::incompatibility::Incompatibility;
use super::node::{Input, Node};
use crate::check;
use crate::node::NodeAttribute;
use crate::problem::{Problem, Side};
use crate::schema::{FormalParameter, ParameterOption, arity};
use crate::types::Type;

impl Step {
    /// Converts a node to the other version. What cannot be kept is passed to `refuse` and removed from the node.
    pub(super) fn convert<'a>(self, node: Node<'a>, refuse: &mut dyn FnMut(Incompatibility<'a>)) -> Node<'a> {
        let Node { attributes, inputs, mut outputs } = node;
        let name = |index| self.from.input(index).map_or("", |formal: &FormalParameter| formal.name);
        let inputs = inputs.into_iter().enumerate().map(|(index, input)| (name(index), input)).collect();
        let mut draft = Draft { attributes, inputs };
        match (self.newer().adapter, self.newer().semantics) {
            (Some(adapter), _) => adapter::convert(adapter, &mut draft, self, refuse),
            (None, Some(_)) => refuse(Incompatibility::Meaning { newer: self.newer() }),
            (None, None) => {}
        }
        let attributes = self.attributes(draft.attributes, refuse);
        let mut inputs = self.inputs(draft.inputs, refuse);
        self.outputs(&outputs, refuse);
        self.types(&mut inputs, &mut outputs, refuse);
        Node { attributes, inputs, outputs }
    }

    fn attributes<'a>(
        self,
        given: Vec<NodeAttribute<'a>>,
        refuse: &mut dyn FnMut(Incompatibility<'a>),
    ) -> Vec<NodeAttribute<'a>> {
        let mut kept: Vec<NodeAttribute<'a>> = Vec::new();
        for attribute in given {
            let old = self.from.attribute(attribute.name);
            match self.to.attribute(attribute.name) {
                Some(new) => match check::value(new, &attribute) {
                    Ok(()) => kept.push(attribute),
                    Err(problem) => refuse(Incompatibility::AttributeChanged(problem)),
                },
                None if old.is_some_and(|old| old.legacy || old.default == Some(attribute.value)) => {}
                None => refuse(Incompatibility::AttributeLost { attribute, default: old.and_then(|old| old.default) }),
            }
        }
        for new in self.to.attributes {
            if kept.iter().any(|kept| kept.name == new.name) {
                continue;
            }
            match self.from.attribute(new.name) {
                // If the default changed, the old default is written out to keep the meaning.
                Some(old) if old.default.is_some() && old.default != new.default => {
                    kept.extend(old.default.map(|value| NodeAttribute::new(new.name, value)));
                }
                Some(old) if old.default.is_none() && !old.required && new.default.is_some() => {
                    refuse(Incompatibility::AttributeDefault { attribute: new });
                }
                _ if new.required => refuse(Incompatibility::AttributeMissing { attribute: new }),
                _ => {}
            }
        }
        kept
    }

    fn inputs<'a>(
        self,
        mut given: Vec<(&'static str, Input<'a>)>,
        refuse: &mut dyn FnMut(Incompatibility<'a>),
    ) -> Vec<Input<'a>> {
        let mut inputs = Vec::new();
        for formal in self.to.inputs {
            let matches = |(name, _): &(&str, Input<'a>)| *name == formal.name;
            if !formal.is_variadic() {
                let input = given.iter().position(matches).map_or(Input::Absent, |at| given.remove(at).1);
                if input == Input::Absent && formal.option == ParameterOption::Single {
                    refuse(Incompatibility::InputMissing { formal });
                }
                inputs.push(input);
            } else {
                let mut found: Vec<Input<'a>> =
                    given.iter().filter(|entry| matches(entry)).map(|(_, input)| *input).collect();
                given.retain(|entry| !matches(entry));
                if found.len() < formal.min_arity as usize {
                    refuse(Incompatibility::InputMissing { formal });
                }
                inputs.append(&mut found);
            }
        }
        for (name, input) in given {
            if input != Input::Absent {
                refuse(Incompatibility::InputLost { name });
            }
        }
        while inputs.last() == Some(&Input::Absent) {
            inputs.pop();
        }
        inputs
    }

    fn outputs<'a>(self, outputs: &[Option<Type>], refuse: &mut dyn FnMut(Incompatibility<'a>)) {
        for index in 0..outputs.len() {
            let (old, new) = (self.from.output(index), self.to.output(index));
            if let Some(old) = old.filter(|old| new.is_none_or(|new| new.name != old.name)) {
                refuse(Incompatibility::OutputLost { name: old.name });
            }
        }
        let (min, _) = arity(self.to.outputs);
        for index in outputs.len()..min {
            if let Some(formal) = self.to.output(index) {
                refuse(Incompatibility::OutputMissing { formal });
            }
        }
    }

    /// A refused type counts as unknown afterwards. It is not reported again for an output that has it from an input.
    fn types<'a>(
        self,
        inputs: &mut [Input<'a>],
        outputs: &mut [Option<Type>],
        refuse: &mut dyn FnMut(Incompatibility<'a>),
    ) {
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
            refuse(Incompatibility::Type(*problem));
        }
    }
}
