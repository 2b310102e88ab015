"""Three questions about the shop, once with the mouse alone and once with the keyboard alone.

Which action emptied the cart? Why was it dispatched? What if it had not happened?
"""

import unittest

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
        browser.actions(self.driver).move_to_element(node).click().perform()

    def press(self, *keys):
        actions = browser.actions(self.driver)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def control(self, key):
        browser.actions(self.driver).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()

    def expect_heading(self, text):
        browser.until(lambda: self.driver.find_element(By.CSS_SELECTOR, "#heading h2").text == text, f"the heading {text}")

    # The questions

    def test_the_mouse_alone(self):
        """Five clicks, from where the page opens."""
        browser.visit(self.driver, self.address)
        self.expect_heading("20 checkout/pay")
        self.find_text("#summary", "the first step that was rejected")
        self.click(self.find("#tab-state"))
        row = self.find_text(".tree .row", "total")
        browser.actions(self.driver).move_to_element(row).perform()
        self.click(row.find_element(By.CSS_SELECTOR, ".more"))
        self.click(self.find_text("#menu button", "Who wrote this"))
        self.click(self.find_text("#writes a", ANSWER))
        self.expect_heading(ANSWER)
        # Why: nothing caused it, and this line dispatched it. What it changed is in sight.
        self.find_text("#heading", "root action, without a cause")
        self.find_text("#heading", "shop_example/ShopCommand.swift:21")
        self.find_text(".tree .row", "5340 → 0")
        browser.keep(self.driver, "emptied-cart")
        self.click(self.find_text("#heading button", "What if not?"))
        self.expect_fork()
        browser.keep(self.driver, "what-if")
        # The step that the fork repeats is a link into the recording.
        self.click(self.find_text("#output a", "28"))
        self.expect_heading("28 session/signOut")
        self.assertEqual(self.driver.execute_script("return fluxPage.fork"), None)

    def test_the_keyboard_alone(self):
        """Five inputs: three keys, a text, and a key for what if not."""
        browser.visit(self.driver, self.address)
        self.expect_heading("20 checkout/pay")
        self.press("/")
        self.press("cart.total == 0")
        self.press(Keys.ENTER)
        self.expect_heading(ANSWER)
        self.find_text("#heading", "root action, without a cause")
        self.find_text(".change.replace", "5340 → 0")
        self.press("3")
        self.find_text(".action-pane", "No step of the log caused it")
        self.press("w")
        self.expect_fork()

    def test_the_path_of_a_payload(self):
        """The program reads the copied path as the value that was clicked."""
        browser.visit(self.driver, self.address + "/9")
        self.driver.execute_script("navigator.clipboard.writeText = async (text) => { window.copied = text; };")
        self.press("3")
        row = self.find_text(".action-pane .tree .row", "count")
        browser.actions(self.driver).move_to_element(row).perform()
        self.click(row.find_element(By.CSS_SELECTOR, ".more"))
        self.click(self.find_text("#menu button", "Copy path"))
        browser.until(lambda: self.driver.execute_script("return window.copied") == "$.action.payload.count", "the copied path")

    def expect_fork(self):
        """The whole page shows the fork, at the first step whose states differ, beside the recorded one."""
        self.find_text("#output", "at the end, compared with step 28")
        self.expect_heading("17 cart/add")
        fork = self.driver.execute_script("return fluxPage.fork")
        self.find_text("#places [aria-pressed=true]", f"Fork {fork}")
        self.find_text("#places", "first difference here")
        self.find_text(".compare .change", "480 → 5820")
        if not self.find("#filter").get_attribute("value"):
            self.find_text("#list .row.left", "session/expire")
        self.assertEqual(self.find("#prompt-sign").text, f"fork {fork} > 17 >")
        browser.until(lambda: f"fork={fork}" in self.driver.execute_script("return location.hash"), "the address")

    def test_a_fork_is_a_place(self):
        """List, panes, console, address and reloading all speak of the place that the bar shows."""
        browser.visit(self.driver, self.address + "/17")
        self.press("w")
        self.expect_fork()
        self.control("k")
        self.press("print cart.total", Keys.ENTER)
        self.find_text("#output", "5820")
        self.press(Keys.ESCAPE, Keys.END)
        self.expect_heading("25 session/signOut")
        self.press("2")
        self.find_text(".tree .row", "total")
        browser.until(lambda: "#/25?fork=" in self.driver.execute_script("return location.href"), "the address")
        self.driver.refresh()
        browser.until(lambda: self.driver.execute_script("return document.body.dataset.ready"), "the page")
        self.expect_heading("25 session/signOut")
        # A link into a fork keeps what is compared, and the range.
        fork = self.driver.execute_script("return fluxPage.fork")
        browser.visit(self.driver, f"{self.address}/25?fork={fork}&tab=compare&steps=2-4&a=recorded17&b=fork{fork}:1")
        self.expect_heading("25 session/signOut")
        view = self.driver.execute_script("return [fluxPage.compared, fluxPage.range]")
        self.assertEqual(view, [{"a": {"recorded": 17}, "b": {"fork": fork, "index": 1}}, {"from": 2, "to": 4}])
        browser.visit(self.driver, f"{self.address}/25?fork={fork}")
        self.expect_heading("25 session/signOut")
        self.click(self.find_text("#places button", "Recording"))
        self.expect_heading("28 session/signOut")
        self.control("k")
        self.press("where", Keys.ENTER)
        browser.until(lambda: self.find("#prompt-sign").text == "28 >", "the prompt")

    def test_what_is_dispatched_on_a_fork_is_in_its_list(self):
        """Steps that a command adds to the fork that the page shows; nobody compared it with the recording."""
        browser.visit(self.driver, self.address + "/5")
        self.control("k")
        self.press("fork 5", Keys.ENTER)
        self.find_text("#list .row", "Start of fork")
        fork = self.driver.execute_script("return fluxPage.fork")
        for product, number in [("tea", 6), ("cup", 7)]:
            self.press(f'dispatch {{"type":"cart/add","payload":{{"product":"{product}"}}}}', Keys.ENTER)
            self.expect_heading(f"{number} cart/add")
            self.find_text("#list .row.here", product)
        self.assertEqual(self.driver.execute_script("return fluxPage.fork"), fork)
        self.assertNotIn("differs", self.find("#places").text)

    def test_the_prompt_at_a_mark_names_the_step_before_it(self):
        browser.visit(self.driver, self.address + "/row:11")
        self.expect_heading("the customer is asked to pay")
        browser.until(lambda: self.find("#prompt-sign").text == "10 >", "the prompt")

    def test_a_link_to_a_view_that_does_not_exist_shows_the_changes(self):
        browser.visit(self.driver, self.address + "/17?tab=nonsense")
        self.expect_heading(ANSWER)
        self.find("#tab-changed[aria-selected=true]")
        browser.until(lambda: "tab=" not in self.driver.execute_script("return location.hash"), "the address")

    def test_a_click_is_one_request(self):
        browser.visit(self.driver, self.address + "/12")
        self.expect_heading("12 checkout/failed")
        self.find_text("#row-15", "cart/add")
        self.driver.execute_script("performance.clearResourceTimings(); document.getElementById('row-15').click()")
        self.expect_heading("14 cart/add")
        self.find_text(".change", "{")
        asked = self.driver.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name.replace(/.*\\//, ''))")
        self.assertEqual([name for name in asked if name != "events"], ["step"])

    def test_the_next_step_is_there_before_its_key(self):
        browser.visit(self.driver, self.address + "/12")
        self.expect_heading("12 checkout/failed")
        self.press(Keys.ARROW_RIGHT)
        self.expect_heading("13 checkout/cancel")
        asked = "return performance.getEntriesByType('resource').filter((entry) => entry.name.endsWith('/step')).length"
        browser.until(lambda: self.driver.execute_script(asked) >= 3, "the request for step 14")
        # What the server would say now is not heard.
        self.driver.execute_script("window.fetch = () => Promise.reject(new TypeError('unplugged'))")
        self.press(Keys.ARROW_RIGHT)
        self.expect_heading("14 cart/add")
        self.find_text(".change", "{")

    def test_a_row_of_the_list_is_drawn_once(self):
        browser.visit(self.driver, self.address + "/12")
        self.expect_heading("12 checkout/failed")
        self.find_text("#row-15", "cart/add")
        self.driver.execute_script("document.querySelector('#row-15 .type').dataset.same = 'yes'")
        self.press(Keys.ARROW_RIGHT)
        self.expect_heading("13 checkout/cancel")
        self.assertIn("here", self.find("#row-14").get_attribute("class"))
        self.assertEqual(self.find("#row-15 .type").get_attribute("data-same"), "yes")

    def test_a_fold_hides_the_whole_tree_and_counts_it(self):
        browser.visit(self.driver, self.address + "/1")
        self.click(self.find("#row-3 .fold"))
        self.find_text("#row-3 .time", "+1")
        self.assertEqual(self.find("#row-3").get_attribute("aria-label"), "3 session/signIn, hides 1 step")
        listed = self.driver.execute_script("return [...document.querySelectorAll('#list .row:not([hidden]) .type')].map((node) => node.textContent)")
        self.assertNotIn("session/refused", listed)

    def test_the_recording_plays(self):
        browser.visit(self.driver, self.address + "/24")
        self.driver.execute_script("document.getElementById('speed').value = '10'; document.getElementById('play').click()")
        self.expect_heading("28 session/signOut")
        browser.until(lambda: self.find("#play").text == "▶", "the end of playing")

    def test_changes_of_a_pinned_value(self):
        browser.visit(self.driver, self.address + "/17?pin=/cart/total")
        self.press("[")
        self.expect_heading("15 cart/remove")
        self.press("]", "]")
        self.expect_heading("18 cart/add")

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

    def test_a_wrong_position_is_told_with_the_right_ones(self):
        self.press("g", "nowhere", Keys.ENTER)
        lines = self.find_text(".toast", "nowhere").text.split("\n")
        self.assertEqual(lines[0], "nowhere is not a position")
        self.assertTrue(lines[1].startswith("a position is 42"), lines)
        # The address of such a place becomes that of the one here.
        self.driver.execute_script("location.hash = '#/' + '9'.repeat(1000)")
        self.assertLess(len(self.find_text(".toast", "999").text), 700)
        browser.until(lambda: self.driver.execute_script("return location.hash") == "#/28", "the address")
        # The browser reports the refusals, too.
        browser.errors(self.driver)

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

    def test_the_steps_of_a_type_are_listed(self):
        browser.visit(self.driver, self.address + "/14?tab=type")
        self.find_text("#panel h3", "Steps of type cart/add")
        steps = lambda: [node.text for node in self.driver.find_elements(By.CSS_SELECTOR, "#panel .links li")]
        browser.until(lambda: len(steps()) == 5, "the steps")
        self.assertEqual(steps(), ['7 {"product":"tea"}', '8 +1.75 s {"product":"cup"}', '14 +8.21 s {"product":"pot"}',
                                   '18 +3.31 s {"product":"tea"}', '23 +4.76 s {"product":"tea"}'])
        self.assertEqual(self.find("#panel .here").text.split()[0], "14")
        self.click(self.find_text("#panel .step-link", "18"))
        browser.until(lambda: self.find("#panel .here").text.split()[0] == "18", "the step of the link")
        self.click(self.find_text("#panel button", "Show only these"))
        browser.until(lambda: self.driver.find_element(By.ID, "matches").text == "5", "the filter")

    def test_the_overview_moves_zooms_and_chooses_a_range(self):
        box = self.find("#map")
        width = box.size["width"]
        browser.actions(self.driver).move_to_element_with_offset(box, int(width * (17.5 / 30 - 0.5)), 20).click().perform()
        self.expect_heading("16 checkout/begin")
        browser.actions(self.driver).move_to_element_with_offset(box, 0, -box.size["height"] // 2 + 8).click_and_hold() \
            .move_by_offset(width // 5, 0).release().perform()
        self.find_text("#range", "14–19")
        browser.until(lambda: len([row for row in self.driver.find_elements(By.CSS_SELECTOR, "#list .row")
                                   if row.is_displayed()]) == 6, "six rows")

    def test_the_overview_places_steps_by_time_and_zooms(self):
        self.click(self.find_text("#bands button", "time"))
        self.find_text("#bands [aria-pressed=true]", "time")
        box = self.find("#map")
        # More than two seconds pass between the steps 23 and 24.
        browser.actions(self.driver).move_to_element_with_offset(box, int(box.size["width"] * 0.27), 10).click().perform()
        self.expect_heading("23 cart/add")
        self.click(self.find_text("#bands button", "time"))
        self.assertEqual(self.driver.execute_script("return document.getElementById('minimap').hidden"), True)
        self.driver.execute_script("document.getElementById('map').focus()")
        self.press("+")
        browser.until(lambda: not self.driver.execute_script("return document.getElementById('minimap').hidden"), "the strip of the whole")
        # At the other end, an arrow leads back to the position.
        strip = self.find("#minimap")
        browser.actions(self.driver).move_to_element_with_offset(strip, -int(strip.size["width"] * 0.45), 0).click().perform()
        self.expect_heading("23 cart/add")
        ruler = self.find("#ruler")
        browser.actions(self.driver).move_to_element_with_offset(ruler, ruler.size["width"] // 2 - 6, 0).click().perform()
        self.expect_heading("23 cart/add")
        browser.actions(self.driver).double_click(box).perform()
        browser.until(lambda: self.driver.execute_script("return document.getElementById('minimap').hidden"), "everything")


if __name__ == "__main__":
    unittest.main()
