#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/irregular.sh [SUITE...]
#
# Runs the tests of libinlay-irregular on RANKS ranks, by default eight, and ends with the line `N passed, N failed, N skipped`; where the
# library was not built, one is skipped. A watchdog ends what hangs. INLAY is the program beside which the tests stand: by
# default build/inlay. WATCHDOG is in seconds; default 1800, which is for what hangs and no measure of anything.
set -u

program=$(dirname "${INLAY:-build/inlay}")/unit-irregular
if [[ ! -x $program ]]; then
    echo 'irregular loops: not built (MPI and PT-Scotch are not here)'
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
fi

# Open MPI wants to be asked before root may start programs, and before more ranks than processors run; ranks that wait
# leave the processor to others. What it loses until the end of a process is not looked for.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
log=$tmp/log
# as in tests/cli.sh: folders of another mpirun are not taken away
export OMPI_MCA_orte_tmpdir_base=$tmp
timeout --kill-after=5 "${WATCHDOG:-1800}" mpirun -n "${RANKS:-8}" "$program" "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if [[ $status -eq 124 || $status -eq 137 ]]; then
    echo "FAILED: the tests of irregular loops did not end within ${WATCHDOG:-1800} s"
fi
if ! tail -n 1 "$log" | grep -q -x -E '[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped'; then
    echo '0 passed, 1 failed, 0 skipped'
    exit 1
fi
[[ $status -eq 0 ]] && tail -n 1 "$log" | grep -q ' 0 failed, '
