# shellcheck shell=sh
report() { inlay report --json "$@" 2>/dev/null; }
report graphs/toy.dot bus:2 mesh:2x2,capacity=1msg/tick --points 2
report graphs/blocks.dot bus:16,capacity=0.05msg/tick bus:16,processor_memory=64KiB --points 2
report graphs/workflow.json bus:4,capacity=1GB/s,price=0.5,currency=EUR,power=20 --points 2
report graphs/cholesky4.dot bus:17,capacity=1msg/tick --max-events 1 --points 2
app() { echo "digraph { graph [time_unit=$1]; $2 }" | report - "bus:2,capacity=1B/s${3-}"; }
app ns 'a [time=0]; b [time=0]; a -> b [bytes=1000];'
app ms 'a [time=1, pin=0, kind=k]; b [time=1, pin=1]; a -> b [bytes=100];'
app us 'a [time=1]; b [time=1]; a -> b [bytes=100];' ,price=0.5,power=20
report graphs/workflow.json bus:2 --points 2
report graphs/cholesky4.dot architectures/cluster17.dot --tick 1ms --points 2
app us 'a [time=0, pin=0]; b [time=0, pin=1]; a -> b [kind=traffic, bytes=100];'
report graphs/cholesky4.dot bus:17,capacity=0.002msg/tick --points 3
