"""What the page itself weighs: HTML, style and script, without the log."""

import re
import subprocess
import sys
import tempfile
import unittest
import urllib.request

import browser

# The bar for what `serve` sends, on the wire.
SERVED = 120_000


class Weight(unittest.TestCase):
    def test_what_serve_sends(self):
        driver = browser.open_browser()
        try:
            with browser.serving(browser.RECORDINGS / "shop.jsonl") as address:
                browser.visit(driver, address)
                loaded = driver.execute_script("""
                  return performance.getEntries().filter((entry) => entry.initiatorType !== 'fetch' && 'encodedBodySize' in entry)
                    .map((entry) => [entry.name.replace(/#.*/, ''), entry.encodedBodySize])""")
        finally:
            driver.quit()
        total = sum(size for _, size in loaded)
        print(f"serve: {total} bytes in {len(loaded)} files", file=sys.stderr)
        self.assertLess(total, SERVED)

    def test_the_modules_of_a_report_are_not_sent_by_serve(self):
        with browser.serving(browser.RECORDINGS / "shop.jsonl") as address:
            page = urllib.request.urlopen(address.split("#")[0]).read().decode()
        self.assertNotIn("report-", page)

    def test_a_report_without_its_data(self):
        address = browser.report(browser.RECORDINGS / "shop.jsonl", browser.ARTEFACTS / "weight.html")
        text = (browser.ARTEFACTS / "weight.html").read_text()
        rest = re.sub(r'(id="flux-data">)[^<]*', r"\1", text)
        print(f"report {address}: {len(rest.encode())} bytes without its data", file=sys.stderr)
        self.assertIn("openers", browser.PAGE.joinpath("answers.js").read_text())

    def test_the_squeezed_page(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, str(browser.ROOT / "Scripts/page-squeeze"), folder], check=True)
            sizes = {name: len(open(f"{folder}/{name}", "rb").read()) for name in ["style.css", "main.js", "report.js"]}
        html = (browser.PAGE / "index.html").stat().st_size
        print(f"squeezed: serve {html + sizes['style.css'] + sizes['main.js']}, report {html + sum(sizes.values())} bytes", file=sys.stderr)
        self.assertLess(html + sizes["style.css"] + sizes["main.js"], SERVED)


if __name__ == "__main__":
    unittest.main()
