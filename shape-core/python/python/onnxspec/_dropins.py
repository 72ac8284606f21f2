"""The functions of the onnx package and of onnxruntime, with their names and their arguments.

What each says about its result stands in ``_dropins.pyi`` too, for type checkers.
"""

from __future__ import annotations

import os

from ._native import check, convert, infer, infer_file
from ._native import simplify as simplified

__all__ = [
    "SymbolicShapeInference",
    "check_model",
    "convert_version",
    "infer_shapes",
    "infer_shapes_path",
    "simplify",
]


def source(model):
    """What the extension reads: bytes, which it does not copy, or a path."""
    if isinstance(model, (bytes, str)):
        return model
    serialize = getattr(model, "SerializeToString", None)
    if serialize is not None:
        return serialize()
    if isinstance(model, (bytearray, memoryview)):
        # Somebody may change them while they are read.
        return bytes(model)
    if hasattr(model, "__fspath__"):
        return os.fspath(model)
    raise TypeError(f"a model is a ModelProto, bytes or a path, and not a {type(model).__name__}")


def like(model, data):
    """A result of the same kind: a message for a message, otherwise bytes."""
    return type(model).FromString(data) if hasattr(model, "SerializeToString") else data


def paths(specs):
    """The paths that a caller names, of which one may stand alone."""
    return [os.fspath(specs)] if isinstance(specs, (str, os.PathLike)) else [os.fspath(path) for path in specs]


def infer_shapes(model, check_type=False, strict_mode=False, data_prop=False, *, specs=()):
    """Infer the types and dimensions of all values, as ``onnx.shape_inference.infer_shapes`` does.

    They are in ``value_info`` and in the outputs of the result; dimensions may be expressions over the symbols of the
    model, such as ``4*T``. All other bytes of the model stay as they are.

    Args:
        model: A ``ModelProto``, bytes, or the path of a model.
        check_type: Raise for an input or output of a type that its operator does not allow.
        strict_mode: Raise for every error that is found on the way; otherwise the rest is inferred.
        data_prop: Without effect: the elements of tensors that hold sizes are always followed.
        specs: Descriptors of further operators: YAML files, or folders of them.

    Returns:
        A ``ModelProto`` for a ``ModelProto``; bytes for bytes, and for a path, whose file stays as it is.

    Raises:
        ModelError: The model cannot be read.
        InferenceError: There is an error of which ``check_type`` or ``strict_mode`` asks to hear.
    """
    return like(model, infer(source(model), check_type, strict_mode, False, paths(specs)))


def infer_shapes_path(model_path, output_path="", check_type=False, strict_mode=False, data_prop=False, *, specs=()):
    """Infer the types and dimensions of all values of a file, as ``onnx.shape_inference.infer_shapes_path`` does.

    The tensors of the model are not read into memory, so that it may be of any size. The output is replaced only after
    everything is written.

    Args:
        model_path: The model.
        output_path: Where to write the result; empty for the model's own file. A model with data in other files is written
            only where it finds them.
        check_type: As for ``infer_shapes``.
        strict_mode: As for ``infer_shapes``.
        data_prop: Without effect, as for ``infer_shapes``.
        specs: As for ``infer_shapes``.

    Raises:
        ModelError: The model cannot be read or written.
        InferenceError: As for ``infer_shapes``; nothing is written then.
    """
    path = os.fspath(model_path)
    infer_file(path, os.fspath(output_path) or path, check_type, strict_mode, paths(specs))


def check_model(
    model,
    full_check=False,
    skip_opset_compatibility_check=False,
    check_custom_domain=False,
    *,
    runtime=None,
    specs=(),
):
    """Raise if a model is not valid, as ``onnx.checker.check_model`` does.

    Everything that is wrong is in the exception, not only the first thing.

    Args:
        model: A ``ModelProto``, bytes, or the path of a model.
        full_check: Without effect: shapes are always inferred, and what they contradict is an error.
        skip_opset_compatibility_check: Pass over operators that the imported opset does not have.
        check_custom_domain: Raise for operators of other domains than ONNX's that nothing describes, too.
        runtime: A release of a runtime, as ``onnxruntime@1.23.0``: its own operators are checked as that release has them.
        specs: Descriptors of further operators: YAML files, or folders of them.

    Raises:
        ModelError: The model cannot be read.
        NameUnknownError: The runtime or its release is not known.
        ValidationError: The model is not valid.
    """
    check(source(model), skip_opset_compatibility_check, check_custom_domain, runtime, paths(specs))


