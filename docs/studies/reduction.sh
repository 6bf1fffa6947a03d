#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/reduction.sh [--few] [--jobs N] [--into FOLDER] [INLAY]
#        docs/studies/reduction.sh --from FOLDER
#
# Which way of reducing the parallelism leaves the shortest estimate, on many graphs, machines and time frames, and does
# the best clustering stand where the paper says? Prints tables in Markdown.
#
#   --few          four small graphs and one machine: seconds
#   --jobs N       runs N graphs side by side (default: as many as there are processors)
#   --into FOLDER  leaves what was measured in FOLDER/reduction.csv and FOLDER/sweeps.csv
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
    LC_ALL=C awk -f "$here/reduction.awk" "$1/reduction.csv" "$1/sweeps.csv"
}

if [ -n "$from" ]; then
    tables "$from"
    exit
fi

inlay=${1:-${INLAY:-$here/../../build/inlay}}
[ -n "${1:-${INLAY:-}}" ] || [ -x "$inlay" ] || inlay=$(command -v inlay) || inlay=inlay
[ -x "$inlay" ] || {
    echo "reduction.sh: there is no program $inlay; run make, or name it" >&2
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

# A graph a line: its kind, its name, and a file, a file of $data, or what `inlay generate` makes it with.
graphs() {
    if [ $few = yes ]; then
        cat <<'END'
example       cholesky4        file graphs/cholesky4.dot
factorisation cholesky-tiles5  generate cholesky --tiles 5
tree          fork-join        generate fork-join --steps 3 --width 12 --heterogeneity 1 --seed 8
random        layered          generate layered --levels 6 --width 10 --degree 2 --heterogeneity 1 --seed 9
END
        return
    fi
    cat <<'END'
example       toy              file graphs/toy.dot
example       blocks           file graphs/blocks.dot
example       cholesky4        file graphs/cholesky4.dot
example       cholesky5        file graphs/cholesky5.dot
example       workflow         file graphs/workflow.json
factorisation cholesky12       generate cholesky --size 12
factorisation cholesky-tiles8  generate cholesky --tiles 8
factorisation lu-tiles6        generate lu --tiles 6
factorisation qr-tiles6        generate qr --tiles 6
factorisation gauss12          generate gauss --size 12
grid          fft16            generate fft --size 16
grid          stencil-1d       generate stencil --size 16 --dimensions 1 --steps 8 --heterogeneity 0.5 --seed 1
grid          stencil-2d       generate stencil --size 5 --dimensions 2 --steps 6 --heterogeneity 0.5 --seed 2
grid          wavefront-2d     generate wavefront --size 12 --dimensions 2
grid          wavefront-3d     generate wavefront --size 5 --dimensions 3 --heterogeneity 0.5 --seed 3
tree          in-tree          generate in-tree --levels 7 --heterogeneity 1 --seed 4
tree          out-tree         generate out-tree --levels 5 --degree 3 --heterogeneity 1 --seed 5
tree          fork-join-even   generate fork-join --steps 4 --width 20
tree          fork-join        generate fork-join --steps 4 --width 20 --heterogeneity 1 --seed 6
tree          series-parallel  generate series-parallel --modules 120 --heterogeneity 1 --seed 7
random        layered-sparse   generate layered --levels 8 --width 14 --degree 2 --heterogeneity 1 --seed 8
random        layered-dense    generate layered --levels 8 --width 14 --degree 6 --heterogeneity 1 --seed 9
random        layered-long     generate layered --levels 30 --width 5 --degree 2 --heterogeneity 1 --seed 10
random        erdos-sparse     generate erdos-renyi --modules 120 --density 0.02 --heterogeneity 1 --seed 11
random        erdos-dense      generate erdos-renyi --modules 120 --density 0.1 --heterogeneity 1 --seed 12
workflow      montage5         generate montage --size 5
workflow      epigenomics      generate epigenomics --size 2 --width 12 --heterogeneity 0.5 --seed 13
workflow      cybershake       generate cybershake --size 4 --width 12 --heterogeneity 0.5 --seed 14
trace         1000genome       data wfformat/1000genome-chameleon-2ch-100k-001.json
trace         bacass           data wfformat/bacass-dirt02-001.json
trace         blast            data wfformat/blast-chameleon-small-001.json
trace         cycles           data wfformat/cycles-chameleon-1l-1c-9p-001.json
trace         fetchngs         data wfformat/fetchngs-dirt02-001.json
trace         montage          data wfformat/montage-chameleon-2mass-005d-001.json
trace         rnaseq           data wfformat/rnaseq-dirt02-001.json
trace         seismology       data wfformat/seismology-chameleon-100p-001.json
trace         soykb            data wfformat/soykb-chameleon-10fastq-10ch-001.json
trace         viralrecon       data wfformat/viralrecon-dirt02-001.json
stg           robot            data stg/app/robot.stg
stg           sparse           data stg/app/sparse.stg
stg           rnc50-0          data stg/rnc50/rand0000.stg
stg           rnc50-27         data stg/rnc50/rand0027.stg
stg           rnc50-60         data stg/rnc50/rand0060.stg
stg           rnc100-51        data stg/rnc100/rand0051.stg
END
}

# Reduction to so many processors; `wide` are the processors of one more sweep.
processors='4 8 16'
machines='light heavy flooded four'
wide=64
# A shorter T than the default one has no answer: it binds the reduction, and is less than all work over P or a module.
factors='1.1 1.25 1.5 2 4'
[ $few = no ] || processors=4 machines=heavy factors='1.25 2' wide=16

# The order in which reduction.awk expects the estimates of a time frame.
# Before the clustering, traffic makes no difference: modules of one level exchange nothing.
ways='after,h1,work after,h2,work after,h2,traffic before,h1,work before,h2,work'

# A machine of P processors for this graph. Were all links to go over one bus in the time that P processors need for the
# work, it would be busy for a tenth of it (light), eight tenths (heavy), or three times it (flooded). `four` has four
# buses, each half as fast as the heavy one.
machine() { # NAME P AMOUNT UNIT WORK TIME_UNIT
    case $1 in
    light) set -- "bus:$2" "$2" "$3" "$4" "$5" "$6" 0.1 ;;
    heavy) set -- "bus:$2" "$2" "$3" "$4" "$5" "$6" 0.8 ;;
    flooded) set -- "bus:$2" "$2" "$3" "$4" "$5" "$6" 3 ;;
    four) set -- "multibus:$2,memories=16,buses=4" "$2" "$3" "$4" "$5" "$6" 1.6 ;;
    esac
    LC_ALL=C awk -v text="$1" -v p="$2" -v amount="$3" -v unit="$4" -v work="$5" -v time="$6" -v load="$7" \
        'BEGIN { printf "%s,capacity=%.6g%s/%s\n", text, amount * p / (work * load), unit, time }'
}

