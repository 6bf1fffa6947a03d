#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `make demo`: lays two example programs into two example machines. Results and pictures go to out/.
set -eu
cd "$(dirname "$0")/.."
inlay=${INLAY:-build/inlay}
inlay=${inlay#"$PWD/"}
mkdir -p out

# NAME APPLICATION MACHINE [OPTION]...
show() {
    name=out/$1
    shift
    set -- "$inlay" map "$@" --summary --json -o "$name.mapping.json" --dot "$name.dot" --svg "$name.svg"
    echo "\$ $*"
    "$@"
    echo
}

show cholesky4 graphs/cholesky4.dot architectures/paper-bus17.dot -T 464
show workflow graphs/workflow.json architectures/cluster17.dot

echo "The mappings, and pictures of them:"
ls out/*.json out/*.dot out/*.svg
