#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/maploop/run.sh [--ranks "1 2 4 7"] [--sanitize] [--keep FOLDER] [PATTERN...]
#
# Runs the serial programs of the tables beside it, and what `inlay maploop` makes of them, on so many ranks, and compares what
# they print: words and integers exactly, other numbers to 1e-9 of their size (1e-12 where they are small). What was made has
# to compile without a warning, by clang too where that is there. Two programs run at once. A PATTERN chooses rows by their names (TABLE/NAME; it may have wildcards). Prints a line a program, then what was
# accepted, a line for each table, and ends with `N passed, N failed, N skipped`; passed is what does as its row says.
# --sanitize compiles what was made with the address and undefined behaviour sanitizers; --keep leaves all that was made in
# FOLDER.
#
# A row of a table: NAME | EXPECTED | FILES | ARGUMENTS | what it shows. EXPECTED is
#   accepted  legal; it must be accepted and right
#   limit     legal, but refused today; the remark says why
#   refused   its iterations have an order. It must be refused, by `inlay maploop` or when it runs, on any number of ranks:
#             with a line FILE:LINE: ... and a status other than 0
# The first of FILES is given to `inlay maploop`, the others are compiled as they are; + in front of them: all are given. They
# stand in the folder of the table's name. `< FILE` among the arguments is standard input; @FILE is a file of that folder.
#
# Rows of programs.txt are programs that others wrote, unmodified but for their marks. FILES are in INLAY_DATA's programs/
# (default ../shared/data beside the checkout); patches/NAME.patch marks loops in them, and patches/NAME.c, where it is
# there, is put behind the first file: the main() of programs that have none. patches/NAME/ holds files that go beside them.
#
# From the environment: INLAY (default build/inlay; its libraries stand beside it), INLAY_INCLUDE (its headers; default include
# of the checkout), MAPLOOP_OPTIONS (for `inlay maploop`), MAPLOOP_TIMEOUT (seconds until a run hangs, default 600).
set -u

# ---- One row ---------------------------------------------------------------------------------------------------------

# Says the first difference between two outputs; nothing where there is none that matters.
difference() { # SERIAL PARALLEL
    awk 'function plain(w) { gsub(/^[(\[]+|[])]+$/, "", w); return w }
         NR == FNR { line[NR] = $0; lines = NR; next }
         FNR <= lines {
             words = split(line[FNR], word, /[ ,:=\/\t]+/); mine_words = split($0, mine, /[ ,:=\/\t]+/)
             if (words != mine_words) { print "line " FNR " is: " $0; found = 1; exit }
             for (i = 1; i <= words; i++) {
                 a = plain(word[i]); b = plain(mine[i])
                 if (a == b) continue
                 real = (a ~ /[.e]/ || b ~ /[.e]/) && a ~ /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/ && b ~ /^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/
                 apart = a - b; size = a + 0; if (apart < 0) apart = -apart; if (size < 0) size = -size
                 if (!real || apart > 1e-9 * size + 1e-12) { print "line " FNR ": " b " in place of " a; found = 1; exit } } }
         END { if (!found && FNR != lines && NR != FNR) print FNR " lines in place of " lines
               if (!found && NR == FNR && lines > 0 && ARGV[1] != ARGV[2]) print "no output" }' "$1" "$2"
}

# FILE:LINE: ... as refusals begin
told() { grep -m 1 -E '^[^ :]+:[0-9]+: ' "$1"; }

compile() { # PROGRAM COMPILER OPTION...
    if ! "${@:2}" "${strict[@]}" -std=c17 -O2 -I"$folder" "${others[@]}" -o "$1" -lm >compiled 2>&1; then
        grep -m 1 -E 'error|undefined|cannot' compiled || head -n 1 compiled
        return 1
    fi
}

