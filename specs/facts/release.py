#!/usr/bin/env python3
"""Takes a release of onnxruntime: its facts, its manifest, and what it changes of the descriptors.

    python3 specs/facts/release.py onnxruntime 1.33.0

It installs the release in an environment of its own, beside the onnx package of `onnx.json`, and writes

- the facts of the release (`onnxruntime.json`, `onnxruntime_in_onnx.json` and their digests). What the release before had
  otherwise stays in `onnxruntime/RELEASE.json`, by which a test holds the descriptors against each release;
- the manifest, `specs/manifests/onnxruntime-cpu/RELEASE.yaml`: what differs from the release before;
- new operators, and entries with `release` where the release changes a version in place, by `shape specs import`.

Then it tells what a person has to write. SHAPE names the command; without it, it is built. A manifest that another run of
`kernels.py` has written is made as short by `release.py shorten FILE`.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

SPECS = Path(__file__).resolve().parents[1]
FACTS = SPECS / "facts"
MANIFESTS = SPECS / "manifests" / "onnxruntime-cpu"


def number(release):
    return tuple(map(int, release.split(".")))


# Facts.


def key(operator):
    return f"{operator['domain']}::{operator['name']}-{operator['since_version']}"


def spelled(facts):
    """The operators of facts by their names, each with its types in full."""
    found = {}
    for operator in facts["operators"]:
        types = [{**of, "allow": sorted(set(facts["type_sets"][of["allow"]]))} for of in operator["types"]]
        found[key(operator)] = {**operator, "types": types}
    return found


def older(facts, newer):
    """What the facts of a release say otherwise than those of the next one; None if nothing."""
    before, after = spelled(facts), spelled(newer)
    differing = [operator for name, operator in before.items() if after.get(name) != operator]
    later = [name for name in after if name not in before]
    if not differing and not later:
        return None
    sets = {}

    def packed(of):
        return {**of, "allow": sets.setdefault(tuple(of["allow"]), len(sets))}

    rows = [{**operator, "types": [packed(of) for of in operator["types"]]} for operator in differing]
    head = {"facts_version": 1, "package": facts["package"], "release": facts["release"], "before": newer["release"]}
    parts = [json.dumps(part, separators=(",", ":")) for part in (head, later)]

    def lines(rows):
        encoded = [json.dumps(row, separators=(",", ":")) for row in rows]
        return "[\n" + ",\n".join(encoded) + "\n]" if encoded else "[]"

    return f'{parts[0][:-1]},\n"later":{parts[1]},\n"type_sets":{lines(sets)},\n"operators":{lines(rows)}\n}}\n'


# Manifests.


def blocks(text):
    """The head of a manifest, and the lines of the entries of each operator, by its path."""
    head, body = text.split("\noperators:\n", 1)
    found = {}
    for entry in re.split(r"^(?=  - )", body, flags=re.M)[1:]:
        domain = re.search(r"domain: ([\w.]+)", entry)
        name = re.search(r"operator: (\w+)", entry).group(1)
        path = f"{domain.group(1)}::{name}" if domain else name
        found[path] = found.get(path, "") + entry
    return head, found


def all_of(release):
    """The entries of a release, with what it takes over from the releases before it."""
    head, own = blocks((MANIFESTS / f"{release}.yaml").read_text())
    after = re.search(r'^after: "(.*)"$', head, re.M)
    if not after:
        return own
    without = re.search(r"^without: \[(.*)\]$", head, re.M)
    gone = without.group(1).split(", ") if without else []
    return {path: entry for path, entry in all_of(after.group(1)).items() if path not in gone} | own


def shortened(text):
    """A manifest without what it shares with the newest one of a release before."""
    head, found = blocks(text)
    release = re.search(r'^release: "(.*)"$', head, re.M).group(1)
    olders = [path.stem for path in MANIFESTS.glob("*.yaml") if path.stem[0].isdigit()]
    olders = sorted((one for one in olders if number(one) < number(release)), key=number)
    if not olders:
        return text
    before = all_of(olders[-1])
    gone = [path for path in before if path not in found]
    said = f'release: "{release}"\nafter: "{olders[-1]}"\n' + (f"without: [{', '.join(gone)}]\n" if gone else "")
    head = head.replace(f'release: "{release}"\n', said, 1)
    differing = [entry for path, entry in found.items() if before.get(path) != entry]
    return f"{head}\noperators:" + ("\n" + "".join(differing) if differing else " []\n")


# A release.


def environment(folder, release):
    """A Python with the release, and with the onnx package of the facts."""
    onnx = json.loads((FACTS / "onnx.json").read_text())["release"]
    venv.create(folder, with_pip=True)
    python = Path(folder) / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", f"onnx=={onnx}", f"onnxruntime=={release}"], check=True)
    return python


def command():
    if "SHAPE" in os.environ:
        return os.environ["SHAPE"]
    root = SPECS.parent
    subprocess.run(["cargo", "build", "-q", "--release", "-p", "onnxspec-cli"], cwd=root, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", root / "target")) / "release" / "shape"


def take(release):
    committed = json.loads((FACTS / "onnxruntime.json").read_text())
    if number(release) <= number(committed["release"]):
        sys.exit(f"the facts are of {committed['release']} already: releases are taken in their order")
    shape = command()
    with tempfile.TemporaryDirectory() as folder:
        python = environment(folder, release)

        def told(script, *arguments):
            return subprocess.run([python, FACTS / script, *arguments], check=True, capture_output=True, text=True).stdout

        found = told("dump.py", "onnxruntime")
        kept = older(committed, json.loads(found))
        if kept:
            (FACTS / "onnxruntime" / f"{committed['release']}.json").write_text(kept)
        (FACTS / "onnxruntime.json").write_text(found)
        (FACTS / "onnxruntime_in_onnx.json").write_text(told("dump.py", "onnxruntime-in-onnx"))
        for package in ("onnxruntime", "onnxruntime-in-onnx"):
            file = f"{package.replace('-', '_')}_digests.json"
            (FACTS / file).write_text(told("dump.py", package, "--digests"))
        manifest = told("kernels.py")
        rows = subprocess.run([python, FACTS / "runtimes.py", "--check"], capture_output=True, text=True).stdout
    for arguments in ([FACTS / "onnxruntime.json"], ["--specs", SPECS / "runtimes" / "onnxruntime", FACTS / "onnxruntime_in_onnx.json"]):
        run = subprocess.run([shape, "specs", "import", *arguments], cwd=SPECS.parent, capture_output=True, text=True)
        print(run.stdout + run.stderr, end="")
    (MANIFESTS / f"{release}.yaml").write_text(shortened(manifest))
    print(f"\nTo be written by hand, for {release}:")
    for row in rows.splitlines():
        print(f"- a row of specs/runtimes.yaml: {row}")
    unsaid = subprocess.run([shape, "specs", "lint", SPECS], cwd=SPECS.parent, capture_output=True, text=True)
    for line in unsaid.stdout.splitlines():
        if "error[" in line:
            print(f"- {line}")
    print("- what CONTRIBUTING.md says under `Take a new release of onnxruntime`")


def main():
    match sys.argv[1:]:
        case ["onnxruntime", release]:
            take(release)
        case ["shorten", file]:
            Path(file).write_text(shortened(Path(file).read_text()))
        case _:
            sys.exit("usage: release.py onnxruntime RELEASE | release.py shorten FILE")


if __name__ == "__main__":
    main()
