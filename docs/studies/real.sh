#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/real.sh [--few] [--wires] [--rounds N] [-o FOLDER] [INLAY]
#
# Real programs predicted and run: factorisations with BLAS, a stencil, conjugate gradients, a pipeline (real/). Each is
# predicted from the times of its kernels on one core, and written down, before it is run: by OpenMP on one and two threads,
# by MPI on two ranks as `inlay map` and other methods place it, on four that share two cores, and, where root may make networks
# of its own, on two hosts between wires. Half of the programs tell how far off the model is on the average (`time_error`); then everything is frozen,
# and the others are predicted with that. Runs of all programs take turns. Prints real.csv's rows, and real.awk makes tables of them.
#
#   --few      small programs, once each, on however busy a computer: figures that mean nothing
#   --wires    the runs over wires alone; what the others taught is taken from real.csv
#   --rounds N how often each is run (4), three times each
#   -o FOLDER  keep what was made: graphs, machines, predictions, times, real.csv
#
# INLAY is the program: by default $INLAY, else build/inlay. From the environment: BLAS, what links BLAS and LAPACK (default
# -lopenblas); none: without the factorisations. Needs inlay-measure, an MPI and its mpicc, two processors, and that nothing else
# runs: a study on a computer that is busy, or does not run evenly, is refused.
set -u
unset CDPATH
script=real.sh few=no parts=all folder='' rounds=4 hosts=2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

while [[ $# -gt 0 ]]; do
    case $1 in
    --few) few=yes rounds=1 ;;
    --wires) parts=wires ;;
    --rounds) rounds=${2:?real.sh: --rounds needs a number} && shift ;;
    -o) folder=${2:?real.sh: -o needs a folder} && shift ;;
    -*) sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done
