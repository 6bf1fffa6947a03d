# shellcheck shell=sh
reduce() { inlay reduce --json --quiet "$@"; }
reduce graphs/transactions.dot
reduce graphs/transactions.dot --executions 1000 --cycles traffic
reduce graphs/adaptive.dot
reduce graphs/toy.dot
echo 'digraph { graph [time_unit=ns]; a [time=0, kind=eor]; }' | reduce -
echo 'digraph { graph [time_unit=s]; a [time="1e15"]; a -> b; b [time="1e-9", entries=1]; }' | reduce -
