"""What EVIDENCE.md was measured of: the kernels, by digests of their code, so that a page that is out of date is noticed."""

import hashlib
import re
import tomllib
from pathlib import Path

import mirror

PAGE = "specs/profiles/sonnx/EVIDENCE.md"
KERNELS = tomllib.loads((Path(__file__).parent / "mirrors.toml").read_text())["whole"]

LINE = re.compile(r"^- `(\S+)` ([0-9a-f]{64})$", re.MULTILINE)


def digests(root):
    """Of the code without comments and white space, which change nothing that is measured."""
    return {
        name: hashlib.sha256(mirror.squeezed(mirror.code((root / name).read_text())).encode()).hexdigest()
        for name in KERNELS
    }


def problems(root):
    """What is wrong with the page: nothing, if its kernels are those of now."""
    page = root / PAGE
    written = dict(LINE.findall(page.read_text())) if page.exists() else {}
    return [
        f"{PAGE} was not measured of {name} as it is: tests/verification/formal/evidence writes it"
        for name, digest in digests(root).items()
        if written.get(name) != digest
    ]
