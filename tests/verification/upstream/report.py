"""Reports what installed packages say otherwise than the descriptors, as Markdown on standard output.

    SHAPE=target/release/shape report.py PYTHON-WITH-ONNX-WEEKLY PYTHON-WITH-ONNXRUNTIME

The facts are compared by `shape specs import --check`, sentences and bodies by their digests, and the operators that
onnxruntime has of its own in the domains of ONNX by `runtimes.py --check`.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SPECS = Path(__file__).resolve().parents[3] / "specs"
FACTS = SPECS / "facts"
DESCRIPTORS = {"onnxruntime-in-onnx": SPECS / "runtimes" / "onnxruntime"}


class Broken(Exception):
    """Something could not be asked, so that nothing can be said."""


def answer(*command):
    """What a comparison prints; it ends with 1 if something differs."""
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode not in (0, 1) or (run.returncode == 1) != bool(run.stdout):
        raise Broken(f"{' '.join(map(str, command))} ended with {run.returncode}:\n{run.stderr}")
    return run.stdout.splitlines()


def dumped(python, package, *options):
    run = subprocess.run([python, FACTS / "dump.py", package, *options], capture_output=True, text=True)
    if run.returncode:
        raise Broken(f"the facts of {package} could not be written:\n{run.stderr}")
    return json.loads(run.stdout)


def described_digests(package):
    return json.loads((FACTS / f"{package.replace('-', '_')}_digests.json").read_text())


def differing_facts(package, facts):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(facts, file)
        file.flush()
        descriptors = DESCRIPTORS.get(package, SPECS)
        return answer(os.environ["SHAPE"], "specs", "import", "--check", "--specs", descriptors, file.name)


def differing_parts(described, found):
    """The parts of an operator version that are worded otherwise, by name."""
    for part in dict.fromkeys([*described, *found]):
        if part not in described:
            yield f"{part} (new)"
        elif part not in found:
            yield f"{part} (gone)"
        elif described[part] != found[part]:
            yield part


def differing_digests(described, found):
    """A line for the versions of an operator that have the same parts worded otherwise; a new version is a new fact."""
    versions = {}
    for version in described.keys() & found.keys():
        parts = tuple(differing_parts(described[version], found[version]))
        if parts:
            operator, since = re.fullmatch(r"(.*)-(\d+)", version).groups()
            versions.setdefault((operator, parts), []).append(int(since))
    for (operator, parts), since in sorted(versions.items()):
        yield f"{operator}-{', '.join(map(str, sorted(since)))}: {', '.join(parts)}"


def differences(package, facts, digests):
    """What is told of a package, a list for each heading."""
    described = described_digests(package)
    return {
        "Facts": differing_facts(package, facts),
        "Sentences and bodies": list(differing_digests(described["digests"], digests["digests"])),
    }


def section(python, package):
    facts, digests = dumped(python, package), dumped(python, package, "--digests")
    told = differences(package, facts, digests)
    if package == "onnxruntime-in-onnx":
        told["Rows of runtimes.yaml"] = answer(python, FACTS / "runtimes.py", "--check")
    yield f"## {package} {facts['release']}"
    yield f"The descriptors were read from {described_digests(package)['release']}."
    for heading, lines in told.items():
        if lines:
            yield f"### {heading}"
            yield "\n".join(f"- {line}" for line in lines)
    if not any(told.values()):
        yield "Nothing differs."


def main():
    weekly, runtime = sys.argv[1:]
    sections = [(weekly, "onnx"), (runtime, "onnxruntime"), (runtime, "onnxruntime-in-onnx")]
    try:
        # All of it is asked before anything is said.
        told = [line for python, package in sections for line in section(python, package)]
    except Broken as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    print("# What upstream says otherwise than the descriptors", *told, sep="\n\n")


if __name__ == "__main__":
    main()
