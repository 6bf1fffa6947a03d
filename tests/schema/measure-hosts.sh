# shellcheck shell=sh
measure() { # of hosts that raw.awk makes up
    LC_ALL=C awk -f tests/measure/raw.awk -v advisor=1 "$@" | inlay measure --from - --json --quiet 2>"$FOLDER/said"
}
measure -v hosts=3 -v ranks=2 -v kind=bus -v speeds='1 2'
measure -v hosts=1
measure -v hosts=3 -v kind=half -v noise=0.02
measure -v hosts=2 -v kind=switch -v g=0
measure -v hosts=4 -v kind=switch
