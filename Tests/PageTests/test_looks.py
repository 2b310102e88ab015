"""The page at every width, in both themes: nothing scrolls sideways, everything can be read, every control has a name."""

import json
import unittest

import browser

VIEWS = ["17", "17?tab=state&pin=/cart/total", "12?tab=action", "17?tab=compare", "20", "start", "row:11", "17?filter=cart/*"]

SIDEWAYS = """
return [document.scrollingElement, ...document.querySelectorAll('body *')]
  .filter((node) => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0
    && ['auto', 'scroll'].includes(getComputedStyle(node).overflowX))
  .concat(document.documentElement.scrollWidth > innerWidth ? [document.documentElement] : [])
  .map((node) => node.id || node.className || node.tagName)
"""

# The contrast of every visible text with what is behind it, as WCAG 2 computes it.
CONTRAST = """
const canvas = document.createElement('canvas');
canvas.width = canvas.height = 1;
const context = canvas.getContext('2d', { willReadFrequently: true });
function rgba(color) {
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}
function over(top, bottom) {
  return [0, 1, 2].map((i) => top[i] * top[3] + bottom[i] * (1 - top[3])).concat(1);
}
function behind(node) {
  const layers = [];
  for (let at = node; at; at = at.parentElement) {
    const color = rgba(getComputedStyle(at).backgroundColor);
    if (color[3] > 0) layers.push(color);
    if (color[3] === 1) break;
  }
  return layers.reverse().reduce((bottom, top) => over(top, bottom), [255, 255, 255, 1]);
}
function light([r, g, b]) {
  const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}
const weak = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode.parentElement;
  const box = node.getBoundingClientRect();
  if (!walker.currentNode.data.trim() || !box.width || !box.height || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
  if (node.closest('button:disabled, .offscreen, .late, noscript, script')) continue;
  const back = behind(node);
  const front = over(rgba(getComputedStyle(node).color), back);
  const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < 4.5) weak.push(`${ratio.toFixed(2)} ${walker.currentNode.data.trim().slice(0, 40)}`);
}
return weak;
"""

NAMELESS = """
return [...document.querySelectorAll('button, input, select, a, [role=listbox], [role=tree], [role=slider], [role=separator], [role=tabpanel], dialog')]
  .filter((node) => node.checkVisibility())
  .filter((node) => !(node.textContent.trim() || node.getAttribute('aria-label') || node.getAttribute('aria-labelledby') || node.labels?.length))
  .map((node) => node.outerHTML.slice(0, 120))
"""


WORD = "Word" * 200


def long_words(file):
    """Writes a log in which every name and message is a long word."""
    store = WORD[:300]
    lines = [{"flux": "1.1", "app": {"name": WORD, "version": "1"}, "stores": {store: {"initial": {WORD: 1}}, "text": {"initial": "old " * 200}}},
             {"n": 1, "t": 1, "action": {"type": WORD, "payload": {WORD: WORD}}, "at": f"App/{WORD}.swift:1", "states": {store: {WORD: 2}, "text": "new " * 200}},
             {"mark": WORD, "t": 1.5},
             {"n": 2, "t": 2, "action": {"type": "no"}, "rejected": {"reason": f"{WORD}\u202e", "message": WORD * 10, "store": store}}]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


