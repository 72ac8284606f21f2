"""``python -m onnxspec`` is the command ``shape``."""

import sys

from ._command import main

if __name__ == "__main__":
    sys.exit(main())
