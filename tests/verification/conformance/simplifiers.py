"""What simplifies a model: from a file to a file, with the answer of the command where it is ours.

`copied` leaves a model as it is, so that what holds models against others can be held against this.
"""

import shutil

import command
import onnx


class Refused(Exception):
    """With the codes of the findings, or with what another tool raised."""


def by_command(name, *options):
    def simplify(path, target):
        code, answer = command.run(name, path, "-o", target, *options)
        if code:
            raise Refused(", ".join(sorted({finding["code"] for finding in answer["findings"]})))
        return answer

    return simplify


def by_package(simplify):
    def on_files(path, target):
        try:
            simplified = simplify(onnx.load(path))
        except Exception as error:  # noqa: BLE001: a tool may fail in any way
            raise Refused(f"{type(error).__name__}: {error}") from None
        onnx.save(simplified, target)

    return on_files


def copied(path, target):
    shutil.copy(path, target)


def onnxsim(model):
    import onnxsim

    return onnxsim.simplify(model)[0]


def onnxslim(model):
    import onnxslim

    return onnxslim.slim(model)


def onnxoptimizer(model):
    import onnxoptimizer

    return onnxoptimizer.optimize(model, fixed_point=True)


PACKAGES = {"onnxsim": onnxsim, "onnxslim": onnxslim, "onnxoptimizer": onnxoptimizer}
SIMPLIFIERS = {
    "simplify": by_command("simplify"),
    "fold": by_command("fold"),
    "copied": copied,
    **{name: by_package(simplify) for name, simplify in PACKAGES.items()},
}
