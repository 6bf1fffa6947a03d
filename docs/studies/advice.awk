# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -f docs/studies/advice.awk docs/studies/capture.csv docs/studies/real.csv docs/studies/measured.csv
#
# What the choice of `inlay advise` costs where runs were measured: the candidates of a program are its machines, and its
# numbers of processors, with the predicted time of each; processors cost the same everywhere. The choice is made by predicted
# times, and then paid for as measured. It is compared with the candidate that is best as measured.

function commas(    i, out, quoted, c) { # those inside quotes go
    for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        if (c == "\"") quoted = !quoted
        else out = out (quoted && c == "," ? ";" : c)
    }
    $0 = out
}

# Of one machine the mapping that is predicted to be the shortest.
function add(set, program, machine, processors, predicted, measured,    key) {
    key = set SUBSEP program SUBSEP machine SUBSEP processors
    if (!((set, program) in known)) { known[set, program] = 1; name[++programs] = program; part[programs] = set }
    if (!(key in time)) { list[set, program] = list[set, program] " " ++number; id[number] = key }
    if (!(key in time) || predicted < time[key]) { time[key] = predicted; taken[key] = measured; cores[key] = processors }
}

BEGIN { FS = OFS = ","; sets = split("capture real measured", order, " "); kinds = split("time price knee deadline", kind, " ") }
FNR == 1 { set = FILENAME; sub(/.*\//, "", set); sub(/\.csv$/, "", set); next }
{ commas() }
set == "capture" { add(set, $1, "here", $2, $6, $4) }
set == "real" && $4 ~ /^openmp/ { add(set, $2, $3, substr($4, 7) + 0, $5, $16) }
set == "measured" { add(set, $2, $4, $8, $12, $13) }

# What is made least: a late candidate is worse than all in time.
function worth(how, t, p, deadline) {
    return how == "time" ? t : how == "price" ? t * p : how == "knee" ? t * t * p : t <= deadline ? t * p : 1e30 + t
}

function judge(set, program, how,    ids, n, i, key, by, choice, best, deadline, least, most) {
    n = split(list[set, program], ids, " ")
    if (n < 2) return
    least = 1e30; most = 0
    for (i = 1; i <= n; i++) { # half way from the fastest to the slowest, as measured
        key = id[ids[i]]
        if (taken[key] < least) least = taken[key]
        if (taken[key] > most) most = taken[key]
    }
    deadline = (least + most) / 2
    choice = best = ""
    for (i = 1; i <= n; i++) {
        key = id[ids[i]]
        if (choice == "" || worth(how, time[key], cores[key], deadline) < worth(how, time[choice], cores[choice], deadline)) choice = key
        if (best == "" || worth(how, taken[key], cores[key], deadline) < worth(how, taken[best], cores[best], deadline)) best = key
    }
    count[set, how]++; candidates[set, how] += n
    if (how == "deadline" && taken[choice] > deadline) { missed[set, how]++; return }
    by = worth(how, taken[choice], cores[choice], deadline) / worth(how, taken[best], cores[best], deadline) - 1
    judged[set, how]++; sum[set, how] += by; same[set, how] += choice == best; within[set, how] += by <= 0.05
    if (by > worst[set, how]) { worst[set, how] = by; which[set, how] = program }
}

END {
    for (i = 1; i <= programs; i++)
        for (k = 1; k <= kinds; k++) judge(part[i], name[i], kind[k])
    print "| runs | least | programs | candidates | the best one | within 5 % | mean, % | worst, % | its program | deadline missed |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for (s = 1; s <= sets; s++)
        for (k = 1; k <= kinds; k++) {
            a = order[s]; h = kind[k]
            printf "| %s | %s | %d | %d | %d | %d | %.1f | %.1f | %s | %s |\n", a, h == "deadline" ? "price in time" : h == "knee" ? "price times time" : h,
                count[a, h], candidates[a, h], same[a, h], within[a, h], judged[a, h] ? 100 * sum[a, h] / judged[a, h] : 0, 100 * worst[a, h],
                which[a, h] == "" ? "-" : which[a, h], h == "deadline" ? missed[a, h] + 0 : "-"
        }
}
