"""The model that stands for a recorded call: what the call is about, put into the smallest model that holds it."""

import onnx
from google.protobuf.message import DecodeError
from onnx import AttributeProto, FunctionProto, GraphProto, NodeProto, TensorProto, TypeProto, helper

# Something to stand around what is no node.
CUSTOM = "recorded"


class NotApplicable(Exception):
    """The call asks for what the command does not do; its text says what."""


def context(options):
    """IR version and imports that a checker's context says; without one, those of the package."""
    given = options.get("ctx")
    if given is None:
        return onnx.IR_VERSION, {"": onnx.defs.onnx_opset_version()}
    return given["ir_version"], given["opset_imports"]


def model(graph, ir_version, imports, functions=()):
    # A context without an IR version stands for any.
    made = onnx.ModelProto(ir_version=ir_version if 0 < ir_version < 2**31 else onnx.IR_VERSION)
    made.graph.CopyFrom(graph)
    made.graph.name = made.graph.name or "recorded"
    for domain, version in imports.items():
        made.opset_import.add(domain=domain, version=version)
    made.functions.extend(functions)
    return made


def of_graph(entry):
    return model(GraphProto.FromString(entry["subject"]), *context(entry["options"]))


def of_node(entry):
    node = NodeProto.FromString(entry["subject"])
    graph = GraphProto(name="recorded", node=[node])
    for name in dict.fromkeys(name for name in node.input if name):
        graph.input.add(name=name)
    for name in node.output:
        if name:
            graph.output.add(name=name)
    return model(graph, *context(entry["options"]))


def of_function(entry):
    function = FunctionProto.FromString(entry["subject"])
    if entry["options"].get("ctx") is None:
        imports = {each.domain: each.version for each in function.opset_import}
        ir_version = helper.find_min_ir_version_for(function.opset_import, ignore_unknown=True)
    else:
        ir_version, imports = context(entry["options"])
    return model(GraphProto(name="recorded"), ir_version, imports, [function])


def of_attribute(entry):
    node = NodeProto(op_type="Recorded", domain=CUSTOM, output=["y"])
    node.attribute.append(AttributeProto.FromString(entry["subject"]))
    ir_version, imports = context(entry["options"])
    graph = GraphProto(name="recorded", node=[node])
    return model(graph, ir_version, {**imports, CUSTOM: 1})


def of_tensor(entry):
    graph = GraphProto(name="recorded")
    graph.initializer.append(TensorProto.FromString(entry["subject"]))
    # An initializer is known by its name, which a tensor need not have.
    graph.initializer[0].name = graph.initializer[0].name or "recorded"
    return model(graph, *context(entry["options"]))


def of_sparse_tensor(entry):
    graph = GraphProto(name="recorded")
    graph.sparse_initializer.append(onnx.SparseTensorProto.FromString(entry["subject"]))
    values = graph.sparse_initializer[0].values
    values.name = values.name or "recorded"
    return model(graph, *context(entry["options"]))


def of_value_info(entry):
    graph = GraphProto(name="recorded")
    graph.input.append(onnx.ValueInfoProto.FromString(entry["subject"]))
    return model(graph, *context(entry["options"]))


def of_model(entry):
    return onnx.ModelProto.FromString(entry["subject"])


def of_node_with_types(entry):
    options, schema = entry["options"], entry["subject"]
    node = NodeProto.FromString(options["node"])
    graph = GraphProto(name="recorded", node=[node])
    data = options.get("input_data") or {}
    if options.get("input_sparse_data"):
        raise NotApplicable("a sparse tensor as the value of an input")
    for name, given in options["input_types"].items():
        if name in data:
            graph.initializer.append(TensorProto.FromString(data[name]))
            graph.initializer[-1].name = name
        else:
            graph.input.add(name=name).type.CopyFrom(TypeProto.FromString(given))
    for name in node.output:
        if name:
            graph.output.add(name=name)
    given = map(onnx.OperatorSetIdProto.FromString, options.get("opset_imports") or [])
    imports = {each.domain: each.version for each in given}
    imports[schema["domain"]] = schema["since_version"]
    return model(graph, options.get("ir_version", onnx.IR_VERSION), imports)


def of_function_with_types(entry):
    options = entry["options"]
    function = FunctionProto.FromString(entry["subject"])
    node = NodeProto(op_type=function.name, domain=function.domain)
    # No type is no input.
    node.input.extend(f"input{place}" if given else "" for place, given in enumerate(options["input_types"]))
    node.output.extend(f"output{place}" for place in range(len(function.output)))
    node.attribute.extend(AttributeProto.FromString(each) for each in options["attributes"])
    graph = GraphProto(name="recorded", node=[node])
    for name, given in zip(node.input, options["input_types"]):
        if name:
            graph.input.add(name=name).type.CopyFrom(TypeProto.FromString(given))
    for name in node.output:
        graph.output.add(name=name)
    return model(graph, onnx.IR_VERSION, {function.domain: 1}, [function])


MAKE = {
    "check_model": of_model,
    "check_graph": of_graph,
    "check_node": of_node,
    "check_function": of_function,
    "check_attribute": of_attribute,
    "check_tensor": of_tensor,
    "check_sparse_tensor": of_sparse_tensor,
    "check_value_info": of_value_info,
    "infer_shapes": of_model,
    "infer_node_outputs": of_node_with_types,
    "infer_function_output_types": of_function_with_types,
    "convert_version": of_model,
}


def nodes(graph):
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for body in [attribute.g, *attribute.graphs]:
                yield from nodes(body)


def of(entry):
    """The model of a call; or else why there is none."""
    if (entry["raised"] or "").startswith("TypeError"):
        raise NotApplicable("an argument of another Python type")
    if (entry["raised"] or "").startswith("ValueError: This protobuf of onnx model is too large"):
        raise NotApplicable("a limit of Python's protobuf")
    if not isinstance(entry["subject"], (bytes, dict)):
        raise NotApplicable("a file that is not there")
    if entry["options"].get("check_custom_domain"):
        raise NotApplicable("`check_custom_domain`, which the command does not have")
    try:
        made = MAKE[entry["function"]](entry)
    except DecodeError:
        raise NotApplicable("bytes that are no model") from None
    registered = set(map(tuple, entry["registered"]))
    inside = [*nodes(made.graph), *(node for function in made.functions for node in function.node)]
    if any((node.domain, node.op_type) in registered for node in inside):
        raise NotApplicable("an operator that the test registers")
    if any(tensor.data_location == TensorProto.EXTERNAL for tensor in made.graph.initializer):
        raise NotApplicable("data in a file that goes with the test")
    return made


def overridable(made):
    """Takes away the inputs of the graph that are initializers too, at the IR versions where a caller may give others;
    whether there are any."""
    if made.ir_version < 4:
        return False
    constant = {each.name for each in made.graph.initializer}
    inputs = [info for info in made.graph.input if info.name not in constant]
    found = len(inputs) < len(made.graph.input)
    del made.graph.input[:]
    made.graph.input.extend(inputs)
    return found
