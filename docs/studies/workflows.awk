# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -f docs/studies/workflows.awk workflows.csv
#
# Tables in Markdown of the runs that docs/studies/workflows.sh simulated. Of each workflow system the runs are odd and even ones
# in turn, by name. The values that fit one half best, ties going to those that stand first, predict the other half, both ways; so
# does `k` of the null model, path + k x jobs. What fits best has the least mean |ln(predicted / recorded)| in form 1 and the null
# model; form 2 has Pegasus's own jobs too; forms 3 and 4 are 1 and 2 with the median in place of the mean.
BEGIN { FS = "," }

NR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}

$column["system"] != "" {
    runs++
    name[runs] = $column["run"]; system_of[runs] = $column["system"]; jobs[runs] = $column["jobs"]
    cores[runs] = $column["cores"]; path[runs] = $column["path"]; work[runs] = $column["work"]
    makespan[runs] = $column["makespan"]
    half[runs] = ++members[system_of[runs]] % 2 ? "odd" : "even"
    if (members[system_of[runs]] == 1)
        systems[++system_count] = system_of[runs]
}

{
    values = $column["job"] " " $column["dispatch"] " " $column["bandwidth"]
    elapsed[runs, values] = $column["elapsed"]
    if (runs && !((system_of[runs], values) in known)) {
        known[system_of[runs], values] = 1
        tried[system_of[runs], ++tries[system_of[runs]]] = values
    }
}

END {
    print "| form | system | learned from | seconds a job | of the manager | MB/s of a host | error % of the runs learned from |"
    print "| --- | --- | --- | ---: | ---: | ---: | ---: |"
    for (form = 1; form <= 4; form++)
        for (s = 1; s <= system_count; s++) {
            learn(systems[s], "odd", "even")
            learn(systems[s], "even", "odd")
        }
    for (s = 1; s <= system_count; s++) {
        learn_null(systems[s], "odd", "even")
        learn_null(systems[s], "even", "odd")
    }
    for (r = 1; r <= runs; r++)
        error["bound", r] = off(path[r] > work[r] / cores[r] ? path[r] : work[r] / cores[r], r)
    print "\n| error %: median, worst | even, learned from odd | odd, learned from even | both | Pegasus | Makeflow | Nextflow |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (form = 1; form <= 4; form++)
        summary("form " form, form)
    summary("null: path + k x jobs", "null")
    summary("longer of path and work / cores", "bound")
    print "\nk of the null model, in seconds a job:" substr(constants, 2) "."
    goal("Form 1, fixed before any form was run", 1)
    goal("Form 4, chosen with all errors in sight", 4)
    goal("The null model", "null")
    print "\n| run | system | half | jobs | cores | recorded, s | path, s | work / cores, s | form 1, s | error % | form 2 % | form 3 % | form 4 % | null % |"
    print "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (r = 1; r <= runs; r++) {
        printf "| %s | %s | %s | %d | %d | %.0f | %.0f | %.0f | %.0f |", name[r], system_of[r], half[r], jobs[r], cores[r], makespan[r],
               path[r], work[r] / cores[r], predicted[r]
        printf " %+.1f | %+.1f | %+.1f | %+.1f | %+.1f |\n", error[1, r], error[2, r], error[3, r], error[4, r], error["null", r]
    }
}

# Forms 2 and 4 have the four jobs that Pegasus adds to what it is given: two before all others, two behind.
function model(r, values,    v) {
    split(values, v, " ")
    return elapsed[r, values] + (form % 2 == 0 && system_of[r] == "Pegasus" ? 4 * (v[1] + v[2]) : 0)
}

function off(value, r) { return 100 * (value / makespan[r] - 1) }
function size_of(x) { return x < 0 ? -x : x }
function is_of(r, which, group) { return (which == "." || half[r] == which) && (group == "." || system_of[r] == group) }

# The middle one of v[1..n], which are put in order.
function middle(n,    a, b, x) {
    for (a = 2; a <= n; a++)
        for (b = a; b > 1 && v[b - 1] > v[b]; b--) {
            x = v[b]; v[b] = v[b - 1]; v[b - 1] = x
        }
    return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}

# The mean |ln| of the runs of a half, in forms 3 and 4 the median, under some values; of the null model under a k.
function misfit(group, from, values, k,    r, n, sum) {
    for (r = 1; r <= runs; r++)
        if (is_of(r, from, group)) {
            v[++n] = size_of(log((values == "" ? path[r] + k * jobs[r] : model(r, values)) / makespan[r]))
            sum += v[n]
        }
    return values != "" && form > 2 ? middle(n) : sum / n
}

function learn(group, from, to,    t, now, least, best, r, w) {
    for (t = 1; t <= tries[group]; t++) {
        now = misfit(group, from, tried[group, t])
        if (t == 1 || now < least - 1e-12) {
            least = now
            best = tried[group, t]
        }
    }
    for (r = 1; r <= runs; r++)
        if (is_of(r, to, group)) {
            error[form, r] = off(model(r, best), r)
            if (form == 1)
                predicted[r] = model(r, best)
        }
    split(best, w, " ")
    printf "| %d | %s | %s | %s | %s | %s | %.1f |\n", form, group, from, w[1], w[2], (w[3] > 0 ? w[3] : "free"), 100 * (exp(least) - 1)
}

function learn_null(group, from, to,    k, now, least, best, r) {
    least = misfit(group, from, "", 0)
    for (k = 0.01; k < 1000; k *= 1.01) {
        now = misfit(group, from, "", k)
        if (now < least - 1e-12) {
            least = now
            best = k
        }
    }
    for (r = 1; r <= runs; r++)
        if (is_of(r, to, group))
            error["null", r] = off(path[r] + best * jobs[r], r)
    constants = constants sprintf(", %s %.3g from %s", group, best, from)
}

# Median and worst size of the errors of a kind.
function cell(kind, which, group,    r, n, half_way) {
    for (r = 1; r <= runs; r++)
        if (is_of(r, which, group))
            v[++n] = size_of(error[kind, r])
    half_way = middle(n)
    return sprintf(" %.1f, %.1f |", half_way, v[n])
}

function summary(title, kind) {
    print "| " title " |" cell(kind, "even", ".") cell(kind, "odd", ".") cell(kind, ".", ".") cell(kind, ".", "Pegasus") \
          cell(kind, ".", "Makeflow") cell(kind, ".", "Nextflow")
}

function goal(title, kind,    r, near, half_way) {
    for (r = 1; r <= runs; r++) {
        v[r] = size_of(error[kind, r])
        near += v[r] <= 15
    }
    half_way = middle(runs)
    printf "\n%s: over both halves the median error is %.1f %%, the worst %.1f %%; %d of %d runs are within 15 %%;\n", title, half_way,
           v[runs], near, runs
    printf "the goal of a median of 15 %% is missed by %.1f points.\n", half_way - 15
}
