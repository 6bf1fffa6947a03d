#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/unit.sh PROGRAM SUITE...
#
# Runs suites of unit tests, each in a process of its own and as many at once as there are processors, shows what they
# print in the order in which they were named, and ends with the line `N passed, N failed, N skipped`. The exit status is
# 0 only where that of every suite is.
set -u

program=$(realpath "$1") || exit 2
shift
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT

export program tmp
# shellcheck disable=SC2016 # the shell that xargs starts expands these
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 sh -c '"$program" "$1" >"$tmp/$1" 2>&1 || echo "$1" >>"$tmp/.failed"' unit

for suite in "$@"; do
    if grep -qs -x -F "$suite" "$tmp/.failed"; then
        cat "$tmp/$suite"
        echo "FAILED: suite $suite"
    else
        grep -v -E '^(Running suite|[0-9]+%: Checks|[0-9]+ passed, )' "$tmp/$suite"
    fi
done
closing='^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$'
cat "${@/#/$tmp/}" | awk -v closing="$closing" '$0 ~ closing { passed += $1; failed += $3; skipped += $5 }
    END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }'
[[ ! -e $tmp/.failed ]]
