#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/workflows.sh [--run NAME] [INLAY]
#
# Recorded runs of workflow systems simulated where they ran: every WfFormat file of $INLAY_DATA/wfformat (default
# ../shared/data) with a makespan, those of one run once. Prints workflows.csv's rows, of which workflows.awk makes tables;
# nothing is timed, and the same files give the same rows.
#
# A job becomes three modules, on processors that are a type each: the manager, one core that hands out job after job, takes
# `dispatch` seconds of it; its host's channel takes its input files at `bandwidth` MB/s (0: free), one job's after another's;
# then a core of its host takes `job` seconds and the recorded time. Each goes, when it is ready, to where it ends first.
#
#   --run NAME  only the run of that name
#
# INLAY is the program: by default $INLAY, else build/inlay.
set -eu
unset CDPATH
export LC_ALL=C
root=$(cd "$(dirname "$0")/../.." && pwd)
only=''
if [ "${1-}" = --run ]; then
    only=${2:?workflows.sh: --run needs a name}
    shift 2
fi
case ${1-} in
-*) sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2 && exit 2 ;;
esac
inlay=${1:-${INLAY:-$root/build/inlay}}
data=${INLAY_DATA:-$root/../shared/data}/wfformat
[ -d "$data" ] || { echo "workflows.sh: no $data; INLAY_DATA says where the data are" >&2 && exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The values that are tried, of each system what can tell them apart: `job dispatch bandwidth`, each a list.
grid() { # SYSTEM
    case $1 in
    Pegasus) echo '0 10 15 20 30 45 60 90:0.5 1 1.5 2 2.5 3:0 200 100 50 25 12' ;;
    Makeflow) echo '0:0 1 2 4 8 12 16 20 24 28 32:0' ;;
    *) echo '0 1 2 3 4 6 8 12 16 24 32:0:0' ;;
    esac
}

# `run` has the facts of the recorded run, `hosts` the cores of each, `ran` each job's host, from 0.
read_run() { # FILE
    "$inlay" info -q --json "$1" >"$work/json"
    awk -v work="$work" '
        /^  "/ { inside = /^  "recorded"/ }
        { name = $1; gsub(/[":]/, "", name); value = $0; sub(/^[^:]*: /, "", value); gsub(/[",]/, "", value) }
        !inside && /^  "/ && (name == "modules" || name == "work") { fact[name] = value }
        inside && /^    "/ { fact[name] = value; part = name }
        part == "hosts" && name == "cores" { print value >(work "/hosts"); hosts++ }
        part == "modules" && name == "host" { ran[++jobs] = value }
        END {
            if (fact["makespan"] + 0 == 0)
                exit 1
            for (j = 1; j <= jobs; j++)
                print (ran[j] == "null" && hosts == 1 ? 0 : ran[j]) >(work "/ran")
            print fact["system"], jobs, hosts, fact["cores"], fact["critical_path"], fact["work"], fact["makespan"] >(work "/run")
        }' "$work/json"
}

# The types of processors: the manager, and of each host its channel and its cores.
make_machine() {
    awk '{ print "s" NR - 1 " [type=s" NR - 1 "]; s" NR - 1 " -- switch; h" NR - 1 " [type=h" NR - 1 ", cores=" $1 "]; h" NR - 1 " -- switch;" }
        BEGIN { print "graph m { graph [network=links, contention=free]; edge [capacity=\"1GB/s\"]; switch [kind=switch]; m [type=m]; m -- switch;" }
        END { print "}" }' "$work/hosts" >"$work/machine.dot"
}

make_graph() { # JOB DISPATCH BANDWIDTH
    awk -v job="$1" -v dispatch="$2" -v bandwidth="$3" '
        FILENAME ~ /hosts$/ { never = never sprintf(", \"time.s%d\"=none, \"time.h%d\"=none", hosts, hosts); hosts++; next }
        FILENAME ~ /ran$/ { ran[jobs++] = $1; next }
        FNR == 1 { modules = $3; is_graph = FILENAME ~ /graph.tg$/; next }
        !is_graph { if (FNR > modules + 1 && $2 < jobs) input[$2] += $4; next }
        FNR == 2 { print "digraph w { graph [time_unit=s]; node [time=0, \"time.m\"=none" never "];" }
        FNR <= modules + 1 {
            j = FNR - 2
            printf "d%d [\"time.m\"=%s]; s%d [\"time.s%d\"=%.6f]; r%d [\"time.h%d\"=%.6f]; d%d -> s%d -> r%d;\n", j, dispatch,
                   j, ran[j], (bandwidth > 0 ? input[j] / bandwidth / 1e6 : 0), j, ran[j], $1 + job, j, j, j
            next
        }
        { printf "r%d -> d%d;\n", $1, $2 }
        END { print "}" }' "$work/hosts" "$work/ran" "$work/files.tg" "$work/graph.tg" >"$work/graph.dot"
}

simulate() { # PROCESSORS
    "$inlay" speedup "$work/graph.dot" "$work/machine.dot" --scheduler dmda --cores "$1..$1" --json --quiet |
        sed -n 's/^ *"elapsed": \([-0-9.e+]*\),$/\1/p'
}

study() { # FILE NAME
    "$inlay" convert -q "$1" --format tg -o "$work/graph.tg"
    "$inlay" convert -q "$1" --links-from-files --storage 0 --format tg -o "$work/files.tg"
    make_machine
    read -r system jobs hosts cores path sum makespan <"$work/run"
    values=$(grid "$system") facts=$2,$system,$jobs,$hosts,$cores,$path,$sum,$makespan
    later=${values#*:}
    for job in ${values%%:*}; do
        for dispatch in ${later%:*}; do
            for bandwidth in ${later#*:}; do
                make_graph "$job" "$dispatch" "$bandwidth"
                echo "$facts,$job,$dispatch,$bandwidth,$(simulate $((1 + hosts + cores)))"
                facts=,,,,,,,
            done
        done
    done
}

[ -n "$only" ] || echo run,system,jobs,hosts,cores,path,work,makespan,job,dispatch,bandwidth,elapsed
: >"$work/seen"
for file in "$data"/*.json*; do
    name=$(basename "$file" | sed 's/\.json.*//; s/\.schema.*//; s/-001$//')
    if { [ -z "$only" ] || [ "$name" = "$only" ]; } && rm -f "$work/ran" "$work/hosts" && read_run "$file"; then
        grep -qxFf "$work/run" "$work/seen" || study "$file" "$name"
        cat "$work/run" >>"$work/seen"
    fi
done
