"""The node cases of nine onnx releases, each once, as models with data; and their variants.

Most releases repeat the cases of the one before, some with other random data. Models of one graph with the same imports
are one case, the newest.
"""

import hashlib
import re
import zipfile
from dataclasses import dataclass, field

import backend_cases
import engines
import onnx
import wheel_cases
from onnx import ModelProto, OptionalProto, SequenceProto, TensorProto
from runtime import BITS

DATA = re.compile(r"onnx/backend/test/data/node/(test_[^/]*)/(model\.onnx|test_data_set_0/(?:in|out)put_\d+\.pb)")
PLAIN, CONSTANT, SYMBOLIC = "plain", "constant", "symbolic"
STAND_INS = (TensorProto.UINT8, TensorProto.UINT16)
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Case:
    """A model, and for each of its inputs and outputs the recorded value, in the form of the message that holds it."""

    name: str
    model: ModelProto
    inputs: tuple
    outputs: tuple
    variant: str = PLAIN

    @property
    def given(self):
        """The inputs by name."""
        return {info.name: value for info, value in zip(self.model.graph.input, self.inputs, strict=True)}

    @property
    def recorded(self):
        """The outputs, as numpy has them."""
        return [engines.python(value) for value in self.outputs]


@dataclass
class Files:
    model: bytes = b""
    data: dict = field(default_factory=dict)


def message(info, content):
    kind = info.type.WhichOneof("value")
    kinds = {"tensor_type": TensorProto, "sequence_type": SequenceProto, "optional_type": OptionalProto}
    value = kinds[kind].FromString(content)
    if kind == "tensor_type" and value.data_type in STAND_INS:
        # Older releases recorded types that numpy does not have as whole numbers of their width.
        declared = info.type.tensor_type.elem_type
        value.data_type = declared if declared in BITS else value.data_type
    return value


def case(name, model, content):
    """`content` is the serialized data of the inputs and of the outputs."""
    sides = []
    for declared, given in zip((model.graph.input, model.graph.output), content, strict=True):
        sides.append(tuple(message(info, each) for info, each in zip(declared, given, strict=True)))
    return Case(name, model, *sides)


def identity(model):
    """What two models have in common that are the same but for names, documentation and producer."""
    plain = ModelProto(graph=model.graph, opset_import=model.opset_import, functions=model.functions)
    plain.graph.name = ""
    plain.graph.doc_string = ""
    return hashlib.sha256(plain.SerializeToString(deterministic=True)).digest()


def of_wheel(release, wheel):
    files = {}
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            if found := DATA.fullmatch(member):
                each = files.setdefault(found[1], Files())
                if found[2] == "model.onnx":
                    each.model = archive.read(member)
                else:
                    each.data[found[2].removeprefix("test_data_set_0/")] = archive.read(member)
    for name, each in sorted(files.items()):
        model = onnx.load_from_string(each.model)
        content = []
        for side in ("input", "output"):
            named = [file for file in each.data if file.startswith(side)]
            content.append([each.data[file] for file in sorted(named, key=lambda file: int(NUMBER.search(file)[0]))])
        yield f"{release}/{name}", model, content


def of_package():
    for each in backend_cases.cases():
        ((inputs, outputs),) = each.data_sets
        content = [
            [backend_cases.serialized(value, info) for value, info in zip(values, declared, strict=True)]
            for values, declared in ((inputs, each.model.graph.input), (outputs, each.model.graph.output))
        ]
        yield f"{onnx.__version__}/{each.name}", each.model, content


def every(folder):
    """All cases, of the newest release first. Cases of a release whose wheel cannot be had raise `Unavailable`."""
    seen = set()
    sources = [of_package()]
    for release, *build, _ in reversed(wheel_cases.WHEELS):
        builds = [tuple(build), *(other for other in wheel_cases.OTHERS if other != tuple(build))]
        folder.mkdir(parents=True, exist_ok=True)
        sources.append(of_wheel(release, wheel_cases.download(release, builds, folder)))
    for source in sources:
        for name, model, content in source:
            key = identity(model)
            if key not in seen:
                seen.add(key)
                yield case(name, model, content)


def constant(case):
    """The case with every tensor but the first as an initializer, as an exporter writes sizes, axes and weights; None
    where there is none."""
    given = list(zip(case.model.graph.input, case.inputs, strict=True))
    held = {info.name: value for info, value in given[1:] if isinstance(value, TensorProto)}
    if not held:
        return None
    model = ModelProto()
    model.CopyFrom(case.model)
    # Before this version, every initializer is an input too.
    model.ir_version = max(model.ir_version, 4)
    del model.graph.input[:]
    model.graph.input.extend(info for info, _ in given if info.name not in held)
    for name, value in held.items():
        model.graph.initializer.add().CopyFrom(value)
        model.graph.initializer[-1].name = name
    kept = tuple(value for info, value in given if info.name not in held)
    return Case(case.name, model, kept, case.outputs, CONSTANT)


def symbolic(case):
    """The case with a symbol in the place of every dimension that its inputs and outputs declare, and with constants;
    None where there is no dimension."""
    model = ModelProto()
    case = constant(case) or case
    model.CopyFrom(case.model)
    tensors = (info.type.tensor_type for info in (*model.graph.input, *model.graph.output))
    dims = [dim for tensor in tensors for dim in tensor.shape.dim]
    for at, dim in enumerate(dims):
        dim.dim_param = f"d{at}"
    return Case(case.name, model, case.inputs, case.outputs, SYMBOLIC) if dims else None


def variants(case):
    yield from filter(None, (case, constant(case), symbolic(case)))
