"""Runs the cases of `shape generate` through each tool, and groups what differs by tool, operator, kind and message.

    shape generate -o cases --seed 7 --count 2000
    python compare.py cases [--tool NAME] [--json differences.json]

Numbers are held to be wrong only where two other tools agree against one. A kernel that a runtime lacks is no difference.
"""

import argparse
import collections
import json
import pathlib
import re

import numpy
import onnx

import tools

# What tools say of a thing that they document as missing, which is no fault by itself.
MISSING = re.compile(
    r"NOT_IMPLEMENTED|NotImplemented|under development|No corresponding Numpy type|MLDataType for|"
    r"is not a registered function/op|"
    r"not supported by the reference|No implementation|No Adapter|No Op registered|RuntimeImplementationError|"
    r"unsupported element type|No conversion rule|there is no translator",
    re.DOTALL,
)
# Two runs of these differ by their nature.
RANDOM = ("RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial", "Bernoulli", "Dropout")
SHIFTS = (-1, 1, 3)
NEWEST = 26


def plan(case, model):
    """The runs of a case: a tool and its options, by a name."""
    yield "onnx inference", "onnx inference", {}
    yield "onnx checker", "onnx checker", {}
    yield "onnx-shape-inference", "onnx-shape-inference", {}
    yield "onnxruntime", "onnxruntime", {}
    if not case["valid"]:
        yield "onnx reference evaluator", "onnx reference evaluator", {}
        return
    yield "onnx reference evaluator", "onnx reference evaluator", {}
    yield "openvino", "openvino", {}
    for level in ("basic", "extended", "all"):
        yield f"onnxruntime {level}", "onnxruntime", {"level": level}
    for tool in ("onnxsim", "onnxslim"):
        yield tool, tool, {}
        yield f"{tool} constants", tool, {"constants": True}
    if case["domain"] in ("ai.onnx", ""):
        for shift in SHIFTS:
            if 1 <= case["opset"] + shift <= NEWEST:
                yield f"converter {shift:+}", "onnx version converter", {"to": case["opset"] + shift}


