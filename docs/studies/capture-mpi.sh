#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/capture-mpi.sh [RUNS]
#
# Programs of MPI that others wrote, on two ranks: each is captured as often as it then runs (RUNS, 7), each capture is simulated as it
# is (`--keep`) on this computer as `inlay measure` finds it, and then the program runs without a recorder, in turn. A line of CSV each:
# seconds from the end of MPI_Init to the beginning of MPI_Finalize, which do no work of the program's. `null` has messages that
# take no time, `work` is the sum of all modules over the two ranks.
#
# From the environment: INLAY (default build/inlay), INLAY_DATA (NPB and CoMD; default ../shared/data).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
inlay=$(realpath "${INLAY:-$root/build/inlay}")
programs=$(realpath -m "${INLAY_DATA:-$root/../shared/data}/programs")
runs=${1:-7}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Tells when a rank has begun, and how long it was until it ended.
cat >timed.c <<'END'
#include <mpi.h>
#include <stdio.h>
static double begin;
int MPI_Init(int *count, char ***words)
{
    int status = PMPI_Init(count, words);
    PMPI_Barrier(MPI_COMM_WORLD);
    begin = PMPI_Wtime();
    return status;
}
int MPI_Finalize(void)
{
    double took = PMPI_Wtime() - begin, most;
    int rank;
    PMPI_Reduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) fprintf(stderr, "took %.9f\n", most);
    return PMPI_Finalize();
}
END
mpicc -O2 -shared -fPIC timed.c -o timed.so

number() { sed -n "s/^ *\"$1\": \([0-9.e-]*\),\{0,1\}$/\1/p" "$2" | head -n 1; }
middle() { sort -g "$1" | awk '{ v[NR] = $1 } END { print v[1] "," v[int((NR + 1) / 2)] "," v[NR] }'; }

simulated() { # MACHINE
    "$inlay" map app.tg "$1" --processors 2 --method houstis --order given -q -o mapping.json &&
        "$inlay" simulate mapping.json --json -q >simulated.json && number makespan simulated.json
}

try() { # COMMAND...
    local k
    rm -f predicted null work measured
    for ((k = 0; k < runs; k++)); do
        "$inlay" capture --mpi --keep -q --json -o app.tg -- mpirun -n 2 "$@" >found.json 2>said </dev/null
        simulated here.dot >>predicted
        simulated crossbar:2,contention=free >>null
        number busy found.json | awk '{ print $1 / 2 }' >>work
        mpirun -n 2 -x LD_PRELOAD="$work/timed.so" "$@" 2>said >/dev/null </dev/null
        sed -n 's/^took //p' said >>measured
    done
    echo "${*##*/},$(number modules found.json),$(number messages found.json),$(middle measured),$(middle predicted),$(middle null | cut -d, -f 2),$(middle work | cut -d, -f 2)"
}

"$inlay" measure -n 2 -q -o here.dot >/dev/null 2>&1
echo 'program,modules,messages,least,measured,most,predicted least,predicted,predicted most,null,work / 2'
mpicc -O2 -g "$root/docs/examples/capture/heat.c" -o heat -lm
mpicc -O2 -g "$root/docs/examples/capture/pairs.c" -o pairs
try ./heat 100000 400
try ./heat 1000000 100
try ./pairs 20 20000
if [[ -d $programs/comd ]]; then
    cp -r "$programs/comd" comd && chmod -R u+w comd
    for word in VARIANT HOSTNAME KERNEL_NAME KERNEL_RELEASE PROCESSOR COMPILER COMPILER_VERSION CFLAGS LDFLAGS; do
        echo "#define CoMD_$word \"\""
    done >comd/src-mpi/CoMD_info.h
    mpicc -O2 -g -w -std=c99 -DDOUBLE -DDO_MPI comd/src-mpi/*.c -o CoMD -lm
    cp -r comd/pots .
    try ./CoMD -i 2 -x 10 -y 10 -z 10 -N 20
    try ./CoMD -i 2 -x 20 -y 10 -z 10 -N 20
    try ./CoMD -e -i 2 -x 10 -y 10 -z 10 -N 20
fi
