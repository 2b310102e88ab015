"""`serve` and `report` are two implementations of one interface: they give the same answers."""

import unittest

import browser

LOGS = ["shop.jsonl", "todomvc.jsonl", "todomvc-gaps.jsonl", "todomvc-damaged.jsonl", "todomvc-unwritten.jsonl",
        "todomvc-restored.jsonl", "text-editor.jsonl", "search-effects.jsonl", "counter.jsonl"]

# As `import` writes a session whose actions have no states.
IMPORTED = """{"flux":"1.1","stores":{"a":{"initial":{"v":0}},"b":{"initial":0}}}
{"n":1,"t":1,"action":{"type":"add"},"states":{"a":{"v":1}}}
{"gap":{"from":2,"to":1,"why":"imported"}}
{"n":2,"t":2,"action":{"type":"add"}}
{"n":3,"t":3,"action":{"type":"add"},"states":{"a":{"v":1}}}
{"n":4,"t":4,"action":{"type":"no"},"rejected":{"reason":"refused","message":"no"}}
{"n":5,"t":5,"action":{"type":"add"},"patches":{"a":[{"op":"replace","path":"/v","value":2}]}}
{"end":{"steps":5,"ok":true}}
"""

# The app goes back to models of no step, of which rejected steps keep one.
RESTORED = """{"flux":"1.1","stores":{"a":{"initial":{"v":0}},"b":{"initial":0}}}
{"n":1,"t":1,"action":{"type":"add"},"states":{"a":{"v":1},"b":1}}
{"gap":{"from":2,"to":1,"why":"restored"},"states":{"a":{"v":2},"b":2}}
{"n":2,"t":2,"action":{"type":"add"},"states":{"a":{"v":3},"b":3}}
{"gap":{"from":3,"to":2,"why":"restored"},"states":{"a":{"v":9},"b":4}}
{"n":3,"t":3,"action":{"type":"no"},"rejected":{"reason":"refused","message":"no"}}
{"n":4,"t":4,"action":{"type":"add"},"states":{"a":{"v":10},"b":5}}
{"end":{"steps":4,"ok":true}}
"""

# States that are null, states that are not written, marks between a gap and the next step, and returns that rejected steps
# follow; over midnight.
MIXED = """{"flux":"1.1","created":"2026-11-20T23:59:58.500000Z","stores":{"a":{"initial":0},"b":{"initial":null}}}
{"n":1,"t":0.5,"action":{"type":"x"},"states":{"a":1}}
{"n":2,"t":1,"action":{"type":"y"},"states":{"b":2}}
{"n":3,"t":1.4999,"action":{"type":"z"},"unwritten":["a"]}
{"n":4,"t":1.5,"action":{"type":"y"},"patches":{"b":[{"op":"replace","path":"","value":null}]}}
{"n":5,"t":2,"action":{"type":"y"},"states":{"b":5}}
{"n":6,"t":3,"action":{"type":"q"},"states":{"a":9}}
{"mark":"m","t":3.2}
{"n":7,"t":3.5,"action":{"type":"u"},"unwritten":["a","b"]}
{"n":8,"t":4,"action":{"type":"u"},"unwritten":["a"],"states":{"b":7}}
{"n":9,"t":5,"action":{"type":"u"},"states":{"a":0}}
{"gap":{"from":10,"to":9,"why":"restored"},"states":{"a":null,"b":7}}
{"n":10,"t":6,"action":{"type":"no"},"rejected":{"reason":"r","message":"m"}}
{"n":11,"t":6,"action":{"type":"no"},"rejected":{"reason":"r","message":"m"}}
{"n":12,"t":6,"action":{"type":"q"},"states":{"a":null,"b":8}}
{"gap":{"from":13,"to":12,"why":"restored","step":6}}
{"mark":"m","t":6.2}
{"n":13,"t":7,"action":{"type":"q"},"states":{"a":9,"b":5}}
{"gap":{"from":14,"to":13,"why":"restored","step":0}}
{"n":14,"t":8,"action":{"type":"no"},"rejected":{"reason":"r","message":"m"}}
{"n":15,"t":9,"action":{"type":"q"},"states":{"a":0,"b":null}}
{"gap":{"from":16,"to":15,"why":"restored","step":6}}
"""

