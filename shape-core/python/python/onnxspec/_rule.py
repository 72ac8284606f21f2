"""Functions that infer the outputs of operators of one's own."""

from __future__ import annotations

from ._errors import SpecsError
from ._native import register, unregister

__all__ = ["forget_rule", "rule"]

#: The kinds of attributes by the types of Python, with their numbers in ``AttributeProto``.
_KINDS = {
    "float": 1,
    "int": 2,
    "bool": 2,
    "str": 3,
    "list[float]": 6,
    "list[int]": 7,
    "list[str]": 8,
}


def _operator(path):
    domain, _, name = path.rpartition("::")
    if not name:
        raise SpecsError(f"`{path}` names no operator; one is named as in `com.acme::Copies`", "specs")
    return domain, name


def _kind(parameter):
    """The kind of an attribute, by the annotation or the default of a parameter."""
    annotation = parameter.annotation
    if annotation is not parameter.empty:
        name = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
        text = str(annotation) if "[" in str(annotation) else name
        for part in text.replace(" ", "").split("|"):
            if part in _KINDS:
                return _KINDS[part]
    default = parameter.default
    if isinstance(default, (list, tuple)) and default:
        return _KINDS.get(f"list[{type(default[0]).__name__}]")
    return _KINDS.get(type(default).__name__)


def _attribute(parameter):
    kind = _kind(parameter)
    if kind is None:
        raise SpecsError(f"the attribute `{parameter.name}` needs a type: int, float, str, or a list of them", "specs")
    required = parameter.default is parameter.empty
    default = None if required or parameter.default is None else parameter.default
    return parameter.name, kind, required, list(default) if isinstance(default, tuple) else default


def rule(operator, *, since_version=1, outputs=("output",), types=None):
    """Make a function the rule of an operator: it gives the dimensions of the outputs.

    The function gets an ``Input`` for each input, None for one that the node leaves out, and the attributes by their names.
    It returns a list of dimensions, or for an operator with several outputs a list for each. A dimension is an int, a
    ``Dim``, which computes with ``+ - * // %`` and its methods ``min`` and ``max``, or None if it is not known; None in the
    place of a list leaves the rank open. An exception is a finding with the code ``rule-failed``.

    Where ``specs`` describe the operator, the description holds, and the function is its rule. Otherwise the signature is
    the description: a parameter for each input, optional with the default None, ``*name`` for any number, and one that
    stands behind ``*`` for each attribute, whose kind is that of its annotation or its default.

    Args:
        operator: The name, as in ``com.acme::Copies``. Operators that have a rule already are not replaced.
        since_version: The opset of the domain that the signature describes.
        outputs: The names of the outputs; all but the first may be left out of a node.
        types: The element type of each output, such as ``int64``; None, or none at all, for the type of the first input.

    Raises:
        SpecsError: The name or an attribute cannot be understood, or the operator has a rule already.
    """
    domain, name = _operator(operator)

    def registered(function):
        import inspect

        inputs, attributes = [], []
        for parameter in inspect.signature(function).parameters.values():
            if parameter.kind is parameter.KEYWORD_ONLY:
                attributes.append(_attribute(parameter))
            elif parameter.kind is not parameter.VAR_KEYWORD:
                optional = parameter.default is not parameter.empty
                inputs.append((parameter.name, optional, parameter.kind is parameter.VAR_POSITIONAL))
        of_outputs = [*(types or ()), *[None] * len(outputs)][: len(outputs)]
        doc = (inspect.getdoc(function) or f"Computes {name}.").split("\n\n", 1)[0]
        register(function, domain, name, since_version, doc, inputs, attributes, list(outputs), of_outputs)
        return function

    return registered


def forget_rule(operator):
    """Forget the functions of an operator.

    Args:
        operator: The name, as in ``com.acme::Copies``.
    """
    unregister(*_operator(operator))
