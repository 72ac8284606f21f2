"""Writes what the CPU of the installed onnxruntime runs, as a manifest, to standard output.

    python3 specs/facts/kernels.py > specs/manifests/onnxruntime-cpu/1.31.1.yaml

An older release is read with the same onnx package beside it: `pip install --target FOLDER onnxruntime==1.24.4`, and
`PYTHONPATH=FOLDER` for the script. What is read, and what is tried:

- Kernels, their ranges of versions and their types are what `get_all_opkernel_def()` tells. A range is turned into
  the versions that onnxruntime lets it take: those within, but of a range without an end its first version alone.
- Operators with a function body run without a kernel where the kernels of the body do. Which types that are is tried,
  by opening sessions with a node of each kind that the node cases of the onnx package have.
- Versions that ONNX has deprecated are listed only where sessions still take them, by a kernel or a body.
- A version that the release does not know, in an opset that it reads, is taken for the newest one that it knows.
- The newest opsets and IR version, and the types that are cast where a kernel lacks them, are tried in the same way.
"""

import itertools
import os
import re
import sys
import textwrap
import warnings
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from pathlib import Path

import onnx
import onnxruntime
from onnx import TensorProto, defs, helper
from onnx.backend.test.case.node import collect_testcases
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema, get_all_opkernel_def

SPECS = Path(__file__).resolve().parents[1]
PROVIDER = "CPUExecutionProvider"
NO_END = 2**31 - 1
LATER = 1000  # An opset that is newer than any.
IR = 8
SILENT = 4
WIDTH = 120
# Variants of a function's node, by the inputs and attributes that it gives, and sets of types of one.
VARIANTS, COMBINATIONS = 8, 700
# What a session says of a kernel that is missing: of the node itself, of one of its function's body, of a cast float16.
NO_KERNEL = ("Could not find an implementation", "Failed to find kernel for", "InsertedPrecisionFreeCast")


def options():
    made = onnxruntime.SessionOptions()
    made.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    made.intra_op_num_threads = 1
    made.log_severity_level = SILENT
    return made


def opened(model):
    try:
        onnxruntime.InferenceSession(model, options(), providers=[PROVIDER])
    except Exception as error:  # whichever of the package's own it is
        return False if any(words in str(error) for words in NO_KERNEL) else None
    return True


class Sessions:
    """Opens sessions in a process of its own, which some releases end with."""

    def __init__(self):
        self.process = None

    @staticmethod
    def quieten():
        """What ends the process is also told on stderr, by C++."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())

    def loads(self, model):
        """Whether a session takes a model; None where it is refused for something else than a missing kernel."""
        self.process = self.process or ProcessPoolExecutor(1, initializer=self.quieten)
        try:
            return self.process.submit(opened, model.SerializeToString()).result()
        except BrokenProcessPool:
            self.process = None
            return None


SESSIONS = Sessions()
loads = SESSIONS.loads


def spelled(domain):
    return domain or "ai.onnx"


@cache
def schemas():
    """The schema of each version, by domain and name: of the onnx package, and what onnxruntime has on its own."""
    versions = defaultdict(dict)
    for schema in [*get_all_operator_schema(), *defs.get_all_schemas_with_history()]:
        versions[spelled(schema.domain), schema.name][schema.since_version] = schema
    return versions


@cache
def of_release():
    """The versions that onnxruntime knows: those of its own and of the ONNX that it was built with."""
    return {(spelled(schema.domain), schema.name, schema.since_version) for schema in get_all_operator_schema()}


def is_described(schema):
    """Whether descriptors have the version: all but what onnxruntime has on its own in the domains of ONNX."""
    return isinstance(schema, defs.OpSchema) or spelled(schema.domain) not in {domain for domain, _ in of_onnx()}


@cache
def of_onnx():
    return {(spelled(schema.domain), schema.name) for schema in defs.get_all_schemas_with_history()}


def allowed(schema):
    """The types of each type variable."""
    return {of.type_param_str: frozenset(of.allowed_type_strs) for of in schema.type_constraints}


def parameter_type(parameter):
    return parameter.type_str if isinstance(parameter, defs.OpSchema.FormalParameter) else parameter.typeStr


def takes(kernel, since):
    """onnxruntime's rule. A kernel without an end is not known to take a later version."""
    first, last = kernel.version_range
    return since == first or (last != NO_END and first <= since <= last)


