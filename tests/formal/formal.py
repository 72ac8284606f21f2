"""Proves the specifications of the profile, and shows that each of their goals can be lost.

    formal.py CONFIG OUT [--bless] [--fault NAME]

CONFIG is Why3's configuration, OUT the file that takes the result. README.md says what is done.
"""

import argparse
import json
import re
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import mirror
import provers

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SPECS = ROOT / "specs/profiles/sonnx"
COMMITTED = SPECS / "proofs.json"
AT_ONCE = 2

# What no fault need lose: what only leads to a statement, and has none of its own.
INNER = "steps"
# What a program is asked beside its contract; README.md says it once for all.
COMMON = (INNER, "overflow", "termination", "unreachable")

# A row of a table of README.md: a goal, and what it says.
ROW = re.compile(r"^\| `([\w.]+)` \| (.+) \|$", re.MULTILINE)


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


def seed(config, fault, goals):
    """What is wrong with a fault: nothing, if it loses what it says."""
    path = ROOT / fault["file"]
    text = path.read_text()
    if text.count(fault["find"]) != 1:
        return [f"what it replaces stands {text.count(fault['find'])} times in {fault['file']}"]
    faulted = text.replace(fault["find"], fault["put"])
    if fault["file"].endswith(".rs") or all(goal.startswith("mirror.") for goal in fault["loses"]):
        verdicts = mirror.check(lambda name: faulted if name == fault["file"] else (ROOT / name).read_text())
        return [f"{goal} is not lost" for goal in fault["loses"] if verdicts.get(goal) is None]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for spec in SPECS.glob("*.mlw"):
            (Path(folder) / spec.name).write_text(faulted if spec == path else spec.read_text())
        for goal in fault["loses"]:
            if goal not in goals:
                problems.append(f"{goal} is no goal")
            elif not lost(config, Path(folder), goal, goals[goal]):
                problems.append(f"{goal} is not lost")
    return problems


def lost(config, folder, goal, parts):
    """Whether a goal that was proved in these parts is not proved in a folder with a fault.

    Each prover is given three times the steps that it took there.
    """
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


def common(goal):
    return goal.rsplit(".", 1)[1] in COMMON


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("config")
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--bless", action="store_true", help=f"write {COMMITTED.relative_to(ROOT)} anew")
    arguments.add_argument("--fault", help="seed this fault alone")
    asked = arguments.parse_args()
    problems = []

    verdicts = mirror.check(lambda name: (ROOT / name).read_text())
    problems += [f"{name}: {verdict}" for name, verdict in verdicts.items() if verdict]
    print(f"mirrors: {sum(verdict is None for verdict in verdicts.values())} of {len(verdicts)} stand", flush=True)

    goals = prove_all(asked.config)
    open_ones = [goal for goal, parts in goals.items() if not all(part.prover for part in parts)]
    problems += [f"{goal} is not proved" for goal in open_ones]
    parts = sum(map(len, goals.values()))
    print(f"goals: {len(goals) - len(open_ones)} of {len(goals)} proved, in {parts} parts", flush=True)

    says = dict(ROW.findall((SPECS / "README.md").read_text()))
    problems += [f"README.md says nothing of {goal}" for goal in goals if not common(goal) and goal not in says]
    problems += [f"README.md tells of {goal}, which there is not" for goal in says if goal not in goals]

    faults = tomllib.loads((HERE / "faults.toml").read_text())["fault"]
    if asked.fault:
        faults = [fault for fault in faults if fault["name"] == asked.fault]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        seeded = list(pool.map(lambda fault: seed(asked.config, fault, goals), faults))
    for fault, wrong in zip(faults, seeded, strict=True):
        problems += [f"fault `{fault['name']}`: {problem}" for problem in wrong]
    print(f"faults: {seeded.count([])} of {len(faults)} lose what they should", flush=True)

    lost_by = {}
    for fault, wrong in zip(faults, seeded, strict=True):
        for goal in fault["loses"] if not wrong else []:
            lost_by.setdefault(goal, []).append(fault["name"])
    never = [goal for goal in [*goals, *verdicts] if goal not in lost_by and not goal.endswith(f".{INNER}")]
    if not asked.fault:
        problems += [f"no fault loses {goal}" for goal in never]
    write(asked, goals, verdicts, says, lost_by, problems)
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


def write(asked, goals, verdicts, says, lost_by, problems):
    """Writes the result, and holds that which is committed against it."""

    def row(goal, parts):
        proved = all(part.prover for part in parts)
        return {
            "goal": goal,
            "file": f"{SPECS.relative_to(ROOT)}/{parts[0].file}.mlw",
            "says": says.get(goal),
            "status": "proved" if proved else "open",
            "parts": len(parts),
            "lost_by": lost_by.get(goal, []),
        }

    def measured(parts):
        by = [prover.name for prover in provers.PROVERS if any(part.prover == prover.name for part in parts)]
        steps = {name: max(part.steps for part in parts if part.prover == name) for name in by}
        return {"most_steps": steps, "seconds": round(sum(part.seconds for part in parts), 2)}

    result = {
        "schema_version": 1,
        "tools": {"why3": provers.WHY3} | {prover.name: prover.version for prover in provers.PROVERS},
        "totals": {"goals": len(goals), "parts": sum(map(len, goals.values())), "mirrors": len(verdicts)},
        "goals": [row(goal, parts) for goal, parts in goals.items()],
        "mirrors": [
            {"mirror": name, "status": "stands" if verdict is None else "lost", "lost_by": lost_by.get(name, [])}
            for name, verdict in verdicts.items()
        ],
    }
    text = json.dumps(result, indent=1, ensure_ascii=False) + "\n"
    if asked.bless:
        COMMITTED.write_text(text)
    elif not asked.fault and (not COMMITTED.exists() or COMMITTED.read_text() != text):
        problems.append(f"{COMMITTED.relative_to(ROOT)} is not what this run says: tests/formal/run --bless writes it")
    for goal in result["goals"]:
        goal |= measured(goals[goal["goal"]])
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
