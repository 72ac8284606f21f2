"""What a model that was opened knows."""

from __future__ import annotations

import pickle
import sys

import pytest
from conftest import model, node, value_info

import onnxspec


def test_values_have_what_the_command_says(attention):
    opened = onnxspec.open(attention)
    value = opened.values["/attn/Concat_output_0"]
    assert (value.type, value.dims, value.elements) == ("int64", (4,), ("batch", "seq", 4, 16))
    assert (value.origin, value.node, value.op_type, value.reason) == ("node", 11, "Concat", None)
    assert opened.values[0].name == "x" and opened.values[0].dims == ("batch", "seq", 64)
    assert repr(opened.values["y"]) == "y: float[batch, seq, 64]"
    assert opened.symbols == ("batch", "seq") and opened.opsets == {"ai.onnx": 21}
    with pytest.raises(KeyError):
        opened.values["z"]
    with pytest.raises(IndexError):
        opened.values[1000]


def test_sizes_make_another_view(attention):
    opened = onnxspec.open(attention)
    smaller = opened.set(batch=4)
    both = smaller.set({"seq": 7})
    assert opened.values["y"].dims == ("batch", "seq", 64)
    assert smaller.values["y"].dims == (4, "seq", 64)
    assert both.values["y"].dims == (4, 7, 64)
    assert (both.symbols, both.sizes) == ((), {"batch": 4, "seq": 7})
    assert smaller.set(batch=5).values["y"].dims == (5, "seq", 64)
    given = onnxspec.open(attention, inputs={"x": [2, 3, 64]})
    assert given.values["y"].dims == (2, 3, 64)


@pytest.mark.parametrize(
    ("sizes", "code"), [({"bach": 4}, "symbol-unknown"), ({"inputs": {"z": [1]}}, "input-unknown")]
)
def test_names_that_the_model_does_not_have(attention, sizes, code):
    with pytest.raises(onnxspec.NameUnknownError) as raised:
        onnxspec.open(attention).set(**sizes)
    assert raised.value.code == code


@pytest.mark.parametrize("size", [-1, 1.5, "4", 2**63, 2**64])
def test_what_is_no_size(attention, size):
    with pytest.raises((OverflowError, TypeError)):
        onnxspec.open(attention).set(batch=size)


def test_why(attention):
    opened = onnxspec.open(attention)
    why = opened.why("/attn/Concat_output_0")
    assert "Concat-13  node 11 `/attn/Concat`" in why and repr(why) == str(why)
    assert "\x1b" not in why
    with pytest.raises(onnxspec.NameUnknownError, match="did you mean"):
        opened.why("Concat_output_0")


def test_what_is_not_known_has_a_reason():
    nodes = [node("NonZero", ["x"], ["y"]), node("Copies", ["y"], ["z"], "com.acme")]
    unknown = model(nodes, [value_info("x", [2, 3])], [value_info("z", None)], domains=["com.acme"])
    opened = onnxspec.open(unknown)
    y, z = opened.unknown
    assert (y.name, y.dims) == ("y", (2, "n0")) and "NonZero" in y.reason
    assert (z.name, z.dims) == ("z", None) and "Copies" in z.reason
    assert list(opened.fresh_symbols) == ["n0"] and "`y`" in opened.fresh_symbols["n0"]


def test_what_rests_on_a_declaration_is_marked():
    nodes = [node("NonZero", ["x"], ["y"]), node("Shape", ["y"], ["z"])]
    declared = model(nodes, [value_info("x", [2, 3])], [value_info("y", [2, 8], 7), value_info("z", [2], 7)])
    y, z = (onnxspec.open(declared).values[name] for name in "yz")
    assert (y.dims, y.declared_dims) == ((2, 8), (1,)) and repr(y) == "y: int64[2, 8?]"
    assert (z.elements, z.declared_dims, z.declared_elements) == ((2, 8), (), (1,))


