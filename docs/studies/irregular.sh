#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/irregular.sh [--few] [--only PROGRAM] [--sizes LIST] [--ranks LIST] [-o FILE | --from FILE] [INLAY]
#
# What it takes to distribute irregular loops at run time: the solvers of docs/examples/irregular on 1, 2, 4 and 8 ranks, each
# step timed, on cubes of tetrahedra whose vertices are numbered at random. Prints Tables 1 and 2 of the paper in these
# figures, beside the paper's own, in Markdown. Nothing else should run meanwhile; it takes some minutes.
#
#   --few           two small meshes, one run each: seconds, and figures that mean nothing
#   --only PROGRAM  euler or cg; both
#   --sizes LIST    of small, medium, large, largest; all of them
#   --ranks LIST    of the runs; 1,2,4,8
#   -o FILE         append the figures of every run to FILE, of which the tables are made: parts of the study may run one after
#                   another
#   --from FILE     run nothing: the tables of what -o kept
#
# INLAY is the program: by default $INLAY, else build/inlay. The libraries are taken from beside it. Needs mpicc and mpirun.
set -u
unset CDPATH
script=irregular.sh only='euler cg' sizes='small medium large largest' ranks='1 2 4 8' runs=3 from='' kept=''
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

while [[ $# -gt 0 ]]; do
    case $1 in
    --few) sizes='small' runs=1 ;;
    --only) only=${2:?$script: --only needs a program} && shift ;;
    --sizes) sizes=${2:?$script: --sizes needs a list} && sizes=${sizes//,/ } && shift ;;
    --ranks) ranks=${2:?$script: --ranks needs a list} && ranks=${ranks//,/ } && shift ;;
    -o) kept=${2:?$script: -o needs a file} && shift ;;
    --from) from=${2:?$script: --from needs a file} && shift ;;
    -*) sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done

# ---- Runs ------------------------------------------------------------------------------------------------------------

prepare() {
    local inlay=${1:-${INLAY:-$root/build/inlay}} build
    build=$(cd "$(dirname "$inlay")" && pwd -P) || exit 2
    [[ -e $build/libinlay-irregular.so ]] || { echo "$script: there is no $build/libinlay-irregular.so; run make" >&2 && exit 2; }
    work=$(mktemp -d) || exit
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' HUP INT TERM
    # A rank that waits for a message leaves the core to others; and more ranks than cores are meant.
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
    for program in euler cg; do
        mpicc -std=c17 -O2 -I"$root/include" "$root/docs/examples/irregular/$program.c" \
            "$root/docs/examples/irregular/program.c" -L"$build" -linlay-irregular -linlay -Wl,-rpath,"$build" -lm \
            -o "$work/$program" || exit
    done
}

# Points along the sides, and steps enough for a time. The names stand for other sizes in each of the paper's tables.
subject() { # PROGRAM SIZE
    case $1-$2 in
    euler-small) points=15,15,16 steps=50 ;;
    euler-medium) points=18,21,25 steps=20 ;;
    cg-small) points=8,8,8 steps=200 ;;
    cg-medium) points=25,25,26 steps=100 ;;
    euler-large) points=38,38,38 steps=10 ;;
    euler-largest) points=100,100,100 steps=2 ;;
    cg-large) points=38,38,38 steps=50 ;;
    cg-largest) points=100,100,100 steps=10 ;;
    *) echo "$script: there is no $1 of size $2" >&2 && exit 2 ;;
    esac
}

# Appends a row to FILE, whose first line says what stands in the others.
run_once() { # FILE PROGRAM RANKS METHOD
    mpirun -n "$3" "$work/$2" --tetrahedra "$points" --steps "$steps" --method "$4" --csv >"$work/said" || exit
    [[ -s $1 ]] || sed -n '1s/^/method,/p' "$work/said" >"$1"
    sed -n "2s/^/$4,/p" "$work/said" >>"$1"
}

run_all() { # FILE
    local program size count method run times
    for program in $only; do
        for size in $sizes; do
            subject "$program" "$size"
            times=$runs
            [[ $size != largest ]] || times=1
            for count in $ranks; do
                for method in ptscotch rsb; do
                    for ((run = 0; run < times; run++)); do
                        run_once "$1" "$program" "$count" "$method"
                    done
                done
            done
        done
    done
}