class Looks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.address = browser.report(browser.RECORDINGS / "shop.jsonl", browser.ARTEFACTS / "shop.html")
        cls.driver = browser.open_browser()
        cls.addClassCleanup(cls.driver.quit)

    def check(self, width, height, dark):
        for view in VIEWS:
            with self.subTest(view=view, width=width, dark=dark):
                browser.resize(self.driver, width, height, dark, motion=False)
                browser.visit(self.driver, f"{self.address}#/{view}")
                browser.until(lambda: self.driver.execute_script(
                    "return !document.querySelector('.skeleton, .late')"), "the view")
                self.assertEqual(self.driver.execute_script(SIDEWAYS), [])
                self.assertEqual(self.driver.execute_script(CONTRAST), [])
                self.assertEqual(self.driver.execute_script(NAMELESS), [])
                self.assertEqual(browser.errors(self.driver), [])
                name = "".join(letter if letter.isalnum() else "-" for letter in view)
                browser.keep(self.driver, f"{width}-{'dark' if dark else 'light'}-{name}")

    def test_wide_and_light(self):
        self.check(1280, 800, False)

    def test_wide_and_dark(self):
        self.check(1280, 800, True)

    def test_900_pixels(self):
        self.check(900, 700, False)

    def test_a_phone(self):
        self.check(400, 800, True)

    def test_long_words_leave_room_for_the_rest(self):
        address = browser.report(long_words(browser.ARTEFACTS / "words.jsonl"), browser.ARTEFACTS / "words.html")
        for width, height in [(1280, 800), (400, 800)]:
            for view in ["", "1", "1?tab=state", "1?tab=action", "row:2", "2"]:
                with self.subTest(view=view, width=width):
                    browser.resize(self.driver, width, height, motion=False)
                    browser.visit(self.driver, f"{address}#/{view}")
                    browser.until(lambda: self.driver.execute_script("return !document.querySelector('.skeleton, .late')"), "the view")
                    self.assertEqual(self.driver.execute_script(SIDEWAYS), [])
                    self.assertLess(self.driver.execute_script("return document.getElementById('summary').offsetHeight"), height / 2)
                    self.assertLess(self.driver.execute_script("return document.getElementById('heading').offsetHeight"), height * 2 / 3)
                    self.assertNotIn("\u202e", self.driver.execute_script("return document.getElementById('heading').textContent"))
        browser.visit(self.driver, f"{address}#/1?tab=state")
        browser.until(lambda: "new new" in self.driver.execute_script("return document.querySelector('.tree').innerText"), "the state")
        new = self.driver.execute_script("""
          const content = [...document.querySelectorAll('.tree .content')].find((node) => node.textContent.includes('new new'));
          const value = [...content.querySelectorAll('.value')].find((node) => node.textContent.includes('new new'));
          return content.getBoundingClientRect().right - value.getBoundingClientRect().left""")
        self.assertGreater(new, 40)

    def test_times_stay_inside_a_narrow_list(self):
        address = browser.report(browser.RECORDINGS / "chat.jsonl", browser.ARTEFACTS / "chat.html")
        browser.resize(self.driver, 900, 700, motion=False)
        browser.visit(self.driver, f"{address}#/39")
        browser.until(lambda: self.driver.execute_script("return document.querySelector('#list .row.here .time')?.textContent"), "the step")
        ends = self.driver.execute_script("""
          return [...new Set([...document.querySelectorAll('#list .row:not([hidden])')]
            .map((row) => Math.round(row.getBoundingClientRect().right - row.querySelector('.time').getBoundingClientRect().right)))]""")
        self.assertEqual(ends, [12])

    def test_nothing_moves_if_the_system_asks_for_it(self):
        browser.resize(self.driver, 1280, 800, motion=False)
        browser.visit(self.driver, self.address)
        moving = self.driver.execute_script(
            "return [...document.querySelectorAll('*')].filter((node) => parseFloat(getComputedStyle(node).transitionDuration) > 0).length")
        self.assertEqual(moving, 0)

    def test_the_type_scale_has_four_sizes(self):
        browser.resize(self.driver, 1280, 800)
        browser.visit(self.driver, self.address + "#/17?tab=state&pin=/cart/total")
        sizes = self.driver.execute_script(
            "return [...new Set([...document.querySelectorAll('body *')].filter((node) => node.checkVisibility()).map((node) => getComputedStyle(node).fontSize))]")
        self.assertLessEqual(set(sizes), {"12px", "13px", "15px", "20px"})


if __name__ == "__main__":
    unittest.main()
