"""What a release of onnxruntime changed of the versions that it registers, and a node that shows each change.

A part is what one release has and the other refuses: `("attribute", "causal")`, `("input", 11)`, `("type", "T",
"tensor(bfloat16)")`. A node shows it if the schema of one release allows the node, and that of the other refuses the part and
nothing else. The functions of `runtime_nodes` draw such nodes where they can; the others are as plain as the schema allows,
with values of unknown rank.
"""

import importlib
import itertools
import pkgutil

import kernels
import numpy
import onnx
import runtime_nodes
import runtime_operators
from onnx import AttributeProto, helper
from runtime_nodes.drawing import NODES

# How many nodes each function draws for the changes of its operator.
DRAWN = 40
# How many plain ones there are of a change, each with other types.
TURNS = 4
VALUES = {
    "INT": 1, "INTS": [1], "FLOAT": 1.0, "FLOATS": [1.0], "STRING": "a", "STRINGS": ["a"],
    "TENSOR": helper.make_tensor("value", onnx.TensorProto.FLOAT, [1], [1.0]),
}  # fmt: skip
SIDES = ("input", "output")
# What most kernels have, and every version of the runtime itself.
USUAL = ("tensor(float)", "tensor(float16)", "tensor(int32)", "tensor(int64)", "tensor(uint8)")

for module in pkgutil.iter_modules(runtime_nodes.__path__):
    importlib.import_module(f"runtime_nodes.{module.name}")


def formal(schema, side, index):
    """The name, the type and the option of an input or output; None past the last one."""
    parameters = schema[side]
    if index < len(parameters):
        return parameters[index]
    return parameters[-1] if parameters and parameters[-1][2] == "variadic" else None


def allowed(schema, text):
    """The types of a type variable, or the type itself."""
    return schema["types"].get(text, [text])


def loose(has, other):
    """The variables of a schema that bind two inputs or outputs which may have two types in the other one."""
    places = [(side, index) for side in SIDES for index in range(min(len(has[side]), len(other[side])))]
    for one, two in itertools.combinations(places, 2):
        (mine, also), (theirs, too) = ([formal(of, *place)[1] for place in (one, two)] for of in (has, other))
        both = [set(allowed(has, ty)) & set(allowed(other, theirs)) for ty in (mine, also)]
        if theirs == too and mine != also and len(both[0] | both[1]) > 1:
            yield theirs


def changes(before, after):
    """The parts that one of two schemas has and the other refuses, each with whether it is the newer one."""
    if before is None or after is None:
        return {(("operator",), after is not None)}
    found = set()
    for has, other, newer in ((before, after, False), (after, before, True)):
        for name, (kind, *_) in has["attributes"].items():
            if name not in other["attributes"]:
                found.add((("attribute", name), newer))
            elif other["attributes"][name][0] != kind:
                found.add((("attribute kind", name), newer))
        for name, (_, required, _) in other["attributes"].items():
            if required and not has["attributes"].get(name, (None, False))[1]:
                found.add((("without attribute", name), newer))
        for side in SIDES:
            found.update(((side, index), newer) for index in range(len(other[side]), len(has[side])))
            if has["least"][side] < other["least"][side]:
                found.add(((f"without {side}", has["least"][side]), newer))
            for index, (one, two) in enumerate(zip(has[side], other[side])):
                more = set(allowed(has, one[1])) - set(allowed(other, two[1]))
                of_output = side == "output" and any(two[1] == each[1] for each in other["input"])
                found.update((("type", two[1], ty), newer) for ty in more if not of_output)
                if side == "input" and (one[2], two[2]) == ("optional", "single"):
                    found.add((("left out input", index), newer))
        found.update((("bound", variable), newer) for variable in loose(has, other))
    return found


class Shown:
    """A model of one node, and what schemas say of it."""

    def __init__(self, model):
        self.model, self.node = model, model.graph.node[0]
        types = {value.name: kernels.spelled(value.type) for value in (*model.graph.input, *model.graph.output)}
        types |= {tensor.name: f"tensor({onnx.TensorProto.DataType.Name(tensor.data_type).lower()})"
                  for tensor in model.graph.initializer}
        self.values = {side: [(name, types.get(name)) for name in getattr(self.node, side)] for side in SIDES}
        self.attributes = {each.name: AttributeProto.AttributeType.Name(each.type) for each in self.node.attribute}

    def refused(self, schema):
        """The parts of the node that a schema does not allow."""
        if schema is None:
            return {("operator",)}
        found = set()
        for name, kind in self.attributes.items():
            if name not in schema["attributes"]:
                found.add(("attribute", name))
            elif schema["attributes"][name][0] != kind:
                found.add(("attribute kind", name))
        for name, (_, required, _) in schema["attributes"].items():
            if required and name not in self.attributes:
                found.add(("without attribute", name))
        types = {}
        for side, values in self.values.items():
            if len(values) < schema["least"][side]:
                found.add((f"without {side}", len(values)))
            for index, (name, ty) in enumerate(values):
                parameter = formal(schema, side, index)
                if parameter is None:
                    # How many there are is what is wrong.
                    found |= {(side, index)} if index == len(values) - 1 else set()
                elif not name and side == "input" and parameter[2] == "single":
                    found.add(("left out input", index))
                elif name and ty is not None and ty not in allowed(schema, parameter[1]):
                    found.add(("type", parameter[1], ty))
                elif name and ty is not None and types.setdefault(parameter[1], ty) != ty:
                    # A variadic one may have types of its own.
                    found |= {("bound", parameter[1])} if parameter[2] != "variadic" else set()
        return found


