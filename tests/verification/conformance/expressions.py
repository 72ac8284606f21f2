"""The numbers that expressions of dimensions and elements are when their symbols are given numbers."""

import ast
import functools
import operator
import re

import numpy as np


def quotient(left, right):
    """As an element of a tensor of floats."""
    return float(np.float32(left) / np.float32(right))


OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: quotient,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
FUNCTIONS = {"max": max, "min": min}


class Unreadable(Exception):
    """A text that is no expression over the symbols."""


class Open(Exception):
    """An expression with a symbol whose number is not known."""


@functools.cache
def parsed(text):
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, RecursionError) as error:
        raise Unreadable(f"`{text}` cannot be read: {error}") from None


def value(text, sizes):
    """The number of a text; one that is a symbol as a whole is that, whatever else it could be read as."""
    def size(name):
        if sizes[name] is None:
            raise Open
        return sizes[name]

    if text in sizes:
        return size(text)
    # A name that is no word is in parentheses.
    odd = {f"_odd_{index}": name for index, name in enumerate(sizes) if not name.isidentifier()}
    for word, name in odd.items():
        text = text.replace(f"({name})", word)

    def of(node):
        match node:
            case ast.Constant(value=int(number)):
                return number
            case ast.Name(id=name) if name in sizes or name in odd:
                return size(odd.get(name, name))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -of(operand)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATIONS:
                return OPERATIONS[type(op)](of(left), of(right))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
                return FUNCTIONS[name](map(of, arguments))
        raise Unreadable(f"`{text}` has more than symbols and arithmetic: {ast.dump(node)}")

    return of(parsed(text))


def known(entry, sizes):
    """A dimension or an element as JSON has it, in numbers; None for an unknown one, and for one with a symbol that is None."""
    try:
        return value(entry, sizes) if isinstance(entry, str) else entry
    except Open:
        return None


def fresh(answer):
    """The symbols that the model does not name, without numbers."""
    return {symbol["name"]: None for symbol in answer["symbols"]}


def of_model(entries, answer):
    """Dimensions or elements, None for each with a symbol that the model does not name."""
    names = fresh(answer)

    def is_fresh(entry):
        # A name of the model need not be a word, and is no expression then.
        return isinstance(entry, str) and any(word in names for word in re.findall(r"\w+", entry))

    return entries and [None if is_fresh(entry) else entry for entry in entries]


def with_fresh(answer, arrays, sizes):
    """The sizes, and a number for each symbol that the model does not name: that of the first value that has it alone. So all
    others that have it are held against that one."""
    found = {**fresh(answer), **sizes}
    for value in answer["values"]:
        array = arrays.get(value["name"])
        if array is None or "graph" in value:
            continue
        for entries, numbers in ((value["dims"], array.shape), (value["value"], array.flatten().tolist())):
            for entry, number in zip(entries or (), numbers):
                if isinstance(entry, str) and entry in found and found[entry] is None:
                    found[entry] = number
    return found
