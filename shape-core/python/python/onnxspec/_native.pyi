"""The extension module: what the Python modules are made of."""

from collections.abc import Callable, Sequence
from typing import ClassVar, final

from typing_extensions import TypeAlias

from ._schema import AttributeValue
from ._typing import Element, Size

@final
class Place:
    """The node that a finding is about."""

    def __new__(cls, index: int, name: str, op_type: str, domain: str) -> Place: ...
    @property
    def index(self) -> int:
        """The index in its graph."""
    @property
    def name(self) -> str:
        """The name; it may be empty."""
    @property
    def op_type(self) -> str:
        """The operator."""
    @property
    def domain(self) -> str:
        """The domain of the operator; ``ai.onnx`` for the default one."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[int, str, str, str]: ...

@final
class Finding:
    """An error in a model, or something worth knowing about it."""

    def __new__(
        cls,
        code: str,
        severity: str,
        graph: str,
        node: Place | None,
        message: str,
        expected: str | None,
        found: str | None,
        help: str | None,
        more: int,
    ) -> Finding: ...
    @property
    def code(self) -> str:
        """A stable text, such as ``attribute-unknown``; ``shape explain`` has a page for each."""
    @property
    def severity(self) -> str:
        """``error``, ``warning`` or ``info``."""
    @property
    def graph(self) -> str:
        """The path of the graph, such as ``graph/3:If.then_branch``; empty for the model as a whole."""
    @property
    def node(self) -> Place | None:
        """The node; None if the finding is not about one."""
    @property
    def place(self) -> str:
        """The graph and the node, as text."""
    @property
    def message(self) -> str:
        """What is wrong, in a sentence."""
    @property
    def expected(self) -> str | None:
        """What was expected."""
    @property
    def found(self) -> str | None:
        """What was found instead."""
    @property
    def help(self) -> str | None:
        """What to do."""
    @property
    def more(self) -> int:
        """How many more there are like it that are not listed."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str, str, str, Place | None, str, str | None, str | None, str | None, int]: ...

@final
class Value:
    """What is known of a value of a model."""

    def __new__(
        cls,
        name: str,
        graph: str | None,
        origin: str,
        node: int | None,
        op_type: str | None,
        type: str | None,
        dims: tuple[Size, ...] | None,
        elements: tuple[Element, ...] | None,
        reason: str | None,
        declared_dims: tuple[int, ...],
        declared_elements: tuple[int, ...],
    ) -> Value: ...
    @property
    def name(self) -> str:
        """The name."""
    @property
    def graph(self) -> str | None:
        """The path of the subgraph that it is in; None for the main graph."""
    @property
    def origin(self) -> str:
        """``input`` or ``node``."""
    @property
    def node(self) -> int | None:
        """The index of the node that computes it; None for an input."""
    @property
    def op_type(self) -> str | None:
        """The operator that computes it; None for an input."""
    @property
    def type(self) -> str | None:
        """The element type of a tensor, such as ``float``, or another type, such as ``seq(tensor(float))``; None if unknown."""
    @property
    def dims(self) -> tuple[Size, ...] | None:
        """The dimensions: numbers, expressions such as ``4*T``, None for unknown ones; None if not even the rank is known."""
    @property
    def elements(self) -> tuple[Element, ...] | None:
        """The elements in row-major order, if they are known before the model runs; None if none is."""
    @property
    def reason(self) -> str | None:
        """Why something about it is not known, and where that begins; None if all is known."""
    @property
    def declared_dims(self) -> tuple[int, ...]:
        """The axes whose sizes rest on declarations of computed values, since nothing follows from the inputs: a run may have others."""
    @property
    def declared_elements(self) -> tuple[int, ...]:
        """The indices of the elements that rest on declarations in the same way."""
    @property
    def is_known(self) -> bool:
        """Whether its type and each dimension is a number or an expression over the symbols of the model."""
    def __getnewargs__(
        self,
    ) -> tuple[
        str,
        str | None,
        str,
        int | None,
        str | None,
        str | None,
        tuple[Size, ...] | None,
        tuple[Element, ...] | None,
        str | None,
        tuple[int, ...],
        tuple[int, ...],
    ]: ...

