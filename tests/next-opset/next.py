"""What the next release of onnx would say and a person would write, put into a copy of the folder `specs`.

    python3 next.py facts SPECS       puts it into facts/onnx.json: the next opset with a new operator, and one fact changed
    python3 next.py mend SPECS        takes the changed fact over into its descriptor
    python3 next.py describe SPECS    fills in the descriptor of the new operator, as `shape specs import` leaves it

Release, opset and changed fact follow from what the copy has: this holds for whichever opset is the newest.
"""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
CHANGED = {"domain": "ai.onnx", "name": "GroupNormalization", "since_version": 21}
OPPOSITE = {"true": "false", "false": "true"}


def facts(specs):
    path = specs / "facts/onnx.json"
    found = json.loads(path.read_text())
    operators = found["operators"]
    major, minor, _ = found["release"].split(".", 2)
    found |= {"release": f"{major}.{int(minor) + 1}.0", "opset": found["opset"] + 1}
    changed = next(one for one in operators if CHANGED.items() <= one.items())
    changed["has_shape_inference"] = not changed.get("has_shape_inference", False)
    new = json.loads((HERE / "facts.json").read_text())
    assert not any(one["name"] == new["name"] for one in operators), f"onnx has {new['name']} now: take another"
    new["since_version"] = found["opset"]
    for variable in new["types"]:
        variable["allow"] = found["type_sets"].index(variable["allow"])
    operators.append(new)
    path.write_text(json.dumps(found))


def mend(specs):
    path = specs / CHANGED["domain"] / f"{CHANGED['name']}.yaml"
    version = re.compile(rf"  - since: {CHANGED['since_version']}\n(?:    .*\n)*")
    said = re.compile("    shape_inference: (true|false)\n")

    def mended(found):
        if said.search(found[0]):
            return said.sub(lambda fact: f"    shape_inference: {OPPOSITE[fact[1]]}\n", found[0])
        return f"{found[0]}    shape_inference: true\n"

    path.write_text(version.sub(mended, path.read_text(), count=1))


def describe(specs):
    newest = json.loads((specs / "facts/onnx.json").read_text())
    for filled in HERE.glob("*.yaml"):
        text = filled.read_text().replace("OPSET", str(newest["opset"])).replace("RELEASE", newest["release"])
        path = specs / "ai.onnx" / filled.name
        assert path.exists(), f"{path} was not imported"
        path.write_text(text)


if __name__ == "__main__":
    {"facts": facts, "mend": mend, "describe": describe}[sys.argv[1]](Path(sys.argv[2]))
