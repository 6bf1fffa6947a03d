#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/netlab.sh [--sizes LIST] [--repeat N] [--part PART] [--attempts N] [KIND:RATE[:DELAY]]...
#
# Measures networks that are known: three hosts on one computer, network namespaces with a userspace Ethernet between them
# that has a rate and a delay. KIND is switch or bus, RATE in Mbit/s, DELAY in ms (default 2.5, from 50 Mbit/s on 1); all
# of switch:10 bus:10 switch:100 bus:100 where none is named.
# For each, `inlay measure` must find the latency and the bandwidth within 15 % of the wire's, and the kind. Then a small
# application is mapped on the machine that it wrote, and its synthetic program runs across the hosts: it must take the
# simulated time, within 30 %. While all three send at once, `inlay measure --hosts` must find the latency within 30 % and the
# rate within 25 % on a bus and 45 % on a switch, and tell one from the other; `inlay decompose` takes its file. Ends with the
# line `N networks right, N wrong`.
#
#   --sizes LIST  and
#   --repeat N    of `inlay measure`: smaller messages and fewer of them are sooner measured
#   --part PART   `machine`: without --hosts; `hosts`: that alone
#   --attempts N  measure a network that is not found again, N times in all (default 1): where other work is done beside,
#                 latencies become longer
#
# Needs root, network namespaces, Open MPI and a C compiler, and the folder netlab, with vnet.c, beside the data. Where
# something is not there it says so and ends with status 77; with 1 where a network is not found as it is.
#
# From the environment: INLAY (default build/inlay), INLAY_DATA (default ../shared/data beside the checkout).
set -u

script=netlab.sh hosts=3
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
export INLAY=${INLAY:-$root/build/inlay}
inlay=$INLAY

# shellcheck source=tests/measure/lab.sh
. "$root/tests/measure/lab.sh"

# ---- Judging ---------------------------------------------------------------------------------------------------------

wrong=0 right=0 bad=no

# VALUE is within PERCENT of EXPECTED.
near() { # WHAT VALUE EXPECTED PERCENT
    LC_ALL=C awk -v what="$1" -v value="${2:-nan}" -v expected="$3" -v percent="$4" 'BEGIN {
        off = 100 * (value / expected - 1)
        ok = value + 0 > 0 && off <= percent && off >= -percent
        printf "%-20s %-12.5g expected: %-12.5g %+.1f %%%s\n", what, value, expected, off, ok ? "" : "  WRONG"
        exit !ok
    }' || bad=yes
}

member() { # NAME FILE
    sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$2" | head -n 1
}

# Latency, bandwidth and kind in the machine file. Of the 1538 bytes of a frame on the wire 1448 are the message's, the
# others those of Ethernet, IP and TCP: 6 % of the bandwidth are never seen.
judge_machine() { # KIND RATE DELAY
    local first second network=links
    { read -r first && read -r second; } < <("$root/tests/measure/transfer.sh" "$work/machine.dot" 0 1 1 100000001)
    near 'latency, s' "$first" "$(awk -v ms="$3" 'BEGIN { print ms / 1000 }')" 15
    near 'bandwidth, B/s' "$(awk -v a="$first" -v b="$second" 'BEGIN { if (b > a) print 1e8 / (b - a) }')" \
        "$(awk -v rate="$2" 'BEGIN { print rate * 1e6 / 8 }')" 15
    "$INLAY" info "$work/machine.dot" --json >"$work/info.json"
    [[ $1 != bus ]] || network=bus
    printf '%-20s %s\n' kind "$(member network "$work/info.json")"
    [[ $(member network "$work/info.json") = "$network" ]] || { echo "  WRONG: it is a $1" && bad=yes; }
    ! grep -q '"shared": true' "$work/info.json" || { echo '  WRONG: its links are full duplex' && bad=yes; }
}

# Three ranks work and send to the next, three times: on a bus three messages wait for each other. There is so little work
# that the number of cores is no matter, and a message takes 100 ms on the wire.
write_application() { # RATE
    local step rank
    echo 'digraph ring { graph [time_unit=ms];'
    for step in 0 1 2 3; do
        for rank in 0 1 2; do
            echo "m${step}_$rank [time=2, pin=$rank];"
            [[ $step = 0 ]] ||
                echo "m$((step - 1))_$(((rank + 2) % 3)) -> m${step}_$rank [bytes=$(($1 * 12000))];"
        done
    done
    echo '}'
}

