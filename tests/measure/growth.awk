# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -f tests/measure/json.awk -f tests/measure/growth.awk RAW.json FOUND.json
#
# Judges what `inlay measure --topology --json` found, FOUND, of the cycles in RAW, in the plainest way. For each pattern in
# each cluster and each f: the coefficients are none below 0 and meet the conditions of a least sum of squares of relative
# errors (its slope is 0 along those above 0, and not negative along those that are 0); no choice of coefficients that are
# left out does better, by the normal equations; and the f with the least corrected Akaike value, on a tie within 2 the
# first of constant, log, linear, is the one that is chosen. Prints a line for each pattern and a line for what is wrong.
BEGIN {
    json_read(ARGV[1], raw)
    json_read(ARGV[2], found)
    split("constant log linear", order)
    for (c = 0; c < found["clusters#"]; c++)
        for (p = 0; p < found["clusters/" c "/patterns#"]; p++)
            judge(c, "clusters/" c "/patterns/" p)
    print "fits that agree: " agreed + 0
    exit
}

function median(way,    n, i, j, v, swap) {
    n = raw[way "#"]
    for (i = 1; i <= n; i++)
        v[i] = raw[way "/" (i - 1)] + 0
    for (i = 1; i <= n; i++)
        for (j = i + 1; j <= n; j++)
            if (v[j] < v[i]) {
                swap = v[i]; v[i] = v[j]; v[j] = swap
            }
    return (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2
}

# The points of a pattern in a cluster: procs[i], bytes[i], t[i]; `kinds` different numbers of processors.
function gather(cluster, name,    i, k, way) {
    points = kinds = 0
    for (i = 0; i < raw["cycles#"]; i++) {
        way = "cycles/" i
        if (raw[way "/pattern"] != name || raw[way "/cluster"] != cluster)
            continue
        kinds++
        for (k = 0; k < raw["sizes#"]; k++) {
            procs[++points] = raw[way "/processors"]
            bytes[points] = raw["sizes/" k]
            t[points] = median(way "/seconds/" k)
        }
    }
}

function growth(f, p) { return f == "linear" ? p : f == "log" ? log(p) / log(2) : 1 }

# column[k, i]: what coefficient k is multiplied with at point i, over t[i]; norm[k], its length.
function columns(f,    i, k) {
    for (k = 1; k <= 4; k++) {
        norm[k] = 0
        for (i = 1; i <= points; i++) {
            column[k, i] = (k > 2 ? bytes[i] : 1) * (k % 2 ? 1 : growth(f, procs[i])) / t[i]
            norm[k] += column[k, i] ^ 2
        }
        norm[k] = sqrt(norm[k])
    }
}

function squares(c,    i, k, error, sum) {
    for (i = 1; i <= points; i++) {
        error = -1
        for (k = 1; k <= 4; k++)
            error += c[k] * column[k, i]
        sum += error ^ 2
    }
    return sum
}

# The coefficients of a set, by Gauss's elimination with pivots, in columns of length 1; false where that breaks down.
function solve(set, c,    n, index_of, i, j, k, m, best, swap, factor) {
    for (k = 1; k <= 4; k++) {
        c[k] = 0
        if (int(set / 2 ^ (k - 1)) % 2)
            index_of[++n] = k
    }
    for (i = 1; i <= n; i++) {
        for (j = 1; j <= n; j++)
            for (k = 1; k <= points; k++)
                m[i, j] += column[index_of[i], k] * column[index_of[j], k] / norm[index_of[i]] / norm[index_of[j]]
        for (k = 1; k <= points; k++)
            m[i, n + 1] += column[index_of[i], k] / norm[index_of[i]]
    }
    for (i = 1; i <= n; i++) {
        best = i
        for (j = i + 1; j <= n; j++)
            if (m[j, i] ^ 2 > m[best, i] ^ 2)
                best = j
        if (m[best, i] ^ 2 < 1e-24)
            return 0
        for (k = 1; k <= n + 1; k++) {
            swap = m[i, k]; m[i, k] = m[best, k]; m[best, k] = swap
        }
        for (j = 1; j <= n; j++)
            if (j != i) {
                factor = m[j, i] / m[i, i]
                for (k = i; k <= n + 1; k++)
                    m[j, k] -= factor * m[i, k]
            }
    }
    for (i = 1; i <= n; i++)
        c[index_of[i]] = m[i, n + 1] / m[i, i] / norm[index_of[i]]
    return 1
}

# The least sum of squares of all choices of coefficients whose best fit has none below 0.
function brute_force(f,    set, k, c, good, sum, least) {
    least = -1
    for (set = 1; set < 16; set++) {
        good = solve(set, c) && (f != "constant" || set == 1 || set == 4 || set == 5)
        for (k = 1; k <= 4; k++)
            good = good && c[k] >= 0
        sum = good ? squares(c) : 0
        if (good && (least < 0 || sum < least))
            least = sum
    }
    return least
}

function wrong(text) { print "WRONG: " name " in " cluster_name ", " f ": " text; bad = 1 }

# Whether the coefficients that were found are the best: their slopes, as cosines of angles.
function judge_slopes(c,    i, k, error, slope) {
    for (k = 1; k <= 4; k++)
        slope[k] = 0
    for (i = 1; i <= points; i++) {
        error = -1
        for (k = 1; k <= 4; k++)
            error += c[k] * column[k, i]
        for (k = 1; k <= 4; k++)
            slope[k] += error * column[k, i] / norm[k] / sqrt(points)
    }
    for (k = 1; k <= 4; k++) {
        if (f == "constant" && k % 2 == 0) {
            if (c[k] != 0)
                wrong("c" k " is " c[k])
        } else if (c[k] < 0 || slope[k] < -1e-7 || (c[k] > 0 && slope[k] > 1e-7)) {
            wrong("c" k " is " c[k] ", where the slope is " slope[k])
        }
    }
}

function close_to(fast, slow,    off) {
    off = fast - slow
    off = off < 0 ? -off : off
    return fast != "" && (off <= 1e-6 * (slow < 0 ? -slow : slow) || off < 1e-9)
}

function judge_fit(way,    k, c, sum, residual, n, terms) {
    f = found[way "/f"]
    for (k = 1; k <= 4; k++)
        c[k] = found[way "/c" k] + 0
    columns(f)
    judge_slopes(c)
    residual = sqrt(squares(c) / points)
    sum = brute_force(f)
    if (!close_to(found[way "/residual"], residual))
        wrong("the residual is " residual ", and not " found[way "/residual"])
    if (!close_to(residual, sqrt(sum / points)))
        wrong("the residual is " residual ", and brute force finds " sqrt(sum / points))
    n = points
    terms = f == "constant" ? 3 : 5
    residual = residual < 1e-9 ? 1e-9 : residual
    value[f] = n > terms + 1 ? n * log(residual ^ 2) + 2 * terms + 2 * terms * (terms + 1) / (n - terms - 1) : "null"
    if (value[f] == "null" ? found[way "/criterion"] != "null" : !close_to(found[way "/criterion"], value[f]))
        wrong("the criterion is " value[f] ", and not " found[way "/criterion"])
    if (!bad)
        agreed++
    bad = 0
}

function judge(cluster, way,    i, fits, least, chosen) {
    name = found[way "/pattern"]
    cluster_name = found["clusters/" cluster "/name"]
    gather(cluster, name)
    fits = found[way "/fits#"]
    for (i in value)
        delete value[i]
    for (i = 0; i < fits; i++)
        judge_fit(way "/fits/" i)
    if (fits != (kinds < 3 ? kinds : 3))
        print "WRONG: " name " in " cluster_name " has " fits " fits of " kinds " numbers of processors"
    least = "null"
    for (i = 1; i <= fits; i++)
        if (value[order[i]] != "null" && (least == "null" || value[order[i]] + 0 < least + 0))
            least = value[order[i]]
    for (i = fits; i > 0; i--)
        if (least == "null" || (value[order[i]] != "null" && value[order[i]] - least <= 2))
            chosen = order[i]
    if (found[way "/f"] != chosen)
        print "WRONG: " name " in " cluster_name " is " found[way "/f"] ", and not " chosen
    tell(way)
}

# The coefficients of the f that was chosen; what is but the noise of rounding is 0.
function tell(way,    i, k, c) {
    for (i = 0; i < found[way "/fits#"]; i++)
        if (found[way "/fits/" i "/f"] == found[way "/f"]) {
            printf "%s in %s: %s,", name, cluster_name, found[way "/f"]
            for (k = 1; k <= 4; k++) {
                c = found[way "/fits/" i "/c" k] + 0
                printf " c%d %.3g,", k, c < 1e-16 ? 0 : c
            }
            printf " residual %.3g\n", found[way "/fits/" i "/residual"] + 0 < 1e-9 ? 0 : found[way "/fits/" i "/residual"]
        }
}
