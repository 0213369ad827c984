# SPDX-License-Identifier: MIT
"""The guide pages of the frameworks: one form, all samples shown, what they show is true."""

import re

import pytest
from sdk_samples import FOLDER, GUIDES, ROOT, load

PAGES = {
    "openai-chat": "openai_chat.py",
    "openai-responses": "openai_responses.py",
    "anthropic": "anthropic_messages.py",
    "gemini": "gemini.py",
    "mcp": "mcp_server.py",
    "openai-agents": "openai_agents.py",
    "pydantic-ai": "pydantic_ai_agent.py",
    "langgraph": "langgraph_agent.py",
    "spring-ai-alibaba": "SpringAiAlibaba.java",
}
HEADINGS = ["Where the id comes from", "The sample", "On the wire", "The trap"]


def text_of(page: str) -> str:
    return (GUIDES / f"{page}.md").read_text(encoding="utf-8")


def included(page: str) -> list[str]:
    return re.findall(r'^--8<-- "([^":]+)"$', text_of(page), re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_the_fixed_form(page: str) -> None:
    text = text_of(page)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == HEADINGS
    sample, *wire = included(page)
    assert sample == f"docs/examples/frameworks/{PAGES[page]}"
    kinds = [re.sub(r".*/wire/\w+\.(\w+)\.json", r"\1", file) for file in wire]
    assert kinds == ["definition", "observation", "refusal"]


def test_all_that_is_included_exists_and_all_that_exists_is_included() -> None:
    shown = {file for page in [*PAGES, "tool-call-id"] for file in included(page)}
    found = {
        file.relative_to(ROOT).as_posix()
        for file in FOLDER.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert shown == found


def test_the_table_has_a_row_for_each_page() -> None:
    rows = re.findall(r"^\| \[[^]]+\]\(([\w-]+)\.md\) \|", text_of("tool-call-id"), re.MULTILINE)
    assert rows == list(PAGES)


def test_what_is_shown_of_the_wire_is_what_the_package_makes() -> None:
    found = {file.name: file.read_text(encoding="utf-8") for file in (FOLDER / "wire").iterdir()}
    assert found == load("wire").files(), (
        "write the files anew: PYTHONPATH=. python docs/examples/frameworks/wire.py"
    )