def with_dims(model, case):
    """The model with the dimensions of its outputs, which the checker wants of a main graph."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    for output, known in zip(made.graph.output, case["outputs"]):
        if output.type.WhichOneof("value") == "tensor_type" and known["dims"] is not None:
            shape = output.type.tensor_type.shape
            del shape.dim[:]
            shape.SetInParent()
            for size in known["dims"]:
                shape.dim.add(**({"dim_value": size} if size is not None else {}))
    return made


def normal(message):
    """A message without what differs between two models of one cause."""
    text = re.sub(r"0x[0-9a-f]+|'[^']*'|\"[^\"]*\"", "'…'", message.replace("\n", " "))
    text = re.sub(r"\S*/\S*/\S*?([\w.]+:)", r"\1", text)
    text = re.sub(r"\{[^}]*\}|\[[^\]]*\]|\([\d, -]*\)", "[…]", text)
    text = re.sub(r"-?\d+(\.\d+)?", "N", text)
    return re.sub(r"\s+", " ", text)[:220]


def flat(output):
    """The numbers of an output, in lists."""
    if output["type"] == "seq":
        return [("seq", [len(output["items"])], None)] + [part for item in output["items"] for part in flat(item)]
    return [(output["type"], output.get("dims"), output.get("data"))]


def same_numbers(left, right):
    left, right = numpy.asarray(left), numpy.asarray(right)
    if left.dtype.kind in "OUS":
        return [str(item) for item in left.ravel()] == [str(item) for item in right.ravel()]
    if left.dtype.kind in "biu":
        return bool((left == right).all())
    kind = complex if left.dtype.kind == "c" else float
    small = left.dtype.itemsize < 4
    return numpy.allclose(
        left.astype(kind), right.astype(kind), rtol=2e-2 if small else 1e-3, atol=2e-2 if small else 1e-4, equal_nan=True
    )


def apart(left, right):
    """How two results differ: None, wrong-type, wrong-dims or wrong-numbers."""
    left, right = ([part for output in result["outputs"] for part in flat(output)] for result in (left, right))
    if len(left) != len(right):
        return "wrong-dims"
    for one, other in zip(left, right):
        if one[0] != other[0]:
            return "wrong-type"
        if one[1] != other[1]:
            return "wrong-dims"
        if one[2] is not None and other[2] is not None and not same_numbers(one[2], other[2]):
            return "wrong-numbers"
    return None


def against_known(result, case):
    """How what is inferred contradicts what the manifest knows; what is not inferred is no contradiction."""
    for output, known in zip(result["outputs"], case["outputs"]):
        wanted = re.fullmatch(r"tensor\((\w+)\)", known["type"])
        if wanted and output["type"] not in (wanted[1], "unknown", "undefined"):
            return "wrong-type", f"{output['type']} for {wanted[1]}"
        dims = output.get("dims")
        if dims is None or known["dims"] is None:
            continue
        if len(dims) != len(known["dims"]):
            return "wrong-dims", f"rank {len(dims)} for {len(known['dims'])}"
        for found, size in zip(dims, known["dims"]):
            if isinstance(found, int) and size is not None and found != size:
                return "wrong-dims", f"{dims} for {known['dims']}"
    return None


def of_numbers(results):
    """The tools whose elements two others contradict that agree."""
    names = ["onnxruntime", "onnx reference evaluator", "openvino"]
    ran = [name for name in names if results.get(name, {}).get("outcome") == "ran"]
    if len(ran) < 2:
        return
    pairs = {(one, other): apart(results[one], results[other]) for one in ran for other in ran if one < other}
    if not any(pairs.values()):
        return
    for name in ran:
        others = [pair for pair in pairs if name not in pair]
        if others and not any(pairs[pair] for pair in others):
            kind = next(pairs[pair] for pair in pairs if name in pair)
            yield name, kind, "against two that agree"
            return
    yield " / ".join(ran), next(filter(None, pairs.values())), "no two agree, or there are but two"


def of_invalid(results):
    for name, result in results.items():
        if result["outcome"] == "ran":
            yield name, "accepts-invalid", ""
        elif result["outcome"] in ("crashed", "hung"):
            yield name, result["outcome"], normal(result["message"])


def of_valid(results, case):
    truth = results["onnxruntime"]
    sound = truth["outcome"] == "ran" and results.get("onnx checker", truth)["outcome"] == "ran"
    for name, result in results.items():
        if name.startswith(("converter", "onnxsim", "onnxslim")) and not sound:
            continue
        if name.startswith("onnxruntime ") and result["outcome"] == truth["outcome"] != "ran":
            continue
        if result["outcome"] in ("crashed", "hung", "invalid"):
            yield name, result["outcome"], normal(result["message"])
        elif result["outcome"] == "refused":
            if not MISSING.search(result["message"]):
                yield name, "refuses-valid", normal(result["message"])
        elif name in ("onnx inference", "onnx-shape-inference"):
            wrong = against_known(result, case)
            if wrong:
                yield name, *wrong
        elif name.startswith(("onnxruntime ", "converter", "onnxsim", "onnxslim")) and truth["outcome"] == "ran":
            kind = apart(result, truth)
            if kind:
                yield name, kind, "against onnxruntime without optimisations"
    for name in ("onnxruntime", "onnx reference evaluator", "openvino"):
        if name in results and results[name]["outcome"] == "ran":
            wrong = against_known(results[name], case)
            if wrong:
                yield name, *wrong
    yield from of_numbers(results)


def runs(case, model, inputs, workers, only=""):
    results = {}
    for name, tool, options in plan(case, model):
        if only in name or name in ("onnxruntime", "onnx checker"):
            results[name] = workers[tool].run(tool, model, inputs, options)
    return results


def differences(case, results):
    found = list(of_valid(results, case) if case["valid"] else of_invalid(results))
    return [row for row in found if row[1] != "wrong-numbers" or case["operator"] not in RANDOM]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=pathlib.Path, nargs="+")
    parser.add_argument("--tool", default="", help="only the tools whose name has this part, against onnxruntime")
    parser.add_argument("--json", type=pathlib.Path, help="write the groups with all their cases")
    options = parser.parse_args()
    workers = {tool: tools.Worker(10) for tool in tools.TOOLS}
    groups, count = collections.defaultdict(list), 0
    for folder in options.cases:
        for case in json.loads((folder / "manifest.json").read_text())["cases"]:
            count += 1
            try:
                model, inputs = tools.read_case(folder, case)
            except Exception as error:
                groups["onnx", case["operator"], "unreadable", normal(str(error))].append(f"{folder}/{case['name']}")
                continue
            model = with_dims(model, case) if case["valid"] else model
            for name, kind, message in differences(case, runs(case, model, inputs, workers, options.tool)):
                said = f"{case['code']} {message}" if case["code"] else message
                groups[name, case["operator"], kind, said].append(f"{folder}/{case['name']}")
    for (name, operator, kind, message), found in sorted(groups.items()):
        print(f"{name} | {operator} | {kind} | {len(found)} | {found[0]} | {message}")
    if options.json:
        rows = [[*group, found] for group, found in sorted(groups.items())]
        options.json.write_text(json.dumps(rows, indent=0))
    print(f"compare: {count} cases, {len(groups)} groups of differences")


if __name__ == "__main__":
    main()
