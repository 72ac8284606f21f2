"""What this project's rulings make of a model: the findings, and the type, dimensions and elements of its values.

It shares nothing with the Rust code, neither tables nor rules, so that the two can disagree.
"""

from dataclasses import dataclass
from itertools import starmap

from rules import RULES, Fact
from sample import OPTIONAL, SEQUENCE, TENSOR
from schema import INT64, NAMES, NEWEST_OPSET, version
from symbolic import (
    UNKNOWN,
    dimension,
    equal_for_few,
    is_name,
    is_unnamed,
    may_be_equal,
    number,
    shown,
    symbols,
    unnamed,
)

CLAIMS = {"dims-fixed", "dims-renamed"}
WARNINGS = {"attribute-no-value", "dims-minus-one", "forbidden-and-run"} | CLAIMS
# The newest IR version in which an initializer is a constant although the graph has an input of its name.
LAST_CONSTANT_IR = 3


@dataclass(frozen=True)
class Expected:
    """`codes` are those of all findings but the refusals of rules: for each node with any, one of a set is told.

    `values` stands for a model without an error only: by name, the type, the dimensions and the elements.
    """

    codes: frozenset
    refusals: tuple
    values: dict


@dataclass(frozen=True)
class Value:
    fact: Fact
    container: str = TENSOR


class Model:
    def __init__(self, sample):
        self.sample = sample
        self.codes = set()
        self.refusals = []
        self.values = {}
        # Those that inputs have for their sizes.
        self.names = set()

    def declared(self, declaration):
        """What it says, and as a side effect the codes of its own."""
        if declaration is None:
            return Value(Fact())
        elem = declaration.elem if 1 <= declaration.elem <= len(NAMES) else None
        if elem is None and declaration.elem != 0:
            self.codes.add("element-type-unknown")
        for dim in declaration.dims or ():
            if isinstance(dim, int) and dim < 0:
                self.codes.add("dims-minus-one" if dim == -1 else "dims-negative")
        if declaration.container in (OPTIONAL, SEQUENCE) or declaration.dims is None:
            return Value(Fact(elem), declaration.container)
        unknown = [dim is None or dim == "" or (isinstance(dim, int) and dim < 0) for dim in declaration.dims]
        dims = tuple(dimension(None if none else dim) for none, dim in zip(unknown, declaration.dims, strict=True))
        return Value(Fact(elem, dims), declaration.container)

    def given(self, name, declaration):
        """What it says of an input: where it leaves a size open, a caller chooses one."""
        value = self.declared(declaration)
        dims = value.fact.dims and tuple(
            unnamed(f"{name}.{axis}") if dim is UNKNOWN else dim for axis, dim in enumerate(value.fact.dims)
        )
        self.names.update(*map(symbols, dims or ()))
        return Value(Fact(value.fact.elem, dims, given=True), value.container)

    def define(self):
        for name, declaration in self.sample.graph_inputs:
            self.values[name] = self.given(name, declaration)
        for name, given in self.sample.initializers:
            dims = tuple(map(number, given.dims))
            elements = tuple(map(number, given.elements)) if given.elem == INT64 else None
            if name not in self.values:
                self.values[name] = Value(Fact(given.elem, dims, elements))
                continue
            declared = self.values[name].fact
            if declared.elem not in (None, given.elem):
                self.codes.add("output-type")
            contradicted = beside(dims, declared.dims, set())[1] == {"output-dims"}
            if contradicted:
                self.codes.add("output-dims")
            if self.sample.ir <= LAST_CONSTANT_IR:
                dims = declared.dims if contradicted else dims
                self.values[name] = Value(Fact(declared.elem or given.elem, dims, elements))

    def node(self, node):
        """The facts of the outputs."""
        schema = version(node.op_type, self.sample.opset)
        codes, attributes = attributes_of(node, schema)
        codes |= counts(node, schema)
        inputs, elem = [], None
        for name, allowed in zip(node.inputs, schema.inputs, strict=False):
            value = self.values.get(name, Value(Fact()))
            inputs.append(value.fact)
            if value.fact.elem is None:
                continue
            if value.container != TENSOR or value.fact.elem not in (allowed or schema.allowed):
                codes.add("type-not-allowed")
            elif allowed is None:
                elem = value.fact.elem
        if schema.output:
            (elem,) = schema.output
        elif elem is None and node.outputs[:1] == ("y",) and not self.may_be_output(schema):
            codes.add("type-not-allowed")
        self.codes |= codes
        if codes - WARNINGS:
            return Fact(elem)
        refused, fact = RULES[node.op_type](inputs, attributes)
        if refused:
            self.refusals.append(frozenset(refused))
            return Fact(elem)
        return fact

    def may_be_output(self, schema):
        """Whether the declared type is one that the operator allows; what is not declared is."""
        declared = self.sample.y
        if declared is None or not 1 <= declared.elem <= len(NAMES):
            return True
        return declared.container == TENSOR and declared.elem in schema.allowed

    def output(self, name, fact):
        """What a node gives beside what the model declares."""
        if name != "y":
            return fact
        declared = self.declared(self.sample.y).fact
        if fact.elem is not None and declared.elem not in (None, fact.elem):
            self.codes.add("output-type")
        dims, codes = beside(fact.dims, declared.dims, self.names)
        self.codes |= codes
        return Fact(fact.elem or declared.elem, dims, fact.elements)

    def walk(self):
        self.define()
        for node in self.sample.nodes:
            self.codes |= {"value-undefined"} if set(node.inputs) - {*self.values, ""} else set()
            described = self.sample.opset <= NEWEST_OPSET
            if not described:
                self.codes.add("opset-too-new")
            fact = self.node(node) if described else Fact()
            for index, name in enumerate(node.outputs):
                if name:
                    self.values[name] = Value(self.output(name, Fact() if index else fact))
        if "y" not in self.values:
            self.codes.add("output-undefined")


