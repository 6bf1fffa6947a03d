#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/data/check.sh [PATTERN]
#
# Reads every file that the manifest of the test data lists (or those whose path contains PATTERN) with `inlay info` and
# prints a table: what the manifest says of it, what was read, or why it was refused. rules.tsv beside this says what is expected
# of which format. Ends with the line `N passed, N failed, N skipped`; status 1 where one failed, 77 without data.
#
# From the environment: INLAY (default build/inlay), INLAY_DATA (default ../shared/data).
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
data=${INLAY_DATA:-../shared/data} inlay=${INLAY:-build/inlay} rules=tests/data/rules.tsv
[[ -r $data/MANIFEST.tsv ]] || { echo "no test data in $data"; exit 77; }
[[ -x $inlay ]] || { echo "check.sh: there is no program $inlay; make it first" >&2; exit 2; }

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

formats=() paths=() wanted=() reasons=()
while IFS=$'\x01' read -r format path expected reason; do
    formats+=("$format") paths+=("$path") wanted+=("$expected") reasons+=("$reason")
done < <(grep -v '^#' "$rules" | tr '\t' '\1')

# The number of a member of the JSON that was printed last.
member() { sed -n "s/^  \"$1\": \([0-9]*\),*$/\1/p" "$work/out" | head -n 1; }

# The same of a member of an object in it.
inner() { sed -n "s/^    \"$1\": \([0-9]*\),*$/\1/p" "$work/out" | head -n 1; }

info() { "$inlay" info --json "$@" >"$work/out" 2>"$work/err"; }

# Sets modules and links, of all graphs of a file.
add_graphs() { # FILE
    local graph=0
    modules=0 links=0
    while info --graph $((++graph)) "$1"; do
        comes_back "$1" --graph $graph || return 1
        modules=$((modules + $(member modules))) links=$((links + $(member links)))
    done
    [[ $graph -gt 2 ]]
}

