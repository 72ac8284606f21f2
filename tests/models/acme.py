"""Writes `acme.onnx` beside this file: two operators of a vendor's and one of ONNX, for the walk in `shape-core/README.md`.

| node | of | attributes | shows |
|---|---|---|---|
| `extent` | `x` | `start=1` | an operator of YAML, by a rule of a built-in one: `[seq, 64]` |
| `copies` | `x` | `count=3` | a derived one, by a rule of its own: `[3, batch, seq, 64]` |
| `rows`   | `copies`, `[-1, 64]` | none | what follows from it: `[3*batch*seq, 64]` |
| `none`   | `x` | `count=0` | a value that the operator does not allow |

Needs onnx 1.23.2.
"""

from pathlib import Path

from onnx import TensorProto, helper


def model():
    def acme(op_type, name, **attributes):
        return helper.make_node(op_type, ["x"], [name], name, domain="com.acme", **attributes)

    def value(name, element_type=TensorProto.FLOAT, dims=None):
        return helper.make_tensor_value_info(name, element_type, dims)

    return helper.make_model(
        helper.make_graph(
            [
                acme("Extent", "extent", start=1),
                acme("Copies", "copies", count=3),
                helper.make_node("Reshape", ["copies", "target"], ["rows"], "rows"),
                acme("Copies", "none", count=0),
            ],
            "acme",
            [value("x", dims=["batch", "seq", 64])],
            [value("extent", TensorProto.INT64), value("rows"), value("none")],
            [helper.make_tensor("target", TensorProto.INT64, [2], [-1, 64])],
        ),
        opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid("com.acme", 1)],
        ir_version=10,
        producer_name="acme.py",
    )


if __name__ == "__main__":
    Path(__file__).with_suffix(".onnx").write_bytes(model().SerializeToString(deterministic=True))
