#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/netlab.sh [--sizes LIST] [--repeat N] [--part PART] [KIND:RATE[:DELAY]]...
#
# Measures networks that are known: three hosts on one computer, network namespaces with a userspace Ethernet between them
# that has a rate and a delay. KIND is switch or bus, RATE in Mbit/s, DELAY in ms (default 2.5, from 50 Mbit/s on 1); all
# of switch:10 bus:10 switch:100 bus:100 where none is named.
# Prints what `inlay measure` finds beside what the wire has, the kind, and how long the synthetic program of a small
# application takes across the hosts beside its simulated time; then what `inlay measure --hosts` finds while all three send
# at once. How near these are depends on what else the computer does, and nobody judges it. Wrong is what does not depend on
# that: each host takes part, under its name; no message is faster than its wire; the slow fit makes the same figures of the
# same measurements, as does --from; the files are read, and the program runs on all hosts. Ends with the line `N networks
# right, N wrong`.
#
#   --sizes LIST  and
#   --repeat N    of `inlay measure`: smaller messages and fewer of them are sooner measured
#   --part PART   `machine`: without --hosts; `hosts`: that alone
#
# Needs root, network namespaces, Open MPI and a C compiler, and the folder netlab, with vnet.c, beside the data. Where
# something is not there it says so and ends with status 77; with 1 where something is wrong.
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

is_wrong() { # WHAT
    echo "  WRONG: $1"
    bad=yes
}

# VALUE beside what the wire or the simulation says.
beside() { # WHAT VALUE EXPECTED
    LC_ALL=C awk -v what="$1" -v value="${2:-nan}" -v expected="$3" \
        'BEGIN { printf "%-20s %-12.5g known: %-12.5g %+.1f %%\n", what, value, expected, 100 * (value / expected - 1) }'
}

member() { # NAME FILE
    sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$2" | head -n 1
}

# A rank on each host, and between each two of them as many times as were asked for, in which a message goes at least the
# length of the wire with all its bytes: it waits for the one before it to arrive.
judge_raw() { # RATE DELAY
    awk -v hosts="$hosts" -v byte="$(awk -v rate="$1" 'BEGIN { print 8e-6 / rate }')" -v delay="$2" -f "$root/tests/measure/json.awk" -f <(
        cat <<'END'
BEGIN {
    json_read(ARGV[1], raw)
    for (h = 0; h < hosts; h++)
        said = said raw["hosts/" h "/name"] (raw["hosts/" h "/ranks#"] == 1 ? ":" : "?") raw["hosts/" h "/ranks/0"] " "
    if (said != "h1:0 h2:1 h3:2 " || raw["hosts#"] != hosts) print "ranks on hosts:", said
    for (p = 0; p < raw["pairs#"]; p++) {
        between[raw["pairs/" p "/from"] "-" raw["pairs/" p "/to"]]
        for (s = 0; s < raw["sizes#"]; s++)
            for (i = 0; i < raw["pairs/" p "/seconds/" s "#"]; i++)
                if (raw["pairs/" p "/seconds/" s "/" i] < delay / 1000 + raw["sizes/" s] * byte)
                    print raw["sizes/" s], "bytes are faster than the wire:", raw["pairs/" p "/seconds/" s "/" i], "s"
    }
    if (raw["pairs#"] != 3 || !("0-1" in between && "0-2" in between && "1-2" in between)) print raw["pairs#"], "pairs"
    exit
}
END
    ) "$work/raw.json" >"$work/differs"
    [[ ! -s $work/differs ]] || { is_wrong 'what was measured:' && cat "$work/differs"; }
}

