#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: sh docs/studies/curves.sh [work|loaded] [ROWS...]
#
# Measures the curves of two devices that truly differ, predicts whole shares with `inlay balance`, runs them, and prints how
# far apart the two are. `inlay` and a C compiler must be there.
#
#   work    (usual) one device runs the program as it is, the other one built without optimisation; what counts is processor
#           time, so that other programs on the computer disturb it little
#   loaded  two cores, one of which a busy loop shares; what counts is elapsed time: nothing else may run
set -eu
mode=${1:-work}
[ $# = 0 ] || shift
[ $# != 0 ] || set -- 1000 5000 25000
root=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
busy=
end() {
    [ -z "$busy" ] || kill "$busy"
    rm -rf "$folder"
}
trap end EXIT
cc -std=c17 -D_POSIX_C_SOURCE=200809L -O2 "$root/curves.c" -o "$folder/fast"
case $mode in
work)
    cc -std=c17 -D_POSIX_C_SOURCE=200809L -O0 "$root/curves.c" -o "$folder/slow"
    word=processor first=$folder/fast second=$folder/slow ;;
loaded)
    taskset -c 1 sh -c 'while :; do :; done' &
    busy=$!
    word=elapsed first="taskset -c 0 $folder/fast" second="taskset -c 1 $folder/fast" ;;
*) echo "$0: $mode is neither work nor loaded" >&2 && exit 2 ;;
esac
measure() { # DEVICE COMMAND...
    device=$1
    shift
    inlay measure --curve 100..20000 --device "$device" --points 16 --repeat 40 --accuracy 3% --time-from "$word" \
        -o "$folder/curves.csv" -- "$@" '{size}'
}
# shellcheck disable=SC2086 # words of a command
measure first $first
# shellcheck disable=SC2086
measure second $second
cp "$folder/curves.csv" curves.csv

# the median of nine runs
median() { # WORDS
    for _ in 1 2 3 4 5 6 7 8 9; do "$@"; done | sed -n "s/^$word \([^ ]*\) s/\1/p" | sort -g | sed -n 5p
}
echo 'rows    first   second  predicted  time of the first  of the second  imbalance'
for rows; do
    inlay balance curves.csv -W "$rows" --csv - -q >"$folder/shares"
    a=$(sed -n 's/^first,\([0-9]*\),.*/\1/p' "$folder/shares") b=$(sed -n 's/^second,\([0-9]*\),.*/\1/p' "$folder/shares")
    predicted=$(awk -F, 'NR > 1 && $3 > most { most = $3 } END { print most }' "$folder/shares")
    # shellcheck disable=SC2086
    t1=$(median $first "$a") t2=$(median $second "$b")
    echo "$rows $a $b $predicted $t1 $t2" | awk '{
        least = $5 < $6 ? $5 : $6; most = $5 < $6 ? $6 : $5
        printf "%-7d %-7d %-7d %-9.4g  %-17.4g  %-13.4g  %.1f %%\n", $1, $2, $3, $4, $5, $6, 100 * (most / least - 1) }'
done
