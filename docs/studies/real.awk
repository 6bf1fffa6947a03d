# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -f docs/studies/real.awk real.csv
#
# Tables in Markdown of what docs/studies/real.sh measured: how far predictions are off by kinds of runs, beside the null
# model; what each mechanism is worth; how well mappings are ranked; and all rows.
BEGIN { FS = "," }

NR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}

{
    rows++
    program[rows] = $column["program"]; machine[rows] = $column["machine"]; how[rows] = $column["how"]
    part[rows] = $column["part"]
    measured[rows] = $column["measured"]; predicted[rows] = $column["predicted"]
    least[rows] = $column["least"]; most[rows] = $column["most"]
    low[rows] = $column["low"]; high[rows] = $column["high"]
    null_model[rows] = $column["null"]
    again = $column["again"]
    without[rows, "overheads"] = scaled($column["no_overheads"], again)
    without[rows, "memory"] = scaled($column["no_memory"], again)
    without[rows, "queues"] = scaled($column["no_queues"], again)
    without[rows, "shared data"] = scaled($column["no_shared_data"], again)
    without[rows, "scheduler"] = scaled($column["no_scheduler"], again)
    kind[rows] = kind_of(rows)
}

END {
    print "| runs | rows | error %: median | worst | null: median | worst | in the interval | its width % |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    count = split("learned|OpenMP, 1 thread|OpenMP, 2 threads|MPI, 2 ranks|MPI, other mappings|MPI, 4 ranks on 2 cores|wires", kinds, "|")
    for (k = 1; k <= count; k++)
        summary(kinds[k])
    summary("one computer")
    by_doubt()
    print "\n| without | OpenMP, 1 thread | OpenMP, 2 threads | MPI, 2 ranks | wires |"
    print "| --- | ---: | ---: | ---: | ---: |"
    ablation("-")
    count = split("overheads|memory|queues|shared data|scheduler", mechanisms, "|")
    for (k = 1; k <= count; k++)
        ablation(mechanisms[k])
    print "\n| program | mappings | Kendall's tau | regret % | of any mapping, on the average % |"
    print "| --- | ---: | ---: | ---: | ---: |"
    rank_all()
    print "\n| program | run by | predicted, s | interval | measured, s | from | to | error % | null % |"
    print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (r = 1; r <= rows; r++)
        printf "| %s | %s | %.4g | %.4g to %.4g | %.4g | %.4g | %.4g | %+.1f | %+.1f |\n", words(program[r]), runner(r), predicted[r],
               low[r], high[r], measured[r], least[r], most[r], 100 * (predicted[r] / measured[r] - 1),
               100 * (null_model[r] / measured[r] - 1)
}

function scaled(other, again) { return other == "-" || other == "" ? "" : other / again }
function words(name) { gsub(/-/, " ", name); return name }

function runner(r) {
    if (how[r] ~ /^openmp/)
        return "OpenMP, " substr(how[r], 7)
    return "MPI, " how[r] (machine[r] == "here" ? "" : ", " substr(machine[r], 5) " Mbit/s")
}

function kind_of(r) {
    if (part[r] == "learned")
        return "learned"
    if (machine[r] != "here")
        return "wires"
    if (how[r] == "four")
        return "MPI, 4 ranks on 2 cores"
    if (how[r] ~ /^openmp/)
        return how[r] == "openmp1" ? "OpenMP, 1 thread" : "OpenMP, 2 threads"
    return how[r] == "best" ? "MPI, 2 ranks" : "MPI, other mappings"
}

function is_of(r, name) {
    return kind[r] == name || (name == "one computer" && part[r] != "learned" && machine[r] == "here" && how[r] != "four")
}

