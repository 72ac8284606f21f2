"""What onnxruntime makes of a model on made-up data, optimizations off.

Symbols get numbers, and what is unknown is chosen; where a run fails, other numbers are tried. A model that runs is
written as a test case, with what onnxruntime gave as the expected output, for `shape test`.
"""

import ctypes
import random
import re
import threading
from dataclasses import dataclass
from math import prod
from pathlib import Path

import numpy
import onnx
import onnxruntime
import sample as samples
from onnx import TensorProto, helper
from sample import TENSOR, Attribute, Declaration, Node, Sample
from schema import BOOL, FLOAT16, INT64, STRING, version
from sessions import SILENT, Refused, session

MANIFESTS = Path(__file__).resolve().parents[3] / "specs" / "manifests" / "onnxruntime-cpu"


def newest():
    """The newest opset and IR version that the installed release takes, as its manifest says."""
    manifest = (MANIFESTS / f"{onnxruntime.__version__}.yaml").read_text()
    opset = re.search(r"domain: ai.onnx, newest: (\d+)", manifest)
    return int(opset.group(1)), int(re.search(r"^ir_version: (\d+)", manifest, re.M).group(1))


NEWEST_OPSET, NEWEST_IR = newest()
ATTEMPTS = 6
MOST_ELEMENTS = 100_000
# numpy has no arrays of more.
MOST_DIMS = 64
# Types that numpy does not have, as the plain numbers of their width.
BITS = {16: numpy.uint16, 17: numpy.uint8, 18: numpy.uint8, 19: numpy.uint8, 20: numpy.uint8}
# Types whose typed field holds them as whole numbers, which they are not.
AS_BITS = {BOOL: numpy.uint8, FLOAT16: numpy.uint16}

onnxruntime.set_default_logger_severity(SILENT)


@dataclass(frozen=True)
class Run:
    """A run that went well: the numbers that the symbols stood for, and the output."""

    sizes: dict
    dims: tuple
    kept: bool


@dataclass(frozen=True)
class Runtime:
    """`refused` is what it said of the model itself, `failed` of the last run; `fixed` tells that nothing in the model
    was left to be chosen, so that a failed run stands for all."""

    refused: str | None = None
    failed: str | None = None
    fixed: bool = False
    run: Run | None = None


class Kernels:
    """Which element types there are kernels for, found out by asking for a plain model of one node."""

    def __init__(self):
        self.known = {}
        self.lock = threading.Lock()

    def has(self, op_type, opset, elem):
        key = (op_type, opset, elem)
        with self.lock:
            if key not in self.known:
                try:
                    session(samples.model(plain(*key)).SerializeToString())
                    self.known[key] = True
                except Refused:
                    self.known[key] = False
            return self.known[key]


def plain(op_type, opset, elem):
    inputs = ("x", "t")[: len(version(op_type, opset).inputs)]
    others = (("t", Declaration(INT64, (1,))),) if "t" in inputs else ()
    attributes = (Attribute("shape", "INTS", (-1,)),) if op_type == "Reshape" and not others else ()
    x = Declaration(elem, (2, 3))
    return Sample(opset, 3, "", x, None, Node(op_type, inputs, ("y",), attributes), others)


KERNELS = Kernels()


def comparable(sample):
    """Whether there is a kernel for it, and nothing in it would take all memory."""
    inputs = [declaration for _, declaration in sample.graph_inputs]
    sizes = [dim for each in inputs for dim in each.dims or () if isinstance(dim, int)]
    # It makes room for as many dimensions as a target has entries.
    lengths = [dim for each in inputs[1:] if each.dims and len(each.dims) == 1 for dim in each.dims]
    return (
        sample.opset <= NEWEST_OPSET
        and sample.ir <= NEWEST_IR
        and all(each.container == TENSOR for each in inputs)
        and min(sizes, default=0) >= 0
        and all(length <= MOST_ELEMENTS for length in lengths if isinstance(length, int))
        and KERNELS.has(sample.node.op_type, sample.opset, sample.x.elem)
    )


def concrete(rng, dims, sizes):
    """Numbers for all dimensions; `sizes` has those of the symbols, and gets those that it lacks."""
    if dims is None:
        dims = (None,) * rng.randrange(4)
    chosen = []
    for dim in dims:
        if isinstance(dim, int):
            chosen.append(dim)
        elif dim:
            chosen.append(sizes.setdefault(dim, rng.choice([1, 1, 2, 3, 4, 6, 12])))
        else:
            chosen.append(rng.choice([1, 1, 2, 3, 4, 6, 12]))
    return tuple(chosen)


def data(rng, elem, dims):
    count = prod(dims)
    if elem == STRING:
        words = ["", "a", "two words", "é", "\N{GREEK SMALL LETTER LAMDA}x", "0"]
        return numpy.array([rng.choice(words) for _ in range(count)], dtype=object).reshape(dims)
    kind = BITS.get(elem) or helper.tensor_dtype_to_np_dtype(elem)
    numbers = numpy.random.default_rng(rng.randrange(2**32)).integers(0, 2 if elem == BOOL else 120, count)
    return numbers.astype(kind).reshape(dims)


