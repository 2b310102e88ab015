"""The one search box, in `serve` and in a report: text, patterns and expressions, mistakes, and nothing found."""

import unittest

from selenium.webdriver.common.keys import Keys

import browser


class Search(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.driver = browser.open_browser()
        cls.addClassCleanup(cls.driver.quit)

    def matches(self, address, filter):
        browser.visit(self.driver, address)
        self.driver.execute_script("fluxPage.setFilter(arguments[0])", filter)
        return browser.until(lambda: (text := self.driver.execute_script("return document.getElementById('matches').textContent"))
                             and "searching" not in text and "%" not in text and text, filter)

    def test_both_find_the_same(self):
        report = browser.report(browser.RECORDINGS / "shop.jsonl", browser.ARTEFACTS / "search.html") + "#/17"
        with browser.serving(browser.RECORDINGS / "shop.jsonl") as served:
            for filter, count in [("tea", "5"), ("TEA", "5"), ("cart/*", "7"), ("cart/add", "5"), ("checkout", "11"), ("the bank", "1"), ("zzz", "0")]:
                with self.subTest(filter=filter):
                    self.assertEqual(self.matches(served + "/17", filter), self.matches(report, filter))
                    self.assertEqual(self.matches(served + "/17", filter), count)
            self.assertEqual(self.matches(served + "/17", "cart.total > 5000"), "3")

    def test_types_with_marks_of_expressions(self):
        log = browser.ARTEFACTS / "marks.jsonl"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("""{"flux":"1.1","stores":{"a":{"initial":0}}}
{"n":1,"t":1,"action":{"type":"[Auth] Login"},"states":{"a":1}}
{"n":2,"t":2,"action":{"type":"[Auth] Logout"}}
{"n":3,"t":3,"action":{"type":"[Auth] Login"}}
""")
        report = browser.report(log, browser.ARTEFACTS / "marks.html") + "#/1"
        with browser.serving(log) as served:
            for filter in ["[Auth] Login", "'[Auth] Login'"]:
                with self.subTest(filter=filter):
                    self.assertEqual(self.matches(served + "/1", filter), "2")
                    self.assertEqual(self.matches(report, filter), "2")
            for address in [served + "/1", report]:
                self.assertEqual(self.matches(address, "zzz"), "0")
                for example in self.examples():
                    with self.subTest(address=address, example=example):
                        self.assertGreater(int(self.matches(address, example)), 0)

    def test_the_last_good_list_stays_while_a_query_is_incomplete(self):
        with browser.serving(browser.RECORDINGS / "shop.jsonl") as served:
            self.assertEqual(self.matches(served + "/17", "cart/*"), "7")
            rows = "return [...document.querySelectorAll('#list .row:not([hidden]) .number')].map((node) => node.textContent).sort().join()"
            before = self.driver.execute_script(rows)
            field = self.driver.find_element("id", "filter")
            field.clear()
            field.send_keys("cart.total >")
            browser.until(lambda: "expected" in self.driver.execute_script("return document.getElementById('filter-problem').innerText"), "the error")
            self.assertEqual(self.driver.execute_script(rows), before)
            problem, listed = self.driver.execute_script("""
              return ['filter-problem', 'list'].map((id) => document.getElementById(id).getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])""")
            self.assertLessEqual(problem[1], listed[0] + 1)
            field.send_keys(" 5000")
            browser.until(lambda: self.driver.execute_script("return document.getElementById('matches').textContent") == "3", "three matches")
            self.assertEqual(self.driver.execute_script("return document.getElementById('filter-problem').hidden"), True)

    def examples(self):
        # The count may come before the rows.
        return browser.until(lambda: [node.text for node in self.driver.find_elements("css selector", ".example")], "the examples")

    def test_nothing_found_shows_examples_that_find_something(self):
        with browser.serving(browser.RECORDINGS / "shop.jsonl") as served:
            self.assertEqual(self.matches(served + "/17", "zzz"), "0")
            examples = self.examples()
            self.assertEqual(len(examples), 3)
            for example in examples:
                with self.subTest(example=example):
                    self.assertGreater(int(self.matches(served + "/17", example)), 0)

    def test_enter_goes_to_the_nearest_match(self):
        with browser.serving(browser.RECORDINGS / "shop.jsonl") as served:
            browser.visit(self.driver, served + "/20")
            field = self.driver.find_element("id", "filter")
            field.send_keys("session/expire", Keys.ENTER)
            browser.until(lambda: self.driver.execute_script("return document.querySelector('#heading h2').textContent") == "17 session/expire", "step 17")


if __name__ == "__main__":
    unittest.main()
