#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/cli.sh [--accept] [PATTERN...]
#
# Runs the command-line tests whose name contains a PATTERN (it may have wildcards), by default all, two at once for each
# processor, for many wait. Says which took longest, and ends with the line `N passed, N failed, N skipped`. --accept takes
# what the program does now as right: it rewrites out, err, status and the files in expect/. Read the difference before
# you commit it.
#
# A case is a folder with a file `cmd`, anywhere below tests/cli; the folder's path is its name.
#   cmd      shell commands, run by `sh -u` in an empty folder of their own; status 77: skipped, for what standard error says
#   files/   is copied into that folder first
#   stdin    standard input; default empty
#   status   the expected exit status; default 0
#   out      the exact standard output
#   out.re   in its place: extended regular expressions, one a line, which must match lines in this order; an empty file
#            accepts anything. With neither, nothing may be printed
#   err      the exact standard error; or err.re. With neither, a case whose status is not 0 may print anything there
#   expect/  files that must be there afterwards with exactly these bytes
#   needs    paths relative to $DATA, one a line; where one is missing, the case is skipped
#   parts    programs that stand beside inlay where they are built, one a line; where one does not, the case is skipped
#   programs commands of the system, one a line; where one is not there, the case is skipped
#
# A case sees `inlay` as a command, $INLAY (its path), $ROOT (the checkout) and $DATA (real input files: INLAY_DATA,
# else ../shared/data beside the checkout). Where it prints the paths $DATA and $ROOT, these names are compared.
#
# From the environment: INLAY (default build/inlay), INLAY_DATA, CLI_TIMEOUT (seconds after which a case hangs;
# default 1800: no case may take so long on whatever computer) and CLI_CASES (the folder of the cases; default tests/cli).
set -u

# ---- One case: says on standard output what is wrong; status 0 passed, 1 failed, 2 skipped ---------------------------

# The two files have the same bytes.
same() { # LABEL EXPECTED ACTUAL
    diff -u --label "$1 (expected)" --label "$1 (now)" "$2" "$3" | head -n 100
    [ "${PIPESTATUS[0]}" -eq 0 ]
}

