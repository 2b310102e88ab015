#!/usr/bin/env python3
"""Runs the commands and queries of docs/scale.md, and compares their output with the page.

usage: check_page.py [--update]   (after `swift build`, with a Python that has pyspark and duckdb)

Bash runs the blocks marked `sh checked`, and DuckDB the blocks marked `sql`, in order and in one connection. A block marked
`text` has the output of the block before it. With --update the script writes these blocks again.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "scale.md"
BLOCK = re.compile(r"^```(sh checked|sql|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(kind: str, source: str, connection: duckdb.DuckDBPyConnection) -> str:
    """Returns the output of a block, without blanks at the ends of lines."""
    if kind == "sql":
        relation = connection.sql(source)
        output = "" if source.startswith("CREATE") else str(relation)
    else:
        # `python` is the interpreter that runs this script: it has the modules that the page needs.
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", source], cwd=ROOT, env={**os.environ, "PATH": path}, capture_output=True, text=True
        )
        output = done.stdout or done.stderr
    return "".join(f"{line.rstrip()}\n" for line in output.rstrip().splitlines())


def main(updates: bool) -> int:
    """Checks the page or writes its output again; returns the exit code."""
    os.chdir(ROOT)
    shutil.rmtree(".build/corpus", ignore_errors=True)
    connection = duckdb.connect()
    page = PAGE.read_text()
    pieces, end, output, failures = [], 0, "", 0
    for block in BLOCK.finditer(page):
        kind, source = block.groups()
        pieces.append(page[end : block.start()])
        end = block.end()
        if kind != "text":
            output = run(kind, source, connection)
            pieces.append(block.group())
            continue
        if output != source and not updates:
            failures += 1
            print(f"docs/scale.md has\n{source}but the output is\n{output}")
        pieces.append(f"```text\n{output}```")
    if updates:
        PAGE.write_text("".join(pieces) + page[end:])
    print(f"docs/scale.md: {failures} outputs differ" if failures else "docs/scale.md: all outputs are current")
    return 1 if failures else 0


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--update"]):
        sys.exit(__doc__)
    sys.exit(main(bool(sys.argv[1:])))
