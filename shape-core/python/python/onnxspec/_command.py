"""The command ``shape``."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    """Run the command with the arguments of the process; give its exit code."""
    from ._native import command

    # Python would see a press of Ctrl-C only when the command has ended.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["shape", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
