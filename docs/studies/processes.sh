#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: docs/studies/processes.sh [--few] [-o FOLDER | --from FOLDER] [INLAY]
#
# How many processes should unlike processors run, and does a program then end when it is said to? `inlay measure --data`
# measures docs/examples/stencil3d.c on one core at a time, `inlay processes` fits and chooses, and the placements are run on
# two cores. The second one imitates slower processors: its processes compute each point so many times. Prints tables
# in Markdown. Nothing else should run meanwhile; it takes some minutes.
#
#   --few          a few small grids: seconds, and figures that mean nothing
#   -o FOLDER      keep perf.csv, the speeds, and placements.csv, every run of every placement, there
#   --from FOLDER  measure nothing: the tables of what -o kept
#
# INLAY is the program: by default $INLAY, else build/inlay. Needs mpicc, mpirun of Open MPI, taskset, and two cores.
set -u
unset CDPATH
script=processes.sh folder='' from=''
edges=48,72,96 columns=1,2,3,4,6 repeats=3 rounds=3 edge=96 steps=160 factors='1.5 2 3'
placements='1+1 2+1 3+2 3+1 4+1 5+2'
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

while [[ $# -gt 0 ]]; do
    case $1 in
    --few) edges=8,12 columns=1,2 repeats=1 rounds=1 edge=12 steps=20 factors=2 placements='1+1 2+1' ;;
    -o) folder=${2:?$script: -o needs a folder} && shift ;;
    --from) from=${2:?$script: --from needs a folder} && shift ;;
    -*) sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done
