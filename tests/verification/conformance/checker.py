"""ONNX's checker rule by rule, beside `shape check`: an invalid model for each, those of `invalid_models`.

In each the error is found, with its code and at its place; and the full check of the onnx package refuses what it
is said to refuse and nothing else. What it refuses is an error here too, but for a few codes. In the valid
models that they are made of neither finds anything.
"""

import sys
from collections import Counter
from pathlib import Path

import command
import invalid_models
import summary
from catalogue import findings, refusal

# What the package refuses and others read in one way or another: no error here.
LENIENT = {
    "declaration-incomplete": "what the nodes give says the type and the rank",
    "dims-minus-one": "an unknown size is written so, and runtimes read it so",
    "function-opset": "the imports of the function say which version is meant",
    "ir-version-too-old": "the version of the import says what is meant",
}


def place(finding):
    node = finding["node"]
    return finding["graph"] + (f"#{node['index']}" if node else "")


def main():
    paths = invalid_models.write(Path(sys.argv[1]))
    try:
        found = findings(list(paths.values()))
    except command.Broken as error:
        summary.close("checker", 0, [str(error)])
    problems = []
    for make in invalid_models.VALID:
        path = paths[make.__name__]
        ours, refused = found[str(path)], refusal(path)
        if ours or refused:
            problems.append(f"{make.__name__} is valid: found {[each['message'] for each in ours]}, refused for {refused}")
    for each in invalid_models.INVALID:
        path = paths[each.rule]
        ours, refused = {(one["code"], place(one)) for one in found[str(path)]}, refusal(path)
        expected = {(each.code, each.place)} if each.code else set()
        if not expected <= ours or (ours and not expected):
            problems.append(f"{each.rule}: expected {expected or 'nothing'}, found {sorted(ours)}")
        elif each.found_by == invalid_models.BOTH and (each.code in LENIENT) == any(
            finding["severity"] == "error" for finding in found[str(path)]
        ):
            problems.append(f"{each.rule}: {each.code} is {'an' if each.code in LENIENT else 'no'} error")
        elif (refused is None) != (each.found_by == invalid_models.OURS):
            problems.append(f"{each.rule} is found by {each.found_by}, and the package says {refused}")
    by = Counter(each.found_by for each in invalid_models.INVALID)
    both, ours, theirs = (by[who] for who in (invalid_models.BOTH, invalid_models.OURS, invalid_models.THEIRS))
    print(f"{len(invalid_models.INVALID)} rules: {both} of both, {ours} of ours alone, {theirs} of theirs")
    summary.close("checker", len(paths) - len(problems), problems)


if __name__ == "__main__":
    main()
