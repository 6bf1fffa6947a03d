#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the studies beside SimGrid share: the program, the graphs, and machines on which messages do not meet. They set $here
# and read this file; $mode is few where only the two small graphs are wanted.
set -eu
: "${here:?}" "${mode:=all}"

# Sets $inlay, $data and $work, which is gone at the end, and goes to the top of the checkout.
find_inlay() { # SCRIPT [INLAY]
    inlay=${2:-${INLAY:-$here/../../build/inlay}}
    [ -n "${2:-${INLAY:-}}" ] || [ -x "$inlay" ] || inlay=$(command -v inlay) || inlay=inlay
    [ -x "$inlay" ] || {
        echo "$1: there is no program $inlay; run make, or name it" >&2
        exit 2
    }
    case $inlay in /*) ;; *) inlay=$PWD/$inlay ;; esac
    cd "$here/../.."
    data=${INLAY_DATA:-../shared/data}
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 3' HUP INT TERM
}

# ---- Graphs ----------------------------------------------------------------------------------------------------------

# A graph a line: its name, what its links count in, and a file of this folder, one of $data with what stands for it where
# it is not there, or what `inlay generate` makes it with.
graphs() {
    [ "$mode" = few ] || cat <<'END'
cholesky-tiles16 bytes    generate cholesky --tiles 16 --tile 128 --rate 1e9
lu-tiles12       bytes    generate lu --tiles 12 --tile 128 --rate 1e9
fft256           bytes    generate fft --size 256 --rate 1e5 --ccr 0.3 --bandwidth 1.25e8
fork-join        bytes    generate fork-join --steps 8 --width 32 --rate 1e5 --bytes 100000 --heterogeneity 1 --seed 1
layered          bytes    generate layered --levels 40 --width 25 --degree 3 --rate 1e5 --bytes 100000 --heterogeneity 1 --seed 2
stencil          bytes    generate stencil --size 16 --dimensions 2 --steps 8 --rate 1e8 --heterogeneity 0.5 --seed 3
montage          bytes    data wfformat/montage-chameleon-2mass-01d-001.json montage --size 10
stg-rand0000     messages data stg/rnc50/rand0000.stg layered --levels 8 --width 6
END
    cat <<'END'
cholesky4        messages file graphs/cholesky4.dot
in-tree          bytes    generate in-tree --levels 9 --rate 1e5 --bytes 100000 --heterogeneity 1 --seed 4
END
}

# Writes the graph to $work/NAME.*; $app is its path.
make_graph() { # NAME SOURCE ARGUMENT...
    name=$1 source=$2
    shift 2
    app=$work/$name.tg
    case $source in
    file) app=$work/$name.dot && cp "$1" "$app" ;;
    generate) "$inlay" generate "$@" --quiet -o "$app" ;;
    data)
        file=$data/$1
        shift
        if [ -e "$file" ]; then app=$file; else "$inlay" generate "$@" --quiet -o "$app"; fi
        ;;
    esac
}

# ---- Machines --------------------------------------------------------------------------------------------------------

# Cables of 50 us each that carry 125 MB or, for graphs whose links have no bytes, 500 messages a second.
capacity() { # bytes|messages
    if [ "$1" = bytes ]; then echo 125MB/s; else echo 500msg/s; fi
}

# 16 hosts on links on which messages do not meet: at one switch (wide), or one cable for each pair (pairs).
write_free() { # wide|pairs CAPACITY
    LC_ALL=C awk -v kind="$1" -v capacity="$2" 'BEGIN {
        print "graph " kind " { graph [network=links, switching=\"cut-through\"];"
        print " edge [capacity=\"" capacity "\", latency=\"50us\", parallel=true]; node [cores=1];"
        for (i = 0; i < 16; i++) print " p" i ";"
        if (kind == "wide") print " s [kind=switch];"
        for (i = 0; i < 16; i++) {
            if (kind == "wide") print " p" i " -- s;"
            else for (k = i + 1; k < 16; k++) print " p" i " -- p" k ";"
        }
        print "}"
    }' >"$work/$1.dot"
    echo "$work/$1.dot"
}

# ---- Results ---------------------------------------------------------------------------------------------------------

# The value of a member of a JSON object, at that depth.
member() { # DEPTH NAME FILE
    sed -n "s/^ \{$((2 * $1))\}\"$2\": \([^,]*\),\{0,1\}\$/\1/p" "$3"
}
