#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `make demo`: lays two example programs into two example machines, one of them into a mesh, then into all five machines of
# the paper. Then a third goes onto the cores of this computer, and a program that uses the same resources runs there.
# Results and pictures go to out/.
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

# TIME_FRAME APPLICATION MACHINE...
compare() {
    frame=$1 application=$2
    shift 2
    for machine; do
        name=out/$(basename "$application" .dot)-$(basename "$machine" .dot)
        "$inlay" map "$application" "$machine" -T "$frame" --quiet -o "$name.mapping.json" --dot "$name.dot" \
            --svg "$name.svg"
    done
    set -- "$inlay" compare "$application" "$@" -T "$frame"
    echo "\$ $*"
    "$@"
    echo
}

show cholesky4 graphs/cholesky4.dot architectures/paper-bus17.dot -T 464
show workflow graphs/workflow.json architectures/cluster17.dot

show cholesky4-mesh graphs/cholesky4.dot architectures/mesh16.dot --svg-machine out/mesh.svg

echo "All five machines of the paper, of 16 processors but for its own bus of 17, with the time frame of its Figure 5."
echo "What a message takes on each is tau, in ticks."
compare 464 graphs/cholesky4.dot architectures/bus16-common.dot architectures/paper-bus17.dot \
    architectures/multibus16.dot architectures/omega16.dot architectures/omega-pe16.dot

# Cholesky on the cores of this computer, predicted and measured. Without an MPI, `run` says what to install.
run_here() {
    machine=crossbar:$(getconf _NPROCESSORS_ONLN)
    "$inlay" --version | grep -q '^ *hwloc  *in ' && machine=host
    "$inlay" generate cholesky --tiles 10 --tile 128 --rate 2e9 -o out/tiles10.dot
    "$inlay" map out/tiles10.dot "$machine" --quiet -o out/tiles10.mapping.json
    "$inlay" synth out/tiles10.mapping.json --work time --quiet -o out/tiles10.c
    set -- "$inlay" run out/tiles10.mapping.json --work time --runs 5 --quiet
    echo "\$ $*"
    "$@" || [ $? = 3 ]
    echo
}

echo "A tiled Cholesky factorisation on this computer: its synthetic program runs, and shows what the prediction is worth."
run_here

echo "The mappings, pictures of them, and the synthetic program:"
ls out/*.json out/*.dot out/*.svg out/*.c
