"""Where this project parts from the onnx package and from onnxruntime: a difference that no ruling claims is a mistake.

A difference has an aspect: an `error` of ours that the onnx package does not see, a model that it `refused` and we
accept, another `type`, another rank (`dims`), another size at some place (`dim`) or another element (`elements`,
`element`) of a model that both accept, or a model that it takes for another one when the node's domain is spelled out
(`spelling`). With onnxruntime it is a model that it `ran` and we refuse, one that it `would not run`, other dimensions
that it `gave`, other `data` than the input's, or a run that `shape test` does not confirm (`test`).

A ruling's predicate sees the sample, one difference, and what the onnx package makes of the model.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    aspect: str
    ours: object
    theirs: object


@dataclass(frozen=True)
class Ruling:
    """`aspects` are those of the differences that it may claim."""

    id: str
    aspects: tuple
    why: str
    claims: Callable


def claimed_by(rulings, sample, difference, theirs):
    """The id of the ruling, or None."""
    for ruling in rulings:
        if difference.aspect in ruling.aspects and ruling.claims(sample, difference, theirs):
            return ruling.id
    return None
