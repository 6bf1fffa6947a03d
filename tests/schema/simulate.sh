# shellcheck shell=sh
map() { inlay map --quiet --effort 50 -o "$FOLDER/mapping.json" "$@"; }
simulate() { inlay simulate --json --quiet "$FOLDER/mapping.json" "$@"; }
map graphs/toy.dot bus:4
simulate
try() { # as four ways of simulating show the mapping
    map "$@"
    simulate
    simulate --module-time exponential --transfer-time normal:0.5 --replications 3 --overlap no
    simulate --module-time uniform:0.5 --transfer-time exponential --contention none --scale compute=2
    simulate --module-time normal --transfer-time uniform --contention free
}
try graphs/cholesky4.dot bus:17,memory=common
try graphs/cholesky4.dot omega:16
try graphs/workflow.json architectures/cluster17.dot
try graphs/cholesky4.dot mesh:4x4
map graphs/cholesky4.dot bus:17,o_send=2,o_recv=1,time_spread=0.1 && simulate
app() { # UNIT APP
    echo "digraph { graph [time_unit=$1]; $2 }" >"$FOLDER/app.dot"
    map "$FOLDER/app.dot" bus:4,capacity=1B/ms
    simulate
}
app ns 'a [time=0];' # nothing takes time
# the last message to d waits for the one to c, and in the network for that of b
app ms 'a [time=1, pin=0]; b [time=1, pin=1]; c [time=1, pin=2]; d [time=1, pin=3];
    a -> c [bytes=100]; a -> d [bytes=100]; b -> d [bytes=100];'
app us 'a [time=1];'
echo 'digraph { a [time=1, kind=k]; b [time=3, kind=k]; }' >"$FOLDER/kinds.dot"
map "$FOLDER/kinds.dot" bus:2
simulate --module-time kind --replications 2
