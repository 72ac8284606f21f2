"""The Rust that stands beside the WhyML, held against the Rust that is compiled.

A line `(*| ... |*)` of a specification quotes a line of Rust. The items that `mirrors.toml` names must each stand there
whole, and nothing else may: white space, comments and some attributes apart. A blank is put where Rust has `(*`, which opens a
comment in WhyML.
"""

import re
import tomllib
from pathlib import Path

QUOTE = re.compile(r"\(\*\|(.*?)\|\*\)")
SILENT = ("#[derive(", "#[inline]", "#[must_use]")
FUNCTION = re.compile(r"\bfn\b")


def squeezed(text):
    return re.sub(r"\s+", "", text)


def code(text):
    """Rust without comments and without the attributes that change nothing of what it does."""
    lines = (re.sub(r"(^|\s)//.*", "", line) for line in text.splitlines())
    return "\n".join(line for line in lines if not line.strip().startswith(SILENT))


def item(text, head):
    """From the one line that begins with `head` to its semicolon, or to the brace that closes it."""
    starts = [match.start() for match in re.finditer(rf"^[ ]*{re.escape(head)}", text, re.MULTILINE)]
    if len(starts) != 1:
        raise LookupError(f"{len(starts)} items begin with `{head}`")
    depth = 0
    for place in range(starts[0], len(text)):
        # Parameters may be taken apart by braces of their own.
        if text[place] in "{(":
            depth += 1
        elif text[place] in "})":
            depth -= 1
        if depth == 0 and (text[place] == "}" or text[place] == ";"):
            return text[starts[0] : place + 1]
    raise LookupError(f"`{head}` does not end")


def check(read):
    """What each mirror says, by its id: `None`, or what is wrong. `read` gives the text of a file by its path."""
    mirrors = tomllib.loads((Path(__file__).parent / "mirrors.toml").read_text())
    verdicts, quoted, functions = {}, {}, {}
    for mirror in mirrors["mirror"]:
        spec, rust = mirror["spec"], mirror["rust"]
        if spec not in quoted:
            quoted[spec] = squeezed("".join(QUOTE.findall(read(spec))))
        try:
            text = item(code(read(rust)), mirror["item"])
        except LookupError as error:
            verdicts[mirror["id"]] = f"{rust}: {error}"
            continue
        functions[rust] = functions.get(rust, 0) + len(FUNCTION.findall(text))
        found = quoted[spec].count(squeezed(text))
        verdicts[mirror["id"]] = None if found == 1 else f"{spec} does not quote `{mirror['item']}` of {rust} as it is"
        quoted[spec] = quoted[spec].replace(squeezed(text), "", 1)
    for spec, rest in quoted.items():
        # What is left over belongs to an item that is told of already, or to none.
        if rest and all(verdict is None for verdict in verdicts.values()):
            verdicts[f"mirror.{Path(spec).stem}"] = f"{spec} quotes what no item has: {rest[:80]}"
    for rust in mirrors["whole"]:
        all_of_it = len(FUNCTION.findall(code(read(rust))))
        if functions.get(rust) != all_of_it:
            verdicts[f"mirror.{Path(rust).stem}"] = f"{rust} has {all_of_it} functions, not {functions.get(rust)}"
    return verdicts