inlay=${1:-${INLAY:-$root/build/inlay}}
[[ $inlay = /* ]] || inlay=$PWD/$inlay
[[ -x $inlay ]] || { echo "$script: there is no program $inlay; run make, or name it" >&2 && exit 2; }
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

# ---- The program -----------------------------------------------------------------------------------------------------

# A rank that waits for a message leaves the core to others; and more ranks than cores are meant.
prepare() {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
    read -r core1 core2 _ < <(taskset -cp $$ | sed 's/.*: //' | awk -F, '
        { for (i = 1; i <= NF; i++) { n = split($i, r, "-"); for (c = r[1]; c <= r[n]; c++) printf "%d ", c } print "" }')
    [[ -n ${core2:-} ]] || { echo "$script: skipped: this needs two cores" >&2 && exit 77; }
    mpicc -std=c17 -O2 "$root/docs/examples/stencil3d.c" -o "$work/stencil3d" || exit
    # x processes with n^3 points on one core, that of the type: `fast`, or `slow` and a factor
    cat >"$work/on" <<END
#!/bin/sh
case \$1 in
fast) core=$core1 factor=1 ;;
*) core=$core2 factor=\${1#slow} ;;
esac
exec mpirun -n "\$2" taskset -c \$core ./stencil3d --steps $steps --grid "\$2x1x1" --work \$factor "\$3"
END
    chmod +x "$work/on"
}

# ---- Measured, fitted, chosen ----------------------------------------------------------------------------------------

measure() {
    local types=fast factor
    for factor in $factors; do
        types+=,slow$factor
    done
    (cd "$work" && "$inlay" measure --processes "$columns" --data "$edges" --dimensions 3 --types "$types" \
        --repeat "$repeats" --time-from time -q -o perf.csv -- ./on '{type}' '{processes}' '{data}') || exit
    cp "$work/perf.csv" "$folder"
}

# Of the result as JSON: a line a type with its name, c, a and b, the processes chosen for it, and HoHe's data.
types_of() { # RESULT
    awk -F '[:,]' '
        function value(text) { gsub(/[ "]/, "", text); return text }
        /^    {/ { name = c = a = b = each = hohe = "" }
        $1 ~ /^      "name"/ { name = value($2) }
        $1 ~ /^      "hohe_data"/ { in_hohe = 1 }
        $1 ~ /^        "each"/ { if (in_hohe) { hohe = value($2); in_hohe = 0 } else each = value($2) }
        $1 ~ /^        "[cab]"/ { number = value($2); if (number == "null") number = 0 }
        $1 ~ /"c"/ { c = number }
        $1 ~ /"a"/ { a = number }
        $1 ~ /"b"/ { b = number }
        /^    }/ && name != "" { print name, c, a, b, each, hohe; name = "" }' "$1"
}

# A line a strategy: its name, processes on both processors, layers on both, and the time said.
plan() { # FACTOR
    local perf=$work/perf-$1.csv
    grep -v '^slow' "$folder/perf.csv" >"$perf"
    grep "^slow$1," "$folder/perf.csv" >>"$perf"
    "$inlay" processes "$perf" -W $((edge * edge * edge)) --max "$edge" --fit offset --json -q >"$work/result.json" || exit
    types_of "$work/result.json" | awk -v edge="$edge" -v others="$placements" '
        function time(i, x, layers, y) {
            y = layers * edge * edge
            return y / (c[i] / (1 + (a[i] > 0 ? (x / a[i]) ^ 2 : 0) + (b[i] > 0 ? (y / b[i]) ^ 2 : 0)))
        }
        function put(name, x1, x2, n1, n2, t1, t2) {
            t1 = time(1, x1, n1)
            t2 = time(2, x2, n2)
            print name, x1, x2, n1, n2, (t1 > t2 ? t1 : t2)
        }
        { c[NR] = $2; a[NR] = $3; b[NR] = $4; chosen[NR] = $5; layers[NR] = $6 / edge / edge }
        END {
            put("HoHo", 1, 1, edge / 2, edge / 2)
            first = int(layers[1] + 0.5)
            put("HoHe", first > 0, first < edge, first, edge - first)
            put("HeHo", chosen[1], chosen[2], edge * chosen[1] / (chosen[1] + chosen[2]), edge * chosen[2] / (chosen[1] + chosen[2]))
            n = split(others, other, " ")
            for (k = 1; k <= n; k++) {
                split(other[k], x, "+")
                if (other[k] != "1+1" && other[k] != chosen[1] "+" chosen[2])
                    put("other", x[1], x[2], edge * x[1] / (x[1] + x[2]), edge * x[2] / (x[1] + x[2]))
            }
        }'
}

# ---- Run -------------------------------------------------------------------------------------------------------------

# The time of the loop with processes on one core or both; HoHe deals layers, all others deal them evenly.
run_once() { # FACTOR NAME PROCESSES PROCESSES LAYERS LAYERS
    local options=(--steps "$steps" --grid "$(($3 + $4))x1x1") on1=() on2=() and=()
    [[ $2 != HoHe || $3 = 0 || $4 = 0 ]] || options+=(--layers "$5,$6")
    [[ $3 = 0 ]] || on1=(-n "$3" taskset -c "$core1" "$work/stencil3d" "${options[@]}" "$edge")
    [[ $4 = 0 ]] || on2=(-n "$4" taskset -c "$core2" "$work/stencil3d" "${options[@]}" --work "$1" "$edge")
    [[ $3 = 0 || $4 = 0 ]] || and=(:)
    mpirun "${on1[@]}" "${and[@]}" "${on2[@]}" >"$work/said" || exit
    awk '/^loop time/ { print $3 }' "$work/said"
}

# Round after round through all of them, so that what changes with time changes all of them alike.
runs() {
    local factor line round name x1 x2 n1 n2 said
    for factor in $factors; do
        plan "$factor" >"$work/plan-$factor" || exit
    done
    for ((round = 0; round < rounds; round++)); do
        for factor in $factors; do
            while read -r name x1 x2 n1 n2 said; do
                line=$(run_once "$factor" "$name" "$x1" "$x2" "$n1" "$n2" </dev/null) || exit
                echo "$factor,$name,$x1,$x2,$said,$line"
            done <"$work/plan-$factor"
        done
    done
}

tables() { # placements.csv
    echo '| processor | c | a | b | rms | worst |'
    echo '| --- | ---: | ---: | ---: | ---: | ---: |'
    "$inlay" processes "$folder/perf.csv" -W $((edge * edge * edge)) --max 100 --fit offset -q --wide |
        awk '/^speed f/ { on = 1; next } on && NF > 5 {
            match($0, /rms [0-9.]* %/); rms = substr($0, RSTART + 4, RLENGTH - 4)
            match($0, /worst [-+0-9.]* %/); worst = substr($0, RSTART + 6, RLENGTH - 6)
            printf "| %s | %s | %s | %s | %s | %s |\n", $1, $3, $4, $5, rms, worst }'
    echo
    LC_ALL=C awk -F, '
        function median(list, n, t, i, j, k) {
            n = split(list, t, " ")
            for (i = 2; i <= n; i++) for (j = i; j > 1 && t[j - 1] + 0 > t[j] + 0; j--) { k = t[j]; t[j] = t[j - 1]; t[j - 1] = k }
            spread = (t[n] - t[1])
            return n % 2 ? t[(n + 1) / 2] : (t[n / 2] + t[n / 2 + 1]) / 2
        }
        NR > 1 { key = $1 "," $2 "," $3 "," $4; if (!(key in times)) order[++count] = key; said[key] = $5; times[key] = times[key] " " $6 }
        END {
            print "| factor | strategy | fast | slow | said, ms | measured, ms | spread | said / measured | measured / HoHo |"
            print "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
            for (i = 1; i <= count; i++) {
                split(order[i], f, ",")
                m = median(times[order[i]])
                if (f[2] == "HoHo") hoho = m
                printf "| %s | %s | %d | %d | %.1f | %.1f | %.0f %% | %.2f | %.2f |\n", f[1], f[2], f[3], f[4], 1000 * said[order[i]], 1000 * m, 100 * spread / m, said[order[i]] / m, m / hoho
            }
        }' <(head -n 1 "$1" && tail -n +2 "$1" | sort -t, -k1,1 -s)
}

if [[ -n $from ]]; then
    folder=$from
else
    mkdir -p "${folder:=$work/results}" && folder=$(cd "$folder" && pwd -P) || exit
    prepare
    measure
    {
        echo 'factor,strategy,fast,slow,said,measured'
        runs
    } >"$folder/placements.csv" || exit
fi
tables "$folder/placements.csv"
