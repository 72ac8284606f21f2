"""What must be so of a simplified model beside the one that it was made of, without a run of either."""

from collections import Counter, defaultdict

from onnx import AttributeProto

# A file may be larger by this much for the constants that are written.
GROWTH = 1 << 20
# What may be missing afterwards, if nothing needs it; the other fields of a model stay.
PARTS = ("graph", "functions", "opset_import")
STANDARD = ("", "ai.onnx")


def graphs_of(node):
    for attribute in node.attribute:
        if attribute.type == AttributeProto.GRAPH:
            yield attribute.g
        yield from attribute.graphs


def inside(graph):
    """The graph and all in it."""
    yield graph
    for node in graph.node:
        for inner in graphs_of(node):
            yield from inside(inner)


def graphs(model):
    """The graph, those in its nodes, and the functions."""
    yield from inside(model.graph)
    for function in model.functions:
        yield from inside(function)


def nodes(model):
    return [node for graph in graphs(model) for node in graph.node]


def initializers(model):
    return [tensor for graph in inside(model.graph) for tensor in graph.initializer]


def given(graph):
    """The names of what stands in a graph without a node."""
    names = [info.name for info in graph.input]
    names += [tensor.name for tensor in graph.initializer if tensor.name not in names]
    return names + [sparse.values.name for sparse in graph.sparse_initializer]


def values(graph):
    return {*given(graph), *(name for node in graph.node for name in node.output if name)}


def read(graph):
    """What the nodes in a graph, in those inside of it, and their outputs read."""
    names = {name for inner in inside(graph) for node in inner.node for name in node.input}
    return names | {each if isinstance(each, str) else each.name for inner in inside(graph) for each in inner.output}


def outer(graph):
    """What a graph inside of a node reads from outside."""
    return read(graph) - {name for inner in inside(graph) for name in values(inner)}


def interface(before, after):
    """Inputs and outputs have the same names and types."""
    for side in ("input", "output"):
        old, new = getattr(before.graph, side), getattr(after.graph, side)
        if [each.name for each in old] != [each.name for each in new]:
            yield f"{side}s {[each.name for each in old]} are {[each.name for each in new]}"
        elif list(old) != list(new):
            yield f"{side}s with other types or texts"


def head(before, after):
    """What a model and its graph say of themselves stays."""
    for name in (field.name for field in before.DESCRIPTOR.fields if field.name not in PARTS):
        if getattr(before, name) != getattr(after, name):
            yield f"another {name} of the model"
    for name in ("name", "doc_string", "metadata_props"):
        if getattr(before.graph, name) != getattr(after.graph, name):
            yield f"another {name} of the graph"


def texts(before, after):
    """The nodes that remain have their names and texts; so have the values that remain."""
    said = lambda node: (node.name, node.doc_string, [(each.key, each.value) for each in node.metadata_props])
    old = defaultdict(list)
    # A node may give the output of one behind it that did nothing, so that its name tells more than its output.
    keys = lambda node: ((node.op_type, node.domain, node.name), (node.op_type, node.domain, *node.output))
    for node in nodes(before):
        for key in set(keys(node)):
            old[key].append(said(node))
    for node in nodes(after):
        known = next((old[key] for key in keys(node) if key in old), None)
        if known and said(node) not in known:
            yield f"{node.op_type} `{node.name}` has other texts than before"
    there, kept = {info.name: info for info in after.graph.value_info}, values(after.graph)
    for info in before.graph.value_info:
        if info.name in kept and there.get(info.name) != info:
            yield f"what is declared of `{info.name}` is lost"


def annotations(before, after):
    """The quantization of values that remain, with the tensors that it names."""
    there = {each.tensor_name: each for each in after.graph.quantization_annotation}
    kept, held = values(after.graph), {tensor.name for tensor in before.graph.initializer}
    for each in before.graph.quantization_annotation:
        if each.tensor_name not in kept:
            continue
        if there.get(each.tensor_name) != each:
            yield f"the annotation of `{each.tensor_name}` is lost"
            continue
        for parameter in each.quant_parameter_tensor_names:
            if parameter.value in held and parameter.value not in kept:
                yield f"`{parameter.value}` is lost, which an annotation names"


