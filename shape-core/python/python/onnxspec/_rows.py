"""Lists of values, nodes and findings, which show as tables and become data frames."""

from __future__ import annotations

__all__ = ["Findings", "Nodes", "Rows", "Values", "Why"]

#: So many rows a notebook shows; all are in the frame.
_SHOWN = 200


def _cell(value):
    """A value as plain text: dimensions as ``[batch, 3, ?]``."""
    if isinstance(value, tuple):
        return "[" + ", ".join("?" if item is None else str(item) for item in value) + "]"
    return "" if value is None else str(value)


def table(columns, rows, total):
    """An HTML table of rows of values."""
    from html import escape

    head = "".join(f"<th style='text-align:left'>{escape(column)}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{escape(_cell(value))}</td>" for value in row) + "</tr>"
        for row in rows
    )
    more = f"<p>{total - len(rows)} more</p>" if total > len(rows) else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


class Rows(tuple):
    """A list that cannot be changed, whose entries are found by name too."""

    __slots__ = ()

    #: What a data frame has.
    COLUMNS: tuple[str, ...] = ()
    #: What a notebook shows.
    SHOWN: tuple[str, ...] = ()
    #: Of these, what is not known is shown as `?`.
    OPEN: tuple[str, ...] = ()

    def __getitem__(self, key):
        if isinstance(key, str):
            for row in self:
                if row.name == key:
                    return row
            raise KeyError(key)
        found = super().__getitem__(key)
        return type(self)(found) if isinstance(key, slice) else found

    def columns(self):
        """Give a list for each column, by its name. Dimensions and elements are text in them, as ``[batch, 3, ?]``."""

        def plain(value):
            return _cell(value) if isinstance(value, tuple) else value

        return {column: [plain(getattr(row, column)) for row in self] for column in self.COLUMNS}

    def to_pandas(self):
        """Give a ``pandas.DataFrame`` with the columns; pandas must be installed."""
        import pandas

        return pandas.DataFrame(self.columns(), columns=list(self.COLUMNS))

    def to_polars(self):
        """Give a ``polars.DataFrame`` with the columns; polars must be installed."""
        import polars

        return polars.DataFrame(self.columns())

    def __repr__(self):
        lines = [repr(row) for row in tuple.__getitem__(self, slice(_SHOWN))]
        if len(self) > _SHOWN:
            lines.append(f"... {len(self) - _SHOWN} more")
        return "\n".join(lines) if lines else f"<no {type(self).__name__.lower()}>"

    def _repr_html_(self):
        def shown(row, column):
            value = getattr(row, column)
            return "?" if value is None and column in self.OPEN else value

        rows = tuple.__getitem__(self, slice(_SHOWN))
        return table(self.SHOWN, [[shown(row, column) for column in self.SHOWN] for row in rows], len(self))


class Values(Rows):
    """The values of a model."""

    __slots__ = ()
    COLUMNS = ("name", "graph", "origin", "node", "op_type", "type", "dims", "elements", "reason", "declared_dims", "declared_elements")
    SHOWN = ("name", "op_type", "type", "dims", "elements", "reason")
    OPEN = ("type", "dims")


class Nodes(Rows):
    """The nodes of a model, each with the version of its operator."""

    __slots__ = ()
    COLUMNS = ("index", "name", "graph", "domain", "op_type", "opset", "since_version", "why_no_version", "inputs", "outputs")
    SHOWN = ("index", "name", "op_type", "since_version", "inputs", "outputs")


class Findings(Rows):
    """What is wrong with a model, or worth knowing about it."""

    __slots__ = ()
    COLUMNS = ("code", "severity", "graph", "place", "message", "expected", "found", "help", "more")
    SHOWN = ("severity", "code", "place", "message", "expected", "found", "help")

    def __getitem__(self, key):
        if isinstance(key, str):
            return Findings(finding for finding in self if finding.code == key)
        return super().__getitem__(key)

    @property
    def errors(self):
        """Those that are errors."""
        return Findings(finding for finding in self if finding.severity == "error")


class Why(str):
    """How a value was inferred, node by node; it shows as it is."""

    __slots__ = ()

    def __repr__(self):
        return str(self)

    def _repr_html_(self):
        from html import escape

        return f"<pre>{escape(self)}</pre>"