# What the manifest says of every graph of PREESM: vertices, but for those that are delays, and fifos.
declare -A pi_vertices pi_fifos
while IFS=$'\x01' read -r path _ _ _ _ format modules links notes; do
    [[ $format = *PiSDF* ]] || continue
    [[ $notes =~ \'delay\':\ ([0-9]+) ]] && modules=$((modules - BASH_REMATCH[1]))
    pi_vertices[$path]=$modules pi_fifos[$path]=$links
done < <(tail -n +2 "$data/MANIFEST.tsv" | tr '\t' '\1')

# Adds to modules and links those of a graph of PREESM with the graphs of its actors in their places, by the manifest.
add_flat() { # PATH
    local project=${1%"${1#preesm/*/}"} inner
    modules=$((modules + ${pi_vertices[$1]:-0})) links=$((links + ${pi_fifos[$1]:-0}))
    while read -r inner; do
        modules=$((modules - 1))
        add_flat "$project$inner"
    done < <(sed -n 's/.*"graph_desc">\([^<]*[.]pi\)<.*/\1/p' "$data/$1")
}

# Whether an application comes back: from JSON through all formats that lose nothing, the same bytes; and from each that loses
# something, written twice, the same both times. A format that has no place for it at all may refuse it, as ticks by WfFormat.
comes_back() { # FILE OPTION...
    local from=$1 to
    shift
    "$inlay" convert -q "$@" "$from" --format json -o "$work/first.json" 2>"$work/err" || return 1
    from=$work/first.json
    for to in dot graphml csv tg json; do
        "$inlay" convert -q "$from" --format $to -o "$work/on.$to" 2>"$work/err" || return 1
        from=$work/on.$to
    done
    for from in first on; do
        sed '/^  "name": /d' "$work/$from.json" >"$work/$from" # plain text has no name of its own
    done
    cmp -s "$work/first" "$work/on" || { echo "it comes back changed from DOT, GraphML, CSV and plain text" >"$work/err" && return 1; }
    for to in stg wfformat metis scotch; do
        "$inlay" convert -q "$work/first.json" --format $to -o "$work/lossy" 2>"$work/err" || continue
        "$inlay" convert -q "$work/lossy" --from $to --format $to -o "$work/again" 2>"$work/err" || return 1
        cmp -s "$work/lossy" "$work/again" || { echo "it comes back changed from $to" >"$work/err" && return 1; }
    done
}

reads() { comes_back "$1" && info "$1"; }

# Whether work and critical path, where the manifest states them, are those of an application in ticks.
weighs() { # NOTES
    local number='([0-9]+)'
    [[ $1 =~ work\ $number,\ critical\ path(\ \(nodes\))?\ $number ]] && grep -q '"time_unit": "tick"' "$work/out" || return 0
    [[ ${BASH_REMATCH[1]} = "$(member work)" && ${BASH_REMATCH[3]} = "$(member critical_path)" ]]
}

# Says in `found` what became of a file; false where that is not as expected.
try() { # FILE EXPECTED MODULES LINKS REASON NOTES
    local modules links
    found=
    case $2 in
    graph | graphs)
        if [[ $2 = graphs ]]; then
            add_graphs "$1" || { found=$(head -n 1 "$work/err") && return 1; }
        else
            reads "$1" || { found=$(head -n 1 "$work/err") && return 1; }
            modules=$(member modules) links=$(member links)
        fi
        found="$modules modules, $links links"
        [[ ${3:-$modules} = "$modules" && ${4:-$links} = "$links" ]] && weighs "$6"
        ;;
    dataflow)
        reads "$1" || { found=$(head -n 1 "$work/err") && return 1; }
        modules=$(inner actors) links=$(inner channels)
        found="$modules actors, $links channels, $(inner firings) firings an iteration"
        [[ ${3:-$modules} = "$modules" && ${4:-$links} = "$links" ]]
        ;;
    flat)
        local path=${1#"$data/"} algorithm
        algorithm=$(sed -n 's/.*<algorithm url="[^"]*\/\(Algo[^"]*[.]pi\)".*/\1/p' "$1")
        [[ -z $algorithm ]] || path=${path%"${path#preesm/*/}"}$algorithm
        modules=0 links=0
        add_flat "$path"
        reads "$1" || { found=$(head -n 1 "$work/err") && return 1; }
        found="$(inner actors) actors, $(inner channels) channels, as the manifest has of all graphs together, $(inner firings) firings"
        [[ $modules = "$(inner actors)" && $links = "$(inner channels)" ]] ||
            { found="$found; expected $modules and $links" && return 1; }
        ;;
    parts)
        info "$1" || { found=$(head -n 1 "$work/err") && return 1; }
        modules=$(($(member hosts) + $(member switches))) links=$(($(member links) / 2))
        found="$(member hosts) hosts, $(member switches) switches, $links cables"
        [[ $3 = "$modules" && $4 = "$links" ]]
        ;;
    machine)
        info "$1" || { found=$(head -n 1 "$work/err") && return 1; }
        found="$(member hosts) hosts"
        [[ ${3:-$(member hosts)} = "$(member hosts)" ]]
        ;;
    refused)
        info "$1"
        local status=$?
        found=$(head -n 1 "$work/err")
        found=${found#"$1"}
        [[ $status = 2 && $found =~ $5 ]]
        ;;
    *) found="unknown expectation '$2'" && return 1 ;;
    esac
}

passed=0 failed=0 skipped=0
printf '%-9s %8s %8s  %s\n' verdict modules links 'file: what was read, or why not'
while IFS=$'\x01' read -r path _ _ _ _ format modules links notes; do
    [[ $path = *"${1-}"* ]] || continue
    rule=-1
    for i in "${!formats[@]}"; do
        if [[ $format =~ ^(${formats[i]})$ && $path =~ ${paths[i]} ]]; then
            rule=$i
            break
        fi
    done
    if [[ $rule -lt 0 ]]; then
        verdict=FAILED found="no rule for the format '$format'"
    elif [[ ${wanted[rule]} = left ]]; then
        verdict=left found=${reasons[rule]}
    elif try "$data/$path" "${wanted[rule]}" "$modules" "$links" "${reasons[rule]}" "$notes"; then
        verdict='read'
        [[ ${wanted[rule]} != refused ]] || verdict=refused
    else
        verdict=FAILED
    fi
    case $verdict in
    FAILED) failed=$((failed + 1)) ;;
    left) skipped=$((skipped + 1)) ;;
    *) passed=$((passed + 1)) ;;
    esac
    [[ $verdict = left ]] || printf '%-9s %8s %8s  %s: %s\n' "$verdict" "${modules:--}" "${links:--}" "$path" "${found#: }"
done < <(tail -n +2 "$data/MANIFEST.tsv" | tr '\t' '\1')
echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed = 0 ]]
