"""Inference through the operators that onnxruntime registers on its own, held against onnxruntime.

For each operator random valid nodes are drawn (`runtime_nodes`), each as a model with numbers for its sizes, twice, and as
one with a symbol for each size. What `shape infer` says of the latter must be so in both of the former:

- run: onnxruntime has a kernel for the CPU, and ran the node.
- inferred: it has none. Then a node Shape behind each output is folded to a constant before kernels are looked for, and
  shows what its own inference gives.

Beside it stand `onnxruntime.tools.symbolic_shape_infer` and onnx-shape-inference of PyPI, where Python finds them.
"""

import argparse
import importlib
import pkgutil

import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import command
import infer_corpus
import numpy
import onnx
import onnxruntime
import pages
import runtime
import runtime_nodes
import summary
from engines import NO_KERNEL
from infer_corpus import OURS, TOOLS, Run
from onnx import TensorProto, helper, numpy_helper
from runtime_nodes.drawing import NODES, Draw, Size

# What is wrong with an operator that a runtime has on its own in a domain of ONNX.
FOREIGN = ("operator-unknown", "operator-experimental", "operator-too-new")
# How onnxruntime says that its kernel is written for instructions that this processor does not have.
NOT_HERE = "not yet supported on this hardware platform"
CASES, SEED = 6, 20261124
BESIDE = (OURS, "onnxruntime", "onnx-shape-inference")
KINDS = ("known", "fresh", "unknown", "wrong")
RECORD = "runtime_operators.json"


def drawn(key, draws, case, sizes):
    return draws(Draw(f"{SEED} {key} {case}", f"{SEED} {key} {case} {sizes}"))


def model_of(key, node, rng=None):
    """The node as a model, with symbols for its sizes, or with numbers if there is a generator for elements; and these."""
    domain, op_type, since = key
    inputs, initializers, feeds, names = [], [], {}, []
    for index, tensor in enumerate(node.inputs):
        names.append("" if tensor is None else f"x{index}")
        if tensor is None:
            continue
        array = tensor.array(rng or numpy.random.default_rng(0)) if tensor.constant or rng else None
        if tensor.constant:
            initializers.append(numpy_helper.from_array(array, names[-1]))
            continue
        dims = [dim.name if isinstance(dim, Size) and rng is None else int(dim) for dim in tensor.dims]
        inputs.append(helper.make_tensor_value_info(names[-1], tensor.elem, dims))
        if rng is not None:
            feeds[names[-1]] = (tensor.elem, array)
    given = [True] * node.outputs if isinstance(node.outputs, int) else node.outputs
    outputs = [f"y{index}" if is_given else "" for index, is_given in enumerate(given)]
    made = helper.make_node(op_type, names, outputs, "node", domain=domain, **node.attributes)
    infos = []
    for index, name in enumerate(outputs):
        if name:
            info = onnx.ValueInfoProto(name=name)
            if index < len(node.types) and node.types[index]:
                info.type.tensor_type.elem_type = TensorProto.DataType.Value(node.types[index].upper())
            infos.append(info)
    graph = helper.make_graph([made], "one", inputs, infos, initializers)
    imports = [helper.make_opsetid("", node.opset)]
    if domain not in ("", "ai.onnx"):
        imports.append(helper.make_opsetid(domain, node.opset if domain == "com.ms.internal.nhwc" else 1))
    return helper.make_model(graph, opset_imports=imports, ir_version=10), feeds


def is_no_kernel(error):
    # For a type without kernels it casts to float, and calls its own graph invalid where the operator does not take that.
    return any(words in str(error) for words in (*NO_KERNEL, "InsertedPrecisionFreeCast"))


def ran(model, feeds):
    """The dimensions of the outputs of a run, by name; None without a kernel."""
    try:
        loaded = runtime.session(model.SerializeToString())
    except runtime.Refused as error:
        if is_no_kernel(error):
            return None
        raise
    make = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type
    values = {}
    for name, (elem, array) in feeds.items():
        width = runtime.BITS.get(elem)
        values[name] = make(array.view(width), elem) if width else onnxruntime.OrtValue.ortvalue_from_numpy(array)
    names = [output.name for output in loaded.get_outputs()]
    return {name: tuple(value.shape()) for name, value in zip(names, loaded.run_with_ort_values(names, values))}


