"""The times of the page in Chromium, as lists of seconds in JSON, for `make bench`.

measure.py steps            neighbours and random steps of states of 154 KB: {"neighbour","random"}
measure.py served LOG       the page of a log: ready, and random jumps: {"ready","jump"}
measure.py filter           a search for text over 26,000 steps: {"first","whole"}
measure.py live             from a line in the file to the page: {"line"}
measure.py report           a report of a log of 7.6 MB: {"size","open","seek"}, the size in megabytes
measure.py weight           the page itself: {"serve","report"}, in megabytes
"""

import json
import pathlib
import random
import re
import sys
import tempfile
import time
import urllib.parse
import urllib.request

import browser

ROUNDS = 25
# The first one has five letters, so that a text of it alone is as long as it was asked to be.
WORDS = ["".join(random.Random(place).choices("etaoinshrdlu", k=(place + 4) % 9 + 1)) for place in range(2000)]
# Runs in every document before its scripts: notes when the page is ready.
NOTES = """
  new MutationObserver((changes, observer) => {
    if (!document.body?.dataset.ready) return;
    observer.disconnect();
    requestAnimationFrame(() => { window.readyAfter = performance.now(); });
  }).observe(document, { subtree: true, childList: true, attributes: true });
"""
# Moves to a row, and answers after how many milliseconds its change is in the page, or with the next frame on the screen.
MOVE = """
  const [row, text, frame, done] = arguments;
  const panel = document.getElementById('panel');
  const began = performance.now();
  const isDrawn = () => panel.textContent.includes(text) && document.querySelector('#heading h2')?.textContent.startsWith(`${row} `);
  const observer = new MutationObserver(() => {
    if (!isDrawn()) return;
    observer.disconnect();
    if (frame) requestAnimationFrame(() => done(performance.now() - began));
    else done(performance.now() - began);
  });
  observer.observe(document.getElementById('detail'), { subtree: true, childList: true, characterData: true });
  window.fluxPage.go(row);
"""
# Notes the time at which the page shows a number of steps.
AWAIT = """
  const [text, done] = arguments;
  const facts = document.getElementById('facts');
  const observer = new MutationObserver(() => {
    if (!facts.textContent.startsWith(text)) return;
    observer.disconnect();
    requestAnimationFrame(() => done(Date.now()));
  });
  observer.observe(facts, { subtree: true, childList: true, characterData: true });
"""


def write_log(path, elements, steps, filling, words=1):
    """A log whose state has elements of about 150 bytes; step N sets the count of one element to N.

    The actions are filled with a text of so many different words, in no order: few are small in a report, and many are not.
    """
    items = [{"id": f"item-{index:05d}", "title": "a thing to buy " * 6, "count": 0, "done": False} for index in range(elements)]
    header = {"flux": "1.1", "created": "2026-11-20T12:00:00.000000Z", "seed": "0000000000000001", "first": 1,
              "app": {"name": "Measured", "version": "1.0"}, "stores": {"items": {"type": "Items", "initial": {"items": items}}}}
    with open(path, "w") as file:
        file.write(json.dumps(header, separators=(",", ":")) + "\n")
        for number in range(1, steps + 1):
            file.write(line(number, number * 7919 % elements, filling, words))


def line(number, index, filling, words=1):
    text = " ".join(random.Random(number).choices(WORDS[:words], k=filling // 6))
    step = {"n": number, "t": number / 1000, "action": {"type": "items/count", "payload": {"index": index, "text": text}},
            "patches": {"items": [{"op": "replace", "path": f"/items/{index}/count", "value": number}]}}
    return json.dumps(step, separators=(",", ":")) + "\n"


def opened():
    driver = browser.open_browser()
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NOTES})
    return driver


def visit(driver, address):
    """Opens the page, and returns the seconds until it is ready."""
    browser.visit(driver, address)
    return browser.until(lambda: driver.execute_script("return window.readyAfter"), "the time of the page") / 1000


def moves(driver, rows, frame=True):
    return [driver.execute_async_script(MOVE, row, f"→ {row}", frame) / 1000 for row in rows]


def complete(driver):
    browser.until(lambda: driver.execute_async_script(
        "const done = arguments[0]; window.fluxPage.ask('info', {}).then((info) => done(info.complete));"), "the index", 300)


def steps(folder):
    log = folder / "states.jsonl"
    write_log(log, elements=1040, steps=2000, filling=0)
    with browser.serving(log) as address:
        driver = opened()
        try:
            visit(driver, address + "/1000")
            complete(driver)
            some = random.Random(1)
            moves(driver, [1010, 1011])
            neighbours = moves(driver, range(1012, 1012 + ROUNDS))
            return {"neighbour": neighbours, "random": moves(driver, some.sample(range(1, 2000), ROUNDS))}
        finally:
            driver.quit()


