#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/stages.sh NAME COMMAND... [-- COMMAND...]
#
# Runs shell commands one after the other, each to its end whatever became of those before, and says how long each took
# and how much of that on processors. Those behind -- run beside those before it, so that no processor waits for the last
# test of a stage; what a stage prints is shown whole then, when it is at its end. Ends with whether all passed, as NAME, or
# with the commands that failed, and with the sum of the lines `N passed, N failed, N skipped` with which they closed.
set -u -o pipefail

name=$1
shift
logs=$(mktemp -d) || exit 2
trap 'rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM
beside=no
[[ " $* " != *' -- '* ]] || beside=yes

stage() { # COMMAND LOG
    printf '==== %s\n' "$1"
    TIMEFORMAT="---- $1: %R s (%U + %S s of processors)"
    time bash -c "$1" 2>&1 | tee "$2"
    local status=$?
    [[ $status = 0 ]] || printf '%s\n' "$1" >"$2.bad"
}

# The logs are in the order of the commands, whichever queue ends first.
queue() { # NUMBER COMMAND...
    local i=$1 command
    for command in "${@:2}"; do
        if [[ $beside = yes ]]; then
            stage "$command" "$logs/$i" >"$logs/shown-$i" 2>&1
            flock "$logs" cat "$logs/shown-$i"
        else
            stage "$command" "$logs/$i"
        fi
        i=$((i + 1))
    done
}

first=()
while [[ $# -gt 0 && $1 != -- ]]; do first+=("$1") && shift; done
shift
if [[ $beside = no ]]; then
    queue 100 "${first[@]}"
else
    set -m # each queue is a group of processes, which a signal reaches as a whole
    queue 100 "${first[@]}" </dev/null &
    queues=(-$!)
    queue 200 "$@" </dev/null &
    queues+=(-$!)
    trap 'kill -- "${queues[@]}"; exit 130' INT TERM
    wait
fi 2>&1

if ! grep -q . "$logs"/*.bad 2>/dev/null; then
    echo "$name: passed"
else
    sed "s/^/$name: FAILED in: /" "$logs"/*.bad
fi
closing='^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$'
for log in "$logs"/[0-9][0-9][0-9]; do grep -E "$closing" "$log" | tail -n 1; done |
    awk '{ passed += $1; failed += $3; skipped += $5 }
        END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }'
! grep -q . "$logs"/*.bad 2>/dev/null
