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

    def test_the_summary_takes_over_what_the_console_verified(self):
        driver = browser.open_browser()
        try:
            with browser.serving(browser.RECORDINGS / "todomvc-diverged.jsonl", "--app", browser.BUILD / "todomvc-example") as address:
                browser.visit(driver, address)
                summary = "return document.querySelector('#summary').innerText"
                opened = "Opened here because this is the last step, and no step was rejected."
                browser.until(lambda: opened in driver.execute_script(summary), "the summary")
                driver.execute_script("fluxPage.emit('run', 'verify')")
                browser.until(lambda: "diverged at step 5" in driver.execute_script(summary), "the verdict")
                driver.find_element("css selector", "#summary .link").click()
                browser.until(lambda: driver.execute_script("return fluxPage.step?.n") == "5", "the divergence")
                self.assertEqual(browser.errors(driver), [])
        finally:
            driver.quit()


if __name__ == "__main__":
    unittest.main()
