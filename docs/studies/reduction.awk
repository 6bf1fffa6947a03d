# SPDX-License-Identifier: GPL-3.0-or-later
#
# The tables of reduction.sh, in Markdown: awk -f reduction.awk reduction.csv sweeps.csv
#
# A cell is a graph on a machine with P processors. A run is a way of reducing with a time frame; frame 0 is the default
# one. What is compared is F, the estimate whose T equals it: E, the one at the T that was given, has faster messages at
# a longer T for the same clusters. Both are over the lower bound. The loss of a run is how much longer it takes than
# the best.

BEGIN {
    frames = 0
    FS = ","
    AFTER = 2 # H2, the default
    BEFORE = 5
    WAYS = split("H1 after;H2 after;H2 by traffic after;H1 before;H2 before", way, ";")
    CLOSE = 1.001 # ties: within 0.1 % of the best
    LARGE = 1e300 # no answer
}

FNR == 1 { file++; next }

# ---- reduction.csv: graph, kind, machine, processors, frame, reduced_from, E of the ways, F of the ways --------------

file == 1 {
    key = $1 FS $3 FS $4
    if (key != last) cell = ++cells
    last = key
    if (!($5 in frame_number)) {
        frame_name[frames] = $5
        frame_number[$5] = frames++
    }
    t = frame_number[$5]
    graph[cell] = $1
    group[cell, 1] = $2
    group[cell, 2] = $3
    group[cell, 3] = $4
    if (t == 0) needed[cell] = $6 != ""
    for (w = 1; w <= WAYS; w++) {
        E[cell, t, w] = $(6 + w) == "" ? LARGE : $(6 + w)
        F[cell, t, w] = $(6 + WAYS + w) == "" ? LARGE : $(6 + WAYS + w)
    }
}

# ---- sweeps.csv: as its first line says ------------------------------------------------------------------------------

file == 2 {
    lemma(1, "all")
    lemma(2, $3)
    lemma(3, $4 " processors")
}

# Counts one sweep in group g. A miss is the best of the two clusterings that the lemma names over the best of all.
function lemma(by, g,   miss) {
    if (!(g in sweeps)) lemma_group[by, ++lemma_groups[by]] = g
    sweeps[g]++
    if ($6 == 0) none[g]++
    else if ($6 == 1) single[g]++
    else if ($7 == "") {
        without[g]++
        without_fewest[g] += $14 <= $15 * CLOSE
    } else {
        tried[g]++
        miss = least($13, $14) / $15
        at_par[g] += $13 <= $15 * CLOSE
        at_fewest[g] += $14 <= $15 * CLOSE
        holds[g] += miss <= CLOSE
        holds_at_t[g] += least($10, $11) <= $12 * CLOSE
        if (miss > CLOSE) {
            missed[g] += miss - 1
            worst_miss[g] = greatest(worst_miss[g], miss - 1)
        }
    }
}

function least(a, b) { return b < a ? b : a }
function greatest(a, b) { return b > a ? b : a }
function percent(x) { return sprintf("%.1f", 100 * x) }
function share(x, of) { return of ? sprintf("%.0f %%", 100 * x / of) : "-" }
function row(text) { print "| " text " |" }

# A head line of a table: the columns after the first are figures.
function head(text,   i, n, column, rule) {
    n = split(text, column, " [|] ")
    rule = "---"
    for (i = 2; i <= n; i++) rule = rule " | ---:"
    print ""
    row(text)
    row(rule)
}

# The best of all ways at one frame.
function best_at(c, t,   w, best) {
    best = LARGE
    for (w = 1; w <= WAYS; w++) best = least(best, F[c, t, w])
    return best
}

# The best of all ways at all frames that were tried.
function best_of_all(c,   t, best) {
    best = LARGE
    for (t = 0; t < frames; t++) if ((c, t, 1) in F) best = least(best, best_at(c, t))
    return best
}

# The best estimate at the default T itself.
function best_estimate(c,   w, best) {
    best = LARGE
    for (w = 1; w <= WAYS; w++) best = least(best, E[c, 0, w])
    return best
}

# ---- The tables ------------------------------------------------------------------------------------------------------

END {
    for (c = 1; c <= cells; c++) {
        if (needed[c]) {
            list[++listed] = c
            best_default[c] = best_at(c, 0)
            best[c] = best_of_all(c)
        }
    }
    default_frame()
    by_group()
    by_graph()
    idle()
    given_frames()
    matters()
    portfolio()
    lemmas()
}

