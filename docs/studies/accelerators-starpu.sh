#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/accelerators-starpu.sh EXAMPLES SAMPLING [TILES...]
#
# Tiled Cholesky on mirage and attila by StarPU itself over SimGrid, and by Inlay, with the same times of codelets. EXAMPLES is the folder
# of the examples of a StarPU (1.3.10) that was built by
#     configure --enable-simgrid --enable-maxcpus=64 --enable-blas-lib=none
# SAMPLING is StarPU's tools/perfmodels/sampling. Prints rows: computer, tiles, GPUs, scheduler, ms of StarPU, ms of Inlay, ms of its lower bound.
set -eu
examples=$1 sampling=$2
shift 2
[[ $# -gt 0 ]] || set -- 10 20
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$sampling" "$work/models"
cd "$work/models/codelets/45"
for computer in mirage attila; do # its examples call them otherwise, and SYRK as GEMM
    cp "chol_model_potrf.$computer" "chol_model_11.$computer"
    cp "chol_model_trsm.$computer" "chol_model_21.$computer"
    cp "chol_model_gemm.$computer" "chol_model_22.$computer"
done
cd "$work"
export STARPU_PERF_MODEL_DIR=$work/models STARPU_NOPENCL=0
echo computer,tiles,gpus,scheduler,starpu_ms,inlay_ms,bound_ms
for computer in mirage attila; do
    export STARPU_HOSTNAME=$computer
    for tiles; do
        inlay generate cholesky --tiles "$tiles" --tile 960 --element 4 --inputs --quiet -o plain.dot
        inlay convert plain.dot --models "$sampling" --computer $computer --codelets SYRK=chol_model_gemm --quiet -o timed.dot
        for gpus in 1 3; do
            for scheduler in dmda dmdas stealing; do
                export STARPU_NCUDA=$gpus STARPU_SCHED=${scheduler/stealing/lws}
                theirs=$("$examples/cholesky/cholesky_implicit" -size $((960 * tiles)) -nblocks "$tiles" 2>/dev/null | tail -n 1 | cut -f 2)
                ours=$(inlay speedup timed.dot "$sampling/bus/$computer.config,gpus=$gpus" --scheduler $scheduler --cores 12..12 --csv - --quiet |
                    tail -n 1 | awk -F, '{ printf "%.0f,%.0f", $2 / 1000, $5 / 1000 }')
                echo "$computer,$tiles,$gpus,$scheduler,$theirs,$ours"
            done
        done
    done
done
