#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/starve/each.sh TIMES <COMMANDS
#
# Runs each command (a line, words between blanks, without `inlay`) with less and less memory: at TIMES places, spread
# over all its allocations, every later one is refused. It must then end with status 3 and "out of memory", or with status 0
# where it coped, and a file `result` is whole or not there. Prints the commands, and what they did else.
# Status 77 where no library can be loaded in front of the program.
set -u
times=$1
cc -shared -fPIC -O1 -o refuse.so "$ROOT/tests/starve/refuse.c" -ldl || exit 77
if ! LD_PRELOAD=./refuse.so REFUSE_COUNT=count inlay --version >/dev/null 2>&1 || [ ! -s count ]; then
    echo "no library can be loaded in front of the program" >&2
    exit 77
fi

# Whether a command that has memory for that many allocations ends as it should.
starved() { # ALLOCATIONS COMMAND...
    from=$1
    shift
    rm -f result
    REFUSE_FROM=$from LD_PRELOAD=./refuse.so inlay "$@" >out 2>err </dev/null
    status=$?
    case $status in
    0) [ ! -e whole ] || cmp -s result whole ;;
    3) grep -qi -e 'out of memory' -e 'cannot allocate memory' err && { [ ! -e result ] || cmp -s result whole; } ;;
    *) return 1 ;;
    esac
}

while read -r line; do
    # shellcheck disable=SC2086  # words of the command
    set -- $line
    rm -f result whole
    REFUSE_COUNT=count LD_PRELOAD=./refuse.so inlay "$@" >out 2>err </dev/null
    status=$?
    [ $status -eq 0 ] || echo "inlay $*: status $status"
    [ ! -e result ] || mv result whole
    all=$(cat count)
    step=$(((all + times - 1) / times))
    at=0
    while [ $at -lt "$all" ]; do
        starved $at "$@" || echo "inlay $*: status $status with $at of $all allocations: $(tail -n 1 err)"
        at=$((at + step))
    done
    echo "inlay $*"
done
