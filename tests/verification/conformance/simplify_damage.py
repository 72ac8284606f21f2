"""Damage to simplified models, to see that what is wrong with one is noticed, and by what.

Each kind does one thing that a faulty simplifier might, at a place drawn at random, or says that the model has no place
for it.
"""

from collections import Counter, defaultdict

import numpy
import onnx
import simplify_checks
from onnx import TensorProto, helper, numpy_helper

# Of the models that a kind of damage has a place in, how many must be noticed: not each change shows. An entry of a target
# may say what another one said, a node may happen to do nothing with the sizes that are drawn, and branches of float16 do
# the same.
NOTICED, SELDOM = 0.85, {"dropped_node": 0.75, "swapped_branches": 0.6}
# How many models each kind must have a place in, so that it proves something.
PLACES = 5
# Inputs that are numbers, by operator.
NUMBERS = {"Reshape": [1], "Expand": [1], "Slice": [1, 2], "Pad": [1], "Tile": [1], "Gather": [1], "ConstantOfShape": [0]}
# Nodes whose first input could stand in the place of their output, as far as types go.
PASSING = ("Relu", "Neg", "Abs", "Tanh", "Transpose", "Reshape", "Expand", "Slice", "Unsqueeze", "Squeeze", "Concat", "Tile")


def constants(model):
    """The tensors of initializers and Constants, by name."""
    found = {tensor.name: tensor for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant" and node.attribute[0].name == "value":
            found[node.output[0]] = node.attribute[0].t
    return {name: tensor for name, tensor in found.items() if not tensor.external_data}


def change(tensor, chance):
    """Gives one element another value; says whether there is one."""
    array = numpy_helper.to_array(tensor).copy()
    if not array.size or array.dtype == object:
        return False
    flat = array.reshape(-1)
    at = chance.randrange(flat.size)
    with numpy.errstate(over="ignore"):
        flat[at] = not flat[at] if array.dtype == bool else flat[at] + (1 if flat[at] != -1 else 2)
    name = tensor.name
    tensor.CopyFrom(numpy_helper.from_array(array, name))
    return True


def live(model):
    """The nodes of the graph that an output needs."""
    needed, found = {value.name for value in model.graph.output}, []
    for node in reversed(model.graph.node):
        if needed & set(node.output):
            found.insert(0, node)
            needed.update(node.input)
            needed |= {name for inner in simplify_checks.graphs_of(node) for name in simplify_checks.outer(inner)}
    return found


def wrong_target(model, chance):
    known = constants(model)
    places = [
        node.input[at]
        for node in live(model)
        for at in NUMBERS.get(node.op_type, [])
        if at < len(node.input) and node.input[at] in known
    ]
    return bool(places) and change(known[chance.choice(places)], chance)


def another_constant(model, chance):
    known = constants(model)
    read = {name for node in live(model) if node.op_type in ("Add", "Div") for name in node.input}
    floats = [name for name, tensor in known.items() if name in read and tensor.data_type == TensorProto.FLOAT]
    return bool(floats) and change(known[chance.choice(floats)], chance)


def dropped_node(model, chance):
    nodes = [node for node in live(model) if node.op_type in PASSING]
    if not nodes:
        return False
    node = chance.choice(nodes)
    node.op_type = "Identity"
    del node.input[1:], node.attribute[:]
    return True


def another_attribute(model, chance):
    places = [
        attribute
        for node in live(model)
        for attribute in node.attribute
        if attribute.name in ("perm", "axis", "start", "end", "to") and node.op_type != "Concat"
    ]
    if not places:
        return False
    attribute = chance.choice(places)
    if attribute.name == "perm":
        if len(attribute.ints) < 2:
            return False
        attribute.ints[:] = [*attribute.ints[1:], attribute.ints[0]]
    elif attribute.name == "to":
        attribute.i = TensorProto.DOUBLE if attribute.i != TensorProto.DOUBLE else TensorProto.FLOAT
    else:
        attribute.i += 1
    return True


def swapped_names(model, chance):
    """Two nodes give one another's values."""
    nodes = [node for node in live(model) if len(node.output) == 1]
    if len(nodes) < 2:
        return False
    one, other = chance.sample(nodes, 2)
    one.output[0], other.output[0] = other.output[0], one.output[0]
    return True


def another_input(model, chance):
    """A node reads another value, which is there."""
    nodes = live(model)
    places = [(at, index) for at, node in enumerate(nodes) for index, name in enumerate(node.input) if name]
    if not places:
        return False
    at, index = chance.choice(places)
    node, known = nodes[at], [value.name for value in model.graph.input]
    known += [name for each in nodes[:at] for name in each.output]
    others = [name for name in known if name != node.input[index]]
    if not others:
        return False
    node.input[index] = chance.choice(others)
    return True


def swapped_branches(model, chance):
    nodes = [node for node in live(model) if node.op_type == "If"]
    for node in nodes:
        first, second = node.attribute
        first.name, second.name = second.name, first.name
    return bool(nodes)


def dangling(model, chance):
    places = [(node, at) for node in simplify_checks.nodes(model) for at, name in enumerate(node.input) if name]
    if not places:
        return False
    node, at = chance.choice(places)
    node.input[at] = "nowhere"
    return True


def out_of_order(model, chance):
    if len(model.graph.node) < 2 or not model.graph.node[-1].input:
        return False
    nodes = list(model.graph.node)
    given = {name for node in nodes[:-1] for name in node.output}
    if not given & set(nodes[-1].input):
        return False
    del model.graph.node[:]
    model.graph.node.extend([nodes[-1], *nodes[:-1]])
    return True


def renamed_output(model, chance):
    name = model.graph.output[0].name
    for node in model.graph.node:
        node.input[:] = [each + "_" if each == name else each for each in node.input]
        node.output[:] = [each + "_" if each == name else each for each in node.output]
    model.graph.output[0].name += "_"
    return name in {each[:-1] for node in model.graph.node for each in node.output}


def another_type(model, chance):
    dims = model.graph.output[-1].type.tensor_type.shape.dim
    for dim in dims:
        dim.dim_param = "any"
    return bool(dims)


def lost_input(model, chance):
    """One that nothing reads."""
    unread = [info for info in model.graph.input if info.name not in simplify_checks.read(model.graph)]
    for info in unread:
        model.graph.input.remove(info)
    return bool(unread)


def lost_text(model, chance):
    texts = [node for node in model.graph.node if node.doc_string]
    if texts:
        chance.choice(texts).doc_string = ""
    return bool(texts)


def lost_notes(model, chance):
    noted = bool(model.metadata_props)
    del model.metadata_props[:]
    return noted


def lost_annotation(model, chance):
    notes = model.graph.quantization_annotation
    if not notes:
        return False
    del notes[chance.randrange(len(notes))]
    return True


def lost_scale(model, chance):
    """The tensor that an annotation names."""
    named = {each.value for note in model.graph.quantization_annotation for each in note.quant_parameter_tensor_names}
    gone = [tensor for tensor in model.graph.initializer if tensor.name in named]
    for tensor in gone:
        model.graph.initializer.remove(tensor)
    return bool(gone)


def another_import(model, chance):
    model.opset_import[0].version += 1
    return True


def lost_function(model, chance):
    called = {(node.domain, node.op_type) for node in simplify_checks.nodes(model)}
    lost = any((function.domain, function.name) in called for function in model.functions)
    del model.functions[:]
    return lost


def moved_data(model, chance):
    placed = [tensor for tensor in model.graph.initializer if tensor.external_data]
    for tensor in placed:
        tensor.external_data[0].value = "elsewhere"
    return bool(placed)


def copied_data(model, chance):
    """A tensor that is much larger than what it was made of."""
    zeros = numpy.zeros(2 * simplify_checks.GROWTH, numpy.int8)
    model.graph.initializer.append(numpy_helper.from_array(zeros, "zeros"))
    return True


def unused_node(model, chance):
    given = [info.name for info in model.graph.input]
    model.graph.node.extend(helper.make_node("Shape", [name], ["unused"]) for name in given[:1])
    return bool(given)


def unused_initializer(model, chance):
    model.graph.initializer.append(numpy_helper.from_array(numpy.zeros(1), "unused"))
    return True


def missed(model, chance):
    """A node that does nothing, in front of another."""
    given = [info.name for info in model.graph.input]
    places = [node for node in live(model) if node.input and node.input[0] in given]
    for node in places[:1]:
        model.graph.node.insert(0, helper.make_node("Identity", [node.input[0]], ["missed"]))
        node.input[0] = "missed"
    return bool(places)


KINDS = (
    wrong_target, another_constant, dropped_node, another_attribute, swapped_names, another_input, swapped_branches, dangling,
    out_of_order, renamed_output, another_type, lost_input, lost_text, lost_notes, lost_annotation, lost_scale,
    another_import, lost_function, moved_data, copied_data, unused_node, unused_initializer, missed,
)


def noticed(judge, target, by, chance, is_whole):
    """For each kind that the model has a place for, the checks that notice it."""
    whole = target.read_bytes()
    for damage in KINDS:
        model = onnx.ModelProto.FromString(whole)
        if not damage(model, chance):
            continue
        target.write_bytes(model.SerializeToString())
        yield damage.__name__, sorted({problem.split(":")[0] for problem in judge.problems(target, by, None, is_whole)})


def told(found):
    """A table of what noticed what; yields what was not noticed often enough, and the checks that noticed nothing."""
    places, seen, by_check = Counter(), Counter(), defaultdict(Counter)
    for kind, checks in found:
        places[kind] += 1
        seen[kind] += bool(checks)
        by_check[kind].update(checks)
    for kind in (damage.__name__ for damage in KINDS):
        print(f"{kind}: {seen[kind]} of {places[kind]}, {dict(by_check[kind].most_common())}")
        if places[kind] < PLACES:
            yield f"{kind}: only {places[kind]} models have a place for it"
        elif seen[kind] < SELDOM.get(kind, NOTICED) * places[kind]:
            yield f"{kind}: {seen[kind]} of {places[kind]} noticed"
    for check in (*simplify_checks.CHECKS, *simplify_checks.DUTIES):
        if not any(check.__name__ in counts for counts in by_check.values()):
            yield f"the check `{check.__name__}` noticed nothing"
