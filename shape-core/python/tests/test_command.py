"""The command `shape` of the package."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time

import pytest
from conftest import MODELS, model, node, value_info

SHAPE = shutil.which("shape", path=sysconfig.get_path("scripts"))
COMMANDS = [pytest.param([sys.executable, "-m", "onnxspec"], id="module")]
if SHAPE:
    COMMANDS.append(pytest.param([SHAPE], id="script"))


@pytest.mark.parametrize("command", COMMANDS)
def test_exit_codes(command, wrong, tmp_path):
    path = tmp_path / "wrong.onnx"
    path.write_bytes(wrong)

    def run(*arguments):
        done = subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    code, out, told = run("check", MODELS / "attention.onnx")
    assert (code, out, told) == (0, "", "no findings in 1 model\n")
    code, out, told = run("check", path)
    assert code == 1 and "attribute-unknown" in out
    assert run("check", tmp_path / "gone.onnx")[0] == 2
    code, out, told = run("chekc", path)
    assert code == 2 and "similar" in told and "'check'" in told
    code, out, told = run("--version")
    assert code == 0 and out.startswith("shape 0.")


@pytest.mark.skipif(sys.platform == "win32", reason="it has no signals")
@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_ends_it(command, tmp_path):
    """It ends by the signal, as its caller expects, while it waits for a model on standard input."""
    process = subprocess.Popen(
        [*command, "check", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    time.sleep(1)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=10)
    assert process.returncode == -signal.SIGINT and told == b""


@pytest.mark.skipif(sys.platform == "win32", reason="it has no signals")
def test_a_closed_pipe_does_no_harm(tmp_path):
    nodes = [node("Relu", [f"v{index}"], [f"v{index + 1}"]) for index in range(20_000)]
    path = tmp_path / "long.onnx"
    path.write_bytes(model(nodes, [value_info("v0", ["N"])], [value_info("v20000", None)]))
    process = subprocess.Popen(
        [sys.executable, "-m", "onnxspec", "infer", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    os.read(process.stdout.fileno(), 10)
    process.stdout.close()
    assert process.wait(timeout=30) == 0
