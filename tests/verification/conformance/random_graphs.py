"""Random graphs of 5 to 40 nodes, run by onnxruntime, and inferred by `shape infer` with every shape but those of the
inputs unknown.

Each is right by construction: `graph_operators.py` adds nodes to values that are at hand, in numpy. The inputs have
symbols, numbers, unknown dimensions or no shape at all. Every value is an output. With the numbers of the run in place
of the symbols, what was inferred must be the dimensions and the elements that onnxruntime gave, wherever it is known;
and again with other numbers for the symbols, where the graph is right for those too. A finding that is an error is a
failure, since there is nothing wrong.

A graph that fails is kept with nothing but what leads to the value at fault.
"""

import argparse
import random
import re
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import command
import expressions
import numpy as np
import onnx
import onnxruntime
import summary
from graph_operators import BOOL, ELEMENTS, FLOAT, INT32, INT64, OPERATORS, Reject
from onnx import helper, numpy_helper

SEED, COUNT = 20260101, 5000
NODES = 5, 40
OPSETS = [11, 12, 13, 15, 17, 18, 21, 23, 24]
IR = 10
SYMBOLS = ["batch", "seq", "N", "M"]
EXPRESSIONS = ["2*N", "N + 1", "3*M", "M//2 + 1", "batch + N"]
MOST_SIZE, MOST_ELEMENTS, MOST_NUMBER = 7, 4000, 1_000_000
SILENT = 4

onnxruntime.set_default_logger_severity(SILENT)


@dataclass(frozen=True)
class Input:
    """`dims` are its sizes, numbers and expressions over the symbols; `declared` is what the model says of them."""

    name: str
    dtype: np.dtype
    dims: tuple
    declared: tuple | None


@dataclass(frozen=True)
class Node:
    proto: onnx.NodeProto
    meaning: object


class Graph:
    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.opset = self.chance.choice(OPSETS)
        self.sizes = dict(zip(SYMBOLS, self.chance.sample(range(1, MOST_SIZE + 1), len(SYMBOLS))))
        self.inputs, self.constants, self.nodes, self.arrays, self.made = [], {}, [], {}, []
        wanted = self.chance.randint(1, 4)
        while len(self.inputs) < wanted:
            try:
                self.inputs.append(self.input(f"x{len(self.inputs)}"))
            except Reject:
                continue

    def input(self, name):
        dtype = self.chance.choices([FLOAT, INT64, BOOL, INT32], [7, 3, 1, 1])[0]
        sorts = self.chance.choices(["symbol", "number", "unknown"], [6, 3, 1], k=self.chance.choice([0, 1, 2, 2, 3, 3, 4]))
        number = lambda: self.chance.choice([1, 1, 2, 3, 4])
        symbol = lambda: self.chance.choice(SYMBOLS if self.chance.random() < 0.85 else EXPRESSIONS)
        dims = tuple(symbol() if sort == "symbol" else number() for sort in sorts)
        declared = tuple(None if sort == "unknown" else dim for dim, sort in zip(dims, sorts))
        given = Input(name, dtype, dims, None if self.chance.random() < 0.05 else declared)
        self.keep(name, self.feed(given, self.sizes, self.chance))
        return given

    @staticmethod
    def feed(given, sizes, chance):
        shape = tuple(expressions.known(dim, sizes) for dim in given.dims)
        return numbers(chance, shape, given.dtype)

    def keep(self, name, array):
        if array.size > MOST_ELEMENTS or array.ndim > 6:
            raise Reject
        if array.dtype != BOOL and array.size and not np.all(np.abs(array) < MOST_NUMBER):
            raise Reject
        self.arrays[name] = array
        self.made.append(name)

    def array(self, name):
        return self.arrays[name]

    def integers(self, shape, low, high):
        return np.array([self.chance.randint(low, high) for _ in range(int(np.prod(shape)))]).reshape(shape)

    def numbers(self, shape, dtype):
        return numbers(self.chance, shape, dtype)

    def pick(self, fits=lambda array: True, prefer=None):
        """A value that fits, a late one rather than an early one, and one that is preferred rather than another."""
        found = [name for name in self.made if fits(self.arrays[name])]
        if prefer and self.chance.random() < 0.6:
            found = [name for name in found if prefer(self.arrays[name])] or found
        if not found:
            raise Reject
        return found[max(self.chance.randrange(len(found)) for _ in range(2))]

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants[name] = array
        self.arrays[name] = array
        if self.chance.random() < 0.4:
            tensor = numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape))
            self.nodes.append(Node(helper.make_node("Constant", [], [name], value=tensor), lambda: array))
        return name

    def scalar(self, name):
        """The one element of a value as a scalar."""
        if self.arrays[name].ndim == 0:
            return name
        index = self.constant(np.array(0, INT64))
        return self.add("Gather", [name, index], lambda data, at: np.take(data, at, 0), axis=0)

    def add(self, op_type, inputs, meaning, outputs=1, **attributes):
        results = evaluate(meaning, [self.arrays[name] for name in inputs], outputs)
        names = [f"v{len(self.made) + place}" for place in range(outputs)]
        if "value" in attributes:
            attributes["value"] = numpy_helper.from_array(attributes["value"])
        for name, array in zip(names, results, strict=True):
            self.keep(name, array)
        self.nodes.append(Node(helper.make_node(op_type, inputs, names, **attributes), meaning))
        return names[0]

    def grow(self):
        wanted = self.chance.randint(*NODES)
        operators, weights = list(OPERATORS), list(OPERATORS.values())
        while len(self.nodes) < wanted:
            try:
                self.chance.choices(operators, weights)[0](self)
            except Reject:
                continue

    def model(self, nodes=None):
        nodes = self.nodes if nodes is None else nodes
        given = [
            helper.make_tensor_value_info(each.name, ELEMENTS[each.dtype], each.declared) for each in self.inputs
        ]
        names = [name for node in nodes for name in node.proto.output]
        outputs = [helper.make_tensor_value_info(name, ELEMENTS[self.arrays[name].dtype], None) for name in names]
        read = {name for node in nodes for name in node.proto.input}
        initializers = [
            numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name)
            for name, array in self.constants.items()
            if name in read and name not in names
        ]
        graph = helper.make_graph([node.proto for node in nodes], "random", given, outputs, initializers)
        return helper.make_model(graph, ir_version=IR, opset_imports=[helper.make_opsetid("", self.opset)])

    def again(self, sizes, chance):
        """The inputs for other sizes; None where the graph is not right for them, or makes too much of them."""
        fed = {given.name: self.feed(given, sizes, chance) for given in self.inputs}
        arrays = {**self.constants, **fed}
        try:
            for node in self.nodes:
                results = evaluate(node.meaning, [arrays[name] for name in node.proto.input], len(node.proto.output))
                for name, array in zip(node.proto.output, results, strict=True):
                    if array.size > 50 * MOST_ELEMENTS or (array.dtype in (INT64, INT32) and np.any(np.abs(array) > 2**31 - 1)):
                        return None
                    arrays[name] = array
        except (Reject, ValueError, IndexError, ZeroDivisionError):
            return None
        return fed

    def leading_to(self, name):
        """The nodes that a value comes from, that of the value last."""
        wanted, found = {name}, []
        for node in reversed(self.nodes):
            if wanted & set(node.proto.output):
                found.append(node)
                wanted |= set(node.proto.input)
        return found[::-1]