judge_program() { # RATE
    write_application "$1" >"$work/ring.dot"
    if ! "$INLAY" map "$work/ring.dot" "$work/machine.dot" --quiet -o "$work/mapping.json" ||
        ! lab_run "$INLAY" run "$work/mapping.json" --work time --runs 3 --launcher "$work/launch" --hostfile "$work/hosts" \
            --json --quiet >"$work/run.json"; then
        echo 'the program does not run  WRONG' && bad=yes && return
    fi
    near 'program, ms' "$(member median "$work/run.json")" "$(member simulated "$work/run.json")" 30
    [[ $(grep -o '"host": "h[0-9]"' "$work/run.json" | sort -u | wc -l) = "$hosts" ]] ||
        { echo "  WRONG: it did not run on $hosts hosts" && bad=yes; }
}

# What --hosts finds while all send at once. On a switch acknowledgements wait behind the messages that go the other way: steps of
# the ring take up to a third longer than the wire, and may look like half duplex.
judge_hosts() { # KIND RATE DELAY
    local wiring=switch off=45 kind sizes=(--sizes '1,1024,8192,65536,262144')
    [[ $1 != bus ]] || { wiring=single && off=25; }
    [[ ${measure[*]-} != *--sizes* ]] || sizes=()
    if ! lab_run "$INLAY" measure --hosts "$work/hosts" --launcher "$work/launch" "${measure[@]}" "${sizes[@]}" --json --quiet \
        -o "$work/cluster.dot" >"$work/advice.json"; then
        echo 'inlay measure --hosts fails  WRONG' && bad=yes && return
    fi
    near 'lambda, s' "$(member latency "$work/advice.json")" "$(awk -v ms="$3" 'BEGIN { print ms / 1000 }')" 30
    near 'tau, s/B' "$(member per_byte "$work/advice.json")" "$(awk -v rate="$2" 'BEGIN { print 8e-6 / rate }')" $off
    kind=$(member kind "$work/advice.json")
    [[ $kind = bus && $1 = bus || $kind != bus && $1 != bus ]] || { echo "  WRONG: it is a $1, and no $kind" && bad=yes; }
    "$INLAY" decompose 500x500 "$work/cluster.dot" --wiring "$wiring" >"$work/ranking" ||
        { echo 'inlay decompose fails  WRONG' && bad=yes; }
    sed -n 's/^network */&/p' "$work/ranking"
}

judge_measure() { # KIND RATE DELAY
    if lab_run "$INLAY" measure -n "$hosts" --launcher "$work/launch" --hostfile "$work/hosts" "${measure[@]}" \
        -o "$work/machine.dot" >"$work/said" 2>&1; then
        judge_machine "$1" "$2" "$3"
        judge_program "$2"
    else
        echo 'inlay measure fails  WRONG' && bad=yes
    fi
}

attempt() { # KIND RATE DELAY
    bad=no
    : >"$work/said"
    printf '\n%s of %s Mbit/s and %s ms\n' "$1" "$2" "$3"
    lab_up "$1" "$2" "$3"
    [[ $part = hosts ]] || judge_measure "$1" "$2" "$3"
    [[ $part = machine ]] || judge_hosts "$1" "$2" "$3"
    [[ $bad = no ]] || cat "$work/said"
    lab_down
    [[ $bad = no ]]
}

# The delay is short enough that TCP never waits for an acknowledgement, and long beside what this computer adds.
network() { # KIND RATE DELAY
    local i delay=1
    [[ $2 -ge 50 ]] || delay=2.5
    [[ -z $3 ]] || delay=$3
    for ((i = 0; i < attempts; i++)); do
        attempt "$1" "$2" "$delay" && right=$((right + 1)) && return
    done
    wrong=$((wrong + 1))
}

# ---- All networks ----------------------------------------------------------------------------------------------------

measure=() attempts=1 part=all
while [[ ${1-} = --* ]]; do
    case $1 in
    --sizes | --repeat) measure+=("$1" "${2:?netlab.sh: $1 needs a value}") ;;
    --part) part=${2:?netlab.sh: --part needs machine or hosts} ;;
    --attempts) attempts=${2:?netlab.sh: $1 needs a value} ;;
    *) echo "netlab.sh: there is no option $1" >&2 && exit 2 ;;
    esac
    shift 2
done
[[ $# -gt 0 ]] || set -- switch:10 bus:10 switch:100 bus:100
lab_begin
lab_wires || exit
for each; do
    IFS=: read -r kind rate delay <<<"$each"
    network "$kind" "$rate" "$delay"
done
printf '\n%d networks right, %d wrong\n' "$right" "$wrong"
[[ $wrong = 0 ]]
