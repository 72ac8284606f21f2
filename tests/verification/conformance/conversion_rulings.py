"""Where a converted model is right and what holds it is not: faults of the package's check and of onnxruntime."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ruling:
    """Of a model with the operator, or with any if it is None, a complaint that has the text in it."""

    operator: str | None
    text: str
    reason: str


RULINGS = [
    Ruling(
        "MeanVarianceNormalization",
        "One and only one of the attributes 'value', 'value_*' or 'sparse_value' must be specified",
        "The package's full check refuses its own case of the operator at opset 13 for the function body.",
    ),
    Ruling(
        None,
        "InsertedPrecisionFreeCast",
        "onnxruntime adds a Cast with a whole number as `to`, which Cast-1 does not have.",
    ),
    Ruling(
        "STFT",
        "Inferred shape and existing shape differ in dimension 2",
        "A onesided STFT has half of its window's length and one bins, as onnxruntime computes; the package gives as many as the "
        "window is long.",
    ),
    Ruling(
        None,
        "size input must be greater than 0",
        "The package refuses a window without elements once its size is a constant; no page sets a lower bound.",
    ),
    Ruling(
        "Cast",
        "Op (Cast) output arg",
        "onnxruntime does not infer the type that Cast-1 gives, which `to` says.",
    ),
    Ruling(
        "Cast",
        "(op_type:Loop): [TypeInferenceError] Input 2 expected to have type but instead is null",
        "The package does not infer the type that Cast-1 gives, which `to` says.",
    ),
]


def ruling(operators, complaint):
    """The ruling that claims a complaint, or None."""
    found = (each for each in RULINGS if each.operator is None or each.operator in operators)
    return next((each for each in found if each.text in complaint), None)
