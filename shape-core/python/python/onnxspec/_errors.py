"""The exceptions of the package. Each has a code, and the findings that it is about."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._native import Finding

__all__ = [
    "ConvertError",
    "Error",
    "InferenceError",
    "ModelError",
    "NameUnknownError",
    "SchemaError",
    "SimplifyError",
    "SpecsError",
    "ValidationError",
]


class Error(Exception):
    """What all exceptions of this package have.

    ``code`` is a stable text such as ``attribute-unknown``: where there are findings that of the first one, for which
    ``shape explain CODE`` has a page. ``findings`` are all that the exception is about.
    """

    #: Where the onnx package has the exception that this one stands for.
    _of_onnx: tuple[str, str] | None = None

    code: str
    findings: tuple[Finding, ...]

    def __new__(cls, message: str, code: str = "", findings: Iterable[Finding] = ()) -> Error:
        # Where the onnx package is in use, its own exception is caught too by who waits for that.
        kind: type[Error] = cls
        if cls._of_onnx is not None:
            module, name = cls._of_onnx
            theirs: type | None = getattr(sys.modules.get(module), name, None)
            if theirs is not None:
                kind = _both(cls, theirs)
        return Exception.__new__(kind, message, code, findings)

    def __init__(self, message: str, code: str = "", findings: Iterable[Finding] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.findings = tuple(findings)

    def __reduce__(self) -> tuple[object, ...]:
        return _made, (self._plain(), str(self), self.code, self.findings)

    def _plain(self) -> type[Error]:
        """The class of this module, without the one of the onnx package."""
        kinds = [each for each in type(self).__mro__ if issubclass(each, Error)]
        known: dict[str, object] = globals()
        return next(each for each in kinds if known.get(each.__name__) is each)


_BOTH: dict[tuple[type[Error], type], type[Error]] = {}


def _both(ours: type[Error], theirs: type) -> type[Error]:
    """A class that is both, made once."""
    if (ours, theirs) not in _BOTH:
        members = {"__module__": ours.__module__, "_of_onnx": None, "__doc__": ours.__doc__}
        both: type[Error] = type(ours.__name__, (ours, theirs), members)
        _BOTH[ours, theirs] = both
    return _BOTH[ours, theirs]


def _made(kind: type[Error], message: str, code: str, findings: tuple[Finding, ...]) -> Error:
    return kind(message, code, findings)


class ModelError(Error, ValueError):
    """A file or bytes that are no ONNX model, or a model that cannot be written."""


class ValidationError(Error):
    """A model that is not valid; ``onnx.checker.ValidationError`` catches it too."""

    _of_onnx = ("onnx.checker", "ValidationError")


class InferenceError(Error):
    """A model whose shapes cannot be inferred; ``onnx.shape_inference.InferenceError`` catches it too."""

    _of_onnx = ("onnx.shape_inference", "InferenceError")


class ConvertError(Error, RuntimeError):
    """A conversion that would lose something; ``onnx.version_converter.ConvertError`` catches it too."""

    _of_onnx = ("onnx.version_converter", "ConvertError")


class SchemaError(Error, LookupError):
    """An operator, or a version of one, that there is not; ``onnx.defs.SchemaError`` catches it too."""

    _of_onnx = ("onnx.defs", "SchemaError")


class SimplifyError(Error, RuntimeError):
    """A model that cannot be simplified, since it has errors."""


class NameUnknownError(Error, LookupError):
    """An input, a symbol or a value that the model does not have, or a release of a runtime that is not known."""


class SpecsError(Error, ValueError):
    """Descriptors that cannot be read, or a function that cannot be the rule of an operator."""