def drawn(key, seed):
    """Nodes that the functions of an operator draw."""
    for draws in NODES.get(key, ()):
        for case in range(DRAWN):
            case = f"{seed} {case}"
            node = runtime_operators.drawn(key, draws, case, 0)
            yield Shown(runtime_operators.model_of(key, node, numpy.random.default_rng(0))[0])


def plain(key, part, has, other, known):
    """Nodes that have little but the part and what either schema requires, with several types.

    An attribute has its default, or a value that is known of a node that was drawn."""
    both = [has, other or has]
    counts = {side: has["least"][side] for side in SIDES}
    for side in SIDES:
        if part[0] != f"without {side}":
            counts[side] = max(counts[side], min(len(has[side]), both[1]["least"][side]))
    required = {each for of in both for each, (_, required, _) in of["attributes"].items() if required}
    required -= {part[1]} if part[0] == "without attribute" else set()
    if part[0] in SIDES:
        counts[part[0]] = part[1] + 1
    elif part[0].startswith("attribute"):
        required.add(part[1])
    elif part[0] == "left out input":
        counts["input"] = max(counts["input"], part[1] + 1)
    elif part[0] in ("type", "bound"):
        places = [(side, index) for side in SIDES for index, each in enumerate(both[1][side]) if each[1] == part[1]]
        places = [place for place in places if formal(has, *place)]
        for side, index in places[: 1 if part[0] == "type" else None]:
            counts[side] = max(counts[side], index + 1)
    attributes = [value(name, *of, known) for name, of in has["attributes"].items() if name in required]
    if None in attributes:
        return
    types = {}
    for side in SIDES:
        for index, each in enumerate(has[side]):
            beside = formal(other, side, index) if other else None
            mine = set(types.get(each[1], allowed(has, each[1])))
            shared = mine & set(allowed(other, beside[1])) if beside else mine
            types[each[1]] = sorted(shared or mine, key=lambda ty: (ty not in USUAL, ty))
    for turn in range(TURNS):
        # Of one that is to be free of another, another type, in one of the turns at least.
        apart = [index // (turn + 1) if part[0] == "bound" else 0 for index in range(len(types))]
        binding = {variable: of[(turn + more) % len(of)] for (variable, of), more in zip(types.items(), apart)}
        if part[0] == "type":
            places = [(formal(has, *place), formal(other, *place)) for place in places_of(has)]
            shown = [mine[1] for mine, theirs in places if theirs and theirs[1] == part[1]]
            binding |= {variable: part[2] for variable in shown if part[2] in allowed(has, variable)}
        values = {side: [] for side in SIDES}
        for side, index in places_of(has):
            each = has[side][index]
            single = any(of and of[2] == "single" for of in (formal(schema, side, index) for schema in both))
            given = single or side == "output" or part[0] in ("type", "bound") or part == (side, index)
            given &= part != ("left out input", index)
            values[side] += [(f"{side}{index}", binding[each[1]]) if given else None] if index < counts[side] else []
        yield Shown(model_of(key, attributes, values))


def places_of(schema):
    return [(side, index) for side in SIDES for index in range(len(schema[side]))]


def value(name, kind, _, default, known):
    """An attribute; None if nothing is known that it could be."""
    if default or name in known:
        return AttributeProto.FromString(bytes.fromhex(default)) if default else known[name]
    return helper.make_attribute(name, VALUES[kind]) if kind in VALUES else None


def model_of(key, attributes, values):
    domain, name, since = key
    names = [[value[0] if value else "" for value in values[side]] for side in SIDES]
    made = helper.make_node(name, *names, "node", domain=domain)
    made.attribute.extend(attributes)
    sides = [[kernels.typed(*value) for value in values[side] if value] for side in SIDES]
    imports = [helper.make_opsetid("", kernels.BESIDE), helper.make_opsetid(domain, since)]
    return helper.make_model(helper.make_graph([made], "one", *sides), opset_imports=imports, ir_version=kernels.OLDEST_IR)


def showing(key, before, after, seed):
    """Nodes that show each part which is changed between two schemas of a version, those that are drawn first."""
    wanted = {change: [] for change in changes(before, after)}
    nodes = list(drawn(key, seed)) if wanted else []
    known = {attribute.name: attribute for node in nodes for attribute in node.node.attribute}
    for node in nodes:
        refused = node.refused(before), node.refused(after)
        for newer in (False, True):
            others = refused[not newer]
            if not refused[newer] and len(others) == 1:
                wanted.setdefault((*others, newer), []).append(node)
    for (part, newer), found in wanted.items():
        has, other = (after, before) if newer else (before, after)
        plain_ones = plain(key, part, has, other, known)
        found += [node for node in plain_ones if not node.refused(has) and node.refused(other) == {part}]
    return wanted
