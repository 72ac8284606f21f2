from collections.abc import Callable, Sequence
from typing import Any, TypeVar

__all__ = ["forget_rule", "rule"]

_Function = TypeVar("_Function", bound=Callable[..., Any])

def rule(
    operator: str,
    *,
    since_version: int = 1,
    outputs: Sequence[str] = ("output",),
    types: Sequence[str | None] | None = None,
) -> Callable[[_Function], _Function]: ...
def forget_rule(operator: str) -> None: ...
