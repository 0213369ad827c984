# SPDX-License-Identifier: MIT
"""The picture of the first page: `python tests/interop/flow.py` draws it, a test holds it true.

Mermaid draws it ahead of time, so that pages load no script for it.
"""

import hashlib
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

from browser import MERMAID, chromium
from playwright.sync_api import Browser

COMMAND = "python tests/interop/flow.py"
SOURCE = Path(__file__).resolve().parents[2] / "docs/assets/flow.mmd"
PICTURE = SOURCE.with_suffix(".svg")

# Mermaid draws, then rules and markers go that the picture does not use. It is one image to a
# reader, and names the source that it was drawn from.
DRAW = """async ([source, digest]) => {
    document.body.innerHTML = (await mermaid.render("flow", source)).svg;
    const picture = document.querySelector("svg");
    const style = picture.querySelector("style");
    style.textContent = [...style.sheet.cssRules]
        .filter(rule => rule.selectorText && document.querySelector(rule.selectorText))
        .map(rule => rule.cssText + "\\n")
        .join("");
    for (const part of picture.querySelectorAll("marker, filter")) {
        if (!picture.outerHTML.includes(`url(#${part.id})`)) part.remove();
    }
    picture.setAttribute("role", "img");
    picture.removeAttribute("aria-roledescription");
    picture.dataset.source = digest;
    return picture.outerHTML;
}"""


def drawn(browser: Browser) -> str:
    """Draw the picture from its source."""
    assert MERMAID.is_file(), "mermaid is needed: tests/interop/setup-docs.sh installs it"
    source = SOURCE.read_text("utf-8")
    page = browser.new_page()
    page.add_script_tag(path=MERMAID)
    svg: str = page.evaluate(DRAW, [source, hashlib.sha256(source.encode()).hexdigest()])
    page.close()
    return re.sub(r"><(?=g|path|marker|style|/svg)", ">\n<", svg) + "\n"


def shape(svg: str) -> list[tuple[str | None, ...]]:
    """What a picture says, whatever fonts measured it: its parts, their names and texts."""
    names = ("id", "class", "role", "data-id", "data-source", "marker-end")
    return [
        (part.tag, *(part.get(name) for name in names), part.text)
        for part in ElementTree.fromstring(svg).iter()
        if not part.tag.endswith("style")
    ]


def main() -> None:
    """Write the picture."""
    with chromium() as browser:
        PICTURE.write_text(drawn(browser), encoding="utf-8", newline="\n")
    sys.stdout.write("drawn; look at it in both palettes, and on a phone\n")


if __name__ == "__main__":
    main()