# Latency, bandwidth and kind in the machine file. Of the 1538 bytes of a frame on the wire 1448 are the message's, the
# others those of Ethernet, IP and TCP: 6 % of the bandwidth are never seen.
judge_machine() { # KIND RATE DELAY
    local first second
    judge_raw "$2" "$3"
    mkdir -p "$work/judge"
    (cd "$work/judge" && "$root/tests/measure/judge.sh" ../raw.json) >"$work/judged" || is_wrong 'the slow fit fails'
    grep DIFFERS "$work/judged" && bad=yes
    "$INLAY" measure --from "$work/raw.json" --quiet -o - | cmp - "$work/machine.dot" || is_wrong 'it is another when fitted again'
    { read -r first && read -r second; } < <("$root/tests/measure/transfer.sh" "$work/machine.dot" 0 1 1 100000001)
    beside 'latency, s' "$first" "$(awk -v ms="$3" 'BEGIN { print ms / 1000 }')"
    beside 'bandwidth, B/s' "$(awk -v a="$first" -v b="$second" 'BEGIN { if (b > a) print 1e8 / (b - a) }')" \
        "$(awk -v rate="$2" 'BEGIN { print rate * 1e6 / 8 }')"
    printf '%-20s %-12s known: %s\n' kind "$(awk '$1 == "network" && $NF !~ /%/ { print $NF }' "$work/said")" "$1"
    [[ $("$INLAY" info "$work/machine.dot" | awk '$1 == "processors" { print $2 }') = "$hosts" ]] || is_wrong 'the machine file'
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
        is_wrong 'the program does not run' && return
    fi
    beside 'program, ms' "$(member median "$work/run.json")" "$(member simulated "$work/run.json")"
    [[ $(grep -o '"host": "h[0-9]"' "$work/run.json" | sort -u | wc -l) = "$hosts" ]] || is_wrong "it did not run on $hosts hosts"
}

# What --hosts finds while all send at once. On a switch acknowledgements wait behind the messages that go the other way: steps of
# the ring take up to a third longer than the wire, and may look like half duplex.
judge_hosts() { # KIND RATE DELAY
    local wiring=switch sizes=(--sizes '1,1024,8192,65536,262144')
    [[ $1 != bus ]] || wiring=single
    [[ ${measure[*]-} != *--sizes* ]] || sizes=()
    if ! lab_run "$INLAY" measure --hosts "$work/hosts" --launcher "$work/launch" "${measure[@]}" "${sizes[@]}" --json --quiet \
        --raw "$work/raw.json" -o "$work/machine.dot" >"$work/advice.json"; then
        is_wrong 'inlay measure --hosts fails' && return
    fi
    judge_raw "$2" "$3"
    awk -f "$root/tests/measure/json.awk" -f "$root/tests/measure/advisor.awk" "$work/raw.json" "$work/advice.json" >"$work/judged"
    grep DIFFERS "$work/judged" && bad=yes
    "$INLAY" measure --from "$work/raw.json" --quiet -o - | cmp - "$work/machine.dot" || is_wrong 'it is another when fitted again'
    beside 'lambda, s' "$(member latency "$work/advice.json")" "$(awk -v ms="$3" 'BEGIN { print ms / 1000 }')"
    beside 'tau, s/B' "$(member per_byte "$work/advice.json")" "$(awk -v rate="$2" 'BEGIN { print 8e-6 / rate }')"
    printf '%-20s %-12s known: %s\n' kind "$(member kind "$work/advice.json")" "$1"
    "$INLAY" decompose 500x500 "$work/machine.dot" --wiring "$wiring" >"$work/ranking" || is_wrong 'inlay decompose fails'
    sed -n 's/^network */&/p' "$work/ranking"
}

judge_measure() { # KIND RATE DELAY
    if lab_run "$INLAY" measure -n "$hosts" --launcher "$work/launch" --hostfile "$work/hosts" "${measure[@]}" \
        --raw "$work/raw.json" -o "$work/machine.dot" >"$work/said" 2>&1; then
        judge_machine "$1" "$2" "$3"
        judge_program "$2"
    else
        is_wrong 'inlay measure fails'
    fi
}

# The delay is short enough that TCP never waits for an acknowledgement, and long beside what this computer adds.
network() { # KIND RATE DELAY
    local delay=1
    [[ $2 -ge 50 ]] || delay=2.5
    [[ -z $3 ]] || delay=$3
    bad=no
    : >"$work/said"
    printf '\n%s of %s Mbit/s and %s ms\n' "$1" "$2" "$delay"
    lab_up "$1" "$2" "$delay"
    [[ $part = hosts ]] || judge_measure "$1" "$2" "$delay"
    [[ $part = machine ]] || judge_hosts "$1" "$2" "$delay"
    lab_down
    [[ $bad = yes ]] || { right=$((right + 1)) && return; }
    wrong=$((wrong + 1))
    cat "$work/said"
}

# ---- All networks ----------------------------------------------------------------------------------------------------

measure=() part=all
while [[ ${1-} = --* ]]; do
    case $1 in
    --sizes | --repeat) measure+=("$1" "${2:?netlab.sh: $1 needs a value}") ;;
    --part) part=${2:?netlab.sh: --part needs machine or hosts} ;;
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
