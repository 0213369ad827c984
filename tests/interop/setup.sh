#!/bin/sh
# SPDX-License-Identifier: MIT
# Install the Debian packages that the tests in this folder need. Run it as root.
# It may be run again: what is there already is kept as it is.
#
# mariadb-server-core holds the server without the service: nothing is started or enabled.
# The compiler, pkg-config and libmariadb-dev build mysqlclient; the last three bring the Java side.
set -eu

packages="
    mariadb-server-core mariadb-client-core
    gcc libc6-dev pkg-config libmariadb-dev
    openjdk-17-jdk-headless libjackson2-databind-java
"

missing=""
for package in $packages; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
if [ -z "$missing" ]; then
    echo "interop: all Debian packages are installed"
    exit 0
fi
echo "interop: installing$missing"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086  # one word per package
apt-get install -y -qq --no-install-recommends $missing
