"""Calls the `shape` command and holds it to its contract: exit codes, and JSON that says the same as they do."""

import atexit
import json
import os
import select
import subprocess
import tempfile
import threading

TIMEOUT = 60
# How many calls one process of `examples/many.rs` answers.
CALLS = 5000


class Broken(Exception):
    """The command did what it may do for no model: a crash, a hang, an exit code or output outside of its contract."""


class Many:
    """Calls of the command that one process answers, `examples/many.rs`: most of the time of a call is the start of a
    process."""

    def __init__(self, program):
        self.told = tempfile.TemporaryFile()
        self.left = CALLS
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([program], stdin=pipe, stdout=pipe, stderr=self.told, bufsize=0)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.told.close()

    def call(self, arguments):
        """The exit code, and what was written to standard output and standard error."""
        self.left -= 1
        self.told.truncate(0)
        self.told.seek(0)
        self.process.stdin.write(json.dumps(arguments).encode() + b"\n")
        written = b""
        while not (written.endswith(b"\n") and b"\n\0" in written[-8:]):
            if not select.select([self.process.stdout], [], [], TIMEOUT)[0]:
                raise subprocess.TimeoutExpired(arguments, TIMEOUT)
            read = os.read(self.process.stdout.fileno(), 1 << 20)
            if not read:
                return self.process.wait(), written, self.message()
            written += read
        answer, _, code = written.rpartition(b"\n\0")
        return int(code), answer, self.message()

    def message(self):
        self.told.seek(0)
        return self.told.read()


class Answering(threading.local):
    """The process that answers the calls of a thread, whose answers would mix with those of another, and the number of
    the process that started it: what is forked has another."""

    many, owner = None, None


answering = Answering()


def once(arguments):
    """A call in a process of its own."""
    done = subprocess.run([os.environ["SHAPE"], *arguments], capture_output=True, timeout=TIMEOUT, check=False)
    return done.returncode, done.stdout, done.stderr


def called(arguments):
    """A call in the process of `SHAPE_MANY`, where that is given."""
    program = os.environ.get("SHAPE_MANY")
    if not program:
        return once(arguments)
    if answering.owner != os.getpid():
        answering.many = None
    elif answering.many and answering.many.left == 0:
        answering.many.close()
        answering.many = None
    if answering.many is None:
        answering.many, answering.owner = Many(program), os.getpid()
        atexit.register(answering.many.close)
    code = None
    try:
        code, written, told = answering.many.call(arguments)
    finally:
        if code not in (0, 1, 2):
            answering.many.close()
            answering.many = None
    return code, written, told


def run(*arguments, unreadable=False):
    """The exit code, 0 or 1, and the JSON. With `unreadable` a file may also be no model: 2 and the message."""
    try:
        code, written, told = called([*map(str, arguments), "--format", "json"])
    except subprocess.TimeoutExpired:
        raise Broken(f"no answer in {TIMEOUT} s") from None
    message = told.decode(errors="replace").strip()
    if code == 2 and unreadable:
        return 2, message
    if code not in (0, 1):
        raise Broken(f"exit {code}: {message[-2000:]}")
    try:
        answer = json.loads(written)
    except ValueError as error:
        raise Broken(f"its output is not JSON: {error}") from None
    if answer.get("schema_version") != 1:
        raise Broken(f"schema_version {answer.get('schema_version')}")
    return code, answer


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
