#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Tests the runner of the command-line tests, cli.sh, with cases of which we know how they must end.
# shellcheck disable=SC2016 # the commands of a case are expanded when it runs
set -u

runner=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/cli.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
mkdir "$top/bin" "$top/cases" "$top/data"
touch "$top/data/there"
printf '#!/bin/sh\necho "inlay: $*"\n' >"$top/bin/inlay"
chmod +x "$top/bin/inlay"
export CLI_CASES=$top/cases INLAY=$top/bin/inlay INLAY_DATA=$top/data
unset CLI_TIMEOUT

wrong=0
complain() { printf 'cli-selftest: %s\n' "$1" && wrong=1; }

# make_case NAME COMMAND [FILE CONTENT]...
make_case() {
    local folder=$CLI_CASES/$1
    mkdir -p "$folder"
    printf '%s\n' "$2" >"$folder/cmd"
    shift 2
    for (( ; $# > 0; )); do
        mkdir -p "$(dirname "$folder/$1")"
        printf '%s' "$2" >"$folder/$1"
        shift 2
    done
}

# Each of these must end as its area says.
n=$'\n'
make_case pass/silent ':'
make_case pass/out 'inlay a b; "$INLAY" c' out "inlay: a b${n}inlay: c$n"
make_case pass/out-re 'printf "a\nb 12\nc\n"' out.re "^a\$${n}[0-9]{2}$n"
make_case pass/out-re-empty 'echo anything' out.re ''
make_case pass/err 'echo oops >&2' err "oops$n"
make_case pass/status-and-any-err 'echo oops >&2; exit 3' status 3
make_case pass/goes-on-after-failure 'false; echo on' out "on$n"
make_case pass/stdin 'cat' stdin hello out hello
make_case pass/no-stdin 'cat'
make_case pass/files 'cat sub/f; ls' files/sub/f "in${n}" out "in${n}sub$n"
make_case pass/expect 'echo 1 >made' expect/made "1$n"
make_case pass/needs 'cat "$DATA/there"' needs there
make_case pass/parts 'inlay x' parts inlay out "inlay: x$n"
make_case pass/programs 'sh -c "echo x"' programs sh out "x$n"
make_case pass/paths 'echo "$DATA/there"; ls -d "$ROOT"' out "\$DATA/there$n\$ROOT$n"
make_case 'pass/name with blanks' ':'
make_case fail/out 'echo a' out "b$n"
make_case fail/out-unexpected 'echo a'
make_case fail/out-newline 'printf a' out "a$n"
make_case fail/out-re 'echo a' out.re "b$n"
make_case fail/out-re-order 'printf "a\nb\n"' out.re "b${n}a$n"
make_case fail/out-re-once 'echo a' out.re "a${n}a"
make_case fail/err-unexpected 'echo oops >&2'
make_case fail/err-differs 'echo oops >&2; exit 2' status 2 err "ouch$n"
make_case fail/status 'exit 1'
make_case fail/status-zero ':' status 1
make_case fail/unset-variable 'echo "$no_such_variable"'
make_case fail/expect-missing ':' expect/made 1
make_case fail/expect-differs 'echo 2 >made' expect/made "1$n"
make_case hang/blocks 'mkfifo nobody && cat nobody'
make_case skip/needs 'exit 1' needs "there${n}not-there$n"
make_case skip/parts 'exit 1' parts "inlay${n}inlay-not-built$n"
make_case skip/status 'echo no such network >&2; exit 77' status 0
make_case skip/programs 'exit 1' programs "sh${n}no-such-program$n"

count() { find "$CLI_CASES/$1" -name cmd | wc -l; }
for area in pass fail skip; do
    said=$("$runner" "$area/" 2>&1)
    status=$?
    case $area in
    pass) expected=0 line="$(count pass) passed, 0 failed, 0 skipped" ;;
    fail) expected=1 line="0 passed, $(count fail) failed, 0 skipped" ;;
    skip) expected=0 line="0 passed, 0 failed, $(count skip) skipped" ;;
    esac
    [[ $status = "$expected" ]] || complain "the cases of '$area' end with status $status"
    [[ $(tail -n 1 <<<"$said") = "$line" ]] || complain "the cases of '$area' should close with '$line' but say:$n$said"
done

# A failure is explained.
said=$("$runner" fail/out$ 2>&1) && complain "a pattern that names no case is accepted"
said=$("$runner" fail/o)
for text in 'FAILED: fail/out' '-b' '+a' 'no line from line 2 on matches: a'; do
    [[ $said = *"$text"* ]] || complain "the report lacks '$text':$n$said"
done
[[ $(CLI_TIMEOUT=1 "$runner" hang/) = *'hangs: stopped after 1 seconds'* ]] || complain "a hanging case is not called so"

# What was accepted passes, and nothing superfluous is written.
make_case accept/all 'echo new; echo "$DATA" >&2; echo 2 >made; exit 1' out old expect/made 1
make_case accept/none ':' out old err old status 1
"$runner" --accept accept/ >"$top/said" || complain "--accept fails: $(<"$top/said")"
"$runner" accept/ >"$top/said" || complain "what was accepted does not pass: $(<"$top/said")"
all=$CLI_CASES/accept/all
[[ $(cat "$all/out" "$all/err" "$all/status" "$all/expect/made") = "new$n\$DATA${n}1${n}2" ]] ||
    complain "--accept wrote something else"
[[ $(ls "$CLI_CASES/accept/none") = cmd ]] || complain "--accept leaves files that say nothing"

[[ $wrong = 0 ]] && echo "cli-selftest: the runner of the command-line tests works"
exit "$wrong"
