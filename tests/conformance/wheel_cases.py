"""The Shape cases of old onnx releases, each stamped with the opset of its time, run by `shape test`.

The wheels are downloaded and read as the zip files that they are; none is installed, so that it does not matter for
which machine it was built.
"""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import command
import onnx
import summary

# Release, the opset of its Shape cases, their number, and what to ask the package index for.
WHEELS = [
    ("1.7.0", 9, 2, "manylinux1_x86_64", "38"),
    ("1.12.0", 15, 10, "manylinux_2_17_x86_64", "310"),
    ("1.14.1", 19, 10, "manylinux_2_17_x86_64", "310"),
    ("1.16.2", 21, 10, "manylinux_2_17_x86_64", "310"),
    ("1.18.0", 23, 10, "manylinux_2_17_x86_64", "310"),
    ("1.19.1", 24, 11, "manylinux_2_17_x86_64", "310"),
    ("1.22.0", 25, 11, "manylinux_2_28_x86_64", "312"),
]

# For an index that carries other builds of a release than the one named above.
OTHERS = [
    ("manylinux_2_28_x86_64", "312"),
    ("manylinux_2_17_x86_64", "38"),
    ("manylinux_2_17_aarch64", "310"),
    ("win_amd64", "310"),
]

CASE = re.compile(r"onnx/backend/test/data/node/(test_shape[^/]*)/")


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
    """The folders of the cases whose model is one Shape node."""
    with zipfile.ZipFile(wheel) as archive:
        members = [name for name in archive.namelist() if CASE.match(name) and not name.endswith("/")]
        models = {name: onnx.load_from_string(archive.read(name)) for name in members if name.endswith("/model.onnx")}
        names = {CASE.match(name)[1]: model for name, model in models.items()}
        cases = {name: model for name, model in names.items() if [n.op_type for n in model.graph.node] == ["Shape"]}
        for member in members:
            name = CASE.match(member)[1]
            if name in cases:
                target = parent / name / member.removeprefix(CASE.match(member)[0])
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(member))
    return {parent / name: model for name, model in cases.items()}


def release_cases(release, opset, number, builds, parent):
    """How many cases passed, and what is wrong."""
    wheels = parent / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    cases = unpack(download(release, builds, wheels), parent / release)
    wrong = {
        f"onnx {release}: {folder.name} imports opset {found}, not {opset}"
        for folder, model in cases.items()
        if (found := [entry.version for entry in model.opset_import]) != [opset]
    }
    if len(cases) != number:
        wrong.add(f"onnx {release}: {len(cases)} cases, not {number}")
    failed = command.test(cases)
    return len(cases) - len(failed), sorted(wrong) + [f"onnx {release}: {problem}" for problem in failed]


def main():
    parent = Path(sys.argv[1])
    passed, problems = 0, []
    for release, opset, number, *build in WHEELS:
        builds = [tuple(build), *(other for other in OTHERS if other != tuple(build))]
        try:
            good, bad = release_cases(release, opset, number, builds, parent)
        except (Unavailable, command.Broken) as error:
            good, bad = 0, [f"onnx {release}: {error}"]
        passed += good
        problems += bad
    summary.close("wheel cases", passed, problems)


if __name__ == "__main__":
    main()
