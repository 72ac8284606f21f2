//! Checks references to parts of a graph: from quantization, training and device information.

use std::collections::HashSet;

use super::checker::{Checker, Location};
use crate::file::proto::{DeviceConfigurationProto, GraphProto, NodeDeviceConfigurationProto, StringStringEntryProto};
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

    pub(super) fn quantization(&mut self, graph: &GraphProto, location: Location<'_>) {
        let tensors = graph.initializer.iter().map(|tensor| &tensor.name);
        let sparse = graph.sparse_initializer.iter().filter_map(|sparse| Some(&sparse.values.as_ref()?.name));
        let inputs = graph.input.iter().map(|input| &input.name);
        let outputs = graph.node.iter().flat_map(|node| &node.output);
        let values: HashSet<&str> = tensors.chain(sparse).chain(inputs).chain(outputs).map(String::as_str).collect();
        for annotation in &graph.quantization_annotation {
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
        let (initialized, computed) = (initializers(model.graph.as_ref()), outputs(model.graph.as_ref()));
        let none = HashSet::new();
        for training in &model.training_info {
            let of_algorithm = (initializers(training.algorithm.as_ref()), outputs(training.algorithm.as_ref()));
            let of_initialization = outputs(training.initialization.as_ref());
            let initialization: [&HashSet<&str>; 2] = [&of_initialization, &none];
            let bindings = [
                ("a binding of initialization", &training.initialization_binding, initialization),
                ("a binding of training", &training.update_binding, [&of_algorithm.1, &computed]),
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
        }
        let updates = model.training_info.iter().flat_map(|training| &training.update_binding);
        self.keys(updates, "the bindings of training", location);
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

fn initializers(graph: Option<&GraphProto>) -> HashSet<&str> {
    graph.iter().flat_map(|graph| &graph.initializer).map(|tensor| &*tensor.name).collect()
}

fn outputs(graph: Option<&GraphProto>) -> HashSet<&str> {
    graph.iter().flat_map(|graph| &graph.output).map(|output| &*output.name).collect()
}