inlay=${1:-${INLAY:-$root/build/inlay}}
[[ $inlay = /* ]] || inlay=$PWD/$inlay

# shellcheck source=tests/measure/lab.sh
. "$root/tests/measure/lab.sh"
export OMPI_MCA_rmaps_base_oversubscribe=1 OPENBLAS_NUM_THREADS=1 OMP_PROC_BIND=true LC_ALL=C

say() { echo "$script: $*" >&2; }

# ---- A quiet computer ------------------------------------------------------------------------------------------------

ticks() { awk '/^cpu / { print $2 + $3 + $4 + $7 + $8 + $9 }' /proc/stat; } # busy, and taken by other machines, of all processors

own() { # processor time of what this script ran, in ticks: of its own shell, not one behind a pipe
    times >"$work/own"
    mine=$(awk -v hz="$(getconf CLK_TCK)" '{ split($0, a, /[ms ]+/); sum += a[1] * 60 + a[2] + a[3] * 60 + a[4] } END { print sum * hz }' "$work/own")
}

# The share of the processors that others took while the command ran, which is `others`; 0 where it is no more than the ticks
# that the clock and this script itself may be off by.
watched() { # COMMAND...
    local busy mine before begin status
    own
    before=$mine busy=$(ticks) begin=$EPOCHREALTIME
    "$@"
    status=$?
    own
    others=$(awk -v busy="$busy" -v now="$(ticks)" -v mine="$mine" -v before="$before" -v begin="$begin" -v end="$EPOCHREALTIME" \
        -v hz="$(getconf CLK_TCK)" -v cores="$(nproc)" 'BEGIN { x = now - busy - (mine - before)
            printf "%.4f", (x > 5 ? x / hz / cores / (end - begin) : 0) }')
    return $status
}

refuse_busy() {
    watched sleep 2
    if [[ $few = no ]] && awk -v others="$others" 'BEGIN { exit !(others > 0.02) }'; then
        say "others take $others of this computer's processors; a study needs a quiet one" && exit 1
    fi
}

# Others on the same hardware, beyond what this system sees, make a program's own runs differ: between the tenth and the
# ninetieth of a hundred of one on one core.
refuse_uneven() {
    local uneven
    uneven=$(OMP_NUM_THREADS=1 mpirun -n 1 "$work/real" threads 100 pipeline 8 20000 </dev/null | tr ' ' '\n' | sed 1d | sort -g |
        awk '{ t[NR] = $1 } END { printf "%.3f", (t[90] - t[10]) / t[50] }')
    say "runs of one program differ by $uneven (from the tenth to the ninetieth of a hundred)"
    if [[ $few = no ]] && awk -v uneven="$uneven" 'BEGIN { exit !(uneven > 0.05) }'; then
        say 'a study needs a computer that runs evenly: by 0.05 at most' && exit 1
    fi
}

# ---- Graphs ----------------------------------------------------------------------------------------------------------

ranks() { mpirun -n "$1" "$work/real" "${@:2}" </dev/null; }

# The program with the times that its kernels take now, on one core while the other rests; all that were measured are kept. Where they
# take longer while both cores do the same, they share what they move: so many bytes that two of them take as long on this memory.
measure_graph() { # PROGRAM RUNS
    local number
    number=$(find "$folder" -name "$1.[0-9]*.dot" | wc -l)
    # shellcheck disable=SC2086 # a program is words
    { ranks 1 graph "$2" ${1//-/ } >"$work/alone.dot" && ranks 2 graph "$2" ${1//-/ } >"$work/both.dot"; } || exit
    awk -v bandwidth="$(attribute memory_bandwidth "$folder/here.dot")" '
        { is_module = match($0, /time=[0-9.]+/); time = is_module ? substr($0, RSTART + 5, RLENGTH - 5) : "" }
        NR == FNR { alone[FNR] = time; next }
        is_module {
            ratio = alone[FNR] > 0 ? time / alone[FNR] : 1
            more = ratio > 1.05 ? sprintf(", traffic_memory=%.0f", alone[FNR] * bandwidth * 1e9 * ratio / 2) : ""
            sub(/time=[0-9.]+/, "time=" alone[FNR] more)
        }
        { print }' "$work/alone.dot" "$work/both.dot" >"$folder/$1.$number.dot"
    cp "$folder/$1.$number.dot" "$folder/$1.dot"
}

# The medians of all, of times and of bytes.
median_graph() { # PROGRAM
    awk '
        function middle(list,   n, a, b, x) {
            n = split(list, v, " ")
            for (a = 2; a <= n; a++) for (b = a; b > 1 && v[b - 1] + 0 > v[b] + 0; b--) { x = v[b]; v[b] = v[b - 1]; v[b - 1] = x }
            return v[int((n + 1) / 2)]
        }
        match($0, /time=[0-9.]+/) {
            t[FNR] = t[FNR] " " substr($0, RSTART + 5, RLENGTH - 5)
            moved[FNR] = moved[FNR] " " (match($0, /traffic_memory=[0-9]+/) ? substr($0, RSTART + 15, RLENGTH - 15) : 0)
            sub(/, traffic_memory=[0-9]+/, "")
        }
        { line[FNR] = $0; last = FNR }
        END { for (i = 1; i <= last; i++) {
            if (i in t) {
                bytes = middle(moved[i])
                sub(/time=[0-9.]+/, "time=" middle(t[i]) (bytes > 0 ? ", traffic_memory=" bytes : ""), line[i])
            }
            print line[i] } }' "$folder/$1".[0-9]*.dot >"$folder/$1.dot"
}

# ---- Machines --------------------------------------------------------------------------------------------------------

attribute() { sed -n "s/.*[ ,]$1=\(\"[^\"]*\"\|[^],]*\).*/\1/p" "$2" | head -n 1 | tr -d '"'; } # NAME FILE

without() { sed "s/, *\($1\)=\(\"[^\"]*\"\|[^],]*\)//g" "$2"; } # NAMES-WITH-BARS FILE

# Machines of which one mechanism each is taken, and the cores of one host for OpenMP.
make_machines() { # NAME
    local file=$folder/$1.dot shared
    sed -i 's/, *core_bandwidth=\("[^"]*"\|[^],]*\)//' "$file" # what a kernel asks for is found by its own times
    without 'o_send\|o_recv' "$file" >"$folder/$1.overheads.dot"
    without 'memory_bandwidth\|boards' "$file" >"$folder/$1.memory.dot"
    sed 's/network=links/network=links, contention=none/; s/network=bus/network=bus, contention=none/' "$file" >"$folder/$1.queues.dot"
    shared="crossbar:2,contention=free,memory_bandwidth=$(attribute memory_bandwidth "$file"),boards=1"
    echo "$shared,task_overhead=$task_overhead" >"$folder/$1.threads"
    echo "$shared" >"$folder/$1.threads.overheads"
    echo "crossbar:2,contention=free,task_overhead=$task_overhead" >"$folder/$1.threads.memory"
}

# What OpenMP takes before a task, beyond the task: of many that do next to nothing.
find_task_overhead() {
    ranks 1 graph 3 pipeline 2000 8 >"$work/small.dot"
    task_overhead=$(OMP_NUM_THREADS=1 "$work/real" threads 9 pipeline 2000 8 | awk -v work="$(awk 'match($0, /time=[0-9.]+/) {
        sum += substr($0, RSTART + 5, RLENGTH - 5) } END { print sum }' "$work/small.dot")" \
        '{ n = split($0, t, " "); least = t[2]; for (i = 3; i <= n; i++) if (t[i] < least) least = t[i]
           x = (least - work) / 8000; printf "%.3gs", (x > 0 ? x : 0) }')
}

# ---- Predictions -----------------------------------------------------------------------------------------------------

member() { sed -n "s/^ *\"$1\": \([-0-9.e]*\),\{0,1\}\$/\1/p" "$2" | sed -n "${3:-1}p"; } # NAME FILE [WHICH]

rows=() # "MACHINE PROGRAM HOW" of each; its files are $folder/MACHINE-PROGRAM-HOW.*

id_of() { echo "$1-$2-$3"; }

# A placement of two ranks by a method, which keeps it.
place() { # MACHINE PROGRAM METHOD
    [[ -e $folder/$2.dot ]] || measure_graph "$2" 3
    "$inlay" map "$folder/$2.dot" "$folder/$1.dot" --method "$3" --processors 2 --quiet -o "$work/mapping.json" \
        --placement "$folder/$1-$2-$3.csv" || exit
    rows+=("$1 $2 $3")
}

# A placement of four ranks, of which each two share a processor: which of their modules comes first is for the processor.
place_four() { # MACHINE PROGRAM
    local ranks=$folder/$1-$2-four.ranks
    "$inlay" map "$folder/$2.dot" crossbar:4,contention=free --processors 4 --quiet -o "$work/mapping.json" --placement "$ranks" || exit
    awk -F, 'NR == 1 { print "module,processor"; next } { print $1 "," int($2 / 2) }' "$ranks" >"$folder/$1-$2-four.csv"
    rows+=("$1 $2 four")
}

run_by_openmp() { # MACHINE PROGRAM THREADS
    rows+=("$1 $2 openmp$3")
}

placed_elapsed() { # GRAPH MACHINE PLACEMENT
    "$inlay" evaluate "$1" "$2" "$3" --json --quiet >"$work/other.json" && member elapsed "$work/other.json"
}

threads_elapsed() { # GRAPH MACHINE-STRING THREADS
    "$inlay" speedup "$1" "$2" --cores "$3..$3" --json --quiet >"$work/curve.json" && member elapsed "$work/curve.json"
}

# Elapsed time, and the interval that it is in with 90 %: of a placement; of OpenMP, whose tasks are placed while it runs.
predict() { # MACHINE PROGRAM HOW
    local elapsed
    case $3 in
    openmp*)
        elapsed=$(threads_elapsed "$folder/$2.dot" "$(cat "$folder/$1.threads")" "${3#openmp}") || return
        awk -v t="$elapsed" -v error="$(attribute time_error "$folder/$1.dot")" 'BEGIN { print t, t * (1 - 1.645 * error), t * (1 + 1.645 * error) }'
        ;;
    *)
        "$inlay" evaluate "$folder/$2.dot" "$folder/$1.dot" "$folder/$1-$2-$3.csv" --quiet -o "$work/mapping.json" &&
            "$inlay" simulate "$work/mapping.json" --json --quiet >"$work/simulated.json" || return
        echo "$(member makespan "$work/simulated.json") $(member low "$work/simulated.json") $(member high "$work/simulated.json")"
        ;;
    esac
}

