#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/python.sh [TEST...]
#
# Installs the Python package as a user would, without a network, and runs tests/python.py with it: all tests, or those named
# (Errors, SameAsCommand.test_map). Ends with the line `N passed, N failed, N skipped`.
#
# From the environment: INLAY (default build/inlay), beside which the library is.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
INLAY=$(realpath "${INLAY:-$root/build/inlay}")
folder=$(dirname "$INLAY")

skip() { # WHY
    echo "skipped: tests/python.py: $1"
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
}
command -v python3 >/dev/null || skip 'there is no python3'
! grep -q __asan_init "$INLAY" || skip 'python3 has no sanitizers, which the library needs'

tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$root" || exit 2
export PYTHONDONTWRITEBYTECODE=1
if python3 -m pip --version >/dev/null 2>&1; then
    python3 -m pip install -q --no-index --root-user-action=ignore --target "$tmp/site" ./python || exit 1
else
    (cd python && python3 -c "import wheel_of_inlay as w; w.build_wheel('$tmp')") &&
        python3 -m zipfile -e "$tmp"/*.whl "$tmp/site" || exit 1
fi

export INLAY INLAY_PROGRAM=$INLAY INLAY_LIBRARY=$folder/libinlay.so PYTHONPATH=$tmp/site
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
[[ ! -d $folder/locales ]] || export LOCPATH=$folder/locales # tests/unit.sh made a German one there
python3 tests/python.py "$@"
