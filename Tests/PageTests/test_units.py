"""The units of the page's JavaScript, in the browser that runs it."""

import pathlib
import unittest

import browser


class Units(unittest.TestCase):
    def test_all_claims_hold(self):
        driver = browser.open_browser()
        try:
            with browser.files(pathlib.Path(__file__).parent / "Units") as address:
                driver.get(address + "/index.html")
                results = browser.until(lambda: driver.execute_script("return window.results"),
                                        "the units: " + "\n".join(browser.errors(driver)))
        finally:
            driver.quit()
        failures = [f"{one['claim']}: {one['message']}" for one in results if not one["ok"]]
        self.assertEqual(failures, [])
        self.assertGreater(len(results), 60)