def test_findings(wrong):
    findings = onnxspec.open(wrong).findings
    assert [finding.code for finding in findings.errors] == ["attribute-unknown", "value-undefined"]
    assert [finding.severity for finding in findings] == ["error", "error", "info"]
    first = findings[0]
    assert (first.severity, first.node.op_type, first.node.index) == ("error", "Relu", 0)
    assert first.place == "graph, node 0 (Relu)" and first.expected and first.found and first.help
    assert len(findings["value-undefined"]) == 1 and len(findings.errors) == 2
    assert onnxspec.open(wrong).findings == findings


def test_nodes_have_the_versions_that_the_imports_select(attention):
    nodes = onnxspec.open(attention).nodes
    shape = nodes["/attn/Shape"]
    assert (shape.op_type, shape.since_version, shape.opset, shape.domain) == ("Shape", 21, 21, "ai.onnx")
    assert shape.schema == onnxspec.get_schema("Shape", 21)
    assert (shape.inputs, shape.outputs) == (("x",), ("/attn/Shape_output_0",))
    other = model([node("Copies", ["x"], ["y"], "com.acme")], [value_info("x", [2])], [value_info("y", None)])
    (copies,) = onnxspec.open(other).nodes
    assert copies.since_version is None and "import" in copies.why_no_version


def test_a_model_is_written_with_what_was_inferred(relu, tmp_path):
    opened = onnxspec.open(relu)
    assert opened.to_bytes() == onnxspec.infer_shapes(relu)
    opened.set(N=5).save(tmp_path / "five.onnx")
    five = onnxspec.open(tmp_path / "five.onnx")
    assert [five.values[name].dims for name in "xy"] == [(5, 3)] * 2 and not five.findings


def test_a_file_that_changes_is_noticed(relu, tmp_path):
    import os

    path = tmp_path / "relu.onnx"
    path.write_bytes(relu)
    opened = onnxspec.open(path)
    os.utime(path, (1, 1))
    with pytest.raises(onnxspec.ModelError) as raised:
        opened.values
    assert raised.value.code == "model-changed"


@pytest.mark.parametrize(
    ("given", "code"),
    [(b"", "model-empty"), (b"hello, world", "model-other"), (b"\x08\x07\x3a\xff\x01", "model-truncated")],
)
def test_what_is_no_model(given, code):
    with pytest.raises(onnxspec.ModelError) as raised:
        onnxspec.open(given)
    assert raised.value.code == code and raised.value.findings == ()


def test_notebooks_show_tables(wrong, attention):
    opened = onnxspec.open(wrong)
    for shown in (opened, opened.values, opened.findings, opened.nodes):
        html = shown._repr_html_()
        assert html.startswith("<table>") and html.count("<tr>") == html.count("</tr>") > 1
    assert "attribute-unknown" in opened.findings._repr_html_()
    assert opened.values._repr_html_().count(">?<") == 2, "the dimensions of y and z"
    named = model([node("Relu", ["<b>x"], ["y"])], [value_info("<b>x", [2])], [value_info("y", None)])
    html = onnxspec.open(named).values._repr_html_()
    assert "<b>x" not in html and "&lt;b&gt;x" in html
    assert "41" in repr(onnxspec.open(attention)) and "42 of 42 known" in repr(onnxspec.open(attention))


def test_columns_have_a_row_for_each_value(attention):
    columns = onnxspec.open(attention).values.columns()
    assert {len(column) for column in columns.values()} == {42}
    assert columns["dims"][0] == "[batch, seq, 64]"
    assert columns["node"][:2] == [None, 0]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames(attention, library):
    pytest.importorskip(library)
    opened = onnxspec.open(attention)
    frame = getattr(opened, f"to_{library}")()
    assert frame.shape == (42, 11) and list(frame["name"])[0] == "x"
    assert getattr(opened.findings, f"to_{library}")().shape[0] == 0


def test_what_is_found_goes_to_other_processes(wrong, attention):
    opened = onnxspec.open(wrong)
    for rows in (opened.findings, opened.values):
        again = pickle.loads(pickle.dumps(list(rows)))
        assert [repr(row) for row in again] == [repr(row) for row in rows]
    with pytest.raises(onnxspec.ValidationError) as raised:
        onnxspec.check_model(wrong)
    again = pickle.loads(pickle.dumps(raised.value))
    assert isinstance(again, onnxspec.ValidationError)
    assert (str(again), again.code, again.findings) == (str(raised.value), raised.value.code, raised.value.findings)


