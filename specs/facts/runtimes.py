"""Writes the operators that the installed onnxruntime registers on its own in the domains of ONNX.

    python3 specs/facts/runtimes.py
    python3 specs/facts/runtimes.py --check

Each line is a row of `specs/runtimes.yaml`: a version that the installed onnx package does not register. Only the
domains whose operators ONNX defines are looked at. With --check, only the rows that the table lacks (+) or has on its
own (-); it ends with 1 if there is one.
"""

import sys
from importlib.metadata import version
from pathlib import Path

import onnx
from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema


TABLE = Path(__file__).resolve().parent.parent / "runtimes.yaml"
ROW = "      - { domain: "


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
        yield f"{ROW}{domain}, operator: {name}, since: {since}{suffix} }}"


def differing(found):
    """The rows that the table lacks, and those that it has on its own."""
    committed = [line for line in TABLE.read_text().splitlines() if line.startswith(ROW)]
    yield from (f"- {line.strip()[2:]}" for line in committed if line not in set(found))
    yield from (f"+ {line.strip()[2:]}" for line in found if line not in set(committed))


def releases():
    """The releases that the rows are of."""
    return {"onnxruntime": version("onnxruntime"), "onnx": onnx.__version__}


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        told = list(differing(list(rows())))
        print("\n".join(told), end="\n" if told else "")
        sys.exit(1 if told else 0)
    print("# " + ", ".join(f"{name} {release}" for name, release in releases().items()))
    print("\n".join(rows()))
