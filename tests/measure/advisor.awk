# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -f tests/measure/json.awk -f tests/measure/advisor.awk RAW.json FOUND.json
#
# Judges what `inlay measure --json` makes of raw measurements of --hosts, in the plainest way: the median of each series; the
# tau at which the sum of squares of relative errors stands still, found by halving, with the best lambda for each tau, neither
# below 0; operations over the median time. Prints what differs, and how many figures agree.
BEGIN {
    json_read(ARGV[1], raw)
    json_read(ARGV[2], found)
    for (r = 0; r < raw["compute#"]; r++)
        same("measured rate of " r, found["processors/" r "/measured"], raw["operations"] / median("compute/" r "/seconds"))
    if (raw["compute#"] > 1)
        network()
    print agreed + 0, "figures agree"
    exit
}

function same(what, value, expected,    off) {
    off = expected != 0 ? value / expected - 1 : value
    if (off < 1e-6 && off > -1e-6) agreed++
    else print "DIFFERS:", what, "is", value, "and should be", expected
}

function median(way,    n, i, j, t, list) {
    n = raw[way "#"]
    for (i = 1; i <= n; i++) {
        t = raw[way "/" i - 1] + 0
        for (j = i; j > 1 && list[j - 1] > t; j--) list[j] = list[j - 1]
        list[j] = t
    }
    return (list[int((n + 1) / 2)] + list[int(n / 2) + 1]) / 2
}

# How the sum of squares changes with tau, where lambda is the best for it.
function slope(tau,    s, lambda, sum) {
    lambda = lambda_for(tau)
    for (s = 0; s < sizes; s++)
        sum += ((lambda + tau * x[s]) / y[s] - 1) * x[s] / y[s]
    return sum
}

# The best lambda for a tau is where the sum stands still.
function lambda_for(tau,    s, above, below) {
    for (s = 0; s < sizes; s++) {
        above += (y[s] - tau * x[s]) / (y[s] * y[s])
        below += 1 / (y[s] * y[s])
    }
    return above > 0 ? above / below : 0
}

function network(    s, n, low, high, tau, off, sum, largest) {
    sizes = raw["sizes#"]
    n = found["network/kind"] ~ /bus/ ? raw["compute#"] : 1
    for (s = 0; s < sizes; s++) {
        x[s] = n * raw["sizes/" s]
        y[s] = median("ring/seconds/" s)
        high = high > y[s] / x[s] ? high : y[s] / x[s]
    }
    for (s = 0; s < 200 && slope(0) < 0; s++) {
        tau = (low + high) / 2
        if (slope(tau) < 0) low = tau
        else high = tau
    }
    same("lambda", found["network/latency"], lambda_for(tau))
    same("tau", found["network/per_byte"], tau)
    for (s = 0; s < sizes; s++) {
        off = (lambda_for(tau) + tau * x[s]) / y[s] - 1
        sum += off * off
        off = off < 0 ? -off : off
        largest = largest > off ? largest : off
        same("step " s, found["network/steps/" s "/median"], y[s])
    }
    if (largest > 1e-6) { # else rounding is all there is
        same("residual", found["network/residual"], sqrt(sum / sizes))
        same("largest error", found["network/largest_error"], largest)
    }
}
