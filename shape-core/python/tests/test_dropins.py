"""The functions that take the place of those of the onnx package and of onnxruntime."""

from __future__ import annotations

import os
import sys
import threading
import time

import pytest
from conftest import model, node, value_info

import onnxspec

onnx = pytest.importorskip("onnx", reason="the functions are compared with those of the onnx package")


def dims(info):
    return [dim.dim_param or dim.dim_value for dim in info.type.tensor_type.shape.dim]


def test_the_result_is_of_the_kind_of_the_model(relu, tmp_path):
    path = tmp_path / "relu.onnx"
    path.write_bytes(relu)
    message = onnx.load(path)
    results = [onnxspec.infer_shapes(given) for given in (relu, bytearray(relu), memoryview(relu), path, str(path))]
    assert {type(result) for result in results} == {bytes}
    assert len(set(results)) == 1
    inferred = onnxspec.infer_shapes(message)
    assert isinstance(inferred, onnx.ModelProto)
    assert inferred == onnx.ModelProto.FromString(results[0])
    assert dims(inferred.graph.output[0]) == ["N", 3]
    assert path.read_bytes() == relu
    assert message == onnx.load(path), "the message that was passed stays as it was"


@pytest.mark.parametrize("function", [onnxspec.infer_shapes, onnxspec.check_model, onnxspec.open])
@pytest.mark.parametrize("given", [None, 3, object(), ["model.onnx"]])
def test_what_is_no_model_is_a_type_error(function, given):
    with pytest.raises(TypeError, match="a model is a ModelProto, bytes or a path"):
        function(given)


def test_known_dimensions_are_those_of_the_package(attention):
    message = onnx.load(attention)
    theirs = onnx.shape_inference.infer_shapes(message, data_prop=True)
    ours = {info.name: dims(info) for info in onnxspec.infer_shapes(message).graph.value_info}
    compared = 0
    for info in theirs.graph.value_info:
        for mine, other in zip(ours[info.name], dims(info)):
            if isinstance(other, int) and other:
                assert mine == other, info.name
                compared += 1
    assert compared >= 40


def test_strict_mode_raises_what_the_package_raises(wrong):
    onnxspec.infer_shapes(wrong)
    with pytest.raises(onnxspec.InferenceError) as raised:
        onnxspec.infer_shapes(wrong, strict_mode=True)
    assert {finding.code for finding in raised.value.findings} == {"attribute-unknown", "value-undefined"}
    with pytest.raises(onnx.shape_inference.InferenceError):
        onnxspec.infer_shapes(wrong, strict_mode=True)


def test_check_type_raises_for_types_alone():
    nodes = [node("Add", ["x", "i"], ["y"])]
    mixed = model(nodes, [value_info("x", [2]), value_info("i", [2], element=7)], [value_info("y", None)])
    onnxspec.infer_shapes(mixed)
    with pytest.raises(onnxspec.InferenceError, match="type-mismatch"):
        onnxspec.infer_shapes(mixed, check_type=True)


def test_a_check_has_all_that_is_wrong(wrong, relu):
    assert onnxspec.check_model(relu) is None
    with pytest.raises(onnxspec.ValidationError) as raised:
        onnxspec.check_model(wrong)
    error = raised.value
    assert isinstance(error, onnx.checker.ValidationError)
    assert error.code == error.findings[0].code == "attribute-unknown"
    assert [finding.code for finding in error.findings] == ["attribute-unknown", "value-undefined"]
    assert "alpha" in str(error) and "help" in str(error)


def test_options_of_the_check():
    unknown = model([node("Copies", ["x"], ["y"], "com.acme")], [value_info("x", [2])], [value_info("y", [2])], 21, ["com.acme"])
    onnxspec.check_model(unknown)
    with pytest.raises(onnxspec.ValidationError, match="no-descriptor"):
        onnxspec.check_model(unknown, check_custom_domain=True)
    newer = model([node("Gelu", ["x"], ["y"])], [value_info("x", [2])], [value_info("y", [2])], 13)
    with pytest.raises(onnxspec.ValidationError, match="operator-too-new"):
        onnxspec.check_model(newer)
    onnxspec.check_model(newer, skip_opset_compatibility_check=True)


