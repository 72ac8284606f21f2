"""What the operators mean, by this project's rulings: one function an operator.

Each takes the facts of its inputs and its attributes and gives the codes of what it refuses, of which the command tells
the first that it meets, and the fact of the output.
"""

from dataclasses import dataclass
from math import prod

from schema import INT64
from symbolic import LARGEST, UNKNOWN, may_be_equal, may_be_multiple, number, over, product, unnamed

MOST_ENTRIES = 1_000_000
# An output of more dimensions than these is not followed.
MOST_DIMS = 1024


@dataclass(frozen=True)
class Fact:
    """What is known of a value: its element type, its dimensions, and its elements where it holds sizes.

    `given` tells that a caller gives it, who chooses its sizes even where the rank is not known.
    """

    elem: int | None = None
    dims: tuple | None = None
    elements: tuple | None = None
    given: bool = False

    def size(self, what):
        """One that an unknown rank leaves open."""
        return unnamed(what) if self.given else UNKNOWN


def clamped(axis, rank):
    """Counted from the rank once where it is negative, then clamped."""
    if axis < 0:
        axis += rank
    return min(max(axis, 0), rank)


def shape(inputs, attributes):
    dims = inputs[0].dims
    if dims is None:
        return set(), Fact(INT64, (inputs[0].size("rank"),))
    rank = len(dims)
    start = clamped(attributes.get("start", 0), rank)
    end = clamped(attributes["end"], rank) if "end" in attributes else rank
    return set(), Fact(INT64, (number(max(end - start, 0)),), dims[start:end])


def reshape(inputs, attributes):
    data = inputs[0]
    if len(inputs) == 1:
        # Version 1. Without the attribute there is no target.
        length = None
        refused = set() if "shape" in attributes else {"target-missing"}
        target = tuple(map(number, attributes.get("shape", ())))
    else:
        refused, length = rank_of_target(inputs[1].dims)
        target = () if length == 0 else inputs[1].elements
    if refused:
        return refused, Fact(data.elem)
    if target is None:
        dims = None if length is None or length > MOST_DIMS else (UNKNOWN,) * length
        return set(), Fact(data.elem, completed(data.dims, dims), data.elements)
    refused, dims = reshaped(data, target, attributes.get("allowzero", 0) == 1)
    if all(keeps_its_place(entry, axis, data.dims or ()) for axis, entry in enumerate(target)):
        dims = completed(data.dims, dims)
    return refused, Fact(data.elem, None if refused else dims, data.elements)


def rank_of_target(dims):
    """The codes of what is wrong with its dimensions, and its length if that is known."""
    if dims is None:
        return set(), None
    if len(dims) != 1:
        return {"target-rank"}, None
    length = dims[0].known if dims[0] else None
    return {"target-length"} if (length or 0) > MOST_ENTRIES else set(), length


def reshaped(fact, target, allowzero):
    """The codes of what is refused, and the dimensions."""
    refused, data = set(), fact.dims
    known = [entry and entry.known for entry in target]
    inferred = [axis for axis, entry in enumerate(known) if entry == -1]
    zeros = [axis for axis, entry in enumerate(known) if entry == 0]
    copied = [] if allowzero else zeros
    past = data is not None and any(axis >= len(data) for axis in copied)
    if any(entry is not None and entry < -1 for entry in known) or len(inferred) > 1 or past:
        refused.add("target-entry")
    if allowzero and zeros and inferred:
        refused.add("target-zero")
    if refused:
        return refused, None

    dims = list(target)
    for axis in copied:
        dims[axis] = fact.size(axis) if data is None else data[axis]
    for axis in inferred:
        dims[axis] = UNKNOWN
    sizes = [dim for axis, dim in enumerate(dims) if axis not in inferred]
    if inferred and any(dim and dim.known == 0 for dim in sizes):
        refused.add("target-zero")
    if too_many(sizes) or (data is not None and too_many(data)):
        refused.add("element-overflow")
    if data is None:
        for axis in inferred:
            dims[axis] = UNKNOWN if UNKNOWN in sizes else fact.size("rest")
        return refused, tuple(dims)

    if not inferred:
        return refused | (set() if may_hold_as_many(data, sizes) else {"element-count"}), tuple(dims)
    # What is copied is on both sides, and not zero, or else there is no answer at all.
    whole = product(dim for axis, dim in enumerate(data) if axis not in copied)
    rest = product(dim for axis, dim in enumerate(dims) if axis not in (*copied, *inferred))
    if whole is not UNKNOWN and rest is not UNKNOWN and rest.known:
        (axis,) = inferred
        dims[axis] = over(whole, rest.known)
        if not may_be_multiple(whole, rest.known):
            refused.add("element-count")
    return refused, tuple(dims)


def keeps_its_place(entry, axis, data):
    """Whether the entry is the size there even if it comes out as 0, which copies a dimension."""
    return entry is not UNKNOWN and (entry.known is not None or entry in data[axis : axis + 1])


def completed(data, dims):
    """The dimensions; if one is not known, or a symbol among numbers, it is what the others leave, unless these are no
    elements."""
    whole = UNKNOWN if data is None else product(data)
    missing = [dim for dim in dims or () if dim is UNKNOWN or dim.known is None]
    if whole is UNKNOWN or len(missing) != 1 or not all(rest := numbers(dims)):
        return dims
    (missing,) = missing
    if missing is not UNKNOWN and (whole.known is None or len(missing.terms) != 1):
        return dims
    # The symbol may have a coefficient, which then is among the numbers.
    left = over(whole, prod(rest))
    return tuple(left if dim is missing else dim for dim in dims)


def may_hold_as_many(left, right):
    """Whether the dimensions leave open that both are of the same number of elements; an unknown one is whole."""
    for some, others in ((left, right), (right, left)):
        whole = product(some)
        if UNKNOWN in others and product(others) is UNKNOWN and whole is not UNKNOWN and whole.known:
            return whole.known % prod(numbers(others)) == 0
    return may_be_equal(product(left), product(right))


def too_many(dims):
    """More elements than int64 counts, by the numbers among the dimensions alone."""
    return 0 not in numbers(dims) and prod(numbers(dims)) > LARGEST


def numbers(dims):
    return [dim.known for dim in dims if dim is not UNKNOWN and dim.known is not None]


RULES = {"Shape": shape, "Reshape": reshape}