def numbers(chance, shape, dtype):
    count = int(np.prod(shape))
    if dtype == BOOL:
        return np.array([chance.random() < 0.5 for _ in range(count)], BOOL).reshape(shape)
    if dtype == FLOAT:
        return np.array([chance.randint(-8, 8) / 2 for _ in range(count)], FLOAT).reshape(shape)
    return np.array([chance.randint(1, 5) for _ in range(count)], dtype).reshape(shape)


def evaluate(meaning, arrays, outputs):
    try:
        with np.errstate(all="ignore"):
            results = meaning(*arrays)
    except (ValueError, IndexError):
        raise Reject from None
    results = list(results) if outputs > 1 else [results]
    if len(results) != outputs:
        raise Reject
    return [np.asarray(array) for array in results]


def session(model):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = SILENT
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def same(left, right):
    if isinstance(left, float) or isinstance(right, float):
        return bool(np.isclose(float(left), float(right), rtol=1e-5, atol=1e-6, equal_nan=True))
    return left == right


def contradiction(value, array, sizes):
    """What is inferred of a value and is not so, as a text."""
    try:
        if value["dims"] is not None:
            dims = [expressions.known(dim, sizes) for dim in value["dims"]]
            if len(dims) != array.ndim or any(dim not in (None, true) for dim, true in zip(dims, array.shape)):
                return f"dims {value['dims']} are {list(array.shape)}"
        if value["value"] is not None:
            elements = [expressions.known(element, sizes) for element in value["value"]]
            flat = array.flatten().tolist()
            if len(flat) != len(elements):
                return f"elements {value['value']} are {flat}"
            if any(not (mine is None or same(mine, true)) for mine, true in zip(elements, flat)):
                return f"elements {value['value']} are {flat}"
    except (expressions.Unreadable, ZeroDivisionError) as error:
        return str(error)
    return None


CULPRIT = re.compile(r"\(node \d+(?: `[^`]*`)?, (\S+)\): (.*)$")


@dataclass
class Outcome:
    """`problem` is None where all is well; `counts` are of dimensions and elements, `blamed` of why some are unknown."""

    problem: str | None = None
    broken: str | None = None
    second: bool = False
    nodes: int = 0
    counts: Counter = None
    blamed: Counter = None
    operators: Counter = None


def counted(answer, names, outcome):
    for value in answer["values"]:
        if value["name"] not in names:
            continue
        if value["dims"] is None:
            outcome.counts["rank", "unknown"] += 1
        for what in ("dims", "value"):
            for entry in expressions.of_model(value[what], answer) or ():
                sort = "unknown" if entry is None else "symbolic" if isinstance(entry, str) else "known"
                outcome.counts["dimension" if what == "dims" else "element", sort] += 1
        if value["reason"]:
            culprit = CULPRIT.search(value["reason"])
            outcome.blamed[culprit.groups() if culprit else ("input", value["reason"].split(": ", 1)[-1])] += 1


