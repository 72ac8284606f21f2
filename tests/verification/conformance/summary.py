"""The one line that each step ends with; `run` adds up what it says."""

import sys


def close(step, passed, problems):
    """Tells the problems on stderr and the counts on stdout, and ends the process."""
    for problem in problems:
        print(f"{step}: {problem}", file=sys.stderr)
    print(f"{step}: {passed} passed, {len(problems)} failed")
    sys.exit(1 if problems else 0)
