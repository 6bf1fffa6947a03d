#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/estimate.sh [--few] [--jobs N] [--into FOLDER] [INLAY]
#        docs/studies/estimate.sh --from FOLDER
#
# How far the estimate of the elapsed time and its screen are from the simulated one, on many graphs, on machines of all six
# delay models and at many loads; and whether T_FIT and T_PAR bound the simulated time. Prints tables in Markdown.
#
#   --few          four small graphs, 8 processors and three loads: seconds
#   --jobs N       runs N graphs side by side (default: as many as there are processors)
#   --into FOLDER  leaves what was measured in FOLDER/estimate.csv and FOLDER/estimate-frames.csv
#   --from FOLDER  runs nothing, and makes the tables of these two files
#
# INLAY is the program: by default $INLAY, else build/inlay, else the one in PATH. Real traces are taken from
# $INLAY_DATA (default ../shared/data) where they are there.
set -eu
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
few=no jobs='' into='' from=''

usage() {
    sed -n 's/^# \(Usage: .*\)/\1/p; s/^#        \(docs.*\)/       \1/p' "$0" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    --few) few=yes ;;
    --jobs | --into | --from)
        [ $# -gt 1 ] || usage
        case $1 in --jobs) jobs=$2 ;; --into) into=$2 ;; *) from=$2 ;; esac
        shift
        ;;
    -*) usage ;;
    *) break ;;
    esac
    shift