def test_a_file_is_replaced_when_it_is_complete(relu, wrong, tmp_path):
    path, target = tmp_path / "relu.onnx", tmp_path / "out.onnx"
    path.write_bytes(relu)
    onnxspec.infer_shapes_path(path, target)
    assert path.read_bytes() == relu
    assert target.read_bytes() == onnxspec.infer_shapes(relu)
    onnxspec.infer_shapes_path(str(path))
    assert path.read_bytes() == target.read_bytes()
    path.write_bytes(wrong)
    with pytest.raises(onnxspec.InferenceError):
        onnxspec.infer_shapes_path(path, target, strict_mode=True)
    assert target.read_bytes() == onnxspec.infer_shapes(relu)
    assert sorted(os.listdir(tmp_path)) == ["out.onnx", "relu.onnx"]
    with pytest.raises(onnxspec.ModelError) as raised:
        onnxspec.infer_shapes_path(tmp_path / "gone.onnx")
    assert raised.value.code == "model-unread"


def test_data_in_other_files_is_not_lost(tmp_path):
    weights = onnx.numpy_helper.from_array(__import__("numpy").ones((64, 64), "float32"), "w")
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("MatMul", ["x", "w"], ["y"])],
        "graph",
        [onnx.helper.make_tensor_value_info("x", 1, ["N", 64])],
        [onnx.helper.make_tensor_value_info("y", 1, None)],
        [weights],
    )
    path = tmp_path / "model.onnx"
    made = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 21)], ir_version=10)
    onnx.save(made, path, save_as_external_data=True, location="weights.bin", size_threshold=0)
    onnxspec.check_model(path)
    (tmp_path / "other").mkdir()
    with pytest.raises(onnxspec.ModelError) as raised:
        onnxspec.infer_shapes_path(path, tmp_path / "other" / "out.onnx")
    assert raised.value.code == "model-data"
    assert not list((tmp_path / "other").iterdir())
    onnxspec.infer_shapes_path(path)
    assert dims(onnx.load(path).graph.output[0]) == ["N", 64]


def test_a_conversion_runs_both_ways(attention):
    message = onnx.load(attention)
    newer = onnxspec.convert_version(message, 23)
    assert newer.opset_import[0].version == 23
    onnx.checker.check_model(newer, full_check=True)
    assert onnxspec.open(onnxspec.convert_version(attention, 18)).opsets == {"ai.onnx": 18}
    with pytest.raises(onnxspec.ConvertError) as raised:
        onnxspec.convert_version(message, 8)
    assert isinstance(raised.value, onnx.version_converter.ConvertError)
    assert raised.value.code == "conversion-type" and raised.value.findings[0].node.op_type == "Gather"
    with pytest.raises((onnxspec.ConvertError, OverflowError)):
        onnxspec.convert_version(message, 999)
    with pytest.raises(OverflowError):
        onnxspec.convert_version(message, -1)


def test_a_simplified_model_has_fewer_nodes(attention, wrong):
    message = onnx.load(attention)
    smaller, is_checked = onnxspec.simplify(message)
    assert is_checked and isinstance(smaller, onnx.ModelProto)
    assert len(smaller.graph.node) < len(message.graph.node)
    assert smaller.SerializeToString() == onnxspec.simplify(attention)[0]
    onnx.checker.check_model(smaller, full_check=True)
    assert onnxspec.simplify(smaller)[0] == smaller
    for given in ({"overwrite_input_shapes": {"x": [2, 3, 64]}}, {"symbols": {"batch": 2, "seq": 3}}):
        fixed, _ = onnxspec.simplify(message, **given)
        assert dims(fixed.graph.input[0]) == [2, 3, 64]
    with pytest.raises(onnxspec.SimplifyError) as raised:
        onnxspec.simplify(wrong)
    assert raised.value.code == "attribute-unknown"
    with pytest.raises(ValueError, match="unused_output"):
        onnxspec.simplify(message, unused_output=["y"])
    with pytest.raises(onnxspec.NameUnknownError, match="the model has no symbol `bach`"):
        onnxspec.simplify(message, symbols={"bach": 2})


