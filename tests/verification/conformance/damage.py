"""Right models with one field damaged at random: emptied, doubled, or set to something else.

Whatever ONNX's checker refuses of them `shape check` finds too. What the package accepts, with its full check, is an
error here for a few reasons alone.
"""

import random
import sys
import warnings
from collections import Counter
from pathlib import Path

import command
import invalid_models
import onnx
import summary
from catalogue import findings, node_models, refusal
from google.protobuf.descriptor import FieldDescriptor

SEED, COUNT = 20260101, 4000
# Files of the package's node cases that are damaged, and up to which size; the valid models of `invalid_models` are
# damaged as often.
CASES, LARGEST = 600, 20_000

# Texts that mean nothing to a model.
TEXTS = {"doc_string", "producer_name", "producer_version", "model_version", "denotation"}
NAMES = ["x", "y", "w", "nothing", ""]
BYTES = [b"", b"text", bytes(8)]
NUMBERS = [0, 1, 2, 3, 5, 7, 9, 11, 16, 99, -1]

# What we refuse in models that the package accepts, and why.
STRICTER = {
    "attribute-fields": "a reference with a value is looked at everywhere, not in graphs inside of nodes alone",
    "attribute-reference": "a reference is nothing outside of a function",
    "attribute-unknown": "it lets LayerNormalization have any attribute",
    "attribute-value": "its schemas do not list the values of attributes",
    "axis-range": "its inference takes some axes as they come",
    "dims-mismatch": "its inference compares few of the sizes that must be the same",
    "dims-negative": "its inference takes a negative dimension for a number like any",
    "element-count": "it follows fewer elements, and so finds fewer targets with another number of them",
    "element-type-unknown": "it looks at types where an operator's inference asks for them",
    "field-missing": "it takes an import without a version, and before IR version 8 a function without a name",
    "input-count": "it does not hold calls to their functions",
    "input-missing": "it takes an empty name among the values of a variadic input, at which runtimes fail",
    "input-untyped": "it takes an undefined element type where no inference asks for one",
    "operator-unknown": "it knows no operator of the preview domains to be none",
    "opset-too-new": "it takes any opset",
    "output-count": "it does not hold calls to their functions",
    "output-dims": "it gives fewer dimensions, and so finds fewer that contradict the declared ones",
    "output-type": "it gives fewer types",
    "output-undefined": "it does not look for what gives the outputs of a function",
    "rank-mismatch": "it gives fewer ranks",
    "subgraph-count": "its inference passes over a body without outputs",
    "tensor-data": "it takes more elements than the dimensions ask for, and segments",
}


def messages(message):
    """The message and all in it."""
    yield message
    for field, value in message.ListFields():
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for inner in value if field.is_repeated else [value]:
                yield from messages(inner)


def another(field, chance):
    match field.type:
        case FieldDescriptor.TYPE_STRING:
            return chance.choice(NAMES)
        case FieldDescriptor.TYPE_BYTES:
            return chance.choice(BYTES)
        case FieldDescriptor.TYPE_FLOAT | FieldDescriptor.TYPE_DOUBLE:
            return 0.5
        case FieldDescriptor.TYPE_ENUM:
            return chance.choice([value.number for value in field.enum_type.values])
        case FieldDescriptor.TYPE_UINT64:
            return chance.choice([number for number in NUMBERS if number >= 0])
        case _:
            return chance.choice(NUMBERS)


def damage(model, chance):
    """Changes one field; gives what was done, in words."""
    places = list(messages(model))
    while True:
        message = chance.choice(places)
        field = chance.choice([field for field in message.DESCRIPTOR.fields if field.name not in TEXTS])
        is_message = field.type == FieldDescriptor.TYPE_MESSAGE
        values = getattr(message, field.name)
        there = len(values) > 0 if field.is_repeated else message.HasField(field.name)
        what = chance.choice(["empty", "double", "set"])
        if what == "empty" and there:
            if field.is_repeated and chance.random() < 0.8:
                del values[chance.randrange(len(values))]
            else:
                message.ClearField(field.name)
        elif what == "double" and there and field.is_repeated:
            values.append(chance.choice(values))
        elif what == "set" and not is_message:
            value = another(field, chance)
            if not field.is_repeated:
                setattr(message, field.name, value)
            elif there:
                values[chance.randrange(len(values))] = value
            else:
                values.append(value)
        elif what == "set" and not there and chance.random() < 0.1:
            values.add() if field.is_repeated else values.SetInParent()
        else:
            continue
        return f"{message.DESCRIPTOR.name}.{field.name}: {what}"


def damaged(parent):
    """The files, and what was done to each."""
    chance = random.Random(SEED)
    small = [path for path in node_models(parent / "nodes") if path.stat().st_size <= LARGEST]
    cases = [path.read_bytes() for path in chance.sample(small, CASES)]
    plain = [make().SerializeToString() for make in invalid_models.VALID]
    made = {}
    while len(made) < COUNT:
        index = len(made)
        model = onnx.load_model_from_string(chance.choice(cases if index % 2 else plain))
        what = damage(model, chance)
        # A file without a graph is no model, which the command says before it checks anything.
        if not model.HasField("graph"):
            continue
        path = parent / f"{index:05}.onnx"
        path.write_bytes(model.SerializeToString())
        made[path] = what
    return made


def main():
    parent = Path(sys.argv[1])
    made = damaged(parent)
    try:
        found = findings(list(made))
    except command.Broken as error:
        summary.close("damage", 0, [str(error)])
    problems, counts = [], Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path, what in made.items():
            ours, refused = found[str(path)], refusal(path, False)
            if refused and not ours:
                problems.append(f"{path.name}, {what}: nothing is found, and the package says {refused}")
            errors = {finding["code"] for finding in ours if finding["severity"] == "error"}
            if errors and not refusal(path, True):
                counts["stricter"] += 1
                for code in sorted(errors - set(STRICTER)):
                    problems.append(f"{path.name}, {what}: {code}, and the package accepts it")
            counts["refused"] += refused is not None
    print(f"{COUNT} damaged models, of which the checker of the package refuses {counts['refused']}")
    print(f"{counts['stricter']} that the package accepts with its full check are refused here")
    summary.close("damage", COUNT - len(problems), problems)


if __name__ == "__main__":
    main()
