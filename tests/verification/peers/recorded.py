"""Where measurements are recorded: a table within a page, and a history to which lines are added."""

import csv
import datetime
import subprocess

END = "<!-- end -->"


def parts(page, name):
    """What stands before the table of a page, the table, and what stands behind it."""
    before, rest = page.read_text().split(f"<!-- {name} -->\n")
    table, after = rest.split(END, 1)
    return before, table, after


def table(page, name):
    """The lines of a table."""
    return parts(page, name)[1].splitlines()


def replace(page, name, lines):
    """Writes other lines in the place of a table."""
    before, _, after = parts(page, name)
    page.write_text("\n".join([f"{before}<!-- {name} -->", *lines, END]) + after)


def append(history, rows):
    """Adds rows to a history, each behind the date and the commit."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, cwd=history.parent, capture_output=True, check=True, text=True).stdout.strip()
    date = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    with history.open("a", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows((date, commit, *row) for row in rows)
