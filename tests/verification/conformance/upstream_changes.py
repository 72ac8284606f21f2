"""Changes that are seeded into the facts and digests of a package: `upstream/report.py` names each, and no other."""

import json
import sys
from pathlib import Path

import summary

sys.path.append(str(Path(__file__).resolve().parent.parent / "upstream"))
import report


def committed(package):
    """Facts and digests that say what the descriptors say."""
    facts = json.loads((report.FACTS / f"{package.replace('-', '_')}.json").read_text())
    return facts, report.described_digests(package)


def versions(facts, domain, name):
    """The rows of an operator, oldest first."""
    return [row for row in facts["operators"] if (row["domain"], row["name"]) == (domain, name)]


def newest(facts, domain, name):
    return versions(facts, domain, name)[-1]


def new_operator(facts, digests):
    copied = newest(facts, "ai.onnx", "Abs") | {"name": "Brandnew", "since_version": facts["opset"]}
    facts["operators"].append(copied)


def new_version(facts, digests):
    facts["opset"] += 1
    facts["operators"].append(newest(facts, "ai.onnx", "Softmax") | {"since_version": facts["opset"]})
    # A version that is new has no sentences to compare.
    digests["digests"][f"ai.onnx::Softmax-{facts['opset']}"] = {"description": "00000000"}


def new_element_type(facts, digests):
    facts["type_sets"].append(["tensor(float1)"])
    newest(facts, "ai.onnx", "Relu")["types"][0]["allow"] = len(facts["type_sets"]) - 1


def default(facts, digests):
    versions(facts, "ai.onnx", "Softmax")[0]["attributes"][0]["default"] = 2


def arity(facts, digests):
    node = newest(facts, "ai.onnx", "Relu")
    node["outputs"][0]["option"], node["min_output"] = "optional", 0


def gone(facts, digests):
    facts["operators"] = [row for row in facts["operators"] if row["name"] != "Det"]


def sentences(facts, digests):
    for version in ("ai.onnx::Softmax-1", "ai.onnx::Softmax-11"):
        digests["digests"][version] |= {"description": "00000000", "attribute axis": "00000000"}


def sentences_come_and_go(facts, digests):
    parts = digests["digests"]["ai.onnx::Softmax-13"]
    parts["input other"] = parts.pop("input input")


def body(facts, digests):
    parts = digests["digests"]["ai.onnx::Relu-14"]
    parts[next(part for part in parts if part.startswith("body"))] = "00000000"


def runtime_attribute(facts, digests):
    newest(facts, "com.microsoft", "FusedGemm")["attributes"].append({"name": "gamma", "type": "INT", "default": 3})


def runtime_sentence(facts, digests):
    digests["digests"]["com.microsoft::FusedGemm-1"]["description"] = "00000000"


# A change, the package, and the start and a part of each line that tells it.
CASES = [
    (None, "onnx", []),
    (None, "onnxruntime", []),
    (None, "onnxruntime-in-onnx", []),
    (new_operator, "onnx", [("ai.onnx::Brandnew-", "a new operator")]),
    (new_version, "onnx", [("opsets.yaml lacks release", ""), ("ai.onnx::Softmax-", "a new version")]),
    (new_element_type, "onnx", [("ai.onnx::Relu-14: ", "no group `float1`")]),
    (default, "onnx", [("ai.onnx::Softmax-1: ", "attribute axis has another default: default 1 -> default 2")]),
    (arity, "onnx", [("ai.onnx::Relu-14: ", "output Y is optional now")]),
    (gone, "onnx", [("ai.onnx::Det: ", "the facts do not have it")]),
    (sentences, "onnx", [("ai.onnx::Softmax-1, 11: ", "description, attribute axis")]),
    (sentences_come_and_go, "onnx", [("ai.onnx::Softmax-13: ", "input input (gone), input other (new)")]),
    (body, "onnx", [("ai.onnx::Relu-14: ", "body in opset ")]),
    (runtime_attribute, "onnxruntime", [("com.microsoft::FusedGemm-1: ", "attribute gamma added: INT, default 3")]),
    (runtime_sentence, "onnxruntime", [("com.microsoft::FusedGemm-1: ", "description")]),
]


def problem(change, package, expected):
    """What is wrong with what is told of a change; None if it is as expected."""
    facts, digests = committed(package)
    if change:
        change(facts, digests)
    told = [line for lines in report.differences(package, facts, digests).values() for line in lines]
    if len(told) == len(expected) and all(
        line.startswith(start) and part in line for line, (start, part) in zip(told, expected)
    ):
        return None
    return f"{change.__name__ if change else 'nothing changed'}, {package}: {told} is told, not {expected}"


def main():
    problems = [found for case in CASES if (found := problem(*case))]
    summary.close("upstream_changes", len(CASES) - len(problems), problems)


if __name__ == "__main__":
    main()
