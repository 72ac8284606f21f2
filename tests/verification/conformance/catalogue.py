"""The whole catalogue beside the installed onnx package: its facts, its models, and models that are wrong on purpose.

- The facts and digests that `specs/facts/dump.py` writes of the onnx package and of onnxruntime are those that are
  committed, line by line.
- The operators that `specs/facts/runtimes.py` finds of the runtime's own are those of `specs/runtimes.yaml`.
- The examples that `specs/facts/examples.py` makes of its node cases are those of the descriptors.
- `shape check` has no error for any of the package's node cases and of the models in its wheel, unless the package's own
  full check refuses the model too.
- Mutants of these, each built to be wrong in one way, are found out: the right code, at the right node.
"""

import subprocess
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

import command
import mutants
import onnx
import summary
from onnx.backend.test.case.node import collect_testcases

HERE = Path(__file__).resolve().parent
SPECS = HERE.parents[2] / "specs"

# How many there are, so that none is lost in silence.
NODE_CASES, WHEEL_MODELS, LEAST_MUTANTS = 1884, 149, 2000

# A command line has a length.
AT_ONCE = 500


def drift():
    """The lines of the facts that are not those of the packages, which must be of their releases."""
    lines, problems = 0, []
    packages = ("onnx", "onnxruntime", "onnxruntime-in-onnx")
    for package, digests in ((package, digests) for package in packages for digests in (False, True)):
        dump = [sys.executable, SPECS / "facts" / "dump.py", package, *["--digests"] * digests]
        found = subprocess.run(dump, capture_output=True, text=True, check=True).stdout.splitlines()
        file = f"{package.replace('-', '_')}{'_digests' * digests}.json"
        committed = (SPECS / "facts" / file).read_text().splitlines()
        if package != "onnx" and found[0] != committed[0]:
            print(f"the facts of {package} are not compared: {found[0][:80]} is not their release")
            continue
        lines += len(found)
        problems += [f"facts: not in {package}: {line[:200]}" for line in committed if line not in set(found)]
        problems += [f"facts: of {package}, not committed: {line[:200]}" for line in found if line not in set(committed)]
    return lines, problems


def differing_runtimes():
    """The rows of the operators of a runtime's own that are not those of the packages, which must be of its release."""
    release = version("onnxruntime")
    if f'"{release}"]' not in (SPECS / "runtimes.yaml").read_text():
        print(f"the runtimes are not compared: onnxruntime {release} is not the release of the table")
        return []
    script = [sys.executable, SPECS / "facts" / "runtimes.py", "--check"]
    run = subprocess.run(script, capture_output=True, text=True)
    told = run.stdout.splitlines() or run.stderr.splitlines()[-1:]
    return [f"runtimes: {line}" for line in told] if run.returncode else []


def differing_examples():
    """The examples that are not what the package's node cases say."""
    script = [sys.executable, SPECS / "facts" / "examples.py", "--check"]
    run = subprocess.run(script, capture_output=True, text=True)
    told = run.stdout.splitlines() or run.stderr.splitlines()[-1:]
    return [f"examples: {line}" for line in told] if run.returncode else []


def node_models(parent):
    """The files of the package's node cases, written where they are not yet."""
    parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases("")
    assert len(cases) == NODE_CASES, f"onnx {onnx.__version__} has {len(cases)} node cases, not {NODE_CASES}"
    paths = []
    for case in cases:
        path = parent / f"{case.name}.onnx"
        path.write_bytes(case.model.SerializeToString())
        paths.append(path)
    return paths


def wheel_models():
    paths = sorted((Path(onnx.__file__).parent / "backend" / "test" / "data").rglob("*.onnx"))
    assert len(paths) == WHEEL_MODELS, f"onnx {onnx.__version__} has {len(paths)} models, not {WHEEL_MODELS}"
    return paths


def findings(paths):
    """The findings of each file, by its path."""
    by_path = {str(path): [] for path in paths}
    for start in range(0, len(paths), AT_ONCE):
        some = paths[start : start + AT_ONCE]
        code, answer = command.run("check", *some)
        if (code == 1) != any(finding["severity"] == "error" for finding in answer["findings"]):
            raise command.Broken(f"exit {code} with {len(answer['findings'])} findings")
        for finding in answer["findings"]:
            by_path[finding["model"]].append(finding)
    return by_path


def refusal(path, full_check=True):
    """What the package's check says of a model; None where it is content."""
    try:
        onnx.checker.check_model(str(path), full_check=full_check)
    except Exception as error:  # whichever of the package's own it is
        return " ".join(str(error).split())[:200]
    return None


def false_findings(paths):
    problems = []
    for path, found in findings(paths).items():
        errors = [finding for finding in found if finding["severity"] == "error"]
        if errors and refusal(path) is None:
            told = ", ".join(f"{error['code']}: {error['message']}" for error in errors)
            problems.append(f"{Path(path).name}: {told}")
    return problems


def undetected(made):
    """The mutants of which nothing is found, or something else."""
    by_path = findings([mutant.path for mutant in made])
    problems = []
    for mutant in made:
        found = [(finding["code"], (finding["node"] or {}).get("index")) for finding in by_path[str(mutant.path)]]
        if (mutant.code, mutant.node) not in found:
            problems.append(f"{mutant.path.name}: expected {mutant.code} at node {mutant.node}, found {found}")
    return problems


def main():
    parent = Path(sys.argv[1])
    lines, problems = drift()
    problems += differing_runtimes()
    problems += differing_examples()
    paths = node_models(parent / "nodes") + wheel_models()
    made = mutants.of(paths, parent / "mutants")
    kinds = {kind: sum(mutant.kind == kind for mutant in made) for kind in sorted({mutant.kind for mutant in made})}
    print(f"{len(made)} mutants: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}")
    if len(made) < LEAST_MUTANTS:
        problems.append(f"only {len(made)} mutants, not {LEAST_MUTANTS}")
    missing = set(mutants.KINDS) - set(kinds)
    problems += [f"no mutant of the kind {kind}" for kind in sorted(missing)]
    try:
        problems += false_findings(paths) + undetected(made)
    except command.Broken as error:
        problems.append(str(error))
    summary.close("catalogue", lines + len(paths) + len(made) - len(problems), problems)


if __name__ == "__main__":
    main()
