#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/collectives.sh [RANKS...]
#
# Collective communication of Open MPI beside what inlay select says of it, for 2 and 4 ranks on this computer where none are
# named. lambda and tau come from stages in which each rank sends to the next; `volume` is the null model, bytes by tau alone.
# Prints a table in Markdown. Needs mpicc and mpirun; nothing else should run meanwhile.
#
# INLAY is the program: by default $INLAY, else build/inlay, else the one in PATH.
set -eu
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
inlay=${INLAY:-$here/../../build/inlay}
[ -x "$inlay" ] || inlay=inlay
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ $# -gt 0 ] || set -- 2 4
mpicc -O2 -o "$folder/collectives" "$here/collectives.c"

echo '| ranks | pattern | bytes | measured us | algorithm | predicted us | off | volume us | off |'
echo '| ---: | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |'
for ranks; do
    mpirun --oversubscribe -n "$ranks" "$folder/collectives" >"$folder/rows"
    read -r _ lambda tau <"$folder/rows"
    echo "graph m { graph [kind=metasystem, time_unit=us];
        a [processors=$ranks, rate=1, ring=\"c2=$lambda, c4=$tau\"]; }" >"$folder/machine.dot"
    sed 1d "$folder/rows" | while read -r pattern bytes measured; do
        echo "digraph p { graph [kind=program, time_unit=us]; c [kind=computation, numPDUs=$ranks, comp_complexity=1e12];
            x [kind=communication, topology=\"$pattern\", comm_complexity=$bytes]; }" >"$folder/program.dot"
        # so much work on a unit that all ranks are best
        predicted=$("$inlay" select "$folder/program.dot" "$folder/machine.dot" --best 0 --json |
            sed -n 's/^  "t_comm": \(.*\),$/\1/p')
        algorithm=$("$inlay" select "$folder/program.dot" "$folder/machine.dot" --best 0 |
            sed -n 's/^phases.* by \([a-z-]*\),.*/\1/p')
        echo "$ranks $pattern $bytes $measured ${algorithm:--} $predicted $tau"
    done
done | awk 'function off(x) { return sprintf("%+.0f %%", 100 * (x / $4 - 1)) }
    { volume = ($2 == "all-to-all" ? $1 - 1 : $2 == "allreduce" ? 2 * ($1 - 1) / $1 : 1) * $3 * $7
      printf "| %d | %s | %d | %.1f | %s | %.1f | %s | %.1f | %s |\n", $1, $2, $3, $4, $5, $6, off($6), volume, off(volume) }'
