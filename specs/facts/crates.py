"""Writes what an importer of crates.io registers, as a manifest, to standard output.

    python3 specs/facts/crates.py tract 0.23.9 > specs/manifests/tract/0.23.9.yaml

Cargo fetches the sources. They are read as text, for names of operators in the one place where the crate lists them;
what kernels then refuse, such as types, is in their code and not in that list. Only facts are taken.
"""

import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

FACTS = Path(__file__).resolve().parent
WIDTH = 120


@dataclass(frozen=True)
class Runtime:
    """`read` gives the operators, each as a domain or None, a name, and the first opset or None."""

    crate: str
    read: object
    sources: tuple


def tract(folder):
    for file in sorted((folder / "src").rglob("*.rs")):
        for name in re.findall(r'\breg\.insert\(\s*"(\w+)"', file.read_text()):
            yield None, name, None


def rten(folder):
    text = (folder / "src" / "op_registry" / "onnx_registry.rs").read_text()
    least = {name: int(opset) for name, opset in re.findall(r'require_min_opset\("(\w+)", (\d+)\)', text)}
    body = text.split("pub fn with_all_ops", 1)[1].split("\n    }\n", 1)[0].split("// ai.onnx ops.", 1)[1]
    for call in re.findall(r"register_op!\(\s*(.*?)\s*\);", body, re.DOTALL):
        parts = [part.strip() for part in call.split(",") if part.strip() and "=" not in part]
        texts = [part.strip('"') for part in parts if part.startswith('"')]
        domain = texts[0] if texts else "ai.onnx"
        name = texts[1] if len(texts) > 1 else parts[-1]
        yield domain, name, least.get(name) if domain == "ai.onnx" else None
    if re.search(r'"Constant"', (folder / "src" / "model" / "onnx_loader.rs").read_text()):
        yield "ai.onnx", "Constant", None


def candle(folder):
    text = (folder / "src" / "eval.rs").read_text()
    start = re.search(r"^( *)match node\.op_type\.as_str\(\) \{$", text, re.MULTILINE)
    margin = start.group(1)
    body = text[start.end() :].split(f"\n{margin}}}\n", 1)[0]
    for line in re.findall(rf"^{margin}    (\S.*?) => ", body, re.MULTILINE):
        for name in re.findall(r'"(\w+)"', line):
            yield None, name, None


RUNTIMES = {
    "tract": Runtime(
        "tract-onnx",
        tract,
        (
            "the names in `reg.insert(...)` of the crate tract-onnx {version}, which ignores domains",
            "it tells no versions and no types: what an entry says of these is that nothing is known of a limit",
        ),
    ),
    "rten": Runtime(
        "rten",
        rten,
        (
            "the names in `register_op!(...)` of the crate rten {version}, with all of its features",
            "versions are those from `require_min_opset` on; it tells no types: nothing is known of a limit of them",
        ),
    ),
    "candle": Runtime(
        "candle-onnx",
        candle,
        (
            "the arms of `match node.op_type` of the crate candle-onnx {version}, which ignores domains",
            "it tells no versions and no types: what an entry says of these is that nothing is known of a limit",
        ),
    ),
}


def source(crate, version):
    """The folder of the crate's sources."""
    with tempfile.TemporaryDirectory() as folder:
        package = '[package]\nname = "fetched"\nversion = "0.0.0"\nedition = "2021"\n'
        (Path(folder) / "Cargo.toml").write_text(f'{package}[dependencies]\n{crate} = "={version}"\n')
        (Path(folder) / "src").mkdir()
        (Path(folder) / "src" / "lib.rs").write_text("")
        run = subprocess.run(
            ["cargo", "metadata", "--format-version", "1"], cwd=folder, capture_output=True, text=True, check=True
        )
    packages = json.loads(run.stdout)["packages"]
    return next(Path(package["manifest_path"]).parent for package in packages if package["name"] == crate)


def known():
    """The versions of each operator, by domain and name."""
    versions = {}
    for package in ("onnx.json", "onnxruntime.json"):
        path = FACTS / package
        for operator in json.loads(path.read_text())["operators"] if path.is_file() else ():
            versions.setdefault((operator["domain"], operator["name"]), []).append(operator["since_version"])
    return versions


def own():
    """What runtimes register on their own in the domains of ONNX."""
    return set(re.findall(r"domain: (\S+), operator: (\w+)", (FACTS.parent / "runtimes.yaml").read_text()))


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in RUNTIMES:
        sys.exit(f"usage: crates.py {'|'.join(RUNTIMES)} VERSION")
    name, version = sys.argv[1:]
    runtime = RUNTIMES[name]
    versions, entries, nowhere = known(), {}, []
    for domain, operator, least in sorted(set(runtime.read(source(runtime.crate, version))), key=str):
        domains = [domain] if domain else ["ai.onnx", "ai.onnx.ml"]
        found = [of for of in domains if (of, operator) in versions or (of, operator) in own()]
        # A vendor's operator, where the crate does not say whose it is.
        found = found or [of for of in ["com.microsoft"] if domain is None and (of, operator) in versions]
        nowhere += [operator] if not found else []
        for of in found:
            since = versions.get((of, operator), [])
            first = max((version for version in since if least and version <= least), default=None)
            entries[of, operator] = [version for version in sorted(since) if version >= first] if first else None
    print("# yaml-language-server: $schema=../../manifest.schema.json\n")
    print(f"# What {name} imports; `specs/facts/crates.py` writes it.\n")
    print(f'runtime: {name}\nrelease: "{version}"\nsources:')
    for text in runtime.sources:
        print(f'  - "{text.format(version=version)}"')
    if nowhere:
        print(f'  - "left out, since neither ONNX nor onnxruntime has them: {", ".join(nowhere)}"')
    print("operators:")
    for (domain, operator), listed in sorted(entries.items(), key=lambda pair: (pair[0][0] != "ai.onnx", pair[0])):
        fields = [f"operator: {operator}"]
        fields += [f"domain: {domain}"] if domain != "ai.onnx" else []
        fields += [f"versions: [{', '.join(map(str, listed))}]"] if listed else []
        print(f"  - {{ {', '.join(fields)} }}")


if __name__ == "__main__":
    main()