@final
class Node:
    """A node of a model."""

    @property
    def index(self) -> int:
        """The index in its graph."""
    @property
    def name(self) -> str:
        """The name; it may be empty."""
    @property
    def graph(self) -> str | None:
        """The path of the subgraph or function that it is in; None for the main graph."""
    @property
    def op_type(self) -> str:
        """The operator."""
    @property
    def domain(self) -> str:
        """The domain of the operator; ``ai.onnx`` for the default one."""
    @property
    def opset(self) -> int | None:
        """The opset of the domain that is imported; None if it is not."""
    @property
    def since_version(self) -> int | None:
        """The version of the operator that the import selects: the opset that introduced it; None if there is none."""
    @property
    def why_no_version(self) -> str | None:
        """Why there is no version of an operator; None if there is one."""
    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs; empty for one that is left out."""
    @property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs; empty for one that is left out."""
    @property
    def schema(self) -> OpSchema | None:
        """The version of the operator; None if there is none."""

@final
class FormalParameterOption:
    """How many values a formal parameter takes."""

    Single: ClassVar[FormalParameterOption]
    Optional: ClassVar[FormalParameterOption]
    Variadic: ClassVar[FormalParameterOption]
    def __int__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class SupportType:
    """The support level of an operator."""

    COMMON: ClassVar[SupportType]
    EXPERIMENTAL: ClassVar[SupportType]
    def __int__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class AttrType:
    """The kind of an attribute, with the number that it has in ``AttributeProto``."""

    FLOAT: ClassVar[AttrType]
    INT: ClassVar[AttrType]
    STRING: ClassVar[AttrType]
    TENSOR: ClassVar[AttrType]
    GRAPH: ClassVar[AttrType]
    FLOATS: ClassVar[AttrType]
    INTS: ClassVar[AttrType]
    STRINGS: ClassVar[AttrType]
    TENSORS: ClassVar[AttrType]
    GRAPHS: ClassVar[AttrType]
    SPARSE_TENSOR: ClassVar[AttrType]
    SPARSE_TENSORS: ClassVar[AttrType]
    TYPE_PROTO: ClassVar[AttrType]
    TYPE_PROTOS: ClassVar[AttrType]
    def __int__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Attribute:
    """An attribute of an operator version."""

    @property
    def name(self) -> str:
        """The name."""
    @property
    def description(self) -> str:
        """A sentence."""
    @property
    def type(self) -> AttrType:
        """The kind."""
    @property
    def required(self) -> bool:
        """Whether a node must have it."""
    @property
    def default_value(self) -> AttributeValue:
        """The default, with the fields of an ``AttributeProto``; its type is 0 if there is none."""
    @property
    def values(self) -> tuple[int | float | bytes, ...]:
        """The values that are allowed; empty if any is."""

@final
class FormalParameter:
    """A formal input or output of an operator version."""

    @property
    def name(self) -> str:
        """The name."""
    @property
    def description(self) -> str:
        """A sentence."""
    @property
    def type_str(self) -> str:
        """The name of a type variable, or a type."""
    @property
    def types(self) -> frozenset[str]:
        """The types that are allowed."""
    @property
    def option(self) -> FormalParameterOption:
        """How many values it takes."""
    @property
    def is_homogeneous(self) -> bool:
        """Whether the values of a variadic one share a type."""
    @property
    def min_arity(self) -> int:
        """The least number of values of a variadic one; 1 for every other."""

@final
class TypeConstraint:
    """A type variable of an operator version."""

    @property
    def type_param_str(self) -> str:
        """The name."""
    @property
    def description(self) -> str:
        """A sentence."""
    @property
    def allowed_type_strs(self) -> list[str]:
        """The types that are allowed."""

