"""Proves the specifications of the profile, and shows that each of their goals can be lost.

    formal.py CONFIG OUT [--bless] [--fault NAME | --sample [--seed SEED]]

CONFIG is Why3's configuration, OUT the file that takes the result. README.md says what is done.
"""

import argparse
import json
import random
import re
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from pathlib import Path

import measured
import mirror
import provers

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SPECS = ROOT / "specs/profiles/sonnx"
COMMITTED = SPECS / "proofs.json"
AT_ONCE = 2

# What a program is asked beside its contract; README.md says it once for all.
COMMON = ("steps", "overflow", "termination", "unreachable")

# A row of a table of README.md: a goal, or a pattern of several, and what it says.
ROW = re.compile(r"^\| `(\w+\.\w+\.[\w.*]+)` \| (.+) \|$", re.MULTILINE)
# What the committed result need not repeat: how the provers came to it.
HOW = "provers"


def prove_all(config):
    """The parts of all goals, by goal."""
    paths = sorted(SPECS.glob("*.mlw"))
    # The longest first, so that nobody waits for it alone.
    units = [(path, module) for path in paths for module in provers.modules(path)]
    units.sort(key=lambda unit: -unit[0].read_text().split(f"module {unit[1]}\n", 1)[1].split("\nend", 1)[0].count("\n"))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        proved = pool.map(lambda unit: provers.prove(config, unit[0], provers.Wanted(unit[1])), units)
        goals = {}
        for part in (part for parts in proved for part in parts):
            goals.setdefault(part.goal, []).append(part)
    order = {path.stem: number for number, path in enumerate(paths)}
    return dict(sorted(goals.items(), key=lambda goal: (order[goal[1][0].file], goal[1][0].line, goal[0])))


def misplaced(fault):
    """What is wrong with the place of a fault: nothing, if there is one."""
    found = (ROOT / fault["file"]).read_text().count(fault["find"])
    return [] if found == 1 else [f"what it replaces stands {found} times in {fault['file']}"]


def sampled(faults, chance):
    """One fault of each module that a fault loses a goal of, and all that lose a mirror, which takes no time.

    The faults of a module go the same way: Why3 reads the same file, and the same provers are asked about the same kind of
    goals. Whether all goals are proved is asked without a sample.
    """
    kinds = {}
    for fault in faults:
        goal = fault["loses"][0]
        kind = fault["name"] if goal.startswith("mirror.") else tuple(goal.split(".")[:2])
        kinds.setdefault(kind, []).append(fault)
    return [chance.choice(each) for each in kinds.values()]


def seed(config, fault, goals):
    """What is wrong with a fault: nothing, if it loses what it says."""
    if wrong := misplaced(fault):
        return wrong
    path = ROOT / fault["file"]
    text = path.read_text()
    faulted = text.replace(fault["find"], fault["put"])
    if fault["file"].endswith(".rs") or all(goal.startswith("mirror.") for goal in fault["loses"]):
        verdicts = mirror.check(lambda name: faulted if name == fault["file"] else (ROOT / name).read_text())
        return [f"{goal} is not lost" for goal in fault["loses"] if verdicts.get(goal) is None]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for spec in SPECS.glob("*.mlw"):
            (Path(folder) / spec.name).write_text(faulted if spec == path else spec.read_text())
        for goal in fault["loses"]:
            try:
                if not lost(config, Path(folder), goal, goals.get(goal)):
                    problems.append(f"{goal} is not lost")
            except provers.Unreadable as error:
                problems.append(f"what it puts there is no WhyML: {error}")
    return problems


def lost(config, folder, goal, parts):
    """Whether a goal that was proved in these parts is not proved in a folder with a fault.

    Each prover is given three times the steps that it took there. Without parts the goal is one that only the fault
    brings, such as an overflow.
    """
    if parts is None:
        file, module, program, _ = goal.split(".")
        parts = [provers.Part(file, module, f"{program}'vc", "", 0)]
    steps = {
        prover.name: max([3 * part.steps for part in parts if part.prover == prover.name] + [prover.least])
        for prover in provers.PROVERS
    }
    first = parts[0]
    labels = dict.fromkeys(part.explanation for part in parts)
    wanted = provers.Wanted(first.module, first.name, [f"@{label}" for label in labels if label])
    again = provers.prove(config, folder / f"{first.file}.mlw", wanted, steps)
    # A goal that is gone was not lost, but taken away.
    again = [part for part in again if part.goal == goal]
    return bool(again) and not all(part.prover for part in again)


