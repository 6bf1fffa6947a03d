#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/select-stencil.sh [--few] [--on LIST] [--sizes LIST] [-o FOLDER] [INLAY]
#
# A running stencil chooses its processors: docs/examples/spmd_stencil on this computer, which stands for four fast and four
# slow processors, and where root may make networks of its own on two hosts between wires of 100 and of 10 Mbit/s (see
# tests/measure/lab.sh). For every size it runs the configuration that it chooses and all others, without and with
# overlapped messages. Prints tables in Markdown. Nothing else should run meanwhile.
#
#   --few         one small grid on this computer: seconds, and figures that mean nothing
#   --on LIST     of `here,wire100,wire10`; all of them
#   --sizes LIST  sizes of the grid; 60,300,600,1200
#   -o FOLDER     keep the figures of every run there, SYSTEM-PROGRAM-SIZE.csv, and of all runs that it has
#                 select-stencil.csv, of which the tables are made: parts of the study may run one after another
#
# INLAY is the program: by default $INLAY, else build/inlay. The library is taken from beside it. Needs mpicc and mpirun.
set -u
unset CDPATH
script=select-stencil.sh on=here,wire100,wire10 sizes=60,300,600,1200 folder='' hosts=2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

while [[ $# -gt 0 ]]; do
    case $1 in
    --few) on=here sizes=20 ;;
    --on) on=${2:?$script: --on needs a list} && shift ;;
    --sizes) sizes=${2:?$script: --sizes needs a list} && shift ;;
    -o) folder=${2:?$script: -o needs a folder} && shift ;;
    -*) sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done
inlay=${1:-${INLAY:-$root/build/inlay}}
[[ $inlay = /* ]] || inlay=$PWD/$inlay
[[ -x $inlay ]] || { echo "$script: there is no program $inlay; run make, or name it" >&2 && exit 2; }

# shellcheck source=tests/measure/lab.sh
. "$root/tests/measure/lab.sh"

# ---- Runs ------------------------------------------------------------------------------------------------------------

compile() {
    local build
    build=$(dirname "$inlay")
    mpicc -std=c17 -O2 -I"$root/include" "$root"/docs/examples/spmd_stencil/*.c -L"$build" -linlay -Wl,-rpath,"$build" \
        -lm -o "$work/stencil" || exit
}

# Where the system lets us, ranks come before all other work of the computer, though after the wire.
urgent=()
! chrt -f 10 true 2>/dev/null || urgent=(chrt -f 10)

# Of a rank that waits for a message, Open MPI must be told to leave the processor to others.
launcher_here() {
    launch=("${urgent[@]}" mpirun -n 8)
    ! mpirun --version 2>/dev/null | grep -q 'Open MPI' || launch+=(--oversubscribe --mca mpi_yield_when_idle 1)
}

launcher_wire() { # RATE in Mbit/s; the wires are 0.2 ms long
    lab_up switch "$1" 0.2
    printf '10.77.0.%d slots=4\n' 1 2 >"$work/hosts"
    launch=("${urgent[@]}" "$work/launch" --hostfile "$work/hosts" -n 8)
}

# Short runs need more rounds.
rounds() { # SIZE ROUNDS
    echo $(($1 < 100 ? 3 * $2 : $2))
}

# Cycles of a run: enough for its time to be known, and few enough for all configurations to be run.
cycles() { # SIZE
    local n=$((24000 / $1))
    echo $((n < 10 ? 10 : n > 300 ? 300 : n))
}

runs() { # SYSTEM RATES ROUNDS
    local size program options
    for program in STEN-1 STEN-2; do
        for size in ${sizes//,/ }; do
            options=(--size "$size" --cycles "$(cycles "$size")" --rounds "$(rounds "$size" "$3")" --rates "$2")
            options+=(--every --csv)
            [[ $program = STEN-1 ]] || options+=(--overlap)
            lab_run "${launch[@]}" "$work/stencil" "${options[@]}" >"$work/result.csv" || exit
            cp "$work/result.csv" "$folder/$1-$program-$size.csv"
            echo "$script: $1 $program $size" >&2
        done
    done
}

# The processors of this computer are four times as fast as those between wires: its messages are, too.
system() { # NAME
    case $1 in
    here) launcher_here && runs "$1" 400,200 5 ;;
    wire*)
        lab_wires || return
        launcher_wire "${1#wire}" && runs "$1" 100,50 3
        lab_down
        ;;
    *) echo "$script: there is no system $1; there are here, wire100 and wire10" >&2 && exit 2 ;;
    esac
}

# All runs that the folder has, in one table.
collect() {
    local file name head=yes
    for file in "$folder"/*-STEN-*-*.csv; do
        name=$(basename "$file" .csv)
        LC_ALL=C awk -v name="$name" -v head=$head 'BEGIN { split(name, part, "-") }
            NR > 1 || head == "yes" {
                print (NR == 1 ? "system,program,size" : part[1] ",STEN-" part[3] "," part[4]) "," $0
            }' "$file"
        head=no
    done
}

lab_begin
[[ -n $folder ]] || folder=$work/results
mkdir -p "$folder" || exit
compile
for each in ${on//,/ }; do
    system "$each"
done
collect >"$folder/select-stencil.csv"
LC_ALL=C awk -f "$root/docs/studies/select-stencil.awk" "$folder/select-stencil.csv"
