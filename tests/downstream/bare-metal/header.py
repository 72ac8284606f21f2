"""Holds `include/shape_rules.h` against the functions and numbers of `src/lib.rs`: header.py

C takes what the header says for granted, and Rust never sees it.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TYPES = {"u64": "uint64_t", "i64": "int64_t", "usize": "size_t", "c_int": "int"}


def c_type(rust):
    """`*const u64` -> `const uint64_t *`"""
    if rust.startswith("*const "):
        return f"const {TYPES[rust[7:]]} *"
    if rust.startswith("*mut "):
        return f"{TYPES[rust[5:]]} *"
    return TYPES[rust]


def of_rust(text):
    functions = re.findall(r'extern "C" fn (\w+)\(([^)]*)\) -> ([^{]+?) \{', text)
    for name, parameters, result in functions:
        pairs = [pair.strip().split(": ") for pair in parameters.split(",") if pair.strip()]
        yield f"{c_type(result)} {name}(" + ", ".join(f"{c_type(ty)} {of}" for of, ty in pairs) + ")"
    for name, number in re.findall(r"^    ([A-Z_]+) = (\d+),", text, re.MULTILINE):
        yield f"{name} = {number}"


def of_c(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    yield from re.findall(r"^(?!#)[a-z][\w ]+\*? ?\w+\([^)]*\)(?=;)", text, re.MULTILINE)
    yield from re.findall(r"[A-Z_]+ = \d+", text)


def lines(declarations):
    return sorted(re.sub(r"\s+", "", declaration) for declaration in declarations)


rust = lines(of_rust((HERE / "src/lib.rs").read_text()))
c = lines(of_c((HERE / "include/shape_rules.h").read_text()))
if len(rust) < 9 or rust != c:
    print(f"Rust has {rust}", f"the header has {c}", sep="\n", file=sys.stderr)
    sys.exit(1)
