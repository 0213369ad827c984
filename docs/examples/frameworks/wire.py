# SPDX-License-Identifier: MIT
"""Write `wire/`: what each API is told of a tool, and gets back for a good and a forged call.

PYTHONPATH=. python docs/examples/frameworks/wire.py
"""

import json
from pathlib import Path

from adapter import answer

from agent_contracts import AgentToolContracts, ContractError, definitions, observations

FOLDER = Path(__file__).parent / "wire"
TOOL = AgentToolContracts.LOOKUP_KNOWLEDGE
IDS = {
    "anthropic": "toolu_01Vn4tY8qXJ5",
    "gemini": "fc-8841",
    "mcp": "toolu_01Vn4tY8qXJ5",
    "openai_chat": "call_9bK2sXw1",
    "openai_responses": "call_9bK2sXw1",
    "spring_ai": "call_9bK2sXw1",
}


def files() -> dict[str, str]:
    """Return the texts of the files by their names."""
    texts = {}
    for api, tool_call_id in IDS.items():
        observe = getattr(observations, api)
        name = {"tool_name": TOOL.name} if api in ("gemini", "spring_ai") else {}
        good = observe(answer(tool_call_id, TOOL.parse({"query": "connection pool"})))
        try:
            TOOL.parse({"query": "connection pool", "tool_call_id": "call_forged"})
        except ContractError as error:
            refusal = observe(error, tool_call_id=tool_call_id, **name)
        for kind, shown in {
            "definition": getattr(definitions, api)(TOOL),
            "observation": good,
            "refusal": refusal,
        }.items():
            texts[f"{api}.{kind}.json"] = json.dumps(shown, ensure_ascii=False, indent=2) + "\n"
    return texts


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, text in files().items():
        (FOLDER / file).write_text(text, encoding="utf-8", newline="\n")
        print(FOLDER / file)
