"""The HTML page of `shape check --profile sonnx --report`, opened in a headless Chromium.

    profile_page.py FOLDER

The browser may reach nothing but the file. Of what it shows, the totals, the digest and the verdicts are held against the
JSON of the same run, and every link leads to a text on the page. A name of a node that would be markup is shown as text.
Chromium is Debian's, and is installed where it is not there; only where that cannot be done is this skipped, and it is
said why.
"""

import hashlib
import html.parser
import os
import shutil
import subprocess
import sys
from pathlib import Path

import command
import onnx
import summary
from onnx import TensorProto, helper

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND")
HOSTILE = "</td><img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"


def browser():
    """The browser; None where there is none and none can be installed."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        install = ["apt-get", "install", "-y", "--no-install-recommends", NAMES[0]]
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for line in (["apt-get", "update"], install):
            # By a shell, in which `.ci/run` has one wait for another.
            subprocess.run(["bash", "-c", '"$@"', "bash", *line], stdout=sys.stderr, env=environment, check=False)
        return shutil.which(NAMES[0])
    return None


def model(path, hostile):
    """`s = Shape(x)` with everything written down, or with a wrong declaration and a name that would be markup."""
    shape = helper.make_node("Shape", ["x"], ["s"], name=HOSTILE if hostile else "whole", start=0, end=3)
    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3, 4])
    gives = helper.make_tensor_value_info("s", TensorProto.INT64, [2 if hostile else 3])
    graph = helper.make_graph([shape], "g", [given], [gives])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=13), path)
    return path


class Shown(html.parser.HTMLParser):
    """What a document has: its elements by tag, its ids, its links, the texts of rows."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.links, self.rows, self.texts, self.inside = [], [], [], [], {}, []
        self.attributes = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append(tag)
        self.attributes |= attrs.keys()
        self.inside.append(attrs.get("id"))
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "a":
            self.links.append(attrs.get("href", ""))
        if tag == "tr":
            self.rows.append((attrs.get("class"), []))

    def handle_endtag(self, tag):
        if self.inside:
            self.inside.pop()

    def handle_data(self, data):
        for name in filter(None, self.inside):
            self.texts[name] = self.texts.get(name, "") + data
        if self.rows and data.strip():
            self.rows[-1][1].append(data)


def opened(chromium, page, more):
    """The document as the browser has it after it has run whatever would run, and what it said."""
    run = [chromium, *FLAGS, *more, page.as_uri()]
    done = subprocess.run(run, capture_output=True, timeout=120, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{chromium} ended with {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout.decode(), done.stderr.decode(errors="replace")


def problems_of(shown, answer, paths):
    """What the page shows otherwise than the JSON of the same run."""
    judged = answer["profiles"]
    verdicts = [(of["rule"], of["verdict"]) for each in judged for of in each["judgements"]]
    rows = [(texts[1], kind) for kind, texts in shown.rows if kind]
    totals = {word: sum(each["totals"][word] for each in judged) for word in ("pass", "fail", "undetermined")}
    said = ", ".join(f"{count} {word}" for word, count in totals.items())
    text = " ".join(" ".join(texts) for _, texts in shown.rows)
    checks = {
        "the verdicts are those of the JSON": sorted(rows) == sorted(verdicts),
        "the totals are those of the JSON": shown.texts.get("totals") == said,
        "the verdict is that of all": shown.texts.get("verdict") == "fail",
        "the tool and the profile are named": all(shown.texts.get(name) for name in ("tool", "profile")),
        "the name of a node is text": "<script>document.title='taken'</script>" in text,
        "nothing of a name is markup": not {"script", "img"} & set(shown.tags),
        "nothing is fetched": not {"link", "iframe", "object"} & set(shown.tags) and "src" not in shown.attributes,
        "every link leads to a text": all(link[:1] == "#" and link[1:] in shown.ids for link in shown.links),
        "every id stands once": len(shown.ids) == len(set(shown.ids)),
        "there are links": len(shown.links) > 20,
    }
    for each, path in zip(judged, paths, strict=True):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        checks[f"the digest of {path.name} is that of its bytes"] = each["sha256"] == digest
    return [what for what, holds in checks.items() if not holds], len(checks)


def main():
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    chromium = browser()
    if not chromium:
        why = "apt-get could not install it" if shutil.which("apt-get") else "there is no apt-get to install it"
        why = why if os.geteuid() == 0 else "only root can install it"
        print(f"profile_page: SKIPPED, the page was not opened: there is no Chromium, and {why}", file=sys.stderr)
        summary.close("profile_page", 0, [])
    paths = [model(folder / "within.onnx", False), model(folder / "hostile.onnx", True)]
    page = folder / "page.html"
    try:
        code, answer = command.run("check", *paths, "--profile", "sonnx", "--report", page)
        document, _ = opened(chromium, page, ["--dump-dom"])
        picture = folder / "page.png"
        opened(chromium, page, ["--window-size=1200,2000", f"--screenshot={picture}"])
    except (command.Broken, RuntimeError, subprocess.TimeoutExpired) as error:
        summary.close("profile_page", 0, [str(error)])
    shown = Shown(document)
    problems, count = problems_of(shown, answer, paths)
    if code != 1:
        problems.append(f"exit code {code}")
    text = page.read_text()
    problems += [f"the page names {word}" for word in ("http:", "https:", "url(", "@import") if word in text]
    if not picture.is_file() or picture.stat().st_size < 10_000:
        problems.append("the browser has drawn nothing")
    # Seeded faults, each of which must be noticed.
    faults = {
        "a verdict": document.replace('<tr class="fail">', '<tr class="pass">', 1),
        "a link": document.replace('href="#SONNX-SHAPE-010"', 'href="#SONNX-SHAPE-011"', 1),
        "a total": document.replace(' pass, ', ' passes, ', 1),
        "markup": document.replace("&lt;script&gt;", "<script>", 1),
    }
    for what, faulted in faults.items():
        if faulted == document or not problems_of(Shown(faulted), answer, paths)[0]:
            problems.append(f"a fault in {what} is not noticed")
    summary.close("profile_page", count + len(faults) + 1 - len(problems), problems)


if __name__ == "__main__":
    main()
