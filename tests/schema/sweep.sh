# shellcheck shell=sh
sweep() { inlay sweep --json --quiet "$@" || [ $? -eq 1 ]; } # 1: no clustering fits
sweep graphs/toy.dot bus:4
sweep graphs/cholesky4.dot bus:17 -T 464
sweep graphs/toy.dot bus:4,capacity=0.1msg/tick -T 30   # saturated
sweep graphs/toy.dot bus:4,capacity=0.1msg/tick --to 35 # for all that is known
sweep graphs/cholesky4.dot mesh:2x2                     # not all clusterings have a place
sweep graphs/cholesky4.dot bus:8 -T 150                 # nor an elapsed time
sweep graphs/cholesky4.dot bus:17 --points 3
sweep graphs/cholesky4.dot bus:17 -T 464 --max-events 1
sweep graphs/cholesky4.dot bus:17 --processors 3
sweep graphs/workflow.json architectures/cluster17.dot
app() { echo "digraph { graph [time_unit=$1]; $2 }" | sweep - bus:2,capacity=1B/s --processors 1; }
app ns 'a [time=0];'
app ms 'a [time=1, pin=0]; b [time=1, pin=1]; a -> b [kind=traffic, bytes=100];'
app us 'a [time=1]; b [time=1]; a -> b [bytes=100];'
