# shellcheck shell=sh
select_() { inlay select --json "$@"; }
select_ graphs/figure13.dot architectures/figure13-metasystem.dot --placement
select_ graphs/figure13.dot architectures/figure13-metasystem.dot --method h2 --map ceil --router chain -p 5,0,0,5
select_ graphs/sten2.dot architectures/suns-metasystem.dot -D N=300 --map real --method exhaustive
select_ graphs/sten2.dot architectures/suns-metasystem.dot -D N=300 --map remainder
select_ graphs/sparse.dot architectures/campus-metasystem.dot --phases all
pair() { # UNIT COMMUNICATION CLUSTERS OPTION...
    echo "digraph { graph [kind=program, time_unit=$1]; c [kind=computation, numPDUs=20, comp_complexity=300]; $2 }" \
        >"$FOLDER/program.dot"
    echo "graph { graph [kind=metasystem, time_unit=$1]; $3 }" >"$FOLDER/metasystem.dot"
    shift 3
    select_ "$FOLDER/program.dot" "$FOLDER/metasystem.dot" "$@"
}
pair s '' 'a [processors=2, rate=5];' -p 1
pair ms 'x [kind=communication, topology=ring, comm_complexity=5];' \
    'a [processors=3, rate=5, ring="c2=7"]; b [processors=4, rate=6, ring="c2=9"];' --method h1
# T falls as p rises: the exact method cannot tell how far off the heuristic is
pair tick 'x [kind=communication, topology=tree, comm_complexity=5, overlap=c];' \
    'a [processors=3, rate=5, tree="c1=900, c2=-7"];' --method h3 --best 0
pair ns 'x [kind=communication, topology="1-D", comm_complexity=5];' \
    'a [processors=90, rate=5, "1-D"="c2=2"]; b [processors=90, rate=6, "1-D"="c2=2"];
     d [processors=90, rate=7, "1-D"="c2=3"];' --limit 3
# no single processor holds all units
printf 'device,size,seconds\nsparc2,40,0.03\nsparc2,41,\nipc,50,0.045\nipc,51,\n' >"$FOLDER/full.csv"
inlay select graphs/sten2.dot architectures/suns-metasystem.dot -D N=300 --curves "$FOLDER/full.csv" --json
pair us 'x [kind=communication, topology="all-to-all", comm_complexity="900/P^2"];
    y [kind=communication, topology=broadcast, algorithm=pipeline, sizes=3, comm_per_PDU=5];' \
    'a [processors=3, rate=5, ring="c2=7"]; b [processors=4, rate=6, ring="c2=9, c4=0.1"];' --phases all
for topology in allreduce broadcast 2-D 3-D; do
    pair us "x [kind=communication, topology=\"$topology\", comm_complexity=900];" 'a [processors=3, rate=5, ring="c2=7"];'
done
sed 's/^ *sparc2 *\[/&price=0.5, power="100W", /; s/^ *ipc *\[/&price=0.1, /; s/kind=metasystem/&, currency=EUR/' \
    architectures/suns-metasystem.dot >"$FOLDER/priced.dot"
select_ graphs/sten2.dot "$FOLDER/priced.dot" -D N=300 --deadline 3s --budget 0.01
select_ graphs/sten2.dot "$FOLDER/priced.dot" -D N=300 --objective energy
select_ graphs/sten2.dot "$FOLDER/priced.dot" -D N=300 --objective efficiency
select_ graphs/sten2.dot "$FOLDER/priced.dot" -D N=300 --budget 0.01
select_ graphs/sten2.dot architectures/suns-metasystem.dot --objective knee
