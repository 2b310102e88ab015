"""`flux-inspect mcp` with the official SDK, which checks every answer against the schema of its tool."""

import json
import os
import pathlib
import tempfile
import time
import unittest

import anyio
from mcp import MCPError

import server
import transcript

READING = [
    "recordings", "overview", "steps", "step", "state", "diff", "who_wrote", "values", "find", "why", "check",
    "rules"]
REPLAYING = ["verify", "what_if", "shrink", "write_test"]


def server_processor_time():
    """The seconds that the processors have worked for the server, which is a child of this process."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == os.getpid() and "flux-inspect" in (process / "cmdline").read_text():
                return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except FileNotFoundError:
            # The process has ended meanwhile.
            continue
    raise AssertionError("there is no server")


def exact(result):
    """The exact answer of a tool."""
    assert not result.is_error, result.content[0].text
    assert result.structured_content is not None
    return json.loads(result.content[0].text)


class AgentTests(unittest.IsolatedAsyncioTestCase):
    async def test_every_tool_in_every_era(self):
        for era in server.ERAS:
            async with server.client(*server.app("shop-example"), mode=era) as client:
                tools = (await client.list_tools()).tools
                self.assertEqual([tool.name for tool in tools], READING + REPLAYING, era)
                for tool in tools:
                    self.assertEqual(tool.annotations.read_only_hint, tool.name in READING)
                    example = json.loads(tool.description.rpartition("Example: ")[2])
                    answer = exact(await client.call_tool(tool.name, example))
                    self.assertLessEqual(len(json.dumps(answer)), 20_000)

    async def test_without_an_app(self):
        async with server.client() as client:
            tools = (await client.list_tools()).tools
            self.assertEqual([tool.name for tool in tools], READING + ["write_test"])
            self.assertTrue(all(tool.annotations.read_only_hint for tool in tools))
            test = exact(await client.call_tool("write_test", {"log": "shop.jsonl", "n": 17}))
            self.assertIn("func reproduces() throws", test["source"])
            result = await client.call_tool("write_test", {"log": "shop.jsonl", "n": 17, "smallest": True})
            self.assertTrue(result.is_error)
            self.assertIn("restart the server with --app PATH", result.content[0].text)

    async def test_every_recording(self):
        async with server.client() as client:
            rows = exact(await client.call_tool("recordings", {}))
            self.assertGreater(rows["count"], 30)
            for row in rows["recordings"]:
                log = row["log"]
                overview = exact(await client.call_tool("overview", {"log": log}))
                self.assertEqual(overview["info"]["steps"], row["steps"])
                first = overview["info"]["first"]
                await client.call_tool("step", {"log": log, "n": first})
                await client.call_tool("state", {"log": log, "n": first})
                exact(await client.call_tool("check", {"log": log}))

    async def test_the_cart_in_four_calls(self):
        async with server.client(*server.app("shop-example")) as client:
            answers = [exact(await client.call_tool(*question)) for question in server.questions()]
        overview, found, step, what_if, test = answers
        self.assertEqual(overview["info"]["app"]["name"], "Shop")
        self.assertEqual(found["steps"][0]["n"], 17)
        self.assertEqual(step["action"]["action"]["type"], "session/expire")
        self.assertEqual(step["action"]["at"], "shop_example/ShopCommand.swift:21")
        self.assertTrue(what_if["holds"])
        self.assertIn("func reproduces() throws", test["source"])

    async def test_the_documents_transcript(self):
        page = (server.ROOT / "docs/agents.md").read_text()
        self.assertEqual(
            page.partition("```text\n")[2].partition("\n```")[0].split("\n"), await transcript.transcript())

    async def test_resources_and_prompts(self):
        for era in server.ERAS:
            async with server.client(mode=era) as client:
                resources = (await client.list_resources()).resources
                shop = next(resource for resource in resources if resource.name == "shop.jsonl")
                text = (await client.read_resource(shop.uri)).contents[0].text
                self.assertEqual(json.loads(text)["info"]["steps"], 28)
                text = (await client.read_resource(f"{shop.uri}/steps/17")).contents[0].text
                self.assertEqual(json.loads(text)["step"]["type"], "session/expire")
                nested = next(resource for resource in resources if resource.name == "Unruly/shop.jsonl")
                await client.read_resource(nested.uri)
                with self.assertRaises(MCPError) as missing:
                    await client.read_resource("recording://none")
                self.assertEqual(missing.exception.error.code, -32602)
                self.assertEqual(len((await client.list_resource_templates()).resource_templates), 2)
                names = [prompt.name for prompt in (await client.list_prompts()).prompts]
                self.assertEqual(names, ["find_the_bug", "explain_divergence"])
                prompt = await client.get_prompt(
                    "find_the_bug", {"log": "shop.jsonl", "symptom": "the cart is empty"})
                self.assertIn("the cart is empty", prompt.messages[0].content.text)

    async def test_mistakes(self):
        for era in server.ERAS:
            async with server.client(mode=era) as client:
                result = await client.call_tool("step", {"log": "shop.jsonl", "n": 99})
                self.assertTrue(result.is_error)
                self.assertEqual(
                    result.content[0].text, "step: there is no step 99; the log has steps 1 to 28")
                with self.assertRaises(MCPError):
                    await client.call_tool("verify", {"log": "shop.jsonl"})
                with self.assertRaises(MCPError):
                    await client.call_tool("nope", {})

    async def test_cancelling_and_ending(self):
        progress = []

        async def note(done, total, message):
            progress.append(done)

        async with server.client(*server.app("chat-example")) as client:
            question = {"log": "chat-long.jsonl", "expression": "1 == 2", "n": 40}
            with anyio.move_on_after(0.3):
                await client.call_tool("shrink", question, progress_callback=note)
            began = time.monotonic()
            exact(await client.call_tool("state", {"log": "shop.jsonl", "n": 17}))
            self.assertLess(time.monotonic() - began, 5)
            began = time.monotonic()
        self.assertLess(time.monotonic() - began, 2.5)
        self.assertEqual(progress, sorted(progress))

    @unittest.skipUnless(pathlib.Path("/proc/self/stat").exists(), "needs the processor times of Linux")
    async def test_a_cancelled_pass_ends_within_100_ms(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "long.jsonl"
            with log.open("w") as file:
                file.write('{"flux":"1.0","stores":{"counter":{"initial":{"value":0}}}}\n')
                for n in range(1, 200_001):
                    action, states = '{"type":"add"}', f'{{"counter":{{"value":{n}}}}}'
                    file.write(f'{{"n":{n},"t":{n}.000000,"action":{action},"states":{states}}}\n')
                file.write('{"end":{"steps":200000,"ok":true}}\n')
            async with server.client(logs=[log]) as client:
                exact(await client.call_tool("overview", {"log": "long.jsonl"}))
                with anyio.move_on_after(0.1) as scope:
                    await client.call_tool("find", {"log": "long.jsonl", "expression": "counter.value < 0"})
                self.assertTrue(scope.cancelled_caught, "the pass was over before it was cancelled")
                await anyio.sleep(0.1)
                before = server_processor_time()
                await anyio.sleep(0.5)
                self.assertLessEqual(server_processor_time() - before, 0.03)


if __name__ == "__main__":
    unittest.main()
