#!/usr/bin/env python3
"""Turns the project's pages into a DocC catalogue, so that the site shows them beside the libraries.

usage: make_catalog.py CATALOGUE [REPOSITORY]

CATALOGUE is the folder to write, REPOSITORY the address under which the project's files can be read, such as
https://github.com/OWNER/flux-inspect/blob/main. Without it, links to files that are not on the site become plain text.
"""

import re
import shutil
import sys
from pathlib import Path, PurePosixPath
from posixpath import normpath

ROOT = Path(__file__).resolve().parent.parent.parent

# The topics of the first page, and the articles in each.
TOPICS = {
    "Start": ["docs/install.md", "docs/terms.md", "docs/commands.md", "docs/ci.md"],
    "More": ["docs/comparison.md", "docs/performance.md", "docs/reliability.md", "docs/scale.md", "Examples/README.md", "Recordings/README.md"],
    "Formats": ["docs/log-format.md", "docs/app-protocol.md"],
    "The project": ["CONTRIBUTING.md", "CHANGELOG.md"],
}
FIRST_PAGE = "flux-inspect"
# The index of docs/ is the list of topics.
ALIASES = {"README.md": FIRST_PAGE, "docs/README.md": FIRST_PAGE}

LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^()\s]+)\)")
DOCC_PAGE = re.compile(r"Sources/(\w+)/\w+\.docc/(\w+)\.md")


def name_of(page: str) -> str:
    """The article's name: of the file, or of its folder for a README."""
    path = PurePosixPath(page)
    return path.parent.name if path.stem == "README" else path.stem


ARTICLES = {**{page: name_of(page) for pages in TOPICS.values() for page in pages}, **ALIASES}


def anchor(page: str, fragment: str) -> str:
    """The name that DocC gives to the heading with this name on GitHub."""
    for line in (ROOT / page).read_text().splitlines():
        heading = line.lstrip("#").strip()
        if line.startswith("#") and re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") == fragment:
            return re.sub(r"[^\w-]+", "-", heading).strip("-")
    raise SystemExit(f"{page}: no heading is called {fragment}")


class Catalog:
    """The catalogue that is written."""

    def __init__(self, folder: Path, repository: str):
        self.folder = folder
        self.repository = repository.rstrip("/")

    def link(self, page: str, match: re.Match) -> str:
        """A link or a picture of a page, as the catalogue has it."""
        mark, text, target = match.groups()
        if "://" in target:
            return match.group()
        path, _, fragment = target.partition("#")
        path = normpath(str(PurePosixPath(page).parent / path)) if path else page
        if mark:
            # DocC finds pictures by their names alone.
            shutil.copy(ROOT / path, self.folder / PurePosixPath(path).name)
            return f"![{text}]({PurePosixPath(path).name})"
        if path in ARTICLES:
            end = f"#{anchor(path, fragment)}" if fragment else ""
            return f"[{text}](doc:{ARTICLES[path]}{end})"
        if library := DOCC_PAGE.fullmatch(path):
            module, article = library.groups()
            end = "" if article == module else f"/{article}"
            return f"[{text}](doc:/{module}{end})"
        if self.repository:
            return f"[{text}]({self.repository}/{path})"
        return text

    def article(self, page: str) -> str:
        """The text of a page, as DocC reads it."""
        lines, is_code = [], False
        for line in (ROOT / page).read_text().splitlines():
            if line.startswith("```"):
                is_code = not is_code
                line = line.split(" ")[0]
            elif not is_code and not re.fullmatch(r"<!--.*-->", line):
                # DocC reads double backticks as names of symbols, and an @ at the start as a directive.
                line = re.sub(r"``([^`]+)``", r"`\1`", line)
                line = re.sub(r"^( *)@", r"\1\\@", line)
                pieces = re.split(r"(`[^`]*`)", line)
                if all("](" not in piece for piece in pieces[1::2]):
                    line = LINK.sub(lambda match: self.link(page, match), line)
            elif not is_code:
                continue
            lines.append(line)
        return "\n".join(lines) + "\n"

    def write(self) -> None:
        """Writes all articles."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for page, name in ARTICLES.items():
            if page not in ALIASES:
                (self.folder / f"{name}.md").write_text(self.article(page))
        title, rest = self.article("README.md").split("\n", 1)
        topics = "".join(
            f"\n### {topic}\n\n" + "".join(f"- <doc:{ARTICLES[page]}>\n" for page in pages)
            for topic, pages in TOPICS.items()
        )
        first = f"{title}\n\n@Metadata {{\n  @TechnologyRoot\n}}\n{rest}\n## Topics\n{topics}"
        (self.folder / f"{FIRST_PAGE}.md").write_text(first)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    Catalog(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) == 3 else "").write()