def convert_version(model, target_version, *, specs=()):
    """Convert a model to another opset, newer or older, as ``onnx.version_converter.convert_version`` does.

    Args:
        model: A ``ModelProto``, bytes, or the path of a model.
        target_version: The opset of ``ai.onnx``.
        specs: Descriptors of further operators: YAML files, or folders of them.

    Returns:
        A ``ModelProto`` for a ``ModelProto``; bytes for bytes, and for a path, whose file stays as it is.

    Raises:
        ModelError: The model cannot be read.
        ConvertError: Something of the model would get lost, or the model has errors; all of it is in the exception.
    """
    return like(model, convert(source(model), target_version, paths(specs)))


class SymbolicShapeInference:
    """What optimizers of onnxruntime call to infer shapes with symbols."""

    @staticmethod
    def infer_shapes(in_mp, int_max=2**31 - 1, auto_merge=False, guess_output_rank=False, verbose=0, *, specs=()):
        """Infer the types and dimensions of all values, as onnxruntime's ``SymbolicShapeInference.infer_shapes`` does.

        A size that the model does not name gets a name of its own, such as ``n0``, as it does there. What is not known stays
        open, without an exception; ``onnxspec.open(model).unknown`` lists it.

        Args:
            in_mp: A ``ModelProto``, bytes, or the path of a model.
            int_max: Without effect: sizes without a bound are expressions.
            auto_merge: Without effect: two symbols are one only where a node could not run otherwise, which is always used.
            guess_output_rank: Without effect: nothing is guessed.
            verbose: Without effect: ``onnxspec.open(model).why(name)`` tells how a value was inferred.
            specs: Descriptors of further operators: YAML files, or folders of them.

        Returns:
            A ``ModelProto`` for a ``ModelProto``; bytes for bytes, and for a path.

        Raises:
            ModelError: The model cannot be read.
        """
        return like(in_mp, infer(source(in_mp), False, False, True, paths(specs)))


#: The largest constant that takes the place of a computed value.
_MAX_CONSTANT = 1 << 20
_UNITS = {"": 1, "B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30}


def _bytes(size):
    """A number of bytes, as in ``1.5GB``."""
    text = str(size).strip().upper()
    number = text.rstrip("BKMGI ")
    try:
        return int(float(number) * _UNITS[text[len(number) :].strip()])
    except (KeyError, ValueError, OverflowError):
        raise ValueError(f"`{size}` is not a size; a size is written as 64KB or 1.5GB") from None


def simplify(
    model,
    check_n=0,
    perform_optimization=True,
    skip_fuse_bn=False,
    overwrite_input_shapes=None,
    test_input_shapes=None,
    skipped_optimizers=None,
    skip_constant_folding=False,
    skip_shape_inference=False,
    input_data=None,
    dynamic_input_shape=False,
    custom_lib=None,
    include_subgraph=False,
    unused_output=None,
    tensor_size_threshold=None,
    mutable_initializer=False,
    *,
    symbols=None,
    specs=(),
):
    """Remove what a model computes and need not, as ``onnxsim.simplify`` does.

    What the model computes stays the same to the bit, for every size of its symbols: arithmetic on floats keeps its order, and
    operators are not fused. Nothing is run for that, so that no runtime is needed.

    Args:
        model: A ``ModelProto``, bytes, or the path of a model.
        overwrite_input_shapes: Dimensions by the names of inputs. The result is valid for these alone, and declares them.
        tensor_size_threshold: The largest constant that takes the place of a computed value, as ``64KB``; 1 MiB without one.
        symbols: Sizes by the names of symbols; as for ``overwrite_input_shapes``.
        specs: Descriptors of further operators: YAML files, or folders of them.
        check_n: Without effect, and so are all others but the next two: they choose among passes that are not used here, and
            how a result is checked by runs.
        custom_lib: Refused: no library is loaded.
        unused_output: Refused: the outputs of the model stay.

    Returns:
        The model, a ``ModelProto`` for a ``ModelProto`` and bytes for bytes and for a path, and ``True``.

    Raises:
        ModelError: The model cannot be read.
        NameUnknownError: The model has no such input or symbol.
        SimplifyError: The model has errors.
    """
    for name, given in (("custom_lib", custom_lib), ("unused_output", unused_output)):
        if given:
            raise ValueError(f"simplify has nothing that does what `{name}` asks for")
    sizes = [(name, list(dims)) for name, dims in (overwrite_input_shapes or {}).items()]
    largest = _MAX_CONSTANT if tensor_size_threshold is None else _bytes(tensor_size_threshold)
    data = simplified(source(model), list((symbols or {}).items()), sizes, largest, paths(specs))
    return like(model, data), True
