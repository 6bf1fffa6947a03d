#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/simgrid.sh [--few | --speed] [INLAY]
#
# Inlay's event engine beside SimGrid: elapsed times of the same mappings where messages do not meet and where they share
# links. Prints tables in Markdown. Needs inlay-simgrid beside inlay.
#
#   --few    two small graphs: seconds
#   --speed  how many modules a second both run, on large graphs
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
    -*) sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done

inlay=${1:-${INLAY:-$here/../../build/inlay}}
[ -n "${1:-${INLAY:-}}" ] || [ -x "$inlay" ] || inlay=$(command -v inlay) || inlay=inlay
[ -x "$inlay" ] || {
    echo "simgrid.sh: there is no program $inlay; run make, or name it" >&2
    exit 2
}
case $inlay in /*) ;; *) inlay=$PWD/$inlay ;; esac
cd "$here/../.."
data=${INLAY_DATA:-../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 3' HUP INT TERM

# ---- Graphs ----------------------------------------------------------------------------------------------------------

# A graph a line: its name, what its links count in, and a file of this folder, one of $data with what stands for it where
# it is not there, or what `inlay generate` makes it with.
graphs() {
    [ $mode = few ] || cat <<'END'
cholesky-tiles16 bytes    generate cholesky --tiles 16 --tile 128 --rate 1e9
lu-tiles12       bytes    generate lu --tiles 12 --tile 128 --rate 1e9
fft256           bytes    generate fft --size 256 --rate 1e5 --ccr 0.3 --bandwidth 1.25e8
fork-join        bytes    generate fork-join --steps 8 --width 32 --rate 1e5 --bytes 100000 --heterogeneity 1 --seed 1
layered          bytes    generate layered --levels 40 --width 25 --degree 3 --rate 1e5 --bytes 100000 --heterogeneity 1 --seed 2
stencil          bytes    generate stencil --size 16 --dimensions 2 --steps 8 --rate 1e8 --heterogeneity 0.5 --seed 3
montage          bytes    data wfformat/montage-chameleon-2mass-01d-001.json montage --size 10
stg-rand0000     messages data stg/rnc50/rand0000.stg layered --levels 8 --width 6
END
    cat <<'END'
cholesky4        messages file graphs/cholesky4.dot
in-tree          bytes    generate in-tree --levels 9 --rate 1e5 --bytes 100000 --heterogeneity 1 --seed 4
END
}

# Writes the graph to $work/NAME.*; $app is its path.
make_graph() { # NAME SOURCE ARGUMENT...
    name=$1 source=$2
    shift 2
    app=$work/$name.tg
    case $source in
    file) app=$work/$name.dot && cp "$1" "$app" ;;
    generate) "$inlay" generate "$@" --quiet -o "$app" ;;
    data)
        file=$data/$1
        shift
        if [ -e "$file" ]; then app=$file; else "$inlay" generate "$@" --quiet -o "$app"; fi
        ;;
    esac
}

# ---- Machines --------------------------------------------------------------------------------------------------------

# Cables of 50 us each that carry 125 MB or, for graphs whose links have no bytes, 500 messages a second.
capacity() { # bytes|messages
    if [ "$1" = bytes ]; then echo 125MB/s; else echo 500msg/s; fi
}

# 16 hosts on links on which messages do not meet: at one switch (wide), or one cable for each pair (pairs).
write_free() { # wide|pairs CAPACITY
    LC_ALL=C awk -v kind="$1" -v capacity="$2" 'BEGIN {
        print "graph " kind " { graph [network=links, switching=\"cut-through\"];"
        print " edge [capacity=\"" capacity "\", latency=\"50us\", parallel=true]; node [cores=1];"
        for (i = 0; i < 16; i++) print " p" i ";"
        if (kind == "wide") print " s [kind=switch];"
        for (i = 0; i < 16; i++) {
            if (kind == "wide") print " p" i " -- s;"
            else for (k = i + 1; k < 16; k++) print " p" i " -- p" k ";"
        }
        print "}"
    }' >"$work/$1.dot"
    echo "$work/$1.dot"
}

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

# The value of a member of a JSON object, at that depth.
member() { # DEPTH NAME FILE
    sed -n "s/^ \{$((2 * $1))\}\"$2\": \([^,]*\),\{0,1\}\$/\1/p" "$3"
}

# Maps and simulates; the result is $work/result.json.
run() { # APPLICATION MACHINE
    "$inlay" map "$1" "$2" --tick 1ms --quiet -o "$work/mapping.json"
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
            "$inlay" map "$app" "$(machine $column bytes)" --quiet -o "$work/mapping.json"
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
