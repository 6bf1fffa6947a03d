# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -f docs/studies/capture-mpi.awk capture-mpi.csv
#
# A table in Markdown of what docs/studies/capture-mpi.sh measured, and how far predictions are off.
BEGIN { FS = "," }

NR == 1 {
    print "| program | modules | messages | measured, s | from | to | predicted, s | error % | null % | work / 2 % |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    next
}

{
    printf "| `%s` | %d | %d | %.4g | %.4g | %.4g | %.4g | %+.1f | %+.1f | %+.1f |\n", $1, $2, $3, $5, $4, $6, $8, off($8), off($10),
           off($11)
    add("predicted", $8)
    add("null", $10)
    add("work / 2", $11)
}

END {
    printf "\n"
    show("predicted")
    show("null")
    show("work / 2")
}

function off(time) { return 100 * (time / $5 - 1) }

# Errors without their signs, in order.
function add(what, time,    error, at) {
    error = off(time) < 0 ? -off(time) : off(time)
    for (at = ++count[what]; at > 1 && sorted[what, at - 1] > error; at--)
        sorted[what, at] = sorted[what, at - 1]
    sorted[what, at] = error
}

function show(what,    n) {
    n = count[what]
    printf "%s: median %.1f %%, worst %.1f %%\n", what, (sorted[what, int((n + 1) / 2)] + sorted[what, int(n / 2) + 1]) / 2, sorted[what, n]
}
