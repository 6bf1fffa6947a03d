#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/deb.sh FOLDER (make check-deb)
#
# The packages of a folder, as tools/deb.sh made them, in a new Debian of debootstrap's: they are installed, run, and taken
# away without leaving anything. It needs root, debootstrap and a network; elsewhere it is one skipped. Ends with the line
# `N passed, N failed, N skipped`.
#
# From the environment: DEBIAN (default bookworm, of the release the packages were built on).
set -u
folder=$(realpath "$1")
passed=0 failed=0
root=$(mktemp -d) || exit 2
trap 'rm -rf "$root"' EXIT
if [[ $(id -u) != 0 ]] || ! command -v debootstrap >/dev/null ||
    ! debootstrap --variant=minbase "${DEBIAN:-bookworm}" "$root" >"$folder/debootstrap.log" 2>&1; then
    echo "skipped: the packages in a chroot: not root, or no debootstrap, or no network"
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
fi

try() { # WHAT COMMAND
    if DEBIAN_FRONTEND=noninteractive LC_ALL=C chroot "$root" bash -c "$2" >"$root/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
        tail -n 20 "$root/log"
    fi
}

listing() { (cd "$root" && find etc usr opt srv -not -path 'usr/share/doc/*' | LC_ALL=C sort); }

cp "$folder"/*.deb "$root"
names=("$folder"/*.deb)
names=("${names[@]##*/}")
names=("${names[@]%%_*}")
examples=/usr/share/doc/inlay
try 'apt-get update' 'apt-get -q update'
# what they depend on stays there: what is left behind would not be told from it
try 'what the packages depend on' "apt-get install -y -q --no-install-recommends /*.deb && dpkg -P ${names[*]}"
listing >"$folder/before"
try 'installing them' 'dpkg -i /*.deb'
try 'inlay' "cd $examples && inlay map graphs/toy.dot bus:4 && inlay decompose 40x40 2,1"
try 'python3-inlay' "cd $examples && python3 docs/examples/layout.py"
[[ ! -e $root/usr/bin/inlay-partition ]] || try 'inlay-mpi' 'inlay-partition --list-methods'
[[ ! -e $root/usr/bin/inlay-simgrid ]] || try 'inlay-simgrid' 'inlay-simgrid --help; [[ $? -le 2 ]]'
[[ ! -e $root/usr/bin/inlay-compress ]] || try 'inlay-clang' 'ldd /usr/bin/inlay-compress && ! ldd /usr/bin/inlay-compress | grep "not found"'
try 'removing them' "dpkg -P ${names[*]}"
listing >"$folder/after"
if diff "$folder/before" "$folder/after"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo 'FAILED: nothing is left'; fi
echo "$passed passed, $failed failed, 0 skipped"
[[ $failed -eq 0 ]]
