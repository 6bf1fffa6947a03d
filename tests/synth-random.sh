#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/synth-random.sh [--smpi] N [FIRST]
#
# Draws N random mappings, writes their synthetic programs, compiles them with mpicc and runs them with mpirun: each must
# end, with a result of all its ranks. Programs are numbered from FIRST (default 1); a number always stands for the same
# program. Ends with the line `N programs ran, N ranks, N messages`; status 1 where one did not.
#
#   --smpi  under SMPI, on a machine where messages do not meet: each must take as long as the event engine says, to a
#           millionth. Ends with the line `N programs ran, N ranks`
#
# From the environment: INLAY (default build/inlay).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
inlay=${INLAY:-$root/build/inlay}
engine=mpi
[ "${1-}" != --smpi ] || { engine=smpi && shift; }
count=${1:?tests/synth-random.sh: how many programs?}
first=${2:-1}
if [ $engine = smpi ]; then programs='smpicc smpirun'; else programs='mpicc mpirun'; fi
for needed in "$inlay" $programs; do
    command -v "$needed" >/dev/null || {
        echo "synth-random.sh: there is no program $needed" >&2
        exit 2
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 3' HUP INT TERM

# Open MPI refuses both without being told; other MPIs do not look at these.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# ---- Chance: always the same for one number --------------------------------------------------------------------------

# $drawn is 0 .. BELOW-1.
draw() { # BELOW
    state=$(((state * 1103515245 + 12345) % 2147483648))
    drawn=$((state / 65536 % $1))
}

# Numbers next to each other shall have little in common.
seed() { # NUMBER
    state=$(($1 * 40503 % 2147483648))
    for _ in 1 2 3 4 5; do draw 2; done
}

# $drawn is one of the arguments.
pick() {
    draw $#
    shift "$drawn"
    drawn=$1
}

# ---- One mapping -----------------------------------------------------------------------------------------------------

# Kinds of small graphs in ticks: few operations each, so that a program takes milliseconds. The first streams.
write_graph() { # SEED
    h="--heterogeneity 1"
    pick "cholesky --size 5" "cholesky --size 6" "cholesky --tiles 4 --tile 4 $h" "lu --tiles 3 --tile 4 $h" \
        "fft --size 16 $h" "stencil --size 4 --dimensions 2 --steps 5 --tile 8 $h" "in-tree --levels 5 $h" \
        "out-tree --levels 5 $h" "fork-join --steps 6 --width 5 --bytes 100000 $h" \
        "series-parallel --modules 40 --density 0.3 $h" "layered --levels 7 --width 6 --degree 3 --bytes 20000 $h" \
        "erdos-renyi --modules 40 --density 0.15 --work 300 $h"
    # shellcheck disable=SC2086 # words of their own
    "$inlay" generate $drawn --seed "$1" --quiet -o "$work/plain.dot"
}

# Gives bytes to links that have none, so that their messages take time.
fill() {
    awk '/ -> / && !/bytes=/ {
        count = match($0, /messages=[0-9]+/) ? substr($0, RSTART + 9, RLENGTH - 9) : 1
        sub(/ *(\[.*)?;$/, " [messages=" count ", bytes=" 100 * count "];")
    }
    { print }' "$work/plain.dot" >"$work/app.dot"
}

# Adds what no generator makes: traffic that nobody waits for, and data blocks.
enrich() { # SEED LINKS BLOCKS
    LC_ALL=C awk -v state="$1" -v traffic="$2" -v blocks="$3" '
        function draw(below) { state = (state * 16807) % 2147483647; return int(state / 2147483647 * below) }
        $1 != "graph" && $2 ~ /^\[/ { name[count++] = $1 }
        { line[NR] = $0 }
        END {
            for (i = 1; i < NR; i++) print line[i]
            for (i = traffic; i > 0; i--) {
                from = draw(count); to = draw(count)
                if (from != to)
                    printf "  %s -> %s [messages=%d, bytes=%d, kind=traffic];\n", name[from], name[to], 1 + draw(3), draw(9000)
            }
            for (b = blocks; b > 0; b--) {
                printf "  block%d [kind=data, size=1000];\n", b
                for (i = 1 + draw(6); i > 0; i--) printf "  block%d -> %s [bytes=%d];\n", b, name[draw(count)], draw(5000)
            }
            print line[NR]
        }' "$work/plain.dot" >"$work/app.dot"
}

# A switch with links on which messages do not meet.
write_wide() {
    echo 'graph wide { graph [network=links, switching="cut-through"]; s [kind=switch];'
    echo 'edge [capacity="100B/tick", latency="5tick", parallel=true];'
    echo 'p0 -- s; p1 -- s; p2 -- s; p3 -- s; p4 -- s; p5 -- s; p6 -- s; p7 -- s; }'
}

write_mapping() {
    pick "bus:8" "bus:8,capacity=100B/tick" "multibus:8,memories=4,buses=2,capacity=1msg/tick" "omega:8,cycle=1tick" \
        "omega-pe:8,cycle=2tick" "mesh:4x2,capacity=1msg/tick,message_size=1000" "crossbar:8,capacity=50B/tick"
    machine=$drawn
    if [ $engine = smpi ]; then
        machine=$work/wide.dot
        write_wide >"$machine"
        fill
    fi
    pick 2 3 4 5 6 7 8
    "$inlay" map "$work/app.dot" "$machine" --method houstis --processors "$drawn" --quiet -o "$work/mapping.json"
}

# ---- One program -----------------------------------------------------------------------------------------------------

fail() { # WHAT
    echo "FAILED program $number: $1"
    head -n 20 "$work/said"
    failed=$((failed + 1))
}

member() { # NAME FILE
    sed -n "s/^ *\"$1\": \([^,]*\),\{0,1\}\$/\1/p" "$2" | head -n 1
}

# Writes, compiles and runs one; false where that fails.
program() {
    pick 1us 100ns
    "$inlay" synth "$work/mapping.json" --work time --tick "$drawn" --json -o "$work/prog.c" \
        >"$work/summary.json" 2>"$work/said" || { fail "is not written" && return 0; }
    mpicc -std=c17 -O0 "$work/prog.c" -o "$work/prog" -lm >"$work/said" 2>&1 || { fail "does not compile" && return 0; }
    ranks=$(member ranks "$work/summary.json")
    mpirun -n "$ranks" "$work/prog" --share-cores --json >"$work/said" 2>&1 ||
        { fail "ends with status $? on $machine" && return 0; }
    [ "$(grep -c '"wait"' "$work/said")" = "$ranks" ] || { fail "prints no result of $ranks ranks" && return 0; }
    ran=$((ran + 1))
    all_ranks=$((all_ranks + ranks))
    all_messages=$((all_messages + $(member messages "$work/summary.json")))
}

# The same under SMPI, and beside the event engine.
simulated_program() {
    "$inlay" run --engine smpi --work time --tick 1us --json --quiet "$work/mapping.json" \
        >"$work/result.json" 2>"$work/said" || { fail "does not run under SMPI" && return 0; }
    member median "$work/result.json" >"$work/said"
    LC_ALL=C awk -v ours="$(member simulated "$work/result.json")" -v theirs="$(cat "$work/said")" \
        'BEGIN { exit !(theirs > 0 && ours / theirs - 1 < 1e-6 && ours / theirs - 1 > -1e-6) }' ||
        { fail "takes not $(member simulated "$work/result.json") s" && return 0; }
    ran=$((ran + 1))
    all_ranks=$((all_ranks + $(member processes "$work/result.json")))
}

ran=0 failed=0 all_ranks=0 all_messages=0 number=$first
while [ "$number" -lt $((first + count)) ]; do
    seed "$number"
    write_graph "$number"
    draw 12 && traffic=$drawn
    draw 3
    enrich $((number * 7919 + 17)) "$traffic" "$drawn"
    write_mapping
    if [ $engine = smpi ]; then simulated_program; else program; fi
    number=$((number + 1))
done
said="$ran programs ran, $all_ranks ranks"
[ $engine = smpi ] || said="$said, $all_messages messages"
echo "$said"
[ "$failed" = 0 ]