# Searches for a text, and answers after how many milliseconds the first rows are in the list, and when all are counted.
FILTER = """
  const [text, done] = arguments;
  const [list, matches] = ['list', 'matches'].map((id) => document.getElementById(id));
  const began = performance.now();
  let first;
  const observer = new MutationObserver(() => {
    const rows = [...list.querySelectorAll('.row:not([hidden]) .payload')];
    if (first === undefined && rows.length && rows.every((row) => row.textContent.includes(text))) first = performance.now() - began;
    if (first === undefined || !/^[0-9\\s\u202f]+$/.test(matches.textContent)) return;
    observer.disconnect();
    done([first, performance.now() - began]);
  });
  observer.observe(document.getElementById('steps'), { subtree: true, childList: true, characterData: true });
  window.fluxPage.setFilter(text);
"""


def searched(folder):
    log = folder / "many.jsonl"
    with open(log, "w") as file:
        file.write('{"flux":"1.1","stores":{"a":{"initial":0}}}\n')
        for number in range(1, 26_001):
            word = "needle" if number % 97 == 0 else "straw"
            file.write(json.dumps({"n": number, "t": number / 100, "action": {"type": f"a/{number % 30}", "payload": {
                "title": f"a {word} in the hay", "count": number, "note": "some more text " * 6}}, "states": {"a": number}}) + "\n")
    with browser.serving(log) as address:
        driver = opened()
        try:
            visit(driver, address + "/13000")
            complete(driver)
            found = []
            for _ in range(7):
                found.append(driver.execute_async_script(FILTER, "needle"))
                driver.execute_async_script("window.fluxPage.setFilter(''); setTimeout(arguments[0], 200)")
            return {"first": [first / 1000 for first, _ in found], "whole": [whole / 1000 for _, whole in found]}
        finally:
            driver.quit()


def served(folder, log):
    with browser.serving(log) as address:
        driver = opened()
        try:
            ready = [visit(driver, address) for _ in range(5)]
            complete(driver)
            last = driver.execute_script("return window.fluxPage.info.rows - 1")
            some = random.Random(1)
            jumps = []
            for _ in range(ROUNDS):
                jumps.append(driver.execute_async_script("""
                  const [row, done] = arguments;
                  const heading = document.getElementById('heading');
                  const began = performance.now();
                  const observer = new MutationObserver(() => {
                    if (window.fluxPage.step?.row !== row || heading.classList.contains('late')) return;
                    observer.disconnect();
                    requestAnimationFrame(() => done(performance.now() - began));
                  });
                  observer.observe(heading, { subtree: true, childList: true, characterData: true });
                  window.fluxPage.go(row);
                """, some.randrange(1, last)) / 1000)
            return {"ready": ready, "jump": jumps}
        finally:
            driver.quit()


def live(folder):
    log = folder / "live.jsonl"
    write_log(log, elements=10, steps=100, filling=0)
    with browser.serving(log) as address:
        driver = opened()
        try:
            visit(driver, address)
            laps = []
            for number in range(101, 101 + ROUNDS):
                driver.execute_script(f"window.shown = new Promise((done) => (function () {{ {AWAIT} }})('{number} step', done));")
                time.sleep(0.05 + 0.01 * (number % 5))
                with open(log, "a") as file:
                    written = time.time()
                    file.write(line(number, 1, 0))
                shown = driver.execute_async_script("window.shown.then(arguments[0])")
                laps.append(max(0, shown / 1000 - written))
            return {"line": laps}
        finally:
            driver.quit()


def report(folder):
    log = folder / "report.jsonl"
    write_log(log, elements=1040, steps=4000, filling=1700)
    assert 7_400_000 < log.stat().st_size < 7_800_000, log.stat().st_size
    html = folder / "report.html"
    address = browser.report(log, html)
    large = folder / "large.jsonl"
    write_log(large, elements=1040, steps=8000, filling=1700, words=len(WORDS))
    assert 14_500_000 < large.stat().st_size < 15_500_000, large.stat().st_size
    # Without a range, a report of this log would have the newest steps alone, to stay below 5 MB.
    large_address = browser.report(large, folder / "large.html", "--range", "start..end")
    driver = opened()
    try:
        larges = [visit(driver, large_address) for _ in range(5)]
        opens = [visit(driver, address) for _ in range(5)]
        moves(driver, [2000, 2001])
        seeks = moves(driver, random.Random(1).sample(range(1, 4000), ROUNDS), frame=False)
        return {"size": [html.stat().st_size / 1e6], "open": opens, "seek": seeks, "large": larges}
    finally:
        driver.quit()


def weight(folder):
    html = folder / "weight.html"
    browser.report(browser.RECORDINGS / "shop.jsonl", html)
    bare = re.sub(r'(id="flux-data">)[^<]*', r"\1", html.read_text())
    served = 0
    with browser.serving(browser.RECORDINGS / "shop.jsonl") as address:
        for name in ["index.html", "style.css", "main.js"]:
            request = urllib.request.Request(urllib.parse.urljoin(address, "/" + name), headers={"Accept-Encoding": "gzip"})
            served += len(urllib.request.urlopen(request, timeout=60).read())
    return {"serve": [served / 1e6], "report": [len(bare.encode()) / 1e6]}


if __name__ == "__main__":
    task, *arguments = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps({"steps": steps, "served": served, "filter": searched, "live": live, "report": report, "weight": weight}[task](
            pathlib.Path(folder), *arguments)))