def scope(graph, outer):
    """What is read before it is there, or given twice."""
    known = set(outer)
    for name in graph.input if hasattr(graph, "attribute_proto") else given(graph):
        if name in known:
            yield f"`{name}` is given twice"
        known.add(name)
    for node in graph.node:
        for name in filter(None, node.input):
            if name not in known:
                yield f"{node.op_type} `{node.name}` reads `{name}`, which is not there"
        for inner in graphs_of(node):
            yield from scope(inner, known)
        for name in filter(None, node.output):
            if name in known:
                yield f"`{name}` is given twice"
            known.add(name)
    for each in graph.output:
        name = each if isinstance(each, str) else each.name
        if name not in known:
            yield f"the output `{name}` is not there"


def names(before, after):
    """Nothing dangles."""
    yield from scope(after.graph, ())
    for function in after.functions:
        yield from scope(function, ())


def imports(before, after):
    """What is imported and called is as it was, and all that is used is imported."""
    old, new = ({each.domain: each.version for each in model.opset_import} for model in (before, after))
    for domain, version in new.items():
        if old.get(domain) != version:
            yield f"imports `{domain}` {version}, before {old.get(domain)}"
    for domain in {node.domain for graph in inside(after.graph) for node in graph.node}:
        if domain not in new and not (domain in STANDARD and set(STANDARD) & set(new)):
            yield f"uses `{domain}` without an import"
    old, new = ({(each.domain, each.name) for each in model.functions} for model in (before, after))
    called = {(node.domain, node.op_type) for node in nodes(after)}
    for key in (old & called) - new:
        yield f"the function {key} is called and lost"


def external(before, after):
    """Data beside the model is where it was."""
    place = lambda tensor: [(entry.key, entry.value) for entry in tensor.external_data]
    old = {tensor.name: place(tensor) for tensor in initializers(before)}
    for tensor in initializers(after):
        if old.get(tensor.name, place(tensor)) != place(tensor):
            yield f"the data of `{tensor.name}` was at {old[tensor.name]}, and is at {place(tensor)}"


def growth(before, after):
    more = after.ByteSize() - before.ByteSize()
    if more > GROWTH:
        yield f"larger by {more:,} bytes"


def leftovers(before, after):
    """What nothing needs is gone."""
    for graph in graphs(after):
        is_function = hasattr(graph, "attribute_proto")
        needed = read(graph)
        for node in graph.node:
            if not needed & set(filter(None, node.output)):
                yield f"nothing reads what {node.op_type} `{node.name}` gives"
        if not is_function:
            needed |= {info.name for info in graph.input}
            needed |= {each.value for note in graph.quantization_annotation for each in note.quant_parameter_tensor_names}
            for tensor in graph.initializer:
                if tensor.name not in needed:
                    yield f"nothing reads the initializer `{tensor.name}`"
    called = Counter((node.domain, node.op_type) for node in nodes(after))
    for function in after.functions:
        if not called[function.domain, function.name]:
            yield f"nothing calls the function `{function.name}`"
    used = {node.domain for node in nodes(after)} | {function.domain for function in after.functions}
    for domain in {each.domain for each in after.opset_import} - used - set(STANDARD):
        yield f"nothing uses the import of `{domain}`"


# What holds for any rewriting of a model; what a simplified one owes beyond that.
CHECKS = (interface, head, texts, annotations, names, imports, external, growth)
DUTIES = (leftovers,)


def told(answer, before, after, same_bytes):
    """The counts of the report are those of the files."""
    for what, count in (("nodes", nodes), ("initializers", initializers)):
        counted = {"before": len(count(before)), "after": len(count(after))}
        if answer[what] != counted:
            yield f"{what} {answer[what]}, counted {counted}"
    rewrites = sum(each["rewrites"] for each in answer["passes"])
    if (rewrites == 0) != same_bytes:
        yield f"{rewrites} rewrites, and the file is {'the same' if same_bytes else 'another'}"
