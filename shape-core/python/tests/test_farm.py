"""The scripts that check and infer a folder of models with Ray and with Dask, each with two workers on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import model, node, value_info

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
MODELS = 2_000

# Python runs this in each process before everything else: the first that opens a model after some others dies.
DYING = """
import os, sys, onnxspec
opened, marker, before = onnxspec.open, os.environ["DIES_ONCE"], [0]

def dying(path, **options):
    before[0] += 1
    if before[0] == 120:
        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            pass
        else:
            os._exit(1)
    return opened(path, **options)

onnxspec.open = dying
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Small models: most are right, some have an error, some are no models."""
    folder = tmp_path_factory.mktemp("models")
    for index in range(MODELS):
        attributes = {"alpha": 1} if index % 7 == 0 else {}
        nodes = [node("Relu", ["x"], ["y"], **attributes), node("NonZero", ["y"], ["z"])]
        made = model(nodes, [value_info("x", ["N", index])], [value_info("z", None, element=7)])
        (folder / f"{index:04}.onnx").write_bytes(made[: -index % 40] if index % 13 == 0 and index % 40 else made)
    return folder


@pytest.fixture(scope="module")
def expected(folder):
    """What one process finds, without a cluster: by the function of a script."""
    pytest.importorskip("pyarrow")
    import importlib.util

    for name in ("farm_ray", "farm_dask"):
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except ImportError:
            continue
        return [module.facts(str(path)) for path in sorted(folder.glob("*.onnx"))]
    pytest.skip("neither Ray nor Dask is installed")


@pytest.mark.parametrize(("library", "script"), [("ray", "farm_ray.py"), ("distributed", "farm_dask.py")])
def test_a_worker_that_dies_loses_nothing(library, script, folder, expected, tmp_path):
    pytest.importorskip(library)
    import pyarrow.parquet

    (tmp_path / "sitecustomize.py").write_text(DYING)
    marker, target = tmp_path / "died", tmp_path / "out.parquet"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]), "DIES_ONCE": str(marker), "RAY_DEDUP_LOGS": "0"}
    command = [sys.executable, EXAMPLES / script, folder, target]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    assert marker.exists(), "no worker died"
    rows = pyarrow.parquet.read_table(target).to_pylist()
    assert len(rows) == MODELS
    assert [list(row.values()) for row in rows] == expected
    assert sum(1 for row in rows if row["error"]) > 50 and sum(1 for row in rows if row["findings"]) > 200


@pytest.mark.parametrize("script", ["farm_ray.py", "farm_dask.py"])
def test_a_script_is_short(script):
    assert len((EXAMPLES / script).read_text().splitlines()) < 40