# How many would lie within 1.645 deviations of the learned errors, which memory hides in none of them.
function by_doubt(    r, n, sum, deviation, inside, all) {
    for (r = 1; r <= rows; r++)
        if (part[r] == "learned") {
            n++
            sum += (measured[r] / predicted[r] - 1) ^ 2
        }
    deviation = sqrt(sum / n)
    for (r = 1; r <= rows; r++)
        if (is_of(r, "one computer")) {
            all++
            inside += size_of(measured[r] / predicted[r] - 1) <= 1.645 * deviation
        }
    printf "\n%d of %d within 1.645 deviations of %.1f %%\n", inside, all, 100 * deviation
}

function size_of(x) { return x < 0 ? -x : x }

# The middle one of v[1..n], which are put in order.
function middle(n,    a, b, x) {
    for (a = 2; a <= n; a++)
        for (b = a; b > 1 && v[b - 1] > v[b]; b--) {
            x = v[b]; v[b] = v[b - 1]; v[b - 1] = x
        }
    return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}

function summary(name,    r, n, inside, text) {
    for (r = 1; r <= rows; r++)
        if (is_of(r, name)) {
            v[++n] = size_of(100 * (predicted[r] / measured[r] - 1))
            inside += measured[r] >= low[r] && measured[r] <= high[r]
        }
    if (!n)
        return
    text = sprintf("| %s | %d | %.1f", name, n, middle(n)) sprintf(" | %.1f", v[n])
    n = 0
    for (r = 1; r <= rows; r++)
        if (is_of(r, name))
            v[++n] = size_of(100 * (null_model[r] / measured[r] - 1))
    text = text sprintf(" | %.1f", middle(n)) sprintf(" | %.1f", v[n])
    n = 0
    for (r = 1; r <= rows; r++)
        if (is_of(r, name))
            v[++n] = 100 * (high[r] - low[r]) / predicted[r]
    printf "%s | %s | %.0f |\n", text, name == "learned" ? "" : sprintf("%d of %d", inside, n), middle(n)
}

# Median and worst error of the runs of a kind where a mechanism is left out.
function cell(name, mechanism,    r, n, factor) {
    for (r = 1; r <= rows; r++)
        if (kind[r] == name && (mechanism == "-" || without[r, mechanism] != "")) {
            factor = mechanism == "-" ? 1 : without[r, mechanism]
            v[++n] = size_of(100 * (predicted[r] * factor / measured[r] - 1))
        }
    return n ? sprintf(" %.1f, %.1f |", middle(n), v[n]) : " |"
}

function ablation(mechanism) {
    print "| " (mechanism == "-" ? "nothing" : mechanism) " |" cell("OpenMP, 1 thread", mechanism) cell("OpenMP, 2 threads", mechanism) \
          cell("MPI, 2 ranks", mechanism) cell("wires", mechanism)
}

function rank_all(    r, seen) {
    for (r = 1; r <= rows; r++)
        if (kind[r] == "MPI, other mappings" && !(program[r] in seen)) {
            seen[program[r]]
            rank_program(program[r])
        }
}

# Of all pairs of mappings: those in the right order less those in the wrong one, over all.
function rank_program(name,    a, b, pairs, right, chosen, best, sum, n, same) {
    for (a = 1; a <= rows; a++) {
        if (program[a] != name || machine[a] != "here" || how[a] ~ /^openmp|^four/)
            continue
        n++
        sum += measured[a]
        chosen = !chosen || predicted[a] < predicted[chosen] ? a : chosen
        best = !best || measured[a] < best ? measured[a] : best
        for (b = 1; b < a; b++)
            if (program[b] == name && machine[b] == "here" && how[b] !~ /^openmp|^four/) {
                same = (predicted[a] - predicted[b]) * (measured[a] - measured[b])
                pairs++
                right += same > 0 ? 1 : same < 0 ? -1 : 0
            }
    }
    printf "| %s | %d | %.2f | %.1f | %.1f |\n", words(name), n, right / pairs, 100 * (measured[chosen] / best - 1),
           100 * (sum / n / best - 1)
}
