"""What people see at four sizes in both themes, checked by rules: nothing overlaps, is cut, lies outside, is too small or too faint."""

import importlib.resources
import json
import unittest

import browser
from test_looks import CONTRAST

# A large window, a laptop, the same at 200 %, and a phone.
SIZES = [(1440, 900), (1024, 768), (720, 450), (390, 844)]
RULES = (browser.ROOT / "Tests/PageTests/rules.js").read_text()
# axe-core, an accessibility checker. What it finds is an identifier, its words, and the elements.
AXE = (importlib.resources.files("axe_playwright_python") / "axe.min.js").read_text()
FIND = """
  const [options, done] = arguments;
  axe.run({ resultTypes: ['violations'], ...options }).then(
    ({ violations }) => done(violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' ')}`)),
    (error) => done([String(error)]));
"""


def many_stores(file):
    """Writes a log of 30 stores with long names."""
    names = [f"store-{number:02}-{'of-a-feature-with-a-long-name' if number % 3 == 0 else 'x'}" for number in range(30)]
    lines = [json.dumps({"flux": "1.1", "app": {"name": "Many stores"}, "stores": {name: {"initial": {"count": 0}} for name in names}})]
    for n in range(1, 91):
        name = names[n * 7 % 30]
        lines.append(json.dumps({"n": n, "t": n * 0.4, "action": {"type": f"feature/{name}/increase", "payload": {"by": n}},
                                 "states": {name: {"count": n}}}))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + '\n{"end":{"steps":90,"ok":true}}\n')
    return file


class Layout(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.driver = browser.open_browser()
        cls.addClassCleanup(cls.driver.quit)

    def settle(self):
        browser.until(lambda: self.driver.execute_script(
            "return !document.querySelector('.skeleton, .late, .row.pending:not([hidden])')"), "the view")

    def check(self, name, address, prepare=None, allowed=()):
        browser.resize(self.driver, *SIZES[0], motion=False)
        browser.visit(self.driver, address)
        # The page before may have lost its server.
        browser.errors(self.driver)
        if prepare:
            prepare()
        self.script(AXE)
        for width, height in SIZES:
            for dark in [False, True]:
                with self.subTest(view=name, size=f"{width}x{height}", dark=dark):
                    browser.resize(self.driver, width, height, dark, motion=False)
                    self.driver.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0], 30))")
                    self.settle()
                    self.assertEqual(self.driver.execute_script(RULES), [])
                    self.assertEqual(self.driver.execute_script(CONTRAST), [])
                    self.assertEqual(self.accessibility_problems(dark, (width, height) == SIZES[0]), [])
                    browser.keep(self.driver, f"layout-{name}-{width}-{'dark' if dark else 'light'}")
        self.assertEqual([error for error in browser.errors(self.driver) if not any(part in error for part in allowed)], [])

    def accessibility_problems(self, dark, is_first_size):
        """What axe-core finds. Its look at colours takes three quarters of its time, and CONTRAST looks at them in every size; a
        theme changes nothing else."""
        if dark and not is_first_size:
            return []
        options = {"runOnly": ["color-contrast"]} if dark else {"rules": {"color-contrast": {"enabled": is_first_size}}}
        return self.driver.execute_async_script(FIND, options)

    def script(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def test_landing_and_empty_search(self):
        address = browser.report(browser.RECORDINGS / "shop.jsonl", browser.ARTEFACTS / "layout.html")
        self.check("landing", address)
        self.check("empty-search", address + "#/17?filter=nothing-has-this", lambda: browser.until(
            lambda: not self.script("return document.getElementById('no-match').hidden"), "the empty state"))
        self.check("state", address + "#/17?tab=state&pin=/cart/total")

    def test_crash(self):
        address = browser.report(browser.RECORDINGS / "crash.jsonl", browser.ARTEFACTS / "layout-crash.html")
        self.check("crash", address)

    def test_many_stores(self):
        address = browser.report(many_stores(browser.ARTEFACTS / "many-stores.jsonl"), browser.ARTEFACTS / "layout-many.html")
        self.check("many-stores", address)
        heights = self.script("return [...document.querySelectorAll('.band-label')].map((node) => node.getBoundingClientRect().height)")
        self.assertTrue(all(height >= 16 for height in heights), heights)

    def test_fork(self):
        with browser.serving(browser.RECORDINGS / "shop.jsonl", "--app", browser.BUILD / "shop-example") as address:
            def make_fork():
                self.script("fluxPage.emit('run', 'redispatch 17..28 --skip 17')")
                browser.until(lambda: self.script("return fluxPage.fork") == 1, "the fork")
            self.check("fork", address + "/17", make_fork)

    def test_live(self):
        lines = (browser.RECORDINGS / "shop.jsonl").read_text().splitlines(keepends=True)
        log = browser.ARTEFACTS / "layout-live.jsonl"
        log.write_text("".join(lines[:15]))
        with browser.serving(log) as address:
            self.check("live", address + "/end")

    def test_a_folder_is_a_table(self):
        folder = browser.ARTEFACTS / "folder"
        folder.mkdir(parents=True, exist_ok=True)
        for name in ["shop.jsonl", "crash.jsonl", "crash.jsonl.inflight", "counter.jsonl"]:
            (folder / name).write_bytes((browser.RECORDINGS / name).read_bytes())
        with browser.serving(folder) as address:
            self.check("folder", address)
            rows = self.script("return [...document.querySelectorAll('#folder tbody tr')].map((row) => [...row.cells].slice(0, 2).map((cell) => cell.innerText))")
            self.assertEqual(rows[0], ["crash.jsonl", "✕ crashed"])
            self.assertEqual(sorted(rows[1:]), [["counter.jsonl", "closed"], ["shop.jsonl", "closed"]])
            self.script("[...document.querySelectorAll('#folder a')].find((link) => link.innerText === 'shop.jsonl').click()")
            browser.until(lambda: self.script("return window.fluxPage?.info.file") == "shop.jsonl", "the log")


if __name__ == "__main__":
    unittest.main()
