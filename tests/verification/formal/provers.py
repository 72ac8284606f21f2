"""Why3 and the two provers: what they are given, within which limits, and what they say.

Answers are kept beside Why3's configuration, by all that they depend on; a run of a changed file asks for the rest alone.

Each goal is split into its parts. A part is given to the first prover of `PROVERS` and, if that one does not prove it, to
the next. What bounds a prover is a number of its own steps, which is the same on every machine; the time limit is for one
that hangs.
"""

import hashlib
import json
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

WHY3 = "1.5.1"


@dataclass(frozen=True)
class Prover:
    name: str
    version: str
    # What Why3 calls it, and the most steps that it is given.
    title: str
    steps: int
    # The least where a fault is seeded.
    least: int


PROVERS = [Prover("cvc4", "1.8", "CVC4,1.8,", 120_000, 30_000), Prover("z3", "4.8.12", "Z3,4.8.12,", 2_000_000, 200_000)]
SECONDS, MEGABYTES = 300, 2000

# The explanations that Why3 itself has for a part, and what they count as; any other is a label of the specification.
OWN = {
    "postcondition": "",
    "exceptional postcondition": "",
    "integer overflow": "overflow",
    "division by zero": "overflow",
    "loop variant decrease": "termination",
    "variant decrease": "termination",
    "": "unreachable",
    "assertion": "steps",
    "precondition": "steps",
    "loop invariant init": "steps",
    "loop invariant preservation": "steps",
    "out of loop bounds": "steps",
    "type invariant": "steps",
    "witness existence": "steps",
}


@dataclass
class Part:
    """A part of a goal, and which prover proved it in how many steps."""

    file: str
    module: str
    name: str
    explanation: str
    line: int
    prover: str = ""
    steps: int = 0
    seconds: float = 0.0

    @property
    def goal(self):
        """`file.Module.name`, and what of it, where it is a program."""
        name = self.name.removesuffix("'vc")
        label = "" if name == self.name else OWN.get(self.explanation, self.explanation)
        return ".".join(filter(None, [self.file, self.module, name, label.replace(" ", "_")]))


@dataclass
class Wanted:
    """Goals of a module: all of them, or those of one name, or of that only those at some places."""

    module: str
    name: str = ""
    places: list = field(default_factory=list)

    def arguments(self):
        name = ["-G", self.name] if self.name else []
        return ["-T", self.module, *name, *(word for place in self.places for word in ("-g", place))]


class Unreadable(Exception):
    """Why3 does not take a file for a specification, or has no such prover."""


def modules(path):
    return re.findall(r"^module (\w+)", path.read_text(), re.MULTILINE)


def seen(path, module):
    """All that a module can depend on: its file as far as it goes, and the files that it uses."""
    text = path.read_text()
    texts = [text[: re.search(rf"^module {module}\n.*?^end$", text, re.MULTILINE | re.DOTALL).end()]]
    waiting, used = [texts[0]], set()
    while waiting:
        for name in sorted(set(re.findall(r"^  (?:use|clone export) (\w+)\.", waiting.pop(), re.MULTILINE)) - used):
            used.add(name)
            if (file := path.with_name(f"{name}.mlw")).exists():
                texts.append(file.read_text())
                waiting.append(texts[-1])
    return texts


def ask(config, prover, steps, path, wanted):
    """The answers of a prover, in the order of the parts."""
    question = [prover.title, steps, SECONDS, MEGABYTES, path.stem, wanted.arguments(), seen(path, wanted.module)]
    kept = Path(config).parent / "answers" / hashlib.sha256(json.dumps(question).encode()).hexdigest()
    if not kept.exists():
        answers = prove_with(config, prover, steps, path, wanted)
        kept.parent.mkdir(exist_ok=True)
        # Another run may keep the same at the same time.
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(answers))
        part.replace(kept)
    return json.loads(kept.read_text())


def prove_with(config, prover, steps, path, wanted):
    limits = ["-s", str(steps), "-t", str(SECONDS), "-m", str(MEGABYTES)]
    split = ["-a", "split_vc", "-a", "eliminate_match"]
    command = ["why3", "prove", "-C", config, "-L", path.parent, "-P", prover.title, *split, *limits, "--json"]
    command += [path, *wanted.arguments()]
    run = subprocess.run(command, capture_output=True, text=True, cwd=path.parent, check=False)
    answers, rest, decoder = [], run.stdout.strip(), json.JSONDecoder()
    while rest:
        answer, end = decoder.raw_decode(rest)
        answers.append(answer)
        rest = rest[end:].strip()
    # 2 says that something is not proved.
    if run.returncode != 0 and (run.returncode != 2 or not answers):
        raise Unreadable(run.stderr.strip() or f"`why3 prove` ended with {run.returncode}")
    return answers


def explanation(term):
    return "".join(term["explanations"][:1])


def line(term):
    return (term["loc"] or {}).get("line", 0)


def take(prover, parts, answers):
    """Puts down what a prover says of each part."""
    for part, answer in zip(parts, answers, strict=True):
        result = answer["prover-result"]
        part.seconds += result["time"]
        if result["answer"] == "Valid" and not part.prover:
            part.prover, part.steps = prover.name, result["step"]


def prove(config, path, wanted, steps=None):
    """The parts of what is wanted, each with the first prover that proves it, or with none."""
    parts = []
    for prover in PROVERS:
        limit = (steps or {}).get(prover.name, prover.steps)
        if not parts:
            answers = ask(config, prover, limit, path, wanted)
            terms = [answer["term"] for answer in answers]
            parts = [Part(path.stem, wanted.module, term["goal_name"], explanation(term), line(term)) for term in terms]
            take(prover, parts, answers)
            continue
        for name in dict.fromkeys(part.name for part in parts if not part.prover):
            again = {(part.line, part.explanation) for part in parts if part.name == name and not part.prover}
            places = [f":{at}@{text}" if text else f":{at}" for at, text in sorted(again)]
            answers = ask(config, prover, limit, path, Wanted(wanted.module, name, places))
            chosen = {(line(answer["term"]), explanation(answer["term"])) for answer in answers}
            asked = [part for part in parts if part.name == name and (part.line, part.explanation) in chosen]
            take(prover, asked, answers)
    return parts
