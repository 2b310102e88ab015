"""The weight of the page itself: HTML, style and script, without the log."""

import re
import sys
import unittest

import browser

# What a browser transfers. A report has the code that rebuilds states in addition, and its scripts are packed, in base64.
SERVED = 60_000
REPORTED = 113_000


class Weight(unittest.TestCase):
    def test_what_serve_sends(self):
        driver = browser.open_browser()
        try:
            with browser.serving(browser.RECORDINGS / "shop.jsonl") as address:
                browser.visit(driver, address)
                loaded = driver.execute_script("""
                  return performance.getEntries().filter((entry) => entry.initiatorType !== 'fetch' && 'decodedBodySize' in entry)
                    .map((entry) => [entry.name.replace(/.*\\//, ''), entry.decodedBodySize, entry.encodedBodySize])""")
        finally:
            driver.quit()
        sizes = {name: size for name, size, _ in loaded}
        print(f"serve: {sum(sizes.values())} bytes, {sum(sent for _, _, sent in loaded)} on the wire", file=sys.stderr)
        self.assertIn("main.js", sizes)
        self.assertNotIn("report.js", sizes)
        self.assertLess(sum(sent for _, _, sent in loaded), SERVED)

    def test_a_report_without_its_data(self):
        file = browser.ARTEFACTS / "weight.html"
        browser.report(browser.RECORDINGS / "shop.jsonl", file)
        rest, count = re.subn(r'(id="flux-data">)[^<]*', r"\1", file.read_text())
        print(f"report: {len(rest.encode())} bytes without its data", file=sys.stderr)
        self.assertEqual(count, 1)
        self.assertLess(len(rest.encode()), REPORTED)


if __name__ == "__main__":
    unittest.main()
