"""What the conversions of `convert.py` came to: the problems, `convert.json`, and the tables in the pages."""

import json
from collections import Counter, defaultdict
from pathlib import Path

import onnx
import summary
from conversion import RIGHT, Outcome, version
from conversion_cases import CONSTANT, PLAIN, SYMBOLIC

HERE = Path(__file__).parent
RECORD = HERE / "convert.json"
PAGES = [HERE / "CONVERT.md", HERE / "README.md"]
VARIANTS = {
    PLAIN: "as they are",
    CONSTANT: "all inputs but the first constant",
    SYMBOLIC: "and every declared dimension a symbol",
}
# Rewrites that compute something in another way than the operator does, so that the last bits may differ.
TOLERATED = {}
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
    return {variant: {"here": counts(rows, here), "there": counts(rows, there)} for variant, rows in by.items()}


def problems(found, everything):
    for step, outcome, why, rows, _ in grouped(found, here, wrong):
        yield f"{step}: {outcome}: {why}: {len(rows)} conversions, such as {', '.join(map(place, rows[:PLACES]))}"
    listed = json.loads(RECORD.read_text())["refused alone"] if RECORD.exists() else {}
    for step, count in alone(found).items():
        if step not in listed or everything and count > listed[step]:
            row = next(row for row, at in blamed(found, here) if at == step and refused_alone(row))
            yield (
                f"{step}: {count} conversions are refused, which the package does right, and {listed.get(step, 0)} are "
                f"listed ({row.here.why}), such as {place(row)}"
            )


def total_table(found):
    lines = [f"| conversions of {len({row.name for row in found})} models | all | {' | '.join(Outcome)} |"]
    lines.append("|---" * (2 + len(Outcome)) + "|")
    for variant, numbers in totals(found).items():
        for who, key in (("`shape convert`", "here"), (f"onnx {onnx.__version__}", "there")):
            each = numbers[key]
            cells = [sum(each.values()), *each.values()]
            lines.append(f"| {VARIANTS[variant]}: {who} | {' | '.join(map(str, cells))} |")
    possible = [row for row in found if row.there and row.there.outcome in RIGHT]
    refused = sum(map(refused_alone, found))
    share = 100 * refused / max(len(possible), 1)
    done = f"Of the {len(possible)} conversions that the package does right, {refused} are refused here"
    return [*lines, "", f"{done} ({share:.2f} %)."]


def lists(found):
    lines = ["## Refused here, and converted rightly by the package", "", "| step | conversions | because | such as |"]
    lines.append("|---|---|---|---|")
    for step, _, why, rows, smallest in grouped(found, here, refused_alone):
        lines.append(f"| {step} | {len(rows)} | {cell(why)} | {place(smallest)} |")
    lines += ["", f"## Faults of the converter of onnx {onnx.__version__}", ""]
    lines += ["| step | conversions | what | such as |", "|---|---|---|---|"]
    bad = (Outcome.WRONG, Outcome.INVALID)
    for step, outcome, why, rows, smallest in grouped(found, there, lambda row: row.there.outcome in bad):
        lines.append(f"| {step} | {len(rows)} | {outcome}: {cell(why)} | {place(smallest)} |")
    return lines


def cell(text):
    return text.replace("|", "\\|")


def record(found, cases):
    data = {"models": cases, "totals": totals(found), "refused alone": alone(found)}
    RECORD.write_text(json.dumps(data, indent=2) + "\n")
    for page, told in zip(PAGES, ([*total_table(found), "", *lists(found)], total_table(found)), strict=True):
        before, rest = page.read_text().split("<!-- conversions -->\n")
        after = rest.split("<!-- end of conversions -->\n")[1]
        page.write_text(f"{before}<!-- conversions -->\n" + "\n".join(told) + "\n<!-- end of conversions -->\n" + after)


def close(found, cases, options, small, bad):
    """Ends the step; `small` conversions of small models were right, and `bad` tells of the others."""
    print("\n".join(total_table(found)))
    if options.record:
        record(found, cases)
    bad += problems(found, options.all)
    summary.close("conversion", small + sum(not wrong(row) for row in found), bad)
