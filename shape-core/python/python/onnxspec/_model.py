"""A model that was opened, and what is known about it."""

from __future__ import annotations

import os

from ._dropins import paths, source
from ._native import View
from ._rows import Findings, Nodes, Values, Why, table

__all__ = ["Model", "open"]


class Model:
    """A model, and what is known about it for some sizes of its symbols; ``onnxspec.open`` makes it.

    It never changes: ``set`` gives another one, which shares the model's bytes.
    """

    __slots__ = ("_findings", "_known", "_view")

    def __init__(self, view):
        self._view = view
        self._known = None
        self._findings = None

    def _values_and_nodes(self):
        if self._known is None:
            values, nodes = self._view.values_and_nodes()
            self._known = Values(values), Nodes(nodes)
        return self._known

    @property
    def values(self):
        """The inputs of the model, and the outputs of its nodes: name, type, dimensions, elements, and why not all is known."""
        return self._values_and_nodes()[0]

    @property
    def nodes(self):
        """The nodes of all graphs and functions, each with the version of its operator that the imports select."""
        return self._values_and_nodes()[1]

    @property
    def unknown(self):
        """The values of which something is not known; ``reason`` of each says why."""
        return Values(value for value in self.values if not value.is_known)

    @property
    def findings(self):
        """Everything that is wrong with the model, as ``shape check`` reports it."""
        if self._findings is None:
            self._findings = Findings(self._view.findings())
        return self._findings

    def support(self, runtime):
        """Tell what a runtime supports of the model, as ``shape ops --runtime`` does.

        Args:
            runtime: One that ``shape ops --runtimes`` lists, in its newest release or in one that is named, such as
                ``onnxruntime-cpu`` or ``onnxruntime-cpu@1.23.2``. Without a release, ``first_release`` is the first one that
                supports all of the model.

        Raises:
            NameUnknownError: The runtime or its release is not known.
        """
        return self._view.support(runtime)

    def why(self, name):
        """Tell how a value was inferred, or where it got lost, node by node.

        Args:
            name: The name of a value; or ``#12`` for the output of a node, ``n0`` for a size that the model does not name.

        Raises:
            NameUnknownError: There is no such value.
        """
        return Why(self._view.why(name))

    def set(self, sizes=None, /, *, inputs=None, **symbols):
        """Give the model with sizes for symbols, or with dimensions for inputs.

        Args:
            sizes: Sizes by the names of symbols, for names that are no identifiers.
            inputs: Dimensions by the names of inputs.
            **symbols: Sizes by the names of symbols: ``model.set(batch=4)``.

        Raises:
            NameUnknownError: The model has no such symbol or input.
        """
        sizes = {**(sizes or {}), **symbols}
        inputs = [(name, list(dims)) for name, dims in (inputs or {}).items()]
        return Model(self._view.with_sizes(list(sizes.items()), inputs))

    @property
    def symbols(self):
        """The names of the symbols in the model that have no size."""
        return tuple(self._view.symbols())

    @property
    def fresh_symbols(self):
        """The symbols such as ``n0`` that stand for sizes which the model does not name, each with where it begins."""
        return dict(self._view.fresh())

    @property
    def sizes(self):
        """The sizes that were set for symbols."""
        return dict(self._view.sizes)

    @property
    def opsets(self):
        """The opset of each domain that the model imports; ``ai.onnx`` is the default one."""
        return dict(self._view.opsets)

    @property
    def ir_version(self):
        """The version of the format; None if the model does not say."""
        return self._view.ir_version

    @property
    def path(self):
        """The file of the model; None if it came from memory."""
        return self._view.path

    def to_bytes(self, *, name_unknowns=False):
        """Give the model with the types and dimensions that were inferred; all other bytes are as they were.

        Args:
            name_unknowns: Name sizes that the model does not name, such as ``n0``; otherwise they are left open.
        """
        return self._view.to_bytes(name_unknowns)

    def save(self, path, *, name_unknowns=False):
        """Write the model with the types and dimensions that were inferred, as ``to_bytes`` gives it.

        The file is replaced only after everything is written; it may be the model's own.

        Raises:
            ModelError: The file cannot be written, or the model's data in other files would be out of reach there.
        """
        self._view.save(os.fspath(path), name_unknowns)

    def to_pandas(self):
        """Give the values as a ``pandas.DataFrame``; see ``Values.to_pandas``."""
        return self.values.to_pandas()

    def to_polars(self):
        """Give the values as a ``polars.DataFrame``; see ``Values.to_polars``."""
        return self.values.to_polars()

    def _facts(self):
        opsets = ", ".join(f"{domain} {opset}" for domain, opset in self.opsets.items())
        known = len(self.values) - len(self.unknown)
        errors = len(self.findings.errors)
        return [
            ("model", str(self.path or "in memory")),
            ("opsets", opsets),
            ("symbols", ", ".join([*self.symbols, *(f"{name}={size}" for name, size in self.sizes.items())])),
            ("nodes", str(len(self.nodes))),
            ("values", f"{known} of {len(self.values)} known"),
            ("findings", f"{len(self.findings)}, of which {errors} are errors"),
        ]

    def __repr__(self):
        return "<onnxspec.Model " + "; ".join(f"{name}: {text}" for name, text in self._facts() if text) + ">"

    def _repr_html_(self):
        return table(("", ""), self._facts(), 0) + self.values._repr_html_()


def open(model, *, runtime=None, specs=(), inputs=None, symbols=None):
    """Open a model, to ask what is known about it.

    Args:
        model: A path, bytes, or a ``ModelProto``. A file is mapped, and must not be truncated while it is open.
        runtime: A release of a runtime, as ``onnxruntime@1.23.0``: its own operators are meant as that release has them.
        specs: Descriptors of further operators: YAML files, or folders of them.
        inputs: Dimensions by the names of inputs.
        symbols: Sizes by the names of symbols.

    Raises:
        ModelError: The model cannot be read.
        NameUnknownError: The model has no such input or symbol, or the runtime or its release is not known.
        SpecsError: A descriptor has mistakes.
    """
    opened = Model(View(source(model), runtime, paths(specs)))
    return opened.set(symbols, inputs=inputs) if inputs or symbols else opened