def limits(constraints, schema):
    """The types by type variable, without what limits nothing; None if the schema allows none of the kernel's types."""
    variables, found = allowed(schema), {}
    fixed = {parameter.name for parameter in [*schema.inputs, *schema.outputs]}
    for name, types in constraints.items():
        if name not in variables:
            # A parameter by its name: all that are limited so have one type, that of the kernel.
            if name not in fixed:
                sys.exit(f"{schema.name}-{schema.since_version} has no `{name}`, which a kernel limits")
            continue
        both = variables[name] & frozenset(types)
        if not both:
            return None
        if both != variables[name]:
            found[name] = both
    return found


def merged(boxes):
    """The same sets of types in fewer entries: two that differ in one variable alone are one."""
    boxes = [dict(box) for box in boxes]
    changed = True
    while changed:
        changed = False
        for one, other in itertools.combinations(boxes, 2):
            names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
            if len(names) > 1 and not (covers(one, other) or covers(other, one)):
                continue
            boxes.remove(one)
            boxes.remove(other)
            if covers(one, other) or covers(other, one):
                boxes.append(one if covers(one, other) else other)
            else:
                [name] = names
                boxes.append({**one, name: one[name] | other[name]})
            changed = True
            break
    return boxes


def covers(one, other):
    return all(name in other and other[name] <= types for name, types in one.items())


def relaxed(boxes, schema):
    """The same without the variables whose types are all that the schema allows."""
    variables = allowed(schema)
    return [{name: types for name, types in box.items() if types != variables[name]} for box in boxes]


def simplest(boxes, schema):
    return merged(relaxed(merged(boxes), schema))


@cache
def kernels():
    """The entries of each version that have a kernel, by domain and name."""
    found = defaultdict(lambda: defaultdict(list))
    for kernel in get_all_opkernel_def():
        if kernel.provider != PROVIDER:
            continue
        key = spelled(kernel.domain), kernel.op_name
        for since, schema in schemas()[key].items():
            if takes(kernel, since):
                box = limits(kernel.type_constraints, schema)
                if box is not None and (not schema.deprecated or still_runs(key, since, box)):
                    found[key][since].append(box)
    return {
        key: {since: simplest(boxes, schemas()[key][since]) for since, boxes in versions.items()}
        for key, versions in found.items()
    }


# What is tried.


def typed(name, text):
    """A value of a type, of unknown rank."""
    return onnx.ValueInfoProto(name=name, type=proto(text))


@cache
def proto(text):
    form, inner = re.fullmatch(r"(\w+)\((.*)\)", text).groups()
    if form == "tensor":
        return helper.make_tensor_type_proto(element(inner), None)
    if form == "sparse_tensor":
        return helper.make_sparse_tensor_type_proto(element(inner), None)
    if form == "seq":
        return helper.make_sequence_type_proto(proto(inner))
    if form == "optional":
        return helper.make_optional_type_proto(proto(inner))
    key, value = (part.strip() for part in inner.split(",", 1))
    return helper.make_map_type_proto(element(key), proto(value if "(" in value else f"tensor({value})"))


def element(name):
    return TensorProto.DataType.Value(name.upper())


def model(domain, opset, nodes, inputs, outputs, ir=IR, beside=None):
    """A model at an opset of a domain, and of ai.onnx beside it."""
    imports = {"ai.onnx": beside or opset, spelled(domain): opset}
    if spelled(domain) != "ai.onnx" and beside is None:
        imports["ai.onnx"] = newest_opset()
    made = [helper.make_opsetid("" if name == "ai.onnx" else name, version) for name, version in imports.items()]
    return helper.make_model(helper.make_graph(nodes, "one", inputs, outputs), opset_imports=made, ir_version=ir)


