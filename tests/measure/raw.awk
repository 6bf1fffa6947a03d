# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: awk -f tests/measure/raw.awk [-v NAME=VALUE]... >raw.json
#
# Writes raw measurements, as `inlay measure --raw` does, of a machine that is known: figures of the model, each times
# 1 + noise * x with x drawn evenly from -1 to 1. Equal arguments give equal bytes.
#
#   hosts=3                hosts, called h1, h2, ...
#   ranks=1                ranks of each host, or of all of them one by one: "2 1 2"
#   a=50e-6 g=8e-9         a message of s bytes between hosts takes a + s g seconds
#   core_a=0.5e-6 core_g=2e-10    the same between ranks of a host
#   kind=switch            of the hosts' network: switch, bus or half
#   core_kind=switch       of what joins the ranks of a host
#   step=0 step_from=8192  messages of so many bytes and more take step seconds longer
#   curve=0                messages take (1 + curve * s / largest) times as long
#   kept=""                "s0 s1 r0 r1": of that, s bytes keep the sender for s0 + s s1, and the receiver for r0 + s r1
#   waits_from=0           messages between hosts of so many bytes and more wait for their receiver, which is kept for 0.9 of them
#   unlike=0               how far pairs differ: times 1 + unlike * x
#   speeds=1               of the hosts, or of all of them one by one
#   memories=8589934592    bytes of the hosts, one by one; null where unknown
#   cores="" numa=""       of each host; not told
#   noise=0 repeats=5 seed=1
#   sizes="1 1024 8192 65536 262144 1048576"
#   topology=""            patterns whose cycles are measured too: "1-D ring tree"
#   clusters=""            the hosts of each cluster, of which 0 is the first: "0 1,2"; all in one
#   c="5e-6 2e-6 1e-9 5e-10" f=log    a cycle of p ranks takes c1 + c2 f(p) + s (c3 + c4 f(p)); also constant, linear
#   counts=""              the numbers of ranks that take part; 2, 3, ... to all of the cluster
#   advisor=0              1: what --hosts measures. All messages are of the class network, and processors of the same host
#                          are as fast as it; an operation takes a nanosecond at speed 1
#   sampled=0              leave out every pair of ranks but each sampled-th; 0: none
BEGIN {
    defaults()
    layout()
    printf "{\"inlay\": \"0.1.0\", \"date\": \"2026-11-21T17:46:00Z\", \"mpi\": \"An MPI 1.0\", \"compiler\": \"cc 1.0\","
    printf " \"launched\": \"launch -n %d\",\n", all
    write_hosts()
    if (advisor) {
        write_advisor()
        exit
    }
    write_compute()
    write_memory()
    printf "\"sizes\": [%s],\n", join(sizes)
    write_pairs()
    write_rings()
    if (topology != "")
        write_topology()
    print "}"
}

function defaults() {
    hosts = given(hosts, 3); ranks = given(ranks, 1)
    a = given(a, 50e-6); g = given(g, 8e-9); core_a = given(core_a, 0.5e-6); core_g = given(core_g, 2e-10)
    kind = given(kind, "switch"); core_kind = given(core_kind, "switch")
    step_from = given(step_from, 8192)
    speeds = given(speeds, 1); memories = given(memories, "8589934592")
    repeats = given(repeats, 5); state = given(seed, 1)
    sizes = given(sizes, "1 1024 8192 65536 262144 1048576")
    count = split(sizes, size)
    split(given(c, "5e-6 2e-6 1e-9 5e-10"), cost); f = given(f, "log")
    patterns = split(topology, pattern)
}

function given(value, otherwise) { return value == "" ? otherwise : value }
function join(words) { gsub(/ +/, ", ", words); return words }

# The i-th of a list, whose last element stands for all behind it.
function nth(list, i,    n, parts) {
    n = split(list, parts)
    return parts[i < n ? i : n]
}

