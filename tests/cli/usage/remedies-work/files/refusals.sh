#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: refusals.sh COMMANDS SEED
#
# Draws questions at random, most of which have no answer, and runs what a refusal proposes: it has to be a command that
# works. Prints every proposal that fails, and how many refusals and proposals there were.
set -u

questions=$1
RANDOM=$2

# One of the words.
one() { local -a words=("$@"); REPLY=${words[RANDOM % ${#words[@]}]}; }

# 0 with a chance of $1 in $2.
chance() { ((RANDOM % $2 < $1)); }

# ---- An application: modules with memory and pins, links, data blocks ----

application() { # FILE
    local modules=$((RANDOM % 9 + 1)) i j unit
    local memory=$((RANDOM % 2)) pins=$((RANDOM % 4 == 0)) decimals=$((RANDOM % 3 == 0))
    blocking=$((RANDOM % 4 == 0))
    one tick tick s ms
    unit=$REPLY
    {
        echo "digraph a { graph [time_unit=$unit];"
        for ((i = 0; i < modules; i++)); do
            printf 'm%d [time=%d' $i $((RANDOM % 40))
            ((decimals)) && printf '.%d' $((RANDOM % 100))
            ((memory)) && printf ', memory=%d' $((RANDOM % 20))
            ((pins)) && chance 1 3 && printf ', pin=%d' $((RANDOM % 6))
            ((blocking)) && printf ', blocking=%d' $((RANDOM % 20))
            echo '];'
        done
        for ((i = 0; i < modules; i++)); do
            for ((j = i + 1; j < modules; j++)); do
                chance 1 3 && echo "m$i -> m$j [messages=$((RANDOM % 6)), bytes=$((RANDOM % 50))];"
            done
        done
        if chance 1 3; then
            for ((i = 0; i < RANDOM % 3 + 1; i++)); do
                echo "d$i [kind=data, size=$((RANDOM % 30)), time=$((RANDOM % 5))];"
                echo "d$i -> m$((RANDOM % modules)) [messages=2];"
            done
        fi
        echo '}'
    } >"$1"
    seconds=$([[ $unit = tick ]] && echo no || echo yes)
}

# ---- A machine: a string, or a file of unlike hosts ----

machine() {
    local per=tick limit=
    [[ $seconds = yes ]] && per=s
    chance 1 8 && { hosts "$per"; return; }
    one bus:$((RANDOM % 8 + 1)) bus:$((RANDOM % 8 + 1)),memory=common multibus:$((RANDOM % 6 + 2)),memories=2,buses=2 \
        omega:4,switch=2,packets=2 omega-pe:8,switch=2,packets=2 mesh:2x2 ring:5 fattree:4,up=1 hypercube:4 \
        mesh:2,cores=2 star:3
    machine=$REPLY
    case $machine in
    omega*) machine+=,cycle=$((RANDOM % 20 + 1))$per ;;
    *) chance 2 3 && machine+=,capacity=0.$((RANDOM % 9 + 1))msg/$per ;;
    esac
    chance 1 2 && limit=$((RANDOM % 40 + 1))
    [[ -n $limit ]] && machine+=,processor_memory=$limit
    case $machine in *common* | multibus* | omega:*) chance 1 2 && machine+=,common_memory=$((RANDOM % 40 + 1)) ;; esac
    [[ $name = map || $name = compare ]] && chance 1 6 && machine+=,speed=$((RANDOM % 3 + 1))
}

hosts() { # UNIT
    local count=$((RANDOM % 3 + 3)) i speed
    machine="the hosts.dot"
    {
        echo "graph g { graph [network=links]; edge [capacity=\"1msg/$1\"];"
        for ((i = 0; i < count; i++)); do
            speed=$((RANDOM % 3 + 1))
            [[ $name = sweep || $name = pareto ]] && speed=1
            echo "h$i [speed=$speed, memory=$((RANDOM % 60 + 1))];"
            ((i > 0)) && echo "h0 -- h$i;"
        done
        echo '}'
    } >"$machine"
}

# ---- Questions ----

# What the commands on an application and a machine share.
mapped() {
    local modules i
    one "app.dot" "an app.dot" "the user's \$app.dot" "-app.dot"
    app=$REPLY
    application "./$app"
    machine
    [[ $app = -* ]] && app=./$app
    words=("$app" "$machine")
    if [[ $name = evaluate ]]; then
        modules=$(grep -c '^m[0-9]* \[' "./$app")
        for ((i = 0; i < modules; i++)); do echo "m$i,$((RANDOM % 3))"; done >placed.csv
        words+=(placed.csv)
    fi
    [[ $name = compare ]] && chance 1 2 && { machine; words+=("$machine"); }
    [[ $name != pareto ]] && chance 2 3 && words+=(-T "$((RANDOM % 60 + 1))")
    one -p --processors
    [[ $name != evaluate ]] && chance 1 2 && words+=("$REPLY" $((RANDOM % 3 + 1)))
    one none h1 h2
    if [[ $name = map ]]; then
        chance 1 3 && words+=(--reduce "$REPLY")
        chance 1 4 && words+=(--reduce-when=before)
        chance 1 6 && words+=(--reduce-by traffic)
    fi
    case $name in map | sweep | pareto)
        chance 1 5 && words+=(--parallel overlap)
        chance 1 5 && words+=(--unrelated no) ;;
    esac
    chance 1 6 && words+=(--blocking yes)
    ((blocking)) && chance 1 3 && words+=(--start stream)
    [[ $name = pareto ]] && chance 1 3 && words+=(--rank fixed-point)
    chance 1 8 && words+=(--json)
    chance 1 8 && words+=(--tick 1ms)
}

