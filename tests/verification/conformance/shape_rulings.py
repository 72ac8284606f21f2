"""The rulings on Shape."""

from rulings import Ruling
from shared_rulings import ATTRIBUTE, unknown_names


def slice_before_15(sample, difference, theirs):
    return (
        difference.ours == "attribute-unknown"
        and sample.opset < 15
        and unknown_names(sample) <= {"start", "end"}
        and (theirs.checked or "").startswith(ATTRIBUTE)
    )


RULINGS = [
    Ruling(
        "slice-before-15",
        ("error", "ran"),
        "Shape-1 and Shape-13 have no start and no end; the reference's inference honours them there, and its checker "
        "refuses them.",
        slice_before_15,
    ),
]
