#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/measured.sh [--few] [--again CSV] [-o FOLDER] [INLAY]
#
# Predictions beside measurements, of messages alone: modules of the programs do nothing but take their time. This computer is measured, and applications are mapped on it with several time frames,
# written as synthetic programs, and run. Where root may make networks of its own the same is done on two and three hosts
# behind a switch and on a bus (see tests/measure/lab.sh). Prints the table in Markdown. Nothing else should run meanwhile.
#
#   --few      small applications on this computer alone, once each: seconds, and figures that mean nothing
#   --again CSV  run nothing: map the applications of CSV, a measured.csv of this study, anew, and put beside its rows the
#              simulated time that comes out now and, where it is the one that CSV has, the null model's
#   -o FOLDER  keep what `inlay run --json` printed, applications and machines in FOLDER, and measured.csv and measured.svg
#              that `inlay compare --measured` makes of it
#
# INLAY is the program: by default $INLAY, else build/inlay. The trace is taken from $INLAY_DATA (default ../shared/data
# beside the checkout); where it is not there a generated workflow stands in its place. Needs inlay-measure and an MPI.
set -u
unset CDPATH
script=measured.sh few=no again='' folder='' runs=5 hosts=3
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

while [[ $# -gt 0 ]]; do
    case $1 in
    --few) few=yes runs=1 ;;
    --again) again=${2:?measured.sh: --again needs a file} && shift ;;
    -o) folder=${2:?measured.sh: -o needs a folder} && shift ;;
    -*) sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done
