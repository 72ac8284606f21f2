"""One model simplified, as a process of its own; tells as JSON what that took.

    simplifying.py FROM TO PACKAGE
    simplifying.py FROM TO COMMAND...

A package has simplified a tiny model before, so that what it imports and sets up is not measured; it takes bytes and gives bytes.
Of a command all of the process is measured. This one is small, for a process counts the memory of what starts it.
"""

import json
import os
import resource
import sys

# Turns, and the seconds of processor time after which there are no more.
TURNS, ENOUGH = 5, 2


def seconds():
    both = (resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(spent.ru_utime + spent.ru_stime for spent in both)


def in_turns(once):
    """The least milliseconds of the turns, of which `once` tells the seconds."""
    spent = []
    while len(spent) < TURNS and sum(spent) < ENOUGH:
        spent.append(once())
    return min(spent) * 1e3


def tiny():
    from onnx import TensorProto, helper

    info = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, ["N", 4])
    nodes = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Reshape", ["x", "s"], ["y"])]
    graph = helper.make_graph(nodes, "g", [info("x")], [info("y")])
    return helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString()


def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


def by_package(source, target, name):
    sys.path.append(os.path.join(os.path.dirname(__file__), "..", "conformance"))
    import onnx
    import simplifiers

    simplify = simplifiers.PACKAGES[name]
    once = lambda content: simplify(onnx.load_model_from_string(content)).SerializeToString()
    once(tiny())
    with open(source, "rb") as file:
        content = file.read()
    memory, simplified = [], []

    def measured():
        start = seconds()
        simplified.append(once(content))
        spent = seconds() - start
        memory.append(peak())
        return spent

    least = in_turns(measured)
    with open(target, "wb") as file:
        file.write(simplified[0])
    return least, memory[0]


def by_command(source, target, command):
    memory = []

    def measured():
        process = os.posix_spawn(command[0], [*command, source, "-o", target], os.environ)
        _, status, spent = os.wait4(process, 0)
        if status:
            raise RuntimeError(f"exit {os.waitstatus_to_exitcode(status)}")
        memory.append(spent.ru_maxrss)
        return spent.ru_utime + spent.ru_stime

    return in_turns(measured), memory[0]


def main():
    source, target, *tool = sys.argv[1:]
    answer = os.dup(1)
    # Some packages print much.
    os.dup2(2, 1)
    try:
        ms, kb = by_command(source, target, tool) if len(tool) > 1 else by_package(source, target, tool[0])
        said = {"ms": ms, "kb": kb}
    except Exception as error:  # noqa: BLE001: a tool may fail in any way
        said = {"failed": f"{type(error).__name__}: {error}"[:300]}
    os.write(answer, json.dumps(said).encode())


if __name__ == "__main__":
    main()
