# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk [-v lambda=SHARE] -f decompose.awk decompose.csv
#
# The tables of the study of docs/examples/thermal. Each line of the file is a system, a size, and what the program printed
# with --csv: the decompositions of a run in the order in which they were predicted to be fast. With a SHARE of lambda the
# predictions are made once more with so much of it, and put into their order.

BEGIN { FS = "," }

NR == 1 {
    for (i = 1; i <= NF; i++) column[$i] = i
    next
}

{
    run = $column["system"] " | " $column["size"]
    if (run != last) last = name_of[++runs] = run
    n = ++count[runs]
    method[runs, n] = $column["method"]
    messages[runs, n] = $column["messages"]
    bytes[runs, n] = $column["bytes"]
    predicted[runs, n] = $column["predicted_s"]
    measured[runs, n] = $column["measured_s"]
    if ($column["difference"] > 1e-12) wrong = 1
    if (lambda != "") {
        predicted[runs, n] = $column["computation_s"] + lambda * $column["latency_s"] + $column["transmission_s"]
        settle(runs, n)
    }
}

function swap(list, r, n,    before) { before = list[r, n]; list[r, n] = list[r, n - 1]; list[r, n - 1] = before }

# The decomposition behind those that are in order takes its place among them.
function settle(r, n) {
    for (; n > 1 && predicted[r, n] < predicted[r, n - 1]; n--) {
        swap(method, r, n); swap(messages, r, n); swap(bytes, r, n); swap(predicted, r, n); swap(measured, r, n)
    }
}

# The middle of the first n values, which are sorted.
function middle(values, n,    i, j, t) {
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && values[j] < values[j - 1]; j--) { t = values[j]; values[j] = values[j - 1]; values[j - 1] = t }
    return (values[int((n + 1) / 2)] + values[int(n / 2) + 1]) / 2
}

function fastest(r,    i, best) {
    best = 1
    for (i = 2; i <= count[r]; i++) if (measured[r, i] < measured[r, best]) best = i
    return best
}

# Pairs that were predicted to differ by more than the factor 1 + least, and those of them that ran in that order.
function pairs(r, least,    i, j, all, right) {
    for (i = 1; i <= count[r]; i++)
        for (j = i + 1; j <= count[r]; j++)
            if (predicted[r, j] > predicted[r, i] * (1 + least)) {
                all++
                right += measured[r, i] < measured[r, j]
            }
    return right + 0 " of " all + 0
}

# The place of a decomposition among all of its run by their measured times.
function place(r, n,    i, before) {
    for (i = 1; i <= count[r]; i++)
        before += measured[r, i] < measured[r, n] || (measured[r, i] == measured[r, n] && i < n)
    return before + 1
}

# What a step takes with a decomposition over what it takes in rows: predicted, and measured.
function beside_rows(r, name,    i, row, other) {
    for (i = 1; i <= count[r]; i++) {
        if (method[r, i] == "row") row = i
        if (method[r, i] == name) other = i
    }
    if (!row || !other) return "- | -"
    return sprintf("%.2f | %.2f", predicted[r, other] / predicted[r, row], measured[r, other] / measured[r, row])
}

function absolute(x) { return x < 0 ? -x : x }
function ms(seconds) { return sprintf("%.4g", 1000 * seconds) }

END {
    print "| system | N | pairs in the predicted order | of those that differ by 10 % | first | fastest | first behind, % | off, %: median | worst |"
    print "| --- | ---: | ---: | ---: | --- | --- | ---: | ---: | ---: |"
    for (r = 1; r <= runs; r++) {
        best = fastest(r)
        for (i = 1; i <= count[r]; i++) off[i] = absolute(100 * (predicted[r, i] / measured[r, i] - 1))
        half = middle(off, count[r])
        printf "| %s | %s | %s | %s | %s | ", name_of[r], pairs(r, 0), pairs(r, 0.1), method[r, 1], method[r, best]
        printf "%.1f | %.1f | %.1f |\n", 100 * (measured[r, 1] / measured[r, best] - 1), half, off[count[r]]
    }
    print "\n| system | N | brbd / row, predicted | measured | fbrd / row, predicted | measured | phd / row, predicted | measured | place that each had, in the predicted order |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    for (r = 1; r <= runs; r++) {
        printf "| %s | %s | %s | %s |", name_of[r], beside_rows(r, "brbd"), beside_rows(r, "fbrd"), beside_rows(r, "phd")
        for (i = 1; i <= count[r]; i++) printf "%s %s %d", (i > 1 ? "," : ""), method[r, i], place(r, i)
        print " |"
    }
    print "\n| system | N | decomposition | messages | bytes | predicted, ms | ratio | measured, ms | ratio | off, % |"
    print "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (r = 1; r <= runs; r++) {
        best = fastest(r)
        for (i = 1; i <= count[r]; i++) {
            printf "| %s | %s | %d | %d | ", name_of[r], method[r, i], messages[r, i], bytes[r, i]
            printf "%s | %.2f | %s | %.2f | ", ms(predicted[r, i]), predicted[r, i] / predicted[r, 1], ms(measured[r, i]),
                measured[r, i] / measured[r, best]
            printf "%+.1f |\n", 100 * (predicted[r, i] / measured[r, i] - 1)
        }
    }
    if (wrong) print "\nA plate was wrong."
}