def attributes_of(node, schema):
    """The codes, and the values of those that count."""
    codes, values, seen = set(), {}, set()
    for given in node.attributes:
        # Without a stated kind, the field that is set tells it, as in the first files.
        kind = given.kind or {int: "INT", tuple: "INTS"}.get(type(given.value), "")
        if not given.name or not kind:
            codes.add("field-missing")
            continue
        # One that the version does not have is unknown each time.
        if given.name in seen and given.name in schema.attributes:
            codes.add("attribute-duplicate")
            continue
        seen.add(given.name)
        if given.value is None:
            codes.add("attribute-no-value")
        wanted, allowed = schema.attributes.get(given.name, (None, None))
        value = given.value or (() if kind == "INTS" else 0)
        if wanted is None:
            codes.add("attribute-unknown")
        elif kind != wanted:
            codes.add("attribute-type")
        elif allowed is not None and value not in allowed:
            codes.add("attribute-value")
        else:
            values[given.name] = value
    return codes, values


def counts(node, schema):
    codes = set()
    if len(node.inputs) != len(schema.inputs):
        codes.add("input-count")
    if "" in node.inputs[: len(schema.inputs)]:
        codes.add("input-missing")
    if len(node.outputs) != 1 or node.outputs == ("",):
        codes.add("output-count")
    return codes


def beside(inferred, declared, names):
    """The dimensions of what a node gives, and the codes of what is wrong with their declaration, which decides where
    nothing follows and nowhere else. `names` are those of the inputs."""
    if inferred is None or declared is None:
        return inferred if declared is None else declared, set()
    pairs = list(zip(inferred, declared, strict=False))
    if len(inferred) != len(declared) or not all(starmap(may_be_equal, pairs)) or any(starmap(never, pairs)):
        return inferred, {"output-dims"}
    dims, codes, named = [], set(), {}
    for size, claim in pairs:
        follows = size is not UNKNOWN
        dims.append(size if follows else claim)
        if not follows or claim is UNKNOWN or size == claim:
            continue
        if claim.known is not None:
            codes.add("dims-fixed")
        elif not is_new(size, claim, names) or named.setdefault(claim, size) != size:
            codes.add("dims-renamed")
    return tuple(dims), codes


def never(size, claim):
    """Whether the claim is true for no more than a few sizes, of all that a caller may choose."""
    return UNKNOWN not in (size, claim) and equal_for_few(size, claim)


def is_new(size, claim, names):
    """Whether the claim is a name for what had none."""
    return is_unnamed(size) and is_name(claim) and not symbols(claim) & names


def expected(sample):
    model = Model(sample)
    model.walk()
    values = {
        name: (
            None if value.fact.elem is None else NAMES[value.fact.elem - 1],
            None if value.fact.dims is None else tuple(map(shown, value.fact.dims)),
            None if value.fact.elements is None else tuple(map(shown, value.fact.elements)),
        )
        for name, value in model.values.items()
        if name not in dict(sample.initializers)
    }
    return Expected(frozenset(model.codes), tuple(model.refusals), values)
