"""What the command says of each release of onnxruntime, beside sessions of that release, whose wheels are installed.

- Random models of one node, as in `kernels.py`: `shape ops --runtime onnxruntime-cpu@RELEASE` says what sessions of four
  releases say.
- What a release changed of its own operators: for each attribute, input, output and type that one of two neighbours has and
  the other refuses, by their schemas, a node that shows it. `shape check --runtime` finds an error where a session calls the
  model invalid, and `shape ops --runtime` says no there, and where there is no kernel. `shape diff --runtime` names the
  same versions.
- Node cases in each version that a release takes for an older one: `shape ops` says what sessions say.
- A model of each opset of ai.onnx, and of the next one: `shape ops --runtime` names the first release that takes it.

`--quick` takes the oldest release that has a manifest and a drawn one, as two neighbours. `--seed` makes other models.
"""

import argparse
import random
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import command
import kernels
import release_nodes
import summary
from kernels import RUNTIME, SPECS
from onnx import defs, helper
from sessions import INVALID, NEWER, Sessions

COUNT, QUICK = 1000, 300
# The least share of random models that both sides say something of.
LEAST = 0.7
# How many nodes are tried for a change until the sessions of both releases say what it is about.
TRIED = 12
# Operators that have kernels in old and new opsets.
PLAIN = ("Abs", "Flatten", "Softmax")
# Changes that no session shows, and why.
RULINGS = {
    "com.microsoft::EPContext-1 attribute max_size": "its schema allows any attribute",
    "com.microsoft::MultiHeadAttention-1 type QK tensor(bfloat16)": "the types of an output that has a variable of its own "
    "are looked at only where there is a single one",
}
# New versions that sessions take and a manifest does not name, and why.
WRONG_BODIES = {
    f"com.ms.internal.nhwc::{name}-28 operator": "its body has the channels first, and gives other elements than its page says"
    for name in ("DepthToSpace", "SpaceToDepth")
}


def known():
    """The releases that are known, and those of them that have a manifest."""
    text = (SPECS / "runtimes.yaml").read_text()
    all_of = re.findall(r'"([\d.]+)"', re.search(r"releases:\s*\[(.*?)\]", text, re.S).group(1))
    _, answer = command.run("ops", "--runtimes")
    manifests = {row["release"] for row in answer["runtimes"] if row["runtime"] == RUNTIME}
    return all_of, [release for release in all_of if release in manifests]


def spread(releases, count):
    """So many of them: the first, the last, and others between."""
    places = {round(index * (len(releases) - 1) / (count - 1)) for index in range(count)}
    return [releases[place] for place in sorted(places)]


class Releases:
    """The sessions of releases, by their numbers."""

    def __init__(self, folder):
        self.folder, self.opened, self.schemas = folder, {}, {}

    def __getitem__(self, release):
        if release not in self.opened:
            sessions = Sessions(self.installed(release))
            found = sessions.release()
            if found != release:
                raise SystemExit(f"onnxruntime {found} answers in the place of {release}")
            self.opened[release] = sessions
        return self.opened[release]

    def installed(self, release):
        """A folder with the wheel of a release, beside which the packages of the environment do."""
        target = self.folder / release
        if not target.is_dir():
            part = target.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
            subprocess.run([*pip, "--target", part, f"onnxruntime=={release}"], check=True)
            part.rename(target)
        return target

    def schemas_of(self, release):
        if release not in self.schemas:
            self.schemas[release] = self[release].schemas()
        return self.schemas[release]


def random_models(releases, chosen, count, folder, seed):
    """How many answers of each release are those of its sessions, and what is wrong."""
    passed, problems = 0, []
    newest = Sessions()
    for release in chosen:
        made = kernels.models(folder / release, random.Random(f"{seed} {release}"), count, release)
        counts, agreed, wrong = kernels.compared(made, release, releases[release], newest)
        print(f"{release}: {count} random models; " + ", ".join(f"{many} {what}" for what, many in sorted(counts.items())))
        if agreed < LEAST * count:
            wrong.append(f"{release}: only {agreed} of {count} random models were compared")
        passed += agreed
        problems += wrong
    return passed, problems


