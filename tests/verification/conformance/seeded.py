"""Whether generated models find faults of conversion that are put back on purpose, and after how long.

Each of `SEEDED` takes from a descriptor what keeps a conversion right: most of it came with a commit that mended just this, the
rest is what a descriptor would say that overlooks a version's new meaning. All are in different operators, so that one build has
them all: a clone of the last commit, changed and built in the folder given. Then `generated.py` makes single nodes of all operators
with a fresh seed, not of those alone, and a fault is found with the first case of its operator that comes out wrong.
"""

import argparse
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from os import environ
from pathlib import Path

import summary

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WRONG = re.compile(r"^wrong: --seed (\d+) nodes (\w+?)_\d+_\d+: (convert .*)")


@dataclass(frozen=True)
class Fault:
    """A text of the descriptor of an operator, and what stands there where the fault is."""

    operator: str
    what: str
    old: str
    new: str


NEEDS_LAST_AXIS = '      - { keep: both, when: "axis == -1 or axis == rank(input) - 1" }\n'
SEEDED = [
    Fault(
        "Resize",
        "10 -> 11 rounds down wherever it takes the nearest",
        '''value: floor, when: "mode is nearest and min(scales) >= 1" }
      - { assume: nearest_mode, value: ceil, when: "mode is nearest and max(scales) <= 1 and min(scales) < 1" }
''',
        """value: floor }
""",
    ),
    Fault(
        "RoiAlign",
        "16 -> 10 drops half_pixel, as it is the default",
        "adapter: [{ assume: coordinate_transformation_mode, value: output_half_pixel }]",
        "adapter: [{ drop: [coordinate_transformation_mode], way: down }]",
    ),
    Fault("Softmax", "11 -> 13 keeps the node, whatever its axis", NEEDS_LAST_AXIS, "      - { keep: both }\n"),
    Fault("Hardmax", "11 -> 13 copies a dimension of 0 from the rows", '      - { keep: both, when: "size(input) == 0" }\n', ""),
    Fault("LogSoftmax", "13 -> 11 keeps the node, whatever its axis", NEEDS_LAST_AXIS, "      - { keep: down }\n" + NEEDS_LAST_AXIS),
    Fault(
        "Split",
        "18 -> 13 drops the number of parts where they are not equal",
        '''way: down, when: "input[axis] % num_outputs == 0" }
      - { keep: down, when: "given(split) or input[axis] % num_outputs == 0" }
''',
        """way: down }
      - { keep: down }
""",
    ),
    Fault(
        "Dropout",
        "10 -> 12 keeps the mask, of which the versions differ",
        '''      - refuse: both
        when: "given(mask)"
        why: "The two versions differ about the mask where nothing is dropped."
''',
        "",
    ),
    Fault(
        "ReduceL1",
        "18 -> 13 drops noop_with_empty_axes with empty axes",
        'when: "size(axes) == 0 and noop_with_empty_axes == 0" }\n      - { drop: [noop_with_empty_axes], way: down, when: "size(axes) > 0" }',
        'when: "size(axes) == 0" }\n      - { drop: [noop_with_empty_axes], way: down }',
    ),
    Fault(
        "Pad",
        "18 -> 13 drops the axes",
        '{ down: ["output = Pad<mode = mode>(data, spread(pads, axes, rank(data)), constant_value)"], when: "given(axes)" }',
        "{ drop: [axes], way: down }",
    ),
    Fault(
        "Attention",
        "23 <-> 24 keeps a mask that is shorter than the keys",
        """      - refuse: both
        why: "a last axis of `attn_mask` that is shorter than the keys means something else in the two versions, and it may be shorter"
""",
        "",
    ),
]


def put_back(folder):
    for fault in SEEDED:
        path = folder / "specs/ai.onnx" / f"{fault.operator}.yaml"
        text = path.read_text()
        if fault.old not in text:
            sys.exit(f"{path} does not have what {fault.operator}: {fault.what} changes")
        path.write_text(text.replace(fault.old, fault.new))


def build(folder):
    """The command of a clone with the faults; a clone that is there is taken as it is."""
    clone = folder / "clone"
    if not clone.exists():
        subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, clone], check=True)
        put_back(clone)
    target = {**environ, "CARGO_TARGET_DIR": str(folder / "target")}
    command = ["cargo", "build", "--quiet", "--release", "-p", "onnxspec-cli", "--bin", "shape"]
    subprocess.run(command, cwd=clone, env=target, check=True)
    return folder / "target/release/shape"


def hunt(shape, folder, seconds, seed):
    """The seconds after which the fault of each operator was found, with the case that showed it."""
    called = {**environ, "SHAPE": str(shape)}
    called.pop("SHAPE_MANY", None)
    options = ["--kind", "nodes", "--only", "convert", "--seconds", str(seconds), *seed]
    command = [sys.executable, HERE / "generated.py", folder / "failures", *options]
    begun, found = time.monotonic(), {}
    with subprocess.Popen(command, env=called, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            told = WRONG.match(line)
            if told and told[2] not in found:
                found[told[2]] = time.monotonic() - begun, f"--seed {told[1]}, {told[3][:80]}"
            if all(fault.operator in found for fault in SEEDED):
                process.terminate()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="for the clone, its target and what comes out wrong")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", nargs=1, default=[])
    given = parser.parse_args()
    folder = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    found = hunt(build(folder), folder, given.seconds, ["--seed", *given.seed] if given.seed else [])
    for fault in SEEDED:
        when, case = found.get(fault.operator, (None, ""))
        print(f"| {fault.operator} | {fault.what} | {'not found' if when is None else f'{when:.0f} s'} | {case}")
    missed = [fault.operator for fault in SEEDED if fault.operator not in found]
    summary.close("seeded", len(SEEDED) - len(missed), [f"{name}: not found in {given.seconds:.0f} s" for name in missed])


if __name__ == "__main__":
    main()
