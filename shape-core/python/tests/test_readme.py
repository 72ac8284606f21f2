"""What the README says: the code in it runs, and the table names functions that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import MODELS

import onnxspec

README = (Path(__file__).resolve().parents[1] / "README.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_code_runs(block, tmp_path, monkeypatch):
    (tmp_path / "model.onnx").write_bytes((MODELS / "attention.onnx").read_bytes())
    monkeypatch.chdir(tmp_path)
    if "to_pandas" in block and pytest.importorskip("pandas"):
        pass
    exec(block.replace("logits", "y"), {})
    onnxspec.forget_rule("com.acme::Copies")


def test_the_table_row_by_row():
    """Each row whose call has a model or a name runs; the others name what there is."""
    onnx = pytest.importorskip("onnx")
    table = README[README.index("## What you call today") : README.index("## What differs")]
    calls = re.findall(r"\| (?:`[^|]*) \| `(onnxspec\.[^`]*)` \|", table)
    assert len(calls) == 9
    names = {"onnxspec": onnxspec, "model": onnx.load(MODELS / "attention.onnx")}
    ran = 0
    for call in calls:
        if "path" not in call.split("(")[1]:
            result = eval(call, names)
            result = result[0] if isinstance(result, tuple) else result
            assert result is None or isinstance(result, (onnx.ModelProto, onnxspec.OpSchema, bool, list)), call
            ran += 1
    assert ran == 8
