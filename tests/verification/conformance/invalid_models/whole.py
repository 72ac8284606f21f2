"""The model as a whole: its versions, its imports and its metadata."""

from . import OURS, invalid, value


@invalid("field-missing", "")
def no_ir_version(m):
    m.ClearField("ir_version")


@invalid("field-missing", "")
def ir_version_zero(m):
    m.ir_version = 0


@invalid("ir-version-too-new", "")
def ir_version_that_is_not_known(m):
    m.ir_version = 15


@invalid("ir-version-too-old", "", OURS)
def opset_newer_than_its_ir_version(m):
    m.opset_import[0].version = 28


@invalid("ir-version-too-old", "")
def import_before_there_were_any(m):
    m.ir_version = 2
    m.graph.input.append(value("w"))


@invalid("key-duplicate", "")
def metadata_twice(m):
    for text in "ab":
        m.metadata_props.add(key="author", value=text)


@invalid("key-duplicate", "graph", OURS)
def metadata_of_the_graph_twice(m):
    m.ir_version = 10
    for text in "ab":
        m.graph.metadata_props.add(key="author", value=text)


@invalid("opset-missing", "")
def no_opset(m):
    m.ClearField("opset_import")


@invalid("opset-too-new", "", OURS)
def opset_that_is_not_known(m):
    m.ir_version = 14
    m.opset_import[0].version = 29


@invalid("opset-too-new", "")
def opset_past_int32(m):
    m.opset_import.add(domain="com.acme", version=2**31)


@invalid("opset-duplicate", "", OURS)
def both_spellings_of_the_default_domain(m):
    m.opset_import.add(domain="ai.onnx", version=17)


@invalid("field-missing", "", OURS)
def import_without_version(m):
    m.opset_import.add(domain="com.acme")
