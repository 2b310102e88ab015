"""The report of a log that did not pass opens where it diverged, with the recorded state beside the replayed one."""

import shutil
import subprocess
import unittest

import browser


class Divergence(unittest.TestCase):
    def test_the_report_of_a_failed_verification(self):
        folder = browser.ARTEFACTS / "reports"
        shutil.rmtree(folder, ignore_errors=True)
        found = subprocess.run([str(browser.PROGRAM), "verify", str(browser.RECORDINGS / "todomvc-diverged.jsonl"), "--app",
                                str(browser.BUILD / "todomvc-example"), "--report", str(folder)],
                               capture_output=True, text=True, timeout=120)
        self.assertEqual(found.returncode, 1, found.stderr)
        driver = browser.open_browser()
        try:
            browser.visit(driver, (folder / "todomvc-diverged.html").as_uri())
            text = browser.until(lambda: (shown := driver.find_element("id", "detail").text) and "replayed" in shown.lower()
                                 and "→" in shown and shown, "the divergence")
            for part in ["5 todo/add", "Diverged: different", '"  buy eggs "', "title"]:
                self.assertIn(part, text)
            self.assertEqual(driver.execute_script("return fluxPage.row"), 5)
            self.assertEqual(len(driver.find_elements("css selector", "#list .diverged")), 1)
            self.assertEqual(browser.errors(driver), [])
            browser.keep(driver, "divergence")
        finally:
            driver.quit()


if __name__ == "__main__":
    unittest.main()
