"""Three questions about the shop, once with the mouse alone and once with the keyboard alone.

Which action emptied the cart? Why was it dispatched? What if it had not happened?
"""

import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import browser

ANSWER = "17 session/expire"


class Questions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = browser.serving(browser.RECORDINGS / "shop.jsonl", "--app", browser.BUILD / "shop-example")
        cls.address = cls.server.__enter__()
        cls.addClassCleanup(cls.server.__exit__, None, None, None)
        cls.driver = browser.open_browser()
        cls.addClassCleanup(cls.driver.quit)

    def setUp(self):
        browser.visit(self.driver, self.address + "/end")

    def tearDown(self):
        self.assertEqual(browser.errors(self.driver), [])

    # What a person does and sees

    def find(self, selector):
        return browser.until(lambda: next((node for node in self.driver.find_elements(By.CSS_SELECTOR, selector)
                                           if node.is_displayed()), None), selector)

    def find_text(self, selector, text):
        def found():
            for node in self.driver.find_elements(By.CSS_SELECTOR, selector):
                if node.is_displayed() and text in node.text:
                    return node
            return None
        return browser.until(found, f"{text} in {selector}")

    def click(self, node):
        ActionChains(self.driver).move_to_element(node).click().perform()

    def press(self, *keys):
        actions = ActionChains(self.driver)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def control(self, key):
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()

    def expect_heading(self, text):
        browser.until(lambda: self.driver.find_element(By.CSS_SELECTOR, "#heading h2").text == text, f"the heading {text}")

    # The questions

    def test_the_mouse_alone(self):
        self.click(self.find("#tab-state"))
        row = self.find_text(".tree .row", "total")
        ActionChains(self.driver).move_to_element(row).perform()
        self.click(row.find_element(By.CSS_SELECTOR, ".more"))
        self.click(self.find_text("#menu button", "Values over time"))
        self.click(self.find_text("#writes a", ANSWER))
        self.expect_heading(ANSWER)
        self.click(self.find("#tab-changed"))
        self.find_text(".change.replace", "5340 → 0")
        browser.keep(self.driver, "emptied-cart")
        self.click(self.find("#tab-action"))
        self.find_text(".action-pane", "Nothing in the log caused it")
        self.click(self.find_text(".experiments button", "had not happened"))
        self.find_text("#output", "at the end, compared with step 28")
        browser.keep(self.driver, "what-if")
        # The step that the fork repeats is a link into the recording.
        self.click(self.find_text("#output a", "26"))
        self.expect_heading("26 checkout/paid")

    def test_the_keyboard_alone(self):
        self.press("2")
        self.find_text(".tree .row", "total")
        self.press(Keys.ENTER)
        for _ in range(3):
            self.press(Keys.ARROW_DOWN)
        self.find_text(".tree .row.here", "total")
        self.press(Keys.ENTER)
        self.find("#menu")
        self.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
        self.find_text("#writes a", ANSWER)
        writes = [node.text for node in self.driver.find_elements(By.CSS_SELECTOR, "#writes li a")]
        for _ in range(next(place for place, text in enumerate(writes) if ANSWER in text)):
            self.press(Keys.TAB)
        self.press(Keys.ENTER)
        self.expect_heading(ANSWER)
        self.press(Keys.ESCAPE, "1")
        self.find_text(".change.replace", "5340 → 0")
        self.press("3")
        self.find_text(".action-pane", "Nothing in the log caused it")
        self.control("k")
        self.press("redispatch 17..28 --skip 17", Keys.ENTER)
        self.find_text("#output", "at the end, compared with step 28")
        self.press(Keys.ESCAPE)
        self.driver.find_element(By.XPATH, "//button[text()='Compare fork 1 with the recording']").send_keys(Keys.ENTER)
        self.find_text(".compare .change.replace", "8 → 5")

    def test_the_keys_of_the_terminal(self):
        self.press(Keys.HOME)
        self.expect_heading("Start")
        self.press("n", "n")
        self.expect_heading("3 session/signIn")
        self.press(Keys.ARROW_RIGHT)
        self.expect_heading("4 session/refused")
        self.press("p")
        self.expect_heading("3 session/signIn")
        self.press("g", "cart/add#3", Keys.ENTER)
        self.expect_heading("14 cart/add")
        self.press("/", "checkout/*", Keys.ENTER)
        browser.until(lambda: self.driver.find_element(By.ID, "matches").text == "11", "eleven matches")
        self.press(Keys.ARROW_DOWN)
        self.expect_heading("16 checkout/begin")
        self.press("/", Keys.ESCAPE)
        self.press("?")
        self.find_text("dialog", "Next or previous root action")
        self.press(Keys.ESCAPE)
        self.control("k")
        self.press("goto 50", Keys.TAB)
        self.press(Keys.BACKSPACE, Keys.BACKSPACE, "20", Keys.ENTER)
        self.expect_heading("20 checkout/pay")
        self.find_text("#panel", "sign in first")

    def test_a_link_is_a_view(self):
        browser.visit(self.driver, self.address + "/17?filter=cart/*&open=/cart&pin=/cart/total&tab=state")
        self.expect_heading(ANSWER)
        self.assertEqual(self.driver.find_element(By.ID, "filter").get_attribute("value"), "cart/*")
        self.find_text(".chart-label", "cart.total")
        self.find_text(".tree .row", "total")
        self.press(Keys.ARROW_RIGHT)
        browser.until(lambda: self.driver.execute_script("return location.hash").startswith("#/18?"), "the fragment")
        self.assertNotIn("token", self.driver.execute_script("return location.href"))

    def test_two_steps_are_compared(self):
        self.click(self.find("#tab-compare"))
        fields = self.driver.find_elements(By.CSS_SELECTOR, ".compare input")
        browser.until(lambda: fields[1].get_attribute("value") == "28", "the selected step")
        for field, text in zip(fields, ["13", "15"]):
            field.clear()
            field.send_keys(text)
        self.press(Keys.ENTER)
        self.find_text(".change.replace", "2690 → 5340")

    def test_the_overview_moves_zooms_and_chooses_a_range(self):
        box = self.find("#map")
        width = box.size["width"]
        ActionChains(self.driver).move_to_element_with_offset(box, int(width * (17.5 / 30 - 0.5)), 20).click().perform()
        self.expect_heading("16 checkout/begin")
        ActionChains(self.driver).move_to_element_with_offset(box, 0, -box.size["height"] // 2 + 8).click_and_hold() \
            .move_by_offset(width // 5, 0).release().perform()
        self.find_text("#range", "14–19")
        browser.until(lambda: len([row for row in self.driver.find_elements(By.CSS_SELECTOR, "#list .row")
                                   if row.is_displayed()]) == 6, "six rows")


if __name__ == "__main__":
    unittest.main()
