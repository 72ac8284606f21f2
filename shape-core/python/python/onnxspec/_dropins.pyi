from collections.abc import Mapping, Sequence
from typing import overload

from ._typing import AnyModel, Path, Plain, ProtoT, Specs

__all__ = [
    "SymbolicShapeInference",
    "check_model",
    "convert_version",
    "infer_shapes",
    "infer_shapes_path",
    "simplify",
]

def source(model: AnyModel) -> bytes | str: ...
@overload
def like(model: ProtoT, data: bytes) -> ProtoT: ...
@overload
def like(model: Plain, data: bytes) -> bytes: ...
def paths(specs: Specs) -> list[str]: ...
@overload
def infer_shapes(
    model: ProtoT,
    check_type: bool = False,
    strict_mode: bool = False,
    data_prop: bool = False,
    *,
    specs: Specs = (),
) -> ProtoT: ...
@overload
def infer_shapes(
    model: Plain,
    check_type: bool = False,
    strict_mode: bool = False,
    data_prop: bool = False,
    *,
    specs: Specs = (),
) -> bytes: ...
def infer_shapes_path(
    model_path: Path,
    output_path: Path = "",
    check_type: bool = False,
    strict_mode: bool = False,
    data_prop: bool = False,
    *,
    specs: Specs = (),
) -> None: ...
def check_model(
    model: AnyModel,
    full_check: bool = False,
    skip_opset_compatibility_check: bool = False,
    check_custom_domain: bool = False,
    *,
    runtime: str | None = None,
    specs: Specs = (),
) -> None: ...
@overload
def convert_version(model: ProtoT, target_version: int, *, specs: Specs = ()) -> ProtoT: ...
@overload
def convert_version(model: Plain, target_version: int, *, specs: Specs = ()) -> bytes: ...

class SymbolicShapeInference:
    @overload
    @staticmethod
    def infer_shapes(
        in_mp: ProtoT,
        int_max: int = ...,
        auto_merge: bool = False,
        guess_output_rank: bool = False,
        verbose: int = 0,
        *,
        specs: Specs = (),
    ) -> ProtoT: ...
    @overload
    @staticmethod
    def infer_shapes(
        in_mp: Plain,
        int_max: int = ...,
        auto_merge: bool = False,
        guess_output_rank: bool = False,
        verbose: int = 0,
        *,
        specs: Specs = (),
    ) -> bytes: ...
@overload
def simplify(
    model: ProtoT,
    check_n: int = 0,
    perform_optimization: bool = True,
    skip_fuse_bn: bool = False,
    overwrite_input_shapes: Mapping[str, Sequence[int]] | None = None,
    test_input_shapes: object = None,
    skipped_optimizers: object = None,
    skip_constant_folding: bool = False,
    skip_shape_inference: bool = False,
    input_data: object = None,
    dynamic_input_shape: bool = False,
    custom_lib: None = None,
    include_subgraph: bool = False,
    unused_output: None = None,
    tensor_size_threshold: str | int | None = None,
    mutable_initializer: bool = False,
    *,
    symbols: Mapping[str, int] | None = None,
    specs: Specs = (),
) -> tuple[ProtoT, bool]: ...
@overload
def simplify(
    model: Plain,
    check_n: int = 0,
    perform_optimization: bool = True,
    skip_fuse_bn: bool = False,
    overwrite_input_shapes: Mapping[str, Sequence[int]] | None = None,
    test_input_shapes: object = None,
    skipped_optimizers: object = None,
    skip_constant_folding: bool = False,
    skip_shape_inference: bool = False,
    input_data: object = None,
    dynamic_input_shape: bool = False,
    custom_lib: None = None,
    include_subgraph: bool = False,
    unused_output: None = None,
    tensor_size_threshold: str | int | None = None,
    mutable_initializer: bool = False,
    *,
    symbols: Mapping[str, int] | None = None,
    specs: Specs = (),
) -> tuple[bytes, bool]: ...
