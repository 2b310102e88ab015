#!/usr/bin/env python3
"""Checks that every link inside a site of DocC leads to a page, a heading or a file.

usage: check_links.py SITE [BASE_PATH]

SITE is the folder of the site, BASE_PATH the path below which it is served.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path


def values(node: object, key: str) -> Iterator[object]:
    """All values of a member, at any depth."""
    if isinstance(node, dict):
        if key in node:
            yield node[key]
        for value in node.values():
            yield from values(value, key)
    elif isinstance(node, list):
        for value in node:
            yield from values(value, key)


class Site:
    """The pages of a site, and the headings of each."""

    def __init__(self, folder: Path, base: str):
        self.folder = folder
        self.base = base.rstrip("/")
        self.pages = {
            "/" + file.relative_to(folder / "data").with_suffix("").as_posix().lower(): json.loads(file.read_text())
            for file in sorted((folder / "data").rglob("*.json"))
        }

    def problems(self) -> Iterator[str]:
        """Describes the links that lead nowhere."""
        if not self.pages:
            yield f"{self.folder}: there are no pages"
        for path, page in self.pages.items():
            if not (self.folder / path[1:] / "index.html").is_file():
                yield f"{path}: the page has no index.html"
            references = page.get("references", {})
            for reference in references.values():
                yield from (f"{path}: {problem}" for problem in self.problems_of(reference))
            used = {text for text in values(page.get("primaryContentSections", []), "identifier")
                    if isinstance(text, str) and text.startswith("doc://")}
            yield from (f"{path}: no reference for {text}" for text in sorted(used - references.keys()))
        navigator = json.loads((self.folder / "index" / "index.json").read_text())
        for target in values(navigator, "path"):
            yield from (f"the navigator: {problem}" for problem in self.problems_of_link(str(target)))
        first = (self.folder / "index.html").read_text()
        for target in re.findall(r'href="([^"]*)"', first):
            if not target.startswith(f"{self.base}/") or not (self.folder / target[len(self.base) + 1:]).exists():
                yield f"index.html: no file {target}"

    def problems_of(self, reference: dict) -> Iterator[str]:
        """Describes a reference that leads nowhere."""
        if reference["type"] == "unresolvable":
            return  # A protocol of another module, such as Sendable, which is shown without a link.
        for variant in reference.get("variants", []):
            if not (self.folder / variant["url"].lstrip("/")).is_file():
                yield f"no picture {variant['url']}"
        if isinstance(url := reference.get("url"), str) and "://" not in url:
            yield from self.problems_of_link(url)

    def problems_of_link(self, url: str) -> Iterator[str]:
        """Describes an address of the site without a page or a heading."""
        path, _, fragment = url.partition("#")
        page = self.pages.get(path.rstrip("/").lower())
        if page is None:
            yield f"no page {url}"
        elif fragment and fragment not in set(values(page, "anchor")):
            yield f"no heading {url}"


def main(folder: str, base: str = "") -> int:
    """Prints the problems of a site; returns the exit code."""
    site = Site(Path(folder), base)
    problems = sorted(set(site.problems()))
    for problem in problems:
        print(f"check_links: {problem}", file=sys.stderr)
    print(f"check_links: {len(site.pages)} pages, {len(problems)} links that lead nowhere")
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
