#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/measure/transfer.sh MACHINE FROM TO BYTES...
#
# The seconds that a message takes from one processor of a machine to another when nothing else is under way, by the event
# engine, one line for each of the BYTES.
#
# From the environment: INLAY (default build/inlay).
set -eu
inlay=${INLAY:-build/inlay} machine=$1 from=$2 to=$3
shift 3
for bytes; do
    printf 'digraph one { graph [time_unit=us]; a [time=0, pin=%d]; b [time=0, pin=%d]; a -> b [bytes=%d]; }' \
        "$from" "$to" "$bytes" | "$inlay" map - "$machine" -T 1e15 --json --quiet |
        sed -n 's/^ *"elapsed": \([^,]*\),*$/\1/p' | awk '{ printf "%.12g\n", $1 / 1e6 }'
done
