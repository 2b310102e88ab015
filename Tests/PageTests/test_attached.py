"""A running app that shows what the page shows."""

import os
import pty
import re
import subprocess
import tempfile
import threading
import unittest

from selenium.webdriver.common.keys import Keys

import browser


class App:
    """The TodoMVC example at a terminal; `screen` is what it has drawn last."""

    def __init__(self, log):
        master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [str(browser.PROGRAM.parent / "todomvc-example"), "--record", str(log)],
            stdin=subprocess.PIPE, stdout=slave, text=True)
        os.close(slave)
        self.output = ""
        threading.Thread(target=self.read, args=(master,), daemon=True).start()

    def read(self, master):
        while True:
            try:
                self.output += os.read(master, 65536).decode()
            except OSError:
                os.close(master)
                return

    @property
    def screen(self):
        return re.split(r"\x1b\[H\x1b\[2J", self.output)[-1]

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    @property
    def number(self):
        """What the app is attached by: another app of this name may run, such as one that the user has started."""
        return str(self.process.pid)

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()


class Attached(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        previous = os.environ.get("XDG_RUNTIME_DIR")
        os.environ["XDG_RUNTIME_DIR"] = folder.name
        self.addCleanup(lambda: os.environ.update({"XDG_RUNTIME_DIR": previous}) if previous else os.environ.pop("XDG_RUNTIME_DIR"))
        self.app = App(os.path.join(folder.name, "todo.jsonl"))
        self.addCleanup(self.app.end)
        for title in ["milk", "tea", "jam"]:
            self.app.type(f"add {title}")
        browser.until(lambda: "3 jam" in self.app.screen, "the app's list")
        self.driver = browser.open_browser()
        self.addCleanup(self.driver.quit)

    def press(self, *keys):
        actions = browser.actions(self.driver)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def test_moving_through_the_page_moves_the_app(self):
        with browser.serving("--attach", self.app.number) as address:
            browser.visit(self.driver, address)
            self.press(Keys.HOME)
            browser.until(lambda: "0 items left" in self.app.screen, "the app's start")
            self.press(Keys.ARROW_DOWN)
            browser.until(lambda: "1 milk" in self.app.screen and "2 tea" not in self.app.screen, "the app's first step")
            self.press(Keys.END)
            browser.until(lambda: "3 jam" in self.app.screen, "the newest state")
            # The slider.
            bands = self.driver.find_element("id", "map")
            browser.actions(self.driver).move_to_element_with_offset(bands, -bands.size["width"] // 2 + 2, 0).click().perform()
            browser.until(lambda: "3 jam" not in self.app.screen, "a state of the past")
            self.driver.find_element("id", "running").click()
            browser.until(lambda: "3 jam" in self.app.screen, "the newest state, because nothing is shown")
            self.press(Keys.HOME)
            self.driver.find_element("id", "running").click()
            browser.until(lambda: "0 items left" in self.app.screen, "the app's start again")
            self.assertEqual(browser.errors(self.driver), [])
            self.driver.get("about:blank")
            browser.until(lambda: "3 jam" in self.app.screen, "the newest state, because the page is closed")

    def test_the_page_steers_the_app(self):
        with browser.serving("--attach", self.app.number) as address:
            browser.visit(self.driver, address)
            self.assertEqual(self.text("follow"), "● following")
            self.click("dispatch-app")
            field = self.driver.find_element("css selector", "#dispatch textarea")
            kind = self.driver.find_element("css selector", "#dispatch input")
            kind.clear()
            kind.send_keys("todo/add", Keys.TAB)
            browser.until(lambda: "title" in field.get_attribute("value"), "the newest payload of the type")
            field.clear()
            field.send_keys('{"title":"figs"}')
            field.submit()
            browser.until(lambda: "4 figs" in self.app.screen, "the dispatched action")
            self.click("pause-app")
            browser.until(lambda: "is paused at" in self.text("output").split("> pause")[-1], "the pause")
            browser.until(lambda: "resume" in self.text("pause-app"), "a button that ends the pause")
            self.app.type("add nuts")
            self.click("pause-app")
            browser.until(lambda: "the app is live" in self.text("output").split("> resume")[-1], "the end of the pause")
            self.app.type("add plums")
            browser.until(lambda: "plums" in self.app.screen, "the app's user")
            self.assertNotIn("nuts", self.app.screen)
            self.press(Keys.HOME)
            self.press(Keys.ARROW_DOWN)
            browser.until(lambda: "2 tea" not in self.app.screen, "the app's first step")
            self.click("restore-app")
            browser.until(lambda: "continues" in self.text("output").split("> restore")[-1], "the restored state")
            self.app.type("add dates")
            browser.until(lambda: "2 dates" in self.app.screen, "the app that goes on from there")

    def test_a_page_that_follows_leaves_what_another_inspector_shows(self):
        other = subprocess.Popen([str(browser.PROGRAM), "attach", self.app.number, "--batch"], stdin=subprocess.PIPE,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(other.wait)
        self.addCleanup(other.stdin.close)
        other.stdin.write("show 1\n")
        other.stdin.flush()
        browser.until(lambda: "2 tea" not in self.app.screen, "the first step")
        with browser.serving("--attach", self.app.number) as address:
            browser.visit(self.driver, address)
            self.app.type("add figs")
            browser.until(lambda: "8 todo/saved" in self.text("heading"), "the new step")
            self.driver.get("about:blank")
            browser.visit(self.driver, address)
            self.assertNotIn("2 tea", self.app.screen)
            # A move of a person is another matter.
            self.press(Keys.HOME)
            browser.until(lambda: "0 items left" in self.app.screen, "the app's start")
            self.press(Keys.END)
            browser.until(lambda: "4 figs" in self.app.screen, "the newest state")

    def test_the_buttons_tell_what_others_do_to_the_app(self):
        with browser.serving("--attach", self.app.number) as address:
            browser.visit(self.driver, address)
            field = self.driver.find_element("id", "command")
            for command, label in [("pause", "resume"), ("restore 1", "pause"), ("pause", "resume"), ("resume", "pause")]:
                field.send_keys(command, Keys.ENTER)
                browser.until(lambda: label in self.text("pause-app"), f"{label}, after {command}")
            self.app.end()
            browser.until(lambda: "has ended" in self.text("running"), "the end of the app")
            self.assertFalse(self.driver.find_element("id", "restore-app").is_enabled())
            self.driver.find_element("id", "list").click()
            self.press(Keys.HOME)
            browser.until(lambda: "#/start" in self.driver.execute_script("return location.hash"), "the start")
            self.assertEqual(browser.errors(self.driver), [])

    def text(self, name):
        return self.driver.execute_script("return document.getElementById(arguments[0])?.innerText ?? ''", name)

    def click(self, name):
        browser.until(lambda: self.driver.find_element("id", name).is_displayed(), name)
        self.driver.find_element("id", name).click()


if __name__ == "__main__":
    unittest.main()