# Wins and losses of the ways at the default T.
function default_frame(   i, c, w, winners, loss, alone, tied, near, sum, worst, at_t) {
    print "**Reduction at the default T.** " listed " of " cells " cells need one."
    head("way | best alone | best, tied | within 5 % | mean loss % | worst loss % | mean loss %, E")
    for (i = 1; i <= listed; i++) {
        c = list[i]
        winners = 0
        for (w = 1; w <= WAYS; w++) winners += F[c, 0, w] <= best_default[c] * CLOSE
        for (w = 1; w <= WAYS; w++) {
            loss = F[c, 0, w] / best_default[c]
            sum[w] += loss - 1
            worst[w] = greatest(worst[w], loss - 1)
            near[w] += loss <= 1.05
            if (loss <= CLOSE) {
                alone[w] += winners == 1
                tied[w] += winners > 1
            }
            at_t[w] += E[c, 0, w] / best_estimate(c) - 1
        }
    }
    for (w = 1; w <= WAYS; w++)
        row(way[w] " | " alone[w] + 0 " | " tied[w] + 0 " | " share(near[w], listed) " | " \
            percent(sum[w] / listed) " | " percent(worst[w]) " | " percent(at_t[w] / listed))
}

# Mean losses at the default T by kind of graph, machine and P.
function by_group(   by, i, c, g, w, n, names, count, sum, line) {
    print "\n**Mean loss at the default T, in %.**"
    line = "graphs, machine, P | cells"
    for (w = 1; w <= WAYS; w++) line = line " | " way[w]
    head(line)
    for (by = 1; by <= 3; by++) {
        for (i = 1; i <= listed; i++) {
            c = list[i]
            g = group[c, by] (by == 3 ? " processors" : "")
            if (!(g in count)) names[++n] = g
            count[g]++
            for (w = 1; w <= WAYS; w++) sum[g, w] += F[c, 0, w] / best_default[c] - 1
        }
    }
    for (i = 1; i <= n; i++) {
        g = names[i]
        line = g " | " count[g]
        for (w = 1; w <= WAYS; w++) line = line " | " percent(sum[g, w] / count[g])
        row(line)
    }
}

# The graphs on which H2 before and after differ by more than 10 % on average, and how often which is the shorter.
function by_graph(   i, c, g, n, names, count, after, before, shorter, longer) {
    for (i = 1; i <= listed; i++) {
        c = list[i]
        g = graph[c]
        if (!(g in count)) names[++n] = g
        count[g]++
        after[g] += F[c, 0, AFTER] / best_default[c] - 1
        before[g] += F[c, 0, BEFORE] / best_default[c] - 1
        shorter += F[c, 0, BEFORE] * CLOSE < F[c, 0, AFTER]
        longer += F[c, 0, AFTER] * CLOSE < F[c, 0, BEFORE]
    }
    print "\n**H2 before or after.** Before is shorter in " shorter + 0 " cells and longer in " longer + 0 "." \
        " Graphs on which the mean losses are more than 10 points apart, in %:"
    head("graph | cells | " way[AFTER] " | " way[BEFORE])
    for (i = 1; i <= n; i++) {
        g = names[i]
        c = (after[g] - before[g]) / count[g]
        if (c > 0.1 || c < -0.1)
            row(g " | " count[g] " | " percent(after[g] / count[g]) " | " percent(before[g] / count[g]))
    }
}

# Where clustering alone leaves few enough clusters, only reduction before it does anything.
function idle(   c, w, n, sum, line) {
    for (c = 1; c <= cells; c++) {
        if (needed[c]) continue
        n++
        for (w = 1; w <= WAYS; w++) sum[w] += F[c, 0, w] / best_at(c, 0) - 1
    }
    if (n == 0) return
    line = "\nWhere clustering alone suffices (" n " cells), mean losses are"
    for (w = 1; w <= WAYS; w++) line = line (w > 1 ? ", " : " ") percent(sum[w] / n) " % (" way[w] ")"
    print line "."
}

