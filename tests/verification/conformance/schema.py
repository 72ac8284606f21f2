"""The operators' versions, as far as a model of one of them can be right or wrong by them.

These tables are written from the documents by hand, and are not those of the Rust code.
"""

from dataclasses import dataclass

NEWEST_OPSET = 28
NAMES = (
    "float uint8 int8 uint16 int16 int32 int64 string bool float16 double uint32 uint64 complex64 complex128 bfloat16 "
    "float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz uint4 int4 float4e2m1 float8e8m0 uint2 int2 float6e2m3 "
    "float6e3m2"
).split()
FLOAT, INT64, STRING, BOOL, FLOAT16, DOUBLE = (
    NAMES.index(name) + 1 for name in ("float", "int64", "string", "bool", "float16", "double")
)


@dataclass(frozen=True)
class Version:
    """`inputs` and `output` are element types: a set, or None for the operator's own, which all of its uses share.

    `attributes` gives for each name its kind and the allowed values, None for any.
    """

    allowed: frozenset
    inputs: tuple
    output: frozenset | None
    attributes: dict


ONLY_INT64 = frozenset([INT64])


def first(number):
    """Element types are numbered in the order in which they came, so that the lists are the first so many of all."""
    return frozenset(range(1, number + 1))


SLICE = {"start": ("INT", None), "end": ("INT", None)}
ALLOWZERO = {"allowzero": ("INT", (0, 1))}

OPERATORS = {
    "Shape": {
        since: Version(first(number), (None,), ONLY_INT64, SLICE if since >= 15 else {})
        for since, number in {1: 15, 13: 16, 15: 16, 19: 20, 21: 22, 23: 23, 24: 24, 25: 26}.items()
    },
    "Reshape": {
        1: Version(
            frozenset([FLOAT, FLOAT16, DOUBLE]),
            (None,),
            None,
            {"shape": ("INTS", None), "consumed_inputs": ("INTS", None)},
        ),
        **{
            since: Version(first(number), (None, ONLY_INT64), None, ALLOWZERO if since >= 14 else {})
            for since, number in {5: 15, 13: 16, 14: 16, 19: 20, 21: 22, 23: 23, 24: 24, 25: 26}.items()
        },
    },
}


def version(op_type, opset):
    """The version in force."""
    versions = OPERATORS[op_type]
    return versions[max(since for since in versions if since <= opset)]