def errors(paths, release=None):
    """The errors that a check finds in each model, as a release has the operators, or the newest one."""
    runtime = ["--runtime", f"{RUNTIME}@{release}"] if release else []
    code, answer = command.run("check", *paths, *runtime)
    found = {path: set() for path in paths}
    for finding in answer["findings"]:
        if finding["severity"] == "error":
            found[finding["model"]].add((finding["code"], finding["message"]))
    if (code == 1) != any(found.values()):
        raise command.Broken(f"exit {code} with errors in {sum(map(bool, found.values()))} models")
    return found


def same_versions(releases, pair):
    """What `shape diff` names otherwise than the schemas of two releases."""
    _, answer = command.run("diff", "--runtime", *(f"{RUNTIME}@{release}" for release in pair))
    named = {change["version"] for change in answer["versions"]}
    before, after = (releases.schemas_of(release) for release in pair)
    found = {"{}::{}-{}".format(*key) for key in {*before, *after} if before.get(key) != after.get(key)}
    return [f"{' to '.join(pair)}: {version} is changed for one of the command and the sessions" for version in named ^ found]


def kind(told):
    """`yes`, `invalid` by the schemas, `no` for a missing kernel, or what a session says else."""
    return "invalid" if any(words in told for words in (*INVALID, NEWER)) else kernels.truth(told)


def changed(releases, pair, folder, seed):
    """The changes between two releases, and what is wrong."""
    before, after = (releases.schemas_of(release) for release in pair)
    shown, problems = [], same_versions(releases, pair)
    folder.mkdir(parents=True, exist_ok=True)
    for key in sorted({*before, *after}):
        if before.get(key) == after.get(key):
            continue
        for (part, newer), nodes in release_nodes.showing(key, before.get(key), after.get(key), seed).items():
            change = Change(f"{key[0]}::{key[1]}-{key[2]} {' '.join(map(str, part))}", *(pair[::-1] if newer else pair))
            shown.append(change)
            for index, node in enumerate(nodes[:TRIED] + nodes[TRIED:][-release_nodes.TURNS :]):
                path = str(folder / f"{len(shown)}_{index}.onnx")
                Path(path).write_bytes(node.model.SerializeToString())
                told = [releases[release].says(path) for release in (change.has, change.other)]
                if [kind(each) == "invalid" for each in told] == [False, True]:
                    change.nodes[path] = kind(told[0])
    paths = [path for change in shown for path in change.nodes]
    if paths:
        found = {release: errors(paths, release) for release in (None, *pair)}
        answers = {release: kernels.answers(paths, release) for release in pair}
        problems += [f"{change.name}: {problem}" for change in shown for problem in change.problems(found, answers)]
    return shown, problems


@dataclass
class Change:
    """What one release of two has and the other refuses, and nodes that show it in sessions: what those of the former say."""

    name: str
    has: str
    other: str
    nodes: dict = field(default_factory=dict)

    def problems(self, found, answers):
        """What the command says otherwise, by the errors of checks and the answers of `shape ops` in both releases."""
        if not self.nodes:
            if self.name not in RULINGS:
                yield f"no node shows that {self.has} has it, and {self.other} not"
            return
        # A value may be wrong in every release: no schema knows of it.
        good = [path for path in self.nodes if found[self.has][path] <= found[None][path]]
        if not good:
            path = next(iter(self.nodes))
            yield f"{path}: a session of {self.has} takes it, a check does not: {found[self.has][path]}"
        for path in good:
            if not found[self.other][path] - found[self.has][path]:
                yield f"{path}: a session of {self.other} refuses it, and a check does not"
            if answers[self.other][path] != "no":
                yield f"{path}: a session of {self.other} refuses it, and ops says {answers[self.other][path]}"
            said = "no" if self.name in WRONG_BODIES else self.nodes[path]
            if said in ("yes", "no") and answers[self.has][path] not in (said, "unknown"):
                yield f"{path}: a session of {self.has} says {said}, and ops {answers[self.has][path]}"


def taken_as(releases, manifests, folder):
    """How many answers about versions that a release takes for older ones are those of its sessions, and what is wrong.

    The models are the node cases of the operator at the opset of the version."""
    folder.mkdir(parents=True, exist_ok=True)
    passed, problems = 0, []
    for release in manifests:
        text = (SPECS / "manifests" / RUNTIME / f"{release}.yaml").read_text()
        for name, version in re.findall(r"\{ operator: (\w+), version: (\d+), as:", text):
            paths = []
            for index, case in enumerate(kernels.cases_of(name)):
                case.ir_version = kernels.OLDEST_IR
                case.opset_import[0].version = int(version)
                path = folder / f"{name}_{version}_{index}.onnx"
                path.write_bytes(case.SerializeToString())
                paths.append(str(path))
            for path, said in kernels.answers(paths, release).items():
                # Whatever a session refuses it for, it does not run it.
                told = kernels.truth(releases[release].says(path))
                agrees = said in ("yes", "no") and (said == "yes") == (told == "yes")
                passed += agrees
                if not agrees:
                    problems.append(f"{path}: ops of {release} says {said}, and a session: {told}")
    return passed, problems


