"""What the conversions of `convert.py` came to: the problems, and `convert.json`, of which `pages.py` writes CONVERT.md."""

from collections import Counter, defaultdict

import onnx
import pages
import summary
from conversion import RIGHT, Outcome, version
from conversion_cases import CONSTANT, PLAIN, SYMBOLIC

RECORD = "convert.json"
VARIANTS = {
    PLAIN: "as they are",
    CONSTANT: "all inputs but the first constant",
    SYMBOLIC: "and every declared dimension a symbol",
}
# Rewrites that compute something in another way than the operator does, so that the last bits may differ.
TOLERATED = {
    "ReduceLogSum": "onnxruntime has no kernel of version 28, and runs its body",
    "ReduceLogSumExp": "onnxruntime has no kernel of version 28, and runs its body",
}
# A problem of many models is told with the first few of them.
PLACES = 3


def refusal(finding):
    return f"{finding['code']}: {finding['message']}"


def blamed(found, verdict):
    """For each conversion the step at which its outcome begins, on the way from the model's own opset: the operators
    that have another version after it."""
    models = defaultdict(list)
    for row in found:
        models[row.name, row.variant, row.target > row.opset].append(row)
    for rows in models.values():
        rows.sort(key=lambda row: abs(row.target - row.opset))
        for row in rows:
            last = row.opset
            for each in rows:
                if verdict(each).outcome == verdict(row).outcome:
                    break
                last = each.target
            steps = [(op_type, version(op_type, last), version(op_type, each.target)) for op_type in row.operators]
            yield row, ", ".join(f"{op_type} {old} -> {new}" for op_type, old, new in steps if old != new)


def here(row):
    return row.here


def there(row):
    return row.there


def refused_alone(row):
    """Whether the package converts rightly what we refuse."""
    return row.here.outcome == Outcome.REFUSED and row.there.outcome in RIGHT


def grouped(found, verdict, chosen):
    """How many of the conversions that are chosen there are at each step, and the smallest of them."""
    groups = defaultdict(list)
    for row, step in blamed(found, verdict):
        if chosen(row):
            groups[step, verdict(row).outcome, verdict(row).why.split("\n")[0][:200]].append(row)
    for (step, outcome, why), rows in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        smallest = min(rows, key=lambda row: (abs(row.target - row.opset), row.variant != PLAIN, row.name))
        yield step, outcome, why, rows, smallest


def place(row):
    return f"{row.name} ({row.variant}) {row.opset} -> {row.target}"


def wrong(row):
    return row.here.outcome in (Outcome.WRONG, Outcome.INVALID) or (
        row.here.outcome == Outcome.REWRITTEN and not TOLERATED.keys() & row.operators.keys()
    )


def alone(found):
    """The steps that the package takes rightly and we refuse, with how many conversions."""
    counts = Counter(step for row, step in blamed(found, here) if refused_alone(row))
    return dict(sorted(counts.items()))


def counts(rows, verdict):
    number = Counter(verdict(row).outcome for row in rows if verdict(row) is not None)
    return {str(outcome): number[outcome] for outcome in Outcome}


def totals(found):
    by = {variant: [row for row in found if row.variant == variant] for variant in VARIANTS}
    return {
        VARIANTS[variant]: {"here": counts(rows, here), "there": counts(rows, there)} for variant, rows in by.items()
    }


def problems(found, everything):
    for step, outcome, why, rows, _ in grouped(found, here, wrong):
        yield f"{step}: {outcome}: {why}: {len(rows)} conversions, such as {', '.join(map(place, rows[:PLACES]))}"
    known = Counter()
    for step, count, *_ in pages.data(RECORD)["refused alone"]:
        known[step] += count
    for step, count in alone(found).items():
        if step not in known or everything and count > known[step]:
            row = next(row for row, at in blamed(found, here) if at == step and refused_alone(row))
            yield (
                f"{step}: {count} conversions are refused, which the package does right, and {known[step]} are "
                f"listed ({row.here.why}), such as {place(row)}"
            )


def counted(found, models):
    """The numbers in `convert.json`."""
    return {
        "onnx": onnx.__version__,
        "models": models,
        "cases": len({row.name for row in found}),
        "possible": sum(row.there is not None and row.there.outcome in RIGHT for row in found),
        "totals": totals(found),
    }


def listed(found):
    """The lists in `convert.json`, where the package was asked for every conversion."""
    bad = (Outcome.WRONG, Outcome.INVALID)
    return {
        "refused alone": [
            [step, len(rows), why, place(smallest)] for step, _, why, rows, smallest in grouped(found, here, refused_alone)
        ],
        "faults": [
            [step, len(rows), f"{outcome}: {why}", place(smallest)]
            for step, outcome, why, rows, smallest in grouped(found, there, lambda row: row.there.outcome in bad)
        ],
    }


def close(found, cases, options, small, bad):
    """Ends the step; `small` conversions of small models were right, and `bad` tells of the others."""
    told = counted(found, cases)
    print(pages.conversions(told))
    if options.record:
        pages.write(RECORD, told | listed(found))
        pages.write_pages()
    bad += problems(found, options.all)
    summary.close("conversion", small + sum(not wrong(row) for row in found), bad)
