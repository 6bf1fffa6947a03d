# SPDX-License-Identifier: GPL-3.0-or-later
#
# The tables of estimate.sh, in Markdown: awk -f estimate.awk estimate.csv estimate-frames.csv
#
# A run is a mapping at a load. Its error is by how much the estimate, or the screen, is longer than the simulated time, in
# percent of that. A mean is one of absolute errors.

BEGIN {
    FS = ","
    MODELS = split("1 bus, common memory;2 bus;3 multibus;4 omega;5 omega-pe;6 links", model, ";")
    MACHINES = split("mesh torus star fattree", machine, " ")
    BANDS = split("0 to 30 %;30 to 60 %;60 to 90 %", band, ";")
    POINTS = split("t_fit t_par", point, " ")
    split("T_FIT T_PAR", point_name, " ")
    WIDTH = 0.3     # of a band of loads
    CLOSE = 0.1     # near the simulated time: within 10 % of it
    EXACT = 1e-6    # a difference that is none: the files have seven digits
    TOLERABLE = 10  # a mean error above it, in percent, makes the commands warn
}

FNR == 1 { file++; next }

function absolute(x) { return x < 0 ? -x : x }

# ---- estimate.csv: graph, kind, model, machine, processors, messages, load, estimate, fixed_point, screen, simulated ----

function count(group, error, fixed) {
    runs[group]++
    sum[group] += absolute(error)
    signed[group] += error
    if (runs[group] == 1 || error < low[group]) low[group] = error
    if (runs[group] == 1 || error > high[group]) high[group] = error
    if (fixed != "") {
        fixed_runs[group]++
        fixed_sum[group] += absolute(fixed)
    }
}

file == 1 {
    error = 100 * ($8 / $11 - 1)
    fixed = $9 == "" ? "" : 100 * ($9 / $11 - 1)
    screen = 100 * ($10 / $11 - 1)
    b = int($7 / WIDTH) + 1
    count($3 FS b, error, fixed)
    count($2 FS b, error, fixed)
    count("screen" FS $3 FS b, screen, "")
    count("screen" FS $4 FS b, screen, "")
    count("screen" FS "messages" $6 FS b, screen, "")
    if (!($2 in known)) kind[++kinds] = $2
    known[$2]
    if (!($1 in graph)) graphs++
    graph[$1]
}

# ---- estimate-frames.csv: graph, kind, model, processors, load, point, clusters, time_frame, estimate, simulated --------------

file == 2 {
    bound($6 FS $3)
    bound($6 FS $2)
}

function bound(key,   n) {
    sweeps[key]++
    if ($7 == "") return
    if ($7 == 1) {
        alone[key]++ # T, estimate and simulated time are the sum of all work
        return
    }
    n = ++there[key]
    ratio[key, n] = $8 / $10
    above[key] += $8 >= $10 * (1 - EXACT)
    close_to[key] += absolute($8 / $10 - 1) <= CLOSE
    if ($8 >= $10 * (1 - EXACT) && $8 / $10 <= 1 + CLOSE) both[key]++
}

# ---- Tables ----------------------------------------------------------------------------------------------------------

function percent(part, whole) { return whole > 0 ? sprintf("%.0f %%", 100 * part / whole) : "-" }

function line(name, group) {
    if (!runs[group]) return
    printf "| %s | %s | %d | %.1f | %+.1f | %+.1f to %+.1f |", name, band[b], runs[group], sum[group] / runs[group],
        signed[group] / runs[group], low[group], high[group]
    if (group in fixed_runs) printf " %.1f |", fixed_sum[group] / fixed_runs[group]
    print ""
}

function heading(what, of, fixed) {
    printf "\n**%s**\n\n", what
    printf "| %s | load | runs | mean error %% | mean with sign %% | least, largest %% |%s\n", of,
        fixed ? " mean error %, T = E |" : ""
    printf "| --- | --- | ---: | ---: | ---: | ---: |%s\n", fixed ? " ---: |" : ""
}

# Sorts ratio[key, 1..n] by insertion.
function sort(key, n,   i, j, x) {
    for (i = 2; i <= n; i++) {
        x = ratio[key, i]
        for (j = i - 1; j >= 1 && ratio[key, j] > x; j--) ratio[key, j + 1] = ratio[key, j]
        ratio[key, j + 1] = x
    }
}

function frame_line(name, key,   n) {
    if (!sweeps[key]) return
    n = there[key] + 0
    sort(key, n)
    printf "| %s | %s | %d | %d | %d | %s | %s | %s | %s |\n", point_name[p], name, sweeps[key], alone[key], n,
        percent(above[key], n), percent(close_to[key], n), percent(both[key], n),
        n == 0 ? "-" : sprintf("%.2f, %.2f, %.2f", ratio[key, 1], ratio[key, int((n + 1) / 2)], ratio[key, n])
}

END {
    printf "**%d graphs**, %d runs\n", graphs, all_runs()
    heading("The error of the estimate, by model.", "model", 1)
    for (m = 1; m <= MODELS; m++) for (b = 1; b <= BANDS; b++) line(model[m], m FS b)
    heading("The same, by kind of graph.", "kind", 1)
    for (k = 1; k <= kinds; k++) for (b = 1; b <= BANDS; b++) line(kind[k], kind[k] FS b)
    heading("The error of the screen, by model.", "model", 0)
    for (m = 1; m <= MODELS; m++) for (b = 1; b <= BANDS; b++) line(model[m], "screen" FS m FS b)
    heading("The same, on machines with links, and by messages of a link.", "machine", 0)
    for (m = 1; m <= MACHINES; m++) for (b = 1; b <= BANDS; b++) line(machine[m], "screen" FS machine[m] FS b)
    for (b = 1; b <= BANDS; b++) line("all, messages as given", "screen" FS "messages1" FS b)
    for (b = 1; b <= BANDS; b++) line("all, about 20 messages", "screen" FS "messages20" FS b)
    print "\n**T_FIT and T_PAR beside the simulated time.** Of those with several clusters:\n"
    print "| T | model, kind | sweeps | one cluster | several | T is above | within 10 % | both | least, median, largest ratio |"
    print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (p = 1; p <= POINTS; p++) {
        for (m = 1; m <= MODELS; m++) frame_line(model[m], point[p] FS m)
        for (k = 1; k <= kinds; k++) frame_line(kind[k], point[p] FS kind[k])
    }
    print "\n**Where the commands warn**: mean errors of the estimate above 10 %, in percent.\n"
    print "| model | load | mean | least, largest |"
    print "| --- | --- | ---: | ---: |"
    for (m = 1; m <= MODELS; m++) for (b = 1; b <= BANDS; b++) warned(m FS b)
}

function warned(group) {
    if (runs[group] && sum[group] / runs[group] > TOLERABLE) {
        printf "| %s | %s | %.0f | %+.0f to %+.0f |\n", model[m], band[b], sum[group] / runs[group], low[group], high[group]
    }
}

function all_runs(   total) {
    for (m = 1; m <= MODELS; m++) for (b = 1; b <= BANDS; b++) total += runs[m FS b]
    return total
}