# What a mechanism is worth: predictions from the median times, with each taken away in turn. Where messages and memory cost nothing and
# a list is followed, as the null model has it; of one thread that is all work.
compare_models() { # MACHINE PROGRAM HOW
    local graph=$folder/$2.dot file=$folder/$1.dot placement=$folder/$1-$2-$3.csv
    median_graph "$2"
    [[ -e $folder/$2.null ]] || {
        "$inlay" map "$graph" crossbar:2,contention=free --method etf --json --quiet >"$work/null.json" &&
            member elapsed "$work/null.json" >"$folder/$2.null"
    }
    case $3 in
    openmp*)
        echo "$(threads_elapsed "$graph" "$(cat "$folder/$1.threads")" "${3#openmp}")" \
            "$(if [[ $3 = openmp1 ]]; then serial "$2"; else cat "$folder/$2.null"; fi) $(serial "$2")" \
            "$(threads_elapsed "$graph" "$(cat "$folder/$1.threads.overheads")" "${3#openmp}")" \
            "$(threads_elapsed "$graph" "$(cat "$folder/$1.threads.memory")" "${3#openmp}") - - $(cat "$folder/$2.null")"
        ;;
    *)
        sed 's/, data=v[0-9]*//' "$graph" >"$work/copied.dot"
        echo "$(placed_elapsed "$graph" "$file" "$placement") $(cat "$folder/$2.null") $(serial "$2")" \
            "$(placed_elapsed "$graph" "$folder/$1.overheads.dot" "$placement")" \
            "$(placed_elapsed "$graph" "$folder/$1.memory.dot" "$placement")" \
            "$(placed_elapsed "$graph" "$folder/$1.queues.dot" "$placement")" \
            "$(placed_elapsed "$work/copied.dot" "$file" "$placement") -"
        ;;
    esac
}

serial() { awk 'match($0, /time=[0-9.]+/) { sum += substr($0, RSTART + 5, RLENGTH - 5) } END { print sum }' "$folder/$1.dot"; }

# ---- Runs ------------------------------------------------------------------------------------------------------------

run_once() { # MACHINE PROGRAM HOW
    # shellcheck disable=SC2086,SC2016 # a program is words; for the shell of each rank
    case $3 in
    openmp*) OMP_NUM_THREADS=${3#openmp} mpirun -n 1 --bind-to none "$work/real" threads 3 ${2//-/ } </dev/null ;;
    four) mpirun -n 4 --bind-to none sh -c 'exec taskset -c $((OMPI_COMM_WORLD_RANK / 2)) "$@"' sh "$work/real" \
        "$folder/$1-$2-four.ranks" 3 ${2//-/ } </dev/null ;;
    *) "${launch[@]}" -n 2 "$work/real" "$folder/$1-$2-$3.csv" 3 ${2//-/ } </dev/null ;;
    esac >"$work/once"
}

# One run, again where others were at work meanwhile. It was predicted before.
run_quietly() { # MACHINE PROGRAM HOW
    local left=3 id
    id=$(id_of "$@")
    predict "$@" >>"$folder/$id.predicted" || return
    while ((left-- > 0)); do
        watched run_once "$@" || return
        # what wires and the kernel do for messages is of the run, and cannot be told from others
        if [[ $few = yes || -n $wire ]] || awk -v others="$others" 'BEGIN { exit !(others <= 0.01) }'; then
            break
        fi
        echo "$id $others" >>"$folder/repeated"
    done
    cat "$work/once" >>"$folder/$id.times"
}

# All rows take turns: those of a program one behind another, and behind its kernels.
run_rows() {
    local round row program
    for ((round = 1; round <= rounds; round++)); do
        while read -r program; do
            measure_graph "$program" 2
            for row in "${rows[@]}"; do
                # shellcheck disable=SC2086 # words
                [[ $row != *" $program "* ]] || run_quietly $row || { say "$row failed" && exit 1; }
            done
        done < <(printf '%s\n' "${rows[@]}" | cut -d ' ' -f 2 | awk '!seen[$0]++')
        say "round $round of $rounds"
    done
}

# The medians over all rounds of what was predicted and measured, a round's time being the middle one of its three.
csv_row() { # MACHINE PROGRAM HOW
    local id
    id=$(id_of "$@")
    compare_models "$@" >"$work/models"
    awk -v OFS=, -v id="$id,$2,$1,$3" '
        function sort(n,   a, b, x) {
            for (a = 2; a <= n; a++) for (b = a; b > 1 && v[b - 1] > v[b]; b--) { x = v[b]; v[b] = v[b - 1]; v[b - 1] = x }
        }
        function middle(list, k, n,   i) {
            for (i = 1; i <= n; i++) v[i] = list[i, k]
            sort(n)
            return v[int((n + 1) / 2)]
        }
        FILENAME ~ /models$/ { for (i = 1; i <= NF; i++) model[i] = $i; next }
        FILENAME ~ /predicted$/ { predictions++; for (i = 1; i <= 3; i++) p[predictions, i] = $i; next }
        { for (i = 2; i <= NF; i++) v[i - 1] = $i; n = NF - 1; sort(n); t[++runs, 1] = v[int((n + 1) / 2)]; sums[$1] }
        END {
            line = id OFS middle(p, 1, predictions) OFS middle(p, 2, predictions) OFS middle(p, 3, predictions)
            for (i = 1; i <= 8; i++) line = line OFS model[i]
            measured = middle(t, 1, runs)
            for (s in sums) sum = sum s "/"
            sub(/\/$/, "", sum)
            print line, measured, v[1], v[runs], runs, sum
        }' "$work/models" "$folder/$id.predicted" "$folder/$id.times"
}

all_rows() { # of `rows`
    local row
    for row in "${rows[@]}"; do
        # shellcheck disable=SC2086 # words
        csv_row $row
    done
}

# The standard deviation about 0 of how far measured times are from predicted ones.
error_of() { awk -F, '{ e = $16 / $5 - 1; sum += e * e } END { printf "%.3f", sqrt(sum / NR) }' "$1"; } # ROWS

set_error() { sed -i "s/time_spread=/time_error=$2, time_spread=/" "$folder/$1.dot"; } # MACHINE ERROR

measure_machine() { # NAME ERROR OPTION...
    "$inlay" measure "${@:3}" --quiet -o "$folder/$1.dot" || exit
    set_error "$1" "$2"
    # hosts between wires stand on one computer, and share its memory
    [[ -z $wire ]] || sed -i "s|memory_bandwidth=\"[^\"]*\"|memory_bandwidth=\"$(attribute memory_bandwidth "$folder/here.dot")\"|; s|boards=[0-9]*|boards=1|" "$folder/$1.dot"
    make_machines "$1"
}

# ---- The study -------------------------------------------------------------------------------------------------------

lab_begin
[[ -n $folder ]] || folder=$work/results
mkdir -p "$folder" && rm -f "$folder"/*.times "$folder"/*.predicted "$folder"/*.null "$folder"/*.dot "$folder/repeated" || exit
folder=$(cd "$folder" && pwd -P)
cp "$root"/docs/studies/real/*.[ch] "$work" || exit
if [[ ${BLAS-} = none ]]; then
    rm "$work/tiled.c" && BLAS=-DNO_BLAS
fi
# shellcheck disable=SC2086 # options
mpicc -O2 -std=gnu17 -fopenmp "$work"/*.c -o "$work/real" ${BLAS--lopenblas} -lm || exit
launch=(mpirun)
refuse_busy
refuse_uneven

if [[ $few = yes ]]; then
    learn=(stencil-64-4-4) judge=(gradient-40-3-4 pipeline-4-1000) compared=(gradient-40-3-4) wired=()
    [[ ${BLAS-} = -DNO_BLAS ]] || learn+=(cholesky-4-40) judge+=(lu-4-40)
    methods=(heft one)
else
    learn=(cholesky-12-200 cholesky-20-200 cholesky-8-400 stencil-256-1000-4 stencil-1024-100-4 stencil-2048-30-4)
    judge=(lu-10-200 lu-16-200 lu-8-400 cholesky-30-200 gradient-300-200-4 gradient-700-40-4 gradient-1500-10-4
        stencil-512-600-4 stencil-4096-8-4 pipeline-100-10000 pipeline-40-40000 pipeline-20-100000)
    compared=(lu-10-200 gradient-700-40-4 stencil-2048-30-6 pipeline-40-40000)
    wired=(cholesky-8-200 lu-6-200 stencil-1024-60-4 gradient-300-20-4 pipeline-30-20000)
    methods=(heft etf houstis linear round-robin blocks random multilevel one)
fi

find_task_overhead
measure_machine here 0
if [[ $parts = all ]]; then
    for program in "${learn[@]}"; do
        place here "$program" best && run_by_openmp here "$program" 1 && run_by_openmp here "$program" 2
    done
    run_rows
    all_rows >"$folder/learned.csv"
else
    grep ',learned$' "$root/docs/studies/real.csv" | sed 's/,learned$//' >"$folder/learned.csv"
fi
error=$(error_of "$folder/learned.csv")
say "the model is off by $error on what it learns from"

measure_machine here "$error"
echo "model $(sha256sum <"$inlay" | cut -c1-16), machine $(sha256sum <"$folder/here.dot" | cut -c1-16)" >"$folder/frozen"
say "frozen: $(cat "$folder/frozen")"
rows=()
if [[ $parts = all ]]; then
    for program in "${judge[@]}"; do
        place here "$program" best && run_by_openmp here "$program" 1 && run_by_openmp here "$program" 2
    done
    for program in "${compared[@]}"; do
        for method in best "${methods[@]}"; do
            [[ -e $folder/here-$program-$method.csv ]] || place here "$program" "$method"
        done
        place_four here "$program"
    done
    run_rows
    all_rows >"$folder/judged.csv"
fi
rows=()
if [[ ${#wired[@]} -gt 0 ]] && lab_wires; then
    export OMPI_MCA_hwloc_base_binding_policy=none # else each host has its first rank on the same core
    for rate in 100 50; do
        lab_up switch $rate 0.2
        launch=("$work/launch" --hostfile "$work/hosts")
        measure_machine wire$rate "$error" -n 2 --launcher "$work/launch" --hostfile "$work/hosts"
        for program in "${wired[@]}"; do
            place wire$rate "$program" best && place wire$rate "$program" round-robin
        done
        run_rows
        all_rows >>"$folder/judged.csv"
        rows=()
        lab_down
    done
fi
{
    echo 'id,program,machine,how,predicted,low,high,again,null,serial,no_overheads,no_memory,no_queues,no_shared_data,no_scheduler,measured,least,most,runs,sum,part'
    [[ $parts = wires ]] || sed 's/$/,learned/' "$folder/learned.csv"
    sed 's/$/,judged/' "$folder/judged.csv"
} >"$folder/real.csv"
cat "$folder/real.csv"
