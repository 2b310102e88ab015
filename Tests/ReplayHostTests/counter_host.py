#!/usr/bin/env python3
"""A replay host for a counter, in another language: docs/app-protocol.md with nothing but the standard library.

With --twice-as-much the reducer has a bug, with --rude it refuses with another message, and with --old the host speaks
version 1.0 of the protocol.
"""
import json
import os
import sys

FACTOR = 2 if "--twice-as-much" in sys.argv else 1
REFUSAL = "no" if "--rude" in sys.argv else "below 0"
IS_OLD = "--old" in sys.argv


def reduce(state, action):
    """Returns the next state and the actions to follow, or raises ValueError for an action that is refused."""
    if action["type"] == "counter/double":
        amount = {"amount": state["count"]}
        return state, [{"action": {"type": "counter/add", "payload": amount}, "target": "counter"}]
    amount = action["payload"]["amount"]
    if state["count"] + amount < 0:
        raise ValueError(REFUSAL)
    return {"count": state["count"] + amount * FACTOR}, []


def upcast(state):
    """Returns a state as it is today: the store was called number once, and was a number."""
    return state if isinstance(state, dict) else {"count": state}


class Session:
    def __init__(self, params):
        states = params.get("states") or {}
        self.state = upcast(states.get("counter", states.get("number", 0)))
        self.next = params["next"]
        self.simulates = params["mode"] == "simulate"

    def dispatch(self, action):
        """Returns the step of an action, and in a simulation those that follow from it."""
        number = action.get("n", self.next)
        step = {"n": number, "t": action["t"]}
        if action["action"]["type"] not in ("counter/add", "counter/double"):
            return [step | {"undecodable": "there are only counter/add and counter/double"}]
        self.next = number + 1
        try:
            state, follow_ups = reduce(self.state, action["action"])
        except ValueError as refusal:
            rejection = {"reason": "refused", "message": str(refusal), "store": "counter"}
            return [step | {"rejected": rejection}]
        if state != self.state:
            step["states"] = {"counter": state}
        self.state = state
        if follow_ups:
            step["followUps"] = follow_ups
        steps = [step]
        for follow_up in follow_ups if self.simulates else []:
            first, *others = self.dispatch({"t": action["t"]} | follow_up)
            steps += [first | follow_up | {"cause": number}, *others]
        return steps


class Host:
    def __init__(self):
        self.sessions = {}

    def initialize(self, params):
        app = {
            "name": "Counter",
            "stores": [{"name": "counter"}],
            "actionTypes": ["counter"],
            "storeAliases": {"number": "counter"},
            "upcastStores": ["number"],
        }
        if IS_OLD:
            return {"protocol": "1.0", "app": app}
        capabilities = {"tells": ["effects", "cancels", "messages"]}
        return {"protocol": "1.1", "app": app, "capabilities": capabilities}

    def start(self, params):
        number = len(self.sessions) + 1
        self.sessions[number] = Session(params)
        return {"session": number}

    def dispatch(self, params):
        session = self.sessions[params["session"]]
        return {"steps": [step for action in params["actions"] for step in session.dispatch(action)]}

    def states(self, params):
        return {"states": {"counter": self.sessions[params["session"]].state}}

    def upcast(self, params):
        return {"states": [upcast(state["state"]) for state in params["states"]]}

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
            "session/upcast": self.upcast,
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
