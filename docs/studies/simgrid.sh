#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/simgrid.sh [--few | --speed | --shared] [INLAY]
#
# Inlay's event engine beside SimGrid: elapsed times of the same mappings where messages do not meet and where they share
# links. Prints tables in Markdown. Needs inlay-simgrid beside inlay.
#
#   --few    two small graphs: seconds
#   --speed  how many modules a second both run, on large graphs
#   --shared where links are shared by both, on machines and on all platform files: a table of cm02 and lv08
#
# INLAY is the program: by default $INLAY, else build/inlay, else the one in PATH. Traces and platforms are taken from
# $INLAY_DATA (default ../shared/data) where they are there.
set -eu
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
mode=all

while [ $# -gt 0 ]; do
    case $1 in
    --few) mode=few ;;
    --speed) mode=speed ;;
    --shared) mode=shared ;;
    -*) sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done

# shellcheck source=docs/studies/beside-simgrid.sh
. "$here/beside-simgrid.sh"
find_inlay simgrid.sh "$@"

# ---- Machines --------------------------------------------------------------------------------------------------------

# The machine of a column, or nothing where it cannot be had.
machine() { # COLUMN bytes|messages
    rest="capacity=$(capacity "$2"),link_latency=50us,switching=cut-through"
    case $1 in
    wide | pairs) write_free "$1" "$(capacity "$2")" ;;
    bus) echo "bus:16,capacity=$(capacity "$2"),latency=50us" ;;
    star) echo "star:16,$rest" ;;
    star-sf) echo "star:16,capacity=$(capacity "$2"),link_latency=50us" ;;
    mesh) echo "mesh:4x4,$rest" ;;
    fattree) echo "fattree:4x4,up=1x2,cables=1x1,$rest" ;;
    *) [ "$2" = messages ] || [ ! -e "$data/platform/simgrid/$1.xml" ] || echo "$data/platform/simgrid/$1.xml" ;;
    esac
}

# ---- Runs ------------------------------------------------------------------------------------------------------------

# Maps and simulates; the result is $work/result.json.
run() { # APPLICATION MACHINE
    "$inlay" map --method houstis "$1" "$2" --tick 1ms --quiet -o "$work/mapping.json"
    "$inlay" simulate --engine simgrid --json --quiet "$work/mapping.json" >"$work/result.json"
}

number() { # FORMAT VALUE
    LC_ALL=C awk -v format="$1" -v value="$2" 'BEGIN { printf format, value }'
}

# " Inlay | SimGrid | difference |", or the difference alone.
cells() { # all|difference
    [ "$1" = difference ] || printf ' %s | %s |' "$(number %.7g "$(member 1 inlay_makespan "$work/result.json")")" \
        "$(number %.7g "$(member 1 makespan "$work/result.json")")"
    printf ' %s |' "$(LC_ALL=C awk -v x="$(member 1 difference "$work/result.json")" \
        'BEGIN { x = 100 * x; if (x < 0.005 && x > -0.005) x = 0; printf x == 0 ? "0.00" : "%+.2f", x }')"
}

# A row for every graph.
rows() { # all|difference COLUMN...
    what=$1
    shift
    graphs | while read -r graph unit rest; do
        # shellcheck disable=SC2086 # words of their own
        make_graph "$graph" $rest
        row="| $graph |"
        for column in "$@"; do
            place=$(machine "$column" "$unit")
            if [ -z "$place" ]; then
                row="$row - |"
                continue
            fi
            run "$app" "$place"
            [ "$what$column" != allwide ] ||
                row="$row $(member 1 modules "$work/result.json") | $(member 1 messages "$work/result.json") |"
            row="$row$(cells "$what")"
        done
        echo "$row"
    done
}

# ---- Speed -----------------------------------------------------------------------------------------------------------

# The larger of two numbers, either of which may be missing.
larger() { LC_ALL=C awk -v a="$1" -v b="$2" 'BEGIN { print (a + 0 > b + 0 ? a : b) }'; }

