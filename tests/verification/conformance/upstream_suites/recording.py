"""The tests of onnx and of spox, fetched from the package index and run with the onnx package while what they ask of it
is recorded."""

import os
import pickle
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

import onnx
import spox

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Suite:
    """`tests` are those of the folder that ask something of inference, of the checker or of the converter."""

    package: str
    version: str
    folder: str
    tests: tuple


SUITES = [
    Suite(
        "onnx",
        onnx.__version__,
        "tests/python",
        (
            "shape_inference_test.py",
            "checker_test.py",
            "version_converter_test.py",
            "version_converter",
            "data_propagation_test.py",
            "function_inference_test.py",
            "inference_function_test.py",
            "model_inference_test.py",
            "node_shape_inference_test.py",
            "split_shape_inference_test.py",
            "symbolic_shape_test.py",
            "function_test.py",
            "compose_test.py",
            "helper_test.py",
        ),
    ),
    Suite("spox", spox.__version__, "tests", (".",)),
]


class Unavailable(Exception):
    """The tests are not to be had, or do not run."""


def fetched(suite, parent):
    """The folder of the tests, taken out of the package's source distribution."""
    root = f"{suite.package}-{suite.version}"
    folder = parent / root / suite.folder
    if folder.is_dir():
        return folder
    parent.mkdir(parents=True, exist_ok=True)
    archive = parent / f"{root}.tar.gz"
    if not archive.is_file():
        done = subprocess.run(
            [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
            + ["--no-binary", suite.package, "--dest", str(parent), f"{suite.package}=={suite.version}"],
            capture_output=True,
            text=True,
            check=False,
        )
        if not archive.is_file():
            last = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1]
            raise Unavailable(f"no source distribution of {root}: {last}")
    with tarfile.open(archive) as files:
        wanted = [each for each in files.getmembers() if each.name.startswith(f"{root}/{suite.folder}/")]
        files.extractall(parent, wanted, filter="data")
    if not folder.is_dir():
        raise Unavailable(f"the source distribution of {root} has no {suite.folder}")
    return folder


def recorded(suite, parent):
    """What the tests ask, call by call, and the outcome of each test with the package."""
    folder, target = fetched(suite, parent / "sources"), parent / f"{suite.package}.calls"
    target.unlink(missing_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--quiet", "-c", os.devnull, "--rootdir", str(folder)]
        + ["-p", "no:cacheprovider", "-p", "upstream_suites.recorder", *suite.tests],
        cwd=folder,
        env={**os.environ, "RECORDED_CALLS": str(target), "PYTHONPATH": str(HERE.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    # 0 and 1 are tests that passed and tests that failed; anything else is no run.
    if done.returncode not in (0, 1) or not target.is_file():
        last = "\n".join((done.stdout + done.stderr).strip().splitlines()[-5:])
        raise Unavailable(f"the tests of {suite.package} do not run: {last}")
    with target.open("rb") as file:
        found = pickle.load(file)
    return found["calls"], found["outcomes"]
