#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tests/study/hosts.sh
#
# A study over the ranks of two hosts, between wires: the rows are those of one thread; where a host is lost the run ends with
# a status, what was written is intact, and the next run goes on behind it. Prints what it finds; status 77 where there can be
# no such hosts, as tests/measure/lab.sh says.
set -u

script=hosts.sh hosts=2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
inlay=${INLAY:-$root/build/inlay}
ranks=$(dirname "$inlay")/inlay-study

# shellcheck source=tests/measure/lab.sh
. "$root/tests/measure/lab.sh"

lab_begin
lab_wires || exit
[[ -x $ranks ]] || lab_skip 'inlay-study is not built'
export OMPI_MCA_orte_tmpdir_base=$work

cat >"$work/study.json" <<'END'
{"applications": {"generate": "erdos-renyi", "modules": [60, 300], "seed": "1..3"}, "machines": "bus:{4,8}", "processors": "1..4",
 "methods": "heft,etf,dls", "seeds": "1..8"}
END
cd "$work" || exit
"$inlay" study study.json -q -o one.jsonl || exit
points=$(wc -l <one.jsonl)

over_hosts() { # ARGUMENTS: of inlay-study
    timeout -k 5 120 "$work/launch" -n 2 --hostfile "$work/hosts" "$ranks" study.json -q "$@"
}

lab_up switch 50 1
lab_run over_hosts -o two.jsonl || echo "status $?"
cmp one.jsonl two.jsonl && echo 'two hosts: the same'

# the wire of the second host is cut
over_hosts -o rows.jsonl --patience 2s >out 2>err &
child=$!
until [[ -e rows.jsonl || $(wc -l 2>/dev/null <rows.jsonl.journal) -gt $((points / 10)) ]]; do
    kill -0 $child 2>/dev/null || break
done 2>/dev/null
ip -n "$lab-$$-2" link set eth0 down
wait $child
[[ $? != 0 && ! -e rows.jsonl ]] || echo 'a lost host is no failure'
child=''
grep -o 'rank 1 is lost' err
sed -n '2,$p' rows.jsonl.journal | grep '}$' | sort >before
[[ -s before ]] || echo 'nothing was written'
sort one.jsonl | comm -13 - before | head -n 1
"$inlay" study study.json -o rows.jsonl >said
[[ $(wc -l <before) = "$(awk '/there before/ { print $3 }' said)" ]] || cat said
cmp one.jsonl rows.jsonl && echo 'taken up: the same'
