"""Whether a converted model is the one that it was: the judge of `convert.py`."""

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum

import engines
import onnx
from onnx import checker, version_converter
from conversion_rulings import ruling
from runtime import Refused

# What each of its operators was when, for every operator that ever was in ai.onnx.
HISTORY = defaultdict(set)
for schema in onnx.defs.get_all_schemas_with_history():
    if schema.domain == "":
        HISTORY[schema.name].add(schema.since_version)
NEWEST = onnx.defs.onnx_opset_version()
# Two runs of one model differ.
RANDOM = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}


class Outcome(StrEnum):
    """Of a conversion, the best one first."""

    SAME = "same"  # to the bit, in onnxruntime
    EVALUATED = "evaluated"  # to the bit, in the evaluator of the package
    KERNEL = "kernel"  # within the tolerance; the nodes are the same, the kernels of their versions are not
    REWRITTEN = "rewritten"  # within the tolerance; other nodes compute it
    RECORDED = "recorded"  # within the tolerance of what the case records; one side alone can be run
    UNKNOWN = "unknown"  # cannot be run
    REFUSED = "refused"
    INVALID = "invalid"  # the package's full check refuses it
    WRONG = "wrong"


RIGHT = (Outcome.SAME, Outcome.EVALUATED, Outcome.KERNEL, Outcome.REWRITTEN, Outcome.RECORDED)


@dataclass(frozen=True)
class Verdict:
    outcome: Outcome
    why: str = ""


def targets(model):
    """The opsets at which a version of one of its operators begins, and those before these, without its own."""
    firsts = set().union(*(HISTORY[op_type] for op_type in engines.versions(model)))
    near = {opset for first in firsts for opset in (first - 1, first)}
    return sorted(opset for opset in near if 1 <= opset <= NEWEST and opset != engines.opset(model))


def version(op_type, opset):
    """Its version at the opset, whether it is deprecated there or not; None before its first."""
    return max((first for first in HISTORY[op_type] if first <= opset), default=None)


def fault(model):
    """What the package's full check says of a model."""
    try:
        checker.check_model(model, full_check=True)
    except Exception as error:
        return str(error).strip()
    return None


def plain_nodes(graph):
    return [node.SerializeToString(deterministic=True) for node in graph.node]


class Trust:
    """The versions of operators of which the evaluator gets every recorded case right; those that no case has are not
    among them. It takes little notice of versions."""

    def __init__(self, cases):
        self.cases, self.known = defaultdict(list), {}
        for case in cases:
            used = engines.versions(case.model)
            if len(case.model.graph.node) == len(used) == 1:
                self.cases[next(iter(used.items()))].append(case)

    def right(self, case):
        try:
            found = list(engines.by_evaluator(case.model, case.given))
        except engines.NoKernel:
            return False
        return engines.alike(found, case.recorded, engines.within_tolerance)

    def __contains__(self, used):
        if used not in self.known:
            self.known[used] = bool(self.cases[used]) and all(map(self.right, self.cases[used]))
        return self.known[used]


