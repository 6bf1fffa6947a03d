#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/fuzz/run.sh PROGRAM [FORMAT...]
#
# Runs PROGRAM (fuzz.c) for FUZZ_SECONDS (default 5) or FUZZ_RUNS executions (default 3000000), whichever is first, with every
# format that `inlay --version` lists as read, or with some; machines' formats are machine:NAME. Each begins with what the project has of it: graphs/, docs/examples/ and architectures/,
# these converted into the format, and seeds/. What breaks a reader is kept in build/fuzz. Ends with `N passed, N failed, N skipped`.
#
# From the environment: INLAY (default build/inlay), FUZZ_SECONDS, FUZZ_RUNS.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
inlay=${INLAY:-build/inlay} program=$1 seconds=${FUZZ_SECONDS:-5} runs=${FUZZ_RUNS:-3000000} kept=build/fuzz
shift
[[ -x $program && -x $inlay ]] || { echo "run.sh: there is no $program or no $inlay; make fuzz" >&2; exit 2; }
mkdir -p "$kept"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

applications=$("$inlay" --version | sed -n '/^formats of applications/,/^[^ ]/s/^  \([a-z0-9-]*\)  *read.*/\1/p')
machines=$("$inlay" --version | sed -n 's/^formats of machines: //p' | tr ' ' '\n' | sed 's/^/machine:/')
[[ $# -gt 0 ]] || mapfile -t all < <(printf '%s\n' "$applications" "$machines")
[[ $# -eq 0 ]] || all=("$@")

# Files of the project that are, or become, of the format.
make_corpus() { # FORMAT FOLDER
    local name=${1#machine:} file
    mkdir -p "$2"
    cp tests/fuzz/seeds/"$name".* "$2" 2>/dev/null
    if [[ $1 = machine:* ]]; then
        for file in architectures/*; do
            [[ -f $file ]] && "$inlay" convert --machine "$file" --format "$name" -q -o "$2/${file##*/}" 2>/dev/null
        done
        cp architectures/* "$2" 2>/dev/null
    else
        for file in graphs/*; do
            [[ -f $file ]] && "$inlay" convert "$file" --format "$name" -q -o "$2/${file##*/}" 2>/dev/null
        done
        find graphs docs/examples \( -name "*.$name" -o -name "*.$name.xml" \) -exec cp {} "$2" \;
    fi
    find "$2" -name '*.gz' -delete
}

passed=0 failed=0
for format in "${all[@]}"; do
    folder=$work/${format#machine:}
    make_corpus "$format" "$folder"
    begun=$SECONDS
    if INLAY_FUZZ=$format "$program" -runs="$runs" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=4096 -max_len=20000 \
        -artifact_prefix="$kept/${format//:/-}-" -print_final_stats=1 "$folder" >"$work/log" 2>&1; then
        passed=$((passed + 1))
        printf '%-22s %8s runs in %3s s from %s files\n' "$format" \
            "$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")" $((SECONDS - begun)) "$(sed -n 's/.*INFO: *\([0-9]*\) files found.*/\1/p' "$work/log")"
    else
        failed=$((failed + 1))
        printf '%-22s FAILED after %s s\n' "$format" $((SECONDS - begun))
        tail -n 30 "$work/log"
    fi
done
echo "$passed passed, $failed failed, 0 skipped"
[[ $failed = 0 ]]