def target(rng, length):
    """A target that fits any data, if it has an entry to be inferred."""
    entries = [-1] + [1] * (length - 1) if length else []
    rng.shuffle(entries)
    return numpy.array(entries, dtype=numpy.int64)


def feeds(rng, sample):
    """Values for the graph's inputs, or None where they would be too large; and the sizes of the symbols."""
    sizes, values = {}, {}
    constants = dict(sample.initializers)
    for name, declaration in sample.graph_inputs:
        if name in constants and (sample.ir < 4 or rng.random() < 0.5):
            continue
        dims = declaration.dims
        if name == "t" and declaration.elem == INT64 and (dims is None or len(dims) == 1):
            fixed = constants[name].dims if name in constants else dims or (rng.randrange(1, 5),)
            (length,) = concrete(rng, fixed, sizes)
            if length > MOST_DIMS:
                return None, sizes
            values[name] = (INT64, target(rng, length))
            continue
        chosen = concrete(rng, dims, sizes)
        # A zero among the dimensions makes the others no smaller to numpy.
        if prod(size or 1 for size in chosen) > MOST_ELEMENTS or not 1 <= declaration.elem <= 20:
            return None, sizes
        values[name] = (declaration.elem, data(rng, declaration.elem, chosen))
    return values, sizes


def tensor_of(name, elem, array, rng):
    """The data as a file has them, in raw form or in the field of their type."""
    proto = TensorProto(name=name, data_type=elem, dims=array.shape)
    flat = array.reshape(-1)
    if elem == STRING:
        proto.string_data.extend(word.encode() for word in flat)
    elif rng.random() < 0.5:
        proto.raw_data = flat.tobytes()
    elif elem in AS_BITS:
        proto.int32_data.extend(flat.view(AS_BITS[elem]).tolist())
    else:
        fields = {1: "float_data", 7: "int64_data", 11: "double_data", 12: "uint64_data", 13: "uint64_data"}
        getattr(proto, fields.get(elem, "int32_data")).extend(flat.tolist())
    return proto


def results(loaded, values):
    """The type and the array of the output, of bits where numpy does not have the type."""
    if not any(elem in BITS for elem, _ in values.values()):
        (array,) = loaded.run(None, {name: array for name, (_, array) in values.items()})
        return STRING if array.dtype == object else helper.np_dtype_to_tensor_dtype(array.dtype), array
    make = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type
    (result,) = loaded.run_with_ort_values(None, {name: make(array, elem) for name, (elem, array) in values.items()})
    elem, dims = result.element_type(), tuple(result.shape())
    kind = numpy.dtype(BITS.get(elem) or helper.tensor_dtype_to_np_dtype(elem))
    content = ctypes.string_at(result.data_ptr(), prod(dims) * kind.itemsize) if prod(dims) else b""
    return elem, numpy.frombuffer(content, kind).reshape(dims)


def attempt(rng, sample, loaded, folder):
    """One run; None where the data would be too large."""
    values, sizes = feeds(rng, sample)
    if values is None:
        return None
    try:
        elem, array = results(loaded, values)
    except Exception as error:
        raise Refused(str(error).strip()) from None
    if folder is not None:
        write_set(rng, sample, values, (elem, array), folder / "test_data_set_0")
    _, given = values[sample.graph_inputs[0][0]]
    same = array.reshape(-1).tolist() == given.reshape(-1).tolist()
    return Run(sizes, array.shape, same)


def write_set(rng, sample, values, output, folder):
    folder.mkdir()
    for index, (name, _) in enumerate(sample.graph_inputs):
        if name in values:
            (folder / f"input_{index}.pb").write_bytes(tensor_of(name, *values[name], rng).SerializeToString())
    (folder / "output_0.pb").write_bytes(tensor_of("y", *output, rng).SerializeToString())


def runtime(sample, path, seed):
    """What onnxruntime makes of the model, or None where that says nothing. A run is kept beside the model."""
    if not comparable(sample):
        return None
    rng = random.Random(seed)
    try:
        loaded = session(str(path))
    except Refused as error:
        return Runtime(refused=str(error))
    dims = [dim for _, each in sample.graph_inputs for dim in (each.dims if each.dims is not None else (None,))]
    # Of a target that is fed there are others.
    fed = {name for name, _ in sample.graph_inputs} & {name for node in sample.nodes for name in node.inputs[1:]}
    fixed = all(isinstance(dim, int) for dim in dims) and not fed
    failed = None
    for _ in range(1 if fixed else ATTEMPTS):
        try:
            run = attempt(rng, sample, loaded, path.parent)
        except Refused as error:
            failed = str(error)
            continue
        if run is not None:
            return Runtime(run=run)
    return Runtime(failed=failed, fixed=fixed) if failed else None


def versions():
    return f"onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}"