# `OpSchema` has members of the same names.
_FormalParameterOption: TypeAlias = FormalParameterOption
_SupportType: TypeAlias = SupportType
_AttrType: TypeAlias = AttrType
_FormalParameter: TypeAlias = FormalParameter
_Attribute: TypeAlias = Attribute
_TypeConstraint: TypeAlias = TypeConstraint

@final
class OpSchema:
    """A version of an operator, with the names of ``onnx.defs.OpSchema``."""

    FormalParameterOption: ClassVar[type[_FormalParameterOption]]
    SupportType: ClassVar[type[_SupportType]]
    AttrType: ClassVar[type[_AttrType]]
    FormalParameter: ClassVar[type[_FormalParameter]]
    Attribute: ClassVar[type[_Attribute]]
    TypeConstraintParam: ClassVar[type[_TypeConstraint]]
    @property
    def name(self) -> str:
        """The name."""
    @property
    def domain(self) -> str:
        """The domain; empty for the default one."""
    @property
    def since_version(self) -> int:
        """The opset that introduced the version."""
    @property
    def deprecated(self) -> bool:
        """Whether ONNX deprecates the operator from this version on."""
    @property
    def support_level(self) -> _SupportType:
        """ONNX's support level."""
    @property
    def doc(self) -> str:
        """What it computes."""
    @property
    def inputs(self) -> list[_FormalParameter]:
        """The formal inputs."""
    @property
    def outputs(self) -> list[_FormalParameter]:
        """The formal outputs."""
    @property
    def attributes(self) -> dict[str, _Attribute]:
        """The attributes, by name."""
    @property
    def type_constraints(self) -> list[TypeConstraint]:
        """The type variables."""
    @property
    def min_input(self) -> int:
        """The least number of inputs."""
    @property
    def max_input(self) -> int:
        """The largest number of inputs; 2147483647 if any is allowed."""
    @property
    def min_output(self) -> int:
        """The least number of outputs."""
    @property
    def max_output(self) -> int:
        """The largest number of outputs; 2147483647 if any is allowed."""
    @property
    def has_function(self) -> bool:
        """Whether ONNX defines it as a function of other operators."""
    @property
    def has_type_and_shape_inference_function(self) -> bool:
        """Whether shapes of its outputs are inferred here."""
    @property
    def has_data_propagation_function(self) -> bool:
        """Whether elements of its outputs are inferred here."""
    @property
    def deterministic(self) -> bool:
        """Whether the same inputs always give the same outputs."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Dim:
    """A dimension that is not a number, or such an element of a tensor of sizes, as a rule gets it.

    It computes with ints and with others of the same node. Two are equal if they are the same expression.
    """

    def __add__(self, other: int | Dim, /) -> Dim: ...
    def __radd__(self, other: int | Dim, /) -> Dim: ...
    def __sub__(self, other: int | Dim, /) -> Dim: ...
    def __rsub__(self, other: int | Dim, /) -> Dim: ...
    def __mul__(self, other: int | Dim, /) -> Dim: ...
    def __rmul__(self, other: int | Dim, /) -> Dim: ...
    def __floordiv__(self, other: int | Dim, /) -> Dim: ...
    def __rfloordiv__(self, other: int | Dim, /) -> Dim: ...
    def __mod__(self, other: int | Dim, /) -> Dim: ...
    def __rmod__(self, other: int | Dim, /) -> Dim: ...
    def min(self, other: int | Dim) -> Dim:
        """The smaller of two."""
    def max(self, other: int | Dim) -> Dim:
        """The larger of two."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Input:
    """An input of a node, as a rule gets it."""

    @property
    def type(self) -> str | None:
        """The element type of a tensor, or another type; None if unknown."""
    @property
    def dims(self) -> tuple[int | Dim | None, ...] | None:
        """The dimensions; None if not even the rank is known."""
    @property
    def elements(self) -> tuple[int | float | bool | Dim | None, ...] | None:
        """The elements in row-major order, if they are known before the model runs; None if none is."""
    @property
    def rank(self) -> int | None:
        """The number of dimensions; None if it is not known."""