# The sources lie in $folder afterwards, $first is the one with the marked loops.
sources() {
    local file
    read -ra files <<<"$files"
    several=no
    [[ ${files[0]} != + ]] || { several=yes && files=("${files[@]:1}"); }
    others=() strict=(-Wall -Wextra -Werror)
    if [[ $table != programs ]]; then
        folder=$HERE/$table
        first=$folder/${files[0]}
        for file in "${files[@]:1}"; do others+=("$folder/$file"); done
        return
    fi
    folder=$PWD/source strict=(-w -D_DEFAULT_SOURCE)
    mkdir source
    [[ ! -d $HERE/patches/$name ]] || cp "$HERE/patches/$name"/* source
    for file in "${files[@]}"; do
        [[ -e $DATA/programs/$file ]] || { echo "skipped: no $file in the test data" && return 1; }
        cp "$DATA/programs/$file" source
        find "$(dirname "$DATA/programs/$file")" -maxdepth 1 -name '*.h' -exec cp {} source \;
    done
    if ! (cd source && patch -s -p1 <"$HERE/patches/$name.patch") >patched 2>&1; then
        echo "BROKEN: $name.patch: $(head -n 1 patched)"
        return 1
    fi
    first=source/$(basename "${files[0]}")
    [[ ! -e $HERE/patches/$name.c ]] || cat "$HERE/patches/$name.c" >>"$first"
    for file in "${files[@]:1}"; do [[ $file != *.c ]] || others+=("source/$(basename "$file")"); done
    for file in "$HERE/patches/$name"/*.c; do [[ ! -e $file ]] || others+=("source/$(basename "$file")"); done
}

# Leaves the arguments in the array, standard input in $input.
arguments() { # WORD...
    input=/dev/null argument=()
    while (($#)); do
        case $1 in
        '<') input=$HERE/$table/$2 && shift ;;
        @*) argument+=("$HERE/$table/${1#@}") ;;
        *) argument+=("$1") ;;
        esac
        shift
    done
}

# Says what became of the row: `accepted right`, `accepted WRONG: ...`, `refused: ...`, `BROKEN: ...` or `skipped: ...`.
verdict() {
    local status said ranks refused='' right='' words
    sources || return
    read -ra words <<<"$given"
    arguments "${words[@]}"
    said=$(compile serial cc "$first" -Wno-unknown-pragmas) || { echo "BROKEN: the serial program does not compile: $said" && return; }
    (cd serially && exec timeout 60 ../serial "${argument[@]}" <"$input" >../serial.out 2>../serial.err)
    status=$?
    if ((status != 0)) || [[ ! -s serial.out ]]; then
        echo "BROKEN: the serial program ends with status $status"
        return
    fi

    # shellcheck disable=SC2086 # several options
    if [[ $several = yes ]]; then
        timeout 120 "$INLAY" maploop ${MAPLOOP_OPTIONS-} "$first" "${others[@]}" -o made >pass.out 2>pass.err
    else
        timeout 120 "$INLAY" maploop ${MAPLOOP_OPTIONS-} "$first" -o parallel.c >pass.out 2>pass.err
    fi
    status=$?
    if ((status != 0)); then
        if said=$(told pass.err); then echo "refused: $said"; else echo "accepted WRONG: inlay maploop, status $status: $(head -n 1 pass.err)"; fi
        return
    fi
    # pragmas for others are left where they are
    ! grep -q -E '^[[:space:]]*#[[:space:]]*pragma[[:space:]]+omp' "$first" || strict+=(-Wno-unknown-pragmas)
    local made=(parallel.c)
    [[ $several = no ]] || { made=(made/*.c) && others=(); }
    said=$(compile parallel mpicc "${made[@]}" -I"$INCLUDE" -L"$LIBRARIES" -Wl,-rpath,"$LIBRARIES" "${sanitize[@]}" -linlay-irregular -linlay) ||
        { echo "accepted WRONG: does not compile: $said" && return; }
    if command -v clang >/dev/null; then
        said=$(OMPI_CC=clang compile no_program mpicc "${made[@]}" -I"$INCLUDE" -fsyntax-only -Wno-unused-command-line-argument) ||
            { echo "accepted WRONG: clang does not compile it: $said" && return; }
    fi
    for ranks in $RANKS; do
        (cd parallelly && exec timeout -k 5 "$TIMEOUT" mpirun -n "$ranks" ../parallel "${argument[@]}" <"$input" >../out 2>../err)
        status=$?
        if ((status == 0)); then
            said=$(difference serial.out out)
            [[ -z $said ]] || { echo "accepted WRONG on $ranks ranks: $said" && return; }
            right=$ranks
        elif [[ $status != 124 && $status != 137 ]] && ! grep -q -E 'signal|Sanitizer|runtime error' err && said=$(told err); then
            refused="$said"
        else
            echo "accepted WRONG on $ranks ranks: status $status: $(grep -m 1 -E 'rror|signal|ssert|inlay' err || grep -m 1 '[a-z]' err)"
            return
        fi
    done
    if [[ -n $refused && -n $right && $expected = refused ]]; then
        echo "accepted WRONG: runs on $right ranks, but elsewhere: $refused"
    elif [[ -n $refused ]]; then
        echo "refused at run time: $refused"
    else
        echo 'accepted right'
    fi
}

run_row() { # ROW
    local said outcome=failed
    IFS='|' read -r table name expected files given <"$work/$1.row"
    rm -rf "${work:?}/$1"
    mkdir -p "$work/$1/serially" "$work/$1/parallelly" && cd "$work/$1" || exit 2
    # each mpirun takes away the folder for all of a user's when it seems empty, which another may be about to use
    export OMPI_MCA_orte_tmpdir_base=$work/$1
    said=$(verdict)
    case $said,$expected in
    skipped:*) outcome=skipped ;;
    'accepted right,accepted' | refused*,limit | refused*,refused) outcome=passed ;;
    'accepted right,limit') said+=', though the table says it is not' ;;
    'accepted right,refused') said='accepted WRONG: its iterations have an order' ;;
    esac
    printf '%s/%s: %s%s\n' "$table" "$name" "$said" "$([[ $outcome = failed ]] && echo ' (FAILED)')"
    printf '%s|%s|%s|%s\n' "$table" "$expected" "$outcome" "$said" >"$work/$1.verdict"
    [[ -n $KEEP ]] || rm -rf "${work:?}/$1"
}

if [[ ${1-} = --row ]]; then # ROW: a call from below
    sanitize=()
    # shellcheck disable=SC2153 # from below
    [[ $SANITIZE = no ]] || sanitize=(-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=undefined -g)
    run_row "$2"
    exit 0
fi

# ---- All rows --------------------------------------------------------------------------------------------------------

HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=$(dirname "$(dirname "$HERE")")
export HERE RANKS='1 2 4 7' SANITIZE=no KEEP=
while [[ ${1-} = --* ]]; do
    case $1 in
    --ranks) RANKS=$2 && shift ;;
    --sanitize) SANITIZE=yes ;;
    --keep) mkdir -p "$2" && KEEP=$(cd "$2" && pwd) && shift ;;
    *) sed -n 's/^# \(Usage: .*\)/\1/p' "$0" >&2 && exit 2 ;;
    esac
    shift
done
INLAY=$(realpath "${INLAY:-$ROOT/build/inlay}")
LIBRARIES=$(dirname "$INLAY")
INCLUDE=${INLAY_INCLUDE:-$ROOT/include}
DATA=${INLAY_DATA:-$ROOT/../shared/data}
TIMEOUT=${MAPLOOP_TIMEOUT:-600}
export INLAY LIBRARIES INCLUDE DATA TIMEOUT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
# programs that run at once are not all put on the first processor
export OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_mpi_yield_when_idle=1 OPENBLAS_NUM_THREADS=1 LC_ALL=C
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

skip() {
    echo "programs with marked loops: $1"
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
}
for needed in cc mpicc mpirun; do command -v "$needed" >/dev/null || skip "there is no $needed"; done
[[ -x $LIBRARIES/inlay-maploop ]] || skip 'inlay-maploop is not built'
[[ -f $LIBRARIES/libinlay-irregular.so ]] || skip 'libinlay-irregular is not built'
! grep -q __asan_init "$INLAY" || skip 'the library has sanitizers, which the programs would need too'

if [[ -n $KEEP ]]; then work=$KEEP && rm -f "$work"/*.verdict "$work"/*.row; else work=$(mktemp -d) || exit 2; fi
export work
trap '[[ -n $KEEP ]] || rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

wanted() { # NAME PATTERN...
    local pattern
    (($# > 1)) || return 0
    # shellcheck disable=SC2053 # patterns
    for pattern in "${@:2}"; do [[ $1 != *$pattern* ]] || return 0; done
    return 1
}
rows=()
for table in corpus patterns programs; do
    while IFS='|' read -r name expected files given _; do
        read -r name <<<"$name"
        read -r expected <<<"$expected"
        [[ -n $name && $name != '#'* ]] || continue
        wanted "$table/$name" "$@" || continue
        rows+=("$table-$name")
        echo "$table|$name|$expected|$files|$given" >"$work/$table-$name.row"
    done <"$HERE/$table.txt"
done
((${#rows[@]})) || { echo "no row matches: $*" >&2 && exit 2; }
printf '%s\n' "${rows[@]}" | xargs -P 2 -n 1 bash "$HERE/run.sh" --row

cat "$work"/*.verdict | awk -F '|' '
    { tables[$1] = 1; what = $2 == "refused" ? "illegal" : "legal"; if ($3 == "skipped") { skipped++; next }
      all[$1, what]++; $3 == "passed" ? passed++ : failed++
      if ($4 ~ /^accepted right/) right[$1, what]++
      else if ($4 ~ /^refused/) refused[$1, what]++
      else wrong[$1]++ }
    END { names = split("programs corpus patterns", name, " ")
          for (i = 1; i <= names; i++) if (tables[name[i]]) {
              legal = all[name[i], "legal"] + 0
              printf "%s: legal accepted %d of %d (%d %%), wrong %d, illegal refused %d of %d\n", name[i], right[name[i], "legal"],
                  legal, legal ? 100 * right[name[i], "legal"] / legal : 100, wrong[name[i]], refused[name[i], "illegal"],
                  all[name[i], "illegal"] }
          printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
          exit failed > 0 }'