@pytest.mark.parametrize(("text", "size"), [("1.5GB", 3 << 29), ("64KB", 1 << 16), (10, 10), ("2 MiB", 2 << 20)])
def test_sizes_of_constants(text, size):
    from onnxspec import _dropins

    assert _dropins._bytes(text) == size
    with pytest.raises(ValueError, match="is not a size"):
        _dropins._bytes("much")


def test_symbolic_inference_is_called_as_optimizers_call_it():
    unknown = model([node("NonZero", ["x"], ["y"])], [value_info("x", [2, 3])], [value_info("y", None, element=7)])
    message = onnx.ModelProto.FromString(unknown)
    given = onnxspec.SymbolicShapeInference.infer_shapes(message, 2**31 - 1, True, False, 0)
    assert dims(given.graph.output[0]) == [2, "n0"]
    assert dims(onnxspec.infer_shapes(message).graph.output[0]) == [2, 0], "a size without a name is left open"


def test_the_lock_is_released():
    """Another thread runs on while a large model is looked at: none of its pauses takes a good part of the time."""
    nodes = [node("Relu", [f"v{index}"], [f"v{index + 1}"]) for index in range(60_000)]
    large = model(nodes, [value_info("v0", ["N", 3])], [value_info("v60000", None)])
    wakes, done = [], threading.Event()

    def wake():
        while not done.wait(0.0005):
            wakes.append(time.perf_counter())

    thread = threading.Thread(target=wake)
    thread.start()
    start = time.perf_counter()
    onnxspec.check_model(large)
    end = time.perf_counter()
    done.set()
    thread.join()
    during = [start, *(wake for wake in wakes if start < wake < end), end]
    longest = max(later - earlier for earlier, later in zip(during, during[1:]))
    assert longest < (end - start) / 2


def memory(name):
    """A line of what the system says about the memory of this process, in bytes."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith(name))


def peak(call):
    """How much more memory a call takes than there is before it, at its peak."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = memory("VmRSS:")
    result = call()
    return memory("VmHWM:") - before, result


@pytest.mark.skipif(sys.platform != "linux", reason="the memory is read from /proc")
def test_tensors_are_not_copied(tmp_path):
    """A tensor of 64 MiB is not copied when a model is read, and once when it is written."""
    size = 1 << 26
    tensor = onnx.TensorProto(dims=[size], data_type=3, name="w", raw_data=bytes(size))
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("Identity", ["w"], ["y"])],
        "graph",
        [],
        [onnx.helper.make_tensor_value_info("y", 3, None)],
        [tensor],
    )
    made = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 21)], ir_version=10)
    large = made.SerializeToString()
    assert len(large) > size
    del tensor, graph, made
    more, opened = peak(lambda: onnxspec.open(large))
    assert opened.values["y"].dims == (size,) and more < size / 4
    # What is checked is looked at in its place.
    assert peak(lambda: onnxspec.check_model(large))[0] < size / 4
    for call in (onnxspec.infer_shapes, lambda model: onnxspec.convert_version(model, 22), onnxspec.simplify):
        more, result = peak(lambda: call(large))
        assert size <= more < size * 1.5
        del result
    path = tmp_path / "large.onnx"
    path.write_bytes(large)
    assert peak(lambda: onnxspec.infer_shapes_path(path))[0] < size / 4
