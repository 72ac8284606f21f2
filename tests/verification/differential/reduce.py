"""Reduces a case to the smallest model in which the same difference shows, and prints it as text.

    python reduce.py cases/Pad_21_4 [--tool NAME] [--kind KIND]

Tried in turn, for as long as one of them helps: a node less, an attribute less, an optional input less, an initializer
for an input, dimensions of 1, of 0 and of 2, and plain data. A step is kept if the checker holds the model to be as valid
as before, and the same tool differs from the others in the same kind.
"""

import argparse
import json
import pathlib
import sys

import numpy
import onnx
from onnx import helper, numpy_helper

import compare
import tools

SIZES = (1, 0, 2)
ROUNDS = 8
# So many letters of two messages of one cause are the same.
SAME = 30


def copied(model):
    made = onnx.ModelProto()
    made.CopyFrom(model)
    return made


def fewer_nodes(model, inputs):
    """The models without one node, whose outputs become inputs that nothing fills: only where nothing reads them."""
    for index, node in enumerate(model.graph.node):
        read = {name for other in model.graph.node for name in other.input}
        if len(model.graph.node) == 1 or read.intersection(node.output):
            continue
        made = copied(model)
        del made.graph.node[index]
        kept = [output for output in made.graph.output if output.name not in node.output]
        if kept:
            del made.graph.output[:]
            made.graph.output.extend(kept)
            yield made, inputs


def fewer_functions(model, inputs):
    for index in range(len(model.functions)):
        made = copied(model)
        del made.functions[index]
        yield made, inputs


def fewer_outputs(model, inputs):
    for index in range(len(model.graph.output)):
        if len(model.graph.output) > 1:
            made = copied(model)
            del made.graph.output[index]
            yield made, inputs


def fewer_attributes(model, inputs):
    for place, node in enumerate(model.graph.node):
        for index in range(len(node.attribute)):
            made = copied(model)
            del made.graph.node[place].attribute[index]
            yield made, inputs


def fewer_inputs(model, inputs):
    for place, node in enumerate(model.graph.node):
        for index in range(1, len(node.input)):
            if node.input[index]:
                made = copied(model)
                made.graph.node[place].input[index] = ""
                yield trimmed(made, inputs)


def trimmed(model, inputs):
    """Without empty names at the end of the inputs of nodes, and without inputs that nothing reads."""
    for node in model.graph.node:
        while node.input and not node.input[-1]:
            del node.input[-1]
    read = {name for node in model.graph.node for name in node.input}
    read.update(output.name for output in model.graph.output)
    if not any(attribute.HasField("g") or attribute.graphs for node in model.graph.node for attribute in node.attribute):
        for values in (model.graph.input, model.graph.initializer):
            kept = [value for value in values if value.name in read]
            del values[:]
            values.extend(kept)
    return model, {name: value for name, value in inputs.items() if name in {given.name for given in model.graph.input}}


def as_inputs(model, inputs):
    """The model with its initializers as inputs, so that their sizes can be reduced like those of inputs."""
    made, given = copied(model), dict(inputs)
    for tensor in model.graph.initializer:
        given[tensor.name] = numpy_helper.to_array(tensor)
        made.graph.input.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims)))
    del made.graph.initializer[:]
    if len(model.graph.initializer):
        yield made, given


def with_value(model, inputs, name, value):
    made, given = copied(model), dict(inputs)
    given[name] = value
    for declared in made.graph.input:
        if declared.name == name:
            element = declared.type.tensor_type.elem_type
            declared.CopyFrom(helper.make_tensor_value_info(name, element, list(value.shape)))
    for output in made.graph.output:
        if output.type.WhichOneof("value") == "tensor_type":
            output.type.tensor_type.ClearField("shape")
    return made, given


def smaller(model, inputs):
    """All dimensions of one size at once, where that size occurs, then one dimension of one input."""
    arrays = {name: value for name, value in inputs.items() if isinstance(value, numpy.ndarray)}
    for size in sorted({size for value in arrays.values() for size in value.shape if size > 1}, reverse=True):
        for wanted in SIZES:
            if wanted < size:
                made, given = model, inputs
                for name, value in arrays.items():
                    slices = tuple(slice(0, wanted if length == size else length) for length in value.shape)
                    made, given = with_value(made, given, name, value[slices])
                yield made, given
    for name, value in arrays.items():
        for axis, length in enumerate(value.shape):
            for wanted in SIZES:
                if wanted < length:
                    yield with_value(model, inputs, name, value.take(range(wanted), axis))


