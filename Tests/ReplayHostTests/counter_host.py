#!/usr/bin/env python3
"""A replay host for a counter, in another language: docs/replay-host.md with nothing but the standard library.

With --twice-as-much the reducer has a bug.
"""
import json
import os
import sys

FACTOR = 2 if "--twice-as-much" in sys.argv else 1


def reduce(state, action):
    """Returns the next state, or raises ValueError for an action that is refused."""
    amount = action["payload"]["amount"]
    if state["count"] + amount < 0:
        raise ValueError("below 0")
    return {"count": state["count"] + amount * FACTOR}


class Session:
    def __init__(self, params):
        self.state = (params.get("states") or {}).get("counter", {"count": 0})
        self.next = params["next"]

    def dispatch(self, action):
        number = action.get("n", self.next)
        step = {"n": number, "t": action["t"]}
        if action["action"]["type"] != "counter/add":
            return step | {"undecodable": "there is only counter/add"}
        self.next = number + 1
        try:
            state = reduce(self.state, action["action"])
        except ValueError as refusal:
            rejection = {"reason": "refused", "message": str(refusal), "store": "counter"}
            return step | {"rejected": rejection}
        if state != self.state:
            step["states"] = {"counter": state}
        self.state = state
        return step


class Host:
    def __init__(self):
        self.sessions = {}

    def initialize(self, params):
        app = {"name": "Counter", "stores": [{"name": "counter"}], "actionTypes": ["counter"]}
        return {"protocol": "1.0", "app": app}

    def start(self, params):
        number = len(self.sessions) + 1
        self.sessions[number] = Session(params)
        return {"session": number}

    def dispatch(self, params):
        session = self.sessions[params["session"]]
        return {"steps": [session.dispatch(action) for action in params["actions"]]}

    def states(self, params):
        return {"states": {"counter": self.sessions[params["session"]].state}}

    def end(self, params):
        self.sessions[params["session"]] = None
        return {}

    def shutdown(self, params):
        return {}

    def answer(self, request):
        method = {
            "initialize": self.initialize,
            "session/start": self.start,
            "session/dispatch": self.dispatch,
            "session/states": self.states,
            "session/end": self.end,
            "shutdown": self.shutdown,
        }.get(request["method"])
        if method is None:
            return {"error": {"code": -32601, "message": "no such method"}}
        try:
            return {"result": method(request["params"])}
        except Exception as problem:
            return {"error": {"code": -32000, "message": repr(problem)}}


def main():
    if os.environ.get("FLUX_REPLAY_HOST") != "stdio":
        print("the counter is at 0")
        return
    output = sys.stdout
    sys.stdout = sys.stderr
    host = Host()
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        answer = {"jsonrpc": "2.0", "id": request["id"]} | host.answer(request)
        print(json.dumps(answer), file=output, flush=True)
        if request["method"] == "shutdown":
            return


main()