def plain(opset, ir=IR):
    value = typed("x", "tensor(float)"), typed("y", "tensor(float)")
    return model("", opset, [helper.make_node("Abs", ["x"], ["y"])], [value[0]], [value[1]], ir)


@cache
def newest_opset():
    return last(lambda opset: loads(plain(opset)), 13)


def newest_ir():
    return last(lambda ir: loads(plain(13, ir)), IR)


def last(holds, first):
    return next(number - 1 for number in itertools.count(first) if not holds(number))


def newest_of(domain):
    """The newest opset of a domain without which a session is refused; None if all are taken."""

    def holds(opset):
        made = plain(13)
        made.opset_import.append(helper.make_opsetid(domain, opset))
        return loads(made)

    return None if holds(LATER) else last(holds, 1)


def casts():
    """The element types that a node is cast from and to where no kernel takes them, and the first opset where it is."""
    boxes = kernels()["ai.onnx", "GlobalAveragePool"]
    for one in ("float16", "bfloat16"):
        ty = f"tensor({one})"
        for opset in range(1, newest_opset() + 1):
            since = max(version for version in schemas()["ai.onnx", "GlobalAveragePool"] if version <= opset)
            if any(covers(box, {"T": {ty}}) for box in boxes[since]):
                sys.exit(f"a kernel takes {ty}: whether it is cast is to be tried with another operator")
            if ty in allowed(schemas()["ai.onnx", "GlobalAveragePool"][since])["T"]:
                node = helper.make_node("GlobalAveragePool", ["x"], ["y"])
                if loads(model("", opset, [node], [typed("x", ty)], [typed("y", ty)])):
                    yield one, "float", opset
                    break


def taken_as(newest):
    """The versions that the release does not know in an opset that it reads, each with the one that it takes a node for."""
    for (domain, name), versions in sorted(schemas().items()):
        known = [since for since in versions if (domain, name, since) in of_release()]
        for since in sorted(set(versions) - set(known)):
            older = [one for one in known if one < since]
            if older and since <= (newest.get(domain) or 0):
                yield {"operator": name, **({} if domain == "ai.onnx" else {"domain": domain}), "version": since, "as": max(older)}


@cache
def cases():
    """The nodes of the node cases by operator, one of each set of inputs and attributes, with the ranks of inputs."""
    found = defaultdict(dict)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        collected = collect_testcases("")
    for case in collected:
        graph = case.model.graph
        if len(graph.node) != 1:
            continue
        node = graph.node[0]
        shapes = {value.name: value.type for value in graph.input}
        given = tuple(map(bool, node.input)), tuple(sorted(attribute.name for attribute in node.attribute))
        found[spelled(node.domain), node.op_type].setdefault(given, (node, shapes))
    return found


