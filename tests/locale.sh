#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/locale.sh LIBRARY...
#
# Numbers and words in the library's inputs and outputs do not depend on setlocale(): of its objects (.a) only those that
# base/plain.h is made of ask the C library for what does, and no other source prints a number with a point. Ends with
# the line `N passed, N failed, N skipped`.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

passed=0 failed=0
verdict() { # WHAT FOUND
    if [[ -z $2 ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s asks the locale; expected the function of base/plain.h:\n%s\n' "$1" "$2"
    fi
}

asks='(strto(d|f|ld)|(__isoc[0-9]+_)?v?[fs]?scanf|v(f|d|s|as|sn)?printf|atof|__ctype_[a-z_]+|is[a-z]+|to(upper|lower)|strn?casecmp'
asks+='|strcoll|strxfrm|strftime|strerror(_r)?|perror|localeconv|setlocale|newlocale|uselocale|mb[a-z]+towc?s?|wc[a-z]+tombs?)(_l)?'
for library in "$@"; do
    [[ -e $library ]] || continue
    verdict "$library" "$(nm -A --undefined-only "$library" | awk -v asks="^$asks\$" '
        { split($1, place, ":") } place[2] != "plain.o" && $NF ~ asks { print place[2] ": " $NF }')"
done

# Calls of printf and its like, which may stand on several lines, with %g and its like.
verdict src "$(awk '
    /(^|[^a-z_])(f|s|sn)?printf\(/ { call = ""; line = FNR; inside = 1 }
    inside { call = call $0 }
    inside && /;$/ {
        gsub(/%%/, "", call)
        if (call ~ /%[-+ #0-9.*]*L?[aefgAEFG]/) print FILENAME ":" line ": " call
        inside = 0
    }' src/*/*.c)"
printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[[ $failed -eq 0 ]]
