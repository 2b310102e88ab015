#!/usr/bin/env python3
"""Records a corpus: many logs of TodoMVC, each from different commands.

usage: record_corpus.py FOLDER COUNT [PRODUCTS]

PRODUCTS is the folder of the built programs, by default .build/debug. The number of a log determines its commands, so two
corpora of the same size have the same actions. Each folder has a thousand logs.
"""

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

WORDS = ["milk", "eggs", "tea", "a pot", "bread", "the bank", "a letter", "the plants"]


def commands(number: int) -> str:
    """Returns the commands of one log, one per line."""
    chance = random.Random(number)
    lines = ["load"]
    for _ in range(chance.randint(10, 60)):
        item = chance.randint(1, 8)
        lines.append(
            chance.choice(
                [
                    f"add {chance.choice(WORDS)}",
                    f"add {chance.choice(WORDS)}",
                    f"toggle {item}",
                    f"rename {item} {chance.choice(WORDS)}",
                    f"remove {item}",
                    "undo",
                    "redo",
                    "all done",
                    "clear",
                    f"show {chance.choice(['all', 'active', 'completed'])}",
                ]
            )
        )
    return "\n".join(lines) + "\n"


def main(folder: Path, count: int, products: Path) -> None:
    """Records logs 0 to COUNT - 1, two at a time."""

    def record(number: int) -> None:
        path = folder / f"{number // 1000:03}" / f"{number:06}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        app = products / "todomvc-example"
        subprocess.run(
            [app, "--record", path],
            input=commands(number),
            text=True,
            stdout=subprocess.DEVNULL,
            check=True,
        )

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(record, range(count)))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(Path(sys.argv[1]), int(sys.argv[2]), Path((sys.argv[3:] or [".build/debug"])[0]))
