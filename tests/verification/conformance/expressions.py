"""The numbers that expressions of dimensions and elements are when their symbols are given numbers."""

import ast
import functools
import operator

OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
FUNCTIONS = {"max": max, "min": min}


class Unreadable(Exception):
    """A text that is no expression over the symbols."""


@functools.cache
def parsed(text):
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, RecursionError) as error:
        raise Unreadable(f"`{text}` cannot be read: {error}") from None


def value(text, sizes):
    """The number of a text; one that is a symbol as a whole is that, whatever else it could be read as."""
    if text in sizes:
        return sizes[text]

    def of(node):
        match node:
            case ast.Constant(value=int(number)):
                return number
            case ast.Name(id=name) if name in sizes:
                return sizes[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -of(operand)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATIONS:
                return OPERATIONS[type(op)](of(left), of(right))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
                return FUNCTIONS[name](map(of, arguments))
        raise Unreadable(f"`{text}` has more than symbols and arithmetic: {ast.dump(node)}")

    return of(parsed(text))


def known(entry, sizes):
    """A dimension or an element as JSON has it, in numbers; None for an unknown one."""
    return value(entry, sizes) if isinstance(entry, str) else entry