def said(goals):
    """What README.md says of each goal, and what is wrong with that.

    A goal of a program that is not named in its contract serves other goals alone, and needs no sentence.
    """
    rows = ROW.findall((SPECS / "README.md").read_text())
    says, problems = {}, []
    for goal, parts in goals.items():
        sentences = [sentence for pattern, sentence in rows if fnmatchcase(goal, pattern)]
        inner = goal.rsplit(".", 1)[1] in COMMON or parts[0].name.endswith("'vc") and goal.count(".") == 2
        if len(sentences) > 1 or not sentences and not inner:
            problems.append(f"README.md has {len(sentences)} sentences for {goal}")
        says[goal] = "; ".join(sentences) or None
    missing = [pattern for pattern, _ in rows if not any(fnmatchcase(goal, pattern) for goal in goals)]
    return says, problems + [f"README.md tells of {pattern}, which there is not" for pattern in missing]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("config")
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--bless", action="store_true", help=f"write {COMMITTED.relative_to(ROOT)} anew")
    arguments.add_argument("--no-page", dest="page", action="store_false", help="do not ask for a page that is up to date")
    arguments.add_argument("--fault", help="seed this fault alone")
    arguments.add_argument("--sample", action="store_true", help="seed one fault of each module, by chance")
    arguments.add_argument("--seed", type=int, help="of this chance; without it, a fresh one that is printed")
    asked = arguments.parse_args()
    if asked.sample and asked.bless:
        arguments.error("what is written anew is written of all faults")
    problems = []

    verdicts = mirror.check(lambda name: (ROOT / name).read_text())
    problems += [f"{name}: {verdict}" for name, verdict in verdicts.items() if verdict]
    print(f"mirrors: {sum(verdict is None for verdict in verdicts.values())} of {len(verdicts)} stand", flush=True)

    goals = prove_all(asked.config)
    open_ones = [goal for goal, parts in goals.items() if not all(part.prover for part in parts)]
    problems += [f"{goal} is not proved" for goal in open_ones]
    parts = sum(map(len, goals.values()))
    print(f"goals: {len(goals) - len(open_ones)} of {len(goals)} proved, in {parts} parts", flush=True)

    says, wrong = said(goals)
    problems += wrong

    all_faults = faults = tomllib.loads((HERE / "faults.toml").read_text())["fault"]
    if asked.fault:
        faults = [fault for fault in faults if fault["name"] == asked.fault]
    if asked.sample:
        number = asked.seed if asked.seed is not None else random.SystemRandom().randrange(10**9)
        print(f"faults: one of each module, --sample --seed {number}", flush=True)
        faults = sampled(faults, random.Random(number))
    # Of a fault that is not seeded, what it says is taken for what it loses.
    left = [fault for fault in all_faults if asked.sample and fault not in faults]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        seeded = list(pool.map(lambda fault: seed(asked.config, fault, goals), faults))
    found = {fault["name"]: wrong for fault, wrong in zip(faults, seeded, strict=True)}
    found |= {fault["name"]: misplaced(fault) for fault in left}
    for name, wrong in found.items():
        problems += [f"fault `{name}`: {problem}" for problem in wrong]
    print(f"faults: {seeded.count([])} of {len(faults)} lose what they should", flush=True)

    lost_by = {}
    for fault in all_faults:
        for goal in fault["loses"] if found.get(fault["name"]) == [] else []:
            lost_by.setdefault(goal, []).append(fault["name"])
    write(asked, goals, verdicts, says, lost_by, problems)
    if asked.page:
        problems += measured.problems(ROOT)
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


def write(asked, goals, verdicts, says, lost_by, problems):
    """Writes the result, and holds that which is committed against it."""

    def row(goal, parts):
        names = [prover.name for prover in provers.PROVERS if any(part.prover == prover.name for part in parts)]
        return {
            "goal": goal,
            "file": f"{SPECS.relative_to(ROOT)}/{parts[0].file}.mlw",
            "says": says.get(goal),
            "status": "proved" if all(part.prover for part in parts) else "open",
            "parts": len(parts),
            HOW: {name: max(part.steps for part in parts if part.prover == name) for name in names},
            "lost_by": lost_by.get(goal, []),
        }

    result = {
        "schema_version": 1,
        "tools": {"why3": provers.WHY3} | {prover.name: prover.version for prover in provers.PROVERS},
        "totals": {
            "goals": len(goals),
            "parts": sum(map(len, goals.values())),
            "mirrors": len(verdicts),
            "faults": len({fault for faults in lost_by.values() for fault in faults}),
            "goals_lost_by_a_fault": sum(goal in lost_by for goal in goals),
        },
        "goals": [row(goal, parts) for goal, parts in goals.items()],
        "mirrors": [
            {"mirror": name, "status": "stands" if verdict is None else "lost", "lost_by": lost_by.get(name, [])}
            for name, verdict in verdicts.items()
        ],
    }
    text = json.dumps(result, indent=1, ensure_ascii=False) + "\n"
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(text)
    if asked.bless:
        COMMITTED.write_text(text)
    elif not asked.fault and (not COMMITTED.exists() or what(COMMITTED.read_text()) != what(text)):
        committed = COMMITTED.relative_to(ROOT)
        problems.append(f"{committed} is not what this run says: tests/verification/formal/run --bless writes it")


def what(text):
    """The result without how it was come by."""
    result = json.loads(text)
    for goal in result["goals"]:
        del goal[HOW]
    return result


if __name__ == "__main__":
    main()
