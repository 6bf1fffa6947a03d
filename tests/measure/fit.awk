# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -f tests/measure/json.awk -f tests/measure/fit.awk RAW.json
#
# Works out from raw measurements what `inlay measure` has to find, in the plainest way. Prints lines NAME VALUE:
#
#   network a, g, residual, largest    the fit of all pairs between hosts; `core`, of those within a host
#   network switch, bus, half          residuals of the three kinds for the ring; `network kind`, the one it is
#   kept 1024 send, receive, waits     for how long a message of 1024 bytes keeps its processors, and whether it waits for one;
#   network left_a, left_g             what that leaves of all messages between hosts; `core`, of those within a host
#   rank 0 host                        the name of its host
#   rank 0 arithmetic alone            and all, and of function: the median; the same with `spread` behind it
#   host 0 copying alone               and all, likewise
BEGIN {
    json_read(ARGV[1], raw)
    for (h = 0; h < raw["hosts#"]; h++)
        for (i = 0; i < raw["hosts/" h "/ranks#"]; i++)
            host[raw["hosts/" h "/ranks/" i]] = h
    class("network")
    class("core")
    if ("pairs/0/send#" in raw)
        keep(raw["hosts#"] > 1 ? "network" : "core")
    for (i = 0; i < raw["compute#"]; i++)
        operation(raw["compute/" i "/rank"], "compute/" i)
    for (i = 0; i < raw["memory#"]; i++)
        repeats("host " raw["memory/" i "/host"] " copying", "memory/" i)
    exit
}

function operation(rank, way) {
    print "rank", rank, "host", raw["hosts/" host[rank] "/name"]
    repeats("rank " rank " arithmetic", way "/arithmetic")
    repeats("rank " rank " function", way "/function")
}

function repeats(name, way) {
    figure(name " alone", way "/alone")
    figure(name " all", way "/all")
}

function figure(name, way,    i, t, least, most) {
    least = most = raw[way "/0"] + 0
    for (i = 1; i < raw[way "#"]; i++) {
        t = raw[way "/" i] + 0
        least = t < least ? t : least
        most = t > most ? t : most
    }
    printf "%s %.12g\n%s spread %.12g\n", name, median(way), name, (most - least) / median(way)
}

function class(name,    r) {
    if (!gather(name))
        return
    fit()
    printf "%s a %.12g\n%s g %.12g\n", name, a, name, g
    judge()
    printf "%s residual %.12g\n%s largest %.12g\n", name, residual, name, largest
    for (r = 0; r < raw["rings#"]; r++)
        if (raw["rings/" r "/class"] == name)
            ring(name, "rings/" r)
}

# The points of all pairs of a class: s[i] bytes take t[i] seconds.
function gather(name,    p, k) {
    points = 0
    for (p = 0; p < raw["pairs#"]; p++)
        if ((host[raw["pairs/" p "/from"]] == host[raw["pairs/" p "/to"]]) == (name == "core"))
            for (k = 0; k < raw["sizes#"]; k++)
                point(raw["sizes/" k], "pairs/" p "/seconds/" k)
    return points
}

function point(bytes, way) {
    s[++points] = bytes
    t[points] = median(way)
    part[points] = 1
}

# Of the times of one size, by putting them in order.
function median(way,    n, i, v) {
    n = raw[way "#"]
    for (i = 1; i <= n; i++)
        v[i] = raw[way "/" (i - 1)] + 0
    return middle(v, n)
}

function middle(v, n,    i, j, swap) {
    for (i = 1; i <= n; i++)
        for (j = i + 1; j <= n; j++)
            if (v[j] < v[i]) {
                swap = v[i]; v[i] = v[j]; v[j] = swap
            }
    return (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2
}

# The a and g, not negative, for which the sum of ((a + s g) / t - part)^2 is least: the normal equations.
function fit(    i, p, q, one, ones, pp, pq, qq) {
    for (i = 1; i <= points; i++) {
        p = 1 / t[i]
        q = s[i] / t[i]
        one += part[i] * p; ones += part[i] * q
        pp += p * p; pq += p * q; qq += q * q
    }
    a = (one * qq - ones * pq) / (pp * qq - pq * pq)
    g = (pp * ones - pq * one) / (pp * qq - pq * pq)
    if (a < 0) {
        a = 0
        g = ones / qq
    } else if (g < 0) {
        g = 0
        a = one / pp
    }
}

# How far the line is from the points: root of the mean square and largest of the relative errors.
function judge(    i, error, sum) {
    largest = 0
    for (i = 1; i <= points; i++) {
        error = (a + s[i] * g) / t[i] - 1
        sum += error * error
        error = error < 0 ? -error : error
        largest = error > largest ? error : largest
    }
    residual = sqrt(sum / points)
}

# Of the steps of a ring, where each takes as long as a message alone and `others` times what its bytes take.
function judge_ring(way, others,    k, error, sum) {
    for (k = 0; k < raw["sizes#"]; k++) {
        error = (alone[k] + others * raw["sizes/" k] * g) / median(way "/seconds/" k) - 1
        sum += error * error
    }
    return sqrt(sum / raw["sizes#"])
}

function ring(name, way,    n, k, i, v, best, found, kind) {
    for (k = 0; k < raw["sizes#"]; k++) {
        n = 0
        for (i = k + 1; i <= points; i += raw["sizes#"])
            v[++n] = t[i]
        alone[k] = middle(v, n)
    }
    n = raw[way "/ranks#"]
    printf "%s switch %.12g\n", name, best = judge_ring(way, 0)
    kind = "switch"
    printf "%s bus %.12g\n", name, found = judge_ring(way, n - 1)
    if (found < best) {
        best = found
        kind = "bus"
    }
    printf "%s half %.12g\n", name, found = judge_ring(way, 1)
    print name, "kind", found < best ? "half" : kind
}

# The median over all pairs of a class, of what one size keeps the sender or the receiver for.
function kept_for(kind, part, k,    p, n, v) {
    for (p = 0; p < raw["pairs#"]; p++)
        if ((host[raw["pairs/" p "/from"]] == host[raw["pairs/" p "/to"]]) == (kind == "core"))
            v[++n] = median("pairs/" p "/" part "/" k)
    return middle(v, n)
}

# A receiver that is kept for more than three times as long as the sender between hosts is so by the network, and so it is with longer
# messages: its own part is then the sender's.
function keep(kind,    k, sizes, n, names) {
    sizes = raw["sizes#"]
    n = sizes
    for (k = 0; k < sizes; k++) {
        send[k] = kept_for(kind, "send", k)
        receive[k] = kept_for(kind, "receive", k)
        if (kind == "network" && n == sizes && receive[k] > 3 * send[k])
            n = k
    }
    for (k = n; k < sizes; k++)
        receive[k] = send[k]
    for (k = 0; k < sizes; k++)
        printf "kept %d send %.12g\nkept %d receive %.12g\nkept %d waits %d\n", raw["sizes/" k], send[k], raw["sizes/" k],
               receive[k], raw["sizes/" k], (k >= n)
    split("network core", names)
    for (n = 1; n <= 2; n++)
        if (gather(names[n])) {
            leave()
            printf "%s left_a %.12g\n%s left_g %.12g\n", names[n], a, names[n], g
        }
}

# The same for what processors leave of each message, a twentieth of it at least.
function leave(    i, k) {
    for (i = 1; i <= points; i++) {
        k = (i - 1) % raw["sizes#"]
        part[i] = 1 - (send[k] + receive[k]) / t[i]
        part[i] = part[i] < 0.05 ? 0.05 : part[i]
    }
    fit()
}