delayed() {
    seconds=yes
    machine
    words=("$machine")
    one "--load 0.$((RANDOM % 10)),1.$((RANDOM % 10))" "--utilisation $((RANDOM % 9 + 1))" "--rate 0.$((RANDOM % 9 + 1))" \
        "--traffic $((RANDOM % 1000))msg -T $((RANDOM % 9 + 1))s"
    read -ra words -d '' <<<"$REPLY" || true
    words=("$machine" "${words[@]}")
}

processes() {
    one 1 $((RANDOM % 20 + 1)) $((RANDOM % 60 + 1))
    words=("$ROOT/architectures/paper-speeds.json" --min "$REPLY" --max "$((REPLY + RANDOM % 20))")
    one 97 100 101 9x9 13x1
    case $REPLY in *x*) words+=(--grid "$REPLY") ;; *) words+=(-W "$REPLY") ;; esac
}

selected() {
    one elimination sten1 sten2 figure13
    words=("$ROOT/graphs/$REPLY.dot")
    one gamma suns figure13 campus
    words+=("$ROOT/architectures/$REPLY-metasystem.dot")
    one exact exhaustive
    words+=(--method "$REPLY" --limit $((RANDOM % 50 + 1)))
}

question() {
    one map map map map sweep compare pareto evaluate delay processes select
    name=$REPLY
    case $name in
    delay) delayed ;;
    processes) processes ;;
    select) selected ;;
    *) mapped ;;
    esac
    command=("$inlay" "$name" "${words[@]}")
}

inlay=${INLAY:-inlay}
answered=0 wrong=0 refused=0 proposals=0 failed=0
for ((at = 0; at < questions; at++)); do
    question
    "${command[@]}" >out 2>err
    status=$?
    proposal=$(sed -n 's/^try: //p' err)
    case $status in
    0) ((answered++)) ;;
    1) ((refused++)) ;;
    2) ((wrong++)) ;;
    *) ((failed++)); echo "status $status: ${command[*]@Q}" ;;
    esac
    [[ -n $proposal ]] || continue
    ((proposals++))
    if ! sh -c "$proposal" >out 2>again; then
        ((failed++))
        printf 'asked:  %s\n' "${command[*]@Q}"
        tail -n 2 err
        printf 'then:   %s\n' "$(grep -v warning again | head -n 1)"
    fi
done
echo "$questions questions: $answered answered, $wrong wrong, $refused refused, $proposals with a proposal; $failed failed"
((failed == 0 && wrong * 10 < questions && proposals * 4 > questions))