class Judge:
    """Of the conversions of one case."""

    def __init__(self, case, trust):
        self.case, self.trust = case, trust
        self.fault = self.check(case.model)
        self.before, self.refused = self.run(case.model)
        again, _ = self.run(case.model) if self.before is not None else (None, None)
        listed = RANDOM & engines.versions(case.model).keys()
        self.random = bool(listed) or not engines.alike(self.before, again, engines.to_the_bit)

    def check(self, model):
        """What the package's full check says of a model."""
        return fault(model)

    def run(self, model):
        """The outputs, or None; and why onnxruntime refuses the model, if it does."""
        try:
            return list(engines.by_onnxruntime(model, self.case.given)), None
        except engines.NoKernel:
            return None, None
        except Refused as error:
            return None, str(error)

    def evaluate(self, model):
        """The outputs, where the evaluator can be trusted with all operators of the model, or None."""
        if not all(used in self.trust for used in engines.versions(model).items()):
            return None
        try:
            return list(engines.by_evaluator(model, self.case.given))
        except engines.NoKernel:
            return None

    def compared(self, before, after, same, model):
        """The verdict on outputs of one engine; `before` may be None."""
        if before is not None:
            if engines.alike(before, after, engines.to_the_bit):
                return Verdict(same)
            if engines.alike(before, after, engines.within_tolerance):
                kept = plain_nodes(self.case.model.graph) == plain_nodes(model.graph)
                return Verdict(Outcome.KERNEL if kept else Outcome.REWRITTEN)
            return Verdict(Outcome.WRONG, "other outputs")
        # What was recorded long ago was rounded in other ways; a run of today is better evidence.
        known = self.case.recorded if self.before is None else self.before
        if engines.alike(known, after, engines.within_tolerance):
            return Verdict(Outcome.RECORDED)
        return Verdict(Outcome.WRONG, "other outputs than recorded")

    def __call__(self, model, exact=True):
        """The verdict on a converted model. Its inputs and outputs must be `exact`ly those of the model."""
        verdict = self.judge(model, exact)
        if verdict.outcome in (Outcome.INVALID, Outcome.WRONG):
            if claimed := ruling(engines.versions(model), verdict.why):
                return Verdict(Outcome.UNKNOWN, claimed.reason)
        return verdict

    def judge(self, model, exact):
        if self.fault is None and (found := self.check(model)):
            return Verdict(Outcome.INVALID, found)
        if self.declares_others(model, exact):
            return Verdict(Outcome.WRONG, "it declares other inputs or outputs")
        after, refused = self.run(model)
        if refused and self.before is not None:
            return Verdict(Outcome.WRONG, f"not run: {refused}")
        if self.random:
            known = after is not None and self.before is not None
            if known and not engines.alike(self.before, after, engines.of_a_kind):
                return Verdict(Outcome.WRONG, "outputs of other types or dimensions")
            return Verdict(Outcome.UNKNOWN, "random")
        if self.refused:
            return Verdict(Outcome.UNKNOWN, f"refused as it is: {self.refused}")
        if after is not None:
            return self.compared(self.before, after, Outcome.SAME, model)
        after = self.evaluate(model)
        if after is not None:
            before = self.evaluate(self.case.model)
            verdict = self.compared(before, after, Outcome.EVALUATED, model)
            if before is not None or verdict.outcome != Outcome.WRONG:
                return verdict
            return Verdict(Outcome.UNKNOWN, "the evaluator differs from what an older release recorded")
        return Verdict(Outcome.UNKNOWN, refused or "no kernel")

    def declares_others(self, model, exact):
        """Whether inputs or outputs differ, or their types do if they must be `exact`ly the same. Up to IR version 3, an
        initializer must be an input too, and no caller can replace it: such inputs may come, and go where the version is
        raised."""
        old, new = ({tensor.name for tensor in of.graph.initializer} for of in (self.case.model, model))
        inputs = list(self.case.model.graph.input)
        if self.case.model.ir_version < 4 <= model.ir_version:
            kept = {info.name for info in model.graph.input}
            inputs = [info for info in inputs if info.name in kept or info.name not in old]
        added = [info.name for info in model.graph.input[len(inputs) :]]
        if not new.issuperset(added) or exact and added and model.ir_version >= 4:
            return True
        pairs = [(inputs, model.graph.input[: len(inputs)]), (self.case.model.graph.output, model.graph.output)]
        if exact:
            return any(list(old) != list(new) for old, new in pairs)
        return any([info.name for info in old] != [info.name for info in new] for old, new in pairs)


def reference(case, target):
    """What the package's converter makes of the model, or None and what it says."""
    try:
        return version_converter.convert_version(case.model, target), None
    except Exception as error:
        return None, str(error).strip()
