# shellcheck shell=sh
pareto() { inlay pareto --json --quiet "$@"; }
pareto graphs/toy.dot bus:4
pareto graphs/cholesky4.dot bus:17
pareto graphs/cholesky4.dot bus:17 --rank fixed-point
pareto graphs/cholesky4.dot bus:17 -p 17..17 --simulate no
pareto graphs/cholesky4.dot bus:17 --candidates 40 --points 3
pareto graphs/cholesky4.dot multibus:17,memories=17,buses=2,capacity=0.05msg/tick
pareto graphs/blocks.dot bus:16,capacity=0.05msg/tick
pareto graphs/workflow.json architectures/cluster17.dot
app() { echo "digraph { graph [time_unit=$1]; $2 }" | pareto - bus:2,capacity=1B/s; }
app ns 'a [time=0]; b [time=0]; a -> b [bytes=1000];'
app s 'a [time=0, pin=0]; b [time=0, pin=1]; a -> b [bytes=1000];'
app ms 'a [time=1, pin=0]; b [time=1, pin=1]; a -> b [kind=traffic, bytes=100];'
app us 'a [time=1]; b [time=1]; a -> b [bytes=100];'
