//! Checks references to parts of a graph: from quantization, training and device information.

use std::collections::HashSet;

use super::checker::{Checker, Location};
use crate::file::proto::{
    DeviceConfigurationProto, NodeDeviceConfigurationProto, StringStringEntryProto, TensorAnnotation, TrainingInfoProto,
};
use crate::file::{Graph, Node};
use shape_core::code::Code;

impl Checker<'_, '_> {
    /// Reports a name that is not one of the known ones.
    fn known(&mut self, name: &str, known: bool, of: &str, what: &str, location: Location<'_>) {
        if !known {
            let found = location
                .finding(Code::ReferenceUndefined, format!("{of} refers to `{name}`, but there is no such {what}"));
            self.push(found.expected(format!("the name of a {what}")).found(name).help("correct the name"));
        }
    }

    pub(super) fn quantization(&mut self, graph: Graph<'_>, annotations: &[TensorAnnotation], location: Location<'_>) {
        let constants = graph.initializers().names().chain(graph.sparse_initializers().names());
        let given = constants.chain(graph.inputs().names()).map(|name| graph.model().text(name));
        let values: HashSet<&str> = given.chain(graph.nodes().iter().flat_map(Node::outputs)).collect();
        for annotation in annotations {
            let name = &*annotation.tensor_name;
            self.known(name, values.contains(name), "a quantization annotation", "value of the graph", location);
            let of = format!("the quantization annotation of `{name}`");
            self.keys(&annotation.quant_parameter_tensor_names, &of, location);
            for StringStringEntryProto { value, .. } in &annotation.quant_parameter_tensor_names {
                self.known(value, values.contains(&**value), &of, "value of the graph", location);
            }
        }
    }

    pub(super) fn training(&mut self) {
        let location = Location::MODEL;
        let model = self.model;
        let (initialized, computed) = (initializers(model.graph()), outputs(model.graph()));
        let none = HashSet::new();
        let mut updates = Vec::new();
        for training in model.training_info() {
            let of_algorithm = (initializers(training.algorithm()), outputs(training.algorithm()));
            let of_initialization = outputs(training.initialization());
            let initialization: [&HashSet<&str>; 2] = [&of_initialization, &none];
            let TrainingInfoProto { initialization_binding, update_binding, .. } = training.header();
            let bindings = [
                ("a binding of initialization", &initialization_binding, initialization),
                ("a binding of training", &update_binding, [&of_algorithm.1, &computed]),
            ];
            for (of, bindings, outputs) in bindings {
                for StringStringEntryProto { key, value } in bindings {
                    self.known(
                        key,
                        initialized.contains(&**key) || of_algorithm.0.contains(&**key),
                        of,
                        "initializer of the model or of its training",
                        location,
                    );
                    let known = outputs.iter().any(|outputs| outputs.contains(&**value));
                    self.known(value, known, of, "output of its graph", location);
                }
            }
            updates.extend(update_binding);
        }
        self.keys(&updates, "the bindings of training", location);
    }

    /// Checks a device configuration of the model.
    pub(super) fn configuration(&mut self, configuration: &DeviceConfigurationProto) {
        let location = Location::MODEL;
        self.needs(11, "a configuration of devices", location);
        let DeviceConfigurationProto { name, num_devices, device } = configuration;
        let devices = num_devices.unwrap_or(0);
        if !device.is_empty() && usize::try_from(devices) != Ok(device.len()) {
            let message =
                format!("the number of devices in the configuration `{name}` is not the number of device names");
            let found = location.finding(Code::ReferenceUndefined, message).expected(devices).found(device.len());
            self.push(found.help("correct num_devices, or name each device"));
        }
    }

    /// Checks the devices that a node is distributed over; `names` are those of its inputs and outputs.
    pub(super) fn devices(
        &mut self,
        of_node: &NodeDeviceConfigurationProto,
        names: &HashSet<&str>,
        location: Location<'_>,
    ) {
        self.needs(11, "a configuration of devices", location);
        let id = &*of_node.configuration_id;
        let known = self.configurations.contains(id);
        self.known(id, known, "a device configuration of the node", "configuration", location);
        for spec in &of_node.sharding_spec {
            let name = &spec.tensor_name;
            let known = names.contains(name.as_str());
            self.known(name, known, "a sharding of the node", "input or output of the node", location);
        }
    }
}

fn initializers(graph: Option<Graph<'_>>) -> HashSet<&str> {
    graph.into_iter().flat_map(|graph| graph.initializers().names().map(move |name| graph.model().text(name))).collect()
}

fn outputs(graph: Option<Graph<'_>>) -> HashSet<&str> {
    graph.into_iter().flat_map(|graph| graph.outputs().names().map(move |name| graph.model().text(name))).collect()
}