def inferred(model):
    """The dimensions that onnxruntime infers of the outputs, by name; those that it does not are left out."""
    known = {}
    for output in [info.name for info in model.graph.output]:
        asked = onnx.ModelProto()
        asked.CopyFrom(model)
        # What is declared of them is needed where no type is inferred.
        asked.graph.value_info.extend(model.graph.output)
        del asked.graph.output[:]
        asked.graph.node.add(op_type="Shape", input=[output], output=["dims"])
        asked.graph.output.append(helper.make_tensor_value_info("dims", TensorProto.INT64, None))
        try:
            known[output] = folded(asked)
        except Exception as error:  # noqa: BLE001: whatever it says
            if not is_no_kernel(error):
                raise runtime.Refused(str(error)) from None
    return {name: dims for name, dims in known.items() if dims is not None}


def folded(asked):
    """What the optimized model says of the dimensions."""
    with tempfile.TemporaryDirectory() as scratch:
        path = str(Path(scratch) / "optimized.onnx")
        options = onnxruntime.SessionOptions()
        options.log_severity_level = runtime.SILENT
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.optimized_model_filepath = path
        onnxruntime.InferenceSession(asked.SerializeToString(), options, providers=["CPUExecutionProvider"])
        optimized = onnx.load(path)
    constants = [numpy_helper.to_array(tensor) for tensor in optimized.graph.initializer if tensor.name == "dims"]
    return tuple(constants[0].tolist()) if constants else None


def truth(key, draws, case):
    """How it is known, and two runs of the same node with different sizes."""
    runs, how = [], None
    for sizes in range(2):
        node = drawn(key, draws, case, sizes)
        model, feeds = model_of(key, node, numpy.random.default_rng(SEED + case))
        dims = ran(model, feeds)
        how = "run" if dims is not None else "inferred"
        dims = inferred(model) if dims is None else dims
        named = {dim.name: int(dim) for tensor in node.inputs if tensor for dim in tensor.dims if isinstance(dim, Size)}
        arrays = {name: numpy.broadcast_to(numpy.float32(0), shape) for name, shape in dims.items()}
        runs.append(Run(named, arrays))
    return how, runs


def asked(tool, model, path, runs, named, outputs):
    """The kind of each output by what a tool says of it, and what the runs contradict."""
    said = {name: of for name, of in TOOLS[tool](model, path).items() if name in outputs}
    # Of elements nothing is known in the runs.
    said = {name: (dims, None, why) for name, (dims, _, why) in said.items()}
    wrong = {}
    for one in runs:
        wrong |= dict(infer_corpus.wrong(said, one))
    kinds = {name: "wrong" if name in wrong else infer_corpus.kind(said[name][0], named) if name in said else "unknown"
             for name in outputs}
    return kinds, wrong, said


def recorded(rows):
    """What `runtime_operators.json` says: what there is of each domain, and what each tool knows."""
    domains = defaultdict(Counter)
    for name, row in rows.items():
        domains[name.split("::")[0]].update(["run" if row["truth"]["run"] else "inferred"])
    tools = {}
    for tool in BESIDE:
        total = sum((row[tool] for row in rows.values()), Counter())
        whole = sum(not row[tool]["unknown"] and not row[tool]["wrong"] for row in rows.values())
        tools[tool] = {kind: total[kind] for kind in KINDS} | {"whole": whole}
    return {
        "domains": {name: {how: count[how] for how in ("run", "inferred")} for name, count in sorted(domains.items())},
        "tools": tools,
        "known": {name: row[OURS]["known"] for name, row in rows.items()},
    }


def record(rows, problems):
    """Writes what is known, and the page."""
    if silent := [tool for tool in BESIDE if not any(row[tool]["known"] for row in rows.values())]:
        # The table would say that they know nothing.
        problems.append(f"nothing is recorded without {', '.join(silent)}")
        return
    pages.write(RECORD, recorded(rows))
    pages.write_pages()


