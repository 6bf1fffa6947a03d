# shellcheck shell=sh
pareto() { inlay pareto --json --quiet "$@"; }
pareto graphs/toy.dot bus:4
pareto graphs/cholesky4.dot bus:17
pareto graphs/cholesky4.dot bus:17,price=0.5,power=20 --processors 7..9 --max-events 1
pareto graphs/cholesky4.dot multibus:17,memories=17,buses=2,capacity=0.05msg/tick --method heft
pareto graphs/blocks.dot bus:16,capacity=0.05msg/tick
pareto graphs/workflow.json architectures/cluster17.dot
app() { echo "digraph { graph [time_unit=$1]; $2 }" | pareto - "bus:2,capacity=1B/s${3-}" ${4+--method "$4"}; }
app ns 'a [time=0]; b [time=0]; a -> b [bytes=1000];'
app s 'a [time=0, pin=0]; b [time=0, pin=1]; a -> b [bytes=1000];'
app ms 'a [time=1, pin=0]; b [time=1, pin=1]; a -> b [kind=traffic, bytes=100];'
app us 'a [time=1]; b [time=1]; a -> b [bytes=100];' ,price=0.5,power=20
app us 'a [time=0, pin=0]; b [time=0, pin=1]; a -> b [kind=traffic, bytes=100];'
app us 'a [time=0, pin=0]; b [time=0, pin=1]; a -> b [kind=traffic, bytes=100];' '' heft
