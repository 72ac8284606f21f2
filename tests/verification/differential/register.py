#!/usr/bin/env python3
"""The register of faults of other tools: reads found/*.toml, runs each fault again, and writes FOUND.md.

    python register.py             check the form of the register and write FOUND.md
    python register.py --verify    run each fault again, too (`verify.py`); a fault that does not show fails
    python register.py --check     fail if FOUND.md is not what the register says

A fault of a runner (tract, rten, candle, burn) is run again where `--runners DIR` has its program, `<tool>-runner`.
"""

import argparse
import collections
import pathlib
import sys
import tomllib

HERE = pathlib.Path(__file__).parent
PAGE = HERE / "FOUND.md"
COMMAND = "tests/verification/differential/register.py"
REQUIRED = ("id", "tool", "version", "operator", "opset", "kind", "severity", "title", "page", "happens", "model", "expect")
ALLOWED = {*REQUIRED, "inputs", "known", "mended", "with"}
KINDS = {
    "crash": "high", "hang": "high", "wrong-type": "high", "wrong-dims": "high", "wrong-numbers": "high",
    "wrong-model": "high", "refuses-valid": "medium", "accepts-invalid": "low",
}  # fmt: skip
MEANT = {
    "crash": "the process dies", "hang": "no answer within the time limit", "wrong-type": "a wrong element type",
    "wrong-dims": "wrong dimensions", "wrong-numbers": "wrong elements",
    "wrong-model": "a model is rewritten into another or an invalid one", "refuses-valid": "a valid model is refused",
    "accepts-invalid": "a model that the page forbids is taken",
}  # fmt: skip


def read():
    found = []
    for path in sorted((HERE / "found").glob("*.toml")):
        for fault in tomllib.loads(path.read_text())["fault"]:
            fault["file"] = path.name
            found.append(fault)
    return found


def malformed(faults):
    """What is wrong with the form of the register."""
    seen = collections.Counter(fault.get("id") for fault in faults)
    for fault in faults:
        name = f"{fault['file']}: {fault.get('id')}"
        missing = [key for key in REQUIRED if key not in fault]
        surplus = [key for key in fault if key not in ALLOWED | {"file"}]
        if missing or surplus:
            yield f"{name}: missing {missing}, unknown {surplus}"
        elif fault["kind"] not in KINDS:
            yield f"{name}: the kind {fault['kind']} is unknown"
        elif fault["severity"] not in ("high", "medium", "low"):
            yield f"{name}: the severity {fault['severity']} is unknown"
        if seen[fault.get("id")] > 1:
            yield f"{name}: more than one has this id"


def shown_data(given):
    if "items" in given:
        return "[" + ", ".join(shown_data(item) for item in given["items"]) + "]"
    if given["type"] == "none":
        return "none"
    return f"{given['type']}{given['dims']} {given['data']}".replace("'", '"')


def anchor(fault):
    return fault["id"]


def section(fault):
    lines = [f'<a id="{anchor(fault)}"></a>', f"### {fault['title']}", ""]
    known = fault.get("known")
    lines.append(
        f"`{fault['id']}` · {fault['tool']} {fault['version']} · {fault['operator']}, opset {fault['opset']} · "
        f"{fault['kind']} · {fault['severity']}"
        + (f" · mended in {fault['mended']}" if "mended" in fault else "")
        + (f" · known: <{known}>" if known else "")
    )
    lines += ["", f"**The documents.** {fault['page'].strip()}", "", f"**What happens.** {fault['happens'].strip()}", ""]
    lines += ["```", fault["model"].strip(), "```", ""]
    if fault.get("with"):
        lines += ["Options: " + ", ".join(f"`{key}` = `{said}`" for key, said in fault["with"].items()), ""]
    if fault.get("inputs"):
        lines += ["Inputs: " + ", ".join(f"`{name}` = `{shown_data(said)}`" for name, said in fault["inputs"].items()), ""]
    return lines


def table(faults):
    lines = ["| Tool | Operator | Fault | Kind | Severity |", "|---|---|---|---|---|"]
    for fault in faults:
        title = fault["title"].replace("|", "\\|")
        lines.append(
            f"| {fault['tool']} | {fault['operator']} | [{title}](#{anchor(fault)}) | {fault['kind']} | {fault['severity']} |"
        )
    return lines


def page(faults):
    counts = collections.Counter((fault["tool"], fault["version"]) for fault in faults)
    mended = sum("mended" in fault for fault in faults)
    known = sum(bool(fault.get("known")) for fault in faults)
    lines = ["# Faults of other tools", ""]
    lines += [f"Written by `{COMMAND}` from `found/*.toml`; edit these, not this page.", ""]
    lines.append(
        f"{len(faults)} faults in {len({fault['tool'] for fault in faults})} tools, found by running generated models through each, and by small models "
        f"written by hand where those gave a hint; {known} of them have a thread upstream, and {mended} are mended "
        "in a release after the one that is named. The judge is the operator's page "
        "or the IR specification, not what this project does. `register.py --verify` shows each again, and that what is mended is."
    )
    lines += ["", "| Tool | Version | Faults |", "|---|---|---|"]
    lines += [f"| {tool} | {version} | {count} |" for (tool, version), count in sorted(counts.items())]
    lines += ["", "Kinds: " + "; ".join(f"{kind}: {meant}" for kind, meant in MEANT.items()) + ".", ""]
    order = sorted(faults, key=lambda fault: (fault["tool"], fault["operator"], fault["id"]))
    lines += [*table(order), ""]
    tool = None
    for fault in order:
        if fault["tool"] != tool:
            tool = fault["tool"]
            lines += [f"## {tool}", ""]
        lines += section(fault)
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verify", action="store_true", help="run each fault again")
    parser.add_argument("--check", action="store_true", help="only say whether FOUND.md is up to date")
    parser.add_argument("--only", default="", help="only the faults whose id has this in it")
    parser.add_argument("--runners", type=pathlib.Path, help="the folder of the programs <tool>-runner")
    options = parser.parse_args()
    faults = read()
    problems = list(malformed(faults))
    for problem in problems:
        print(problem)
    if problems:
        sys.exit(1)
    if options.check:
        current = PAGE.exists() and PAGE.read_text() == page(faults)
        print("FOUND.md is up to date" if current else "FOUND.md is not what the register says: run register.py")
        sys.exit(0 if current else 1)
    if not options.only:
        PAGE.write_text(page(faults))
    if options.verify:
        # What only checks the form and the page takes nothing but Python.
        from verify import verify

        sys.exit(0 if verify([fault for fault in faults if options.only in fault["id"]], options.runners) else 1)


if __name__ == "__main__":
    main()