# ---- Running it ------------------------------------------------------------------------------------------------------

# Runs inlay with its result in FILE, which stays empty where the question has no answer. Anything else ends the worker.
ask() { # FILE ARGUMENT...
    file=$1 status=0
    shift
    "$inlay" "$@" --json --quiet --threads 1 >"$file" 2>"$file.error" || status=$?
    if [ $status -gt 1 ]; then
        echo "reduction.sh: status $status of inlay $*" >&2
        cat "$file.error" >&2
        exit 3
    fi
}

# The value of a member of the outermost object.
member() { # NAME FILE
    sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$2"
}

# Of a clustering or mapping, E is the estimate and F the one whose T equals it. Where the network alone takes longer
# than any such estimate, F is that time: load times T. Both are divided by the lower bound.

# What a sweep says of the clusterings on at most P processors, as a line of sweeps.csv; E is at their least T.
sweep_line() { # SWEEP
    LC_ALL=C awk '
        function value() { sub(/,$/, "", $2); return $2 }
        function ratio(x) { return sprintf("%.5f", x / bound) }
        function least(a, b) { return a == "" || b != "" && b + 0 < a + 0 ? b : a }
        /^  "processors"/ { most = value() }
        /^    "t_par": [{]/ { inside = 1 }
        /^    }/ { inside = 0 }
        inside && /^      "breakpoint"/ { par = value() }
        /^  "breakpoints"/ { rows = 1 }
        rows && /^      "time_frame"/ { t = value() }
        rows && /^      "clusters"/ { clusters = value() }
        rows && /^      "load"/ { load = value() }
        rows && /^        "estimate"/ { e = value() }
        rows && /^        "estimate_fixed_point"/ { f = value() }
        rows && /^        "lower_bound"/ { bound = value() }
        rows && /^    }/ {
            if (clusters + 0 <= most + 0 && e != "null") {
                count++
                e = ratio(e)
                f = ratio(f == "null" ? load * t : f)
                if (fewest == "" || clusters + 0 < fewest + 0) {
                    fewest = clusters
                    e_few = f_few = ""
                }
                if (clusters == fewest) {
                    e_few = least(e_few, e)
                    f_few = least(f_few, f)
                }
                if (par != "" && row == par) {
                    at_par = clusters
                    e_par = e
                    f_par = f
                }
                if (e_best == "" || e + 0 < e_best + 0) {
                    e_best = e
                    best = clusters
                }
                f_best = least(f_best, f)
            }
            row++
        }
        END {
            printf "%d,%d,%s,%s,%s,%s,%s,%s,%s,%s,%s\n", row, count, at_par, fewest, best, e_par, e_few, e_best,
                f_par, f_few, f_best
        }' "$1"
}

