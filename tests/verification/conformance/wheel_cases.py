"""The cases of old onnx releases for each operator, stamped with the opsets of their time, run by `shape test`.

The wheels are downloaded and read as the zip files that they are; none is installed, so that it does not matter for
which machine it was built.
"""

import re
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import command
import onnx
import summary

# Release, what to ask the package index for, and how many cases of an operator there are at which opset.
WHEELS = [
    ("1.7.0", "manylinux1_x86_64", "38", {("Shape", 9): 2, ("Reshape", 11): 9}),
    ("1.9.0", "manylinux2010_x86_64", "38", {("Shape", 9): 2, ("Reshape", 11): 9, ("Reshape", 14): 1}),
    ("1.12.0", "manylinux_2_17_x86_64", "310", {("Shape", 15): 10, ("Reshape", 14): 10}),
    ("1.14.1", "manylinux_2_17_x86_64", "310", {("Shape", 19): 10, ("Reshape", 19): 10}),
    ("1.16.2", "manylinux_2_17_x86_64", "310", {("Shape", 21): 10, ("Reshape", 21): 10}),
    ("1.18.0", "manylinux_2_17_x86_64", "310", {("Shape", 23): 10, ("Reshape", 23): 10}),
    ("1.19.1", "manylinux_2_17_x86_64", "310", {("Shape", 24): 11, ("Reshape", 24): 10}),
    ("1.22.0", "manylinux_2_28_x86_64", "312", {("Shape", 25): 11, ("Reshape", 25): 10}),
]
OPERATORS = {op_type for *_, numbers in WHEELS for op_type, _ in numbers}

# For an index that carries other builds of a release than the one named above.
OTHERS = [
    ("manylinux_2_28_x86_64", "312"),
    ("manylinux_2_17_x86_64", "38"),
    ("manylinux_2_17_aarch64", "310"),
    ("win_amd64", "310"),
]

CASE = re.compile(r"onnx/backend/test/data/node/(test_[^/]*)/")


class Unavailable(Exception):
    """The package index has no wheel of the release."""


def download(release, builds, parent):
    kept = sorted(parent.glob(f"onnx-{release}-*.whl"))
    if kept:
        return kept[0]
    for platform, python in builds:
        done = subprocess.run(
            [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
            + ["--only-binary", ":all:", "--implementation", "cp", "--platform", platform, "--python-version", python]
            + ["--dest", str(parent), f"onnx=={release}"],
            capture_output=True,
            text=True,
            check=False,
        )
        kept = sorted(parent.glob(f"onnx-{release}-*.whl"))
        if done.returncode == 0 and kept:
            return kept[0]
    last = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
    raise Unavailable(f"no wheel to be had for any of {len(builds)} builds; the last answer: {last}")


def unpack(wheel, parent):
    """The folders of the cases whose model is one node of one of the operators, and the operator and opset of each."""
    with zipfile.ZipFile(wheel) as archive:
        members = [name for name in archive.namelist() if CASE.match(name) and not name.endswith("/")]
        cases = {}
        for member in members:
            if member.endswith("/model.onnx"):
                model = onnx.load_from_string(archive.read(member))
                (op_type, *others) = [node.op_type for node in model.graph.node]
                if op_type in OPERATORS and not others:
                    (imported,) = model.opset_import
                    cases[CASE.match(member)[1]] = (op_type, imported.version)
        for member in members:
            name = CASE.match(member)[1]
            if name in cases:
                target = parent / name / member.removeprefix(CASE.match(member)[0])
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(member))
    return {parent / name: what for name, what in cases.items()}


def release_cases(release, builds, numbers, parent):
    """How many cases passed, and what is wrong."""
    wheels = parent / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    cases = unpack(download(release, builds, wheels), parent / release)
    found = Counter(cases.values())
    wanted = Counter(numbers)
    wrong = [
        f"onnx {release}: {found[what]} cases of {what[0]} at opset {what[1]}, not {wanted[what]}"
        for what in sorted({*found, *wanted})
        if found[what] != wanted[what]
    ]
    failed = command.test(cases)
    return len(cases) - len(failed), wrong + [f"onnx {release}: {problem}" for problem in failed]


def main():
    parent = Path(sys.argv[1])
    passed, problems = 0, []
    for release, *build, numbers in WHEELS:
        builds = [tuple(build), *(other for other in OTHERS if other != tuple(build))]
        try:
            good, bad = release_cases(release, builds, numbers, parent)
        except (Unavailable, command.Broken) as error:
            good, bad = 0, [f"onnx {release}: {error}"]
        passed += good
        problems += bad
    summary.close("wheel cases", passed, problems)


if __name__ == "__main__":
    main()
