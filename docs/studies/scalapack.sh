#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/scalapack.sh [--few] [-o FILE | --from FILE] [INLAY]
#
# Does ScaLAPACK take as long as `inlay processes --kernel` says, and is the grid that it names the best one? LU, Cholesky
# and the product of matrices run on 1, 2 and 4 processes over grids and sizes of blocks. The rates of updates and panels
# are measured on one process, the network by two; the work of each kernel is corrected by one run, of the smallest size
# on one process. Everything else is predicted. Beside it stands the null model: operations over the speed of all
# processes. Times are processor times, of the process that takes most, the least of the repeats; more processes than
# cores wait for each other and say little. Prints tables in Markdown.
#
#   --few        small matrices: seconds, and figures that mean nothing
#   -o FILE      keep every run and its prediction there (CSV)
#   --from FILE  measure nothing: the tables of what -o kept
#
# Needs mpicc, mpirun of Open MPI, and libscalapack-openmpi-dev with any BLAS.
set -u
unset CDPATH
script=scalapack.sh file='' from=''
calibrate=384 orders='768 1152' blocks='16 32 64 128' repeats=5
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

while [[ $# -gt 0 ]]; do
    case $1 in
    --few) calibrate=64 orders=128 blocks='16 32' repeats=1 ;;
    -o) file=${2:?$script: -o needs a file} && shift ;;
    --from) from=${2:?$script: --from needs a file} && shift ;;
    -*) sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done
inlay=${1:-${INLAY:-$root/build/inlay}}
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

# ---- Runs ------------------------------------------------------------------------------------------------------------

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OPENBLAS_NUM_THREADS=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none

# Processor time of a kernel: KERNEL N NB ROWS COLUMNS
run() {
    mpirun -n $(($4 * $5)) "$work/scalapack" "$1" "$2" "$3" "$4" "$5" "$repeats" || exit
}

# The same, predicted
predict() {
    "$inlay" processes "$(($4 * $5))x1000" --kernel "$1:$2" --block "$3" --shape "$4x$5" --rates "$work/$1.csv" \
        --latency "${latency}s" --per-byte "${per_byte}s" --csv - | awk -F, 'NR == 2 { print $5 }'
}

measure() {
    mpicc -std=c17 -D_POSIX_C_SOURCE=200809L -O2 "$root/docs/studies/scalapack.c" -o "$work/scalapack" \
        -lscalapack-openmpi -llapack -lblas || exit
    # shellcheck disable=SC2086
    "$work/scalapack" rates $blocks >"$work/rates.csv" || exit
    read -r latency per_byte < <(mpirun -n 2 "$work/scalapack" network)
    peak=$(awk -F, '$1 == "update" { r = 2e6 * $2 / $3; if (r > best) best = r } END { print best }' "$work/rates.csv")
    echo 'kernel,n,block,rows,columns,measured,predicted,null'
    for kernel in lu cholesky matmul; do
        cp "$work/rates.csv" "$work/$kernel.csv"
        measured=$(run $kernel $calibrate 32 1 1) predicted=$(predict $kernel $calibrate 32 1 1)
        awk -F, -v OFS=, -v by="$(awk "BEGIN { print $measured / $predicted }")" 'NR > 1 { $3 *= by } 1' \
            "$work/rates.csv" >"$work/$kernel.csv"
        for n in $orders; do
            for nb in $blocks; do
                for grid in '1 1' '1 2' '2 1' '2 2' '1 4' '4 1'; do
                    read -r p q <<<"$grid"
                    null=$(awk -v n="$n" -v of="$(((p) * (q)))" -v peak="$peak" -v kernel=$kernel \
                        'BEGIN { print (kernel == "lu" ? 2 / 3 : kernel == "matmul" ? 2 : 1 / 3) * n ^ 3 / peak / of }')
                    echo "$kernel,$n,$nb,$p,$q,$(run $kernel "$n" "$nb" "$p" "$q"),$(predict $kernel "$n" "$nb" "$p" "$q"),$null"
                done
            done
        done
    done
}

# ---- Tables ----------------------------------------------------------------------------------------------------------

# What the grid and block that a column names as the best take, above the least that was measured.
tables() {
    awk -F, '
    function size(x) { return x < 0 ? -x : x }
    NR == 1 { next }
    {
        key = $1 "," $4 * $5; order = $1 "," $4 * $5 "," $2
        if (!(key in runs)) keys[++count] = key
        runs[key]++
        model[key] += size($7 / $6 - 1); null[key] += size($8 / $6 - 1)
        if (size($7 / $6 - 1) > worst[key]) worst[key] = size($7 / $6 - 1)
        if (!(order in least) || $6 < least[order]) least[order] = $6
        if ($6 > most[order]) most[order] = $6
        if (!(order in low) || $7 < low[order]) { low[order] = $7; chosen[order] = $6 }
        of[order] = key
    }
    END {
        print "| kernel | processes | runs | error | worst | null model | named grid and block | worst one |"
        print "| --- | --- | --- | --- | --- | --- | --- | --- |"
        for (o in of) {
            k = of[o]; loss = chosen[o] / least[o] - 1; bad = most[o] / least[o] - 1
            if (loss > lost[k]) lost[k] = loss
            if (bad > spread[k]) spread[k] = bad
        }
        for (i = 1; i <= count; i++) {
            k = keys[i]; split(k, w, ",")
            printf "| %s | %d | %d | %.1f %% | %.1f %% | %.1f %% | +%.1f %% | +%.1f %% |\n", w[1], w[2], runs[k],
                100 * model[k] / runs[k], 100 * worst[k], 100 * null[k] / runs[k], 100 * lost[k], 100 * spread[k]
        }
    }' "$1"
}

if [[ -z $from ]]; then
    from=$work/runs.csv
    measure >"$from"
    [[ -z $file ]] || cp "$from" "$file"
fi
tables "$from"
