#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/stages.sh NAME COMMAND...
#
# Runs shell commands one after the other, each to its end whatever became of those before, and says how long each took
# and how much of that on processors. Ends with whether all passed, as NAME, or with the commands that failed, and with the
# sum of the lines `N passed, N failed, N skipped` with which they closed.
set -u -o pipefail

name=$1
shift
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0 bad=()

for stage in "$@"; do
    printf '==== %s\n' "$stage"
    TIMEFORMAT="---- $stage: %R s (%U + %S s of processors)"
    time bash -c "$stage" 2>&1 | tee "$log"
    status=$?
    [[ $status = 0 ]] || bad+=("$stage")
    while read -r p _ f _ s _; do
        passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    done < <(grep -x -E '[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped' "$log" | tail -n 1)
done 2>&1

if ((${#bad[@]} == 0)); then
    echo "$name: passed"
else
    printf "$name: FAILED in: %s\n" "${bad[@]}"
fi
echo "$passed passed, $failed failed, $skipped skipped"
((${#bad[@]} == 0))