def examine(graph, seed, folder):
    model = graph.model()
    path = folder / f"{seed.replace('/', '_')}.onnx"
    path.write_bytes(model.SerializeToString())
    outcome = Outcome(nodes=len(graph.nodes), counts=Counter(), blamed=Counter())
    outcome.operators = Counter(node.proto.op_type for node in graph.nodes)
    names = [name for node in graph.nodes for name in node.proto.output]
    try:
        # It is the truth about the graph, so that a graph that it does not take tells nothing.
        running = session(model)
        truth = dict(zip(names, running.run(names, {given.name: graph.arrays[given.name] for given in graph.inputs})))
    except Exception as error:  # whichever of the runtime's own it is
        outcome.broken = " ".join(str(error).split())[:300]
        return outcome
    differs = [name for name in names if truth[name].shape != graph.arrays[name].shape]
    if differs:
        (node,) = [node.proto.op_type for node in graph.nodes if differs[0] in node.proto.output]
        fault(graph, differs[0], outcome, path)
        outcome.broken = f"{node} {differs[0]}: {truth[differs[0]].shape}, in numpy {graph.arrays[differs[0]].shape}"
        return outcome
    try:
        answer = command.infer(path)
    except command.Broken as error:
        outcome.problem = str(error)
        return outcome
    counted(answer, set(names), outcome)
    values = {value["name"]: value for value in answer["values"]}
    for finding in answer["findings"]:
        if finding["severity"] == "error":
            node = finding["node"] or {}
            outcome.problem = f"{node.get('op_type')}: {finding['code']}: {finding['message']}; {finding['expected']}; {finding['found']}"
            at = node.get("index")
            return outcome if at is None else fault(graph, graph.nodes[at].proto.output[0], outcome, path)
    runs = [(graph.sizes, truth)]
    chance = random.Random(f"{seed}/second")
    sizes = {name: chance.randint(1, MOST_SIZE) for name in graph.sizes}
    fed = graph.again(sizes, chance)
    if fed is not None:
        try:
            runs.append((sizes, dict(zip(names, running.run(names, fed)))))
            outcome.second = True
        except Exception:  # numpy is more lenient than the runtime; then the graph is not right for these sizes
            pass
    for sizes, truth in runs:
        sizes = expressions.with_fresh(answer, truth, sizes)
        for name in names:
            wrong = contradiction(values[name], truth[name], sizes) if name in values else "it is not told"
            if wrong:
                (node,) = [node for node in graph.nodes if name in node.proto.output]
                outcome.problem = f"{node.proto.op_type} `{name}` with {sizes}: {wrong}"
                return fault(graph, name, outcome, path)
    path.unlink()
    return outcome


def fault(graph, name, outcome, path):
    """Keeps of the file what leads to the value."""
    path.write_bytes(graph.model(graph.leading_to(name)).SerializeToString())
    return outcome


def one(seed, number, folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        name = f"{seed}/{number}"
        graph = Graph(name)
        graph.grow()
        return examine(graph, name, folder)


def some(arguments):
    seed, numbers, folder = arguments
    return [(number, one(seed, number, folder)) for number in numbers]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("failures", type=Path, help="where graphs that fail are kept")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--only", type=int, help="the number of one graph")
    options = parser.parse_args()
    options.failures.mkdir(parents=True, exist_ok=True)
    numbers = list(range(options.count)) if options.only is None else [options.only]
    parts = [(options.seed, numbers[at : at + 50], options.failures) for at in range(0, len(numbers), 50)]
    problems, seconds, nodes, ran = [], 0, 0, 0
    counts, blamed, operators, broken = Counter(), Counter(), Counter(), Counter()
    with ProcessPoolExecutor(2) as pool:
        for part in pool.map(some, parts):
            for number, outcome in part:
                if outcome.broken:
                    broken[outcome.broken] += 1
                    continue
                ran += 1
                nodes += outcome.nodes
                seconds += outcome.second
                counts += outcome.counts
                blamed += outcome.blamed
                operators += outcome.operators
                if outcome.problem:
                    problems.append(f"{number}: {outcome.problem}")
    print(f"seed {options.seed}: {ran} graphs, {nodes} nodes of {len(operators)} operators; {seconds} ran with other sizes too")
    for what in ("dimension", "element"):
        total = sum(number for (sort, _), number in counts.items() if sort == what)
        shares = [f"{counts[what, sort] / max(total, 1):.1%} {sort}" for sort in ("known", "symbolic", "unknown")]
        print(f"{total} {what}s: {', '.join(shares)}")
    print(f"{counts['rank', 'unknown']} values of unknown rank")
    for (operator, why), number in blamed.most_common(25):
        print(f"{number:6}  {operator}: {why}")
    for why, number in broken.most_common(10):
        print(f"not run, {number}: {why}")
    if sum(broken.values()) > len(numbers) / 10:
        problems.append(f"{sum(broken.values())} graphs were not run")
    summary.close("random graphs", ran - len(problems), problems)


if __name__ == "__main__":
    main()
