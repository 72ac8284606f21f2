//! What stands beside a graph and names parts of it: quantization, training, devices.

use std::collections::HashSet;

use super::{Form, Place};
use crate::code::Code;
use crate::model::proto::{DeviceConfigurationProto, GraphProto, NodeDeviceConfigurationProto, StringStringEntryProto};

impl Form<'_, '_> {
    /// A name that must be one of those that there are.
    fn known(&mut self, name: &str, known: bool, of: &str, what: &str, place: Place<'_>) {
        if !known {
            let found = place
                .finding(Code::ReferenceUndefined, format!("{of} refers to `{name}`, but there is no such {what}"));
            self.push(found.expected(format!("the name of a {what}")).found(name).help("correct the name"));
        }
    }

    pub(super) fn quantization(&mut self, graph: &GraphProto, place: Place<'_>) {
        let tensors = graph.initializer.iter().map(|tensor| &tensor.name);
        let sparse = graph.sparse_initializer.iter().filter_map(|sparse| Some(&sparse.values.as_ref()?.name));
        let inputs = graph.input.iter().map(|input| &input.name);
        let outputs = graph.node.iter().flat_map(|node| &node.output);
        let values: HashSet<&str> = tensors.chain(sparse).chain(inputs).chain(outputs).map(String::as_str).collect();
        for annotation in &graph.quantization_annotation {
            let name = &*annotation.tensor_name;
            self.known(name, values.contains(name), "a quantization annotation", "value of the graph", place);
            let of = format!("the quantization annotation of `{name}`");
            self.keys(&annotation.quant_parameter_tensor_names, &of, place);
            for StringStringEntryProto { value, .. } in &annotation.quant_parameter_tensor_names {
                self.known(value, values.contains(&**value), &of, "value of the graph", place);
            }
        }
    }

    pub(super) fn training(&mut self) {
        let place = Place::MODEL;
        let model = self.model;
        let (own, given) = (initializers(model.graph.as_ref()), outputs(model.graph.as_ref()));
        for training in &model.training_info {
            let mut variables = initializers(training.algorithm.as_ref());
            variables.extend(&own);
            let mut steps = outputs(training.algorithm.as_ref());
            steps.extend(&given);
            let bindings = [
                (
                    "a binding of initialization",
                    &training.initialization_binding,
                    outputs(training.initialization.as_ref()),
                ),
                ("a binding of training", &training.update_binding, steps),
            ];
            for (of, bindings, outputs) in bindings {
                for StringStringEntryProto { key, value } in bindings {
                    self.known(
                        key,
                        variables.contains(&**key),
                        of,
                        "initializer of the model or of its training",
                        place,
                    );
                    self.known(value, outputs.contains(&**value), of, "output of its graph", place);
                }
            }
        }
        let updates = model.training_info.iter().flat_map(|training| &training.update_binding);
        self.keys(updates, "the bindings of training", place);
    }

    /// Devices of the model.
    pub(super) fn configuration(&mut self, configuration: &DeviceConfigurationProto) {
        let place = Place::MODEL;
        self.needs(11, "a configuration of devices", place);
        let DeviceConfigurationProto { name, num_devices, device } = configuration;
        let devices = num_devices.unwrap_or(0);
        if !device.is_empty() && usize::try_from(devices) != Ok(device.len()) {
            let message =
                format!("the number of devices in the configuration `{name}` is not the number of device names");
            let found = place.finding(Code::ReferenceUndefined, message).expected(devices).found(device.len());
            self.push(found.help("correct num_devices, or name each device"));
        }
    }

    /// The devices that a node is spread over.
    pub(super) fn devices(&mut self, of_node: &NodeDeviceConfigurationProto, place: Place<'_>) {
        self.needs(11, "a configuration of devices", place);
        let id = &*of_node.configuration_id;
        let known = self.configurations.contains(id);
        self.known(id, known, "a device configuration of the node", "configuration", place);
        let Some(node) = place.at.map(|at| at.node) else { return };
        for spec in &of_node.sharding_spec {
            let name = &spec.tensor_name;
            let known = node.input.contains(name) || node.output.contains(name);
            self.known(name, known, "a sharding of the node", "input or output of the node", place);
        }
    }
}

fn initializers(graph: Option<&GraphProto>) -> HashSet<&str> {
    graph.iter().flat_map(|graph| &graph.initializer).map(|tensor| &*tensor.name).collect()
}

fn outputs(graph: Option<&GraphProto>) -> HashSet<&str> {
    graph.iter().flat_map(|graph| &graph.output).map(|output| &*output.name).collect()
}
