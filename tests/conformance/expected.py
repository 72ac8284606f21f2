"""What this project's rulings make of a model: the findings, and the output's type, dimensions and elements.

It shares nothing with the Rust code, neither tables nor rules, so that the two can disagree.
"""

from dataclasses import dataclass

from sample import OPTIONAL, SEQUENCE, SPARSE, Declaration

NEWEST_OPSET = 28
NAMES = (
    "float uint8 int8 uint16 int16 int32 int64 string bool float16 double uint32 uint64 complex64 complex128 bfloat16 "
    "float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz uint4 int4 float4e2m1 float8e8m0 uint2 int2 float6e2m3 "
    "float6e3m2"
).split()
INT64 = NAMES.index("int64") + 1
# Shape's element types are the first so many of all, by version.
ALLOWED = {1: 15, 13: 16, 15: 16, 19: 20, 21: 22, 23: 23, 24: 24, 25: 26}
WARNINGS = {"attribute-no-value"}


@dataclass(frozen=True)
class Expected:
    """`codes` are those of all findings.

    The rest stands for a model without an error only: the dimensions of the input, and what is known of the output.
    """

    codes: frozenset
    x: tuple | None
    type: str
    dims: tuple | None
    elements: tuple | None

    @property
    def errors(self):
        return self.codes - WARNINGS


def version(opset):
    return max(since for since in ALLOWED if since <= opset)


def declaration(declared):
    """The codes of its own, the element type or None, the dimensions."""
    if declared is None:
        return set(), None, None
    codes = set()
    elem = declared.elem if 1 <= declared.elem <= len(NAMES) else None
    if elem is None and declared.elem != 0:
        codes.add("element-type-unknown")
    dims = declared.dims
    if declared.container in (OPTIONAL, SEQUENCE):
        dims = None
    if dims is not None:
        if any(isinstance(dim, int) and dim < 0 for dim in dims):
            codes.add("dims-negative")
        dims = tuple(None if dim == "" or (isinstance(dim, int) and dim < 0) else dim for dim in dims)
    return codes, elem, dims


def attributes(sample):
    """The codes, and the values of those that count."""
    known = ("start", "end") if version(sample.opset) >= 15 else ()
    codes, values, seen = set(), {}, set()
    for given in sample.attributes:
        # Without a stated kind, the field that is set tells it, as in the first files.
        kind = given.kind or ("INT" if given.value is not None else "")
        if not given.name or not kind:
            codes.add("field-missing")
            continue
        if given.name in seen:
            codes.add("attribute-duplicate")
            continue
        seen.add(given.name)
        if given.value is None:
            codes.add("attribute-no-value")
        if given.name not in known:
            codes.add("attribute-unknown")
        elif kind != "INT":
            codes.add("attribute-type")
        else:
            values[given.name] = given.value or 0
    return codes, values


def counts(sample):
    codes = set()
    if len(sample.inputs) != 1:
        codes.add("input-count")
    elif sample.inputs == ("",):
        codes.add("input-missing")
    if len(sample.outputs) != 1 or sample.outputs == ("",):
        codes.add("output-count")
    return codes


def clamped(axis, rank):
    """Counted from the rank once where it is negative, then clamped."""
    if axis < 0:
        axis += rank
    return min(max(axis, 0), rank)


def sliced(dims, values):
    rank = len(dims)
    start = clamped(values.get("start", 0), rank)
    end = clamped(values["end"], rank) if "end" in values else rank
    return dims[start:end]


def merged(inferred, declared):
    """Both sets of dimensions as one, or None where they contradict each other."""
    if inferred is None or declared is None:
        return inferred if declared is None else declared
    if len(inferred) != len(declared):
        return None
    return tuple(map(merged_dim, inferred, declared)) if all(map(agree, inferred, declared)) else None


def agree(left, right):
    return left == right or not (isinstance(left, int) and isinstance(right, int))


def merged_dim(left, right):
    """A number before a name before nothing."""
    for kind in (int, str):
        for dim in (left, right):
            if isinstance(dim, kind):
                return dim
    return None


def expected(sample):
    codes, elem, dims = declaration(sample.x)
    if sample.y is None:
        y_codes, y_elem, y_dims = set(), None, None
    else:
        y_codes, y_elem, y_dims = declaration(sample.y)
    if "y" in sample.outputs:
        codes |= y_codes
    else:
        codes.add("output-undefined")
    codes |= {"value-undefined"} if "w" in sample.inputs else set()
    if sample.opset > NEWEST_OPSET:
        # Nothing is said about the node.
        return Expected(frozenset(codes | {"opset-too-new"}), dims, None, None, None)

    node_codes, values = attributes(sample)
    node_codes |= counts(sample)
    if "x" in sample.inputs and elem is not None:
        if sample.x.container in (OPTIONAL, SEQUENCE, SPARSE) or elem > ALLOWED[version(sample.opset)]:
            node_codes.add("type-not-allowed")
    codes |= node_codes

    inferred, elements = None, None
    if not node_codes - WARNINGS:
        inferred = (None,)
        if "x" in sample.inputs and dims is not None:
            elements = sliced(dims, values)
            inferred = (len(elements),)
    # The second output is not described: nothing is inferred that `y` could contradict there.
    if sample.outputs[:1] == ("y",):
        if y_elem not in (None, INT64):
            codes.add("output-type")
        if inferred is not None and y_dims is not None and merged(inferred, y_dims) is None:
            codes.add("output-dims")
    return Expected(frozenset(codes), dims, NAMES[INT64 - 1], merged(inferred, y_dims), elements)