# The best of three runs of each engine.
speed_row() { # GRAPH COLUMN
    ours=0 theirs=0
    for _ in 1 2 3; do
        "$inlay" simulate --engine simgrid --json --quiet "$work/mapping.json" >"$work/result.json"
        ours=$(larger "$ours" "$(member 2 inlay "$work/result.json")")
        theirs=$(larger "$theirs" "$(member 2 simgrid "$work/result.json")")
    done
    LC_ALL=C awk -v name="$1" -v column="$2" -v ours="$ours" -v theirs="$theirs" \
        -v modules="$(member 1 modules "$work/result.json")" -v messages="$(member 1 messages "$work/result.json")" \
        'BEGIN { printf "| %s | %s | %d | %d | %.0f | %.0f | %.0f |\n", name, column, modules, messages, theirs / 1000,
                 ours / 1000, ours / theirs }'
}

speeds() {
    while read -r graph arguments; do
        # shellcheck disable=SC2086 # words of their own
        make_graph "$graph" generate $arguments
        for column in wide star; do
            "$inlay" map --method houstis "$app" "$(machine $column bytes)" --quiet -o "$work/mapping.json"
            speed_row "$graph" $column
        done
    done <<'END'
cholesky-tiles38 cholesky --tiles 38 --rate 1e9
layered-100x100  layered --levels 100 --width 100 --degree 3 --rate 1e6 --heterogeneity 1
stencil-100      stencil --size 10 --dimensions 2 --steps 100 --rate 1e9 --heterogeneity 1
cholesky-tiles84 cholesky --tiles 84 --rate 1e9
layered-1000x100 layered --levels 1000 --width 100 --degree 3 --rate 1e6 --heterogeneity 1
END
}

if [ $mode = speed ]; then
    echo "| graph | machine | modules | messages | SimGrid, 1000 modules/s | Inlay, 1000 modules/s | ratio |"
    echo "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    speeds
    exit
fi

# One message between the first two processors that differ; then the tiled factorisation.
shared_row() { # NAME MACHINE
    row="| $1 |"
    for model in cm02 lv08; do
        printf 'digraph pair { graph [time_unit=s]; a [time=0, pin=0]; b [time=0, pin=1]; a -> b [bytes=%s]; }' 1000000 >"$work/pair.dot"
        for file in "$work/pair.dot" "$app"; do
            if "$inlay" map --method "$([ "$file" = "$app" ] && echo heft || echo houstis)" "$file" "$2,contention=$model" --quiet -o "$work/mapping.json" 2>/dev/null &&
                "$inlay" simulate --engine simgrid --json --quiet "$work/mapping.json" >"$work/result.json" 2>/dev/null; then
                row="$row$(cells difference)"
            else
                row="$row - |"
            fi
        done
    done
    echo "$row"
}

shared_rows() {
    make_graph cholesky generate cholesky --tiles 12 --tile 128 --rate 1e9
    for column in star mesh fattree; do
        shared_row "$column" "$(machine $column bytes)"
    done
    for platform in "$data"/platform/simgrid/*.xml; do
        "$inlay" info "$platform" >/dev/null 2>&1 && shared_row "$(basename "$platform" .xml)" "$platform"
    done
}

if [ $mode = shared ]; then
    echo "**Inlay's elapsed time against SimGrid's, %, where messages share links in both.**"
    echo
    echo "| machine | cm02: a message | Cholesky | lv08: a message | Cholesky |"
    echo "| --- | ---: | ---: | ---: | ---: |"
    shared_rows
    exit
fi

echo "**Messages do not meet.**"
echo
echo "| graph | modules | messages | wide: Inlay | SimGrid | % | pairs: Inlay | SimGrid | % |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
rows all wide pairs
echo
echo "**Messages share links: Inlay's elapsed time against SimGrid's, %.**"
echo
echo "| graph | bus | star | star, store-and-forward | mesh 4x4 | fat tree 4x4 | small_platform | cluster_backbone |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
rows difference bus star star-sf mesh fattree small_platform cluster_backbone
