#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/smpi.sh [--few] [INLAY]
#
# Inlay's event engine beside synthetic programs that run under SimGrid's SMPI: elapsed times of the same mappings where
# messages do not meet and where they share links. Prints tables in Markdown. Needs smpicc and smpirun.
#
#   --few    two small graphs: seconds
#
# INLAY is the program: by default $INLAY, else build/inlay, else the one in PATH. Traces are taken from $INLAY_DATA
# (default ../shared/data) where they are there.
set -eu
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
mode=all

while [ $# -gt 0 ]; do
    case $1 in
    --few) mode=few ;;
    -*) sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done

# shellcheck source=docs/studies/beside-simgrid.sh
. "$here/beside-simgrid.sh"
find_inlay smpi.sh "$@"

# ---- Machines --------------------------------------------------------------------------------------------------------

machine() { # COLUMN bytes|messages
    case $1 in
    wide | pairs) write_free "$1" "$(capacity "$2")" ;;
    star) echo "star:16,capacity=$(capacity "$2"),link_latency=50us,switching=cut-through" ;;
    esac
}

# ---- Runs ------------------------------------------------------------------------------------------------------------

# Maps, simulates, compiles and runs; the result is $work/result.json.
run() { # APPLICATION MACHINE
    "$inlay" map --method houstis "$1" "$2" --tick 1ms --quiet -o "$work/mapping.json"
    "$inlay" run --engine smpi --work time --json --quiet "$work/mapping.json" >"$work/result.json"
}

# " Inlay | SMPI | difference |"
cells() {
    LC_ALL=C awk -v ours="$(member 1 simulated "$work/result.json")" -v theirs="$(member 2 median "$work/result.json")" \
        'BEGIN {
            x = 100 * (ours / theirs - 1)
            if (x < 0.005 && x > -0.005) x = 0
            printf x == 0 ? " %.7g | %.7g | 0.00 |" : " %.7g | %.7g | %+.2f |", ours, theirs, x
        }'
}

echo "| graph | ranks | wide: Inlay | SMPI | % | pairs: Inlay | SMPI | % | star: Inlay | SMPI | % |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
graphs | while read -r graph unit rest; do
    # shellcheck disable=SC2086 # words of their own
    make_graph "$graph" $rest
    row=
    for column in wide pairs star; do
        run "$app" "$(machine $column "$unit")"
        [ -n "$row" ] || row="| $graph | $(member 1 processes "$work/result.json") |"
        row="$row$(cells)"
    done
    echo "$row"
done
