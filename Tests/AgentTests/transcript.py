"""The conversation of docs/agents.md: the questions of an agent with a bug report, and the answers."""

import asyncio
import json

import server

LONGEST = 400


def shown(answer):
    """The beginning of an answer, on one line."""
    text = json.dumps(answer, separators=(",", ":"), ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} … ({len(text)} characters)"


async def transcript():
    """The lines of the conversation."""
    lines = []
    async with server.client(*server.app("shop-example")) as client:
        for tool, arguments in server.questions():
            lines.append(f"> {tool} {json.dumps(arguments)}")
            result = await client.call_tool(tool, arguments)
            answer = json.loads(result.content[0].text)
            lines += answer["source"].splitlines() if tool == "write_test" else [shown(answer)]
    return lines


if __name__ == "__main__":
    print("\n".join(asyncio.run(transcript())))
