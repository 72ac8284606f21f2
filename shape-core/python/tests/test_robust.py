"""Whatever the bytes, the threads and the number of calls."""

from __future__ import annotations

import multiprocessing
import random
import sys
import threading

import pytest
from conftest import MODELS, model, node, value_info

import onnxspec

SEED = 20260101


def damaged(data, chance):
    """A model with some of its bytes changed, cut, repeated or taken away."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(data) or 1)
        match = chance.randrange(5)
        if match == 0 and data:
            data[at] = chance.randrange(256)
        elif match == 1:
            del data[at : at + chance.randint(1, 20)]
        elif match == 2:
            data[at:at] = data[at : at + chance.randint(1, 200)]
        elif match == 3:
            data[at:at] = chance.randbytes(chance.randint(1, 8))
        elif chance.random() < 0.1:
            del data[at:]
    return bytes(data)


def all_of(given):
    """Each function that takes a model; nothing but an exception of the package comes out."""
    for call in (
        onnxspec.check_model,
        onnxspec.infer_shapes,
        lambda given: onnxspec.infer_shapes(given, strict_mode=True),
        lambda given: onnxspec.convert_version(given, 13),
        onnxspec.SymbolicShapeInference.infer_shapes,
    ):
        try:
            call(given)
        except onnxspec.Error:
            pass
    try:
        opened = onnxspec.open(given)
        repr(opened), repr(opened.values), repr(opened.nodes), repr(opened.findings)
        for value in opened.values[:5]:
            try:
                opened.why(value.name)
            except onnxspec.NameUnknownError:
                pass
    except onnxspec.Error:
        pass


def test_no_bytes_kill_the_interpreter(relu, wrong):
    chance = random.Random(SEED)
    models = [(MODELS / "attention.onnx").read_bytes(), relu, wrong]
    models += [onnxspec.infer_shapes(given) for given in models]
    for _ in range(400):
        for given in models:
            all_of(damaged(given, chance))
    for length in (1, 2, 10, 1000):
        for _ in range(50):
            all_of(chance.randbytes(length))


def test_deep_nesting_is_refused():
    """Messages in messages, which a reader follows by calling itself."""

    def nested(levels):
        from conftest import field

        body = b""
        for _ in range(levels):
            # A graph in an attribute of a node of a graph.
            body = field(1, field(4, "If") + field(5, field(1, "then_branch") + field(6, body) + field(20, 5)))
        return field(1, 10) + field(7, body)

    for levels in (10, 40, 100, 300):
        all_of(nested(levels))


def test_threads():
    """Eight at once, each with all functions, one registered function and descriptors."""
    given = model(
        [node("Relu", ["x"], ["y"]), node("Twice", ["y"], ["z"], "com.acme")],
        [value_info("x", ["N", 3])],
        [value_info("z", None)],
        domains=["com.acme"],
    )
    large = (MODELS / "attention.onnx").read_bytes()

    @onnxspec.rule("com.acme::Twice")
    def twice(x):
        return [x.dims[0] * 2, x.dims[1]]

    expected = onnxspec.infer_shapes(large)
    failed = []

    def work():
        try:
            for _ in range(60):
                assert onnxspec.open(given).values["z"].dims == ("2*N", 3)
                assert onnxspec.infer_shapes(large) == expected
                onnxspec.check_model(large)
                shared.set(batch=4).values, shared.findings, shared.nodes
        except BaseException as error:
            failed.append(error)

    shared = onnxspec.open(large)
    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    onnxspec.forget_rule("com.acme::Twice")
    assert not failed and not any(thread.is_alive() for thread in threads)


def in_child(given, results):
    results.put((onnxspec.infer_shapes(given), len(opened_before.values), repr(opened_before.findings)))


opened_before = onnxspec.open(MODELS / "attention.onnx")


@pytest.mark.skipif(sys.platform == "win32", reason="it has no fork")
def test_fork():
    """What was opened before a fork is used in the child, while threads of the parent are at work."""
    given = (MODELS / "attention.onnx").read_bytes()
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    stop = threading.Event()

    def busy():
        while not stop.is_set():
            onnxspec.check_model(given)

    threads = [threading.Thread(target=busy) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            child = context.Process(target=in_child, args=(given, results))
            child.start()
            inferred, values, findings = results.get(timeout=30)
            child.join(30)
            assert child.exitcode == 0
            assert inferred == onnxspec.infer_shapes(given)
            assert (values, findings) == (42, "<no findings>")
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@pytest.mark.skipif(sys.platform != "linux", reason="the memory is read from /proc")
def test_memory_does_not_grow(tmp_path):
    """10,000 calls more take no more memory than the first did, those that fail and those of functions and descriptors among them."""
    given = model(
        [node("Relu", ["x"], ["y"], alpha=1), node("Broken", ["y"], ["z"], "com.acme")],
        [value_info("x", ["N", 3])],
        [value_info("z", None)],
        domains=["com.acme"],
    )
    (tmp_path / "com.acme").mkdir()
    (tmp_path / "com.acme" / "Other.yaml").write_text(
        "operator: Other\ndomain: com.acme\nsummary: Keeps it.\nversions:\n  - since: 1\n"
        '    inputs: [{ name: x, type: T, doc: "It." }]\n    outputs: [{ name: y, type: T, doc: "It." }]\n'
        '    types: [{ name: T, allow: [float], doc: "Floats." }]\n    rules: [{ output: y, dims: "[...x]" }]\n'
    )

    @onnxspec.rule("com.acme::Broken")
    def broken(x):
        raise RuntimeError("it is broken")

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    def calls(count):
        for index in range(count):
            opened = onnxspec.open(given, specs=tmp_path if index % 10 == 0 else ())
            assert opened.findings and opened.values and opened.nodes
            try:
                onnxspec.check_model(given)
            except onnxspec.ValidationError as error:
                assert len(error.findings) == 2
            onnxspec.infer_shapes(given)

    calls(1_000)
    before = resident()
    calls(2_500)
    onnxspec.forget_rule("com.acme::Broken")
    assert resident() - before < 3 << 20