def compared(rows, not_here, problems):
    """Tells of how many outputs less is known than is recorded, but for the versions that do not run on this machine."""
    recorded = {name: least for name, least in pages.data(RECORD)["known"].items() if name not in not_here}
    problems += [f"{name} is not recorded" for name in rows if name not in recorded]
    for name, least in recorded.items():
        if rows[name][OURS]["known"] < least:
            problems.append(f"{name}: {rows[name][OURS]['known']} outputs are known, and {least} are recorded")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="not used")
    parser.add_argument("--only", nargs="*", help="operators")
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--record", action="store_true", help="write runtime_operators.json and INFER.md")
    options = parser.parse_args()
    for module in pkgutil.iter_modules(runtime_nodes.__path__):
        importlib.import_module(f"runtime_nodes.{module.name}")
    onnxruntime.set_default_logger_severity(runtime.SILENT)
    problems, rows, passed, not_here = [], defaultdict(lambda: defaultdict(Counter)), 0, set()
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "model.onnx"
        for key, functions in sorted(NODES.items()):
            name = f"{key[0] or 'ai.onnx'}::{key[1]}-{key[2]}"
            if options.only and key[1] not in options.only:
                continue
            for draws, case in [(draws, case) for draws in functions for case in range(options.cases)]:
                try:
                    how, runs = truth(key, draws, case)
                except Exception as error:  # noqa: BLE001: a node that onnxruntime does not take is drawn wrongly
                    if NOT_HERE in str(error):
                        not_here.add(name)
                    else:
                        problems.append(f"{name}, case {case}: onnxruntime does not take the node: {str(error)[:600]}")
                    continue
                model, _ = model_of(key, drawn(key, draws, case, 0))
                outputs = [info.name for info in model.graph.output]
                rows[name]["truth"][how] += 1
                for tool in BESIDE:
                    try:
                        kinds, wrong, said = asked(tool, model, path, runs, set(runs[0].sizes), outputs)
                    except command.Broken as error:
                        problems.append(f"{name}, case {case}: {error}")
                        continue
                    except Exception:  # noqa: BLE001: a tool may fail in any way
                        kinds, wrong, said = dict.fromkeys(outputs, "unknown"), {}, {}
                    rows[name][tool].update(kinds.values())
                    if tool == OURS:
                        problems += [f"{name}, case {case}: `{value}`: {what}" for value, what in wrong.items()]
                        passed += len(outputs) - len(wrong)
                        answer = command.infer(path)
                        errors = [finding for finding in answer["findings"] if finding["severity"] == "error"]
                        if not key[0]:
                            # In a domain of ONNX it is one that no other runtime knows.
                            errors = [finding for finding in errors if finding["code"] not in FOREIGN]
                        problems += [f"{name}, case {case}: {each['code']}: {each['message']}" for each in errors]
                        open_types = [of["name"] for of in answer["values"] if of["name"] in outputs and of["type"] is None]
                        problems += [f"{name}, case {case}: the type of `{value}` is unknown" for value in open_types]
                        for output, (dims, _, why) in said.items():
                            lacks = kinds[output] == "unknown" and all(output in one.arrays for one in runs)
                            if options.verbose:
                                print(f"{name}, case {case}, {how}: {output} {dims} {why or ''}",
                                      [list(one.arrays[output].shape) for one in runs if output in one.arrays])
                            if lacks:
                                rows[name]["lacks"][f"{output}: {why}"] += 1
    for name, row in rows.items():
        told = [f"{tool} " + ", ".join(f"{row[tool][kind]} {kind}" for kind in KINDS if row[tool][kind]) for tool in BESIDE]
        how = ", ".join(f"{count} {how}" for how, count in row["truth"].items())
        print(f"{name}: {how}; " + "; ".join(told))
        for what, count in row["lacks"].items():
            print(f"    {count} known there, not here: {what}")
    for name in sorted(not_here):
        print(f"{name}: not compared, {NOT_HERE}")
    print(pages.operators(recorded(rows)))
    if options.record:
        problems += [f"nothing is recorded without {name}, {NOT_HERE}" for name in sorted(not_here)]
        if not not_here:
            record(rows, problems)
    elif not options.only and options.cases == CASES:
        compared(rows, not_here, problems)
    summary.close("operators of onnxruntime", passed, problems)


if __name__ == "__main__":
    main()
