#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/diag.sh
#
# Each public function with a diagnostic forgets what the last call left there: its first line is DIAG_CALL of base/diag.h.
# Those of the diagnostic itself, inlay_diag_*, read and set it. Ends with the line `N passed, N failed, N skipped`.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

# One prototype a line, without comments and line breaks.
declared=$(cat include/inlay/*.h | tr '\n' ' ' | sed 's:/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/: :g' | sed 's/[;{}]/\n/g' |
    sed -n 's/.*INLAY_API .*\b\(inlay_[a-z0-9_]*\)(.*\binlay_diag \*.*/\1/p' | grep -v '^inlay_diag_' | sort)

# `NAME FIRST-LINE` of each function of the library: a definition ends with a brace on a line of its own.
defined=$(awk '
    FNR == 1 { head = "" }
    inside { print name, $1; inside = 0 }
    /^[a-z]/ { head = $0 }
    /^\{/ && match(head, /inlay_[a-z0-9_]*\(/) { name = substr(head, RSTART, RLENGTH - 1); inside = 1 }
    ' src/*/*.c src/*/*/*.c)

passed=0 failed=0
for name in $declared; do
    line=$(awk -v name="$name" '$1 == name { print $2 }' <<<"$defined")
    if [[ $line =~ ^DIAG_CALL(_WITH_WARNINGS)?\(diag\)\;$ ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s begins with "%s"; expected DIAG_CALL(diag); of base/diag.h\n' "$name" "$line"
    fi
done
if [[ $passed -lt 100 ]]; then
    failed=$((failed + 1))
    printf 'FAILED: %d functions found in include/inlay; expected 100 or more\n' "$passed"
fi
printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
