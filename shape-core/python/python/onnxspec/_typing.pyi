"""What the arguments and results of the functions are. This module is there for type checkers alone."""

import os
from collections.abc import Iterable
from typing import Protocol, TypeVar

from typing_extensions import TypeAlias

class Proto(Protocol):
    """A message of protobuf, such as ``onnx.ModelProto``."""

    def SerializeToString(self) -> bytes: ...

ProtoT = TypeVar("ProtoT", bound=Proto)

Path: TypeAlias = str | os.PathLike[str]
Plain: TypeAlias = bytes | bytearray | memoryview | Path
AnyModel: TypeAlias = Proto | Plain
Specs: TypeAlias = Path | Iterable[Path]
Size: TypeAlias = int | str | None
Element: TypeAlias = int | float | bool | str | None
