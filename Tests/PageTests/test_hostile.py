"""A log written to attack the page: nothing in it runs, becomes markup, reorders text, or hides."""

import json
import unittest

import browser

MARKUP = "<img src=x onerror=window.pwned=1>"
CLOSING = "</script><script>window.pwned=1</script><!--"
BIDI = "safe\u202eevil\u2066x\u200f\u200b"
SCRIPT_LINK = "javascript:window.pwned=1"


def nested(depth):
    return "[" * depth + "]" * depth


def hostile_log(file):
    header = {"flux": "1.1", "log": "0", "created": "2026-11-20T12:00:00.000000Z", "seed": "8c1f0e1d2b3a4958", "first": 1,
              "app": {"name": MARKUP + BIDI, "version": CLOSING},
              "stores": {MARKUP: {"type": CLOSING, "initial": {"a": 1}}, "__proto__": {"type": "P", "initial": {"polluted": True}}}}
    states = {"2": 1, "1": 2, "__proto__": {"pwned": 1}, "constructor": "x", MARKUP: MARKUP, CLOSING: [CLOSING, SCRIPT_LINK],
              BIDI: BIDI, "long": "x" * 300_000, "lone": "\ud800", "line\nbreak": "a\u2028b\u0000"}
    state = json.dumps(states)[:-1] + ',"deep":' + nested(400) + ',"big":9007199254740993,"exact":1.0,"huge":1e400}'
    lines = [json.dumps(header)]
    for n, kind in enumerate([MARKUP, CLOSING, BIDI, SCRIPT_LINK, "toString", BIDI], 1):
        action = json.dumps({"type": kind, "payload": {MARKUP: SCRIPT_LINK, BIDI: CLOSING}})
        changes = f',"states":{{{json.dumps(MARKUP)}:{state}}}' if n == 2 else ""
        changes = f',"rejected":{json.dumps({"reason": MARKUP, "message": CLOSING + BIDI, "store": MARKUP})}' if n == 4 else changes
        lines.append(f'{{"n":{n},"t":0.{n},"action":{action},"at":{json.dumps(MARKUP)}{changes}}}')
        lines.append(json.dumps({"mark": MARKUP + BIDI, "t": n / 10}))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n")
    return file


FINDINGS = """
const text = document.body.innerText;
return {
  pwned: window.pwned ?? null,
  polluted: ({}).pwned ?? ({}).polluted ?? null,
  scripts: [...document.scripts].filter((node) => node.textContent.startsWith('window.pwned')).length,
  images: document.images.length,
  links: [...document.querySelectorAll('a')].filter((node) => !node.getAttribute('href').startsWith('#/')).length,
  handlers: [...document.querySelectorAll('*')].filter((node) => node.getAttributeNames().some((name) => name.startsWith('on'))).length,
  invisible: /[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u200f\\u0000]/.test(text),
  spoken: [...document.querySelectorAll('[title], [aria-label], [aria-valuetext], [placeholder]')]
    .flatMap((node) => ['title', 'aria-label', 'aria-valuetext', 'placeholder'].map((name) => node.getAttribute(name) ?? ''))
    .filter((label) => /[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u200f\\u0000]/.test(label)).length,
}
"""
HARMLESS = {"pwned": None, "polluted": None, "scripts": 0, "images": 0, "links": 0, "handlers": 0, "invisible": False,
            "spoken": 0}


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.log = hostile_log(browser.ARTEFACTS / "hostile.jsonl")
        cls.driver = browser.open_browser()
        cls.addClassCleanup(cls.driver.quit)

    def look_at_everything(self, address):
        for view in ["1", "2", "2?tab=state", "2?tab=action", "2?tab=compare", "4", "5?tab=action", "row:2", "2?search=pwned&tab=state",
                     "3?filter=*img*", "3?filter=nothing-like-it", "2?pin=/%3Cb%3E&by=type"]:
            with self.subTest(view=view):
                browser.visit(self.driver, address.replace("#/", "#/" + view) if "#/" in address else f"{address}/{view}")
                browser.until(lambda: self.driver.execute_script("return !document.querySelector('.skeleton, .late')"), "the view")
                self.assertEqual(self.driver.execute_script(FINDINGS), HARMLESS)
                self.assertEqual(browser.errors(self.driver), [])
        browser.visit(self.driver, address.replace("#/", "#/2?tab=state") if "#/" in address else f"{address}/2?tab=state")
        browser.until(lambda: "9007199254740993" in self.driver.execute_script("return document.querySelector('.tree').innerText"), "the state")
        keys = self.driver.execute_script("""
          return fluxPage.source.ask('tree', { place: 3, path: '/' + arguments[0].replaceAll('~', '~0').replaceAll('/', '~1'), open: [], from: 0, count: 50 })
            .then((tree) => tree.rows.filter((row) => row.depth === 0).map((row) => String(row.key)))""", MARKUP)
        self.assertEqual(keys[:4], ["2", "1", "__proto__", "constructor"])
        tree = self.driver.execute_script("return document.querySelector('.tree').innerText")
        for text in ["9007199254740993", "1.0", "1e400", "safe\\u202eevil"]:
            self.assertIn(text, tree)
        browser.keep(self.driver, "hostile")

    def test_a_report_is_harmless(self):
        address = browser.report(self.log, browser.ARTEFACTS / "hostile.html")
        self.look_at_everything(address + "#/")

    def test_serve_is_harmless(self):
        with browser.serving(self.log) as address:
            self.look_at_everything(address)

    def test_the_console_shows_text_as_text(self):
        with browser.serving(self.log) as address:
            browser.visit(self.driver, address + "/2")
            for line in ["action", "list", "state", "find *img*", "goto 4", MARKUP, CLOSING + BIDI, 'find "needle"']:
                self.driver.execute_script("""
                  document.getElementById('command').value = arguments[0];
                  document.getElementById('prompt').requestSubmit()""", line)
                browser.until(lambda: not self.driver.execute_script("return document.getElementById('command').hasAttribute('aria-busy')"), line)
                self.assertEqual(self.driver.execute_script(FINDINGS), HARMLESS)
            # The mistake in an expression is marked below it.
            printed = self.driver.execute_script("return [...document.querySelectorAll('#output .line')].slice(-4).map((line) => line.innerText)")
            self.assertEqual(printed, ["find: column 1: a literal is not a condition", '  "needle"', "  ^", "without quotes: find needle"])


if __name__ == "__main__":
    unittest.main()
