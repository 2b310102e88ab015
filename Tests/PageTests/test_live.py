"""A log that grows while it is shown."""

import json
import unittest

from selenium.webdriver.common.keys import Keys

import browser


class Live(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.driver = browser.open_browser()
        cls.addClassCleanup(cls.driver.quit)

    def setUp(self):
        lines = (browser.RECORDINGS / "shop.jsonl").read_text().splitlines(keepends=True)
        self.head, self.rest = lines[:10], lines[10:]
        self.log = browser.ARTEFACTS / "live.jsonl"
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.write_text("".join(self.head))
        # The page of the test before has lost its server.
        self.driver.get("about:blank")
        browser.errors(self.driver)

    def append(self, count):
        with open(self.log, "a") as file:
            for _ in range(count):
                file.write(self.rest.pop(0))
                file.flush()

    def heading(self):
        return self.driver.execute_script("return document.querySelector('#heading h2')?.textContent")

    def expect(self, text):
        browser.until(lambda: self.heading() == text, text)

    def test_the_page_follows_until_the_person_moves(self):
        with browser.serving(self.log) as address:
            browser.visit(self.driver, address)
            self.expect("9 cart/setCount")
            self.append(1)
            self.expect("10 checkout/begin")
            self.append(2)
            self.expect("11 checkout/pay")
            browser.actions(self.driver).send_keys(Keys.ARROW_UP).send_keys(Keys.ARROW_UP).perform()
            self.expect("10 checkout/begin")
            self.append(1)
            browser.until(lambda: "12 steps" in self.driver.execute_script("return document.getElementById('facts').textContent"), "12 steps")
            self.expect("10 checkout/begin")
            browser.actions(self.driver).send_keys(Keys.END).perform()
            self.expect("12 checkout/failed")
            self.append(len(self.rest))
            self.expect("28 session/signOut")
            browser.until(lambda: "closed" in self.driver.execute_script("return document.getElementById('facts').textContent"), "closed")
            self.assertEqual(browser.errors(self.driver), [])

    def test_a_log_that_is_still_read_opens_where_it_would_otherwise(self):
        refusal = {"reason": "refused", "message": "no", "store": "a"}
        steps = [{"n": n, "t": n, "action": {"type": "tick"}, **({"rejected": refusal} if n == 3 else {})} for n in range(1, 200_001)]
        lines = [{"flux": "1.1", "stores": {"a": {"initial": 0}}}, *steps]
        self.log.write_text("".join(json.dumps(line) + "\n" for line in lines))
        with browser.serving(self.log) as address:
            browser.visit(self.driver, address)
            self.expect("3 tick")
            summary = "return document.querySelector('#summary .opened')?.textContent"
            browser.until(lambda: "Opened here because this is the first step that was rejected" in (self.driver.execute_script(summary) or ""), "the summary")
            self.assertEqual(browser.errors(self.driver), [])

    def test_a_filter_takes_new_steps_too(self):
        with browser.serving(self.log) as address:
            browser.visit(self.driver, address + "/start?filter=checkout/*")
            self.append(len(self.rest))
            browser.until(lambda: self.driver.execute_script("return document.getElementById('matches').textContent") == "11", "eleven matches")

    def test_the_facts_of_a_log_grow_with_it(self):
        self.log.write_text('{"flux":"1.1","stores":{"a":{"initial":0}}}\n')
        with browser.serving(self.log) as address:
            browser.visit(self.driver, address)
            summary = "return document.getElementById('summary').innerText"
            self.assertIn("the recording has no steps", self.driver.execute_script(summary))
            with open(self.log, "a") as file:
                file.write('{"n":1,"t":5,"action":{"type":"go"},"states":{"new":1}}\n'
                           '{"n":2,"t":6,"action":{"type":"no"},"rejected":{"reason":"refused","message":"no"}}\n'
                           '{"gap":{"from":3,"to":4,"why":"paused"}}\nnothing\n{"n":5,"t":7,"action":{"type":"go"},"states":{"a":1,"new":2}}\n')
            banner = "return document.getElementById('banner').innerText"
            browser.until(lambda: "line 5" in self.driver.execute_script(banner), "the damage")
            self.expect("5 go")
            self.driver.execute_script("if (document.getElementById('summary').hidden) document.getElementById('open-summary').click()")
            text = self.driver.execute_script(summary)
            for fact in ["the first step that was rejected", "3 steps, 2 s", "go ×2, no ×1", "1 gap", "1 step"]:
                self.assertIn(fact, text)
            colors = self.driver.execute_script("return ['a', 'new'].map((store) => fluxPage.storeIndex(store))")
            self.assertEqual(colors, [0, 1])

    def test_a_recording_in_the_place_of_the_log_is_a_click_away(self):
        with browser.serving(self.log) as address:
            browser.visit(self.driver, address)
            self.expect("9 cart/setCount")
            self.driver.execute_script("fluxPage.go(3)")
            self.expect("3 session/signIn")
            other = browser.ARTEFACTS / "other.jsonl"
            other.write_text('{"flux":"1.1","log":"other","stores":{"a":{"initial":0}}}\n'
                             '{"n":1,"t":5,"action":{"type":"begin"},"states":{"a":1}}\n'
                             '{"n":2,"t":6,"action":{"type":"go"},"states":{"a":2}}\n')
            other.replace(self.log)
            browser.until(lambda: "another recording is at" in self.driver.execute_script("return document.getElementById('banner').textContent"), "the banner")
            self.driver.execute_script("fluxPage.go(4)")
            self.expect("4 session/refused")
            browser.actions(self.driver).send_keys(Keys.END).perform()
            self.expect("9 cart/setCount")
            self.driver.execute_script("document.getElementById('reload').click()")
            self.expect("2 go")
            self.assertEqual(self.driver.execute_script("return fluxPage.info.log"), "other")
            with open(self.log, "a") as file:
                file.write('{"n":3,"t":7,"action":{"type":"stop"},"states":{"a":3}}\n')
            browser.until(lambda: "3 steps" in self.driver.execute_script("return document.getElementById('facts').textContent"), "3 steps")
            self.assertEqual(browser.errors(self.driver), [])

    def test_a_server_that_ends_is_told(self):
        with browser.serving(self.log) as address:
            browser.visit(self.driver, address)
        browser.until(lambda: "does not answer" in self.driver.execute_script("return document.getElementById('banner').textContent"), "the banner")
        # Whatever is asked now has the same answer, which is shown once.
        said = "return [...document.querySelectorAll('.toast')].map((note) => note.textContent)"
        for _ in range(3):
            browser.actions(self.driver).send_keys("g", "1", Keys.ENTER).perform()
            browser.until(lambda: self.driver.execute_script(said), "a message")
            self.assertEqual(len(self.driver.execute_script(said)), 1)


if __name__ == "__main__":
    unittest.main()
