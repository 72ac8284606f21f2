"""Calls the `shape` command and holds it to its contract: exit codes, and JSON that says the same as they do."""

import json
import os
import subprocess

TIMEOUT = 60


class Broken(Exception):
    """The command did what it may do for no model: a crash, a hang, an exit code or output outside of its contract."""


def run(*arguments, unreadable=False):
    """The exit code, 0 or 1, and the JSON. With `unreadable` a file may also be no model: 2 and the message."""
    command = [os.environ["SHAPE"], *map(str, arguments), "--format", "json"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        raise Broken(f"no answer in {TIMEOUT} s") from None
    message = done.stderr.decode(errors="replace").strip()
    if done.returncode == 2 and unreadable:
        return 2, message
    if done.returncode not in (0, 1):
        raise Broken(f"exit {done.returncode}: {message[-2000:]}")
    try:
        answer = json.loads(done.stdout)
    except ValueError as error:
        raise Broken(f"its output is not JSON: {error}") from None
    if answer.get("schema_version") != 1:
        raise Broken(f"schema_version {answer.get('schema_version')}")
    return done.returncode, answer


def infer(model):
    """The answer of `shape infer`."""
    code, answer = run("infer", model)
    errors = any(finding["severity"] == "error" for finding in answer["findings"])
    if errors != (code == 1):
        raise Broken(f"exit {code} with findings {[finding['code'] for finding in answer['findings']]}")
    return answer


def cases(folders):
    """What `shape test` says of ONNX test-case folders: name, outcome and detail of each."""
    code, answer = run("test", *sorted(folders))
    found = answer["cases"]
    if sorted(case["name"] for case in found) != sorted(folder.name for folder in folders):
        raise Broken(f"{len(found)} cases reported for {len(folders)} folders, or others")
    # A skipped case is a problem to `test`, and none to the command.
    if (code == 1) != any(case["outcome"] in ("fail", "error") for case in found):
        raise Broken(f"exit {code} with outcomes {sorted({case['outcome'] for case in found})}")
    return found


def test(folders):
    """What is wrong with the run of ONNX test-case folders, one text for each case; none where all passed."""
    problems = [case for case in cases(folders) if case["outcome"] != "pass"]
    return [f"{case['name']}: {case['outcome']}: {case['detail']}" for case in problems]