def plainer(model, inputs):
    for name, value in inputs.items():
        if isinstance(value, numpy.ndarray) and value.dtype.kind not in "OUS" and value.size:
            for data in (numpy.zeros(value.size), numpy.ones(value.size), numpy.arange(1, value.size + 1)):
                wanted = data.astype(value.dtype).reshape(value.shape)
                if not (wanted == value).all():
                    yield with_value(model, inputs, name, wanted)
                else:
                    break


STEPS = (fewer_nodes, fewer_outputs, fewer_functions, as_inputs, fewer_attributes, fewer_inputs, smaller, plainer)


class Judge:
    """Says whether a difference is still there."""

    def __init__(self, case):
        self.case, self.name, self.kind, self.message = case, "", "", ""
        self.workers = {tool: tools.Worker(10) for tool in tools.TOOLS}

    def known(self, results):
        """The case of a model that was reduced: its outputs are what onnxruntime, or else inference, says."""
        source = results["onnxruntime"]
        source = source if source["outcome"] == "ran" else results.get("onnx inference", {"outcome": "refused"})
        outputs = [{"name": "", "type": "unknown", "dims": None}]
        if source["outcome"] == "ran":
            outputs = [
                {"name": "", "type": f"tensor({found['type']})", "dims": self.sizes(found.get("dims"))}
                for found in source["outputs"]
            ]
        return {**self.case, "outputs": outputs}

    @staticmethod
    def sizes(dims):
        return None if dims is None else [size if isinstance(size, int) else None for size in dims]

    def found(self, model, inputs):
        results = compare.runs(self.case, model, inputs, self.workers)
        return compare.differences(self.known(results), results)

    def shows(self, model, inputs):
        try:
            onnx.checker.check_model(model)
        except Exception as error:
            if self.case["valid"] and "'shape'" not in str(error):
                return False
        return any(self.same(*row) for row in self.found(model, inputs))

    def same(self, name, kind, message):
        """A refusal is the same one if its message begins in the same way."""
        alike = kind not in ("refuses-valid", "invalid") or message[:SAME] == self.message[:SAME]
        return name == self.name and kind == self.kind and alike


def reduce(judge, model, inputs):
    for _ in range(ROUNDS):
        helped = False
        for step in STEPS:
            again = True
            while again:
                again = False
                for made, given in step(model, inputs):
                    if judge.shows(made, given):
                        model, inputs, helped, again = made, given, True, step is not plainer
                        break
        if not helped:
            break
    return model, inputs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", type=pathlib.Path, nargs="+", help="the folders of cases")
    parser.add_argument("--tool", default="", help="the tool, by a part of its name")
    parser.add_argument("--kind", default="", help="crashed, hung, wrong-dims, ...")
    options = parser.parse_args()
    for place in options.case:
        cases = json.loads((place.parent / "manifest.json").read_text())["cases"]
        case = next(case for case in cases if case["name"] == place.name)
        model, inputs = tools.read_case(place.parent, case)
        model = compare.with_dims(model, case) if case["valid"] else model
        judge = Judge(case)
        rows = [row for row in judge.found(model, inputs) if options.tool in row[0] and options.kind in row[1]]
        if not rows:
            print(f"{place}: no difference of this tool and kind", file=sys.stderr)
            continue
        judge.name, judge.kind, judge.message = rows[0]
        model, inputs = reduce(judge, model, inputs)
        print(f"{place}: {judge.name}: {judge.kind} {judge.message}\n{onnx.printer.to_text(model)}")
        for name, value in inputs.items():
            kind = f"{value.dtype}{list(value.shape)}" if isinstance(value, numpy.ndarray) else "sequence"
            print(f"  {name}: {kind} {numpy.asarray(value).ravel().tolist() if kind != 'sequence' else value}")


if __name__ == "__main__":
    main()
