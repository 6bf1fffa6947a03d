#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/decompose.sh [--few] [--on LIST] [--sizes LIST] [-o FOLDER] [INLAY]
#
# Every decomposition of a plate, predicted and run: docs/examples/thermal on eight ranks that imitate processors of speeds
# 60, 40, 40, 30, 30, 30, 20 and 10 operations a microsecond, on this computer, and where root may make networks of its own,
# on eight hosts on one bus and on a switch of 100 Mbit/s (see tests/measure/lab.sh). Prints tables in Markdown. Nothing else
# should run meanwhile.
#
#   --few         one small plate on this computer: seconds, and figures that mean nothing
#   --on LIST     of `here,bus100,switch100`; all of them
#   --sizes LIST  rows and columns of the plate; 64,256,512
#   -o FOLDER     keep the figures of every run there, SYSTEM-SIZE.csv, and of all runs that it has decompose.csv, of which
#                 the tables are made: parts of the study may run one after another
#
# INLAY is the program: by default $INLAY, else build/inlay. The library is taken from beside it. Needs mpicc and mpirun.
set -u
unset CDPATH
script=decompose.sh on=here,bus100,switch100 sizes=64,256,512 folder='' hosts=8 ranks=8
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

while [[ $# -gt 0 ]]; do
    case $1 in
    --few) on=here sizes=20 ranks=2 ;;
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
    mpicc -std=c17 -O2 -I"$root/include" "$root"/docs/examples/thermal/*.c -L"$build" -linlay -Wl,-rpath,"$build" -lm \
        -o "$work/thermal" || exit
}

# Where the system lets us, ranks come before all other work of the computer, though after the wire.
urgent=()
! chrt -f 10 true 2>/dev/null || urgent=(chrt -f 10)

# Of a rank that waits for a message, Open MPI must be told to leave the processor to others.
launcher_here() {
    launch=("${urgent[@]}" mpirun -n "$ranks")
    ! mpirun --version 2>/dev/null | grep -q 'Open MPI' || launch+=(--oversubscribe --mca mpi_yield_when_idle 1)
}

launcher_wire() { # KIND RATE in Mbit/s; the wires are 0.2 ms long
    lab_up "$1" "$2" 0.2
    launch=("${urgent[@]}" "$work/launch" --hostfile "$work/hosts" -n "$ranks")
}

# Large plates take long, and so few steps of them are enough.
steps() { # SIZE
    local n=$((10240 / $1))
    echo $((n > 60 ? 60 : n))
}

runs() { # SYSTEM OPTION...
    local size system=$1
    shift
    for size in ${sizes//,/ }; do
        lab_run "${launch[@]}" "$work/thermal" --size "$size" --steps "$(steps "$size")" --rounds 5 "$@" --csv \
            >"$work/result.csv" || exit
        cp "$work/result.csv" "$folder/$system-$size.csv"
        echo "$script: $system $size" >&2
    done
}

system() { # NAME
    case $1 in
    here) launcher_here && runs "$1" ;;
    bus100 | switch100)
        lab_wires || return
        launcher_wire "${1%100}" 100
        if [[ $1 = switch* ]]; then runs "$1" --switch; else runs "$1"; fi
        lab_down
        ;;
    *) echo "$script: there is no system $1; there are here, bus100 and switch100" >&2 && exit 2 ;;
    esac
}

# All runs that the folder has, in one table.
collect() {
    local each size head=yes
    for each in here bus100 switch100; do
        for size in $(cd "$folder" && printf '%s\n' "$each"-*.csv | sed -n 's/^[a-z0-9]*-\([0-9]*\)\.csv$/\1/p' | sort -n); do
            awk -v run="$each,$size" -v head=$head 'NR > 1 || head == "yes" { print (NR == 1 ? "system,size" : run) "," $0 }' \
                "$folder/$each-$size.csv"
            head=no
        done
    done
}

lab_begin
[[ -n $folder ]] || folder=$work/results
mkdir -p "$folder" || exit
compile
for each in ${on//,/ }; do
    system "$each"
done
collect >"$folder/decompose.csv"
LC_ALL=C awk -f "$root/docs/studies/decompose.awk" "$folder/decompose.csv"