done
[ $# -le 1 ] || usage

tables() { # FOLDER
    LC_ALL=C awk -f "$here/estimate.awk" "$1/estimate.csv" "$1/estimate-frames.csv"
}

if [ -n "$from" ]; then
    tables "$from"
    exit
fi

inlay=${1:-${INLAY:-$here/../../build/inlay}}
[ -n "${1:-${INLAY:-}}" ] || [ -x "$inlay" ] || inlay=$(command -v inlay) || inlay=inlay
[ -x "$inlay" ] || {
    echo "estimate.sh: there is no program $inlay; run make, or name it" >&2
    exit 2
}
case $inlay in /*) ;; *) inlay=$PWD/$inlay ;; esac
into=${into:+$(mkdir -p "$into" && cd "$into" && pwd)}
cd "$here/../.."
data=${INLAY_DATA:-../shared/data}
jobs=${jobs:-$(getconf _NPROCESSORS_ONLN)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
started=''
# shellcheck disable=SC2086 # a list of processes
trap '[ -z "$started" ] || kill $started; exit 3' HUP INT TERM

# ---- What is run -----------------------------------------------------------------------------------------------------

# A graph a line: its kind, its name, and a file, a file of $data, or what `inlay generate` makes it with. Generated
# graphs are in seconds, with bytes, but for those of the paper.
graphs() {
    if [ $few = yes ]; then
        cat <<'END'
paper         cholesky4        file graphs/cholesky4.dot
factorisation cholesky-tiles5  generate cholesky --tiles 5 --rate 1e9
tree          fork-join        generate fork-join --rate 1e9 --steps 3 --width 12 --heterogeneity 1 --seed 8
random        layered          generate layered --rate 1e9 --levels 6 --width 10 --heterogeneity 1 --seed 9
END
        return
    fi
    cat <<'END'
paper         cholesky4        file graphs/cholesky4.dot
paper         cholesky5        file graphs/cholesky5.dot
paper         cholesky8        generate cholesky --size 8
paper         cholesky12       generate cholesky --size 12
factorisation cholesky-tiles8  generate cholesky --tiles 8 --rate 1e9
factorisation lu-tiles6        generate lu --tiles 6 --rate 1e9
factorisation qr-tiles6        generate qr --tiles 6 --rate 1e9
factorisation gauss12          generate gauss --size 12 --rate 1e9
grid          fft16            generate fft --size 16 --rate 1e9
grid          stencil-1d       generate stencil --rate 1e9 --size 16 --dimensions 1 --steps 8 --heterogeneity 0.5 --seed 1
grid          stencil-2d       generate stencil --rate 1e9 --size 5 --dimensions 2 --steps 6 --heterogeneity 0.5 --seed 2
grid          wavefront-2d     generate wavefront --rate 1e9 --size 12 --dimensions 2
grid          wavefront-3d     generate wavefront --rate 1e9 --size 5 --dimensions 3 --heterogeneity 0.5 --seed 3
tree          in-tree          generate in-tree --rate 1e9 --levels 7 --heterogeneity 1 --seed 4
tree          out-tree         generate out-tree --rate 1e9 --levels 5 --degree 3 --heterogeneity 1 --seed 5
tree          fork-join-even   generate fork-join --rate 1e9 --steps 4 --width 20
tree          fork-join        generate fork-join --rate 1e9 --steps 4 --width 20 --heterogeneity 1 --seed 6
tree          series-parallel  generate series-parallel --rate 1e9 --modules 120 --heterogeneity 1 --seed 7
random        layered-sparse   generate layered --rate 1e9 --levels 8 --width 14 --degree 2 --heterogeneity 1 --seed 8
random        layered-dense    generate layered --rate 1e9 --levels 8 --width 14 --degree 6 --heterogeneity 1 --seed 9
random        erdos-sparse     generate erdos-renyi --rate 1e9 --modules 120 --density 0.02 --heterogeneity 1 --seed 11
random        erdos-dense      generate erdos-renyi --rate 1e9 --modules 120 --density 0.1 --heterogeneity 1 --seed 12
workflow      montage5         generate montage --size 5
workflow      epigenomics      generate epigenomics --size 2 --width 12 --heterogeneity 0.5 --seed 13
workflow      cybershake       generate cybershake --size 4 --width 12 --heterogeneity 0.5 --seed 14
trace         1000genome       data wfformat/1000genome-chameleon-2ch-100k-001.json
trace         bacass           data wfformat/bacass-dirt02-001.json
trace         blast            data wfformat/blast-chameleon-small-001.json
trace         cycles           data wfformat/cycles-chameleon-1l-1c-9p-001.json
trace         fetchngs         data wfformat/fetchngs-dirt02-001.json
trace         chain            data wfformat/helloworld-chain-5-chameleon.json
trace         forkjoin         data wfformat/helloworld-forkjoin-10-chameleon.json
trace         montage-2mass    data wfformat/montage-chameleon-2mass-005d-001.json
trace         montage-2mass-1d data wfformat/montage-chameleon-2mass-01d-001.json
trace         montage-dss      data wfformat/montage-chameleon-dss-05d-001.schema1.4.json
trace         rnaseq           data wfformat/rnaseq-dirt02-001.json
trace         seismology       data wfformat/seismology-chameleon-100p-001.json
trace         soykb            data wfformat/soykb-chameleon-10fastq-10ch-001.json
trace         viralrecon       data wfformat/viralrecon-dirt02-001.json
END
}

# Machines of `wide` processors are swept for T_FIT and T_PAR, which need as many as there are clusters.
processors='8 16'
wide=64
machines='bus-common bus multibus omega omega-pe mesh torus star fattree'
swept='bus-common bus multibus omega omega-pe'
loads='0.05 0.15 0.25 0.35 0.45 0.55 0.65 0.75 0.85'
frame_loads='0.15 0.45 0.75'
[ $few = no ] || processors=8 wide=32 loads='0.15 0.45 0.75' frame_loads=0.45

# The delay model of a machine.
model_of() { # MACHINE
    case $1 in
    bus-common) echo 1 ;;
    bus) echo 2 ;;
    multibus) echo 3 ;;
    omega) echo 4 ;;
    omega-pe) echo 5 ;;
    *) echo 6 ;;
    esac
}

# A machine whose load is in proportion to `slowness`, the time of a byte or message in the network. P is 8, 16 or 64.
machine() { # MACHINE P SLOWNESS UNIT TIME_UNIT MESSAGE_SIZE
    LC_ALL=C awk -v name="$1" -v p="$2" -v slowness="$3" -v unit="$4" -v time="$5" -v size="$6" 'BEGIN {
        capacity = sprintf("capacity=%.9g%s/%s", 1 / slowness, unit, time)
        cycle = sprintf("%.9g%s", slowness, time)
        grid = p == 8 ? "2x4" : p == 16 ? "4x4" : "8x8"
        line["bus-common"] = "bus:" p ",memory=common,transfers=2," capacity
        line["bus"] = "bus:" p "," capacity
        line["multibus"] = "multibus:" p ",memories=" p ",buses=" p / 4 "," capacity
        line["omega"] = "omega:" p ",switch=2,packets=4,transit=" cycle ",cycle=" cycle
        line["omega-pe"] = "omega-pe:" p ",switch=2,packets=4,cycle=" cycle
        line["mesh"] = "mesh:" grid "," capacity
        line["torus"] = "torus:" grid ",switching=cut-through," capacity
        line["star"] = "star:" p "," capacity
        line["fattree"] = "fattree:" grid "," capacity
        print line[name] (size > 0 ? ",message_size=" size : "")
    }'
}

# ---- Running it ------------------------------------------------------------------------------------------------------

# Runs inlay with its result in FILE, which stays empty where the question has no answer. Anything else ends the worker.
ask() { # FILE ARGUMENT...
    file=$1 status=0
    shift
    "$inlay" "$@" --json --quiet --threads 1 >"$file" 2>"$file.error" || status=$?
    if [ $status -gt 1 ]; then
        echo "estimate.sh: status $status of inlay $*" >&2
        cat "$file.error" >&2
        exit 3
    fi
}

# The value of a member, at that depth of the object.
member() { # DEPTH NAME FILE
    sed -n "s/^ \{$((2 * $1))\}\"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$3"
}

multiply() { # FACTOR FACTOR DIVISOR
    LC_ALL=C awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { printf "%.12g\n", a * b / c }'
}

# A line of estimate.csv.
estimate_line() { # RESULT SIMULATION
    set -- "$(member 2 load "$1")" "$(member 2 estimate "$1")" "$(member 2 estimate_fixed_point "$1")" \
        "$(member 1 screen "$2")" "$(member 1 makespan "$2")"
    [ -z "$1" ] || LC_ALL=C awk -v key="$key" 'BEGIN {
        line = sprintf("%s,%.4g", key, ARGV[1])
        for (i = 2; i < ARGC; i++) line = line "," (ARGV[i] == "null" ? "" : sprintf("%.7g", ARGV[i]))
        print line
    }' "$@"
}

# Two lines of estimate-frames.csv: T_FIT and T_PAR.
frame_lines() { # LOAD RESULT
    LC_ALL=C awk -v key="$key,$1" '
        function value() { sub(/,$/, "", $2); return sprintf("%.7g", $2) }
        /^    "t_(fit|par)": [{n]/ {
            point = substr($1, 2, 5)
            if ($2 ~ /^null/) {
                print key "," point ",,,,"
                point = ""
            }
        }
        /^      "time_frame"/ && point != "" { t = value() }
        /^      "clusters"/ && point != "" { clusters = value() }
        /^      "estimate"/ && point != "" { estimate = value() }
        /^      "elapsed":/ && point != "" { print key "," point "," clusters "," t "," estimate "," value() }
        /^    }/ { point = "" }
        /^  "breakpoints"/ { exit }' "$2"
}

# Loads are in proportion to the slowness: the clusters do not depend on it as long as the network is not saturated.
study_loads() { # MACHINE P
    for load in $loads; do
        ask "$scratch/map" map "$application" --method houstis \
            "$(machine "$1" "$2" "$(multiply "$begin" "$load" "$idle")" "$unit" "$time_unit" "$size")"
        ask "$scratch/simulation" simulate "$scratch/map" --app "$application"
        key=$name,$kind,$model,$1,$2,$messages
        estimate_line "$scratch/map" "$scratch/simulation"
    done
}

study_frames() { # MACHINE P FILE
    for load in $frame_loads; do
        ask "$scratch/sweep" sweep "$application" \
            "$(machine "$1" "$2" "$(multiply "$begin" "$load" "$idle")" "$unit" "$time_unit" 0)"
        key=$name,$kind,$model,$2
        frame_lines "$load" "$scratch/sweep" >>"$3"
    done
}

# Messages as they are given, or of a `size` that makes about so many of each link. Only buses and links have bytes.
study_machine() { # MACHINE P MESSAGES FILE
    model=$(model_of "$1") messages=$3 amount=$all_bytes unit=B size=0
    if [ "$1" = omega ] || [ "$1" = omega-pe ] || [ "$all_bytes" = 0 ]; then
        amount=$all_messages unit=msg
    fi
    if [ "$messages" -gt 1 ]; then
        [ "$all_bytes" != 0 ] || return 0
        size=$(((all_bytes - 1) / (messages * links) + 1)) unit=msg
        amount=$(((all_bytes - 1) / size + 1))
    fi
    begin=$(multiply "$all_work" 1e-4 "$(multiply "$amount" "$2" 1)")
    ask "$scratch/map" map "$application" --method houstis "$(machine "$1" "$2" "$begin" "$unit" "$time_unit" "$size")"
    idle=$(member 2 load "$scratch/map")
    [ -n "$idle" ] && [ "$idle" != 0 ] || return 0 # one cluster, or clusters that exchange nothing
    if [ "$2" = $wide ]; then study_frames "$1" "$2" "$4"; else study_loads "$1" "$2"; fi
}

# Everything about one graph, on standard output and, of its sweeps, in FILE.
study() { # FILE KIND NAME HOW WHAT...
    sweeps=$1 kind=$2 name=$3 how=$4 application=$scratch/$3.dot
    shift 4
    case $how in
    file) application=$1 ;;
    data) application=$data/$1 ;;
    generate) "$inlay" generate "$@" -o "$application" || exit 3 ;;
    esac
    ask "$scratch/info" info "$application"
    all_work=$(member 1 work "$scratch/info") time_unit=$(member 1 time_unit "$scratch/info")
    all_bytes=$(member 1 bytes "$scratch/info") all_messages=$(member 1 messages "$scratch/info")
    links=$(member 1 links "$scratch/info")
    for machine in $machines; do
        for p in $processors; do
            study_machine "$machine" "$p" 1 "$sweeps"
        done
        study_machine "$machine" "${processors##* }" 20 "$sweeps"
    done
    for machine in $swept; do
        study_machine "$machine" $wide 1 "$sweeps"
    done
}

# Every jobs-th graph, from the first-th on.
worker() { # FIRST
    scratch=$work/$1
    mkdir "$scratch"
    awk -v first="$1" -v jobs="$jobs" 'NR % jobs == first % jobs { print NR, $0 }' "$work/graphs" >"$scratch/list"
    while read -r number kind name how what; do
        # shellcheck disable=SC2086 # the options of `inlay generate`
        study "$work/$number.frames" "$kind" "$name" "$how" $what >"$work/$number.estimate"
    done <"$scratch/list"
}

graphs | while read -r line; do
    file=${line##* data }
    if [ "$file" != "$line" ] && [ ! -r "$data/$file" ]; then
        echo "estimate.sh: $data/$file is not there, and is left out" >&2
    else
        echo "$line"
    fi
done >"$work/graphs"

first=1
while [ $first -le "$jobs" ]; do
    worker $first &
    started="$started $!"
    first=$((first + 1))
done
for worker in $started; do
    wait "$worker" || exit 3
done

# The files of all graphs, in their order.
collect() { # ENDING
    awk '{ print NR }' "$work/graphs" | while read -r number; do
        [ ! -e "$work/$number.$1" ] || cat "$work/$number.$1"
    done
}

into=${into:-$work}
{
    echo "graph,kind,model,machine,processors,messages,load,estimate,fixed_point,screen,simulated"
    collect estimate
} >"$into/estimate.csv"
{
    echo "graph,kind,model,processors,load,point,clusters,time_frame,estimate,simulated"
    collect frames
} >"$into/estimate-frames.csv"
tables "$into"
