#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/capture.sh [RUNS]
#
# Predictions of captured OpenMP programs beside what they take, on a computer that does nothing else: a line of CSV each on
# standard output. Every program is captured on one thread and on two and predicted from that, and then run RUNS times (11) on each,
# without a recorder, all in turn, each thread bound to a processor (else both may begin on one). `cross` is the prediction for two threads from the capture on one; `null` the sum of all
# modules of that capture over the threads. Seconds, of the whole command.
#
# From the environment: INLAY (default build/inlay), INLAY_DATA (programs of BOTS; default ../shared/data), CC (default clang).
set -eu
export OMP_PROC_BIND=true
root=$(cd "$(dirname "$0")/../.." && pwd)
inlay=$(realpath "${INLAY:-$root/build/inlay}")
bots=${INLAY_DATA:-$root/../shared/data}/programs/bots
bots=$(realpath -m "$bots")
cc=${CC:-clang} runs=${1:-11}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

number() { sed -n "s/^  \"$1\": \([a-z0-9.e-]*\),\{0,1\}$/\1/p" "$2"; }

elapsed() { sed -n 's/^ *"elapsed": \(.*\),$/\1/p' "$1" | sed -n "$2p"; } # FILE ROW

compile() { # FOLDER NAME OPTION...
    "$cc" -O2 -g -fopenmp -w "${@:3}" -std=gnu11 -I"$bots/common" -I"$bots/omp-tasks/$1" -DCSTRING='""' -DCDATE='""' -DCMESSAGE='""' \
        -DCC='""' -DCFLAGS='""' -DLD='""' -DLDFLAGS='""' "$bots/omp-tasks/$1"/*.c "$bots/common/bots_common.c" \
        "$bots/common/bots_main.c" -o "$2" -lm
}

# Into predicted: on one thread, on two, on two from one, work over two.
predict() { # COMMAND...
    local threads overhead
    for threads in 1 2; do
        OMP_NUM_THREADS=$threads "$inlay" capture -q --json -o "app$threads.tg" -- "$@" >"found$threads.json" 2>/dev/null
        overhead=$(number task_overhead "found$threads.json" | awk '{ printf "%.12f", $1 + 1e-12 }')
        "$inlay" speedup "app$threads.tg" --cores 1..2 --task-overhead "${overhead}s" --json >"curve$threads.json"
    done
    predicted=("$(elapsed curve1.json 1)" "$(elapsed curve2.json 2)" "$(elapsed curve1.json 2)" "$(number busy found1.json)")
}

measure() { # THREADS COMMAND...
    local begin=$EPOCHREALTIME
    OMP_NUM_THREADS=$1 "${@:2}" >/dev/null 2>&1
    echo "$begin $EPOCHREALTIME" | awk '{ print $2 - $1 }'
}

row() { # NAME THREADS PREDICTED CROSS NULL
    sort -g "times$2" | awk -v OFS=, -v name="$1" -v threads="$2" -v predicted="$3" -v cross="$4" -v null="$5" '{ t[NR] = $1 }
        END { m = t[int((NR + 1) / 2)]
            printf "%s,%d,%.4f,%.4f,%.4f,%.4f,%+.1f,%.4f,%+.1f,%.4f,%+.1f\n", name, threads, t[1], m, t[NR], predicted,
                100 * (predicted - m) / m, cross, 100 * (cross - m) / m, null, 100 * (null - m) / m }'
}

try() { # COMMAND...
    local name="${*#./}"
    predict "$@"
    rm -f times1 times2
    for ((i = 0; i < runs; i++)); do
        measure 1 "$@" >>times1
        measure 2 "$@" >>times2
    done
    row "$name" 1 "${predicted[0]}" "${predicted[0]}" "${predicted[3]}"
    row "$name" 2 "${predicted[1]}" "${predicted[2]}" "$(awk -v work="${predicted[3]}" 'BEGIN { print work / 2 }')"
}

echo 'program,threads,least,median,most,predicted,error %,cross,error %,null,error %'
"$cc" -O2 -g -fopenmp "$root/docs/examples/capture/cholesky.c" -o cholesky -lm
for tiles in 20 30 40; do try ./cholesky "$tiles" 64; done
if pkg-config --exists openblas lapacke; then
    export OPENBLAS_NUM_THREADS=1
    # shellcheck disable=SC2046 # words of their own
    "$cc" -O2 -g -fopenmp -DBLAS "$root/docs/examples/capture/cholesky.c" -o cholesky-blas $(pkg-config --cflags --libs lapacke openblas) -lm
    for tiles in 15 20 30; do try ./cholesky-blas "$tiles" 200; done
fi
"$cc" -O2 -g -fopenmp "$root/docs/examples/capture/late.c" -o late
for links in 20 100 300; do try ./late 2000 "$links"; done
if [[ -d $bots ]]; then
    compile sparselu/sparselu_single sparselu && for size in 20 30 40; do try ./sparselu -n "$size" -m 60; done
    compile sort sort && for size in 2000000 4000000 8000000; do try ./sort -n "$size"; done
    compile nqueens nqueens -DMANUAL_CUTOFF && for size in 11 12 13; do try ./nqueens -n "$size" -x 3; done
    compile fib fib -DMANUAL_CUTOFF && for size in 33 36 39; do try ./fib -n "$size" -x 10; done
    {
        echo 'Number of sequences is 60'
        awk 'BEGIN { srand(1); for (i = 1; i <= 60; i++) { printf ">S%d\n", i; for (k = 0; k < 4; k++) {
            for (j = 0; j < 50; j++) printf "%s", substr("ACDEFGHIKLMNPQRSTVWY", 1 + int(20 * rand()), 1); print "" } } }'
    } >proteins.aa
    compile alignment/alignment_for alignment
    for count in 25 40 60; do
        sed "1s/60/$count/" proteins.aa >"proteins$count.aa"
        try ./alignment -f "proteins$count.aa"
    done
fi
