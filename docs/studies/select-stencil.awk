# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -f select-stencil.awk select-stencil.csv
#
# The tables of the study of docs/examples/spmd_stencil. Each line of the file is a system, a program, a size, and what the
# program printed with --every --csv.

BEGIN { FS = "," }

NR == 1 {
    for (i = 1; i <= NF; i++) column[$i] = i
    next
}

{
    name = $column["configuration"]
    processors = $column["processors"]
    predicted = $column["predicted_s"]
    measured = $column["measured_s"]
    off = 100 * (predicted / measured - 1)
    offs[++all] = off < 0 ? -off : off
    if ($column["difference"] > 1e-12) wrong = 1
}

# The first of a run.
name == "chosen" {
    system_of[++runs] = $column["system"]
    program_of[runs] = $column["program"]
    size_of[runs] = $column["size"]
    chosen[runs] = processors
    chosen_predicted[runs] = predicted
    chosen_measured[runs] = measured
    chosen_off[runs] = off
    measured_of[runs, processors] = measured
    next
}

# Those that give all the same rows are for another column.
name ~ /equal shares/ { equal[runs] = measured; equal_of[runs] = processors; next }

{
    measured_of[runs, processors] = measured
    if (!(runs in best) || measured < best[runs]) {
        best[runs] = measured
        best_name[runs] = processors
    }
    if (measured > worst[runs]) {
        worst[runs] = measured
        worst_name[runs] = processors
    }
}

# The runs in the order of the study: systems, programs, sizes.
function order(    i, j, t) {
    for (i = 1; i <= runs; i++) rank[i] = i
    for (i = 2; i <= runs; i++)
        for (j = i; j > 1 && key(rank[j]) < key(rank[j - 1]); j--) {
            t = rank[j]; rank[j] = rank[j - 1]; rank[j - 1] = t
        }
}
function key(i) {
    return sprintf("%03d %s %9d", index("here    wire100 wire10  ", sprintf("%-8s", system_of[i])), program_of[i], size_of[i])
}

# The middle and the largest of the first n values.
function middle(values, n,    i, j, t) {
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && values[j] < values[j - 1]; j--) { t = values[j]; values[j] = values[j - 1]; values[j - 1] = t }
    return (values[int((n + 1) / 2)] + values[int(n / 2) + 1]) / 2
}

# What equal shares cost on the same processors, in percent; "" where these did not run with balanced ones.
function cost(i) {
    return (i, equal_of[i]) in measured_of ? 100 * (equal[i] / measured_of[i, equal_of[i]] - 1) : ""
}

function ms(seconds) { return sprintf("%.4g", 1000 * seconds) }

# The runs of that system, or all where it is "".
function summary(which,    i, n, off_by, loss, gain, gains, fastest, near) {
    for (i = 1; i <= runs; i++) {
        if (which != "" && system_of[i] != which) continue
        off_by[++n] = chosen_off[i] < 0 ? -chosen_off[i] : chosen_off[i]
        loss[n] = chosen_measured[i] > best[i] ? 100 * (chosen_measured[i] / best[i] - 1) : 0
        if (cost(i) != "") gain[++gains] = cost(i)
        fastest += loss[n] == 0
        near += loss[n] <= 10
    }
    if (n == 0) return
    printf "| %s | %d | %.1f | ", which == "" ? "all" : which, n, middle(off_by, n)
    printf "%.1f | %d | %d | ", off_by[n], fastest, near
    middle(loss, n)
    printf "%.1f | ", loss[n]
    middle(gain, gains)
    printf "%.0f |\n", gain[gains]
}

END {
    order()
    print "| system | runs | T_c of the chosen off by, %: median | worst | fastest of all | within 10 % | behind at most, % | equal shares cost up to, % |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    summary("here"); summary("wire100"); summary("wire10"); summary("")
    printf "\nAll %d configurations: T_c off by %.1f %% (median), %.1f %% at worst.\n\n", all, middle(offs, all), offs[all]
    print "| system | program | N | chosen | T_c, ms: predicted | measured | off, % | fastest other | ms | chosen behind, % | slowest | ms | equal shares cost, % |"
    print "| --- | --- | ---: | --- | ---: | ---: | ---: | --- | ---: | ---: | --- | ---: | ---: |"
    for (r = 1; r <= runs; r++) {
        i = rank[r]
        printf "| %s | %s | %d | %s | %s | %s | %+.1f | ", system_of[i], program_of[i], size_of[i], chosen[i],
            ms(chosen_predicted[i]), ms(chosen_measured[i]), chosen_off[i]
        printf "%s | %s | %+.1f | ", best_name[i], ms(best[i]), 100 * (chosen_measured[i] / best[i] - 1)
        printf "%s | %s | %s |\n", worst_name[i], ms(worst[i]), cost(i) == "" ? "-" : sprintf("%+.0f", cost(i))
    }
    if (wrong) print "\nA grid was wrong."
}
