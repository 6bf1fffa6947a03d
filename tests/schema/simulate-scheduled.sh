# shellcheck shell=sh
simulate() { inlay simulate --json --quiet "$FOLDER/mapping.json" "$@"; }
inlay map graphs/toy.dot bus:4 --quiet -o "$FOLDER/mapping.json"
for scheduler in stealing fifo lifo priority dmda; do simulate --scheduler $scheduler; done
simulate --scheduler stealing --task-overhead 3 --module-time exponential --replications 3 --contention none
for unit in s ms us ns; do
    echo "digraph { graph [time_unit=$unit]; a [time=1]; b [time=2]; a -> b; }" >"$FOLDER/app.dot"
    inlay map "$FOLDER/app.dot" star:2 --quiet -o "$FOLDER/mapping.json"
    simulate --scheduler fifo
done
inlay map docs/examples/accelerators/tiles.dot docs/examples/accelerators/node.dot --quiet -o "$FOLDER/mapping.json"
for scheduler in stealing fifo lifo priority dmda dmdas planned best; do simulate --scheduler $scheduler; done
