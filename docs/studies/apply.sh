#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/apply.sh [RUNS]
#
# Ten OpenMP programs run as five methods map them, on a computer that does nothing else: a line of CSV for each on standard output, then one
# for each pair of methods of a program whose simulated times differ by more than 5 %, with which is measured to be the faster. Every program
# is captured on two threads; `inlay apply --strict` runs it RUNS times (5) as ever and as mapped.
#
# From the environment: INLAY (default build/inlay), INLAY_DATA (programs of BOTS; default ../shared/data).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
inlay=$(realpath "${INLAY:-$root/build/inlay}")
bots=$(realpath -m "${INLAY_DATA:-$root/../shared/data}/programs/bots")
runs=${1:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

number() { sed -n "s/^  \"$1\": \([^,]*\),\{0,1\}$/\1/p" result.json; }
median() { sed -n "/\"$1\": {/,/}/s/.*\"median\": \([^,]*\),/\1/p" result.json; }

try() { # COMMAND...
    OMP_NUM_THREADS=2 OMP_PROC_BIND=true "$inlay" capture -q --tasks-only -o app.tg -- "$@" >/dev/null 2>&1
    for method in best heft houstis round-robin one; do
        "$inlay" map app.tg bus:2,contention=free --method "$method" -q -o mapping.json 2>/dev/null
        "$inlay" apply mapping.json --strict --runs "$runs" --json -- "$@" >result.json 2>/dev/null
        echo "${*#./},$method,$(number simulated_plain),$(median plain),$(number simulated_applied),$(median applied)"
    done | tee -a rows
}

echo 'program,method,simulated as ever,measured as ever,simulated as mapped,measured as mapped'
gcc -O2 -g -fopenmp "$root/docs/examples/capture/cholesky.c" -o cholesky -lm
gcc -O2 -g -fopenmp "$root/docs/examples/capture/late.c" -o late
gcc -O2 -g -fopenmp "$root/docs/studies/shapes.c" -o shapes
try ./cholesky 24 64
try ./late 400 20
for shape in 'wavefront 24' 'tree 64' 'pipeline 60' 'unbalanced 200' 'butterfly 128' 'strands 40'; do
    # shellcheck disable=SC2086 # two words
    try ./shapes $shape
done
if [[ -d $bots ]]; then
    for program in sparselu/sparselu_single alignment/alignment_single; do
        gcc -O2 -g -fopenmp -w -std=gnu11 -I"$bots/common" -I"$bots/omp-tasks/$program" -DCSTRING='""' -DCDATE='""' \
            -DCMESSAGE='""' -DCC='""' -DCFLAGS='""' -DLD='""' -DLDFLAGS='""' "$bots/omp-tasks/$program"/*.c "$bots/common/bots_common.c" \
            "$bots/common/bots_main.c" -o "${program%/*}" -lm
    done
    {
        echo 'Number of sequences is 20'
        awk 'BEGIN { srand(1); for (i = 1; i <= 20; i++) { printf ">S%d\n", i; for (k = 0; k < 4; k++) {
            for (j = 0; j < 50; j++) printf "%s", substr("ACDEFGHIKLMNPQRSTVWY", 1 + int(20 * rand()), 1); print "" } } }'
    } >proteins.aa
    try ./sparselu -n 30 -m 60
    try ./alignment -f proteins.aa
fi
echo 'program,faster when simulated,slower,simulated ratio,measured ratio,same order'
awk -F, '{ n = ++count[$1]; method[$1, n] = $2; simulated[$1, n] = $5; measured[$1, n] = $6; if (n == 1) name[++programs] = $1 }
    END { for (p = 1; p <= programs; p++) { k = name[p]
        for (i = 1; i <= count[k]; i++) for (j = 1; j <= count[k]; j++)
            if (simulated[k, j] > 1.05 * simulated[k, i]) { ratio = measured[k, j] / measured[k, i]
                printf "%s,%s,%s,%.3f,%.3f,%s\n", k, method[k, i], method[k, j], simulated[k, j] / simulated[k, i], ratio, (ratio > 1 ? "yes" : "no") } } }' rows