inlay=${1:-${INLAY:-$root/build/inlay}}
[[ $inlay = /* ]] || inlay=$PWD/$inlay
[[ -x $inlay ]] || { echo "$script: there is no program $inlay; run make, or name it" >&2 && exit 2; }
data=${INLAY_DATA:-$root/../shared/data}

# shellcheck source=tests/measure/lab.sh
. "$root/tests/measure/lab.sh"

# ---- Applications ----------------------------------------------------------------------------------------------------

# Half a second of work each. Here messages are those of the kind; over wires, which carry a thousandth of what a memory
# does, as many bytes that all of them would take CCR times as long as the work, one after another.
make_graph() { # FILE NAME [CCR BANDWIDTH]
    local file=$folder/$1.dot name=$2 ccr=${3-} bandwidth=${4-} traffic=()
    [[ -z $ccr ]] || traffic=(--ccr "$ccr" --bandwidth "$bandwidth")
    case $name in
    cholesky) set -- cholesky --tiles 10 --tile 128 --rate 1.4e9 ;;
    lu) set -- lu --tiles 8 --tile 128 --rate 1.4e9 ;;
    fft) set -- fft --size 32 --rate 3e3 ;;
    wavefront) set -- wavefront --size 16 --rate 8e6 ;;
    fork-join) set -- fork-join --steps 3 --width 12 --work 1000 --bytes 20000 --rate 8e4 --heterogeneity 1 --seed 1 ;;
    montage) make_trace "$file" "$ccr" "$bandwidth" && return ;;
    small) set -- fork-join --steps 2 --width 4 --work 1000 --rate 1e6 && traffic=() ;;
    esac
    "$inlay" generate "$@" "${traffic[@]}" --quiet -o "$file"
}

# A workflow that ran for 221.7 s of processor time and moved 549 MB: a five hundredth of its times here, a thousandth of
# its files, and over wires as much of these as CCR asks for.
make_trace() { # FILE CCR BANDWIDTH
    local trace=$data/wfformat/montage-chameleon-2mass-005d-001.json bytes=0.001
    [[ -z $2 ]] || bytes=$(LC_ALL=C awk -v ccr="$2" -v bandwidth="$3" \
        'BEGIN { printf "%.6g", ccr * 0.002 * 221.7 * bandwidth / 549e6 }')
    if [[ -e $trace ]]; then
        "$inlay" convert "$trace" --scale-time 0.002 --scale-bytes "$bytes" --quiet -o "$1"
    else
        "$inlay" generate montage --size 5 --rate 1e11 --quiet -o "$1"
    fi
}

# ---- Runs ------------------------------------------------------------------------------------------------------------

member() { # NAME FILE
    sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$2" | head -n 1
}

results=() # what `inlay run` printed, in their order

# Runs the mapping; again, at most twice, where runs differ by more than 30 %: then something else went on.
run_quietly() { # RUN-OPTION...
    local again
    for again in 1 2 3; do
        lab_run "$inlay" run "$work/mapping.json" --work time --runs $runs --json --quiet "$@" >"$work/result.json" || return
        LC_ALL=C awk -v least="$(member least "$work/result.json")" -v most="$(member most "$work/result.json")" \
            'BEGIN { exit !(most <= 1.3 * least) }' && return
        echo "$script: runs differ: time $again" >&2
    done
}

# Maps the application with FACTOR times the time frame that `inlay map` takes by itself.
map_app() { # APPLICATION MACHINE FACTOR MAP-OPTION...
    local app=$folder/$1.dot machine=$folder/$2.dot factor=$3 frame
    shift 3
    "$inlay" map --method houstis "$app" "$machine" --quiet -o "$work/mapping.json" "$@" || return
    if [[ $factor != 1 ]]; then
        frame=$(member time_frame "$work/mapping.json")
        frame=$(LC_ALL=C awk -v frame="$frame" -v factor="$factor" 'BEGIN { printf "%.6g", frame * factor }')
        "$inlay" map --method houstis "$app" "$machine" -T "$frame" --quiet -o "$work/mapping.json" "$@" || return
    fi
}

# What the simulation says of the mapping where ranks share the cores, and what the null model does, for which no message
# takes any time: "SIMULATED,NULL".
predict() { # CORES
    local contention
    for contention in queues free; do
        "$inlay" simulate "$work/mapping.json" --cores "$1" --contention $contention --json --quiet >"$work/predicted.json" || return
        member makespan "$work/predicted.json"
    done | paste -s -d ,
}

added=() # of each result: "SIMULATED,NULL"

# The application on the machine, mapped and run. The result calls the machine by its short name.
study() { # APPLICATION MACHINE FACTOR RUN-OPTION...
    local app=$1 machine=$2 factor=$3 name=$2-$1-$3
    shift 3
    map_app "$app" "$machine" "$factor" || return
    if run_quietly "$@"; then
        added+=("$(predict "$(nproc)")")
        sed "s/^\( *\"machine_name\": \).*/\1\"$machine\",/" "$work/result.json" >"$folder/$name.json"
        results+=("$folder/$name.json")
        echo "$script: $name" >&2
    else
        echo "$script: $name failed" >&2 && return 1
    fi
}

here() { # APPLICATION...
    local app factor
    "$inlay" measure --quiet -o "$folder/here.dot" --json >"$work/here.json" || exit
    for app; do
        make_graph "$app" "$app"
        for factor in 1 1.3 2.1; do
            study "$app" here "$factor"
        done
    done
}

# A machine of twice as many cores as this computer has, whose ranks take turns here.
shared() { # APPLICATION...
    local app factor
    cat >"$folder/shared.dot" <<END
graph shared {
  graph [network=crossbar, processors=$((2 * $(nproc))), switching="cut-through", link_latency="0.2us",
    capacity="$(member bandwidth "$work/here.json")B/s"];
}
END
    for app; do
        for factor in 1 1.5; do
            study "$app" shared "$factor"
        done
    done
}

# Hosts between wires of RATE Mbit/s, 1 ms long; they have the cores of this computer.
wire() { # MACHINE HOSTS KIND RATE APPLICATION...
    local machine=$1 number=$2 kind=$3 rate=$4 app launch bandwidth=$(($4 * 115000))
    shift 4
    launch=(--launcher "$work/launch" --hostfile "$work/hosts")
    lab_up "$kind" "$rate" 1
    lab_run "$inlay" measure -n "$number" "${launch[@]}" --quiet -o "$folder/$machine.dot" || exit
    for app; do
        make_graph "$app-light" "$app" 0.3 $bandwidth
        make_graph "$app-heavy" "$app" 1 $bandwidth
        study "$app-light" "$machine" 1 "${launch[@]}" --cores "$(nproc)"
        study "$app-heavy" "$machine" 1.5 "${launch[@]}" --cores "$(nproc)"
    done
    lab_down
}

# ---- Rows of an older study --------------------------------------------------------------------------------------------

# Machines whose files are gone, by what the simulated times of two of their rows each say that these had: hosts, capacity
# in bytes a second and latency in nanoseconds. The other rows tell whether that is right.
lost_machines='here 2 9954731810 447.417104
switch2-10 2 1181114.12 1158951.39
switch2-100 2 11689957.2 1051909.63
switch3-10 3 1177750.67 1148992.84'

lost_machine() { # NAME HOSTS CAPACITY LATENCY
    local i
    echo 'graph lost { graph [network=links, switching="cut-through"]; "switch" [kind=switch];'
    echo "edge [capacity=\"$3B/s\", latency=\"$(LC_ALL=C awk -v latency="$4" 'BEGIN { printf "%.9g", latency / 2 }')ns\"];"
    for ((i = 0; i < $2; i++)); do echo "p$i -- \"switch\";"; done
    echo '}'
}

# The other machines stand in the CSV as strings.
find_machine() { # NAME
    local words
    words=$(grep "^$1 " <<<"$lost_machines")
    if [[ -n $words ]]; then
        # shellcheck disable=SC2086 # several words
        lost_machine $words
    else
        words=$(sed -n "/^$1-/s/^[^\"]*\"\([^\"]*\)\".*/\1/p" "$again" | head -n 1)
        "$inlay" convert "$words" --format dot --quiet
    fi >"$folder/$1.dot"
}

# Older versions sent what goes to several modules of a processor once for each.
study_again() { # NAME MACHINE CORES SIMULATED
    local app=${1#"$2-"} kind ccr rate=${2#*-}
    app=${app%-*} kind=${app%-light} kind=${kind%-heavy}
    [[ -e $folder/$2.dot ]] || find_machine "$2" || return
    case $app in
    *-light) ccr=0.3 ;;
    *-heavy) ccr=1 ;;
    *) ccr='' ;;
    esac
    make_graph "$app" "$kind" $ccr ${ccr:+$((rate * 115000))} && map_app "$app" "$2" "${1##*-}" --copies each || return
    predict "$3" | LC_ALL=C awk -F , -v was="$4" '{ d = $1 / was - 1; print $1 "," (d * d <= 1e-8 ? $2 : "") }'
}