# Each expression matches a line after the one that the expression before it matched.
match() { # LABEL EXPRESSIONS ACTUAL
    local lines line=0 expression matched
    mapfile -t lines <"$3"
    while IFS= read -r expression || [[ -n $expression ]]; do
        matched=no from=$((line + 1))
        while [[ $matched = no ]] && ((line < ${#lines[@]})); do
            [[ ${lines[line++]} =~ $expression ]] && matched=yes
        done
        [[ $matched = yes ]] && continue
        printf '%s: no line from line %d on matches: %s\n' "$1" "$from" "$expression"
        head -n 100 "$3" | sed 's/^/ /'
        return 1
    done <"$2"
}

# Standard output or error is as expected; `silent` says whether no expectation means silence.
stream() { # out|err SILENT
    if [[ -e $case/$1 ]]; then
        same "$1" "$case/$1" "$tmp/$1"
    elif [[ -e $case/$1.re ]]; then
        match "$1" "$case/$1.re" "$tmp/$1"
    else
        [[ $2 = no ]] || same "$1" /dev/null "$tmp/$1"
    fi
}

# The paths of the files in expect/.
expected_files() { [[ ! -d $case/expect ]] || (cd "$case/expect" && find . -type f -printf '%P\n' | sort); }

compare() { # STATUS
    local file failed=0 status=0
    [[ ! -e $case/status ]] || status=$(<"$case/status")
    if [[ $1 != "$status" ]]; then
        echo "status: expected $status, now $1"
        failed=1
    fi
    stream out yes || failed=1
    if [[ $failed = 1 && ! -e $case/err && ! -e $case/err.re ]]; then
        same err /dev/null "$tmp/err"
    else
        stream err "$([[ $status = 0 ]] && echo yes || echo no)" || failed=1
    fi
    while IFS= read -r file; do
        same "expect/$file" "$case/expect/$file" "$tmp/run/$file" 2>&1 || failed=1
    done < <(expected_files)
    return "$failed"
}

accept() { # STATUS
    local stream file failed=0
    for stream in out err; do
        [[ ! -e $case/$stream.re ]] || continue
        rm -f "$case/$stream"
        [[ ! -s $tmp/$stream ]] || cp "$tmp/$stream" "$case/$stream"
    done
    rm -f "$case/status"
    [[ $1 = 0 ]] || echo "$1" >"$case/status"
    while IFS= read -r file; do
        cp "$tmp/run/$file" "$case/expect/$file" 2>&1 || failed=1
    done < <(expected_files)
    return "$failed"
}

run_case() { # NAME TEMPORARY_FOLDER
    local case=$CLI_CASES/$1 tmp=$2 input=/dev/null need status
    if [[ -e $case/needs ]]; then
        while IFS= read -r need || [[ -n $need ]]; do
            [[ -e $DATA/$need ]] || { echo "no $need in the test data" && return 2; }
        done <"$case/needs"
    fi
    if [[ -e $case/parts ]]; then
        while IFS= read -r need || [[ -n $need ]]; do
            [[ -x $(dirname "$INLAY")/$need ]] || { echo "$need is not built" && return 2; }
        done <"$case/parts"
    fi
    if [[ -e $case/programs ]]; then
        while IFS= read -r need || [[ -n $need ]]; do
            command -v "$need" >/dev/null || { echo "there is no $need" && return 2; }
        done <"$case/programs"
    fi
    mkdir -p "$tmp/run"
    [[ ! -d $case/files ]] || cp -R "$case/files/." "$tmp/run"
    [[ ! -e $case/stdin ]] || input=$case/stdin

    # each mpirun takes away the folder for all of a user's when it seems empty, which another may be about to use
    export OMPI_MCA_orte_tmpdir_base=$tmp
    (cd "$tmp/run" && exec timeout -k 5 "$CLI_TIMEOUT" sh -u "$case/cmd") <"$input" >"$tmp/out.raw" 2>"$tmp/err.raw"
    status=$?
    LC_ALL=C sed "$name_paths" "$tmp/out.raw" >"$tmp/out"
    LC_ALL=C sed "$name_paths" "$tmp/err.raw" >"$tmp/err"
    if [[ $status = 124 || $status = 137 ]]; then
        echo "hangs: stopped after $CLI_TIMEOUT seconds"
        return 1
    fi
    if [[ $status = 77 ]]; then
        head -n 1 "$tmp/err"
        return 2
    fi
    "$verb" "$status"
}

if [[ ${1-} = --case ]]; then # NUMBER NAME: a call from below
    TIMEFORMAT="%R %U %S $3"
    { time run_case "$3" "$work/$2" >"$work/$2.said" 2>&3; } 3>&2 2>"$work/$2.time"
    echo $? >"$work/$2.verdict"
    rm -rf "${work:?}/$2"
    exit 0
fi

# ---- All cases -------------------------------------------------------------------------------------------------------

absolute() { (cd "$(dirname "$1")" 2>/dev/null && echo "$(pwd -P)/$(basename "$1")") || echo "$1"; }
literal() { printf '%s' "$1" | sed 's/[][\\.*^$|]/\\&/g'; }

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
DATA=$(absolute "${INLAY_DATA:-$ROOT/../shared/data}")
INLAY=$(absolute "${INLAY:-$ROOT/build/inlay}")
CLI_CASES=$(absolute "${CLI_CASES:-$ROOT/tests/cli}")
CLI_TIMEOUT=${CLI_TIMEOUT:-1800}
PATH=$(dirname "$INLAY"):$PATH
name_paths="s|$(literal "$DATA")|\$DATA|g; s|$(literal "$ROOT")|\$ROOT|g"

verb=compare
if [[ ${1-} = --accept ]]; then
    verb=accept
    shift
    [[ $# -gt 0 ]] || { echo "cli.sh: --accept needs a PATTERN; '*' for all cases" >&2 && exit 2; }
fi
[[ $# -gt 0 ]] || set -- ''
[[ -x $INLAY ]] || { echo "cli.sh: there is no program $INLAY; make it first" >&2 && exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# The same surroundings for everyone.
LC_ALL=$(LC_ALL=C.UTF-8 locale charmap 2>/dev/null | grep -qx UTF-8 && echo C.UTF-8 || echo C)
export LC_ALL ROOT DATA INLAY CLI_CASES CLI_TIMEOUT PATH name_paths verb work TZ=UTC0 TERM=dumb
unset COLUMNS MAKEFLAGS MFLAGS MAKELEVEL
umask 022

names=()
while IFS= read -r name; do
    for pattern in "$@"; do
        # shellcheck disable=SC2053 # the pattern may have wildcards
        [[ $name/ = *${pattern#tests/cli/}* ]] && names+=("$name") && break
    done
done < <(cd "$CLI_CASES" 2>/dev/null && find . -type d -exec test -f {}/cmd \; -printf '%P\n' -prune | sort)
[[ ${#names[@]} -gt 0 || -z $1 ]] || { echo "cli.sh: no case is named like '$*'" >&2 && exit 2; }

# Those that take longest begin first, so that none is left alone at the end.
longest='measure/study pipes/every-input compress/unbounded help/examples-run measure/one-host compress/counted
    machines/every-command measure/netlab measure-hosts/netlab synth-program/random run/smpi map/methods measure/this-computer
    measure-hosts/here measure-processes/study measure/pairs measure/topology-here maploop/refused'
longest=" ${longest//[[:space:]]/ } "
begin() { # WHETHER: those that take longest
    local i long
    for i in "${!names[@]}"; do
        long=no
        [[ $longest != *" ${names[i]} "* ]] || long=yes
        [[ $long != "$1" ]] || printf '%s\0%s\0' "$i" "${names[i]}"
    done
}
{ begin yes && begin no; } |
    xargs -0 -r -n 2 -P "$((2 * $(nproc)))" bash "${BASH_SOURCE[0]}" --case

passed=0 failed=0 skipped=0
for i in "${!names[@]}"; do
    case $(cat "$work/$i.verdict" 2>/dev/null) in
    0) passed=$((passed + 1)) && word='' ;;
    2) skipped=$((skipped + 1)) && word=skipped ;;
    *) failed=$((failed + 1)) && word=FAILED ;;
    esac
    [[ $verb$word != accept ]] || word=accepted
    [[ -z $word ]] || printf '%s: %s\n' "$word" "${names[i]}"
    [[ ! -s $work/$i.said ]] || sed 's/^/    /' "$work/$i.said"
done

if ((${#names[@]} > 12)); then
    cat "$work"/*.time | sort -n -r | awk 'NR <= 12 { printf "%s%d %s", (NR > 1 ? ", " : "seconds of the longest cases: "), $1, $4 } END { print "" }'
fi
echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed = 0 ]]
