#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/accelerators.sh [--tiles "10 20"] [INLAY]
#
# Tiled Cholesky and LU, tiles of 960 in single precision, on the two nodes with three GPUs of which StarPU ships its measurements
# ($INLAY_DATA/starpu/sampling; default ../shared/data), under StarPU's schedulers and the best of all. Prints accelerators.csv's
# rows; nothing is timed, and the same files give the same rows. GPUs that are left out leave their core free.
#
#   --tiles LIST     tiles along the matrix, in place of 10 20 40 60
#
# INLAY is the program: by default $INLAY, else build/inlay.
set -eu
unset CDPATH
export LC_ALL=C
root=$(cd "$(dirname "$0")/../.." && pwd)
tiles='10 20 40 60'
while :; do
    case ${1-} in
    --tiles) tiles=${2:?accelerators.sh: --tiles needs a list} && shift 2 ;;
    -*) sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
done
inlay=${1:-${INLAY:-$root/build/inlay}}
data=${INLAY_DATA:-$root/../shared/data}/starpu/sampling
[ -d "$data" ] || { echo "accelerators.sh: no $data; INLAY_DATA says where the data are" >&2 && exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

inlay_rows() { # KIND COMPUTER TILES
    "$inlay" generate "$1" --tiles "$3" --tile 960 --element 4 --inputs -o "$work/app.dot"
    "$inlay" convert "$work/app.dot" --models "$data" --computer "$2" -q -o "$work/timed.dot"
    for gpus in 1 2 3; do
        for scheduler in stealing dmda dmdas best; do
            "$inlay" speedup "$work/timed.dot" "$data/bus/$2.config,gpus=$gpus" -p 12..12 --scheduler $scheduler -q --csv - |
                awk -F, -v row="$1,$2,$3,$gpus,$scheduler" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
                    { printf "%s,%s,%.4f,%.1f,%.4f,%.3f,%.3f,%s,%s\n", row, $at["winner"], $at["elapsed"] / 1e6, $at["rate"] / 1e9,
                      $at["elapsed"] / $at["lower_bound"], $at["moved"] / 1e9, $at["least_moved"] / 1e9, $at["evictions"],
                      $at["write_backs"] }'
        done
    done
}

echo kind,computer,tiles,gpus,scheduler,winner,seconds,gflops,over_bound,moved_gb,least_gb,evictions,write_backs
for kind in cholesky lu; do
    for computer in mirage attila; do
        for n in $tiles; do
            inlay_rows $kind $computer "$n"
        done
    done
done