# ---- Tables ----------------------------------------------------------------------------------------------------------

# The paper's Tables 1 and 2, seconds on an iPSC/860: program, vertices of our mesh of that size, row, then 2 to 64 processors.
paper() {
    cat <<'END'
euler 3600 graph 0.34 0.24 0.21 0.20 - -
euler 3600 mapper 15.92 11.50 12.11 14.92 - -
euler 3600 iterations 0.94 0.57 0.42 0.34 - -
euler 3600 computation 2.4 1.31 0.6 0.34 - -
euler 9450 graph - 0.86 0.69 0.53 0.35 -
euler 9450 mapper - 70.96 62.3 65.2 89.7 -
euler 9450 iterations - 1.19 0.82 0.60 0.43 -
euler 9450 computation - 4.83 2.35 1.1 0.67 -
euler 54872 graph - - - - 1.50 0.94
euler 54872 mapper - - - - 544.81 673.14
euler 54872 iterations - - - - 3.30 3.03
euler 54872 computation - - - - 6.06 3.81
cg 512 graph 0.1300 0.0069 0.0036 - - -
cg 512 mapper 1.50 2.16 3.51 - - -
cg 512 computation 0.008 0.007 0.006 - - -
cg 16250 graph - - - 1.04 0.47 0.34
cg 16250 mapper - - - 128.65 106.41 198.21
cg 16250 computation - - - 0.053 0.035 0.039
END
}

# The least time of all runs; both mappers share all other rows.
tables() { # FILE
    awk -F '[, ]' '
        function least(key, time) { if (!(key in best) || time < best[key]) best[key] = time + 0 }
        function said(key, time) {
            if (!(key in best)) return "-"
            time = best[key]
            if (time < 0.0001) return sprintf("%.0f us", 1e6 * time)
            if (time < 0.1) return sprintf(time < 0.001 ? "%.2f ms" : "%.1f ms", 1000 * time)
            return time < 1 ? sprintf("%.0f ms", 1000 * time) : sprintf("%.2f s", time)
        }
        function row(program, n, name, phase, theirs,   line, r) {
            line = "| " n " | " name " |"
            for (r = 1; r <= 8; r *= 2) line = line " " said(program " " n " " r " " phase) " |"
            print line ((program " " n " " theirs) in figures ? figures[program " " n " " theirs] : " - | - | - | - | - | - |")
        }
        FILENAME == ARGV[1] {
            line = ""
            for (i = 4; i <= 9; i++) line = line " " $i " |"
            figures[$1 " " $2 " " $3] = line
            next
        }
        $2 == "program" { next }
        {
            if (!(($2 " " $3) in known)) { known[$2 " " $3] = 1; size[$2, ++sizes[$2]] = $3; edges[$2 " " $3] = $4 }
            at = $2 " " $3 " " $5 " "
            least(at "graph", $6); least(at $1, $7); least(at "iterations", $8)
            least(at "localize", $9); least(at "remap", $10); least(at "computation", $11)
        }
        END {
            for (p = 1; p <= 2; p++) {
                program = p == 1 ? "euler" : "cg"
                if (!sizes[program]) continue
                print (p == 1 ? "" : "\n") "### " (p == 1 ? "Table 1: unstructured Euler-like solver" : "Table 2: conjugate gradients") "\n"
                print "| vertices | | 1 | 2 | 4 | 8 | paper: 2 | 4 | 8 | 16 | 32 | 64 |"
                print "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
                for (s = 1; s <= sizes[program]; s++) {
                    n = size[program, s]
                    row(program, n, "graph generation", "graph", "graph")
                    row(program, n, "mapper, spectral", "rsb", "mapper")
                    row(program, n, "mapper, PT-Scotch", "ptscotch", "")
                    if (p == 1) row(program, n, "iteration partitioner", "iterations", "iterations")
                    row(program, n, "computation per iteration", "computation", "computation")
                }
            }
        }' <(paper) "$1"
}

if [[ -n $from ]]; then
    tables "$from"
    exit
fi
prepare "$@"
run_all "${kept:=$work/figures.csv}"
tables "$kept"
