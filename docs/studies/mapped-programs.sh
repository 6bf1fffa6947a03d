#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/mapped-programs.sh [INLAY]
#
# The programs of graphs/ as they run when they are mapped, beside the simulation and the estimate of their graphs. Prints
# a table in Markdown.
#
# INLAY is the program: by default $INLAY, else build/inlay, else the one in PATH.
set -eu
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
inlay=${1:-${INLAY:-$here/../../build/inlay}}
[ -n "${1:-${INLAY:-}}" ] || [ -x "$inlay" ] || inlay=$(command -v inlay) || inlay=inlay
[ -x "$inlay" ] || {
    echo "mapped-programs.sh: there is no program $inlay; run make, or name it" >&2
    exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A number of the result's last part, which is about the mapped run; the first of that name there.
member() { sed -n '/"mapped"/,$'"s/^    \"$1\": \([-0-9.e+]*\),*\$/\1/p" "$work/result.json" | head -n 1; }

row() { # PROGRAM OPTION MACHINE
    "$inlay" profile "$here/../../graphs/$1.c" -D "$2" --quiet -o "$work/graph.dot"
    "$inlay" map --method houstis "$work/graph.dot" "$3" --quiet -o "$work/mapping.json"
    "$inlay" profile "$here/../../graphs/$1.c" -D "$2" --mapping "$work/mapping.json" --json >"$work/result.json"
    LC_ALL=C awk -v row="| $1 $2 | $3" -v took="$(member elapsed)" -v simulated="$(member simulated)" \
        -v estimate="$(member estimate)" 'BEGIN {
            printf "%s | %.6g | %.6g | %+.1f | %.6g | %+.1f |\n", row, took, simulated,
                100 * (simulated / took - 1), estimate, 100 * (estimate / took - 1)
        }'
}

echo "| program | machine | as mapped | its graph, simulated | % | estimate | % |"
echo "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
for program in 'cholesky n=4' 'cholesky n=12' 'lu n=12' 'producers items=40' 'gauss n=12' 'fft n=64' 'stencil blocks=4'; do
    for machine in bus:8 omega-pe:8; do
        row "${program% *}" "${program#* }" "$machine"
    done
done
