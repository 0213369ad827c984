#!/bin/sh
# SPDX-License-Identifier: MIT
# Install what test_site.py needs besides Python packages: Debian's chromium, a font with Chinese
# characters, axe-core, and mermaid, which draws the picture of the flow. Run it as root. It may be
# run again: what is there is kept.
#
# axe-core and mermaid go to $AXE_CORE_HOME, by default ~/.cache/agent-contracts-docs.
set -eu

home=${AXE_CORE_HOME:-$HOME/.cache/agent-contracts-docs}

missing=""
for package in chromium fonts-wqy-zenhei nodejs npm; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
# a node that does not come from Debian is as good
if command -v npm >/dev/null 2>&1; then
    missing=$(printf '%s' "$missing" | sed 's/ nodejs//; s/ npm//')
fi
if [ -n "$missing" ]; then
    echo "docs: installing$missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # shellcheck disable=SC2086  # one word per package
    apt-get install -y -qq --no-install-recommends $missing
fi

for package in axe-core@4.14.1 mermaid@12.3.0; do
    package_json=$home/node_modules/${package%@*}/package.json
    if ! grep -qs "\"version\": \"${package#*@}\"" "$package_json"; then
        echo "docs: installing $package"
        mkdir -p "$home"
        npm install --prefix "$home" --no-audit --no-fund --silent "$package"
    fi
done
echo "docs: all is installed"