def test_nothing_else_is_imported():
    import subprocess

    code = "import sys, onnxspec; print(*({'onnx', 'numpy', 'typing', 'inspect', 'dataclasses'} & sys.modules.keys()))"
    program = f"import sys; sys.path[:] = {sys.path!r}; {code}"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("", "")


@pytest.fixture
def with_sink():
    """A GroupQueryAttention with an input that onnxruntime 1.23.0 brought."""
    inputs = ["q", "k", "v", "", "", "lengths", "total", "", "", "", "", "sink"]
    attention = node(
        "GroupQueryAttention", inputs, ["y", "key", "value"], "com.microsoft", num_heads=2, kv_num_heads=1
    )
    values = [value_info(name, dims) for name, dims in (("q", [1, 3, 16]), ("k", [1, 3, 8]), ("v", [1, 3, 8]))]
    values += [value_info("lengths", [1], 6), value_info("total", [1], 6), value_info("sink", [2])]
    return model([attention], values, [value_info("y", None)], domains=["com.microsoft"])


SINK = "the input `head_sink` exists from onnxruntime 1.23.0 on"


def test_what_a_runtime_supports(with_sink, attention):
    opened = onnxspec.open(with_sink)
    newest = opened.support("onnxruntime-cpu")
    assert (newest.first_release, newest.needs, newest.lacks, newest.may_lack) == ("1.23.0", (SINK,), (), ())
    older = opened.support("onnxruntime-cpu@1.22.1")
    (lack,) = older.lacks
    assert (older.runtime, older.first_release) == ("onnxruntime-cpu 1.22.1", None)
    assert (lack.kind, lack.domain, lack.op_type, lack.since_version) == (
        "input", "com.microsoft", "GroupQueryAttention", 1
    )
    assert str(lack) == lack.message == f"GroupQueryAttention: {SINK}"
    assert [opened.nodes[at].op_type for at in lack.nodes] == ["GroupQueryAttention"]
    assert lack.message in repr(older) and lack.message in repr(lack)
    assert not opened.support("onnxruntime-cpu@1.23.0").lacks
    plain = onnxspec.open(attention).support("onnxruntime-cpu")
    assert (plain.first_release, plain.needs, plain.lacks) == (None, (), ())
    unknown = model([node("NoSuch", ["x"], ["y"])], [value_info("x", [2])], [value_info("y", None)])
    (lack,) = onnxspec.open(unknown).support("tract").lacks
    assert (lack.kind, lack.op_type, lack.since_version) == ("operator", "NoSuch", None)


def test_a_release_is_checked(with_sink):
    onnxspec.check_model(with_sink)
    onnxspec.check_model(with_sink, runtime="onnxruntime@1.23.0")
    with pytest.raises(onnxspec.ValidationError) as raised:
        onnxspec.check_model(with_sink, runtime="onnxruntime-cpu@1.22.0")
    assert raised.value.code == "input-count" and raised.value.findings[0].help == SINK
    (finding,) = onnxspec.open(with_sink, runtime="onnxruntime@1.22.0").findings.errors
    assert finding == raised.value.findings[0]


@pytest.mark.parametrize(
    "ask",
    [
        lambda given: onnxspec.open(given, runtime="onnxruntime@1.22.9"),
        lambda given: onnxspec.check_model(given, runtime="onnxruntime@1.22.9"),
        lambda given: onnxspec.open(given).support("onnxruntime-cpu@1.22.9"),
        lambda given: onnxspec.open(given).support("onnxruntime"),
    ],
)
def test_releases_that_are_not_known(relu, ask):
    with pytest.raises(onnxspec.NameUnknownError) as raised:
        ask(relu)
    assert raised.value.code == "runtime-unknown" and "1.22" in str(raised.value) or "did you mean" in str(raised.value)