def of_opsets(folder):
    """Models of each opset of ai.onnx that the package knows, and of the next one."""
    folder.mkdir(parents=True, exist_ok=True)
    for opset in range(1, defs.onnx_opset_version() + 2):
        for name in PLAIN:
            sides = [[kernels.typed(value, "tensor(float)")] for value in "xy"]
            graph = helper.make_graph([helper.make_node(name, ["x"], ["y"])], "one", *sides)
            imports = [helper.make_opsetid("", opset)]
            made = helper.make_model(graph, opset_imports=imports, ir_version=kernels.OLDEST_IR)
            path = folder / f"{name}_{opset}.onnx"
            path.write_bytes(made.SerializeToString())
            yield str(path)


def opsets(releases, every, paths):
    """How many answers of each release are those of its sessions, and what is wrong."""
    passed, problems = 0, []
    for release in every:
        for path, said in kernels.answers(paths, release).items():
            told = releases[release].says(path)
            passed += (said == "yes") == (told == "")
            if (said == "yes") != (told == ""):
                problems.append(f"{path}: ops of {release} says {said}, and a session: {told or 'yes'}")
    return passed, problems


def first_releases(releases, every, paths):
    """How often the first release that `shape ops` names is the one from which on all sessions take a model."""
    passed, problems = 0, []
    _, answer = command.run("ops", *(word for path in paths for word in ("--model", path)), "--runtime", RUNTIME)
    for of in answer["models"]:
        has = [releases[release].says(of["model"]) == "" for release in every]
        first = len(has) - has[::-1].index(False) if False in has else 0
        expected = every[first] if 0 < first < len(every) else None, has[-1]
        found = of["releases"]["first"], of["releases"]["newest_has_all"]
        passed += found == expected
        if found != expected:
            problems.append(f"{of['model']}: ops names {found} as the first release and for the newest, and sessions {expected}")
    return passed, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    seed = random.randrange(2**31) if options.seed is None else options.seed
    print(f"--seed {seed}")
    every, manifests = known()
    chosen = [manifests[0], random.Random(seed).choice(manifests[1:])] if options.quick else spread(manifests, 4)
    every = chosen if options.quick else every
    releases = Releases(options.folder / "wheels")
    passed, problems = 0, []

    def held(what, result):
        nonlocal passed
        print(f"{result[0]} {what}")
        passed += result[0]
        problems.extend(result[1])

    try:
        count = options.count or (QUICK if options.quick else COUNT)
        held("random models", random_models(releases, chosen, count, options.folder / "random", seed))
        changes = []
        for pair in zip(every, every[1:]):
            found, wrong = changed(releases, pair, options.folder / "changed" / "_".join(pair), seed)
            changes += found
            problems += wrong
            if found:
                print(f"{' to '.join(pair)}: {sum(bool(each.nodes) for each in found)} of {len(found)} changes are shown")
        compared = [change for change in changes if change.nodes]
        if not compared:
            problems.append("no change was compared")
        unclaimed = set() if options.quick else set(RULINGS) - {change.name for change in changes if not change.nodes}
        lost = [f"the ruling of {name} claims nothing" for name in sorted(unclaimed)]
        held("changes between neighbours", (len(compared), lost))
        held("answers about versions taken for older ones", taken_as(releases, chosen, options.folder / "taken_as"))
        paths = list(of_opsets(options.folder / "opsets"))
        held(f"answers about opsets by {len(every)} releases", opsets(releases, every, paths))
        if not options.quick:
            right = [change for change in compared if change.name not in WRONG_BODIES]
            run = [path for change in right for path, said in change.nodes.items() if said == "yes"]
            held("first releases", first_releases(releases, every, paths + run))
    except (command.Broken, subprocess.CalledProcessError) as error:
        problems.append(str(error))
    summary.close("releases", passed, problems)


if __name__ == "__main__":
    main()
