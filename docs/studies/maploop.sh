#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/maploop.sh [SIDE [STEPS [TRIES]]]
#
# Times the programs that `inlay maploop` writes beside those written by hand, on the same mesh, a square of SIDE x SIDE
# points (400) numbered out of order: the sweep over edges of the paper's Figure 2 and the conjugate gradients of Figure 1.
# A line is the time of a step: the difference of two runs, of which one makes STEPS (2000) steps more, the least of TRIES (3).
#
# INLAY is the program: by default $INLAY, else build/inlay. The libraries are taken from beside it. Needs mpicc, mpirun.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
inlay=$(realpath "${INLAY:-$root/build/inlay}")
build=$(dirname "$inlay") side=${1:-400} steps=${2:-2000} tries=${3:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
cd "$work"

compile() { # PROGRAM FILE...
    program=$1
    shift
    mpicc -std=c17 -O2 -I"$root/include" -I"$root/docs/examples/maploop" "$@" -L"$build" -linlay-irregular -linlay \
        -Wl,-rpath,"$build" -lm -o "$program"
}

# ---- The mesh, its edges in the order of their ends: with and without the line of its numbers of vertices and edges ------

edges() {
    awk -v side="$side" 'function say(a, b) { a = a * 7919 % n; b = b * 7919 % n; print a < b ? a " " b : b " " a }
    BEGIN { n = side * side
            for (i = 0; i < side; i++) for (j = 0; j < side; j++) { v = i * side + j
                if (j + 1 < side) say(v, v + 1)
                if (i + 1 < side) say(v, v + side)
                if (i + 1 < side && j + 1 < side) say(v, v + side + 1) } }' | sort -n -k 1,1 -k 2,2
}
edges >mesh.edges
{ echo "$((side * side)) $(wc -l <mesh.edges)" && cat mesh.edges; } >mesh.txt

# ---- The programs: sweeps alone, as many as the second argument says ----------------------------------------------------

sed 's|inlay_mesh_generate(.*|inlay_mesh_read(MPI_COMM_WORLD, arguments[1], NULL, \&mesh, diag), diag);|
     s|^    sweep(halo|    for (int step = 0; step < atoi(arguments[2]); step++) sweep(halo|' \
    "$root/docs/examples/irregular/sweep.c" >sweep-hand.c
sed '/i < n; i++/{N;/0\.001/{N;N;d;};}
     s/y\[n1\] = .*/y[n1] += x[n1] + x[n2];/; s/y\[n2\] = .*/y[n2] += -x[n1] + x[n2];/' "$root/docs/examples/maploop/sweep.c" >sweep.c
for figure in sweep cg; do
    [[ $figure = cg ]] && cp "$root/docs/examples/maploop/cg.c" .
    cp "$root/docs/examples/maploop/mesh.h" .
    "$inlay" maploop $figure.c -o $figure-mpi.c
    compile $figure-maploop $figure-mpi.c
done
compile sweep-hand sweep-hand.c
compile cg-hand -I"$root/docs/examples/irregular" "$root"/docs/examples/irregular/{cg,program}.c

run() { # PROGRAM STEPS RANKS
    case $1 in
    sweep-hand) mpirun -n "$3" ./sweep-hand mesh.edges "$2" ;;
    cg-hand) mpirun -n "$3" ./cg-hand --mesh mesh.edges --steps "$2" ;;
    *) mpirun -n "$3" "./$1" file mesh.txt "$2" ;;
    esac >/dev/null 2>&1
}

clock() { date +%s%N; }

once() { # PROGRAM RANKS: microseconds of a step
    local start middle end
    start=$(clock)
    run "$1" 10 "$2"
    middle=$(clock)
    run "$1" $((10 + steps)) "$2"
    end=$(clock)
    echo $(((end - 2 * middle + start) / steps / 1000))
}

least() { # PROGRAM RANKS
    for ((i = 0; i < tries; i++)); do once "$1" "$2"; done | sort -n | head -n 1
}

echo 'figure,ranks,by hand (us),maploop (us),ratio'
for figure in sweep cg; do
    for ranks in 1 2; do
        hand=$(least $figure-hand $ranks) written=$(least $figure-maploop $ranks)
        echo "$figure,$ranks,$hand,$written,$(awk "BEGIN { printf \"%.2f\", $written / $hand }")"
    done
done