# host[rank], first[host] and on[host], the ranks there.
function layout(    h, i) {
    for (h = 0; h < hosts; h++) {
        first[h] = all + 0
        on[h] = nth(ranks, h + 1)
        for (i = 0; i < on[h]; i++)
            host[all++] = h
    }
}

function drawn() {
    state = (state * 16807) % 2147483647
    return 2 * state / 2147483647 - 1
}

# A figure, measured `repeats` times.
function measured(figure,    text, i) {
    for (i = 0; i < repeats; i++)
        text = text (i ? ", " : "") sprintf("%.17g", figure * (1 + noise * drawn()))
    return "[" text "]"
}

# One way of a message of s bytes in the class, where it takes as long as `shared` messages on the wire.
function message(class, s, shared,    latency, each) {
    latency = (class == "core" ? core_a : a) + (s >= step_from ? step : 0)
    each = class == "core" ? core_g : g
    return (latency + shared * s * each) * (1 + curve * s / size[count])
}

# The times of all sizes, times `factor`.
function times(class, shared, factor,    text, i) {
    for (i = 1; i <= count; i++)
        text = text (i > 1 ? ", " : "") measured(factor * message(class, size[i], shared))
    return "[" text "]"
}

function write_hosts(    h, i) {
    for (h = 0; h < hosts; h++) {
        printf "%s{\"name\": \"h%d\", \"ranks\": [", h ? ",\n  " : "\"hosts\": [\n  ", h + 1
        for (i = 0; i < on[h]; i++)
            printf "%s%d", i ? ", " : "", first[h] + i
        printf "], \"memory\": %s%s}", nth(memories, h + 1), (cores != "" ? ", \"cores\": " cores : "") \
            (numa != "" ? ", \"numa_nodes\": " numa : "")
    }
    print "],"
}

# An operation takes a nanosecond at speed 1; all at once take as long as one alone.
function write_compute(    r) {
    for (r = 0; r < all; r++) {
        printf "%s{\"rank\": %d, ", r ? ",\n  " : "\"compute\": [\n  ", r
        printf "\"arithmetic\": {\"alone\": %s, ", measured(1e-9 / nth(speeds, host[r] + 1))
        printf "\"all\": %s}, ", measured(1e-9 / nth(speeds, host[r] + 1))
        printf "\"function\": {\"alone\": %s, ", measured(20e-9 / nth(speeds, host[r] + 1))
        printf "\"all\": %s}}", measured(20e-9 / nth(speeds, host[r] + 1))
    }
    print "],"
}

function write_memory(    h) {
    for (h = 0; h < hosts; h++)
        printf "%s{\"host\": %d, \"alone\": %s, \"all\": %s}", h ? ",\n  " : "\"memory\": [\n  ", h, measured(10e9),
               measured(15e9)
    print "],"
}

# For how long processors are kept, of all sizes: part 1 is the sender's, 3 the receiver's.
function all_kept(class, part,    text, i, of, seconds) {
    split(kept, of)
    for (i = 1; i <= count; i++) {
        seconds = of[part] + size[i] * of[part + 1]
        if (part == 3 && class == "network" && waits_from > 0 && size[i] >= waits_from)
            seconds = 0.9 * message(class, size[i], 1)
        text = text (i > 1 ? ", " : "") measured(seconds)
    }
    return text
}

function write_pairs(    p, q, number, separator, class) {
    printf "\"pairs\": ["
    for (p = 0; p < all; p++)
        for (q = p + 1; q < all; q++)
            if (!sampled || number++ % sampled == 0) {
                class = host[p] == host[q] ? "core" : "network"
                printf "%s{\"from\": %d, \"to\": %d, \"seconds\": %s", separator "\n  ", p, q,
                       times(class, 1, 1 + unlike * drawn())
                if (kept != "")
                    printf ", \"send\": [%s], \"receive\": [%s]", all_kept(class, 1), all_kept(class, 3)
                printf "}"
                separator = ","
            }
    printf "], \"sampled\": %s,\n", sampled ? "true" : "false"
}