def variants(schema):
    """Nodes of a version: those of the node cases that it can have, or one with all inputs and one with the least."""
    made = []
    for node, shapes in cases().get((spelled(schema.domain), schema.name), {}).values():
        names = {attribute.name for attribute in node.attribute}
        if schema.min_input <= len(node.input) <= schema.max_input and names <= set(schema.attributes):
            made.append((node, shapes))
    made = made or [(plain_node(schema, len(schema.inputs)), {}), (plain_node(schema, schema.min_input), {})]
    # What is said of a type variable is only as good as a node that has it.
    most = max(len(variables_of(schema, node)) for node, _ in made)
    made = [one for one in made if len(variables_of(schema, one[0])) == most]
    # Those that give most and least come first.
    made.sort(key=lambda one: len([name for name in one[0].input if name]) + len(one[0].attribute))
    return [made[index // 2 if index % 2 == 0 else -1 - index // 2] for index in range(len(made))][:VARIANTS]


def variables_of(schema, node):
    """The type variables of the inputs and outputs that a node has."""
    sides = [(node.input, schema.inputs), (node.output, schema.outputs)]
    types = {parameter_type(formal(of, index)) for names, of in sides for index, name in enumerate(names) if name}
    return types & set(allowed(schema))


def plain_node(schema, inputs):
    """A node with as many inputs, each of its own name, and what is required beside them."""
    node = helper.make_node(
        schema.name,
        [f"x{index}" for index in range(inputs)],
        [f"y{index}" for index in range(max(1, schema.min_output))],
        domain=schema.domain,
    )
    values = {"INT": 1, "INTS": [1], "FLOAT": 1.0, "FLOATS": [1.0], "STRING": "a", "STRINGS": ["a"]}
    for attribute in schema.attributes.values():
        if attribute.required and attribute.type.name in values:
            node.attribute.append(helper.make_attribute(attribute.name, values[attribute.type.name]))
    return node


def formal(parameters, index):
    return parameters[min(index, len(parameters) - 1)] if parameters else None


def single(schema, node, shapes, binding, opset, beside):
    """A model of the node with these types of its variables."""
    node = with_types(schema, node, binding)
    sides = []
    for names, parameters in ((node.input, schema.inputs), (node.output, schema.outputs)):
        values = []
        for index, name in enumerate(names):
            if not name or any(value.name == name for value in values):
                continue
            text = parameter_type(formal(parameters, index))
            value = typed(name, binding.get(text, text))
            shape = shapes.get(name)
            if shape is not None and shape.HasField("tensor_type") and value.type.HasField("tensor_type"):
                value.type.tensor_type.shape.CopyFrom(shape.tensor_type.shape)
            values.append(value)
        sides.append(values)
    return model(schema.domain, opset, [node], *sides, beside=beside)


def with_types(schema, node, binding):
    """The node with the types of outputs that its attributes tell."""
    made = onnx.NodeProto()
    made.CopyFrom(node)
    of_inputs = {parameter_type(parameter) for parameter in schema.inputs}
    free = [ty for ty in map(parameter_type, schema.outputs) if ty in binding and ty not in of_inputs]
    for name in {"to", "dtype", "output_dtype", "output_datatype"} & set(schema.attributes) if free else ():
        kept = [attribute for attribute in made.attribute if attribute.name != name]
        del made.attribute[:]
        made.attribute.extend([*kept, helper.make_attribute(name, element(binding[free[0]][len("tensor(") : -1]))])
    return made


def tried_opsets(key, since):
    """Pairs of the opset that counts for a version, each that selects it, and of that of ai.onnx beside it."""
    domain = key[0]
    if domain == "com.microsoft":
        return [(1, opset) for opset in (13, 17, 20, newest_opset()) if opset <= newest_opset()]
    newest = newest_opset() if domain == "ai.onnx" else newest_of(domain) or 1
    later = [other - 1 for other in schemas()[key] if other > since]
    return [(opset, None) for opset in range(since, min([newest, *later]) + 1)]


def bindings(schema):
    """Each set of types that the variables may have; those of one type are left out."""
    variables = {name: sorted(types) for name, types in allowed(schema).items()}
    return variables, itertools.islice(itertools.product(*variables.values()), COMBINATIONS)


def is_function(schema):
    """onnxruntime does not tell which of its own operators have a body: all of them are tried."""
    if isinstance(schema, defs.OpSchema):
        return schema.has_function or schema.has_context_dependent_function
    return spelled(schema.domain) == "com.microsoft"


def functions(cast):
    """What runs without a kernel, by its function's body: entries of each version, by domain and name, with the opsets
    in which it does, where it does not in all."""
    found = defaultdict(dict)
    for key, versions in schemas().items():
        for since, schema in versions.items():
            # One that the release does not know is taken for an older one, until a node gives what is new.
            if not is_function(schema) or (*key, since) not in of_release():
                continue
            boxes = kernels().get(key, {}).get(since, [])
            opsets = tried_opsets(key, since)
            run = defaultdict(list)
            variables, combinations = bindings(schema)
            for combination in combinations if opsets else ():
                binding = dict(zip(variables, combination))
                box = {name: frozenset([ty]) for name, ty in binding.items()}
                if any(covers(other, box) for other in boxes):
                    continue
                good = tuple(opset for opset, beside in opsets if runs(schema, binding, opset, beside))
                as_cast = {name: frozenset(cast.get(ty, ty) for ty in types) for name, types in box.items()}
                # What casts alone explain needs no body.
                if good and not (as_cast != box and any(covers(other, as_cast) for other in boxes)):
                    whole = len(good) == len(opsets)
                    # An entry names opsets of its own domain alone.
                    if whole or key[0] == "ai.onnx":
                        run[None if whole else good].append(box)
            if run:
                found[key][since] = {good: simplest(some, schema) for good, some in run.items()}
    return found


def runs(schema, binding, opset, beside):
    """Whether all nodes of a version run with these types, of those that are right with them."""
    answers = {loads(single(schema, *variant, binding, opset, beside)) for variant in variants(schema)}
    return True in answers and False not in answers


def still_runs(key, since, box):
    """Whether sessions take a deprecated version with the types of its kernel: some releases refuse each such node."""
    schema = schemas()[key][since]
    binding = {name: min(box.get(name, types)) for name, types in allowed(schema).items()}
    return any(runs(schema, binding, opset, beside) for opset, beside in tried_opsets(key, since))


def constants():
    """The versions of Constant: no kernel has them, since a session makes an initializer of each such node."""
    key = "ai.onnx", "Constant"
    node = helper.make_node("Constant", [], ["y"], value=helper.make_tensor("value", TensorProto.FLOAT, [1], [1.0]))
    taken = [
        since
        for since in sorted(schemas()[key])
        if since <= newest_opset() and loads(model("", since, [node], [], [typed("y", "tensor(float)")]))
    ]
    return {key: {since: {None: [{}]} for since in taken}} if key not in kernels() else {}


# How it is written.


@cache
def groups():
    """The element types of each group of `types.yaml`, the largest groups first."""
    text = (SPECS / "types.yaml").read_text()
    elements = re.findall(r"- \{ name: (\w+), number", text)
    members = {name: [name] for name in elements}
    found = {}
    for name, allow in re.findall(r"name: (\w+),?\s+allow: \[(.*?)\]", text):
        found[name] = members[name] = [one for word in allow.split(", ") for one in members[word]]
    return elements, sorted(found.items(), key=lambda group: -len(group[1]))


def words(types):
    """A type list with the groups that are within it."""
    elements, of_groups = groups()
    by_form = defaultdict(set)
    for text in types:
        inner = re.findall(r"\w+", text)[-1]
        form = text.replace(f"({inner})", "({})") if not text.startswith("map") else text
        by_form[form].add(inner)
    found = []
    for form, members in sorted(by_form.items(), key=lambda pair: (pair[0] != "tensor({})", pair[0])):
        left, names = set(members), []
        if form.startswith("map"):
            found.append(f'"{form}"')
            continue
        for name, group in of_groups:
            if len(group) > 3 and set(group) <= left:
                left -= set(group)
                names.append(name)
        names += sorted(left, key=elements.index)
        found += names if form == "tensor({})" else [form.format(name) for name in names]
    return found


def entry(key, versions, opsets, box, is_body):
    """The lines of an entry. Where all variables have the same types, they need no names."""
    domain, name = key
    some = [schemas()[key][since] for since in versions]
    fields = [f"operator: {name}"]
    if domain != "ai.onnx":
        fields.append(f"domain: {domain}")
    fields.append(f"versions: [{', '.join(map(str, versions))}]")
    if is_body:
        fields.append("function: true")
    if opsets:
        fields.append(f"opsets: [{', '.join(map(str, opsets))}]")
    if box and len(set(box.values())) == 1 and all(free(schema) <= set(box) for schema in some):
        lists = [("types: ", next(iter(box.values())))]
    else:
        lists = [(f"name: {variable}, types: ", types) for variable, types in sorted(box.items())]
    texts = [f"{start}[{', '.join(words(types))}]" for start, types in lists]
    of_variables = bool(lists) and lists[0][0].startswith("name")
    all_types = [f"variables: [{', '.join(f'{{ {text} }}' for text in texts)}]"] if of_variables else texts
    line = f"  - {{ {', '.join([*fields, *all_types])} }}"
    if len(line) <= WIDTH:
        return [line]
    lines = [f"  - {fields[0]}", *(f"    {field}" for field in fields[1:])]
    if not of_variables:
        return [*lines, *(line for _, types in lists for line in wrapped("    types: ", words(types), ""))]
    lines.append("    variables:")
    return [*lines, *(line for start, types in lists for line in wrapped(f"      - {{ {start}", words(types), " }"))]


def wrapped(start, words, end):
    """A list on one line, or on as many as it needs."""
    whole = f"{start}[{', '.join(words)}]{end}"
    if len(whole) <= WIDTH:
        return [whole]
    margin = " " * (len(start) - len(start.lstrip()) + 2 + (2 if start.lstrip().startswith("-") else 0))
    lines = textwrap.wrap(", ".join(words), WIDTH - len(margin), break_long_words=False)
    return [f"{start}[", *(margin + line for line in lines[:-1]), f"{margin}{lines[-1]}]{end}"]


def free(schema):
    """The type variables that leave a choice."""
    return {name for name, types in allowed(schema).items() if len(types) > 1}


def entries(key, versions, is_body):
    """The entries of an operator: each set of types once, with the versions that have it."""
    by_box = defaultdict(list)
    for since, by_opsets in sorted(versions.items()):
        for opsets, boxes in by_opsets.items():
            for box in boxes:
                types = tuple(sorted((name, tuple(sorted(types))) for name, types in box.items()))
                by_box[is_described(schemas()[key][since]), opsets, types].append(since)
    order = sorted(by_box.items(), key=lambda pair: (pair[1], pair[0][1] or (), pair[0][2]))
    of_unknown = defaultdict(set)
    for (described, opsets, box), sinces in order:
        if described:
            yield from entry(key, sinces, opsets, {name: frozenset(types) for name, types in box}, is_body)
        for _, types in () if described else box:
            of_unknown[tuple(sinces)].update(types)
    # No descriptor has their variables: what any of them may be.
    for sinces, types in of_unknown.items():
        versions = ", ".join(map(str, sinces))
        yield f"  - {{ operator: {key[1]}, versions: [{versions}], types: [{', '.join(words(types))}] }}"


def main():
    onnxruntime.set_default_logger_severity(SILENT)
    cast = list(casts())
    by_function = functions({f"tensor({one})": f"tensor({other})" for one, other, _ in cast})
    by_kernel = {
        key: {since: {None: boxes} for since, boxes in versions.items()} for key, versions in kernels().items()
    }
    by_kernel |= constants()
    domains = ["ai.onnx", *sorted({domain for domain, _ in by_kernel} - {"ai.onnx"})]
    newest = {domain: newest_opset() if domain == "ai.onnx" else newest_of(domain) for domain in domains}
    release = onnxruntime.__version__
    print("# yaml-language-server: $schema=../../manifest.schema.json\n")
    print("# What onnxruntime runs on a CPU; `specs/facts/kernels.py` writes it.\n")
    print(f'runtime: onnxruntime-cpu\nrelease: "{release}"\nsources:')
    print(f'  - "kernels: `get_all_opkernel_def()` of onnxruntime {release}, for {PROVIDER}"')
    print(f'  - "all else: sessions of it, with models of one node; versions and types as in onnx {onnx.__version__}"')
    print(f"ir_version: {newest_ir()}\nopsets:")
    for domain in domains:
        if newest[domain]:
            print(f"  - {{ domain: {domain}, newest: {newest[domain]} }}")
    if cast:
        rows = [f"{{ from: {one}, to: {other}, since: {since} }}" for one, other, since in cast]
        print(f"casts: [{', '.join(rows)}]")
    unknown = [", ".join(f"{field}: {value}" for field, value in row.items()) for row in taken_as(newest)]
    if unknown:
        print(f"taken_as: [{', '.join(f'{{ {row} }}' for row in unknown)}]")
    print("operators:")
    for key in sorted({*by_kernel, *by_function}, key=lambda key: (domains.index(key[0]), key[1])):
        lines = [*entries(key, by_kernel.get(key, {}), False), *entries(key, by_function.get(key, {}), True)]
        print("\n".join(lines))


if __name__ == "__main__":
    main()