@final
class Lack:
    """What a runtime lacks for a model; as text it is the message."""

    @property
    def kind(self) -> str:
        """``operator``, ``version``, ``type``, ``opset`` or ``ir_version``; or what of an operator a release does not have:
        ``attribute``, ``input``, ``output`` or ``value``."""
    @property
    def domain(self) -> str:
        """The domain of the operator or of the opset; empty for an IR version."""
    @property
    def op_type(self) -> str:
        """The operator; empty for what is of the model as a whole."""
    @property
    def since_version(self) -> int | None:
        """The version of the operator; None if it is not known."""
    @property
    def message(self) -> str:
        """What is lacking, as text."""
    @property
    def help(self) -> tuple[str, ...]:
        """What can be done about it, each as a sentence."""
    @property
    def nodes(self) -> tuple[int, ...]:
        """The nodes, by their places in ``Model.nodes``."""

@final
class Support:
    """What a runtime supports of a model."""

    @property
    def runtime(self) -> str:
        """The runtime and its release, such as ``onnxruntime-cpu 1.31.1``."""
    @property
    def first_release(self) -> str | None:
        """The first release from which on each known one supports all of the model; None if the newest one does not, if the
        oldest known one already does, and where a release was asked about."""
    @property
    def needs(self) -> tuple[str, ...]:
        """What of the model not every known release has, each as a sentence."""
    @property
    def lacks(self) -> tuple[Lack, ...]:
        """What the runtime lacks."""
    @property
    def may_lack(self) -> tuple[Lack, ...]:
        """What it may lack: a version or a type is not known."""

@final
class View:
    """A model with sizes for its symbols and inputs."""

    def __new__(cls, source: bytes | str, runtime: str | None, specs: Sequence[str]) -> View: ...
    def with_sizes(self, symbols: Sequence[tuple[str, int]], inputs: Sequence[tuple[str, Sequence[int]]]) -> View: ...
    def values_and_nodes(self) -> tuple[list[Value], list[Node]]: ...
    def findings(self) -> list[Finding]: ...
    def support(self, runtime: str) -> Support: ...
    def why(self, value: str) -> str: ...
    def symbols(self) -> list[str]: ...
    def fresh(self) -> list[tuple[str, str]]: ...
    @property
    def sizes(self) -> list[tuple[str, int]]: ...
    @property
    def opsets(self) -> list[tuple[str, int]]: ...
    @property
    def ir_version(self) -> int | None: ...
    @property
    def path(self) -> object: ...
    def to_bytes(self, name_unknowns: bool) -> bytes: ...
    def save(self, target: str, name_unknowns: bool) -> None: ...

def infer(source: bytes | str, check_type: bool, strict_mode: bool, name_unknowns: bool, specs: Sequence[str]) -> bytes: ...
def infer_file(path: str, target: str, check_type: bool, strict_mode: bool, specs: Sequence[str]) -> None: ...
def check(
    source: bytes | str, without_opsets: bool, custom_domains: bool, runtime: str | None, specs: Sequence[str]
) -> None: ...
def convert(source: bytes | str, opset: int, specs: Sequence[str]) -> bytes: ...
def simplify(
    source: bytes | str,
    symbols: Sequence[tuple[str, int]],
    inputs: Sequence[tuple[str, Sequence[int]]],
    max_constant: int,
    specs: Sequence[str],
) -> bytes: ...
def command(arguments: Sequence[str]) -> int: ...
def schemas(name: str, domain: str) -> list[OpSchema]: ...
def all_schemas() -> list[OpSchema]: ...
def newest_opset(domain: str) -> int | None: ...
def register(
    function: Callable[..., object],
    domain: str,
    name: str,
    since_version: int,
    doc: str,
    inputs: Sequence[tuple[str, bool, bool]],
    attributes: Sequence[tuple[str, int, bool, object]],
    outputs: Sequence[str],
    types: Sequence[str | None],
) -> None: ...
def unregister(domain: str, name: str) -> None: ...
