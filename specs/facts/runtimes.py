"""Writes the operators that the installed onnxruntime registers on its own in the domains of ONNX.

    python3 specs/facts/runtimes.py

Each line is a row of `specs/runtimes.yaml`: a version that the installed onnx package does not register. Only the domains
whose operators ONNX defines are looked at.
"""

from importlib.metadata import version

import onnx
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema


def rows():
    """The rows, as they stand in the file."""
    defined = {(schema.domain, schema.name, schema.since_version) for schema in onnx.defs.get_all_schemas_with_history()}
    domains = {domain for domain, _, _ in defined}
    own = [
        (schema.domain or "ai.onnx", schema.name, schema.since_version, schema.deprecated)
        for schema in get_all_operator_schema()
        if schema.domain in domains and (schema.domain, schema.name, schema.since_version) not in defined
    ]
    for domain, name, since, deprecated in sorted(own):
        suffix = ", deprecated: true" if deprecated else ""
        yield f"      - {{ domain: {domain}, operator: {name}, since: {since}{suffix} }}"


def releases():
    """The releases that the rows are of."""
    return {"onnxruntime": version("onnxruntime"), "onnx": onnx.__version__}


if __name__ == "__main__":
    print("# " + ", ".join(f"{name} {release}" for name, release in releases().items()))
    print("\n".join(rows()))