study_all_again() {
    local row
    awk 'NR == 1 { more = sub(/,simulated_again,null$/, "") } NR > 1 && more { sub(/,[^,]*,[^,]*$/, "") } 1' "$again" >"$work/old.csv"
    {
        echo simulated_again,null
        sed 's/"[^"]*"/string/' "$work/old.csv" | awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { print $at["file"], $at["machine_name"], $at["cores"], $at["simulated"] }' |
            while read -r row; do
                # shellcheck disable=SC2086 # several words
                set -- $row
                study_again "${1%.json}" "$2" "$3" "$4" || exit
            done
    } >"$work/added.csv" || exit
    paste -d , "$work/old.csv" "$work/added.csv" >"$folder/measured.csv"
    LC_ALL=C awk -f "$root/docs/studies/measured.awk" "$folder/measured.csv"
}

# ---- The table -------------------------------------------------------------------------------------------------------

print_table() {
    "$inlay" compare --measured "${results[@]}" --quiet --csv "$work/runs.csv" --svg "$folder/measured.svg" || exit
    printf '%s\n' simulated_again,null "${added[@]}" | paste -d , "$work/runs.csv" - >"$folder/measured.csv"
    LC_ALL=C awk -f "$root/docs/studies/measured.awk" "$folder/measured.csv"
}

lab_begin
[[ -n $folder ]] || folder=$work/results
mkdir -p "$folder" || exit
if [[ -n $again ]]; then
    study_all_again
    exit
fi
if [[ $few = yes ]]; then
    here small
else
    all=(cholesky lu fft wavefront fork-join montage)
    here "${all[@]}"
    shared "${all[@]}"
    if lab_wires; then
        wire switch2-10 2 switch 10 "${all[@]}"
        wire bus2-10 2 bus 10 "${all[@]}"
        wire switch2-100 2 switch 100 "${all[@]}"
        wire bus2-100 2 bus 100 "${all[@]}"
        wire switch3-10 3 switch 10 "${all[@]}"
        wire bus3-10 3 bus 10 "${all[@]}"
    fi
fi
print_table