# The messages that one of n shares the wire with, itself counted.
function shared(kind, n) { return kind == "bus" ? n : kind == "half" ? 2 : 1 }

function write_ring(class, kind, list, n) {
    printf "%s{\"class\": \"%s\", \"ranks\": [%s], \"seconds\": %s}", rings++ ? ",\n  " : "\n  ", class, list,
           times(class, shared(kind, n), 1)
}

function write_rings(    h, i, list) {
    printf "\"rings\": ["
    for (h = 0; h < hosts; h++)
        list = list (h ? ", " : "") first[h]
    if (hosts > 1)
        write_ring("network", kind, list, hosts)
    for (h = 0; h < hosts && on[h] < 2; h++)
        ;
    list = ""
    for (i = 0; h < hosts && i < on[h]; i++)
        list = list (i ? ", " : "") first[h] + i
    if (h < hosts)
        write_ring("core", core_kind, list, on[h])
    printf "]"
}

# First the first rank of every host, then the second of those that have one, and so on.
function write_advisor(    r, h, core, n, ring, list) {
    printf "\"operations\": 1000000,\n\"compute\": ["
    for (r = 0; r < all; r++)
        printf "%s{\"rank\": %d, \"seconds\": %s}", r ? ",\n  " : "\n  ", r, measured(1e-3 / nth(speeds, host[r] + 1))
    printf "],\n\"sizes\": [%s]", join(sizes)
    for (; n < all; core++)
        for (h = 0; h < hosts; h++)
            if (core < on[h])
                list = list (n ? ", " : "") (ring[n++] = first[h] + core)
    if (all > 1) {
        printf ",\n\"pairs\": [\n  {\"from\": %d, \"to\": %d, \"seconds\": %s}],\n", ring[0], ring[1], times("network", 1, 1)
        printf "\"ring\": {\"ranks\": [%s], \"seconds\": %s}", list, times("network", shared(kind, all), 1)
    }
    print "}"
}

# How many ranks are in the cluster of these hosts.
function ranks_in(list,    parts, n, i, sum) {
    n = split(list, parts)
    for (i = 1; i <= n; i++)
        sum += on[parts[i]]
    return sum
}

function growth(p) { return f == "linear" ? p : f == "log" ? log(p) / log(2) : 1 }

function cycle(name, cluster, p,    text, i) {
    for (i = 1; i <= count; i++)
        text = text (i > 1 ? ", " : "") \
            measured(cost[1] + cost[2] * growth(p) + size[i] * (cost[3] + cost[4] * growth(p)))
    printf "%s{\"pattern\": \"%s\", \"cluster\": %d, \"processors\": %d, \"seconds\": [%s]}",
           cycles++ ? ",\n  " : "\n  ", name, cluster, p, text
}

function write_topology(    h, i, k, n, parts, all_hosts, number) {
    for (h = 0; h < hosts; h++)
        all_hosts = all_hosts (h ? " " : "") h
    n = split(given(clusters, all_hosts), parts, ",")
    printf ",\n\"topology\": ["
    for (i = 1; i <= patterns; i++)
        printf "%s\"%s\"", (i > 1 ? ", " : ""), pattern[i]
    printf "],\n\"clusters\": ["
    for (i = 1; i <= n; i++)
        printf "%s[%s]", (i > 1 ? ", " : ""), join(parts[i])
    printf "],\n\"cycles\": ["
    for (k = 1; k <= patterns; k++)
        for (i = 1; i <= n; i++)
            if (counts == "")
                for (number = 2; number <= ranks_in(parts[i]); number++)
                    cycle(pattern[k], i - 1, number)
            else
                for (h = 1; h <= split(counts, number_of); h++)
                    cycle(pattern[k], i - 1, number_of[h])
    printf "]"
}
