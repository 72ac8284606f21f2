"""Sparse tensors."""

import numpy
from onnx import helper, numpy_helper

from . import BOTH, base, constant, invalid, valid


def sparse(values, indices, dims, form=None):
    values = numpy_helper.from_array(numpy.array(values, numpy.float32), "s")
    indices = numpy.array(indices, numpy.int64)
    indices = numpy_helper.from_array(indices if form is None else indices.reshape(form), "i")
    return helper.make_sparse_tensor(values, indices, dims)


@base
def with_sparse(values=(1, 2), indices=(0, 5), dims=(2, 3), form=None):
    given = valid()
    given.graph.sparse_initializer.append(sparse(values, indices, dims, form))
    return given


def spoilt_sparse(rule, refused_by=BOTH, **changed):
    def spoil(m):
        m.CopyFrom(with_sparse(**changed))

    spoil.__name__ = rule
    invalid("sparse-tensor", "graph", refused_by)(spoil)


spoilt_sparse("sparse_values_of_rank_two", values=[[1, 2]])
spoilt_sparse("sparse_tensor_of_rank_zero", dims=())
spoilt_sparse("sparse_tensor_without_room", dims=(2, 0))
spoilt_sparse("index_past_the_end", indices=(0, 6))
spoilt_sparse("negative_index", indices=(-1, 5))
spoilt_sparse("indices_out_of_order", indices=(5, 0))
spoilt_sparse("index_twice", indices=(5, 5))
spoilt_sparse("fewer_indices_than_values", indices=(5,))
spoilt_sparse("indices_of_rank_three", form=(2, 1, 1))
spoilt_sparse("pairs_of_three", indices=(0, 0, 0, 1, 1, 1), form=(2, 3))
spoilt_sparse("pairs_for_one_value", indices=(0, 0), form=(1, 2))
spoilt_sparse("pair_past_the_end", indices=(0, 0, 1, 3), form=(2, 2))
spoilt_sparse("pairs_out_of_order", indices=(1, 0, 0, 2), form=(2, 2))
spoilt_sparse("pair_twice", indices=(1, 0, 1, 0), form=(2, 2))


@invalid("sparse-tensor", of=with_sparse)
def sparse_without_indices(m):
    m.graph.sparse_initializer[0].ClearField("indices")


@invalid("sparse-tensor", of=with_sparse)
def sparse_without_values(m):
    # The name is that of the values, so that it goes with them.
    m.graph.sparse_initializer[0].ClearField("values")


@invalid("sparse-tensor", of=with_sparse)
def indices_of_another_type(m):
    indices = m.graph.sparse_initializer[0].indices
    indices.CopyFrom(constant("i", [0, 5], numpy.int32))


@invalid("tensor-data", of=with_sparse)
def sparse_values_cut_short(m):
    values = m.graph.sparse_initializer[0].values
    values.raw_data = values.raw_data[:-1]


@invalid("tensor-data", of=with_sparse)
def indices_cut_short(m):
    indices = m.graph.sparse_initializer[0].indices
    indices.raw_data = indices.raw_data[:-1]


@invalid("field-missing", of=with_sparse)
def sparse_initializer_without_name(m):
    m.graph.sparse_initializer[0].values.name = ""


@invalid("value-redefined", of=with_sparse)
def sparse_and_dense_of_one_name(m):
    m.graph.sparse_initializer[0].values.name = "w"


@invalid("sparse-tensor", "graph#0")
def sparse_tensor_of_an_attribute(m):
    node = helper.make_node("Constant", [], ["s"])
    node.attribute.append(helper.make_attribute("sparse_value", sparse([1, 2], [5, 0], [2, 3])))
    m.graph.node.insert(0, node)
