#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/measure/judge.sh NAME=VALUE...
#        tests/measure/judge.sh FILE
#
# Lets `inlay measure` fit raw measurements, which raw.awk makes of these arguments or are in FILE, and judges by the slow
# fit what it says and writes: every figure; for some pairs of processors the time of a message on the machine that was
# written; the processors' speeds and memories, and the times of operations. Prints the slow fit's findings and a line for
# each judgement; leaves machine.dot and raw.json in the current folder.
#
# The processors of a bus are all alike: their speeds are not looked at there. Where g is 0 the machine cannot tell how
# long large messages take: only small ones count.
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

"$inlay" measure --from raw.json --json --quiet -o machine.dot >found.json
awk -f "$here/json.awk" -f "$here/fit.awk" raw.json >slow

# ---- What was found --------------------------------------------------------------------------------------------------

# A line for each class.
awk '/^(network|core) / {
        printf "%s %s ", $1 == class ? "," : (class ? "\n" : "") $1 ":", $2
        printf(($2 == "kind" ? "%s" : ($3 < 1e-12 ? "0" : "%.4g")), $3)
        class = $1
    }
    END { if (class) print "" }' slow
awk -f "$here/json.awk" -f "$here/compare.awk" found.json <slow

# ---- What was written ------------------------------------------------------------------------------------------------

"$inlay" info machine.dot | awk '/^[^ ]/ { wanted = $1 ~ /^(network|processors|kinds)$/ } wanted'

# What the file says of processors, if anything: a line for each piece, o_send or o_recv, FROM-SIZE SECONDS SECONDS-A-BYTE.
sed -n 's/.*\(o_send="[^"]*"\), \(o_recv="[^"]*"\).*/\1 \2/p' machine.dot | tr ' ' '\n' | awk -F '"' '
    function seconds(text) { return text * (text ~ /ns$/ ? 1e-9 : text ~ /us$/ ? 1e-6 : text ~ /ms$/ ? 1e-3 : 1) }
    NF { n = split($2, piece, "/")
        for (i = 1; i <= n; i++) {
            k = split(piece[i], part, ":")
            printf "%s %d %.12g %.12g\n", substr($1, 1, 6), (k > 2 ? part[1] : 0), seconds(part[k - 1]), seconds(part[k])
        } }' >pieces

# FROM SECONDS A G of a step that the file tells of, as it was found.
touch step
grep -q latency_by_size machine.dot && sed -n '/"step": {/,/}/p' found.json | awk -F '[ ",:]+' '
    { value[$2] = $3 }
    END { print value["size"], value["seconds"], value["latency"], value["per_byte"] }' >step

# FROM TO A G, of the first processor with all others and of the last with the first.
awk '/^rank [0-9]+ host/ { host[last = $2] = $4 }
    $2 == "a" || $2 == "left_a" { a[$1] = $3 } # what is left comes behind the whole
    $2 == "g" || $2 == "left_g" { g[$1] = $3 }
    function pair(from, to,    class) {
        class = host[from] == host[to] ? "core" : "network"
        print from, to, a[class], g[class]
    }
    END { for (r = 1; r <= last; r++) pair(0, r); if (last) pair(last, 0) }' slow >pairs
while read -r from to a g; do
    large=$(awk -v g="$g" 'BEGIN { print (g > 0 ? 1000000 : 1) }')
    "$here/transfer.sh" machine.dot "$from" "$to" 1 "$large" >took
    awk -v way="$from to $to" -v a="$a" -v g="$g" -v large="$large" '
        FILENAME == "step" { from = $1; longer = $2; a = $3; g = $4; next }
        FILENAME == "pieces" { begin[$1, ++count[$1]] = $2; time[$1, count[$1]] = $3; each[$1, count[$1]] = $4; next }
        function kept(which, bytes,    i) {
            for (i = count[which]; i > 1 && begin[which, i] > bytes;)
                i--
            return i ? time[which, i] + bytes * each[which, i] : 0
        }
        { took[FNR] = $1; lines = FNR }
        END { for (line = 1; line <= lines; line++) { $1 = took[line]; judge(line == 1 ? 1 : large) }
            if (lines != 2) print "DIFFERS: no two messages from " way }
        function judge(bytes,    slow) {
            slow = kept("o_send", bytes) + a + bytes * g + (bytes >= from ? longer : 0) + kept("o_recv", bytes)
            if (($1 > slow ? $1 - slow : slow - $1) > 1e-6 * slow)
                print "DIFFERS: a message from " way " takes " $1 " s, and by the slow fit " slow " s"
        }' step took pieces
done <pairs >differences
cat differences
echo "$(($(wc -l <pairs) * 2 - $(wc -l <differences))) transfers agree"

# Of a module that takes 1000 s at speed 1.
judge_speeds() {
    sed -n 's/^rank \([0-9]*\) host.*/\1/p' slow | while read -r rank; do
        printf 'digraph one { graph [time_unit=s]; a [time=1000, pin=%d]; }' "$rank" |
            "$inlay" map - machine.dot --json --quiet | sed -n "s/^ *\"simulated\": \\([^,]*\\),*\$/$rank \\1/p"
    done >seconds
    # where a rank is slower by more than all spreads, its speed is less than 1; else it may be 1
    awk 'NR == FNR && /arithmetic alone [0-9]/ { own[$2] = $5; fastest = fastest && fastest < $5 ? fastest : $5 }
        NR == FNR && /arithmetic alone spread/ { widest = widest > $6 ? widest : $6 }
        NR > FNR {
            speed = 1000 / $2
            slower = own[$1] / fastest - 1
            off = speed * own[$1] / fastest - 1
            if (speed == 1 ? slower <= widest + 1e-9 : off * off < 1e-12) agreed++
            else print "DIFFERS: rank " $1 " has speed " speed ", and by the slow fit " fastest / own[$1]
        }
        END { print agreed " speeds agree" }' slow seconds
}
grep -q 'network=bus' machine.dot || judge_speeds

# Operations on the fastest processor.
"$inlay" info machine.dot --json | sed -n 's/^ *"\(arithmetic\|function\)_time": \([^,]*\),*$/\1 \2/p' >operations
awk '/(arithmetic|function) alone [0-9]/ { own[$3, $2] = $5 }
    /arithmetic alone [0-9]/ && (fastest == "" || $5 < own["arithmetic", fastest]) { fastest = $2 }
    NR > FNR {
        off = $2 / own[$1, fastest] - 1
        if (off * off < 1e-12) agreed++
        else print "DIFFERS: " $1 " takes " $2 " s, and by the slow fit " own[$1, fastest]
    }
    END { print agreed + 0 " operations agree" }' slow operations

"$inlay" generate cholesky --tiles 4 --tile 64 --rate 1e9 --quiet -o cholesky.dot
"$inlay" map cholesky.dot machine.dot --quiet -o mapping.json
"$inlay" check mapping.json | sed 's/ (.*//'
rm -f found.json pieces step slow cholesky.dot mapping.json pairs took differences seconds operations
