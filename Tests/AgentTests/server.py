"""The server under test, as the SDK starts it."""

import os
import pathlib

from mcp import Client, StdioServerParameters

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDINGS = ROOT / "Recordings"
BUILD = pathlib.Path(os.environ.get("FLUX_BUILD", ROOT / ".build/debug"))
ERAS = ["legacy", "auto", "2026-07-28"]


def client(*arguments, mode="auto", logs=None, environment=None):
    """A client of `flux-inspect mcp`; `environment` is added to the one that the SDK hands down."""
    arguments = ["mcp", *(str(log) for log in logs or [RECORDINGS]), *arguments]
    server = StdioServerParameters(command=str(BUILD / "flux-inspect"), args=arguments, env=environment, cwd=ROOT)
    return Client(server, mode=mode, read_timeout_seconds=30)


def app(name):
    """The arguments for a server that may replay in an example app."""
    return ["--app", str(BUILD / name)]


def questions():
    """The four questions that find the bug of the cart, and the tools that prove it."""
    shop = "shop.jsonl"
    return [
        ("overview", {"log": shop}),
        ("find", {"log": shop, "expression": "changed(cart.lines) && length(cart.lines) == 0"}),
        ("step", {"log": shop, "n": 17}),
        ("what_if", {
            "log": shop, "from": 17, "to": 18, "skip": [17], "then": "length(cart.lines) > 1"}),
        ("write_test", {
            "log": shop, "n": 17, "because": "an expired session must not empty the cart"}),
    ]
