"""Tensors: their elements, here and in other files."""

import numpy
from onnx import TensorProto, helper, numpy_helper

from . import (
    AWAY,
    DATA,
    DATA_BYTES,
    DOUBLE,
    FLOAT,
    INT64,
    OURS,
    STRING,
    value,
    invalid,
)


@invalid("field-missing")
def initializer_without_name(m):
    m.graph.initializer.add().CopyFrom(m.graph.initializer[0])
    m.graph.initializer[1].name = ""


@invalid("value-redefined")
def initializer_twice(m):
    m.graph.initializer.add().CopyFrom(m.graph.initializer[0])


@invalid("initializer-not-input")
def initializer_that_is_no_input(m):
    m.ir_version = 3
    m.opset_import[0].version = 8


@invalid("output-type")
def input_of_another_type_than_its_initializer(m):
    m.graph.input.append(value("w", DOUBLE))


@invalid("output-dims")
def input_of_another_rank_than_its_initializer(m):
    m.graph.input.append(value("w", FLOAT, (2, 1)))


@invalid("output-dims")
def declaration_of_another_size_than_its_initializer(m):
    m.graph.value_info.append(value("w", FLOAT, (3,)))


def tensor(m):
    return m.graph.initializer[0]


@invalid("element-type-unknown")
def tensor_without_type(m):
    tensor(m).ClearField("data_type")


@invalid("element-type-unknown")
def tensor_of_an_undefined_type(m):
    tensor(m).data_type = 0


@invalid("element-type-unknown")
def tensor_of_a_type_that_does_not_exist(m):
    tensor(m).ClearField("raw_data")
    tensor(m).float_data.extend([1, 2])
    tensor(m).data_type = 99


@invalid("dims-negative")
def tensor_with_a_negative_dimension(m):
    tensor(m).dims[:] = [-2]


@invalid("tensor-data")
def tensor_too_large_for_any_memory(m):
    tensor(m).dims[:] = [2**62, 2**62]


@invalid("tensor-data")
def tensor_without_elements(m):
    tensor(m).ClearField("raw_data")


@invalid("tensor-data")
def elements_in_two_fields(m):
    tensor(m).float_data.extend([1, 2])


@invalid("tensor-data")
def elements_of_an_empty_tensor(m):
    tensor(m).dims[:] = [0]


@invalid("tensor-data")
def too_few_bytes(m):
    tensor(m).raw_data = tensor(m).raw_data[:-1]


@invalid("tensor-data", "graph", OURS)
def too_many_bytes(m):
    tensor(m).raw_data += b"\0"


@invalid("tensor-data")
def elements_in_the_field_of_another_type(m):
    tensor(m).ClearField("raw_data")
    tensor(m).double_data.extend([1, 2])


@invalid("tensor-data")
def strings_as_bytes(m):
    tensor(m).data_type = STRING


@invalid("tensor-data", "graph", OURS)
def segment_of_a_tensor(m):
    tensor(m).segment.begin = 0


def too_few_numbers(field, elem, count):
    def spoil(m):
        given = m.graph.initializer.add(name="v", data_type=elem, dims=[100])
        getattr(given, field).extend([b"" if elem == STRING else 0] * count)

    spoil.__name__ = f"too_few_numbers_in_{field}_of_{TensorProto.DataType.Name(elem).lower()}"
    invalid("tensor-data")(spoil)


for field, elem, count in [
    ("float_data", FLOAT, 99),
    ("float_data", TensorProto.COMPLEX64, 199),
    ("double_data", DOUBLE, 99),
    ("double_data", TensorProto.COMPLEX128, 199),
    ("int32_data", TensorProto.FLOAT16, 99),
    ("int32_data", TensorProto.INT4, 12),
    ("int32_data", TensorProto.UINT2, 6),
    ("int64_data", INT64, 99),
    ("uint64_data", TensorProto.UINT32, 99),
    ("string_data", STRING, 99),
]:
    too_few_numbers(field, elem, count)


@invalid("tensor-data", "graph#0")
def tensor_of_an_attribute(m):
    constant = numpy_helper.from_array(numpy.array([1, 2], numpy.float32))
    constant.raw_data = constant.raw_data[:-1]
    m.graph.node.insert(0, helper.make_node("Constant", [], ["v"], value=constant))


@invalid("element-type-unknown", "graph#0")
def tensor_of_an_attribute_of_no_type(m):
    constant = TensorProto(data_type=99, dims=[1], float_data=[1])
    m.graph.node.insert(0, helper.make_node("Constant", [], ["v"], value=constant))


# Elements in other files.


def elsewhere(m, **entries):
    given = tensor(m)
    given.ClearField("raw_data")
    given.data_location = TensorProto.EXTERNAL
    for key, text in entries.items():
        given.external_data.add(key=key, value=text)


@invalid("external-data-malformed")
def no_location(m):
    elsewhere(m, offset="0")


@invalid("external-data-malformed")
def empty_location(m):
    elsewhere(m, location="")


@invalid("external-data-outside")
def absolute_location(m):
    elsewhere(m, location="/etc/hostname")


@invalid("external-data-outside")
def location_upwards(m):
    elsewhere(m, location="../w.bin")


@invalid("external-data-absent")
def location_of_no_file(m):
    elsewhere(m, location="nothing.bin")


@invalid("external-data-absent")
def location_of_a_folder(m):
    elsewhere(m, location=".")


@invalid("external-data-outside")
def location_by_a_link_that_leads_away(m):
    elsewhere(m, location=AWAY)


@invalid("external-data-malformed")
def elements_here_and_elsewhere(m):
    elsewhere(m, location=DATA)
    tensor(m).float_data.extend([1, 2])


@invalid("external-data-short", "graph", OURS)
def file_that_ends_too_early(m):
    elsewhere(m, location=DATA, offset=str(DATA_BYTES - 4))


@invalid("external-data-length", "graph", OURS)
def length_of_another_tensor(m):
    elsewhere(m, location=DATA, length="4")


@invalid("external-data-malformed", "graph", OURS)
def offset_that_is_no_number(m):
    elsewhere(m, location=DATA, offset="-1")
