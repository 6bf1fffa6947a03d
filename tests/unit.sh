#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/unit.sh PROGRAM [SUITE...]
#
# Runs suites of unit tests, by default all, each in a process of its own and as many at once as there are processors,
# shows what they print in the order in which they were named, and which took longest, and ends with the line `N passed, N
# failed, N skipped`. The exit status is 0 only where that of every suite is.
#
# A program that links the library may have any locale: the tests run in a German one, made here, whose numbers have
# commas. Where it cannot be made, that is one skipped.
set -u

program=$(realpath "$1") || exit 2
shift
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
if [[ $# = 0 ]]; then
    suites=("$(dirname "$0")"/unit/test_*.c)
    suites=("${suites[@]##*/test_}")
    set -- "${suites[@]%.c}"
fi

locale=de_DE.UTF-8 skipped=0 locales=$(dirname "$program")/locales # made once, which takes a second
if [[ ! -d $locales ]] && { ! mkdir "$tmp/.locales" || ! localedef -i de_DE -f UTF-8 "$tmp/.locales/$locale" >"$tmp/.localedef" 2>&1 ||
    ! cp -r "$tmp/.locales" "$locales"; }; then
    locale=C skipped=1
    echo 'skipped: a locale whose numbers have commas: localedef makes none here'
fi

# Those that take longest begin first, so that none is left alone at the end.
longest=(methods sweep_traces check_links sweep_random schema_outputs advise select_study real_inputs simulate_closed
    select_general_exact check_every_leaf multibus platforms
    layout_far pareto decomposition_svg gantt grid_rank select_general routes mapping_links chart check_machines omega)
begin() { # SUITE...
    printf '%s\n' "${longest[@]}" | grep -x -F -f <(printf '%s\n' "$@")
    printf '%s\n' "$@" | grep -v -x -F -f <(printf '%s\n' "${longest[@]}")
}

export program tmp locale locales TIMEFORMAT='%U %S'
# shellcheck disable=SC2016 # the shell that xargs starts expands these
begin "$@" | xargs -P "$(nproc)" -n 1 bash -c '
    seconds=$({ time LOCPATH=$locales LC_ALL=$locale "$program" "$1" >"$tmp/$1" 2>&1 || echo "$1" >>"$tmp/.failed"; } 2>&1)
    echo "$seconds $1" >>"$tmp/.times"' unit

for suite in "$@"; do
    if grep -qs -x -F "$suite" "$tmp/.failed"; then
        cat "$tmp/$suite"
        echo "FAILED: suite $suite"
    else
        grep -v -E '^(Running suite|[0-9]+%: Checks|[0-9]+ passed, )' "$tmp/$suite"
    fi
done
awk '{ printf "%.1f %s\n", $1 + $2, $3 }' "$tmp/.times" | sort -n -r | head -n 12 | paste -s -d , |
    sed 's/,/, /g; s/^/seconds of processors, the longest suites: /'
closing='^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$'
cat "${@/#/$tmp/}" | awk -v closing="$closing" -v skipped="$skipped" '$0 ~ closing { passed += $1; failed += $3; skipped += $5 }
    END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }'
[[ ! -e $tmp/.failed ]]
