/* SPDX-License-Identifier: MIT */

// what the theme leaves out for people who use a keyboard or a screen reader
function complete() {
  const search = document.querySelector(".md-search[role=dialog]");
  if (search) {
    search.setAttribute("aria-label", "Search");
  }
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap")) {
    table.tabIndex = table.scrollWidth > table.clientWidth ? 0 : -1;
  }
}

// the theme wraps wide tables after the page has loaded
new MutationObserver(complete).observe(document.body, { childList: true, subtree: true });
addEventListener("resize", complete);
complete();
