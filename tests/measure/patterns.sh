#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/measure/patterns.sh NAME=VALUE...
#        tests/measure/patterns.sh FILE
#
# Lets `inlay measure --topology` fit cycles, which raw.awk makes of these arguments or are in FILE, and judges by growth.awk
# what it says, and whether the metasystem that it writes says the same. Leaves metasystem.dot and raw.json in the current
# folder.
#
# From the environment: INLAY (default build/inlay).
set -eu
here=$(dirname "$0")
inlay=${INLAY:-build/inlay}
export LC_ALL=C

make_raw() {
    for word; do set -- "$@" -v "$word" && shift; done
    awk -f "$here/raw.awk" "$@" >raw.json
}
case ${1-} in
*=* | '') make_raw "$@" ;;
*) cp "$1" raw.json ;;
esac

topology=$(tr -d ' \n' <raw.json | sed 's/.*"topology":\["//; s/"\].*//; s/","/,/g')
"$inlay" measure --from raw.json --topology "$topology" --json --quiet -o metasystem.dot >found.json
awk -f "$here/json.awk" -f "$here/growth.awk" raw.json found.json

# PATTERN C1 C2 C3 C4 F of each cluster of two processors or more: as found, in microseconds, and as written, to a millionth.
found() {
    awk -f "$here/json.awk" -f /dev/stdin found.json <<'END'
BEGIN {
    json_read(ARGV[1], found)
    for (c = 0; c < found["clusters#"]; c++)
        for (p = 0; p < found["clusters/" c "/patterns#"]; p++)
            for (i = 0; i < found[(way = "clusters/" c "/patterns/" p) "/fits#"]; i++)
                if (found[(fit = way "/fits/" i) "/f"] == found[way "/f"])
                    printf "%s %.6g %.6g %.6g %.6g %s\n", found[way "/pattern"], 1e6 * found[fit "/c1"],
                           1e6 * found[fit "/c2"], 1e6 * found[fit "/c3"], 1e6 * found[fit "/c4"], found[way "/f"]
    exit
}
END
}
written() {
    sed '/processors=1,/,/;$/d' metasystem.dot |
        sed -n 's/^    "\([^"]*\)"="c1=\([^,]*\), c2=\([^,]*\), c3=\([^,]*\), c4=\([^,]*\), f=\([a-z]*\)".*/\1 \2 \3 \4 \5 \6/p' |
        awk '{ printf "%s %.6g %.6g %.6g %.6g %s\n", $1, $2, $3, $4, $5, $6 }'
}
found >said
written | grep -vxFf said >differs || true
if [ -s said ]; then sed 's/^/WRONG: not found, but written: /' differs; fi
echo "$(wc -l <said) of $(written | wc -l) functions written"
sed -n '/kind=metasystem/s/^ *graph //p; s/^  "\(.*\)" \[\(.*\),$/\1: \2/p' metasystem.dot
rm -f found.json said differs
