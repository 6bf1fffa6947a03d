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
        modules=$((modules + $(member modules))) links=$((links + $(member links)))
    done
    [[ $graph -gt 2 ]]
}

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
            info "$1" || { found=$(head -n 1 "$work/err") && return 1; }
            modules=$(member modules) links=$(member links)
        fi
        found="$modules modules, $links links"
        [[ ${3:-$modules} = "$modules" && ${4:-$links} = "$links" ]] && weighs "$6"
        ;;
    dataflow)
        info "$1" || { found=$(head -n 1 "$work/err") && return 1; }
        modules=$(inner actors) links=$(inner channels)
        found="$modules actors, $links channels, $(inner firings) firings an iteration"
        [[ ${3:-$modules} = "$modules" && ${4:-$links} = "$links" ]]
        ;;
    read)
        info "$1" || { found=$(head -n 1 "$work/err") && return 1; }
        found="read as $(inner actors) actors, $(inner channels) channels, $(inner firings) firings an iteration"
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
