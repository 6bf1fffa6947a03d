# SPDX-License-Identifier: GPL-3.0-or-later
#
# What `inlay compare --measured --csv` writes, as two tables in Markdown: a row a mapping, and a row a machine with the
# median and the worst of the absolute errors. Files are called MACHINE-APPLICATION-FACTOR.json. Where ranks share cores the
# estimate, which does not know it, has no error.

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

NR == 1 {
    split_csv($0, heading)
    for (i in heading) column[heading[i]] = i
    print "| machine | application | T, s | ranks | estimate, s | simulated, s | measured, s | spread, % | estimate, % | simulated, % |"
    print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
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
    printf "| %s | %s | %.3g | %d%s | %.4g | %.4g | %.4g | %.1f | %s | %s |\n", machine, name, \
        value["time_frame"], value["ranks"], shares ? " on " value["cores"] : "", value["estimate"], value["simulated"], \
        value["measured"], 100 * value["spread"], shares ? "-" : percent(value["error_estimate"]), \
        percent(value["error_simulated"])
    for (i = 0; i < 2; i++) {
        group = i ? "all" : machine
        if (!shares) add(absolute(value["error_estimate"]), "estimate", group)
        add(absolute(value["error_simulated"]), "simulated", group)
    }
}

END {
    order[++machines] = "all"
    print "\n| machine | mappings | estimate off by, %: median | worst | simulated off by, %: median | worst |"
    print "| --- | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= machines; i++)
        printf "| %s | %d |%s%s\n", order[i], count["simulated", order[i]], figures("estimate", order[i]), \
            figures("simulated", order[i])
}