# Losses of every run against the best of all runs, over the cells where it has an answer.
function given_frames(   t, w, i, c, n, sum, line, tried_here) {
    print "\n**Mean loss against the best of all ways and T, in %, and in how many cells there is an answer.**"
    line = "T / default T"
    for (w = 1; w <= WAYS; w++) line = line " | " way[w]
    head(line)
    for (t = 0; t < frames; t++) {
        line = t == 0 ? "default" : frame_name[t] ", given"
        for (w = 1; w <= WAYS; w++) {
            n = sum = 0
            for (i = 1; i <= listed; i++) {
                c = list[i]
                if (F[c, t, w] >= LARGE) continue
                n++
                sum += F[c, t, w] / best[c] - 1
            }
            line = line " | " (n ? percent(sum / n) " (" share(n, listed) ")" : "-")
        }
        row(line)
    }
}

# For each way, which T is its best (the first of equal ones), and what the default T loses against that.
function matters(   t, w, i, c, least_here, first, count, lost, rest, worst, line) {
    print "\n**How often which T is a way's best, and what its default T loses.**"
    line = "way"
    for (t = 0; t < frames; t++) line = line " | " frame_name[t]
    head(line " | default T loses, mean % | worst % | best T still loses, mean %")
    for (w = 1; w <= WAYS; w++) {
        lost = worst = rest = 0
        for (t = 0; t < frames; t++) count[t] = 0
        for (i = 1; i <= listed; i++) {
            c = list[i]
            least_here = LARGE
            for (t = 0; t < frames; t++) least_here = least(least_here, F[c, t, w])
            for (first = 0; F[c, first, w] > least_here * CLOSE; first++);
            count[first]++
            lost += F[c, 0, w] / least_here - 1
            worst = greatest(worst, F[c, 0, w] / least_here - 1)
            rest += least_here / best[c] - 1
        }
        line = way[w]
        for (t = 0; t < frames; t++) line = line " | " count[t]
        row(line " | " percent(lost / listed) " | " percent(worst) " | " percent(rest / listed))
    }
}

# Mean loss of the best of the runs so far (in `so_far`) and one more.
function with_run(t, w,   i, c, sum) {
    for (i = 1; i <= listed; i++) {
        c = list[i]
        sum += least(so_far[c], F[c, t, w]) / best[c] - 1
    }
    return sum / listed
}

# A set of runs that grows by the run that helps most: what taking the best of several mappings gives.
function portfolio(   i, c, k, t, w, loss, least_loss, best_t, best_w, worst, wins) {
    print "\n**Taking the best of several runs.** Each line adds the run that helps most."
    head("runs | added | mean loss % | worst loss % | best of all in")
    for (i = 1; i <= listed; i++) so_far[list[i]] = LARGE
    least_loss = LARGE
    for (k = 1; k <= 5 && least_loss > 0; k++) {
        least_loss = LARGE
        for (t = 0; t < frames; t++) {
            for (w = 1; w <= WAYS; w++) {
                loss = with_run(t, w)
                if (loss < least_loss) {
                    least_loss = loss
                    best_t = t
                    best_w = w
                }
            }
        }
        worst = wins = 0
        for (i = 1; i <= listed; i++) {
            c = list[i]
            so_far[c] = least(so_far[c], F[c, best_t, best_w])
            worst = greatest(worst, so_far[c] / best[c] - 1)
            wins += so_far[c] <= best[c] * CLOSE
        }
        row(k " | " way[best_w] ", " (best_t == 0 ? "default T" : frame_name[best_t] " times it") " | " \
            percent(least_loss) " | " percent(worst) " | " share(wins, listed))
    }
}

# The lemma, where there is something to choose: at least two clusterings on at most P processors.
function lemmas(   by, i, g, fails) {
    print "\n**The lemma**: the best clustering is the one at T_PAR or the one with the fewest clusters."
    head("sweeps | all | none on P | one on P | several, no T_PAR | fewest best | several, T_PAR | T_PAR best |" \
        " fewest best | lemma holds | the same, E | mean miss % | worst miss %")
    for (by = 1; by <= 3; by++) {
        for (i = 1; i <= lemma_groups[by]; i++) {
            g = lemma_group[by, i]
            fails = tried[g] - holds[g]
            row(g " | " sweeps[g] " | " none[g] + 0 " | " single[g] + 0 " | " without[g] + 0 " | " \
                share(without_fewest[g], without[g]) " | " tried[g] + 0 " | " share(at_par[g], tried[g]) " | " \
                share(at_fewest[g], tried[g]) " | " share(holds[g], tried[g]) " | " \
                share(holds_at_t[g], tried[g]) " | " (fails ? percent(missed[g] / fails) : "-") " | " \
                (fails ? percent(worst_miss[g]) : "-"))
        }
    }
}
