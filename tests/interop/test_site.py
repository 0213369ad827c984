# SPDX-License-Identifier: MIT
"""The published site, built strictly and looked at in a real browser.

The browser and what runs in it come from setup-docs.sh; see browser.py.
"""

import functools
import http.server
import inspect
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import flow
import pytest
from browser import AXE, chromium
from playwright.sync_api import Browser, Page

import agent_contracts
from agent_contracts import (
    definitions,
    errors,
    logs,
    mysql,
    observations,
    rag,
    rules,
    snapshot,
    tools,
)
from agent_contracts import status as statuses

ROOT = Path(__file__).resolve().parents[2]
MODULES = (statuses, rag, logs, mysql, tools, errors, definitions, observations, rules, snapshot)
WIDTHS = (390, 1280)
Scheme = Literal["light", "dark"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, tell: Callable[[str], None]) -> Path:
    """Build the site, strictly."""
    folder = tmp_path_factory.mktemp("site")
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.perf_counter() - started
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr, done.stderr
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    pages = len(list(folder.rglob("*.html")))
    tell(f"site: {pages} pages, {size / 1e6:.1f} MB, built in {seconds:.1f} s")
    return folder


@pytest.fixture(scope="session")
def pages(site: Path) -> list[str]:
    """The addresses of all pages, the one for wrong addresses among them."""
    found = sorted(page.relative_to(site).as_posix() for page in site.rglob("*.html"))
    assert len(found) > 40
    return found


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Serve the site on loopback."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    handler = functools.partial(Handler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start the browser of the machine."""
    with chromium() as started:
        yield started


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """Open the first page on a desktop."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address.rstrip("/"))
    context.set_default_timeout(10_000)
    opened = context.new_page()
    opened.goto(address + "index.html")
    yield opened
    context.close()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_page_is_sound(
    browser: Browser, address: str, pages: list[str], width: int, scheme: Scheme
) -> None:
    """No message on the console, no other host, no horizontal scroll, no serious violation."""
    assert AXE.is_file(), "axe-core is needed: tests/interop/setup-docs.sh installs it"
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    opened = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    opened.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    faults: list[str] = []
    for name in pages:
        said.clear()
        asked.clear()
        answer = opened.goto(address + name)
        assert answer is not None
        assert answer.ok
        assert opened.evaluate("document.body.dataset.mdColorScheme") == (
            "default" if scheme == "light" else "slate"
        )
        # what is folded is read, too
        opened.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        wide = opened.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        if wide > 0:
            faults.append(f"{name}: scrolls {wide} pixels sideways")
        opened.evaluate(AXE.read_text("utf-8"))
        found = opened.evaluate(
            "axe.run(document, {resultTypes: ['violations']}).then(result => result.violations)"
        )
        faults += [f"{name}: {text}" for violation in found for text in serious(violation)]
        faults += [f"{name}: console says {text}" for text in said if not text.startswith("log:")]
        faults += [f"{name}: asks {url}" for url in asked if not url.startswith((address, "data:"))]
    context.close()
    assert not faults, "\n" + "\n".join(faults)


def serious(violation: dict[str, Any]) -> list[str]:
    """What is wrong by a violation, if it is serious."""
    if violation["impact"] not in ("serious", "critical"):
        return []
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary'].splitlines()[-1].strip()}"
        for node in violation["nodes"][:3]
    ]


def test_flow_is_what_mermaid_draws_of_its_source(browser: Browser) -> None:
    committed = flow.shape(flow.PICTURE.read_text("utf-8"))
    assert committed == flow.shape(flow.drawn(browser)), f"draw it again: {flow.COMMAND}"


@pytest.mark.parametrize("width", WIDTHS)
def test_flow_is_legible(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    texts = page.locator(".flow text").evaluate_all(
        "all => all.map(text => [text.textContent, parseFloat(getComputedStyle(text).fontSize)"
        " * text.getScreenCTM().a])"
    )
    assert len(texts) == 10
    assert not [text for text, size in texts if size < 11]
    wide = page.locator(".flow .node").evaluate_all(
        "all => all.filter(node => node.querySelector('text').getBBox().width"
        " > node.querySelector('rect').getBBox().width - 8).map(node => node.id)"
    )
    assert not wide


def test_code_can_be_copied(page: Page) -> None:
    page.locator(".md-clipboard, .md-code__button[title*='Copy']").first.click()
    copied = page.evaluate("navigator.clipboard.readText()")
    sample = (ROOT / "docs/examples/quick_start.py").read_text("utf-8")
    assert copied.strip() == sample.partition("\n")[2].strip()


def search(page: Page, word: str) -> None:
    """Type a word once the index is there; what is typed before may be lost."""
    field = page.locator("input.md-search__input")
    field.click()
    page.get_by_text("Type to start searching").wait_for()
    field.fill(word)
    field.press("End")  # the theme looks when a key goes up


@pytest.mark.parametrize(
    ("word", "found_on"),
    [
        ("tool_call_id", "Tool Call ID"),
        ("lookback_minutes", "query_logs"),
        ("matched_count", "query_logs"),
        ("ContractError", "errors"),
        ("timestamps", "query_logs"),
        ("DECIMAL", "query_mysql"),
        ("证据", "中文概览"),
        ("慢查询", "中文概览"),
        ("时区偏移", "中文概览"),
    ],
)
def test_search_finds(page: Page, word: str, found_on: str) -> None:
    search(page, word)
    results = page.locator(".md-search-result__item")
    results.first.wait_for()
    text = " ".join(results.all_inner_texts())
    assert found_on.lower() in text.lower()
    marked = page.locator(".md-search-result__item mark")
    assert marked.count() > 0
    results.first.locator("a").first.click()
    page.wait_for_url(re.compile(r"\?h="))


def test_search_says_when_nothing_is_found(page: Page) -> None:
    search(page, "qqzzxx")
    page.get_by_text("No matching documents").wait_for()


def test_palette_goes_from_automatic_to_light_to_dark_and_back(page: Page) -> None:
    seen = [page.evaluate("document.body.dataset.mdColorMedia")]
    for _ in range(3):
        page.locator("form[data-md-component=palette] label:not([hidden])").click()
        seen.append(page.evaluate("document.body.dataset.mdColorMedia"))
    automatic, light, dark = (
        "(prefers-color-scheme)",
        "(prefers-color-scheme: light)",
        "(prefers-color-scheme: dark)",
    )
    assert seen == [automatic, light, dark, automatic]


def test_chosen_palette_is_kept_on_the_next_page(page: Page, address: str) -> None:
    for _ in range(2):
        page.locator("form[data-md-component=palette] label:not([hidden])").click()
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
    page.goto(address + "get-started.html")
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"


def test_header_leads_to_the_chinese_page(page: Page) -> None:
    page.locator(".md-header .md-select button").hover()
    page.locator(".md-header .md-select__link[hreflang=zh]").click()
    page.wait_for_url("**/zh/index.html")
    assert "中文概览" in page.title()


def test_wrong_address_has_a_page_that_helps(page: Page, address: str) -> None:
    page.goto(address + "404.html")
    assert page.locator("h1").inner_text() == "There is no such page"
    page.get_by_role("link", name="Error messages", exact=True).first.click()
    page.wait_for_url("**/reference/errors.html")


def test_pages_open_without_a_server(browser: Browser, site: Path) -> None:
    context = browser.new_context(offline=True)
    opened = context.new_page()
    opened.goto(f"file://{site}/index.html")
    opened.locator("article a", has_text="Get started").first.click()
    opened.wait_for_url("**/get-started.html")
    assert opened.locator("h1").inner_text().startswith("Get started")
    colour = opened.evaluate(
        "getComputedStyle(document.querySelector('.md-header')).backgroundColor"
    )
    assert colour == "rgb(11, 110, 102)"
    context.close()


def test_each_page_says_what_it_is_when_shared(site: Path, pages: list[str]) -> None:
    for name in pages:
        head = (site / name).read_text("utf-8").partition("</head>")[0]
        for key in ("og:title", "og:description", "og:type"):
            assert re.search(rf'<meta property="{key}" content="[^"]+">', head), (name, key)
        assert re.search(r'<meta name="description" content="[^"]+">', head), name
        assert "assets/favicon.svg" in head


def public_names() -> Iterator[str]:
    """Every public class, field, member, method and function, by its anchor."""
    for module in MODULES:
        for name in module.__all__:
            value = getattr(module, name)
            if getattr(value, "__module__", module.__name__) == module.__name__:
                yield f"{module.__name__}.{name}"
                if inspect.isclass(value):
                    yield from (f"{module.__name__}.{name}.{part}" for part in parts_of(value))
    for name in agent_contracts.__all__:
        if not any(name in module.__all__ for module in MODULES):
            yield f"agent_contracts.{name}"


def parts_of(value: type[Any]) -> Iterator[str]:
    """The public fields, members, constants and methods of a class that the package defines."""
    for owner in value.__mro__:
        if owner.__module__.startswith(agent_contracts.__name__):
            yield from (name for name in vars(owner) if name[0] != "_")


def test_every_public_name_has_an_anchor(site: Path, tell: Callable[[str], None]) -> None:
    html = "".join(page.read_text("utf-8") for page in (site / "reference/api").glob("*.html"))
    found = set(re.findall(r'\bid="([^"]+)"', html))
    names = set(public_names())
    assert len(names) > 150
    assert names <= found, sorted(names - found)
    tell(f"site: {len(names)} public names have an anchor")


def test_schemas_and_samples_can_be_downloaded(site: Path) -> None:
    contract = json.loads((site / "schemas/v1/contract.json").read_text("utf-8"))
    assert contract == snapshot.snapshot()
    assert (site / "examples/quick_start.py").is_file()