# One line of reduction.csv from the results of all ways: how many clusters were reduced, then E and F of each way,
# empty where there is no answer.
reduction_line() { # FRAME RESULT...
    frame=$1
    shift
    LC_ALL=C awk -v frame="$frame" -v files="$*" '
        function ratio(x) { return x == "" ? "" : sprintf("%.4f", x / bound) }
        function value() { sub(/,$/, "", $2); return $2 }
        /^  "time_frame":/ { t = value() }
        /^    "load":/ { load = value() }
        /^    "estimate":/ { e[FILENAME] = value() }
        /^    "estimate_fixed_point":/ { f[FILENAME] = value() == "null" ? load * t : value() }
        /^    "lower_bound":/ { bound = value() }
        /^  "reduced_from": [0-9]/ && FILENAME ~ /\/after,[^\/]*$/ { from = value() }
        END {
            line = frame "," from
            n = split(files, way, " ")
            for (i = 1; i <= n; i++) line = line "," ratio(e[way[i]])
            for (i = 1; i <= n; i++) line = line "," ratio(f[way[i]])
            print line
        }' "$@"
}

# All ways at one time frame: an option -T, or none for the default one.
try() { # FRAME APPLICATION MACHINE [OPTION]...
    frame=$1 application=$2 machine=$3
    shift 3
    results=''
    for way in $ways; do
        rest=${way#*,}
        ask "$scratch/$way" map --method houstis "$application" "$machine" --reduce-when "${way%%,*}" --reduce "${rest%,*}" \
            --reduce-by "${rest#*,}" "$@"
        results="$results $scratch/$way"
    done
    # shellcheck disable=SC2086 # a list of files
    reduction_line "$frame" $results | sed "s/^/$key,/"
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
    amount=$(member bytes "$scratch/info") unit=B
    [ "$amount" != 0 ] || amount=$(member traffic "$scratch/info") unit=msg
    all_work=$(member work "$scratch/info") time_unit=$(member time_unit "$scratch/info")
    for p in $processors $wide; do
        for m in $machines; do
            text=$(machine "$m" "$p" "$amount" "$unit" "$all_work" "$time_unit")
            key=$name,$kind,$m,$p
            ask "$scratch/sweep" sweep "$application" "$text"
            sweep_line "$scratch/sweep" | sed "s/^/$key,/" >>"$sweeps"
            [ "$p" != "$wide" ] || continue
            try default "$application" "$text"
            default=$(member time_frame "$scratch/after,h2,work")
            for factor in $factors; do
                try "$factor" "$application" "$text" \
                    -T "$(LC_ALL=C awk -v t="$default" -v by="$factor" 'BEGIN { printf "%.9f\n", t * by }')"
            done
        done
    done
}

# Every jobs-th graph, from the first-th on.
worker() { # FIRST
    scratch=$work/$1
    mkdir "$scratch"
    awk -v first="$1" -v jobs="$jobs" 'NR % jobs == first % jobs { print NR, $0 }' "$work/graphs" >"$scratch/list"
    while read -r number kind name how what; do
        # shellcheck disable=SC2086 # the options of `inlay generate`
        study "$work/$number.sweeps" "$kind" "$name" "$how" $what >"$work/$number.reduction"
    done <"$scratch/list"
}

graphs | while read -r line; do
    file=${line##* data }
    if [ "$file" != "$line" ] && [ ! -r "$data/$file" ]; then
        echo "reduction.sh: $data/$file is not there, and is left out" >&2
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

into=${into:-$work}
{
    echo "graph,kind,machine,processors,frame,reduced_from,$(
        for of in E F; do for way in $ways; do printf '%s ' "$of:$way"; done; done |
            sed 's/,/-/g; s/ $//; s/ /,/g')"
    awk '{ print NR }' "$work/graphs" | while read -r number; do cat "$work/$number.reduction"; done
} >"$into/reduction.csv"
{
    echo "graph,kind,machine,processors,clusterings,allowed,at_t_par,fewest,best,E_par,E_few,E_best,F_par,F_few,F_best"
    awk '{ print NR }' "$work/graphs" | while read -r number; do cat "$work/$number.sweeps"; done
} >"$into/sweeps.csv"
tables "$into"
