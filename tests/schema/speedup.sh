# shellcheck shell=sh
speedup() { inlay speedup --json --quiet "$@"; }
speedup graphs/toy.dot
speedup graphs/cholesky4.dot bus:17 --cores 2..5 --scheduler dmda --task-overhead 2
speedup graphs/workflow.json star:4,cores=2,capacity=1GB/s --module-time normal:0.2 --replications 5
for scheduler in fifo lifo priority; do speedup graphs/toy.dot --scheduler $scheduler; done
for unit in s ms us ns; do
    echo "digraph { graph [time_unit=$unit]; a [time=0]; }" | speedup -
done
for scheduler in stealing fifo lifo priority dmda dmdas planned best; do
    speedup docs/examples/accelerators/tiles.dot docs/examples/accelerators/node.dot --scheduler $scheduler --cores 3..4
done
speedup graphs/toy.dot docs/examples/accelerators/node.dot --tick 1ms --scheduler dmdas --overlap no
