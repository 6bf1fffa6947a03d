# SPDX-License-Identifier: GPL-3.0-or-later
#
# What `inlay compare --measured --csv` writes, with the columns that measured.sh adds, as tables in Markdown: a row a
# mapping; a row a machine with the median and the worst of the absolute errors; and how near the simulated times come out
# again. Files are called MACHINE-APPLICATION-FACTOR.json. Where ranks share cores the estimate, which does not know it, has no
# error. Where the mapping does not come out again there is no null model.
#
# Rows of one application on one machine with the same simulated time are one row of the tables of errors, measured the mean
# of theirs: other time frames led to the same mapping there.

# Fields of a line of CSV, in field[1 ...].
function split_csv(line, field,    n, quoted) {
    for (n in field) delete field[n]
    n = 0
    while (length(line) > 0) {
        quoted = match(line, /^"([^"]|"")*"/)
        if (!quoted) match(line, /^[^,]*/)
        field[++n] = quoted ? substr(line, 2, RLENGTH - 2) : substr(line, 1, RLENGTH)
        line = substr(line, RLENGTH + 2)
    }
}

function percent(share) { return sprintf("%+.1f", 100 * share) }
function absolute(x) { return x < 0 ? -x : x }

# Adds an error to those of a machine, in order of size.
function add(error, list, machine,    i, n) {
    n = ++count[list, machine]
    for (i = n; i > 1 && sorted[list, machine, i - 1] > error; i--) sorted[list, machine, i] = sorted[list, machine, i - 1]
    sorted[list, machine, i] = error
}

function median(list, machine,    n, half) {
    n = count[list, machine]
    half = int((n + 1) / 2)
    return (sorted[list, machine, half] + sorted[list, machine, int(n / 2) + 1]) / 2
}

function figures(list, machine,    n) {
    n = count[list, machine]
    return n == 0 ? " - | - |" : sprintf(" %.1f | %.1f |", 100 * median(list, machine), 100 * sorted[list, machine, n])
}

function error(predicted, measured) { return absolute(predicted / measured - 1) }

# Distinct row `i` among those of a group.
function add_row(i, group) {
    rows[group] += of_row[i]
    distinct[group]++
    if (!shared[i]) add(error(estimate[i], measured[i]), "estimate", group)
    add(error(simulated[i], measured[i]), "simulated", group)
    if (has_null[i]) add(error(null[i], measured[i]), "null", group)
}

function print_group(group, name) {
    printf "| %s | %d | %d |%s%s %d |%s\n", name, rows[group], distinct[group], figures("estimate", group), \
        figures("simulated", group), count["null", group], figures("null", group)
}

NR == 1 {
    split_csv($0, heading)
    for (i in heading) column[heading[i]] = i
    print "| machine | application | T, s | ranks | estimate, s | simulated, s | null, s | measured, s | spread, % | estimate, % | simulated, % | null, % |"
    print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    next
}

{
    split_csv($0, field)
    for (name in column) value[name] = field[column[name]]
    machine = value["machine_name"]
    shares = value["cores"] != "" && value["ranks"] + 0 > value["cores"] + 0
    if (!(machine in known)) order[++machines] = machine
    known[machine] = 1
    name = value["file"]
    sub(/.*\//, "", name)
    name = substr(name, length(machine) + 2)
    sub(/-[0-9.]*\.json$/, "", name)
    told = value["null"] != ""
    printf "| %s | %s | %.3g | %d%s | %.4g | %.4g | %s | %.4g | %.1f | %s | %s | %s |\n", machine, name, \
        value["time_frame"], value["ranks"], (shares ? " on " value["cores"] : ""), value["estimate"], value["simulated"], \
        (told ? sprintf("%.4g", value["null"]) : "-"), value["measured"], 100 * value["spread"], \
        (shares ? "-" : percent(value["error_estimate"])), percent(value["error_simulated"]), \
        (told ? percent(value["null"] / value["measured"] - 1) : "-")
    i = number[machine, name, value["simulated"]]
    if (!i) {
        i = number[machine, name, value["simulated"]] = ++numbers
        place[i] = machine
        shared[i] = shares
        has_null[i] = told
    }
    of_row[i]++
    measured[i] += value["measured"]
    estimate[i] += value["estimate"]
    simulated[i] += value["simulated"]
    null[i] += value["null"]
    all++
    off = absolute(value["simulated_again"] / value["simulated"] - 1)
    if (told) again++
    if (told && off > furthest) furthest = off
    if (!told && off > furthest_other) furthest_other = off
}

END {
    for (i = 1; i <= numbers; i++) {
        add_row(i, place[i])
        add_row(i, shared[i] ? "*shared" : "*own")
        if (has_null[i]) add_row(i, place[i] "*null")
        if (has_null[i]) add_row(i, "*null")
        add_row(i, "*all")
    }
    print "\n| machine | mappings | distinct | estimate off by, %: median | worst | simulated off by, %: median | worst | with null | null off by, %: median | worst |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= machines; i++) {
        print_group(order[i], order[i])
        if (count["null", order[i]] < distinct[order[i]]) print_group(order[i] "*null", order[i] " with null")
    }
    print_group("*own", "a core a rank")
    print_group("*shared", "shared cores")
    print_group("*null", "all with null")
    print_group("*all", "all")
    print "\n| simulated again | mappings | furthest off |"
    print "| --- | ---: | ---: |"
    printf "| the same | %d of %d | %.1g |\n", again, all, furthest
    printf "| another | %d of %d | %.1g |\n", all - again, all, furthest_other
}
