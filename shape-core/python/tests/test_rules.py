"""Operators of one's own: descriptors, and functions as rules."""

from __future__ import annotations

import pytest
from conftest import model, node, value_info

import onnxspec

ACME = "com.acme"


def acme(*nodes, inputs=None, outputs=("y",)):
    inputs = inputs or [value_info("x", ["N", 3])]
    return model(nodes, inputs, [value_info(name, None) for name in outputs], domains=[ACME])


@pytest.fixture(autouse=True)
def forgotten():
    yield
    for name in ("Copies", "Pair", "Join", "Extent"):
        onnxspec.forget_rule(f"com.acme::{name}")


def dims_of(returned, given=None, **attributes):
    """The dimensions of `y` where the rule of the node returns something."""

    @onnxspec.rule("com.acme::Copies")
    def copies(x, *, count: int = 2):
        return returned(x, count)

    opened = onnxspec.open(given or acme(node("Copies", ["x"], ["y"], ACME, **attributes)))
    assert not opened.findings.errors, opened.findings
    return opened.values["y"].dims


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        (lambda x, count: [count, *x.dims], (2, "N", 3)),
        (lambda x, count: (x.dims[0] * count, x.dims[1]), ("2*N", 3)),
        (lambda x, count: [count * x.dims[0] + x.dims[0]], ("3*N",)),
        (lambda x, count: [x.dims[0] * 6 // 3], ("2*N",)),
        (lambda x, count: [x.dims[0] // 2, x.dims[0] % 2], ("N//2", "N % 2")),
        (lambda x, count: [7 - x.dims[1], 9 // x.dims[1], 7 % x.dims[1]], (4, 3, 1)),
        (lambda x, count: [x.dims[0].max(1), x.dims[0].min(8)], ("max(N, 1)", "min(N, 8)")),
        (lambda x, count: [x.dims[0] - x.dims[0]], (0,)),
        (lambda x, count: [10 - x.dims[0] + x.dims[0]], (10,)),
        (lambda x, count: [], ()),
    ],
)
def test_dimensions_are_computed(returned, expected):
    assert dims_of(returned) == expected


def test_what_a_rule_does_not_know_is_unknown():
    assert dims_of(lambda x, count: None) is None
    assert dims_of(lambda x, count: [2, None]) == (2, "n0")


def test_attributes_are_passed():
    assert dims_of(lambda x, count: [count], count=5) == (5,)


def test_equal_dimensions_are_one():
    seen = []

    @onnxspec.rule("com.acme::Join")
    def join(*data: onnxspec.Input, axis: int = 0):
        seen.append((data[0].dims[0] == data[1].dims[0], data[0].dims[0] == data[1].dims[1], data[0].rank))
        return [data[0].dims[0] + data[1].dims[0], data[0].dims[1]]

    inputs = [value_info("a", ["N", 3]), value_info("b", ["N", "M"])]
    opened = onnxspec.open(acme(node("Join", ["a", "b"], ["y"], ACME), inputs=inputs))
    assert opened.values["y"].dims == ("2*N", 3) and opened.values["y"].type == "float"
    assert seen == [(True, False, 2)]


def test_several_outputs_and_their_types():
    @onnxspec.rule("com.acme::Pair", outputs=("left", "right"), types=(None, "int64"))
    def pair(x, scale=None):
        assert scale is None
        return [x.dims, [x.dims[0]]]

    opened = onnxspec.open(acme(node("Pair", ["x"], ["l", "r"], ACME), outputs=("l", "r")))
    assert [(value.type, value.dims) for value in opened.values[1:]] == [("float", ("N", 3)), ("int64", ("N",))]
    one = onnxspec.open(acme(node("Pair", ["x"], ["l"], ACME), outputs=("l",)))
    assert one.values["l"].dims == ("N", 3)


def test_the_signature_is_checked_as_a_descriptor_is():
    dims_of(lambda x, count: [count])
    opened = onnxspec.open(acme(node("Copies", ["x"], ["y"], ACME, count="two", more=1)))
    assert [finding.code for finding in opened.findings.errors] == ["attribute-type", "attribute-unknown"]
    opened = onnxspec.open(acme(node("Copies", ["x", "x"], ["y"], ACME)))
    assert [finding.code for finding in opened.findings.errors] == ["input-count"]


def failing(x, count):
    raise RuntimeError("no such thing")


@pytest.mark.parametrize(
    ("returned", "found"),
    [
        (failing, "RuntimeError: no such thing, line"),
        (lambda x, count: [-1], "ValueError: -1 is not a size"),
        (lambda x, count: ["two"], "TypeError: a dimension is an int, a Dim or None, and not two"),
        (lambda x, count: [1.5], "TypeError: a dimension is an int"),
        (lambda x, count: 3, "TypeError"),
        (lambda x, count: [x.dims[0] // 0], "ZeroDivisionError"),
        (lambda x, count: [x.dims[0] + 1.5], "TypeError"),
        (lambda x, count: [x.nothing], "AttributeError"),
        (lambda x, count: [x.dims[0] < 3], "TypeError"),
        (lambda x, count: [sum([x.dims[0]] * 5000)], "OverflowError: an expression of more than 1000 operations"),
    ],
)
def test_an_exception_is_a_finding(returned, found):
    @onnxspec.rule("com.acme::Copies")
    def copies(x, *, count: int = 2):
        return returned(x, count)

    broken = acme(node("Copies", ["x"], ["y"], ACME))
    opened = onnxspec.open(broken)
    (finding,) = opened.findings.errors
    assert (finding.code, finding.node.op_type) == ("rule-failed", "Copies")
    assert finding.found.startswith(found), finding.found
    assert opened.values["y"].dims is None
    with pytest.raises(onnxspec.ValidationError, match="rule-failed"):
        onnxspec.check_model(broken)


def test_a_dimension_of_another_node_is_refused():
    kept = []

    @onnxspec.rule("com.acme::Copies")
    def copies(x):
        kept.append(x.dims[0])
        return [kept[0] + 1]

    opened = onnxspec.open(acme(node("Copies", ["x"], ["y"], ACME), node("Copies", ["y"], ["z"], ACME), outputs=("z",)))
    assert [finding.code for finding in opened.findings.errors] == ["rule-failed"]
    assert "of another node" in opened.findings[0].found


def test_what_ends_the_program_is_raised():
    @onnxspec.rule("com.acme::Copies")
    def copies(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        onnxspec.infer_shapes(acme(node("Copies", ["x"], ["y"], ACME)))


def test_a_rule_may_ask_about_other_models(relu):
    assert dims_of(lambda x, count: [len(onnxspec.open(relu).values)]) == (2,)


def test_rules_are_used_everywhere():
    dims_of(lambda x, count: [count, *x.dims])
    given = acme(node("Copies", ["x"], ["y"], ACME))
    inferred = onnxspec.infer_shapes(given)
    onnxspec.forget_rule("com.acme::Copies")
    assert onnxspec.open(given).values["y"].dims is None
    assert onnxspec.open(inferred).values["y"].dims == (2, "N", 3)


@pytest.mark.parametrize(
    ("name", "message"), [("Relu", "has a rule already"), ("::", "names no operator"), ("ai.onnx::Relu", "has a rule")]
)
def test_operators_that_take_no_rule(name, message):
    with pytest.raises(onnxspec.SpecsError, match=message):
        onnxspec.rule(name)(lambda x: None)


def test_kinds_of_attributes():
    seen = {}

    @onnxspec.rule("com.acme::Copies")
    def copies(
        x,
        *,
        count: int,
        scale: float = 1,
        mode="same",
        axes: list[int] = [0, 1],
        scales: list[float] = [],
        names: list[str] = [],
        flag=True,
        limit: int | None = None,
    ):
        seen.update({name: value for name, value in locals().items() if name not in ("seen", "x")})
        return x.dims

    opened = onnxspec.open(acme(node("Copies", ["x"], ["y"], ACME, count=3, axes=[1, 2])))
    assert not opened.findings.errors and opened.values["y"].dims == ("N", 3)
    assert seen.pop("limit") is None
    assert seen == {"count": 3, "scale": 1.0, "mode": "same", "axes": [1, 2], "scales": [], "names": [], "flag": 1}
    schema = opened.nodes[0].schema
    kinds = {name: str(each.type).rpartition(".")[2] for name, each in schema.attributes.items()}
    assert kinds == {
        "count": "INT",
        "scale": "FLOAT",
        "mode": "STRING",
        "axes": "INTS",
        "scales": "FLOATS",
        "names": "STRINGS",
        "flag": "INT",
        "limit": "INT",
    }
    missing = onnxspec.open(acme(node("Copies", ["x"], ["y"], ACME)))
    assert [finding.code for finding in missing.findings.errors] == ["attribute-missing"]


def test_an_attribute_needs_a_type():
    with pytest.raises(onnxspec.SpecsError, match="`mode` needs a type"):

        @onnxspec.rule("com.acme::Copies")
        def copies(x, *, mode):
            return x.dims


DESCRIPTOR = """
operator: Extent
domain: com.acme
summary: Gives the sizes of a tensor, doubled.
versions:
  - since: 1
    attributes:
      - { name: start, type: INT, default: 0, doc: "Where it begins." }
    inputs: [{ name: data, type: T, doc: "The tensor." }]
    outputs: [{ name: extent, type: T, doc: "Its sizes." }]
    types: [{ name: T, allow: [float], doc: "Floats." }]
    rules: [{ output: extent, dims: "[2*data[0], ...data[1:]]" }]
"""


@pytest.fixture
def specs(tmp_path):
    (tmp_path / "com.acme").mkdir()
    (tmp_path / "com.acme" / "Extent.yaml").write_text(DESCRIPTOR)
    return tmp_path


def test_descriptors(specs):
    given = acme(node("Extent", ["x"], ["y"], ACME))
    assert onnxspec.open(given).values["y"].dims is None
    for paths in (specs, str(specs), [specs], [specs / "com.acme" / "Extent.yaml"]):
        assert onnxspec.open(given, specs=paths).values["y"].dims == ("2*N", 3)
    assert onnxspec.open(onnxspec.infer_shapes(given, specs=specs)).values["y"].dims == ("2*N", 3)
    wrong = acme(node("Extent", ["x"], ["y"], ACME, step=1))
    with pytest.raises(onnxspec.ValidationError, match="attribute-unknown"):
        onnxspec.check_model(wrong, specs=specs)


def test_a_descriptor_that_changes_is_read_again(specs):
    given = acme(node("Extent", ["x"], ["y"], ACME))
    assert onnxspec.open(given, specs=specs).values["y"].dims == ("2*N", 3)
    file = specs / "com.acme" / "Extent.yaml"
    file.write_text(DESCRIPTOR.replace("2*data", "3*data"))
    assert onnxspec.open(given, specs=specs).values["y"].dims == ("3*N", 3)


@pytest.mark.parametrize(
    ("text", "message"), [(DESCRIPTOR.replace("FLOAT", "INT").replace("[float]", "[flaot]"), "Extent.yaml:.*flaot"), ("[", "error")]
)
def test_mistakes_of_descriptors_have_a_place(specs, relu, text, message):
    (specs / "com.acme" / "Extent.yaml").write_text(text)
    with pytest.raises(onnxspec.SpecsError, match=message):
        onnxspec.open(relu, specs=specs)
    with pytest.raises(onnxspec.SpecsError, match="no such|not"):
        onnxspec.open(relu, specs=[specs / "gone"])


def test_a_function_is_the_rule_of_a_described_operator(specs):
    @onnxspec.rule("com.acme::Extent")
    def extent(data, *, start: int):
        return [start + 1, data.rank]

    given = acme(node("Extent", ["x"], ["y"], ACME))
    opened = onnxspec.open(given, specs=specs)
    assert opened.values["y"].dims == (1, 2)
    wrong = acme(node("Extent", ["x"], ["y"], ACME, step=1))
    assert [finding.code for finding in onnxspec.open(wrong, specs=specs).findings.errors] == ["attribute-unknown"]