# Asks one question after another, and gives the answers in a form that can be compared.
ASK = """
const [questions, done] = [arguments[0], arguments[arguments.length - 1]];
const plain = (value) => {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value.text === 'string' && Object.keys(value).length === 1) return '#' + value.text;
  if (value.names) return value.names.map((name, place) => [name, plain(value.values[place])]);
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null && inner !== false)
    .sort(([left], [right]) => (left < right ? -1 : 1)).map(([key, inner]) => [key, plain(inner)]));
};
(async () => {
  const answers = [];
  for (const [name, request] of questions) {
    try {
      answers.push(plain(await fluxPage.source.ask(name, request)));
    } catch (error) {
      answers.push({ refused: error.code });
    }
  }
  return answers;
})().then(done, (error) => done(String(error)));
"""


def questions(info):
    rows = info["rows"]
    sampled = sorted({*range(0, rows, max(1, rows // 12)), 1, rows - 1, *info["odd"]})
    asked = [("steps", {"from": 0, "count": min(500, rows)}), ("find", {"filter": "*a*", "from": 1, "direction": "forwards", "limit": 100}),
             ("find", {"filter": "", "roots": True, "from": rows - 1, "direction": "backwards", "limit": 5}),
             ("overview", {"from": 0, "to": rows, "buckets": 16, "by": "store"}), ("overview", {"from": 3, "to": rows, "buckets": 7, "by": "type"})]
    for row in sampled:
        asked += [("tree", {"place": row, "path": "", "open": [], "depth": 9, "from": 0, "count": 500}),
                  ("difference", {"a": None, "b": row, "from": 0, "count": 500}), ("chain", {"row": row}), ("effects", {"row": row}),
                  ("difference", {"a": max(0, row - 3), "b": row, "from": 0, "count": 500})]
        asked += [("value", {"place": row, "path": "/" + store}) for store in info["stores"]]
    for path in [f"/{store}{member}" for store in info["stores"] for member in ["", "/v", "/total", "/nextID"]]:
        # Three points are samples.
        asked += [("series", {"path": path, "from": start, "to": rows, "points": points}) for start in [0, 4] for points in [600, 3]]
    for store in info["stores"]:
        asked += [("writes", {"path": "/" + store, "row": rows - 1, "direction": "backwards", "limit": 100}),
                  ("writes", {"path": "/" + store, "row": rows // 2, "direction": "forwards", "limit": 100}),
                  ("writes", {"path": "/" + store, "direction": "forwards", "limit": 100})]
    asked += [("locate", {"position": position, "row": 2})
              for position in ["1", "+3", "-1", "50%", "101%", "end", "start", "@0.5", "@23:59:59", "@0:00:01", "*#2", "999999"]]
    return asked


# Members that may differ: the state of the search, sentences for people, and what only one side knows.
FREE = {"scanned", "next", "text", "notes", "note", "bytes", "line", "preview", "unknown", "asked", "sampled", "total"}


def is_empty_rest(band):
    return isinstance(band, dict) and band.get("rest") and not any(band["counts"])


def compared(answer):
    if isinstance(answer, list):
        return [compared(inner) for inner in answer if not is_empty_rest(inner)]
    if isinstance(answer, dict):
        return {key: compared(inner) for key, inner in answer.items() if key not in FREE}
    return answer


class Agreement(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.driver = browser.open_browser()
        cls.driver.set_script_timeout(30)
        cls.addClassCleanup(cls.driver.quit)

    def answers(self, asked):
        return self.driver.execute_async_script(ASK, asked)

    def test_both_sources_give_the_same_answers(self):
        browser.ARTEFACTS.mkdir(parents=True, exist_ok=True)
        written = []
        for name, text in [("imported", IMPORTED), ("restored", RESTORED), ("mixed", MIXED)]:
            written.append(browser.ARTEFACTS / f"{name}.jsonl")
            written[-1].write_text(text)
        for log in [*(browser.RECORDINGS / name for name in LOGS), *written]:
            with self.subTest(log=log.name), browser.serving(log) as served:
                reported = browser.report(log, browser.ARTEFACTS / f"{log.name}.html")
                browser.visit(self.driver, served)
                info = self.driver.execute_script("""return { rows: fluxPage.info.rows, stores: fluxPage.info.stores.map((store) => store.name),
                  odd: [] }""")
                asked = questions(info)
                left = self.answers(asked)
                browser.visit(self.driver, reported)
                right = self.answers(asked)
                for question, one, other in zip(asked, left, right):
                    with self.subTest(question=question):
                        self.assertEqual(compared(one), compared(other))
                        if question[0] == "steps":
                            self.assertEqual([row.get("text") for row in one["rows"]], [row.get("text") for row in other["rows"]])


if __name__ == "__main__":
    unittest.main()
