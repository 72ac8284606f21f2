"""Dimensions as polynomials: a sum of products of symbols with whole coefficients, or nothing that is known.

A symbol stands for a size of zero or more. A size that a caller chooses and that the model has no name for is a symbol
too, which is not shown. A quotient has fractions as coefficients: it is whole in each run that goes well.
"""

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

LARGEST = 2**63 - 1
SYMBOL = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


@dataclass(frozen=True)
class Polynomial:
    """Pairs of the sorted symbols of a term and its coefficient, no coefficient zero."""

    terms: frozenset

    @property
    def known(self):
        """The number, if it is one."""
        if not self.terms:
            return 0
        coefficients = dict(self.terms)
        return coefficients[()] if list(coefficients) == [()] else None

    @property
    def too_large(self):
        return any(abs(coefficient) > LARGEST for _, coefficient in self.terms)


UNKNOWN = None


def polynomial(coefficients):
    return Polynomial(frozenset((symbols, number) for symbols, number in coefficients.items() if number))


def number(value):
    return polynomial({(): value})


def unnamed(what):
    """A size without a name; `what` tells it from others."""
    return polynomial({(f"?{what}",): 1})


def symbols(dim):
    return {symbol for factors, _ in dim.terms for symbol in factors}


def is_name(dim):
    """Whether it is one symbol, and nothing else."""
    return dim == polynomial({tuple(symbols(dim)): 1})


def is_unnamed(dim):
    """Whether the model has no name for some size in it."""
    return any(symbol.startswith("?") for symbol in symbols(dim))


def dimension(dim):
    """A number, None, or a `dim_param`, which may write out sums and products of names and numbers."""
    if dim is None:
        return UNKNOWN
    if isinstance(dim, int):
        return number(dim)
    terms = [[factor.strip() for factor in term.split("*")] for term in dim.split(" + ")]
    if not all(factor.isdigit() or SYMBOL.fullmatch(factor) for factors in terms for factor in factors):
        return polynomial({(dim,): 1})
    total = Counter()
    for factors in terms:
        product = 1
        for factor in factors:
            product *= int(factor) if factor.isdigit() else 1
        total[tuple(sorted(factor for factor in factors if not factor.isdigit()))] += product
    return polynomial(total)


def times(left, right):
    # No elements are no elements, whatever the other dimensions are.
    if (left and left.known == 0) or (right and right.known == 0):
        return number(0)
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    total = Counter()
    for symbols, coefficient in left.terms:
        for others, other in right.terms:
            total[tuple(sorted(symbols + others))] += coefficient * other
    return polynomial(total)


def product(dims):
    """What it comes to; one with a coefficient past int64 is too much to be followed, unless it is a number."""
    whole = reduce(times, dims, number(1))
    return UNKNOWN if whole and whole.known is None and whole.too_large else whole


def over(whole, divisor):
    """A quotient by a number."""
    return polynomial({symbols: exact(Fraction(coefficient, divisor)) for symbols, coefficient in whole.terms})


def exact(fraction):
    return fraction.numerator if fraction.denominator == 1 else fraction


def is_quotient(dim):
    return any(isinstance(coefficient, Fraction) for _, coefficient in dim.terms)


def may_be_multiple(whole, divisor):
    """Whether the coefficients leave open that it is a multiple of the number for some sizes, of 0 only 0."""
    scale = lcm(*(coefficient.denominator for _, coefficient in whole.terms))
    scaled = {symbols: int(coefficient * scale) for symbols, coefficient in whole.terms}
    constant = scaled.pop((), 0)
    shared = reduce(gcd, scaled.values(), divisor * scale)
    return constant % shared == 0 if shared else constant == 0


def may_be_equal(left, right):
    """Whether the coefficients leave open that both are the same number for some sizes."""
    if left is UNKNOWN or right is UNKNOWN:
        return True
    total = Counter(dict(left.terms))
    total.subtract(dict(right.terms))
    difference = polynomial(total)
    signs = {coefficient > 0 for _, coefficient in difference.terms}
    one_sign = () in dict(difference.terms) and len(signs) == 1
    return not one_sign and may_be_multiple(difference, 0)


def equal_for_few(left, right):
    """Whether both are different expressions over one symbol: a polynomial of degree d has no more than d zeros."""
    return symbols(left) == symbols(right) and len(symbols(left)) == 1 and left != right


def in_expression(name):
    """A name that is no word is in parentheses."""
    return name if name.isidentifier() else f"({name})"


def shown(dim):
    """The dimension as JSON has it: terms of many factors first, each order by names. One without a name and a quotient
    are left open."""
    if dim is UNKNOWN or is_unnamed(dim) or is_quotient(dim):
        return None
    if dim.known is not None:
        return dim.known
    match list(dim.terms):
        case [((name,), 1)]:
            return name
    told = []
    terms = [(sorted(map(in_expression, names)), coefficient) for names, coefficient in dim.terms]
    for symbols, coefficient in sorted(terms, key=lambda term: (-len(term[0]), term[0])):
        factors = [*([] if coefficient == 1 and symbols else [str(coefficient)]), *symbols]
        told.append("*".join(factors))
    return " + ".join(told)
